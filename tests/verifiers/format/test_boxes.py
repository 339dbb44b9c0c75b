"""Which box counts, what it holds, and which boxes are one answer."""

import pytest

from rewardkit.verifiers.format.boxes import MAX_BOXES, last_box


@pytest.mark.parametrize(
    ("text", "held"),
    [
        (r"first \boxed{1}, later \boxed{2}", "2"),
        (r"\boxed{\frac{1}{\sqrt{2}}}", r"\frac{1}{\sqrt{2}}"),
        (r"\boxed {42}", "42"),
        (r"\boxed 5", "5"),
        (r"\fbox{7}", "7"),
        ("\x08oxed{7}", "7"),  # what a string literal makes of `\boxed`
        (r"\boxed{\boxed{3}}", "3"),
        (r"\boxed{x = \boxed{3}}", "3"),
        (r"\boxed{\{1, 2\}}", r"\{1, 2\}"),
        (r"\boxed{1} and $\boxed{2}$", "1, 2"),
        (r"$x = \boxed{1}$ or $y = \boxed{2}$", "1, 2"),
        (r"\boxed{2}, \boxed{2}", "2"),
        ("\\boxed{1}\n\n\\boxed{2}", "2"),  # a paragraph of its own is another answer
        (r"\boxed{1} is wrong, so \boxed{2}", "2"),
        (r"so $-\boxed{7}$", "-7"),
        (r"so $5 - \boxed{7}$", "7"),
        (r"\boxed{25}\%", r"25\%"),
        (r"\boxed{\frac{1}{2}$ and so on", r"\frac{1}{2}"),  # it never closes
        ("\\boxed{12\nnext line", "12"),
        (r"\boxed{}", ""),
    ],
)
def test_the_last_box_holds_the_answer(text, held):
    assert last_box(text).text == held


@pytest.mark.parametrize("text", ["", "a box of 5", "boxed", "12"])
def test_words_are_no_box(text):
    assert last_box(text) is None


def test_the_span_is_of_the_text_as_written():
    text = r"so \boxed{ 12 }."
    found = last_box(text)
    assert text[found.start : found.end] == found.text == "12"


def test_only_what_lies_between_two_places_is_looked_at():
    text = r"\boxed{1} \boxed{2} \boxed{3}"
    assert last_box(text, 0, text.index(r"\boxed{2}")).text == "1"
    assert last_box(text, text.index(r"\boxed{3}")).text == "3"


def test_of_many_boxes_in_one_breath_the_last_are_read():
    text = ", ".join(rf"\boxed{{{n}}}" for n in range(1000))
    assert last_box(text).text.split(", ") == [str(n) for n in range(1000 - MAX_BOXES, 1000)]
