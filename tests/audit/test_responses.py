"""Stored responses: tables worked out by hand, and what counts as a near miss."""

import pytest

from rewardkit.audit.moves import kind_of_reason, moves_of
from rewardkit.audit.responses import (
    Answered,
    against_labels,
    confusion,
    disagreements,
    near_misses,
    rate,
    stands_in,
)
from rewardkit.runs.graded_rows import GradedRow
from rewardkit.types import Outcome, Verdict


def one(label, outcome, second=None, gold="12", response="so 12", extracted=None):
    other = None if second is None else Verdict(second, method="other")
    return Answered(
        GradedRow(gold, response, label), Verdict(outcome, extracted, method="own"), other
    )


def test_a_table_of_labels_and_verdicts():
    found = [
        *[one(True, Outcome.CORRECT)] * 6, *[one(True, Outcome.NO_ANSWER)] * 2,
        *[one(False, Outcome.CORRECT)] * 1, *[one(False, Outcome.INCORRECT)] * 10,
        one(True, Outcome.TIMEOUT), one(None, Outcome.CORRECT),
    ]  # fmt: skip
    table = confusion(found)
    assert (table["labelled"], table["undecided"]) == (20, 1)
    assert (table["right_accepted"], table["right_rejected"]) == (6, 2)
    assert (table["wrong_accepted"], table["wrong_rejected"]) == (1, 10)
    assert table["agreement"]["value"] == pytest.approx(16 / 19)
    assert table["false_reject_rate"]["value"] == 0.25
    assert table["false_accept_rate"]["value"] == pytest.approx(1 / 11)
    # Clopper and Pearson: 1 of 11.
    assert table["false_accept_rate"]["interval"] == pytest.approx([0.002299, 0.412780], abs=1e-5)
    assert [row.verdict.outcome for row in against_labels(found)] == [
        Outcome.CORRECT, Outcome.NO_ANSWER, Outcome.NO_ANSWER,
    ]  # fmt: skip
    assert confusion([one(None, Outcome.CORRECT)]) is None
    assert rate(0, 3)["interval"][0] == 0.0


def test_where_two_differ_what_the_audited_one_accepts_comes_first():
    found = [
        *[one(None, Outcome.INCORRECT, Outcome.CORRECT)] * 3,
        *[one(None, Outcome.CORRECT, Outcome.INCORRECT)] * 2,
        one(None, Outcome.CORRECT, Outcome.TIMEOUT),
        one(None, Outcome.NO_ANSWER, Outcome.INCORRECT),  # neither accepts: no difference
        one(None, Outcome.CORRECT, Outcome.CORRECT),
    ]
    kinds = [(kind.first, kind.second, kind.count) for kind in disagreements(found)]
    assert kinds == [
        ("correct by own", "incorrect by other", 2),
        ("correct by own", "timeout by other", 1),
        ("incorrect by own", "correct by other", 3),
    ]


@pytest.mark.parametrize(
    ("gold", "response", "stands"),
    [
        ("1234", "so 1,234 apples", True), ("1,234", "so 1234 apples", True), ("12", "so 12.", True),
        ("12", "so 12.5", False), ("12", "so 112", False), ("12", "x12", False), ("5", "5" + " " * 400, False),
        ("an ellipse", "It is an ellipse, clearly", True), ("\\frac{1}{2}", "is $\\frac{1}{2}$", True),
    ],
)  # fmt: skip
def test_a_gold_stands_in_a_response_by_itself(gold, response, stands):
    assert stands_in(gold, response) is stands


def test_near_misses():
    assert near_misses([one(None, Outcome.NO_ANSWER), one(True, Outcome.INCORRECT)])
    assert not near_misses([one(False, Outcome.NO_ANSWER), one(None, Outcome.CORRECT)])
    assert not near_misses([one(None, Outcome.INCORRECT, extracted="12 or 13")])
    assert not near_misses([one(None, Outcome.TIMEOUT)])


def test_shares_of_variance_are_of_what_differs_within_groups():
    """Length differs between the groups alone, so it teaches nothing; half of the rest is style."""
    rows = [
        {
            "step": step, "group": 0, "outcome": "correct" if right else "incorrect", "tokens": 4,
            "reward": right + style + step, "components": {"correct": right, "style": style, "level": step},
        }
        for step in (1, 2)
        for right, style in ((0, 0), (0, 1), (1, 0), (1, 1))
    ]  # fmt: skip
    moves = moves_of(rows, last_step=2)
    assert moves.components == pytest.approx({"correct": 0.5, "style": 0.5, "level": 0.0})
    assert moves.outcome_share == pytest.approx(0.5)
    assert [period.mean_tokens("correct") for period in moves.periods] == [4, 4]
    alone = moves_of([{**row, "group": n} for n, row in enumerate(rows)], last_step=2)
    assert (alone.components, alone.dominating, alone.outcome_share) == ({}, None, None)


def test_a_reason_without_what_is_particular():
    assert kind_of_reason("gold 'x+1' has 3 values") == kind_of_reason("gold 'y' has 12.5 values")
