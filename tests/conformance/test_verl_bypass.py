"""Bypass mode against verl's, values and gradients, float64, to 1e-9.

verl normalises by what is left after a rejection, unless the trainer tells it the batch's totals,
as its engine does; here they are told.
"""

import pytest
import torch

pytestmark = pytest.mark.conformance

PPO = {"surrogate_options": {"dual_clip": 3.0}, "clip_high": 0.28}
REINFORCE = {"surrogate": "policy_gradient"}
CASES = {
    "ppo_clip": ({"loss_type": "ppo_clip"}, PPO),
    "ppo_clip, geometric": (
        {"rollout_rs": "seq_mean_k1", "rollout_rs_threshold": "0.93_1.07"},
        {**PPO, "correction": "geometric_mask", "correction_options": {"low": 0.93, "high": 1.07}},
    ),
    "ppo_clip, k3": (
        {"rollout_rs": "seq_mean_k3", "rollout_rs_threshold": 0.12},
        {**PPO, "correction": "k3_mask", "correction_options": {"threshold": 0.12}},
    ),
    "reinforce, token": (
        {"loss_type": "reinforce", "rollout_is": "token", "rollout_is_threshold": 1.3},
        {**REINFORCE, "correction": "tis", "correction_options": {"cap": 1.3}},
    ),
    "reinforce, sequence": (
        {"loss_type": "reinforce", "rollout_is": "sequence", "rollout_is_threshold": 1.3},
        {**REINFORCE, "correction": "sequence_tis", "correction_options": {"cap": 1.3}},
    ),
    "reinforce, icepop": (
        {"loss_type": "reinforce", "rollout_is": "token", "rollout_is_threshold": "0.8_1.3"},
        {
            **REINFORCE,
            "correction": "icepop",
            "correction_options": {"low": 0.8, "high": 1.3},
        },
    ),
}


@pytest.mark.parametrize("micro", [2, 8])
@pytest.mark.parametrize("name", CASES)
def test_bypass(verl, tools, batch, name, micro):
    from dataclasses import replace

    from verl.workers.config.actor import PolicyLossConfig

    said, fields = CASES[name]
    sampled = replace(batch, sampler=batch.old)  # the old policy is what the sampler reported
    actor = verl.ActorConfig(
        strategy="fsdp",
        rollout_n=4,
        ppo_micro_batch_size_per_gpu=1,
        clip_ratio_low=0.2,
        clip_ratio_high=0.28,
        policy_loss=PolicyLossConfig(rollout_correction=said),
    )
    actor.global_batch_info.update(batch_num_tokens=int(batch.mask.sum()), global_batch_size=8)
    function = verl.core.get_policy_loss_fn("bypass_mode")
    advantages = batch.advantages[:, None] * batch.mask

    def theirs(logp):
        return function(batch.old, logp, advantages, batch.mask.double(), "token-mean", actor)[0]

    found = tools.ours(sampled, micro=micro, bypass=True, aggregation="token-mean", **fields)
    tools.assert_same(found, tools.value_and_gradient(theirs, batch))
    if "correction" in fields:  # it does something, and compares the policy as it is
        plain = {k: v for k, v in fields.items() if not k.startswith("correction")}
        without = tools.ours(sampled, bypass=True, aggregation="token-mean", **plain)
        assert not torch.equal(found[1], without[1])


def test_a_weight_beside_a_ratio_is_left_out_by_verl_and_refused_here(verl):
    from dataclasses import replace

    from rewardkit.errors import ConfigError
    from rewardkit.recipes import DAPO, validate

    with pytest.raises(ConfigError, match="twice"):
        validate(replace(DAPO, bypass=True, correction="tis"))
