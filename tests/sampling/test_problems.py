"""The laws of every rule for the next problem, and what is special about each."""

import copy
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rewardkit.errors import ConfigError
from rewardkit.sampling.choice import task_sampler
from rewardkit.sampling.counts import CountTable, Visit
from rewardkit.sampling.order import MixedOrder, Share
from rewardkit.sampling.problems import (
    RULES,
    AdaRft,
    Cursor,
    Greso,
    Mopps,
    Pools,
    Retirement,
    TaskSampler,
)
from rewardkit.sampling.problems.drift import Drift
from rewardkit.sampling.problems.greso import EASY_SHARE, HARD_SHARE
from rewardkit.sampling.problems.posterior import Posterior, Prior
from rewardkit.sampling.problems.remembering import Remembering
from rewardkit.sampling.settings import CurriculumConfig
from rewardkit.types import Problem


def prior(count):
    return Prior(np.linspace(0, 1, count))


def made(rule, count, seed, **settings):
    if rule == "adarft":
        settings.setdefault("prior", prior(count))
    return RULES[rule](count, seed, **settings)


def answers(draws, step, size=8):
    """What a policy would make of them: a function of problem and step alone."""
    visits = []
    for _, problem in draws:
        rng = random.Random(f"{problem} {step}")
        right = sum(rng.random() < (problem % 10) / 9 for _ in range(size))
        lost = rng.randrange(size - right + 1) if rng.random() < 0.1 else 0
        visits.append(Visit(problem, right, size - right - lost, lost))
    return visits


def run(sampler, steps, *, first=1, n=4, rounds=2):
    """Return all draws of some steps, each of a few rounds."""
    drawn = []
    for step in range(first, first + steps):
        draws = [draw for _ in range(rounds) for draw in sampler.next(n)]
        sampler.observe(answers(draws, step))
        drawn.append(draws)
    return drawn


ALL = sorted(RULES)
COUNTS = st.integers(8, 300)


@pytest.mark.parametrize("rule", ALL)
@settings(max_examples=15, deadline=None)
@given(
    count=COUNTS,
    seed=st.integers(0, 2**40),
    before=st.integers(0, 6),
    retire=st.booleans(),
    kinds=st.integers(0, 3),
    n=st.integers(1, 5),
)
def test_saved_and_loaded_anywhere_the_future_is_the_same(
    tmp_path_factory, rule, count, seed, before, retire, kinds, n
):
    def fresh():
        retirement = Retirement(0.8, 3) if retire else None
        drift = Drift(np.arange(count, dtype=np.int32) % kinds, 0.1) if kinds else None
        return made(rule, count, seed, retirement=retirement, drift=drift)

    whole = fresh()
    whole.observe([])  # a step without a draw leaves no row
    run(whole, before, first=2, n=n)
    path = tmp_path_factory.mktemp("table") / "counts.bin"
    whole.table.save(path)
    resumed = fresh()
    resumed.restore(CountTable.load(path, ""), Cursor(*whole.cursor))
    for step in range(before + 2, before + 8):
        assert run(whole, 1, first=step, n=n) == run(resumed, 1, first=step, n=n)
        np.testing.assert_equal(whole.metrics(), resumed.metrics())
    assert np.array_equal(whole.table.rows, resumed.table.rows)


@pytest.mark.parametrize("rule", ALL)
@given(count=COUNTS, seed=st.integers(0, 99), n=st.integers(1, 4))
@settings(max_examples=15, deadline=None)
def test_no_problem_twice_in_a_step_and_no_position_twice_in_a_run(rule, count, seed, n):
    sampler = made(rule, count, seed)
    drawn = run(sampler, 8, n=n)
    positions = [draw.position for draws in drawn for draw in draws]
    assert len(set(positions)) == len(positions)
    assert all(len(draws) == 2 * n for draws in drawn)
    for draws in drawn:
        problems = [draw.problem for draw in draws]
        assert all(0 <= problem < count for problem in problems)
        if rule != "uniform":  # the plain stream may meet one at the end of an epoch and after it
            assert len(set(problems)) == len(problems)


@pytest.mark.parametrize("rule", ALL)
def test_new_problems_are_always_explored(rule):
    sampler = made(rule, 200, 0)
    seen = {draw.problem for draws in run(sampler, 250) for draw in draws}
    assert len(seen) == 200, sorted(set(range(200)) - seen)


@pytest.mark.parametrize("sizes", [[1], [2], [8], [6, 1, 1]])
def test_a_tenth_of_all_draws_is_new_whatever_the_size_of_a_step(sizes):
    rates = np.zeros(1000)
    rates[:20] = 0.5  # of these it would ask alone
    sampler = Mopps(1000, 0, prior=Prior(rates, strength=1000.0), candidates=1000)
    hopeless, drawn = 0, 0
    for _ in range(400 // sum(sizes)):
        found = [draw.problem for n in sizes for draw in sampler.next(n)]
        sampler.observe([Visit(problem, 1, 1) for problem in found])
        hopeless += sum(problem >= 20 for problem in found)
        drawn += len(found)
    assert 0.07 * drawn <= hopeless <= 0.1 * drawn + 1


@pytest.mark.parametrize("rule", ALL)
def test_all_that_was_drawn_is_in_the_table(rule):
    sampler = made(rule, 50, 1)
    drawn = run(sampler, 10)
    counted = [(step, v.problem) for step, visits in sampler.table.steps() for v in visits]
    assert counted == [
        (step, draw.problem) for step, draws in enumerate(drawn, start=1) for draw in draws
    ]


@pytest.mark.parametrize("rule", ALL)
def test_where_all_are_retired_the_longest_retired_come_back(rule):
    sampler = made(rule, 6, 0, retirement=Retirement(0.5, 1000))
    for _ in range(5):
        draws = sampler.next(3)
        assert len(draws) == 3
        sampler.observe([Visit(draw.problem, right=8) for draw in draws])
    assert sampler.metrics()["retired"] == 6


@pytest.mark.parametrize("rule", ALL)
def test_retired_problems_return_after_their_time(rule):
    sampler = made(rule, 40, 3, retirement=Retirement(0.9, 4))
    gone = {}
    for step in range(1, 60):
        draws = sampler.next(2)
        for draw in draws:
            assert step - gone.get(draw.problem, -9) > 4
        easy = [draw.problem for draw in draws if draw.problem % 2]
        gone.update(dict.fromkeys(easy, step))
        sampler.observe([Visit(p, 8 * (p % 2), 8 * (1 - p % 2)) for _, p in draws])
    assert set(gone) & {d.problem for draws in run(sampler, 40, first=60) for d in draws}


@pytest.mark.parametrize("rule", ALL)
def test_what_cannot_be_asked_is_left_alone(rule):
    sampler = made(rule, 30, 0)
    unfit = set()
    for step in range(1, 200):
        draws = sampler.next(2)
        assert not unfit & {draw.problem for draw in draws} or step > 15
        sampler.observe([Visit(p) if p < 5 else Visit(p, 1, 1) for _, p in draws])
        unfit |= {p for _, p in draws if p < 5}
    assert sampler.blocked.sum() == 5


def test_uniform_is_the_plain_stream():
    sampler = Remembering(7, seed=3)
    drawn = [draw for draws in run(sampler, 4, n=2) for draw in draws]
    assert [draw.position for draw in drawn] == list(range(16))
    assert [draw.problem for draw in drawn] == [sampler.order.at(i) for i in range(16)]


def test_mopps_takes_the_middle():
    sampler = Mopps(100, 0, decay=1.0)
    run(sampler, 60, n=5)
    late = [draw.problem % 10 for draws in run(sampler, 20, first=61, n=5) for draw in draws]
    assert sum(3 <= digit <= 6 for digit in late) > 0.7 * len(late)


def test_mopps_aims_lower_when_its_draws_come_out_too_easy():
    sampler, published = Mopps(9, 0, steer=0.1), Mopps(9, 0, steer=0.0)
    for one in (sampler, published):
        one.observe([Visit(0, 8, 0), Visit(1, 4, 4)])  # new ones say nothing of the belief
        assert one.aim == 0.5
        one.observe([Visit(0, 8, 0), Visit(1, 4, 4), Visit(2, 8, 0)])
    assert sampler.aim == pytest.approx(0.5 + 0.1 * (0.5 - 12 / 16))
    assert published.aim == 0.5
    rated = Mopps(9, 0, steer=0.1, prior=Prior(np.array([0.5] * 8 + [np.nan])))
    rated.observe([Visit(0, 8, 0), Visit(8, 0, 8)])  # of the second nothing was known
    assert rated.aim == pytest.approx(0.45)


def test_the_posterior_by_hand():
    belief = Posterior(2, decay=0.5)
    belief.observe(0, right=4, wrong=2)  # 0.5·1 + 0.5·1 + 4, and with 2
    belief.observe(0, right=0, wrong=6)  # 0.5·5 + 0.5·1, 0.5·3 + 0.5·1 + 6
    assert (belief.alpha[0], belief.beta[0]) == (3.0, 8.0)
    assert belief.mean([0, 1]).tolist() == pytest.approx([3 / 11, 0.5])


def test_a_prior_counts_as_rollouts_and_leaves_unknown_ones_alone():
    belief = Posterior(2, 0.5, Prior(np.array([0.75, np.nan]), strength=4))
    assert (belief.alpha.tolist(), belief.beta.tolist()) == ([3.5, 1.0], [1.5, 1.0])
    with pytest.raises(ConfigError, match="divide percentages by 100"):
        Prior(np.array([75.0]))
    with pytest.raises(ConfigError, match="a prior of 1 problems for a task of 2"):
        Posterior(2, 0.5, Prior(np.array([0.5])))


def test_greso_by_hand():
    sampler = Greso(10, 0)
    sampler.observe([Visit(0, 8, 0), Visit(1, 0, 8), Visit(2, 4, 4), Visit(3, 0, 0, 8)])
    # One of three easy (> 1/12) and one of three hard (> 1/6): both probabilities go down.
    assert (sampler.easy, sampler.hard) == (0.49, 0.49)
    assert [sampler.chance(i) for i in range(4)] == [0.49, 0.49, 1, 1]
    sampler.observe([Visit(0, 8, 0), Visit(1, 8, 0), *[Visit(i, 4, 4) for i in range(2, 10)]])
    assert (sampler.easy, sampler.hard) == (pytest.approx(0.48), pytest.approx(0.5))
    assert sampler.streak[:2].tolist() == [2, 1]
    assert sampler.chance(0) == pytest.approx(0.48**2)
    assert (2 * EASY_SHARE, EASY_SHARE + HARD_SHARE) == (HARD_SHARE, 0.25)


def test_greso_never_gives_a_problem_up():
    sampler = Greso(4, 0)
    sampler.streak[:] = 50
    assert sampler.chance(0) == 0.01
    assert len(sampler.next(4)) == 4


def test_pools_weigh_their_problems():
    sampler = Pools(1000, 0, weights=(0, 0, 1, 0.25))
    sampler.observe([Visit(i, 4, 4) if i % 2 else Visit(i, 8, 0) for i in range(1000)])
    drawn = [p for draws in run(sampler, 100, n=5, rounds=1) for _, p in draws]
    odd = sum(p % 2 for p in drawn[:100])
    assert 70 <= odd <= 90  # 4 of 5


def test_pools_of_a_prior_and_bad_weights():
    sizes = Pools(3, 0, prior=Prior(np.array([0.1, 0.5, np.nan]))).metrics()
    assert [sizes[f"pool_{name}"] for name in ("new", "hard", "middling", "easy")] == [1, 1, 1, 0]
    with pytest.raises(ConfigError, match="new, hard, middling, easy"):
        Pools(3, 0, weights=(1.0,))


def test_adarft_moves_its_target_and_needs_difficulties():
    sampler = AdaRft(11, 0, prior=prior(11), explore=0.0)
    first = sampler.next(3)
    assert sorted(draw.problem for draw in first) == [8, 9, 10]  # the easiest
    sampler.observe([Visit(p, 8, 0) for _, p in first])
    assert sampler.target == pytest.approx(0.05 * np.tanh(1.0))
    sampler.observe([Visit(p, 0, 8) for _, p in first])
    assert sampler.target == pytest.approx(0.0)
    with pytest.raises(ConfigError, match=r"sampling\.curriculum\.prior"):
        AdaRft(11, 0)


def test_scores_that_differ_are_a_signal_though_all_are_wrong():
    sampler = Greso(10, 0)
    sampler.observe([Visit(0, 0, 8, signal=1), Visit(1, 0, 8)])
    assert sampler.streak[:2].tolist() == [0, -1]


@pytest.mark.parametrize("rule", ["uniform", "greso", "mopps", "adarft"])
def test_a_mixture_is_drawn_from_by_its_weights(rule):
    order = MixedOrder([Share(20, 3.0), Share(200, 1.0), Share(50, 0.0)], seed=0)
    sampler = made(rule, 270, 0, order=order)
    drawn = [p for draws in run(sampler, 100, n=1, rounds=1) for _, p in draws]
    assert max(drawn) < 220
    if rule in ("uniform", "greso"):  # the others look at problems by weight, and take some of them
        assert sum(p < 20 for p in drawn) > 40


def test_pools_know_nothing_of_weights():
    order = MixedOrder([Share(20, 3.0), Share(200, 1.0)], seed=0)
    with pytest.raises(ConfigError, match="weights of a mixture"):
        Pools(220, 0, order=order)


def test_calibration_beside_a_constant():
    sampler = Remembering(4, 0, decay=1.0)
    sampler.observe([Visit(0, 3, 1)])
    assert sampler.metrics()["brier"] == sampler.metrics()["brier_constant"] == 0.25
    sampler.observe([Visit(0, 2, 0)])
    # The belief is Beta(4, 2), the constant 3 of 4.
    assert sampler.metrics()["brier"] == pytest.approx((1 - 4 / 6) ** 2)
    assert sampler.metrics()["brier_constant"] == pytest.approx(0.25**2)


def test_a_plain_run_goes_the_way_of_uniform_and_remembers_nothing_but_what_never_fits():
    plain, uniform = TaskSampler(9, seed=4), Remembering(9, seed=4)
    for step in range(12):
        drawn = plain.next(2) + plain.next(3)
        assert drawn == uniform.next(2) + uniform.next(3)
        for one in (plain, uniform):
            one.observe(
                [Visit(d.problem, *((0, 0) if d.problem == step else (1, 3))) for d in drawn]
            )
        resumed = TaskSampler(9, seed=4)
        resumed.restore(plain.table, plain.cursor)
        assert (resumed.blocked == uniform.blocked).all()
        assert copy.deepcopy(resumed).next(7) == copy.deepcopy(plain).next(7)
    assert plain.cursor == uniform.cursor
    assert plain.metrics() == {}


def test_a_rule_is_made_only_where_something_is_remembered():
    problems = [Problem(str(i), "?", "1") for i in range(3)]
    for plain in (CurriculumConfig(), CurriculumConfig(target=0.3, candidates=4)):
        assert type(task_sampler(plain, problems, 0)) is TaskSampler
    assert type(task_sampler(CurriculumConfig(), problems, 0, predicts=True)) is Remembering
    assert type(task_sampler(CurriculumConfig(retire=0.9), problems, 0)) is Remembering
