"""What crosses to verl and back beside a prompt, as numbers and text: its problem, its verdicts.

A problem's columns and a verdict's steps are JSON text: a parquet file has one schema for all rows,
and an array of a batch one kind of value a name.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from rewardkit.recipes import Term
from rewardkit.sampling import GroupTally
from rewardkit.shaping import Scope, components, terms_of, weigh, with_correct
from rewardkit.shaping.response_steps import Decode, TokenStep, token_steps
from rewardkit.types import Finish, Problem, Reward, Rollout, Segment, StepScore, Verdict
from rewardkit_verl.names import COMPONENT, PLAYED_KEY, SCORE_KEY, SOURCE_KEY, STEPS_KEY


def problem_fields(problem: Problem, *, split: str, index: int) -> dict[str, Any]:
    """Return `reward_model` and `extra_info` of verl's row for a problem.

    Args:
        problem: what is asked.
        split: the set that it is of: train, test, ...
        index: its place there.
    """
    return {
        "reward_model": {"style": "rule", "ground_truth": problem.answer},
        "extra_info": {
            "index": index,
            "split": split,
            "id": problem.id,
            "question": problem.question,
            "source": problem.source,
            "info": json.dumps(dict(problem.info)) if problem.info else "",
        },
    }


def problem_of(row: Mapping[str, Any]) -> Problem:
    """Return the problem of a row; one that an earlier version wrote has no columns.

    >>> row = problem_fields(Problem("1", "?", "24", info={"target": 24}), split="test", index=0)
    >>> problem_of(row).info
    Columns({'target': 24})
    >>> problem_of({"reward_model": {"ground_truth": 5}})
    Problem(id='', question='', answer='5', source='', info=Columns({}))
    """
    extra = row.get("extra_info") or {}
    return Problem(
        id=str(extra.get("id") or ""),
        question=str(extra.get("question") or ""),
        answer=str(row["reward_model"]["ground_truth"]),
        source=str(extra.get("source") or ""),
        info=json.loads(extra.get("info") or "{}"),
    )


Info = Mapping[str, Any]
"""The reward manager's `reward_extra_info` of one response."""


def whole_rewards(
    terms: Sequence[Term],
    groups: Sequence[int],
    infos: Sequence[Info],
    lengths: Sequence[int],
    *,
    limit: int,
) -> list[Reward]:
    """Return the reward of each response: the components that the manager found, and its group's.

    The manager sees one response a call, and so the terms of a group are found here.

    Args:
        terms: the recipe's.
        groups: an id a response.
        infos: what the manager said of each.
        lengths: their tokens.
        limit: the most tokens that a response may have.

    >>> infos = [{"outcome": "correct", "truncated": 0.0, "reward/correct": 1.0}] * 2
    >>> kimi = Term("kimi_length", 0.5)
    >>> short, long = whole_rewards([kimi], [7, 7], infos, [2, 4], limit=8)
    >>> short.total, long.total, long.components
    (1.25, 0.75, {'correct': 1.0, 'kimi_length': -0.5})
    """
    parts = [_components(info) for info in infos]
    members: dict[int, list[int]] = defaultdict(list)
    if of_groups := terms_of(terms, Scope.GROUP):
        for row, group in enumerate(groups):
            members[group].append(row)
    for rows in members.values():
        verdicts = [verdict_of(infos[i]) for i in rows]
        outlines = [_outline(infos[i], lengths[i]) for i in rows]
        found = components(verdicts, outlines, of_groups, limit=limit)
        for i, more in zip(rows, found, strict=True):
            parts[i] |= more
    weighted = with_correct(terms)
    return [weigh(weighted, one) for one in parts]


def tally(
    kept: Sequence[Sequence[Info]],
    dropped: Sequence[Sequence[Info]],
    sources: Sequence[str] = (),
) -> GroupTally:
    """Return the tally of all groups that were drawn for a step.

    Args:
        kept: the groups that the step trains on, a member a response.
        dropped: the groups that were drawn for it and evicted, or not needed.
        sources: the tasks of a mixture.
    """
    found = GroupTally(sources=sources)
    for groups, trained_on in ((kept, True), (dropped, False)):
        for group in groups:
            verdicts = [verdict_of(info) for info in group]
            cut = sum(bool(info["truncated"]) for info in group)
            source = str(group[0].get(SOURCE_KEY, ""))
            found.count(verdicts, cut, kept=trained_on, source=source)
    return found


def verdict_info(verdict: Verdict, rollout: Rollout, decode: Decode) -> dict[str, Any]:
    """Return a verdict as the reward manager says it: numbers and text, as verl takes them.

    `score` has another name there, since verl's files have one of their own.

    >>> from rewardkit.types import Outcome
    >>> rollout = Rollout("", (), (), Finish.STOP)
    >>> info = verdict_info(Verdict(Outcome.INCORRECT, score=0.25), rollout, str)
    >>> info["verdict_score"], info["extracted"], verdict_of(info).score
    (0.25, '', 0.25)
    """
    record = verdict.to_record()
    score, steps = record.pop("score"), steps_text(verdict, rollout, decode)
    said = {name: "" if value is None else value for name, value in record.items()}
    return {**said, SCORE_KEY: score, STEPS_KEY: steps}


def verdict_of(info: Info) -> Verdict:
    """Return the verdict that `verdict_info` said; what wrote no scores had bare outcomes."""
    found = {name: info[name] or None for name in ("extracted", "gold") if name in info}
    score = float(info.get(SCORE_KEY, math.nan))
    return Verdict.from_record({**info, **found, "score": score, "steps": _steps(info)[0]})


def steps_text(verdict: Verdict, rollout: Rollout, decode: Decode) -> str:
    """Return the steps of a response by characters and by tokens; empty where it has none.

    As text, since an array of the rows of a batch holds one kind of value a name.

    >>> from rewardkit.types import Outcome
    >>> verdict = Verdict(Outcome.CORRECT, steps=[(2, 1.0)])
    >>> rollout = Rollout("aa", (7, 0), (), Finish.STOP)
    >>> (text := steps_text(verdict, rollout, lambda tokens: "a" * len(tokens)))
    '[[[2, 1.0]], [[1, 1.0]]]'
    >>> token_steps_of({"steps": text})
    [TokenStep(token=1, score=1.0)]
    """
    if not verdict.steps:
        return ""
    found = token_steps(verdict.steps, rollout.tokens, decode, rollout.segments)
    return json.dumps([verdict.steps, found])


def token_steps_of(info: Info) -> list[TokenStep]:
    """Return the steps of a response by their tokens, as `steps_text` wrote them."""
    return [TokenStep(*step) for step in _steps(info)[1]]


def played_text(rollout: Rollout) -> str:
    """Return all of a rollout with an environment but its tokens, as text.

    >>> parts = (Segment(True, "2*3", 2), Segment(False, "6", 1))
    >>> rollout = Rollout("2*3", (5, 6, 7), (-1.0, -1.0, 0.0), Finish.LENGTH, parts)
    >>> played_rollout({"played": played_text(rollout)}, (5, 6, 7)).segments == parts
    True
    """
    verdict = None if rollout.verdict is None else rollout.verdict.to_record()
    said = rollout.text, rollout.finish, rollout.segments, verdict, rollout.tool_errors
    return json.dumps([*said, rollout.steps])


def played_rollout(info: Info, tokens: Sequence[int]) -> Rollout | None:
    """Return a rollout as `played_text` wrote it; None where no environment was played."""
    if not info.get(PLAYED_KEY):
        return None
    text, finish, parts, said, errors, scored = json.loads(info[PLAYED_KEY])
    verdict = None if said is None else Verdict.from_record(said)
    segments = tuple(Segment(*part) for part in parts)
    steps = tuple(StepScore(*one) for one in scored)
    return Rollout(text, tuple(tokens), (), Finish(finish), segments, verdict, errors, steps)


def _steps(info: Info) -> tuple[list[Any], list[Any]]:
    by_characters, by_tokens = json.loads(info.get(STEPS_KEY) or "[[], []]")
    return by_characters, by_tokens


def _components(info: Info) -> dict[str, float]:
    return {
        name.removeprefix(COMPONENT): value
        for name, value in info.items()
        if name.startswith(COMPONENT)
    }


def _outline(info: Info, length: int) -> Rollout:
    """Return all of a response that a term may read of the others in its group."""
    return Rollout("", (0,) * length, (), finish_of(info))


def finish_of(info: Info) -> Finish:
    """Return why a response ended.

    >>> finish_of({"played": played_text(Rollout("", (), (), Finish.TURNS)), "truncated": 0.0})
    <Finish.TURNS: 'turns'>
    """
    played = played_rollout(info, ())
    if played is not None:
        return played.finish
    return Finish.LENGTH if info["truncated"] else Finish.STOP
