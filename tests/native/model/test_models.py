"""Families that are not Llama: what is theirs is done right, or refused before the first step."""

from contextlib import nullcontext
from types import SimpleNamespace

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import (
    AutoModelForCausalLM,
    BambaConfig,
    DeepseekV3Config,
    DiffLlamaConfig,
    FalconConfig,
    FalconH1Config,
    Lfm2Config,
    MixtralConfig,
    NemotronConfig,
    Qwen3_5TextConfig,
    Qwen3MoeConfig,
    StableLmConfig,
)

from rewardkit.config import OptimConfig
from rewardkit.errors import ConfigError
from rewardkit_native.distributed.parallel import Ranks
from rewardkit_native.model.fused import fuse_norms
from rewardkit_native.model.logprobs import packed_scores, padded_scores
from rewardkit_native.model.packing import try_packing
from rewardkit_native.model.weights import Weights, skeleton
from rewardkit_native.sampling.reference_decoder import TransformersDecoder
from rewardkit_native.setup import make_trainable

SIZES = {
    "vocab_size": 40,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 64,
    "eos_token_id": 1,
    "pad_token_id": 0,
    "bos_token_id": None,
}
EXPERTS = {"num_experts_per_tok": 2, "moe_intermediate_size": 16}
LATENT = {
    "num_key_value_heads": 4,
    "q_lora_rank": 16,
    "kv_lora_rank": 16,
    "qk_nope_head_dim": 8,
    "qk_rope_head_dim": 8,
    "v_head_dim": 12,
    "n_routed_experts": 4,
    "n_group": 1,
    "topk_group": 1,
    "first_k_dense_replace": 1,
}
HYBRIDS = {
    "qwen3_5": Qwen3_5TextConfig(
        **SIZES,
        head_dim=8,
        linear_num_key_heads=2,
        linear_num_value_heads=2,
        linear_key_head_dim=8,
        linear_value_head_dim=8,
        layer_types=["linear_attention", "full_attention"],
    ),
    "lfm2": Lfm2Config(**SIZES, layer_types=["conv", "full_attention"]),
    "bamba": BambaConfig(
        **SIZES, attn_layer_indices=[1], mamba_n_heads=4, mamba_d_head=16, mamba_d_state=8
    ),
    "falcon_h1": FalconH1Config(
        **SIZES, mamba_d_ssm=64, mamba_n_heads=4, mamba_d_head=16, mamba_d_state=8
    ),
}


def random_model(config):
    torch.manual_seed(0)
    return AutoModelForCausalLM.from_config(config, dtype=torch.float32).eval()


@pytest.mark.parametrize(
    "config",
    [
        StableLmConfig(**SIZES),
        NemotronConfig(**SIZES),
        FalconConfig(**SIZES),
        FalconConfig(**SIZES, alibi=True),
    ],
    ids=["stablelm", "nemotron", "falcon", "falcon with alibi"],
)
def test_a_model_that_does_not_know_packed_rows_is_refused(config):
    run = SimpleNamespace(optim=OptimConfig(layout="packed"))
    with pytest.raises(ConfigError, match=r"use --set optim\.layout=padded"):
        make_trainable(random_model(config), run, Ranks())


def assert_packed_as_padded(model):
    rows = [[5, 9, 3, 7], [5, 9, 3, 7], [8]], [[4, 6, 8, 1], [11], [9, 12, 1]]
    padded = padded_scores(model, *rows)
    try_packing(model)
    packed = packed_scores(model, *rows)
    torch.testing.assert_close(packed.logprobs, padded.logprobs, atol=1e-5, rtol=0)


@torch.no_grad()
def test_packing_depends_on_whether_layers_ask_for_the_attention_that_is_set():
    model = random_model(DiffLlamaConfig(**SIZES))
    # In older ones of transformers each layer has its own.
    own = type(model.model.layers[0].self_attn).__name__ == "DiffLlamaSdpaAttention"
    with pytest.raises(ConfigError, match="packed") if own else nullcontext():
        assert_packed_as_padded(model)


@pytest.mark.parametrize(
    "config",
    [
        DeepseekV3Config(**{**SIZES, **LATENT, **EXPERTS}),
        Qwen3MoeConfig(**SIZES, **EXPERTS, head_dim=8, num_experts=4),
    ],
    ids=["values narrower than keys", "experts"],
)
@torch.no_grad()
def test_packed_rows_score_as_padded_ones_do(config):
    assert_packed_as_padded(random_model(config))


@pytest.mark.parametrize("plain", [True, False], ids=["plain", "gathered"])
@pytest.mark.parametrize(
    "config",
    [
        Qwen3MoeConfig(**SIZES, **EXPERTS, head_dim=8, num_experts=4),
        MixtralConfig(**SIZES, num_experts_per_tok=2, num_local_experts=4),
    ],
    ids=["qwen3_moe", "mixtral"],
)
def test_experts_that_are_saved_one_by_one_are_put_back(config, plain, tmp_path):
    model = random_model(config)
    weights = Weights(model, None if plain else skeleton(model))
    weights.write(tmp_path, weights.gathered(keep=True))
    before = {name: p.detach().clone() for name, p in model.named_parameters()}
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.zero_()
    weights.load(tmp_path)
    assert all(torch.equal(before[name], p) for name, p in model.named_parameters())


def test_a_folder_that_lacks_a_weight_is_not_put_back(tmp_path):
    model = random_model(Qwen3MoeConfig(**SIZES, **EXPERTS, head_dim=8, num_experts=4))
    model.save_pretrained(tmp_path)
    stored = load_file(tmp_path / "model.safetensors")
    del stored["model.norm.weight"]
    save_file(stored, tmp_path / "model.safetensors", {"format": "pt"})
    with pytest.raises(ValueError, match=r"there is no model\.norm\.weight"):
        Weights(model).load(tmp_path)


@pytest.mark.parametrize("name", HYBRIDS)
@torch.no_grad()
def test_norms_that_take_more_than_their_input_stay(name):
    model = random_model(HYBRIDS[name])
    ids = torch.tensor([[5, 9, 3, 7]])
    before = model(input_ids=ids, use_cache=False).logits
    fuse_norms(model)
    torch.testing.assert_close(model(input_ids=ids, use_cache=False).logits, before)


@pytest.mark.parametrize("name", HYBRIDS)
def test_a_cache_that_holds_more_than_rows_is_refused(name):
    with pytest.raises(ConfigError, match="cannot be sampled in batches"):
        TransformersDecoder(random_model(HYBRIDS[name]), torch.float32)
