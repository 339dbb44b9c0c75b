"""Texts that once took a verifier for ever, or made it fail, are read to the end, and at once."""

import pytest

from rewardkit.types import Outcome
from rewardkit.verifiers import (
    ChoiceVerifier,
    IntegerVerifier,
    MathVerifier,
    NumericVerifier,
    TextVerifier,
)

ALL = {
    "math": (MathVerifier(), "12"),
    "math of an option": (MathVerifier(), "B"),
    "math in a box": (MathVerifier(answer_in=("box", "tag", "marker", "last_line")), "12"),
    "integer": (IntegerVerifier(), "12"),
    "numeric": (NumericVerifier(), "12 m"),
    "choice": (ChoiceVerifier(), "B"),
    "text": (TextVerifier(), "an ellipse"),
}
WRONG = (Outcome.INCORRECT, Outcome.NO_ANSWER)
REPEATED = [
    "\nQ:\n", "\nUser:\n", "\n", "\n###", "\nQ", "{", "\\boxed", "\\boxed{", "by 2077 ", "7 and 7 ", "<_", "<answer>", "</think>",
]  # fmt: skip


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("piece", REPEATED)
def test_what_is_repeated_a_million_times_is_read_to_the_end(piece, name):
    """In quadratic time each would take hours."""
    verifier, gold = ALL[name]
    response = "So 7." + piece * (1_000_000 // len(piece))
    assert verifier(response, gold).outcome in WRONG


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(
    "answer",
    ["9" * 5000 + " R " + "7" * 5000, "4" + " km" * 333, "9" * 5000, "1e" + "9" * 500, "0." + "3" * 5000 + " m"],
    ids=["a remainder", "units", "digits", "a power", "decimals"],
)  # fmt: skip
def test_what_is_too_large_is_wrong_or_beyond_the_limits_and_no_error(answer, name):
    verifier, gold = ALL[name]
    for response in (f"\\boxed{{{answer}}}", f"The answer is {answer}.", answer):
        found = verifier(response, gold)
        assert found.outcome in WRONG or found.method == "limits"
