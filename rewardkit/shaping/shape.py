"""Terms and their weights -> the rewards of one group."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from numbers import Real

from rewardkit.errors import ConfigError, RewardkitError, UnknownNameError, described
from rewardkit.options import check_options
from rewardkit.recipes import Term
from rewardkit.shaping.group import GradedGroup, Scope, ShapingTerm
from rewardkit.shaping.own import own_term
from rewardkit.shaping.terms import TERMS
from rewardkit.types import Outcome, Reward, Rollout, Verdict


def shape_group(
    verdicts: Sequence[Verdict],
    rollouts: Sequence[Rollout],
    terms: Sequence[Term] = (),
    *,
    limit: int,
) -> tuple[Reward, ...]:
    """Return the rewards of one group's responses, in order.

    Args:
        verdicts: what the verifier found.
        rollouts: the responses, as many.
        terms: what to add to being correct.
        limit: the most tokens that a response may have.

    Raises:
        UnknownNameError: no term of that name.
        ConfigError: verdicts and rollouts differ in number, a name comes twice, or an option is
            unknown, missing or out of range.

    >>> from rewardkit.types import Finish, Outcome, Rollout, Verdict
    >>> long = Rollout("", tuple(range(18)), (0.0,) * 18, Finish.STOP)
    >>> shape_group([Verdict(Outcome.CORRECT)], [long], [Term("soft_overlong")], limit=20)[0].total
    0.5
    """
    weighted = with_correct(terms)
    parts = components(verdicts, rollouts, weighted, limit=limit)
    return tuple(weigh(weighted, one) for one in parts)


def with_correct(terms: Sequence[Term]) -> list[Term]:
    """Return the terms of a reward: also the one of being right, unless it is among them."""
    return [*([] if "correct" in [term.name for term in terms] else [Term("correct")]), *terms]


def weigh(terms: Sequence[Term], parts: Mapping[str, float]) -> Reward:
    """Return the reward of one response, whose components are `parts`."""
    return Reward(math.fsum(term.weight * parts[term.name] for term in terms), parts)


def components(
    verdicts: Sequence[Verdict], rollouts: Sequence[Rollout], terms: Sequence[Term], *, limit: int
) -> list[dict[str, float]]:
    """Return the unweighted components of each response of one group, of these terms alone.

    Raises:
        UnknownNameError, ConfigError: as `shape_group`.
    """
    if len(verdicts) != len(rollouts):
        raise ConfigError(f"{len(verdicts)} verdicts for {len(rollouts)} rollouts")
    if limit < 1:
        raise ConfigError(f"limit must be at least 1 token, found {limit}")
    names = [term.name for term in terms]
    for name in names:
        if names.count(name) > 1:
            raise ConfigError(f"the shaping term {name!r} comes twice; give it once")
    group = GradedGroup(
        correct=tuple(verdict.correct for verdict in verdicts),
        lengths=tuple(len(rollout.own_tokens) for rollout in rollouts),
        rollouts=tuple(rollouts),
        limit=limit,
        scores=tuple(verdict.score for verdict in verdicts),
        verdicts=tuple(verdicts),
    )
    columns = {term.name: _component(term, group) for term in terms}
    broken = [verdict.outcome is Outcome.BAD_GOLD for verdict in verdicts]
    return [
        {name: 0.0 if none else column[i] for name, column in columns.items()}
        for i, none in enumerate(broken)
    ]


def terms_of(terms: Sequence[Term], scope: Scope) -> tuple[Term, ...]:
    """Return those of `terms` that look at no more and no less than `scope`.

    Raises:
        UnknownNameError: no term of that name.

    >>> [term.name for term in terms_of([Term("format"), Term("kimi_length")], Scope.GROUP)]
    ['kimi_length']
    """
    return tuple(term for term in terms if _find(term.name).scope is scope)


def _find(name: str) -> ShapingTerm:
    if name in TERMS:
        return TERMS[name]
    if ":" in name:
        return own_term(name)
    raise UnknownNameError("shaping term", name, TERMS)


def _component(term: Term, group: GradedGroup) -> list[float]:
    found = _find(term.name)
    check_options(f"shaping term {term.name}", found.function, term.options)
    if term.name in TERMS:
        return _values(found, term, group)
    try:
        values = _values(found, term, group)
    except RewardkitError:
        raise
    except Exception as error:
        raise ConfigError(f"shaping term {term.name!r} raised {described(error)}") from error
    return _checked(term.name, values, len(group.correct))


def _values(found: ShapingTerm, term: Term, group: GradedGroup) -> list[float]:
    if found.each:
        pairs = zip(group.rollouts, group.verdicts, strict=True)
        return [found.function(*pair, **term.options) for pair in pairs]
    seen = group.outlined() if found.scope is Scope.GROUP else group
    values: list[float] = found.function(seen, **term.options)
    return values


def _checked(name: str, values: object, count: int) -> list[float]:
    """Return what a term of the user's own gave as numbers, refusing what is none."""
    if not isinstance(values, Sequence) or len(values) != count:
        raise ConfigError(
            f"shaping term {name!r} returned {values!r:.80} for a group of {count} responses, "
            f"expected a list of {count} numbers"
        )
    for value in values:
        if not isinstance(value, Real) or not math.isfinite(value):
            raise ConfigError(f"shaping term {name!r} returned {value!r:.80}, expected a number")
    return [float(value) for value in values]
