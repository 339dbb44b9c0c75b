"""What docs/verifiers.md shows of what is read of a response is so."""

import re
from pathlib import Path

import pytest

from rewardkit.types import Outcome
from rewardkit.verifiers import MathVerifier

PAGE = Path(__file__).parents[2] / "docs" / "verifiers.md"
HEADER = "| response | read with | answer | |"
ROW = re.compile(r"\| `(.*)` \| ([^|]*) \| ([^|]*) \|([^|]*)\|")
FOUR = "4"


def rows():
    """The response, the place and the answer of each example, and what is said of it."""
    lines = PAGE.read_text("utf-8").split(HEADER)[1].strip().split("\n\n")[0].splitlines()[1:]
    found = [ROW.fullmatch(line) for line in lines]
    assert all(found)
    return [tuple(cell.strip().strip("`") for cell in row.groups()) for row in found]


@pytest.mark.parametrize(("response", "place", "answer", "said"), rows())
def test_a_response_is_read_as_the_page_says(response, place, answer, said):
    answer_in = () if place == "lenient" else tuple(place.split())
    verdict = MathVerifier(answer_in=answer_in)(response, FOUR if answer == "none" else answer)
    if answer == "none":
        assert verdict.outcome is Outcome.NO_ANSWER
        assert said not in ("not declared", "not a value") or verdict.method == said
    else:
        assert verdict.correct
