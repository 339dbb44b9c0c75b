"""The band of solve rates that is kept, what speaks against a problem, and what is left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from rewardkit.curation.files import rating_row
from rewardkit.curation.ratings import Counts, Rating
from rewardkit.curation.texts import TestTexts, duplicates, near_duplicates
from rewardkit.errors import ConfigError, UnknownNameError
from rewardkit.registry import import_object

FLAGS = {
    "unreadable_gold": "the verifier cannot read the gold",
    "suspect_gold": "no sample agrees with the gold, and most agree with each other",
    "duplicate": "the question stood before",
    "near_duplicate": "nearly the question stood before",
    "overlap": "the question shares a passage with a test problem",
}
MAJORITY_SAMPLES = 4
"""So few samples agree with each other by chance."""


@dataclass(frozen=True)
class Band:
    """Solve rates from `low` to `high`, and how probable it has to be that a problem's is there."""

    low: float = 0.0
    high: float = 1.0
    probability: float = 0.5

    def __post_init__(self) -> None:
        if not 0 <= self.low < self.high <= 1:
            raise ConfigError(
                f"--keep takes two solve rates in order, LOW:HIGH, found {self.low:g}:{self.high:g}"
            )
        if not 0 < self.probability < 1:
            raise ConfigError(f"--probability lies in (0, 1), found {self.probability}")

    @classmethod
    def parse(cls, text: str, probability: float) -> Band:
        """Read "0.2:0.8".

        Raises:
            ConfigError: it is none.
        """
        low, _, high = text.partition(":")
        try:
            return cls(float(low), float(high), probability)
        except ValueError as error:
            raise ConfigError(
                f"--keep takes two solve rates, such as .2:.8, found {text!r}"
            ) from error


@dataclass
class Choice:
    """What is kept and what is not, as rows with their flags, and the counts of both."""

    kept: list[dict[str, Any]] = field(default_factory=list)
    dropped: list[dict[str, Any]] = field(default_factory=list)
    flags: Counter[str] = field(default_factory=Counter)
    below: int = 0
    above: int = 0
    unsure: int = 0
    """Not in the band with enough probability, and neither below nor above it with so much."""
    unrated: int = 0


def choose(
    ratings: Sequence[Rating],
    band: Band,
    *,
    model: str | None = None,
    tests: TestTexts | None = None,
    drop: Sequence[str] = tuple(FLAGS),
) -> Choice:
    """Return the problems whose solve rate is believed to lie in a band, without the flagged ones.

    Args:
        ratings: the problems, in the order in which duplicates are later ones.
        band: which solve rates, with what probability.
        model: whose solve rate; None takes all samples together.
        tests: passages that training problems should not share.
        drop: the flags that drop a problem; others are only written down.

    Raises:
        UnknownNameError: no such model, or no such flag.
        MissingExtraError: datasketch is not installed.
    """
    names = {name for rating in ratings for name in rating.models}
    if model is not None and model not in names:
        raise UnknownNameError("model in the table", model, names)
    for name in drop:
        if name not in FLAGS:
            raise UnknownNameError("flag", name, FLAGS)
    flags = flags_of(ratings, model, tests)
    found = Choice()
    for rating, mine in zip(ratings, flags, strict=True):
        found.flags.update(mine.keys())
        counts = rating.counts(model)
        inside = counts.within(band.low, band.high)
        row = _row(rating, model, inside, mine)
        if not counts.right + counts.wrong:
            found.unrated += 1
        elif inside < band.probability:
            _count_outside(found, counts, band)
        elif not set(mine) & set(drop):
            found.kept.append(row)
            continue
        found.dropped.append(row)
    return found


def flags_of(
    ratings: Sequence[Rating], model: str | None, tests: TestTexts | None
) -> list[dict[str, str]]:
    """Return what speaks against each problem: flag -> why."""
    questions = [rating.problem.question for rating in ratings]
    flags: list[dict[str, str]] = [{} for _ in ratings]
    for place, first in duplicates(questions).items():
        flags[place]["duplicate"] = f"of {ratings[first].problem.id}"
    for place, first in near_duplicates(questions).items():
        if "duplicate" not in flags[place]:
            flags[place]["near_duplicate"] = f"of {ratings[first].problem.id}"
    hashed = import_object("rewardkit_tasks.contests.loading:statement_hash", "hash")
    for rating, mine in zip(ratings, flags, strict=True):
        counts = rating.counts(model)
        if counts.bad_gold:
            mine["unreadable_gold"] = f"{counts.bad_gold} times"
        elif _suspect(counts):
            mine["suspect_gold"] = "{1} of {2} say {0}".format(*counts.majority, counts.wrong)
        question = rating.problem.question
        if tests is not None and (shared := tests.shared(question, hashed(question))):
            mine["overlap"] = f"{shared[0]}: {shared[1]}"
    return flags


def test_texts(names: Sequence[str]) -> TestTexts:
    """Return the passages of the test problems of tasks, and the hashes of the contest sets.

    Raises:
        RewardkitError: a task cannot be loaded; where its hub cannot be reached, NAME=PATH names
            a copy.
    """
    from rewardkit.tasks import load_task

    found = TestTexts()
    found.add_hashes(import_object("rewardkit_tasks.contests.loading:pinned_statements", "hash")())
    for name in names:
        task = load_task(name)
        for label, problems in {task.name: task.test, **task.suites}.items():
            found.add(label, (problem.question for problem in problems))
    return found


test_texts.__test__ = False  # type: ignore[attr-defined]  # no test of pytest's


def _suspect(counts: Counts) -> bool:
    """Whether the gold is right by no sample, and most of enough samples agree on another."""
    enough = counts.wrong >= MAJORITY_SAMPLES and not counts.right
    return enough and counts.majority[1] > counts.wrong / 2


def _count_outside(found: Choice, counts: Counts, band: Band) -> None:
    if counts.within(0, band.low) >= band.probability:
        found.below += 1
    elif counts.within(band.high, 1) >= band.probability:
        found.above += 1
    else:
        found.unsure += 1


def _row(rating: Rating, model: str | None, inside: float, flags: dict[str, str]) -> dict[str, Any]:
    """Return a row of data: the columns of the problem beside what was found of it."""
    row = rating_row(rating, model)
    info = row.pop("info")
    del row["models"]
    return {**info, **row, "in_band": round(inside, 6), "flags": flags}
