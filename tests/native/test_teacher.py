"""Learning from a teacher: on-policy distillation on the tiny model."""

import pytest
import torch
from safetensors.torch import load_file
from transformers import AutoTokenizer

from rewardkit.errors import ConfigError
from rewardkit.runs import RunFolder
from rewardkit_native.loop import train

RECIPES = "opd", "gkd"
OF_ITSELF = "opsd", "sdpo"


def distilled(configure, teacher, *further, recipe="opd"):
    named = [] if recipe in OF_ITSELF else [f"model.teacher={teacher}"]
    return configure(*named, *further, recipe={"name": recipe})


@pytest.mark.parametrize(("recipe", "rate"), [("opd", 1e-4), ("gkd", 3e-4)])
def test_the_policy_comes_nearer_to_its_teacher(configure, teacher, recipe, rate):
    path = train(distilled(configure, teacher, "steps=12", f"optim.lr={rate}", recipe=recipe))
    rows = RunFolder.open(path).rows("metrics.jsonl")
    assert all(row["groups_signal"] == 4 for row in rows)  # whatever the verdicts
    gaps = [row["kl"] for row in rows]
    assert sum(gaps[-4:]) < 0.8 * sum(gaps[:4])  # .60 and .61 with two models


def test_a_teacher_like_the_policy_teaches_nothing(configure, tiny_model):
    path = train(distilled(configure, tiny_model, "steps=1"))
    assert RunFolder.open(path).rows("metrics.jsonl")[0]["kl"] == pytest.approx(0, abs=1e-5)


@pytest.mark.parametrize("recipe", [*RECIPES, *OF_ITSELF])
def test_adapters_learn_from_a_teacher_too(configure, teacher, recipe):
    path = train(distilled(configure, teacher, "steps=1", "lora.rank=2", recipe=recipe))
    (row,) = RunFolder.open(path).rows("metrics.jsonl")
    assert row["grad_norm"] > 0
    assert row["groups_signal"] > 0
    assert 0 < row.get("taught", 1) <= 1


@pytest.mark.parametrize("recipe", [*RECIPES, "sdpo"])
def test_a_stopped_run_goes_on_with_its_teacher(configure, teacher, tmp_path, recipe):
    whole, half = (
        train(
            distilled(
                configure,
                teacher,
                f"steps={steps}",
                f"folder={tmp_path / str(steps)}",
                recipe=recipe,
            )
        )
        for steps in (3, 1)
    )
    train(RunFolder.open(half).config(["steps=3"]), resume=True)
    found, expected = (
        load_file(path / "checkpoints" / "step-00003" / "model.safetensors")
        for path in (half, whole)
    )
    assert all(torch.equal(found[name], expected[name]) for name in expected)


def test_what_cannot_teach_is_refused(configure, teacher, tmp_path, tiny_model):
    with pytest.raises(ConfigError, match=r"model\.teacher"):
        configure(recipe={"name": "opd"})
    for recipe in ({}, {"recipe": {"name": "sdpo"}}):
        with pytest.raises(ConfigError, match=r"model\.teacher has no effect"):
            configure(f"model.teacher={teacher}", **recipe)
    tokenizer = AutoTokenizer.from_pretrained(teacher)
    tokenizer.add_tokens(["<another>"])
    tokenizer.save_pretrained(teacher)
    with pytest.raises(ConfigError, match="<another>"):
        train(distilled(configure, teacher))
