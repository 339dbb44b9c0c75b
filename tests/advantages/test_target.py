"""TPO and PRPO: the gradient of the paper's cross-entropy, and a batch without groups."""

import pytest
import torch

from rewardkit.advantages import AdvantageInputs, estimate
from rewardkit.losses import LossInputs, policy_loss, sequence_weights
from rewardkit.recipes import RECIPES

GROUPS = torch.tensor([0, 0, 0, 1, 1, 1])
REWARDS = torch.tensor([1.0, 0.0, 0.5, 1.0, 1.0, 1.0], dtype=torch.float64)
MASK = torch.arange(4) < torch.tensor([3, 1, 2, 4, 2, 2])[:, None]


def test_one_update_of_tpo_has_the_gradient_of_the_cross_entropy_to_its_target():
    logp = -torch.rand(6, 4, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    lengths = MASK.sum(1)
    theirs = logp.clone().requires_grad_()
    log_p = ((theirs * MASK).sum(1) / lengths).view(2, 3).log_softmax(1)
    # The second group has equal rewards: its target is the policy itself.
    score = (REWARDS[:3] - 0.5) / REWARDS[:3].std(correction=0)
    target = torch.stack([log_p[0].detach() + score, log_p[1].detach()]).softmax(1)
    (-(target * log_p).sum(1).mean()).backward()

    recipe = RECIPES["tpo"]
    found = estimate("tpo", AdvantageInputs(REWARDS, GROUPS, MASK, old_logp=logp))
    ours = logp.clone().requires_grad_()
    weights = sequence_weights(recipe.aggregation, lengths, GROUPS)
    policy_loss(recipe, LossInputs(ours, logp, found, MASK, weights)).loss.backward()
    torch.testing.assert_close(ours.grad, theirs.grad, rtol=0, atol=1e-15)
    assert found[3:].tolist() == [0, 0, 0]


def test_without_the_mean_over_the_length_tpo_compares_sums():
    logp = torch.tensor([[-1.0, -1.0], [-2.0, 0.0]]).double()
    mask = torch.tensor([[True, True], [True, False]])
    inputs = AdvantageInputs(
        torch.tensor([1.0, 0.0]), torch.zeros(2, dtype=torch.int64), mask, old_logp=logp
    )
    # p = 1/2 each: the sums are equal, the means are not. u = ±1, η = 1/2: q = e²/(e² + e⁻²).
    found = estimate("tpo", inputs, length_normalized=False, eta=0.5)
    assert found.tolist() == pytest.approx([0.9640, -0.9640], abs=1e-4)
    assert estimate("tpo", inputs).tolist() != pytest.approx(found.tolist(), abs=0.01)


def test_prpo_needs_no_group():
    inputs = AdvantageInputs(REWARDS, torch.arange(6), MASK)
    # mean .75, deviation √(.875/6) = .3819
    expected = [0.6547, -1.9640, -0.6547, 0.6547, 0.6547, 0.6547]
    assert estimate("prpo", inputs).tolist() == pytest.approx(expected, abs=1e-4)
