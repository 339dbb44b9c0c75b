"""The asynchronous trainers' configuration, composed, checked and taken by verl's own code."""

from pathlib import Path

import pytest

from rewardkit.config import config_from
from rewardkit_verl.keys import compose
from rewardkit_verl.keys.overrides import Launch, overrides

pytestmark = pytest.mark.verl


@pytest.mark.parametrize("mode", ["colocate_async", "separate_async"])
def test_verl_s_own_code_accepts_its_asynchronous_trainers(mode, quietly, monkeypatch, refusal):
    monkeypatch.setenv("VERL_PLATFORM", "")
    config = config_from(
        {
            "folder": "runs/x",
            "steps": 6,
            "recipe": {"name": "dapo", "minibatches": 4},
            "sampling": {"problems": 16},
            "verl": {"mode": mode, "max_age": 3, "nodes": 2, "rollout_gpus": 2},
        }
    )
    here = Path("run")
    launch = Launch("model", here, here, here, prompt_tokens=99, cpu=False, gpus=8, environment={})
    found = overrides(config, launch)
    composed = compose.compose(one.text for one in found)
    assert refusal(compose.check, composed) is None
    composed.trainer.v1.trainer_mode = mode
    with quietly():
        from verl.trainer.ppo.v1 import get_trainer_cls

        from rewardkit_verl.inside import trainer as ours

        made = get_trainer_cls(mode)(composed)
    name = {one.key: one.value for one in found}["trainer.v1.trainer_mode"]
    assert get_trainer_cls(name).__module__ == ours.__name__
    assert issubclass(get_trainer_cls(name), type(made))
    assert made.parameter_sync_step == (4 if mode == "separate_async" else 1)
    assert made.replay_buffer.max_off_policy_threshold == 4
