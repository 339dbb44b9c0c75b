"""KL estimators, corrections, the entropy mask and the value loss."""

import math

import pytest
import torch

from rewardkit.errors import UnknownNameError
from rewardkit.losses import (
    entropy_threshold,
    high_entropy,
    icepop,
    kl,
    kl_reward,
    mis,
    off_policy_mask,
    sequence_mask,
    sequence_tis,
    tis,
    value_loss,
)

ONE = torch.ones(1, 1, dtype=torch.bool)


@pytest.mark.parametrize(
    ("kind", "value", "gradient"),
    [
        ("k1", 0.5, 1.0),
        ("abs", 0.5, 1.0),
        ("k2", 0.125, 0.5),
        ("k3", math.exp(-0.5) - 0.5, 1 - math.exp(-0.5)),
        ("k1+", 0.5, 0.5),
        ("abs+", 0.5, 0.5),
        ("k3+", math.exp(-0.5) - 0.5, 0.5),
    ],
)
def test_kl_by_hand(kind, value, gradient):
    logp = torch.tensor([[-1.0]], dtype=torch.float64, requires_grad=True)
    found = kl(kind, logp, torch.tensor([[-1.5]], dtype=torch.float64), ONE)
    found.sum().backward()
    assert found.item() == pytest.approx(value)
    assert logp.grad.item() == pytest.approx(gradient)


@pytest.mark.parametrize(
    ("kind", "value", "gradient"),
    [
        ("k3", math.exp(20) - 21, 0.0),
        ("k3+", math.exp(20) - 21, -50.0),
        ("k1+", -20.0, -50.0),
        ("k2", 200.0, 0.0),
    ],
)
def test_beyond_20_nats_values_end_and_the_kinds_with_a_plus_still_pull(kind, value, gradient):
    logp = torch.tensor([[-60.0]], dtype=torch.float64, requires_grad=True)
    found = kl(kind, logp, torch.tensor([[-10.0]], dtype=torch.float64), ONE)
    found.sum().backward()
    assert found.item() == pytest.approx(value)
    assert logp.grad.item() == pytest.approx(gradient)


def exact_kl(p, q):
    return (p * (p.log() - q.log())).sum()


def test_k1_and_k3_are_unbiased_in_value_and_k2_in_gradient():
    """Averaged over the policy's own samples, exactly, on a vocabulary of five."""
    torch.manual_seed(0)
    logits = torch.randn(5, dtype=torch.float64, requires_grad=True)
    ref = torch.randn(5, dtype=torch.float64).log_softmax(-1)
    logp = logits.log_softmax(-1)
    p = logp.exp().detach()
    mask = torch.ones(1, 5, dtype=torch.bool)
    truth = exact_kl(logp.exp(), ref.exp())
    (true_gradient,) = torch.autograd.grad(truth, logits, retain_graph=True)
    for kind in ("k1", "k2", "k3", "k1+", "k3+"):
        value = (p * kl(kind, logp[None], ref[None], mask)[0]).sum()
        (gradient,) = torch.autograd.grad(value, logits, retain_graph=True)
        if kind[:2] != "k2":
            assert value.item() == pytest.approx(truth.item())
        if kind in ("k2", "k1+", "k3+"):
            torch.testing.assert_close(gradient, true_gradient)
        elif kind == "k1":
            torch.testing.assert_close(gradient, torch.zeros(5).double(), atol=1e-12, rtol=0)
        else:
            assert (gradient - true_gradient).abs().max() > 1e-3


def test_k3_keeps_small_differences():
    """exp(−d) + d − 1 in float32 loses all digits at d = 1e-4; expm1 keeps them."""
    found = kl("k3", torch.tensor([[-1.0]]), torch.tensor([[-1.0001]]), ONE)
    assert found.item() == pytest.approx(5e-9, rel=1e-2)


def test_kl_reward_is_a_number_for_the_reward():
    logp = torch.tensor([[-1.0, -2.0]], requires_grad=True)
    mask = torch.tensor([[True, False]])
    found = kl_reward("k1", logp, torch.tensor([[-3.0, -9.0]]), mask, 0.1)
    assert found.tolist()[0] == pytest.approx([-0.2, 0.0])
    assert not found.requires_grad


def test_unknown_kl():
    with pytest.raises(UnknownNameError, match="k3"):
        kl("k4", torch.zeros(1, 1), torch.zeros(1, 1), ONE)


W = torch.tensor([[3.0, 1.5, 0.25, 7.0]], dtype=torch.float64)
MASK = torch.tensor([[True, True, True, False]])


@pytest.mark.parametrize(
    ("correction", "options", "expected"),
    [
        (tis, {"cap": 2.0}, [2.0, 1.5, 0.25, 0.0]),
        (mis, {"cap": 2.0}, [0.0, 1.5, 0.25, 0.0]),
        (icepop, {"low": 0.5, "high": 2.0}, [0.0, 1.5, 0.0, 0.0]),
        (sequence_tis, {"cap": 2.0}, [1.125, 1.125, 1.125, 0.0]),
        (sequence_tis, {"cap": 1.0}, [1.0, 1.0, 1.0, 0.0]),
        (sequence_mask, {"cap": 2.0}, [1.125, 1.125, 1.125, 0.0]),
        (sequence_mask, {"cap": 1.0}, [0.0, 0.0, 0.0, 0.0]),
    ],
)
def test_corrections_by_hand(correction, options, expected):
    old = W.log().requires_grad_()
    found = correction(old, torch.zeros_like(W), MASK, **options)
    assert found.tolist()[0] == pytest.approx(expected)
    assert not found.requires_grad


def test_off_policy_mask_drops_only_bad_responses_that_drifted():
    sampler, logp = torch.full((3, 2), -1.0), torch.tensor([[-4.0] * 2, [-4.0] * 2, [-1.5] * 2])
    mask = torch.ones(3, 2, dtype=torch.bool)
    found = off_policy_mask(logp, sampler, torch.tensor([-1.0, 1.0, -1.0]), mask, threshold=1.0)
    assert found[:, 0].tolist() == [0.0, 1.0, 1.0]


def test_high_entropy_tokens_are_the_top_share():
    entropies = torch.arange(10.0)[None]
    mask = torch.ones(1, 10, dtype=torch.bool)
    kept = high_entropy(entropies, mask, entropy_threshold(entropies, mask, 0.2))
    assert kept.tolist()[0] == [False] * 8 + [True] * 2
    assert entropy_threshold(entropies, mask, 1.0) == 0
    assert entropy_threshold(entropies, ~mask, 0.2) == math.inf


@pytest.mark.parametrize(
    ("value", "old", "target", "clip", "loss", "gradient"),
    [
        (1.0, 0.0, 0.0, 0.2, 0.5, 1.0),  # unclipped error is the larger
        (1.0, 0.0, 2.0, 0.2, 0.5 * 1.8**2, 0.0),  # clipped: no gradient towards the target
        (0.1, 0.0, 2.0, 0.2, 0.5 * 1.9**2, -1.9),
        (1.0, 0.0, 2.0, None, 0.5, -1.0),
    ],
)
def test_value_loss_by_hand(value, old, target, clip, loss, gradient):
    leaf = torch.tensor([[value, math.nan]], dtype=torch.float64, requires_grad=True)

    def row(x):
        return torch.tensor([[x, math.nan]], dtype=torch.float64)

    mask = torch.tensor([[True, False]])
    found = value_loss(leaf, row(old), row(target), mask, torch.ones(1), clip=clip)
    found.backward()
    assert found.item() == pytest.approx(loss)
    assert leaf.grad.tolist()[0] == pytest.approx([gradient, 0.0])
