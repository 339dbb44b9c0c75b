"""verl's overrides for the critic of PPO."""

from __future__ import annotations

from rewardkit.config import RunConfig
from rewardkit_verl.keys.override import Override

INFER = "critic.ppo_infer_max_token_len_per_gpu"


def critic_choice(config: RunConfig) -> list[Override]:
    """Return what gives a run a critic, and says when the policy begins to learn beside it."""
    alone = config.recipe.critic_warmup
    return [
        Override("recipe.advantage", "critic.enable", True, note="gae's values"),
        Override(
            "recipe.critic_warmup",
            "trainer.critic_warmup",
            alone + 1 if alone else 0,
            note="verl counts steps from 1",
        ),
    ]


def critic_overrides(config: RunConfig, *, tokens: int, packed: bool) -> list[Override]:
    """Return the settings of the critic's optimiser and passes: the policy's, but for its rate."""
    optim = config.optim
    return [
        Override("optim.critic_lr", "critic.optim.lr", optim.critic_lr),
        Override("optim.eps", "critic.optim.override_optimizer_config", {"eps": optim.eps}),
        Override("optim.betas", "critic.optim.betas", list(optim.betas)),
        Override("optim.weight_decay", "critic.optim.weight_decay", optim.weight_decay),
        Override("optim.grad_clip", "critic.optim.clip_grad", optim.grad_clip),
        # Of both keys that say so, its trainer takes the one of inference for training too.
        Override("optim.tokens_per_micro_batch", INFER, tokens, new=True),
        Override("optim.layout", "critic.model.use_remove_padding", packed),
        Override(
            "optim.activation_checkpointing",
            "critic.model.enable_gradient_checkpointing",
            optim.activation_checkpointing,
        ),
    ]
