"""What a run said of its task: taken for the task itself, or missed by an evaluation that says less."""

import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from rewardkit.cli.options.asking import Ask, settings_of
from rewardkit.config import (
    ModelConfig,
    RunConfig,
    SamplingConfig,
    SourceConfig,
    TaskConfig,
    config_to_toml,
)
from rewardkit.environments.table import TurnLimits
from rewardkit.errors import ConfigError
from rewardkit.evaluation.asking.asking import Asking
from rewardkit.evaluation.asking.settings import EvalSettings
from rewardkit.evaluation.asking.trained import computed_otherwise, trained_otherwise
from rewardkit.evaluation.engines.base import DecodingSettings, EngineOptions
from rewardkit.tasks.settings import settings_from


@pytest.fixture
def chemist(tmp_path, monkeypatch):
    """A run that asked in words of its own and was graded by a verifier of its own."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs/chem/checkpoints/step-1").mkdir(parents=True)
    task = TaskConfig(
        "file:train.jsonl", prompt="Elements of {question}?", verifier="chem:Grade",
        verifier_options={"most": 0.9},
    )  # fmt: skip
    config = RunConfig(folder="runs/chem", steps=1, task=task)
    (tmp_path / "runs/chem/config.toml").write_text(config_to_toml(config))
    (tmp_path / "runs/chem/manifest.json").write_text("{}")


@pytest.mark.parametrize(
    ("task", "settings", "asking", "left"),
    [
        ("file:test.jsonl", (), {}, ["prompt", "verifier", "verifier_options"]),
        ("math500", (), {}, ["prompt"]),
        ("file:test.jsonl", ("task.verifier=chem:Grade", "task.verifier_options.most=0.9"), {}, ["prompt"]),
        ("file:test.jsonl", ("task.verifier_options.most=0.9",), {"prompt": "{question}", "verifier": "math"}, []),
        ("file:test.jsonl", (), {"prompt": "{question}", "verifier": "math"}, []),
        ("file:test.jsonl", (), {"prompt": "{question}", "verifier": "chem:Grade"}, ["verifier_options"]),
        ("math500", (), {"protocol": "qwen3"}, []),
    ],
)  # fmt: skip
@pytest.mark.parametrize("model", ["runs/chem", "runs/chem/checkpoints/step-1"])
def test_what_a_run_said_of_its_task_and_its_evaluation_does_not_is_said(
    chemist, model, task, settings, asking, left
):
    asked = EvalSettings(model, (task,), Path("r"), task_settings=settings, asking=Asking(**asking))
    said = trained_otherwise(asked)
    assert bool(said) == bool(left)
    if left:
        named = " and ".join(f"task.{key}" for key in left)
        assert said.startswith(f"NOTE runs/chem trained with {named}, which is not taken from it")
        assert ("--set 'task.prompt=Elements of {question}?'" in said) == ("prompt" in left)
        assert ("--set task.verifier_options.most=0.9" in said) == ("verifier_options" in left)
    assert trained_otherwise(EvalSettings("owner/name", (task,), Path("r"))) == ""


def test_a_run_in_the_place_of_a_task_says_its_turns_and_stops(tmp_path):
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "manifest.json").write_text("{}")
    said = tmp_path / "run" / "config.toml"
    for sampling, given, stop, limits in (
        ({"turns": 4, "stop": ("</a>",)}, (), ("</a>",), TurnLimits(4)),
        ({"tool_deadline_s": 30.0, "stop": ("</a>",)}, ("b",), ("b",), TurnLimits(deadline_s=30.0)),
        ({}, (), (), None),
    ):
        config = RunConfig(folder="run", steps=1, sampling=SamplingConfig(**sampling))
        said.write_text(config_to_toml(config))
        ask = Ask(decoding=DecodingSettings(stop=given))
        found = settings_of("m", tmp_path / "r", str(said.parent), ask).decoding
        assert (found.stop, found.limits) == (stop, limits)
    elsewhere = settings_of("m", tmp_path / "r", "arithmetic", Ask()).decoding
    assert (elsewhere.stop, elsewhere.limits) == ((), None)
    said.write_text('[sampling]\nturns = "four"\n')
    with pytest.raises(ConfigError, match="turns"):
        settings_of("m", tmp_path / "r", str(said.parent), Ask())


def test_a_place_of_the_answer_that_a_run_trained_with_is_missed(chemist):
    task = TaskConfig("file:train.jsonl", answer_in=("tag", "box"))
    config = RunConfig(folder="runs/chem", steps=1, task=task)
    Path("runs/chem/config.toml").write_text(config_to_toml(config))
    said = trained_otherwise(EvalSettings("runs/chem", ("file:test.jsonl",), Path("r")))
    same = shlex.split(said.rpartition(": ")[2])[1]
    asked = EvalSettings("runs/chem", ("file:test.jsonl",), Path("r"), task_settings=(same,))
    assert trained_otherwise(asked) == ""
    assert settings_from("file:test.jsonl", {}, (same,)).answer_in == ("tag", "box")


WORDS = TaskConfig(
    "file:train.jsonl", args={"level": 3}, columns={"question": "Q"}, where="level >= 2", limit=9, shuffle=0,
    system='He said "1".', prompt="7", chat_template_kwargs={"enable_thinking": False},
    verifier="chem:Grade", verifier_options={"most": 0.9, "names": ["Fe", "鉄"]},
)  # fmt: skip
HELD_OUT = replace(WORDS, where="", limit=0, shuffle=None)


@pytest.mark.parametrize(
    ("flags", "split", "becomes"),
    [
        (Ask(), "train", WORDS),
        (Ask(), "test", HELD_OUT),
        (Ask(set=("task.args.level=4", "task.where=level >= 3")), "test", replace(HELD_OUT, args={"level": 4}, where="level >= 3")),
        (Ask(prompt="{question}"), "test", replace(HELD_OUT, prompt="")),
        (Ask(verifier="math"), "test", replace(HELD_OUT, verifier="", verifier_options={})),
        (Ask(protocol="qwen3"), "test", replace(HELD_OUT, system="", prompt="", chat_template_kwargs={})),
    ],
)  # fmt: skip
def test_a_run_in_the_place_of_a_task_is_what_it_learned(chemist, flags, split, becomes):
    config = RunConfig(folder="runs/chem", steps=1, task=WORDS)
    Path("runs/chem/config.toml").write_text(config_to_toml(config))

    def settings(task):
        trusted = replace(flags, trust=True)
        return settings_of("m", None, task, trusted, split)

    found = settings("runs/chem")
    (name,) = found.tasks
    assert settings_from(name, found.task_arguments, found.task_settings) == becomes
    assert trained_otherwise(replace(found, model="runs/chem")) == ""
    with pytest.raises(ConfigError, match="a run stands alone"):
        settings("math500,runs/chem")
    mixture = RunConfig(
        folder="runs/chem", steps=1, tasks=(SourceConfig("sums"), SourceConfig("math"))
    )
    Path("runs/chem/config.toml").write_text(config_to_toml(mixture))
    with pytest.raises(ConfigError, match=r"learns a mixture.*--task sums,math"):
        settings("runs/chem")


def test_the_model_a_run_began_with_is_computed_in_the_type_of_the_run(chemist):
    config = RunConfig(folder="runs/chem", steps=1, model=ModelConfig("m", dtype="bfloat16"))
    Path("runs/chem/config.toml").write_text(config_to_toml(config))

    def dtype(model, task, **ask):
        return settings_of(model, None, task, Ask(trust=True, **ask)).options.dtype

    assert dtype("m", "runs/chem") == dtype("m", "runs/chem", engine="vllm") == "bfloat16"
    assert dtype("m", "runs/chem", engine_options=EngineOptions(dtype="float32")) == "float32"
    assert dtype("m", "runs/chem", engine="openai") == dtype("m", "math500") == "auto"
    assert dtype("runs/chem", "runs/chem") == "auto"  # its own type

    asked = EvalSettings("runs/chem", ("math500",), Path("r"))
    assert computed_otherwise(asked) == ""
    assert "NOTE runs/chem sampled in bfloat16, and this computes in float32" in computed_otherwise(
        replace(asked, options=EngineOptions(dtype="float32"))
    )
    assert computed_otherwise(replace(asked, options=EngineOptions(dtype="bfloat16"))) == ""
