"""Values and their units."""

from fractions import Fraction

import pytest

from rewardkit.verifiers.expressions.nodes import number
from rewardkit.verifiers.expressions.quantities import measured
from rewardkit.verifiers.expressions.units import unit_of
from rewardkit.verifiers.parsing.parser import parse


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        (r"5\text{ cm}", 5, "cm"),
        (r"30^\circ", 30, "degrees"),
        (r"\$5", 5, "dollars"),
        ("5 m", 5, "m"),
        ("5 m/s", 5, "m per s"),
        ("5 m/s^2", 5, "m per s^2"),
        ("5 a b", None, None),
        ("5 x", None, None),
        ("5", None, None),
    ],
)
def test_measured(text, value, unit):
    tree = parse(text)
    found = measured(tree)
    if unit is None:
        assert found == (tree, None)
    else:
        assert found[0] == number(value, str(value))
        assert found[1] == unit


@pytest.mark.parametrize(
    ("name", "dimensions", "size", "nouns"),
    [
        ("cm", {"length": 1}, Fraction(1, 100), set()),
        ("square cm", {"length": 2}, Fraction(1, 10_000), set()),
        ("cm^2", {"length": 2}, Fraction(1, 10_000), set()),
        ("km per h", {"length": 1, "time": -1}, Fraction(1000, 3600), set()),
        ("m per s^2", {"length": 1, "time": -2}, 1, set()),
        ("liters", {"length": 3}, Fraction(1, 1000), set()),
        ("red apples", {}, 1, {"red", "apple"}),
        ("dollars per hour", {"money": 1, "time": -1}, Fraction(1, 3600), set()),
        ("of the total", {}, 1, set()),
        ("square units", {"any": 2}, 1, set()),
        ("square", {"any": 2}, 1, set()),
    ],
)
def test_unit_of(name, dimensions, size, nouns):
    unit = unit_of(name)
    assert dict(unit.dimensions) == dimensions
    assert unit.size == size
    assert unit.nouns == nouns
    assert unit.is_any == ("any" in dimensions)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("N", "kg m per s^2"),
        ("MJ", "megajoules"),
        ("kWh", "kilowatthours"),
        ("microF", "uF"),
        ("Pa", "N per m^2"),
        ("ohm", "V per A"),
        ("T", "Wb per m^2"),
        ("F", "C per V"),
        ("H", "Wb per A"),
        ("t", "Mg"),
        ("M", "mol per L"),
        ("KM", "km"),
        ("mAh", "mA h"),
    ],
)
def test_units_of_the_same_size(one, other):
    assert unit_of(one) == unit_of(other)


@pytest.mark.parametrize(
    ("one", "other"), [("mA", "MA"), ("mHz", "MHz"), ("mg", "Mg"), ("T", "t"), ("m", "M")]
)
def test_upper_case_says_something_else(one, other):
    assert unit_of(one) != unit_of(other)
