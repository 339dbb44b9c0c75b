"""Score what stands between the last <answer> tags as the puzzle's own scorer does."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rewardkit.errors import DataError
from rewardkit.types import Gold, Outcome, Verdict
from rewardkit.verifiers.format.found import Missing
from rewardkit.verifiers.reading import read
from rewardkit_tasks.reasoning_gym.library import library, score

ENOUGH = 1 - 1e-9


@dataclass(frozen=True, slots=True)
class ReasoningGymVerifier:
    """Give the score of reasoning-gym; from 1.0 on a response is CORRECT.

    The column `reasoning_gym` says which puzzle it is and what its scorer needs to know.
    """

    def __call__(
        self, response: str, answer: Gold, question: str, reasoning_gym: Mapping[str, Any]
    ) -> Verdict:
        """Return the verdict on one response."""
        started = time.perf_counter()
        found = read(response, "tag", "words")
        if isinstance(found, Missing):
            return Verdict(Outcome.NO_ANSWER, method=found.method, reason=found.reason)
        text = found.text
        name, config = reasoning_gym["puzzle"], reasoning_gym["config"]
        try:
            points, reason = score(name, config, reasoning_gym, question, text), f"{name} scores it"
        except DataError as error:
            return Verdict(Outcome.BAD_GOLD, method="reasoning_gym", reason=str(error))
        except Exception as error:  # noqa: BLE001 its scorers raise many kinds at what they cannot read
            points, reason = 0.0, f"{name} cannot read it: {type(error).__name__}: {error}"[:300]
        right = points >= ENOUGH
        outcome = Outcome.CORRECT if right else Outcome.INCORRECT
        seconds = time.perf_counter() - started
        points = min(max(points, 0.0), 1.0)
        return Verdict(outcome, text[:500], None, "reasoning_gym", reason, seconds, points)

    def warm(self) -> None:
        """Import the package once for all workers."""
        library()
