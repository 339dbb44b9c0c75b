"""What `--plan` says of a step on this machine's CPU."""

import re
from pathlib import Path

from rewardkit.registry import FORECASTS
from rewardkit_native import plan


def test_steps_are_made_for_real_and_nothing_is_left(configure, capsys):
    config = configure("steps=1")
    before = set(Path(config.folder).parent.iterdir())
    said = FORECASTS.get("native")(config, gpus=1, memory="80GB", prompt_tokens=16)
    found = re.search(r"on this CPU: about (\S+) s a step \((\S+) to sample, (\S+) to wait", said)
    assert found, said
    assert "as 2 steps of the run took (float32, " in said
    assert set(Path(config.folder).parent.iterdir()) == before
    assert not capsys.readouterr().out


def test_what_is_not_made_is_reckoned_or_said_not_to_be_tried(configure, monkeypatch):
    monkeypatch.setattr(plan, "TRIED_S", 0.0)
    said = plan.on_this_cpu(configure("steps=1"))
    assert re.match(r"about \d+ s a step, reckoned from a few passes \(float32, ", said)
    elsewhere = plan.on_this_cpu(configure("sampling.engine=vllm"))
    assert elsewhere.startswith("not tried, since vLLM samples")
    monkeypatch.setattr(plan, "MOST_WEIGHTS", 10)
    assert "more than 1e+01 weights" in plan.on_this_cpu(configure("steps=1"))
