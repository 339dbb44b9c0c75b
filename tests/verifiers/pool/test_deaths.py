"""No process outlives its program, and no item is lost, whichever process dies first."""

import os
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest

from rewardkit.types import Outcome
from rewardkit.verifiers import VerifierPool

from pool_verifiers import awkward  # isort: skip

TRIES = 4
DEATHS = (
    "end",
    "caller",
    "keeper",
    "template",
    "worker",
    "caller and keeper",
    "caller and template",
)
SCRIPT = f"""
import os, sys, time
from pathlib import Path
sys.path[:0] = {sys.path}
from pool_verifiers import awkward
from rewardkit.verifiers import VerifierPool

pool = VerifierPool(awkward, workers=4, deadline_s=600)
worker = int(pool.verify_one("pid", "").reason)
items = [pool.submit(*item) for item in (("daemon", sys.argv[1]), ("spin", ""), ("sleep", ""), ("bignum", ""))]
template = int(Path(f"/proc/{{worker}}/stat").read_text().rpartition(") ")[2].split()[1])
workers = Path(f"/proc/{{template}}/task/{{template}}/children")
while len(workers.read_text().split()) < 4 or not Path(sys.argv[1]).exists():
    time.sleep(0.01)
print(pool._scheduler.template.process.pid, template, worker, flush=True)
sys.stdin.read()
"""


def running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def marked(mark):
    """Return the processes that have inherited a variable."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (folder / "environ").read_bytes() and running(folder.name):
                found.add(int(folder.name))
        except OSError:
            continue
    return found


def below(pid):
    """Return all processes below one, itself included."""
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return {pid}.union(*(below(int(child)) for child in text.split()))


def die(death, folder):
    """Let a pool of four endless items die so, and return which of its processes outlive it."""
    mark = f"POOL={uuid.uuid4()}"
    environment = {**os.environ, "POOL": mark.partition("=")[2]}
    command = [sys.executable, "-c", SCRIPT, str(folder / uuid.uuid4().hex)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, env=environment, text=True) as caller:
        keeper, template, worker = map(int, caller.stdout.readline().split())
        doomed = below(worker) if death == "worker" else marked(mark.encode()) - {caller.pid}
        assert len(doomed) >= (1 if death == "worker" else 7)
        if death == "end":
            caller.stdin.close()
            caller.wait()
        for name, pid in (
            ("caller", caller.pid),
            ("keeper", keeper),
            ("template", template),
            ("worker", worker),
        ):
            if name in death.split(" and "):
                os.kill(pid, signal.SIGKILL)
        time.sleep(1.0)
        left = {pid for pid in doomed if running(pid)}
        caller.kill()
    assert not marked(mark.encode()) or wait_for_none(mark)
    return left


def wait_for_none(mark):
    for _ in range(600):
        if not marked(mark.encode()):
            return True
        time.sleep(0.05)
    return False


@pytest.mark.slow
@pytest.mark.parametrize("death", DEATHS)
def test_nothing_is_left_a_second_after(death, tmp_path):
    left = [die(death, tmp_path) for _ in range(TRIES)]
    assert left == [set()] * TRIES


def test_the_items_beside_one_that_kills_the_template_get_their_verdicts():
    pairs = [("nap", "nap"), ("kill the template", ""), ("nap", "nap"), ("nap", "no")]
    with VerifierPool(awkward, workers=4, deadline_s=60) as pool:
        outcomes = [verdict.outcome for verdict in pool.verify(pairs)]
    assert outcomes == [Outcome.CORRECT, Outcome.ERROR, Outcome.CORRECT, Outcome.INCORRECT]


def test_an_item_whose_worker_died_is_tried_once_more(tmp_path):
    with VerifierPool(awkward, workers=1, deadline_s=60) as pool:
        assert pool.verify_one("kill the template once", str(tmp_path / "done")).correct
        again = pool.verify_one("die", "")
    assert again.reason.count("exit status 3") == 2


def test_a_child_that_a_verifier_forked_does_not_keep_the_pool_waiting():
    with VerifierPool(awkward, workers=1, deadline_s=300) as pool:
        started = time.monotonic()
        assert "died" in pool.verify_one("fork and die", "").reason
        assert time.monotonic() - started < 200  # or it waits for its deadline
