"""verl's `math_verify.compute_score`, without its pool of processes."""

from __future__ import annotations

from rewardkit.drop_in.comparison import compared
from rewardkit.drop_in.extraction import Parsed, parse
from rewardkit.types import Outcome


def compute_score(
    model_output: str, ground_truth: str, timeout_score: float = 0, timeout: float = 30.0
) -> float:
    r"""Return 1 where a response means its gold answer, else 0.

    Args:
        model_output: the response.
        ground_truth: the gold answer, without a box.
        timeout_score: the score of what takes too long to compare.
        timeout: CPU seconds of the rare comparison that only sympy can decide.

    >>> compute_score(r"so it is \boxed{\frac{1}{2}}", "0.5"), compute_score("It is 7.", "0.5")
    (1.0, 0.0)
    """
    answers = parse(model_output, fallback_mode="no_fallback")
    if not answers:
        return 0.0
    verdict = compared(Parsed(ground_truth), answers[0], seconds=timeout)
    return timeout_score if verdict.outcome is Outcome.TIMEOUT else float(verdict.correct)
