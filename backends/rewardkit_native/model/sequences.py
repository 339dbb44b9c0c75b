"""Packed attention without any mask: each prompt, and each response behind it, is a sequence.

Queries are the packed row as it is. Keys and values are picked so that each response has its
prompt's before its own; that it sees them, and of its own what is before it, is what flash
attention calls causal where there are more keys than queries. Nothing grows with the square of a
length, and no row is padded to the longest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from inspect import signature
from itertools import accumulate, chain
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from rewardkit_native.model.fused import share

WIDEST_HEAD = 256
"""Flash attention knows heads of up to so many numbers."""
OLDEST_CARD = (8, 0)
"""Flash attention needs a card of this compute capability (Ampere)."""


@dataclass(frozen=True)
class Sequences:
    """Sequences of a packed row of N tokens, whose keys are M of its places."""

    picked: Tensor  # [M]: where in the packed row each key lies
    queries: tuple[int, ...]
    """How many queries each sequence has."""
    keys: tuple[int, ...]
    query_ends: Tensor  # [sequences + 1] int32: 0, then where each sequence ends
    key_ends: Tensor

    @classmethod
    def of_lengths(
        cls,
        prompts: Sequence[int],
        responses: Sequence[int],
        owner: Sequence[int],
        device: torch.device | str = "cpu",
    ) -> Sequences:
        """Return the sequences of prompts and responses of these lengths.

        >>> Sequences.of_lengths([2, 1], [1, 3], [0, 1]).picked.tolist()
        [0, 1, 2, 0, 1, 3, 2, 4, 5, 6]
        """
        queries = (*prompts, *responses)
        pairs = zip(owner, responses, strict=True)
        keys = (*prompts, *(prompts[index] + length for index, length in pairs))
        ends = list(accumulate(queries, initial=0))

        def places(sequence: int) -> range:
            return range(ends[sequence], ends[sequence + 1])

        of_prompts = (places(index) for index in range(len(prompts)))
        of_responses = (
            chain(places(index), places(len(prompts) + row)) for row, index in enumerate(owner)
        )
        every = chain(*of_prompts, *of_responses)
        return cls(
            torch.tensor(list(every), device=device),
            queries,
            keys,
            torch.tensor(ends, dtype=torch.int32, device=device),
            torch.tensor(list(accumulate(keys, initial=0)), dtype=torch.int32, device=device),
        )

    def __call__(self, q: Tensor, k: Tensor, v: Tensor, scaling: float) -> Tensor:
        """Return [N, H, E] of queries [N, H, D], keys [N, K, D] and values [N, K, E]."""
        picked_k, picked_v = share(k, self.picked), share(v, self.picked)
        kernel = flash()
        if kernel is None or not fits_flash(q, v):
            return self._one_by_one(q, picked_k, picked_v, scaling)
        found: Tensor = kernel(
            q,
            picked_k,
            picked_v,
            self.query_ends,
            self.key_ends,
            max(self.queries),
            max(self.keys),
            scale=scaling,
            window_size=(-1, 0),
            enable_gqa=q.shape[1] != k.shape[1],
        )
        return found

    def _one_by_one(self, q: Tensor, k: Tensor, v: Tensor, scaling: float) -> Tensor:
        """Do the same where there is no such kernel, as in float32: slower, as exact, as small.

        A prompt's queries go along with each of its responses and are dropped: what is as long as
        its keys needs no mask.
        """
        repeats = q.shape[1] // k.shape[1]
        parts = share(q, self.picked).split(self.keys), k.split(self.keys), v.split(self.keys)
        found = []
        for wanted, query, key, value in zip(self.queries, *parts, strict=True):
            attended = F.scaled_dot_product_attention(
                query.transpose(0, 1)[None],
                key.repeat_interleave(repeats, 1).transpose(0, 1)[None],
                value.repeat_interleave(repeats, 1).transpose(0, 1)[None],
                is_causal=True,
                scale=scaling,
            )
            found.append(attended[0, :, -wanted:].transpose(0, 1))
        return torch.cat(found)


def fits_flash(q: Tensor, v: Tensor) -> bool:
    """Return whether torch's flash attention takes queries and values like these."""
    size = q.shape[-1]
    return (
        q.device.type == "cuda"
        and q.dtype in (torch.bfloat16, torch.float16)
        and size == v.shape[-1]
        and size <= WIDEST_HEAD
        and size % 8 == 0
        and _new_enough(q.device.index)
    )


@cache
def flash(*needed: str) -> Any | None:
    """Return torch's attention over sequences of any lengths, or None where it has none.

    Args:
        needed: further arguments that it must take: torch 2.11 knows neither `enable_gqa` nor
            `seqused_k`. The first one is made up for, unless it is named here.
    """
    try:
        from torch.nn.attention.varlen import varlen_attn
    except ImportError:
        return None
    known = signature(varlen_attn).parameters.keys()
    if not {"scale", "window_size", *needed} <= known:
        return None
    return varlen_attn if "enable_gqa" in known else partial(_with_heads_repeated, varlen_attn)


def _with_heads_repeated(
    kernel: Any, q: Tensor, k: Tensor, v: Tensor, *ends: Any, enable_gqa: bool, **named: Any
) -> Any:
    """Give each head of queries keys and values of its own: exact, and as large as the queries."""
    repeats = q.shape[1] // k.shape[1] if enable_gqa else 1
    return kernel(q, *(x.repeat_interleave(repeats, 1) for x in (k, v)), *ends, **named)


@cache
def _new_enough(index: int | None) -> bool:
    # Without any card, a pass is simulated, of the machine that there will be.
    there = torch.cuda.is_available()
    return not there or torch.cuda.get_device_capability(index) >= OLDEST_CARD
