"""`rewardkit train --plan`: what a native step will hold and take, before anything is loaded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from rewardkit.config import RunConfig
from rewardkit.planning.cards import Card, card_of
from rewardkit.planning.ledger import Peak
from rewardkit.planning.memory import GB, with_allowance
from rewardkit.planning.model import (
    model_config,
    refuse_unknown_depth,
    teacher_config,
    whole_depth,
)
from rewardkit.planning.page import Forecast, written
from rewardkit.planning.seconds import seconds
from rewardkit_native.planning.sampling import (
    blank_decoder,
    computed,
    in_free_memory,
    sampled_in,
    slots_to_try,
)
from rewardkit_native.planning.simulation import Case, simulate


def page(config: RunConfig, *, gpus: int, memory: str, prompt_tokens: int) -> str:
    """Return what a native step holds and takes on each of `gpus` cards of so much memory."""
    card, model = card_of(memory), model_config(config.model.name)
    refuse_unknown_depth(model)
    teacher = teacher_config(config)
    case = Case(config, model, "cuda", gpus, prompt_tokens, teacher=teacher)
    found = forecast(case, card)
    return written(
        f"native, {gpus} x {card.memory / GB:.0f} GB, responses of {config.sampling.max_tokens} "
        f"tokens behind prompts of {prompt_tokens}",
        found,
        remedies(case),
        partial(forecast, card=card),
        seconds(
            *(config, model, card),
            gpus=gpus,
            prompt_tokens=prompt_tokens,
            slots=found.together,
        ),
        otherwise="adapters (lora.rank)",
    )


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
