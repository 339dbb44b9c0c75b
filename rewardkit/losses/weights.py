"""Aggregation: how the losses of tokens become one number, as one weight for each sequence.

Every aggregation in use is loss = Σ_i w_i Σ_t m_it L_it. The weights are computed once over the
whole optimiser batch and travel with their sequences, so that any split into micro-batches, and
any padding width, gives the same loss and the same gradient.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from jaxtyping import Int
from torch import Tensor

from rewardkit.errors import ConfigError
from rewardkit.losses.tokens import PerSequence
from rewardkit.options import check_own
from rewardkit.registry import piece


@dataclass(frozen=True)
class BatchTotals:
    """What a batch holds over all data-parallel ranks, when one rank sees only a part of it.

    With ranks whose gradients are averaged (DDP, FSDP), multiply the loss by the number of ranks.
    """

    sequences: int
    """Sequences of the whole batch."""
    tokens: int
    """Tokens of the whole batch that count."""
    groups: int
    """Groups of the whole batch."""


@dataclass(frozen=True)
class _Batch:
    """What an aggregation may read; float64, because counts go into divisions."""

    lengths: PerSequence
    groups: Int[Tensor, " B"] | None
    totals: BatchTotals
    constant: int | None
    micro_batches: Int[Tensor, " B"] | None


def sequence_weights(
    aggregation: str,
    lengths: Int[Tensor, " B"],
    groups: Int[Tensor, " B"] | None = None,
    *,
    constant: int | None = None,
    totals: BatchTotals | None = None,
    micro_batches: Int[Tensor, " B"] | None = None,
) -> PerSequence:
    """Return the weight w_i of each sequence of an optimiser batch, float64.

    A sequence without tokens (all masked) gets weight 0 and still counts as one of the B
    sequences.

    Args:
        aggregation: a name of `AGGREGATIONS`, or `module:name`: a function (lengths, groups) ->
            weights.
        lengths: the number of unmasked tokens of each sequence.
        groups: any ids, equal for samples of one prompt; "prompt-mean" needs them, whole groups
            on each rank.
        constant: the length C that "constant" divides by.
        totals: the batch over all ranks; by default what is passed is the whole batch.
        micro_batches: "bnpo" alone needs to know which micro-batch a sequence falls into.

    Raises:
        UnknownNameError: no such aggregation.
        ConfigError: the aggregation needs an argument that is missing.

    >>> sequence_weights("token-mean", torch.tensor([1, 3])).tolist()
    [0.25, 0.25]
    >>> sequence_weights("seq-mean-token-mean", torch.tensor([1, 4])).tolist()
    [0.5, 0.125]
    """
    function = AGGREGATIONS.get(aggregation) or piece("aggregation", aggregation, AGGREGATIONS)
    if aggregation not in AGGREGATIONS:
        return _own(f"aggregation {aggregation}", function, lengths, groups, totals)
    if totals is None:
        totals = BatchTotals(
            sequences=lengths.numel(),
            tokens=int(lengths.sum()),
            groups=0 if groups is None else int(torch.unique(groups).numel()),
        )
    batch = _Batch(lengths.double(), groups, totals, constant, micro_batches)
    return torch.where(lengths > 0, function(batch), 0.0)


def _own(
    what: str,
    function: Callable[..., Tensor],
    lengths: Tensor,
    groups: Tensor | None,
    totals: BatchTotals | None,
) -> PerSequence:
    """Call an aggregation of a user's own, with all sequences of an update and their groups."""
    if totals is not None:
        raise ConfigError(f"{what} needs the whole batch, and sees one rank's part of it here")
    found = function(lengths.double(), groups)
    check_own(what, found, [tuple(lengths.shape)], lengths > 0)
    return torch.where(lengths > 0, found.detach().double(), 0.0)


def _seq_mean_token_mean(batch: _Batch) -> Tensor:
    """1/B Σ_i 1/|o_i| Σ_t: GRPO, 2402.03300 eq. 3."""
    return _inverse(batch.lengths * batch.totals.sequences)


def _token_mean(batch: _Batch) -> Tensor:
    """1/N Σ_i Σ_t over all N tokens of the batch: how DAPO is implemented and mostly meant."""
    return _inverse(torch.full_like(batch.lengths, batch.totals.tokens))


def _prompt_mean(batch: _Batch) -> Tensor:
    """1/P Σ_g 1/N_g Σ_(i in g) Σ_t: DAPO, 2503.14476 eq. 8, read literally."""
    if batch.groups is None:
        raise ConfigError('aggregation "prompt-mean" needs `groups`, one id a sequence')
    index = torch.unique(batch.groups, return_inverse=True)[1]
    tokens = torch.zeros_like(batch.lengths).index_add(0, index, batch.lengths)
    return _inverse(tokens[index] * batch.totals.groups)


def _constant(batch: _Batch) -> Tensor:
    """1/(B·C) Σ_i Σ_t: Dr. GRPO, 2503.20783; C is the same for every response ever sampled."""
    if batch.constant is None:
        raise ConfigError(
            'aggregation "constant" needs `constant`, the length that every response\'s loss is '
            "divided by (usually the response limit); it has no default because the padded width "
            "would change with the batch"
        )
    return _inverse(torch.full_like(batch.lengths, batch.totals.sequences * batch.constant))


def _seq_mean_token_sum(batch: _Batch) -> Tensor:
    """1/B Σ_i Σ_t: the gradient of a sequence's log-probability."""
    return _inverse(torch.full_like(batch.lengths, batch.totals.sequences))


def _token_sum(batch: _Batch) -> Tensor:
    """Σ_i Σ_t."""
    return torch.ones_like(batch.lengths)


def _bnpo(batch: _Batch) -> Tensor:
    """1/M Σ_m 1/N_m Σ_(i in m) Σ_t: TRL's "bnpo", which depends on the split into micro-batches.

    Here for compatibility only. With one micro-batch it is the token mean, with micro-batches of
    one sequence it is the sequence mean.
    """
    if batch.micro_batches is None:
        raise ConfigError(
            'aggregation "bnpo" needs `micro_batches`, the id of each sequence\'s micro-batch, '
            'because its value depends on the split; "token-mean" does not'
        )
    ids, index = torch.unique(batch.micro_batches, return_inverse=True)
    tokens = torch.zeros_like(batch.lengths).index_add(0, index, batch.lengths)
    return _inverse(tokens[index] * ids.numel())


def _inverse(x: Tensor) -> Tensor:
    """Return 1/x, and 0 where x is 0: what has no tokens has no weight."""
    return torch.where(x > 0, 1 / x.clamp(min=1), 0.0)


AGGREGATIONS: dict[str, Callable[..., Tensor]] = {
    "seq-mean-token-mean": _seq_mean_token_mean,
    "token-mean": _token_mean,
    "prompt-mean": _prompt_mean,
    "constant": _constant,
    "seq-mean-token-sum": _seq_mean_token_sum,
    "token-sum": _token_sum,
    "bnpo": _bnpo,
}
"""Names -> weights. All but "bnpo" are independent of how the batch is split."""
