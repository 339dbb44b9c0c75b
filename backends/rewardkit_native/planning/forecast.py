"""What a step of a configuration will hold and take on GPUs, before anything is loaded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from rewardkit.planning.cards import Card
from rewardkit.planning.ledger import Peak
from rewardkit.planning.memory import with_allowance
from rewardkit.planning.model import whole_depth
from rewardkit_native.planning.sampling import (
    blank_decoder,
    computed,
    in_free_memory,
    sampled_in,
    slots_to_try,
)
from rewardkit_native.planning.simulation import Case, simulate


@dataclass(frozen=True)
class Forecast:
    """Peaks by phase, on each GPU."""

    peaks: dict[str, Peak]
    card: Card
    notes: dict[str, str] = field(default_factory=dict)
    """What there is to say of a phase: how much of it at once, and what was not simulated."""
    slots: int = 0
    """How many rows are drawn at once; 0: all that a GPU draws."""

    @property
    def needed(self) -> int:
        """Bytes of a card at the worst moment."""
        return with_allowance(max(peak.total for peak in self.peaks.values()))

    @property
    def fits(self) -> bool:
        """Whether that is less than it has."""
        return self.needed <= self.card.memory


def forecast(case: Case, card: Card) -> Forecast:
    """Return what a native step of `case` holds, from two shallow models of the same width."""
    tried = slots_to_try(case.config, case.gpus)
    case = replace(case, slots=tuple(dict.fromkeys(tried)))
    peaks = whole_depth(lambda model: simulate(replace(case, model=model)), case.model)
    return _sampling(peaks, case, card)


def _sampling(peaks: dict[str, Peak], case: Case, card: Card) -> Forecast:
    """Put the sampling that there will be between the phases, for the slots that were tried."""
    tried = slots_to_try(case.config, case.gpus)
    before = {name: peaks[name] for name in ("start", "resume")}
    after = {name: peaks[name] for name in ("score", "update")}
    free = card.memory - with_allowance(before["resume"].total)
    if sampled_in(tried[1]) in peaks:
        decoder = blank_decoder(case.config, case.model)
        room = case.prompt_tokens + case.config.sampling.max_tokens
        sample, slots = in_free_memory(peaks, tried, free, decoder, room)
        note = f"{slots} of {tried[1]} rows at a time" if slots < tried[1] else ""
        return Forecast({**before, "sample": sample, **after}, card, {"sample": note}, slots)
    sample, note = computed(
        case.config, case.model, tried[1], case.prompt_tokens, before["resume"], card.memory
    )
    return Forecast({**before, "sample": sample, **after}, card, {"sample": note})


def remedies(case: Case) -> Iterator[tuple[str, Case]]:
    """Yield changes that make a step smaller, cheap ones first: the line to type, and the case."""
    optim = case.config.optim

    def with_optim(**settings: Any) -> Case:
        changed = replace(case.config, optim=replace(optim, **settings))
        return replace(case, config=changed)

    if not optim.activation_checkpointing:
        yield (
            "--set optim.activation_checkpointing=true",
            with_optim(activation_checkpointing=True),
        )
    for tokens in (4096, 2048):
        if tokens < (optim.tokens_per_micro_batch or 8192):
            yield (
                f"--set optim.activation_checkpointing=true --set optim.tokens_per_micro_batch="
                f"{tokens}",
                with_optim(activation_checkpointing=True, tokens_per_micro_batch=tokens),
            )
    for gpus in (2, 4, 8):
        if gpus > case.gpus and case.config.sampling.problems >= gpus:
            yield f"torchrun --nproc-per-node {gpus} (--gpus {gpus})", replace(case, gpus=gpus)
