"""Sets of whole numbers as runs, and remainders."""

import pytest

from rewardkit.verifiers.extra_rules.integer_sets import integer_set
from rewardkit.verifiers.extra_rules.remainders import congruence
from rewardkit.verifiers.limits import work
from rewardkit.verifiers.parsing.parser import parse

INF = float("inf")


@pytest.fixture(autouse=True)
def budget():
    work.begin()


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        (r"\{x \in \mathbb{Z} \mid 1 \le x < 4\}", [(1, 3)]),
        (r"\{x \in \mathbb{Z} \mid 0 < x < 1\}", []),
        (r"x > 2, x \in \mathbb{Z}", [(3, INF)]),
        (r"x \le -1/2, x \in \mathbb{Z}", [(-INF, -1)]),
        (r"n \ge 3, n \in \mathbb{N}", [(3, INF)]),
        (r"n < 3, n \in \mathbb{N}", None),  # is 0 a natural number?
        (r"\{x \in \mathbb{Z} : x^2 \le 2\}", [(-1, 1)]),
        (r"x \ne 0, x \in \mathbb{Z}", [(-INF, -1), (1, INF)]),
        (r"x < 3, x \in \mathbb{Z}^+", [(1, 2)]),
        (r"\{1, 2, 3, 7\}", [(1, 3), (7, 7)]),
        (r"\{-1, 0, 2\}", [(-1, 0), (2, 2)]),
        ("3, 1, 2", [(1, 3)]),
        (r"\{1/2, 1\}", None),
        (r"\{a, 1\}", None),
        ("5", None),
        ("x > 2", None),
        (r"x \in \mathbb{Z}", None),
        (r"x = 5, x \in \mathbb{Z}", None),
        (r"x > y, x \in \mathbb{Z}", None),
        (r"x^3 > 1, x \in \mathbb{Z}", None),
        (r"x > 2, x \in \mathbb{R}", None),
    ],
)
def test_runs_of_integers(text, runs):
    assert integer_set(parse(text)) == runs


@pytest.mark.parametrize(
    ("text", "name", "modulus", "residues"),
    [
        (r"n \equiv 2 \pmod 9", "n", 9, {2}),
        (r"n \equiv -2, 2 \pmod 9", "n", 9, {2, 7}),
        (r"2 \pmod 9", None, 9, {2}),
        (r"n \equiv 11 \pmod{9}", "n", 9, {2}),
        (r"n \equiv 1 \pmod 4 \text{ or } n \equiv 3 \pmod 4", "n", 4, {1, 3}),
    ],
)
def test_congruence(text, name, modulus, residues):
    found = congruence(parse(text))
    assert found.modulus == modulus
    assert found.residues == residues
    assert found.name == (parse(name) if name else None)


@pytest.mark.parametrize(
    "text",
    [
        "2",
        r"n \equiv 1 \pmod 4, n \equiv 1 \pmod 5",
        r"n \equiv 1 \pmod 4, m \equiv 3 \pmod 4",
        r"n \equiv 1/2 \pmod 4",
        r"n \equiv a \pmod 4",
        r"n \equiv 1 \pmod 0",
        r"n \equiv 1",
        "n = 1",
    ],
)
def test_no_congruence(text):
    assert congruence(parse(text)) is None
