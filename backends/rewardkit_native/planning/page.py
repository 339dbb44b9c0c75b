"""`rewardkit train --plan` for the native backend, as text."""

from __future__ import annotations

from functools import partial

from rewardkit.config import RunConfig
from rewardkit.planning.cards import card_of
from rewardkit.planning.memory import CONTEXT, FRAGMENTS, GB
from rewardkit.planning.model import model_config, refuse_unknown_depth
from rewardkit.planning.page import advice, duration, row, verdict
from rewardkit.planning.seconds import seconds
from rewardkit_native.planning.forecast import forecast, remedies
from rewardkit_native.planning.simulation import Case


def page(config: RunConfig, *, gpus: int, memory: str, prompt_tokens: int) -> str:
    """Return what a native step holds and takes on each of `gpus` cards of so much memory.

    Raises:
        ConfigError, ModelError: the model's configuration cannot be read.
    """
    card, model = card_of(memory), model_config(config.model.name)
    refuse_unknown_depth(model)
    case = Case(config, model, "cuda", gpus, prompt_tokens)
    found = forecast(case, card)
    lines = [
        f"native, {gpus} x {card.memory / GB:.0f} GB, responses of {config.sampling.max_tokens} "
        f"tokens behind prompts of {prompt_tokens}; GB a GPU at the peak of each phase:",
        *(row(name, peak, found.notes.get(name)) for name, peak in found.peaks.items()),
        f"  with {CONTEXT / GB:.1f} GB for CUDA and {FRAGMENTS:.0%} between blocks: "
        f"{found.needed / GB:.1f} of {card.memory / GB:.0f} GB; {verdict(found)}",
    ]
    if not found.fits:
        lines += advice(remedies(case), partial(forecast, card=card), "adapters (lora.rank)")
    taken = seconds(config, model, card, gpus=gpus, prompt_tokens=prompt_tokens, slots=found.slots)
    return "\n".join([*lines, duration(card, taken)])
