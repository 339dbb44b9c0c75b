"""Which jails this system gives to programs, and which programs of a test still run."""

import os
import shutil
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path

from rewardkit_tasks.code import Limits, programs
from rewardkit_tasks.code.jail import DUMPABLE, all_below, prctl

SOMEBODY = 4321
"""A user without a name, a home and rights, as in containers."""
TOP = tempfile.gettempdir()


def works(alone):
    return programs._run("print(1)", "", Limits(), alone).output == "1\n"


@contextmanager
def own_folder(monkeypatch):
    """Run programs in a folder of the test's own, by which they are told from those of others."""
    with tempfile.TemporaryDirectory(prefix="rewardkit-test-", dir=TOP) as made:
        folder = Path(os.path.realpath(made))
        folder.chmod(0o1777)
        monkeypatch.setenv("TMPDIR", str(folder))
        monkeypatch.setattr(tempfile, "tempdir", str(folder))
        yield folder


def running(folder):
    """Return the processes that are a program of a test, or its jail, by the folder they name."""
    found = set()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            said = (process / "cmdline").read_bytes() + (process / "environ").read_bytes()
            state = (process / "stat").read_text().rpartition(") ")[2][0]
        except OSError:
            continue
        if str(folder).encode() in said and b"main.py" in said + b"jail.py" and state != "Z":
            found.add(int(process.name))
    return found


class Runner:
    """Runs programs in a process of its own, and watches how much they hold together."""

    def __init__(self, folder, user=None):
        self.folder, self.user = folder, user
        self.here, there = get_context("fork").Pipe()
        self.process = get_context("fork").Process(target=self._serve, args=(there,), daemon=True)
        self.process.start()
        there.close()

    def run(self, source, limits, alone):
        """Return how a program ended, and the most bytes that it, its jail and all it started held."""
        most, ended = [0], threading.Event()

        def watch():
            while not ended.wait(0.002):
                most[0] = max(most[0], held_below(self.process.pid))

        watching = threading.Thread(target=watch)
        watching.start()
        try:
            self.here.send((source, limits, alone))
            return self.here.recv(), most[0]
        finally:
            ended.set()
            watching.join()

    def close(self):
        self.here.close()
        self.process.join(10)

    def _serve(self, there):
        self.here.close()
        if self.user is not None:
            become(self.user, self.folder)
        while True:
            try:
                source, limits, alone = there.recv()
            except EOFError:
                return
            there.send(programs._run(source, "", limits, alone))


def become(user, folder):
    """Be another user, with a copy of the interpreter and of the jail that it can read."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    left = shutil.ignore_patterns("site-packages", "test", "config-*", "idlelib", "*.a")
    prefix = folder / "python"
    shutil.copytree(Path(os.__file__).parent, prefix / "lib" / version, ignore=left)
    for library in Path(sys.base_prefix, "lib").glob("libpython*"):
        shutil.copy(library, prefix / "lib")
    (prefix / "bin").mkdir()
    interpreter = shutil.copy(programs.python(), prefix / "bin" / version)
    programs.JAIL = Path(shutil.copy(programs.JAIL, folder))
    programs.python = lambda: str(interpreter)
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    prctl(DUMPABLE, 1)  # as the process of any user is


def held_below(pid):
    """Return the bytes of memory that all below a process hold; a copy of it has not begun."""
    name, held = Path(f"/proc/{pid}/cmdline").read_bytes(), 0
    for below in all_below(pid):
        try:
            if Path(f"/proc/{below}/cmdline").read_bytes() != name:
                pages = int(Path(f"/proc/{below}/statm").read_text().split()[1])
                held += pages * os.sysconf("SC_PAGESIZE")
        except OSError:
            continue
    return held


def outlived(folder):
    """Return what is left of programs that were given up: their jails end them a moment later."""
    deadline = time.monotonic() + 60
    while running(folder) and time.monotonic() < deadline:
        time.sleep(0.05)
    return running(folder)
