"""Whole runs for `gpu.py`: a step's cost beside TRL, whether a model learns, a kill survived."""

from __future__ import annotations

import json
import os
import signal
import statistics
import subprocess
import sys
import time
from contextlib import redirect_stdout
from dataclasses import asdict
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import Any
from zlib import crc32

from native_vs_trl import Setting, run_side

import rewardkit as rk
from rewardkit.config import config_from, config_to_toml
from rewardkit.runs import RunFolder
from rewardkit.tasks import load_task

HERE = Path(__file__).parent
PATIENCE_S = 300
"""So long may a run that is to be killed take for its first steps."""
STEPS, KILLED_AFTER = 8, 4


def heads(response: str, answer: str) -> bool:
    """Call half of all responses right: random weights would be wrong each time, and not train."""
    return crc32(response.encode()) % 2 == 0


def coin() -> rk.Task:
    """Return sums whose answers are right by the toss of a coin."""
    sums = load_task("arithmetic", operations=["+"])
    return rk.Task("coin", sums.train, sums.test, messages=sums.messages, verifier=heads)


def save_random(model: Any, folder: Path) -> str:
    """Write a model of random weights beside the tiny model's tokenizer; return the folder."""
    import torch
    from transformers import AutoTokenizer

    from rewardkit_native.model.tiny import tiny

    tokenizer = AutoTokenizer.from_pretrained(tiny())
    model.generation_config.eos_token_id = tokenizer.eos_token_id
    model.to(torch.bfloat16).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


def sides() -> list[str]:
    """Return whose steps can be measured here."""
    there = find_spec("trl") is not None and find_spec("datasets") is not None
    return ["native", "trl"] if there else ["native"]


def one_side(side: str, setting: Setting, scratch: Path) -> dict[str, Any] | str:
    """Measure the steps of one side in a process of its own; return its last words if it fails."""
    asked, told = scratch / "setting.json", scratch / f"{side}.json"
    asked.write_text(json.dumps(asdict(setting)))
    command = [sys.executable, str(HERE / "gpu_runs.py"), side, str(asked), str(told)]
    done = subprocess.run(command, env=with_this_folder(), capture_output=True, text=True)
    if done.returncode:
        return (done.stderr.strip().splitlines() or ["ended without a word"])[-1]
    found: dict[str, Any] = json.loads(told.read_text())
    return found


def with_this_folder() -> dict[str, str]:
    """Return the environment of a process whose verifier workers find `coin` here."""
    paths = [str(HERE), *filter(None, sys.path)]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def beside_trl(setting: Setting, scratch: Path) -> dict[str, dict[str, float] | str]:
    """Return the seconds of a step by phase, its peak in bytes and its tokens, by side."""
    found: dict[str, dict[str, float] | str] = {}
    for side in sides():
        measured = one_side(side, setting, scratch)
        if isinstance(measured, str):
            found[side] = measured
            continue
        steps = measured["steps"][1:]
        times = {
            phase: statistics.median(step["seconds"][phase] for step in steps)
            for phase in steps[0]["seconds"]
        }
        tokens = statistics.mean(step["tokens"] for step in steps)
        found[side] = {**times, "peak": measured["peak_bytes"], "tokens": tokens}
    return found


def tiny_run(folder: Path, device: str, steps: int, **sections: Any) -> Any:
    """Return the configuration of a run that teaches the tiny model one-digit sums."""
    data = {
        "folder": str(folder),
        "steps": steps,
        "model": {"name": "tiny", "dtype": "float32", "device": device, "threads": 1},
        "task": {"name": "arithmetic", "args": {"operations": ["+"]}},
        "recipe": {"name": "grpo", "kl_coef": 0.0},
        "sampling": {"problems": 16, "group_size": 8, "max_tokens": 12},
        "optim": {"lr": 3e-4},
        "eval": {"samples": 0},
        "verify": {"workers": 1},
    }
    return config_from({**data, **sections})


def learning(folder: Path, device: str, steps: int) -> list[float]:
    """Return the share of right answers at each step of the tiny model's training."""
    from rewardkit_native.loop import train

    with redirect_stdout(StringIO()):
        path = train(tiny_run(folder, device, steps))
    return [row["outcome/correct"] for row in RunFolder.open(path).rows("metrics.jsonl")]


def killed_and_resumed(folder: Path, device: str) -> float:
    """Return how far the weights of a killed and resumed run are from those of one that never was.

    Relative, 0 where all bits are the same. The kill is SIGKILL, between two checkpoints.

    Raises:
        RuntimeError: a run failed, or ended before it could be killed.
    """
    from safetensors.torch import load_file

    names = ("whole", "killed")
    for name in names:
        config = tiny_run(folder / name, device, STEPS, checkpoint={"every": 3})
        (folder / f"{name}.toml").write_text(config_to_toml(config))
    _finish(_start(folder / "whole.toml"))
    _kill(_start(folder / "killed.toml"), folder / "killed" / "metrics.jsonl")
    _finish(_start("--resume", folder / "killed"))
    last = f"checkpoints/step-{STEPS:05d}/model.safetensors"
    one, other = (load_file(folder / name / last) for name in names)
    apart = sum(float((one[name] - other[name]).double().square().sum()) for name in one)
    size = sum(float(tensor.double().square().sum()) for tensor in one.values())
    return float((apart / size) ** 0.5)


def _kill(victim: subprocess.Popen[str], records: Path) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not records.exists() or records.read_bytes().count(b"\n") < KILLED_AFTER:
        if victim.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"there was nothing to kill: {victim.communicate()[1][-500:]}")
        time.sleep(0.01)
    os.killpg(victim.pid, signal.SIGKILL)
    victim.communicate()


def _finish(run: subprocess.Popen[str]) -> None:
    words = run.communicate()[1]
    if run.returncode:
        raise RuntimeError(words[-500:])


def _start(*arguments: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "rewardkit", "train", *map(str, arguments)],
        env=with_this_folder(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def main() -> None:
    """Measure one side: SIDE SETTING.json RESULT.json, as `one_side` asks for it."""
    side, asked, told = sys.argv[1:]
    setting = Setting(**json.loads(Path(asked).read_text()))
    Path(told).write_text(json.dumps(run_side(side, setting)))


if __name__ == "__main__":
    main()
