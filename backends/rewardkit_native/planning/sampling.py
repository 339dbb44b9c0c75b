"""What sampling holds: the sampler's copy of the weights, its slots, and reading the prompts."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import torch

from rewardkit.config import RunConfig
from rewardkit.planning.ledger import CACHE, Peak, deeper
from rewardkit.planning.model import token_cache
from rewardkit_native.distributed.parallel import Ranks
from rewardkit_native.model.weights import Weights
from rewardkit_native.sampling.choice import FastSampler
from rewardkit_native.sampling.fast_decoder import FastDecoder, why_not_fast
from rewardkit_native.sampling.slots import Newcomer, SlotDecoding, slots_that_fit
from rewardkit_native.sampling.vllm_sampler import free_share
from rewardkit_native.setup import sampling_parts

TOGETHER = 256
"""So many rows does the slow sampler decode together."""


class Launched(SlotDecoding):
    """Slots whose step is not captured: a graph holds no more than its first launch does."""

    def _captured(self) -> Callable[[], None]:
        return self._step


def make_sampler(config: RunConfig, model: Any, ranks: Ranks) -> tuple[FastDecoder, Weights] | None:
    """Return what samples, and the weights that fill it; None where the fast decoder does not."""
    if config.sampling.engine != "fast" or why_not_fast(model) is not None:
        return None
    known = {"": model.config.vocab_size - 1}
    asked = SimpleNamespace(eos_token_id=0, get_vocab=lambda: known)  # nothing is decoded
    sampler, weights = sampling_parts(model, asked, config, ranks, [])
    assert isinstance(sampler, FastSampler)
    return sampler.decoder, weights


@torch.no_grad()
def decode(decoder: FastDecoder, config: RunConfig, slots: int, prompt_tokens: int) -> None:
    """Let so many rows begin, and draw a token of each; members of a group share their prompt."""
    room = prompt_tokens + config.sampling.max_tokens
    decoding = Launched(decoder, slots, room, config.sampling.params)
    size = config.sampling.group_size
    decoding.admit([Newcomer(i, [i // size] * prompt_tokens, i) for i in range(slots)])
    decoding.step()
    decoding.leave([0])


def sampled_in(slots: int) -> str:
    """Return the name of the phase in which so many rows are drawn together."""
    return f"sample in {slots}"


def slots_to_try(config: RunConfig, gpus: int) -> tuple[int, int]:
    """Return two numbers of rows to simulate: between and beside them memory grows evenly.

    The second is all that a GPU draws of a batch.
    """
    rows = -(-config.sampling.problems // gpus) * config.sampling.group_size
    return (rows + 1) // 2, rows


def in_free_memory(
    peaks: dict[str, Peak], tried: tuple[int, int], free: int, decoder: FastDecoder, room: int
) -> tuple[Peak, int]:
    """Return the peak of sampling in as many slots as the sampler takes, and how many those are.

    Args:
        peaks: of each phase, those of both numbers in `tried` among them.
        tried: see `slots_to_try`.
        free: bytes of the card that are free when sampling begins.
        decoder: of the whole depth; without storage will do.
        room: tokens of a slot.
    """
    few, many = tried
    slots = min(many, slots_that_fit(free, room, decoder))
    if few == many:
        return peaks[sampled_in(many)], slots
    steps = (slots - many) / (many - few)
    return deeper(peaks[sampled_in(few)], peaks[sampled_in(many)], steps), slots


def blank_decoder(config: RunConfig, model: Any) -> FastDecoder:
    """Return the decoder of a model's configuration, without storage."""
    from transformers import AutoModelForCausalLM

    with torch.device("meta"):
        made = AutoModelForCausalLM.from_config(model)
        return FastDecoder(made, getattr(torch, config.on_gpus().model.dtype))


def computed(
    config: RunConfig, model: Any, rows: int, prompt_tokens: int, held: Peak, memory: int
) -> tuple[Peak, str]:
    """Return what sampling holds where it is not simulated, beside what is `held`; and say so."""
    if config.sampling.engine == "vllm":
        share = config.sampling.vllm.gpu_memory or free_share(memory, held.total)
        kinds = {"vLLM's share": int(share * memory)}
        note = f"computed: {share:.2f} of the card is vLLM's, for weights and KV cache"
    else:
        together = min(rows, TOGETHER)
        room = prompt_tokens + config.sampling.max_tokens
        kinds = {CACHE: together * room * token_cache(model)}
        note = f"computed: the cache of {together} rows"
    kinds = {**held.kinds, **kinds}
    return Peak(sum(kinds.values()), kinds), note
