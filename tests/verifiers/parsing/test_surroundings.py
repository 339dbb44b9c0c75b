"""What stands around an answer and is no part of it, and what `thousands` decides."""

import pytest

from rewardkit.verifiers.expressions.nodes import Bracketed, ListOf, Sym, number
from rewardkit.verifiers.parsing.parser import parse
from rewardkit.verifiers.parsing.spelling.notations import respell
from rewardkit.verifiers.parsing.spelling.surroundings import trim

SURROUNDED = [
    "x",
    " x ",
    "$x$",
    "$$x$$",
    r"\(x\)",
    r"\[x\]",
    "**x**",
    '"x"',
    "{x}",
    "{{x}}",
    "x.",
    "x,",
    "= x",
    r"\boxed{x}",
    r"\displaystyle x",
    r"\left. x \right.",
    r"\color{red}x",
    r"x\,",
    "\u200bx",
]


@pytest.mark.parametrize("text", SURROUNDED)
def test_what_surrounds_an_answer_is_left_out(text):
    assert parse(text) == Sym("x")


TRIMMED = [
    (" 5. ", "5"),
    ("$5$", "5"),
    ("$1$ and $2$", "$1$ and $2$"),
    ("{1}{2}", "{1}{2}"),
    ("n!", "n!"),
    ("1, 2, ...", "1, 2, ..."),
    ("{1} + {2}", "{1} + {2}"),
    ("= $5$.", "5"),
    # Deeper than any answer is nested: the work would grow with the square of the length.
    ("{" * 100 + "x" + "}" * 100, "{" * 40 + "x" + "}" * 40),
]


@pytest.mark.parametrize(("text", "trimmed"), TRIMMED)
def test_a_sign_is_kept_where_it_is_of_the_answer(text, trimmed):
    assert trim(text) == trimmed


RESPELLED = [
    ("½", r"\frac{1}{2}"),
    ("2²", "2^{2}"),
    ("x₁₂", "x_{12}"),
    ("2<sup>3</sup>", "2^{3}"),
    ("\x0crac12", r"\frac12"),
    ("2\times 3", r"2\times 3"),
    ("3 − 4", "3 - 4"),
    (r"\\frac12", r"\frac12"),
    (r"3 \text{ (mod 7)}", r"3 \pmod{7}"),
    (r"x \not\in A", r"x \notin  A"),
    (r"1\text{ and }2", "1 and 2"),
]


@pytest.mark.parametrize(("text", "plain"), RESPELLED)
def test_one_spelling_for_what_is_written_in_many(text, plain):
    assert respell(text).split() == plain.split()


one, rest, whole = number(1, "1"), number(234, "234"), number(1234, "1234")
THOUSANDS = [
    ("1,234", whole),
    ("(1,234)", Bracketed("(", ")", (one, rest))),
    ("1,23", ListOf((one, number(23, "23")))),
    ("1{,}234", whole),
    ("1 234", whole),
    (r"1\,234", whole),
]


@pytest.mark.parametrize(("text", "tree"), THOUSANDS)
def test_a_comma_joins_thousands_outside_brackets(text, tree):
    assert parse(text) == tree
