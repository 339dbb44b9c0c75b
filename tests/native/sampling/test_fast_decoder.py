"""FastSampler against the reference: same seeds, float32, same tokens."""

import copy
import weakref

import pytest
import torch
from transformers import (
    GemmaConfig,
    GemmaForCausalLM,
    LlamaConfig,
    LlamaForCausalLM,
    Qwen2Config,
    Qwen2ForCausalLM,
    Qwen3Config,
    Qwen3ForCausalLM,
)

from rewardkit.checks import encode
from rewardkit.config import ModelConfig, config_from
from rewardkit.sampling import SamplingParams
from rewardkit_native.model.loading import load
from rewardkit_native.sampling.choice import FastSampler, TransformersSampler, make_sampler
from rewardkit_native.sampling.fast_decoder import FIRST_ROOM, why_not_fast
from rewardkit_native.sampling.lockstep import close_gaps

SIZES = {
    "vocab_size": 60,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 256,
    "eos_token_id": 1,
    "pad_token_id": 0,
    "bos_token_id": None,
}
PROMPTS = [[5, 9, 3], [7, 2, 8, 8, 4, 4], [6], [9, 9, 2, 3]]
SEEDS = [[1, 2, 3, 4], [5, 6], [7, 8, 9], [10]]

YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 16}
LLAMA3 = {
    "rope_type": "llama3",
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 16,
}
CASES = {
    "llama": (LlamaForCausalLM, LlamaConfig, {}),
    "llama, tied": (LlamaForCausalLM, LlamaConfig, {"tie_word_embeddings": True}),
    "llama, one head a group": (LlamaForCausalLM, LlamaConfig, {"num_key_value_heads": 4}),
    "llama, one group": (LlamaForCausalLM, LlamaConfig, {"num_key_value_heads": 1}),
    "llama, wide heads": (LlamaForCausalLM, LlamaConfig, {"head_dim": 16}),
    "llama, all biases": (
        LlamaForCausalLM,
        LlamaConfig,
        {"attention_bias": True, "mlp_bias": True, "hidden_act": "gelu"},
    ),
    "llama 3 rope": (
        LlamaForCausalLM,
        LlamaConfig,
        {"rope_parameters": {"rope_theta": 500.0, **LLAMA3}},
    ),
    "qwen2": (Qwen2ForCausalLM, Qwen2Config, {}),
    "qwen2, tied": (Qwen2ForCausalLM, Qwen2Config, {"tie_word_embeddings": True}),
    "qwen2, yarn": (
        Qwen2ForCausalLM,
        Qwen2Config,
        {"rope_parameters": {"rope_theta": 1e4, **YARN}},
    ),
    "qwen3": (Qwen3ForCausalLM, Qwen3Config, {"head_dim": 16}),
    "qwen3, attention biases": (
        Qwen3ForCausalLM,
        Qwen3Config,
        {"head_dim": 8, "attention_bias": True, "tie_word_embeddings": True},
    ),
}


def random_model(kind, config, **changes):
    """A model with real spread in its predictions; nothing is left at a neutral value."""
    torch.manual_seed(0)
    model = kind(config(**SIZES | changes))
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() == 2:
                parameter.mul_(8)
            else:
                parameter.add_(0.3 * torch.randn_like(parameter))
    return model.eval()


@pytest.fixture(scope="module", params=CASES, ids=lambda name: name.replace(" ", "-"))
def model(request):
    kind, config, changes = CASES[request.param]
    return random_model(kind, config, **changes)


@pytest.fixture(scope="module")
def llama():
    return random_model(LlamaForCausalLM, LlamaConfig)


def both(model, letters):
    return [kind(model, letters, torch.float32) for kind in (TransformersSampler, FastSampler)]


def in_slots(model, letters, rows=None, dtype=torch.float32):
    """A sampler that decodes as it does on a GPU."""
    sampler = FastSampler(model, letters, dtype, rows)
    sampler.run = FastSampler.in_slots
    return sampler


def assert_same(expected, found):
    for group, other in zip(expected, found, strict=True):
        for rollout, same in zip(group, other, strict=True):
            assert rollout.tokens == same.tokens
            assert rollout.finish == same.finish
            assert rollout.logprobs == pytest.approx(same.logprobs, abs=1e-4)


def test_same_seeds_give_the_tokens_of_the_reference(model, letters):
    params = SamplingParams(FIRST_ROOM + 20)
    reference, fast = (s.sample(PROMPTS, SEEDS, params) for s in both(model, letters))
    assert_same(reference, fast)
    lengths = {len(rollout.tokens) for group in fast for rollout in group}
    assert len(lengths) > 1  # rows ended at different places
    assert max(lengths) > FIRST_ROOM  # and the cache had to grow
    assert_same(reference, in_slots(model, letters, rows=4).sample(PROMPTS, SEEDS, params))


@pytest.mark.parametrize(
    "params",
    [
        SamplingParams(20, temperature=0.0),
        SamplingParams(20, temperature=0.6),
        SamplingParams(20, temperature=1.3, top_p=0.8),
        SamplingParams(20, top_k=3),
        SamplingParams(20, top_k=12, top_p=0.9),
        SamplingParams(20, stop=("b", "ac")),
        SamplingParams(1),
    ],
)
def test_every_parameter_means_what_it_means_to_the_reference(llama, letters, params):
    reference, fast = (s.sample(PROMPTS, SEEDS, params) for s in both(llama, letters))
    assert_same(reference, fast)
    assert_same(reference, in_slots(llama, letters, rows=3).sample(PROMPTS, SEEDS, params))


@pytest.mark.parametrize(
    ("prompts", "seeds"),
    [
        ([[3, 4]], [[1]]),
        ([[3, 4], [5, 6]], [range(5), range(5, 10)]),  # equally long: no padding to hide
        ([[2] * 40, [3]], [[1, 2], [3, 4, 5]]),
        ([[n] for n in range(2, 22)], [[n] for n in range(20)]),  # groups of one
        ([[3, 4], [5]], [[], [1, 2]]),  # a prompt that nobody asks for
        ([[3, 4]], [[]]),
    ],
)
def test_any_layout_of_groups(llama, letters, prompts, seeds):
    params = SamplingParams(30)
    reference, fast = (s.sample(prompts, seeds, params) for s in both(llama, letters))
    assert_same(reference, fast)
    assert_same(reference, in_slots(llama, letters).sample(prompts, seeds, params))


def test_few_rows_at_a_time(llama, letters):
    params = SamplingParams(12)
    reference = TransformersSampler(llama, letters, torch.float32).sample(PROMPTS, SEEDS, params)
    fast = FastSampler(llama, letters, torch.float32, rows=3).sample(PROMPTS, SEEDS, params)
    assert_same(reference, fast)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_refresh_follows_the_trained_weights(model, letters, dtype):
    trained = copy.deepcopy(model)
    sampler = FastSampler(trained, letters, dtype)
    params = SamplingParams(10)
    before = sampler.sample(PROMPTS, SEEDS, params)
    with torch.no_grad():
        for parameter in trained.parameters():
            parameter.add_(0.2 * torch.randn_like(parameter))
    sampler.refresh(trained)
    found = sampler.sample(PROMPTS, SEEDS, params)
    assert found != before
    assert found == FastSampler(trained, letters, dtype).sample(PROMPTS, SEEDS, params)
    # A state dict serves as well, such as one gathered from shards.
    other = FastSampler(model, letters, dtype)
    other.refresh({name: tensor.clone() for name, tensor in trained.state_dict().items()})
    assert found == other.sample(PROMPTS, SEEDS, params)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_released_weights_are_let_go_of_and_come_back_with_refresh(model, letters, dtype):
    sampler, params = FastSampler(model, letters, dtype), SamplingParams(10)
    before = sampler.sample(PROMPTS, SEEDS, params)
    fused = weakref.ref(sampler.decoder.layers[0].qkv.weight)
    sampler.release()
    assert fused() is None
    sampler.refresh(model)
    assert sampler.sample(PROMPTS, SEEDS, params) == before


def asking_for(engine):
    sections = {"sampling": {"engine": engine}, "model": {"dtype": "float32"}}
    return config_from({"folder": "nowhere", "steps": 1, **sections})


def test_another_family_is_sampled_by_the_reference_and_says_so(letters):
    gemma = random_model(GemmaForCausalLM, GemmaConfig, head_dim=8)
    remarks = []
    sampler = make_sampler(asking_for("fast"), gemma, letters, remarks.append)
    assert isinstance(sampler, TransformersSampler)
    [remark] = remarks
    assert "llama, qwen2, qwen3, and this is gemma" in remark
    assert all(len(group) == 1 for group in sampler.sample([[3, 4]], [[1]], SamplingParams(3)))


def test_what_it_cannot_do_is_named(llama):
    assert why_not_fast(llama) is None
    window = {"use_sliding_window": True, "sliding_window": 4, "max_window_layers": 1}
    assert "sliding" in why_not_fast(random_model(Qwen2ForCausalLM, Qwen2Config, **window))


def test_the_engine_decides(llama, letters):
    silent = [].append
    fast = make_sampler(asking_for("fast"), llama, letters, silent)
    reference = make_sampler(asking_for("transformers"), llama, letters, silent)
    assert isinstance(fast, FastSampler)
    assert isinstance(reference, TransformersSampler)


@pytest.mark.parametrize(
    ("ended", "rows"),
    [
        ([False, False], [0, 1]),
        ([True, False, False], [2, 1]),
        ([False, False, True], [0, 1]),
        ([True, True, False, False, False], [4, 3, 2]),
        ([True, True, True, False], [3]),
    ],
)
def test_holes_are_filled_from_the_end(ended, rows):
    assert close_gaps(ended) == rows


@pytest.mark.slow
def test_smollm2_gives_the_tokens_of_the_reference():
    model, tokenizer = load(ModelConfig("smollm2-135m", device="cpu"))
    questions = ("What is 3 + 4?", "Name three colours of the sky at dawn.", "Hello!")
    prompts = [encode(tokenizer, [{"role": "user", "content": q}]) for q in questions]
    params = SamplingParams(48, temperature=0.9, stop=("sky",))
    reference, fast = (
        kind(model, tokenizer, torch.float32).sample(prompts, [range(4)] * 3, params)
        for kind in (TransformersSampler, FastSampler)
    )
    assert_same(reference, fast)


@pytest.mark.parametrize("temperature", [0.0, 1.0])
@pytest.mark.parametrize("sampler", [TransformersSampler, FastSampler, in_slots])
def test_rows_that_pad_the_head_beyond_the_tokenizer_are_never_sampled(
    sampler, temperature, letters
):
    model = random_model(LlamaForCausalLM, LlamaConfig, vocab_size=351)
    with torch.no_grad():
        model.lm_head.weight[287:] *= 200  # without a mask half of all tokens are of these
    params = SamplingParams(30, temperature=temperature)

    def drawn(known):
        named = type(letters)(known)
        found = sampler(model, named, dtype=torch.float32).sample(PROMPTS, SEEDS, params)
        return [token for group in found for rollout in group for token in rollout.tokens]

    assert max(drawn(351)) >= 287 > max(drawn(287))
    remarks = []
    make_sampler(asking_for("fast"), model, type(letters)(287), remarks.append)
    assert remarks == [
        "the model's head has 351 rows and its tokenizer 287 tokens: the 64 ids beyond are never "
        "sampled"
    ]
