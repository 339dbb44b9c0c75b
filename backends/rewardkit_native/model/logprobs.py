"""Log-probabilities of responses under the model that is being trained.

Two layouts compute the same numbers. *Padded*: each row is prompt + response, padded on the
right. *Packed*: one row holds every prompt once and all responses behind them (`packing`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor

from rewardkit_native.model.head import sum_pi_squared, token_scores
from rewardkit_native.model.packing import pack, packed_hidden

BLOCK = 1024
"""For so many tokens at a time there are logits in memory."""


class TokenScores(NamedTuple):
    """Log-probabilities of the response tokens and entropies of their predictions: [B, T] each.

    All are 0 beyond a response's end.
    """

    logprobs: Tensor
    entropies: Tensor
    sum_pi_squared: Tensor | None = None
    """Σ π² over the vocabulary, where it was asked for; without a gradient."""


def padded_scores(
    model: Any,
    prompts: Sequence[Sequence[int]],
    responses: Sequence[Sequence[int]],
    temperature: float = 1.0,
    block: int = BLOCK,
) -> TokenScores:
    """Score responses in the padded layout; `prompts` and `responses` are equally many."""
    picked = padded_hidden(model, prompts, responses)
    targets = torch.tensor([t for r in responses for t in r], device=model.device)
    return _padded(responses, *token_scores(model, picked, targets, temperature, block))


def padded_hidden(
    model: Any, prompts: Sequence[Sequence[int]], responses: Sequence[Sequence[int]]
) -> Tensor:
    """Return the states [Nr, H] that predict the response tokens, read in the padded layout."""
    device = model.device
    rows = [[*p, *r] for p, r in zip(prompts, responses, strict=True)]
    longest = max(map(len, rows))
    ids = torch.zeros(len(rows), longest, dtype=torch.long)
    mask = torch.zeros(len(rows), longest, dtype=torch.long)
    for index, row in enumerate(rows):
        ids[index, : len(row)] = torch.tensor(row)
        mask[index, : len(row)] = 1
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


def scores_and_squares(
    model: Any,
    prompts: Sequence[Sequence[int]],
    responses: Sequence[Sequence[int]],
    layout: str,
    temperature: float = 1.0,
    block: int = BLOCK,
) -> TokenScores:
    """Score responses in either layout, Σ π² of their predictions included."""
    hidden = response_states(model, prompts, responses, layout)
    targets = torch.tensor([t for r in responses for t in r], device=hidden.device)
    found = _padded(responses, *token_scores(model, hidden, targets, temperature, block))
    squares = sum_pi_squared(model, hidden, temperature, block)
    return found._replace(sum_pi_squared=right_pad(squares, responses))


def response_states(
    model: Any, prompts: Sequence[Sequence[int]], responses: Sequence[Sequence[int]], layout: str
) -> Tensor:
    """Return the states [Nr, H] that predict the response tokens, in either layout."""
    if layout == "packed":
        return packed_hidden(model, pack(prompts, responses, model.device))
    return padded_hidden(model, prompts, responses)


def packed_scores(
    model: Any,
    prompts: Sequence[Sequence[int]],
    responses: Sequence[Sequence[int]],
    temperature: float = 1.0,
    block: int = BLOCK,
) -> TokenScores:
    """Score responses in the packed layout; neighbours with equal prompts share one."""
    packing = pack(prompts, responses, model.device)
    hidden = packed_hidden(model, packing)
    return _padded(responses, *token_scores(model, hidden, packing.targets, temperature, block))


def _padded(responses: Sequence[Sequence[int]], logprobs: Tensor, entropies: Tensor) -> TokenScores:
    return TokenScores(right_pad(logprobs, responses), right_pad(entropies, responses))


def right_pad(flat: Tensor, responses: Sequence[Sequence[int]]) -> Tensor:
    """Return [B, T] from values of all response tokens in a row, zero beyond each response."""
    return torch.nn.utils.rnn.pad_sequence(
        list(flat.split([len(r) for r in responses])), batch_first=True
    )
