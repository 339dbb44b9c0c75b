"""What a run that fails leaves behind: errors, a full disk, a second process."""

import resource
import signal
from pathlib import Path

import pytest

from rewardkit.errors import ConfigError, NoSignalError, TrainingError
from rewardkit.runs import RunFolder
from rewardkit.runs.lock import hold
from rewardkit.runs.retention import checkpoints
from rewardkit.runs.seal import check
from rewardkit_native import evaluate
from rewardkit_native.learning.update import Learner
from rewardkit_native.loop import train
from rewardkit_native.recovery import checkpoint

from run_files import names, same, steps, weights  # isort: skip


def fails_at(monkeypatch, call, error):
    """Let the n-th gradient step of a run find something that makes it fail."""
    original, calls = Learner.follow, iter(range(1, 1000))

    def follow(learner):
        if next(calls) == call:
            if error is None:
                for parameter in learner.optimiser.param_groups[0]["params"]:
                    parameter.grad.fill_(float("nan"))
            else:
                raise error
        return original(learner)

    monkeypatch.setattr(Learner, "follow", follow)


def test_a_gradient_that_is_not_finite_saves_the_model_as_it_was(configure, tmp_path, monkeypatch):
    whole = train(configure("checkpoint.every=0", f"folder={tmp_path / 'whole'}"))
    fails_at(monkeypatch, 3, None)
    config = configure("checkpoint.every=0")
    with pytest.raises(TrainingError, match="gradient is not finite") as caught:
        train(config)
    [note] = caught.value.__notes__
    assert "step-00002" in note
    assert f"rewardkit train --resume {config.folder}" in note
    assert steps(config.folder) == [1, 2]
    monkeypatch.undo()
    train(config, resume=True)
    assert same(weights(config.folder, 4), weights(whole, 4))


@pytest.mark.parametrize("saved", [True, False])
def test_weights_from_the_middle_of_a_step_are_not_saved(configure, monkeypatch, saved):
    fails_at(monkeypatch, 4, None)  # the second update of the second step
    config = configure("recipe.epochs=2", f"checkpoint.every={int(saved)}")
    with pytest.raises(TrainingError, match="not finite") as caught:
        train(config)
    [note] = caught.value.__notes__
    assert "half done" in note
    assert ("from step-00001" if saved else "from the start") in note
    assert names(config.folder) == ({"step-00001", "best"} if saved else set())
    monkeypatch.undo()
    train(config, resume=True)
    assert steps(config.folder) == [1, 2, 3, 4]


def test_any_failure_saves_the_last_whole_step(configure, monkeypatch):
    fails_at(monkeypatch, 3, RuntimeError("out of memory"))
    config = configure("checkpoint.every=0")
    with pytest.raises(RuntimeError, match="out of memory") as caught:
        train(config)
    assert "step-00002" in caught.value.__notes__[0]
    assert weights(config.folder, 2)


def test_a_failing_last_evaluation_costs_nothing(configure, monkeypatch):
    config = configure("checkpoint.every=0", "eval.samples=1", "eval.problems=2")
    original = evaluate.answered

    def fails(*arguments, **options):
        if RunFolder(Path(config.folder)).rows("metrics.jsonl"):
            raise TrainingError("not one of 2 responses could be graded")
        return original(*arguments, **options)

    monkeypatch.setattr(evaluate, "answered", fails)
    with pytest.raises(TrainingError, match="graded") as caught:
        train(config)
    assert "step-00004" in caught.value.__notes__[0]
    saved = weights(config.folder, 4)
    monkeypatch.undo()
    train(config, resume=True)
    assert same(weights(config.folder, 4), saved)
    assert RunFolder(Path(config.folder)).evaluations()["after"]["step"] == 4


def test_a_run_without_signal_at_all_saves_and_says_so(configure):
    hopeless = {"name": "arithmetic", "args": {"operations": ["*"], "digits": [6, 6]}}
    config = configure("steps=9", task=hopeless)
    with pytest.raises(NoSignalError, match=r"5 steps in a row.*too hard") as caught:
        train(config)
    assert "step-00005" in caught.value.__notes__[0]
    [event] = RunFolder.open(config.folder).rows("events.jsonl")
    assert (event["step"], event["kind"], event["guard"]) == (5, "stop", "degenerate")


def test_guards_warn_once_in_the_terminal_and_in_the_folder(configure, capsys):
    config = configure("guards.entropy=9", "guards.patience=2")
    path = train(config)
    [event] = RunFolder.open(path).rows("events.jsonl")
    assert (event["step"], event["kind"], event["guard"]) == (2, "warning", "entropy")
    assert capsys.readouterr().out.count("(guards.entropy = 9, at least)") == 1


def test_a_guard_can_stop_the_run_which_goes_on_without_it(configure):
    config = configure("guards.entropy=9", "guards.stop=['entropy']", "guards.patience=2")
    with pytest.raises(TrainingError, match=r"guards\.entropy = 9.*entropy=none") as caught:
        train(config)
    assert "step-00002" in caught.value.__notes__[0]
    train(RunFolder.open(config.folder).config(["guards.entropy=none"]), resume=True)
    assert steps(config.folder) == [1, 2, 3, 4]


def test_a_task_that_exits_is_saved_like_one_that_fails(configure, monkeypatch):
    fails_at(monkeypatch, 3, SystemExit(7))
    config = configure("checkpoint.every=0")
    with pytest.raises(SystemExit) as caught:
        train(config)
    assert caught.value.code == 7
    assert weights(config.folder, 2)


@pytest.mark.parametrize("most", [2, 4])
def test_a_disk_that_fills_up_during_a_checkpoint_costs_no_earlier_one(
    configure, monkeypatch, most
):
    """So many MiB are all that a file may have from step 3 on; model and optimiser have 3 and 6."""
    config = configure("checkpoint.keep=3")
    original = checkpoint.save

    def full(folder, progress, parts, keep):
        if progress.step < 3:
            return original(folder, progress, parts, keep)
        handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most << 20, limits[1]))
        try:
            return original(folder, progress, parts, keep)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
            signal.signal(signal.SIGXFSZ, handler)

    monkeypatch.setattr(checkpoint, "save", full)
    with pytest.raises(TrainingError, match=r"step-00003: .*File too large.*make room") as caught:
        train(config)
    assert caught.value.__notes__ == ["That goes on from step-00002."]
    assert names(config.folder) == {"step-00001", "step-00002", "best"}
    for folder in checkpoints(RunFolder(Path(config.folder))):
        check(folder)
    assert steps(config.folder) == [1, 2, 3]
    monkeypatch.undo()
    train(config, resume=True)
    assert steps(config.folder) == [1, 2, 3, 4]


def test_a_line_that_does_not_fit_leaves_no_half_of_it(tmp_path):
    folder = RunFolder(tmp_path)
    folder.append("metrics.jsonl", [{"step": 1}])
    before = (tmp_path / "metrics.jsonl").read_bytes()
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64, limits[1]))
    try:
        with pytest.raises(TrainingError, match="make room"):
            folder.append("metrics.jsonl", [{"step": 2, "text": "x" * 100}])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert (tmp_path / "metrics.jsonl").read_bytes() == before


def test_a_second_process_is_refused_and_removes_nothing(configure):
    path = train(configure("steps=1"))
    # A lock belongs to an open file, so the same process can stand for another one.
    with hold(path):
        for options in ({"resume": True}, {"overwrite": True}):
            with pytest.raises(ConfigError, match="another process is training in"):
                train(configure("steps=2"), **options)
    assert weights(path, 1)
    train(configure("steps=2"), resume=True)


def test_a_run_folder_that_cannot_be_one(configure, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="cannot be a run folder"):
        train(configure(f"folder={tmp_path / 'file'}"))
