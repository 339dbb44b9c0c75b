"""A checkpoint on held-out problems: the plain measurement that training makes of itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rewardkit import mixture
from rewardkit.errors import TrainingError
from rewardkit.evaluation.measures.scoring import set_result
from rewardkit.runs.results import SetResult
from rewardkit.sampling import SamplingParams
from rewardkit.types import Problem, Task, Verdict
from rewardkit.verifiers import VerifierPool
from rewardkit_native.distributed.parallel import Ranks
from rewardkit_native.model.loading import encode_problem
from rewardkit_native.sampling.sampler import Sampler
from rewardkit_native.seeds import rollout_seed


def held_out_sets(task: Task, most: int) -> dict[str, Sequence[Problem]]:
    """Return the task's held-out sets by name, each cut to `most` problems, empty ones left out."""
    return {name: problems[:most] for name, problems in mixture.held_out_sets(task).items()}


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
    keep: list[Sequence[Verdict]] | None = None,
) -> SetResult:
    """Sample and grade; return accuracy with both intervals, and what it is made of.

    The seeds depend on problem and sample alone, so that before and after are the same draws
    from two models. The verdicts on each problem are added to `keep`.
    """

    def report(done: int, tokens: int) -> None:
        progress(f"{done} of {samples * len(problems)} responses, {tokens} tokens")

    def grade(problems: Sequence[Problem]) -> list[Sequence[Verdict]]:
        prompts = [encode_problem(tokenizer, task, problem) for problem in problems]
        seeds = [[rollout_seed("evaluation", p.id, i) for i in range(samples)] for p in problems]
        groups = sampler.sample(prompts, seeds, params, report)
        verdicts = pool.verify(
            (rollout.text, problem)
            for problem, group in zip(problems, groups, strict=True)
            for rollout in group
        )
        return [[next(verdicts) for _ in group] for group in groups]

    graded = ranks.map_shares(grade, problems)
    if keep is not None:
        keep += graded
    return measure(graded)


def measure(graded: Sequence[Sequence[Verdict]]) -> SetResult:
    """Return what the verdicts on each problem come to.

    Raises:
        TrainingError: not one of them says anything.
    """
    found = set_result(
        [[verdict.outcome for verdict in verdicts] for verdicts in graded],
        [[verdict.score for verdict in verdicts] for verdicts in graded],
    )
    if found["accuracy"] is None:
        first = next(verdict for verdicts in graded for verdict in verdicts)
        raise TrainingError(
            f"not one of {found['samples']} responses could be graded, so there is nothing to "
            f"measure. The first verdict: {first.outcome}, {first.reason}"
        )
    return found
