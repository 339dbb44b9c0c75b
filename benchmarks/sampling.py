"""What samplers save, what they cost, and what they do to the gradient.

    python benchmarks/sampling.py toy --seeds 8 --plot toy.svg
    python benchmarks/sampling.py bias
    python benchmarks/sampling.py claims --seeds 8
    python benchmarks/sampling.py cost

`toy` compares samplers on the dynamics of sampling_toy.py, `bias` enumerates (sampling_bias.py),
`claims` puts three published savings to the test in miniature, and `cost` measures a step's time
and the memory of each rule at a million problems. All print tables in Markdown.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import sampling_bias as bias
import sampling_toy as toy

from rewardkit.sampling.counts import Visit
from rewardkit.sampling.problems import RULES
from rewardkit.sampling.problems.posterior import Prior
from rewardkit.sampling.sizes import Fixed, ReinforceAda

MILLION = 1_000_000
BASE = "uniform (DAPO's filter)"
BUDGET = 20_000
GOAL = 0.75


def main() -> None:
    """Run one of the comparisons."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("toy", "claims"):
        command = commands.add_parser(name)
        command.add_argument("--seeds", type=int, default=8)
        command.add_argument("--plot", type=Path)
    commands.add_parser("bias")
    command = commands.add_parser("cost")
    command.add_argument("--rule", choices=sorted(RULES))
    arguments = parser.parse_args()
    if arguments.command == "toy":
        compare(arguments.seeds, arguments.plot)
    elif arguments.command == "claims":
        claims(arguments.seeds)
    elif arguments.command == "bias":
        print_bias()
    elif arguments.rule:
        print(cost_of(arguments.rule))
    else:
        costs()


def spread(values: Sequence[float], digits: int = 2) -> str:
    """Return mean ± standard deviation."""
    return f"{statistics.fmean(values):.{digits}f} ± {statistics.stdev(values):.{digits}f}"


def compare(seeds: int, plot: Path | None) -> None:
    """Print the table of all arms, and draw some of them."""
    courses = {
        name: [toy.run(arm, seed) for seed in range(seeds)] for name, arm in toy.arms().items()
    }
    base = [course.per_rollout() for course in courses[BASE]]
    print(
        f"| sampler | effective / drawn | effective groups / rollout, x DAPO's | rollouts | rounds "
        f"a step | solve rate after {BUDGET:,} rollouts | Brier, belief / constant |\n"
        "|---|---|---|---|---|---|---|"
    )
    for name, found in courses.items():
        share = [sum(course.effective) / sum(course.drawn) for course in found]
        ratio = [course.per_rollout() / b for course, b in zip(found, base, strict=True)]
        rollouts = statistics.fmean(sum(course.rollouts) for course in found)
        rounds = statistics.fmean(statistics.fmean(course.rounds) for course in found)
        rates = [course.rate_at(BUDGET) for course in found]
        brier = np.mean([np.nanmean(course.brier[10:], axis=0) for course in found], axis=0)
        print(
            f"| {name} | {spread(share)} | {spread(ratio)} | {rollouts:,.0f} | {rounds:.1f} | "
            f"{spread(rates, 3)} | {brier[0]:.3f} / {brier[1]:.3f} |"
        )
    if plot:
        draw(courses, plot)


def draw(courses: dict[str, list[toy.Course]], path: Path) -> None:
    """Draw effective share and solve rate, each over rollouts generated."""
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    shown = ["uniform, no filter", BASE, "GRESO", "MoPPS", "MoPPS, rounds of 2 until 2+2"]
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained")
    for name in shown:
        found = courses[name]
        spent = np.mean([np.cumsum(course.rollouts) for course in found], axis=0)
        effective = np.mean([course.effective for course in found], axis=0)
        drawn = np.mean([course.drawn for course in found], axis=0)
        smooth = np.convolve(effective / drawn, np.ones(5) / 5, "same")[2:-2]
        left.plot(spent[2:-2], smooth, label=name)
        right.plot(spent, np.mean([course.rates for course in found], axis=0), label=name)
    left.set(xlabel="rollouts generated", ylabel="effective share of the groups drawn")
    right.set(xlabel="rollouts generated", ylabel="mean solve rate")
    right.legend(fontsize=7)
    figure.savefig(path, metadata={"Date": None})


def print_bias() -> None:
    """Print each rule's weight of a prompt by its solve rate."""
    print("| rule | " + " | ".join(f"p = {rate:g}" for rate in bias.RATES) + " |")
    print("|---" * (len(bias.RATES) + 1) + "|")
    for name, weights in bias.table().items():
        print(f"| {name} | " + " | ".join(f"{weight:.2f}" for weight in weights) + " |")


def claims(seeds: int) -> None:
    """Print what three papers claim, in miniature."""
    uniform, filtered, greso = toy.arms()["uniform, no filter"], toy.Arm(), toy.Arm("greso")
    print(f"GRESO: rollouts until a mean solve rate of {GOAL}, DAPO's over GRESO's")
    ratios = []
    for seed in range(seeds):
        to = [toy.run(arm, seed, 300, GOAL).rollouts_to(GOAL) for arm in (filtered, greso)]
        ratios.append(to[0] / to[1])
    print(f"  {spread(ratios)} (claimed: up to 2.4)")

    print("Reinforce-Ada, 8 of at most 32 balanced: solve rate - that of 8 drawn, in points")
    ada = toy.Arm(sizes=ReinforceAda(8, 4, 4), filters=False, members=("balanced", 8))
    steps, equal = [], []
    for seed in range(seeds):
        plain, pooled = toy.run(uniform, seed), toy.run(ada, seed)
        steps.append(100 * (pooled.rates[-1] - plain.rates[-1]))
        budget = sum(plain.rollouts)
        equal.append(100 * (pooled.rate_at(budget) - plain.rate_at(budget)))
    print(f"  after equal steps {spread(steps, 1)}, equal rollouts {spread(equal, 1)}")
    print("  (claimed: +1.1 to +3.6 after equal steps)")

    print(f"PODS, 8 of n by variance: time to a solve rate of {GOAL}, that of 8 drawn over it")
    plain = [toy.run(uniform, seed, 300, GOAL) for seed in range(seeds)]
    for size in (16, 32, 64):
        arm = toy.Arm(sizes=Fixed(size), filters=False, members=("variance", 8))
        pods = [toy.run(arm, seed, 300, GOAL) for seed in range(seeds)]
        found = []
        for update in (1, 4, 16):
            gains = [
                seconds(p, 8, update) / seconds(q, 8, update)
                for p, q in zip(plain, pods, strict=True)
            ]
            found.append(f"{spread(gains)} where an update costs {update} x a rollout")
        print(f"  n = {size}: " + "; ".join(found))
    print("  (claimed: at least 1.7)")


def seconds(course: toy.Course, trained: int, update: float) -> float:
    """Return a course's time until GOAL, in rollouts, with so many trained on a group."""
    reached = next((i for i, rate in enumerate(course.rates) if rate >= GOAL), None)
    if reached is None:
        return float("nan")
    steps = reached + 1
    return sum(course.rollouts[:steps]) + update * trained * toy.BATCH * steps


def costs() -> None:
    """Print time and memory of every rule, each in a process of its own."""
    print("| rule | median step, ms | largest, ms | memory, MB |\n|---|---|---|---|")
    for rule in RULES:
        command = [sys.executable, __file__, "cost", "--rule", rule]
        print(subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip())


def cost_of(rule: str) -> str:
    """Return a row: a step of 64 problems drawn in two rounds and learned from, at a million."""

    def memory() -> float:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

    before, chance = memory(), np.random.default_rng(0)
    settings = {"prior": Prior(chance.random(MILLION))} if rule == "adarft" else {}
    chooser = RULES[rule](MILLION, 0, **settings)
    times = []
    for _ in range(200):
        started = time.perf_counter()
        draws = chooser.next(48) + chooser.next(16)
        spent = time.perf_counter() - started
        right = chance.integers(0, 9, len(draws)).tolist()
        visits = [Visit(d.problem, k, 8 - k) for d, k in zip(draws, right, strict=True)]
        started = time.perf_counter()
        chooser.observe(visits)
        times.append(1000 * (spent + time.perf_counter() - started))
    return (
        f"| {rule} | {statistics.median(times):.1f} | {max(times):.1f} | {memory() - before:.0f} |"
    )


if __name__ == "__main__":
    main()
