"""The lenient reading, as models write: marks first, then what the last sentences state."""

import pytest

from rewardkit.verifiers.format.found import Found
from rewardkit.verifiers.lenient.read import read


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("So 3 * 5 = 15 eggs in 2 weeks.", "15"),
        ("Antonia will have 350 pills left after 2 weeks.", "350"),
        ("There is $3 left if Theo spent $5 and gave the cashier $10.", "$3"),
        ("In 8 weeks he makes a total of 40 dollars.", "40"),
        ("The cost of 3 bottles and 2 cans is $13,00.", "$13,00"),
        ("Tom has twelve apples.", "twelve"),
        ("12", "12"),
        ("# 42", "42"),
        ("x = 22\n\nTherefore, it will take 22 years to be half of 52.", "22"),
        ("t = 910/140 = 6.5\n\nSo they are 910 miles apart after 6.5 hours.", "6.5"),
        ("It is 5.\n\nQ: Tom has 3 apples. How many?\nA: 3", "5"),
        ("He has 5. Is there anything else?", "5"),
        ("So he paid 18 dollars.\n\nLet's check: 9 + 9 = 18, and 20 - 18 = 2.", "18"),
        ("<think>So 3 + 4 = 7.</think>", "7"),  # nothing behind the thoughts
        ("The answer is 24 apples, since 6 * 4 = 24.", "24"),
        ("<answer>Tom has 24 apples.</answer>", "24"),
        ("\\boxed{5}. So the answer is correct.", "5"),
        ("Step 2: we add. There are 7.", "7"),
    ],
)
def test_a_number_is_read(text, value):
    assert read(text, "number").text == value


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("expression", "So the inverse is $\\frac{x-1}{2}$.", "\\frac{x-1}{2}"),
        ("expression", "Hence x = ln 7 / ln 5.", "ln 7 / ln 5"),
        ("expression", "The center is (4, -1).", "(4, -1)"),
        ("expression", "There is no solution.", "no solution"),
        ("expression", "<answer>\\(\\frac{2}{7}\\) of a pie</answer>", "\\(\\frac{2}{7}\\)"),
        ("list", "The roots are -2 and 5.", "-2, 5"),
        ("list", "So x = 5. Then y is 3.", "5, 3"),
        ("list", "We need 8 kg of 25% alloy and 32 kg of 50% alloy.", "8, 32"),
        ("option", "The correct option is (B) 24.", "B"),
        ("option", "Putting everything together, option C is what we get.", "C"),
        ("option", "A train leaves, so D.", "D"),
        ("option", "c", "c"),
        ("truth", "No, although one may think yes.", "No"),
        ("truth", "So the statement is true.", "true"),
        ("words", "The capital is **Paris**.", "Paris"),
        ("words", "So the graph is an ellipse.", "an ellipse."),
    ],
)
def test_other_kinds_are_read(kind, text, value):
    assert read(text, kind).text == value


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("number", ""),
        ("number", "How many apples does Tom have, 3 or 4?"),
        ("number", "Find the sum of 3 and 4."),
        ("number", "I do not know."),
        ("option", "Nothing fits here."),
        ("number", "Wait, 4 is wrong. " * 300 + "Then 5 is the next, so"),  # cut off
    ],
)
def test_a_response_that_states_nothing_has_no_answer(kind, text):
    assert not isinstance(read(text, kind), Found)


@pytest.mark.parametrize(
    "text",
    [
        "7 + 2 = 9. I used the result of basic",
        "9 is a start.\n\nIn mathematics, sums are",
        "Wait, 4 is wrong. " * 300 + "Then 5 is the next, so",
    ],
)
def test_one_that_ends_in_mid_sentence_is_said_to(text):
    assert "ends in mid-sentence" in read(text, "number").reason


def test_the_span_is_of_the_response_as_written():
    text = "He buys 3. So he pays 12 dollars for 3."
    found = read(text, "number")
    assert text[found.start : found.end] == found.text == "12"
