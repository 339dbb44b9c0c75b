"""What an environment wrote teaches nothing: gradients of its tokens are 0 to the bit."""

from dataclasses import replace

import pytest
import torch

from rewardkit.losses import LossInputs, policy_loss
from rewardkit.recipes import RECIPES, Term
from rewardkit.sampling import GroupTally
from rewardkit.shaping import shape_group
from rewardkit.training_step import Scores, loss_inputs, loss_table, plan_step
from rewardkit.types import Finish, Group, Outcome, Problem, Reward, Rollout, Segment, Verdict
from rewardkit_native.learning.batch import make_batch

PARTS = (
    (Segment(True, "a", 3), Segment(False, "b", 4), Segment(True, "c", 2)),
    (
        Segment(True, "a", 5),
        Segment(False, "b", 1),
        Segment(True, "c", 1),
        Segment(False, "b", 2),
        Segment(True, "c", 3),
    ),
    (Segment(True, "a", 4),),
    (),
)


def rollouts():
    found = []
    for parts in PARTS:
        count = sum(part.tokens for part in parts) or 6
        found.append(Rollout("a\nc", tuple(range(count)), (-0.5,) * count, Finish.STOP, parts))
    return tuple(found)


def batch():
    outcomes = (Outcome.CORRECT, Outcome.INCORRECT, Outcome.INCORRECT, Outcome.CORRECT)
    verdicts = tuple(map(Verdict, outcomes))
    rewards = tuple(Reward(v.score, {"correct": v.score}) for v in verdicts)
    return make_batch([Group(Problem("1", "?", "1"), rollouts(), verdicts, rewards)], [[1, 2]])


def test_the_mask_is_what_the_model_wrote():
    mask = batch().response
    assert mask.sum(1).tolist() == [5, 9, 4, 6]
    assert mask[0].tolist() == [True] * 3 + [False] * 4 + [True] * 2 + [False] * 3


RUN = sorted(name for name, recipe in RECIPES.items() if not (recipe.reads_steps or recipe.distils))


def scores_of(shape, seed):
    torch.manual_seed(seed)
    draws = [-torch.rand(shape).double() for _ in range(5)]
    draws[1], draws[4] = -draws[1], draws[4].abs()
    names = ("old", "entropies", "reference", "values", "sum_pi_squared")
    return Scores(**dict(zip(names, (values.float() for values in draws), strict=True)))


def learned(recipe, made, scores, spoil=None):
    """The loss and its gradient, with the numbers at the environment's tokens spoiled before."""
    mask = made.response
    logp = scores.old.clone() + 0.05
    if spoil is not None:
        logp = torch.where(mask, logp, spoil(logp))
        known = {name: x for name, x in vars(scores).items() if x is not None}
        spoiled = {name: torch.where(mask, x, spoil(x)) for name, x in known.items()}
        scores = replace(scores, **spoiled)
        sampler = torch.where(mask, made.sampler_logprobs, spoil(made.sampler_logprobs))
        made = replace(made, sampler_logprobs=sampler)
    logp.requires_grad_()
    scores = replace(scores, sampler=made.sampler_logprobs)
    plan = plan_step(recipe, made, scores, [torch.arange(4)])
    inputs = loss_inputs(
        loss_table(plan),
        logp=logp,
        old_logp=scores.old,
        advantages=plan.advantages,
        mask=plan.mask,
        ref_logp=scores.reference,
        sampler_logp=made.sampler_logprobs,
        entropies=scores.entropies,
    )
    torch.manual_seed(3)
    assert isinstance(inputs, LossInputs)
    loss = policy_loss(recipe, inputs).loss
    loss.backward()
    return loss.detach(), logp.grad, plan


@pytest.mark.parametrize("name", RUN)
def test_gradients_of_an_environments_tokens_are_zero_and_its_numbers_change_nothing(name):
    recipe, made = RECIPES[name].settled(sampled_elsewhere=False), batch()
    if recipe.aggregation == "constant":
        recipe = replace(recipe, constant=recipe.constant or 12)
    scores = scores_of(made.response.shape, 5)
    loss, gradient, plan = learned(recipe, made, scores)
    assert (gradient[~made.response] == 0).all()
    assert gradient[made.response & plan.mask].abs().sum() > 0
    for spoil in (lambda x: x * 7 - 3, lambda x: torch.full_like(x, -50.0)):
        changed, others, _ = learned(recipe, made, scores, spoil)
        assert torch.equal(changed, loss)
        assert torch.equal(others[made.response], gradient[made.response])
        assert (others[~made.response] == 0).all()


def test_a_mask_that_lets_them_in_is_noticed():
    """The mutation that the test above is to find."""
    made = batch()
    broken = replace(made, response=torch.arange(12)[None] < torch.tensor([9, 12, 4, 6])[:, None])
    scores = scores_of(made.response.shape, 5)
    _, gradient, _ = learned(RECIPES["grpo"].settled(sampled_elsewhere=False), broken, scores)
    assert (gradient[~made.response] != 0).any()


def test_lengths_penalties_and_counts_are_of_what_the_model_wrote():
    verdicts = [Verdict(Outcome.CORRECT)] * 4
    terms = [Term("soft_overlong", options={"cache": 10})]
    found = [
        reward.components["soft_overlong"]
        for reward in shape_group(verdicts, rollouts(), terms, limit=12)
    ]
    assert found == pytest.approx([-0.3, -0.7, -0.2, -0.4])  # of 5, 9, 4 and 6 tokens
    tally = GroupTally()
    tally.add([Group(Problem("1", "?", "1"), rollouts(), tuple(verdicts))], filtering=False)
    assert tally.tokens == 24
