"""Beliefs that move together: by hand, and what they are for."""

import numpy as np
import pytest

from rewardkit.errors import ConfigError
from rewardkit.sampling.choice import task_sampler
from rewardkit.sampling.counts import Visit
from rewardkit.sampling.problems import Mopps
from rewardkit.sampling.problems.drift import Drift
from rewardkit.sampling.problems.posterior import Posterior, Prior
from rewardkit.sampling.problems.prior import kinds_of
from rewardkit.sampling.settings import CurriculumConfig
from rewardkit.types import Problem

KINDS = np.array([0, 0, 1], dtype=np.int32)


def odds(rate):
    return np.log(rate / (1 - rate))


def test_a_visit_by_hand():
    drift = Drift(KINDS, speed=0.1, variance=0.0)
    drift.pass_steps(4)  # the variance is .4
    drift.observe(1, expected=0.25, right=6, wrong=2)
    # Odds of 6.5 to 2.5 where 1 to 3 were expected; .4 of the one and 1.554 of the other variance.
    gain = 0.4 / (0.4 + 1 + 1 / 6.5 + 1 / 2.5)
    assert drift.variance.tolist() == pytest.approx([0.4 * (1 - gain), 0.4])
    assert drift.of([0, 1, 2]).tolist() == pytest.approx([gain * np.log(6.5 / 2.5 * 3)] * 2 + [0])


def test_what_was_expected_moves_nothing_and_many_rollouts_of_one_problem_say_little_of_others():
    drift = Drift(KINDS, speed=0.1)
    drift.observe(0, expected=0.5, right=4, wrong=4)
    assert drift.of(0) == 0
    shifts = []
    for size in (2, 2000):
        drift = Drift(KINDS, speed=0.1)
        drift.observe(0, expected=0.5, right=3 * size, wrong=size)
        shifts.append(float(drift.of(1)))
    assert shifts[0] < shifts[1] < 1.5 * shifts[0]


def test_all_of_a_kind_move_by_as_many_log_odds_and_others_stay():
    rates = np.array([0.5, 0.1, 0.1])
    belief = Posterior(3, 0.5, Prior(rates, strength=1000.0), Drift(KINDS, speed=0.1))
    before = belief.mean(range(3))
    belief.observe(0, right=8, wrong=0)
    after = belief.mean(range(3))
    assert odds(after[1]) - odds(before[1]) == pytest.approx(0.69, abs=0.01)
    assert after[2] == before[2]
    # What was seen of a problem itself ages like what was known of it before.
    seen = after[0]
    belief.observe(1, right=8, wrong=0)
    assert belief.mean([0])[0] > seen + 0.05


def test_an_unmoved_belief_is_the_plain_one():
    plain, moving = Posterior(3, 0.5), Posterior(3, 0.5, drift=Drift(KINDS, speed=0.1))
    for belief in (plain, moving):
        belief.observe(0, right=4, wrong=4)
        belief.observe(0, right=2, wrong=2)
    assert moving.alpha.tolist() == pytest.approx(plain.alpha.tolist())
    assert moving.beta.tolist() == pytest.approx(plain.beta.tolist())


@pytest.mark.parametrize("drifts", [True, False])
def test_a_kind_that_has_become_easy_is_left_before_its_problems_are_seen(drifts):
    count = 200
    kinds = np.arange(count, dtype=np.int32) % 2
    prior = Prior(np.where(kinds, 0.3, 0.5), strength=32.0)
    drift = Drift(kinds, speed=0.1, variance=0.0) if drifts else None
    sampler = Mopps(count, 0, prior=prior, drift=drift, candidates=100, explore=0.0, steer=0.0)
    drawn = []
    for _ in range(20):
        problems = [draw.problem for draw in sampler.next(2)]
        # All is right of the kind that was at a half; the other has come up to it.
        sampler.observe([Visit(p, 4, 4) if kinds[p] else Visit(p, 8, 0) for p in problems])
        drawn += problems
    share = kinds[drawn[20:]].mean()
    assert share > 0.9 if drifts else share < 0.4


def test_kinds_of_a_column():
    rows = [{"level": "a"}, {"level": 2}, {}, {"level": "a"}]
    problems = [Problem(str(i), "?", "1", "x", info=row) for i, row in enumerate(rows)]
    assert kinds_of("column:level", problems).tolist() == [0, 1, 2, 0]
    for wrong in ("level", "column:levels"):
        with pytest.raises(ConfigError, match=f"column:.*found '{wrong}'; there is level"):
            kinds_of(wrong, problems)
    settings = CurriculumConfig(rule="mopps", drift=0.1, kind="column:level")
    sampler = task_sampler(settings, problems, 0)
    assert sampler.belief.drift is not None
    assert sampler.belief.drift.kinds.tolist() == [0, 1, 2, 0]
    with pytest.raises(ConfigError, match=r"set sampling\.curriculum\.drift"):
        task_sampler(CurriculumConfig(rule="mopps", kind="column:level"), problems, 0)
    with pytest.raises(ConfigError, match="above 0"):
        task_sampler(CurriculumConfig(rule="mopps", drift=-1.0), problems, 0)
