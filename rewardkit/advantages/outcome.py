"""Estimators of one advantage a sequence: rewards [B] and group ids [B] -> advantages [B].

All answer in float64, give a group without signal (max − min ≤ tol, and any group of one) exactly
0, and take `compat` where frameworks differ.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from rewardkit.advantages.groups import (
    TOLERANCE,
    Conventions,
    Number,
    Segments,
    centre,
    conventions,
    whiten,
)
from rewardkit.errors import ConfigError
from rewardkit.options import check_finite


def grpo(
    rewards: Float[Tensor, " B"],
    groups: Int[Tensor, " B"],
    *,
    scale: str = "group",
    ddof: int | None = None,
    eps: Number | None = None,
    tol: Number = TOLERANCE,
    compat: str | None = None,
) -> Float[Tensor, " B"]:
    """Return (r − mean) / (std + ε) by group: GRPO, outcome supervision, 2402.03300 §4.1.2.

    Args:
        rewards: one a sequence.
        groups: any ids, equal for samples of one prompt.
        scale: "group" divides by the group's deviation, "batch" by that of all rewards,
            "none" by nothing.
        ddof: degrees of freedom taken off, 1 unless `compat` says otherwise.
        eps: ε, 1e-6 unless `compat` says otherwise.
        tol: the range up to which a group counts as without signal.
        compat: "verl", "trl", "openrlhf", "nemo" or "open-instruct": reproduce its choices.

    Raises:
        ConfigError: `scale` is none of the three.
        DataError: a reward is NaN or infinite; names its row, as all estimators do.

    >>> r = torch.tensor([3.8, 5.2, 6.1])
    >>> grpo(r, torch.zeros(3, dtype=torch.int64)).round(decimals=2).tolist()
    [-1.06, 0.14, 0.92]
    """
    if scale not in ("group", "batch", "none"):
        raise ConfigError(f'scale is "group", "batch" or "none", found {scale!r}')
    check_finite(rewards)
    rules = conventions(compat)
    ddof = rules.ddof if ddof is None else ddof
    eps = rules.eps if eps is None else eps
    r = rewards.double() if rules.float64 else rewards
    segments = Segments.of(groups)
    if rules.leave_one_out:
        return _leave_one_out(r, segments, eps, scale == "group")
    centred = _centred(r, segments, rules, tol)
    if scale == "none":
        return centred.double()
    if scale == "batch":
        if r.numel() <= ddof:
            return torch.zeros_like(r, dtype=torch.float64)
        return (centred / (r.std(correction=ddof) + eps)).double()
    deviation = segments.std(r, ddof)[segments.index]
    if rules.singleton_raw:
        deviation = torch.where(segments.size()[segments.index] == 1, 1.0, deviation)
    return (centred / (deviation + eps)).double()


def dr_grpo(
    rewards: Float[Tensor, " B"],
    groups: Int[Tensor, " B"],
    *,
    tol: Number = TOLERANCE,
    compat: str | None = None,
) -> Float[Tensor, " B"]:
    """Return r − mean by group: Dr. GRPO, 2503.20783 §3.2; its other half is the constant length.

    >>> dr_grpo(torch.tensor([1.0, 0.0]), torch.tensor([7, 7])).tolist()
    [0.5, -0.5]
    """
    return grpo(rewards, groups, scale="none", tol=tol, compat=compat)


def prpo(rewards: Float[Tensor, " B"], *, tol: Number = TOLERANCE) -> Float[Tensor, " B"]:
    """Return (r − mean) / (std + 1e-6) over the whole batch, whatever the group: rLLM's PRPO.

    `calculate_prpo_advantages` there; a group needs no more than one response.

    >>> prpo(torch.tensor([3.0, 1.0, 1.0, 3.0])).round(decimals=4).tolist()
    [1.0, -1.0, -1.0, 1.0]
    """
    return grpo(rewards, torch.zeros_like(rewards, dtype=torch.int64), ddof=0, tol=tol)


def rloo(
    rewards: Float[Tensor, " B"],
    groups: Int[Tensor, " B"],
    *,
    tol: Number = TOLERANCE,
    compat: str | None = None,
) -> Float[Tensor, " B"]:
    """Return r − mean of the group's others, = (r − mean)·n/(n−1): RLOO, 2402.14740.

    >>> rloo(torch.tensor([1.0, 0.0, 0.0]), torch.tensor([0, 0, 0])).tolist()
    [1.0, -0.5, -0.5]
    """
    check_finite(rewards)
    segments = Segments.of(groups)
    n = segments.size()[segments.index]
    centred = _centred(rewards.double(), segments, conventions(compat), tol)
    return centred * torch.where(n > 1, n / (n - 1).clamp(min=1), 1.0)


def opo(
    rewards: Float[Tensor, " B"],
    groups: Int[Tensor, " B"],
    mask: Bool[Tensor, "B T"],
    *,
    tol: Number = TOLERANCE,
    compat: str | None = None,
) -> Float[Tensor, " B"]:
    """Return r − Σ|o|r / Σ|o| by group: OPO's length-weighted optimal baseline, 2505.23585.

    >>> mask = torch.tensor([[1, 1, 1], [1, 0, 0]]).bool()
    >>> opo(torch.tensor([1.0, 0.0]), torch.tensor([0, 0]), mask).tolist()
    [0.25, -0.75]
    """
    check_finite(rewards)
    r, segments = rewards.double(), Segments.of(groups)
    lengths = mask.sum(-1).double()
    total = segments.sum(lengths)
    weighted = segments.sum(lengths * r) / total.clamp(min=1)
    # A group of empty responses has no length to weigh by: the plain mean.
    baseline = torch.where(total > 0, weighted, segments.mean(r))[segments.index]
    return _settled(r, r - baseline, segments, conventions(compat), tol)


def gpg(
    rewards: Float[Tensor, " B"],
    groups: Int[Tensor, " B"],
    *,
    f_norm: Number = 1.0,
    tol: Number = TOLERANCE,
    compat: str | None = None,
) -> Float[Tensor, " B"]:
    """Return α(r − mean)/F by group with α = B / #samples in groups that carry signal: GPG.

    2504.02546. verl counts the non-zero *scores* instead, which `compat="verl"` repeats.

    >>> r, g = torch.tensor([1.0, 0.0, 1.0, 1.0]), torch.tensor([0, 0, 1, 1])
    >>> gpg(r, g).tolist()
    [1.0, -1.0, 0.0, 0.0]
    """
    check_finite(rewards)
    r, segments = rewards.double(), Segments.of(groups)
    centred = _centred(r, segments, conventions(compat), tol)
    signal = r != 0 if compat == "verl" else segments.span(r)[segments.index] > tol
    return centred * (r.numel() / signal.sum().clamp(min=1)) / f_norm


def maxrl(
    rewards: Float[Tensor, " B"],
    groups: Int[Tensor, " B"],
    *,
    tol: Number = TOLERANCE,
) -> Float[Tensor, " B"]:
    """Return (r − mean) / mean by group, 0 where the mean is not positive: MaxRL, 2602.02710.

    Dividing by the mean weighs a prompt by 1/p, so that the gradient is that of log p.

    >>> maxrl(torch.tensor([1.0, 0.0, 0.0, 0.0]), torch.zeros(4, dtype=torch.int64)).tolist()
    [3.0, -1.0, -1.0, -1.0]
    """
    check_finite(rewards)
    r, segments = rewards.double(), Segments.of(groups)
    centred, _ = centre(r, segments, tol)
    mean = segments.mean(r)[segments.index]
    return torch.where(mean > 0, centred / torch.where(mean > 0, mean, 1.0), 0.0)


def pass_at_k(
    rewards: Float[Tensor, " B"],
    groups: Int[Tensor, " B"],
    *,
    scale: str = "group",
    eps: Number = 1e-6,
    tol: Number = TOLERANCE,
) -> Float[Tensor, " B"]:
    """Return (r₁ − r₂)/(σ + ε) for a group's single best sample, 0 for all others: 2503.19595.

    With a tie for the best, everybody gets 0.

    Raises:
        ConfigError: `scale` is neither "group" nor "none".

    >>> pass_at_k(torch.tensor([1.0, 3.0, 2.0]), torch.tensor([0, 0, 0]), scale="none").tolist()
    [0.0, 1.0, 0.0]
    """
    if scale not in ("group", "none"):
        raise ConfigError(f'scale is "group" or "none", found {scale!r}')
    check_finite(rewards)
    r, segments = rewards.double(), Segments.of(groups)
    best = segments.extreme(r, "amax")[segments.index]
    winner = r == best
    others = torch.where(winner, -torch.inf, r)
    second = segments.extreme(others, "amax")[segments.index]
    alone = segments.sum(winner.double())[segments.index] == 1
    lead = torch.where(winner & alone & second.isfinite(), best - second, 0.0)
    if scale == "group":
        lead = lead / (segments.std(r)[segments.index] + eps)
    return torch.where(segments.span(r)[segments.index] > tol, lead, 0.0)


def pass_at_k_training(
    correct: Bool[Tensor, " B"], groups: Int[Tensor, " B"], *, k: int
) -> Float[Tensor, " B"]:
    """Return the analytic advantage of pass@k training, 2508.10751.

    Over all k-subsets of a group's N samples with N⁻ wrong ones: R̄ = 1 − C(N⁻,k)/C(N,k),
    σ = √(R̄(1−R̄)); right samples get (1−R̄)/σ, wrong ones (1 − R̄ − C(N⁻−1,k−1)/C(N−1,k−1))/σ.
    0 where σ is 0: nothing right, or too few wrong ones to fill a subset.

    Args:
        correct: outcomes.
        groups: any ids.
        k: the size of the subsets.

    Raises:
        ConfigError: k is below 1, or above the size of a group.

    >>> c, g = torch.tensor([True, False, False, False]), torch.zeros(4, dtype=torch.int64)
    >>> pass_at_k_training(c, g, k=2).round(decimals=4).tolist()
    [1.0, -0.3333, -0.3333, -0.3333]
    """
    segments = Segments.of(groups)
    n = segments.size()
    if k < 1 or (n.numel() and k > n.min()):
        raise ConfigError(f"k must be in 1..{int(n.min()) if n.numel() else 1}, found {k}")
    wrong = n - segments.sum(correct.double())
    all_wrong = (_log_choose(wrong, k) - _log_choose(n, k)).exp()
    mates_wrong = (_log_choose(wrong - 1, k - 1) - _log_choose(n - 1, k - 1)).exp()
    sigma = ((1 - all_wrong) * all_wrong).sqrt()
    sigma = torch.where((wrong < k) | (wrong == n), 0.0, sigma)
    safe = torch.where(sigma > 0, sigma, 1.0)
    right = torch.where(sigma > 0, all_wrong / safe, 0.0)
    lost = torch.where(sigma > 0, (all_wrong - mates_wrong) / safe, 0.0)
    return torch.where(correct, right[segments.index], lost[segments.index])


def gdpo(
    components: Float[Tensor, "B K"],
    groups: Int[Tensor, " B"],
    *,
    weights: Sequence[Number] | None = None,
    eps: Number = 1e-6,
    tol: Number = TOLERANCE,
) -> Float[Tensor, " B"]:
    """Return each reward normalised by group, then their weighted sum whitened: GDPO, 2601.05242.

    Args:
        components: K rewards a sequence.
        groups: any ids.
        weights: one a reward, by default 1.
        eps: added to each deviation.
        tol: the range up to which a group counts as without signal in a reward.

    Raises:
        ConfigError: the number of weights is not K.

    >>> r = torch.tensor([[1.0, 0.0], [0.0, 0.0]])
    >>> gdpo(r, torch.tensor([0, 0])).round(decimals=3).tolist()
    [0.707, -0.707]
    """
    check_finite(components, what="components")
    b, k = components.shape
    if weights is not None and len(weights) != k:
        raise ConfigError(f"{k} rewards need {k} weights, found {len(weights)}")
    w = torch.tensor([1.0] * k if weights is None else weights, dtype=torch.float64)
    # One segment for each pair of group and reward: all K at once.
    index = Segments.of(groups).index[:, None] * k + torch.arange(k, device=groups.device)
    each = grpo(components.reshape(-1), index.reshape(-1), eps=eps, tol=tol).view(b, k)
    total = each @ w.to(each)
    return whiten(total, torch.ones_like(total, dtype=torch.bool), tol=tol)


def _log_choose(n: Tensor, k: int) -> Tensor:
    """Return log C(n, k), −inf where k > n or n < 0."""
    m = n.clamp(min=k)
    value = (m + 1).lgamma() - (m - k + 1).lgamma() - torch.tensor(k + 1.0).double().lgamma().to(m)
    return torch.where(n >= k, value, -torch.inf)


def _centred(r: Tensor, segments: Segments, rules: Conventions, tol: Number) -> Tensor:
    mean = segments.mean(r)[segments.index]
    return _settled(r, r - mean, segments, rules, tol)


def _settled(
    r: Tensor, centred: Tensor, segments: Segments, rules: Conventions, tol: Number
) -> Tensor:
    """Apply the rules for groups without signal and for groups of one."""
    if rules.degenerate_to_zero:
        centred = torch.where((segments.span(r) <= tol)[segments.index], 0.0, centred)
    single = segments.size()[segments.index] == 1
    return torch.where(single, r if rules.singleton_raw else torch.zeros_like(r), centred)


def _leave_one_out(r: Tensor, segments: Segments, eps: Number, scaled: bool) -> Tensor:
    """Return NeMo-RL's form: mean and deviation of the others; unscaled where that deviation is 0.

    The variance is E[x²] − E[x]², float noise included, as there.
    """
    n = segments.size()[segments.index].to(r)
    others = (n - 1).clamp(min=1)
    mean = (segments.sum(r)[segments.index] - r) / others
    square = (segments.sum(r.square())[segments.index] - r.square()) / others
    variance = (square - mean.square()) * (others / (others - 1).clamp(min=1))
    deviation = variance.clamp(min=0).sqrt()
    advantage = torch.where(n > 1, r - mean, 0)
    if scaled:
        advantage = torch.where(deviation > 0, advantage / (deviation + eps), advantage)
    return advantage.double()
