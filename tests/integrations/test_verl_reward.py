"""verl's own loader and reward managers with the file for `custom_reward_function`."""

import asyncio
import os
import warnings
from importlib.util import find_spec
from types import SimpleNamespace

import pytest

from rewardkit.integrations import verl as adapter

MODULE = "rewardkit.integrations.verl"
KEYS = {"score", "acc", "undecided", "outcome", "extracted", "method", "reason"}


@pytest.mark.parametrize(
    ("response", "gold", "score", "outcome"),
    [
        ("so 12", "12", 1, "correct"),
        (r"\boxed{13}", 12, 0, "incorrect"),
        ("", "12", 0, "no_answer"),
        ("12", "{", 0, "bad_gold"),
    ],
)
def test_every_verdict_has_the_same_keys(response, gold, score, outcome):
    found = adapter.compute_score("gsm8k", response, gold, {"index": 3})
    assert set(found) == KEYS
    assert (found["score"], found["outcome"]) == (score, outcome)
    assert found["undecided"] == (outcome == "bad_gold")
    assert asyncio.run(adapter.compute_score_async("gsm8k", response, gold)) == found


def test_a_verifier_is_made_with_its_options():
    options = {"unevaluated": "accept", "extra": ["families", "logic"]}
    found = adapter.compute_score("mine", "9+1", "10", verifier_options=options)
    assert found["outcome"] == "correct"
    assert adapter.compute_score("mine", "9+1", "10")["outcome"] == "incorrect"


def test_columns_are_those_of_extra_info():
    found = adapter.compute_score(
        "mine", "4", "", {"target": 3, "slack": 1}, verifier="asking_verifiers:near"
    )
    assert found["score"] == 1
    lacks = adapter.compute_score("mine", "4", "", {}, verifier="asking_verifiers:near")
    assert lacks["outcome"] == "error"
    assert "no column 'target'" in lacks["reason"]


@pytest.fixture(scope="module")
def verl():
    if find_spec("verl") is None:
        why = "verl is not installed: pip install 'rewardkit[verl]'"
        (pytest.fail if os.environ.get("REWARDKIT_REQUIRE_VERL") else pytest.skip)(why)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from omegaconf import OmegaConf
        from verl import DataProto
        from verl.experimental.reward_loop import reward_manager  # noqa: F401  # warns of its own
        from verl.trainer.ppo import reward
    return SimpleNamespace(OmegaConf=OmegaConf, DataProto=DataProto, reward=reward)


def config(verl, path, name, manager="naive", **arguments):
    return verl.OmegaConf.create(
        {
            "reward": {
                "custom_reward_function": {"path": path, "name": name, "reward_kwargs": arguments},
                "reward_manager": {"source": "register", "name": manager},
                "sandbox_fusion": {"url": None},
            }
        }
    )


class Letters:
    """A tokenizer of one letter a token."""

    def decode(self, ids, skip_special_tokens=True):
        return "".join(chr(i) for i in ids)


def rows(verl, responses, golds):
    import numpy as np
    import torch

    width = max(map(len, responses))
    ids = torch.tensor([[*map(ord, r), *[0] * (width - len(r))] for r in responses])
    return verl.DataProto.from_dict(
        tensors={"responses": ids, "attention_mask": (ids != 0).long()},
        non_tensors={
            "data_source": np.array(["mine"] * len(responses), dtype=object),
            "reward_model": np.array([{"ground_truth": g} for g in golds], dtype=object),
            "extra_info": np.array([{"index": i, "target": 3} for i in range(len(golds))], object),
        },
    )


@pytest.mark.timeout(120)
@pytest.mark.parametrize("name", ["compute_score", "compute_score_async"])
@pytest.mark.parametrize("path", [f"pkg://{MODULE}", adapter.__file__])
def test_verls_reward_manager_calls_it(verl, path, name):
    settings = config(verl, path, name)

    async def graded():
        manager = verl.reward.load_reward_manager(settings, Letters())
        data = rows(verl, ["so 12", "so 13", "12"], ["12", "12", "{"])
        return [await manager.run_single(data[i : i + 1]) for i in range(3)]

    found = asyncio.run(graded())
    assert [one["reward_score"] for one in found] == [1, 0, 0]
    assert [one["reward_extra_info"]["undecided"] for one in found] == [0, 0, 1]
    assert all(set(one["reward_extra_info"]) == KEYS for one in found)


@pytest.mark.timeout(120)
def test_the_verifier_is_named_in_reward_kwargs(verl):
    settings = config(
        verl, f"pkg://{MODULE}", "compute_score", verifier="asking_verifiers:near", deadline_s=5
    )
    score = verl.reward.get_custom_reward_fn(settings)
    found = score(data_source="x", solution_str="3", ground_truth="", extra_info={"target": 3})
    assert found["score"] == 1
