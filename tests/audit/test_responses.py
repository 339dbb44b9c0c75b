"""Stored responses: tables worked out by hand, and what counts as a near miss."""

import pytest

from rewardkit.audit.responses import (
    Answered,
    against_labels,
    confusion,
    disagreements,
    near_misses,
    rate,
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
    ("gold", "response", "missed"),
    [
        ("1234", "So there are 1,234 apples.", True), ("12", "The answer is 12.", True),
        ("\\frac{1}{2}", "It is $0.5$.", True), ("12", "The answer is 12.5.", False),
        ("12", "I take 12 of them away, so the answer is 13.", False), ("7", "It is 7 or 8.", False),
        ("12", "", False),
    ],
)  # fmt: skip
def test_a_near_miss_is_a_right_answer_that_is_read_without_knowing_the_gold(
    gold, response, missed
):
    found = [one(None, Outcome.NO_ANSWER, gold=gold, response=response)]
    assert bool(near_misses(found)) is missed


def test_what_is_accepted_undecided_or_labelled_wrong_is_no_near_miss():
    said = {"response": "The answer is 12."}
    assert near_misses([one(True, Outcome.INCORRECT, **said)])
    assert not near_misses(
        [one(False, Outcome.NO_ANSWER, **said), one(None, Outcome.CORRECT, **said)]
    )
    assert not near_misses([one(None, Outcome.TIMEOUT, **said)])
