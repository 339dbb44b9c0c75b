"""Propositions: how their connectives bind, and what is none."""

import pytest

from rewardkit.verifiers.expressions.nodes import Call, Sym
from rewardkit.verifiers.extra_rules.propositions import proposition

P, Q, R = map(Sym, "pqr")


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        (r"\neg p", Call("not", (P,))),
        ("¬p ∨ ¬q", Call("or", (Call("not", (P,)), Call("not", (Q,))))),
        (r"p \vee q \wedge r", Call("or", (P, Call("and", (Q, R))))),
        (r"(p \lor q) \land r", Call("and", (Call("or", (P, Q)), R))),
        (r"\lnot p \to q \to r", Call("implies", (Call("not", (P,)), Call("implies", (Q, R))))),
        (r"p \iff q", Call("iff", (P, Q))),
        ("~p ∨ q", Call("or", (Call("not", (P,)), Q))),
        (r"p \to q", None),  # a limit as well
        (r"x > 1 \wedge x < 3", None),
        (r"dx \wedge dy", None),
        (r"\neg (p", None),
        (r"p \wedge", None),
        (r"\neg" * 90 + " p", None),
    ],
)
def test_proposition(text, tree):
    assert proposition(text) == tree
