"""Learning from a teacher: on-policy distillation on the tiny model."""

import shutil
import weakref

import pytest
import torch
from safetensors.torch import load_file
from transformers import AutoTokenizer

from rewardkit.errors import ConfigError
from rewardkit.runs import RunFolder
from rewardkit_native import setup
from rewardkit_native.loop import train

RECIPES = "opd", "gkd"
OF_ITSELF = "opsd", "sdpo"


def distilled(configure, *teachers, overrides=(), recipe="opd"):
    """A run with one teacher, or with two for the tasks of a mixture."""
    if len(teachers) == 1:
        named = [] if recipe in OF_ITSELF else [f"model.teacher={teachers[0]}"]
        return configure(*named, *overrides, recipe={"name": recipe})
    tasks = [
        {"name": "arithmetic", "label": label, "args": {"operations": [sign]}, "teacher": str(name)}
        for (label, sign), name in zip(
            {"sums": "+", "products": "*"}.items(), teachers, strict=True
        )
    ]
    return configure(*overrides, recipe={"name": recipe}, task={}, tasks=tasks)


@pytest.mark.parametrize(("recipe", "rate"), [("opd", 1e-4), ("gkd", 3e-4)])
def test_the_policy_comes_nearer_to_its_teacher(configure, teacher, recipe, rate):
    overrides = "steps=12", f"optim.lr={rate}"
    path = train(distilled(configure, teacher, overrides=overrides, recipe=recipe))
    rows = RunFolder.open(path).rows("metrics.jsonl")
    assert all(row["groups_signal"] == 4 for row in rows)  # whatever the verdicts
    gaps = [row["kl"] for row in rows]
    assert sum(gaps[-4:]) < 0.8 * sum(gaps[:4])  # .60 and .61 with two models


def test_a_teacher_like_the_policy_teaches_nothing(configure, tiny_model):
    path = train(distilled(configure, tiny_model, overrides=["steps=1"]))
    assert RunFolder.open(path).rows("metrics.jsonl")[0]["kl"] == pytest.approx(0, abs=1e-5)


@pytest.mark.parametrize("recipe", [*RECIPES, *OF_ITSELF])
def test_adapters_learn_from_a_teacher_too(configure, teacher, recipe):
    overrides = "steps=1", "lora.rank=2"
    path = train(distilled(configure, teacher, overrides=overrides, recipe=recipe))
    (row,) = RunFolder.open(path).rows("metrics.jsonl")
    assert row["grad_norm"] > 0
    assert row["groups_signal"] > 0
    assert 0 < row.get("taught", 1) <= 1


@pytest.mark.parametrize(("recipe", "count"), [("opd", 1), ("opd", 2), ("gkd", 2), ("sdpo", 1)])
def test_a_stopped_run_goes_on_with_its_teachers(
    configure, teacher, tiny_model, tmp_path, recipe, count
):
    whole, half = (
        train(
            distilled(
                configure,
                *[teacher, tiny_model][:count],
                overrides=[f"steps={steps}", f"folder={tmp_path / str(steps)}"],
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
        with pytest.raises(ConfigError, match="a teacher has no effect"):
            configure(f"model.teacher={teacher}", **recipe)
    other = shutil.copytree(teacher, tmp_path / "other")
    tokenizer = AutoTokenizer.from_pretrained(other)
    tokenizer.add_tokens(["<another>"])
    tokenizer.save_pretrained(other)
    for names in ([other], [teacher, other]):
        with pytest.raises(ConfigError, match=f"{other}.*<another>"):
            train(distilled(configure, *names))
    with pytest.raises(ConfigError, match=r"tasks\.1 has no teacher.*tasks\.1\.teacher="):
        distilled(configure, teacher, "")
    with pytest.raises(ConfigError, match=r"model\.teacher has no effect: each task"):
        distilled(configure, teacher, teacher, overrides=[f"model.teacher={tiny_model}"])


def test_each_task_has_its_teacher_and_one_is_in_memory(
    configure, teacher, tiny_model, monkeypatch
):
    loaded, present = [], []

    def load(ranks, model):
        present.append(sum(one() is not None for one in loaded))
        found = loading(ranks, model)
        loaded.append(weakref.ref(found.model))
        return found

    loading = setup.load_for
    monkeypatch.setattr(setup, "load_for", load)
    config = distilled(configure, teacher, tiny_model, overrides=["recipe.kl_schedule=linear"])
    rows = RunFolder.open(train(config)).rows("metrics.jsonl")
    assert len(present) > 4  # the policy, each teacher before the first step, and in each step
    assert max(present) == 1  # the policy: a teacher has gone before the next one comes
    assert [row["kl_coef"] for row in rows] == [1, 0.5]
    assert rows[0]["teacher_entropy"] > 0
