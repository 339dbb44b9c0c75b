"""What `rewardkit plan` says of verl's workers, and what verl is refused for."""

import json
from types import SimpleNamespace

import pytest
import torch

from rewardkit.config import config_from
from rewardkit.errors import ConfigError
from rewardkit.planning.cards import card_of
from rewardkit.planning.ledger import CACHE, LOGITS, OPTIMISER, PARAMETERS
from rewardkit.planning.model import model_config
from rewardkit_verl import backend, versions
from rewardkit_verl.planning import forecast as planning
from rewardkit_verl.planning.bound import least, refuse_what_cannot_fit
from rewardkit_verl.planning.forecast import Run, forecast, page, remedies
from rewardkit_verl.planning.settings import settings_of
from rewardkit_verl.planning.simulation import Worker, simulate

NARROW = {
    "model_type": "qwen2",
    "hidden_size": 64,
    "intermediate_size": 128,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "vocab_size": 512,
    "tie_word_embeddings": False,
}
QWEN_7B = NARROW | {
    "hidden_size": 3584,
    "intermediate_size": 18944,
    "num_hidden_layers": 28,
    "num_attention_heads": 28,
    "num_key_value_heads": 4,
    "vocab_size": 152064,
}


def folder_of(path, settings):
    path.mkdir(exist_ok=True)
    (path / "config.json").write_text(json.dumps(settings))
    return str(path)


def run(model, kl=0.0, overrides=(), optim=None, **verl):
    return config_from(
        {
            "folder": "x",
            "steps": 1,
            "recipe": {"name": "grpo", "kl_coef": kl, "minibatches": 1},
            "model": {"name": model},
            "sampling": {"problems": 8, "group_size": 8, "max_tokens": 8000},
            "optim": optim or {},
            "verl": {"overrides": overrides, **verl},
        }
    )


@pytest.fixture
def seven(tmp_path):
    return folder_of(tmp_path / "seven", QWEN_7B)


@pytest.fixture(scope="module")
def worker(tmp_path_factory):
    name = folder_of(tmp_path_factory.mktemp("m"), NARROW)
    return Worker(model_config(name), 8, "bfloat16", tokens=1024, recomputes=False)


@pytest.fixture(scope="module")
def peaks(worker):
    return simulate(worker)


def weights():
    layer = 64 * (64 + 2 * 32 + 64) + 64 + 2 * 32 + 3 * 64 * 128 + 2 * 64
    return 4 * (2 * 512 * 64 + 2 * layer + 64)


def test_an_update_holds_slices_moments_and_all_logits(peaks):
    held = peaks["update"].kinds
    assert held[PARAMETERS] == pytest.approx(weights() / 8, rel=0.1)
    assert held[OPTIMISER] >= weights() / 4
    assert held[LOGITS] == 1024 * 512 * 2
    assert OPTIMISER not in peaks["score"].kinds


def test_passes_in_float32_are_simulated_too(worker):
    found = simulate(worker._replace(dtype="float32", tokens=64))
    assert found["update"].kinds[OPTIMISER] >= weights() / 4


def test_no_attention_mask_is_there(peaks):
    # Entropies of a part take three tables of it in float32; a mask of 1,024 x 1,024 were 2 MiB.
    assert peaks["score"].total < 4 * 1024 * 512 * 4 + 1024 * 512 * 2 + 2**20


def test_settings_are_those_that_verl_would_read(seven):
    said = settings_of(run(seven), 8, prompt_tokens=192)
    assert (said.tokens, said.room, said.rows, said.share) == (16384, 8192, 8, 0.5)
    waits = "actor_rollout_ref.actor.fsdp_config.optimizer_offload=True"
    said = settings_of(run(seven, overrides=[waits], gpu_memory=0.3), 8, prompt_tokens=192)
    assert (said.weights_wait, said.moments_wait, said.share) == (False, True, 0.3)


def test_phases_hold_what_waits_beside_them(seven, peaks, monkeypatch):
    monkeypatch.setattr(planning, "peaks_of", lambda _: peaks)
    model, card = model_config(seven), card_of("80GB")
    size = 7_615_616_512
    found = forecast(Run(run(seven), model, 8, 192), card)
    assert list(found.peaks) == ["start", "rollout", "score", "update", "send"]
    held = found.peaks["rollout"].kinds
    assert held[PARAMETERS] + held[OPTIMISER] == pytest.approx(12 * size / 8, rel=1e-6)
    # 40 GB less 15.2 of weights and 2 of vLLM's own, over 8,192 tokens of 2 x 4 x 128 x 28 x 2 bytes.
    assert held[CACHE] == pytest.approx(40e9 - 2 * size - 2e9, rel=1e-6)
    assert found.together == int(held[CACHE] / (8192 * 57344)) == 48
    waiting = forecast(Run(run(seven, kl=0.1, offload=True), model, 8, 192), card)
    assert PARAMETERS not in waiting.peaks["rollout"].kinds
    assert PARAMETERS not in waiting.peaks["reference"].kinds
    small = forecast(Run(run(seven, gpu_memory=0.2), model, 8, 192), card)
    assert small.together == 0
    assert not small.fits


def test_remedies_are_lines_to_type(seven):
    lines = [line for line, _ in remedies(Run(run(seven), model_config(seven), 4, 192))]
    assert lines[0] == "--set optim.activation_checkpointing=true"
    assert lines[1] == f"{lines[0]} --set verl.offload=true"
    assert lines[2] == f"{lines[1]} --set optim.tokens_per_micro_batch=8192"
    assert lines[-1].endswith("--set verl.gpus=16 (--gpus 16)")


def test_the_page_says_what_was_simulated_and_what_computed(seven, peaks, monkeypatch):
    monkeypatch.setattr(planning, "peaks_of", lambda _: peaks)
    said = page(run(seven), gpus=8, memory="80GB", prompt_tokens=192)
    assert said.startswith("verl, 8 x 80 GB, responses of 8000 tokens behind prompts of 192, 16384")
    assert "whose cache holds 48 whole responses" in said
    assert "it fits" in said
    assert "without waiting for verdicts and environments: about" in said


@pytest.mark.slow
def test_seven_billion_weights_fit_with_checkpointing(seven):
    model, card = model_config(seven), card_of("80GB")
    assert not forecast(Run(run(seven), model, 8, 192), card).fits
    config = run(seven, optim={"activation_checkpointing": True})
    found = forecast(Run(config, model, 8, 192), card)
    assert found.fits
    held = least(config, model, settings_of(config, 8, 192)).total
    assert held <= found.peaks["update"].total <= 60e9


def test_what_can_never_fit_is_refused_with_the_line_to_change(seven):
    model, memory = model_config(seven), 80 * 10**9

    def refused(config, gpus):
        refuse_what_cannot_fit(config, model, settings_of(config, gpus, 192), memory=memory)

    refused(run(seven, optim={"activation_checkpointing": True}), 8)
    with pytest.raises(ConfigError, match="more GPUs than 1"):
        refused(run(seven), 1)
    with pytest.raises(ConfigError, match=r"--set optim.activation_checkpointing=true"):
        refused(run(seven, optim={"tokens_per_micro_batch": 65536}), 8)
    with pytest.raises(ConfigError, match=r"--set verl.gpu_memory=0.3"):
        refused(run(seven, gpu_memory=0.1, optim={"activation_checkpointing": True}), 8)


def test_train_on_verl_refuses_before_anything_is_loaded(seven, monkeypatch, tmp_path):
    monkeypatch.setattr(versions, "check_device", lambda _: None)
    monkeypatch.setattr(versions, "check_trl", lambda: None)
    monkeypatch.setattr(versions, "on_cpu", lambda: False)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    card = SimpleNamespace(total_memory=24 * 10**9)
    monkeypatch.setattr(torch.cuda, "get_device_properties", lambda _: card)
    config = config_from({"folder": str(tmp_path / "run"), "steps": 1, "model": {"name": seven}})
    with pytest.raises(ConfigError, match="more GPUs than 1"):
        backend.train(config)
    assert not (tmp_path / "run").exists()
