"""The environment that lets a model try again, told why its last attempt is not right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rewardkit.environments.environment import Reply
from rewardkit.types import UNDECIDED, Outcome, Problem, Verdict, VerifierLike
from rewardkit.verifiers.functions import as_verifier
from rewardkit.verifiers.signature import asked_by, columns_for


@dataclass(frozen=True)
class Attempts:
    """Grades each turn, and tells the reason of its verdict until one is right.

    A verifier whose reasons say the answer is none for this.

    >>> def even(response, answer):
    ...     return Verdict(Outcome.INCORRECT, reason="it is odd")
    >>> Attempts(even).reply(Problem("1", "?", ""), None, "3").said[0]["content"]
    'Not yet: it is odd. Try again.'
    """

    verifier: VerifierLike
    """Grades a turn."""
    hint: str = "Not yet: {reason}. Try again."
    """What is said, of the verdict's reason."""
    stop: Sequence[str] = ()
    """None."""
    roles: Sequence[str] = ("user",)
    """Of the hints."""

    def begin(self, problem: Problem) -> str:
        """Return that nothing was tried."""
        return ""

    def reply(self, problem: Problem, state: str, turn: str) -> Reply:
        """Return the hint, or nothing behind a right attempt."""
        found = self.grade(problem, turn)
        if found.outcome in UNDECIDED:
            raise RuntimeError(f"the attempt was not graded: {found.reason}")
        if found.correct:
            return Reply((), turn)
        said = self.hint.format(reason=found.reason or "it is not right")
        no_answer = int(found.outcome is Outcome.NO_ANSWER)
        return Reply([{"role": "user", "content": said}], turn, no_answer)

    def grade(self, problem: Problem, state: str) -> Verdict:
        """Return the verdict on the last attempt."""
        asked: dict[str, Any] = columns_for(asked_by(self.verifier), problem)
        return as_verifier(self.verifier)(state, problem.answer, **asked)
