"""The expression around the last number of plain text."""

import pytest

from rewardkit.verifiers.extraction.prose.last_quantity import last_quantity


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
