"""A checkpoint on held-out problems: the plain measurement that training makes of itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from rewardkit.checks import encode_problem
from rewardkit.config import RunConfig
from rewardkit.evaluation.measures.near import Measured, measure, measured
from rewardkit.report.display import Display
from rewardkit.runs.results import TEST, SetResult
from rewardkit.tasks.mixture import held_out_sets
from rewardkit.types import Problem
from rewardkit_native.collect import rollout_seed
from rewardkit_native.generators import generators_untouched
from rewardkit_native.recovery.interrupt import Interrupt
from rewardkit_native.setup import Parts


def held_out(
    config: RunConfig, parts: Parts, label: str, interrupt: Interrupt, display: Display
) -> dict[str, SetResult]:
    """Evaluate on each of the task's held-out sets, and on all parts of a mixture together."""
    task, results, together = parts.task, dict[str, SetResult](), list[Sequence[Measured]]()
    for name, problems in held_out_sets(task, config.eval.problems).items():
        interrupt.check(parts.ranks)
        with display.evaluating(label, name, len(problems)) as tell, generators_untouched():

            def report(text: str, tell: Callable[[str], None] = tell) -> None:
                if parts.ranks.size == 1:  # several must leave at the same place
                    interrupt.check()  # what is left here is made again on resuming
                tell(text)

            graded = answered(config, parts, problems, report)
        results[name] = measure(graded)
        if name in task.parts:
            together += graded
        display.evaluated(label, name, results[name])
    if task.parts:
        results = {TEST: measure(together), **results}
        display.evaluated(label, TEST, results[TEST])
    return results


def answered(
    config: RunConfig, parts: Parts, problems: Sequence[Problem], report: Callable[[str], None]
) -> list[Sequence[Measured]]:
    """Sample and grade; return what was measured of each problem's responses.

    The seeds depend on problem and sample alone, so that before and after are the same draws
    from two models.
    """
    count, params = config.eval.samples, config.sampling.params

    def progress(done: int, tokens: int) -> None:
        report(f"{done} of {count * len(problems)} responses, {tokens} tokens")

    def grade(problems: Sequence[Problem]) -> list[Sequence[Measured]]:
        prompts = [encode_problem(parts.tokenizer, parts.task, problem) for problem in problems]
        seeds = [[rollout_seed("evaluation", p.id, i) for i in range(count)] for p in problems]
        draw = partial(parts.turns.sample, problems) if parts.turns else parts.sampler.sample
        groups = draw(prompts, seeds, params, progress)
        verdicts = parts.pool.verify(
            (rollout.text, problem)
            for problem, group in zip(problems, groups, strict=True)
            for rollout in group
            if rollout.verdict is None
        )
        return [
            [
                measured(parts.task, problem, one.text, one.verdict or next(verdicts))
                for one in group
            ]
            for problem, group in zip(problems, groups, strict=True)
        ]

    return parts.ranks.map_shares(grade, problems)
