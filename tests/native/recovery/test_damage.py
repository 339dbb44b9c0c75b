"""What a run that finds damage, or an older version's folder, goes on from."""

import json
import re
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from rewardkit.errors import DataError, ModelError
from rewardkit.runs import RunFolder, read_rollouts
from rewardkit.runs.retention import checkpoints
from rewardkit.runs.seal import SEAL, check, seal
from rewardkit.sampling.counts import fingerprint
from rewardkit.types import Problem
from rewardkit_native import evaluate
from rewardkit_native.learning.update import Updater
from rewardkit_native.loop import train
from rewardkit_native.recovery import checkpoint

from run_files import names, same, steps, truncate, weights  # isort: skip


def test_a_damaged_checkpoint_is_refused_by_name_and_the_one_before_is_used(
    configure, tmp_path, capsys
):
    whole = train(configure(f"folder={tmp_path / 'whole'}"))
    path = train(configure("steps=3"))
    truncate(path / "checkpoints" / "step-00003" / "model.safetensors", 1000)
    capsys.readouterr()
    train(RunFolder.open(path).config(["steps=4"]), resume=True)
    assert "step-00003 is damaged: model.safetensors has 1000 bytes" in capsys.readouterr().out
    [entry] = json.loads((path / "manifest.json").read_text())["resumed"]
    assert entry["from_step"] == 2
    assert "step-00003 is damaged" in entry["refused"][0]
    # Nothing was lost but the work of a step, and the evidence is kept.
    assert same(weights(path, 4), weights(whole, 4))
    assert "damaged-step-00003" in names(path)
    assert {"step-00003", "step-00004"} <= names(path)
    check(path / "checkpoints" / "step-00003")


def test_without_a_whole_checkpoint_nothing_is_touched(configure):
    path = train(configure("checkpoint.keep=2"))
    for folder in checkpoints(RunFolder(path)):
        (folder / "trainer_state.pt").write_bytes(b"")
    before = {file: file.read_bytes() for file in path.rglob("*") if file.is_file()}
    with pytest.raises(ModelError) as caught:
        train(configure("steps=5"), resume=True)
    for folder in checkpoints(RunFolder(path)):
        assert f"{folder} is damaged: trainer_state.pt has 0 bytes" in str(caught.value)
    assert "--overwrite" in str(caught.value)
    assert before == {file: file.read_bytes() for file in path.rglob("*") if file.is_file()}


@pytest.mark.parametrize("gone", ["checkpoints", "all of them"])
def test_a_run_without_a_checkpoint_starts_again_and_says_so(configure, tmp_path, capsys, gone):
    path = train(configure("steps=1"))
    before = weights(path, 1)
    for folder in [path / "checkpoints"] if gone == "checkpoints" else checkpoints(RunFolder(path)):
        shutil.rmtree(folder)
    capsys.readouterr()
    train(configure("steps=1"), resume=True)
    said = " ".join(capsys.readouterr().out.split())
    assert "holds no checkpoint: the run starts again at step 1" in said
    [entry] = json.loads((path / "manifest.json").read_text())["resumed"]
    assert entry["from_step"] == 0
    assert "holds no checkpoint" in entry["refused"][0]
    assert steps(path) == [1]
    assert same(weights(path, 1), before)


def test_a_checkpoint_of_another_model_is_not_called_damaged(configure, random_llama, tmp_path):
    path = train(configure("steps=1"))
    random_llama.save_pretrained(path / "checkpoints" / "step-00001")
    from rewardkit.runs.seal import seal

    seal(path / "checkpoints" / "step-00001")
    with pytest.raises(ModelError, match="does not fit this run's model"):
        train(configure("steps=2"), resume=True)


def test_what_a_killed_process_left_is_swept_at_the_next_start(configure):
    path = train(configure("steps=1"))
    left = path / "checkpoints" / ".part-step-00002"
    left.mkdir()
    (left / "model.safetensors").write_bytes(bytes(100))
    train(configure("steps=2"), resume=True)
    assert not left.exists()


@pytest.mark.parametrize("left", [[], ["checkpoints"], ["checkpoints", ".config.toml.part"]])
def test_a_run_killed_while_its_folder_was_made_is_simply_started_again(configure, left):
    config = configure("steps=1")
    Path(config.folder).mkdir()
    for name in left:
        path = Path(config.folder) / name
        path.mkdir() if name == "checkpoints" else path.write_text("half")
    train(config)
    assert steps(config.folder) == [1]


def test_a_resumed_run_keeps_its_number_of_threads(configure, monkeypatch):
    torch.set_num_threads(2)
    train(configure("steps=1"))
    torch.set_num_threads(1)
    seen = []
    original = Updater.run
    monkeypatch.setattr(
        Updater, "run", lambda *a, **k: (seen.append(torch.get_num_threads()), original(*a, **k))[1]
    )
    train(configure("steps=2"), resume=True)
    train(configure("steps=3", "model.threads=1"), resume=True)
    train(configure("steps=4"), resume=True)
    assert seen == [2, 1, 1]


def test_a_run_does_not_go_on_with_other_problems(configure):
    def task(long):
        return {"name": "some are long", "args": {"long": [long]}}

    path = train(configure("steps=1", task=task(1)))
    config = path / "config.toml"  # what the task's name stands for may change behind it
    config.write_text(config.read_text().replace("1,", "2,"))
    assert RunFolder.open(path).config().task.args == {"long": [2]}
    with pytest.raises(DataError, match="are not those that this run was training on"):
        train(RunFolder.open(path).config(["steps=2"]), resume=True)


def test_problems_are_told_apart_by_number_and_by_a_sample():
    problems = [Problem(str(n), f"{n}?", "0") for n in range(1000)]
    found = {fingerprint(problems), fingerprint(problems[:-1]), fingerprint([])}
    found.add(fingerprint([replace(problems[0], answer="1"), *problems[1:]]))
    assert len(found) == 4
    assert fingerprint(list(problems)) in found

    class Endless:
        def __len__(self):
            return 10**15

        def __getitem__(self, place):
            return Problem(str(place), "?", "0")

    assert fingerprint(Endless())


def test_a_record_cut_short_by_somebody_is_continued_at_a_whole_line(configure, monkeypatch):
    path = train(configure("steps=2"))
    truncate(path / "metrics.jsonl", (path / "metrics.jsonl").stat().st_size - 20)
    read, load = [], torch.load
    monkeypatch.setattr(torch, "load", lambda *a, **k: read.append(k) or load(*a, **k))
    train(configure("steps=3"), resume=True)
    assert steps(path) == [1, 3]
    # Each of several ranks takes its slices of the optimiser's state from the file: whole on each
    # GPU it would be twice the weights in float32.
    assert [(one["map_location"], one["mmap"]) for one in read] == [("cpu", True)]


def test_a_run_folder_of_an_older_version_goes_on(configure):
    path = train(configure("steps=2", "eval.samples=1", "eval.problems=2"))
    config = (path / "config.toml").read_text()
    (path / "config.toml").write_text(re.sub(r"\[records\][^\[]*", "", config))
    folder = RunFolder.open(path)
    measured = folder.evaluations()
    old = {
        label: {"step": one["step"], **one["sets"].pop("test"), "suites": one["sets"]}
        for label, one in folder.evaluations().items()
    }
    (path / "results.json").write_text(json.dumps(old))
    train(folder.config(["steps=3"]), resume=True)
    assert steps(path) == [1, 2, 3]
    found = folder.evaluations()
    assert list(found) == ["before", "after", "step-00002"]
    assert found["before"]["sets"] == measured["before"]["sets"]
    assert found["step-00002"] == measured["after"]


def test_compressed_records_of_some_groups_go_on_to_the_same_bytes(configure, tmp_path):
    if sys.version_info < (3, 14):
        pytest.importorskip("backports.zstd")
    settings = ("records.every=2", "records.groups=2", "records.compress=true")
    whole = train(configure(*settings, f"folder={tmp_path / 'whole'}"))
    path = train(configure("steps=3", *settings))
    record = path / "rollouts.jsonl.zst"
    record.write_bytes(record.read_bytes() + record.read_bytes()[:50])  # killed as it was written
    train(RunFolder.open(path).config(["steps=4"]), resume=True)
    assert record.read_bytes() == (whole / record.name).read_bytes()
    rows = list(read_rollouts(path))
    assert [row["step"] for row in rows] == [2] * 16 + [4] * 16  # two groups of eight
    assert len({row["group"] for row in rows if row["step"] == 4}) == 2
    assert not (path / "rollouts.jsonl").exists()


def test_a_run_that_may_outgrow_its_disk_says_so_at_its_start(configure, monkeypatch, capsys):
    monkeypatch.setattr(
        "shutil.disk_usage", lambda _: shutil._ntuple_diskusage(10**6, 10**6 - 9, 9)
    )
    train(configure("steps=1"))
    assert "with --set records.compress=true" in capsys.readouterr().out


def test_the_best_checkpoint_is_never_pruned(configure, monkeypatch):
    accuracies = iter([0.1, 0.2, 0.9, 0.3, 0.4, 0.5, 0.6])  # before, then after each step
    measure = evaluate.measure
    rigged = lambda graded: {**measure(graded), "accuracy": next(accuracies)}  # noqa: E731
    monkeypatch.setattr(evaluate, "measure", rigged)
    monkeypatch.setattr(evaluate, "held_out_sets", lambda task, most: {"test": task.test[:2]})
    config = configure(
        "steps=6", "checkpoint.every=0", "checkpoint.keep=1", "eval.samples=1", "eval.every=1"
    )
    path = train(config)
    # The second was saved because it was the best, though none was due before the end.
    assert names(path) == {"step-00002", "step-00006", "best"}
    assert (path / "checkpoints" / "best").readlink() == Path("step-00002")
    from rewardkit.evaluation.models import resolve_model

    assert resolve_model(str(path / "checkpoints" / "best")).endswith("best")
    assert resolve_model(str(path)).endswith("step-00006")


@pytest.mark.parametrize("samples", [0, 1])
def test_what_a_kill_left_unpruned_at_the_end_is_pruned_on_resuming(
    configure, samples, monkeypatch
):
    config = configure("checkpoint.every=1", "checkpoint.keep=1", f"eval.samples={samples}")
    with monkeypatch.context() as killed:
        killed.setattr(checkpoint, "retain", lambda *_: None)
        killed.setattr("rewardkit_native.loop.retain", lambda *_: None)
        path = train(config)
    assert len(names(path)) == 4
    train(config, resume=True)
    assert names(path) == {"step-00004", (path / "checkpoints" / "best").readlink().name, "best"}


class Planted:
    """What runs code where a pickle of it is loaded."""

    def __init__(self, mark):
        self.mark = mark

    def __reduce__(self):
        return Path.touch, (self.mark,)


def test_a_state_that_could_run_code_is_refused_and_runs_none(configure, tmp_path):
    path = train(configure("steps=1"))
    step = path / "checkpoints" / "step-00001"
    torch.save({"progress": Planted(tmp_path / "ran")}, step / checkpoint.STATE)
    (step / SEAL).unlink()
    seal(step)
    with pytest.raises(ModelError, match="could run code"):
        train(RunFolder.open(path).config(["steps=2"]), resume=True)
    assert not (tmp_path / "ran").exists()
