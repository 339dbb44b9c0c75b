"""From hidden states to log-probabilities and entropies, without a tensor of all logits.

The logits of N tokens over a vocabulary of V are by far the largest tensor of a training step.
Here they exist for one block of tokens at a time, in the type of the pass. A micro-batch of one
block keeps them, as probabilities, for its backward pass; one of several computes them again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

from rewardkit.errors import ModelError
from rewardkit.losses import divergence

CACHED_ROWS = 8
"""On a CPU the softmax goes over so many rows at a time, which stay in its cache: of 50,000 columns
that is five times as fast as tensor by tensor."""
VOCABULARY_SLICE = 8192
"""Rows of the head whose gradient is computed at a time."""
COMPARED_ROWS = 64
"""Elsewhere two distributions are compared over so many rows at a time."""


class Head(NamedTuple):
    """States that predict tokens, and what makes logits of them."""

    hidden: Tensor  # [N, H]
    weight: Tensor  # [V, H]
    bias: Tensor | None  # [V]


def token_scores(
    model: Any, hidden: Tensor, targets: Tensor, temperature: float, block: int
) -> tuple[Tensor, Tensor]:
    """Return log π(target) [N] and the entropies [N] of the predictions, both with gradients.

    Args:
        model: whose head is used.
        hidden: [N, H], the states that predict the targets.
        targets: [N].
        temperature: that the logits are divided by.
        block: for so many tokens at a time there are logits in memory.

    Raises:
        ModelError: the model's head is not a plain linear layer.
    """
    head = linear_head(model)
    device, dtype = hidden.device.type, _pass_type(hidden)
    # Autocast would take the entropies' sums over the vocabulary in bfloat16, to two digits.
    with torch.autocast(device, enabled=False):
        logprobs, entropies = _TokenScores.apply(  # type: ignore[no-untyped-call]
            hidden, head.weight, head.bias, targets, 1 / temperature, block, dtype
        )
    return logprobs, entropies


def linear_head(model: Any) -> torch.nn.Linear:
    """Return a model's head.

    Raises:
        ModelError: it is not a plain linear layer.
    """
    head = model.get_output_embeddings()
    if not isinstance(head, torch.nn.Linear):
        raise ModelError(f"the model's head is a {type(head).__name__}; a linear layer is needed")
    return head


def token_divergences(
    model: Any,
    hidden: Tensor,
    teacher: Head,
    temperature: float,
    block: int,
    kind: str,
    options: Mapping[str, Any],
) -> Tensor:
    """Return the divergence from a teacher at each of `hidden`'s N states, [N], with gradients.

    `teacher` has as many states, of the same places; `kind` and `options` are those of
    `rewardkit.losses.divergence`, the others as of `token_scores`.
    """
    head = linear_head(model)
    asked = teacher, 1 / temperature, block, _pass_type(hidden), kind, options
    with torch.autocast(hidden.device.type, enabled=False):
        found: Tensor = _Divergences.apply(  # type: ignore[no-untyped-call]
            hidden, head.weight, head.bias, partial(_compared, *asked)
        )
    return found


@torch.no_grad()
def sum_pi_squared(model: Any, hidden: Tensor, temperature: float, block: int) -> Tensor:
    """Return Σ π² over the vocabulary at each of `hidden`'s N states, [N], without a gradient.

    Arguments as of `token_scores`.
    """
    head = model.get_output_embeddings()
    low = _pass_type(hidden)
    with torch.autocast(hidden.device.type, enabled=False):
        matrix = head.weight.to(low)
        return torch.cat(
            [
                (_logits(hidden[rows].to(low), matrix, head.bias).float() / temperature)
                .softmax(-1)
                .square()
                .sum(-1)
                for rows in _blocks(len(hidden), block)
            ]
        )


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
        logprobs, entropies = [], []
        for rows in _blocks(len(low), block):
            logits = _logits(low[rows], matrix, bias)
            found = softmax_(logits, targets[rows], scale)
            logprobs.append(found[0])
            entropies.append(found[1])
        together = torch.cat(logprobs), torch.cat(entropies)
        ctx.save_for_backward(hidden, weight, bias, targets, together[1])
        ctx.set_materialize_grads(False)  # None where a loss reads but one of both
        ctx.scale, ctx.block, ctx.dtype = scale, block, dtype
        ctx.kept = (logits, matrix) if len(low) <= block and any(ctx.needs_input_grad) else None
        return together

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        if not any(isinstance(given, Tensor) for given in gradients):
            return (None,) * 7  # a loss that reads neither
        hidden, weight, bias, targets, entropies = ctx.saved_tensors
        # What is kept is overwritten below, so it serves once.
        kept, ctx.kept = ctx.kept, None
        matrix = weight.to(ctx.dtype) if kept is None else kept[1]
        into = _Gradients.like(ctx, hidden, weight, bias)
        for rows in _blocks(len(hidden), ctx.block):
            low, wanted = hidden[rows].to(ctx.dtype), targets[rows]
            if kept is None:
                to_logits = _logits(low, matrix, bias)
                softmax_(to_logits, wanted, ctx.scale)
            else:
                to_logits = kept[0]
            of_logprobs, of_entropies = (
                None if given is None else given[rows] * ctx.scale for given in gradients
            )
            if of_entropies is not None:
                entropy_gradient_(to_logits, wanted, entropies[rows], of_logprobs, of_entropies)
            else:
                assert of_logprobs is not None
                # d log softmax(z)[t] / dz = onehot(t) - p, which is what is kept, negated
                to_logits.mul_(-of_logprobs.to(ctx.dtype)[:, None])
            into.add(rows, to_logits, low, matrix)
        return *into, None, None, None, None


class _Divergences(torch.autograd.Function):
    """The divergence of two softmaxes, of scale · (h Wᵀ + b) each; logits are made again."""

    @staticmethod
    def forward(
        ctx: Any, hidden: Tensor, weight: Tensor, bias: Tensor | None, compare: Any
    ) -> Tensor:
        ctx.save_for_backward(hidden, weight, bias)
        ctx.compare = compare
        ones = torch.ones(len(hidden), device=hidden.device)
        return torch.cat([values for *_, values in compare(hidden, weight, bias, ones)])

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        into = _Gradients.like(ctx, *ctx.saved_tensors)
        for *found, _ in ctx.compare(*ctx.saved_tensors, *gradients):
            into.add(*found)
        return *into, None


def _compared(
    teacher: Head,
    scale: float,
    block: int,
    dtype: torch.dtype,
    kind: str,
    options: Mapping[str, Any],
    hidden: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    factors: Tensor,
) -> Iterator[tuple[slice, Tensor, Tensor, Tensor, Tensor]]:
    """Yield, a block at a time: rows, factors · gradient in their logits, states, matrix, values.

    Two distributions are compared over a few rows at a time, so that what that takes is small.
    """
    matrix, others = weight.to(dtype), teacher.weight.to(dtype)
    few = CACHED_ROWS if hidden.device.type == "cpu" else COMPARED_ROWS
    wide = torch.promote_types(dtype, torch.float32)
    for rows in _blocks(len(hidden), block):
        low = hidden[rows].to(dtype)
        logits = _logits(low, matrix, bias)
        teachers = _logits(teacher.hidden[rows].to(dtype), others, teacher.bias)
        values = []
        parts = (one.split(few) for one in (logits, teachers, factors[rows, None] * scale))
        for own, other, factor in zip(*parts, strict=True):
            found = divergence(kind, own.to(wide) * scale, other.to(wide) * scale, **options)
            values.append(found.value)
            own.copy_(found.gradient * factor)
        del teachers, other  # what is added up now needs the room
        yield rows, logits, low, matrix, torch.cat(values)


class _Gradients(NamedTuple):
    """The gradients of a head's input, weight and bias, as blocks of logits add to them."""

    hidden: Tensor
    weight: Tensor | None
    bias: Tensor | None

    @classmethod
    def like(cls, ctx: Any, hidden: Tensor, weight: Tensor, bias: Tensor | None) -> _Gradients:
        need_weight, need_bias = ctx.needs_input_grad[1:3]
        return cls(
            torch.empty_like(hidden),
            torch.zeros_like(weight) if need_weight else None,
            torch.zeros_like(bias) if bias is not None and need_bias else None,
        )

    def add(self, rows: slice, to_logits: Tensor, low: Tensor, matrix: Tensor) -> None:
        """Add what the logits of some rows, with states `low`, bring."""
        self.hidden[rows] = to_logits @ matrix
        if self.weight is not None:
            # In slices, so that no second gradient of the head's size is made on the way.
            for part in _blocks(len(self.weight), VOCABULARY_SLICE):
                self.weight[part] += to_logits[:, part].T @ low
        if self.bias is not None:
            self.bias.add_(to_logits.sum(0))


def softmax_(logits: Tensor, targets: Tensor, scale: float) -> tuple[Tensor, Tensor]:
    """Turn logits [N, V] into p - onehot(target) in place; return log p(target) and entropies, [N].

    The one is taken off before anything is rounded to the logits' precision: of a token that is
    nearly certain, 1 - p would be 0 in bfloat16.

    >>> logits = torch.tensor([[0.0, 0.0]])
    >>> logprob, entropy = softmax_(logits, torch.tensor([1]), 1.0)
    >>> logits.tolist(), round(logprob.item(), 4), round(entropy.item(), 4)
    ([[0.5, -0.5]], -0.6931, 0.6931)
    """
    logprobs, entropies = [], []
    rows = CACHED_ROWS if logits.device.type == "cpu" else len(logits)
    for part, wanted in zip(logits.split(rows), targets.split(rows), strict=True):
        scores = part.float() if part.dtype.itemsize < 4 else part.clone()
        if scale != 1:
            scores *= scale
        scores -= scores.amax(-1, keepdim=True)
        weights = scores.exp()
        total = weights.sum(-1, keepdim=True)
        log_total = total.log()[:, 0]
        logprobs.append(scores.gather(-1, wanted[:, None])[:, 0] - log_total)
        missing = torch.expm1(logprobs[-1])
        entropies.append(log_total - torch.linalg.vecdot(weights, scores) / total[:, 0])
        part.copy_(weights.div_(total).scatter_(-1, wanted[:, None], missing[:, None]))
    return torch.cat(logprobs), torch.cat(entropies)


def entropy_gradient_(
    kept: Tensor,
    targets: Tensor,
    entropies: Tensor,
    of_logprobs: Tensor | None,
    of_entropies: Tensor,
) -> None:
    """Turn p - onehot(target) [N, V], as `softmax_` left it, into the gradient in the logits.

    dH / dz = -p (log p + H), beside d log p(target) / dz = onehot(target) - p. Of the factors
    before them, [N], the first may be missing.

    >>> kept = torch.tensor([[0.75, -0.75]])  # p is .75 and .25
    >>> entropy = torch.tensor([0.5623])
    >>> entropy_gradient_(kept, torch.tensor([1]), entropy, None, torch.ones(1))
    >>> [round(x, 3) for x in kept[0].tolist()]
    [-0.206, 0.206]
    """
    rows = CACHED_ROWS if kept.device.type == "cpu" else len(kept)
    for start in range(0, len(kept), rows):
        some = slice(start, start + rows)
        part, wanted = kept[some], targets[some, None]
        off = part.float() if part.dtype.itemsize < 4 else part.clone()
        p = off.scatter_add(-1, wanted, torch.ones_like(off[:, :1]))
        to_logits = torch.xlogy(p, p).addcmul_(p, entropies[some, None].to(p)).neg_()
        to_logits *= of_entropies[some, None]
        if of_logprobs is not None:
            to_logits -= off * of_logprobs[some, None]
        part.copy_(to_logits)


def _pass_type(hidden: Tensor) -> torch.dtype:
    """Return the type of a pass: autocast's where it is on."""
    device = hidden.device.type
    on = torch.is_autocast_enabled(device)
    return torch.get_autocast_dtype(device) if on else hidden.dtype


def _logits(low: Tensor, matrix: Tensor, bias: Tensor | None) -> Tensor:
    return F.linear(low, matrix, None if bias is None else bias.to(low))


def _blocks(count: int, size: int) -> Iterator[slice]:
    for start in range(0, count, size):
        yield slice(start, start + size)
