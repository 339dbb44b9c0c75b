"""A run on three tasks at once: metrics and results of each; killed, it is the same run."""

import tomllib

import pytest
import tomli_w

from rewardkit.config import config_to_toml
from rewardkit.errors import ConfigError
from rewardkit.runs import RunFolder
from rewardkit.sampling.order import order_of
from rewardkit.tasks.settings import run_task
from rewardkit_native.loop import train

from killing import assert_same_run, kill_when, lines  # isort: skip

LABELS = ("arithmetic", "countdown", "chain_sum")
TASKS = [
    {"name": "arithmetic", "args": {"operations": ["+"], "train_size": 12}, "weight": 2},
    {"name": "countdown", "args": {"train_size": 12, "test_size": 3}, "system": "Be brief."},
    {"name": "reasoning_gym:chain_sum", "args": {"train_size": 12, "test_size": 3}},
]


@pytest.fixture
def mixed(configure, tmp_path):
    pytest.importorskip("reasoning_gym")

    def make(name, *overrides):
        return configure(
            "steps=4",
            *overrides,
            folder=str(tmp_path / name),
            task={},
            tasks=TASKS,
            recipe={"name": "dapo", "minibatches": 2},
            sampling={"problems": 4, "group_size": 4, "max_tokens": 8, "rounds": 6},
            eval={"samples": 1, "problems": 2},
            checkpoint={"every": 2, "keep": 2},
            guards={"truncated": 0.05, "patience": 2},  # crossed: there are events to lose
        )

    return make


def at_work_on_step_3(folder):
    return lines(folder, "metrics.jsonl") == 2 and (folder / "checkpoints/step-00002").exists()


def test_killed_and_resumed_it_equals_the_uninterrupted_one(mixed, nursery, tmp_path):
    files = {}
    for name in ("whole", "killed"):
        files[name] = tmp_path / f"{name}.toml"
        files[name].write_text(config_to_toml(mixed(name)))
    nursery.finish(str(files["whole"]))
    pid = nursery.start(str(files["killed"]))
    kill_when(pid, at_work_on_step_3, tmp_path / "killed", 0)
    assert nursery.ended() != 0
    nursery.finish("--resume", str(tmp_path / "killed"))
    assert_same_run(tmp_path / "whole", tmp_path / "killed")
    check(RunFolder.open(tmp_path / "whole"))


def check(folder):
    task = run_task(folder.config())
    order = order_of(task.train, 0)
    rollouts = folder.rows("rollouts.jsonl")
    drawn = sum(row["groups_drawn"] for row in folder.rows("metrics.jsonl"))
    stream = [task.train[order.at(position)].id for position in range(drawn)]
    kept = list(dict.fromkeys((row["step"], row["group"]) for row in rollouts))
    problems = [next(r["problem"] for r in rollouts if (r["step"], r["group"]) == k) for k in kept]
    places = iter(stream)
    assert all(problem in places for problem in problems), "the stream, less what was filtered out"

    for row in folder.rows("metrics.jsonl"):
        found = {label: row.get(f"source/{label}/groups_drawn", 0) for label in LABELS}
        assert sum(found.values()) == row["groups_drawn"]
        kept = sum(row.get(f"source/{label}/groups_kept", 0) for label in LABELS)
        assert kept == row["groups_kept"]
        assert all(type(count) is int for count in found.values())
    for evaluation in folder.evaluations().values():
        sets = evaluation["sets"]
        assert set(sets) == {"test", *LABELS, "arithmetic/harder"}
        assert [sets[label]["problems"] for label in LABELS] == [2, 2, 2]
        assert sets["test"]["problems"] == 6
        assert sets["test"]["samples"] == 6
        assert sets["test"]["correct"] == sum(sets[label]["correct"] for label in LABELS)


def test_another_mixture_does_not_go_on_with_a_run(mixed):
    train(mixed("run", "steps=1", "eval.samples=0", "recipe.filter_groups=false"))
    with pytest.raises(ConfigError, match="cannot be resumed with another tasks"):
        train(mixed("run", "tasks.0.weight=3", "eval.samples=0"), resume=True)


def test_a_rule_that_knows_no_weights_is_refused(mixed):
    with pytest.raises(ConfigError, match=r"'mopps' chooses among all problems.*uniform or greso"):
        train(mixed("run", "sampling.curriculum.rule=mopps"))


def test_a_run_from_before_these_settings_goes_on(configure, tmp_path):
    rows = [f'{{"problem": "What is {i} + {i}?", "answer": {2 * i}}}' for i in range(8)]
    for name in ("train", "test"):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(rows))
    task = {
        "name": f"file:{tmp_path / 'test.jsonl'}",
        "args": {"train": str(tmp_path / "train.jsonl"), "prompt": "{question} Be exact."},
    }
    path = train(configure("steps=1", task=task))
    written = tomllib.loads((path / "config.toml").read_text())
    assert written.pop("tasks") == []
    written["task"] = {name: written["task"][name] for name in ("name", "args")}
    (path / "config.toml").write_text(tomli_w.dumps(written))
    train(RunFolder.open(path).config(["steps=2"]), resume=True)
    assert len(RunFolder.open(path).rows("metrics.jsonl")) == 2
