"""verl: a file for `custom_reward_function` of anybody's own configuration, without our launcher.

    reward.custom_reward_function.path=pkg://rewardkit.integrations.verl
    reward.custom_reward_function.name=compute_score          # or compute_score_async
    +reward.custom_reward_function.reward_kwargs.verifier=math
    +reward.custom_reward_function.reward_kwargs.answer_in=box       # what the prompts ask for
    +reward.custom_reward_function.reward_kwargs.verifier_options.unevaluated=accept

`path` may as well be the path of this file. Both names do the same: verl calls the first in
threads, and awaits the second in its reward loop.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from rewardkit.integrations.grading import AnswerIn, Grader
from rewardkit.types import UNDECIDED, Verdict
from rewardkit.verifiers.loading import load_verifier
from rewardkit.verifiers.options import checked

REWARD_WORKERS = 8
"""verl's `reward.num_workers`: processes that call this, each with a pool of its own."""
_GOLD = "ground_truth"
_GRADERS: dict[str, Grader] = {}


def compute_score(
    data_source: str,
    solution_str: str,
    ground_truth: Any,
    extra_info: Mapping[str, Any] | None = None,
    *,
    verifier: str = "math",
    answer_in: AnswerIn = (),
    verifier_options: Mapping[str, Any] | None = None,
    deadline_s: float = 10.0,
    **_: Any,
) -> dict[str, Any]:
    """Return the score of one response, and what the verdict says, as verl's metrics take it.

    Args:
        data_source: the row's; a verifier that asks for `source` gets it.
        solution_str: the response.
        ground_truth: the gold answer.
        extra_info: the row's; its entries are the columns that a verifier may ask for.
        verifier: a registered name or `package.module:attribute`, from `reward_kwargs`.
        answer_in: where the answer stands, as in `verifier_of`.
        verifier_options: what the verifier is made with, such as `{"unevaluated": "accept"}`.
        deadline_s: wall-clock seconds that the verdict may take.

    >>> found = compute_score("gsm8k", "It is 12", "12", {"index": 7})
    >>> found["score"], found["acc"], found["outcome"]
    (1.0, 1.0, 'correct')
    """
    grader = _grader(verifier, answer_in, verifier_options, deadline_s)
    return _info(grader.training_verdict(solution_str, _row(data_source, ground_truth, extra_info)))


async def compute_score_async(
    data_source: str,
    solution_str: str,
    ground_truth: Any,
    extra_info: Mapping[str, Any] | None = None,
    **settings: Any,
) -> dict[str, Any]:
    """Return what `compute_score` does, without keeping the event loop waiting."""
    row = _row(data_source, ground_truth, extra_info)
    return _info(await _grader(**settings).atraining_verdict(solution_str, row))


def _grader(
    verifier: str = "math",
    answer_in: AnswerIn = (),
    verifier_options: Mapping[str, Any] | None = None,
    deadline_s: float = 10.0,
    **_: Any,
) -> Grader:
    """Return the one grader of these settings; a list, as Hydra gives it, becomes a tuple."""
    options = {
        name: tuple(value) if isinstance(value, Sequence) and not isinstance(value, str) else value
        for name, value in (verifier_options or {}).items()
    }
    key = repr((verifier, answer_in, options, deadline_s))
    if key not in _GRADERS:
        workers = max(1, (os.cpu_count() or 1) // REWARD_WORKERS)
        target = load_verifier(verifier, **options) if options else verifier
        _GRADERS[key] = Grader(
            target, gold=_GOLD, answer_in=checked(answer_in), workers=workers, deadline_s=deadline_s
        )
    return _GRADERS[key]


def _row(source: str, gold: Any, extra_info: Mapping[str, Any] | None) -> dict[str, Any]:
    further = extra_info if isinstance(extra_info, Mapping) else {}
    return {"id": further.get("index", ""), **further, "source": source, _GOLD: gold}


def _info(verdict: Verdict) -> dict[str, Any]:
    """Return the same keys for every verdict: verl makes columns of them.

    verl has no way to leave a response out here; one that is undecided has a score of 0, and its
    share is a metric.
    """
    return {
        "score": verdict.score,
        "acc": float(verdict.correct),
        "undecided": float(verdict.outcome in UNDECIDED),
        "outcome": verdict.outcome.value,
        "extracted": verdict.extracted or "",
        "method": verdict.method,
        "reason": verdict.reason,
    }
