"""`rewardkit plan` for the verl backend, as text."""

from __future__ import annotations

from rewardkit.config import RunConfig
from rewardkit_native.planning.cards import card_of
from rewardkit_native.planning.forecast import (
    CONTEXT,
    FRAGMENTS,
    model_config,
    refuse_unknown_depth,
    seconds,
)
from rewardkit_native.planning.page import GB, row
from rewardkit_native.planning.simulation import Case
from rewardkit_verl.planning.forecast import Forecast, Run, forecast, remedies


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
        f"{_verdict(found)}",
    ]
    if not found.fits:
        lines += _advice(run, found)
    case = Case(config, model, "cuda", gpus, prompt_tokens)
    taken = seconds(case, card, max(found.sequences, 1), always_scores=True)
    lines.append(
        f"  a step at {card.name}'s usual speed: about {taken.sample:.0f} s to sample, "
        f"{taken.score:.0f} s to score, {taken.update:.0f} s to update"
    )
    return "\n".join(lines)


def _verdict(found: Forecast) -> str:
    return "it fits" if found.fits else "it does not fit"


def _advice(run: Run, found: Forecast) -> list[str]:
    lines = []
    for line, changed in remedies(run):
        then = forecast(changed, found.card)
        lines.append(f"    {line}: {then.needed / GB:.1f} GB, {_verdict(then)}")
        if then.fits:
            return lines
    return [*lines, "    none of these is enough: take a smaller model, or shorter responses"]
