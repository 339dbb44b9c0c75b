"""Rows in slots of a cache of one size: how a GPU decodes.

Every slot has room for a prompt and its longest response, so that no step changes a shape, and a
step is a CUDA graph: one launch instead of hundreds. A slot whose row has ended takes the next row.
Tokens are drawn on the device and fed back there; the host reads them every few steps.

Attention reads of a slot what its row has so far (flash attention), in the type of the cache.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from rewardkit.sampling import SamplingParams
from rewardkit_native.model.sequences import Sequences, fits_flash, flash
from rewardkit_native.sampling.drawing import draw
from rewardkit_native.sampling.fast_decoder import FastDecoder

STEPS = 16
"""The host reads what was drawn every so many steps; a row that ended idles until then."""
READ_AT_ONCE = 8192
"""So many tokens of new prompts are read in one pass."""
USABLE = 0.85
"""So much of the free memory is for slots; the rest is for passes, and lost in gaps."""
DRAWING = 20
"""Bytes that drawing takes for each entry of a row's logits."""
SYNCING_ROPES = frozenset({"dynamic", "longrope"})
"""Rotations that look at the positions' values on the host, which no graph can hold."""
WARM_UPS = 3
"""Steps before a graph is captured: libraries make what they keep in their first calls."""


class Newcomer(NamedTuple):
    """A row that is to begin: where, after which prompt, with which random numbers."""

    slot: int
    prompt: Sequence[int]
    seed: int


def slots_that_fit(free: int, room: int, decoder: FastDecoder) -> int:
    """Return how many rows of `room` tokens so many free bytes hold; at least one."""
    width = torch.finfo(decoder.dtype).bits // 8
    cache = decoder.layer_count * 2 * decoder.kv_heads * decoder.head_dim * width * room
    return max(1, int(free * USABLE) // (cache + DRAWING * len(decoder.embedding)))


def free_memory(device: torch.device) -> int:
    """Return the bytes that can still be had on a GPU, those that torch holds unused counted in."""
    unused = torch.cuda.memory_reserved(device) - torch.cuda.memory_allocated(device)
    return torch.cuda.mem_get_info(device)[0] + unused


class SlotDecoding:
    """So many slots, and the rows in them; axes: B slots of `room` tokens, K heads of keys, D."""

    def __init__(
        self,
        decoder: FastDecoder,
        slots: int,
        room: int,
        params: SamplingParams,
        known: int | None = None,
    ) -> None:
        self.decoder, self.room, self.params, self.known = decoder, room, params, known
        device, heads = decoder.device, 2 * decoder.kv_heads
        shape = (slots * room, heads, decoder.head_dim)
        self.cache = [
            torch.zeros(shape, dtype=decoder.dtype, device=device)
            for _ in range(decoder.layer_count)
        ]
        self.starts = torch.arange(slots, device=device) * room
        ends = torch.arange(slots + 1, device=device, dtype=torch.int32)
        self.query_ends, self.key_ends = ends, ends * room
        self.tokens = torch.zeros(slots, dtype=torch.long, device=device)
        """The last token of each row, which the next step reads."""
        self.logprobs = torch.zeros(slots, device=device)
        self.positions = torch.zeros_like(self.tokens)
        """Where in its slot each row's next key goes."""
        self.places = torch.zeros_like(self.tokens)
        """How many tokens of its response each row has."""
        self.seeds = torch.zeros_like(self.tokens)
        self.drawn = torch.zeros(STEPS, slots, dtype=torch.long, device=device)
        self.drawn_logprobs = torch.zeros(STEPS, slots, device=device)
        self.done = torch.zeros(1, dtype=torch.long, device=device)
        """Steps since the host has read."""
        self.step = self._captured() if device.type == "cuda" else self._step

    def admit(self, newcomers: Sequence[Newcomer]) -> None:
        """Read the newcomers' prompts, equal ones once, and draw each one's first token."""
        device = self.decoder.device
        slots = torch.tensor([one.slot for one in newcomers], device=device)
        seeds = torch.tensor([one.seed for one in newcomers], device=device)
        logits = torch.cat([self._read(part) for part in _parts(newcomers)])
        zero = torch.zeros_like(seeds)
        tokens, logprobs = draw(logits, seeds, zero, self.params, self.known)
        lengths = torch.tensor([len(one.prompt) for one in newcomers], device=device)
        for state, value in (
            (self.seeds, seeds),
            (self.tokens, tokens),
            (self.logprobs, logprobs),
            (self.positions, lengths),
            (self.places, zero + 1),
        ):
            state[slots] = value

    def leave(self, slots: Sequence[int]) -> None:
        """Let rows that ended cost as little as they can."""
        if slots:
            self.positions[torch.tensor(slots, device=self.positions.device)] = 0

    def run(self, steps: int) -> tuple[list[list[int]], list[list[float]]]:
        """Make at most `STEPS` steps; return tokens and log-probabilities, [steps + 1][B].

        The first of each are those that the rows had before. What a row draws behind its end means
        nothing.
        """
        tokens, logprobs = self.tokens.clone(), self.logprobs.clone()
        self.done.zero_()
        for _ in range(steps):
            self.step()
        tokens = torch.cat([tokens[None], self.drawn[:steps]])
        logprobs = torch.cat([logprobs[None], self.drawn_logprobs[:steps]])
        return tokens.tolist(), logprobs.tolist()

    def _step(self) -> None:
        states = self.decoder.hidden_states(self.tokens, self.positions, self._attend)
        logits = self.decoder.logits(states)
        tokens, logprobs = draw(logits, self.seeds, self.places, self.params, self.known)
        self.tokens.copy_(tokens)
        self.logprobs.copy_(logprobs)
        self.drawn.index_copy_(0, self.done, tokens[None])
        self.drawn_logprobs.index_copy_(0, self.done, logprobs[None])
        self.done.add_(1)
        self.places.add_(1)
        # A row that ended goes on until the host reads: it must not leave its slot.
        self.positions.add_(1).clamp_(max=self.room - 1)

    def _captured(self) -> Callable[[], None]:
        """Return a step as one launch; made before there are rows, whose state it would move on."""
        if getattr(self.decoder.rotary, "rope_type", "default") in SYNCING_ROPES:
            return self._step
        side = torch.cuda.Stream(self.decoder.device)
        side.wait_stream(torch.cuda.current_stream(self.decoder.device))
        with torch.cuda.stream(side):
            for _ in range(WARM_UPS):
                self._step()
        torch.cuda.current_stream(self.decoder.device).wait_stream(side)
        self.done.zero_()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            self._step()
        replay: Callable[[], None] = graph.replay
        return replay

    def _attend(self, layer: int, qkv: Tensor) -> Tensor:
        """Attend to what each slot holds, the token that is read counted in."""
        heads, kv_heads = self.decoder.heads, self.decoder.kv_heads
        cache = self.cache[layer]
        cache.index_copy_(0, self.starts + self.positions, qkv[:, heads:].to(cache.dtype))
        q, k, v = qkv[:, :heads], cache[:, :kv_heads], cache[:, kv_heads:]
        kernel = flash("enable_gqa", "seqused_k")
        if kernel is None or not fits_flash(q, v):
            return self._masked(q, k, v)
        found: Tensor = kernel(
            q,
            k,
            v,
            self.query_ends,
            self.key_ends,
            1,
            self.room,
            enable_gqa=heads != kv_heads,
            seqused_k=(self.positions + 1).int(),
        )
        return found.flatten(1)

    def _masked(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        """Do the same where there is no such kernel, over the whole slots."""
        slots, (kv_heads, size) = len(q), k.shape[1:]
        seen = torch.arange(self.room, device=q.device) <= self.positions[:, None]
        keys, values = (x.view(slots, self.room, kv_heads, size).transpose(1, 2) for x in (k, v))
        found = functional.scaled_dot_product_attention(
            q.reshape(slots, kv_heads, -1, size), keys, values, seen[:, None, None]
        )
        return found.flatten(1)

    def _read(self, newcomers: Sequence[Newcomer]) -> Tensor:
        """Fill the newcomers' slots with their prompts; return the logits behind them, [n, V]."""
        device, heads = self.decoder.device, self.decoder.heads
        prompts: list[Sequence[int]] = []
        owners: list[int] = []
        for one in newcomers:
            if not prompts or one.prompt != prompts[-1]:
                prompts.append(one.prompt)
            owners.append(len(prompts) - 1)
        lengths = [len(prompt) for prompt in prompts]
        ends = list(accumulate(lengths, initial=0))
        pairs = list(zip(owners, newcomers, strict=True))
        origin = [place for owner, _ in pairs for place in range(ends[owner], ends[owner + 1])]
        to = [one.slot * self.room + place for o, one in pairs for place in range(lengths[o])]
        origins, places = torch.tensor(origin, device=device), torch.tensor(to, device=device)
        attention = Sequences.of_lengths(lengths, [], [], device)

        def attend(layer: int, qkv: Tensor) -> Tensor:
            q, k, v = qkv.split([heads, self.decoder.kv_heads, self.decoder.kv_heads], 1)
            found = attention(q, k, v, self.decoder.head_dim**-0.5)
            cache = self.cache[layer]
            cache.index_copy_(0, places, qkv[:, heads:].to(cache.dtype)[origins])
            return found.flatten(1)

        states = self.decoder.hidden_states(
            torch.tensor([token for prompt in prompts for token in prompt], device=device),
            torch.tensor([place for n in lengths for place in range(n)], device=device),
            attend,
        )
        last = torch.tensor([ends[owner + 1] - 1 for owner in owners], device=device)
        return self.decoder.logits(states[last])


def _parts(newcomers: Sequence[Newcomer]) -> list[list[Newcomer]]:
    """Split newcomers into runs whose prompts, equal neighbours counted once, are read at once."""
    parts: list[list[Newcomer]] = []
    tokens = 0
    for one in newcomers:
        shared = bool(parts) and parts[-1][-1].prompt == one.prompt
        tokens += 0 if shared else len(one.prompt)
        if not parts or (not shared and tokens > READ_AT_ONCE):
            parts.append([])
            tokens = len(one.prompt)
        parts[-1].append(one)
    return parts
