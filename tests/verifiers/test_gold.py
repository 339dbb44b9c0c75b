"""Golds as they are published: which can be met, and which are at fault."""

import pytest

from rewardkit.verifiers.comparison.texts import compare_texts
from rewardkit.verifiers.gold import boxed_answer, gold_fault, gold_text
from rewardkit.verifiers.options import MathOptions


@pytest.mark.parametrize(
    "gold",
    [
        "0.0011_{2}", "200203_{-4}", "M⊂N", "¬p ∨ ¬q", "{x|-2 < x < 3}", "1. 3; 2. 5",
        r"\text{(a) } 2 \text{ (b) } 6", r"$\$ 3000 @ 11 \%$", r"a \parallel b", "A⊥B", "0x2A",
        r"\frac{11}{2^{20}",
    ],
)  # fmt: skip
def test_what_is_published_is_no_fault(gold):
    assert gold_fault(gold_text(gold)) is None


def test_lost_braces_at_the_end_are_closed():
    gold = gold_text(r"\frac{11}{2^{20}")
    assert compare_texts(gold, r"\frac{11}{1048576}", MathOptions()).equal


@pytest.mark.parametrize("gold", ["", "???", r"\frac{1}{", r"\frac{1", "{{{{1", "x^{2"])
def test_what_nothing_can_meet_is_a_fault(gold):
    assert gold_fault(gold_text(gold)) is not None


@pytest.mark.parametrize(
    ("solution", "answer"),
    [
        (r"We get \boxed{3}.", "3"),
        (r"First \boxed{7}, so in the end $\boxed{\frac{1}{2}}$.", r"\frac{1}{2}"),
        (r"$\boxed{3}$ and $\boxed{5}$", "3, 5"),
        (r"\boxed5", "5"),
        (r"\fbox{A}", "A"),
        (r"\boxed{3", "3"),
        ("42", "42"),
    ],
)
def test_a_worked_solution_is_its_last_box(solution, answer):
    assert boxed_answer(solution) == answer
