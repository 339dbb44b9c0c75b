"""Results of A and B -> what can be said of B against A, in numbers and in one plain sentence."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from rewardkit.errors import ConfigError, DataError, UnknownNameError
from rewardkit.evaluation.asking.asking import asked_differently
from rewardkit.evaluation.comparing.pairing import Pairing, are_copies, pairing
from rewardkit.evaluation.measures.scoring import cost_of
from rewardkit.evaluation.pages.display import percent
from rewardkit.evaluation.statistics.distributions import clopper_pearson
from rewardkit.evaluation.statistics.paired import PairedTest, holm
from rewardkit.evaluation.statistics.scores import gain_of_scores

LEVEL = 0.05
QUESTIONS = ("these_problems", "new_problems")
ANSWERED = ("answered_share", "accuracy_given_answer")
APART = 0.05
"""From this difference on a verdict says which shares of the responses hold an answer."""


def compare_results(
    a: Mapping[str, Any], b: Mapping[str, Any], tasks: Sequence[str] | None = None
) -> dict[str, Any]:
    """Compare two results.json on the sets that both hold, problem by problem.

    P-values are corrected for the number of sets (Holm), each question by itself.

    Raises:
        UnknownNameError: a set that one of them does not hold.
        DataError: a set that is not complete, or with other problems or answers in A than in B.
        ConfigError: no set in common.
    """
    names = _common(a["sets"], b["sets"], tasks)
    for name in names:
        for label, results in (("A", a), ("B", b)):
            _refuse_partial(name, label, results["sets"][name])
    pairs = {name: pairing(name, a, b) for name in names}
    these, new = ([pair.test(q) for pair in pairs.values()] for q in QUESTIONS)
    these_p, new_p = (holm([test.p for test in tests]) for tests in (these, new))
    sets = {
        name: _set_row(pairs[name], these[i], new[i], these_p[i], new_p[i], len(names))
        for i, name in enumerate(names)
    }
    for name, row in sets.items():
        for x, one in (("a", a["sets"][name]), ("b", b["sets"][name])):
            row |= {f"{key}_{x}": one[key] for key in ANSWERED} | {f"cost_{x}": cost_of([one])}
        row["verdict"] += _answered_apart(name, a, b)
    differences = _differences(a, b)
    heads = [line.partition(":")[0] for line in differences]
    settings = ["prompts" if head in a["sets"] else head.replace("_", " ") for head in heads]
    return {
        "a": a["model"],
        "b": b["model"],
        "same_sampling": a["sampling"] == b["sampling"],
        "same_model": same_model(a, b),
        "differ_in": list(dict.fromkeys(settings)),
        "differences": differences,
        "notes": _copies(a, b),
        "sets": sets,
    }


def verdict(problems: int, these: PairedTest, new: PairedTest, these_p: float, new_p: float) -> str:
    """Return the one sentence that the numbers allow.

    >>> flat = PairedTest("t", 0.0, -0.1, 0.1, 1.0, 0.14)
    >>> verdict(30, flat, flat, 1.0, 1.0)
    'No difference is shown on these 30 problems (0.0 points, 95 % -10.0 to 10.0; a gain of \
14.0 points would have been detected), nor on new ones.'
    """
    points = f"{_points(these.gain)} points, 95 % {_range(these)}"
    if these_p < LEVEL:
        better = "B solves" if these.gain > 0 else "A solves"
        known = f"{better} more of these {problems} problems ({points}); "
        if new_p < LEVEL and (new.gain > 0) == (these.gain > 0):
            return f"{known}it would on new ones like them as well (95 % {_range(new)})."
        return f"{known}whether it would on new ones like them is not shown (95 % {_range(new)})."
    if these.detectable is None:
        detectable = (
            f"which gain would have been detected cannot be said, since {these.undetectable}"
        )
    else:
        detectable = f"a gain of {100 * these.detectable:.1f} points would have been detected"
    if new_p < LEVEL:
        better = "B" if new.gain > 0 else "A"
        return (
            f"{better} does better from problem to problem, as it would on new ones "
            f"({_points(new.gain)} points, 95 % {_range(new)}), though on these {problems} alone "
            "sampling noise could explain it."
        )
    return (
        f"No difference is shown on these {problems} problems ({points}; {detectable}), "
        "nor on new ones."
    )


def _answered_apart(name: str, a: Mapping[str, Any], b: Mapping[str, Any]) -> str:
    """Return the sentence that one model answers more often, where that is clear; else nothing.

    A model that learns the asked form gets more right without knowing more. Clear are shares of
    which the 95 % intervals (Clopper-Pearson) do not touch.
    """
    shares, right, ends = [], [], []
    for results in (a, b):
        row = results["sets"][name]
        share, drawn = row["answered_share"], row["problems" if are_copies(results) else "graded"]
        if not drawn or drawn < 0 or share is None or not 0 <= share <= 1:  # a file of anybody
            return ""
        ends.append(clopper_pearson(share * drawn, drawn))
        shares.append(share)
        right.append(row["accuracy_given_answer"])
    first, second = ends
    if abs(shares[1] - shares[0]) < APART or (first[0] <= second[1] and second[0] <= first[1]):
        return ""
    told, known = ([f"{percent(one)} %" for one in two] for two in (shares, right))
    return f" Answered: {' and '.join(told)}; right if answered: {' and '.join(known)}."


def _set_row(
    pair: Pairing,
    these: PairedTest,
    new: PairedTest,
    these_p: float,
    new_p: float,
    asked: int,
) -> dict[str, Any]:
    first, second = pair.a, pair.b
    scores = gain_of_scores(*pair.scores, clusters=pair.clusters) if pair.scores else None
    return {
        **({"scores": asdict(scores)} if scores else {}),
        "problems": len(first),
        "accuracy_a": sum(x / n for x, n in first) / len(first),
        "accuracy_b": sum(y / m for y, m in second) / len(second),
        "these_problems": {**asdict(these), "p_holm": these_p},
        "new_problems": {**asdict(new), "p_holm": new_p},
        "clusters": len(set(pair.clusters)) if pair.clusters else None,
        "sets_compared": asked,
        "verdict": verdict(len(first), these, new, these_p, new_p),
        "changes": sorted(pair.changes, key=lambda row: -abs(row["gain"])),
    }


def _common(a: Mapping[str, Any], b: Mapping[str, Any], tasks: Sequence[str] | None) -> list[str]:
    if tasks:
        for name in tasks:
            for results in (a, b):
                if name not in results:
                    raise UnknownNameError("set in the results", name, results)
        return list(tasks)
    names = [name for name in a if name in b]
    if not names:
        raise ConfigError(
            f"no set in common: A has {', '.join(a)}; B has {', '.join(b)}. Evaluate one of them "
            f"on the other's as well: rewardkit eval --model MODEL --task {next(iter(a), 'TASK')}"
        )
    return names


def _refuse_partial(name: str, label: str, row: Mapping[str, Any]) -> None:
    if not row["complete"]:
        raise DataError(
            f"{name}: {label} is partial ({row['samples']} of {row['expected']} samples); "
            "run its rewardkit eval again to draw the rest"
        )


def _copies(a: Mapping[str, Any], b: Mapping[str, Any]) -> list[str]:
    return [
        f"{label} was drawn at temperature 0: its samples of a problem are copies, and count once"
        for label, results in (("A", a), ("B", b))
        if are_copies(results)
    ]


def same_model(*results: Mapping[str, Any]) -> bool:
    """Return whether all are of the same weights: of servers, whether all call them the same.

    >>> used = ("weights:1f in float32", "weights:1f in bfloat16")
    >>> same_model(*({"fingerprint": one} for one in used))
    True
    """
    return len({_weights_and_use(one)[0] for one in results}) == 1


def _weights_and_use(results: Mapping[str, Any]) -> list[str]:
    """Return what a fingerprint says of the weights, and of their type or the server's address."""
    return re.split(" (?:in|at) ", str(results.get("fingerprint", "")), maxsplit=1)


def _differences(a: Mapping[str, Any], b: Mapping[str, Any]) -> list[str]:
    """Return what differs beside the weights, because it may be what made the difference."""
    found = [
        f"{key}: {a['sampling'].get(key)!r} in A, {b['sampling'].get(key)!r} in B"
        for key in a["sampling"]
        if a["sampling"].get(key) != b["sampling"].get(key)
    ]
    if a["engine"] != b["engine"]:
        found.append(f"engine: {a['engine']} in A, {b['engine']} in B")
    (_, *first), (_, *second) = _weights_and_use(a), _weights_and_use(b)
    if first != second and a["engine"] == b["engine"]:
        what = "server" if a["engine"] == "openai" else "type"
        if what == "type" or same_model(a, b):
            found.append(f"{what}: {''.join(first)} in A, {''.join(second)} in B")
    found += asked_differently(a, b)
    return found


def _points(gain: float) -> str:
    return "0.0" if abs(gain) < 0.0005 else f"{100 * gain:+.1f}"


def _range(test: PairedTest) -> str:
    return f"{100 * test.low:.1f} to {100 * test.high:.1f}"
