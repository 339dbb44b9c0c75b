"""What an audit found, in lines: counts, and of each kind the first finding."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rewardkit.evaluation.pages.display import percent


def summary(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines that stand for audit.json in a terminal.

    Args:
        found: audit.json, read or about to be written.
    """
    counts = found["counts"]
    name = " ".join((found["verifier"], *found["verifier_options"]))
    yield f"{name}: {found['probes']} probes of {found['problems']} problems"
    if not found["golds_are_answers"]:
        yield (
            "no gold was accepted in any form; other writings of them were not probed "
            "(--form, or --set task.reference=COLUMN)"
        )
    yield ", ".join(f"{name} {n}" for name, n in found["threats"].items())
    near = f"{counts['wrong_of_golds'] or 'NONE'} of these made of a gold"
    yield f"wrongly accepted: {counts['false_accepts']} of {counts['wrong_asked']}, {near}"
    yield from _first_of_each_kind(found["false_accepts"])
    for one in found["strategies"]:
        if one["pays"]:
            yield (
                f"  {one['kind']}: paid {percent(one['share'])} % of the time, a guess "
                f"{percent(one['guess'])} %"
            )
            yield f"    {one['reproduce']}"
    yield f"kinds of faults: {counts['fault_kinds']}, of {counts['faults']} faults"
    yield from _first_of_each_kind(found["faults"])
    yield f"golds not accepted as they stand: {counts['own_golds']}"
    if unread := len(found["unread_golds"]):
        yield f"golds that it cannot read: {unread}"
    yield from _first_of_each_kind(found["own_golds"])
    yield f"equivalent writings rejected: {percent(found['writings_share'])} %"
    if found["responses"] is not None:
        yield from _of_responses(found["responses"])
    for line in found["beyond"]:
        yield f"BEYOND THE BOUNDS {line}"


def _first_of_each_kind(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield one finding of each kind, with the line that reproduces it."""
    kinds: dict[str, Mapping[str, Any]] = {}
    for row in rows:
        kinds.setdefault(row["kind"], row)
    for row in kinds.values():
        said = f": {row['what']}" if "what" in row else ""
        yield f"  {row['kind']}{said}"
        yield f"    {row['reproduce']}"


def _of_responses(stored: Mapping[str, Any]) -> Iterator[str]:
    yield f"{stored['n']} responses: {stored['near_misses']} near misses"
    if stored["second"]:
        yield f"{stored['second']} differs on {stored['disagreeing']}"
    if (cells := stored["confusion"]) is not None:
        yield (
            f"labels: {percent(cells['agreement']['value'])} % agreement, "
            f"{cells['wrong_accepted']} false accepts, {cells['right_rejected']} false rejects"
        )
