from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import stats

from rewardkit.evaluation.statistics.at_k import maj_at_k, pass_at_k
from rewardkit.evaluation.statistics.clusters import clusters_of
from rewardkit.evaluation.statistics.paired import these_problems
from rewardkit.evaluation.statistics.scores import gain_of_scores
from rewardkit.evaluation.statistics.summary import (
    mean_of_scores,
    sampling_variance,
    summarise,
)

counts = st.lists(
    st.integers(1, 20).flatmap(lambda k: st.tuples(st.integers(0, k), st.just(k))),
    min_size=1,
    max_size=40,
)


@settings(deadline=None, max_examples=200)
@given(counts)
def test_intervals_hold_the_estimate_and_stay_in_range(pairs):
    summary = summarise(pairs)
    for interval in (summary.these_problems, summary.new_problems):
        assert 0 <= interval.low <= summary.value + 1e-9
        assert summary.value - 1e-9 <= interval.high <= 1
    assert summary.samples == sum(k for _, k in pairs)


@settings(deadline=None, max_examples=100)
@given(counts)
@example([(0, 1), (4, 6), (15, 18)])  # half right, and lopsided
def test_right_and_wrong_are_mirror_images(pairs):
    right = summarise(pairs)
    wrong = summarise([(k - c, k) for c, k in pairs])
    assert wrong.value == pytest.approx(1 - right.value)
    for name in ("these_problems", "new_problems"):
        a, b = getattr(right, name), getattr(wrong, name)
        assert (1 - a.high, 1 - a.low) == pytest.approx((b.low, b.high), abs=1e-6)


def test_each_problem_weighs_the_same_however_often_it_was_sampled():
    assert summarise([(10, 10), (0, 1)]).value == 0.5


def test_in_the_middle_new_problems_is_almost_students_t():
    pairs = [(c, 8) for c in (0, 8, 3, 5, 2, 7, 1, 6, 4, 4)] * 5
    rates = [c / k for c, k in pairs]
    expected = stats.t.interval(0.95, 49, np.mean(rates), stats.sem(rates))
    found = summarise(pairs).new_problems
    assert (found.low, found.high) == pytest.approx(expected, abs=0.006)


def test_near_the_edge_new_problems_is_korn_graubard_with_a_typical_spread():
    pairs = [(16, 16)] * 26 + [(0, 16), (4, 16), (15, 16), (12, 16)]
    rates = np.array([c / k for c, k in pairs])
    mean, error = rates.mean(), stats.sem(rates)
    middle = (30 * mean + 0.5) / 31
    bernoulli = middle * (1 - middle)
    typical = bernoulli * (1 - 0.34 + 0.34 / 16) / 30
    carried = (1 - rates).sum() ** 2 / ((1 - rates) ** 2).sum()
    few = np.exp(-((carried / 5) ** 2))
    assert 0.5 < few < 1
    effective = bernoulli / ((1 - few) * error**2 + few * typical)
    effective *= (stats.norm.ppf(0.975) / stats.t.ppf(0.975, 29 + 30 * few)) ** 2
    x, y = mean * effective, (1 - mean) * effective
    shift = 0.5 * (1 - 1 / 16) * y / (y + 3)
    found = summarise(pairs).new_problems
    assert found.low == pytest.approx(stats.beta.ppf(0.025, x + shift, y + 1 - shift))
    assert found.high == pytest.approx(stats.beta.ppf(0.975, x + 1 - shift, y + shift))


@pytest.mark.parametrize("mirrored", [False, True])
def test_one_sample_more_moves_no_limit_by_much(mirrored):
    # 50 problems of 16 samples, about 20 % of which are right
    before = None
    for correct in range(150, 172):
        counts = [(min(16, max(0, correct - 16 * i)), 16) for i in range(50)]
        counts = [(16 - c, 16) for c, _ in counts] if mirrored else counts
        found = summarise(counts).new_problems
        if before is not None:
            assert abs(found.low - before.low) < 0.006
            assert abs(found.high - before.high) < 0.006
        before = found


def test_a_weak_model_that_fails_alike_everywhere_is_known_well():
    # 19 and 20 % of 64 samples, on each of 30 problems: sampling noise is +-1.8 points
    for mean in (12, 13):
        counts = [(mean + shift, 64) for shift in (-4, -2, -1, 0, 0, 0, 1, 2, 4, 0)] * 3
        found = summarise(counts).new_problems
        assert found.high - found.low < 2 * 1.3 * 0.018


def test_clusters_widen_the_interval_for_new_problems_alone():
    counts = [(c, 8) for c in (0, 8, 3, 5, 2, 7, 1, 6, 4, 4)]
    labels = [str(i) for i in range(10)]
    once, twice = summarise(counts), summarise(counts * 2, clusters=labels * 2)
    assert twice.new_problems.high - twice.new_problems.low == pytest.approx(
        once.new_problems.high - once.new_problems.low, rel=0.06
    )
    assert twice.these_problems == summarise(counts * 2).these_problems


def row(identity, text="", **info):
    return {"id": identity, "text_hash": text or identity, "info": info}


def test_contest_years_and_copies_are_clusters():
    years = [row(f"aime1983_2023-{year}-{i}") for year in range(1990, 1996) for i in range(2)]
    assert clusters_of(years) == [str(year) for year in range(1990, 1996) for _ in range(2)]
    column = [row(str(i), year=2000 + i // 2) for i in range(12)]
    assert clusters_of(column) == [str(2000 + i // 2) for i in range(12)]
    copies = [row(f"2024-I-{i}", text=f"text {i % 8}") for i in range(10)]
    assert clusters_of(copies) == [f"text {i % 8}" for i in range(10)]
    few = [row(f"aime2{i % 4}-202{i % 4}-{i}") for i in range(30)]
    assert clusters_of(few) is None
    assert clusters_of([row(f"problem-{i}") for i in range(30)]) is None
    old = [{"id": str(i), "text_hash": str(i // 2)} for i in range(20)]  # without any info
    assert clusters_of(old) == [str(i // 2) for i in range(20)]


def test_these_problems_uses_the_unbiased_variance_given_the_problems():
    pairs = [(1, 4), (2, 4), (3, 4)]
    # p(1-p)/(k-1): 3/16/3, 4/16/3, 3/16/3; summed 10/48; over 9
    assert sampling_variance(pairs) == pytest.approx(10 / 48 / 9)
    effective = 0.25 / (10 / 48 / 9)
    expected = stats.beta.ppf(0.025, effective / 2, effective / 2 + 1)
    assert summarise(pairs).these_problems.low == pytest.approx(expected)


def test_all_right_does_not_claim_certainty():
    summary = summarise([(4, 4)] * 30)
    assert summary.these_problems.high == summary.new_problems.high == 1
    assert summary.these_problems.low == pytest.approx(stats.beta.ppf(0.025, 120, 1))
    typical = 1 - 0.34 + 0.34 / 4
    effective = 30 / typical * (stats.norm.ppf(0.975) / stats.t.ppf(0.975, 29 + 30)) ** 2
    assert summary.new_problems.low == pytest.approx(stats.beta.ppf(0.025, effective, 1))


def test_one_problem_says_nothing_of_others():
    interval = summarise([(3, 8)]).new_problems
    assert (interval.low, interval.high) == (0, 1)


def test_problems_without_samples_are_missing_not_wrong():
    assert summarise([(2, 4), (0, 0)]) == summarise([(2, 4)])


@pytest.mark.parametrize("pairs", [[], [(0, 0)], [(5, 4)], [(-1, 4)]])
def test_impossible_counts_are_refused(pairs):
    with pytest.raises(ValueError):
        summarise(pairs)


@pytest.mark.parametrize("level", [0.5, 0.8, 0.99])
def test_a_higher_level_is_wider(level):
    pairs = [(c, 8) for c in (1, 5, 3, 8, 0, 2)]
    narrow, wide = summarise(pairs, level), summarise(pairs, 0.995)
    assert wide.these_problems.low < narrow.these_problems.low
    assert wide.new_problems.high > narrow.new_problems.high


@pytest.mark.parametrize("n", range(1, 9))
def test_pass_at_k_is_enumeration(n: int):
    for c, k in itertools.product(range(n + 1), range(1, n + 1)):
        draws = list(itertools.combinations([1] * c + [0] * (n - c), k))
        assert pass_at_k(n, c, k) == pytest.approx(sum(map(max, draws)) / len(draws))


def test_pass_at_k_stays_exact_for_many_samples():
    assert pass_at_k(1024, 1, 512) == pytest.approx(0.5)
    assert pass_at_k(1024, 513, 512) == 1
    with pytest.raises(ValueError, match="needs at least 5"):
        pass_at_k(4, 1, 5)


def majority_by_enumeration(answers, gold, k):
    total = 0.0
    for draw in itertools.combinations(answers, k):
        votes = Counter(a for a in draw if a is not None)
        if votes:
            modes = [a for a, v in votes.items() if v == max(votes.values())]
            total += (gold in modes) / len(modes)
    return total / math.comb(len(answers), k)


@settings(deadline=None, max_examples=150)
@given(st.lists(st.sampled_from(["7", "8", "9", "10", None]), min_size=1, max_size=9), st.data())
def test_maj_at_k_is_enumeration_and_ignores_order(answers, data):
    k = data.draw(st.integers(1, len(answers)))
    expected = majority_by_enumeration(answers, "7", k)
    assert maj_at_k(answers, "7", k) == pytest.approx(expected)
    shuffled = data.draw(st.permutations(answers))
    assert maj_at_k(shuffled, "7", k) == pytest.approx(expected)


def test_maj_of_all_samples_is_their_one_draw():
    answers = [str(i) for i in range(300)] * 3 + ["7"] * 4 + [None] * 120
    assert len(answers) == 1024
    assert maj_at_k(answers, "7", 1024) == 1  # enumerating ways took minutes
    assert maj_at_k([*answers, *["8"] * 4], "7", 1028) == 0.5
    assert maj_at_k([*answers, *["9"] * 5], "7", 1029) == 0
    assert maj_at_k([None, None], "7", 2) == 0


def test_maj_at_1_is_the_accuracy():
    assert maj_at_k(["7", "7", "8", None, "9"], "7", 1) == pytest.approx(0.4)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.lists(st.sampled_from([0.0, 1.0]), min_size=1, max_size=6), min_size=1))
def test_scores_of_nought_and_one_have_the_intervals_of_counts(groups):
    found = mean_of_scores(groups)
    counted = summarise([(int(sum(group)), len(group)) for group in groups])
    assert found.value == pytest.approx(counted.value)
    for one, other in (
        (found.these_problems, counted.these_problems),
        (found.new_problems, counted.new_problems),
    ):
        assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=1e-6)


def test_partial_scores_vary_less_than_right_and_wrong():
    half = mean_of_scores([[0.4, 0.6, 0.5, 0.5]] * 20)
    mixed = mean_of_scores([[0.0, 1.0, 0.0, 1.0]] * 20)
    assert half.value == mixed.value == 0.5
    assert half.these_problems.high < mixed.these_problems.high
    # all alike: as many independent samples as there are, and no interval of no width
    alike = mean_of_scores([[0.5] * 4] * 20).these_problems
    assert alike.high - alike.low > 0.1


def test_the_gain_of_scores_covers_it():
    rng = np.random.default_rng(3)
    covered = {"these": 0, "new": 0}
    for _ in range(100):
        skill = rng.beta(2, 2, 15)
        better = np.clip(skill + rng.normal(0.1, 0.1, 15), 0.02, 0.98)
        # scores of k = 4 samples that vary by a quarter of what right and wrong would
        a, b = (rng.beta(3 * p[:, None], 3 * (1 - p[:, None]), (15, 4)) for p in (skill, better))
        found = gain_of_scores(a.tolist(), b.tolist())
        covered["these"] += (better - skill).mean() in found.these_problems
        covered["new"] += 0.1 in found.new_problems
    assert min(covered.values()) >= 90


def test_the_gain_of_scores_of_nought_and_one_is_near_that_of_counts():
    a, b = [(1, 8), (4, 8), (7, 8), (2, 8)] * 5, [(3, 8), (6, 8), (8, 8), (1, 8)] * 5
    groups = [[[1.0] * c + [0.0] * (k - c) for c, k in side] for side in (a, b)]
    found, counted = gain_of_scores(*groups), these_problems(a, b)
    assert found.gain == pytest.approx(counted.gain)
    ends = found.these_problems.low, found.these_problems.high
    assert ends == pytest.approx((counted.low, counted.high), abs=0.02)
