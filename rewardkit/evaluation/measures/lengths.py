"""Accuracy at each length, from stored samples: what a smaller token limit would have cost.

A sample is a function of its seed, so that under a smaller limit its response is the beginning of
the one that is stored. What ended within the limit keeps its verdict; of the rest the beginning is
graded by the task's own verifier. Engines that know their tokens mark how long the text was at some
of them, which makes a beginning exact there; between marks, and for servers, it is cut at the same
share of the characters, off by some tokens. How many were cut is exact everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from rewardkit.errors import ConfigError
from rewardkit.evaluation.drawing.sets import ProblemSet, Slot
from rewardkit.evaluation.measures.scoring import correct_of_graded, score_of
from rewardkit.evaluation.samples import Sample, graded_text
from rewardkit.runs.results import Score
from rewardkit.types import Outcome
from rewardkit.verifiers import VerifierPool


class AtLength(Score):
    """What the samples would be worth under a token limit."""

    max_tokens: int
    cut: int
    """Responses that the limit would cut off, or that were cut off before it."""
    samples: int
    accuracy_if_cut_wrong: float | None


def beginning(sample: Sample, limit: int) -> tuple[str, str]:
    """Return the reasoning and the response as they would stand when `limit` tokens are drawn.

    >>> from rewardkit.types import Finish
    >>> s = Sample("", "", "", 0, 0, "", "abcd", Finish.STOP, 0, 8, 0.0, Outcome.CORRECT,
    ...            reasoning="efgh")
    >>> beginning(s, 3), beginning(s, 6)
    (('efg', ''), ('efgh', 'ab'))
    """
    whole = len(sample.reasoning) + len(sample.response)
    kept = whole
    if limit < sample.tokens:
        known = [(0, 0), *sample.marks, (sample.tokens, whole)]
        (left, start), (right, end) = next(
            pair for pair in pairwise(known) if pair[0][0] <= limit < pair[1][0]
        )
        kept = start + round((end - start) * (limit - left) / (right - left))
    thought = sample.reasoning[:kept]
    return thought, sample.response[: kept - len(thought)]


def length_curve(
    one: ProblemSet,
    samples: Mapping[str, Sample],
    limits: Sequence[int],
    workers: int | None = None,
) -> list[AtLength]:
    """Return what the samples of a set would be worth under each limit, ascending.

    Raises:
        ConfigError: no sample says how many tokens it has.
    """
    held = [(slot, samples[slot.key]) for slot in one.slots if slot.key in samples]
    if held and not any(sample.tokens for _, sample in held):
        raise ConfigError(
            f"{one.name}: no sample says how many tokens it has (the server sent no `usage`), so "
            "that there is no accuracy at each length"
        )
    pairs = [(limit, slot, sample) for limit in limits for slot, sample in held]
    cut = [pair for pair in pairs if pair[2].tokens > pair[0]]
    with VerifierPool(one.task.verifier, workers=workers) as pool:
        verdicts = list(pool.verify((_text(one, s, limit), slot.problem) for limit, slot, s in cut))
    found = {
        (limit, slot.key): verdict.outcome
        for (limit, slot, _), verdict in zip(cut, verdicts, strict=True)
    }
    return [_at(limit, held, found) for limit in sorted(limits)]


def _text(one: ProblemSet, sample: Sample, limit: int) -> str:
    thought, response = beginning(sample, limit)
    return graded_text(response, thought if one.grade_reasoning else "")


def _at(
    limit: int,
    held: Sequence[tuple[Slot, Sample]],
    graded: Mapping[tuple[int, str], Outcome],
) -> AtLength:
    groups: dict[str, list[Outcome]] = {}
    wrong: dict[str, list[Outcome]] = {}
    cut = 0
    for slot, sample in held:
        outcome = graded.get((limit, slot.key), sample.outcome)
        groups.setdefault(slot.problem.id, []).append(outcome)
        cut_off = (limit, slot.key) in graded or sample.truncated
        cut += cut_off
        lost = cut_off and outcome is Outcome.CORRECT
        wrong.setdefault(slot.problem.id, []).append(Outcome.NO_ANSWER if lost else outcome)
    score = score_of([correct_of_graded(group) for group in groups.values()])
    lower = score_of([correct_of_graded(group) for group in wrong.values()])
    return {
        "max_tokens": limit,
        **score,
        "cut": cut,
        "samples": len(held),
        "accuracy_if_cut_wrong": lower["accuracy"],
    }
