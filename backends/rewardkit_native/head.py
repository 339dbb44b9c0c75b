"""From hidden states to log-probabilities and entropies, a block of logits at a time.

The logits of N tokens over a vocabulary of V are by far the largest tensor of a training step.
Here they exist for one block of tokens at a time. What the backward pass needs of them is kept in
the type of the pass where it is small, and otherwise computed again, block by block.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from rewardkit.errors import ModelError

KEEP_BYTES = 2**28
"""Probabilities of up to so many bytes in all are kept for the backward pass: keeping spares the
second product with the head's weights, about a twelfth of a step's arithmetic."""


def token_scores(
    model: Any, hidden: Tensor, targets: Tensor, temperature: float, block: int
) -> tuple[Tensor, Tensor]:
    """Return log π(target) [N] and, without gradient, entropies [N] of the predictions.

    Args:
        model: whose head is used.
        hidden: [N, H], the states that predict the targets.
        targets: [N].
        temperature: that the logits are divided by.
        block: for so many tokens at a time there are logits in memory.

    Raises:
        ModelError: the model's head is not a plain linear layer.
    """
    head = model.get_output_embeddings()
    if not isinstance(head, torch.nn.Linear):
        raise ModelError(f"the model's head is a {type(head).__name__}; a linear layer is needed")
    device = hidden.device.type
    dtype = hidden.dtype
    if torch.is_autocast_enabled(device):
        dtype = torch.get_autocast_dtype(device)
    # Autocast would take the entropies' sums over the vocabulary in bfloat16, to two digits.
    with torch.autocast(device, enabled=False):
        logprobs, entropies = _TokenScores.apply(  # type: ignore[no-untyped-call]
            hidden, head.weight, head.bias, targets, 1 / temperature, block, dtype
        )
    return logprobs, entropies


class _TokenScores(torch.autograd.Function):
    """log softmax(scale · (h Wᵀ + b))[target], and the entropy of that softmax."""

    @staticmethod
    def forward(
        ctx: Any,
        hidden: Tensor,
        weight: Tensor,
        bias: Tensor | None,
        targets: Tensor,
        scale: float,
        block: int,
        dtype: torch.dtype,
    ) -> tuple[Tensor, Tensor]:
        low, matrix = hidden.to(dtype), weight.to(dtype)
        logprobs, entropies, kept = [], [], []
        size = len(hidden) * len(weight) * dtype.itemsize
        keep = any(ctx.needs_input_grad) and size <= KEEP_BYTES
        for part, wanted in zip(low.split(block), targets.split(block), strict=True):
            scores = _log_softmax(part, matrix, bias, scale)
            probabilities = scores.exp()
            logprobs.append(scores.gather(-1, wanted[:, None])[:, 0])
            entropies.append(-torch.linalg.vecdot(probabilities, scores))
            if keep:
                kept.append(probabilities.to(dtype))
        ctx.save_for_backward(hidden, weight, bias, targets, *kept)
        ctx.scale, ctx.block, ctx.dtype = scale, block, dtype
        found = torch.cat(logprobs), torch.cat(entropies)
        ctx.mark_non_differentiable(found[1])
        return found

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        hidden, weight, bias, targets, *kept = ctx.saved_tensors
        matrix = weight.to(ctx.dtype)
        need_weight, need_bias = ctx.needs_input_grad[1:3]
        to_hidden = torch.empty_like(hidden)
        to_weight = torch.zeros_like(weight) if need_weight else None
        to_bias = torch.zeros_like(bias) if need_bias else None
        for index, start in enumerate(range(0, len(hidden), ctx.block)):
            rows = slice(start, start + ctx.block)
            low, wanted = hidden[rows].to(ctx.dtype), targets[rows]
            pull = gradients[0][rows, None] * ctx.scale
            if kept:
                probabilities = kept[index]
            else:
                probabilities = _log_softmax(low, matrix, bias, ctx.scale).exp_().to(ctx.dtype)
            # d log softmax(z)[t] / dz = onehot(t) - p
            to_logits = probabilities * -pull.to(ctx.dtype)
            to_logits.scatter_add_(1, wanted[:, None], pull.to(ctx.dtype))
            to_hidden[rows] = to_logits @ matrix
            if to_weight is not None:
                to_weight += to_logits.T @ low
            if to_bias is not None:
                to_bias += to_logits.sum(0)
        return to_hidden, to_weight, to_bias, None, None, None, None


def _log_softmax(low: Tensor, matrix: Tensor, bias: Tensor | None, scale: float) -> Tensor:
    logits = torch.nn.functional.linear(low, matrix, None if bias is None else bias.to(low))
    logits = logits.float() if logits.dtype.itemsize < 4 else logits
    return (logits if scale == 1 else logits * scale).log_softmax(-1)
