"""The policies of `MathVerifier`: each a named option with a default."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from rewardkit.errors import ConfigError

PLACES = ("box", "tag", "marker", "last_line")
"""Where an answer may be declared to stand; `tag:NAME` is a tag of another name."""
NAMED_TAG = re.compile(r"tag:([A-Za-z][\w-]*)")
EXTRA_RULES = (
    "families", "progressions", "integer_sets", "piecewise", "logic", "chemistry", "sets_in_words",
)  # fmt: skip
"""Rules for rare kinds of answers: each is a module of `rewardkit.verifiers.extra_rules`."""


def checked(answer_in: str | tuple[str, ...] | list[str] | None) -> tuple[str, ...]:
    """Return where an answer is declared to stand, as a tuple; empty for nowhere in particular.

    Raises:
        ConfigError: a name is none of `box`, `tag`, `tag:NAME`, `marker`, `last_line`.

    >>> checked("box"), checked(["tag:solution", "box"]), checked(None)
    (('box',), ('tag:solution', 'box'), ())
    """
    kinds = (answer_in,) if isinstance(answer_in, str) else tuple(answer_in or ())
    for kind in kinds:
        if kind not in PLACES and not NAMED_TAG.fullmatch(str(kind)):
            raise ConfigError(
                f'answer_in says where the answer stands: "box", "tag", "tag:NAME", "marker" or '
                f'"last_line", or a list of these; found {kind!r}'
            )
    return kinds


@dataclass(frozen=True, slots=True)
class MathOptions:
    """Where the answer stands, and what careful people may decide differently."""

    answer_in: str | tuple[str, ...] = ()
    """Where the prompt says that the answer stands: `"box"`, `"tag"` (`"tag:NAME"`), `"marker"`,
    `"last_line"`, or several. Then nothing else counts; without it any response is read."""
    unclosed_think: Literal["read", "ignore"] = "read"
    """Whether an answer inside a `<think>` that never ends counts."""
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
    extra: str | tuple[str, ...] = ()
    """Rules for rare kinds of answers, by the names of `EXTRA_RULES`, or `all` of them."""

    def __post_init__(self) -> None:
        """Refuse a place of the answer or rules that do not exist.

        Raises:
            ConfigError: it lists those that there are.
        """
        object.__setattr__(self, "answer_in", checked(self.answer_in))
        extra = (self.extra,) if isinstance(self.extra, str) else tuple(self.extra)
        object.__setattr__(self, "extra", extra)
        for name in extra:
            if name not in (*EXTRA_RULES, "all"):
                known = ", ".join((*EXTRA_RULES, "all"))
                raise ConfigError(f"unknown extra rules {name!r}: choose among {known}")
