"""Estimators over time: rewards at tokens -> advantages [B, T].

A token under the mask inside a response (a tool's output) is stepped over: it earns nothing, and
what follows it counts for what precedes it without discount. Recurrences run by doubling, in
log₂ T steps of whole tensors.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from rewardkit.advantages.groups import TOLERANCE, Number, Segments, centre, conventions, whiten
from rewardkit.options import check_finite


class Gae(NamedTuple):
    """Advantages for the policy, and returns for the value function to learn."""

    advantages: Float[Tensor, "B T"]
    """What the policy learns from."""
    returns: Float[Tensor, "B T"]
    """What the critic learns."""


def backward_sum(decay: Float[Tensor, "B T"], term: Float[Tensor, "B T"]) -> Float[Tensor, "B T"]:
    """Return y with y_t = term_t + decay_t · y_(t+1), from the right.

    >>> backward_sum(torch.full((1, 3), 0.5), torch.tensor([[1.0, 2.0, 4.0]])).tolist()
    [[3.0, 4.0, 4.0]]
    """
    width = term.shape[-1]
    step = 1
    while step < width:
        ahead = torch.nn.functional.pad(term[:, step:], (0, step))
        term = term + decay * ahead
        # Beyond the right end y is 0, whatever decays towards it.
        decay = decay * torch.nn.functional.pad(decay[:, step:], (0, step))
        step *= 2
    return term


def token_level_rewards(
    rewards: Float[Tensor, " B"],
    mask: Bool[Tensor, "B T"],
    token_rewards: Float[Tensor, "B T"] | None = None,
) -> Float[Tensor, "B T"]:
    """Return rewards per token, float64: the outcome at the last token, plus any per token.

    `token_rewards` is where a KL in the reward goes, 2203.02155 eq. 2: −β(log π_old − log π_ref).

    >>> token_level_rewards(torch.tensor([1.0]), torch.tensor([[True, True, False]])).tolist()
    [[0.0, 1.0, 0.0]]
    """
    check_finite(rewards)
    still_to_come = mask.flip(-1).cumsum(-1).flip(-1)
    found = torch.where(mask & (still_to_come == 1), rewards.double()[:, None], 0.0)
    if token_rewards is not None:
        found = found + masked_rewards(token_rewards, mask)
    return found


def masked_rewards(
    token_rewards: Float[Tensor, "B T"], mask: Bool[Tensor, "B T"]
) -> Float[Tensor, "B T"]:
    """Return rewards of tokens in float64, 0 under the mask."""
    check_finite(token_rewards, mask, "token_rewards")
    return torch.where(mask, token_rewards.double(), 0.0)


def gae(
    rewards: Float[Tensor, " B"],
    values: Float[Tensor, "B T"],
    mask: Bool[Tensor, "B T"],
    token_rewards: Float[Tensor, "B T"] | None = None,
    *,
    gamma: Number = 1.0,
    lam: Number = 0.95,
    alpha: Number | None = None,
    lam_returns: Number | None = None,
    whitened: bool = True,
    compat: str | None = None,
) -> Gae:
    """Return A_t = Σ_l (γλ)^l δ_(t+l), δ_t = r_t + γV_(t+1) − V_t, and A + V: 1506.02438 eq. 16.

    Args:
        rewards: the outcome's, given at the last token.
        values: V of each token's state.
        mask: which tokens count.
        token_rewards: further rewards of tokens, such as −β KL.
        gamma: discount γ.
        lam: λ.
        alpha: λ is 1 − 1/(α·length) of each response instead, 0 at least: VAPO, 2504.05118 eq. 8.
        lam_returns: another λ for the returns, VAPO's 1: what a critic learns has no bias then.
        whitened: whiten the advantages (not the returns) over all tokens.
        compat: "openrlhf" whitens with ddof 0.

    >>> mask, values = torch.ones(1, 2, dtype=torch.bool), torch.tensor([[0.5, 0.25]])
    >>> gae(torch.tensor([1.0]), values, mask, lam=1.0, whitened=False).advantages.tolist()
    [[0.5, 0.75]]
    """
    r = token_level_rewards(rewards, mask, token_rewards)
    v = torch.where(mask, values.double(), 0.0)
    off = (~mask).double()
    # The next value is that of the next token that counts, 0 after the last.
    carried = backward_sum(off, v)
    following = torch.nn.functional.pad(carried[:, 1:], (0, 1))
    delta = torch.where(mask, r + gamma * following - v, 0.0)
    of_length = None
    if alpha is not None:
        lengths = mask.sum(-1, keepdim=True).clamp(min=1)
        of_length = (1 - 1 / (alpha * lengths.double())).clamp(min=0)
    advantages = _discounted(mask, delta, gamma * (lam if of_length is None else of_length))
    returns = v + (
        advantages if lam_returns is None else _discounted(mask, delta, gamma * lam_returns)
    )
    if whitened:
        advantages = whiten(advantages, mask, ddof=conventions(compat).gae_ddof)
    return Gae(advantages, returns)


def reinforce_pp(
    rewards: Float[Tensor, " B"],
    mask: Bool[Tensor, "B T"],
    token_rewards: Float[Tensor, "B T"] | None = None,
    *,
    gamma: Number = 1.0,
    compat: str | None = None,
) -> Float[Tensor, "B T"]:
    """Return the discounted reward to go, whitened over the batch: REINFORCE++, 2501.03262.

    With `compat="nemo"` a token's own of `token_rewards` alone is added, not those of later ones.

    >>> mask = torch.tensor([[True, True], [True, False]])
    >>> reinforce_pp(torch.tensor([1.0, 0.0]), mask).round(decimals=3).tolist()
    [[0.577, 0.577], [-1.155, 0.0]]
    """
    rules = conventions(compat)
    later = None if rules.own_kl_alone else token_rewards
    to_go = backward_sum(_through(mask, gamma), token_level_rewards(rewards, mask, later))
    if rules.own_kl_alone and token_rewards is not None:
        to_go = to_go + masked_rewards(token_rewards, mask)
    return whiten(to_go, mask, ddof=rules.whiten_ddof)


def reinforce_pp_baseline(
    rewards: Float[Tensor, " B"],
    groups: Int[Tensor, " B"],
    mask: Bool[Tensor, "B T"],
    *,
    tol: Number = TOLERANCE,
    compat: str | None = None,
) -> Float[Tensor, "B T"]:
    """Return r − mean by group, whitened over the tokens of the batch: REINFORCE++-baseline.

    2501.03262. With `compat="verl"` a group of one keeps its raw reward.

    >>> mask = torch.ones(2, 1, dtype=torch.bool)
    >>> r, g = torch.tensor([1.0, 0.0]), torch.tensor([0, 0])
    >>> reinforce_pp_baseline(r, g, mask).round(decimals=3).tolist()
    [[0.707], [-0.707]]
    """
    check_finite(rewards)
    rules, segments = conventions(compat), Segments.of(groups)
    r = rewards.double()
    centred, _ = centre(r, segments, tol)
    if rules.singleton_raw:
        centred = torch.where(segments.size()[segments.index] == 1, r, centred)
    return whiten(centred[:, None].expand(mask.shape), mask, ddof=rules.whiten_ddof)


def remax(
    rewards: Float[Tensor, " B"],
    greedy_rewards: Float[Tensor, " B"],
    mask: Bool[Tensor, "B T"],
    token_rewards: Float[Tensor, "B T"] | None = None,
) -> Float[Tensor, "B T"]:
    """Return the reward to go less the reward of the greedy response: ReMax, 2310.10505.

    >>> mask = torch.tensor([[True, False]])
    >>> remax(torch.tensor([1.0]), torch.tensor([0.25]), mask).tolist()
    [[0.75, 0.0]]
    """
    check_finite(greedy_rewards, what="greedy_rewards")
    r = token_level_rewards(rewards, mask, token_rewards)
    to_go = backward_sum(torch.ones_like(r), r)
    return torch.where(mask, to_go - greedy_rewards.double()[:, None], 0.0)


def grpo_process(
    step_rewards: Float[Tensor, "B T"],
    step_ends: Bool[Tensor, "B T"],
    groups: Int[Tensor, " B"],
    mask: Bool[Tensor, "B T"],
    *,
    ddof: int = 1,
    eps: Number = 1e-6,
    tol: Number = TOLERANCE,
) -> Float[Tensor, "B T"]:
    """Return A_t = Σ over steps ending at or after t of (r_step − mean R)/std R: 2402.03300 §4.1.3.

    R is all rewards of all steps of all outputs of the group.

    Args:
        step_rewards: the reward of a step, at its last token.
        step_ends: which tokens end a step.
        groups: any ids.
        mask: which tokens count.
        ddof: degrees of freedom taken off.
        eps: added to the deviation.
        tol: the range up to which a group's steps count as without signal.

    >>> r, ends = torch.tensor([[0.0, 1.0], [0.0, 0.0]]), torch.ones(2, 2, dtype=torch.bool)
    >>> grpo_process(r, ends, torch.tensor([0, 0]), ends).tolist()[0]
    [0.9999980000039999, 1.499997000006]
    """
    chosen = step_ends & mask
    index = Segments.of(groups).index[:, None].expand(mask.shape)[chosen]
    scaled = _scaled_steps(step_rewards, chosen, index, ddof, eps, tol)
    return _from_steps(scaled, mask)


def mt_grpo(
    step_rewards: Float[Tensor, "B T"],
    step_ends: Bool[Tensor, "B T"],
    groups: Int[Tensor, " B"],
    mask: Bool[Tensor, "B T"],
    *,
    turn_weight: Number = 1.0,
    ddof: int = 1,
    eps: Number = 1e-6,
    tol: Number = TOLERANCE,
) -> Float[Tensor, "B T"]:
    """Return A_t = A_outcome + λ Σ A_turn over turns that end at or after t: MT-GRPO, 2505.11821.

    As `grpo_process`, but each turn is normalised among the group's turns of the same number, and
    the last of a response, its outcome, among the last ones. The paper has two turns.

    Args:
        step_rewards: the reward of a turn, at its last token.
        step_ends: which tokens end a turn.
        groups: any ids.
        mask: which tokens count.
        turn_weight: λ, the weight of turns that are not the last.
        ddof: degrees of freedom taken off.
        eps: added to the deviation.
        tol: the range up to which a group's turns count as without signal.

    >>> r, ends = torch.tensor([[0.5, 1.0], [0.0, 0.0]]), torch.ones(2, 2, dtype=torch.bool)
    >>> mt_grpo(r, ends, torch.tensor([0, 0]), ends, eps=0.0)[0] * 2**0.5
    tensor([2., 1.], dtype=torch.float64)
    """
    chosen = step_ends & mask
    order = chosen.cumsum(-1)
    turn = torch.where(order == order[:, -1:], 0, order)
    index = (Segments.of(groups).index[:, None] * (mask.shape[-1] + 1) + turn)[chosen]
    scaled = _scaled_steps(step_rewards, chosen, index, ddof, eps, tol)
    return _from_steps(torch.where(turn == 0, scaled, turn_weight * scaled), mask)


def _scaled_steps(
    step_rewards: Tensor, chosen: Tensor, index: Tensor, ddof: int, eps: Number, tol: Number
) -> Tensor:
    """Return rewards of chosen tokens less the mean of their kind, over its deviation; else 0."""
    check_finite(step_rewards, chosen, "step_rewards")
    kinds, r = Segments.of(index), step_rewards.double()[chosen]
    centred, _ = centre(r, kinds, tol)
    scaled = centred / (kinds.std(r, ddof)[kinds.index] + eps)
    return torch.zeros_like(step_rewards, dtype=torch.float64).masked_scatter(chosen, scaled)


def _from_steps(scaled: Tensor, mask: Tensor) -> Tensor:
    """Return at each token the sum of what stands at it and behind it, 0 under the mask."""
    return torch.where(mask, scaled.flip(-1).cumsum(-1).flip(-1), 0.0)


def _discounted(mask: Tensor, delta: Tensor, decay: Number | Tensor) -> Tensor:
    """Return the sum of what is still to come, 0 under the mask."""
    return torch.where(mask, backward_sum(_through(mask, decay), delta), 0.0)


def _through(mask: Tensor, decay: Number | Tensor) -> Tensor:
    """Return the decay at tokens that count, and 1 at those that are stepped over; float64."""
    given = torch.as_tensor(decay, dtype=torch.float64, device=mask.device)
    return torch.where(mask, given, 1.0)
