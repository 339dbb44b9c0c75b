"""Propositions: how their connectives bind, and what is none."""

import pytest

from rewardkit.verifiers.extra_rules.logic import compare_texts
from rewardkit.verifiers.options import MathOptions


@pytest.mark.parametrize(
    ("gold", "answer", "equal"),
    [
        ("p", r"\neg \lnot p", True),
        ("¬p ∨ ¬q", r"\neg (p \wedge q)", True),
        (r"p \vee (q \wedge r)", r"p \vee q \wedge r", True),
        (r"(p \lor q) \land r", r"p \vee q \wedge r", False),
        (r"p \to (q \to r)", r"p \to q \to r", True),
        (r"(p \to q) \to r", r"p \to q \to r", False),
        (r"(p \to q) \land (q \to p)", r"p \iff q", True),
        (r"p \to q", r"\neg q \to \neg p", True),
        (r"p \to q", r"q \to p", False),
        ("p ∧ q", "p ∧ r", False),
        ("p", "q", None),
        (r"p \vee q", r"x > 1 \wedge x < 3", None),
        (r"p \vee q", r"dx \wedge dy", None),
        (r"p \vee q", r"\neg (p", None),
        (r"p \vee q", r"p \wedge", None),
        (r"p \vee q", r"p \vee q)", None),
        (r"\neg p", r"\neg" * 90 + " p", None),
    ],
)
def test_propositions(gold, answer, equal):
    result = compare_texts(gold, answer, MathOptions())
    assert (result and result.equal) is equal
