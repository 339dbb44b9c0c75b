"""Samplers in real training: a small model and arithmetic of mixed difficulty, by each sampler.

    python benchmarks/sampling_train.py make MODEL             # the tiny model all runs start from
    python benchmarks/sampling_train.py run MODEL OUT --seeds 0 1 2 3 4
    python benchmarks/sampling_train.py table OUT --plot docs/samplers-trained.svg

Sums and products of one and two digits: the model gives most one-digit sums, and no product of
two-digit numbers. Every run takes DAPO's recipe from the same weights; what differs is the
sampler. `rated` knows how often the model is right on each level, as a data set with solve rates
would. Compared are the tokens generated until the held-out accuracy that DAPO's filter, or uniform
sampling, ends with. Runs that OUT holds are not repeated.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import shutil
import statistics
import sys
from pathlib import Path
from typing import Any

from rewardkit.types import Problem, Task
from rewardkit_tasks.arithmetic import Level, TrainingStream, chat, held_out_problems
from rewardkit_tasks.boxed import BoxedMath

LEVELS = tuple(
    Level(operation, digits) for operation in "+*" for digits in ((1, 1), (2, 1), (2, 2))
)
MOPPS = "sampling.curriculum.rule=mopps"
RATED = "sampling.curriculum.prior=RATES"
ROUNDS_OF_4 = [
    "sampling.group_size=4",
    "sampling.sizes.rule=reinforce_ada",
    "sampling.sizes.rounds=2",
    "sampling.sizes.enough=1",
]
# A step of the last two costs fewer tokens: they take more of them.
ARMS = {
    "uniform": ["recipe.filter_groups=false"],
    "dapo": [],
    "mopps": [MOPPS],
    "mopps, rated": [MOPPS, RATED, "steps=120"],
    "mopps, rated, rounds of 4": [MOPPS, RATED, *ROUNDS_OF_4, "steps=160"],
}
TINY: dict[str, Any] = {
    "steps": 80,
    "sampling": {"problems": 16, "group_size": 8, "max_tokens": 12, "rounds": 8},
    "optim": {"lr": 4e-4, "warmup_steps": 10, "tokens_per_micro_batch": 4096},
    "eval": {"samples": 8, "problems": 192, "every": 10},
}
PROBLEMS = 4096


def main() -> None:
    """Make the model, train, or print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("make")
    command.add_argument("model", type=Path)
    command.add_argument("--steps", type=int, default=1750)
    command = commands.add_parser("run")
    command.add_argument("model", type=Path)
    command.add_argument("out", type=Path)
    command.add_argument("--seeds", type=int, nargs="+", default=range(5))
    command.add_argument("--arms", nargs="+", choices=ARMS, default=list(ARMS))
    command = commands.add_parser("table")
    command.add_argument("out", type=Path)
    command.add_argument("--plot", type=Path)
    arguments = parser.parse_args()
    if arguments.command == "make":
        make(arguments.model, arguments.steps)
    elif arguments.command == "run":
        for seed, arm in itertools.product(arguments.seeds, arguments.arms):
            run(arguments.model.resolve(), arguments.out, seed, arm)
    else:
        found = courses_of(arguments.out)
        table(found)
        if arguments.plot:
            draw(found, arguments.plot)


def mixed() -> Task:
    """Return the task: six levels, distinct training problems, held-out pairs of all levels."""
    train = distinct(TrainingStream(LEVELS, 0, 1 << 30), PROBLEMS)
    return Task("mixed arithmetic", train, held_out_problems(LEVELS, 192), chat, BoxedMath())


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

    rates: dict[tuple[str, int, int], float] = {}
    for level in LEVELS:
        problems = held_out_problems([level], 64)
        lessons = Task("lessons", problems, [], chat, BoxedMath())
        prefix, rows, is_answer = tiny._lessons(tokenizer, lessons)
        with torch.no_grad():
            found = packed_scores(model, [prefix] * len(rows), rows).logprobs
        right = (found * is_answer[:, : found.shape[1]]).sum(1).exp()
        rates[(level.operation, *level.digits)] = float(right.mean())
    with open(folder / "rates.jsonl", "w") as file:
        for problem in mixed().train:
            left, operation, right_ = problem.id.split()
            rate = rates[operation, len(left), len(right_)]
            file.write(json.dumps({"id": problem.id, "solve_rate": rate}) + "\n")


def run(model: Path, out: Path, seed: int, arm: str) -> None:
    """Train one arm with one seed, unless that is done."""
    from rewardkit.config import config_from
    from rewardkit_native.loop import train

    folder = out / f"{arm}-{seed}"
    if (folder / "done").exists():
        return
    data = {
        "folder": str(folder),
        "seed": seed,
        "model": {"name": str(model), "dtype": "float32"},
        "task": {"name": "sampling_train:mixed"},
        "recipe": {"name": "dapo", "minibatches": 1},
        "guards": {"stop": []},
        "checkpoint": {"every": 0, "keep": 1},
        "records": {"every": 1000},
        **TINY,
    }
    settings = [text.replace("RATES", str(model / "rates.jsonl")) for text in ARMS[arm]]
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
