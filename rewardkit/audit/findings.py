"""An audit as data: what `audit.json` says, and for each finding the line that reproduces it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

from rewardkit.audit.audit import THREATS, Audit, Bounds, Paid
from rewardkit.audit.peers import version_of
from rewardkit.audit.probes.attacks import OF_GOLDS
from rewardkit.audit.probing import Fault, Graded
from rewardkit.audit.responses import (
    Answered,
    Disagreement,
    against_labels,
    confusion,
    disagreements,
    near_misses,
)
from rewardkit.pages import shorten
from rewardkit.runs.graded_rows import GradedRow
from rewardkit.verifiers.signature import asked_by

T = TypeVar("T")

ROWS_FILE = "rows.jsonl"
LONGEST_LINE = 300
"""Characters of a response that a command line still shows; longer ones are named by their row."""
LONGEST_TEXT = 2_000
MOST = 200
"""Findings of one kind that are written out; all are counted."""


@dataclass(frozen=True)
class Subject:
    """What was audited, and where its files go."""

    verifier: str
    source: str
    out: Path
    command: str
    """The command line of the audit itself, which reproduces what no single response does."""
    options: Sequence[str] = ()
    """KEY=VALUE of a verifier that takes some."""
    gold: str = "gold"
    """The column of gold answers in the file of responses."""
    response: str = "response"
    """And that of responses."""

    @property
    def grading(self) -> str:
        """The part of a command line that names the verifier with its options."""
        said = (f"--verifier-options={shlex.quote(one)}" for one in self.options)
        return " ".join((f"--verifier {shlex.quote(self.verifier)}", *said))


@dataclass(frozen=True)
class Findings:
    """All that an audit found: without a model, of stored responses, of a run."""

    subject: Subject
    audit: Audit
    bounds: Bounds
    fail_on: Sequence[str] = THREATS
    """The threats that count against the bounds."""
    answered: Sequence[Answered] = ()
    second: str | None = None
    second_cost: Mapping[str, Any] | None = None
    """What a second verifier that costs something says of that."""

    @property
    def beyond(self) -> list[str]:
        """A sentence for each bound that is broken."""
        return self.audit.beyond(self.bounds, self.fail_on)

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain values."""
        audit = self.audit
        return {
            "verifier": self.subject.verifier,
            "version": version_of(self.subject.verifier),
            "verifier_options": list(self.subject.options),
            "task": self.subject.source,
            "within_bounds": not self.beyond,
            "beyond": self.beyond,
            "bounds": asdict(self.bounds),
            "fail_on": list(self.fail_on),
            "threats": audit.threats(),
            "accepted_from": audit.accepted_from,
            "form": audit.form,
            "forms": audit.forms,
            "golds_are_answers": audit.golds_are_answers,
            "problems": len(audit.chosen),
            "shapes": self.shapes(),
            "probes": len(audit.graded),
            "counts": {
                "false_accepts": len(audit.false_accepts),
                "wrong_asked": len(audit.wrong_asked),
                "wrong_of_golds": sum(one.probe.group in OF_GOLDS for one in audit.wrong_asked),
                "faults": len(audit.faults),
                "fault_kinds": audit.fault_kinds,
                "own_golds": len(audit.own_rejects),
                "writings": len(audit.writing_rejects),
                "debatable": len(audit.debatable),
            },
            "by_kind": self.by_kind(),
            "strategies": [self._strategy(one) for one in audit.strategies],
            "false_accepts": self.graded(audit.false_accepts),
            "faults": self.faults(),
            "own_golds": self.graded(audit.own_rejects),
            "writings_share": audit.writings_share,
            "writings": self.graded(audit.writing_rejects),
            "debatable": self.graded(audit.debatable),
            "unread_golds": audit.unread[:MOST],
            "seconds": self.seconds(),
            "memory": [
                {"kind": one.probe.kind, "peak_bytes": one.peak, "kept_bytes": one.kept}
                for one in audit.memory
            ],
            "responses": self.responses(),
        }

    def shapes(self) -> dict[str, int]:
        """Return how many golds of each shape were used."""
        shapes = [one.reading.shape.value for one in self.audit.chosen]
        return {shape: shapes.count(shape) for shape in dict.fromkeys(shapes)}

    def by_kind(self) -> dict[str, dict[str, int]]:
        """Return how many probes of each kind were accepted, and should have been."""
        found: dict[str, dict[str, int]] = {}
        for one in self.audit.graded:
            row = found.setdefault(one.probe.kind, {"asked": 0, "accepted": 0, "to_accept": 0})
            row["asked"] += 1
            row["accepted"] += one.accepted
            row["to_accept"] += one.probe.accept
        return found

    def graded(self, found: Sequence[Graded]) -> list[dict[str, Any]]:
        """Return findings about probes, each with the line to see it again; one of a kind first."""
        kinds = [one.probe.kind for one in found]
        return [self._probe(one) for one in _one_of_each_first(found, kinds)]

    def faults(self) -> list[dict[str, Any]]:
        """Return faults, each with the line to see it again; one of a kind first."""
        faults = self.audit.faults
        kinds = [fault.kind for fault in faults]
        return [self._fault(fault) for fault in _one_of_each_first(faults, kinds)]

    def seconds(self) -> dict[str, Any]:
        """Return how long verdicts took on the wall, and which took longest."""
        ordered = sorted(self.audit.graded, key=lambda one: one.verdict.seconds)
        slowest = ordered[-1]
        return {
            "p50": ordered[len(ordered) // 2].verdict.seconds,
            "p99": ordered[int(0.99 * len(ordered))].verdict.seconds,
            "slowest": slowest.verdict.seconds,
            "slowest_kind": slowest.probe.kind,
        }

    def responses(self) -> dict[str, Any] | None:
        """Return what is to be said of stored responses; None if there were none."""
        if not self.answered:
            return None
        misses, wrong = near_misses(self.answered), against_labels(self.answered)
        kinds = disagreements(self.answered)
        return {
            "n": len(self.answered),
            "second": self.second,
            "second_cost": self.second_cost,
            "confusion": confusion(self.answered),
            "against_labels": [self._answered(one) for one in wrong[:MOST]],
            "disagreeing": sum(kind.count for kind in kinds),
            "disagreements": [self._kind(kind) for kind in kinds],
            "near_misses": len(misses),
            "near_miss_examples": [self._answered(one) for one in misses[:MOST]],
        }

    def rows(self) -> list[dict[str, Any]]:
        """Return every probe as a labelled, graded row: `rewardkit verify cases` reads them."""
        found = []
        for one in self.audit.graded:
            problem = one.probe.problem
            row = GradedRow(
                problem.answer, one.probe.response, one.probe.accept, problem.id, one.verdict
            )
            also = {"category": one.probe.kind, "debatable": not one.probe.certain}
            columns = {"info": dict(problem.info)} if problem.info else {}
            found.append({**row.as_dict(), "question": problem.question, **columns, **also})
        return found

    def _probe(self, one: Graded) -> dict[str, Any]:
        probe = one.probe
        row = GradedRow(probe.problem.answer, probe.response, verdict=one.verdict)
        place = next(n for n, other in enumerate(self.audit.graded, start=1) if other is one)
        return {
            "kind": probe.kind,
            **_shown(row),
            "row": place,
            "reproduce": self._line(row, place),
        }

    def _strategy(self, one: Paid) -> dict[str, Any]:
        paid = (g for g in self.audit.graded if g.accepted and g.probe.kind == one.kind)
        line = self._probe(next(paid))["reproduce"] if one.pays else ""
        return {**asdict(one), "share": one.share, "pays": one.pays, "reproduce": line}

    def _fault(self, fault: Fault) -> dict[str, Any]:
        row = {"kind": fault.kind, "what": fault.what, "reproduce": self.subject.command}
        if fault.probe is None:
            return row
        graded = next(one for one in self.audit.graded if one.probe is fault.probe)
        found = self._probe(graded)
        alone = fault.kind in ("hangs", "raises", "uses up the memory", "runs model text")
        line = found["reproduce"] if alone else self.subject.command
        return {**found, **row, "probe": fault.probe.kind, "reproduce": line}

    def _line(self, row: GradedRow, place: int) -> str:
        """Return the command that shows a verdict again: of the texts, or of a row of a file."""
        grading = self.subject.grading
        texts = (row.response, row.gold)
        short = all(len(text) <= LONGEST_LINE and _printable(text) for text in texts)
        if short and row.response != "-" and not asked_by(self.audit.verifier):
            response, gold = map(shlex.quote, texts)
            return f"rewardkit verify {grading} --answer={gold} --response={response}"
        rows = shlex.quote(str(self.subject.out / ROWS_FILE))
        return f"rewardkit verify cases {rows} --row {place} {grading}"

    def _answered(self, one: Answered) -> dict[str, Any]:
        row = one.row.graded(one.verdict)
        grading = self.subject.grading
        place, _, number = one.row.where.rpartition(":")
        line = f"rewardkit verify cases {shlex.quote(place)} --row {number} {grading}"
        for flag, column in (("gold", self.subject.gold), ("response", self.subject.response)):
            line += f" --{flag} {shlex.quote(column)}" if column != flag else ""
        if not number.isdigit() or one.row.label is None:
            response, gold = map(shlex.quote, (row.response, row.gold))
            line = f"rewardkit verify {grading} --answer={gold} --response={response}"
        second = one.second and {"outcome": one.second.outcome.value, "reason": one.second.reason}
        return {**_shown(row), "where": row.where, "second": second, "reproduce": line}

    def _kind(self, kind: Disagreement) -> dict[str, Any]:
        return {
            "first": kind.first,
            "second": kind.second,
            "count": kind.count,
            "examples": [self._answered(one) for one in kind.examples],
        }


def _one_of_each_first(found: Sequence[T], kinds: Sequence[str]) -> list[T]:
    """Return at most `MOST` findings: the first of each kind, then the others in their order.

    >>> _one_of_each_first([1, 2, 3, 4], ["a", "a", "b", "a"])
    [1, 3, 2, 4]
    """
    first = {kind: place for place, kind in reversed(list(enumerate(kinds)))}
    order = sorted(range(len(found)), key=lambda place: (first[kinds[place]] != place, place))
    return [found[place] for place in order[:MOST]]


def _shown(row: GradedRow) -> dict[str, Any]:
    verdict = row.as_dict()
    return {**verdict, "response": shorten(row.response, LONGEST_TEXT, "the file has them")}


def _printable(text: str) -> bool:
    return text.isprintable()  # of one line
