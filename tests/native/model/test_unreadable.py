"""A model whose weights were cut off is refused in a sentence, in training and in evaluation."""

import os
import shutil

import pytest

from rewardkit.config import ModelConfig
from rewardkit.errors import ModelError
from rewardkit.evaluation.engines.base import DecodingSettings, EngineOptions
from rewardkit.runs.seal import SEAL, seal
from rewardkit_native.engines.local import TransformersEngine
from rewardkit_native.model.loading import load

READERS = {
    "training": lambda path: load(ModelConfig(name=path)),
    "evaluation": lambda path: TransformersEngine(path, DecodingSettings(), EngineOptions()),
}


@pytest.fixture
def cut(tiny_model, tmp_path):
    """A sealed checkpoint whose weights lost their end since."""
    folder = tmp_path / "step-00007"
    shutil.copytree(tiny_model, folder)
    seal(folder)
    os.truncate(folder / "model.safetensors", 100)
    return folder


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_a_damaged_checkpoint_is_named_with_its_file(cut, read):
    with pytest.raises(ModelError, match=r"step-00007 is damaged: model.safetensors has 100 bytes"):
        read(str(cut))


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_a_damaged_folder_without_a_seal_is_told_to_be_copied_again(cut, read):
    (cut / SEAL).unlink()
    with pytest.raises(ModelError, match=r"could not load '.*step-00007'.*\n.*copy it again"):
        read(str(cut))
