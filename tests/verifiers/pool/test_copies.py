"""A forked copy that stands for its worker: what ends one ends both, and it leaves nothing behind."""

import os
from pathlib import Path

import pytest

from rewardkit.types import Outcome, Verdict
from rewardkit.verifiers import VerifierPool
from rewardkit.verifiers.pool.copies import in_place

from pool_verifiers import copied  # isort: skip


def test_a_copy_leaves_nothing_in_the_process_it_stands_for():
    kept = []

    def call():
        kept.append(1)
        return Verdict(Outcome.CORRECT, reason=str((os.getppid(), len(kept))))

    assert [in_place(call).reason for _ in range(2)] == [str((os.getpid(), 1))] * 2
    assert kept == []


def test_what_a_copy_raises_is_its_verdict():
    verdict = in_place(lambda: 1 / 0)
    assert (verdict.outcome, verdict.reason[:17]) == (Outcome.ERROR, "ZeroDivisionError")


def test_a_copy_that_leaves_without_a_verdict_is_an_error():
    assert in_place(lambda: os._exit(0)).reason == "its process died"


@pytest.mark.parametrize(
    ("response", "outcome", "reason"),
    [
        ("spin", Outcome.TIMEOUT, "killed after 0.2 s of CPU time"),
        ("killed", Outcome.ERROR, "exit status -9"),
        ("segv", Outcome.ERROR, "exit status -11"),
    ],
)
def test_what_ends_a_copy_ends_its_worker(response, outcome, reason):
    with VerifierPool(copied, workers=1, deadline_s=60, cpu_s=0.2) as pool:
        verdict = pool.verify_one(response, "")
        assert verdict.outcome is outcome
        assert reason in verdict.reason
        assert pool.verify_one("pid", "").correct


def test_a_copy_ends_with_its_worker_at_the_deadline(tmp_path):
    started = tmp_path / "pid"
    with VerifierPool(copied, workers=1, deadline_s=1.0) as pool:
        assert pool.verify_one("program", str(started)).outcome is Outcome.TIMEOUT
    assert not Path(f"/proc/{started.read_text()}").exists()
