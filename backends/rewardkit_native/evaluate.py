"""A checkpoint on held-out problems: the plain measurement that training makes of itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rewardkit.checks import encode_problem
from rewardkit.evaluation.measures.near import Measured, measure, measured
from rewardkit.runs.results import SetResult
from rewardkit.sampling import SamplingParams
from rewardkit.types import Problem, Task
from rewardkit.verifiers import VerifierPool
from rewardkit_native.distributed.parallel import Ranks
from rewardkit_native.sampling.sampler import Sampler
from rewardkit_native.seeds import rollout_seed


def evaluate_problems(
    problems: Sequence[Problem],
    samples: int,
    *,
    task: Task,
    tokenizer: Any,
    sampler: Sampler,
    pool: VerifierPool,
    params: SamplingParams,
    progress: Callable[[str], None] = lambda text: None,
    ranks: Ranks = Ranks(),  # noqa: B008  # frozen
    keep: list[Sequence[Measured]] | None = None,
) -> SetResult:
    """Sample and grade; return accuracy with both intervals, and what it is made of.

    The seeds depend on problem and sample alone, so that before and after are the same draws
    from two models. The verdicts on each problem are added to `keep`.
    """

    def report(done: int, tokens: int) -> None:
        progress(f"{done} of {samples * len(problems)} responses, {tokens} tokens")

    def grade(problems: Sequence[Problem]) -> list[Sequence[Measured]]:
        prompts = [encode_problem(tokenizer, task, problem) for problem in problems]
        seeds = [[rollout_seed("evaluation", p.id, i) for i in range(samples)] for p in problems]
        groups = sampler.sample(prompts, seeds, params, report)
        verdicts = pool.verify(
            (rollout.text, problem)
            for problem, group in zip(problems, groups, strict=True)
            for rollout in group
        )
        return [
            [measured(task, problem, rollout.text, next(verdicts)) for rollout in group]
            for problem, group in zip(problems, groups, strict=True)
        ]

    graded = ranks.map_shares(grade, problems)
    if keep is not None:
        keep += graded
    return measure(graded)
