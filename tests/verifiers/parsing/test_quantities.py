"""The tree of what is measured: units, money, times and dates."""

import re
from fractions import Fraction

import pytest

from rewardkit.verifiers.expressions.nodes import (
    Add,
    ClockTime,
    Date,
    Div,
    ListOf,
    Mul,
    Neg,
    Pow,
    Quantity,
    Relation,
    Sym,
    number,
)
from rewardkit.verifiers.parsing.forms import dates_and_bases
from rewardkit.verifiers.parsing.parser import parse


def num(written):
    return number(Fraction(written), written)


UNITS = [
    ("5 cm", Quantity(num("5"), "cm")),
    (r"5\text{ cm}", Quantity(num("5"), "cm")),
    (r"5 \mathrm{cm}", Quantity(num("5"), "cm")),
    ("5cm", Quantity(num("5"), "cm")),
    ("5 cm^2", Quantity(num("5"), "cm^2")),
    (r"5\text{ cm}^2", Quantity(num("5"), "cm^2")),
    (r"5 \text{ m/s}", Quantity(num("5"), "m per s")),
    ("9.8 m/s^2", Quantity(num("9.8"), "m per s^2")),
    ("60 km/h", Quantity(num("60"), "km per h")),
    ("5 apples", Quantity(num("5"), "apples")),
    (r"5 \text{ square meters}", Quantity(num("5"), "square meters")),
    (r"x \text{ cm}", Quantity(Sym("x"), "cm")),
    (r"2x \text{ cm}", Quantity(Mul((num("2"), Sym("x"))), "cm")),
    (r"\frac12 \text{ cm}", Quantity(Div(num("1"), num("2")), "cm")),
    (r"5\ \text{cm}", Quantity(num("5"), "cm")),
    (r"\mbox{ 5 cm}", Quantity(num("5"), "cm")),
    ("30 min", Quantity(num("30"), "min")),
    (r"5 \Omega", Quantity(num("5"), "ohm")),
    (r"5 \mu\text{m}", Quantity(num("5"), "microm")),
    ("x = 5 cm", Relation(("=",), (Sym("x"), Quantity(num("5"), "cm")))),
]


@pytest.mark.parametrize(("text", "tree"), UNITS)
def test_a_unit_follows_the_product_that_it_measures(text, tree):
    assert parse(text) == tree


COMPOUNDS = [
    (
        "3 ft 5 in",
        Quantity(Add((Mul((num("3"), number(1))), Mul((num("5"), number(Fraction(1, 12)))))), "ft"),
    ),
    (
        "3 ft, 5 in",
        Quantity(Add((Mul((num("3"), number(1))), Mul((num("5"), number(Fraction(1, 12)))))), "ft"),
    ),
    (
        "2 hours 30 minutes",
        Quantity(
            Add((Mul((num("2"), number(1))), Mul((num("30"), number(Fraction(1, 60)))))), "hours"
        ),
    ),
    (
        "-3 ft 5 in",
        Quantity(
            Neg(Add((Mul((num("3"), number(1))), Mul((num("5"), number(Fraction(1, 12))))))), "ft"
        ),
    ),
    ("1 ft, 5 s", ListOf((Quantity(num("1"), "ft"), Mul((num("5"), Sym("s")))))),
]


@pytest.mark.parametrize(("text", "tree"), COMPOUNDS)
def test_quantities_side_by_side_are_one(text, tree):
    assert parse(text) == tree


MULTIPLES = [
    ("3 million", Mul((num("3"), number(1000000)))),
    ("2.5 million dollars", Quantity(Mul((num("2.5"), number(1000000))), "dollars")),
    ("3 dozen", Mul((num("3"), number(12)))),
    ("1st", num("1")),
    (r"5^\text{th}", num("5")),
    (r"5^{\text{th}}", num("5")),
]


@pytest.mark.parametrize(("text", "tree"), MULTIPLES)
def test_words_multiply_the_number_before_them(text, tree):
    assert parse(text) == tree


MONEY = [
    (r"\$5", Quantity(num("5"), "dollars")),
    (r"\$5.50", Quantity(num("5.50"), "dollars")),
    (r"-\$5", Quantity(Neg(num("5")), "dollars")),
    (r"\$-5", Quantity(Neg(num("5")), "dollars")),
    (r"5\$", Quantity(num("5"), "dollars")),
    (r"\$5 dollars", Quantity(num("5"), "dollars")),
    (r"\$5 per hour", Quantity(num("5"), "dollars per hour")),
    ("€5", Quantity(num("5"), "euros")),
    ("5 €", Quantity(num("5"), "euros")),
    ("50¢", Quantity(num("50"), "cents")),
    ("5 pounds", Quantity(num("5"), "pounds")),
]


@pytest.mark.parametrize(("text", "tree"), MONEY)
def test_money_is_named_before_or_after(text, tree):
    assert parse(text) == tree


LETTERS = [
    ("5 km", Quantity(num("5"), "km")),
    ("x^2 + 2km", Add((Pow(Sym("x"), num("2")), Mul((Mul((num("2"), Sym("k"))), Sym("m")))))),
    ("v_0 + at", Add((Sym("v_0"), Mul((Sym("a"), Sym("t")))))),
]


@pytest.mark.parametrize(("text", "tree"), LETTERS)
def test_short_words_are_products_where_mathematics_is_around_them(text, tree):
    assert parse(text) == tree


TIMES = [
    ("3:45 pm", ClockTime(56700, True)),
    ("5 p.m.", ClockTime(61200, True)),
    ("10:30:15", ClockTime(37815, False)),
    ("14:05", ClockTime(50700, True)),
    ("noon", ClockTime(43200, True)),
    ("12:00 midnight", ClockTime(0, True)),
    ("March 5", Date(3, 5, 0)),
    ("5 March 2020", Date(3, 5, 2020)),
    ("5th of March, 2020", Date(3, 5, 2020)),
    ("December 25, 1999", Date(12, 25, 1999)),
]


@pytest.mark.parametrize(("text", "tree"), TIMES)
def test_times_and_dates_are_read_before_any_token(text, tree):
    assert parse(text) == tree


SIGNS = [*"=^+*/<>|&[", r"\frac", r"\dfrac", r"\tfrac", r"\sqrt", r"\pi"]


@pytest.mark.parametrize("sign", SIGNS)
def test_what_is_looked_for_before_any_form_is_in_none_of_them(sign, monkeypatch):
    written = [*(text for text, _ in TIMES), "101_2", r"1A_{16}", "0x1F", r"(101)_{\text{two}}"]
    assert not any(map(dates_and_bases._NEVER.search, written))
    texts = [text[:k] + sign + text[k:] for text in written for k in range(len(text) + 1)]
    assert all(map(dates_and_bases._NEVER.search, texts))
    monkeypatch.setattr(dates_and_bases, "_NEVER", re.compile(r"(?!)"))
    assert not any(map(dates_and_bases.special_form, texts))
