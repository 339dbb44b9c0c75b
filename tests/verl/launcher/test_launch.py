"""The launcher, with small programs in verl's place."""

import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import pytest

from rewardkit.errors import SELF_STOPPED, NoSignalError, TrainingError
from rewardkit_verl import names
from rewardkit_verl.launcher import launch

pytestmark = pytest.mark.verl


@dataclass
class Program:
    """A stand-in for a command: some Python."""

    code: str
    environment: dict

    @property
    def arguments(self):
        return [sys.executable, "-u", "-c", self.code]


def run(code, log, poll=lambda: False, silence_s=100.0):
    said = []
    program = Program(code, {"REWARDKIT_TEST": "yes"})
    try:
        launch.run(program, log, poll=poll, silence_s=silence_s, remark=said.append)
    finally:
        run.said = said
    return said


def test_the_log_holds_all_that_is_said_and_the_environment_arrives(tmp_path):
    log = tmp_path / "verl" / "log.txt"
    run("import os, sys; print(os.environ['REWARDKIT_TEST']); print('err', file=sys.stderr)", log)
    assert set(log.read_text().split()) == {"yes", "err"}


def test_a_failure_carries_the_end_of_the_log_and_our_own_reason(tmp_path):
    code = (
        "print('first line')\n"
        "for i in range(200): print('line', i)\n"
        "print('\\x1b[36m(TaskRunner)\\x1b[0m rewardkit.errors.NoSignalError: none of 16 groups mixes')\n"
        "print('more'); raise SystemExit(3)"
    )
    with pytest.raises(NoSignalError) as caught:
        run(code, tmp_path / "log.txt")
    assert caught.value.status == SELF_STOPPED, "as of the same cause natively"
    message = str(caught.value)
    assert "exited with status 3" in message
    assert "NoSignalError: none of 16 groups mixes" in message.splitlines()[0]
    assert "line 199" in message
    assert "first line" not in message
    assert "\x1b" not in message
    assert str(tmp_path / "log.txt") in message


def test_a_killed_process_is_said_to_be_killed(tmp_path):
    with pytest.raises(TrainingError, match="killed by signal 9"):
        run("import os; os.kill(os.getpid(), 9)", tmp_path / "log.txt")


def test_only_what_this_start_wrote_is_blamed(tmp_path):
    log = tmp_path / "log.txt"
    log.write_text("rewardkit.errors.NoSignalError: of an earlier start\n")
    with pytest.raises(TrainingError) as caught:
        run("raise SystemExit(1)", log)
    assert "earlier start" not in str(caught.value)
    assert caught.value.status == 2


@pytest.fixture
def watch(tmp_path, monkeypatch):
    """Return a function that lets seconds pass, then looks: what verl said meanwhile, if it stepped.

    It returns all that was remarked so far, of a verl that may be silent for ten seconds.
    """
    clock, log, said = SimpleNamespace(now=0.0), tmp_path / "log.txt", []
    log.touch()
    monkeypatch.setattr(launch, "time", SimpleNamespace(monotonic=lambda: clock.now))
    silence = launch.SilenceWatch(10.0, log, said.append)

    def look(seconds, line="", stepped=False):
        clock.now += seconds
        with log.open("a") as file:
            file.write(line)
        silence.check(stepped=stepped)
        return said

    return look


def test_silence_is_reported_with_the_last_line(watch):
    assert watch(1, "waiting for Ray\n", stepped=True) == watch(9) == []
    [said] = watch(1)
    assert "said nothing for 10 s" in said
    assert "waiting for Ray" in said
    assert "verl.silence_s" in said
    assert len(watch(9)) == 1, "once each time"
    assert len(watch(1)) == 2


def test_talk_without_a_finished_step_is_reported_too(watch):
    for _ in range(3):
        assert watch(3, "pending: 4\n") == []
    [said] = watch(3, "pending: 4\n")
    assert "finished no step for 12 s" in said


def test_steps_break_the_silence(watch):
    for _ in range(12):
        assert watch(3, ".\n", stepped=True) == []


def test_a_running_program_is_watched(tmp_path, monkeypatch):
    monkeypatch.setattr(launch, "POLL_S", 0.05)
    said = run("import time; time.sleep(0.5)", tmp_path / "log.txt", silence_s=0.1)
    assert "said nothing" in said[0]


def interrupt_when(log, text, number):
    def watch():
        for _ in range(1200):
            if log.exists() and text in log.read_text():
                os.kill(os.getpid(), number)
                return
            time.sleep(0.05)

    threading.Thread(target=watch, daemon=True).start()


def gone(pid):
    for _ in range(1200):
        try:
            os.kill(pid, 0)
            if Path(f"/proc/{pid}/stat").read_text().split()[2] == "Z":
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupt_lets_it_end_in_order(number, tmp_path):
    log = tmp_path / "log.txt"
    code = (
        "import time\n"
        "try:\n"
        "    print('started', flush=True); time.sleep(600)\n"
        "finally:\n"
        "    print('closed in order', flush=True)"
    )
    interrupt_when(log, "started", number)
    with pytest.raises(KeyboardInterrupt):
        run(code, log)
    assert "closed in order" in log.read_text()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupt_while_it_starts_leaves_nothing_behind(number, tmp_path, monkeypatch):
    started = []

    def start(command, output):
        os.kill(os.getpid(), number)
        started.append(launch_start(command, output))
        return started[0]

    launch_start = launch._start
    monkeypatch.setattr(launch, "_start", start)
    with pytest.raises(KeyboardInterrupt):
        run("import time; time.sleep(600)", tmp_path / "log.txt")
    assert started[0].returncode is not None


def test_a_closed_terminal_does_not_stop_what_nohup_started(tmp_path):
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        interrupt_when(tmp_path / "log.txt", "started", signal.SIGHUP)
        run("import time; print('started'); time.sleep(0.5); print('done')", tmp_path / "log.txt")
    finally:
        signal.signal(signal.SIGHUP, before)
    assert "done" in (tmp_path / "log.txt").read_text()


LAUNCHER = """
import sys
from pathlib import Path
from types import SimpleNamespace
from rewardkit_verl.launcher import launch

child = "import os, time; from rewardkit_verl.launcher.driver import end_with_launcher; end_with_launcher()\\n"
child += "print(os.getpid(), 'started', flush=True); time.sleep(600)"
command = SimpleNamespace(arguments=[sys.executable, "-c", child], environment={})
launch.run(command, Path(sys.argv[1]), poll=lambda: False, silence_s=99, remark=print)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel is asked in Linux's words")
def test_a_launcher_that_is_killed_takes_verl_with_it(tmp_path):
    log = tmp_path / "log.txt"
    launcher = subprocess.Popen([sys.executable, "-c", LAUNCHER, log])
    try:
        for _ in range(1200):
            if log.exists() and "started" in log.read_text():
                break
            time.sleep(0.05)
    finally:
        launcher.kill()
        launcher.wait()
    assert gone(int(log.read_text().split()[0]))


def test_a_launcher_that_died_before_the_driver_began_is_noticed():
    code = "from rewardkit_verl.launcher.driver import end_with_launcher; end_with_launcher(); print('went on')"
    environment = {**os.environ, names.LAUNCHER_VARIABLE: "1"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True)
    assert (done.returncode, done.stdout) == (-signal.SIGKILL, b"")


def test_what_will_not_end_is_killed_with_its_children(tmp_path, monkeypatch):
    monkeypatch.setattr(launch, "GRACE_S", (0.5, 0.5))
    log = tmp_path / "log.txt"
    code = (
        "import signal, subprocess, sys, time\n"
        "signal.signal(signal.SIGINT, signal.SIG_IGN); signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "print('child', child.pid, 'started', flush=True); time.sleep(600)"
    )
    interrupt_when(log, "started", signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        run(code, log)
    assert gone(int(log.read_text().split()[1]))


def test_an_error_of_the_watcher_leaves_nothing_running(tmp_path):
    log = tmp_path / "log.txt"

    def poll():
        if log.read_text():
            raise OSError("disk full")
        return False

    with pytest.raises(OSError, match="disk full"):
        run("import os, time; print(os.getpid(), flush=True); time.sleep(600)", log, poll=poll)
    assert gone(int(log.read_text().split()[0]))
