"""FormatVerifier: whether a response keeps the form `<think>...</think><answer>...</answer>`."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass

from rewardkit.errors import ConfigError
from rewardkit.golds import as_text
from rewardkit.types import Gold, Outcome, Verdict


@dataclass(frozen=True, slots=True)
class FormatVerifier:
    """Check that the named tags stand once each, in order, with nothing but space around them.

    The gold answer is not read. A response is CORRECT when its form is right.

    >>> FormatVerifier()("<think>1+1</think> <answer>2</answer>", "").correct
    True
    """

    tags: tuple[str, ...] = ("think", "answer")
    """Their names, in order."""

    def __post_init__(self) -> None:
        for tag in self.tags:
            if not re.fullmatch(r"[A-Za-z][\w-]*", tag):
                raise ConfigError(f"a tag must be a word, got {tag!r}")

    def __call__(self, response: str, answer: Gold) -> Verdict:
        """Return the verdict on one response."""
        started = time.perf_counter()
        reason = self._fault(response)
        outcome = Outcome.INCORRECT if reason else Outcome.CORRECT
        seconds = time.perf_counter() - started
        inside = None if reason else self._inside(response)
        gold = as_text(answer)
        return Verdict(outcome, inside, gold, "format", reason or "the form is right", seconds)

    quick = __call__

    def _fault(self, response: str) -> str:
        rest = response
        for tag in self.tags:
            opening, closing = f"<{tag}>", f"</{tag}>"
            if response.count(opening) != 1 or response.count(closing) != 1:
                return f"expected {opening} and {closing} exactly once"
            before, _, rest = rest.partition(opening)
            if before.strip():
                return f"text before {opening}"
            inside, closed, rest = rest.partition(closing)
            if not closed:
                return f"{closing} is out of order"
            if not inside.strip():
                return f"{opening} is empty"
        return "text after the last tag" if rest.strip() else ""

    def _inside(self, response: str) -> str:
        tag = self.tags[-1]
        return response.partition(f"<{tag}>")[2].partition(f"</{tag}>")[0].strip()[:500]
