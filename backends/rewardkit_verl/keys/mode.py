"""verl's overrides for the trainer that `verl.mode` names."""

from __future__ import annotations

from rewardkit.config import RunConfig
from rewardkit_verl import names
from rewardkit_verl.keys.override import ROLLOUT, Override


def mode_overrides(config: RunConfig) -> list[Override]:
    """Return which trainer runs, how old what it trains on may be, and what its samplers have."""
    mode, sampler = config.verl.mode, "trainer.v1.sampler"
    found = [Override("verl.mode", "trainer.v1.trainer_mode", names.trainer_mode(mode))]
    if mode != "sync":
        found += [
            Override(
                "verl.max_age",
                f"{sampler}.max_off_policy_threshold",
                config.verl.max_age + 1,
                note="verl counts the first version too",
            ),
            Override("verl.max_age", f"{sampler}.max_off_policy_strategy", "drop"),
        ]
    if mode == "separate_async":
        found += [
            Override("verl.nodes", f"{ROLLOUT}.nnodes", config.verl.nodes),
            Override("verl.rollout_gpus", f"{ROLLOUT}.n_gpus_per_node", config.verl.rollout_gpus),
            Override("verl.mode", f"{ROLLOUT}.checkpoint_engine.backend", "nccl"),
            Override(
                "recipe.minibatches",
                "trainer.v1.separate_async.parameter_sync_step",
                config.recipe.minibatches,
                note="each update draws responses of its own",
            ),
        ]
    return found
