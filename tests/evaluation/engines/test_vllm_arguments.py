"""What vLLM is asked for, and what it may not change of the process around it."""

import random
import sys
from types import ModuleType

import pytest

from rewardkit.errors import ConfigError, MissingExtraError, ModelError
from rewardkit.evaluation.engines.vllm_engine import (
    CPU_CACHE_BYTES,
    llm_arguments,
    make_llm,
    parse_engine_arguments,
)

torch = pytest.importorskip("torch")


@pytest.fixture
def vllm(monkeypatch):
    """vLLM's place taken by one that seeds and sets all that it can reach, as the real one does."""

    def made(**arguments):
        random.seed(0)
        torch.manual_seed(0)
        sys.modules["numpy"].random.seed(0)
        torch.set_num_threads(1)
        torch.set_num_threads = lambda number: None
        if arguments.get("model") == "broken":
            raise ValueError("no such architecture")
        return arguments

    module = ModuleType("vllm")
    module.LLM = made
    monkeypatch.setitem(sys.modules, "vllm", module)
    monkeypatch.setattr(torch, "set_num_threads", torch.set_num_threads)
    for name in ("VLLM_ENABLE_V1_MULTIPROCESSING", "VLLM_CPU_OMP_THREADS_BIND"):
        monkeypatch.setenv(name, "nobind")


def test_on_a_cpu_no_prompt_is_read_in_pieces_and_the_cache_is_bounded(monkeypatch):
    monkeypatch.delenv("VLLM_CPU_KVCACHE_SPACE", raising=False)
    found = llm_arguments("m", "float32", device="cpu")
    assert found["enable_chunked_prefill"] is False
    assert found["enforce_eager"] is True
    assert found["kv_cache_memory_bytes"] == CPU_CACHE_BYTES
    monkeypatch.setenv("VLLM_CPU_KVCACHE_SPACE", "7")
    assert "kv_cache_memory_bytes" not in llm_arguments("m", "float32", device="cpu")


def test_on_a_gpu_vllm_decides_what_it_is_not_told():
    assert llm_arguments("m", "bfloat16", device="cuda", room=4096, tensor_parallel=2) == {
        "model": "m",
        "dtype": "bfloat16",
        "seed": 0,
        "tensor_parallel_size": 2,
        "enable_prefix_caching": True,
        "max_model_len": 4096,
    }


def test_what_the_user_gives_wins():
    own = {"enable_chunked_prefill": True, "max_model_len": 99, "quantization": "fp8"}
    found = llm_arguments("m", "float32", device="cpu", room=64, own=own)
    assert own.items() <= found.items()


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        ("fp8", "KEY=VALUE"),
        ("=3", "KEY=VALUE"),
        ("dtype=float16", "type --dtype instead"),
        ("tensor-parallel-size=2", "type --tensor-parallel instead"),
    ],
)
def test_an_engine_argument_that_cannot_be_given_so_says_what_to_type(pair, message):
    with pytest.raises(ConfigError, match=message):
        parse_engine_arguments([pair])


def test_generators_and_threads_are_as_before(vllm):
    """Adapters are made after the engine: seeded by vLLM they would be the same for every seed."""
    import numpy as np

    threads = torch.get_num_threads()
    torch.manual_seed(5)
    np.random.seed(5)
    random.seed(5)
    expected = torch.rand(3), np.random.rand(3), random.random()
    torch.manual_seed(5)
    np.random.seed(5)
    random.seed(5)
    try:
        assert make_llm({"model": "m"}) == {"model": "m"}
        found = torch.rand(3), np.random.rand(3), random.random()
        torch.set_num_threads(threads)
        assert torch.get_num_threads() == threads
    finally:
        torch.set_num_threads(threads)
    assert found[0].equal(expected[0])
    assert (found[1] == expected[1]).all()
    assert found[2] == expected[2]


def test_vllms_own_error_stands_with_what_was_asked_of_it(vllm):
    with pytest.raises(ModelError, match=r"LLM\(model='broken', seed=1\).*no such architecture"):
        make_llm({"model": "broken", "seed": 1})


def test_without_vllm_the_error_says_what_to_type(monkeypatch):
    monkeypatch.delitem(sys.modules, "vllm", raising=False)
    monkeypatch.setattr("rewardkit.evaluation.engines.vllm_engine.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"pip install 'rewardkit\[vllm\]'"):
        make_llm({})
