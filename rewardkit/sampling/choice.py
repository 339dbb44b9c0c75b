"""From a configuration to its samplers, for every backend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rewardkit.errors import ConfigError
from rewardkit.registry import piece
from rewardkit.sampling.counts import fingerprint
from rewardkit.sampling.order import order_of
from rewardkit.sampling.problems import RULES, Remembering, Retirement, TaskSampler
from rewardkit.sampling.problems.drift import Drift
from rewardkit.sampling.problems.prior import kinds_of, load_prior
from rewardkit.sampling.settings import CurriculumConfig, GroupSizeConfig
from rewardkit.sampling.sizes import GroupSizes, Knapsack, OwnSizes, ReinforceAda, Speed
from rewardkit.types import Problem

WEIGHED = ("uniform", "greso")
"""Rules that walk through the stream, and so keep the weights of a mixture."""


def task_sampler(
    settings: CurriculumConfig, problems: Sequence[Problem], seed: int, *, predicts: bool = False
) -> TaskSampler:
    """Return what says which problem is next.

    Args:
        settings: the rule, and what it is told.
        problems: the training problems.
        seed: the run's.
        predicts: whether solve rates are asked for, by a rule for the size of groups.

    Raises:
        ConfigError, DataError: a setting or the prior cannot be used.
    """
    if getattr(problems, "shares", None) and settings.rule not in WEIGHED:
        raise ConfigError(
            f"sampling.curriculum.rule = {settings.rule!r} chooses among all problems and knows no "
            f"weights; with [[tasks]] take {' or '.join(WEIGHED)}"
        )
    stream: dict[str, Any] = {
        "problems": fingerprint(problems),
        "order": order_of(problems, seed),
    }
    remembers = predicts or settings.retire or settings.prior or settings.drift or settings.kind
    if settings.rule == "uniform" and not remembers:
        return TaskSampler(len(problems), seed, **stream)
    own: dict[str, dict[str, Any]] = {
        "mopps": {"target": settings.target, "steer": settings.steer},
        "adarft": {"aim": settings.target},
        "pools": {"weights": settings.weights, "bounds": settings.bounds},
    }
    if settings.rule in ("mopps", "adarft"):
        own[settings.rule] |= {"candidates": settings.candidates, "explore": settings.explore}
    made = piece("rule for the next problem", settings.rule, RULES)
    if not (isinstance(made, type) and issubclass(made, Remembering)):
        raise ConfigError(
            f"sampling.curriculum.rule = {settings.rule!r} is {made!r:.80}, expected a subclass of "
            "rewardkit.sampling.problems.Remembering"
        )
    return made(
        len(problems),
        seed,
        **stream,
        decay=settings.decay,
        prior=load_prior(settings.prior, problems, settings.prior_strength)
        if settings.prior
        else None,
        drift=_drift(settings, problems),
        retirement=Retirement(settings.retire, settings.return_after) if settings.retire else None,
        **own.get(settings.rule, {}),
    )


def _drift(settings: CurriculumConfig, problems: Sequence[Problem]) -> Drift | None:
    if not settings.drift:
        if settings.kind:
            raise ConfigError(
                f"sampling.curriculum.kind = {settings.kind!r} says which beliefs move together, "
                "and none does; set sampling.curriculum.drift, to 0.05 for example"
            )
        return None
    # What a prior says was true when the run began; without one a kind's rate may be anything.
    variance = 0.0 if settings.prior else 1.0
    return Drift(kinds_of(settings.kind, problems), settings.drift, variance)


def group_sizes(settings: GroupSizeConfig, size: int) -> GroupSizes | None:
    """Return the rule for how many rollouts a problem gets; None where each gets `size`.

    Raises:
        ConfigError: the bounds do not fit the size.

    >>> group_sizes(GroupSizeConfig("speed", screen=2), 8)
    Speed(screen=2, size=8, needs_rates=False)
    """
    if settings.rule == "reinforce_ada":
        return ReinforceAda(size, settings.rounds, settings.enough or max(size // 2, 1))
    if settings.rule == "speed":
        return Speed(settings.screen, size)
    if settings.rule == "knapsack":
        return Knapsack(size, settings.least, settings.most)
    if settings.rule == "fixed":
        return None
    return OwnSizes(settings.rule, size)
