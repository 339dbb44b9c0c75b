from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from rewardkit.evaluation.comparing import comparison
from rewardkit.evaluation.statistics.paired import (
    holm,
    new_problems,
    these_problems,
)
from rewardkit.evaluation.statistics.sequential import adjusted, boundaries, looks

PAIRS = st.integers(1, 12).flatmap(
    lambda k: st.lists(
        st.tuples(st.integers(0, k), st.integers(0, k)), min_size=2, max_size=30
    ).map(lambda rows: ([(a, k) for a, _ in rows], [(b, k) for _, b in rows]))
)


@settings(deadline=None, max_examples=100)
@given(PAIRS)
def test_the_interval_holds_zero_if_and_only_if_the_test_does_not_reject(pair):
    a, b = pair
    if a[0][1] == 1:
        return
    for test in (these_problems, new_problems):
        found = test(a, b)
        assert found.low <= found.gain <= found.high
        if abs(found.p - 0.05) > 1e-6:
            assert (found.p < 0.05) == (not found.low <= 0 <= found.high)


@settings(deadline=None, max_examples=60)
@given(PAIRS)
def test_new_problems_are_never_surer_than_these(pair):
    a, b = pair
    assert new_problems(a, b).p >= these_problems(a, b).p - 0.02
    assert _width(new_problems(a, b)) >= 0.9 * _width(these_problems(a, b))


def _width(found):
    return found.high - found.low


def test_these_problems_by_hand():
    # A: 1/4 and 2/4, B: 3/4 and 4/4; p(1-p)/(k-1) is 1/16 and 1/12 for A, 1/16 and 0 for B
    a, b = [(1, 4), (2, 4)], [(3, 4), (4, 4)]
    sides = []
    for mean, within in ((3 / 8, [1 / 16, 1 / 12]), (7 / 8, [1 / 16, 0])):
        df = sum(within) ** 2 / sum(v * v / 3 for v in within)
        share = sum(within) / (2 * mean * (1 - mean) / 4)
        size = 8 / ((df * share + 2) / (df + 2))
        center = (mean * size + 1) / (size + 2)
        sides.append((center, center * (1 - center) / (size + 2), df + 20))
    (x, v, f), (y, w, g) = sides
    t, df = (y - x) / math.sqrt(v + w), (v + w) ** 2 / (v * v / f + w * w / g)
    found = these_problems(a, b)
    assert found.p == pytest.approx(2 * stats.t.sf(t, df))
    half = stats.t.ppf(0.975, df) * math.sqrt(v + w)
    assert (found.low, found.high) == pytest.approx((y - x - half, y - x + half))
    assert found.z == pytest.approx(stats.norm.isf(found.p / 2))
    assert these_problems(b, a).z == pytest.approx(-found.z)


@settings(deadline=None, max_examples=100)
@given(PAIRS)
def test_swapping_the_models_turns_the_sign(pair):
    a, b = pair
    for test in (these_problems, new_problems):
        one, two = test(a, b), test(b, a)
        assert (one.gain, one.p) == pytest.approx((-two.gain, two.p), abs=1e-9)
        assert (one.low, one.high) == pytest.approx((-two.high, -two.low), abs=1e-6)


def test_with_many_samples_new_problems_are_the_paired_t_test():
    rng = np.random.default_rng(5)
    start, moved = rng.uniform(0.3, 0.5, 15), rng.uniform(0, 0.3, 15)
    # Moves that are not lopsided: half of them up, as many down.
    rates = np.array([[*start, *start], [*(start + 0.03 + moved), *(start + 0.03 - moved)]])
    a, b = ([(int(c), 4096) for c in 4096 * side] for side in rates)
    x, y = (np.array([c / n for c, n in side]) for side in (a, b))
    expected = stats.ttest_rel(y, x)
    interval = expected.confidence_interval(0.95)
    found = new_problems(a, b)
    assert found.p == pytest.approx(expected.pvalue, rel=0.02)
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high), abs=0.002)


def test_where_gains_are_lopsided_the_limit_on_the_long_side_lies_farther_out():
    a = [(1024, 4096)] * 15
    b = [(1024 + extra, 4096) for extra in [100] * 13 + [1000, 2400]]
    gains = np.array([y / m - x / n for (x, n), (y, m) in zip(a, b, strict=True)])
    found = new_problems(a, b)
    error = stats.sem(gains)
    apart = (gains - gains.mean()) ** 2
    carried = apart.sum() ** 2 / (apart**2).sum()
    skew = stats.skew(gains, bias=False) / np.sqrt(15) * (1 + 2 / np.sqrt(carried))
    df = max(1, 3 * carried * 14 / 15)
    quantile = stats.t.ppf(0.975, df)
    # (1 + 2 q²) / 6, Hall's first term; noise of 4,096 samples is little beside the spread.
    longer = (1 + 2 * quantile**2) / 6 * skew * error
    assert found.low == pytest.approx(gains.mean() - quantile * error, abs=0.002)
    assert found.high == pytest.approx(gains.mean() + quantile * error + longer, abs=0.003)
    other = new_problems(b, a)
    assert (other.low, other.high) == pytest.approx((-found.high, -found.low), abs=1e-9)


def test_one_sample_each_is_exact_mcnemar():
    a = [(0, 1)] * 10 + [(1, 1)] * 3 + [(1, 1)] * 5
    b = [(1, 1)] * 10 + [(0, 1)] * 3 + [(1, 1)] * 5
    found = these_problems(a, b)
    assert found.test == "exact McNemar"
    assert found.p == pytest.approx(stats.binomtest(10, 13).pvalue)
    assert found.gain == pytest.approx(7 / 18)
    # Bonett-Price: 11/20 gained and 4/20 lost, 0.35 -+ 1.96 sqrt((0.75 - 0.35^2) / 20)
    assert (found.low, found.high) == pytest.approx((0.0028, 0.6972), abs=1e-4)


def test_no_change_in_30_problems_does_not_rule_out_a_small_one():
    found = these_problems([(0, 1)] * 30, [(0, 1)] * 30)
    assert (found.low, found.high) == pytest.approx((-0.0866, 0.0866), abs=1e-4)
    certain = these_problems([(0, 1)] * 30, [(1, 1)] * 30)
    assert (certain.gain, certain.high) == (1, 1)


def test_the_same_results_show_nothing():
    same = [(0, 4), (4, 4), (2, 4)]
    for test in (these_problems, new_problems):
        found = test(same, same)
        assert (found.gain, found.p) == (0, 1)
        assert found.low < 0 < found.high


def test_where_samples_never_vary_no_detectable_gain_is_made_up():
    none = [(0, 8)] * 20
    these, new = these_problems(none, none), new_problems(none, none)
    assert these.detectable is None
    said = comparison.verdict(20, these, new, 1.0, 1.0)
    assert "cannot be said, since no problem has both right and wrong samples" in said


def test_a_clean_sweep_is_shown_without_claiming_certainty():
    a, b = [(0, 4)] * 10, [(4, 4)] * 10
    found = new_problems(a, b)
    assert found.p < 1e-6
    assert 0.4 < found.low < found.gain == found.high == 1


def test_noise_that_few_problems_show_makes_no_difference():
    # 4 samples of B cannot show failures as rare as A's
    a, b = [(64, 64)] * 14 + [(63, 64)] * 16, [(4, 4)] * 30
    for test in (these_problems, new_problems):
        found = test(a, b)
        assert found.p > 0.2
        assert found.low < 0 < found.high


def test_undecided_samples_do_not_turn_the_sign():
    # each problem weighs the same in the test as in the gain, however many samples it has left
    a, b = [(8, 16)] * 26 + [(0, 1)] * 4, [(6, 16)] * 26 + [(1, 1)] * 4
    for test in (these_problems, new_problems):
        found = test(a, b)
        assert found.gain == pytest.approx(0.025)
        assert found.p > 0.3
        assert found.z > 0


def test_a_gain_beyond_the_room_is_not_called_detectable():
    found = these_problems([(3, 3), (2, 2)], [(3, 4), (2, 2)])
    assert found.detectable is None
    assert found.undetectable == "not even B right on every sample would have been enough"
    said = comparison.verdict(2, found, found, 1.0, 1.0)
    assert "cannot be said, since not even B right on every sample would have been enough" in said
    for a, b in (([(0, 1), (1, 1)], [(1, 1), (0, 1)]), ([(1, 4), (2, 4)], [(1, 4), (2, 4)])):
        for test in (these_problems, new_problems):
            assert 0 < (test(a, b).detectable or 0.5) <= 1


def test_samples_under_one_seed_are_paired_where_they_move_together():
    rng = np.random.default_rng(3)
    alike = rng.random((30, 8)) < 0.5
    other = np.where(rng.random((30, 8)) < 0.1, True, alike)
    a, b = ([(int(row.sum()), 8) for row in side] for side in (alike, other))
    shared = [
        list(zip(x.tolist(), y.tolist(), strict=True)) for x, y in zip(alike, other, strict=True)
    ]
    paired, alone = these_problems(a, b, shared=shared), these_problems(a, b)
    assert paired.gain == alone.gain
    assert _width(paired) < 0.6 * _width(alone)
    mixed = [rng.permutation(rows).tolist() for rows in np.array(shared)]
    unrelated = [
        [(x, y) for (x, _), (_, y) in zip(rows, reversed(rows), strict=True)] for rows in mixed
    ]
    assert these_problems(a, b, shared=unrelated) == alone
    assert _width(new_problems(a, b, shared=shared)) <= _width(new_problems(a, b))


def test_copies_of_a_problem_add_no_problems():
    a, b = [(1, 8), (6, 8), (3, 8)] * 4, [(5, 8), (6, 8), (4, 8)] * 4
    labels = [str(i) for i in range(12)]
    once = new_problems(a, b, clusters=None)
    assert new_problems(a, b, clusters=labels).p == pytest.approx(once.p)
    twice = new_problems(a * 2, b * 2, clusters=labels * 2)
    assert twice.gain == pytest.approx(once.gain)
    assert twice.high >= new_problems(a * 2, b * 2).high
    assert _width(twice) > 0.9 * _width(once)


def test_holm_is_statsmodels():
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    for values in ([0.01, 0.04, 0.03], [0.5], [0.02, 0.02, 0.9, 0.001], [1.0, 1.0]):
        assert holm(values) == pytest.approx(multitest.multipletests(values, method="holm")[1])


@pytest.mark.parametrize(("a", "b"), [([], []), ([(1, 2)], []), ([(0, 0)], [(1, 2)])])
def test_what_cannot_be_paired_is_refused(a, b):
    for test in (these_problems, new_problems):
        with pytest.raises(ValueError):
            test(a, b)


def test_boundaries_spend_five_percent():
    shares = [1 / 16, 1 / 8, 1 / 4, 1 / 2, 1]
    limits = np.array(boundaries(shares))
    rng = np.random.default_rng(1)
    steps = np.sqrt(np.diff([0, *shares]))
    paths = np.cumsum(rng.normal(size=(200_000, 5)) * steps, axis=1) / np.sqrt(shares)
    crossed = (np.abs(paths) > limits).any(axis=1).mean()
    assert crossed == pytest.approx(0.05, abs=0.002)
    assert list(limits) == sorted(limits, reverse=True)
    assert limits[-1] == pytest.approx(1.98, abs=0.01)


@pytest.mark.parametrize(
    ("samples", "expected"),
    [
        (1, [1]),
        (16, [16]),
        (30, [30]),
        (32, [16, 32]),
        (40, [20, 40]),
        (64, [16, 32, 64]),
        (100, [25, 50, 100]),
        (1024, [64, 128, 256, 512, 1024]),
    ],
)
def test_looks_double_from_16_samples_on(samples, expected):
    assert looks(samples) == expected


def test_an_adjusted_gain_is_the_plain_one_where_no_look_could_have_stopped():
    for z in (-2.5, 0.3, 4.0):
        drift, low, high = adjusted([1.0], [1.96], z)
        assert (drift, low, high) == pytest.approx((z, z - 1.96, z + 1.96), abs=1e-3)


def test_a_gain_that_stops_late_is_adjusted_down_and_mirrored():
    shares = [0.25, 0.5]
    limits = boundaries([0.25, 0.5, 1.0])[:2]
    drift, low, high = adjusted(shares, limits, 3.0)
    assert low < drift < 3.0 / math.sqrt(0.5)
    assert low > 0
    assert adjusted(shares, limits, -3.0) == pytest.approx((-drift, -high, -low))
