"""Surrogates of older samples: their weights worked by hand."""

import math

import pytest
import torch

from rewardkit.errors import ConfigError
from rewardkit.losses import dppo_tv, dro, second_moment_mask, topr, vespo


def gradient_at(surrogate, new, advantage, **options):
    """(found, gradient of the mean loss) of one sequence whose old probabilities are 1."""
    logp = torch.tensor([new], dtype=torch.float64).log().requires_grad_()
    mask = torch.ones(1, len(new), dtype=torch.bool)
    old, advantages = torch.zeros_like(logp).detach(), torch.tensor([advantage]).double()
    found = surrogate(logp, old, advantages, mask, **options)
    (found.losses.sum() / len(new)).backward()
    return found, logp.grad[0].tolist()


@pytest.mark.parametrize(
    ("new", "advantage", "weight"),
    [
        ([1.0, 1.0], 2.0, 1.0),  # φ(1) = 1
        ([2.0, 0.5], 1.0, 1.0),  # the ratio of the whole sequence is 1
        ([2.0, 1.0], 1.0, 4 * math.exp(-3)),  # w² e^(3(1−w))
        ([2.0, 1.0], -1.0, 8 * math.exp(-2)),  # w³ e^(2(1−w))
        ([0.5, 1.0], 1.0, 0.25 * math.exp(1.5)),
        ([0.5, 1.0], -1.0, 0.125 * math.exp(1.0)),
    ],
)
def test_vespo_weighs_a_sequence_by_its_ratio(new, advantage, weight):
    found, gradient = gradient_at(vespo, new, advantage)
    assert gradient == pytest.approx([-advantage * weight / 2] * 2)
    assert found.losses.tolist()[0] == pytest.approx(
        [-advantage * weight * math.log(ratio) for ratio in new]
    )


@pytest.mark.parametrize(
    ("new", "advantage", "weight"),
    [
        ([0.5, 0.5], 1.0, 1.0),  # good: as it stands, whatever the ratio
        ([3.0, 3.0], 1.0, 1.0),
        ([0.5, 0.5], -1.0, 0.25),  # bad: by the sequence's ratio
        ([3.0, 0.1], -1.0, 0.3),
        ([3.0, 3.0], -1.0, 1.0),  # and never by more than the cap
    ],
)
def test_topr_tapers_what_was_bad(new, advantage, weight):
    found, gradient = gradient_at(topr, new, advantage)
    assert gradient == pytest.approx([-advantage * weight / 2] * 2)
    assert found.clipped_high.tolist() == [[advantage < 0 and new == [3.0, 3.0]] * 2]


@pytest.mark.parametrize(
    ("new", "advantage", "ascent"),
    [
        (0.5, 1.0, 0.5),  # ρA, and the pull of the square: −2τ log ρ
        (0.9, -1.0, -0.9),
        (0.7, -1.0, 0.0),  # .3 below the sampler's 1 and sinking: dropped, but for the pull
    ],
)
def test_prime_rls_square_pulls_dropped_tokens_too(new, advantage, ascent):
    tau = 0.1
    found, gradient = gradient_at(dppo_tv, [new], advantage, clip_low=0.2, cap=math.inf, kl_tau=tau)
    assert gradient == pytest.approx([-ascent + 2 * tau * math.log(new)])
    assert found.losses.item() == pytest.approx((-ascent + tau * math.log(new)) * math.log(new))


def test_m2po_takes_the_furthest_tokens_out_until_the_mean_square_is_small():
    apart = torch.tensor([[0.1, -0.3, 9.0], [0.2, 0.1, 0.0]]).double()
    mask = torch.tensor([[True, True, False], [True, True, True]])
    kept = second_moment_mask(apart, torch.zeros(2, 3).double(), mask, limit=0.0150001)
    # squares 0, .01, .01, .04, .09: means 0, .005, .0067, .015, .03
    assert kept.tolist() == [[True, False, False], [True, True, True]]


def test_dro_comes_to_rest_where_the_log_ratio_is_the_advantage_over_beta():
    found, gradient = gradient_at(dro, [math.exp(4.0)], 2.0, beta=0.5)
    assert gradient == pytest.approx([0.0])
    assert found.losses.item() == pytest.approx(-2 * 4 + 0.25 * 16)
    assert gradient_at(dro, [1.0], 2.0, beta=0.5)[1] == pytest.approx([-2.0])
    with pytest.raises(ConfigError, match="positive, found 0"):
        gradient_at(dro, [1.0], 1.0, beta=0)
