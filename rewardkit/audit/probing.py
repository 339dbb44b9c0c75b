"""Probes -> verdicts in workers that can be killed, and faults of the verifier as a program."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from rewardkit.audit.inside import Elsewhere, InLoop, InThread, InWorker, Measured
from rewardkit.audit.probes.base import Probe
from rewardkit.audit.probes.strategies import CHOICE, GUESS, STRATEGY
from rewardkit.types import Outcome, Verdict, Verifier
from rewardkit.verifiers.pool.pool import VerifierPool

ACCEPTED_FROM = 0.5
"""A score that a model would be drawn to, whatever the outcome beside it, if none is given."""
COMPARED = 400
"""Probes that are graded again in other circumstances."""
NOT_COMPARED = ("poison", "program", "long", GUESS, STRATEGY, CHOICE)
MEASURED = 8
PATIENCE = 60.0
"""How much longer it may take to measure memory: many calls, each of them slower."""
KEPT_BYTES = 1024.0
"""Of Python's memory a call: more than what caches and counters of a few bytes come to."""
WALL_FACTOR = 10.0
"""Wall-clock seconds for each second of CPU time: a busy machine is no fault of the verifier."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one verdict may take: CPU seconds and MiB."""

    seconds: float = 2.0
    memory_mb: int = 2048
    workers: int = 1


@dataclass(frozen=True, slots=True)
class Graded:
    """A probe with its verdict."""

    probe: Probe
    verdict: Verdict
    accepted_from: float = ACCEPTED_FROM

    @property
    def accepted(self) -> bool:
        """Whether the verifier rewards it: it is CORRECT, or its score is high enough."""
        return self.verdict.correct or self.verdict.score >= self.accepted_from

    @property
    def unread(self) -> bool:
        """Whether the verifier cannot read the gold, which excludes the item."""
        return self.verdict.outcome is Outcome.BAD_GOLD

    @property
    def falsely_accepted(self) -> bool:
        """Whether it is rewarded and should not be."""
        return self.accepted and not self.probe.accept

    @property
    def falsely_rejected(self) -> bool:
        """Whether it should be rewarded and is not."""
        return self.probe.accept and not self.accepted and not self.unread


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a verifier as a program, and the probe that shows it."""

    kind: str
    what: str
    probe: Probe | None = None


@dataclass(frozen=True, slots=True)
class Memory:
    """Python's memory for one probe: the most during a call, and what a call leaves, in bytes."""

    probe: Probe
    peak: float
    kept: float


class Workers:
    """Processes that can be killed, in which a verifier is called in one way or another."""

    def __init__(
        self, verifier: Verifier, limits: Limits, accepted_from: float = ACCEPTED_FROM
    ) -> None:
        self.verifier = verifier
        self.limits = limits
        self.accepted_from = accepted_from
        self._pools: dict[tuple[type[InWorker], float], VerifierPool] = {}

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *exception: object) -> None:
        for pool in self._pools.values():
            pool.close()

    def grade(
        self, probes: Sequence[Probe], how: type[InWorker] = InWorker, patience: float = 1.0
    ) -> list[Graded]:
        """Return the probes with verdicts; each may take `patience` times the usual seconds."""
        seconds = self.limits.seconds * patience
        if (how, seconds) not in self._pools:
            self._pools[how, seconds] = VerifierPool(
                how(self.verifier),
                workers=self.limits.workers,
                deadline_s=seconds * WALL_FACTOR,
                memory_mb=self.limits.memory_mb,
                cpu_s=seconds,
            )
        pool = self._pools[how, seconds]
        seed = {"PYTHONHASHSEED": "7"} if how is Elsewhere else {}
        with patch.dict(os.environ, seed):
            verdicts = list(pool.verify((probe.response, probe.problem) for probe in probes))
        pairs = zip(probes, verdicts, strict=True)
        return [Graded(*pair, self.accepted_from) for pair in pairs]


def faults_of(graded: Iterable[Graded]) -> Iterator[Fault]:
    """Yield items that hang, use up the memory, or raise."""
    for one in graded:
        verdict = one.verdict
        if verdict.outcome is Outcome.TIMEOUT and verdict.method == "pool":
            yield Fault("hangs", verdict.reason, one.probe)
        elif verdict.outcome is Outcome.ERROR:
            memory = "memory" in verdict.reason.casefold()
            yield Fault("uses up the memory" if memory else "raises", verdict.reason, one.probe)


def compared(workers: Workers, graded: Sequence[Graded]) -> Iterator[Fault]:
    """Yield items whose verdict is another one again, in a thread, an event loop, a process."""
    sane = [one for one in graded if not list(faults_of([one]))]
    usual = [one for one in sane if one.probe.group not in NOT_COMPARED]
    step = -(-len(usual) // COMPARED) or 1
    before = usual[::step]
    probes = [one.probe for one in before]
    # What an alarm ends in the main thread may not end in another.
    hard = [one for one in sane if one.probe.group == "poison"]
    in_thread = workers.grade([*probes, *(one.probe for one in hard)], InThread)
    for kind, after in (
        ("another verdict the second time", workers.grade(probes[::-1])[::-1]),
        ("another verdict in a thread", in_thread),
        ("another verdict in an event loop", workers.grade(probes, InLoop)),
        ("another verdict in another process", workers.grade(probes, Elsewhere)),
    ):
        for one, other in zip([*before, *hard], after, strict=False):
            if _said(one.verdict) != _said(other.verdict):
                told = f"{_words(one.verdict)}, then {_words(other.verdict)}"
                yield Fault(kind, told, one.probe)


def memory_of(workers: Workers, graded: Sequence[Graded]) -> tuple[list[Memory], list[Fault]]:
    """Return what calls take of Python's memory, for a few probes, and where it grows."""
    sane = [one for one in graded if not list(faults_of([one])) and one.probe.group != "long"]
    groups: Counter[str] = Counter()
    picked = []
    for one in sane:
        groups[one.probe.group] += 1
        if groups[one.probe.group] == 1:
            picked.append(one.probe)
    found, faults = [], []
    for one in workers.grade(picked[:MEASURED], Measured, PATIENCE):
        try:
            figures = json.loads(one.verdict.reason)
            memory = Memory(one.probe, float(figures["peak"]), float(figures["kept"]))
        except (ValueError, KeyError, TypeError):
            continue  # it failed here alone; `compared` tells
        found.append(memory)
        if memory.kept > KEPT_BYTES:
            what = f"each call leaves {memory.kept:,.0f} bytes behind"
            faults.append(Fault("memory grows", what, one.probe))
    return found, faults


def ran_model_text(mark: Path, graded: Sequence[Graded]) -> Iterator[Fault]:
    """Yield a fault if a program that stood in a response was run."""
    if mark.exists():
        mark.unlink()
        probe = next((one.probe for one in graded if one.probe.group == "program"), None)
        yield Fault("runs model text", "a program in a response was run by the verifier", probe)


def _said(verdict: Verdict) -> tuple[Outcome, float]:
    return verdict.outcome, round(verdict.score, 6)


def _words(verdict: Verdict) -> str:
    score = "" if verdict.score in (0.0, 1.0) else f" ({verdict.score:.3g})"
    reason = f": {verdict.reason}" if verdict.outcome is Outcome.ERROR else ""
    return f"{verdict.outcome.value}{score}{reason}"
