"""What a recipe may not be, and what differs between two."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields

from rewardkit.errors import ConfigError
from rewardkit.recipes.form import DISTRIBUTIONS, RATIO_FREE, Recipe

WEIGHTS = frozenset(
    {"tis", "mis", "icepop", "sequence_tis", "sequence_mask", "seq_mask_tis", "k3_mask_tis"}
)
"""Corrections that multiply by a ratio; the others keep a sequence as it is or drop it."""
READS_POLICY = frozenset({"gtpo", "grpo_s", "optimal_token_baseline"})
"""Estimators that read more of the old policy than the probabilities of its tokens."""


def validate(recipe: Recipe) -> None:
    """Refuse a recipe that cannot run as it is, naming the field.

    Raises:
        ConfigError: a value is out of range, or one field needs another.

    >>> from rewardkit.recipes import DR_GRPO
    >>> validate(DR_GRPO)
    Traceback (most recent call last):
    ...
    rewardkit.errors.ConfigError: recipe dr_grpo: aggregation "constant" needs `constant`, ...
    """

    def refuse(message: str) -> None:
        raise ConfigError(f"recipe {recipe.name}: {message}")

    if recipe.aggregation == "constant" and recipe.constant is None:
        refuse(
            'aggregation "constant" needs `constant`, the length that every response\'s loss is '
            "divided by (usually the response limit, such as constant = 3072)"
        )
    if recipe.constant is not None and recipe.constant <= 0:
        refuse(f"constant must be positive, found {recipe.constant}")
    if recipe.clip_low < 0 or recipe.clip_high < 0:
        refuse(
            f"clip_low and clip_high are widths >= 0, found {recipe.clip_low}, {recipe.clip_high}"
        )
    if isinstance(recipe.filter_groups, str) and ":" not in recipe.filter_groups:
        refuse(f"filter_groups is true, false or module:name, found {recipe.filter_groups!r}")
    if recipe.kl_in not in ("loss", "reward"):
        refuse(f'kl_in is "loss" or "reward", found {recipe.kl_in!r}')
    if recipe.kl in DISTRIBUTIONS and (recipe.kl_in != "loss" or recipe.kl_weighted):
        refuse(
            f"kl = {recipe.kl!r} is of whole distributions, so it goes into the loss as it is; "
            'take kl_in = "loss" without kl_weighted, or an estimator of drawn tokens such as "k1"'
        )
    if recipe.kl_schedule != "constant" and not recipe.needs_reference:
        refuse("kl_schedule has no effect without a KL; set kl and kl_coef, or leave it out")
    _validate_teacher(recipe, refuse)
    if recipe.kl_coef < 0:
        refuse(f"kl_coef must not be negative, found {recipe.kl_coef}")
    for name in ("entropy_coef", "entropy_step", "entropy_most", "nll_coef"):
        if getattr(recipe, name) < 0:
            refuse(f"{name} must not be negative, found {getattr(recipe, name)}")
    if recipe.critic_warmup < 0:
        refuse(f"critic_warmup is a number of steps, 0 or more, found {recipe.critic_warmup}")
    if recipe.value_clip is not None and recipe.value_clip <= 0:
        refuse(f"value_clip is a width above 0, or none, found {recipe.value_clip}")
    if recipe.entropy_target is not None and recipe.entropy_target <= 0:
        refuse(f"entropy_target is in nats a token, above 0, found {recipe.entropy_target}")
    if recipe.second_moment is not None and recipe.second_moment <= 0:
        refuse(f"second_moment is a mean square above 0, or none, found {recipe.second_moment}")
    _validate_bypass(recipe, refuse)
    if recipe.high_entropy is not None and not 0 < recipe.high_entropy <= 1:
        refuse(f"high_entropy is a share in (0, 1], found {recipe.high_entropy}")
    if recipe.epochs < 1 or recipe.minibatches < 1:
        refuse(
            f"epochs and minibatches are at least 1, found {recipe.epochs}, {recipe.minibatches}"
        )


def _validate_teacher(recipe: Recipe, refuse: Callable[[str], None]) -> None:
    for name, known in (
        ("teacher_is", ("frozen", "policy")),
        ("teacher_sees", ("question", "solution", "feedback")),
    ):
        if getattr(recipe, name) not in known:
            refuse(f"{name} is one of {', '.join(known)}, found {getattr(recipe, name)!r}")
    if recipe.teacher_sees == "question" and recipe.teacher_is == "policy":
        refuse(
            "the policy cannot teach itself what it reads itself; take teacher_sees = "
            '"solution" or "feedback", or teacher_is = "frozen"'
        )
    if recipe.teacher_sees != "question" and not recipe.needs_reference:
        refuse(
            f"teacher_sees = {recipe.teacher_sees!r} has no effect without a KL towards the "
            "teacher; take recipe opsd or sdpo, or set kl and kl_coef"
        )


def _validate_bypass(recipe: Recipe, refuse: Callable[[str], None]) -> None:
    if not recipe.bypass:
        return
    if recipe.correction in WEIGHTS and recipe.surrogate not in RATIO_FREE:
        refuse(
            f"bypass with correction = {recipe.correction!r} counts the ratio to the sampler "
            f"twice, since {recipe.surrogate} has it already; take geometric_mask, k3_mask or none"
        )
    reads = [f"advantage = {recipe.advantage!r}"] if recipe.advantage in READS_POLICY else []
    others = ("high_entropy", "entropy_target", "second_moment")
    reads += [name for name in others if getattr(recipe, name)]
    if reads:
        refuse(
            f"bypass leaves the old policy unscored, and {reads[0]} reads its distribution at "
            "each token; turn bypass off"
        )


def differences(left: Recipe, right: Recipe) -> dict[str, tuple[object, object]]:
    """Return the fields in which two recipes differ, with both values; names and texts aside.

    >>> from dataclasses import replace
    >>> from rewardkit.recipes import DAPO
    >>> differences(DAPO, replace(DAPO, clip_high=0.2))
    {'clip_high': (0.28, 0.2)}
    """
    return {
        f.name: (getattr(left, f.name), getattr(right, f.name))
        for f in fields(Recipe)
        if f.name not in ("name", "paper", "equation")
        and getattr(left, f.name) != getattr(right, f.name)
    }
