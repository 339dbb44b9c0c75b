"""Run every piece of a recipe once on a made-up batch, before anything costs time.

A wrong name, a wrong option or a value out of range would otherwise come to light at the first
update, after a model has been loaded and a batch sampled.
"""

from __future__ import annotations

from rewardkit.recipes import Recipe, validate
from rewardkit.shaping import shape_group
from rewardkit.types import Finish, Outcome, Rollout, Verdict


def rehearse(recipe: Recipe, *, limit: int, group_size: int) -> None:
    """Check a recipe by running its shaping, estimator and loss on one mixed group.

    Every input that any piece can read is there; whether a backend can provide it is for the
    backend to say.

    Args:
        recipe: what is to run.
        limit: the most tokens that a response may have.
        group_size: samples of each prompt.

    Raises:
        ConfigError: what would have failed later, with the same message.

    >>> from dataclasses import replace
    >>> from rewardkit.recipes import DAPO
    >>> rehearse(replace(DAPO, surrogate="ppo_clipp"), limit=64, group_size=8)
    Traceback (most recent call last):
    ...
    rewardkit.errors.UnknownNameError: unknown surrogate 'ppo_clipp'; did you mean ppo_clip? ...
    """
    validate(recipe)
    # A right and a wrong response, so that terms of the user's own are called as they will be.
    verdicts = [Verdict(Outcome.CORRECT), Verdict(Outcome.INCORRECT)]
    rollouts = [Rollout("", (0,) * n, (0.0,) * n, Finish.STOP) for n in (1, 2)]
    shape_group(verdicts, rollouts, recipe.shaping, limit=limit)

    import torch

    # Clip-Cov draws tokens; a run's own draws must not move.
    with torch.random.fork_rng(devices=[]):
        _try_loss(recipe, group_size)


def _try_loss(recipe: Recipe, group_size: int) -> None:
    """Estimate the advantages of one group of two-token responses, and compute its loss."""
    import torch

    from rewardkit.advantages import AdvantageInputs, estimate
    from rewardkit.losses import (
        LossInputs,
        divergence,
        entropy_threshold,
        policy_loss,
        sequence_weights,
    )
    from rewardkit.options import check_options

    correct = torch.arange(group_size) % 2 == 0
    groups = torch.zeros(group_size, dtype=torch.int64)
    mask = torch.ones(group_size, 2, dtype=torch.bool)
    each_token = torch.full(mask.shape, -1.0)
    advantages = estimate(
        recipe.advantage,
        AdvantageInputs(
            rewards=correct.double(),
            groups=groups,
            mask=mask,
            correct=correct,
            entropies=-each_token,
            values=each_token,
            token_rewards=0 * each_token,
            step_rewards=each_token,
            step_ends=mask,
            greedy_rewards=correct.double(),
            components=correct.double()[:, None],
            old_logp=each_token,
            sum_pi_squared=each_token.exp(),
        ),
        **recipe.advantage_options,
    )
    weights = sequence_weights(recipe.aggregation, mask.sum(1), groups, constant=recipe.constant)
    inputs = LossInputs(
        each_token,
        each_token,
        advantages,
        mask,
        weights,
        ref_logp=each_token,
        divergence=-each_token,
        sampler_logp=each_token,
        entropies=-each_token,
        entropy_threshold=entropy_threshold(-each_token, mask, recipe.high_entropy or 1.0),
        nll_weights=correct.float(),
    )
    policy_loss(recipe, inputs)
    if recipe.compares_distributions:
        check_options(f"kl {recipe.kl}", divergence, recipe.kl_options)
        divergence(str(recipe.kl), each_token, each_token, **recipe.kl_options)  # type: ignore[arg-type]
