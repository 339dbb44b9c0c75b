"""Recipes: the papers' constants, what differs, what is refused, and what is said to be inert."""

import subprocess
import sys
from dataclasses import FrozenInstanceError, fields, replace
from functools import partial

import pytest

from rewardkit.advantages import ESTIMATORS, required_inputs
from rewardkit.errors import ConfigError, UnknownNameError
from rewardkit.losses import AGGREGATIONS, DIVERGENCES, KL_ESTIMATORS, SURROGATES
from rewardkit.pages.console import Console
from rewardkit.recipes import (
    CLIPPED,
    DAPO,
    DR_GRPO,
    GRPO,
    RATIO_FREE,
    READS_POLICY,
    RECIPES,
    SMOOTH,
    WEIGHTS,
    Term,
    differences,
    inert_parts,
    recipe,
    sampler_remark,
    validate,
)
from rewardkit.shaping import TERMS

NAMES = {
    "ppo", "grpo", "grpo_process", "mt_grpo", "dapo", "dr_grpo", "gtpo", "grpo_s", "rloo", "reinforce_pp",
    "gspo", "cispo", "maxrl", "lite_ppo", "scale_rl", "reinforce_pp_baseline", "sapo", "dppo", "gmpo", "luspo",
    "vespo", "topr", "mini_rl", "vapo", "skywork_or1", "polaris", "opd", "opd_dapo",
    "rloo_n", "tpo", "prpo", "prime_rl", "decoupled_ppo", "m2po",
    "gkd", "opsd", "sdpo",
}  # fmt: skip


def test_every_recipe_is_there_and_names_only_what_exists():
    assert set(RECIPES) == NAMES
    for name, found in RECIPES.items():
        assert found.name == name
        assert found.advantage in ESTIMATORS
        assert found.surrogate in SURROGATES
        assert found.aggregation in AGGREGATIONS
        assert found.kl is None or found.kl in {**KL_ESTIMATORS, **DIVERGENCES}
        assert all(term.name in TERMS for term in found.shaping)
        assert found.paper
        assert found.equation


@pytest.mark.parametrize("name", sorted(NAMES - {"dr_grpo"}))
def test_every_recipe_is_accepted_as_it_is(name, refusal):
    assert refusal(validate, RECIPES[name]) is None


@pytest.mark.parametrize(
    ("name", "constants"),
    [
        ("grpo", {"kl": "k3", "kl_coef": 0.04, "aggregation": "seq-mean-token-mean", "epochs": 1}),
        ("dapo", {"clip_low": 0.2, "clip_high": 0.28, "kl": None, "filter_groups": True}),
        ("dapo", {"aggregation": "token-mean", "minibatches": 16}),
        ("dr_grpo", {"aggregation": "constant", "advantage": "dr_grpo", "kl": None}),
        ("gspo", {"clip_low": 3e-4, "clip_high": 4e-4, "minibatches": 4}),
        ("gtpo", {"advantage": "gtpo", "aggregation": "token-mean"}),
        ("lite_ppo", {"advantage_options": {"scale": "batch"}, "aggregation": "token-mean"}),
        ("scale_rl", {"surrogate": "cispo", "aggregation": "prompt-mean", "clip_high": 4.0}),
        ("gmpo", {"surrogate": "gmpo", "clip_low": 0.4, "clip_high": 0.4}),
        ("luspo", {"surrogate_options": {"mean": "geo"}, "aggregation": "seq-mean-token-sum"}),
        ("dppo", {"surrogate": "dppo_tv", "clip_low": 0.15, "clip_high": 0.15}),
        ("mini_rl", {"clip_low": 0.2, "clip_high": 0.27, "aggregation": "seq-mean-token-sum"}),
        ("mini_rl", {"correction": "tis", "correction_options": {"cap": 5.0}}),
        ("vapo", {"clip_high": 0.28, "nll_coef": 0.1, "critic_warmup": 50, "minibatches": 16}),
        ("skywork_or1", {"entropy_target": 0.2, "kl": None, "filter_groups": True}),
        ("polaris", {"clip_high": 0.28, "kl": None, "filter_groups": True}),
        ("opd", {"advantage": "distillation", "kl": "k1", "kl_in": "reward", "kl_coef": 1.0}),
        ("sapo", {"surrogate": "sapo", "aggregation": "seq-mean-token-mean"}),
        ("prime_rl", {"surrogate_options": {"cap": 1e9, "kl_tau": 1e-3}, "clip_high": 0.2}),
        ("decoupled_ppo", {"correction": "mis", "correction_options": {"cap": 5.0}}),
        ("topr", {"surrogate": "topr", "aggregation": "seq-mean-token-sum"}),
        ("reinforce_pp_baseline", {"kl": "k2", "kl_coef": 0.01, "kl_in": "loss"}),
        ("ppo", {"kl_in": "reward", "surrogate": "ppo_clip", "clip_high": 0.2}),
    ],
)
def test_the_papers_constants(name, constants):
    assert {key: getattr(RECIPES[name], key) for key in constants} == constants


def test_dapos_cache_is_a_fifth_of_the_limit():
    (term,) = DAPO.shaping
    assert term == Term("soft_overlong", 1.0, {"cache_share": 4096 / 20480})


@pytest.mark.parametrize(
    ("correction", "elsewhere", "expected"),
    [
        ("auto", True, "tis"),
        ("auto", False, None),
        (None, True, None),
        ("icepop", True, "icepop"),
        ("icepop", False, "icepop"),
    ],
)
def test_what_another_engine_samples_is_corrected_for_unless_told(correction, elsewhere, expected):
    found = replace(GRPO, correction=correction).settled(sampled_elsewhere=elsewhere)
    assert found.correction == expected
    if elsewhere:
        assert (expected or "nothing corrects") in sampler_remark(found)


@pytest.mark.parametrize(
    ("surrogate", "expected"), [("ppo_clip", None), ("dro", None), ("policy_gradient", "tis")]
)
def test_past_the_trainer_s_scores_the_ratio_corrects_where_there_is_one(surrogate, expected):
    found = replace(GRPO, bypass=True, surrogate=surrogate).settled(sampled_elsewhere=True)
    assert found.correction == expected
    validate(found)
    assert ("recipe.bypass" if expected is None else "tis") in sampler_remark(found)
    # and what is clipped is not said to be nothing: the ratio is not 1 at the first update
    assert not any("no effect: with one optimiser" in said for said in inert_parts(found))


@pytest.mark.parametrize("correction", ["geometric_mask", "k3_mask", None])
def test_rejection_goes_with_any_surrogate_past_the_trainer_s_scores(correction, refusal):
    assert refusal(validate, replace(GRPO, bypass=True, correction=correction)) is None


def test_which_estimators_and_corrections_bypass_does_not_go_with():
    import torch

    from rewardkit.losses import CORRECTIONS

    tokens = {"entropies", "sum_pi_squared"}
    assert {n for n in ESTIMATORS if required_inputs(n) & tokens} == READS_POLICY
    old, sampler, mask = torch.tensor([[-1.0]]), torch.tensor([[-1.0005]]), torch.ones(1, 1).bool()
    weighs = {n for n, f in CORRECTIONS.items() if f(old, sampler, mask).item() != 1}
    assert weighs == WEIGHTS


def test_recipes_leave_the_correction_to_what_samples_but_one_that_is_made_of_it():
    assert [one.name for one in RECIPES.values() if one.correction != "auto"] == [
        "mini_rl", "decoupled_ppo", "m2po"
    ]  # fmt: skip


def test_recipes_are_frozen_and_overridable():
    with pytest.raises(FrozenInstanceError):
        DAPO.clip_high = 0.3
    assert replace(DAPO, clip_high=0.3).clip_high == 0.3
    assert DAPO.clip_high == 0.28


def test_options_belong_to_the_pieces_they_are_given_to():
    import inspect

    for found in RECIPES.values():
        pieces = [
            (ESTIMATORS[found.advantage], found.advantage_options),
            (SURROGATES[found.surrogate], found.surrogate_options),
            *[(TERMS[term.name].function, term.options) for term in found.shaping],
        ]
        for function, options in pieces:
            assert set(options) <= set(inspect.signature(function).parameters)


def test_differences():
    assert differences(GRPO, GRPO) == {}
    assert set(differences(DAPO, GRPO)) == {
        "clip_high", "aggregation", "kl", "kl_coef", "shaping", "filter_groups", "minibatches",
    }  # fmt: skip
    assert differences(DR_GRPO, GRPO)["advantage"] == ("dr_grpo", "grpo")


@pytest.mark.parametrize(
    ("changes", "reference", "in_loss", "in_reward"),
    [
        ({"kl": "k3", "kl_coef": 0.1, "kl_in": "loss"}, True, True, False),
        ({"kl": "k1", "kl_coef": 0.1, "kl_in": "reward"}, True, False, True),
        ({"kl": "k3", "kl_coef": 0.0, "kl_in": "loss"}, False, False, False),
        ({"kl": None, "kl_coef": 0.1, "kl_in": "reward"}, False, False, False),
    ],
)
def test_a_kl_counts_where_it_has_a_name_and_a_weight(changes, reference, in_loss, in_reward):
    found = replace(GRPO, **changes)
    assert (found.needs_reference, found.kl_in_loss, found.kl_in_reward) == (
        reference,
        in_loss,
        in_reward,
    )


def test_unknown_recipe():
    with pytest.raises(UnknownNameError, match="did you mean dapo"):
        recipe("dapoo")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"aggregation": "constant"}, "constant"),
        ({"aggregation": "constant", "constant": 0}, "positive"),
        ({"clip_low": -0.1}, "clip_low"),
        ({"kl_in": "both"}, "kl_in"),
        ({"kl_coef": -1.0}, "kl_coef"),
        ({"high_entropy": 0.0}, "high_entropy"),
        ({"epochs": 0}, "epochs"),
        ({"minibatches": 0}, "minibatches"),
        ({"kl": "jsd", "kl_in": "reward"}, "whole distributions"),
        ({"kl": "jsd", "kl_weighted": True}, "whole distributions"),
        ({"teacher_sees": "all"}, "question, solution, feedback"),
        ({"teacher_is": "policy"}, "cannot teach itself"),
        ({"teacher_sees": "solution", "kl": None}, "without a KL"),
        ({"bypass": True, "correction": "tis"}, "counts the ratio to the sampler twice"),
        ({"bypass": True, "surrogate": "cispo", "correction": "icepop"}, "twice"),
        ({"bypass": True, "advantage": "gtpo"}, "reads its distribution"),
        ({"bypass": True, "high_entropy": 0.2}, "high_entropy reads"),
        ({"bypass": True, "entropy_target": 0.2}, "entropy_target reads"),
    ],
)
def test_what_cannot_run_is_refused(changes, message):
    with pytest.raises(ConfigError, match=message):
        validate(replace(GRPO, **changes))


@pytest.mark.parametrize(
    ("changes", "group_size", "said"),
    [
        ({"minibatches": 1}, None, "clipping (ppo_clip, 0.2/0.2) has no effect"),
        ({"surrogate": "gspo"}, None, "clipping (gspo"),
        ({"surrogate": "kl_cov"}, None, "kl_cov's KL to the old policy is 0"),
        ({"surrogate": "policy_gradient", "epochs": 2}, None, "does not correct"),
        ({"kl_coef": 0.0}, None, "kl_coef is 0"),
        ({"kl": None}, None, "no kl is named"),
        ({"kl": "k1"}, None, "pulls nowhere"),
        ({"kl": "k3+", "kl_in": "reward"}, None, "a reward has no gradient"),
        ({"kl_weighted": True}, None, "changes only the gradient"),
        ({"kl_weighted": True, "kl": None, "kl_coef": 0.0}, None, "no KL in the loss"),
        ({}, 1, "advantage 0"),
        ({}, 2, "±0.71"),
        ({"advantage": "gtpo", "advantage_options": {"normalize": "separate"}}, None, "discards"),
        ({"truncated_in_statistics": False}, None, "mask_truncated is off"),
        ({"high_entropy": 1.0}, None, "keeps every token"),
        ({"correction_options": {"cap": 2.0}}, None, "no correction is named"),
        ({"bypass": True, "surrogate": "policy_gradient"}, None, "bypass has no effect"),
        ({"shaping": (Term("format", 0.0),)}, None, "its weight is 0"),
        (
            {
                "shaping": (Term("soft_overlong"),),
                "mask_truncated": True,
                "truncated_in_statistics": False,
            },
            None,
            "never reaches a truncated response",
        ),
    ],
)
def test_what_is_inert_is_said(changes, group_size, said):
    changed = replace(GRPO, **changes)
    found = inert_parts(changed, group_size)
    assert sum(said in sentence for sentence in found) == 1
    assert said not in " ".join(inert_parts(replace(GRPO, minibatches=4), 16))


def test_nothing_is_said_of_recipes_that_use_all_their_parts():
    for name in ("dapo", "gspo", "cispo", "ppo", "rloo"):
        assert inert_parts(RECIPES[name], 16) == []


def test_a_term_of_the_recipe_that_a_list_of_ones_own_replaces_is_named():
    own = Term("mine:shorter", 0.1)
    [said] = inert_parts(replace(RECIPES["dapo"], shaping=(own,)), 16)
    assert said.startswith("dapo's own shaping term soft_overlong is not in the reward")
    kept = replace(RECIPES["dapo"], shaping=(own, Term("soft_overlong", 0.5)))
    assert inert_parts(kept, 16) == []
    assert inert_parts(replace(kept, name="mine", shaping=(own,)), 16) == []


def test_which_surrogates_are_inert_at_one_update_is_what_the_losses_do():
    assert RATIO_FREE | CLIPPED | SMOOTH | {"kl_cov"} == set(SURROGATES)


def test_a_recipe_is_plain_data():
    for found in RECIPES.values():
        for f in fields(found):
            value = getattr(found, f.name)
            assert value is None or isinstance(value, str | int | float | bool | tuple | dict)


def test_recipes_and_shaping_load_no_torch():
    code = "import sys, rewardkit.recipes, rewardkit.shaping; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.fixture
def cli(capsys):
    from rewardkit.cli import main

    def run(*arguments):
        main(["recipes", *arguments])
        return capsys.readouterr().out

    return run


def test_the_list_has_a_line_for_every_recipe_and_show_its_equation(cli, monkeypatch):
    lines = cli().splitlines()
    assert [line.split()[0] for line in lines[:-1]] == list(RECIPES)
    assert "grpo, ppo_clip 0.2/0.28, token-mean: 2503.14476 eq. 8-13" in " ".join(lines)
    monkeypatch.setattr("rewardkit.cli.recipes.Console", partial(Console, width=300))
    assert "[min(ρA, clip(ρ, 1±ε)A) − β k3]" in cli("show", "grpo")  # brackets are text
    assert cli("grpo") == cli("show", "grpo")


def test_diff_shows_what_differs_and_nothing_else(cli):
    shown = cli("diff", "dapo", "grpo")
    assert "clip_high" in shown
    assert "0.28" in shown
    assert "clip_low" not in shown


def test_diff_of_a_recipe_with_itself_says_so(cli):
    assert "do not differ" in cli("diff", "dapo", "dapo")


@pytest.mark.parametrize("shaping", [[{"weight": 1.0}], "format", [{"name": "format", "x": 1}]])
def test_shaping_that_is_no_term_says_how_one_is_written(shaping):
    with pytest.raises(ConfigError, match=r'no term; expected tables such as \[\{"name"'):
        replace(RECIPES["grpo"], shaping=shaping)


def test_show_says_what_is_inert(cli):
    assert "has no effect" in cli("show", "grpo")


def test_wrong_usage_is_one_line(cli, capsys):
    for arguments in (("diff", "dapo"), ("show", "nope"), ("list", "x")):
        with pytest.raises(SystemExit) as stopped:
            cli(*arguments)
        assert stopped.value.code == 2
        assert "error:" in capsys.readouterr().err
