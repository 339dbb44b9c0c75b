"""The tree of an equation, a chain, a ratio or a congruence, and of what words say of it."""

from fractions import Fraction

import pytest

from rewardkit.verifiers.expressions.nodes import (
    Add,
    Bracketed,
    Call,
    Const,
    Div,
    ListOf,
    Mul,
    NamedSet,
    Neg,
    Pow,
    Quantity,
    Ratio,
    Relation,
    Sym,
    number,
)
from rewardkit.verifiers.parsing.parser import parse


def num(written):
    return number(Fraction(written), written)


RELATIONS = [
    ("x = 1", Relation(("=",), (Sym("x"), num("1")))),
    ("x == 3", Relation(("=",), (Sym("x"), num("3")))),
    ("x := 3", Relation(("=",), (Sym("x"), num("3")))),
    ("x = y = 1", Relation(("=", "="), (Sym("x"), Sym("y"), num("1")))),
    (r"a < b \le c", Relation(("<", "<="), (Sym("a"), Sym("b"), Sym("c")))),
    ("a <= b", Relation(("<=",), (Sym("a"), Sym("b")))),
    (r"x \geq 2", Relation((">=",), (Sym("x"), num("2")))),
    (r"x \ne 0", Relation(("!=",), (Sym("x"), num("0")))),
    ("x != 0", Relation(("!=",), (Sym("x"), num("0")))),
    (r"x \not= 1", Relation(("!=",), (Sym("x"), num("1")))),
    (
        r"x \neq 0, 1",
        ListOf((Relation(("!=",), (Sym("x"), num("0"))), Relation(("!=",), (Sym("x"), num("1"))))),
    ),
    (r"x \approx 3.14", Relation(("~",), (Sym("x"), num("3.14")))),
    (r"\approx 3", num("3")),
    (r"x \in [0, 1]", Relation(("in",), (Sym("x"), Bracketed("[", "]", (num("0"), num("1")))))),
    (r"x \in \mathbb{Z}", Relation(("in",), (Sym("x"), NamedSet("Z")))),
    (r"x \notin A", Relation(("notin",), (Sym("x"), Sym("A")))),
    (r"x \to \infty", Relation(("->",), (Sym("x"), Const("inf")))),
    ("f(x) = x^2", Relation(("=",), (Call("f", (Sym("x"),)), Pow(Sym("x"), num("2"))))),
    (
        "x = 1, y = 2",
        ListOf((Relation(("=",), (Sym("x"), num("1"))), Relation(("=",), (Sym("y"), num("2"))))),
    ),
    (
        "x + y = 1, x - y = 2",
        ListOf(
            (
                Relation(("=",), (Add((Sym("x"), Sym("y"))), num("1"))),
                Relation(("=",), (Add((Sym("x"), Neg(Sym("y")))), num("2"))),
            )
        ),
    ),
    # before an equals sign they are no constants
    (r"e = \frac12", Relation(("=",), (Sym("e"), Div(num("1"), num("2"))))),
    ("i = 3", Relation(("=",), (Sym("i"), num("3")))),
]


@pytest.mark.parametrize(("text", "tree"), RELATIONS)
def test_relations_are_chained(text, tree):
    assert parse(text) == tree


RATIOS = [
    ("1:2", Ratio((num("1"), num("2")))),
    ("1 : 2 : 3", Ratio((num("1"), num("2"), num("3")))),
    ("3 to 5", Ratio((num("3"), num("5")))),
    (r"3 \text{ to } 5", Ratio((num("3"), num("5")))),
    ("1:2 = 2:4", Relation(("=",), (Ratio((num("1"), num("2"))), Ratio((num("2"), num("4")))))),
    ("10:30", Ratio((num("10"), num("30")))),
]


@pytest.mark.parametrize(("text", "tree"), RATIOS)
def test_ratios_hold_tighter_than_relations(text, tree):
    assert parse(text) == tree


CONGRUENCES = [
    (r"7 \pmod 5", Quantity(num("7"), "mod5")),
    (r"x \equiv 3 \pmod{7}", Relation(("equiv",), (Sym("x"), Quantity(num("3"), "mod7")))),
    (r"x \equiv 3 (mod 7)", Relation(("equiv",), (Sym("x"), Quantity(num("3"), "mod7")))),
    (r"7 \pmod{2n+1}", Quantity(num("7"), "mod2n+1")),
    (r"3 \equiv 1", Relation(("equiv",), (num("3"), num("1")))),
]


@pytest.mark.parametrize(("text", "tree"), CONGRUENCES)
def test_a_modulus_measures_the_value_before_it(text, tree):
    assert parse(text) == tree


LABELS = [
    ("Maximum = 2", Relation(("=",), (Sym("label:maximum"), num("2")))),
    ("Minimum: 1", Relation(("=",), (Sym("label:minimum"), num("1")))),
    (r"\text{Area} = 5", Relation(("=",), (Sym("label:area"), num("5")))),
    (r"\text{the answer is } 42", num("42")),
    ("only x = 0", Relation(("=",), (Sym("x"), num("0")))),
    ("the value of x is 7", num("7")),
    (r"\text{the roots are } 1, 3", ListOf((num("1"), num("3")))),
    ("exactly 3", num("3")),
    ("answer 5", num("5")),
]


@pytest.mark.parametrize(("text", "tree"), LABELS)
def test_words_before_a_value_name_it_or_are_left_out(text, tree):
    assert parse(text) == tree


CONDITIONS = [
    (
        r"k \pi, k \in \mathbb{Z}",
        ListOf((Mul((Sym("k"), Const("pi"))), Relation(("in",), (Sym("k"), NamedSet("Z"))))),
    ),
    (
        r"2k \text{ for } k \in \mathbb{Z}",
        ListOf((Mul((num("2"), Sym("k"))), Relation(("in",), (Sym("k"), NamedSet("Z"))))),
    ),
    (r"2k, \text{ where } k \in \mathbb{Z}", Mul((num("2"), Sym("k")))),
    (r"x = 2 \text{ for all } k", Relation(("=",), (Sym("x"), num("2")))),
    (r"x = 2 \text{ where } k \text{ is an integer}", Relation(("=",), (Sym("x"), num("2")))),
    (
        r"a_n = 2n (n \ge 1)",
        ListOf(
            (
                Relation(("=",), (Call("a_", (Sym("n"),)), Mul((num("2"), Sym("n"))))),
                Relation((">=",), (Sym("n"), num("1"))),
            )
        ),
    ),
]


@pytest.mark.parametrize(("text", "tree"), CONDITIONS)
def test_words_after_a_value_say_for_what_it_holds(text, tree):
    assert parse(text) == tree
