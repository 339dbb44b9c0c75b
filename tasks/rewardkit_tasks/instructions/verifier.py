"""Grade a response by the instructions of its row: all of them followed, and what share was."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from rewardkit.errors import ConfigError
from rewardkit.types import Gold, Outcome, Verdict
from rewardkit.verifiers.format.thoughts import without_thoughts
from rewardkit_tasks.instructions.checks import follows


@dataclass(frozen=True, slots=True)
class InstructionVerifier:
    """Grade by the columns instruction_id_list and kwargs; the gold answer is not read.

    CORRECT when all instructions are followed; the score is the share of them that is.

    Args:
        mode: `strict` reads the response as it is, without its thoughts. `loose` takes an
            instruction for followed if it is without the first line, the last line, both, or the
            asterisks, as IFEval does.

    >>> InstructionVerifier()("no capitals, one comma", "", ["punctuation:no_comma"], [{}]).reason
    'not followed: punctuation:no_comma'
    """

    mode: Literal["strict", "loose"] = "strict"

    def __post_init__(self) -> None:
        if self.mode not in ("strict", "loose"):
            raise ConfigError(f"mode takes strict or loose, found {self.mode!r}")

    def __call__(
        self,
        response: str,
        answer: Gold,
        instruction_id_list: Sequence[str],
        kwargs: Sequence[Mapping[str, Any]],
    ) -> Verdict:
        """Return the verdict on one response."""
        started = time.perf_counter()
        text = without_thoughts(response)
        outcome, score, reason = self._grade(text, instruction_id_list, kwargs)
        seconds = time.perf_counter() - started
        return Verdict(outcome, text[:500], "", "instructions", reason, seconds, score)

    def _grade(
        self, text: str, names: Sequence[str], arguments: Sequence[Mapping[str, Any]]
    ) -> tuple[Outcome, float, str]:
        if not names or len(names) != len(arguments):
            found = f"{len(names)} instructions and {len(arguments)} kwargs"
            return Outcome.BAD_GOLD, 0.0, f"{found}; expected one of each, at least"
        if not text.strip():
            return Outcome.NO_ANSWER, 0.0, "nothing is said outside the thoughts"
        texts = loosely(text) if self.mode == "loose" else [text]
        missed = []
        for name, given in zip(names, arguments, strict=True):
            try:
                if not any(follows(name, some, given) for some in texts):
                    missed.append(name)
            except ValueError as error:
                return Outcome.BAD_GOLD, 0.0, str(error)
        if not missed:
            return Outcome.CORRECT, 1.0, f"all {len(names)} followed"
        return Outcome.INCORRECT, 1 - len(missed) / len(names), f"not followed: {', '.join(missed)}"


def loosely(text: str) -> list[str]:
    """Return the text and what is left of it without its first line, last line, and asterisks.

    >>> loosely("Sure:\\n*yes*")
    ['Sure:\\n*yes*', '*yes*', 'Sure:', '', 'Sure:\\nyes', 'yes', 'Sure:', '']
    """
    lines = text.split("\n")
    parts = [text, *("\n".join(some).strip() for some in (lines[1:], lines[:-1], lines[1:-1]))]
    return [*parts, *(part.replace("*", "") for part in parts)]
