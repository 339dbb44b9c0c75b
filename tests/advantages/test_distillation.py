"""On-policy distillation: numbers worked by hand, and its gradient against the reverse KL's."""

import pytest
import torch

from rewardkit.advantages import AdvantageInputs, distillation, estimate
from rewardkit.losses import LossInputs, kl_reward, policy_loss
from rewardkit.recipes import OPD

MASK = torch.tensor([[True, True, True], [True, False, False]])


def test_each_token_is_worth_its_own_reward_and_no_other():
    """No return, no baseline: 9 lies under the mask."""
    token_rewards = torch.tensor([[-1.0, 0.5, 2.0], [0.25, 9.0, 9.0]])
    found = distillation(torch.ones(2), torch.zeros(2, dtype=torch.int64), MASK, token_rewards)
    assert found.tolist() == [[-1.0, 0.5, 2.0], [0.25, 0.0, 0.0]]


def test_verdicts_beside_a_teacher():
    """Rewards 1 and 0 of one group: mean .5, deviation 1/sqrt 2, advantages +-1/sqrt 2."""
    token_rewards = torch.tensor([[-1.0, 0.0, 2.0], [0.25, 9.0, 9.0]])
    found = distillation(
        torch.tensor([1.0, 0.0]), torch.tensor([7, 7]), MASK, token_rewards, outcome_coef=0.5
    )
    half = 0.5 * 0.5**0.5
    expected = [[-1 + half, half, 2 + half], [0.25 - half, 0.0, 0.0]]
    assert found.flatten().tolist() == pytest.approx([x for row in expected for x in row], abs=1e-5)


def test_a_teacher_in_the_loss_leaves_the_verdicts_alone():
    inputs = AdvantageInputs(torch.tensor([1.0, 0.0]), torch.zeros(2, dtype=torch.int64), MASK)
    assert not estimate("distillation", inputs).any()
    found = estimate("distillation", inputs, outcome_coef=2.0)
    assert torch.equal(found, 2 * torch.where(MASK, estimate("grpo", inputs)[:, None], 0.0))


def test_its_gradient_is_in_expectation_that_of_the_reverse_kl():
    """One token over a vocabulary of five: the mean over all samples, weighed by how likely."""
    generator = torch.Generator().manual_seed(0)
    logits = torch.randn(5, generator=generator, dtype=torch.float64, requires_grad=True)
    teacher = torch.randn(5, generator=generator, dtype=torch.float64).log_softmax(0)

    policy = logits.log_softmax(0)
    (policy.exp() * (policy - teacher)).sum().backward()
    expected, logits.grad = logits.grad.clone(), None

    every = torch.ones(5, 1, dtype=torch.bool)
    logp = logits.log_softmax(0)[:, None]
    old = logp.detach()
    token_rewards = kl_reward("k1", old, teacher[:, None], every, OPD.kl_coef)
    groups = torch.zeros(5, dtype=torch.int64)
    advantages = distillation(torch.zeros(5), groups, every, token_rewards)
    likely = old.exp()[:, 0]
    policy_loss(OPD, LossInputs(logp, old, advantages, every, likely)).loss.backward()
    torch.testing.assert_close(logits.grad, expected, rtol=0, atol=1e-9)
