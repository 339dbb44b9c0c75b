"""Run a Python program within limits, in the strongest jail that the system offers."""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import IO

from rewardkit.errors import ConfigError
from rewardkit.types import Outcome
from rewardkit_tasks.code.calls import call_filter
from rewardkit_tasks.code.jail import all_below

JAIL = Path(__file__).with_name("jail.py")
MAX_OUTPUT = 1 << 20
"""Bytes of standard output that are read; a program that writes more is stopped."""
MAX_REPORT = 1000
OPEN = "limits"
MODES = {
    "alone": (True, True),
    "filtered": (False, True),
    "seen": (False, True),
    OPEN: (False, False),
}
"""Whether a program is run in namespaces of its own, and behind a filter of system calls."""
CLOSED = ("alone", "filtered")
"""Those in which it reaches no other process of the user's."""
SLACK_SECONDS = 10.0
"""What the jail may take beyond the program's own deadline, where the machine is busy."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run of a program may use."""

    cpu_s: int = 4
    """CPU seconds of one process."""
    wall_s: float = 8.0
    """Seconds by the clock, for a program that waits or a machine that stands still."""
    memory_mb: int = 512
    """MiB that it may allocate; without a filter of system calls, each process that it starts."""
    file_mb: int = 16
    """MiB of files in its own folder, the only one in which it can write."""
    processes: int = 16
    """Threads, its first one included; without a filter of system calls, processes as well."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a jail says of a program."""

    status: int | None
    """Of its exit, a signal as its negative; None where it had to be ended."""
    cpu: float
    """Seconds of all that it started."""


@dataclass(frozen=True, slots=True)
class Ran:
    """How a program ended: `trouble` is empty where it ran to its end, with exit status 0."""

    output: str
    trouble: str
    undecided: Outcome | None = None
    """TIMEOUT where the clock stopped it, which may be the machine's fault; ERROR where its jail
    failed, which is not the program's; else None."""
    exhausted: bool = False
    """Whether it used up the time that it had."""


def run_program(source: str, given: str, limits: Limits) -> Ran:
    """Run a program with a text on its standard input; nothing of it is left afterwards.

    Raises:
        ConfigError: no program can be run here; says why.
    """
    return _run(source, given, limits, *MODES[protection()])


@cache
def protection() -> str:
    """Return how programs are run here, the first name of `MODES` that works.

    Raises:
        ConfigError: no program can be run here; says why.
    """
    ran = Ran("", "")
    # Who can write our memory is held by no filter of calls.
    reach = f"try: open('/proc/{os.getpid()}/mem', 'r+b')\nexcept OSError: print('fine')"
    for name, (alone, filtered) in MODES.items():
        ran = _run(reach if name in CLOSED else "print('fine')", "", Limits(), alone, filtered)
        if ran.output == "fine\n" and not ran.trouble:
            return name
    raise ConfigError(
        f"programs cannot be run here: {ran.trouble}. Under root they run as the user nobody, who "
        f"must be able to read {python()} and {tempfile.gettempdir()}"
    )


def python() -> str:
    """Return the interpreter that programs run in: its own standard library, and no package."""
    return os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)


def _run(source: str, given: str, limits: Limits, alone: bool, filtered: bool = True) -> Ran:
    calls = call_filter(alone) if filtered else b""
    if filtered and not calls:
        return Ran("", f"system calls of {os.uname().machine} are not known", Outcome.ERROR)
    with ExitStack() as stack:
        # Files without a name: nothing is left of them, whoever is killed.
        files = [stack.enter_context(tempfile.TemporaryFile()) for _ in range(3)]
        for file, text in zip(files, (source, given), strict=False):
            file.write(text.encode(errors="replace"))
            file.seek(0)
        program, stdin, stderr = files
        output, status, line = _jailed(program, stdin, stderr, limits, alone, calls)
        stderr.seek(0)
        said = _last_words(stderr.read(MAX_OUTPUT).decode(errors="replace"))
    if len(output) > MAX_OUTPUT:
        return Ran("", f"it wrote more than {MAX_OUTPUT >> 20} MiB of output")
    report = _report(line)
    if report is None:
        trouble = f"its jail ended with status {status}: {said}"[:300]
        # Stopped, killed, or with a report that is none: by a program that may reach its jail.
        own = not alone and (line != b"" or status is None or status < 0)
        return Ran("", trouble, undecided=None if own else Outcome.ERROR)
    return _ended(output.decode(errors="replace"), report, said, limits)


def _report(line: bytes) -> Report | None:
    """Return what a jail says of a program, None if this is not exactly what one says.

    >>> _report(b'{"status": 0, "cpu": 0.5}').cpu, _report(b'{"status": 0}')
    (0.5, None)
    """
    try:
        found = Report(**json.loads(line))
    except (ValueError, TypeError, RecursionError):
        return None
    kinds = (type(found.status), type(found.cpu))
    known = found.status is None or abs(found.status) < 256
    return found if kinds in ((int, float), (type(None), float)) and known else None


def _last_words(stderr: str) -> str:
    """Return the last line that names an error, else the last one.

    Where copies of a program end at once, the last lines may be of a traceback that breaks off.

    >>> _last_words("ValueError: 3\\nTraceback (most recent call last):\\n  File 'main.py', line 2")
    'ValueError: 3'
    """
    lines = stderr.strip().split("\n")
    named = [line for line in lines if line[:1].strip() and not line.startswith("Traceback")]
    return (named or lines)[-1]


def _jailed(
    program: IO[bytes],
    stdin: IO[bytes],
    stderr: IO[bytes],
    limits: Limits,
    alone: bool,
    calls: bytes,
) -> tuple[bytes, int | None, bytes]:
    """Return the program's output, the jail's exit status (None: it hung), and its report."""
    read, write = os.pipe()
    settings = {
        "parent": os.getpid(),
        "source": program.fileno(),
        "report": write,
        "folder": os.path.realpath(tempfile.gettempdir()),
        "python": python(),
        "alone": alone,
        "filter": calls.hex(),
        **asdict(limits),
    }
    with open(read, "rb", buffering=0) as report:
        process = subprocess.Popen(
            [python(), "-I", "-S", str(JAIL), json.dumps(settings)],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=stderr,
            pass_fds=(write, program.fileno()),
            env={},
        )
        os.close(write)
        status: int | None = None
        try:
            output = _output(process, time.monotonic() + limits.wall_s + SLACK_SECONDS)
            status = process.wait(limits.wall_s + SLACK_SECONDS)
        except subprocess.TimeoutExpired:
            output = b""
        finally:
            if process.poll() is None:
                end_below(process.pid)
                process.kill()
                process.wait()
        # A program that may reach its jail could hold this descriptor, and never let go.
        line = report.read() if alone else _there(report)
    if not alone:
        shutil.rmtree(os.path.join(settings["folder"], f"rewardkit-code-{process.pid}"), True)
    return output, status, line


def _there(report: IO[bytes]) -> bytes:
    """Return what can be read without waiting."""
    os.set_blocking(report.fileno(), False)
    return report.read(MAX_REPORT) or b""


def end_below(pid: int) -> None:
    """Kill all that a process has started, while it lives: what loses its parent comes to it."""
    ended: set[int] = set()  # a jail that was stopped waits for none, and they stay listed
    while new := set(all_below(pid)) - ended:
        for child in new:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(child, signal.SIGKILL)
        ended |= new
        time.sleep(0.01)


def _output(process: subprocess.Popen[bytes], deadline: float) -> bytes:
    """Return what is written to the end, or as much as is too much; then nobody listens."""
    assert process.stdout is not None
    parts: list[bytes] = []
    with process.stdout as pipe:
        while sum(map(len, parts)) <= MAX_OUTPUT:
            left = max(0.0, deadline - time.monotonic())
            if not select.select([pipe], [], [], left)[0]:
                break
            if not (part := os.read(pipe.fileno(), 1 << 16)):
                break
            parts.append(part)
    return b"".join(parts)


def _ended(output: str, report: Report, said: str, limits: Limits) -> Ran:
    """Return how a program ended, by the jail's report and its last words."""
    status, cpu = report.status, report.cpu
    if status is None:
        stopped = f"it was stopped after {limits.wall_s:g} s"
        waited = Outcome.TIMEOUT if cpu < limits.cpu_s else None
        return Ran(output, stopped, waited, exhausted=True)
    if status == 0:
        return Ran(output, "")
    if status < 0 and cpu > limits.cpu_s - 0.5:
        return Ran(output, f"it took more than {limits.cpu_s} s of CPU time", exhausted=True)
    if status < 0:
        return Ran(output, f"it was ended by {signal.Signals(-status).name}")
    if said.startswith("MemoryError"):
        return Ran(output, f"it needs more than {limits.memory_mb} MiB of memory")
    return Ran(output, said[:300] or f"it ended with status {status}")
