"""Importing this module registers rewardkit's pieces with verl.

verl imports it in every process, through the entry-point group `verl.plugins` or through
`VERL_USE_EXTERNAL_MODULES=rewardkit_verl.plugin`, at the end of `import verl`. A plugin that fails
is logged by verl at DEBUG only, so the launcher and the trainer call `check_registered`.

The CPU platform comes first, since most of verl's modules ask for the platform when they are
imported.
"""

from __future__ import annotations

import os

import verl  # noqa: F401  # all of it, before its parts: this may be the first import of verl

if os.environ.get("VERL_PLATFORM", "").strip().lower() == "cpu":
    from rewardkit_verl.cpu.activation import activate

    activate()

from rewardkit.errors import TrainingError
from rewardkit_verl.inside import advantages, losses, reward_manager, trainer
from rewardkit_verl.names import ADVANTAGE_PREFIX, POLICY_LOSS, REWARD_MANAGER, TRAINER_MODE


def check_registered() -> None:
    """Make sure that verl's registries hold our names, and that they mean our pieces.

    Raises:
        TrainingError: names what is missing or taken by something else.
    """
    from verl.experimental.reward_loop.reward_manager.registry import REWARD_MANAGER as managers
    from verl.trainer.ppo.core_algos import ADV_ESTIMATOR_REGISTRY, POLICY_LOSS_REGISTRY
    from verl.trainer.ppo.v1.trainer_base import TRAINER_REGISTRY

    expected = {
        f"reward manager {REWARD_MANAGER!r}": (
            managers.get(REWARD_MANAGER), reward_manager.RewardkitRewardManager,
        ),
        f"policy loss {POLICY_LOSS!r}": (
            POLICY_LOSS_REGISTRY.get(POLICY_LOSS), losses.rewardkit_policy_loss,
        ),
        f"trainer {TRAINER_MODE!r}": (
            TRAINER_REGISTRY.get(TRAINER_MODE), trainer.RewardkitTrainer,
        ),
    }  # fmt: skip
    wrong = [what for what, (found, ours) in expected.items() if found is not ours]
    wrong += [
        f"advantage estimator {ADVANTAGE_PREFIX + name!r}"
        for name in advantages.NAMES
        if ADVANTAGE_PREFIX + name not in ADV_ESTIMATOR_REGISTRY
    ]
    if wrong:
        raise TrainingError(
            f"verl's registries do not hold rewardkit's {', '.join(wrong)}: another plugin took "
            "the name, or verl was imported in an unexpected way. Start the run with "
            "`rewardkit train CONFIG.toml --backend verl`"
        )
