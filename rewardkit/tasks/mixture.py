"""Several tasks as one: problems drawn by weight, each asked and graded by the task it is of.

A problem of a mixture has the label of its task as `source`, and before its id: that is all that
crosses process borders, and what metrics and held-out results are told apart by.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any

from rewardkit.data.lazy import LazyProblems, lazy, unlabelled
from rewardkit.errors import ConfigError, DataError
from rewardkit.sampling.order import Share, block_counts
from rewardkit.types import Message, Problem, Task, Verdict, Verifier
from rewardkit.verifiers.functions import as_verifier
from rewardkit.verifiers.pool.waiting import Steps, waits
from rewardkit.verifiers.signature import Asked, asked_by, call_part, together

NAME = "mixture"
RESERVED = ("train", "test")
"""What the sets of a run are called already."""


def mixed_task(parts: Mapping[str, Task], weights: Mapping[str, float]) -> Task:
    """Return several tasks as one.

    Args:
        parts: the tasks by label.
        weights: the share of each among the training problems, relative to the others; 0 leaves
            out of training what is only evaluated.

    Raises:
        ConfigError: a label or weight that cannot be used, or a task with a weight and without
            training problems.

    >>> from rewardkit.tasks import load_task
    >>> sums = load_task("arithmetic", operations=["+"])
    >>> products = load_task("arithmetic", operations=["*"])
    >>> mixed = mixed_task({"sums": sums, "products": products}, {"sums": 3, "products": 1})
    >>> mixed.train[0].source, mixed.train[0].id == f"sums/{sums.train[0].id}"
    ('sums', True)
    """
    for label in parts:
        if not re.fullmatch(r"[\w.:-]+", label) or label in RESERVED:
            raise ConfigError(
                f"{label!r} cannot be the label of a task in a mixture: it is letters, digits and "
                f'_ . : - alone, and neither of {", ".join(RESERVED)}; say label = "NAME"'
            )
    block_counts([weights[label] for label in parts])  # says which weights cannot be
    return Task(
        name=NAME,
        train=MixedProblems({label: part.train for label, part in parts.items()}, weights),
        test=MixedProblems({label: part.test for label, part in parts.items()}, {}),
        messages=MixedMessages(parts),
        verifier=MixedVerifier({k: as_verifier(part.verifier) for k, part in parts.items()}),
        source="; ".join(f"{k}: {part.source}" for k, part in parts.items() if part.source),
        licence="; ".join(f"{k}: {part.licence}" for k, part in parts.items() if part.licence),
        remarks=[f"{k}: {remark}" for k, part in parts.items() for remark in part.remarks],
        parts=parts,
    )


def held_out_sets(task: Task, most: int | None = None) -> dict[str, Sequence[Problem]]:
    """Return a task's held-out sets by name, each cut to `most` problems, empty ones left out.

    Of a mixture these are each part's: its test problems under its label, and its further ones as
    LABEL/NAME.
    """
    if not task.parts:
        found = {"test": task.test, **task.suites}
    else:
        found = {
            name if not suite else f"{name}/{suite}": lazy(problems).labelled(name)
            for name, part in task.parts.items()
            for suite, problems in {"": part.test, **part.suites}.items()
        }
    whole = {name: problems for name, problems in found.items() if len(problems)}
    return whole if most is None else {name: one[:most] for name, one in whole.items()}


class MixedProblems(LazyProblems):
    """The problems of all parts, one part behind the other; `shares` says how they are drawn."""

    def __init__(
        self, parts: Mapping[str, Sequence[Problem]], weights: Mapping[str, float]
    ) -> None:
        self.parts = [lazy(problems).labelled(label) for label, problems in parts.items()]
        self.weights = weights

    @property
    def shares(self) -> list[Share]:
        """How many problems each part has, and its weight (see `rewardkit.sampling.order`).

        Raises:
            ConfigError: one has a weight and no problems.
        """
        found = [Share(len(part), self.weights.get(part.label, 1.0)) for part in self.parts]
        for part, share in zip(self.parts, found, strict=True):
            if share.weight and not share.count:
                raise ConfigError(
                    f"task {part.label} of the mixture has no training problems; with weight = 0 "
                    "it is only evaluated"
                )
        return found

    @cached_property
    def _ends(self) -> list[int]:
        """Where each part begins, and where the last one ends."""
        return list(accumulate(map(len, self.parts), initial=0))

    def _count(self) -> int:
        return self._ends[-1]

    def _make(self, place: int) -> Problem:
        number = bisect.bisect_right(self._ends, place) - 1
        return self.parts[number][place - self._ends[number]]


class MixedMessages:
    """Asks each problem as its own task does."""

    def __init__(self, parts: Mapping[str, Task]) -> None:
        self.messages = {label: part.messages for label, part in parts.items()}

    def __call__(self, problem: Problem) -> Sequence[Message]:
        """Return the chat that asks `problem`."""
        return self.messages[problem.source](unlabelled(problem))


class MixedVerifier:
    """Grades each response by the verifier of the task that its problem is of.

    It asks for the columns of all of them, and for `source`, which says whose turn it is.
    """

    def __init__(self, parts: Mapping[str, Verifier]) -> None:
        self.parts = dict(parts)

    @property
    def asked(self) -> Asked:
        """The columns that any part asks for; whether a problem has its own is its part's."""
        every = together(asked_by(part) for part in self.parts.values())
        rest = (name for name in (*every.needed, *every.optional) if name != "source")
        return Asked(needed=("source",), optional=tuple(dict.fromkeys(rest)))

    def __call__(self, response: str, answer: str, *, source: str, **columns: Any) -> Verdict:
        """Return the verdict of the part that a problem is of.

        Raises:
            DataError: the problem lacks a column that this part asks for.
        """
        return call_part(
            self._part(source, columns), response, answer, columns | {"source": source}
        )

    @property
    def waits(self) -> bool:
        """Whether a part waits for a server."""
        return any(map(waits, self.parts.values()))

    def steps(self, gold: str, *, source: str, **columns: Any) -> Steps:
        """Ask the part that a problem is of."""
        return (yield self._part(source, columns))

    def quick(self, response: str, answer: str, *, source: str, **columns: Any) -> Verdict | None:
        """Return the verdict if that part's needs no worker process (see `VerifierPool`)."""
        part = self.parts.get(source)
        asked = getattr(part, "quick", None)
        if part is None or asked is None:
            return None
        given = columns | {"source": source}
        names = (*asked_by(part).needed, *asked_by(part).optional)
        verdict: Verdict | None = asked(
            response, answer, **{n: given[n] for n in names if n in given}
        )
        return verdict

    def warm(self) -> None:
        """Prepare what all workers of a pool share."""
        for part in self.parts.values():
            if (warm := getattr(part, "warm", None)) is not None:
                warm()

    def __repr__(self) -> str:
        return f"MixedVerifier({self.parts!r})"

    def _part(self, source: str, columns: Mapping[str, Any]) -> Verifier:
        if source not in self.parts:
            raise DataError(f"a problem of {source!r} is of no task of {', '.join(self.parts)}")
        part = self.parts[source]
        missing = [n for n in asked_by(part).needed if n not in columns and n != "source"]
        if missing:
            raise DataError(
                f"a problem of {source} has no column {missing[0]!r}, which its verifier asks for"
            )
        return part
