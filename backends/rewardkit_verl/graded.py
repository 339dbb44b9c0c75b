"""What the reward manager said of responses, in the words of a step: rewards and a tally."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from rewardkit.recipes import Term
from rewardkit.sampling import GroupTally
from rewardkit.shaping import Scope, shape_group, terms_of
from rewardkit.steps import Decode, TokenStep, token_steps
from rewardkit.types import Finish, Outcome, Reward, Rollout, StepScore, Verdict
from rewardkit_verl.names import COMPONENT, METHOD_KEY, SCORE_KEY, SOURCE_KEY, STEPS_KEY

Info = Mapping[str, Any]
"""The reward manager's `reward_extra_info` of one response."""


def whole_rewards(
    terms: Sequence[Term],
    groups: Sequence[int],
    infos: Sequence[Info],
    lengths: Sequence[int],
    scores: Sequence[float],
    *,
    limit: int,
) -> list[Reward]:
    """Return the reward of each response: the manager's, and the terms that look at its group.

    The manager sees one response a call. The components of all terms are unweighted.

    Args:
        terms: the recipe's.
        groups: an id a response.
        infos: what the manager said of each.
        lengths: their tokens.
        scores: the rewards that the manager gave.
        limit: the most tokens that a response may have.

    >>> infos = [{"outcome": "correct", "truncated": 0.0, "reward/correct": 1.0}] * 2
    >>> kimi = Term("kimi_length", 0.5)
    >>> short, long = whole_rewards([kimi], [7, 7], infos, [2, 4], [1.0, 1.0], limit=8)
    >>> short.total, long.total, long.components
    (1.25, 0.75, {'correct': 1.0, 'kimi_length': -0.5})
    """
    rewards = [Reward(score, _components(info)) for score, info in zip(scores, infos, strict=True)]
    if not (terms := terms_of(terms, Scope.GROUP)):
        return rewards
    members: dict[int, list[int]] = defaultdict(list)
    for row, group in enumerate(groups):
        members[group].append(row)
    for rows in members.values():
        shaped = shape_group(
            [verdict_of(infos[i]) for i in rows],
            [_outline(infos[i], lengths[i]) for i in rows],
            terms,
            limit=limit,
        )
        for i, found in zip(rows, shaped, strict=True):
            added = {term.name: found.components[term.name] for term in terms}
            total = rewards[i].total + sum(term.weight * added[term.name] for term in terms)
            rewards[i] = Reward(total, {**rewards[i].components, **added})
    return rewards


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


def verdict_of(info: Info) -> Verdict:
    """Return outcome, method, score and steps of a response; older infos lack some of them.

    >>> verdict_of({"outcome": "incorrect", "verdict_score": 0.25}).score
    0.25
    """
    return Verdict(
        Outcome(info["outcome"]),
        method=str(info.get(METHOD_KEY, "")),
        score=float(info.get(SCORE_KEY, math.nan)),
        steps=[StepScore(*step) for step in _steps(info)[0]],
    )


def steps_text(verdict: Verdict, tokens: Sequence[int], decode: Decode) -> str:
    """Return the steps of a response by characters and by tokens; empty where it has none.

    As text, since an array of the rows of a batch holds one kind of value a name.

    >>> verdict = Verdict(Outcome.CORRECT, steps=[(2, 1.0)])
    >>> (text := steps_text(verdict, [7, 0], lambda tokens: "a" * len(tokens)))
    '[[[2, 1.0]], [[1, 1.0]]]'
    >>> token_steps_of({"steps": text})
    [TokenStep(token=1, score=1.0)]
    """
    if not verdict.steps:
        return ""
    return json.dumps([verdict.steps, token_steps(verdict.steps, tokens, decode)])


def token_steps_of(info: Info) -> list[TokenStep]:
    """Return the steps of a response by their tokens, as `steps_text` wrote them."""
    return [TokenStep(*step) for step in _steps(info)[1]]


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
    return Rollout("", (0,) * length, (), Finish.LENGTH if info["truncated"] else Finish.STOP)
