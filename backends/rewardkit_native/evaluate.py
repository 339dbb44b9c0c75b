"""A checkpoint on held-out problems: the plain measurement that training makes of itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rewardkit.errors import TrainingError
from rewardkit.evaluation.statistics import summarise
from rewardkit.sampling import SamplingParams
from rewardkit.types import UNDECIDED, Outcome, Problem, Task, Verdict
from rewardkit.verifiers import VerifierPool
from rewardkit_native.collect import rollout_seed
from rewardkit_native.model import encode
from rewardkit_native.parallel import Ranks
from rewardkit_native.sampler import Sampler


def held_out_sets(task: Task, most: int) -> dict[str, Sequence[Problem]]:
    """Return the task's held-out sets by name, each cut to `most` problems, empty ones left out."""
    sets = {"test": task.test, **task.suites}
    return {name: problems[:most] for name, problems in sets.items() if len(problems)}


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
) -> dict[str, Any]:
    """Sample and grade; return accuracy with both intervals, and what it is made of.

    The seeds depend on problem and sample alone, so that before and after are the same draws
    from two models.
    """

    def report(done: int, tokens: int) -> None:
        progress(f"{done} responses done, {tokens} tokens")

    def grade(problems: Sequence[Problem]) -> list[Sequence[Verdict]]:
        prompts = [encode(tokenizer, task.messages(problem)) for problem in problems]
        seeds = [[rollout_seed("evaluation", p.id, i) for i in range(samples)] for p in problems]
        groups = sampler.sample(prompts, seeds, params, report)
        verdicts = pool.verify(
            (rollout.text, problem.answer)
            for problem, group in zip(problems, groups, strict=True)
            for rollout in group
        )
        return [[next(verdicts) for _ in group] for group in groups]

    return measure(ranks.spread(grade, problems))


def measure(graded: Sequence[Sequence[Verdict]]) -> dict[str, Any]:
    """Return accuracy over problems, and apart from it how often there was an answer at all.

    A model that learns to give its answer in the asked form gets more right without knowing
    more; `accuracy_given_answer` does not move with the form.
    """
    # A verdict that was never reached says nothing: it is counted, and left out of the accuracy.
    usable = [[v for v in verdicts if v.outcome not in UNDECIDED] for verdicts in graded]
    counts = [(sum(v.correct for v in verdicts), len(verdicts)) for verdicts in usable if verdicts]
    flat = [verdict for verdicts in graded for verdict in verdicts]
    if not counts:
        raise TrainingError(
            f"not one of {len(flat)} responses could be graded, so there is nothing to measure. "
            f"The first verdict: {flat[0].outcome}, {flat[0].reason}"
        )
    summary = summarise(counts)
    outcomes = {o.value: sum(v.outcome is o for v in flat) for o in Outcome}
    answered = outcomes["correct"] + outcomes["incorrect"]
    return {
        "accuracy": summary.accuracy,
        "interval_these_problems": [summary.these_problems.low, summary.these_problems.high],
        "interval_new_problems": [summary.new_problems.low, summary.new_problems.high],
        "problems": summary.problems,
        "samples": summary.samples,
        "correct": outcomes["correct"],
        "answered_share": answered / len(flat),
        "accuracy_given_answer": outcomes["correct"] / answered if answered else None,
        "outcomes": outcomes,
    }
