"""What the native backend would train wrongly, refused by name before a run begins."""

from __future__ import annotations

from typing import Any

from rewardkit.advantages import required_inputs
from rewardkit.config import RunConfig
from rewardkit.errors import ConfigError

PROVIDED = frozenset(
    {"rewards", "groups", "mask", "correct", "entropies", "values", "step_rewards", "step_ends"}
    | {"old_logp", "sum_pi_squared"}
)
"""The fields of `rewardkit.advantages.AdvantageInputs` that a step fills for every recipe."""

REWRITTEN_LOGITS = ("final_logit_softcapping", "logit_scale", "logits_scaling")
"""Settings of models whose logits are more than the head's output, which the scores would miss."""


def refuse_what_cannot_run(config: RunConfig, model: Any) -> None:
    """Raise a ConfigError for a recipe or model that this backend would train wrongly."""
    recipe = config.recipe
    missing = required_inputs(recipe.advantage) - PROVIDED
    if recipe.kl_in_reward:
        missing -= {"token_rewards"}
    if missing:
        raise ConfigError(
            f"recipe {recipe.name}: the native backend has no {', '.join(sorted(missing))} for "
            f"the estimator {recipe.advantage!r}; choose another recipe.advantage (it has all "
            "that grpo, dr_grpo, rloo, gtpo, grpo_s, maxrl, reinforce_pp and gae need)"
        )
    if recipe.needs_critic and config.lora.rank:
        raise ConfigError(
            f"recipe {recipe.name} trains a critic, whose weights adapters would leave as they "
            "are; use --set lora.rank=0"
        )
    if config.sampling.temperature <= 0:
        raise ConfigError("training samples need sampling.temperature above 0")
    rewritten = [name for name in REWRITTEN_LOGITS if getattr(model.config, name, None)]
    if rewritten:
        raise ConfigError(
            f"model {config.model.name} changes its logits ({rewritten[0]}), which the native "
            "backend does not do; choose a model without it"
        )
    kinds = set(getattr(model.config, "layer_types", None) or ["full_attention"])
    windowed = getattr(model.config, "sliding_window", None) or kinds != {"full_attention"}
    if config.optim.layout == "packed" and windowed:
        raise ConfigError(
            f"optim.layout = 'packed' needs layers that see everything before them, and "
            f"{config.model.name} has others; use --set optim.layout=padded"
        )
    attention = getattr(model.config, "_attn_implementation", None)
    if config.optim.layout == "packed" and attention != "sdpa":
        raise ConfigError(
            f"optim.layout = 'packed' needs sdpa attention, and this model runs with "
            f"{attention!r}; use --set optim.layout=padded"
        )
