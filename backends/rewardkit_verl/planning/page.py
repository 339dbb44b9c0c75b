"""`rewardkit train --plan` for the verl backend, as text."""

from __future__ import annotations

from functools import partial

from rewardkit.config import RunConfig
from rewardkit.planning.cards import card_of
from rewardkit.planning.memory import CONTEXT, FRAGMENTS, GB
from rewardkit.planning.model import model_config, refuse_unknown_depth
from rewardkit.planning.page import advice, duration, row, verdict
from rewardkit.planning.seconds import seconds
from rewardkit_verl.planning.forecast import Run, forecast, remedies


def page(config: RunConfig, *, gpus: int, memory: str, prompt_tokens: int) -> str:
    """Return what a step on verl holds and takes on each of `gpus` cards of so much memory.

    Raises:
        ConfigError, ModelError: the model's configuration cannot be read.
    """
    card, model = card_of(memory), model_config(config.model.name)
    refuse_unknown_depth(model)
    run = Run(config, model, gpus, prompt_tokens)
    found, settings = forecast(run, card), run.settings
    lines = [
        f"verl, {gpus} x {card.memory / GB:.0f} GB, responses of {config.sampling.max_tokens} "
        f"tokens behind prompts of {settings.room - config.sampling.max_tokens}, {settings.tokens} "
        "tokens a micro-batch; GB a GPU at the peak of each phase:",
        *(row(name, peak, found.notes.get(name)) for name, peak in found.peaks.items()),
        f"  with {2 * CONTEXT / GB:.1f} GB for CUDA in two processes and {FRAGMENTS:.0%} between "
        f"the trainer's blocks: {found.needed / GB:.1f} of {card.memory / GB:.0f} GB; "
        f"{verdict(found)}",
    ]
    if not found.fits:
        lines += advice(remedies(run), partial(forecast, card=card), "shorter responses")
    taken = seconds(
        config,
        model,
        card,
        gpus=gpus,
        prompt_tokens=prompt_tokens,
        slots=max(found.sequences, 1),
        always_scores=True,
    )
    return "\n".join([*lines, duration(card, taken)])
