"""Measured values under the policies; temperatures; words that multiply."""

import pytest

from rewardkit.verifiers.comparison.texts import compare_texts
from rewardkit.verifiers.options import MathOptions


@pytest.mark.parametrize(
    ("gold", "pred", "options", "expected"),
    [
        ("250", r"\$250\text{ million}", {}, True),
        ("250", r"\$250\text{ million}", {"missing_scale": "never"}, False),
        ("3", "3 dozen", {}, False),
        ("3", "3 dozen", {"missing_scale": "any"}, True),
        ("36", "3 dozen", {"missing_scale": "never"}, True),
        ("10", r"10\text{ thousand}", {"missing_scale": "any"}, True),
        ("11", r"10\text{ thousand}", {"missing_scale": "any"}, False),
        ("24", r"24\%", {}, True),
        ("24", r"24\%", {"missing_percent": False}, False),
        ("0.24", r"24\%", {"missing_percent": False}, True),
        ("5", r"0.05\text{ cents}", {}, False),
        ("5", r"500\text{ cents}", {}, True),
        ("10", r"10\text{ cents}", {"missing_unit": False}, False),
        (r"100^\circ\text{C}", r"212^\circ\text{F}", {}, True),
        (r"100^\circ\text{C}", r"373.15\text{ K}", {}, True),
        (r"-40^\circ\text{C}", r"-40^\circ\text{F}", {}, True),
        (r"40^\circ\text{C}", r"40^\circ\text{F}", {}, False),
        (r"100^\circ\text{C}", "100", {}, True),
        ("100.4", "100.9", {"relative_tolerance": 0.01}, True),
        ("100.4", "102", {"relative_tolerance": 0.01}, False),
        ("100.4", "100.9", {}, False),
        ("-100", "-100.5", {"relative_tolerance": 0.01}, True),
        ("(1, 100)", "(1, 100.5)", {"relative_tolerance": 0.01}, True),
        ("0", "0.001", {"relative_tolerance": 0.01}, False),
        ("x + 1", "x + 1.001", {"relative_tolerance": 0.01}, False),
    ],
)
def test_policies(gold, pred, options, expected):
    assert compare_texts(gold, pred, MathOptions(**options)).equal is expected
