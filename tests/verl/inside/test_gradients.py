"""One recipe, two backends: the same batch gives the same gradient, that of float64."""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from rewardkit.recipes import RECIPES

LIMIT_S = 800
"""Half a minute on a quiet machine."""
pytestmark = [pytest.mark.verl, pytest.mark.slow, pytest.mark.timeout(LIMIT_S + 100)]

ROOT = Path(__file__).parents[3]
SCRIPT = Path(__file__).with_name("gradients.py")
ON_TABLES = {"high_entropy": 1.5e-6}
"""Packed rows of a CPU: a fifth of the tokens has a gradient there, and rounding weighs more."""
BOUNDS = {"vespo": 5e-6}
"""Rounding of a whole sequence's ratio in float32 is multiplied by k − λw, which reaches 10 here."""
RUN = [name for name, recipe in RECIPES.items() if not recipe.compares_distributions]
TURNS = ["turns, grpo", "turns, dapo", "turns, gspo", "turns, masked_kl"]
FURTHER = [
    "high_entropy", "tis", "prompt_mean", "mask_truncated", "masked_kl", "kl_weighted",
    "entropy_bonus", "entropy_adapted", "right_likelihood", "token_baseline", "bypass",
]  # fmt: skip


@pytest.fixture(scope="module")
def model_folder(random_llama, tmp_path_factory):
    folder = tmp_path_factory.mktemp("random")
    random_llama.save_pretrained(folder)
    return folder


RANKS = 2
"""They show all that one shows, and that they add up."""


@pytest.fixture(scope="module")
def differences(model_folder, tmp_path_factory):
    """Recipe -> micro-batches -> relative difference, from verl's engine on two ranks."""
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(str(ROOT / part) for part in ("", "backends", "tasks")),
        "VERL_PLATFORM": "cpu",
        "VERL_USE_EXTERNAL_MODULES": "rewardkit_verl.plugin",
        "WORLD_SIZE": str(RANKS),
        "DIST_INIT_METHOD": f"file://{tmp_path_factory.mktemp('ranks') / 'meet'}",
        "SHARED": str(tmp_path_factory.mktemp("shared")),
        "OMP_NUM_THREADS": "1",
    }
    process = subprocess.Popen(
        [sys.executable, "-W", "ignore", str(SCRIPT), str(model_folder)],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        start_new_session=True,
    )  # fmt: skip
    try:
        said = process.communicate(timeout=LIMIT_S)[0]
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # all ranks
    found = [line for line in said.splitlines() if line.startswith("FOUND ")]
    assert found, said[-3000:]
    return json.loads(found[0].removeprefix("FOUND "))


@pytest.mark.parametrize("name", [*RUN, *FURTHER, "lora, grpo", "lora, dapo", *TURNS])
def test_verls_engine_gives_the_native_gradient(differences, name):
    found = differences[name]
    assert found["norm"] > 0.1
    for other in ("native", "1", "2", "4", "packed", "packed on a GPU"):
        bounds = BOUNDS | (ON_TABLES if other == "packed" else {})
        assert found[other] <= bounds.get(name, 1e-6), other


def test_adapters_are_sampled_from_and_exported_as_natively(differences):
    assert differences["lora, moved"] > 0.1
    assert differences["lora, sampled"] <= 1e-6
    assert differences["lora, exported"] <= 1e-4
    assert differences["lora, adapter"] <= 1e-4


def test_verls_engine_gives_the_native_sum_of_squared_probabilities(differences):
    assert differences["squares"] <= 1e-6


@pytest.mark.parametrize("name", ["critic", "critic, verl's own loss"])
def test_verls_engine_gives_the_native_critics_gradient(differences, name):
    found = differences[name]
    assert found["norm"] > 0.01
    assert max(found[micro] for micro in ("1", "2", "4")) <= 1e-6


def test_verls_own_critic_also_learns_from_what_is_undecided(differences):
    """It divides by those tokens too; what is undecided is left out here, in both backends."""
    found = differences["critic, verl's own loss, one undecided"]
    assert found["1"] > 0.01


def test_the_recipes_are_told_apart(differences):
    by_norm: dict[float, list[str]] = {}
    for name in (*RUN, *FURTHER):
        by_norm.setdefault(round(differences[name]["norm"], 4), []).append(name)
    # Polaris is DAPO but for its shaping, whose rewards are frozen here.
    assert [names for names in by_norm.values() if len(names) > 1] == [["dapo", "polaris"]]
