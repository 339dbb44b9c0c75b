"""ChoiceVerifier: multiple choice, by letter or by the option's text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from rewardkit.types import Gold, Verdict
from rewardkit.verifiers.base import judged
from rewardkit.verifiers.comparison.written.choices import UNSETTLED
from rewardkit.verifiers.comparison.written.words import words
from rewardkit.verifiers.options import checked
from rewardkit.verifiers.vocabulary.commands import TEXT_COMMAND
from rewardkit.verifiers.vocabulary.letters import OPTION_LETTERS

_STYLE = TEXT_COMMAND + r"\s*"
_LETTER = re.compile(
    rf"(?:{_STYLE})?[({{\[\s]{{0,8}}(?:{_STYLE})?[({{\[\s]{{0,8}}"  # bounded: no backtracking
    r"(?:(?:option|choice)\s+)?([A-Za-z])\s*[)}\]\s.:]*"
)
_STYLED = re.compile(_STYLE + r"\{([^{}]*)\}")
_LETTER_FIRST = re.compile(r"[({\s]{0,8}([A-Z])\s*(?:[)}\].:]|\\)+[)}\s]*(.+)", re.S)


@dataclass(frozen=True, slots=True)
class ChoiceVerifier:
    r"""Grade one chosen letter: `A`, `(A)`, `\text{a}.`, or the text of the option.

    Args:
        letters: the letters that exist.
        options: letter -> the option's text, when the answer may be given in words.

    >>> ChoiceVerifier(options={"A": "red", "B": "blue"})(r"\boxed{\text{blue}}", "B").correct
    True
    """

    letters: str = OPTION_LETTERS
    options: Mapping[str, str] = field(default_factory=dict)
    answer_in: str | tuple[str, ...] = ()
    """Where the answer is declared to stand, as in `MathVerifier`; anywhere without it."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "answer_in", checked(self.answer_in))

    def __call__(self, response: str, answer: Gold) -> Verdict:
        """Return the verdict on one response."""
        return judged(
            response, answer, "choice", self._decide, answer_in=self.answer_in, kind="option"
        )

    quick = __call__

    def _decide(self, text: str, gold: str) -> tuple[bool, str] | None:
        wanted = self._chosen(gold)
        if wanted is None:
            return None
        given = self._chosen(text)
        if given is None:
            return False, "the answer is none of the options"
        return given == wanted, f"chose {given}"

    def _chosen(self, text: str) -> str | None:
        match = _LETTER.fullmatch(text.strip())
        if match and match[1].upper() in self.letters:
            return match[1].upper()
        said = words(text)
        named = [letter for letter, option in self.options.items() if words(option) == said]
        if len(named) == 1:
            return named[0]
        match = _LETTER_FIRST.fullmatch(_STYLED.sub(r"\1", text).strip())
        if match is None or match[1] not in self.letters:
            return None
        option = self.options.get(match[1])
        if option is None:
            return None if UNSETTLED.search(match[2]) else match[1]
        return match[1] if words(option) == words(match[2]) else None
