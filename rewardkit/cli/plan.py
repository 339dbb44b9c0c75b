"""`rewardkit plan`: what a step will hold and take, before anything is loaded."""

from __future__ import annotations

import tyro

from rewardkit.cli.printing import note
from rewardkit.config import load_config
from rewardkit.config.flags import Unset
from rewardkit.errors import ConfigError
from rewardkit.registry import FORECASTS


def plan(
    config: tyro.conf.Positional[str],
    set: tyro.conf.UseAppendAction[tuple[str, ...]] = (),
    gpus: int = 8,
    memory: str = "80GB",
    prompt_tokens: int = 512,
    backend: Unset[str] = None,
) -> None:
    """Say what a step will hold and take on GPUs, whether it fits, and what to change.

    Args:
        config: the TOML file of the run.
        set: override one setting, as in --set optim.lr=1e-5.
        gpus: how many GPUs train together.
        memory: memory of each, such as 80GB.
        prompt_tokens: how long prompts are.
        backend: native, or one of a plugin's; by default all that can tell.
    """
    if gpus < 1 or prompt_tokens < 1:
        raise ConfigError("--gpus and --prompt-tokens must be at least 1")
    run = load_config(config, set)
    for name in [backend] if backend else FORECASTS.names():
        note(f"{name}: its code runs on tensors without numbers ...")
        print(FORECASTS.get(name)(run, gpus=gpus, memory=memory, prompt_tokens=prompt_tokens))  # noqa: T201
