"""Problems -> the probes of an audit: for each gold, and for some of each shape what costs more."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from pathlib import Path

from rewardkit.audit.probes.attacks import (
    all_options,
    both_answers,
    echoes,
    in_words_of_nobody,
    truncated,
    undeclared,
)
from rewardkit.audit.probes.base import ANSWER, FORMS, Probe, filled, written
from rewardkit.audit.probes.mutations import DENIES, mutations
from rewardkit.audit.probes.poisons import ODD, long_texts, poisons, programs
from rewardkit.audit.probes.shapes import Reading, Shape, read
from rewardkit.audit.probes.strategies import one_of_two, strategies
from rewardkit.audit.probes.writings import writings
from rewardkit.types import Problem

SCANNED = 2_000
"""Problems that are looked at to choose from, evenly spread over the task."""
ATTACKED = 8
"""Problems that get what does not depend on the gold."""
POISONED = 2
OWN_GOLD = "own gold"
NUMBERS = (Shape.INTEGER, Shape.DECIMAL, Shape.FRACTION)
WORDY = (Shape.WORDS, Shape.WORD_LIST)
ARTICLES = ("a", "an", "the")
"""No items of a list: a text is compared without them."""
OTHERS = 10
"""Golds of other problems that a list of all options names."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A problem, how its gold reads, and the prompt that a model would be given."""

    problem: Problem
    reading: Reading
    prompt: str = ""
    right: str = ""
    """A right response, where the gold in a form may be none."""

    def form(self, usual: str) -> str:
        """Return where an answer stands: as in the right response, where that says the gold."""
        return self._own_form() or filled(usual, self.problem)

    def takes(self, probe: Probe, *, golds_are_answers: bool) -> bool:
        """Whether what a probe asks can be known: what is right can, where a form is."""
        if not probe.accept or probe.kind == OWN_GOLD:
            return True
        return bool(self._own_form()) if self.right else golds_are_answers

    def _own_form(self) -> str:
        """Return the right response with ANSWER where it last says the gold; empty if nowhere."""
        gold = self.reading.gold
        if not gold or ANSWER in self.right:
            return ""
        said = [*re.finditer(rf"(?<![\w.]){re.escape(gold)}(?!\w|[.]\d)", self.right)]
        if not said:
            return ""
        return f"{self.right[: said[-1].start()]}{ANSWER}{self.right[said[-1].end() :]}"


def choose(
    problems: Sequence[Problem],
    most: int,
    prompt_of: Callable[[Problem], str] = lambda _: "",
    right_of: Callable[[Problem], str] = lambda _: "",
) -> list[Chosen]:
    """Return up to `most` problems of different golds, the shapes of golds taking turns."""
    step = max(1, len(problems) // SCANNED)
    by_shape: dict[Shape, list[Chosen]] = defaultdict(list)
    seen = set()
    for place in range(0, len(problems), step):
        problem = problems[place]
        reading = read(problem.answer)
        key = (reading.gold, repr(problem.info))
        if key not in seen:
            seen.add(key)
            by_shape[reading.shape].append(Chosen(problem, reading))
    turns = chain.from_iterable(zip_longest(*by_shape.values()))
    found = [one for one in turns if one is not None][:most]
    words = [item for one in found if one.reading.shape in WORDY for item in one.reading.items]
    return [
        Chosen(
            one.problem,
            _beside_a_stranger(one.reading, words),
            prompt_of(one.problem),
            right_of(one.problem).strip(),
        )
        for one in found
    ]


def _beside_a_stranger(reading: Reading, words: Sequence[str]) -> Reading:
    """Return a list's reading with a word of another list that is surely none of its own."""
    if reading.shape is not Shape.WORD_LIST:
        return reading
    strangers = (
        word
        for word in words
        if word.casefold() not in ARTICLES and _share_nothing(word, reading.gold)
    )
    return replace(reading, stranger=next(strangers, reading.stranger))


def own_golds(chosen: Sequence[Chosen]) -> Iterator[Probe]:
    """Yield each gold in each form, which shows which forms the verifier reads."""
    for one in chosen:
        for form in FORMS:
            text = written(form, one.reading.gold)
            yield Probe(one.problem, text, f"own gold: {form}", accept=True, certain=False)


def all_probes(
    chosen: Sequence[Chosen],
    form: str,
    mark: Path,
    *,
    golds_are_answers: bool = True,
    declared: Sequence[str] = (),
) -> list[Probe]:
    """Return the probes of an audit, answers given in `form`.

    Where the golds are no answers (the target of a game, say), no other writing of them is asked.
    Where the place of the answer is `declared`, one that stands elsewhere is to be rejected.
    """
    forms = {id(one.problem): one.form(form) for one in chosen}
    found = [(one, p) for one in chosen for p in _of_gold(one, chosen, forms[id(one.problem)])]
    elsewhere = [
        probe
        for one in chosen
        if one.reading.gold and not one.right
        for probe in undeclared(one.problem, one.reading, forms[id(one.problem)], declared)
    ]
    for one in chosen[:ATTACKED]:
        found += [(one, p) for p in in_words_of_nobody(one.problem, forms[id(one.problem)])]
    for one in chosen[:POISONED]:
        found += [(one, p) for p in _costly(one, forms[id(one.problem)], mark)]
    kept: dict[tuple[int, str], Probe] = {}
    for one, probe in found:
        if one.takes(probe, golds_are_answers=golds_are_answers):
            kept.setdefault((id(probe.problem), probe.response), probe)
    sure = [p for p in kept.values() if p.accept or not _may_be_right(p, forms[id(p.problem)])]
    sure += [p for p in elsewhere if (id(p.problem), p.response) not in kept]
    return sure + [p for one in chosen for p in _blind(one, forms[id(one.problem)])]


def _blind(one: Chosen, form: str) -> Iterator[Probe]:
    """Yield what is counted over all problems, whether or not it happens to be right for one."""
    yield from one_of_two(one.problem, one.reading, form)
    yield from strategies(one.problem, form)


def _costly(one: Chosen, form: str, mark: Path) -> Iterator[Probe]:
    yield from poisons(one.problem, form)
    yield from programs(one.problem, form, mark)
    yield from long_texts(one.problem, one.reading, form)


def _may_be_right(probe: Probe, form: str) -> bool:
    """Whether what nobody should accept happens to be this problem's gold ("None", "inf")."""
    gold = read(probe.problem.answer).gold
    said = (gold.casefold(), written(form, gold).casefold())
    infinite = probe.kind == "poison: infinity" and re.search(r"inf|∞", gold) is not None
    return bool(gold) and (probe.response.casefold() in said or infinite or ODD in gold)


def _of_gold(one: Chosen, chosen: Sequence[Chosen], form: str) -> Iterator[Probe]:
    problem, reading = one.problem, one.reading
    yield from echoes(problem, one.prompt, form)
    if one.right or reading.gold:
        yield Probe(problem, one.right or written(form, reading.gold), OWN_GOLD, accept=True)
    if not reading.gold:
        return
    for name, text, certain in writings(reading):
        yield Probe(problem, written(form, text), f"writing: {name}", accept=True, certain=certain)
    for name, text in mutations(reading):
        yield Probe(problem, written(form, text), f"mutated: {name}", accept=False)
    others = _others(one, chosen)
    for text in others[:2]:
        yield Probe(problem, written(form, text), "mutated: another problem's", accept=False)
    yield from both_answers(problem, reading, form)
    yield from truncated(problem, reading, form)
    yield from all_options(problem, reading, others, form)


def _others(one: Chosen, chosen: Sequence[Chosen]) -> list[str]:
    """Return golds of other problems that are surely other answers: other numbers, other words."""
    place = next(i for i, other in enumerate(chosen) if other is one)
    around = [*chosen[place + 1 :], *chosen[:place]]
    golds = [other.reading.gold for other in around if _another(one.reading, other.reading)]
    return golds[:OTHERS]


def _another(one: Reading, other: Reading) -> bool:
    if one.shape in NUMBERS and other.shape in NUMBERS:
        return one.value != other.value
    wordy = one.shape in WORDY and other.shape in WORDY
    if not wordy or (_says_no(one.gold) and _says_no(other.gold)):
        return False
    return _share_nothing(one.gold, other.gold)


def _says_no(gold: str) -> bool:
    """Whether a text denies something: two that do may say the same in words of their own.

    >>> _says_no("impossible"), _says_no("does not exist"), _says_no("isosceles")
    (True, True, False)
    """
    return re.search(rf"{DENIES.pattern}|\b(?:im|in|un)\w{{4}}", gold, re.IGNORECASE) is not None


def _share_nothing(one: str, other: str) -> bool:
    """Whether no word of one begins as a word of the other, which may be the same one inflected.

    >>> _share_nothing("H, O", "Na, Cl"), _share_nothing("two dogs", "Dog")
    (True, False)
    """
    words, others = (re.findall(r"\w+", text.casefold()) for text in (one, other))
    return not any(a.startswith(b) or b.startswith(a) for a in words for b in others)
