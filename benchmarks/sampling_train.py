"""Samplers in real training: a small model and arithmetic of mixed difficulty, by each sampler.

    python benchmarks/sampling_train.py make MODEL             # the tiny model all runs start from
    python benchmarks/sampling_train.py run MODEL OUT --seeds 0 1 2 3 4
    python benchmarks/sampling_train.py rate OUT               # SmolLM2-135M, as it comes
    python benchmarks/sampling_train.py run smollm2-135m OUT --arms uniform dapo "mopps, rated"
    python benchmarks/sampling_train.py table OUT --plot docs/samplers-trained.svg

Sums and products of one and two digits: the model gives most one-digit sums, and no product of
two-digit numbers. Every run takes DAPO's recipe from the same weights; what differs is the
sampler. `rated` knows how often the model is right on each level, as a data set with solve rates
would; SmolLM2's come from `rewardkit rate` on a few problems of each. Compared are the tokens
generated until the held-out accuracy that DAPO's filter, or uniform sampling, ends with. Runs that
OUT holds are not repeated.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

from rewardkit.types import Problem, Task
from rewardkit_tasks.arithmetic import Level, TrainingStream, chat, held_out_problems
from rewardkit_tasks.boxed import BoxedMath

LEVELS = tuple(
    Level(operation, digits) for operation in "+*" for digits in ((1, 1), (2, 1), (2, 2))
)
Kind = tuple[str, int, int]
LARGE_NAME = "smollm2-135m"
MOPPS = "sampling.curriculum.rule=mopps"
RATED = "sampling.curriculum.prior=RATES"
ROUNDS_OF_4 = [
    "sampling.group_size=4",
    "sampling.sizes.rule=reinforce_ada",
    "sampling.sizes.rounds=2",
    "sampling.sizes.enough=1",
]
NO_FILTER = "recipe.filter_groups=false"
ARMS = {
    "uniform": [NO_FILTER],
    "dapo": [],
    "mopps": [MOPPS],
    "mopps, rated": [MOPPS, RATED],
    "mopps, rated, no filter": [MOPPS, RATED, NO_FILTER],
    "mopps, rated, rounds of 4": [MOPPS, RATED, *ROUNDS_OF_4],
}
LONGER = {"mopps, rated": 1.5, "mopps, rated, rounds of 4": 2}
"""A step of these costs the tiny model fewer tokens: it takes more of them."""
TINY: dict[str, Any] = {
    "steps": 80,
    "sampling": {"problems": 16, "group_size": 8, "max_tokens": 12, "rounds": 8},
    "optim": {"lr": 4e-4, "warmup_steps": 10, "tokens_per_micro_batch": 4096},
    "eval": {"samples": 8, "problems": 192, "every": 10},
}
# The answers of a model that was taught elsewhere are longer, and a step of it takes seconds.
LARGE: dict[str, Any] = {
    "steps": 12,
    "sampling": {"problems": 8, "group_size": 8, "max_tokens": 32, "rounds": 8},
    "optim": {"lr": 1e-5},
    "eval": {"samples": 4, "problems": 48, "every": 2},
}
PROBLEMS = 4096
A_LEVEL = 32
"""Problems of each level for the large model: few have one digit, and it is to see them all."""


def main() -> None:
    """Make the model, train, or print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("make")
    command.add_argument("model", type=Path)
    command.add_argument("--steps", type=int, default=1750)
    command = commands.add_parser("run")
    command.add_argument("model")
    command.add_argument("out", type=Path)
    command.add_argument("--seeds", type=int, nargs="+", default=range(5))
    command.add_argument("--arms", nargs="+", choices=ARMS, default=list(ARMS))
    command = commands.add_parser("rate")
    command.add_argument("out", type=Path)
    command = commands.add_parser("table")
    command.add_argument("out", type=Path)
    command.add_argument("--plot", type=Path)
    arguments = parser.parse_args()
    if arguments.command == "make":
        make(arguments.model, arguments.steps)
    elif arguments.command == "run":
        for seed, arm in itertools.product(arguments.seeds, arguments.arms):
            run(arguments.model, arguments.out, seed, arm)
    elif arguments.command == "rate":
        rate_large(arguments.out)
    else:
        found = courses_of(arguments.out)
        table(found)
        if arguments.plot:
            draw(found, arguments.plot)


def mixed() -> Task:
    """Return the task: six levels, distinct training problems, held-out pairs of all levels."""
    train = distinct(TrainingStream(LEVELS, 0, 1 << 30), PROBLEMS)
    return Task("mixed arithmetic", train, held_out_problems(LEVELS, 192), chat, BoxedMath())


def balanced() -> Task:
    """Return the large model's task: as many distinct training problems of each level."""
    streams = [TrainingStream((level,), 0, 1 << 30) for level in LEVELS]
    train = [problem for stream in streams for problem in distinct(stream, A_LEVEL)]
    test = [problem for level in LEVELS for problem in held_out_problems([level], 8)]
    return Task("balanced arithmetic", train, test, chat, BoxedMath())


def distinct(stream: TrainingStream, count: int) -> list[Problem]:
    """Return the first `count` different problems of a stream."""
    found: dict[str, Problem] = {}
    for index in itertools.count():
        found.setdefault(stream[index].id, stream[index])
        if len(found) == count:
            break
    return list(found.values())


def make(folder: Path, steps: int) -> None:
    """Teach a model from nothing by imitating right answers of an endless stream."""
    import torch

    from rewardkit.tasks import load_task
    from rewardkit_native.model import tiny
    from rewardkit_native.model.logprobs import packed_scores

    torch.set_num_threads(1)
    tokenizer = tiny._tokenizer(load_task("arithmetic", operations=["+"]))
    torch.manual_seed(0)
    model = tiny._model(tokenizer)
    optimiser = torch.optim.AdamW(model.parameters(), lr=2e-3, betas=(0.9, 0.95), weight_decay=0)
    shares = (1, 2, 2, 2, 1, 1)
    levels = [level for level, share in zip(LEVELS, shares, strict=True) for _ in range(share)]
    stream, batch = TrainingStream(tuple(levels), 12345, 1 << 30), 64
    for step in range(steps):
        problems = list(stream[step * batch : (step + 1) * batch])
        lessons = Task("lessons", problems, [], chat, BoxedMath())
        prefix, rows, is_answer = tiny._lessons(tokenizer, lessons)
        for group in optimiser.param_groups:
            group["lr"] = 2e-3 * min((step + 1) / 50, 1)
        found = packed_scores(model, [prefix] * len(rows), rows).logprobs
        kept = is_answer[:, : found.shape[1]]
        loss = -(found * kept).sum() / kept.sum()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad()
        if step % 100 == 0:
            print(f"step {step}: {float(loss.detach()):.3f} nats a token", flush=True)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    rate(folder, model, tokenizer)


def rate(folder: Path, model: Any, tokenizer: Any) -> None:
    """Write each training problem's solve rate: that of its level, on 64 held-out problems."""
    import torch

    from rewardkit_native.model import tiny
    from rewardkit_native.model.logprobs import packed_scores

    rates: dict[Kind, float] = {}
    for level in LEVELS:
        problems = held_out_problems([level], 64)
        lessons = Task("lessons", problems, [], chat, BoxedMath())
        prefix, rows, is_answer = tiny._lessons(tokenizer, lessons)
        with torch.no_grad():
            found = packed_scores(model, [prefix] * len(rows), rows).logprobs
        right = (found * is_answer[:, : found.shape[1]]).sum(1).exp()
        rates[(level.operation, *level.digits)] = float(right.mean())
    write_rates(folder, mixed(), rates)


def levels() -> Task:
    """Return 16 held-out problems of each level, to be rated."""
    problems = [problem for level in LEVELS for problem in held_out_problems([level], 16)]
    return Task("levels of arithmetic", problems, [], chat, BoxedMath())


def rate_large(folder: Path) -> None:
    """Write each training problem's solve rate: that of its level, in SmolLM2-135M's responses."""
    table = folder / "levels.jsonl"
    command = ["rate", LARGE_NAME, "--task", "sampling_train:levels", "--out", str(table)]
    drawn = ["--samples", "8", "--max-tokens", str(LARGE["sampling"]["max_tokens"])]
    command += [*drawn, "--engine", "fast", "--run-dir", str(folder / "rated")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-m", "rewardkit", *command], check=True, env=environment)
    found: dict[Kind, list[float]] = {}
    for line in table.read_text().splitlines():
        row = json.loads(line)
        found.setdefault(kind(row["id"]), []).append(row["solve_rate"])
    means = {level: statistics.fmean(rates) for level, rates in found.items()}
    write_rates(folder, balanced(), means)


def kind(problem_id: str) -> Kind:
    """Return a problem's operation and the digits of both operands."""
    left, operation, right = problem_id.split()
    return operation, len(left), len(right)


def write_rates(folder: Path, task: Task, rates: dict[Kind, float]) -> None:
    """Write `rates.jsonl`, a sampler's prior."""
    print({" ".join(map(str, level)): round(rate, 3) for level, rate in rates.items()})
    with open(folder / "rates.jsonl", "w") as file:
        for problem in task.train:
            row = {"id": problem.id, "solve_rate": rates[kind(problem.id)]}
            file.write(json.dumps(row) + "\n")


def run(model: str, out: Path, seed: int, arm: str) -> None:
    """Train one arm with one seed, unless that is done."""
    from rewardkit.config import config_from
    from rewardkit_native.loop import train

    folder = out / f"{arm}-{seed}"
    if (folder / "done").exists():
        return
    large = model == LARGE_NAME
    rates = (out if large else Path(model)).resolve() / "rates.jsonl"
    data: dict[str, Any] = {
        "folder": str(folder),
        "seed": seed,
        "model": {"name": model, **({} if large else {"dtype": "float32"})},
        "task": {"name": f"sampling_train:{'balanced' if large else 'mixed'}"},
        "recipe": {"name": "dapo", "minibatches": 1},
        "guards": {"stop": []},
        "checkpoint": {"every": 0, "keep": 1},
        "records": {"every": 1000},
        **(LARGE if large else TINY),
    }
    if not large:
        data["steps"] = int(data["steps"] * LONGER.get(arm, 1))
    settings = [text.replace("RATES", str(rates)) for text in ARMS[arm]]
    train(config_from(data, settings), overwrite=True)
    shutil.rmtree(folder / "checkpoints")
    (folder / "done").touch()


def course(folder: Path) -> list[tuple[float, float]]:
    """Return (tokens generated so far, held-out accuracy) at each evaluation of a run."""
    from rewardkit.runs import RunFolder

    recorded = RunFolder(folder)
    rows = recorded.rows("metrics.jsonl")
    spent = dict(enumerate(itertools.accumulate((r["tokens_drawn"] for r in rows), initial=0.0)))
    last = {"before": 0, "after": len(rows)}
    points = {
        last.get(label) if label in last else int(label.removeprefix("step-")): one
        for label, one in recorded.evaluations().items()
    }
    return [(spent[step], points[step]["sets"]["test"]["accuracy"]) for step in sorted(points)]


def mean_curve(courses: list[list[tuple[float, float]]]) -> tuple[Any, Any]:
    """Return tokens and held-out accuracy on the mean of several runs of as many evaluations.

    Inside, an accuracy is the mean of three evaluations: their sampling error, not learning, would
    otherwise decide when a level is first reached.
    """
    import numpy as np

    tokens, accuracy = np.mean(courses, axis=0).T
    accuracy[1:-1] = np.convolve(accuracy, np.ones(3) / 3, "valid")
    return tokens, accuracy


def tokens_to(courses: list[list[tuple[float, float]]], goal: float) -> float:
    """Return the tokens after which the mean of several runs first has an accuracy, or inf."""
    tokens, accuracy = mean_curve(courses)
    for (before, low), (after, high) in itertools.pairwise(zip(tokens, accuracy, strict=True)):
        if high >= goal:
            return float(before + (after - before) * max(goal - low, 0) / max(high - low, 1e-9))
    return math.inf


def ratios_to(base: str, found: dict[str, list[list[tuple[float, float]]]]) -> dict[str, str]:
    """Return each arm's tokens to the base's last accuracy over the base's, with 90 % bootstrap."""
    import numpy as np

    chance, seeds = np.random.default_rng(0), len(found[base])
    picks = [np.arange(seeds), *chance.integers(0, seeds, (1000, seeds))]
    rows: dict[str, list[float]] = {arm: [] for arm in found}
    for pick in picks:
        chosen = {arm: [courses[i] for i in pick] for arm, courses in found.items()}
        goal = mean_curve(chosen[base])[1][-2:].mean()
        needed = tokens_to(chosen[base], goal)
        for arm, courses in chosen.items():
            rows[arm].append(tokens_to(courses, goal) / needed)
    texts = {}
    for arm, (ratio, *again) in rows.items():
        low, high = np.quantile(again, (0.05, 0.95), method="nearest")
        texts[arm] = f"{ratio:.2f} ({low:.2f} to {high:.2f})"
    return texts


def courses_of(out: Path) -> dict[str, list[list[tuple[float, float]]]]:
    """Return the courses of all finished runs, by arm."""
    found = {
        arm: [course(path.parent) for path in sorted(out.glob(f"{arm}-*/done"))] for arm in ARMS
    }
    return {arm: courses for arm, courses in found.items() if courses}


def table(found: dict[str, list[list[tuple[float, float]]]]) -> None:
    """Print each arm's tokens to the accuracy that DAPO's filter and uniform end with."""
    over_dapo, over_uniform = ratios_to("dapo", found), ratios_to("uniform", found)
    print(
        "| sampler | runs | tokens to DAPO's last accuracy, x DAPO's (90 %) | to uniform's, x "
        "uniform's | accuracy, first | last | tokens |\n|---|---|---|---|---|---|---|"
    )
    for arm, courses in found.items():
        first, last = (spread([course[end][1] for course in courses]) for end in (0, -1))
        tokens = statistics.fmean(course[-1][0] for course in courses)
        print(
            f"| {arm} | {len(courses)} | {over_dapo[arm]} | {over_uniform[arm]} | {first} | "
            f"{last} | {tokens:,.0f} |"
        )


def draw(found: dict[str, list[list[tuple[float, float]]]], path: Path) -> None:
    """Draw each arm's held-out accuracy over the tokens generated, with its standard error."""
    import matplotlib
    import numpy as np

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6.5, 3.2), layout="constrained")
    for arm, courses in found.items():
        tokens, accuracy = mean_curve(courses)
        error = np.std(courses, axis=0, ddof=1)[:, 1] / len(courses) ** 0.5
        axes.plot(tokens, accuracy, label=arm)
        axes.fill_between(tokens, accuracy - error, accuracy + error, alpha=0.15)
    axes.set(xlabel="tokens generated", ylabel="held-out accuracy")
    axes.legend(fontsize=7)
    figure.savefig(path, metadata={"Date": None})


def spread(values: list[float]) -> str:
    """Return mean ± standard deviation."""
    deviation = statistics.stdev(values) if len(values) > 1 else math.nan
    return f"{statistics.fmean(values):.3f} ± {deviation:.3f}"


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))  # the runs' task is `sampling_train:mixed`
    main()
