"""Orders: each problem once an epoch, each source by its weight, any place of it at once."""

import random
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewardkit.data.permutation import Permutation
from rewardkit.errors import ConfigError
from rewardkit.sampling import order as orders
from rewardkit.sampling.order import BLOCK, EpochOrder, MixedOrder, Share, block_counts, order_of


@given(st.integers(1, 400), st.text(max_size=5))
def test_a_permutation_has_each_number_once(count, key):
    order = Permutation(count, key)
    assert sorted(order.at(place) for place in range(count)) == list(range(count))


def test_a_permutation_depends_on_its_key_and_leaves_no_trace_of_the_numbers_order():
    found = [Permutation(10_000, "a").at(i) for i in range(10_000)]
    assert found != [Permutation(10_000, "b").at(i) for i in range(10_000)]
    # Of a random order 1 of 10,000 stays in its place, and half of the neighbours go up.
    assert sum(number == place for place, number in enumerate(found)) < 10
    ascents = sum(a < b for a, b in pairwise(found))
    assert abs(ascents - 5000) < 150


def test_a_small_set_keeps_the_order_of_runs_that_began_before():
    numbers = list(range(12))
    random.Random("order 5 1").shuffle(numbers)
    assert [EpochOrder(12, 5).at(12 + i) for i in range(12)] == numbers


def test_a_large_set_is_met_once_an_epoch_too_and_in_another_order_in_the_next(monkeypatch):
    monkeypatch.setattr(orders, "LISTED", 50)
    order = EpochOrder(60, 3)
    first, second = ([order.at(60 * epoch + i) for i in range(60)] for epoch in (0, 1))
    assert sorted(first) == sorted(second) == list(range(60))
    assert first != second
    assert [order.at(i) for i in range(60)] == first, "the past can be asked again"


def test_an_order_needs_a_problem():
    with pytest.raises(ConfigError, match="at least one problem"):
        EpochOrder(0, 0)


SHARES = [Share(10, 2.0), Share(500, 1.0), Share(7, 0.0), Share(3, 1.0)]


def source_of(number):
    return next(i for i, end in enumerate((10, 510, 517, 520)) if number < end)


def test_each_source_has_its_weight_in_every_block_and_about_so_in_every_batch():
    order = MixedOrder(SHARES, seed=1)
    drawn = [source_of(order.at(position)) for position in range(2 * BLOCK)]
    for block in (drawn[:BLOCK], drawn[BLOCK:]):
        assert Counter(block) == {0: 500, 1: 250, 3: 250}
    for start in range(0, 2 * BLOCK, 40):
        assert 16 <= drawn[start : start + 40].count(0) <= 24
    assert drawn[:BLOCK] != drawn[BLOCK:]


def test_a_source_goes_through_epochs_of_its_own():
    order, own = MixedOrder(SHARES, seed=1), EpochOrder(500, 1)
    seen = [n - 10 for n in map(order.at, range(3 * BLOCK)) if source_of(n) == 1]
    assert seen == [own.at(i) for i in range(len(seen))]
    assert sorted(seen[:500]) == list(range(500))


def test_a_mixture_of_one_is_what_it_is_alone():
    order, own = MixedOrder([Share(30, 0.3)], 9), EpochOrder(30, 9)
    assert [order.at(i) for i in range(2500)] == [own.at(i) for i in range(2500)]


def test_any_position_can_be_asked_first():
    order = MixedOrder(SHARES, 4)
    stream = [order.at(i) for i in range(2500)]
    assert MixedOrder(SHARES, 4).at(2400) == stream[2400]
    assert stream != [MixedOrder(SHARES, 5).at(i) for i in range(2500)]


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=8).filter(any))
def test_shares_are_whole_and_fill_a_block(weights):
    counts = block_counts(weights)
    assert sum(counts) == BLOCK
    total = sum(weights)
    for weight, count in zip(weights, counts, strict=True):
        assert (count > 0) == (weight > 0)
        assert abs(count - BLOCK * weight / total) < len(weights) + 1


@pytest.mark.parametrize("weights", [[], [0, 0], [1, -1], [float("inf"), 1], [float("nan")]])
def test_weights_that_say_nothing_are_refused(weights):
    with pytest.raises(ConfigError, match="weights are 0 or more"):
        block_counts(weights)


def test_what_has_shares_is_mixed():
    class Problems(list):
        shares = (Share(2, 1.0), Share(1, 1.0))

    assert isinstance(order_of(Problems("abc"), 0), MixedOrder)
    assert isinstance(order_of("abc", 0), EpochOrder)
