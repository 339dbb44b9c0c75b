"""Divergences of whole distributions: numbers worked by hand, gradients, limits, refusals."""

from dataclasses import replace
from math import log

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from rewardkit.errors import ConfigError, UnknownNameError
from rewardkit.losses import DIVERGENCES, LossInputs, divergence, policy_loss
from rewardkit.recipes import DISTRIBUTIONS, GKD
from rewardkit.training_step.rehearsal import rehearse

P, Q = [0.5, 0.25, 0.25], [0.25, 0.25, 0.5]
M = [0.375, 0.25, 0.375]


def of(kind, p=P, q=Q, **options):
    logits = (torch.tensor([x], dtype=torch.float64).log() for x in (p, q))
    return divergence(kind, *logits, **options)


@pytest.mark.parametrize(
    ("kind", "options", "value", "gradient"),
    [
        # Σ π log π/q = ½ log 2 − ¼ log 2; h = π (log π/q + 1), and its mean off
        ("reverse_kl", {}, log(2) / 4, [0.375 * log(2), -0.0625 * log(2), -0.3125 * log(2)]),
        # Σ q log q/π = −¼ log 2 + ½ log 2; π − q
        ("forward_kl", {}, log(2) / 4, [0.25, 0.0, -0.25]),
        # m = (⅜, ¼, ⅜): ½(¼ log ⅔ + ½ log 4/3) + ½(½ log 4/3 + ¼ log ⅔)
        ("jsd", {}, log(4 / 3) / 2 + log(2 / 3) / 4, None),
        # the policy's likeliest, and the rest as one: ½ log 2 + ½ log ⅔
        ("reverse_kl", {"top": 1}, log(2) / 2 + log(2 / 3) / 2, None),
        # the teacher's likeliest, and nothing else: ½ log 2
        ("forward_kl", {"top": 1, "tail": False}, log(2) / 2, [0.25, 0.125, -0.375]),
        ("forward_kl", {"top": 3}, log(2) / 4, [0.25, 0.0, -0.25]),  # all there are
    ],
)
def test_by_hand(kind, options, value, gradient):
    found = of(kind, **options)
    assert found.value.item() == pytest.approx(value, abs=1e-12)
    assert gradient is None or found.gradient[0].tolist() == pytest.approx(gradient, abs=1e-12)


OPTIONS = [{}, {"top": 3}, {"top": 3, "tail": False}, {"beta": 0.1}]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("kind", DIVERGENCES)
def test_the_gradient_is_the_values(kind, options):
    torch.manual_seed(0)
    logits, teachers = 2 * torch.randn(2, 4, 9, dtype=torch.float64)
    found, step = divergence(kind, logits, teachers, **options), 1e-6
    for v in range(9):
        moved = torch.zeros_like(logits)
        moved[:, v] = step
        up, down = (
            divergence(kind, logits + s * moved, teachers, **options).value for s in (1, -1)
        )
        assert torch.allclose((up - down) / (2 * step), found.gradient[:, v], atol=1e-8)


@pytest.mark.parametrize("kind", DIVERGENCES)
@given(seed=st.integers(0, 999), scale=st.sampled_from([0.1, 5.0, 200.0]))
def test_it_is_never_negative_and_0_between_equals(kind, seed, scale):
    generator = torch.Generator().manual_seed(seed)
    logits, teachers = scale * torch.randn(2, 3, 12, generator=generator)
    whole, coarse = (divergence(kind, logits, teachers, top=top) for top in (0, 4))
    assert whole.gradient.isfinite().all()
    assert coarse.gradient.isfinite().all()
    assert (coarse.value >= -1e-4 * scale).all()
    assert (whole.value >= coarse.value - 1e-4 * scale).all()  # joining tokens loses difference
    same = divergence(kind, logits, logits)
    assert same.value.abs().max() <= 1e-6
    assert same.gradient.abs().max() <= 1e-6


def test_jsd_goes_over_into_both_kls():
    near = 1e-6
    forward, reverse = of("forward_kl"), of("reverse_kl")
    assert of("jsd", beta=near).value / near == pytest.approx(forward.value, rel=1e-4)
    assert of("jsd", beta=1 - near).value / near == pytest.approx(reverse.value, rel=1e-4)


def test_it_is_a_term_of_the_loss_under_the_mask():
    divergences = torch.tensor([[0.5, 0.25], [1.0, float("nan")]], requires_grad=True)
    logp, mask = torch.full((2, 2), -1.0), torch.tensor([[True, True], [True, False]])
    inputs = LossInputs(
        logp, logp, torch.zeros(2), mask, torch.full((2,), 1 / 3), divergence=divergences
    )
    output = policy_loss(GKD, inputs)
    output.loss.backward()
    assert output.loss.item() == pytest.approx(1.75 / 3)
    assert output.metrics["kl"].item() == 1.75
    assert divergences.grad.flatten().tolist() == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0.0])


def test_what_cannot_be_is_refused():
    assert set(DIVERGENCES) == DISTRIBUTIONS
    with pytest.raises(UnknownNameError, match="forward_kl"):
        of("forward")
    with pytest.raises(ConfigError, match="beta"):
        of("jsd", beta=0.0)
    with pytest.raises(ConfigError, match="top"):
        of("jsd", top=-1)
    for options, word in (({"beta": 1.0}, "1 reverse_kl"), ({"tops": 3}, "no option 'tops'")):
        with pytest.raises(ConfigError, match=word):
            rehearse(replace(GKD, kl_options=options), limit=8, group_size=2)
