"""Draw from two models together, look now and then, and stop when the difference is shown."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from rewardkit.evaluation.asking.names import check_names
from rewardkit.evaluation.asking.problems import problem_sets
from rewardkit.evaluation.asking.settings import EvalSettings
from rewardkit.evaluation.comparing.pairing import pairing
from rewardkit.evaluation.drawing.progress import LiveProgress
from rewardkit.evaluation.session import evaluate_model
from rewardkit.evaluation.statistics.paired import PairedTest, these_problems
from rewardkit.evaluation.statistics.sequential import adjusted, boundaries, looks
from rewardkit.pages.console import Console
from rewardkit.runs.results import Evaluation


def draw_until_shown(a: EvalSettings, b: EvalSettings, console: Console) -> dict[str, Any]:
    """Evaluate both to ever more samples until the test for these problems crosses its boundary.

    All sets count together as one test, so that there is one 5 % to spend.

    Returns:
        The looks with z and boundary, the samples used, the gain adjusted for having stopped
        early (over all sets; None where samples are missing), and a sentence.
    """
    steps = looks(a.samples)
    limits = boundaries([step / a.samples for step in steps])
    for settings in (a, b):
        check_names(settings)
    problem_sets(a)  # before the models: a bad task name should not cost two loads
    engines = [settings.load_engine() for settings in (a, b)]
    history: list[dict[str, float]] = []
    try:
        for step, limit in zip(steps, limits, strict=True):
            both: list[Evaluation] = []
            for settings, engine in zip((a, b), engines, strict=True):
                with LiveProgress(Console(stderr=True), f"{settings.model} to {step}") as live:
                    results, _ = evaluate_model(
                        replace(settings, samples=step), engine=engine, progress=live
                    )
                both.append(results)
            missing = not all(results["complete"] for results in both)
            found = _all_sets(*both)
            history.append({"samples": step, "z": found.z, "boundary": limit})
            console.print(
                f"{step} samples: z {found.z:+.2f}, stops beyond {limit:.2f}", highlight=False
            )
            if missing or abs(found.z) > limit:
                break
    finally:
        for engine in engines:
            engine.close()
    return _conclusion(history, found, missing=missing, samples=a.samples)


def _all_sets(a: Evaluation, b: Evaluation) -> PairedTest:
    pairs = [pairing(name, a, b) for name in a["sets"]]
    return these_problems(
        [count for pair in pairs for count in pair.a],
        [count for pair in pairs for count in pair.b],
        shared=[samples for pair in pairs for samples in pair.shared],
    )


def _conclusion(
    history: list[dict[str, float]], found: PairedTest, *, missing: bool, samples: int
) -> dict[str, Any]:
    last = history[-1]
    crossed = abs(last["z"]) > last["boundary"] and not missing
    gain = None if missing else _adjusted(history, found, samples)
    outcome = f"no difference is shown with {samples} samples a problem"
    if missing:
        outcome = "stopped because samples are missing; the same command goes on"
    elif crossed:
        outcome = f"the difference is shown after {last['samples']} of {samples} samples"
    caveat = ""
    if gain is not None and crossed and last["samples"] < samples:
        caveat = (
            f" Adjusted for the early stop, B gains {100 * gain['gain']:+.1f} points over all sets "
            f"(95 % {100 * gain['low']:.1f} to {100 * gain['high']:.1f}); the intervals above do "
            "not account for it."
        )
    return {
        "looks": history,
        "shown": crossed,
        "samples_used": last["samples"],
        "adjusted": gain,
        "sentence": f"Sequential test on these problems: {outcome}.{caveat}",
    }


def _adjusted(history: list[dict[str, float]], found: PairedTest, samples: int) -> dict[str, float]:
    """Return the gain and its interval, given at which look the test stopped."""
    last = history[-1]
    if last["z"] == 0:
        return {"gain": found.gain, "low": found.low, "high": found.high}
    shares = [look["samples"] / samples for look in history]
    limits = [look["boundary"] for look in history]
    unit = found.gain / last["z"] * math.sqrt(shares[-1])  # the gain that is a drift of 1
    drift, low, high = adjusted(shares, limits, last["z"])
    ends = (max(-1.0, min(1.0, unit * end)) for end in (drift, low, high))
    return dict(zip(("gain", "low", "high"), ends, strict=True))
