"""Inspect: its scorer of mathematics.

from rewardkit.drop_in.inspect import math  # instead of: from inspect_ai.scorer import math
"""

from __future__ import annotations

from typing import Any

from rewardkit.drop_in.comparison import compared
from rewardkit.drop_in.extraction import parse
from rewardkit.types import UNDECIDED, Verdict


def math(*, timeout: float = 2.0) -> Any:
    """Return a scorer of `inspect_ai`: correct where a response means one of its targets.

    What cannot be decided is unscored; the loop is not kept waiting.

    Args:
        timeout: CPU seconds of the rare comparison that only sympy can decide.

    Raises:
        ModuleNotFoundError: inspect_ai is not installed.
    """
    from anyio.to_thread import run_sync
    from inspect_ai.scorer import CORRECT, INCORRECT, Score, accuracy, scorer, stderr

    def best(text: str, targets: tuple[str, ...]) -> Verdict:
        golds = [found[0] for one in targets if (found := parse(one))]
        if not golds:
            raise ValueError(f"no target holds mathematics: {targets}")
        answers = parse(text, fallback_mode="no_fallback") or ["nothing"]
        verdicts = [compared(gold, answers[0], seconds=timeout) for gold in golds]
        return min(verdicts, key=lambda one: (not one.correct, one.outcome in UNDECIDED))

    @scorer(metrics=[accuracy(), stderr()], name="math")  # type: ignore[untyped-decorator]
    def made() -> Any:
        async def score(state: Any, target: Any) -> Any:
            verdict = await run_sync(best, state.output.completion, tuple(target))
            if verdict.outcome in UNDECIDED:
                return Score.unscored(explanation=verdict.reason)
            value = CORRECT if verdict.correct else INCORRECT
            return Score(value=value, answer=verdict.extracted, explanation=verdict.reason)

        return score

    return made()
