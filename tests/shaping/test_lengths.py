"""Terms on length that a group or a budget sets, by hand."""

import pytest

from rewardkit.errors import ConfigError
from rewardkit.recipes import Term
from rewardkit.shaping import shape_group
from rewardkit.types import Finish, Outcome, Rollout, Verdict


def shape(term, lengths, right, limit=20480, **options):
    """The component of one term for a group of lengths, `right` many of them correct."""
    outcomes = [Outcome.CORRECT if i < right else Outcome.INCORRECT for i in range(len(lengths))]
    rollouts = [Rollout("", (0,) * n, (0.0,) * n, Finish.STOP) for n in lengths]
    rewards = shape_group(
        [Verdict(outcome) for outcome in outcomes],
        rollouts,
        [Term(term, 1.0, options)],
        limit=limit,
    )
    return [reward.components[term] for reward in rewards]


@pytest.mark.parametrize(
    ("right", "expected"),
    [
        (4, [-0.1, -0.2, -0.3, -0.4]),  # easy: the full price
        (2, [-0.05, -0.1, -0.15, -0.2]),
        (1, [-0.025, -0.05, -0.075, -0.1]),
        (0, [-0.025, -0.05, -0.075, -0.1]),  # hard: never less than where one is right
    ],
)
def test_alp_costs_more_the_easier_the_problem(right, expected):
    lengths = [10, 20, 30, 40]
    assert shape("alp", lengths, right, limit=100) == pytest.approx(expected)
    halved = shape("alp", lengths, right, limit=100, normaliser=200)
    assert halved == pytest.approx([value / 2 for value in expected])


@pytest.mark.parametrize(
    ("right", "expected"),
    [
        (4, [-0.25, -0.5, -0.75, -1.0]),
        (2, [-0.125, -0.25, -0.375, -0.5]),
        (0, [0, 0, 0, 0]),
    ],
)
def test_a_price_of_length_by_the_pass_rate(right, expected):
    for scale in (1, 7):  # of the group's own longest, whatever that is
        lengths = [scale * n for n in (10, 20, 30, 40)]
        assert shape("pass_rate_length", lengths, right) == pytest.approx(expected)


def test_a_target_of_length():
    lengths = [900, 1000, 1200, 5000]
    exact = shape("length_target", lengths, 2, target=1000)
    assert exact == pytest.approx([-0.03, 0.0, -0.06, -1.2])
    # with the 1 of a right answer beside it: clip(α (target − |o|) + ½, 0, 1)
    at_most = shape("length_target", lengths, 4, target=1000, at_most=True)
    assert at_most == pytest.approx([0.53 - 1, 0.5 - 1, 0.44 - 1, -1.0])
    assert shape("length_target", lengths, 0, target=1000, at_most=True) == [0.0] * 4


@pytest.mark.parametrize(
    ("right", "options", "expected"),
    [
        (3, {"target": 4000}, [0, 0, 0, 0]),
        (4, {"target": 4000}, [0, 0, 0, -1]),  # right, and beyond 4000
        (4, {}, [0, 0, 0, 0]),  # nothing is beyond the limit
        (4, {"target": 4000, "easy_target": 2000}, [0, 0, -1, -1]),
        (2, {"target": 4000, "easy_target": 2000}, [0, 0, 0, 0]),  # easy, and its right ones short
        (3, {"target": 4000, "easy_target": 2000}, [0, 0, -1, 0]),
        (1, {"target": 999, "easy_target": 500}, [-1, 0, 0, 0]),
        (3, {"target": 4000, "easy_target": 2000, "easy": 0.8}, [0, 0, 0, 0]),
    ],
)
def test_dler_forgets_what_is_beyond_a_target(right, options, expected):
    assert shape("dler", [1000, 2000, 2001, 4001], right, **options) == expected


@pytest.mark.parametrize(
    ("term", "options", "message"),
    [
        ("dler", {"target": 0}, "at least 1 token"),
        ("dler", {"easy": 1.5}, "a share in"),
        ("alp", {"normaliser": 0}, "above 0, found 0"),
        ("length_target", {"target": 0}, "at least 1 token"),
        ("length_target", {"target": 9, "alpha": 0}, "alpha above 0"),
    ],
)
def test_lengths_refuse_what_is_out_of_range(term, options, message):
    with pytest.raises(ConfigError, match=message):
        shape(term, [5], 1, **options)
