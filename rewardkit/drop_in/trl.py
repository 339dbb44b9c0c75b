"""TRL: `accuracy_reward` and `reasoning_accuracy_reward`, for any thread of a trainer.

    from rewardkit.drop_in.trl import accuracy_reward  # instead of: from trl.rewards import ...
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rewardkit.drop_in.comparison import compared
from rewardkit.drop_in.extraction import LatexExtractionConfig, parse
from rewardkit.messages import said
from rewardkit.types import UNDECIDED, Verdict

Completions = Sequence[Sequence[Mapping[str, Any]] | str]
Log = Callable[[str, list[Any]], None]
_MARKED = (LatexExtractionConfig(try_extract_without_anchor=False, boxed_match_priority=0),)
_UNFINISHED = "[incomplete reasoning]"


def accuracy_reward(
    completions: Completions, solution: Sequence[str], log_extra: Log | None = None, **_: Any
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
    return _rewards([said(one) for one in completions], solution, log_extra)


def reasoning_accuracy_reward(
    completions: Completions,
    solution: Sequence[str],
    reasoning_delimiters: Sequence[str] = ("</think>",),
    log_extra: Log | None = None,
    **_: Any,
) -> list[float | None]:
    r"""Return what `accuracy_reward` does, of what stands behind the thoughts; 0 within them.

    Args:
        completions: chats, whose last message is read, or texts.
        solution: the column of gold answers or solutions.
        reasoning_delimiters: what ends the thoughts; the first that a completion holds counts.
        log_extra: TRL's, for its table of completions.

    >>> reasoning_accuracy_reward([r"2 </think> \boxed{2}", r"\boxed{2}"], ["2", "2"])
    [1.0, 0.0]
    """
    ends = tuple(reasoning_delimiters or ("</think>",))
    texts: list[str | None] = []
    for text in map(said, completions):
        end = next((end for end in ends if end in text), None)
        texts.append(None if end is None else text.rsplit(end, 1)[-1])
    return _rewards(texts, solution, log_extra)


def _rewards(
    texts: Sequence[str | None], solution: Sequence[str], log_extra: Log | None
) -> list[float | None]:
    rewards: list[float | None] = []
    shown: list[tuple[str, str]] = []
    for text, gold in zip(texts, solution, strict=True):
        golds = parse(gold)
        if text is None:
            rewards.append(0.0)
            shown.append((_UNFINISHED, _UNFINISHED))
        elif not golds:
            rewards.append(None)
            shown.append(("[unparseable]", "[skipped]"))
        else:
            answers = parse(text, _MARKED, fallback_mode="no_fallback")
            verdict = compared(golds[0], answers[0]) if answers else None
            rewards.append(_reward(verdict))
            answer = (verdict and verdict.extracted) or "[unparseable]"
            shown.append((str(golds[0]), answer))
    if log_extra is not None:
        log_extra("solution", list(solution))
        log_extra("gold_parsed", [gold for gold, _ in shown])
        log_extra("answer_parsed", [answer for _, answer in shown])
    return rewards


def _reward(verdict: Verdict | None) -> float | None:
    if verdict is None:
        return 0.0
    return None if verdict.outcome in UNDECIDED else float(verdict.correct)
