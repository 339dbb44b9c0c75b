"""The policy's loss: surrogate + KL, as a recipe names them, over one micro-batch."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from rewardkit.errors import ConfigError, UnknownNameError
from rewardkit.losses.corrections import CORRECTIONS
from rewardkit.losses.divergence import DIVERGENCES
from rewardkit.losses.entropy import high_entropy
from rewardkit.losses.kl import kl
from rewardkit.losses.surrogates import SURROGATES, Surrogate
from rewardkit.losses.tokens import (
    Advantages,
    Mask,
    PerSequence,
    PerToken,
    log_ratio,
    masked,
    per_token,
    upcast,
)
from rewardkit.options import check_finite, check_options, check_own, option_names
from rewardkit.recipes import AUTO, Recipe
from rewardkit.registry import piece


@dataclass(frozen=True)
class LossInputs:
    """One micro-batch of responses, padded to a common width; prompts are not in it."""

    logp: PerToken
    """log π of the sampled tokens, with gradient; float32, float64, bfloat16 or float16."""
    old_logp: PerToken
    """log π_old, of the weights that the batch was sampled with; what the sampler reported, where
    the recipe says `bypass`."""
    advantages: Advantages
    """One a sequence, or one a token."""
    mask: Mask
    """Which tokens count. What lies under it may be anything, NaN included."""
    weights: PerSequence
    """`sequence_weights` over the whole optimiser batch, those of this micro-batch."""
    ref_logp: PerToken | None = None
    """log π_ref, for a KL in the loss."""
    sampler_logp: PerToken | None = None
    """What the sampling engine reported, for a correction."""
    entropies: PerToken | None = None
    """Entropies of the policy: for `high_entropy`, and with their gradient for `entropy_coef`."""
    entropy_threshold: Float[Tensor, ""] | None = None
    """`entropy_threshold` over the whole optimiser batch, for `high_entropy`."""
    entropy_coef: float | Float[Tensor, ""] | None = None
    """The weight of the entropy bonus at this step, where it is adapted; None is the recipe's."""
    nll_weights: PerSequence | None = None
    """For `nll_coef`: one over the tokens of all right responses of the optimiser batch, 0 for
    the others."""
    token_scale: PerToken | None = None
    """Any further factor on the surrogate's loss of each token; no gradient flows into it."""
    divergence: PerToken | None = None
    """`rewardkit.losses.divergence` from the reference, with gradient, where the recipe's KL is one
    of whole distributions."""


@dataclass(frozen=True)
class LossOutput:
    """The loss of a micro-batch, to be summed with those of the others, and what to log.

    Every metric is a sum over this micro-batch's tokens: add them up and divide by "tokens".
    Those that begin with "max_" are maxima instead.
    """

    loss: Float[Tensor, ""]
    """A scalar; its gradient is the micro-batch's share of the step's."""
    metrics: dict[str, Tensor]
    """By name, detached."""


def policy_loss(recipe: Recipe, inputs: LossInputs) -> LossOutput:
    """Return Σ_i w_i Σ_t m_it (surrogate_it · scale_it + β KL_it − c H_it), as a recipe names them.

    With `nll_coef` μ the likelihood of right responses is added, 2504.05118 eq. 10:
    −μ Σ_i v_i Σ_t m_it log π_it, v_i being `nll_weights`.

    Metrics: tokens, ratio, clipped_high, clipped_low, kl_old (k3 estimate of KL(π_old‖π)),
    abs_log_ratio, max_abs_log_ratio, surrogate (before weights), and with a KL in the loss kl;
    with a correction, correction; with high_entropy, kept.

    Raises:
        ConfigError: the recipe needs an input or names an option that is not there.
        DataError: the advantage of a token that counts is NaN or infinite; names its row.
        UnknownNameError: the recipe names a surrogate, KL or correction that is not registered.

    >>> from rewardkit.recipes import DAPO
    >>> logp = torch.tensor([[-1.0, -2.0]], requires_grad=True)
    >>> inputs = LossInputs(logp, logp.detach(), torch.ones(1), torch.ones(1, 2).bool(),
    ...                     weights=torch.tensor([0.5]))
    >>> policy_loss(DAPO, inputs).loss.item()
    -1.0
    """
    a, mask = inputs.advantages, inputs.mask
    check_finite(a, mask if a.dim() == 2 else mask.any(1), "advantages")
    surrogate = _surrogate(recipe, inputs)
    metrics = _metrics(surrogate, inputs.mask)
    losses = surrogate.losses
    scale = _scale(recipe, inputs, metrics)
    if scale is not None:
        losses = torch.where(inputs.mask, losses * scale, 0)
    if recipe.kl is not None and recipe.kl_in == "loss" and recipe.kl_coef != 0:
        divergence = _divergence(recipe, inputs)
        metrics["kl"] = divergence.detach().sum()
        losses = losses + recipe.kl_coef * divergence
    bonus = _entropy_bonus(recipe, inputs)
    if bonus is not None:
        losses = losses - bonus
    loss = losses.sum(-1) @ inputs.weights.to(losses)
    if recipe.nll_coef:
        loss = loss + recipe.nll_coef * _nll(recipe, inputs)
    return LossOutput(loss, metrics)


def _entropy_bonus(recipe: Recipe, inputs: LossInputs) -> Tensor | None:
    coef = recipe.entropy_coef if inputs.entropy_coef is None else inputs.entropy_coef
    if not recipe.entropy_bonus:
        return None
    if inputs.entropies is None:
        raise ConfigError(f"recipe {recipe.name} has an entropy bonus and needs `entropies`")
    return coef * masked(upcast(inputs.entropies), inputs.mask)


def _nll(recipe: Recipe, inputs: LossInputs) -> Tensor:
    if inputs.nll_weights is None:
        raise ConfigError(f"recipe {recipe.name} has nll_coef and needs `nll_weights`")
    logp = masked(upcast(inputs.logp), inputs.mask)
    return -(logp.sum(-1) @ inputs.nll_weights.to(logp))


def _surrogate(recipe: Recipe, inputs: LossInputs) -> Surrogate:
    known = SURROGATES.get(recipe.surrogate)
    function = known or piece("surrogate", recipe.surrogate, SURROGATES)
    options: dict[str, object] = dict(recipe.surrogate_options)
    if "clip_high" in option_names(function):
        options = {"clip_low": recipe.clip_low, "clip_high": recipe.clip_high, **options}
    check_options(f"surrogate {recipe.surrogate}", function, options)
    if recipe.surrogate in SURROGATES:
        return function(inputs.logp, inputs.old_logp, inputs.advantages, inputs.mask, **options)
    logp, old = (masked(upcast(x), inputs.mask) for x in (inputs.logp, inputs.old_logp))
    advantages = per_token(inputs.advantages, inputs.mask, logp).expand_as(logp)
    found: Surrogate | Tensor = function(logp, old, advantages, inputs.mask, **options)
    losses = found.losses if isinstance(found, Surrogate) else found
    shape = tuple(inputs.mask.shape)
    check_own(f"surrogate {recipe.surrogate}", losses, [shape], inputs.mask)
    if isinstance(found, Surrogate):
        return found._replace(losses=masked(losses, inputs.mask))
    moved, nowhere = (logp - old).detach(), torch.zeros_like(inputs.mask)
    return Surrogate(masked(losses, inputs.mask), moved, moved.exp(), nowhere, nowhere)


def _divergence(recipe: Recipe, inputs: LossInputs) -> Tensor:
    if recipe.kl in DIVERGENCES:
        if inputs.divergence is None:
            raise ConfigError(f'recipe {recipe.name} has kl = "{recipe.kl}" and needs `divergence`')
        return masked(upcast(inputs.divergence), inputs.mask)
    if inputs.ref_logp is None:
        raise ConfigError(f'recipe {recipe.name} has kl = "{recipe.kl}" and needs `ref_logp`')
    assert recipe.kl is not None
    divergence = kl(recipe.kl, inputs.logp, inputs.ref_logp, inputs.mask)
    if recipe.kl_weighted:
        # With its gradient: E_old[ρ k3] is KL(π‖π_ref) itself, value and gradient.
        divergence = divergence * log_ratio(inputs.logp, inputs.old_logp, inputs.mask).exp()
    return divergence


def _scale(recipe: Recipe, inputs: LossInputs, metrics: dict[str, Tensor]) -> Tensor | None:
    """Return the product of all factors on the surrogate's tokens, or None when there is none."""
    factors = []
    if recipe.correction not in (None, AUTO):
        if recipe.correction not in CORRECTIONS:
            raise UnknownNameError("correction", recipe.correction, CORRECTIONS)
        if inputs.sampler_logp is None:
            raise ConfigError(
                f'recipe {recipe.name} has correction = "{recipe.correction}" and needs '
                "`sampler_logp`, the log-probabilities that the sampling engine reported"
            )
        function, options = CORRECTIONS[recipe.correction], recipe.correction_options
        check_options(f"correction {recipe.correction}", function, options)
        # With `bypass` the old policy is the sampler: what is left to correct for is the update.
        compared = inputs.logp.detach() if recipe.bypass else inputs.old_logp
        factors.append(function(compared, inputs.sampler_logp, inputs.mask, **options))
        metrics["correction"] = factors[-1].sum()
    if recipe.high_entropy is not None:
        if inputs.entropies is None or inputs.entropy_threshold is None:
            raise ConfigError(
                f"recipe {recipe.name} has high_entropy and needs `entropies` and "
                "`entropy_threshold`, the latter computed over the whole optimiser batch"
            )
        kept = high_entropy(inputs.entropies, inputs.mask, inputs.entropy_threshold)
        factors.append(kept)
        metrics["kept"] = kept.sum()
    if inputs.token_scale is not None:
        factors.append(torch.where(inputs.mask, inputs.token_scale.detach(), 0))
    if not factors:
        return None
    product = factors[0]
    for factor in factors[1:]:
        product = product * factor
    return product


@torch.no_grad()
def _metrics(found: Surrogate, mask: Tensor) -> dict[str, Tensor]:
    size = found.log_ratio.abs()
    lr = found.log_ratio
    return {
        "tokens": mask.sum(),
        "ratio": torch.where(mask, found.ratio, 0).sum(),
        "clipped_high": found.clipped_high.sum(),
        "clipped_low": found.clipped_low.sum(),
        # log-ratios are 0 under the mask, and so is k3 of them
        "kl_old": (lr.expm1() - lr).sum(),
        "abs_log_ratio": size.sum(),
        "max_abs_log_ratio": size.max() if size.numel() else size.sum(),
        "surrogate": found.losses.detach().sum(),
    }
