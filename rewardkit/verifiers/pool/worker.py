"""What runs in the processes behind `VerifierPool`: the template, and the workers forked from it.

The pool's process may hold torch threads, CUDA contexts and an event loop, so it is never forked.
It starts one clean, single-threaded template process that a verifier may warm; each worker is
forked from the template in milliseconds, which is what makes killing one cheap. Both end when the
pool's process does.
"""

from __future__ import annotations

import gc
import os
import pickle
import select
import signal
import socket
import sys
import traceback
from typing import Any

from rewardkit.errors import described
from rewardkit.types import Outcome, Verdict
from rewardkit.verifiers.limits import unbounded_work
from rewardkit.verifiers.pool import processes, wire
from rewardkit.verifiers.pool.wire import Settings

KILLED_SECONDS = 0.05
"""How often it is looked whether what was killed has ended, and what it left."""
MAIN = "__rewardkit_main__"


def run_template(control: socket.socket, keeper: int) -> None:
    """Fork, kill and reap workers as the pool asks, until its process or the keeper is gone."""
    processes.adopt_orphans()
    # Nothing is below it while a verifier is warmed, which may take long: the kernel can end it.
    processes.kernel_ends_with_parent()
    setup = wire.receive(control)
    if setup is None:
        return
    settings: Settings = pickle.loads(setup)
    sys.path[:] = settings.path
    failure = _warm(settings)
    gc.freeze()  # or the first collection in each worker would copy all that it shares
    processes.kernel_ends_with_parent(0)
    known = processes.children()  # what the verifier started for all workers, and they themselves
    killed: set[int] = set()
    try:
        while os.getppid() == keeper:
            killed = _without_dead(killed, known)
            seconds = KILLED_SECONDS if killed else processes.WATCH_SECONDS
            if not select.select([control], [], [], seconds)[0]:
                continue
            received = wire.receive_command(control)
            if received is None:
                break
            command, pid, descriptor = received
            if descriptor is not None:
                pid = _fork_worker(control, descriptor, settings, failure)
                known.add(pid)
                wire.send_number(control, pid)
                continue
            known.discard(pid)
            if command == wire.REAP:  # it died by itself: how?
                processes.end(pid)  # what it started is of its group
                wire.send_number(control, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
            else:
                # Not waited for: a process of low priority may take its time to end.
                processes.end(pid)
                killed.add(pid)
                wire.send_number(control, 0)
    except ConnectionError:
        pass  # the pool hung up without waiting for an answer
    finally:
        processes.end_descendants(known | killed)


def _without_dead(killed: set[int], known: set[int]) -> set[int]:
    """Reap what has ended of the killed; kill what dead workers left, and return all that is left.

    A worker adopts the orphans below it, so that here they arrive when their worker is dead.
    """
    for pid in processes.children() - known - killed:
        processes.end(pid)
        killed.add(pid)
    return {pid for pid in killed if os.waitpid(pid, os.WNOHANG)[0] == 0}


def _warm(settings: Settings) -> str:
    """Let the verifier prepare what all workers will share; return what went wrong, else ""."""
    if settings.warm:
        try:
            _load(settings).warm()
        except Exception as error:  # noqa: BLE001 whatever a user's module raises, the pool must tell
            return described(error)
    return ""


def _fork_worker(control: socket.socket, descriptor: int, settings: Settings, failure: str) -> int:
    template = os.getpid()
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
        processes.end_with_parent(template)
        processes.adopt_orphans()
        control.close()
        _run_worker(socket.socket(fileno=descriptor), settings, failure)
        status = 0
    except ConnectionError:  # the pool has gone: nobody is left to tell
        pass
    except BaseException:  # noqa: BLE001 the forked copy must not run on in the template's loop
        traceback.print_exc()
    finally:
        os._exit(status)


def _run_worker(sock: socket.socket, settings: Settings, failure: str) -> None:
    """Say what went wrong at the start, if anything; then verify until the socket is closed."""
    _limit_memory(settings.memory_mb)
    verifier = None
    if not failure:
        try:
            verifier = _load(settings)
        except Exception as error:  # noqa: BLE001 as in `_warm`
            failure = described(error)
    wire.send(sock, failure.encode())
    # What a verifier forks must not keep the pool from seeing that its worker died.
    os.register_at_fork(after_in_child=sock.close)
    pid = os.getpid()
    while not failure and (body := wire.receive(sock)) is not None:
        items = wire.decode_items(body)
        if settings.cpu_s:
            # The kernel ends this process when it has used up its CPU time, even inside one long
            # C call; unlike a wall clock, that does not depend on what else the machine does.
            signal.setitimer(signal.ITIMER_PROF, settings.cpu_s)
        reply = wire.encode(_together(verifier, items, settings.seconds))
        if os.getpid() != pid:
            os._exit(1)  # a copy that the verifier forked and that raised: not its to answer
        signal.setitimer(signal.ITIMER_PROF, 0)
        wire.send(sock, reply)


def _together(verifier: Any, items: list[wire.Item], seconds: float) -> list[Verdict]:
    if len(items) > 1:
        try:
            with unbounded_work():
                found: list[Verdict] = verifier.together(items, seconds)
            return found
        except Exception:  # noqa: BLE001 one of them is at fault, and says so when it is alone
            pass
    return [_verify(verifier, item) for item in items]


def _verify(verifier: Any, item: wire.Item) -> Verdict:
    try:
        with unbounded_work():  # for this process can be killed
            verdict = verifier(item.response, item.gold, **item.columns)
        if isinstance(verdict, Verdict):
            wire.encode([verdict])  # what cannot be sent is its own fault, and no other's
            return verdict
        reason = f"the verifier returned {type(verdict).__name__}, expected Verdict"
    except MemoryError:
        reason = "out of memory (the worker's limit)"
    except BaseException as error:  # noqa: BLE001 even sys.exit() is one item's ERROR
        reason = described(error)
    return Verdict(Outcome.ERROR, method="pool", reason=reason)


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


def _load(settings: Settings) -> Any:
    if settings.main and sys.modules["__main__"].__name__ != MAIN:
        import runpy
        import types

        # The verifier is defined in the script itself: run that file once under another name, so
        # that what stands behind `if __name__ == "__main__"` does not run here.
        module = types.ModuleType(MAIN)
        module.__dict__.update(runpy.run_path(settings.main, run_name=MAIN))
        sys.modules["__main__"] = module
    return pickle.loads(settings.verifier)
