"""Kills a run at a place that its folder shows, and holds it to the run that nobody killed."""

import json
import os
import signal
import time
from pathlib import Path

import torch

from rewardkit.runs import RunFolder


def assert_same_run(one, other):
    def rows(run, name):
        return [
            {key: value for key, value in row.items() if not key.endswith("_s")}  # seconds
            for row in RunFolder.open(run).rows(name)
        ]

    assert rows(one, "metrics.jsonl") == rows(other, "metrics.jsonl")
    for name in ("rollouts.jsonl", "events.jsonl", "results.json"):
        assert (one / name).read_bytes() == (other / name).read_bytes(), name
    names = [sorted(path.name for path in (run / "checkpoints").iterdir()) for run in (one, other)]
    assert names[0] == names[1]
    for name in names[0]:
        ours, theirs = one / "checkpoints" / name, other / "checkpoints" / name
        assert ours.resolve().name == theirs.resolve().name
        for file in ("model.safetensors", "critic.safetensors"):
            weights = [path / file for path in (ours, theirs) if (path / file).exists()]
            assert len({path.read_bytes() for path in weights}) < 2, (name, file)
            assert len(weights) != 1, (name, file)
        states = [torch.load(p / "trainer_state.pt", weights_only=True) for p in (ours, theirs)]
        assert states[0].keys() == states[1].keys()
        for key in states[0]:
            if key == "progress":  # the length of metrics.jsonl depends on the digits of times
                for state in states:
                    del state[key]["records"]["metrics.jsonl"]
            assert equal(states[0][key], states[1][key]), (name, key)


def equal(one, other):
    if isinstance(one, torch.Tensor):
        return torch.equal(one, other)
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(equal(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(equal, one, other))
    return one == other


def lines(folder, name):
    path = folder / name
    return path.read_bytes().count(b"\n") if path.exists() else 0


def times_resumed(folder):
    path = folder / "manifest.json"
    return len(json.loads(path.read_text()).get("resumed", [])) if path.exists() else -1


def kill_when(pid, place, folder, life):
    """Kill the process when the folder shows that its `life`, once begun, is at `place`."""

    def there():
        return times_resumed(folder) == life and place(folder)

    deadline = time.monotonic() + 240
    while time.monotonic() < deadline:
        if there():
            os.kill(pid, signal.SIGSTOP)
            while Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "T":
                time.sleep(0.0005)
            if there():
                os.kill(pid, signal.SIGKILL)
                return
            os.kill(pid, signal.SIGCONT)
        time.sleep(0.0005)
    os.kill(pid, signal.SIGKILL)
    raise AssertionError(f"never found the run at {place.__name__}")
