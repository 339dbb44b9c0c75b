"""Entropy-weighted credit: GTPO (by token) and GRPO-S (by sequence), both 2508.04349.

Among the right answers of a group, uncertain tokens earn more than sure ones; among the wrong
ones, sure tokens lose more than uncertain ones. Entropies are those of π_old, detached. They are
bounded below by `FLOOR`, because a token that is certain has entropy 0 and 1/0 is no weight.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from rewardkit.advantages.groups import TOLERANCE, Number, Segments
from rewardkit.errors import ConfigError
from rewardkit.options import check_finite

FLOOR = 1e-6
"""The least entropy, in nats."""


class _Pools(NamedTuple):
    """Which of a group's two pools (right, wrong) each sequence is in, as one segment each."""

    segments: Segments
    mixed: Bool[Tensor, " B"]


def gtpo(
    rewards: Float[Tensor, " B"],
    correct: Bool[Tensor, " B"],
    entropies: Float[Tensor, "B T"],
    groups: Int[Tensor, " B"],
    mask: Bool[Tensor, "B T"],
    *,
    alpha_reward: Number = 1.0,
    alpha_entropy: Number = 0.1,
    normalize: str = "joint",
    scope: str = "group",
    mean: str = "arith",
    ddof: int = 1,
    eps: Number = 1e-6,
    tol: Number = TOLERANCE,
) -> Float[Tensor, "B T"]:
    """Return GTPO's token advantages, 2508.04349 eq. 2-4, from `gtpo_rewards`.

    Eq. 4 as printed normalises right and wrong tokens apart from each other, "separate": both
    pools are then centred on 0, α₁ and α₂ cancel, and correctness is lost. "joint" normalises
    all tokens together and keeps the sign. A group whose outcomes are not mixed gets 0, and does
    not count for the others.

    Args:
        rewards: 1 for right and 0 for wrong; shaping terms may be added to either.
        correct: outcomes, which decide the pool.
        entropies: of π_old at each token, in nats.
        groups: any ids.
        mask: which tokens count; position t is the t-th column.
        alpha_reward: α₁.
        alpha_entropy: α₂.
        normalize: "joint" or "separate".
        scope: normalise within each "group", as the paper's equations, or the whole "batch".
        mean: "arith" (eq. 2-3) or "geo" (§2.4.1).
        ddof: degrees of freedom taken off.
        eps: added to the deviation.
        tol: the range up to which tokens count as equal.

    Raises:
        ConfigError: `normalize`, `scope` or `mean` is none of its two.

    >>> h, one = torch.tensor([[2.0, 1.0], [1.0, 1.0]]), torch.ones(2, 2, dtype=torch.bool)
    >>> r, g = torch.tensor([1.0, 0.0]), torch.tensor([0, 0])
    >>> gtpo(r, r.bool(), h, g, one).sign().tolist()
    [[1.0, 1.0], [-1.0, -1.0]]
    """
    _check_choice("normalize", normalize, "joint", "separate")
    _check_choice("scope", scope, "group", "batch")
    shaped = gtpo_rewards(
        rewards, correct, entropies, groups, mask,
        alpha_reward=alpha_reward, alpha_entropy=alpha_entropy, mean=mean,
    )  # fmt: skip
    by_group = Segments.of(groups)
    together = by_group if scope == "group" else Segments(torch.zeros_like(groups), 1)
    if normalize == "separate":
        together = _pools(together, correct).segments
    taken = mask & _pools(by_group, correct).mixed[:, None]
    tokens = Segments(together.index[:, None].expand(mask.shape)[taken], together.count)
    normalised = _normalise(shaped[taken], tokens, ddof, eps, tol)
    return torch.zeros_like(shaped).masked_scatter(taken, normalised)


def gtpo_rewards(
    rewards: Float[Tensor, " B"],
    correct: Bool[Tensor, " B"],
    entropies: Float[Tensor, "B T"],
    groups: Int[Tensor, " B"],
    mask: Bool[Tensor, "B T"],
    *,
    alpha_reward: Number = 1.0,
    alpha_entropy: Number = 0.1,
    mean: str = "arith",
) -> Float[Tensor, "B T"]:
    """Return r̃ of 2508.04349 eq. 2-3, float64, 0 under the mask.

    Right: α₁r + α₂·d_t·H_t/ΣH_t; wrong: −α₁(1 − r) − α₂·h_t·(1/H_t)/Σ(1/H_t), the sums and the
    counts d_t, h_t over the sequences of the same pool that are still alive at t. With
    `mean="geo"` the share times its count becomes H_t over the geometric mean of those H_t.

    >>> h, one = torch.tensor([[3.0], [1.0]]), torch.ones(2, 1, dtype=torch.bool)
    >>> r = torch.ones(2)
    >>> gtpo_rewards(r, r.bool(), h, torch.tensor([0, 0]), one, alpha_entropy=1.0).tolist()
    [[2.5], [1.5]]
    """
    check_finite(rewards)
    pools = _pools(Segments.of(groups), correct).segments
    width = mask.shape[1]
    column = torch.arange(width, device=mask.device)
    flat = (pools.index[:, None] * width + column)[mask]
    segments = Segments(flat, pools.count * width)
    h = entropies.detach().double()[mask].clamp(min=FLOOR)
    right = correct[:, None].expand(mask.shape)[mask]
    bonus = _relative(torch.where(right, h, 1 / h), segments, mean)
    r = rewards.double()[:, None].expand(mask.shape)[mask]
    shaped = _signed(r, right, bonus, alpha_reward, alpha_entropy)
    return torch.zeros_like(entropies, dtype=torch.float64).masked_scatter(mask, shaped)


def grpo_s(
    rewards: Float[Tensor, " B"],
    correct: Bool[Tensor, " B"],
    entropies: Float[Tensor, "B T"],
    groups: Int[Tensor, " B"],
    mask: Bool[Tensor, "B T"],
    *,
    beta_reward: Number = 1.0,
    beta_entropy: Number = 0.1,
    mean: str = "arith",
    ddof: int = 1,
    eps: Number = 1e-6,
    tol: Number = TOLERANCE,
) -> Float[Tensor, " B"]:
    """Return GRPO-S's sequence advantages, 2508.04349 eq. 6 and 1: `grpo_s_rewards` by group.

    Arguments as for `gtpo`. A group whose outcomes are not mixed gets 0.

    >>> h, one = torch.tensor([[2.0], [1.0]]), torch.ones(2, 1, dtype=torch.bool)
    >>> grpo_s(torch.tensor([1.0, 0.0]), torch.tensor([True, False]), h, torch.tensor([0, 0]), one)
    tensor([ 0.7071, -0.7071], dtype=torch.float64)
    """
    shaped = grpo_s_rewards(
        rewards, correct, entropies, groups, mask,
        beta_reward=beta_reward, beta_entropy=beta_entropy, mean=mean,
    )  # fmt: skip
    segments = Segments.of(groups)
    found = _normalise(shaped, segments, ddof, eps, tol)
    return torch.where(_pools(segments, correct).mixed, found, 0.0)


def grpo_s_rewards(
    rewards: Float[Tensor, " B"],
    correct: Bool[Tensor, " B"],
    entropies: Float[Tensor, "B T"],
    groups: Int[Tensor, " B"],
    mask: Bool[Tensor, "B T"],
    *,
    beta_reward: Number = 1.0,
    beta_entropy: Number = 0.1,
    mean: str = "arith",
) -> Float[Tensor, " B"]:
    """Return r̂ of 2508.04349 eq. 6, float64: as `gtpo_rewards`, with each sequence's mean entropy.

    >>> h, one = torch.tensor([[3.0], [1.0]]), torch.ones(2, 1, dtype=torch.bool)
    >>> r = torch.ones(2)
    >>> grpo_s_rewards(r, r.bool(), h, torch.tensor([0, 0]), one, beta_entropy=1.0).tolist()
    [2.5, 1.5]
    """
    check_finite(rewards)
    pools = _pools(Segments.of(groups), correct).segments
    h = torch.where(mask, entropies.detach().double().clamp(min=FLOOR), 1.0)
    tokens = mask.sum(-1).clamp(min=1)
    if mean == "geo":
        average = (torch.where(mask, h.log(), 0.0).sum(-1) / tokens).exp()
    else:
        average = torch.where(mask, h, 0.0).sum(-1) / tokens
    average = average.clamp(min=FLOOR)
    # A response that is masked whole has no entropy: it gets its pool's mean, and takes no part.
    has_tokens = mask.any(-1)
    bonus = torch.ones_like(average)
    bonus[has_tokens] = _relative(
        torch.where(correct, average, 1 / average)[has_tokens],
        Segments(pools.index[has_tokens], pools.count),
        mean,
    )
    return _signed(rewards.double(), correct, bonus, beta_reward, beta_entropy)


def _pools(by_group: Segments, correct: Tensor) -> _Pools:
    right = by_group.sum(correct.double())
    mixed = (right > 0) & (right < by_group.size())
    segments = Segments(by_group.index * 2 + correct.long(), by_group.count * 2)
    return _Pools(segments, mixed[by_group.index])


def _relative(x: Tensor, segments: Segments, mean: str) -> Tensor:
    """Return each value over its segment's mean, which is its share times the count."""
    if mean == "arith":
        return x / segments.mean(x)[segments.index]
    if mean == "geo":
        return x / segments.mean(x.log()).exp()[segments.index]
    raise ConfigError(f'mean is "arith" or "geo", found {mean!r}')


def _check_choice(name: str, value: str, *choices: str) -> None:
    if value not in choices:
        raise ConfigError(f"{name} is {' or '.join(map(repr, choices))}, found {value!r}")


def _signed(r: Tensor, right: Tensor, bonus: Tensor, a_reward: Number, a_entropy: Number) -> Tensor:
    return torch.where(
        right, a_reward * r + a_entropy * bonus, a_reward * (r - 1) - a_entropy * bonus
    )


def _normalise(x: Tensor, segments: Segments, ddof: int, eps: Number, tol: Number) -> Tensor:
    scaled = (x - segments.mean(x)[segments.index]) / (segments.std(x, ddof)[segments.index] + eps)
    return torch.where((segments.span(x) <= tol)[segments.index], 0.0, scaled)
