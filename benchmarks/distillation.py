"""What a teacher is worth: held-out accuracy against tokens drawn, with and without one.

    python benchmarks/distillation.py --out OUT

The teacher is SmolLM2-135M-Instruct after `examples/arithmetic_dapo.toml`. Its untrained copies
learn the same task, 32 responses a step, from the teacher (`opd`, and `sft`: fine-tuning on the
teacher's own responses), or without it (`grpo`, and `sdpo`: from what verdicts say). Each run is a
process of its own; runs that OUT holds are not repeated.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import shutil
import statistics
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from rewardkit.config import RunConfig, load_config
from rewardkit.runs import RunFolder

EXAMPLE = Path(__file__).parents[1] / "examples" / "arithmetic_dapo.toml"
GOAL = 0.8
"""The accuracy that tokens are counted to."""
WITH_TEACHER = ("opd", "opd_dapo", "gkd")
Curve = list[tuple[int, float]]
"""(tokens drawn so far, held-out accuracy) at each evaluation."""


def settings(arguments: argparse.Namespace, method: str, seed: int) -> list[str]:
    """Return what a run changes in the example."""
    found = [f"steps={arguments.steps}", f"seed={seed}", f"eval.every={arguments.every}"]
    found += [f"folder={arguments.out / f'{method}-{seed}'}", "checkpoint.every=0"]
    found += [*arguments.set, f"recipe.name={method if method != 'sft' else 'opd'}"]
    if method in (*WITH_TEACHER, "sft"):
        found.append(f"model.teacher={arguments.out / 'teacher'}")
    return found


def train(settings: list[str]) -> None:
    """Run the example with some settings."""
    command = [sys.executable, "-m", "rewardkit", "train", str(EXAMPLE), "--overwrite"]
    for setting in settings:
        command += ["--set", setting]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def run_missing(arguments: argparse.Namespace) -> None:
    """Train the teacher, then each student with each seed."""
    out: Path = arguments.out
    if not (out / "teacher" / "results.json").exists():
        train([f"folder={out / 'teacher'}", "seed=0", *arguments.set])
    for seed in arguments.seeds:
        for method in arguments.methods:
            folder = out / f"{method}-{seed}"
            if (folder / "curve.json").exists():
                continue
            print(f"{method}, seed {seed} ...", flush=True)
            asked = settings(arguments, method, seed)
            if method == "sft":
                fine_tune(load_config(EXAMPLE, asked), folder)
            else:
                train(asked)
                (folder / "curve.json").write_text(json.dumps(curve(folder)) + "\n")
                shutil.rmtree(folder / "checkpoints")


def curve(folder: Path) -> Curve:
    """Return a training run's curve."""
    run = RunFolder(folder)
    drawn = [int(row["tokens_drawn"]) for row in run.rows("metrics.jsonl")]
    found = [(one["step"], one["sets"]["test"]) for one in run.evaluations().values()]
    return sorted((sum(drawn[:step]), float(test["accuracy"])) for step, test in found)


def fine_tune(config: RunConfig, folder: Path) -> None:
    """Fine-tune on the teacher's responses, all of them, as many a step as the others draw."""
    import torch

    from rewardkit.report.display import Display
    from rewardkit.training_step import Update, plan_step
    from rewardkit_native.distributed.parallel import Ranks
    from rewardkit_native.evaluate import held_out
    from rewardkit_native.learning.batch import make_batch
    from rewardkit_native.recovery.interrupt import Interrupt
    from rewardkit_native.setup import make_collector, prepare

    torch.set_num_threads(max(config.model.threads, 1))
    teaching = replace(config, model=replace(config.model, name=config.model.teacher))
    teacher, student = prepare(teaching, Ranks()), prepare(config, Ranks())
    display, found, tokens = Display(config, quiet=True), Curve(), 0
    with teacher.pool, student.pool, Interrupt() as interrupt:
        drawer = make_collector(teaching, teacher)
        student.sampler.refresh(student.source)
        for step in range(config.steps + 1):
            if step % config.eval.every == 0:
                sets = held_out(config, student, "after", interrupt, display)
                found.append((tokens, sets["test"]["accuracy"]))
            if step == config.steps:
                break
            drawn = drawer.collect(step + 1)
            batch = make_batch(drawn.groups, drawn.prompts)
            plan = plan_step(config.recipe, batch, student.updater.score(batch), [])
            rows, size = torch.arange(len(batch)), int(batch.response.sum())
            each = torch.ones(len(batch), dtype=torch.float64)
            # The policy's gradient with advantages of 1 is the likelihood's.
            plan = replace(
                plan,
                updates=(Update(rows, rows, size, None),),
                advantages=each,
                weights=each / size,
            )
            student.updater.run(batch, plan)
            student.sampler.refresh(student.source)
            tokens += drawn.tally.tokens
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "curve.json").write_text(json.dumps(found) + "\n")


def tokens_to_goal(found: Curve) -> float:
    """Return the tokens drawn where the line between two evaluations first reaches the goal."""
    for (before, low), (after, high) in itertools.pairwise(found):
        if high >= GOAL:
            return before + (after - before) * max(0.0, GOAL - low) / max(high - low, 1e-9)
    return math.nan


def mean_and_error(values: list[float], digits: int) -> str:
    """Return a mean with its standard error over runs."""
    error = statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else math.nan
    return f"{statistics.fmean(values):,.{digits}f} ± {error:,.{digits}f}"


def show(arguments: argparse.Namespace) -> None:
    """Print a row a run, and a row a method."""
    print("| method | seed | tokens drawn: accuracy |\n|---|---|---|")
    curves: dict[str, list[Curve]] = {method: [] for method in arguments.methods}
    for method in arguments.methods:
        for seed in arguments.seeds:
            file = arguments.out / f"{method}-{seed}" / "curve.json"
            if file.exists():
                curves[method].append(found := json.loads(file.read_text()))
                points = ", ".join(f"{tokens:,}: {accuracy:.3f}" for tokens, accuracy in found)
                print(f"| {method} | {seed} | {points} |")
    print(f"\n| method | runs | last accuracy | tokens drawn | tokens to {GOAL}, where reached |")
    print("|---|---|---|---|---|")
    for method, found in curves.items():
        if not found:
            continue
        last = [mean_and_error([one[-1][i] for one in found], 3 * i) for i in (1, 0)]
        goals = [goal for one in found if not math.isnan(goal := tokens_to_goal(one))]
        goal = f"{mean_and_error(goals, 0)} ({len(goals)} of {len(found)})" if goals else "none"
        print(f"| {method} | {len(found)} | {' | '.join(last)} | {goal} |")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, required=True, help="folder of the runs")
    parser.add_argument("--methods", nargs="+", default=["opd", "grpo", "sft", "sdpo"])
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--steps", type=int, default=8)
    parser.add_argument("--every", type=int, default=2, help="steps between two evaluations")
    parser.add_argument("--set", action="append", default=[], metavar="a.b=c")
    arguments = parser.parse_args()
    run_missing(arguments)
    show(arguments)


if __name__ == "__main__":
    main()
