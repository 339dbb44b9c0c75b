"""What a step of a configuration will hold and take on GPUs, before anything is loaded."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rewardkit.errors import ConfigError, ModelError
from rewardkit.evaluation.models import resolve_model
from rewardkit_native.planning.cards import Card
from rewardkit_native.planning.ledger import Peak, deeper
from rewardkit_native.planning.sampling import (
    blank_decoder,
    computed,
    in_free_memory,
    sampled_in,
    slots_to_try,
    token_cache,
)
from rewardkit_native.planning.simulation import Case, simulate

DEPTHS = (2, 3)
"""Layers of the two models that are simulated; all others are as the third."""

CONTEXT = 1_500_000_000
"""Bytes that CUDA, NCCL and the libraries' workspaces take on a card: an assumption."""
FRAGMENTS = 0.05
"""Of what is held, so much more is lost between the allocator's blocks: an assumption."""


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


def with_allowance(held: int) -> int:
    """Return the bytes of a card that so many bytes of tensors take."""
    return int(held * (1 + FRAGMENTS)) + CONTEXT


def model_config(name: str) -> Any:
    """Return a model's configuration; a folder needs no more than its config.json.

    Raises:
        ModelError: it cannot be found.
    """
    from transformers import AutoConfig

    here = (Path(name) / "config.json").exists()
    try:
        return AutoConfig.from_pretrained(name if here else resolve_model(name))
    except (OSError, ValueError) as error:
        raise ModelError(
            f"no configuration of {name!r}: {error}\nWithout a network, give a folder with the "
            "model's config.json: --set model.name=FOLDER"
        ) from error


def forecast(case: Case, card: Card) -> Forecast:
    """Return what a native step of `case` holds, from two shallow models of the same width."""
    layers = case.model.num_hidden_layers
    tried = slots_to_try(case.config, case.gpus)
    case = replace(case, slots=tuple(dict.fromkeys(tried)))
    if layers <= DEPTHS[1]:
        return _sampling(simulate(case), case, card)
    shallow, deep = (simulate(replace(case, model=cut(case.model, d))) for d in DEPTHS)
    steps = (layers - DEPTHS[1]) / (DEPTHS[1] - DEPTHS[0])
    return _sampling({name: deeper(shallow[name], deep[name], steps) for name in deep}, case, card)


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


def cut(model: Any, layers: int) -> Any:
    """Return a model's configuration with so many layers."""
    found = copy.deepcopy(model)
    found.num_hidden_layers = layers
    if getattr(found, "layer_types", None):
        found.layer_types = found.layer_types[:layers]
    return found


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


@dataclass(frozen=True)
class Seconds:
    """How long the phases of a step are at best: what the card's limits allow at usual shares."""

    sample: float
    score: float
    update: float


OF_FLOPS, OF_BANDWIDTH = 0.4, 0.6
"""Shares of a card's limits that well-kept code usually reaches: an assumption."""


def seconds(case: Case, card: Card, slots: int = 0, *, always_scores: bool = False) -> Seconds:
    """Return roughly how long a step is, each response as long as it may be.

    Args:
        case: the step.
        card: what it runs on.
        slots: how many rows are drawn at once; 0: all.
        always_scores: whether the policy's log-probabilities are computed before every update.
    """
    config, model = case.config, case.model
    size = parameters(model)
    length = case.response_tokens or config.sampling.max_tokens
    rows = -(-config.sampling.problems // case.gpus) * config.sampling.group_size
    middle = case.prompt_tokens + length / 2
    rounds = -(-rows // (slots or rows))
    read = rounds * 2 * size + rows * middle * token_cache(model)
    sample = length * read / (OF_BANDWIDTH * card.bandwidth)
    tokens = rows * length
    attention = 4 * model.num_hidden_layers * model.hidden_size * middle
    forward = tokens * (2 * size + attention) / (OF_FLOPS * card.flops)
    recipe = config.recipe
    passes = int(recipe.needs_reference) + int(
        always_scores or recipe.epochs * recipe.minibatches > 1
    )
    update = (4 if config.optim.activation_checkpointing else 3) * forward * recipe.epochs
    return Seconds(sample, passes * forward, update)


def parameters(model: Any) -> int:
    """Return how many numbers a model has."""
    import torch
    from transformers import AutoModelForCausalLM

    with torch.device("meta"):
        made = AutoModelForCausalLM.from_config(model)
    return sum(parameter.numel() for parameter in made.parameters())


def refuse_unknown_depth(model: Any) -> None:
    """Raise a ConfigError for a configuration that does not say how deep and wide it is."""
    for name in ("num_hidden_layers", "hidden_size", "num_attention_heads"):
        if not isinstance(getattr(model, name, None), int):
            raise ConfigError(
                f"rewardkit plan reads {name} of the model's configuration, and this one has none "
                "(a model of text alone is needed)"
            )
