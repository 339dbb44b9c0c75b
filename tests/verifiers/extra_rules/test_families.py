"""Families of solutions: how they are listed, what their parameter is called, which are the same."""

import pytest

from rewardkit.verifiers.extra_rules.families import (
    parameter_renamed,
    unfolded,
)
from rewardkit.verifiers.limits import work
from rewardkit.verifiers.parsing.parser import parse


@pytest.fixture(autouse=True)
def budget():
    work.begin()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"\{x \mid x = k\pi, k \in \mathbb{Z}\}", r"x = k\pi, k \in \mathbb{Z}"),
        (r"\{k\pi \mid k \in \mathbb{Z}\}", r"k\pi, k \in \mathbb{Z}"),
        (r"\{x \mid x > 2\}", None),
        (r"\{x \mid x \in \mathbb{Z}\}", None),
        ("x = 2", None),
    ],
)
def test_sets_of_values_unfolded(text, expected):
    assert unfolded(parse(text)) == parse(expected or text)


def test_parameters():
    gold, pred = parse(r"k\pi, k \in \mathbb{Z}"), parse(r"n\pi, n \in \mathbb{Z}")
    assert parameter_renamed(gold, pred) == gold
    assert parameter_renamed(parse(r"x + 2k\pi"), parse(r"x + 2n\pi")) == parse(r"x + 2k\pi")
    assert parameter_renamed(parse("x + 2k"), parse("x + 2n")) == parse("x + 2n")
