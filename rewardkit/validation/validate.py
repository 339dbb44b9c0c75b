"""A whole task looked through before it is trained on, or a part of it when training starts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rewardkit.checks.chats import chat_of
from rewardkit.environments.grades import grades_itself
from rewardkit.tasks.mixture import MixedProblems, held_out_sets
from rewardkit.tasks.remarks import remarks_on
from rewardkit.types import Problem, Task
from rewardkit.validation.golds import Tried, try_golds
from rewardkit.validation.repeats import TRAIN, Fault, Found, Repeats, place
from rewardkit.verifiers import VerifierPool

GOLDS_AT_START = 16
"""Golds of each set that are tried when training starts."""
TEXTS_AT_START = 20_000
"""Problems of all sets that are compared then: 1 or 2 seconds. Generated ones are not, as making
some puzzles takes long, and their training and test sets share none."""


@dataclass
class Validation:
    """What was looked at, and what was found."""

    rows: dict[str, int] = field(default_factory=dict)
    """Problems looked at, by set."""
    found: list[Found] = field(default_factory=list)
    golds: int = 0
    """Golds that were given to the verifier."""
    without_gold: int = 0
    """Problems that have none to give."""
    by_environment: int = 0
    """Of these, problems that their environment grades."""
    same_sets: list[str] = field(default_factory=list)
    """Held-out sets that are the training set itself."""
    come_again: int = 0
    """Generated problems that ask what one before them in their set does: chance, and no fault."""
    remarks: list[str] = field(default_factory=list)
    """What of words, verifier and judge does not fit together."""

    @property
    def counts(self) -> Counter[Fault]:
        """How often each fault was found."""
        return Counter(found.fault for found in self.found)


def validate(
    task: Task,
    pool: VerifierPool,
    *,
    limit: int | None = None,
    evaluated: bool = False,
) -> Validation:
    """Look through a task: every gold tried, texts and ids compared, chats made.

    Args:
        task: what is looked through, of each set the first `limit` problems.
        pool: of the task's verifier.
        limit: None for all.
        evaluated: whether a run measures itself on the held-out sets, so that one which is the
            training set is a fault.

    Raises:
        DataError: a chat of a wrong form, or a missing column.
    """
    result, repeats, undrawn = Validation(), Repeats(), _only_evaluated(task)
    for name, problems in _sets(task, result).items():
        rows = len(problems) if limit is None else min(limit, len(problems))
        result.rows[name] = rows
        placed = ((place(name, row), problems[row]) for row in range(rows))
        for row, tried in enumerate(try_golds(task, placed, pool)):
            text = _text(task, tried.problem)
            if not text.strip():
                result.found.append(Found(Fault.EMPTY, tried.where, tried.problem.id, ""))
            if name != TRAIN or tried.problem.source not in undrawn:
                met = repeats.add(name, row, tried.problem, _known_by(task, tried.problem, text))
                _sort(task, tried.problem, met, result)
            result.golds += tried.verdict is not None
            if tried.verdict is None:
                result.without_gold += 1
                result.by_environment += grades_itself(task.part_of(tried.problem))
            result.found += _rejected(tried)
    if evaluated:
        result.found += [Found(Fault.SAME_SET, name, "", "") for name in result.same_sets]
    result.remarks = remarks_on(task)
    return result


def remarks_at_start(task: Task, pool: VerifierPool, *, evaluated: bool = True) -> list[str]:
    """Return what a person should know of a task before training on it, from a part of it.

    Some golds of each set are tried; small sets are compared, wherever their problems are kept.

    Args:
        task: what is trained on.
        pool: of the task's verifier.
        evaluated: whether the run measures anything on the held-out sets.

    Raises:
        DataError: a chat of a wrong form, or a missing column.
    """
    result, repeats = Validation(), Repeats()
    sets = _sets(task, result)
    for name, problems in sets.items():
        count = len(problems)
        rows = sorted({count * i // GOLDS_AT_START for i in range(GOLDS_AT_START)} if count else ())
        placed = ((place(name, row), problems[row]) for row in rows)
        for tried in try_golds(task, placed, pool):
            if not _text(task, tried.problem).strip():
                result.found.append(Found(Fault.EMPTY, tried.where, tried.problem.id, ""))
            result.golds += tried.verdict is not None
            result.found += _rejected(tried)
    stretches = [one for name in sets for one in _stretches(task, name, sets[name])]
    if sum(len(problems) for _, _, problems in stretches) <= TEXTS_AT_START:
        for name, first, problems in stretches:
            for row, problem in enumerate(problems, first):
                text = _known_by(task, problem, _text(task, problem))
                result.found += repeats.add(name, row, problem, text)
    said = [*task.remarks, *remarks_on(task)]
    return [*said, *_sentences(result), *(_same(result) if evaluated else ())]


def _sets(task: Task, result: Validation) -> dict[str, Sequence[Problem]]:
    """Return the sets by name, without those that are the training set under another."""
    held_out = held_out_sets(task)
    result.same_sets = [name for name in held_out if _is_trained_on(task, name, held_out[name])]
    return {TRAIN: task.train} | {k: v for k, v in held_out.items() if k not in result.same_sets}


def _is_trained_on(task: Task, name: str, problems: Sequence[Problem]) -> bool:
    if not task.parts:
        return problems is task.train
    part = task.parts.get(name)  # none for a further set, LABEL/NAME
    return part is not None and part.test is part.train and name not in _only_evaluated(task)


def _only_evaluated(task: Task) -> set[str]:
    """Return the tasks of a mixture that have training problems of which none is drawn."""
    weights = task.train.weights if isinstance(task.train, MixedProblems) else {}
    return {label for label, weight in weights.items() if not weight}


def _stretches(
    task: Task, name: str, problems: Sequence[Problem]
) -> Iterator[tuple[str, int, Sequence[Problem]]]:
    """Yield what of a set is neither generated nor left out, with the row where it begins."""
    first = 0
    for part in problems.parts if isinstance(problems, MixedProblems) else [problems]:
        label = getattr(part, "label", "")
        is_drawn = name != TRAIN or label not in _only_evaluated(task)
        if is_drawn and not (task.parts[label] if label else task).generated:
            yield name, first, part
        first += len(part)


def _sort(task: Task, problem: Problem, found: Sequence[Found], result: Validation) -> None:
    for one in found:
        if one.fault is Fault.SAME_TEXT and task.part_of(problem).generated:
            result.come_again += 1
        else:
            result.found.append(one)


def _text(task: Task, problem: Problem) -> str:
    return "\n".join(turn["content"] for turn in chat_of(task, problem))


def _known_by(task: Task, problem: Problem, text: str) -> str:
    """Return what tells a problem from others: its text, and of a game also what it hides."""
    if not hasattr(task.part_of(problem).environment, "grade"):
        return text
    return "\n".join((text, problem.answer, json.dumps(dict(problem.info), sort_keys=True)))


def _rejected(tried: Tried) -> Iterator[Found]:
    verdict = tried.verdict
    if verdict is not None and not verdict.correct:
        detail = f"{tried.gold[:80]!r} is {verdict.outcome}: {verdict.reason}"
        yield Found(Fault.GOLD, tried.where, tried.problem.id, detail)


def _sentences(result: Validation) -> Iterator[str]:
    first = {found.fault: found for found in reversed(result.found)}
    for fault, count in result.counts.items():
        found = first[fault]
        such = f"such as problem {found.problem!r}, {found.where}"
        if fault is Fault.GOLD:
            yield (
                f"the verifier rejects the gold of {count} of {result.golds} problems that were "
                f"tried, {such}: {found.detail[:200]}; `rewardkit tasks check` tries all"
            )
        else:
            yield f"{count} problems have the fault `{fault}`, {such} {found.detail}".rstrip()


def _same(result: Validation) -> Iterator[str]:
    for name in result.same_sets:
        yield f"{name} and train are the same problems: what is measured was trained on"
