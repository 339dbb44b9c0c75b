"""A native run that samples through vLLM: the samples are those of the weights being trained."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from rewardkit.config import config_to_toml
from rewardkit.runs import RunFolder
from rewardkit_native.loop import train


def rows(folder):
    return [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]


@pytest.mark.vllm
@pytest.mark.timeout(900)
@pytest.mark.filterwarnings("default")  # vLLM's and its dependencies'
def test_adapters_reach_vllm_merged_and_are_drawn_from_the_runs_seed(configure, tmp_path, capfd):
    """vLLM seeds all generators as it starts, before the adapters are drawn."""
    drawn, gaps = [], []
    for seed in (1, 2):
        folder = train(
            configure(
                folder=str(tmp_path / f"run-{seed}"),
                seed=seed,
                sampling={"engine": "vllm", "problems": 4, "group_size": 8, "max_tokens": 12},
                lora={"rank": 4},
                optim={"lr": 0.01},
            )
        )
        steps = rows(folder)
        assert len(steps) == 2
        # A step whose groups are all right or all wrong trains on nothing and compares nothing.
        gaps += [s["max_sampler_mismatch"] for s in steps if "max_sampler_mismatch" in s]
        assert 'correction = "tis"' in (folder / "config.toml").read_text()
        adapter = max(Path(folder).glob("checkpoints/*/adapter/adapter_model.safetensors"))
        drawn.append({n: t for n, t in load_file(adapter).items() if "lora_A" in n})
    said = "".join(capfd.readouterr())
    assert " ".join(said.split()).count("another engine samples than trains") == 2
    assert gaps
    assert max(gaps) < 1e-3
    assert drawn[0].keys() == drawn[1].keys()
    for name, first in drawn[0].items():  # two steps move a matrix by little of its length
        together = torch.stack([first.flatten(), drawn[1][name].flatten()])
        assert torch.corrcoef(together)[0, 1].abs() < 0.3


@pytest.mark.vllm
@pytest.mark.timeout(900)
@pytest.mark.filterwarnings("default")
def test_two_ranks_sample_with_an_engine_each_from_the_weights_that_they_share(configure, tmp_path):
    """Two runs in one launch: the second makes its engines where the first has left none."""
    sampling = {"engine": "vllm", "problems": 4, "group_size": 8, "max_tokens": 12}

    def asked(name):
        return configure(folder=str(tmp_path / name), sampling=sampling)

    alone, together = train(asked("one")), [tmp_path / "two", tmp_path / "again"]
    for folder in together:
        folder.with_suffix(".toml").write_text(config_to_toml(asked(folder.name)))
    program = tmp_path / "program.py"
    program.write_text(
        "import sys\n"
        "from rewardkit.cli import main\n"
        "for file in sys.argv[1:]:\n"
        "    main(['train', file])\n"
    )
    launcher = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"]
    done = subprocess.run(
        [*launcher, program, *(folder.with_suffix(".toml") for folder in together)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        timeout=800,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    one, *two = (RunFolder.open(folder) for folder in (alone, *together))
    for run in two:
        steps = run.rows("metrics.jsonl")
        assert len(steps) == 2
        gaps = [s["max_sampler_mismatch"] for s in steps if "max_sampler_mismatch" in s]
        assert gaps
        assert max(gaps) < 1e-3  # after an update as well: each engine has the new weights
        assert texts(run, 1) == texts(one, 1)


def texts(run, step):
    return [row["response"] for row in run.rows("rollouts.jsonl") if row["step"] == step]
