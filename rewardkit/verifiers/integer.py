"""IntegerVerifier: answers that are whole numbers, as in AIME."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rewardkit.types import Gold, Verdict
from rewardkit.verifiers.base import judged
from rewardkit.verifiers.options import checked
from rewardkit.verifiers.parsing.spelling.characters import unify
from rewardkit.verifiers.parsing.spelling.surroundings import trim
from rewardkit.verifiers.vocabulary.commands import TEXT_COMMAND

_WHOLE = re.compile(
    r"(?:[a-zA-Z]\s*=\s*)?"
    r"([-+]?(?:\d{1,3}(?:(?:,|\{,\}|\\[,;:! ]|,\\!|[ ~])\d{3})+|\d{1,4000}))(?:\.0*)?"
)
_STYLED = re.compile(r"\A(?:" + TEXT_COMMAND + r"\s*)?\{([^{}]*)\}\Z")
_AROUND = re.compile(r"\A(?:\\[,;:! ]|[$*\s])++|(?<![\\$*\s])(?:\\[,;:! ]|[$*\s])++\Z")
"""What may stand around a number; between digits it would join two."""


@dataclass(frozen=True, slots=True)
class IntegerVerifier:
    r"""Grade whole numbers; `042` is 42. Answers outside `low`..`high` are wrong.

    >>> IntegerVerifier()(r"\boxed{042}", "42").outcome
    <Outcome.CORRECT: 'correct'>
    """

    low: int | None = None
    high: int | None = None
    answer_in: str | tuple[str, ...] = ()
    """Where the answer is declared to stand, as in `MathVerifier`; anywhere without it."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "answer_in", checked(self.answer_in))

    def __call__(self, response: str, answer: Gold) -> Verdict:
        """Return the verdict on one response."""
        return judged(
            response, answer, "integer", self._decide, answer_in=self.answer_in, kind="number"
        )

    quick = __call__

    def _decide(self, text: str, gold: str) -> tuple[bool, str] | None:
        wanted = whole_number(gold)
        if wanted is None or not self._in_range(wanted):
            return None
        given = whole_number(text)
        if given is None:
            return False, "the answer is no whole number"
        if not self._in_range(given):
            return False, f"the answer is outside {self.low}..{self.high}"
        return given == wanted, "the same integer" if given == wanted else "other integer"

    def _in_range(self, value: int) -> bool:
        low, high = self.low, self.high
        return (low is None or value >= low) and (high is None or value <= high)


def whole_number(text: str) -> int | None:
    """Return the integer that a text is, or None."""
    if len(text) > 6000:
        return None
    text = unify(trim(text))
    while (inner := _AROUND.sub("", _STYLED.sub(r"\1", text))) != text:
        text = inner
    match = _WHOLE.fullmatch(text)
    return int(re.sub(r"[^\d+-]", "", match[1])) if match else None
