"""Samplers in real training: a small model and arithmetic of mixed difficulty, by each sampler.

    python benchmarks/sampling_train.py make MODEL             # the tiny model all runs start from
    python benchmarks/sampling_train.py run MODEL OUT --seeds 0 1 2 3 4
    python benchmarks/sampling_train.py rate OUT               # SmolLM2-135M, as it comes
    python benchmarks/sampling_train.py run smollm2-135m OUT --arms ARM ARM ...
    python benchmarks/sampling_curves.py OUT --plot docs/samplers-smollm2.svg

Sums and products of one and two digits: the model gives most one-digit sums, and no product of
two-digit numbers. The large model gets products of up to four digits besides, since of a real data
set, too, most is too hard for a small model; `--set task.args.hard=false` leaves them out. Every
run takes DAPO's recipe from the same weights; what differs is the sampler. `rated` knows how often
the model is right on each level, as a data set with solve rates would; SmolLM2's come from
`rewardkit curate rate`, for each problem. `--set` lies over every arm. Runs that OUT holds are not
repeated.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from rewardkit.types import Problem, Task
from rewardkit.verifiers import MathVerifier
from rewardkit_tasks.arithmetic import Level, TrainingStream, chat, held_out_problems

LEVELS = tuple(
    Level(operation, digits) for operation in "+*" for digits in ((1, 1), (2, 1), (2, 2))
)
HARD = tuple(Level("*", digits) for digits in ((3, 2), (3, 3), (4, 3), (4, 4)))
LARGE_NAME = "smollm2-135m"
MOPPS = "sampling.curriculum.rule=mopps"
RATED = "sampling.curriculum.prior=RATES"
POOLS = [
    "sampling.curriculum.rule=pools",
    "sampling.curriculum.prior=LEVELS",
    "sampling.curriculum.bounds=[0.01,0.9]",
    "sampling.curriculum.weights=[1,0.1,1,0.2]",
]
"""A tenth of the chance for what was never solved, by level or at its last visit."""
WELL_RATED = [
    "sampling.curriculum.prior_strength=8",
    "sampling.curriculum.candidates=160",
    "sampling.curriculum.explore=0",
]
"""Of the large model's few problems each is rated by 8 responses, and all are looked at."""
DRIFT = ["sampling.curriculum.drift=0.1", "sampling.curriculum.kind=column:level"]
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
    "mopps, rated, no filter": [MOPPS, RATED, *WELL_RATED, NO_FILTER],
    "mopps, rated, drift": [MOPPS, RATED, *WELL_RATED, NO_FILTER, *DRIFT],
    "pools, rated by level": [*POOLS, NO_FILTER],
    "mopps, rated, rounds of 4": [MOPPS, RATED, *ROUNDS_OF_4],
}
STEPS = {"mopps, rated": 1.5, "mopps, rated, rounds of 4": 2}
"""A step of these costs the tiny model fewer tokens: it takes more of them."""
LARGE_STEPS = {"dapo": 0.5}
"""A step of this costs the large model several times the tokens: most groups are thrown away."""
TINY: dict[str, Any] = {
    "steps": 80,
    "sampling": {"problems": 16, "group_size": 8, "max_tokens": 12, "rounds": 8},
    "optim": {"lr": 4e-4, "warmup_steps": 10, "tokens_per_micro_batch": 4096},
    "eval": {"samples": 8, "problems": 192, "every": 10},
}
# The answers of a model that was taught elsewhere are longer, and a step of it takes seconds.
LARGE: dict[str, Any] = {
    "steps": 48,
    # Up to 25 groups have to be drawn for two that are mixed.
    "sampling": {"problems": 2, "group_size": 8, "max_tokens": 32, "rounds": 32},
    "optim": {"lr": 2e-5},
    "eval": {"samples": 2, "problems": 80, "every": 8},
}
PROBLEMS = 4096
A_LEVEL = 32
"""Problems of each level for the large model: few have one digit, and it is to see them all."""


def main() -> None:
    """Make the tiny model, rate the large one, or train."""
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
    command.add_argument("--set", action="append", default=[], metavar="a.b=c")
    command = commands.add_parser("rate")
    command.add_argument("out", type=Path)
    arguments = parser.parse_args()
    if arguments.command == "make":
        make(arguments.model, arguments.steps)
    elif arguments.command == "run":
        for seed, arm in itertools.product(arguments.seeds, arguments.arms):
            run(arguments.model, arguments.out, seed, arm, arguments.set)
    else:
        rate_large(arguments.out)


def mixed() -> Task:
    """Return the task: six levels, distinct training problems, held-out pairs of all levels."""
    train = distinct(TrainingStream(LEVELS, 0, 1 << 30), PROBLEMS)
    test = held_out_problems(LEVELS, 192)
    return Task("mixed arithmetic", train, test, chat, MathVerifier(answer_in="box"))


def balanced(hard: bool = True) -> Task:
    """Return the large model's task: as many distinct training problems of each level."""
    levels = (*LEVELS, *HARD) if hard else LEVELS
    train = [
        replace(problem, info={"level": level_of(problem.id)})
        for level in levels
        for problem in distinct(TrainingStream((level,), 0, 1 << 30), A_LEVEL)
    ]
    test = [problem for level in levels for problem in held_out_problems([level], 8)]
    return Task("balanced arithmetic", train, test, chat, MathVerifier(answer_in="box"))


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
        lessons = Task("lessons", problems, [], chat, MathVerifier(answer_in="box"))
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

    rates: dict[str, float] = {}
    for level in LEVELS:
        problems = held_out_problems([level], 64)
        lessons = Task("lessons", problems, [], chat, MathVerifier(answer_in="box"))
        prefix, rows, is_answer = tiny._lessons(tokenizer, lessons)
        with torch.no_grad():
            found = packed_scores(model, [prefix] * len(rows), rows).logprobs
        right = (found * is_answer[:, : found.shape[1]]).sum(1).exp()
        rates[level_of(problems[0].id)] = float(right.mean())
    print({level: round(rate, 3) for level, rate in rates.items()})
    with open(folder / "rates.jsonl", "w") as file:
        for problem in mixed().train:
            row = {"id": problem.id, "solve_rate": rates[level_of(problem.id)]}
            file.write(json.dumps(row) + "\n")


def rate_large(folder: Path) -> None:
    """Write how often SmolLM2-135M solves each training problem, in 8 responses as it comes.

    And how often each level, where 8 responses to a problem are too few to tell hard ones apart.
    """
    command = [
        "curate",
        "rate",
        LARGE_NAME,
        "--task",
        "sampling_train:balanced",
        "--engine",
        "fast",
    ]
    command += ["--samples", "8", "--max-tokens", str(LARGE["sampling"]["max_tokens"])]
    command += ["--run-dir", str(folder / "rated"), "--out", str(folder / "rates.jsonl")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-m", "rewardkit", *command], check=True, env=environment)
    rows = [json.loads(line) for line in (folder / "rates.jsonl").read_text().splitlines()]
    counts: dict[str, list[int]] = {}
    for row in rows:
        found = counts.setdefault(level_of(row["id"]), [0, 0])
        found[0] += row["right"]
        found[1] += row["wrong"]
    with open(folder / "levels.jsonl", "w") as file:
        for row in rows:
            right, wrong = counts[level_of(row["id"])]
            file.write(json.dumps({"id": row["id"], "right": right, "wrong": wrong}) + "\n")


def level_of(problem_id: str) -> str:
    """Return a problem's operation and the digits of both operands.

    >>> level_of("12 * 3")
    '* 2 1'
    """
    left, operation, right = problem_id.split()
    return f"{operation} {len(left)} {len(right)}"


def run(model: str, out: Path, seed: int, arm: str, over: list[str]) -> None:
    """Train one arm with one seed, unless that is done."""
    from rewardkit.config import config_from
    from rewardkit_native.loop import train

    folder = out / f"{arm}-{seed}"
    if (folder / "done").exists():
        return
    large = model == LARGE_NAME
    rated = (out if large else Path(model)).resolve()
    files = {"RATES": rated / "rates.jsonl", "LEVELS": rated / "levels.jsonl"}
    data: dict[str, Any] = {
        "folder": str(folder),
        "seed": seed,
        "model": {"name": model, **({} if large else {"dtype": "float32"})},
        "task": {"name": f"sampling_train:{'balanced' if large else 'mixed'}"},
        "recipe": {"name": "dapo", "minibatches": 1, **({"shaping": []} if large else {})},
        "guards": {"stop": []},
        "checkpoint": {"every": 0, "keep": 1},
        "records": {"every": 1000},
        **(LARGE if large else TINY),
    }
    data["steps"] = int(data["steps"] * (LARGE_STEPS if large else STEPS).get(arm, 1))
    settings = list(ARMS[arm])
    for name, path in files.items():
        settings = [text.replace(name, str(path)) for text in settings]
    train(config_from(data, [*settings, *over]), overwrite=True)
    shutil.rmtree(folder / "checkpoints")
    (folder / "done").touch()


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))  # the runs' task is `sampling_train:mixed`
    main()
