"""One evaluation from settings to files: the run folder holds all that a reader needs.

- samples.jsonl: the ledger, every response on a line
- regrades.jsonl: later verdicts on them, if any
- prompts.json: what was asked, as the model saw it, and the settings
- results.json: what was measured; the same for the same samples
- run.json: the last call: versions, time, failures
- report.html: the results for the eye
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from rewardkit.checks.columns import check_columns
from rewardkit.config import TaskConfig
from rewardkit.evaluation.asking.asking import Asking, asking_record
from rewardkit.evaluation.asking.limits import usual_lengths
from rewardkit.evaluation.asking.names import check_names
from rewardkit.evaluation.asking.problems import problem_sets
from rewardkit.evaluation.asking.settings import EvalSettings
from rewardkit.evaluation.drawing.ledger import Ledger, read_samples, refuse_second_writer
from rewardkit.evaluation.drawing.runner import Activity, OnSample, draw_missing, regrade
from rewardkit.evaluation.drawing.sets import ProblemSet, prompts_of, sets_to_draw, verifier_name
from rewardkit.evaluation.engines.base import Engine
from rewardkit.evaluation.engines.recorded import PROMPTS_FILE, RecordedEngine, prompt_record
from rewardkit.evaluation.measures.lengths import length_curve
from rewardkit.evaluation.measures.near import mark_near_misses, near_misses
from rewardkit.evaluation.measures.results import measured, overall
from rewardkit.evaluation.samples import Sample
from rewardkit.evaluation.stored import RUN_FILE, add_seconds, load_results, recorded_settings
from rewardkit.files import make_folder, write_json
from rewardkit.runs.manifest import versions
from rewardkit.runs.results import MODEL, RESULTS_FILE, Evaluation, SetResult, document
from rewardkit.tasks.remarks import remarks_on
from rewardkit.tasks.settings import settings_from, under_verifier
from rewardkit.types import Problem, Task

OWN = TaskConfig()
"""Grade as the settings of an evaluation say."""
PACKAGES = ("rewardkit", "torch", "transformers", "vllm")


def evaluate_model(
    settings: EvalSettings,
    *,
    regrade_only: bool = False,
    grader: TaskConfig = OWN,
    engine: Engine | None = None,
    progress: OnSample = lambda activity, wanted: None,
    note: Callable[[str], None] = lambda said: None,
) -> tuple[Evaluation, Activity]:
    """Draw what is missing (or only regrade), and write results.json and run.json.

    An engine that is given stays open; otherwise the one that the settings name is loaded. A
    `grader`, a `verifier`, `answer_in` or `lenient`, grades what was asked in the words of the
    settings, in the place of theirs.
    `note` is told before anything is drawn what of a task does not fit together.

    Raises:
        RewardkitError: of many kinds; what was drawn so far stays in the ledger.
    """
    refuse_second_writer(settings.run_dir)
    if engine is None:
        check_names(settings)
    make_folder(settings.run_dir)
    with ExitStack() as after:
        after.callback(_remove_if_empty, settings.run_dir)
        if engine is None and settings.engine == "openai":
            # A server is asked in no time whether it is there; a model that is loaded comes last.
            engine = after.enter_context(closing(settings.load_engine()))
        named = problem_sets(settings)
        if grader != OWN:
            settings = replace(settings, asking=_graded_by(grader, settings.asking))
            named = {name: (_by(grader, task), rows) for name, (task, rows) in named.items()}
        if engine is None:
            engine = after.enter_context(closing(settings.load_engine()))
        for said in sorted({said for task, _ in named.values() for said in remarks_on(task)}):
            note(said)
        sets = planned(settings, named, engine)
        with Ledger(settings.run_dir) as ledger:
            if not isinstance(engine, RecordedEngine):
                record = prompt_record(engine, settings.record(), prompts_of(sets))
                write_json(settings.run_dir / PROMPTS_FILE, record)
            if regrade_only:
                activity = regrade(sets, ledger, settings.workers)
            else:
                activity = draw_missing(sets, engine, ledger, settings.workers, progress)
            by_set = {one.name: measured(one, ledger.samples) for one in sets}
            _add_lengths(sets, by_set, ledger.samples, settings)
            for one in sets:
                mark_near_misses(by_set[one.name], near_misses(one, ledger.samples))
                _add_money(by_set[one.name], settings.price)
            found = _evaluation(settings, engine, by_set, activity.failures.total())
            write_json(settings.run_dir / RESULTS_FILE, document({MODEL: found}))
            run = _run_record(settings, sets, activity, healed=ledger.healed)
            run["seconds"] = {one.name: _seconds(one, ledger.samples) for one in sets}
            write_json(settings.run_dir / RUN_FILE, run)
            add_seconds(found, run["seconds"])
    return found, activity


def _remove_if_empty(folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()


def regrade_run(
    folder: Path,
    workers: int | None = None,
    grader: TaskConfig = OWN,
    *,
    trust: bool = False,
) -> tuple[Evaluation, Activity]:
    """Verify the responses of a run folder anew under its own settings, without its model.

    Args:
        folder: what `rewardkit eval` wrote.
        workers: how many verifier processes at most.
        grader: what grades this time, its `verifier`, `answer_in` or `lenient`, in the place of
            those of the settings.
        trust: whether the folder may name code that is imported or run.

    Raises:
        DataError: no run folder, or its tasks now ask something else.
        ConfigError: it names code, and is not trusted.
    """
    engine = RecordedEngine(folder)
    settings = recorded_settings(engine, folder, workers, verifier=grader.verifier, trust=trust)
    return evaluate_model(settings, regrade_only=True, grader=grader, engine=engine)


def lengths_of_run(
    folder: Path,
    limits: tuple[int, ...] | None,
    workers: int | None = None,
    *,
    trust: bool = False,
) -> Evaluation:
    """Return the results of a run folder with the score at each length, and write them there.

    `limits` are in tokens, by default the halvings of the longest response; else as `regrade_run`.

    Raises:
        DataError: no run folder, or its tasks now ask something else.
        ConfigError: the samples do not say how many tokens they have, or it names code.
    """
    found, engine = load_results(folder), RecordedEngine(folder)
    settings = recorded_settings(engine, folder, workers, trust=trust)
    samples = read_samples(folder)
    longest = max((sample.tokens for sample in samples.values()), default=1)
    settings = replace(settings, lengths=limits or usual_lengths(longest))
    sets = planned(settings, problem_sets(settings), engine)
    _add_lengths(sets, found["sets"], samples, settings)
    write_json(folder / RESULTS_FILE, document({MODEL: found}))
    return found


def _add_lengths(
    sets: Sequence[ProblemSet],
    results: Mapping[str, SetResult],
    samples: Mapping[str, Sample],
    settings: EvalSettings,
) -> None:
    for one in sets if settings.lengths else ():
        curve = length_curve(one, samples, settings.lengths, settings.workers)
        results[one.name]["lengths"] = [dict(row) for row in curve]


def _add_money(row: SetResult, price: tuple[float, float] | None) -> None:
    if price is not None:
        tokens = row["tokens"]
        of_prompts, of_responses = price
        tokens["money"] = (tokens["prompt"] * of_prompts + tokens["response"] * of_responses) / 1e6


def _seconds(one: ProblemSet, samples: Mapping[str, Sample]) -> float:
    """Return how long the responses of a set took to come, each for itself."""
    return round(sum(samples[slot.key].seconds for slot in one.slots if slot.key in samples), 3)


def planned(
    settings: EvalSettings, named: Mapping[str, tuple[Task, Sequence[Problem]]], engine: Engine
) -> list[ProblemSet]:
    """Lay out every sample that the settings ask for."""
    return sets_to_draw(
        *(named, engine, settings.samples, settings.seed),
        samples_of=settings.samples_of,
        grade_reasoning=settings.asking.grade_reasoning,
    )


def _by(grader: TaskConfig, task: Task) -> Task:
    found = under_verifier(task, grader)
    check_columns(found)
    return found


def _graded_by(grader: TaskConfig, asking: Asking) -> Asking:
    """Return the way of asking with what grades in the place of its own."""
    if grader.lenient or grader.answer_in:
        asking = replace(asking, answer_in=tuple(grader.answer_in), lenient=grader.lenient)
    return replace(asking, verifier=grader.verifier or asking.verifier)


def _evaluation(
    settings: EvalSettings, engine: Engine, sets: dict[str, SetResult], failures: int
) -> Evaluation:
    # Said by a flag or by --set, the same is recorded the same.
    own = settings_from(settings.tasks[0], settings.task_arguments, settings.task_settings)
    asking = settings.asking.with_settings(own)
    sampled = ("max_tokens", "temperature", "top_p", "top_k")
    return {
        "step": None,
        "model": settings.model,
        "fingerprint": engine.fingerprint,
        "engine": settings.engine,
        "seed": settings.seed,
        "sampling": {
            "samples_per_problem": settings.samples,
            **{name: getattr(engine.decoding, name) for name in sampled},
        },
        "asking": asking_record(asking, engine.decoding),
        "complete": all(row["complete"] for row in sets.values()),
        "generation_errors": failures,
        "overall": overall(sets),
        "sets": sets,
    }


def _run_record(
    settings: EvalSettings, sets: Sequence[ProblemSet], activity: Activity, *, healed: int
) -> dict[str, Any]:
    counts = ("drawn", "reused", "regraded", "tokens")
    return {
        "tasks": list(settings.tasks),
        "task_arguments": dict(settings.task_arguments),
        "limit": settings.limit,
        "verifiers": {one.name: verifier_name(one.task.verifier) for one in sets},
        "last_call": {
            **{name: getattr(activity, name) for name in counts},
            "torn_lines_cut": healed,
            "seconds": round(activity.seconds, 3),
            "failures": dict(activity.failures),
        },
        "python": sys.version.split()[0],
        "platform": platform.platform(),
        "versions": versions(PACKAGES),
    }
