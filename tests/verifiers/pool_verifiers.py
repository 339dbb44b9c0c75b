"""A verifier that misbehaves on demand; a module of its own, so that workers can import it."""

import ctypes
import os
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
        return 1
    if response == "pid":
        return Verdict(Outcome.CORRECT, reason=str(os.getpid()))
    return Verdict(Outcome.CORRECT if response == answer else Outcome.INCORRECT)


def grade(pool, queue):
    """Verify in another process, with the pool it was given."""
    queue.put(pool.verify_one(r"\boxed{\int_0^1 2x\,dx}", "1").outcome.value)
    pool.close()
