"""What a recipe is: the names of an algorithm's pieces, and their constants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from rewardkit.errors import ConfigError

AUTO = "auto"
"""Of a correction: decided by what samples, see `Recipe.settled`."""
RATIO_FREE = frozenset({"policy_gradient"})
"""Surrogates that read no ratio to the sampling policy, hence know no clipping."""
DISTRIBUTIONS = frozenset({"reverse_kl", "forward_kl", "jsd"})
"""Values of `kl` that compare whole distributions, and not drawn tokens alone."""
Value = float | int | str | bool
"""What an option can be: anything that TOML can write in one place."""


@dataclass(frozen=True)
class Term:
    """One named component of the reward, summed with its weight."""

    name: str
    """A component of `rewardkit.shaping`."""
    weight: float = 1.0
    """What its value is multiplied by before it is added to the reward."""
    options: Mapping[str, Value] = field(default_factory=dict)
    """Its keyword options."""


@dataclass(frozen=True)
class Recipe:
    """One algorithm of the family, as the names and constants of its pieces.

    >>> from rewardkit.recipes import recipe
    >>> dapo = recipe("dapo")
    >>> (dapo.clip_low, dapo.clip_high, dapo.aggregation)
    (0.2, 0.28, 'token-mean')
    >>> from dataclasses import replace
    >>> replace(dapo, clip_high=0.3).clip_high
    0.3
    """

    name: str
    """The recipe to begin from, such as "dapo" or "grpo": `rewardkit recipes` lists all. What a
    file says beside it replaces that recipe's own; the defaults shown for other fields are those
    of a recipe that leaves them open."""
    paper: str = ""
    """Where it is published, and where its constants come from."""
    equation: str = ""
    """The objective in one line."""
    advantage: str = "grpo"
    """An estimator of `rewardkit.advantages.ESTIMATORS`, or `module:name`."""
    advantage_options: Mapping[str, Value] = field(default_factory=dict)
    """Keyword options of that estimator."""
    surrogate: str = "ppo_clip"
    """A surrogate of `rewardkit.losses.SURROGATES`, or `module:name`."""
    clip_low: float = 0.2
    """How far below 1 the ratio may go (ε_low)."""
    clip_high: float = 0.2
    """How far above 1 the ratio may go (ε_high)."""
    surrogate_options: Mapping[str, Value] = field(default_factory=dict)
    """Further keyword options of the surrogate, such as `dual_clip`."""
    aggregation: str = "token-mean"
    """How token losses become one number: a name of `rewardkit.losses.AGGREGATIONS`, or
    `module:name`."""
    constant: int | None = None
    """The constant length that `aggregation="constant"` divides by; required there."""
    kl: str | None = None
    """A KL estimator of `rewardkit.losses.KL_ESTIMATORS` towards the reference or teacher; in the
    loss also a divergence over the whole vocabulary, of `rewardkit.losses.DIVERGENCES`; or none."""
    kl_options: Mapping[str, Value] = field(default_factory=dict)
    """Options of that divergence: `beta`, `top` and `tail` of `rewardkit.losses.divergence`."""
    kl_coef: float = 0.0
    """The weight β of that KL."""
    kl_schedule: Literal["constant", "linear", "cosine"] = "constant"
    """How that weight goes over the steps of a run: as it is, or falling to 0."""
    kl_in: str = "loss"
    """"loss" adds β·KL to the loss, "reward" subtracts it from the reward."""
    kl_weighted: bool = False
    """Multiply the KL in the loss by the importance ratio π/π_old (DeepSeek-V3.2)."""
    teacher_is: str = "frozen"
    """Whom that KL is towards: "frozen", `model.teacher` or else the policy that the run starts
    from; "policy", the policy as it is at each step."""
    teacher_sees: str = "question"
    """What it reads before the response: "question", as the policy; its "solution" too
    (2601.18734); or "feedback": a right response of the group and the verdict's reason
    (2601.20802). A response without any is not learned from."""
    correction: str | None = AUTO
    """Weights between sampler and trainer, of `rewardkit.losses.CORRECTIONS`, or none; `auto` is
    `tis` where another engine samples than the one that trains (vLLM, SGLang), and else none."""
    correction_options: Mapping[str, Value] = field(default_factory=dict)
    """Keyword options of that correction, such as its cap."""
    bypass: bool = False
    """The probabilities that the sampler reported stand for the old policy's: ratios are to what
    sampled, whatever engine that was, and no pass scores the old policy (verl's bypass mode). A
    correction then compares the policy as it is with the sampler."""
    second_moment: float | None = None
    """The largest mean of (log π_old/π_sampler)² over the tokens of an update: those furthest off
    give no gradient until it is no more (M2PO)."""
    high_entropy: float | None = None
    """The share of tokens, highest entropy first, that the surrogate learns from (80/20 rule)."""
    entropy_coef: float = 0.0
    """The weight of the policy's entropy, which the loss is lowered by; with `entropy_target` its
    first value."""
    entropy_target: float | None = None
    """In nats a token: the bonus is there only while the entropy is not above this, and its weight
    grows by `entropy_step` a batch while it is there and shrinks by it otherwise (Skywork-OR1)."""
    entropy_step: float = 0.005
    """By how much the weight moves."""
    entropy_most: float = 1.0
    """The weight stays from 0 to this."""
    nll_coef: float = 0.0
    """The weight μ of the negative log-likelihood of right responses, by token (VAPO)."""
    shaping: tuple[Term, ...] = ()
    """Components added to the reward for being correct; a list that is given replaces all of the
    recipe's own."""
    mask_truncated: bool = False
    """Overlong filtering: responses cut by the limit add nothing to the loss."""
    truncated_in_statistics: bool = True
    """Whether those masked responses still count in their group's mean and deviation."""
    filter_groups: bool | str = False
    """Dynamic sampling: train only on groups whose outcomes are mixed, and refill the batch;
    `module:name` says by a function of a group's verdicts which are kept."""
    value_clip: float | None = 0.2
    """How far a critic's value may go from the one before the batch, in its loss; none is free."""
    critic_warmup: int = 0
    """In so many batches at first the critic learns alone (VAPO's value pretraining)."""
    epochs: int = 1
    """Passes over a batch (μ)."""
    minibatches: int = 1
    """Optimiser updates in each pass."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "shaping", tuple(map(_term, self.shaping)))

    def settled(self, *, sampled_elsewhere: bool) -> Recipe:
        """Return the recipe with its correction decided.

        >>> Recipe("mine").settled(sampled_elsewhere=True).correction
        'tis'
        """
        if self.correction != AUTO:
            return self
        # With `bypass` the surrogate's ratio is the one to the sampler already, if it has one.
        corrected = self.bypass and self.surrogate not in RATIO_FREE
        return replace(self, correction="tis" if sampled_elsewhere and not corrected else None)

    @property
    def needs_reference(self) -> bool:
        """Whether a KL towards the reference policy has any weight."""
        return self.kl is not None and self.kl_coef > 0

    @property
    def copies_reference(self) -> bool:
        """Whether that reference is a model of its own, beside the one that is trained."""
        return self.needs_reference and self.teacher_is == "frozen"

    @property
    def kl_in_loss(self) -> bool:
        """Whether the KL moves the weights even where every advantage is 0."""
        return self.needs_reference and self.kl_in == "loss"

    @property
    def compares_distributions(self) -> bool:
        """Whether that KL is over the whole vocabulary, and not of drawn tokens."""
        return self.needs_reference and self.kl in DISTRIBUTIONS

    @property
    def needs_critic(self) -> bool:
        """Whether the estimator reads a learned value of each state."""
        return self.advantage == "gae"

    @property
    def reads_steps(self) -> bool:
        """Whether the estimator reads what each step of a response is worth."""
        return self.advantage in ("grpo_process", "mt_grpo")

    @property
    def distils(self) -> bool:
        """Whether the reference is a teacher, which each token is compared with."""
        return self.advantage == "distillation"

    @property
    def compares_groups(self) -> bool:
        """Whether a response is measured against those to the same prompt, and not all others."""
        return self.advantage not in ("gae", "reinforce_pp", "remax", "distillation", "prpo")

    @property
    def entropy_bonus(self) -> bool:
        """Whether the policy's entropy is in the loss, or may come into it."""
        return self.entropy_coef > 0 or self.entropy_target is not None

    @property
    def pulls_everywhere(self) -> bool:
        """Whether some term of the loss moves the weights even where every advantage is 0."""
        return self.kl_in_loss or self.entropy_bonus

    @property
    def kl_in_reward(self) -> bool:
        """Whether the KL is taken off the reward of each token."""
        return self.needs_reference and self.kl_in == "reward"


def _term(given: Any) -> Term:
    """Return a term of a recipe, which may be written as the table that a file has."""
    if isinstance(given, Term):
        return given
    try:
        return Term(**given)
    except TypeError as error:
        raise ConfigError(
            f"shaping holds {given!r:.80}, no term; expected tables such as "
            '[{"name": "soft_overlong", "weight": 0.5, "options": {"cache": 512}}]'
        ) from error
