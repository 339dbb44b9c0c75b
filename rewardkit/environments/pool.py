"""An environment in processes of its own: what raises, hangs, floods or exits costs one rollout."""

from __future__ import annotations

import json
from concurrent.futures import Future
from typing import Any, NamedTuple

from rewardkit.environments.environment import Environment, Reply, as_json, begun, replied
from rewardkit.types import Outcome, Problem, Verdict
from rewardkit.verifiers import VerifierPool
from rewardkit.verifiers.functions import as_verifier

LONGEST_TEXT = 20_000
"""Characters of one message: what a tool says beyond is cut, and the model is told."""
LONGEST_STATE = 1 << 20
FAULT = "environment"
"""The `method` of a verdict on a rollout whose environment failed."""


class Answered(NamedTuple):
    """What came of a turn: a reply, or the verdict that the environment failed."""

    reply: Reply
    fault: Verdict | None = None


class EnvironmentPool:
    """Answers turns in worker processes.

    Args:
        environment: what answers; it has to be picklable.
        workers: processes.
        deadline_s: seconds for one answer, after which the rollout is undecided (TIMEOUT).
        memory_mb: memory of one process, beyond which it is undecided (ERROR).

    `grades` says whether the environment has a grade of its own.
    """

    def __init__(
        self, environment: Environment, workers: int, deadline_s: float, memory_mb: int | None
    ) -> None:
        self.environment = environment
        self.grades = hasattr(environment, "grade")
        self._pool = VerifierPool(_Turn(environment), workers, deadline_s, memory_mb)

    def __enter__(self) -> EnvironmentPool:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.close()

    def reply(self, problem: Problem, state: Any, turn: str) -> Future[Verdict]:
        """Begin to answer a turn; `answered` reads what comes. A state of None begins a rollout."""
        return self._pool.submit(json.dumps(["reply", state, turn]), problem)

    def grade(self, problem: Problem, state: Any) -> Future[Verdict]:
        """Begin to grade a rollout that has ended, by the environment's own `grade`."""
        return self._pool.submit(json.dumps(["grade", state, ""]), problem)


def answered(found: Verdict) -> Answered:
    """Return what came of a turn.

    >>> answered(Verdict(Outcome.TIMEOUT, reason="10 s")).fault.method
    'environment'
    """
    if found.method == FAULT and found.extracted is not None:
        return Answered(Reply(*json.loads(found.extracted)))
    reason = f"the environment failed: {found.reason}"
    return Answered(Reply(), Verdict(_undecided(found), method=FAULT, reason=reason))


def _undecided(found: Verdict) -> Outcome:
    return Outcome.TIMEOUT if found.outcome is Outcome.TIMEOUT else Outcome.ERROR


class _Turn:
    """The environment as the workers of a `VerifierPool` call it: its replies travel as text."""

    def __init__(self, environment: Environment) -> None:
        self.environment = environment
        if hasattr(environment, "warm"):
            self.warm = environment.warm

    def __call__(self, response: str, answer: str, problem: Problem) -> Verdict:
        what, state, turn = json.loads(response)
        if state is None:
            state = begun(self.environment, problem)
        if what == "grade":
            found = getattr(self.environment, "grade")(problem, state)  # noqa: B009 not every one has it

            def grade(response: str, answer: str) -> Any:
                return found

            return as_verifier(grade)("", problem.answer)
        reply = replied(self.environment, problem, state, turn)
        parts = [shortened(reply.said), reply.state, reply.errors, reply.score]
        body = as_json(parts, f"{type(self.environment).__name__}.reply")
        if len(body) > LONGEST_STATE:
            raise ValueError(f"a state of {len(body):,} characters, at most {LONGEST_STATE:,}")
        return Verdict(Outcome.CORRECT, body, method=FAULT)


def shortened(said: Any) -> Any:
    """Return what is said with each text cut to `LONGEST_TEXT`.

    >>> shortened([{"role": "tool", "content": "1" * 20_007}])[0]["content"][-24:]
    '1 ... (7 characters cut)'
    """
    if isinstance(said, str):
        beyond = len(said) - LONGEST_TEXT
        return said if beyond <= 0 else f"{said[:LONGEST_TEXT]} ... ({beyond:,} characters cut)"
    return [{**message, "content": shortened(message["content"])} for message in said]
