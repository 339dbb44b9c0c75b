"""What `rewardkit plan` says, and that it is what the whole model would hold."""

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

import rewardkit_native
from rewardkit.cli import main
from rewardkit.config import VllmConfig, config_from
from rewardkit.errors import ConfigError
from rewardkit.planning.cards import card_of
from rewardkit.planning.ledger import CACHE, PARAMETERS, Peak
from rewardkit.planning.model import model_config
from rewardkit_native.planning.bound import least, refuse_what_cannot_fit
from rewardkit_native.planning.forecast import forecast, remedies
from rewardkit_native.planning.sampling import (
    blank_decoder,
    computed,
    in_free_memory,
    sampled_in,
    slots_to_try,
)
from rewardkit_native.planning.simulation import Case, simulate

QWEN_7B = {
    "model_type": "qwen2",
    "hidden_size": 3584,
    "intermediate_size": 18944,
    "num_hidden_layers": 28,
    "num_attention_heads": 28,
    "num_key_value_heads": 4,
    "vocab_size": 152064,
    "max_position_embeddings": 32768,
    "tie_word_embeddings": False,
}


def folder_of(path, **changes):
    path.mkdir(exist_ok=True)
    (path / "config.json").write_text(json.dumps(QWEN_7B | changes))
    return str(path)


def run(model, kl=0.0, **optim):
    return config_from(
        {
            "folder": "x",
            "steps": 1,
            "recipe": {"name": "grpo", "kl_coef": kl, "minibatches": 1},
            "model": {"name": model},
            "sampling": {"problems": 8, "group_size": 8, "max_tokens": 8000},
            "optim": optim,
        }
    )


@pytest.fixture
def narrow(tmp_path):
    sizes = {"hidden_size": 64, "intermediate_size": 128, "num_attention_heads": 4}
    return folder_of(tmp_path / "narrow", **sizes, vocab_size=512, num_hidden_layers=6)


@pytest.mark.slow
def test_seven_billion_weights_and_answers_of_8000_tokens_fit_on_eight_cards(tmp_path):
    name = folder_of(tmp_path / "m")
    case = Case(run(name, kl=0.001), model_config(name), "cuda", 8, 192)
    found = forecast(case, card_of("80GB"))
    assert found.fits
    assert found.peaks["update"].total <= 60e9
    assert found.peaks["start"].total <= 30e9
    # Weights, moments and the sampler's copy, 27.7 GB; a matrix on its way is there twice.
    assert 27e9 <= found.peaks["resume"].total <= 30e9
    assert list(found.peaks) == ["start", "resume", "sample", "score", "update"]


@pytest.mark.slow
def test_two_shallow_models_say_what_a_deep_one_holds(narrow):
    config = run(narrow, tokens_per_micro_batch=512)
    case = Case(config, model_config(narrow), "cuda", 2, prompt_tokens=16, response_tokens=240)
    case = replace(case, slots=slots_to_try(config, 2))
    said, held = forecast(case, card_of("80GB")).peaks, simulate(case)
    for phase in ("start", "resume", "score", "update"):
        assert said[phase].total == pytest.approx(held[phase].total, rel=0.03), phase


def test_the_command_says_what_fits(narrow, tmp_path, capsys):
    file = tmp_path / "run.toml"
    file.write_text(
        f'folder = "x"\nsteps = 1\n[model]\nname = "{narrow}"\n[recipe]\nname = "grpo"\n'
        "minibatches = 1\n[sampling]\nproblems = 2\ngroup_size = 2\nmax_tokens = 20\n"
    )
    main(["train", str(file), "--plan", "--backend", "native", "--gpus", "1"])
    said = capsys.readouterr().out
    assert "native, 1 x 80 GB" in said
    assert "it fits" in said
    assert "to sample" in said
    assert "on this CPU: not tried: " in said  # there are no weights
    phases = [line.split()[0] for line in said.splitlines()[1:6]]
    assert phases == ["start", "resume", "sample", "score", "update"]


def test_rows_that_do_not_fit_beside_the_trainer_wait_for_a_slot(narrow):
    decoder = blank_decoder(run(narrow), model_config(narrow))
    kinds = {sampled_in(rows): {PARAMETERS: 1000, CACHE: 200 * rows} for rows in (8, 16)}
    peaks = {
        name: Peak(sum(held.values()), held, {("forward", CACHE, ""): held})
        for name, held in kinds.items()
    }
    # A row: 6 layers of 2 x 4 heads of 16 in 2 bytes for 100 tokens, 20 bytes of each of 512 logits.
    row = 6 * 8 * 16 * 2 * 100 + 20 * 512
    for free, slots in ((100 * row, 16), (6.1 * row / 0.85, 6), (0, 1)):
        peak, found = in_free_memory(peaks, (8, 16), int(free), decoder, room=100)
        assert found == slots
        assert peak.total == 1000 + 200 * slots


def test_what_is_not_simulated_is_computed_and_said_to_be(tmp_path):
    name = folder_of(tmp_path / "m")
    model, memory, held = model_config(name), 80 * 10**9, Peak(10**10, {PARAMETERS: 10**10})

    def said(**sampling):
        config = run(name)
        config = replace(config, sampling=replace(config.sampling, **sampling))
        peak, note = computed(config, model, 8, 192, held, memory)
        assert note.startswith("computed: ")
        return peak.total - held.total

    # Half of the card at most; 8 rows of 8,192 tokens, 28 layers of 2 x 4 heads of 128 in 2 bytes.
    assert said(engine="vllm") == memory // 2
    assert said(engine="vllm", vllm=VllmConfig(gpu_memory=0.25)) == memory // 4
    assert said(engine="transformers") == 8 * 8192 * 28 * 8 * 128 * 2


def test_remedies_are_lines_to_type(tmp_path):
    name = folder_of(tmp_path / "m")
    lines = [line for line, _ in remedies(Case(run(name), model_config(name), "cuda", 1))]
    assert lines[0] == "--set optim.activation_checkpointing=true"
    assert "torchrun --nproc-per-node 8" in lines[-1]


def test_what_can_never_fit_is_refused_with_the_line_to_change(tmp_path):
    name = folder_of(tmp_path / "m")
    model = model_config(name)
    refuse_what_cannot_fit(run(name), model, ranks=8, memory=80 * 10**9)
    with pytest.raises(ConfigError, match=r"torchrun --nproc-per-node 4"):
        refuse_what_cannot_fit(run(name), model, ranks=1, memory=80 * 10**9)
    config = run(name, tokens_per_micro_batch=32768)
    with pytest.raises(ConfigError, match=r"--set optim.activation_checkpointing=true"):
        refuse_what_cannot_fit(config, model, ranks=8, memory=80 * 10**9)


def test_train_refuses_before_anything_is_loaded(tmp_path, monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    card = SimpleNamespace(total_memory=24 * 10**9)
    monkeypatch.setattr(torch.cuda, "get_device_properties", lambda _: card)
    model = folder_of(tmp_path / "m")
    (Path(model) / "model.safetensors").touch()  # a model without weights is refused still earlier
    config = run(model)
    with pytest.raises(ConfigError, match=r"torchrun --nproc-per-node 8"):
        rewardkit_native.train(replace(config, folder=str(tmp_path / "run")))
    assert not (tmp_path / "run").exists()


@pytest.mark.slow
def test_the_bound_never_exceeds_what_is_simulated(narrow):
    config = run(narrow, tokens_per_micro_batch=512)
    model = model_config(narrow)
    case = Case(config, model, "cuda", 1, prompt_tokens=16, response_tokens=240)
    assert least(config, model, 1).total <= simulate(case)["update"].total
