"""LoRA: what is trained, what it is measured against, and what a checkpoint holds."""

import copy
from functools import partial

import pytest
import torch
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM, AutoTokenizer

from rewardkit.config import LoraConfig
from rewardkit.errors import ConfigError, MissingExtraError, ModelError
from rewardkit.runs import RunFolder
from rewardkit_native.distributed.parallel import Ranks
from rewardkit_native.loop import train
from rewardkit_native.model import lora
from rewardkit_native.model.weights import Weights
from rewardkit_native.setup import prepare

peft = pytest.importorskip("peft")

IDS = torch.tensor([[5, 9, 3, 7, 4]])


@pytest.fixture
def configure(configure):
    """A small run that trains adapters."""
    return partial(configure, lora={"rank": 4}, optim={"lr": 3e-3}, recipe={"name": "grpo"})


@pytest.fixture
def adapted(random_llama):
    """A model whose adapters do something, and the plain one that it was."""
    plain = copy.deepcopy(random_llama)
    model = copy.deepcopy(random_llama)
    torch.manual_seed(0)
    lora.inject(model, LoraConfig(rank=2, alpha=6))
    with torch.no_grad():
        for _, layer in lora.layers(model):
            layer.lora_B["default"].weight.normal_(std=0.1)
    return model, plain


def logits(model):
    with torch.no_grad():
        return model(input_ids=IDS.to(model.device)).logits


def checkpoint(folder, step):
    return folder / "checkpoints" / f"step-{step:05d}"


def test_every_linear_layer_but_the_head_gets_an_adapter(random_llama):
    model = copy.deepcopy(random_llama)
    lora.inject(model, LoraConfig(rank=2))
    kinds = {name.rpartition(".")[2] for name, _ in lora.layers(model)}
    assert kinds == {"q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"}
    trained = {name for name, p in model.named_parameters() if p.requires_grad}
    assert len(trained) == 3 * 7 * 2
    assert all(".lora_" in name for name in trained)


def test_named_layers_only(random_llama):
    model = copy.deepcopy(random_llama)
    lora.inject(model, LoraConfig(rank=2, targets=("q_proj", "v_proj")))
    assert {n.rpartition(".")[2] for n, _ in lora.layers(model)} == {"q_proj", "v_proj"}


def test_a_layer_that_is_not_there_is_refused(random_llama):
    with pytest.raises(ConfigError, match=r"lora\.targets = \['q_prog'\]"):
        lora.inject(copy.deepcopy(random_llama), LoraConfig(rank=2, targets=("q_prog",)))


@pytest.mark.parametrize("target", ["lm_head", "embed_tokens"])
def test_the_head_and_the_embedding_are_refused(random_llama, target):
    with pytest.raises(ConfigError, match=rf"{target} is the head or an embedding"):
        lora.inject(copy.deepcopy(random_llama), LoraConfig(rank=2, targets=("q_proj", target)))


def test_a_rank_beyond_the_models_width_is_refused(random_llama):
    width = random_llama.config.hidden_size
    with pytest.raises(ConfigError, match=rf"rank = 999999 .*width of {width}.*lower rank"):
        lora.inject(copy.deepcopy(random_llama), LoraConfig(rank=999_999))


def test_without_peft_the_extra_is_named(random_llama, monkeypatch):
    monkeypatch.setattr(lora, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"rewardkit\[lora\]"):
        lora.inject(copy.deepcopy(random_llama), LoraConfig(rank=2))


def test_disabled_adapters_leave_exactly_the_model_without_them(adapted):
    model, plain = adapted
    with_adapters = logits(model)
    assert (with_adapters - logits(plain)).abs().max() > 0.1
    with lora.disabled(model):
        assert torch.equal(logits(model), logits(plain))
    assert torch.equal(logits(model), with_adapters)
    with lora.disabled(plain):  # nothing to disable
        assert torch.equal(logits(plain), logits(plain))


def test_merged_weights_are_w_plus_scaled_b_a(adapted):
    model, plain = adapted
    weights = Weights(model)
    assert list(weights) == [name for name, _ in plain.named_parameters()]
    sampled = copy.deepcopy(plain)
    sampled.load_state_dict(dict(weights))
    torch.testing.assert_close(logits(sampled), logits(model), atol=1e-4, rtol=1e-4)
    layer = model.model.layers[1].mlp.up_proj
    expected = plain.model.layers[1].mlp.up_proj.weight + 3 * (
        layer.lora_B["default"].weight @ layer.lora_A["default"].weight
    )
    torch.testing.assert_close(sampled.model.layers[1].mlp.up_proj.weight, expected)


def test_a_run_trains_the_adapters_alone(configure, tiny_model):
    config = configure()
    parts = prepare(config, Ranks())
    trained = {id(p) for group in parts.updater.optimiser.param_groups for p in group["params"]}
    assert trained == {id(p) for _, p in lora.adapters(parts.model)}
    assert parts.updater.reference is parts.model  # no second copy for the KL term

    folder = train(config)
    before = load_file(tiny_model / "model.safetensors")
    after = load_file(checkpoint(folder, 2) / "model.safetensors")
    assert before.keys() == after.keys()
    for name, value in before.items():
        adapted = "proj" in name
        assert torch.equal(value, after[name]) != adapted, name


def test_the_policy_starts_at_its_reference_and_leaves_it(configure):
    folder = train(configure("steps=3"))
    rows = RunFolder.open(folder).rows("metrics.jsonl")
    assert rows[0]["kl"] == 0
    assert rows[2]["kl"] > 1e-6
    for row in rows:  # what sampled, with merged weights, is what is trained, with adapters
        assert row["max_abs_log_ratio"] == 0
        assert row["max_sampler_mismatch"] < 1e-3


# peft's own question, by a name that newer ones of transformers call old.
@pytest.mark.filterwarnings("ignore:.is_gradient_checkpointing.:FutureWarning")
def test_a_checkpoint_is_a_plain_model_and_an_adapter(configure, tiny_model):
    last = checkpoint(train(configure()), 2)
    merged = AutoModelForCausalLM.from_pretrained(last, dtype=torch.float32)
    assert type(merged).__name__ == "LlamaForCausalLM"
    assert AutoTokenizer.from_pretrained(last).chat_template
    base = AutoModelForCausalLM.from_pretrained(tiny_model, dtype=torch.float32)
    assert (logits(merged) - logits(base)).abs().max() > 1e-3
    adapted = peft.PeftModel.from_pretrained(base, last / "adapter")
    torch.testing.assert_close(logits(adapted), logits(merged), atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("dtype", ["float32", pytest.param("bfloat16", marks=pytest.mark.slow)])
def test_a_resumed_run_equals_an_uninterrupted_one_bitwise(configure, tmp_path, dtype):
    shared = (f"model.dtype={dtype}", "model.device=cpu", "recipe.minibatches=2")
    whole = train(configure("steps=3", f"folder={tmp_path / 'whole'}", *shared))
    half = train(configure("steps=2", f"folder={tmp_path / 'half'}", *shared))
    train(RunFolder.open(half).config(["steps=3"]), resume=True)
    for name in ("model.safetensors", "adapter/adapter_model.safetensors"):
        left, right = (load_file(checkpoint(run, 3) / name) for run in (whole, half))
        assert all(torch.equal(left[key], right[key]) for key in left)
    assert {value.dtype for value in left.values()} == {torch.float32}


@pytest.mark.parametrize(("before", "after"), [(4, 0), (0, 4), (4, 8)])
def test_a_run_is_not_resumed_with_other_adapters(configure, before, after):
    folder = RunFolder.open(train(configure("steps=1", f"lora.rank={before}")))
    with pytest.raises(ModelError, match="does not fit this run's model"):
        train(folder.config(["steps=2", f"lora.rank={after}"]), resume=True)


def test_a_step_makes_what_was_rewarded_likelier(configure, climb):
    settings = ("steps=1", "optim.lr=1e-5", "optim.grad_clip=1e9", "sampling.group_size=16")
    config = configure(*settings, "recipe.kl_coef=0")
    assert climb(config) == pytest.approx(1, abs=0.1)
