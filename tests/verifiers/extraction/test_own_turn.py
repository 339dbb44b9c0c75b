"""Where a response runs on to another problem than its own."""

import pytest

from rewardkit.verifiers.extraction.own_turn import up_to_next_problem
from rewardkit.verifiers.extraction.text.noise import up_to_noise

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


@pytest.mark.parametrize(
    ("below", "ends"),
    [
        ("How many of them does she need for the third shelf?\nAssistant: <think>4", True),
        ("Is that really the right answer to the question?\nAssistant: It is 31.", False),
        ("How many of them does she need for the third shelf?\nShe needs 4.", False),
    ],
)
def test_a_question_that_another_turn_answers_ends_the_own_one(below, ends):
    assert (up_to_next_problem(f"{OWN}\n{below}") == OWN) is ends


SOLD = "In two weeks they sell 35 + 70 = 105 cakes."


@pytest.mark.parametrize(
    ("below", "ends"),
    [
        ("\nrunСобC可 {} of", True),
        ("</think>\n Qt'''l'''峰?<img>", True),
        ("\nrunСобC可 = 104", False),
        ("\nrunСобC可\nSo none is left.", False),
        ("\n这是对的", False),
        ("\nDas heißt: genug.", False),
    ],
)
def test_lines_of_mixed_scripts_without_a_value_are_noise(below, ends):
    read = up_to_noise(SOLD + below)
    assert read.removesuffix("</think>") == (SOLD if ends else SOLD + below)
