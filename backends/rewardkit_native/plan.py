"""`rewardkit train --plan`: what a native step holds and takes on GPUs, and takes on this CPU."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory

from rewardkit.config import RunConfig
from rewardkit.errors import RewardkitError
from rewardkit_native.before_torch import wait_briefly

STEPS = 3
"""So many are made; the first pays for what is slow only once, and is not counted."""
TRIED_S = 90.0
"""Steps that would take longer than this together are not made, but reckoned from a few passes."""
MOST_WEIGHTS = 10**9
"""A model of more is not loaded for it."""


def page(config: RunConfig, *, gpus: int, memory: str, prompt_tokens: int) -> str:
    """Return what a native step holds and takes on `gpus` cards of so much memory, and here."""
    wait_briefly()  # before torch is loaded, as in a run
    from rewardkit_native.planning import forecast

    cards = forecast.page(config, gpus=gpus, memory=memory, prompt_tokens=prompt_tokens)
    return f"{cards}\n  on this CPU: {on_this_cpu(config)}"


def on_this_cpu(config: RunConfig) -> str:
    """Return how long a step takes on this machine's CPU, or why that was not tried."""
    import torch

    from rewardkit.planning.model import model_config, parameters

    if config.model.device != "cpu" and torch.cuda.is_available():
        return "not tried, since a run here takes the GPU; --set model.device=cpu tries it"
    if config.sampling.engine == "vllm":
        return "not tried, since vLLM samples; --set sampling.engine=auto tries it"
    if parameters(model_config(config.model.name)) > MOST_WEIGHTS:
        return f"not tried, since the model has more than {MOST_WEIGHTS:.0e} weights"
    try:
        with TemporaryDirectory() as scratch:
            return seconds_here(replace(config, folder=str(Path(scratch, "run"))))
    except RewardkitError as error:
        return f"not tried: {error}"


def seconds_here(config: RunConfig) -> str:
    """Return how long the first steps of a run take, made for real in the run's folder."""
    import torch

    from rewardkit_native.distributed.parallel import Ranks
    from rewardkit_native.loop import settled, started, train_step
    from rewardkit_native.planning.estimate import estimate

    config = replace(config, judge=replace(config.judge, wait_s=0.0))  # a plan waits for none
    config, _ = settled(config, Ranks(), resume=False)
    with started(config, Ranks(), quiet=True) as (run, _):
        run.threads.choose()
        how = f"{config.model.dtype}, {torch.get_num_threads()} threads"
        one = replace(config, steps=1, eval=replace(config.eval, samples=0))
        found = estimate(one, run.parts, run.collector.sampler, 0)
        if found is None or STEPS * found.seconds > TRIED_S:
            about = f"about {found.seconds:.0f} s a step, " if found else ""
            return f"{about}reckoned from a few passes ({how})"
        rows = [train_step(run)[0] for _ in range(STEPS)][1:]
    sample, verify, update, step = (
        mean(row[name] for row in rows) for name in ("sample_s", "verify_s", "update_s", "step_s")
    )
    return (
        f"about {step:.1f} s a step ({sample:.1f} to sample, {verify:.1f} to wait for verdicts, "
        f"{update:.1f} to update), as {STEPS - 1} steps of the run took ({how})"
    )
