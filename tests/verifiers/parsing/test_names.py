"""The tree of a name, a mark over it, or a function of something."""

from fractions import Fraction

import pytest

from rewardkit.verifiers.expressions.nodes import (
    Abs,
    Add,
    Call,
    Const,
    Div,
    Factorial,
    Intersection,
    Matrix,
    Mul,
    Neg,
    Pow,
    Relation,
    Sym,
    number,
)
from rewardkit.verifiers.parsing.parser import parse


def num(written):
    return number(Fraction(written), written)


NAMES = [
    ("x", Sym("x")),
    (r"\alpha", Sym("alpha")),
    (r"\ell", Sym("ell")),
    ("T", Sym("T")),
    ("x_1", Sym("x_1")),
    ("x_{12}", Sym("x_12")),
    ("x_{max}", Sym("x_max")),
    (r"x_{\text{max}}", Sym("x_max")),
    ("x_{1,2}", Sym("x_1,2")),
    # an index that may vary is an argument
    ("a_n", Call("a_", (Sym("n"),))),
    ("a_{n+1}", Call("a_", (Add((Sym("n"), num("1"))),))),
    ("x'", Sym("x'")),
    ("f''", Sym("f''")),
    (r"y^\prime", Sym("y'")),
    (r"\text{x}", Sym("x")),
    (r"\mathbf{v}", Sym("v")),
    (r"\partial", Sym("partial")),
    (r"\star", Sym("star")),
]


@pytest.mark.parametrize(("text", "tree"), NAMES)
def test_names_carry_their_subscripts_and_primes(text, tree):
    assert parse(text) == tree


MARKS = [
    (r"\angle ABC", Sym("angle A B C")),
    (r"\angle CBA", Sym("angle A B C")),
    (r"\angle A", Call("angle", (Sym("A"),))),
    (r"\triangle ABC", Call("triangle", (Mul((Mul((Sym("A"), Sym("B"))), Sym("C"))),))),
    (r"\overline{AB}", Mul((Sym("A"), Sym("B")))),
    (r"\overline{abc}", Sym("overline a b c")),
    (r"\overline{x}", Call("overline", (Sym("x"),))),
    (r"\overrightarrow{AB}", Sym("arrow A B")),
    (r"\vec{v}", Sym("v")),
    (r"\dot{x}", Call("dot", (Sym("x"),))),
]


@pytest.mark.parametrize(("text", "tree"), MARKS)
def test_letters_under_a_mark_are_one_name(text, tree):
    assert parse(text) == tree


ARGUMENTS = [
    (r"\sin(x)", Call("sin", (Sym("x"),))),
    ("sin(x)", Call("sin", (Sym("x"),))),
    (r"\sin x", Call("sin", (Sym("x"),))),
    (r"\sin 2x", Call("sin", (Mul((num("2"), Sym("x"))),))),
    (r"\sin -x", Call("sin", (Neg(Sym("x")),))),
    (r"\sin x/2", Call("sin", (Div(Sym("x"), num("2")),))),
    (r"\sin x \cos x", Mul((Call("sin", (Sym("x"),)), Call("cos", (Sym("x"),))))),
    (r"\sin x + 1", Add((Call("sin", (Sym("x"),)), num("1")))),
    (r"\sin(x)y", Mul((Call("sin", (Sym("x"),)), Sym("y")))),
    (r"\sin^2 x", Pow(Call("sin", (Sym("x"),)), num("2"))),
    (r"\sin^{-1} x", Call("arcsin", (Sym("x"),))),
    (r"\arctan 1", Call("arctan", (num("1"),))),
    (r"\operatorname{tg} x", Call("tan", (Sym("x"),))),
    (r"\ln 2", Call("ln", (num("2"),))),
    (r"\lg x", Call("log", (Sym("x"),))),
    (r"\log_2 8", Call("log", (num("8"), num("2")))),
    (r"\log_{10}(x+1)", Call("log", (Add((Sym("x"), num("1"))), num("10")))),
    (r"\exp(x)", Pow(Const("e"), Sym("x"))),
    (r"\gcd(12, 18)", Call("gcd", (num("12"), num("18")))),
    (r"\max\{1, 2\}", Call("max", (num("1"), num("2")))),
    (
        r"\det\begin{pmatrix}1&2\\3&4\end{pmatrix}",
        Call("det", (Matrix(((num("1"), num("2")), (num("3"), num("4")))),)),
    ),
    (r"7 \bmod 5", Call("mod", (num("7"), num("5")))),
]


@pytest.mark.parametrize(("text", "tree"), ARGUMENTS)
def test_functions_take_a_bracket_or_the_factors_after_them(text, tree):
    assert parse(text) == tree


CALLS = [
    ("f(x)", Call("f", (Sym("x"),))),
    ("f(x, y)", Call("f", (Sym("x"), Sym("y")))),
    ("f'(x)", Call("f'", (Sym("x"),))),
    ("f(2)", Call("f", (num("2"),))),
    ("x(2)", Call("x", (num("2"),))),
    ("x(y)", Mul((Sym("x"), Sym("y")))),
    ("a(x) = 2x", Relation(("=",), (Call("a", (Sym("x"),)), Mul((num("2"), Sym("x")))))),
    ("f_n(x)", Mul((Call("f_", (Sym("n"),)), Sym("x")))),
    (r"f(x)_{\max}", Call("f max", (Sym("x"),))),
    ("n!", Factorial(Sym("n"))),
    ("5!!", Call("double factorial", (num("5"),))),
    ("3!!!", Factorial(Call("double factorial", (num("3"),)))),
    ("x^{+}", Call("super+", (Sym("x"),))),
    (r"\binom{5}{2}", Call("binom", (num("5"), num("2")))),
    (r"{5 \choose 2}", Call("binom", (num("5"), num("2")))),
    ("C_5^2", Call("binom", (num("5"), num("2")))),
]


@pytest.mark.parametrize(("text", "tree"), CALLS)
def test_letters_of_functions_are_applied_and_others_multiplied(text, tree):
    assert parse(text) == tree


ROOTS = [
    (r"\sqrt 2", Pow(num("2"), Div(number(1), number(2)))),
    (r"\sqrt2x", Mul((Pow(num("2"), Div(number(1), number(2))), Sym("x")))),
    (r"\sqrt{x+1}", Pow(Add((Sym("x"), num("1"))), Div(number(1), number(2)))),
    (r"\sqrt[3]{x}", Pow(Sym("x"), Div(number(1), num("3")))),
    ("sqrt(2)", Pow(num("2"), Div(number(1), number(2)))),
    ("√5", Pow(num("5"), Div(number(1), number(2)))),
    ("|x|", Abs(Sym("x"))),
    ("|-3|", Abs(Neg(num("3")))),
    ("2|x|", Mul((num("2"), Abs(Sym("x"))))),
    (r"\|v\|", Abs(Sym("v"))),
    ("|x|y", Mul((Abs(Sym("x")), Sym("y")))),
    (r"\lfloor x \rfloor", Call("floor", (Sym("x"),))),
    (r"\lceil 2.5 \rceil", Call("ceil", (num("2.5"),))),
    (r"|A \cap B|", Abs(Intersection(Sym("A"), Sym("B")))),
]


@pytest.mark.parametrize(("text", "tree"), ROOTS)
def test_roots_bars_and_fences(text, tree):
    assert parse(text) == tree
