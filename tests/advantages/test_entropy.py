"""GTPO and GRPO-S: vectors worked by hand from the paper's equations."""

import math

import pytest
import torch

from rewardkit.advantages import grpo_s, grpo_s_rewards, gtpo, gtpo_rewards
from rewardkit.errors import ConfigError

# Two right answers of 3 and 2 tokens, two wrong ones of 2 and 3; nan is padding.
H = torch.tensor(
    [[1, 0.5, 2], [0.5, 1.5, math.nan], [0.25, 1, math.nan], [0.75, 0.5, 0.5]], dtype=torch.float64
)
MASK = ~H.isnan()
R = torch.tensor([1.0, 1, 0, 0], dtype=torch.float64)
RIGHT = R.bool()
G = torch.zeros(4, dtype=torch.int64)
ALL = (R, RIGHT, H, G, MASK)


def printed(rows, digits=4):
    """What rows of three tokens must equal: these numbers as rounded, and exactly 0 behind them."""
    rounded = [[pytest.approx(x, abs=0.6 * 10**-digits) for x in row] for row in rows]
    return [row + [0.0] * (3 - len(row)) for row in rounded]


def test_token_rewards_of_equations_2_and_3():
    expected = [[1.1333, 1.05, 1.1], [1.0667, 1.15], [-1.15, -1.0667], [-1.05, -1.1333, -1.1]]
    assert gtpo_rewards(*ALL).tolist() == printed(expected)


def test_token_rewards_with_geometric_means():
    expected = [
        [1.141421, 1.057735, 1.1],
        [1.070711, 1.173205],
        [-1.173205, -1.070711],
        [-1.057735, -1.141421, -1.1],
    ]
    assert gtpo_rewards(*ALL, mean="geo").tolist() == printed(expected, digits=6)


def test_joint_normalisation_keeps_the_sign_of_correctness():
    found = gtpo(*ALL, ddof=0, eps=0.0)
    assert found[:1].tolist() == printed([[1.0297, 0.9540, 0.9994]])
    assert (found[RIGHT][MASK[RIGHT]] > 0).all()
    assert (found[~RIGHT][MASK[~RIGHT]] < 0).all()


def test_separate_normalisation_discards_it_as_printed_in_equation_4():
    found = gtpo(*ALL, normalize="separate", ddof=0, eps=0.0)
    assert found[:1].tolist() == printed([[0.8771, -1.3156, 0.0]])
    assert found[RIGHT].sum().abs() < 1e-9  # right tokens average 0
    # α₁ and α₂ cancel
    other = gtpo(*ALL, normalize="separate", ddof=0, eps=0.0, alpha_reward=5.0, alpha_entropy=3.0)
    torch.testing.assert_close(found, other)


def test_sequence_rewards_of_equation_6():
    expected = [1.107692, 1.092308, -1.096552, -1.103448]
    assert grpo_s_rewards(*ALL).tolist() == pytest.approx(expected, abs=6e-7)
    expected = [1.107457, 1.093060, -1.106991, -1.093466]
    assert grpo_s_rewards(*ALL, mean="geo").tolist() == pytest.approx(expected, abs=6e-7)


def test_grpo_s_advantages_are_grpo_of_those_rewards():
    shaped = grpo_s_rewards(*ALL)
    expected = (shaped - shaped.mean()) / (shaped.std() + 1e-6)
    torch.testing.assert_close(grpo_s(*ALL), expected)


@pytest.mark.parametrize("mean", ["arith", "geo"])
def test_a_masked_response_leaves_the_others_as_they_are(mean):
    rewards, right, groups = (
        torch.cat([R, R[3:]]),
        torch.cat([RIGHT, RIGHT[3:]]),
        torch.zeros(5).int(),
    )
    entropies = torch.cat([H, H[3:]])
    mask = torch.cat([MASK, torch.zeros(1, 3, dtype=torch.bool)])
    found = grpo_s_rewards(rewards, right, entropies, groups, mask, mean=mean)
    torch.testing.assert_close(found[:4], grpo_s_rewards(*ALL, mean=mean))
    assert found[4] == pytest.approx(-1.1)  # the reward of a wrong answer of average entropy


def test_without_entropy_it_is_grpo():
    for found in (gtpo(*ALL, alpha_entropy=0.0)[:, 0], grpo_s(*ALL, beta_entropy=0.0)):
        assert found[RIGHT].min() == found[RIGHT].max() > 0
        assert found[~RIGHT].min() == found[~RIGHT].max() < 0


def test_groups_do_not_see_each_other():
    twice = tuple(torch.cat([x, x]) for x in (R, RIGHT, H))
    groups = torch.cat([G, G + 9])
    found = gtpo(*twice, groups, torch.cat([MASK, MASK]))
    torch.testing.assert_close(found, torch.cat([gtpo(*ALL)] * 2))


@pytest.mark.parametrize("outcome", [True, False])
def test_a_group_whose_outcomes_are_not_mixed_gets_zero(outcome):
    """Entropy alone is no signal: normalised, it would train at full size on equal rewards."""
    right = torch.full((4,), outcome)
    args = (right.double(), right, H, G, MASK)
    assert (gtpo(*args) == 0).all()
    assert (gtpo(*args, normalize="separate") == 0).all()
    assert (grpo_s(*args) == 0).all()


@pytest.mark.parametrize("mean", ["arith", "geo"])
def test_a_token_that_is_certain_stays_finite(mean):
    h = torch.where(MASK, 0.0, H)
    for found in (gtpo(R, RIGHT, h, G, MASK, mean=mean), grpo_s(R, RIGHT, h, G, MASK, mean=mean)):
        assert found.isfinite().all()
    shaped = gtpo_rewards(R, RIGHT, h, G, MASK, mean=mean)
    assert shaped[RIGHT][MASK[RIGHT]].tolist() == pytest.approx([1.1] * 5)  # equal shares


def test_padding_changes_nothing():
    wide = [torch.nn.functional.pad(x, (0, 3), value=v) for x, v in ((H, math.inf), (MASK, False))]
    found = gtpo(R, RIGHT, wide[0], G, wide[1])
    torch.testing.assert_close(found[:, :3], gtpo(*ALL))
    assert (found[:, 3:] == 0).all()


def test_shaping_terms_reach_both_pools():
    punished = R + torch.tensor([0.0, -0.4, 0.0, -0.4], dtype=torch.float64)
    change = gtpo_rewards(punished, RIGHT, H, G, MASK) - gtpo_rewards(*ALL)
    expected = torch.where(MASK, (punished - R)[:, None], 0)
    torch.testing.assert_close(change, expected)


def test_over_the_batch_all_mixed_groups_share_one_mean_and_deviation():
    r = torch.cat([R, R, torch.ones(4)])
    h = torch.cat([H, 2 * H.flip(0).nan_to_num(9.0), H])
    mask = torch.cat([MASK, MASK.flip(0), MASK])
    groups = torch.tensor([0] * 4 + [1] * 4 + [2] * 4)
    args = (r, r.bool(), h, groups, mask)
    shaped = gtpo_rewards(*args)
    mixed = mask & (groups < 2)[:, None]
    values = shaped[mixed]
    found = gtpo(*args, scope="batch")
    expected = (values - values.mean()) / (values.std() + 1e-6)
    torch.testing.assert_close(found[mixed], expected)
    assert (found[8:] == 0).all()  # all right: no signal, and no part in the statistics
    apart = gtpo(*args, scope="batch", normalize="separate")
    right = mixed & r.bool()[:, None]
    values = shaped[right]
    torch.testing.assert_close(
        apart[right], (values - values.mean()) / (values.std() + 1e-6), rtol=1e-6, atol=1e-6
    )


def test_unknown_choices():
    with pytest.raises(ConfigError, match="batch"):
        gtpo(*ALL, scope="token")
    with pytest.raises(ConfigError, match="separate"):
        gtpo(*ALL, normalize="both")
    with pytest.raises(ConfigError, match="geo"):
        gtpo(*ALL, mean="median")
    with pytest.raises(ConfigError, match="geo"):
        grpo_s(*ALL, mean="median")
