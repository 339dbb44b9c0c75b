"""A batch cut into passes through a model, and made: log-probabilities and entropies of responses.

A pass is a micro-batch: as many responses as `optim.tokens_per_micro_batch` lets into memory.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

import torch
from torch import Tensor

from rewardkit.config import OptimConfig
from rewardkit.errors import ConfigError
from rewardkit_native.distributed.parallel import Ranks
from rewardkit_native.learning.batch import Batch
from rewardkit_native.model.logprobs import (
    Compared,
    TokenScores,
    response_scores,
    response_states,
)

R = TypeVar("R")

ALLOWANCE = 1.25
"""A packed micro-batch may keep so much of what its tokens alone would: the rest is attention's."""
FLOAT32 = 4


@dataclass(frozen=True)
class Scorer:
    """How passes are made: their layout and size, their precision, and which rank makes which."""

    optim: OptimConfig
    dtype: str
    temperature: float
    ranks: Ranks = field(default_factory=Ranks)

    def passes(self, model: Any, batch: Batch, rows: Tensor) -> list[list[int]]:
        """Return the micro-batches of some rows; of several ranks, those of this one's groups.

        Empty ones keep ranks in step.
        """
        device = model.device.type
        memory = pass_memory(model.config, self.dtype, device)
        if self.ranks.size == 1:
            return list(micro_batches(batch, rows, self.optim, device, memory))
        tokens = [len(batch.responses[i]) for i in rows.tolist()]
        mine = self.ranks.own_groups(batch.groups[rows].tolist(), tokens)
        own = rows[torch.isin(batch.groups[rows], torch.tensor(mine))]
        return self.ranks.equal_passes(micro_batches(batch, own, self.optim, device, memory))

    def score(
        self,
        model: Any,
        batch: Batch,
        micro: list[int],
        *,
        squares: bool = False,
        compared: Compared | None = None,
    ) -> TokenScores:
        """Score some rows; without any, a single token takes the pass that other ranks make."""
        optim = self.optim
        work = partial(response_scores, optim.layout, model, squares=squares, compared=compared)
        settings = self.temperature, optim.tokens_per_head_block
        return self.make(model, batch, micro, lambda p, r: work(p, r, *settings))

    @torch.no_grad()
    def states(self, model: Any, batch: Batch, micro: list[int]) -> Tensor:
        """Return the states that predict the response tokens of some rows, [N, H]."""
        work = partial(response_states, self.optim.layout, model)
        # Casts that are kept from here would have no gradient in the policy's own pass.
        kept = torch.is_autocast_cache_enabled()
        torch.set_autocast_cache_enabled(False)
        try:
            return self.make(model, batch, micro, work)
        finally:
            torch.set_autocast_cache_enabled(kept)

    def make(self, model: Any, batch: Batch, micro: list[int], work: Callable[..., R]) -> R:
        """Return `work(prompts, responses)` of some rows, a pass in the precision asked for."""
        prompts = [batch.prompts[i] for i in micro] or [[0]]
        responses = [batch.responses[i] for i in micro] or [[0]]
        again = self.optim.activation_checkpointing and torch.is_grad_enabled()
        with autocast(model, self.dtype), checkpointing(model) if again else _as_it_is():
            run = partial(work, prompts, responses)
            # Of a sharded model the weights are brought within reach.
            found: R = model.passing(run) if hasattr(model, "passing") else run()
            return found

    @torch.no_grad()
    def score_all(
        self, model: Any, batch: Batch, rows: Tensor | None = None, *, squares: bool = False
    ) -> TokenScores:
        """Score some rows of a batch, or every one, on the CPU; all ranks get all; Σ π² if asked.

        The other rows have 0.
        """
        rows = torch.arange(len(batch)) if rows is None else rows
        found = [torch.zeros(batch.response.shape) for _ in range(3 if squares else 2)]
        for micro in self.passes(model, batch, rows):
            scores = self.score(model, batch, micro, squares=squares)
            for whole, part in zip(found, scores, strict=False):
                if micro and part is not None:
                    whole[micro, : part.shape[1]] = part.cpu()
        self.ranks.all_reduce(*found)
        return TokenScores(*found)


def micro_batch_tokens(optim: OptimConfig, device: str) -> int:
    """Return `tokens_per_micro_batch`, or what suits the device where it is 0.

    On a CPU larger passes are hardly faster, and a token takes up to a megabyte.
    """
    return optim.tokens_per_micro_batch or (640 if device == "cpu" else 8192)


def micro_batches(
    batch: Batch,
    rows: Tensor,
    optim: OptimConfig,
    device: str = "cpu",
    memory: PassMemory | None = None,
) -> Iterator[list[int]]:
    """Cut rows into parts of at most `tokens_per_micro_batch` tokens (or a single row).

    Rows of like length are together, so that little is padding. Packed: groups of like length, so
    that the members of a group share their prompt; and at most `ALLOWANCE` of the memory that so
    many tokens take is kept, with what attention keeps besides.
    """
    most, packed = micro_batch_tokens(optim, device), optim.layout == "packed"
    prompts = {i: len(batch.prompts[i]) for i in rows.tolist()}
    lengths = {i: len(batch.responses[i]) for i in prompts}
    part: list[int] = []
    tokens = 0
    for i in in_order(batch, prompts, lengths, packed=packed):
        length = prompts[i] + lengths[i]
        if packed:
            shared = bool(part) and batch.prompts[part[-1]] == batch.prompts[i]
            grown = tokens + (lengths[i] if shared else length)
        else:
            grown = length * (len(part) + 1)  # this row is the longest so far
        full = grown > most
        if memory is not None and packed:
            of = [*part, i]
            kept = memory.packed(grown, [prompts[m] for m in of], [lengths[m] for m in of])
            full = full or kept > ALLOWANCE * memory.per_token * most
        if part and full:
            yield part
            part, grown = [], length
        part.append(i)
        tokens = grown
    if part:
        yield part


def in_order(
    batch: Batch, prompts: Mapping[int, int], lengths: Mapping[int, int], *, packed: bool
) -> list[int]:
    """Return the rows of `lengths`, short ones first; packed, group by group."""
    if not packed:
        return sorted(lengths, key=lambda i: prompts[i] + lengths[i])
    groups = dict(zip(lengths, batch.groups[list(lengths)].tolist(), strict=True))
    longest: dict[int, int] = {}
    for i, group in groups.items():
        longest[group] = max(longest.get(group, 0), prompts[i] + lengths[i])
    return sorted(lengths, key=lambda i: (longest[groups[i]], groups[i], lengths[i]))


@dataclass(frozen=True)
class PassMemory:
    """Bytes that a pass through a model of the Llama family keeps; of others, about so many.

    >>> PassMemory(per_token=100, per_key=10, per_pair=1).packed(6, [2, 2], [3, 1])
    730
    """

    per_token: int
    """Of each token of the row."""
    per_key: int = 0
    """Of each key: a prompt's are copied for each of its responses."""
    per_pair: int = 0
    """Of each cell of an attention table (on a CPU), padding counted in."""

    def packed(self, tokens: int, prompts: Sequence[int], responses: Sequence[int]) -> int:
        """Return the bytes of a packed row of `tokens`, whose responses have these lengths.

        `prompts` says for each response how long its prompt is, shared or not.
        """
        keys = tokens + sum(prompts)
        pairs = len(responses) * max(responses) * (max(prompts) + max(responses))
        return self.per_token * tokens + self.per_key * keys + self.per_pair * pairs


def pass_memory(config: Any, dtype: str, device: str) -> PassMemory:
    """Return what a pass through a model of this configuration keeps, in the packed layout.

    Layers keep the inputs of their products, of the norms (in float32) and of the gate; attention
    keeps queries, keys, values and its result.
    """
    width = 2 if dtype == "bfloat16" else FLOAT32
    hidden, layers = config.hidden_size, config.num_hidden_layers
    heads = config.num_attention_heads
    kv_heads = getattr(config, "num_key_value_heads", None) or heads
    size = getattr(config, "head_dim", None) or hidden // heads
    inner = getattr(config, "intermediate_size", None) or 4 * hidden
    on_cpu = device == "cpu"
    norms = 2 * hidden * (FLOAT32 + width)
    attention = 2 * heads * size * width
    keys = 2 * kv_heads * size * width
    gate = (3 if on_cpu else 2) * inner * width  # the product is kept on a CPU alone
    token = layers * (norms + attention + gate)
    mask = heads // kv_heads * width if on_cpu else 0
    return PassMemory(token, per_key=layers * keys, per_pair=mask)


_as_it_is = contextlib.nullcontext


def autocast(model: Any, dtype: str) -> contextlib.AbstractContextManager[Any]:
    """Return the context in which passes through the float32 model run in `dtype`."""
    if dtype == "float32":
        return _as_it_is()
    return torch.autocast(model.device.type, torch.bfloat16)


def shared_casts(model: Any) -> contextlib.AbstractContextManager[Any]:
    """Return a context in which the passes of `autocast` share their casts of the weights.

    Autocast forgets them at the end of its outermost context. This one is outermost, and off: what
    is computed between the passes stays as it is. A sharded model's weights come and go.
    """
    if hasattr(model, "passing"):
        return _as_it_is()
    return torch.autocast(model.device.type, enabled=False)


@contextlib.contextmanager
def checkpointing(model: Any) -> Iterator[None]:
    """Run forward passes in which each layer keeps no more than its input.

    Only for the length of the pass, and with no other effect of a training mode: sampling goes
    through the same layers, and needs the cache that transformers forbids them meanwhile.

    Raises:
        ConfigError: transformers cannot do so for this model.
    """
    from torch.utils.checkpoint import checkpoint
    from transformers.modeling_layers import GradientCheckpointingLayer

    layers = [one for one in model.modules() if isinstance(one, GradientCheckpointingLayer)]
    if not layers:
        raise ConfigError(
            "optim.activation_checkpointing does not work with this model, whose layers "
            "transformers cannot run again; turn it off"
        )
    before = [layer.training for layer in layers]
    for layer in layers:
        layer.training = layer.gradient_checkpointing = True
        layer._gradient_checkpointing_func = partial(checkpoint, use_reentrant=False)
    try:
        yield
    finally:
        for layer, mode in zip(layers, before, strict=True):
            layer.training, layer.gradient_checkpointing = mode, False
