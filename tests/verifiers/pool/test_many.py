"""Coroutine functions overlap in a worker, and functions of lists get many responses at once."""

import sys
from pathlib import Path

import pytest

from rewardkit.types import Outcome, Problem
from rewardkit.verifiers import VerifierPool

sys.path.insert(0, str(Path(__file__).parent))
from many_verifiers import Patient, counted, mixed, patient, scores, short


@pytest.mark.parametrize("verifier", [patient, Patient()])
def test_coroutine_functions_overlap_in_two_workers(verifier):
    with VerifierPool(verifier, workers=2) as pool:
        found = list(pool.verify([("1", "1")] * 64))
    assert all(verdict.correct for verdict in found)
    assert max(int(verdict.reason) for verdict in found) > 8


def test_what_hangs_raises_blocks_or_dies_costs_itself_alone():
    rows = ["ok", "raise", "hang", "ok", "block", "die", "ok", "wrong"]
    with VerifierPool(mixed, workers=1, deadline_s=1.0) as pool:
        found = list(pool.verify([(row, "ok") for row in rows]))
    outcomes = dict(zip(rows, (verdict.outcome for verdict in found), strict=True))
    assert outcomes == {
        "ok": Outcome.CORRECT,
        "wrong": Outcome.INCORRECT,
        "raise": Outcome.ERROR,
        "hang": Outcome.TIMEOUT,
        "block": Outcome.TIMEOUT,
        "die": Outcome.ERROR,
    }
    assert "ValueError: no" in found[1].reason
    assert found[0].gold == "ok"


def test_a_function_of_lists_gets_columns_as_lists():
    problems = [Problem(str(n), "", "1", info={"weight": n / 10}) for n in range(5)]
    with VerifierPool(scores, workers=1) as pool:
        found = list(pool.verify(("1", problem) for problem in problems))
        assert pool.verify_one("1", "1").score == 1.0
    assert [verdict.score for verdict in found] == [0.0, 0.1, 0.2, 0.3, 0.4]


def test_it_gets_many_at_once_and_as_many_results_are_wanted():
    with VerifierPool(counted, workers=1) as pool:
        assert pool.verify_one("1", "1").reason == "1"
        sizes = [int(verdict.reason) for verdict in pool.verify([("1", "1")] * 200)]
    assert len(sizes) == 200
    assert 1 < max(sizes) <= 64
    with VerifierPool(short, workers=1) as pool:
        found = list(pool.verify([("1", "1")] * 40))
    assert {v.outcome for v in found} <= {Outcome.ERROR, Outcome.CORRECT}
    assert any("returned 1 results for" in verdict.reason for verdict in found)
