"""How the final answer is taken from a response that boxes none."""

import time

import pytest

from rewardkit.types import Outcome
from rewardkit.verifiers import MathVerifier
from rewardkit.verifiers.boxes import find_boxes
from rewardkit.verifiers.extraction import extract
from rewardkit.verifiers.options import MathOptions
from rewardkit.verifiers.quantity import last_quantity


@pytest.mark.parametrize(
    ("text", "quantity"),
    [
        ("So x = 10 - 7.", "10 - 7"),
        ("It equals √7.", "√7"),
        ("It is - 7", "- 7"),
        ("It is $7 million.", "7 million"),
        ("It is x > 7.", "x > 7"),
        ("It is 3, 5, 7.", "3, 5, 7"),
        ("n=41 or n=42", "n=41 or n=42"),
        ("So x is 5 3/7.", "5 3/7"),
        (r"So P = \frac37.", r"\frac37"),
        ("The point is (2, 3).", "(2, 3)"),
        ("It is f(7).", "f(7)"),
        ("5 + 2 = <<5+2=7>>7 apples", "7"),
        ("He has 3+4=7, 7*2 = 14 apples.", "14"),
        ("That is 630 stitches / 2 = 315 stitches.", "315"),
        ("The angle is [90].", "90"),
        ("Total: **7**", "7"),
        ("a 7-day trip", "7"),
        ("3 : 7", "3 : 7"),
        ("所以共有7个。", "7"),
    ],
)
def test_the_whole_expression_around_the_last_number_is_taken(text, quantity):
    assert last_quantity(text) == quantity


@pytest.mark.parametrize(
    "text",
    ["", "none", "x7", "7 is not correct.", "7 fails, so no solution.", "Everything except 7.",
     "between 3 and 7", "from 3 to 7", "at least 7", "price × 7", "7 × price", "3 cm or 7 cm",
     "\n- 7", "half of 7", "7 or more", "Is it 7?", "1 out of 7", "6 feet 7 inches", "不是7"],
)  # fmt: skip
def test_a_part_of_what_is_unclear_or_denied_is_no_quantity(text):
    assert last_quantity(text) is None


@pytest.mark.parametrize(
    ("response", "answer"),
    [
        ("Problem: what is 6*7? The answer is \\boxed{42}.", "42"),
        ("Question: find x. Answer: 42", "42"),
        ("Question: 6*7? \\boxed{42}", "42"),
        ("Problem: ... the answer is \\boxed{42}?", None),
        ("Problem: show that x is \\boxed{42}. I cannot.", None),
        ("Problem: is x odd? Show that x is \\boxed{42}.", None),
        ("Problem: Answer: 42", None),
    ],
)
def test_what_answers_a_question_repeated_on_its_line_counts(response, answer):
    found = extract(response, MathOptions())
    assert (found.text.strip(" .") if found else None) == answer


@pytest.mark.parametrize(
    ("response", "letter"),
    [
        ("Option D is correct.", "D"),
        ("Hence option (D).", "D"),
        ("Answer: Option D", "D"),
        ("**D) 14**", "D"),
        ("If option D is correct, so is A.", None),
        ("Option D is not correct.", None),
    ],
)
def test_an_option_is_its_letter(response, letter):
    assert MathVerifier()(response, "D").correct == (letter is not None)


FRAGMENTS = ["7", " ", "is ", "$", "answer is ", "7 ", "7,", "- 7 ", "(7", "\\frac{", "x=7 or ",
             "not 7 but ", "when ", "**", "Problem: a? ", "Option D ", "so option ", "答案是", "<<",
             "n't", "7 is the answer ", "$7$ is ", "x_7", "7 (cm) ", "1 234 ", "a7 ", "\\boxed{7} "]  # fmt: skip


@pytest.mark.parametrize("fragment", FRAGMENTS)
def test_hostile_runs_take_linear_time(fragment):
    run = fragment * (100_000 // len(fragment))
    started = time.process_time()
    for before in ("", "the answer is ", "Problem: "):
        for after in ("", "7", " is 7"):
            assert MathVerifier()(before + run + after, "0.5").outcome is not Outcome.ERROR
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    ("text", "contents"),
    [
        (r"\boxed{7}", ["7"]),
        (r"\boxed{}", []),
        (r"\boxed7 and \fbox {8}.", ["7", "8"]),
        (r"\boxed{\frac{1}{2}}", [r"\frac{1}{2}"]),
        (r"\boxed{\boxed{7}}", ["7"]),
        (r"\boxed{\boxed{\frac12}}", [r"\frac12"]),
        (r"\boxed{ $\boxed 7$ }", ["7"]),
        (r"\boxed{" + "7" * 61 + "}", ["7" * 61]),
        (r"\boxed{7 is cut", ["7 is cut"]),
    ],
)
def test_a_box_holds_what_is_between_its_braces(text, contents):
    assert [box.text for box in find_boxes(text)] == contents
