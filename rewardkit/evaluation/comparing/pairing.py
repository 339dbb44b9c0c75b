"""Results of A and B -> what is compared of them, problem by problem and sample by sample."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rewardkit.errors import DataError
from rewardkit.evaluation.statistics.clusters import clusters_of
from rewardkit.evaluation.statistics.noise import Counts, Shared
from rewardkit.evaluation.statistics.paired import PairedTest, new_problems, these_problems
from rewardkit.evaluation.statistics.scores import Groups
from rewardkit.types import UNDECIDED

UNGRADED = {outcome.value for outcome in UNDECIDED}


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two models on the problems of one set that both have graded."""

    a: Counts
    b: Counts
    shared: Shared
    clusters: list[str] | None
    """Which problems move together; None where none do."""
    changes: list[dict[str, Any]]
    scores: tuple[Groups, Groups] | None
    """The verifier's scores by problem; None where they say what outcomes say."""

    def test(self, question: str) -> PairedTest:
        """Return the test for `these_problems`, or for `new_problems`."""
        if question == "these_problems":
            return these_problems(self.a, self.b, shared=self.shared)
        return new_problems(self.a, self.b, shared=self.shared, clusters=self.clusters)


def pairing(name: str, a: Mapping[str, Any], b: Mapping[str, Any]) -> Pairing:
    """Return what is compared on one set of two evaluations.

    Raises:
        DataError: other problems, texts or answers in A than in B, or none that both have graded.
    """
    theirs = {row["id"]: row for row in b["sets"][name]["per_problem"]}
    ours = a["sets"][name]["per_problem"]
    if set(theirs) != {row["id"] for row in ours}:
        raise DataError(f"{name}: A and B hold different problems; evaluate both on the same set")
    rows = []
    for row in ours:
        other = theirs[row["id"]]
        for field in ("text_hash", "gold"):
            if row[field] != other[field]:
                raise DataError(
                    f"{name}: problem {row['id']!r} has another {field} in A ({row[field]!r}) than "
                    f"in B ({other[field]!r}); the scores cannot be compared"
                )
        if row["graded"] and other["graded"]:  # else it is counted in its own results
            rows.append((row, other))
    if not rows:
        raise DataError(f"{name}: no problem is graded in both A and B")
    once = are_copies(a), are_copies(b)
    return Pairing(
        [_counts(row, once[0]) for row, _ in rows],
        [_counts(other, once[1]) for _, other in rows],
        [[] if any(once) else _shared(row, other) for row, other in rows],
        clusters_of([row for row, _ in rows]),
        [
            {"id": x["id"], "a": x["rate"], "b": y["rate"], "gain": y["rate"] - x["rate"]}
            for x, y in rows
        ],
        _scores(rows, once),
    )


def are_copies(results: Mapping[str, Any]) -> bool:
    """Return whether all samples of a problem are the same one: at temperature 0.

    >>> are_copies({"sampling": {"temperature": 0.0}}), are_copies({"sampling": {}})
    (True, False)
    """
    temperature: float | None = results["sampling"].get("temperature")
    return temperature == 0


def _counts(row: Mapping[str, Any], once: bool) -> tuple[int, int]:
    if once:  # copies that differ by the arithmetic of their batches are still one draw
        return (1 if 2 * row["correct"] >= row["graded"] else 0), 1
    return row["correct"], row["graded"]


def _scores(
    rows: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]], once: tuple[bool, bool]
) -> tuple[Groups, Groups] | None:
    graded = [
        [
            [s for s in row.get("samples", ()) if s["outcome"] not in UNGRADED and "score" in s]
            for row in side
        ]
        for side in zip(*rows, strict=True)
    ]
    if not all(group for side in graded for group in side):  # an earlier version kept none
        return None
    flat = [sample for side in graded for group in side for sample in group]
    if all(sample["score"] == (sample["outcome"] == "correct") for sample in flat):
        return None
    a, b = (
        [[sample["score"] for sample in (group[:1] if copies else group)] for group in side]
        for side, copies in zip(graded, once, strict=True)
    )
    return a, b


def _shared(a: Mapping[str, Any], b: Mapping[str, Any]) -> list[tuple[bool, bool]]:
    """Return the outcomes at each index that both drew under the same seed."""
    first, second = (
        {(s["index"], s["seed"]): s["outcome"] for s in row.get("samples", ())} for row in (a, b)
    )
    pairs = [(outcome, second.get(key, "error")) for key, outcome in first.items()]
    return [(x == "correct", y == "correct") for x, y in pairs if not UNGRADED & {x, y}]
