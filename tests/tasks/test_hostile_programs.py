"""No program outlives its jail, forges its report, reaches anybody or holds more than it may."""

import os
import socket
import sys
import tempfile
import time
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from rewardkit.errors import ConfigError
from rewardkit_tasks.code import CodeVerifier, Limits, programs, verifier

sys.path.append(str(Path(__file__).parent))
from hostile_programs import PROGRAMS
from running_programs import SOMEBODY, Runner, own_folder, running

LIMITS = Limits(cpu_s=2, wall_s=20, memory_mb=256)
ROOT = os.getuid() == 0
WHO = {"root, alone": (None, True)} if ROOT else {}
WHO |= {
    f"a user, {how}": (SOMEBODY if ROOT else None, how == "alone") for how in ("alone", "filtered")
}


@pytest.fixture(scope="module")
def jails(tmp_path_factory):
    """Runners by who runs programs: in a folder of their own each."""
    tmp_path_factory.getbasetemp()  # not in a folder that goes away
    with ExitStack() as stack:
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        made = {}

        def of(who):
            user, alone = WHO[who]
            if who not in made:
                folder = stack.enter_context(own_folder(patch))
                one = stack.enter_context(closing(Runner(folder, user)))
                made[who] = (folder, one, one.run("print(1)", LIMITS, alone)[0])
            folder, one, first = made[who]
            if first.output != "1\n":
                pytest.skip(f"no program can be run here: {first.trouble}")
            return folder, one, alone

        yield of


class Listening:
    """Sockets of each kind that a program could reach, and who came."""

    def __enter__(self):
        self.stack = ExitStack()
        folder = Path(self.stack.enter_context(tempfile.TemporaryDirectory(dir="/var/tmp")))
        folder.chmod(0o777)
        self.abstract = f"rewardkit-test-{os.getpid()}"
        self.path = str(folder / "s")
        places = [
            (socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)),
            (socket.AF_UNIX, socket.SOCK_STREAM, self.path),
            (socket.AF_UNIX, socket.SOCK_STREAM, "\0" + self.abstract),
            (socket.AF_UNIX, socket.SOCK_DGRAM, self.path + ".dgram"),
        ]
        self.sockets = []
        for family, kind, place in places:
            one = self.stack.enter_context(socket.socket(family, kind))
            one.bind(place)
            if kind == socket.SOCK_STREAM:
                one.listen()
            one.setblocking(False)
            self.sockets.append(one)
        for file in (self.path, self.path + ".dgram"):
            os.chmod(file, 0o777)
        self.tcp = self.sockets[0].getsockname()[1]
        return self

    def __exit__(self, *_):
        self.stack.close()

    def came(self):
        """Return how many connections or messages arrived."""
        count = 0
        for one in self.sockets:
            try:
                one.recv(1) if one.type == socket.SOCK_DGRAM else one.accept()
            except BlockingIOError:
                continue
            count += 1
        return count


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_hostile_program_is_wrong_and_nothing_of_it_is_left(name, who, jails):
    folder, runner, alone = jails(who)
    with Listening() as at:
        source = PROGRAMS[name]
        for word in ("tcp", "path", "abstract"):
            source = source.replace(f"{{{word}}}", str(getattr(at, word)))
            source = source.replace(f"{{{word}!r}}", repr(getattr(at, word)))
        ran, most = runner.run(source, LIMITS, alone)
        assert at.came() == 0
    assert (ran.undecided, bool(ran.trouble)) == (None, True), ran
    assert 0 < most <= 1.2 * (LIMITS.memory_mb << 20)
    assert not running(folder)
    assert not list(folder.glob("rewardkit-code-*"))


@pytest.mark.parametrize(
    "call", ["os.chmod('main.py', 0o666)", "os.fchmod(os.open('main.py', 0), 0o666)"]
)
def test_who_sees_your_files_does_not_change_their_rights(call, jails):
    _, runner, alone = jails("a user, filtered")
    ran, _ = runner.run(f"import os\n{call}", LIMITS, alone)
    assert "Operation not permitted" in ran.trouble


def test_a_report_is_exactly_one():
    good = b'{"status": 0, "cpu": 0.5}'
    assert programs._report(good).status == 0
    bad = [
        b"",
        b"{}",
        b"[1]",
        b"0",
        good * 2,
        good[:-1],
        b"[" * 5000,
        b'{"status":0,"cpu":1}',
    ]
    bad += [
        good.replace(b"0,", b"true,"),
        good.replace(b"0,", b"1e9,"),
        good.replace(b"0,", b"999,"),
    ]
    assert [one for one in bad if programs._report(one)] == []


def test_who_lost_its_jail_is_wrong_where_it_may_have_ended_it(monkeypatch, tmp_path):
    """Without namespaces or a filter a program can; in namespaces it cannot, and nothing is said."""
    (tmp_path / "jail.py").write_text("import os; os.kill(os.getpid(), 9)")
    monkeypatch.setattr(programs, "JAIL", tmp_path / "jail.py")
    found = [programs._run("print(1)", "", LIMITS, alone).undecided for alone in (True, False)]
    assert found == [programs.Outcome.ERROR, None]


def test_without_any_jail_it_has_to_be_said(monkeypatch):
    for name in ("seen", "limits"):
        monkeypatch.setattr(verifier, "protection", lambda name=name: name)
        with pytest.raises(ConfigError, match='jail="limits"'):
            CodeVerifier(run_programs=True)
    with pytest.raises(ConfigError, match="jail is"):
        CodeVerifier(run_programs=True, jail="alone")
    assert CodeVerifier(run_programs=True, jail="limits").jail == "limits"


def test_who_can_be_written_to_has_no_jail(monkeypatch):
    """As where the kernel has seccomp, and no Landlock."""
    tried = []

    def run(source, given, limits, alone, filtered):
        tried.append((alone, filtered))
        reaches = f"/proc/{os.getpid()}/mem" in source
        return programs.Ran("" if alone or reaches else "fine\n", "refused" if alone else "")

    monkeypatch.setattr(programs, "_run", run)
    assert programs.protection.__wrapped__() == "seen"
    assert tried == [(True, True), (False, True), (False, True)]


def test_a_jail_that_hangs_is_ended_with_all_that_it_started(monkeypatch, tmp_path):
    forks = "import os, time\nfor _ in range(3):\n    if os.fork() == 0:\n        os.setsid()\ntime.sleep(600)  # main.py"
    (tmp_path / "jail.py").write_text(forks)
    monkeypatch.setattr(programs, "JAIL", tmp_path / "jail.py")
    monkeypatch.setattr(programs, "SLACK_SECONDS", 0.5)
    before = set(os.listdir("/proc"))
    programs._run("print(1)", "", Limits(wall_s=0.5), False)
    time.sleep(0.1)
    mine = [
        pid
        for pid in set(os.listdir("/proc")) - before
        if pid.isdigit() and str(tmp_path) in Path(f"/proc/{pid}/cmdline").read_text()
    ]
    assert mine == []
