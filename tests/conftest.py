"""What every test shares: few threads, and no word with a model hub."""

import contextlib
import fcntl
import functools
import gc
import hashlib
import importlib.util
import os
import re
import signal
import tempfile
import tomllib
from pathlib import Path

import pytest

# A shell's background jobs begin without the one, jobs under nohup without the other; what the
# tests start would inherit that and, rightly, not listen.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("RAY_worker_niceness", "0")  # 15 starves beside the tests at once
if os.environ.get("REWARDKIT_TEST_DEVICE") == "cpu":  # runs take a GPU where there is one
    os.environ["CUDA_VISIBLE_DEVICES"] = ""
with contextlib.suppress(ImportError):  # `make test-other` runs beside libraries alone
    from hypothesis import HealthCheck, settings

    # On a busy machine drawing examples is slow, which says nothing about the code.
    slow = [HealthCheck.too_slow]
    settings.register_profile("shared machine", deadline=None, suppress_health_check=slow)
    settings.load_profile("shared machine")


LONGEST = (
    "verl/test_training.py",
    # These need no tiny model, which another process makes meanwhile.
    "verl/inside/test_gradients.py",
    "verl/launcher/test_launch.py",  # mostly waits
    "verifiers/test_cases.py",
    "verifiers/test_poison.py",
    "verl/test_kills.py",
    "verl/test_own_pieces.py",
    "verl/test_async.py",
    "verl/test_judged.py",
    "evaluation/test_mutated_folders.py",
    "native/recovery/test_kills.py",
    "native/distributed/test_parallel.py",
    "verifiers/pool/test_pool.py",
    "audit/test_command.py",
    "test_examples.py",
    "verl/keys/test_overrides.py",
    "test_docstrings.py",
    "tables/test_grade.py",
    "audit/test_planted.py",
    "native/recovery/test_damage.py",
    "tasks/test_reasoning_gym.py",
)
"""What takes longest of `make test` and of `make test-slow`; a file runs in one process."""


def pytest_collection():
    """Look for no garbage among modules, which stay; half a million objects are theirs."""
    gc.disable()


def pytest_collection_finish():
    """Leave what was imported out of every later look."""
    gc.freeze()
    gc.enable()


def pytest_collection_modifyitems(items):
    """Begin with the longest files, so that all processes end together."""
    here = Path(__file__).parent
    place = {here / name: number for number, name in enumerate(LONGEST)}
    items.sort(key=lambda item: place.get(item.path, len(LONGEST)))


def tiny_recipe():
    """What the tiny model's weights come from: the code that makes it, and whose arithmetic."""
    from importlib.metadata import version

    import rewardkit_tasks.arithmetic
    from rewardkit_native.model import loading, logprobs, tiny

    found = hashlib.sha256()
    for module in (tiny, loading, logprobs, rewardkit_tasks.arithmetic):
        found.update(Path(module.__file__).read_bytes())
    for package in ("torch", "transformers", "tokenizers"):
        found.update(version(package).encode())
    return found.hexdigest()[:16]


@pytest.fixture(scope="session")
def tiny_model(request, tmp_path_factory):
    """The folder of the tiny model: made once (about 15 s) and kept in pytest's cache.

    Tests read it and never write to it.
    """
    pytest.importorskip("torch")
    from rewardkit_native.model.tiny import make_tiny

    cache = getattr(request.config, "cache", None)  # None under `-p no:cacheprovider`
    kept = cache.mkdir("tiny-model") if cache else tmp_path_factory.mktemp("tiny-model")
    folder = kept / tiny_recipe()
    with (kept / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # other processes wait for the one that makes it
        if not folder.exists():
            staged = Path(tempfile.mkdtemp(dir=kept))
            make_tiny(staged)
            staged.rename(folder)
    return folder


@pytest.fixture(scope="session")
def random_llama():
    """A Llama of random weights with real spread in its predictions; no tokenizer.

    Who changes it copies it first.
    """
    torch = pytest.importorskip("torch")
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(0)
    model = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=40,
            hidden_size=32,
            intermediate_size=64,
            num_hidden_layers=3,
            num_attention_heads=4,
            num_key_value_heads=2,
            max_position_embeddings=128,
            eos_token_id=1,
            pad_token_id=0,
            bos_token_id=None,
        )
    )
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() == 2:
                parameter.mul_(6)
    model.generation_config.eos_token_id = 1
    return model.eval()


@pytest.fixture(scope="session")
def refusal():
    """Return a function that calls a check and gives its words; None where it lets pass."""
    from rewardkit.errors import RewardkitError

    def call(check, *arguments, **named):
        try:
            check(*arguments, **named)
        except RewardkitError as error:
            return str(error)
        return None

    return call


def beside(name):
    """The module NAME.py of this folder."""
    spec = importlib.util.spec_from_file_location(
        f"rewardkit_test_{name}", Path(__file__).with_name(f"{name}.py")
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def vllm_servers(tmp_path):
    """Return what starts vLLM servers: a context of so many of one model."""
    return functools.partial(beside("vllm_servers").servers, tmp_path)


@pytest.fixture
def browser(tmp_path):
    """A headless Chromium; without one the test is skipped, or fails where one is required."""
    chromium = beside("chromium")
    if chromium.CHROMIUM is None:
        if os.environ.get("REWARDKIT_REQUIRE_BROWSER"):
            pytest.fail("no chromium on the path")
        pytest.skip("no chromium on the path")
    with contextlib.closing(chromium.Browser(tmp_path / "profile")) as opened:
        yield opened


@pytest.fixture(scope="session")
def teacher(tiny_model, tmp_path_factory):
    """The tiny model with all weights scaled: its distributions are flatter."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    folder = tmp_path_factory.mktemp("teacher")
    model = AutoModelForCausalLM.from_pretrained(tiny_model)
    for parameter in model.parameters():
        parameter.data.mul_(0.8)
    model.save_pretrained(folder)
    AutoTokenizer.from_pretrained(tiny_model).save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def own_pieces():
    """The pieces of a user's own that docs/algorithms.md shows: a module's code, and settings."""
    page = (Path(__file__).parents[1] / "docs" / "algorithms.md").read_text()
    section = page.partition("### Your own\n")[2].partition("\n### ")[0]
    code, settings = re.findall(r"```(?:python|toml)\n(.*?)```", section, re.DOTALL)
    return code, tomllib.loads(settings)
