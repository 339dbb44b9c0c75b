"""Whether verl's registries hold our pieces: verl logs a plugin that fails at DEBUG only."""

from __future__ import annotations

from rewardkit.errors import TrainingError
from rewardkit_verl.inside import advantages
from rewardkit_verl.names import (
    ADVANTAGE_PREFIX,
    AGENT_LOOP,
    MODES,
    POLICY_LOSS,
    REWARD_MANAGER,
    trainer_mode,
)


def check_registered() -> None:
    """Make sure that verl's registries hold our names, and that they mean our pieces.

    Raises:
        TrainingError: names what is missing or taken by something else.
    """
    from verl.experimental.agent_loop.agent_loop import _agent_loop_registry as loops
    from verl.experimental.reward_loop.reward_manager.registry import REWARD_MANAGER as managers
    from verl.trainer.ppo.core_algos import ADV_ESTIMATOR_REGISTRY, POLICY_LOSS_REGISTRY
    from verl.trainer.ppo.v1.trainer_base import TRAINER_REGISTRY

    # By the modules' names, since the trainer itself asks.
    expected = {
        f"reward manager {REWARD_MANAGER!r}": (managers.get(REWARD_MANAGER), "reward_manager"),
        f"policy loss {POLICY_LOSS!r}": (POLICY_LOSS_REGISTRY.get(POLICY_LOSS), "losses"),
    } | {
        f"trainer {name!r}": (TRAINER_REGISTRY.get(name), "trainer")
        for name in map(trainer_mode, MODES)
    }
    wrong = [
        what
        for what, (found, module) in expected.items()
        if getattr(found, "__module__", None) != f"rewardkit_verl.inside.{module}"
    ]
    ours = "rewardkit_verl.inside.agent_loop."
    if not str(loops.get(AGENT_LOOP, {}).get("_target_", "")).startswith(ours):
        wrong.append(f"agent loop {AGENT_LOOP!r}")
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
