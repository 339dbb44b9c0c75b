"""TRL: `accuracy_reward`, for any thread of a trainer.

from rewardkit.drop_in.trl import accuracy_reward  # instead of: from trl.rewards import ...
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rewardkit.data.messages import said
from rewardkit.drop_in.comparison import compared
from rewardkit.drop_in.extraction import LatexExtractionConfig, parse
from rewardkit.types import UNDECIDED, Outcome, Verdict

_MARKED = (LatexExtractionConfig(try_extract_without_anchor=False, boxed_match_priority=0),)


def accuracy_reward(
    completions: Sequence[Any],
    solution: Sequence[str],
    log_extra: Callable[[str, list[Any]], None] | None = None,
    **_: Any,
) -> list[float | None]:
    r"""Return 1 where a completion's marked answer is that of the solution, else 0.

    It is None, which TRL leaves out, where the solution holds no answer that can be read, or the
    comparison cannot be decided.

    Args:
        completions: chats, whose last message is read, or texts.
        solution: the column of gold answers or solutions.
        log_extra: TRL's, for its table of completions.

    >>> accuracy_reward([r"It is \boxed{\frac{2}{6}}", "It is 1/3"], ["1/3", "forty two"])
    [1.0, None]
    """
    rewards: list[float | None] = []
    shown: list[tuple[str, str]] = []
    for completion, gold in zip(completions, solution, strict=True):
        if not (golds := parse(gold)):
            rewards.append(None)
            shown.append(("[unparseable]", "[skipped]"))
            continue
        answers = parse(said(completion), _MARKED, fallback_mode="no_fallback")
        verdict = compared(golds[0], answers[0]) if answers else Verdict(Outcome.NO_ANSWER)
        rewards.append(None if verdict.outcome in UNDECIDED else float(verdict.correct))
        shown.append((str(golds[0]), verdict.extracted or "[unparseable]"))
    if log_extra is not None:
        log_extra("solution", list(solution))
        log_extra("gold_parsed", [one for one, _ in shown])
        log_extra("answer_parsed", [one for _, one in shown])
    return rewards
