"""What of a run's settings decides its memory on verl, as verl would read them."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from rewardkit.config import RunConfig
from rewardkit_verl.keys.override import ACTOR, MODEL, ROLLOUT
from rewardkit_verl.keys.overrides import Launch, overrides


class Settings(NamedTuple):
    """Of one GPU, but for `gpus`."""

    gpus: int
    """Of all nodes."""
    tensor_parallel: int
    share: float
    """Of a GPU's memory, vLLM's."""
    tokens: int
    """Most in a micro-batch."""
    recomputes: bool
    weights_wait: bool
    """Whether weights are in main memory while they are not needed."""
    moments_wait: bool
    """Whether the optimiser's state is."""
    room: int
    """Tokens of a prompt and its longest response."""
    rows: int
    """Responses that a GPU learns from in one update."""


def settings_of(config: RunConfig, gpus: int, prompt_tokens: int) -> Settings:
    """Return the settings of a run on so many GPUs, with flash-attention; nothing is looked for."""
    nowhere = Path("/")
    prompt = config.verl.max_prompt_tokens or prompt_tokens
    launch = Launch(
        model=config.model.name,
        train_file=nowhere,
        test_file=nowhere,
        folder=nowhere,
        prompt_tokens=prompt,
        cpu=False,
        gpus=gpus,
        environment={},
    )
    said = {o.key: str(o.value) for o in overrides(config, launch)}
    words = (word.lstrip("+").partition("=") for word in config.verl.overrides)
    said |= {key: value for key, _, value in words}
    sampling = config.sampling
    rows = sampling.problems // config.recipe.minibatches * sampling.group_size

    def true(key: str) -> bool:
        return said[key].lower() == "true"

    return Settings(
        gpus,
        int(said[f"{ROLLOUT}.tensor_model_parallel_size"]),
        float(said[f"{ROLLOUT}.gpu_memory_utilization"]),
        int(said[f"{ACTOR}.ppo_max_token_len_per_gpu"]),
        true(f"{MODEL}.enable_gradient_checkpointing"),
        true(f"{ACTOR}.fsdp_config.param_offload"),
        true(f"{ACTOR}.fsdp_config.optimizer_offload"),
        prompt + sampling.max_tokens,
        max(rows // gpus, 1),
    )
