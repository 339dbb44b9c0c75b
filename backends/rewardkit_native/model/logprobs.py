"""Log-probabilities of responses under the model that is being trained.

Two layouts compute the same numbers. *Padded*: each row is prompt + response, padded on the
right. *Packed*: one row holds every prompt once and all responses behind them (`packing`);
neighbours with equal prompts share one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import torch
from torch import Tensor

from rewardkit_native.model.head import Head, sum_pi_squared, token_divergences, token_scores
from rewardkit_native.model.packing import pack, packed_hidden

BLOCK = 1024
"""For so many tokens at a time there are logits in memory."""

Tokens = Sequence[Sequence[int]]
Compared = tuple[Head, str, Mapping[str, Any]]
"""What a teacher says of all response tokens; which divergence from it is wanted, its options."""


class TokenScores(NamedTuple):
    """Log-probabilities of the response tokens and entropies of their predictions: [B, T] each.

    All are 0 beyond a response's end.
    """

    logprobs: Tensor
    entropies: Tensor
    sum_pi_squared: Tensor | None = None
    """Σ π² over the vocabulary, where it was asked for; without a gradient."""
    divergence: Tensor | None = None
    """From a teacher, over the vocabulary, where one is compared with."""


def response_scores(
    layout: str,
    model: Any,
    prompts: Tokens,
    responses: Tokens,
    temperature: float = 1.0,
    block: int = BLOCK,
    *,
    squares: bool = False,
    compared: Compared | None = None,
) -> TokenScores:
    """Score responses, which are as many as `prompts`, in a layout; what else is asked for, too."""
    hidden = response_states(layout, model, prompts, responses)
    targets = torch.tensor([t for r in responses for t in r], device=hidden.device)
    found = dict(
        zip(
            TokenScores._fields,
            token_scores(model, hidden, targets, temperature, block),
            strict=False,
        )
    )
    if squares:
        found["sum_pi_squared"] = sum_pi_squared(model, hidden, temperature, block)
    if compared:
        found["divergence"] = token_divergences(
            model, hidden, compared[0], temperature, block, *compared[1:]
        )
    return TokenScores(**{name: right_pad(values, responses) for name, values in found.items()})


packed_scores = partial(response_scores, "packed")
padded_scores = partial(response_scores, "padded")


def response_states(layout: str, model: Any, prompts: Tokens, responses: Tokens) -> Tensor:
    """Return the states [Nr, H] that predict the response tokens."""
    if layout == "packed":
        return packed_hidden(model, pack(prompts, responses, model.device))
    device = model.device
    rows = [torch.tensor([*p, *r]) for p, r in zip(prompts, responses, strict=True)]
    pad = torch.nn.utils.rnn.pad_sequence
    ids = pad(rows, batch_first=True)
    mask = pad([torch.ones_like(row) for row in rows], batch_first=True)
    output = model.get_decoder()(
        input_ids=ids.to(device), attention_mask=mask.to(device), use_cache=False
    )
    # The state before a token predicts it, hence the - 1.
    return torch.cat(
        [
            output.last_hidden_state[index, len(p) - 1 : len(p) + len(r) - 1]
            for index, (p, r) in enumerate(zip(prompts, responses, strict=True))
        ]
    )


def right_pad(flat: Tensor, responses: Tokens) -> Tensor:
    """Return [B, T] from values of all response tokens in a row, zero beyond each response."""
    return torch.nn.utils.rnn.pad_sequence(
        list(flat.split([len(r) for r in responses])), batch_first=True
    )
