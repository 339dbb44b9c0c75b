"""verl's `math_dapo.compute_score`, by what answers mean, and without its windows of characters."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from rewardkit.errors import ConfigError
from rewardkit.types import UNDECIDED
from rewardkit.verifiers.math import MathVerifier


def compute_score(
    solution_str: str,
    ground_truth: str,
    strict_box_verify: bool = False,
    pause_tokens_index: Sequence[int] | None = None,
) -> dict[str, Any]:
    r"""Return `score` 1 or -1, `acc` and `pred` of a response's marked answer.

    The last of `Answer: ...` and `\boxed{...}` counts. What cannot be decided has a score of 0.

    Args:
        solution_str: the response.
        ground_truth: the gold answer.
        strict_box_verify: whether only a box counts.
        pause_tokens_index: None; verl reads 100 characters before such a place.

    Raises:
        ConfigError: `pause_tokens_index` is given.

    >>> compute_score("Answer: 0.50", "1/2"), compute_score("It is 7.", "7")["pred"]
    ({'score': 1.0, 'acc': True, 'pred': '0.50'}, '[INVALID]')
    """
    if pause_tokens_index is not None:
        raise ConfigError(
            f"pause_tokens_index={pause_tokens_index!r}: the whole response is read here; leave "
            "it out"
        )
    verdict = _verifier(strict_box_verify)(solution_str, ground_truth)
    score = 0.0 if verdict.outcome in UNDECIDED else 1.0 if verdict.correct else -1.0
    return {"score": score, "acc": verdict.correct, "pred": verdict.extracted or "[INVALID]"}


@cache
def _verifier(box_only: bool) -> MathVerifier:
    return MathVerifier(answer_in="box" if box_only else ("marker", "box"))
