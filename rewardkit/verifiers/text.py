"""TextVerifier: answers in words."""

from __future__ import annotations

from dataclasses import dataclass

from rewardkit.types import Gold, Verdict
from rewardkit.verifiers.base import judged
from rewardkit.verifiers.comparison.written.words import words
from rewardkit.verifiers.options import checked


@dataclass(frozen=True, slots=True)
class TextVerifier:
    r"""Grade words: equal when case, punctuation, articles and LaTeX style are put aside.

    Args:
        aliases: answers accepted for any gold answer that is one of them, one group a tuple.

    >>> TextVerifier()(r"\boxed{\text{The Ellipse}}", "an ellipse").correct
    True
    """

    aliases: tuple[tuple[str, ...], ...] = ()
    answer_in: str | tuple[str, ...] = ()
    """Where the answer is declared to stand, as in `MathVerifier`; anywhere without it."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "answer_in", checked(self.answer_in))

    def __call__(self, response: str, answer: Gold) -> Verdict:
        """Return the verdict on one response."""
        return judged(
            response, answer, "text", self._decide, answer_in=self.answer_in, kind="words"
        )

    quick = __call__

    def _decide(self, text: str, gold: str) -> tuple[bool, str] | None:
        wanted = words(gold)
        if not wanted:
            return None
        given = words(text)
        if given == wanted:
            return True, "the same words"
        for group in self.aliases:
            known = [words(alias) for alias in group]
            if wanted in known and given in known:
                return True, "an alias of the gold answer"
        return False, "the words differ"
