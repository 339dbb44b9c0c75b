"""One door to all estimators: a name, the inputs there are, and options."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields, replace

from jaxtyping import Bool, Float, Int
from torch import Tensor

from rewardkit.advantages import entropy, outcome, returns, token_baseline
from rewardkit.advantages.distillation import distillation
from rewardkit.advantages.groups import Number
from rewardkit.advantages.target import tpo
from rewardkit.errors import ConfigError
from rewardkit.options import check_finite, check_options, check_own
from rewardkit.registry import piece


@dataclass(frozen=True)
class AdvantageInputs:
    """A whole batch: every estimator reads what it needs of it."""

    rewards: Float[Tensor, " B"]
    """Shaped rewards, one a sequence."""
    groups: Int[Tensor, " B"]
    """Any ids, equal for samples of one prompt."""
    mask: Bool[Tensor, "B T"]
    """Which tokens count."""
    correct: Bool[Tensor, " B"] | None = None
    """Outcomes."""
    entropies: Float[Tensor, "B T"] | None = None
    """Entropies of the sampling policy, in nats."""
    values: Float[Tensor, "B T"] | None = None
    """The value function at each token."""
    token_rewards: Float[Tensor, "B T"] | None = None
    """Rewards of tokens on top of the outcome's, such as −β KL (`rewardkit.losses.kl_reward`)."""
    step_rewards: Float[Tensor, "B T"] | None = None
    """Process rewards, at the last token of each step."""
    step_ends: Bool[Tensor, "B T"] | None = None
    """Which tokens end a step."""
    greedy_rewards: Float[Tensor, " B"] | None = None
    """The reward of the greedy response to the same prompt."""
    old_logp: Float[Tensor, "B T"] | None = None
    """log π of each token under the sampling policy."""
    sum_pi_squared: Float[Tensor, "B T"] | None = None
    """Σ π² over the vocabulary at each token, of the sampling policy."""
    components: Float[Tensor, "B K"] | None = None
    """Several rewards a sequence, not summed."""
    counted: Bool[Tensor, " B"] | None = None
    """Which sequences count in the statistics; the others get 0. None is all of them."""


def _gae(
    rewards: Tensor,
    values: Tensor,
    mask: Tensor,
    token_rewards: Tensor | None = None,
    *,
    gamma: Number = 1.0,
    lam: Number = 0.95,
    alpha: Number | None = None,
    lam_returns: Number | None = None,
    whitened: bool = True,
    compat: str | None = None,
) -> Tensor:
    """Return the advantages of `gae` alone."""
    return returns.gae(
        rewards, values, mask, token_rewards,
        gamma=gamma, lam=lam, alpha=alpha, lam_returns=lam_returns,
        whitened=whitened, compat=compat,
    ).advantages  # fmt: skip


ESTIMATORS: dict[str, Callable[..., Tensor]] = {
    "grpo": outcome.grpo,
    "grpo_process": returns.grpo_process,
    "mt_grpo": returns.mt_grpo,
    "dr_grpo": outcome.dr_grpo,
    "rloo": outcome.rloo,
    "prpo": outcome.prpo,
    "tpo": tpo,
    "reinforce_pp": returns.reinforce_pp,
    "reinforce_pp_baseline": returns.reinforce_pp_baseline,
    "remax": returns.remax,
    "opo": outcome.opo,
    "gpg": outcome.gpg,
    "maxrl": outcome.maxrl,
    "pass_at_k": outcome.pass_at_k,
    "pass_at_k_training": outcome.pass_at_k_training,
    "gdpo": outcome.gdpo,
    "gtpo": entropy.gtpo,
    "grpo_s": entropy.grpo_s,
    "optimal_token_baseline": token_baseline.optimal_token_baseline,
    "distillation": distillation,
    "gae": _gae,
}
"""Names -> functions; their positional parameters are fields of `AdvantageInputs`, and so are those
of one that `module:name` names, which returns a tensor [B] or [B, T]."""


def required_inputs(name: str) -> frozenset[str]:
    """Return which fields of `AdvantageInputs` an estimator cannot do without.

    Raises:
        UnknownNameError: no such estimator.

    >>> sorted(required_inputs("grpo_s"))
    ['correct', 'entropies', 'groups', 'mask', 'rewards']
    """
    return frozenset(p.name for p in _read(_function(name)) if p.default is p.empty)


def _function(name: str) -> Callable[..., Tensor]:
    """Return an estimator; one of a user's own reads fields of `AdvantageInputs`, too."""
    if name in ESTIMATORS:
        return ESTIMATORS[name]
    found = piece("advantage", name, ESTIMATORS)
    fed = [f.name for f in fields(AdvantageInputs)]
    if unfed := {p.name for p in _read(found)} - set(fed):
        raise ConfigError(
            f"advantage {name} reads {', '.join(sorted(unfed))}, and there is {', '.join(fed)}; "
            "options come after a *"
        )
    return found


def _read(function: Callable[..., Tensor]) -> list[inspect.Parameter]:
    parameters = inspect.signature(function).parameters.values()
    return [p for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]


def estimate(
    name: str, inputs: AdvantageInputs, **options: object
) -> Float[Tensor, " B"] | Float[Tensor, "B T"]:
    """Return the advantages of a batch by the estimator of that name, float64, [B] or [B, T].

    An estimator that knows one reward a sequence gets `token_rewards` summed into it.

    Raises:
        UnknownNameError: no such estimator; lists the known ones.
        ConfigError: an input that the estimator needs is missing, or an option is unknown.
        DataError: a reward that counts is NaN or infinite; names its row.

    >>> import torch
    >>> inputs = AdvantageInputs(
    ...     rewards=torch.tensor([1.0, 0.0]),
    ...     groups=torch.tensor([0, 0]),
    ...     mask=torch.ones(2, 3, dtype=torch.bool),
    ... )
    >>> estimate("dr_grpo", inputs).tolist()
    [0.5, -0.5]
    """
    function = _function(name)
    check_options(f"advantage {name}", function, options)
    wanted = _read(function)
    for parameter in wanted:
        if parameter.default is parameter.empty and getattr(inputs, parameter.name) is None:
            raise ConfigError(
                f"advantage {name} needs `{parameter.name}` in its inputs, and it is missing"
            )
    check_finite(inputs.rewards, inputs.counted)
    if inputs.token_rewards is not None and "token_rewards" not in [p.name for p in wanted]:
        inputs = replace(inputs, rewards=_summed(inputs.rewards, inputs.token_rewards, inputs.mask))
    if inputs.counted is None:
        return _call(name, inputs, wanted, options)
    kept = inputs.counted
    found = _call(name, _rows(inputs, kept), wanted, options)
    full = found.new_zeros(len(kept), *found.shape[1:])
    full[kept] = found
    return full


def _call(
    name: str, inputs: AdvantageInputs, wanted: list[inspect.Parameter], options: dict[str, object]
) -> Tensor:
    found = _function(name)(*(getattr(inputs, p.name) for p in wanted), **options)
    if name not in ESTIMATORS:
        shape = tuple(inputs.mask.shape)
        check_own(f"advantage {name}", found, [shape[:1], shape], inputs.mask)
        found = found.detach().double()
    return found


def _summed(rewards: Tensor, token_rewards: Tensor, mask: Tensor) -> Tensor:
    return rewards.double() + returns.masked_rewards(token_rewards, mask).sum(-1)


def _rows(inputs: AdvantageInputs, kept: Tensor) -> AdvantageInputs:
    given = {f.name: getattr(inputs, f.name) for f in fields(inputs)}
    return replace(inputs, **{k: v[kept] for k, v in given.items() if v is not None})
