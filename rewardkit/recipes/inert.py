"""What of a recipe would run without doing anything, said before it runs."""

from __future__ import annotations

from rewardkit.recipes.form import AUTO, DISTRIBUTIONS, RATIO_FREE, Recipe
from rewardkit.recipes.published import RECIPES

CLIPPED = frozenset(
    {"ppo_clip", "gspo", "mean_ratio", "gmpo", "cispo", "dppo_tv", "dppo_kl", "clip_cov"}
)
"""Surrogates that do nothing but the plain policy gradient while the ratio is exactly 1."""

SMOOTH = frozenset({"sapo", "vespo", "topr", "dro"})
"""Surrogates whose weights fade with the ratio instead; at 1 they are that gradient as well."""


def inert_parts(recipe: Recipe, group_size: int | None = None) -> list[str]:
    """Return, one sentence each, the parts of a recipe that will run without any effect.

    >>> from dataclasses import replace
    >>> from rewardkit.recipes import GRPO
    >>> inert_parts(replace(GRPO, kl_coef=0.0))[-1]
    'kl = "k3" has no effect: kl_coef is 0'
    """
    return [
        *_inert_clipping(recipe),
        *_inert_kl(recipe),
        *_inert_signal(recipe, group_size),
        *_inert_filters(recipe),
        *_replaced_terms(recipe),
    ]


def sampler_remark(recipe: Recipe) -> str:
    """Return what is made of it that one engine samples and another trains.

    >>> from rewardkit.recipes import GRPO
    >>> sampler_remark(GRPO.settled(sampled_elsewhere=True))[:40]
    'another engine samples than trains, and '
    """
    told = "another engine samples than trains, and its probabilities are not quite the trainer's: "
    if recipe.bypass and recipe.surrogate not in RATIO_FREE:
        return told + "recipe.bypass takes those of the sampler for the old policy's"
    if recipe.correction is None:
        return told + 'nothing corrects for that (recipe.correction = "tis" would)'
    return told + (
        f'recipe.correction = "{recipe.correction}" corrects for that; "none" turns it off'
    )


def _inert_clipping(recipe: Recipe) -> list[str]:
    found = []
    # With `bypass` the ratio is 1 only as far as sampler and trainer agree.
    one_update = recipe.epochs * recipe.minibatches == 1 and not recipe.bypass
    if one_update and recipe.surrogate in CLIPPED:
        found.append(
            f"clipping ({recipe.surrogate}, {recipe.clip_low:g}/{recipe.clip_high:g}) has no "
            "effect: with one optimiser update a batch (epochs = 1, minibatches = 1"
            f"{_own(recipe)}) the ratio to the old policy is exactly 1"
        )
    if one_update and recipe.surrogate in SMOOTH:
        found.append(
            f"{recipe.surrogate}'s weights have no effect: with one optimiser update a batch "
            "(epochs = 1, minibatches = 1) the ratio to the old policy is exactly 1"
        )
    if one_update and recipe.surrogate == "kl_cov":
        found.append(
            "kl_cov's KL to the old policy is 0 with one optimiser update a batch "
            "(epochs = 1, minibatches = 1), and so is its gradient"
        )
    if recipe.surrogate in RATIO_FREE and (recipe.epochs > 1 or recipe.minibatches > 1):
        found.append(
            f"{recipe.surrogate} does not correct for the policy moving between the "
            f"{recipe.epochs * recipe.minibatches} updates a batch: nothing is clipped"
        )
    if recipe.bypass and recipe.surrogate in RATIO_FREE and recipe.correction in (None, AUTO):
        found.append(
            f"bypass has no effect on the loss: {recipe.surrogate} reads no ratio, and no "
            "correction is named"
        )
    if recipe.kl_weighted and one_update and recipe.kl is not None and recipe.kl_in == "loss":
        found.append(
            "kl_weighted changes only the gradient, not the value: with one optimiser update a "
            "batch the ratio is exactly 1"
        )
    return found


def _own(recipe: Recipe) -> str:
    """Return how many updates a batch the published recipe makes, where there are fewer here."""
    published = RECIPES.get(recipe.name, recipe).minibatches
    return f"; {recipe.name}'s own {published} want a larger batch" if published > 1 else ""


def _inert_kl(recipe: Recipe) -> list[str]:
    found = []
    if recipe.kl is not None and recipe.kl_coef == 0:
        found.append(f'kl = "{recipe.kl}" has no effect: kl_coef is 0')
    if recipe.kl is None and recipe.kl_coef > 0:
        found.append(f"kl_coef = {recipe.kl_coef:g} has no effect: no kl is named")
    if (
        recipe.kl == "k1"
        and recipe.kl_in == "loss"
        and recipe.kl_coef > 0
        and not recipe.kl_weighted
    ):
        found.append(
            'kl = "k1" in the loss pulls nowhere: the expected gradient of log π − log π_ref is 0; '
            'use "k2", "k3", "k1+", or kl_in = "reward"'
        )
    if recipe.kl_options and recipe.kl not in DISTRIBUTIONS:
        found.append(f"kl_options have no effect: kl = {recipe.kl!r} knows none")
    if recipe.kl_weighted and (recipe.kl is None or recipe.kl_in == "reward"):
        found.append("kl_weighted has no effect: there is no KL in the loss")
    if (
        recipe.kl_in == "reward"
        and recipe.kl is not None
        and recipe.kl.endswith("+")
        and recipe.kl_coef > 0
    ):
        found.append(f'the "+" of kl = "{recipe.kl}" has no effect: a reward has no gradient')
    return found


def _inert_signal(recipe: Recipe, group_size: int | None) -> list[str]:
    found = []
    if group_size == 1 and recipe.compares_groups:
        found.append(f"{recipe.advantage} gives every group of one advantage 0: nothing is learnt")
    if group_size == 2 and recipe.advantage == "grpo" and not recipe.shaping:
        found.append(
            "dividing by the deviation has no effect on size: with two samples a mixed group is "
            "always ±0.71"
        )
    if recipe.advantage == "gtpo" and recipe.advantage_options.get("normalize") == "separate":
        found.append(
            'gtpo with normalize = "separate" discards correctness: right and wrong tokens are '
            "centred on 0 apart from each other (eq. 4 as printed), and α₁, α₂ cancel"
        )
    return found


def _inert_filters(recipe: Recipe) -> list[str]:
    found = []
    overlong = [term.name for term in recipe.shaping if "overlong" in term.name and term.weight]
    if recipe.mask_truncated and overlong and not recipe.truncated_in_statistics:
        found.append(
            f"{overlong[0]} never reaches a truncated response: mask_truncated removes it from "
            "the loss and from its group's statistics"
        )
    if not recipe.mask_truncated and not recipe.truncated_in_statistics:
        found.append("truncated_in_statistics has no effect: mask_truncated is off")
    if recipe.entropy_target is not None and not recipe.entropy_step and not recipe.entropy_coef:
        found.append("entropy_target has no effect: entropy_coef and entropy_step are 0")
    if recipe.high_entropy == 1:
        found.append("high_entropy = 1 keeps every token")
    if recipe.correction_options and recipe.correction in (None, AUTO):
        found.append("correction_options have no effect: no correction is named")
    found.extend(
        f"shaping term {term.name} has no effect: its weight is 0"
        for term in recipe.shaping
        if term.weight == 0 and term.name != "correct"
    )
    return found


def _replaced_terms(recipe: Recipe) -> list[str]:
    if recipe.name not in RECIPES:
        return []
    named = {term.name for term in recipe.shaping}
    return [
        f"{recipe.name}'s own shaping term {term.name} is not in the reward: recipe.shaping "
        "replaces all terms of the recipe; name it there too to keep it"
        for term in RECIPES[recipe.name].shaping
        if term.name not in named
    ]
