"""A toy in which a policy's solve rates move as it is trained: what samplers are compared in.

512 problems; problem i is solved with probability σ(ability + ease_i + own_i). A group of n
rollouts with k right ones that is trained on adds to own_i in proportion to k(n−k)/n, which is
Σ(r − mean)², and a little to the ability that all share. The rule of learning is made up, so only
shares and ratios mean something. The samplers are the real ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sampling_bias import members as pull_of

from rewardkit.sampling.band import Band
from rewardkit.sampling.counts import Visit
from rewardkit.sampling.problems import RULES, Retirement, TaskSampler
from rewardkit.sampling.problems.drift import Drift
from rewardkit.sampling.problems.posterior import Prior
from rewardkit.sampling.refill import Refill, acceptance
from rewardkit.sampling.sizes import Fixed, GroupSizes, Knapsack, ReinforceAda, Speed

PROBLEMS, BATCH, GROUP, STEPS, ROUNDS = 512, 32, 8, 80, 50
EASE_MEAN, EASE_DEVIATION = -0.4, 3.0
OWN, SHARED = 0.12, 0.4


@dataclass
class Policy:
    """Solve rates, and how training moves them; answers are drawn from a generator of its own."""

    seed: int
    ability: float = 0.0

    def __post_init__(self) -> None:
        chance = np.random.default_rng(self.seed)
        self.ease = chance.normal(EASE_MEAN, EASE_DEVIATION, PROBLEMS)
        self.own = np.zeros(PROBLEMS)
        self._chance = np.random.default_rng([self.seed, 1])

    @property
    def rates(self) -> np.ndarray:
        """The solve rate of each problem."""
        return 1 / (1 + np.exp(-(self.ability + self.ease + self.own)))

    def answer(self, problem: int, size: int) -> int:
        """Return how many of `size` rollouts are right."""
        logit = self.ability + self.ease[problem] + self.own[problem]
        return int(self._chance.binomial(size, 1 / (1 + np.exp(-logit))))

    def learn(self, visits: list[Visit], members: tuple[str, int] | None = None) -> None:
        """Follow a batch, by all rollouts or those that a rule chooses of each group."""
        if members is None:
            signals = [found.right * found.wrong / found.decided for found in visits]
        else:
            rates, pull = self.rates, pull_of(*members)
            signals = [pull(v.right, v.decided, rates[v.problem]) for v in visits]
        for found, signal in zip(visits, signals, strict=True):
            self.own[found.problem] += OWN * signal
        self.ability += SHARED * sum(signals) / PROBLEMS


@dataclass
class Arm:
    """One way to sample."""

    rule: str = "uniform"
    sizes: GroupSizes = field(default_factory=lambda: Fixed(GROUP))
    filters: bool = True
    band: Band = field(default_factory=Band)
    oversample: bool = False
    members: tuple[str, int] | None = None
    settings: dict[str, Any] = field(default_factory=dict)
    prior: Callable[[Policy], Prior] | None = None
    drift: float = 0.0
    """How fast all beliefs move together."""


@dataclass
class Course:
    """What a run of an arm came to, step by step."""

    drawn: list[int] = field(default_factory=list)
    effective: list[int] = field(default_factory=list)
    trained: list[int] = field(default_factory=list)
    rollouts: list[int] = field(default_factory=list)
    rounds: list[int] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)
    brier: list[tuple[float, float]] = field(default_factory=list)

    def per_rollout(self, last: int = 0) -> float:
        """Effective groups for each rollout generated, over the last steps or all."""
        return sum(self.effective[-last:]) / sum(self.rollouts[-last:])

    def rate_at(self, rollouts: int) -> float:
        """The mean solve rate once so many rollouts were generated (or the last)."""
        spent = np.cumsum(self.rollouts)
        return self.rates[min(int(np.searchsorted(spent, rollouts)), len(self.rates) - 1)]

    def rollouts_to(self, rate: float) -> float:
        """Rollouts generated until the mean solve rate is so high; inf if it never is."""
        spent = np.cumsum(self.rollouts)
        reached = np.flatnonzero(np.array(self.rates) >= rate)
        return float(spent[reached[0]]) if len(reached) else float("inf")


def rated(policy: Policy) -> Prior:
    """Return solve rates as of 8 rollouts each before the run."""
    chance = np.random.default_rng([policy.seed, 2])
    return Prior(chance.binomial(8, policy.rates) / 8)


def arms() -> dict[str, Arm]:
    """Return the ways that are compared; the first two are what the others are held against."""
    published = {"steer": 0.0}
    return {
        "uniform, no filter": Arm(filters=False),
        "uniform (DAPO's filter)": Arm(),
        "GRESO": Arm("greso"),
        "MoPPS, as published": Arm("mopps", settings=published),
        "MoPPS": Arm("mopps"),
        "MoPPS, prior of 8 rollouts": Arm("mopps", prior=rated),
        "MoPPS, prior of 8 rollouts, drift": Arm("mopps", prior=rated, drift=0.1),
        "pools": Arm("pools"),
        "pools, retirement": Arm("pools", settings={"retirement": Retirement(0.875, 40)}),
        "AdaRFT, prior of 8 rollouts": Arm("adarft", prior=rated),
        "uniform, SPEED 4+4": Arm(sizes=Speed(4, GROUP)),
        "uniform, SPEED 4+12": Arm(sizes=Speed(4, 16)),
        "uniform, Reinforce-Ada 4x8": Arm(sizes=ReinforceAda(8, 4, 4)),
        "uniform, rounds of 2 until mixed": Arm(sizes=ReinforceAda(2, 4, 1)),
        "uniform, Knapsack": Arm(sizes=Knapsack(GROUP, 2, 32)),
        "GRESO, rounds of 2 until mixed": Arm("greso", sizes=ReinforceAda(2, 4, 1)),
        "MoPPS, SPEED 4+4": Arm("mopps", sizes=Speed(4, GROUP)),
        "MoPPS, rounds of 2 until mixed": Arm("mopps", sizes=ReinforceAda(2, 4, 1)),
        "MoPPS, rounds of 2 until 2+2": Arm("mopps", sizes=ReinforceAda(2, 4, 2)),
        "MoPPS, one round": Arm("mopps", oversample=True),
        "uniform, one round": Arm(oversample=True),
        "MoPPS, band .2 to .8": Arm("mopps", band=Band(0.2, 0.8)),
    }


def run(arm: Arm, seed: int, steps: int = STEPS, until: float = 1.0) -> Course:
    """Train for so many steps, or until the mean solve rate is so high."""
    policy = Policy(seed)
    prior = arm.prior(policy) if arm.prior else None
    kinds = np.zeros(PROBLEMS, dtype=np.int32)
    drift = Drift(kinds, arm.drift, variance=0.0 if prior else 1.0) if arm.drift else None
    chooser = RULES[arm.rule](PROBLEMS, seed, prior=prior, drift=drift, **arm.settings)
    course = Course()
    for _ in range(steps):
        refill, visits = step(arm, policy, chooser)
        chooser.observe(visits)
        policy.learn(refill.batch, arm.members)
        mixed = [found.carries_signal and inside(arm.band, found) for found in visits]
        course.drawn.append(len(visits))
        course.effective.append(sum(mixed) if not arm.filters else len(refill.batch))
        course.trained.append(sum(found.carries_signal for found in refill.batch))
        course.rollouts.append(sum(found.decided for found in visits))
        course.rounds.append(refill.round)
        course.rates.append(float(policy.rates.mean()))
        found = chooser.metrics()
        course.brier.append((found["brier"], found["brier_constant"]))
        if course.rates[-1] >= until:
            break
    return course


def step(arm: Arm, policy: Policy, chooser: TaskSampler) -> tuple[Refill[Visit], list[Visit]]:
    """Draw one batch."""
    rate = acceptance(chooser.table, arm.band.low, arm.band.high) if arm.oversample else 1.0
    refill = Refill[Visit](BATCH, ROUNDS if arm.filters else 1, rate)
    visits: list[Visit] = []
    while asked := refill.ask():
        problems = [draw.problem for draw in chooser.next(asked)]
        sizes = arm.sizes.first([chooser.predict(problem) for problem in problems])
        drawn = [
            group(arm.sizes, policy, problem, size)
            for problem, size in zip(problems, sizes, strict=True)
        ]
        visits += drawn
        keep = [
            not arm.filters or (found.carries_signal and inside(arm.band, found)) for found in drawn
        ]
        refill.add(drawn, keep)
    return refill, visits


def group(sizes: GroupSizes, policy: Policy, problem: int, size: int) -> Visit:
    """Draw a group in as many rounds as it takes."""
    right = total = rounds = 0
    while size:
        right += policy.answer(problem, size)
        total += size
        rounds += 1
        size = sizes.more(Visit(problem, right, total - right), rounds)
    return Visit(problem, right, total - right)


def inside(band: Band, found: Visit) -> bool:
    """Whether a group's solve rate lies inside the band."""
    return band.low <= found.right / found.decided <= band.high
