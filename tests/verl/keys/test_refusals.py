"""What cannot run is refused before anything starts, by field, with the nearest that can."""

import subprocess
import sys
import types

import pytest

from rewardkit.config import config_from
from rewardkit.errors import ConfigError
from rewardkit.tasks import load_task
from rewardkit_verl import versions
from rewardkit_verl.backend import settled
from rewardkit_verl.keys.refusals import refuse, refuse_unplayable

pytestmark = pytest.mark.verl


@pytest.fixture(autouse=True)
def flash(monkeypatch):
    """On GPUs, flash-attention is installed unless a test says otherwise."""
    monkeypatch.setattr(versions, "has_flash", lambda: True)


def test_what_no_environment_is_played_with(refusal):
    def refused(task="guess_number", **data):
        return refusal(refuse_unplayable, configured(**data), load_task(task))

    assert refused() is None
    assert refused("arithmetic", verl={"rollout": "sglang"}) is None
    assert "take sync" in refused(verl={"mode": "colocate_async"})
    assert "take vllm" in refused(verl={"rollout": "sglang"})


@pytest.mark.parametrize(
    ("platform", "rollout", "expected"),
    [
        ("", "auto", "tis"),
        ("", "sglang", "tis"),
        ("cpu", "auto", None),
        ("cpu", "vllm", "tis"),
    ],
)
def test_rollouts_of_another_engine_are_corrected_for(monkeypatch, platform, rollout, expected):
    monkeypatch.setenv("VERL_PLATFORM", platform)
    found, _ = settled(configured(verl={"rollout": rollout}))
    assert found.recipe.correction == expected
    assert settled(found) == (found, [])
    older = configured(verl={"rollout": rollout, "mode": "colocate_async"})
    assert settled(older)[0].recipe.correction == "tis"
    kept = configured(verl={"rollout": rollout}, recipe={"name": "grpo", "correction": "none"})
    assert settled(kept)[0].recipe.correction is None


def configured(**data):
    return config_from({"folder": "x", "steps": 1, "recipe": {"name": "grpo"}, **data})


@pytest.mark.parametrize(
    ("data", "cpu", "gpus", "says"),
    [
        ({"sampling": {"stop": ["\n\n"]}}, True, 1, "sampling.stop"),
        ({"sampling": {"temperature": 0.0}}, True, 1, "sampling.temperature"),
        ({"recipe": {"name": "dapo", "minibatches": 3}}, True, 1, "recipe.minibatches"),
        ({"recipe": {"name": "grpo", "advantage": "remax"}}, True, 1, "recipe.advantage"),
        ({"recipe": {"name": "grpo", "kl": "jsd"}}, True, 1, "recipe.kl: 'jsd'"),
        ({"model": {"device": "cuda:1"}}, False, 8, "CUDA_VISIBLE_DEVICES"),
        ({"model": {"device": "cpu"}}, False, 8, "set VERL_PLATFORM=cpu"),
        ({"model": {"device": "cuda"}}, True, 1, "model.device"),
        ({"model": {"dtype": "float32"}}, False, 8, 'take "bfloat16"'),
        ({"verl": {"rollout": "sglang"}}, True, 1, "verl.rollout"),
        ({"verl": {"rollout": "transformers"}}, False, 8, 'take "vllm"'),
        ({"verl": {"nodes": 2}}, True, 1, "verl.gpus"),
        ({"optim": {"optimizer": "muon"}}, True, 1, "optim.optimizer"),
        ({"verl": {"mode": "separate_async"}}, False, 8, "verl.rollout_gpus"),
        ({"verl": {"mode": "separate_async", "rollout_gpus": 1}}, True, 1, "trainer_separate_async"),
        (
            {"verl": {"mode": "colocate_async"}, "sampling": {"curriculum": {"rule": "mopps"}}},
            True,
            1,
            "sampling.curriculum",
        ),
        ({}, True, 2, "verl.gpus"),
        ({"lora": {"rank": 8}, "recipe": {"name": "ppo"}}, False, 8, "trains a critic"),
        ({"task": {}, "tasks": [{"name": "arithmetic", "teacher": "t"}], "recipe": {"name": "opd"}},
         True, 1, "tasks.N.teacher"),
        ({"recipe": {"name": "opd"}, "model": {"teacher": "http://localhost:8000/v1#m"}}, True, 1,
         "asks no server"),
        ({"recipe": {"name": "grpo", "kl_coef": 0.1, "kl_schedule": "linear"}}, True, 1,
         "recipe.kl_schedule"),
        ({"lora": {"rank": 8}, "recipe": {"name": "opd"}, "model": {"teacher": "t"}}, True, 1,
         "never the teacher"),
        ({"lora": {"rank": 8, "targets": ["lm_head"]}}, True, 1, "lora.targets: lm_head"),
        ({"sampling": {"sizes": {"rule": "speed"}}}, True, 1, "sampling.sizes.rule"),
        ({"sampling": {"keep": {"members": "variance", "size": 2}}}, True, 1, "sampling.keep"),
        ({"recipe": {"name": "dapo", "minibatches": 1}, "sampling": {"refill": {"oversample": True}}},
         True, 1, "sampling.refill"),
        ({"verl": {"tensor_parallel": 3}}, False, 8, "take one of 1, 2, 4, 8"),
        ({"sampling": {"problems": 3, "group_size": 5}}, False, 8, "a multiple of 8"),
        ({"sampling": {"temperature": 0.7, "top_p": 0.9}}, False, 8, "take temperature 1.0"),
        ({"sampling": {"temperature": 0.7, "top_k": 9}, "verl": {"rollout": "vllm"}},
         True, 1, "take temperature 1.0"),
        ({"verl": {"overrides": ["actor_rollout_ref.actor.strategy=megatron"]}}, False, 8, "Megatron"),
        ({"verl": {"overrides": ["actor@actor_rollout_ref.actor=megatron_actor"]}}, False, 8, "FSDP2"),
    ],
)  # fmt: skip
def test_refused_by_name(data, cpu, gpus, says):
    with pytest.raises(ConfigError) as caught:
        refuse(configured(**data), cpu=cpu, gpus=gpus)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("data", "cpu", "gpus"),
    [
        ({}, True, 1),
        ({}, False, 8),
        ({"model": {"dtype": "float32"}}, True, 1),
        ({"lora": {"rank": 8}}, False, 8),
        ({"sampling": {"top_p": 0.9}}, False, 8),
        ({"sampling": {"top_p": 0.9, "temperature": 0.7}}, True, 1),  # our own sampler's
    ],
)
def test_what_can_run_is_accepted(data, cpu, gpus, refusal):
    assert refusal(refuse, configured(**data), cpu=cpu, gpus=gpus) is None


def test_without_flash_attention_float32_runs_and_a_critic_does_not(monkeypatch):
    monkeypatch.setattr(versions, "has_flash", lambda: False)
    refuse(configured(model={"dtype": "float32"}), cpu=False, gpus=8)
    with pytest.raises(ConfigError, match="flash-attn is not here"):
        refuse(configured(recipe={"name": "ppo", "minibatches": 1}), cpu=False, gpus=8)


def test_all_that_is_wrong_is_said_at_once():
    config = configured(sampling={"stop": ["x"], "temperature": 0.0})
    with pytest.raises(ConfigError) as caught:
        refuse(config, cpu=True, gpus=1)
    assert {"sampling.stop", "sampling.temperature"} <= set(
        str(caught.value).replace(":", " ").split()
    )


def test_a_missing_verl_is_an_error_with_the_line_to_type(monkeypatch):
    def missing(name):
        raise versions.PackageNotFoundError(name)

    monkeypatch.setattr(versions, "version", missing)
    with pytest.raises(
        versions.UnsupportedVerlError, match=r"pip install -c constraints.txt -e '\.\[verl\]'"
    ):
        versions.check_version()


@pytest.mark.parametrize("found", ["0.8.0", "0.9.1.dev0", "0.10.0"])
def test_another_verl_is_an_error_with_the_line_to_type(found, monkeypatch):
    monkeypatch.setattr(versions, "version", lambda name: found)
    with pytest.raises(versions.UnsupportedVerlError, match=rf"verl {found} is installed.*\n.*pip"):
        versions.check_version()


def test_verl_without_its_transfer_queue_is_an_error(monkeypatch):
    def version(name):
        if name == "TransferQueue":
            raise versions.PackageNotFoundError(name)
        return "0.9.1"

    monkeypatch.setattr(versions, "version", version)
    with pytest.raises(
        versions.UnsupportedVerlError, match="TransferQueue, which is not installed"
    ):
        versions.check_version()


def test_without_gpu_and_without_the_word_cpu_it_says_which_of_the_two_to_do(monkeypatch):
    torch = pytest.importorskip("torch")
    monkeypatch.delenv("VERL_PLATFORM", raising=False)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(versions.NoDeviceError) as caught:
        versions.check_device()
    assert "VERL_PLATFORM=cpu rewardkit train" in str(caught.value)
    assert "GPUs" in str(caught.value)
    versions.check_device("10.0.0.1:6379")  # the cluster's GPUs are elsewhere
    monkeypatch.setenv("VERL_PLATFORM", "cpu")
    versions.check_device()


def test_asking_for_the_versions_imports_neither_verl_nor_torch():
    code = (
        "import sys; from rewardkit_verl.versions import check_version; check_version();"
        "assert not {'verl', 'torch', 'ray'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_trl_that_verl_trips_over_is_refused_on_gpus(monkeypatch):
    trl = types.SimpleNamespace()
    monkeypatch.delenv("VERL_PLATFORM", raising=False)
    monkeypatch.setattr(versions, "find_spec", lambda name: trl)
    monkeypatch.setattr(versions, "version", lambda name: "1.16.0")
    monkeypatch.setattr(versions.importlib, "import_module", lambda name: trl)
    with pytest.raises(versions.UnsupportedVerlError, match="pip uninstall trl"):
        versions.check_trl()
    monkeypatch.setenv("VERL_PLATFORM", "cpu")
    versions.check_trl()
    monkeypatch.delenv("VERL_PLATFORM")
    trl.AutoModelForCausalLMWithValueHead = object
    versions.check_trl()


def test_without_trl_there_is_nothing_to_trip_over(monkeypatch, refusal):
    asked = []
    monkeypatch.delenv("VERL_PLATFORM", raising=False)
    monkeypatch.setattr(versions, "find_spec", asked.append)
    assert refusal(versions.check_trl) is None
    assert asked == ["trl"]


@pytest.mark.parametrize(
    ("cpu", "found"), [("", "bfloat16"), ("cpu", "float32")], ids=["GPUs", "a CPU"]
)
def test_the_type_is_bfloat16_on_gpus_and_what_is_faster_on_a_cpu(monkeypatch, cpu, found):
    monkeypatch.setattr("rewardkit.planning.cpu_rates.gain_of_bfloat16", lambda: 0.3)
    monkeypatch.setenv("VERL_PLATFORM", cpu)
    config, said = settled(configured(model={"device": "cpu"}))
    assert config.model.dtype == found
    assert bool(said) is bool(cpu)
