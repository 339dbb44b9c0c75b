"""Answers in parts: what each spelling says, and what only looks like one."""

import pytest

from rewardkit.verifiers.parsing.forms.parts import parts_of
from rewardkit.verifiers.parsing.parser import parse


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("(a) 3 (b) 5", ["3", "5"]),
        ("(a)3(b)5", ["3", "5"]),
        ("(b) 5, (a) 3", ["3", "5"]),
        ("(i) 4; (ii) 9; (iii) 16", ["4", "9", "16"]),
        ("i) 4\nii) 9", ["4", "9"]),
        ("1. 3\n2. 5", ["3", "5"]),
        ("1) 3, 2) 5", ["3", "5"]),
        ("(A) 3 (B) 5", ["3", "5"]),
        ("(a): 3, and (b): 5", ["3", "5"]),
        ("Part (a): 3, Part (b): 5", ["3", "5"]),
        (r"\text{(a) } 2 \text{ (b) } 6", ["2", "6"]),
        (r"\textbf{(a)} $2$ \\ \textbf{(b)} $6$", ["$2$", "$6$"]),
        (r"\text{(a) yes, (b) no}", ["yes", "no"]),
        ("(a) (1,2) (b) x^2", ["(1,2)", "x^2"]),
        ("（a）3（b）5", ["3", "5"]),
        ("(a) 3", None),
        ("(a) 3 (c) 5", None),
        ("(a) 3 (a) 5", None),
        ("(a)(b)", None),
        ("(a+b)(a-b)", None),
        ("f(a) g(b)", None),
        ("2(a) + 3(b)", None),
        ("3 (a) 5 (b)", None),
        ("1.5, 2.5", None),
    ],
)
def test_parts_of(text, parts):
    assert parts_of(text) == parts


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("(a) 3 (b) 5", "(3, 5)"),
        ("(1) 3; (2) 5", "(i) 3 (ii) 5"),
        ("(a) Yes (b) the ellipse", "(i) yes, (ii) ellipse"),
    ],
)
def test_parts_are_a_tuple(one, other):
    assert parse(one) == parse(other)
