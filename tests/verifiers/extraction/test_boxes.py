"""What boxes hold, and which are one answer together."""

import pytest

from rewardkit.verifiers.extraction.meant import bare_answer
from rewardkit.verifiers.extraction.text.boxes import find_boxes, grouped, joined


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


@pytest.mark.parametrize(
    ("text", "groups"),
    [
        (r"\boxed{1} and \boxed{2}", ["1, 2"]),
        (r"\boxed{1}, \boxed{2}; \boxed{3}", ["1, 2, 3"]),
        (r"\boxed{1}. Wait, it is \boxed{2}", ["1", "2"]),
        (r"x = \boxed{1} and y = \boxed{2}", ["1, 2"]),
        ("\\boxed{1}\n\nand \\boxed{2}", ["1", "2"]),
        (r"\boxed{0.5} or \boxed{\frac{1}{2}}", ["0.5"]),
    ],
)
def test_boxes_named_in_one_breath_are_one_answer(text, groups):
    assert [joined(group) for group in grouped(find_boxes(text), text)] == groups


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        ("7", "7"),
        (r"So \boxed{7}.", "7"),
        (r"\boxed{7}, \boxed{8}", "7, 8"),
        (r"first \boxed{7}, then we correct it: \boxed{8}", "8"),
        ("Janet sells 9 eggs. " * 20 + "She makes 9 * 2 = 18 dollars.\n#### 18", "18"),
    ],
)
def test_a_gold_answer_is_taken_out_of_its_solution(gold, answer):
    assert bare_answer(gold) == answer
