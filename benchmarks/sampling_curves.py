"""What training runs under several samplers learned from how many tokens: a table and a picture.

    python benchmarks/sampling_curves.py OUT --plot docs/samplers-smollm2.svg

OUT holds the runs of `sampling_train.py`. Compared are the tokens generated until the held-out
accuracy that DAPO's filter, or uniform sampling, ends with.
"""

from __future__ import annotations

import argparse
import itertools
import math
import statistics
from pathlib import Path
from typing import Any

from sampling_train import ARMS


def main() -> None:
    """Print the table, and draw when asked."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--plot", type=Path)
    arguments = parser.parse_args()
    found = courses_of(arguments.out)
    table(found)
    if arguments.plot:
        draw(found, arguments.plot)


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
    """Return the courses of finished runs by arm, of arms that ran with every seed."""
    found = {
        arm: [course(path.parent) for path in sorted(out.glob(f"{arm}-*/done"))] for arm in ARMS
    }
    most = max(map(len, found.values()))
    return {arm: courses for arm, courses in found.items() if courses and len(courses) == most}


def table(found: dict[str, list[list[tuple[float, float]]]]) -> None:
    """Print each arm's tokens to the accuracy that DAPO's filter and uniform end with."""
    bases = {"dapo": "DAPO's", "uniform": "uniform's"}
    over = {name: ratios_to(arm, found) for arm, name in bases.items() if arm in found}
    heads = [f"tokens to {name} last accuracy, x {name} (90 %)" for name in over]
    heads = ["sampler", "runs", *heads, "accuracy, first", "last", "tokens"]
    print(f"| {' | '.join(heads)} |\n{'|---' * len(heads)}|")
    for arm, courses in found.items():
        first, last = (spread([course[end][1] for course in courses]) for end in (0, -1))
        tokens = statistics.fmean(course[-1][0] for course in courses)
        cells = [arm, str(len(courses)), *(ratios[arm] for ratios in over.values()), first, last]
        print(f"| {' | '.join(cells)} | {tokens:,.0f} |")


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
    main()
