"""Which jails this system gives to programs, and which programs of ours still run."""

import time
from pathlib import Path

from rewardkit_tasks.code import Limits, programs


def works(alone):
    return programs._run("print(1)", "", Limits(), alone).output == "1\n"


def running():
    """Return the processes that are a program of ours, forked or not."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
            if b"main.py" in words and (folder / "stat").read_text().rpartition(") ")[2][0] != "Z":
                found.add(int(folder.name))
        except OSError:
            continue
    return found


def outlived(before):
    """Return what is left of a program; those that tests beside this one run end by themselves."""
    found, deadline = running() - before, time.monotonic() + 60
    while found and time.monotonic() < deadline:
        time.sleep(0.05)
        found &= running()
    return found
