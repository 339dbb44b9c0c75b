"""`rewardkit plan` for the native backend, as text."""

from __future__ import annotations

from rewardkit.config import RunConfig
from rewardkit_native.planning.cards import Card, card_of
from rewardkit_native.planning.forecast import (
    CONTEXT,
    FRAGMENTS,
    Forecast,
    forecast,
    model_config,
    refuse_unknown_depth,
    remedies,
    seconds,
)
from rewardkit_native.planning.ledger import Peak
from rewardkit_native.planning.simulation import Case

GB = 10**9


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
        f"{found.needed / GB:.1f} of {card.memory / GB:.0f} GB; {_verdict(found)}",
    ]
    if not found.fits:
        lines += list(_advice(case, card))
    taken = seconds(case, card, found.slots)
    lines.append(
        f"  a step at {card.name}'s usual speed: about {taken.sample:.0f} s to sample, "
        f"{taken.score:.0f} s to score, {taken.update:.0f} s to update"
    )
    return "\n".join(lines)


def row(name: str, peak: Peak, note: str | None = None) -> str:
    """Return a phase's line: GB at its peak, and the largest parts of them."""
    largest = sorted(peak.kinds.items(), key=lambda item: -item[1])
    parts = ", ".join(f"{kind} {size / GB:.1f}" for kind, size in largest if size > GB / 20)
    said = f" ({note})" if note else ""
    return f"  {name:<9}{peak.total / GB:7.1f}  {parts}{said}"


def _verdict(found: Forecast) -> str:
    return "it fits" if found.fits else "it does not fit"


def _advice(case: Case, card: Card) -> list[str]:
    lines = []
    for line, changed in remedies(case):
        found = forecast(changed, card)
        lines.append(f"    {line}: {found.needed / GB:.1f} GB, {_verdict(found)}")
        if found.fits:
            return lines
    return [*lines, "    none of these is enough: take a smaller model, or adapters (lora.rank)"]
