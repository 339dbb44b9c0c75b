"""Two processes on this machine give what one gives: gradients, parameters, rollouts, results."""

import dataclasses
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from rewardkit.config import config_from, config_to_toml
from rewardkit.errors import ConfigError
from rewardkit.runs import RunFolder
from rewardkit_native.distributed import parallel
from rewardkit_native.distributed.parallel import Ranks, refuse_what_cannot_be_shared
from rewardkit_native.learning.critic import FILE
from rewardkit_native.loop import train

# Launching processes takes seconds on a quiet machine, and minutes beside other work.
pytestmark = pytest.mark.timeout(900)

PROGRAM = Path(__file__).with_name("ranks_program.py")
# The tiny model knows no products, so that DAPO's filter has to top up: of sums alone the 15 groups
# of a run are all mixed once in a hundred times.
BOTH = {"name": "arithmetic", "args": {"operations": ["+", "*"], "train_size": 12}}
RECIPES = {
    "grpo": {"recipe": {"name": "grpo", "kl": "jsd"}},  # whose teacher's head all ranks need
    "dapo": {"recipe": {"name": "dapo", "minibatches": 2}, "task": BOTH},
    "ppo": {"recipe": {"name": "ppo", "minibatches": 2}},
    "opd": {"recipe": {"name": "opd"}},
}


def settings(model, folder, **sections):
    data = {
        "folder": str(folder),
        "steps": 3,
        "model": {"name": str(model), "dtype": "float32", "device": "cpu"},
        "task": {"name": "arithmetic", "args": {"operations": ["+"], "train_size": 12}},
        "recipe": {"name": "grpo"},
        "sampling": {"problems": 5, "group_size": 4, "max_tokens": 12},
        "optim": {"lr": 2e-4},
        "eval": {"samples": 0},
        "verify": {"workers": 1},
    }
    return {**data, **sections}


def start(*arguments, **options):
    """Start Python in a process group of its own."""
    return subprocess.Popen(
        [sys.executable, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join([p for p in sys.path if p]),
            "OMP_NUM_THREADS": "1",
        },
        **options,
    )


def torchrun(*arguments, **options):
    """Start a command on two ranks."""
    launcher = ("-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2")
    return start(*launcher, *arguments, **options)


def weights(folder, step, file="model.safetensors"):
    return load_file(Path(folder) / "checkpoints" / f"step-{step:05d}" / file)


def distance(left, right):
    """The relative difference of two sets of weights."""
    assert left.keys() == right.keys()
    a, b = (torch.cat([w[name].flatten() for name in sorted(w)]) for w in (left, right))
    return float((a - b).norm() / a.norm())


@pytest.fixture(scope="module")
def runs(tiny_model, teacher, tmp_path_factory):
    """All that two ranks did in one launch, and the same in this process."""
    root = tmp_path_factory.mktemp("ranks")
    evaluation = {"samples": 2, "problems": 3}
    jobs, alone = {}, {}
    for name, sections in RECIPES.items():
        extra = {**sections, "eval": evaluation if name == "grpo" else {"samples": 0}}
        if name == "opd":
            two = [("sums", "+", teacher), ("products", "*", tiny_model)]
            extra["task"], extra["tasks"] = (
                {},
                [
                    {"name": "arithmetic", "label": label, "teacher": str(model)}
                    | {"args": {"operations": [sign], "train_size": 12}}
                    for label, sign, model in two
                ],
            )
        jobs[name] = settings(tiny_model, root / f"two-{name}", **extra)
        alone[name] = train(config_from(settings(tiny_model, root / f"one-{name}", **extra)))
    # One process takes the first step, two the other ones.
    begun = settings(tiny_model, root / "begun by one", **RECIPES["dapo"])
    train(config_from({**begun, "steps": 1}))
    (root / "jobs.json").write_text(
        json.dumps({"gradients": str(root / "gradients.json"), "runs": [*jobs.values(), begun]})
    )
    process = start(PROGRAM, root / "jobs.json")
    out, err = process.communicate(timeout=800)
    assert process.returncode == 0, err
    return {
        "alone": alone,
        "together": {name: Path(job["folder"]) for name, job in jobs.items()},
        "begun": Path(begun["folder"]),
        "gradients": json.loads((root / "gradients.json").read_text()),
        "out": out,
    }


@pytest.mark.slow
def test_two_ranks_give_the_gradient_of_one_process(runs):
    found = runs["gradients"]
    assert len(found) == 15
    for name, case in found.items():
        if name == "no gradient at all":
            assert case["norm"] == case["difference"] == 0
            continue
        assert case["norm"] > 1e-3, name
        assert case["difference"] / case["norm"] < 1e-6, name


@pytest.mark.slow
def test_two_ranks_report_the_metrics_of_one_process(runs):
    for name, case in runs["gradients"].items():
        assert case["metrics"].keys() == case["expected"].keys(), name
        for key, value in case["expected"].items():
            assert case["metrics"][key] == pytest.approx(value, rel=1e-4, abs=1e-5), (name, key)


@pytest.mark.slow
@pytest.mark.parametrize("name", RECIPES)
def test_parameters_after_three_steps_are_those_of_one_process(runs, name):
    one, two = weights(runs["alone"][name], 3), weights(runs["together"][name], 3)
    assert distance(one, two) < 1e-6
    worst = max(float((one[key] - two[key]).abs().max()) for key in one)
    assert worst < 1e-5
    if name == "ppo":
        critics = [weights(runs[how][name], 3, FILE) for how in ("alone", "together")]
        assert distance(*critics) < 1e-6


@pytest.mark.slow
@pytest.mark.parametrize("name", RECIPES)
def test_the_ranks_draw_the_batch_that_one_process_draws(runs, name):
    one, two = (RunFolder.open(runs[how][name]) for how in ("alone", "together"))
    for ours, theirs in zip(one.rows("rollouts.jsonl"), two.rows("rollouts.jsonl"), strict=True):
        assert ours.pop("advantage") == pytest.approx(theirs.pop("advantage"), abs=1e-6)
        assert ours == theirs
    steps = one.rows("metrics.jsonl")
    for ours, theirs in zip(steps, two.rows("metrics.jsonl"), strict=True):
        for key in ("reward", "groups_drawn", "groups_kept", "tokens", "outcome/correct"):
            assert ours[key] == theirs[key]
    if name == "dapo":  # the filter has topped up, so the decision to do so was common
        assert any(row["groups_drawn"] > 5 for row in steps)


@pytest.mark.slow
def test_evaluation_is_split_over_ranks_with_the_same_result(runs):
    one, two = (RunFolder.open(runs[how]["grpo"]) for how in ("alone", "together"))
    assert one.read_json("results.json") == two.read_json("results.json")


@pytest.mark.slow
def test_only_the_first_rank_speaks(runs):
    assert runs["out"].count("dapo on arithmetic") == 2  # two runs, and not four
    assert runs["out"].count("held-out problems, sampled") == 1


@pytest.mark.slow
def test_a_run_goes_on_with_another_number_of_processes(runs, tiny_model, tmp_path):
    whole = weights(runs["alone"]["dapo"], 3)
    assert distance(whole, weights(runs["begun"], 3)) < 1e-6  # one, then two
    folder = RunFolder.open(runs["together"]["dapo"])
    train(folder.config(["steps=4"]), resume=True)  # two, then one
    longer = config_from(settings(tiny_model, tmp_path / "run", **RECIPES["dapo"], steps=4))
    assert distance(weights(train(longer), 4), weights(folder.path, 4)) < 1e-6


FAILING_TASK = """
import os
import rewardkit as rk
from rewardkit.errors import DataError
from rewardkit.tasks import load_task

def task():
    found = load_task("arithmetic", operations=["+"], train_size=12)
    steps = "run/metrics.jsonl"

    def messages(problem):
        begun = os.path.exists(steps) and os.path.getsize(steps)
        if os.environ.get("RANK") == "1" and begun:
            {action}
        return found.messages(problem)

    return rk.Task("failing", found.train, found.test, messages=messages, verifier=found.verifier)
"""


def start_failing(tiny_model, tmp_path, action):
    """Start a run whose second rank does something bad once a step is recorded."""
    (tmp_path / "failing.py").write_text(FAILING_TASK.format(action=action))
    config = config_from(
        settings(tiny_model, tmp_path / "run", steps=1000, task={"name": "failing:task"})
    )
    (tmp_path / "run.toml").write_text(config_to_toml(config))
    command = ["-m", "rewardkit", "train", tmp_path / "run.toml"]
    return torchrun(*command, cwd=tmp_path), tmp_path / "run"


@pytest.mark.slow
def test_an_error_on_one_rank_stops_all_and_is_the_one_that_is_told(tiny_model, tmp_path):
    process, folder = start_failing(
        tiny_model, tmp_path, "raise DataError('row 26 cannot be used')"
    )
    _, err = process.communicate(timeout=400)
    assert process.returncode != 0
    assert err.count("error: row 26 cannot be used") == 1
    assert "rank 1: DataError: row 26 cannot be used" in err  # torchrun's last lines say it too
    assert "another process of this run has ended" not in err
    steps = [row["step"] for row in RunFolder.open(folder).rows("metrics.jsonl")]
    assert 1 <= len(steps) < 1000


@pytest.mark.slow
def test_a_killed_rank_ends_the_others(tiny_model, tmp_path):
    process, _ = start_failing(tiny_model, tmp_path, "os.kill(os.getpid(), 9)")
    _, err = process.communicate(timeout=400)
    assert process.returncode != 0
    assert "SIGKILL" in err


@pytest.mark.slow
def test_ctrl_c_on_torchrun_finishes_the_step_and_saves(tiny_model, tmp_path):
    config = config_from(settings(tiny_model, tmp_path / "run", steps=100_000))
    (tmp_path / "run.toml").write_text(config_to_toml(config))
    process = torchrun("-m", "rewardkit", "train", tmp_path / "run.toml")
    metrics = tmp_path / "run" / "metrics.jsonl"
    for _ in range(4000):
        if metrics.exists() and metrics.read_text().count("\n") >= 2:
            break
        time.sleep(0.1)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=400)
    assert f"rewardkit train --resume {config.folder}" in out, err
    folder = RunFolder.open(config.folder)
    done = folder.rows("metrics.jsonl")[-1]["step"]
    assert weights(folder.path, done)


def config(**changes):
    made = config_from({"folder": "x", "steps": 1}, ["model.device=cpu", "sampling.problems=4"])
    return dataclasses.replace(made, **changes)


def test_more_than_one_node_is_refused_with_a_way_out():
    with pytest.raises(ConfigError, match=r"one node.*16 processes.*8 of them.*--backend verl"):
        refuse_what_cannot_be_shared(config(), 16, 8)


def test_fewer_groups_than_ranks_are_refused():
    refuse_what_cannot_be_shared(config(), 4, 4)
    with pytest.raises(ConfigError, match=r"sampling\.problems = 4.*--nproc-per-node 4"):
        refuse_what_cannot_be_shared(config(), 5, 5)


def test_fewer_gpus_than_ranks_are_refused(monkeypatch):
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    on_gpu = config(model=dataclasses.replace(config().model, device="cuda"))
    refuse_what_cannot_be_shared(on_gpu, 2, 2)
    with pytest.raises(ConfigError, match=r"3 processes need a GPU each, and there are 2"):
        refuse_what_cannot_be_shared(on_gpu, 3, 3)
    one_gpu = config(model=dataclasses.replace(config().model, device="cuda:1"))
    with pytest.raises(ConfigError, match="names one GPU for 2 processes"):
        refuse_what_cannot_be_shared(one_gpu, 2, 2)


def test_each_rank_has_its_own_gpu(monkeypatch):
    monkeypatch.setenv("LOCAL_RANK", "1")
    model = dataclasses.replace(config().model, device="cuda")
    assert Ranks(1, 2).on_own_device(model).device == "cuda:1"
    assert Ranks().on_own_device(model).device == "cuda"
    assert Ranks(1, 2).on_own_device(config().model).device == "cpu"


def test_one_process_meets_nobody(monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("one process needs no process group")

    monkeypatch.setattr(parallel.dist, "all_gather_object", refuse)
    monkeypatch.setattr(parallel.dist, "all_reduce", refuse)
    ranks = Ranks()
    assert ranks.gather(3) == [3]
    assert ranks.on_first(lambda: 4) == 4
    assert ranks.all_arrive()
    ranks.all_reduce(torch.ones(2))
    assert ranks.equal_passes([[1, 2], [3]]) == [[1, 2], [3]]
    assert ranks.own_groups([5, 5, 6], [1, 2, 3]) == [5, 6]


def test_a_variable_of_another_launcher_does_not_make_a_run_wait(monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "2")
    monkeypatch.delenv("TORCHELASTIC_RUN_ID", raising=False)
    with parallel.joined(config()) as ranks:
        assert ranks == Ranks()


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_every_group_is_some_ranks_and_the_load_is_even(size):
    groups = [g for g in range(12) for _ in range(4)]
    tokens = [(7 * g) % 11 + 1 for g in groups]
    parts = [Ranks(rank, size).own_groups(groups, tokens) for rank in range(size)]
    assert sorted(g for part in parts for g in part) == list(range(12))
    loads = [sum(t for g, t in zip(groups, tokens, strict=True) if g in part) for part in parts]
    assert max(loads) - min(loads) <= 4 * 11  # never more than one group apart
