"""Shaping: the verdicts and rollouts of one group -> its rewards, as named components.

Every reward is Σ weight × component, and every component is kept beside the sum, unweighted. The
base component is "correct": the verdict's score, which is 1 for Outcome.CORRECT and 0 otherwise
unless the verifier gave one, with weight 1 unless a term of that name says otherwise. TIMEOUT and
ERROR say nothing about the answer: they earn 0 there, and the other terms treat them as wrong.
BAD_GOLD earns 0 in every component, because the item itself is broken. Filters must read outcome
and score, never these rewards.
"""

from rewardkit.shaping.group import GradedGroup, Scope, ShapingTerm
from rewardkit.shaping.shape import components, shape_group, terms_of, weigh, with_correct
from rewardkit.shaping.terms import TERMS

__all__ = [
    "TERMS",
    "GradedGroup",
    "Scope",
    "ShapingTerm",
    "components",
    "shape_group",
    "terms_of",
    "weigh",
    "with_correct",
]
