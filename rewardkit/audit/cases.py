"""Labelled cases: read a file of them, run a verifier over it, and report what it gets wrong."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rewardkit.errors import DataError
from rewardkit.runs.graded_rows import GradedRow, read_rows, verdicts_on
from rewardkit.types import Outcome, Verdict
from rewardkit.verifiers.options import MathOptions
from rewardkit.verifiers.pool.pool import VerifierPool


@dataclass(frozen=True, slots=True)
class Case:
    """One labelled response; `category` groups it with others, `debatable` is its label.

    `options` are the policies this row asks for, where its label depends on one.
    """

    row: GradedRow
    expected: bool
    category: str | None = None
    debatable: bool = False
    options: tuple[tuple[str, Any], ...] = ()

    @property
    def gold(self) -> str:
        """The gold answer."""
        return self.row.gold

    @property
    def response(self) -> str:
        """The text a verifier is given."""
        return self.row.response


@dataclass(frozen=True, slots=True)
class Scored:
    """A case with its verdict and how long it took, in seconds."""

    case: Case
    verdict: Verdict
    seconds: float

    @property
    def right(self) -> bool:
        """Whether the verdict agrees with the label."""
        return self.verdict.correct == self.case.expected


def read_cases(path: Path, gold: str = "gold", response: str = "response") -> list[Case]:
    """Return the cases of a file of labelled rows, see `rewardkit.runs.graded_rows.read_rows`.

    Raises:
        DataError: the file cannot be read, or a row is malformed; names the line and the field.
    """
    return [_case(row) for row in read_rows(path, gold, response)]


def _case(row: GradedRow) -> Case:
    where = row.where
    if row.label is None:
        raise DataError(
            f"{where}: no field 'label', true or false; without labels: rewardkit eval responses, "
            "and of an evaluation's folder rewardkit eval regrade"
        )
    category = row.rest.get("category")
    if category is not None and not isinstance(category, str):
        raise DataError(f"{where}: field 'category' must be text, found {category!r}")
    debatable = row.rest.get("debatable")
    if debatable is not None and not isinstance(debatable, bool):
        raise DataError(f"{where}: field 'debatable' must be true or false, found {debatable!r}")
    options = _options(row.rest.get("extra"), where)
    return Case(row, row.label, category, bool(debatable), options)


_EXTRA: dict[str, tuple[str, Callable[[str], Any]]] = {
    "precision": ("decimal_digits", int),
    "allow_set_relation_comp": ("relation_as_set", "True".__eq__),
}
"""What Math-Verify's tests ask of a row, and the policies that mean the same here."""


def _options(extra: Any, where: str) -> tuple[tuple[str, Any], ...]:
    if extra is None:
        return ()
    if not isinstance(extra, dict):
        raise DataError(f"{where}: field 'extra' must be an object, found {extra!r}")
    try:
        return tuple(
            (_EXTRA[name][0], _EXTRA[name][1](str(value)))
            for name, value in extra.items()
            if name in _EXTRA
        )
    except ValueError as error:
        raise DataError(f"{where}: field 'extra': {error}") from error


@dataclass(frozen=True, slots=True)
class Report:
    """What a verifier made of the cases."""

    scored: Sequence[Scored]
    wall_s: float

    def numbers(self, *, debatable: bool = True) -> dict[str, Any]:
        """Return the figures, over all rows or over those that nobody disputes."""
        rows = [row for row in self.scored if debatable or not row.case.debatable]
        seconds = sorted(row.seconds for row in rows)
        outcomes = Counter(row.verdict.outcome for row in rows)
        busy = sum(seconds) if len(rows) < len(self.scored) else self.wall_s
        return {
            "n": len(rows),
            "accuracy": sum(row.right for row in rows) / len(rows) if rows else None,
            "false_accept": sum(row.verdict.correct and not row.case.expected for row in rows),
            "false_reject": sum(row.case.expected and not row.verdict.correct for row in rows),
            "outcomes": {outcome.value: outcomes[outcome] for outcome in Outcome},
            "pairs_per_s": len(rows) / busy if busy else None,
            "p50_ms": _quantile_ms(seconds, 0.50),
            "p99_ms": _quantile_ms(seconds, 0.99),
        }

    def as_json(self) -> str:
        """Return one JSON object: the figures, and the same again without debatable rows."""
        return json.dumps({**self.numbers(), "non_debatable": self.numbers(debatable=False)})

    def as_text(self, show: int | None = 0) -> str:
        """Return tables for a person, and the first `show` wrong verdicts; None: every verdict."""
        lines = [_figures("all", self.numbers())]
        if any(row.case.debatable for row in self.scored):
            lines.append(_figures("not debatable", self.numbers(debatable=False)))
        lines += _by_category(self.scored)
        if show is None:
            return "\n".join([*lines, *map(_shown, self.scored)])
        wrong = [row for row in self.scored if not row.right]
        wrong.sort(key=lambda row: (row.case.debatable, row.case.expected))
        return "\n".join([*lines, *map(_shown, wrong[:show])])


def measure(pool: VerifierPool, cases: Iterable[Case]) -> Report:
    """Run the pool's verifier over all cases."""
    cases = list(cases)
    started = time.perf_counter()
    verdicts: dict[int, Verdict] = {}
    for options in dict.fromkeys(case.options for case in cases):
        rows = [k for k, case in enumerate(cases) if case.options == options]
        with _with_options(pool, dict(options)) as graders:
            found = verdicts_on([cases[k].row for k in rows], graders.verify)
            verdicts |= zip(rows, found, strict=True)
    wall = time.perf_counter() - started
    scored = [Scored(c, verdicts[k], verdicts[k].seconds) for k, c in enumerate(cases)]
    return Report(scored, wall)


@contextmanager
def _with_options(pool: VerifierPool, options: dict[str, Any]) -> Iterator[VerifierPool]:
    """Yield the pool, or one like it whose verifier has these policies, if it has policies."""
    verifier: Any = pool.verifier
    if not options or not isinstance(verifier, MathOptions):
        yield pool
        return
    verifier = replace(verifier, **options)
    with VerifierPool(verifier, pool.workers, pool.deadline_s, pool.memory_mb, pool.cpu_s) as own:
        yield own


def _quantile_ms(ordered: Sequence[float], q: float) -> float | None:
    return 1000 * ordered[min(int(q * len(ordered)), len(ordered) - 1)] if ordered else None


def _figures(title: str, numbers: dict[str, Any]) -> str:
    outcomes = ", ".join(f"{name} {n}" for name, n in numbers["outcomes"].items() if n)
    rate = numbers["pairs_per_s"] or 0.0
    return (
        f"{title}: {numbers['n']} cases, accuracy {numbers['accuracy'] or 0:.2%}, "
        f"false accepts {numbers['false_accept']}, false rejects {numbers['false_reject']}\n"
        f"  {outcomes}\n"
        f"  {rate:,.0f} pairs/s, p50 {numbers['p50_ms'] or 0:.3f} ms, "
        f"p99 {numbers['p99_ms'] or 0:.3f} ms"
    )


def _by_category(scored: Sequence[Scored]) -> list[str]:
    names = sorted({row.case.category for row in scored if row.case.category})
    lines = []
    for name in names:
        rows = [row for row in scored if row.case.category == name]
        accepts = sum(row.verdict.correct and not row.case.expected for row in rows)
        rejects = sum(row.case.expected and not row.verdict.correct for row in rows)
        lines.append(f"  {name:<16} {len(rows):>5} cases, {accepts} accepts, {rejects} rejects")
    return ["by category (false accepts, false rejects):", *lines] if lines else []


def _shown(row: Scored) -> str:
    kind = "AS LABELLED"
    if not row.right:
        kind = "FALSE REJECT" if row.case.expected else "FALSE ACCEPT"
    doubt = " (debatable)" if row.case.debatable else ""
    v = row.verdict
    return (
        f"{kind}{doubt} gold {_short(row.case.gold)} response {_short(row.case.response)}\n"
        f"    {v.outcome}{v.method and f' by {v.method}'}, score {v.score:.3g}: {v.reason}"
    )


def _short(text: str, limit: int = 160) -> str:
    return repr(text if len(text) <= limit else f"{text[:70]} ... {text[-70:]}")
