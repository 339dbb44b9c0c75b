"""The policies of `MathVerifier`: each a named option with a default."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rewardkit.errors import ConfigError

EXTRA_RULES = (
    "families", "progressions", "integer_sets", "piecewise", "logic", "chemistry", "sets_in_words",
)  # fmt: skip
"""Rules for rare kinds of answers: each is a module of `rewardkit.verifiers.extra_rules`."""


@dataclass(frozen=True, slots=True)
class MathOptions:
    """How to decide what careful people may decide differently."""

    boxes: Literal["last", "agree", "first"] = "last"
    """Which of several boxes counts: the last group, the last if all are equal, or the first."""
    correction: Literal["read", "ignore"] = "read"
    """Whether "Correction: the answer is 25" after the last box takes the box back."""
    unclosed_think: Literal["read", "ignore"] = "read"
    """Whether an answer inside a `<think>` that never ends counts."""
    echo: Literal["ignore", "read"] = "ignore"
    """Whether a box in a paragraph that repeats the problem ("Problem: ...") counts."""
    ordered_tuples: bool = True
    """Whether (1, 2) differs from (2, 1)."""
    ordered_lists: bool = False
    """Whether `1, 2` without brackets differs from `2, 1`."""
    missing_unit: bool = True
    """Whether a unit, a degree or percent sign, or a base may be missing on one side."""
    missing_percent: bool = True
    """Whether a percent sign may be missing on one side: `24\\%` for 24."""
    missing_scale: Literal["money", "any", "never"] = "money"
    """Where a word that multiplies may be missing on one side: in amounts of money
    (`\\$250 million` for 250), anywhere (`3 dozen` for 3), or nowhere."""
    unevaluated: Literal["reject", "accept"] = "reject"
    """Whether a calculation left to be done, `513^2-487^2`, may stand for a plain number."""
    relative_tolerance: float = 0.0
    """How far a constant may be from the gold's, as a part of the gold's; 0: only equal ones."""
    decimal_digits: int = 3
    """How many significant digits make a rounded decimal equal to an exact value; 0: never."""
    relation_as_set: bool = True
    """Whether `x > 2` equals the interval (2, inf)."""
    text: Literal["words", "never"] = "words"
    """Whether answers that are no mathematics are compared as words."""
    extra: tuple[str, ...] = ()
    """Rules for rare kinds of answers, by the names of `EXTRA_RULES`, or `all` of them."""

    def __post_init__(self) -> None:
        """Refuse a name that no extra rules have; one name alone, or a list of them, will do.

        Raises:
            ConfigError: it lists those that there are.
        """
        names = (self.extra,) if isinstance(self.extra, str) else tuple(self.extra)
        object.__setattr__(self, "extra", names)  # a list, as settings have it, has no hash
        for name in names:
            if name not in (*EXTRA_RULES, "all"):
                known = ", ".join((*EXTRA_RULES, "all"))
                raise ConfigError(f"unknown extra rules {name!r}: choose among {known}")
