"""What is no answer, what is too much of one, and that nothing else can happen."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rewardkit.verifiers.expressions.nodes import Add, Div, Mul, Neg, Node, Num, Pow, Sym, number
from rewardkit.verifiers.limits import (
    MAX_ANSWER_CHARS,
    MAX_DEPTH,
    MAX_DIGITS,
    MAX_ITEMS,
    MAX_LEVELS,
    MAX_TOKENS,
    NotAnswer,
    TooComplex,
)
from rewardkit.verifiers.parsing.parser import parse

NO_ANSWER = {
    "words": ["hello", "the answer", "half", r"\text{blue}", r"\text{not } 5"],
    "letters in prose": [r"\text{HHT}", r"\text{cm}"],
    "words after a value": [r"5 \text{ or more}", "5 halved", r"5 \text{ (approx)}"],
    "open brackets": ["(1", "1)", "(1}", "|x", "|", r"\{1", r"\{1|", "x^{", "x_{", r"\lfloor 2"],
    "empty brackets": ["()", "[]", "{}"],
    "an operand too few": [
        "1 +",
        "+",
        "*2",
        "2 **",
        "1 =",
        r"\sin",
        r"\frac",
        r"\frac{1}",
        "x_",
        "f(x)_",
    ],
    "numbers side by side": ["2 3", "3 2/3 4", "3 3/2", "(-3) 1/2"],
    "quantities that are none together": ["3 cm 4 cm", "3 cm 5", "1 ft 5 s"],
    "unknown": [
        r"\unknown",
        r"\mathbb{X}",
        r"\mathbb",
        r"\begin{foo} 1 \end{foo}",
        r"0.\overline{x}",
    ],
    "unfinished environments": [r"\begin{pmatrix} 1", r"\begin", r"\begin{cases}"],
    "rows of different lengths": [r"\begin{pmatrix} 1 & 2 \\ 3 \end{pmatrix}"],
    "a remainder of nothing": [r"\mod 3", r"3 \pmod", r"3 \pmod{}"],
    "a sign that no product takes": [r"2 \cdot \pm 3", r"\frac-12", r"x \{1\}"],
    "more after a unit": [r"5\text{ cm} \cdot 3", r"5\text{ cm}\pmod 3", r"-5\text{ cm} \cdot 2"],
}

SENTENCES = [
    "Janet makes $18 every day", "The house costs 200,000", "Therefore a circle", "She has 5 bags",
    "We had 3", "12 are left. Therefore she has twelve",
    "Sasha scored a total of 18 points during both",
]  # fmt: skip


@pytest.mark.parametrize("text", SENTENCES)
def test_a_sentence_is_no_answer(text):
    with pytest.raises(NotAnswer):
        parse(text)


@pytest.mark.parametrize("text", [text for texts in NO_ANSWER.values() for text in texts])
def test_what_is_no_mathematics_is_refused(text):
    with pytest.raises(NotAnswer):
        parse(text)


TOO_COMPLEX = {
    "characters": "x" * (MAX_ANSWER_CHARS + 1),
    "tokens": "+x" * (MAX_TOKENS // 2 + 1),
    "digits": "7" * (MAX_DIGITS + 1),
    "exponent": "1e123456",
    "items": ",".join("1" for _ in range(MAX_ITEMS + 1)),
    "brackets": "(" * MAX_DEPTH + "1" + ")" * MAX_DEPTH,
    "braces": "{x" * MAX_DEPTH + "}" * MAX_DEPTH,
    "signs": "-" * (MAX_DEPTH + 1) + "1",
    "powers": "x^" * MAX_DEPTH + "1",
    "texts": r"\text{1+" * MAX_DEPTH + "1" + "}" * MAX_DEPTH,
    "levels": "*".join("x" for _ in range(MAX_LEVELS + 1)),
    "steps": r"1\frac{" * 25 + "1" + "}{2}" * 25,
}


@pytest.mark.parametrize("name", TOO_COMPLEX)
def test_what_is_beyond_a_limit_is_too_complex(name):
    with pytest.raises(TooComplex):
        parse(TOO_COMPLEX[name])


def test_a_bracket_counts_twice():
    within = MAX_DEPTH // 2 - 1
    assert parse("(" * within + "1" + ")" * within) == number(1, "1")
    with pytest.raises(TooComplex):
        parse("(" * (within + 1) + "1" + ")" * (within + 1))


SIGNS = st.sampled_from([*r"()[]{}|^_,;:=<>+-*/!%'.&$0123xyfei ", "\\", "\\\\", r"\{", r"\}"])
COMMANDS = st.sampled_from((
    r"\frac", r"\sqrt", r"\pm", r"\cup", r"\le", r"\sin", r"\log", r"\sum", r"\int", r"\lim",
    r"\text{cm}", r"\text{to}", r"\text", r"\mathbb{R}", r"\pmod", r"\$", r"\%", r"^\circ",
    r"\begin{cases}", r"\begin{pmatrix}", r"\end{cases}", r"\end{pmatrix}", r"\overline",
    r"\angle", r"\binom", r"\infty", r"\ldots", r"\over", "and", "or", "to", "cm", "percent",
    "pounds", "for", "where", "3", "12", "0.5", r"\langle", r"\rangle",
))  # fmt: skip


@settings(max_examples=500, deadline=None)
@given(st.lists(SIGNS | COMMANDS.map(lambda c: f" {c} "), max_size=30).map("".join))
def test_any_text_is_a_tree_no_answer_or_too_complex(text):
    try:
        tree = parse(text)
    except (NotAnswer, TooComplex):
        return
    assert isinstance(tree, Node)
    assert tree == parse(text)


def written(tree: Node) -> str:
    """Return a tree's text, with a bracket around all that is more than a number or name."""
    match tree:
        case Num(literal=literal):
            return literal
        case Sym(name):
            return name
        case Add(terms):
            return "(" + " + ".join(map(written, terms)) + ")"
        case Mul((left, right)):
            return rf"({written(left)} \cdot {written(right)})"
        case Div(top, bottom):
            return rf"\frac{{{written(top)}}}{{{written(bottom)}}}"
        case Pow(base, exponent):
            return f"({written(base)}^{{{written(exponent)}}})"
        case Neg(value):
            return f"(-{written(value)})"
    raise AssertionError(tree)


LEAVES = st.integers(0, 99).map(lambda n: number(n, str(n))) | st.sampled_from("abxyz").map(Sym)
TREES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(lambda terms: Add(tuple(terms))),
        st.tuples(inner, inner).map(Mul),
        st.builds(Div, inner, inner),
        st.builds(Pow, inner, inner),
        st.builds(Neg, inner),
    ),
    max_leaves=8,
)


@settings(max_examples=300, deadline=None)
@given(TREES)
def test_a_written_tree_is_read_back(tree):
    assert parse(written(tree)) == tree


@settings(max_examples=200, deadline=None)
@given(st.fractions(-1000, 1000, max_denominator=999))
def test_any_fraction_is_read_as_its_parts(value):
    top, bottom = abs(value.numerator), value.denominator
    tree: Node = Div(number(top, str(top)), number(bottom, str(bottom)))
    tree = Neg(tree) if value < 0 else tree
    sign = "-" if value < 0 else ""
    assert parse(f"{sign}{top}/{bottom}") == parse(rf"{sign}\frac{{{top}}}{{{bottom}}}") == tree
    assert parse(str(float(Fraction(top, 1000)))) == number(
        Fraction(top, 1000), str(float(Fraction(top, 1000)))
    )
