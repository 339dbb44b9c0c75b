"""A verifier that misbehaves on demand; a module of its own, so that workers can import it.

It imports little: each pool of a test starts an interpreter that imports it again.
"""

import ctypes
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from rewardkit.types import Outcome, Verdict


def awkward(response, answer):
    if response == "spin":
        while True:
            pass
    if response == "bignum":
        9**9**9
    if response == "sleep":
        time.sleep(60)
    if response == "nap":
        time.sleep(0.3)
    if response == "die":
        os._exit(3)
    if response.startswith("program"):  # writes its process id to the file `answer`
        Path(answer).write_text(str(subprocess.Popen(["sleep", "600"]).pid))
        if response == "program and die":
            os._exit(3)
        time.sleep(600)
    if response == "daemon":  # in a session of its own, out of reach of the worker's group
        program = ["sleep", "600"]
        pid = subprocess.Popen(program, start_new_session=True).pid
        Path(answer).write_text(str(pid))
        while True:
            pass
    if response == "fork and die":  # its child lives on, and would hold the worker's socket
        if (pid := os.fork()) == 0:
            time.sleep(600)
        os.setpgid(pid, pid)
        os._exit(3)
    if response == "kill the template":
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(600)
    if response == "kill the template once":
        if not Path(answer).exists():
            Path(answer).write_text("done")
            os.kill(os.getppid(), signal.SIGKILL)
            time.sleep(600)
        return True
    if response == "fork":
        if (pid := os.fork()) == 0:
            sys.exit(3)
        os.waitpid(pid, 0)
    if response == "segv":
        ctypes.string_at(0)
    if response == "memory":
        bytearray(10**10)
    if response == "raise":
        raise ValueError("boo")
    if response == "exit":
        sys.exit(3)
    if response == "interrupt":
        raise KeyboardInterrupt
    if response == "not text":
        return Verdict(Outcome.CORRECT, extracted=object())
    if response == "not an outcome":
        return Verdict("correct")
    if response == "wrong type":
        return [1]
    if response == "pid":
        return Verdict(Outcome.CORRECT, reason=str(os.getpid()))
    return Verdict(Outcome.CORRECT if response == answer else Outcome.INCORRECT)


def copied(response, answer):
    """Be awkward in a copy that stands for the worker."""
    from rewardkit.verifiers.pool.copies import in_place

    if response == "killed":
        return in_place(lambda: os.kill(os.getpid(), signal.SIGKILL))
    return in_place(lambda: awkward(response, answer))


async def awaited(response, answer):
    """Be a coroutine function, and fail in a library on request."""
    import asyncio

    await asyncio.sleep(0)
    return json.loads(response) == json.loads(answer)


def same(response, answer):
    """Be a verifier as a user writes one."""
    return response == answer


def hash_of_a_word(response, answer):
    """Say what the process makes of a word, and what its programs would be told."""
    seed = os.environ.get("PYTHONHASHSEED")
    return Verdict(Outcome.CORRECT, reason=f"{hash('a word')} {seed}")


def by_length(response, answer):
    """Say whether both are equally long."""
    return Verdict(Outcome.CORRECT if len(response) == len(answer) else Outcome.INCORRECT)


def grade(pool, queue):
    """Verify in another process, with the pool it was given."""
    queue.put(pool.verify_one("a", "a").outcome.value)
    pool.close()


def modules(response, answer):
    """Say whether a module is loaded where the verifier runs."""
    return Verdict(Outcome.CORRECT, reason=str(response in sys.modules))


class Counting:
    """A verifier that is quick, not cheap, and says in which process it worked."""

    def __init__(self, steps=2000):
        self.steps = steps

    def quick(self, response, answer):
        for _ in range(self.steps):
            pass
        if response == "die quickly" and os.getppid() != int(answer):
            os._exit(3)
        if response == "slow":
            return None
        return Verdict(Outcome.CORRECT, extracted=response, gold=answer, reason=str(os.getpid()))

    def __call__(self, response, answer):
        return Verdict(Outcome.CORRECT, extracted=response, gold=answer, reason="by itself")


class Warmed:
    """A verifier that says in which process it was warmed, and how often."""

    warmed = []  # of the process, as what a real one fills is  # noqa: RUF012

    def __init__(self, fails=False):
        self.fails = fails

    def warm(self):
        if self.fails:
            raise OSError("the stove is cold")
        self.warmed.append(os.getpid())

    def __call__(self, response, answer):
        pids = [*self.warmed, os.getppid()]
        return Verdict(Outcome.CORRECT, extracted=answer, reason=" ".join(map(str, pids)))


class Everywhere:
    """Says by its method which way a text went."""

    def __call__(self, response, answer):
        return Verdict(Outcome.CORRECT, method="in a worker")

    def quick(self, response, answer):
        return Verdict(Outcome.CORRECT, method="quick")
