"""Every recipe climbs the expected reward: exactly, over all outcomes, so that no luck is in it.

A policy over four answers, of which two are right, and every group of three answers that it can
give, weighted by its probability: the sum of their losses' gradients is the expected gradient
itself. For rewards of 0 and 1 it must point along the gradient of the probability p of a right
answer. Given a right answer a member's expected advantage is some c, given a wrong one some d < c,
which depend on p alone; so the expected policy gradient is c ∇p + d ∇(1 - p) = (c - d) ∇p.
"""

from dataclasses import replace
from itertools import product

import pytest
import torch

from rewardkit.advantages import AdvantageInputs, estimate
from rewardkit.losses import LossInputs, policy_loss, sequence_weights
from rewardkit.recipes import RECIPES

LOGITS = torch.tensor([0.3, -0.7, 0.9, 0.1], dtype=torch.float64)
RIGHT = torch.tensor([1.0, 0.0, 0.0, 1.0], dtype=torch.float64)
SCORES = torch.tensor([0.9, 0.2, -0.5, 0.4], dtype=torch.float64)
GROUP = 3


def expected_reward(logits, rewards):
    return (logits.softmax(-1) * rewards).sum()


def expected_gradient(recipe, logits, rewards):
    """Minus the expected gradient of a group's loss: the way that the update takes on average."""
    logits = logits.clone().requires_grad_()
    mask = torch.ones(GROUP, 1, dtype=torch.bool)
    one_group = torch.zeros(GROUP, dtype=torch.long)
    weights = sequence_weights(recipe.aggregation, mask.sum(1), one_group, constant=1)
    total = torch.zeros((), dtype=torch.float64)
    for answers in product(range(len(logits)), repeat=GROUP):
        picked = torch.tensor(answers)
        logp = logits.log_softmax(-1)[picked][:, None]
        old = logp.detach()
        given = AdvantageInputs(
            rewards=rewards[picked], groups=one_group, mask=mask, correct=RIGHT[picked] > 0,
            entropies=torch.ones_like(old), step_rewards=rewards[picked][:, None], step_ends=mask,
        )  # fmt: skip
        advantages = estimate(recipe.advantage, given, **recipe.advantage_options).to(old)
        inputs = LossInputs(
            logp, old, advantages, mask, weights.to(old), ref_logp=old, sampler_logp=old
        )
        total = total - old.sum().exp() * policy_loss(recipe, inputs).loss
    (found,) = torch.autograd.grad(total, logits)
    return found


# PPO and VAPO learn a critic besides, a teacher's recipes what it says, and TPO's advantages depend
# on how likely each answer is; the others need nothing that a group does not hold, but for an
# entropy bonus, which pulls elsewhere.
ELSEWHERE = {"ppo", "vapo", "tpo", "opd", "opd_dapo", "gkd", "opsd", "sdpo"}


@pytest.mark.parametrize("name", sorted(set(RECIPES) - ELSEWHERE))
def test_the_expected_update_is_uphill(name):
    constant = 1 if name == "dr_grpo" else None
    recipe = replace(RECIPES[name], constant=constant, entropy_target=None)
    logits = LOGITS.clone().requires_grad_()
    (uphill,) = torch.autograd.grad(expected_reward(logits, RIGHT), logits)
    found = expected_gradient(recipe, LOGITS, RIGHT)
    assert float(torch.cosine_similarity(found, uphill, dim=0)) == pytest.approx(1, abs=1e-6)
    # and so a small enough step along it climbs, by its length times the slope
    step = 1e-4 / found.norm()
    climbed = expected_reward(LOGITS + step * found, RIGHT) - expected_reward(LOGITS, RIGHT)
    assert float(climbed) == pytest.approx(1e-4 * float(uphill.norm()), rel=1e-3)


@pytest.mark.parametrize(("name", "share"), [("dr_grpo", 1 - 1 / GROUP), ("rloo", 1.0)])
def test_without_division_by_a_deviation_it_is_the_gradient_of_any_reward(name, share):
    """The mean that is taken off holds a response's own reward, except in leave-one-out."""
    recipe = replace(RECIPES[name], constant=1 if name == "dr_grpo" else None)
    logits = LOGITS.clone().requires_grad_()
    (uphill,) = torch.autograd.grad(expected_reward(logits, SCORES), logits)
    found = expected_gradient(recipe, LOGITS, SCORES)
    torch.testing.assert_close(found, share * uphill, atol=1e-7, rtol=1e-5)
