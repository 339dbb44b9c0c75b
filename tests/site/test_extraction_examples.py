"""What docs/verifiers.md shows of answers that are read, and of sentences that state none, is so."""

import re
from pathlib import Path

import pytest

from rewardkit.verifiers import MathVerifier

PAGE = Path(__file__).parents[2] / "docs" / "verifiers.md"
ROW = re.compile(r"\| ([^|]*) \| ([^|]*) \|.*\|")


def rows(header):
    """The first two cells of all rows of the tables that begin with a header."""
    found, inside = [], False
    for line in PAGE.read_text("utf-8").splitlines():
        if line.startswith("|"):
            inside = inside or line.startswith(header)
            if inside and (cells := ROW.fullmatch(line)) and not line.startswith(header):
                found.append((cells[1], cells[2]))
        else:
            inside = False
    return found


@pytest.mark.parametrize(("response", "answer"), rows("| response | answer |"))
def test_a_response_is_read_as_its_answer(response, answer):
    assert MathVerifier()(response.strip("`"), answer).correct


@pytest.mark.parametrize("response", [example for _, example in rows("| | as in |")])
def test_what_states_nothing_is_right_for_none_of_its_values(response):
    text = response.strip("`")
    values = re.findall(r"\d+|\b[BC]\b", text)
    assert values
    assert not any(MathVerifier()(text, value).correct for value in values)
