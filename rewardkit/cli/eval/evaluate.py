"""`rewardkit eval`: measure a checkpoint on held-out problems, and say how sure the number is."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Literal

from rewardkit.cli.options.asking import PARTIAL, Ask, settings_of
from rewardkit.cli.printing import interruptible, print_evaluation, print_json, print_notes
from rewardkit.config.flags import Unset
from rewardkit.errors import DataError, ModelError
from rewardkit.evaluation.asking.trained import computed_otherwise, trained_otherwise
from rewardkit.evaluation.drawing.ledger import SAMPLES_FILE
from rewardkit.evaluation.models import older_than_shards
from rewardkit.pages.console import Console
from rewardkit.runs.results import MODEL, RESULTS_FILE, document

CONTESTS = "aime24,aime25,aime26"
"""What a model is measured on by default."""


def evaluate(
    *,
    model: str,
    task: str = CONTESTS,
    split: Literal["test", "train"] = "test",
    run_dir: Unset[Path] = None,
    problems: bool = False,
    json: bool = False,
    ask: Ask = Ask(),
) -> None:
    """Sample a model on one or several tasks, and print and write what it is worth.

    Killed at any moment, the same command draws only what is missing; more samples top up. Where
    responses never came, it exits with 3. Further commands have a --help of their own:
    `rewardkit eval regrade` verifies stored responses anew, or tells what smaller token limits
    would have cost, `responses` grades a file of them, `sweep` evaluates each checkpoint of a run.
    A task's further held-out sets (TASK/NAME) are measured too.

    Args:
        model: a folder, checkpoint, run folder, Hugging Face id, or the name a server knows.
        task: comma-separated task names, file:PATH, NAME=PATH for a copy of a known set, or the
            folder of a run for what it learned, asked and graded as it was.
        split: train asks the problems that the task trains on.
        run_dir: where samples, results and report go; by default eval-runs/MODEL.
        problems: print one line a problem for sets of more than 30 problems, too.
        json: print one JSON object instead of tables.
        ask: how the model is asked and sampled.
    """
    settings = settings_of(model, run_dir, task, ask, split)
    from rewardkit.evaluation.drawing.progress import LiveProgress
    from rewardkit.evaluation.session import evaluate_model

    console = Console(stderr=json)
    told = [trained_otherwise(settings), computed_otherwise(settings), older_than_shards(model)]
    print_notes(console, told)
    earlier = _sets_in(settings.run_dir)

    def say(remark: str) -> None:
        print_notes(console, [f"NOTE {remark}"])

    with interruptible(console), LiveProgress(Console(stderr=True), settings.model) as live:
        results, activity = evaluate_model(settings, progress=live, note=say)
    print_evaluation(settings.run_dir, results, activity, console, all_problems=problems)
    print_notes(console, _notes(earlier, results["sets"], activity.regraded))
    if not any(row["samples"] for row in results["sets"].values()):
        reason = next(iter(activity.failures), "no reason given")
        raise ModelError(f"not one response came: {reason}")
    if json:
        print_json(document({MODEL: results}))
    if not results["complete"]:
        raise SystemExit(PARTIAL)


def _sets_in(folder: Path) -> Collection[str]:
    """Return the sets that an earlier call measured into a folder."""
    from rewardkit.evaluation.stored import load_results

    try:
        return load_results(folder)["sets"]
    except DataError:  # none yet, or what this call replaces anyway
        return ()


def _notes(earlier: Collection[str], there: Collection[str], regraded: int) -> Iterator[str]:
    if regraded:
        yield f"graded anew with another verifier or gold: {regraded} verdicts changed"
    if gone := [name for name in earlier if name not in there]:
        yield _note_of_replaced(gone, there)


def _note_of_replaced(gone: Collection[str], there: Collection[str]) -> str:
    """Return what to say where results of an earlier call are no longer in results.json.

    They are not kept beside the new ones: one evaluation has one model, one way of sampling and
    one overall score.
    """
    return (
        f"NOTE {RESULTS_FILE} had {', '.join(gone)} from an earlier call, and now holds "
        f"{', '.join(there)} only; {SAMPLES_FILE} keeps the responses of both. To have both, name "
        "both tasks in one call, --task A,B (what was drawn in the same way is not drawn again), "
        "or give each its own --run-dir"
    )
