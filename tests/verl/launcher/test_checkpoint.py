"""What is left of a run, and from where it goes on."""

import pytest

from rewardkit.config import config_from
from rewardkit.errors import ModelError
from rewardkit.runs import RunFolder
from rewardkit_verl import backend
from rewardkit_verl.launcher import checkpoint
from rewardkit_verl.launcher.checkpoint import resumable_step
from rewardkit_verl.launcher.prepare import metrics_file

pytestmark = pytest.mark.verl


@pytest.fixture
def folder(tmp_path):
    return RunFolder.create(
        config_from({"folder": str(tmp_path / "run"), "steps": 1, "recipe": {"name": "grpo"}})
    )


def saved(folder, *steps, tracked=None):
    for step in steps:
        (checkpoint.verl_checkpoints(folder) / f"global_step_{step}" / "actor").mkdir(parents=True)
    tracker = checkpoint.verl_checkpoints(folder) / checkpoint.TRACKER
    tracker.write_text(str(tracked or steps[-1]))


def test_a_run_goes_on_from_the_last_whole_checkpoint(folder):
    assert checkpoint.latest_step(folder) == 0
    saved(folder, 2, 4, 6, tracked=4)  # killed while step 6 was being saved
    assert checkpoint.latest_step(folder) == 4
    checkpoint.go_back(folder, 4, keep=5)
    left = {path.name for path in checkpoint.verl_checkpoints(folder).glob("global*")}
    assert left == {"global_step_2", "global_step_4"}


@pytest.mark.parametrize(
    ("rows", "evaluated", "expected"),
    [
        ([1, 2, 3, 4], [0, 2, 4], 4),
        ([1, 2, 3], [0, 2], 2),  # stopped while step 4 was evaluated, before it was logged
        ([1, 2, 3, 4], [0, 2], 2),  # or while the samples of the evaluation were written
        ([1], [0], 4),  # nothing is whole: the last one, rather than all of it again
    ],
)
def test_a_run_goes_on_from_the_last_step_that_was_recorded(rows, evaluated, expected, tmp_path):
    config = config_from(
        {"folder": str(tmp_path / "run"), "steps": 6, "eval": {"samples": 1, "every": 2}}
    )
    folder = RunFolder.create(config)
    saved(folder, 2, 4)
    folder.append("metrics.jsonl", [{"step": step} for step in rows])
    folder.write_json("results.json", {f"step-{s:05d}": {"step": s} for s in evaluated})
    step = resumable_step(folder)
    assert step == expected
    checkpoint.go_back(folder, step, keep=2)
    assert checkpoint.latest_step(folder) == expected, "verl reads where to go on from its tracker"
    assert bool(backend.unrecorded(config, folder, step)) is (expected not in evaluated)


def test_the_last_step_is_evaluated_whatever_its_number(tmp_path):
    folder = RunFolder.create(config_from({"folder": str(tmp_path / "run"), "steps": 3}))
    saved(folder, 2, 3)
    folder.append("metrics.jsonl", [{"step": step} for step in (1, 2, 3)])
    assert resumable_step(folder) == 2
    folder.write_json("results.json", {"after": {"step": 3}})
    assert resumable_step(folder) == 3


def test_a_resumed_run_keeps_the_last_few_checkpoints_of_its_earlier_process(folder):
    saved(folder, 2, 4, 6, 8, 10, tracked=8)
    checkpoint.go_back(folder, 8, keep=2)
    left = {path.name for path in checkpoint.verl_checkpoints(folder).glob("global*")}
    assert left == {"global_step_6", "global_step_8"}


@pytest.mark.parametrize("tracked", ["9", "", "four"])
def test_a_tracker_that_names_nothing_is_an_error(folder, tracked):
    saved(folder, 2)
    (checkpoint.verl_checkpoints(folder) / checkpoint.TRACKER).write_text(tracked)
    with pytest.raises(ModelError, match="no such checkpoint"):
        checkpoint.latest_step(folder)


@pytest.mark.parametrize(("step", "left"), [(0, []), (2, ["0", "1", "2"])])
def test_what_an_earlier_attempt_wrote_is_not_read_as_new(folder, step, left):
    saved(folder, 2)
    for kind in ("rollouts", "validation"):
        (folder.path / "verl" / kind).mkdir(parents=True)
        for number in range(4):
            (folder.path / "verl" / kind / f"{number}.jsonl").write_text("{}\n")
    metrics_file(folder.path, step).write_text("{}\n")
    metrics_file(folder.path, 1).write_text("{}\n")
    checkpoint.go_back(folder, step, keep=5)
    for kind in ("rollouts", "validation"):
        assert sorted(p.stem for p in (folder.path / "verl" / kind).iterdir()) == left
    assert not metrics_file(folder.path, step).exists()
    assert metrics_file(folder.path, 1).exists(), "the log of an earlier start stays"


@pytest.mark.parametrize(
    "damage", [None, "{}", '{"world_size": 1}', '{"world_size": "two"}', "[1]"]
)
def test_a_checkpoint_that_cannot_be_merged_is_named(folder, damage):
    saved(folder, 2)
    if damage:
        shards = checkpoint.verl_checkpoints(folder) / "global_step_2" / "actor"
        (shards / "fsdp_config.json").write_text(damage)
    with pytest.raises(ModelError, match=r"global_step_2/actor is no whole checkpoint"):
        checkpoint.merge(folder, 2)
    assert list(folder.checkpoints.iterdir()) == []
