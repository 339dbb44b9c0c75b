"""The tree of a number, in all the ways that one is written."""

from fractions import Fraction

import pytest

from rewardkit.verifiers.expressions.nodes import (
    Add,
    Based,
    Bracketed,
    Call,
    Const,
    Degree,
    Div,
    ListOf,
    Mul,
    Neg,
    Percent,
    Pow,
    Quantity,
    Sym,
    number,
)
from rewardkit.verifiers.parsing.parser import parse


def num(written):
    return number(Fraction(written), written)


DECIMALS = [
    ("42", num("42")),
    ("-7", Neg(num("7"))),
    ("0.50", num("0.50")),
    ("007", num("007")),
    (".5", num(".5")),
    ("3.", num("3")),
    ("1e3", num("1e3")),
    ("2.5E-2", num("2.5E-2")),
    ("6.02 x 10^23", Mul((num("6.02"), Pow(num("10"), num("23"))))),
    ("٣", num("3")),
    ("５", num("5")),
    (r"50\%", Percent(num("50"))),
    ("50 percent", Percent(num("50"))),
    (r"12\text{ percent}", Percent(num("12"))),
]


@pytest.mark.parametrize(("text", "tree"), DECIMALS)
def test_numbers_are_exact_and_keep_how_they_are_written(text, tree):
    assert parse(text) == tree


GROUPED = [
    ("1,234", num("1234")),
    ("12,345.67", num("12345.67")),
    ("1{,}234", num("1234")),
    (r"1\,234", num("1234")),
    ("12 345", num("12345")),
    (r"0.123\,456", num("0.123456")),
    ("(1,234)", Bracketed("(", ")", (num("1"), num("234")))),
    ("1,23", ListOf((num("1"), num("23")))),
]


@pytest.mark.parametrize(("text", "tree"), GROUPED)
def test_digits_are_grouped_in_threes(text, tree):
    assert parse(text) == tree


REPEATING = [
    (r"0.\overline{3}", number(Fraction(1, 3))),
    (r"0.1\overline{6}", number(Fraction(1, 6))),
    (r"0.\overline{142857}", number(Fraction(1, 7))),
    (r"0.\dot{3}", number(Fraction(1, 3))),
    (r"0.\dot2\dot7", number(Fraction(3, 11))),
    ("0.(3)", number(Fraction(1, 3))),
    ("0.333...", number(Fraction(1, 3))),
    ("0.1212...", number(Fraction(4, 33))),
    (r"0.123\ldots", Call("continued", (num("0.123"),))),
]


@pytest.mark.parametrize(("text", "tree"), REPEATING)
def test_repeating_decimals_are_fractions(text, tree):
    assert parse(text) == tree


FRACTIONS = [
    (r"\frac{1}{2}", Div(num("1"), num("2"))),
    (r"\frac12", Div(num("1"), num("2"))),
    (r"\frac1{2}", Div(num("1"), num("2"))),
    (r"\frac 1 2", Div(num("1"), num("2"))),
    (r"\frac123", Mul((Div(num("1"), num("2")), num("3")))),
    (r"\tfrac34", Div(num("3"), num("4"))),
    (r"\frac{a}b", Div(Sym("a"), Sym("b"))),
    (r"\frac12x", Mul((Div(num("1"), num("2")), Sym("x")))),
    ("1/2", Div(num("1"), num("2"))),
    ("½", Div(num("1"), num("2"))),
    (r"{1 \over 2}", Div(num("1"), num("2"))),
    ("3 1/2", number(Fraction(7, 2))),
    (r"1\frac12", number(Fraction(3, 2))),
    (r"1\frac{3}{4}", number(Fraction(7, 4))),
    (r"-1\frac12", Neg(number(Fraction(3, 2)))),
    # a fraction above one multiplies
    (r"2\frac{3}{2}", Mul((num("2"), Div(num("3"), num("2"))))),
    (r"2\frac32", Mul((num("2"), Div(num("3"), num("2"))))),
    # and so does one that a power takes first
    (r"2^1\frac12", Mul((Pow(num("2"), num("1")), Div(num("1"), num("2"))))),
    (r"x\frac12", Mul((Sym("x"), Div(num("1"), num("2"))))),
]


@pytest.mark.parametrize(("text", "tree"), FRACTIONS)
def test_fractions_and_mixed_numbers(text, tree):
    assert parse(text) == tree


BASES = [
    ("101_2", Based("101", 2)),
    ("1A_{16}", Based("1A", 16)),
    ("(777)_8", Based("777", 8)),
    (r"12_{\text{three}}", Based("12", 3)),
    ("2143_{(5)}", Based("2143", 5)),
    ("101 base 2", Based("101", 2)),
]


@pytest.mark.parametrize(("text", "tree"), BASES)
def test_numbers_of_other_bases(text, tree):
    assert parse(text) == tree


WORDS = [
    ("twenty five", number(25)),
    (r"\text{forty-two}", number(42)),
    (r"\text{one hundred and five}", number(105)),
    ("one thousand two hundred", number(1200)),
]


@pytest.mark.parametrize(("text", "tree"), WORDS)
def test_numbers_in_words(text, tree):
    assert parse(text) == tree


CONSTANTS = [
    (r"\pi", Const("pi")),
    (r"2\pi", Mul((num("2"), Const("pi")))),
    ("e", Const("e")),
    ("i", Const("i")),
    (r"\infty", Const("inf")),
    (r"-\infty", Neg(Const("inf"))),
    ("infinity", Const("inf")),
    ("3+4i", Add((num("3"), Mul((num("4"), Const("i")))))),
    (r"90^\circ", Degree(num("90"))),
    (r"37^\circ 30'", Degree(Add((num("37"), Div(num("30"), number(60)))))),
    ("30^", Degree(num("30"))),
    (r"25^\circ C", Quantity(num("25"), "celsius")),
    ("451°F", Quantity(num("451"), "fahrenheit")),
    (r"x^{\circ}", Degree(Sym("x"))),
]


@pytest.mark.parametrize(("text", "tree"), CONSTANTS)
def test_constants_and_angles(text, tree):
    assert parse(text) == tree
