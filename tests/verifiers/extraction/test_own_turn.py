"""Where a response runs on to another problem than its own."""

import pytest

from rewardkit.verifiers.extraction.own_turn import up_to_next_problem

BAKERY = "A bakery sold 45 loaves before noon and 30 muffins. How many items left the shelves?"
OWN = "He needs 30 nails.\nAnswer: 30"


@pytest.mark.parametrize(
    "below",
    [f"\n\n{BAKERY}\nIt sold 75.", f"\n{BAKERY} 75.", "\n\nThe User asks a question. It is 4."],
)
def test_another_problem_ends_the_own_one(below):
    assert up_to_next_problem(OWN + below) == OWN


@pytest.mark.parametrize(
    "text",
    [
        OWN,
        f"{OWN}\n\nWait, how many nails does the second shelf of the bakery need?\nIt needs 4.",
        f"{OWN}\n\nHow many nails does he need?\nHe needs 30 nails.",
        f"{OWN}\n\nThe Assistant made a mistake: it is 31.",
        f"He needs nails.\n\n{BAKERY}",
        f"<think>{OWN}\n\n{BAKERY}</think>75",
        f"Is the answer 30?\n\n{BAKERY}",
    ],
)
def test_what_goes_on_with_the_own_problem_stays(text):
    assert up_to_next_problem(text) == text
