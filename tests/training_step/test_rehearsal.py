"""A mistake in a recipe is found before a model is loaded."""

from dataclasses import replace

import pytest
import torch

from rewardkit.errors import ConfigError, UnknownNameError
from rewardkit.recipes import DR_GRPO, GRPO, RECIPES, Term
from rewardkit.training_step.rehearsal import rehearse


@pytest.mark.parametrize("name", sorted(set(RECIPES) - {"dr_grpo"}))
@pytest.mark.parametrize("group_size", [1, 2, 16])
def test_every_recipe_is_accepted_and_no_draw_of_the_run_is_used_up(name, group_size, refusal):
    before = torch.get_rng_state()
    assert refusal(rehearse, RECIPES[name], limit=64, group_size=group_size) is None
    assert torch.equal(torch.get_rng_state(), before)


def test_dr_grpo_is_accepted_with_its_constant(refusal):
    assert refusal(rehearse, replace(DR_GRPO, constant=64), limit=64, group_size=4) is None
    with pytest.raises(ConfigError, match="constant"):
        rehearse(DR_GRPO, limit=64, group_size=4)


@pytest.mark.parametrize(
    ("changes", "kind", "message"),
    [
        ({"advantage": "grpoo"}, UnknownNameError, "did you mean grpo"),
        ({"advantage_options": {"epss": 1.0}}, ConfigError, "did you mean eps"),
        ({"advantage_options": {"compat": "veRL"}}, UnknownNameError, "verl"),
        ({"surrogate": "gpso"}, UnknownNameError, "did you mean gspo"),
        ({"surrogate_options": {"dual_clip": 0.5}}, ConfigError, "above 1"),
        ({"aggregation": "token_mean"}, UnknownNameError, "did you mean token-mean"),
        ({"kl": "k5"}, UnknownNameError, "k3"),
        ({"correction": "tiss"}, UnknownNameError, "did you mean tis"),
        ({"correction": "tis", "correction_options": {"low": 1.0}}, ConfigError, "cap"),
        ({"shaping": (Term("soft_overlogn"),)}, UnknownNameError, "did you mean soft_overlong"),
        ({"shaping": (Term("soft_overlong", 1.0, {"cache": 65}),)}, ConfigError, "65"),
        ({"shaping": (Term("group_overlong"),)}, ConfigError, "`easy`"),
        (
            {"advantage": "pass_at_k_training", "advantage_options": {"k": 9}},
            ConfigError,
            r"1\.\.8",
        ),
        ({"clip_low": -1.0}, ConfigError, "clip_low"),
    ],
)
def test_a_mistake_is_named(changes, kind, message):
    with pytest.raises(kind, match=message):
        rehearse(replace(GRPO, **changes), limit=64, group_size=8)
