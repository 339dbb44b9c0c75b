"""The processes behind `VerifierPool`: a template process, and the workers forked from it.

The pool's process may hold torch threads, CUDA contexts and an event loop, so it is never forked.
It starts one clean, single-threaded template process that imports what verifiers need; each
worker is forked from the template in milliseconds, which is what makes killing one cheap. Both
end when the pool's process does.

Messages are a four-byte length and a body. Work and verdicts travel as JSON; only the verifier
itself, sent by the pool, is a pickle.
"""

from __future__ import annotations

import array
import contextlib
import importlib
import json
import os
import pickle
import select
import signal
import socket
import struct
import sys
import traceback
from typing import Any

from rewardkit.types import Outcome, Verdict

PRELOADED = ("mpmath", "sympy", "rewardkit.verifiers.math")
MAX_REASON = 300
MAIN = "__rewardkit_main__"

in_worker = False
"""Whether this process is a worker: then slow work may run here, for here it can be killed."""


def send(sock: socket.socket, body: bytes) -> None:
    """Send one message."""
    sock.sendall(struct.pack("!I", len(body)) + body)


def receive(sock: socket.socket) -> bytes | None:
    """Return the next message, or None when the other side is gone."""
    header = _receive_exactly(sock, 4)
    if header is None:
        return None
    return _receive_exactly(sock, struct.unpack("!I", header)[0])


def _receive_exactly(sock: socket.socket, size: int) -> bytes | None:
    parts = []
    while size:
        part = sock.recv(min(size, 1 << 20))
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def encode(verdict: Verdict) -> bytes:
    """Return a verdict as bytes for `decode`."""
    return json.dumps(
        [
            verdict.outcome.value,
            verdict.extracted,
            verdict.gold,
            verdict.method,
            verdict.reason,
            verdict.seconds,
        ]
    ).encode()


def decode(body: bytes) -> Verdict:
    """Return the verdict that `encode` wrote."""
    outcome, *rest = json.loads(body)
    return Verdict(Outcome(outcome), *rest)


def template(control: socket.socket) -> None:
    """Fork, kill and reap workers as the pool asks, until the pool's process is gone."""
    # A scheduler that stops a job sends SIGTERM to all of its processes. The pool's process may
    # have a step to finish, and ends this one; what verifiers start gets its default handling.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: None)
    setup = receive(control)
    if setup is None:
        return
    settings: dict[str, Any] = pickle.loads(setup)
    sys.path[:] = settings["path"]
    for name in PRELOADED:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    _warm()
    parent = os.getppid()
    children: set[int] = set()
    killed: set[int] = set()
    try:
        while os.getppid() == parent:
            killed = {pid for pid in killed if os.waitpid(pid, os.WNOHANG)[0] == 0}
            if not select.select([control], [], [], 0.2 if killed else 1.0)[0]:
                continue
            message, ancillary, _, _ = control.recvmsg(5, socket.CMSG_SPACE(4))
            if not message:
                break
            if message[:1] == b"F":
                descriptor = array.array("i", ancillary[0][2])[0]
                pid = _fork_worker(control, descriptor, settings)
                children.add(pid)
                control.sendall(struct.pack("!i", pid))
                continue
            pid = struct.unpack("!i", message[1:5])[0]
            children.discard(pid)
            if message[:1] == b"R":  # it died by itself: how?
                control.sendall(struct.pack("!i", _kill_and_reap(pid)))
            else:
                # Not waited for: a process of low priority may take its time to end.
                _kill(pid)
                killed.add(pid)
                control.sendall(struct.pack("!i", 0))
    except ConnectionError:
        pass  # the pool hung up without waiting for an answer
    finally:
        for pid in children | killed:
            _kill_and_reap(pid)


def _warm() -> None:
    """Integrate once, for all workers: the first time loads and fills ten times what it uses."""
    from rewardkit.verifiers.parser import parse
    from rewardkit.verifiers.symbolic import same_by_sympy

    same_by_sympy(parse("\\int_0^1 x dx"), parse("1/2"))


def _fork_worker(control: socket.socket, descriptor: int, settings: dict[str, Any]) -> int:
    pid = os.fork()
    # The worker gets a process group of its own, so that what a verifier started ends with it.
    # Either side may be the first to need it: the one to start a program, the other to kill.
    if pid:
        os.setpgid(pid, pid)
        os.close(descriptor)
        return pid
    status = 1
    try:
        os.setpgid(0, 0)
        control.close()
        serve(socket.socket(fileno=descriptor), settings)
        status = 0
    except BaseException:  # noqa: BLE001 the forked copy must not run on in the template's loop
        traceback.print_exc()
    finally:
        os._exit(status)


def _kill(pid: int) -> None:
    """Kill a worker and the programs that its verifier started."""
    with contextlib.suppress(PermissionError):  # macOS, of a group where all are dead already
        os.killpg(pid, signal.SIGKILL)  # not yet reaped, so the number cannot name another group


def _kill_and_reap(pid: int) -> int:
    """Kill a worker and return how it ended: a signal as its negative, else the exit status."""
    _kill(pid)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def serve(sock: socket.socket, settings: dict[str, Any]) -> None:
    """Verify one item after another until the pool closes the socket."""
    global in_worker
    in_worker = True
    _limit_memory(settings["memory_mb"])
    try:
        verifier = _load(settings)
    except Exception as error:  # noqa: BLE001 whatever a user's module raises, the pool must tell
        send(sock, f"{type(error).__name__}: {error}"[:MAX_REASON].encode())
        return
    send(sock, b"")
    pid = os.getpid()
    while (body := receive(sock)) is not None:
        response, answer = json.loads(body)
        if settings["cpu_s"]:
            # The kernel ends this process when it has used up its CPU time, even inside one long
            # C call; unlike a wall clock, that does not depend on what else the machine does.
            signal.setitimer(signal.ITIMER_PROF, settings["cpu_s"])
        reply = _call(verifier, response, answer)
        if os.getpid() != pid:
            os._exit(1)  # a copy that the verifier forked and that raised: not its to answer
        signal.setitimer(signal.ITIMER_PROF, 0)
        send(sock, reply)


def _call(verifier: Any, response: str, answer: str) -> bytes:
    try:
        verdict = verifier(response, answer)
        if isinstance(verdict, Verdict):
            return encode(verdict)
        reason = f"the verifier returned {type(verdict).__name__}, expected Verdict"
    except MemoryError:
        reason = "out of memory (the worker's limit)"
    except BaseException as error:  # noqa: BLE001 even sys.exit() is one item's ERROR
        reason = f"{type(error).__name__}: {error}"[:MAX_REASON]
    return encode(Verdict(Outcome.ERROR, method="pool", reason=reason))


def _limit_memory(memory_mb: int | None) -> None:
    if memory_mb is None:
        return
    import resource

    with open("/proc/self/statm", encoding="ascii") as file:
        used = int(file.read().split()[0]) * resource.getpagesize()
    limit = used + memory_mb * 2**20
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    if hard != resource.RLIM_INFINITY:  # none may go above the limit that the caller runs under
        limit = min(limit, hard)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _load(settings: dict[str, Any]) -> Any:
    if settings["main"]:
        import runpy
        import types

        # The verifier is defined in the script itself: run that file once under another name, so
        # that what stands behind `if __name__ == "__main__"` does not run here.
        module = types.ModuleType(MAIN)
        module.__dict__.update(runpy.run_path(settings["main"], run_name=MAIN))
        sys.modules["__main__"] = module
    return pickle.loads(settings["verifier"])
