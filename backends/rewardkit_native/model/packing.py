"""Many prompts and their responses in one row: no prompt is read twice, nothing is padded.

The row holds all prompts, one after the other, and behind them all responses. The linear layers,
which are nearly all of the work, see one long row of real tokens. Attention alone needs to know
who sees whom: a prompt sees itself, a response its prompt and itself. On a CPU it is computed on
`tables`, elsewhere on `sequences`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import torch
from torch import Tensor

from rewardkit.errors import ConfigError
from rewardkit_native.model.fused import share
from rewardkit_native.model.sequences import Sequences
from rewardkit_native.model.tables import Tables

ATTENTION = "rewardkit_packed"
"""The name under which transformers finds the attention below."""

HOST = torch.device("cpu")

TRIAL = ([[1, 2, 3], [1, 2, 3], [4, 5]], [[6, 7], [5, 3, 6], [2, 4]])
"""Prompts and responses on which packing is tried: one prompt shared, and one of another length."""

ROUNDING = 5e-3
"""Beyond so much of its norm, a state differs by more than TF32 on a GPU rounds away."""


Attend = Callable[[Tensor, Tensor, Tensor, float], Tensor]
"""(queries [N, H, D], keys [N, K, D], values [N, K, E], scaling) -> [N, H, E]."""


@dataclass(frozen=True)
class Packing:
    """One row of N = Np + Nr tokens: G prompts of together Np, then R responses of together Nr."""

    ids: Tensor  # [1, N]
    positions: Tensor  # [1, N]: each token's place in prompt + response
    before: Tensor  # [Nr]: where the token lies that predicts each response token
    attend: Attend


def pack(
    prompts: Sequence[Sequence[int]],
    responses: Sequence[Sequence[int]],
    device: torch.device = HOST,
) -> Packing:
    """Lay out responses, each with its prompt; neighbours with equal prompts share one."""
    shared: list[Sequence[int]] = []
    owner: list[int] = []
    for prompt in prompts:
        if not shared or prompt != shared[-1]:
            shared.append(prompt)
        owner.append(len(shared) - 1)
    lengths = [len(p) for p in shared], [len(r) for r in responses]
    ends = list(accumulate(lengths[0]))
    positions = [place for length in lengths[0] for place in range(length)]
    before: list[int] = []
    start = ends[-1]
    for index, length in zip(owner, lengths[1], strict=True):
        positions += range(lengths[0][index], lengths[0][index] + length)
        before += [ends[index] - 1, *range(start, start + length)][:length]
        start += length
    tokens = [t for row in (*shared, *responses) for t in row]
    return Packing(
        ids=torch.tensor([tokens], device=device),
        positions=torch.tensor([positions], device=device),
        before=torch.tensor(before, device=device),
        attend=attention_on(device, *lengths, owner),
    )


def attention_on(
    device: torch.device, prompts: Sequence[int], responses: Sequence[int], owner: Sequence[int]
) -> Attend:
    """Return the attention of a row of prompts and responses of these lengths."""
    if device.type == "cpu":
        return Tables.of_lengths(prompts, responses, owner)
    return Sequences.of_lengths(prompts, responses, owner, device)


def packed_hidden(model: Any, packing: Packing) -> Tensor:
    """Return the states [Nr, H] that predict the response tokens."""
    enable_packing(model)
    output = model.get_decoder()(
        input_ids=packing.ids,
        position_ids=packing.positions,
        # A mask of four dimensions is handed on as it is, so that none is made from positions.
        attention_mask=torch.ones(1, 1, 1, 1, dtype=torch.bool, device=packing.ids.device),
        use_cache=False,
        packing=packing,
    )
    hidden: Tensor = output.last_hidden_state[0]
    return share(hidden, packing.before)


def enable_packing(model: Any) -> None:
    """Let a model that runs with sdpa attention take packed rows too; the rest stays as it was."""
    if model.config._attn_implementation == ATTENTION:
        return
    from transformers import AttentionInterface, AttentionMaskInterface
    from transformers.masking_utils import sdpa_mask

    AttentionInterface.register(ATTENTION, packed_attention)
    AttentionMaskInterface.register(ATTENTION, sdpa_mask)
    model.set_attn_implementation(ATTENTION)


@torch.no_grad()
def try_packing(model: Any) -> None:
    """Enable packing, and raise a ConfigError unless packed rows give the states of plain ones.

    Some families keep an attention of their own, or drop on its way what the one below needs to
    know. They would take all prompts and responses for one text, and say nothing.

    Raises:
        ConfigError: packed rows fail, or are read as something else.
    """
    enable_packing(model)
    packed = pack(*TRIAL, model.device)
    advice = (
        "optim.layout = 'packed' cannot be used with this model, which does not read packed rows "
        "as it reads plain ones; use --set optim.layout=padded"
    )
    try:
        found = packed_hidden(model, packed)
    except ConfigError:
        raise  # it says more
    except Exception as error:
        raise ConfigError(f"{advice} ({type(error).__name__}: {error})") from error
    plain = [
        model.get_decoder()(
            input_ids=torch.tensor([[*prompt, *response]], device=model.device), use_cache=False
        ).last_hidden_state[0, len(prompt) - 1 : -1]
        for prompt, response in zip(*TRIAL, strict=True)
    ]
    expected = torch.cat(plain)
    if not ((found - expected).norm(dim=-1) <= ROUNDING * expected.norm(dim=-1)).all():
        raise ConfigError(advice)


def packed_attention(
    module: Any,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    *,
    packing: Packing | None = None,
    scaling: float | None = None,
    **settings: Any,
) -> tuple[Tensor, None]:
    """Attend within a packed row; without a packing, do as sdpa does.

    Shapes: query [1, heads, N, D]; key [1, key heads, N, D]; value [1, key heads, N, E]; result
    [1, N, heads, E].
    """
    if packing is None:
        from transformers.integrations.sdpa_attention import sdpa_attention_forward

        found: tuple[Tensor, None] = sdpa_attention_forward(
            module, query, key, value, attention_mask, scaling=scaling, **settings
        )
        return found
    refuse_unknown(settings)
    # The rotation leaves float32 behind under autocast; attention runs in the type of `value`.
    q, k, v = (x[0].transpose(0, 1).to(value.dtype) for x in (query, key, value))
    scaling = q.shape[-1] ** -0.5 if scaling is None else scaling
    return packing.attend(q, k, v, scaling)[None], None


def refuse_unknown(settings: dict[str, Any]) -> None:
    """Raise a ConfigError for kinds of attention that a packed row does not know.

    Raises:
        ConfigError: the model's layers ask for a window, for capped scores or for sinks.
    """
    for name in ("sliding_window", "softcap", "s_aux"):
        if settings.get(name) is not None:
            raise ConfigError(
                f"optim.layout = 'packed' cannot be used with a model whose attention has "
                f"{name}; use --set optim.layout=padded"
            )
