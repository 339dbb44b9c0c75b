"""Plain letters behind a number: which measure it, which are variables."""

import pytest

from rewardkit.verifiers.parsing.spelling.units import with_units_upright


@pytest.mark.parametrize(
    ("text", "upright"),
    [
        ("2 kWh", r"2\text{ kWh}"),
        ("7.2 MJ", r"7.2\text{ MJ}"),
        ("4GHz", r"4\text{ GHz}"),
        ("3 mA", r"3\text{ mA}"),
        ("25 kg*m/s^{2}", r"25\text{ kg*m/s^2}"),
        ("5 g/cm^3", r"5\text{ g/cm^3}"),
        (r"10^{3}\ kPa", r"10^{3}\text{ kPa}"),
        ("5 m", "5 m"),
        ("10 N m", "10 N m"),
        ("3mA", "3mA"),
        ("3 kT", "3 kT"),
        ("2x", "2x"),
        ("x + 2 ab", "x + 2 ab"),
        ("24 and more", "24 and more"),
        ("2 a b", "2 a b"),
        ("kWh", "kWh"),
    ],
)
def test_with_units_upright(text, upright):
    assert with_units_upright(text) == upright
