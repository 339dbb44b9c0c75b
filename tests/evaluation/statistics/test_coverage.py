"""Simulated coverage, false positives and power.

The formulas run in NumPy (benchmarks/interval_formulas.py), which the first tests hold to the
package's own; `python -m benchmarks.intervals` draws the whole grid. Seeded, so each number is the
same in every run.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from benchmarks.interval_cases import (
    at_the_detectable_gain,
    differing_by_problem,
    stopped_early,
    under_shared_seeds,
    with_copies,
    with_years,
)
from benchmarks.interval_formulas import POPULATIONS, chances, gain_limits
from benchmarks.interval_formulas import check as assert_the_package_agrees
from benchmarks.intervals import accuracy_cell, gains_cell
from rewardkit.evaluation.statistics.sequential import boundaries

REPEATS = 4_000


@pytest.mark.parametrize("kind", POPULATIONS[:2])
@pytest.mark.parametrize(
    ("n", "k_a", "k_b", "accuracy"),
    [(15, 64, 4, 0.99), (15, 16, 1, 0.9), (30, 1, 4, 0.02), (30, 1, 1, 0.3), (60, 16, 4, 0.7)],
)
def test_what_is_simulated_is_what_the_package_computes(kind, n, k_a, k_b, accuracy):
    rng = np.random.default_rng([n, k_a])
    a, b = chances(rng, (3, n), accuracy, kind, moved=0.5, gain=0.3)
    assert_the_package_agrees(rng.binomial(k_a, a), k_a, rng.binomial(k_b, b), k_b)


WORST = [
    # few samples, many of them, hardly any failure, one sample each, and 16 times as many
    *[("equal", 15, 0.99, 4, 16), ("equal", 15, 0.9, 64, 1), ("equal", 30, 0.99, 64, 16)],
    *[("equal", 30, 0.3, 1, 4), ("equal", 100, 0.02, 1, 16), ("AIME-like", 15, 0.99, 4, 1)],
    *[("AIME-like", 30, 0.3, 4, 16), ("AIME-like", 30, 0.9, 16, 4), ("AIME-like", 30, 0.1, 1, 1)],
    *[("AIME-like", 100, 0.7, 16, 1), ("AIME-like", 15, 0.02, 16, 16), ("equal", 15, 0.1, 16, 1)],
]


@pytest.mark.parametrize(("kind", "n", "accuracy", "k", "ratio"), WORST)
def test_the_gain_is_covered_and_equal_models_are_rarely_told_apart(kind, n, accuracy, k, ratio):
    found = gains_cell(kind, n, accuracy, k, ratio, REPEATS, moved=0, gain=0)
    assert min(found.these_covered, found.new_covered) >= 0.93
    assert max(found.these_rejected, found.new_rejected) <= 0.06


@pytest.mark.parametrize(
    ("kind", "n", "accuracy", "k", "ratio", "width"),
    [
        *[("AIME-like", 30, 0.3, 4, 4, 1.25), ("AIME-like", 30, 0.9, 16, 4, 1.25)],
        *[("AIME-like", 30, 0.3, 64, 1, 1.1), ("AIME-like", 15, 0.99, 64, 1, 2.5)],
        # few problems, of which one moves far
        *[("equal", 15, 0.02, 64, 16, 1.05), ("equal", 15, 0.9, 64, 4, 1.05)],
        ("equal", 30, 0.02, 64, 1, 1.05),
    ],
)
def test_the_gain_of_models_that_differ_is_covered(kind, n, accuracy, k, ratio, width):
    found = gains_cell(kind, n, accuracy, k, ratio, REPEATS, moved=1, gain=0.6)
    assert found.these_covered >= 0.93
    assert found.new_covered >= 0.93
    assert found.these_half < width * found.these_oracle


@pytest.mark.parametrize(
    ("kind", "n", "accuracy", "k"),
    [
        *[("AIME-like", n, p, k) for n, p, k in [(30, 0.3, 16), (30, 0.9, 4), (30, 0.1, 64)]],
        *[("AIME-like", n, p, k) for n, p, k in [(100, 0.02, 64), (15, 0.99, 4), (500, 0.02, 16)]],
        *[("equal", n, p, k) for n, p, k in [(15, 0.99, 64), (30, 0.9, 1), (100, 0.1, 64)]],
        *[("48 %", n, p, k) for n, p, k in [(100, 0.02, 64), (500, 0.99, 64)]],
    ],
)
def test_both_intervals_cover_what_they_say(kind, n, accuracy, k):
    found = accuracy_cell(kind, n, accuracy, k, REPEATS if n < 500 else 1000)
    assert found.these_covered >= 0.93
    assert found.new_covered >= 0.93


def test_moves_without_gain_are_a_change_on_these_problems_only():
    # The logits move by 1, up and down: problems near one half move less than those far away.
    found = gains_cell("AIME-like", 30, 0.3, 16, 1, REPEATS, moved=1, gain=-0.03)
    assert found.new_rejected <= 0.06
    assert 0.10 <= found.these_rejected <= 0.25


def test_power_for_a_gain_of_five_points():
    found = gains_cell("AIME-like", 30, 0.3, 16, 1, REPEATS, moved=1, gain=0.6)
    assert found.these_rejected >= 0.66
    assert found.new_rejected == pytest.approx(0.35, abs=0.05)


def test_models_that_solve_different_problems_are_told_apart_sooner_than_by_cmh():
    ours, cmh, covered = differing_by_problem(4, 1.0, REPEATS)
    assert ours > 1.2 * cmh
    assert 0.93 <= covered <= 0.98


def test_samples_that_begin_alike_double_the_power():
    paired, alone = under_shared_seeds(1.0, 80)
    assert paired > alone + 0.25
    assert under_shared_seeds(0.0, 80)[0] <= 0.06


@pytest.mark.parametrize(
    ("accuracy", "k", "n"), [(0.3, 4, 30), (0.9, 4, 30), (0.7, 16, 30), (0.3, 1, 500)]
)
def test_the_detectable_gain_is_shown_four_times_out_of_five(accuracy, k, n):
    gain, power = at_the_detectable_gain(accuracy, k, n, REPEATS if n < 500 else 1000)
    assert 0 < gain < 1 - accuracy
    assert 0.75 <= power <= 0.92


def test_contest_years_need_to_be_clusters():
    found = with_years(60)
    assert min(found["accuracy"], found["gain"]) >= 0.90
    assert max(found["accuracy, alone"], found["gain, alone"]) <= 0.88


def test_copies_of_problems_need_to_be_clusters():
    found = with_copies(80)
    assert found["accuracy"] >= 0.93
    assert found["accuracy, alone"] <= found["accuracy"] - 0.03


def test_the_gain_of_a_test_that_stops_early_is_adjusted():
    found = stopped_early(3.5, 30)
    assert found["median"] > 3.5 + 0.1
    assert abs(found["median adjusted"] - 3.5) < found["median"] - 3.5
    assert found["covered"] >= 0.90


def test_the_sequential_test_spends_five_percent_and_saves_samples():
    looks = [16, 32, 64]
    limits = boundaries([look / 64 for look in looks])

    def run(moved, gain):
        rng = np.random.default_rng([7, int(10 * gain)])
        a, b = chances(rng, (REPEATS, 30), 0.3, "AIME-like", moved, gain)
        used = np.full(REPEATS, 64)
        going = np.ones(REPEATS, dtype=bool)
        first, second = np.zeros((2, REPEATS, 30), dtype=int)
        for look, more, limit in zip(looks, np.diff([0, *looks]), limits, strict=True):
            first, second = first + rng.binomial(more, a), second + rng.binomial(more, b)
            _, _, (p, _) = gain_limits(first, look, second, look)
            crossed = going & (stats.norm.isf(p / 2) > limit)
            used[crossed] = look
            going &= ~crossed
        return 1 - going.mean(), used.mean()

    false_positives, _ = run(0, 0)
    power, mean_used = run(0.5, 0.6)
    assert false_positives <= 0.055
    assert power == pytest.approx(0.97, abs=0.03)
    assert mean_used < 40
