"""What a run that is stopped, that fails or that finds damage leaves behind, and goes on from."""

import json
import os
import resource
import shutil
import signal
import sys
import threading
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from rewardkit.api import register_task
from rewardkit.config import config_to_toml
from rewardkit.errors import ConfigError, DataError, ModelError, NoSignalError, TrainingError
from rewardkit.lock import hold
from rewardkit.runs import RunFolder
from rewardkit.tasks import load_task
from rewardkit.types import Problem
from rewardkit_native import checkpoint, loop
from rewardkit_native.collect import fingerprint
from rewardkit_native.interrupt import Interrupt, Stopped
from rewardkit_native.loop import train
from rewardkit_native.retention import best, checkpoints
from rewardkit_native.sealed import check
from rewardkit_native.update import Updater


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def configure(configure):
    """A smaller run that saves after each of four steps."""
    return partial(
        configure,
        "steps=4",
        sampling={"problems": 3, "group_size": 6, "max_tokens": 8},
        optim={"lr": 2e-4},
        checkpoint={"every": 1},
    )


def weights(folder, step):
    return load_file(Path(folder) / "checkpoints" / f"step-{step:05d}" / "model.safetensors")


def same(one, other):
    return one.keys() == other.keys() and all(torch.equal(one[k], other[k]) for k in one)


def names(folder):
    return {path.name for path in (Path(folder) / "checkpoints").iterdir()}


def steps(folder):
    return [row["step"] for row in RunFolder.open(folder).rows("metrics.jsonl")]


def truncate(path, length):
    with path.open("r+b") as file:
        file.truncate(length)


# --- damage ---------------------------------------------------------------------------------


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
    from rewardkit_native.sealed import seal

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
        Updater, "run", lambda *a: (seen.append(torch.get_num_threads()), original(*a))[1]
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


def test_a_record_cut_short_by_somebody_is_continued_at_a_whole_line(configure):
    path = train(configure("steps=2"))
    truncate(path / "metrics.jsonl", (path / "metrics.jsonl").stat().st_size - 20)
    train(configure("steps=3"), resume=True)
    assert steps(path) == [1, 3]


# --- which checkpoints stay -----------------------------------------------------------------


def test_the_best_is_by_held_out_accuracy_where_a_run_is_evaluated_on_its_way():
    results = {
        "before": {"step": 0, "accuracy": 0.9},
        "step-00002": {"step": 2, "accuracy": 0.7},
        "step-00004": {"step": 4, "accuracy": 0.5},
        "after": {"step": 6, "accuracy": 0.7},
    }
    assert best([2, 4, 5, 6], results, []) == (6, "held-out accuracy", 0.7)  # of equals, the last
    assert best([2, 4, 5], results, []).step == 2
    assert best([5], results, []) is None
    assert best([], results, []) is None


def test_else_it_is_by_right_answers_in_training_over_ten_steps():
    rows = [{"step": n, "outcome/correct": float(n == 3)} for n in range(1, 31)]
    only_ends = {"before": {"step": 0, "accuracy": 0.1}, "after": {"step": 30, "accuracy": 0.2}}
    found = best([1, 5, 12, 20, 30], only_ends, rows)
    assert (found.step, found.value) == (5, 0.2)
    assert found.by == "right answers in training, last 10 steps"


def test_the_best_checkpoint_is_never_pruned(configure, monkeypatch):
    accuracies = iter([0.1, 0.2, 0.9, 0.3, 0.4, 0.5, 0.6])  # before, then after each step
    original = loop.evaluate_problems

    def rigged(problems, *arguments, **options):
        found = original(problems, *arguments, **options)
        return {**found, "accuracy": next(accuracies)} if len(problems) == 2 else found

    monkeypatch.setattr(loop, "evaluate_problems", rigged)
    monkeypatch.setattr(loop, "held_out_sets", lambda task, most: {"test": task.test[:2]})
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
        killed.setattr(loop, "retain", lambda *_: None)
        path = train(config)
    assert len(names(path)) == 4
    train(config, resume=True)
    assert names(path) == {"step-00004", (path / "checkpoints" / "best").readlink().name, "best"}


# --- failures -------------------------------------------------------------------------------


def fails_at(monkeypatch, call, error):
    """Let the n-th gradient step of a run find something that makes it fail."""
    original, calls = Updater._step, iter(range(1, 1000))

    def step(self):
        if next(calls) == call:
            if error is None:
                for parameter in self.model.parameters():
                    parameter.grad.fill_(float("nan"))
            else:
                raise error
        return original(self)

    monkeypatch.setattr(Updater, "_step", step)


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
    original = loop.evaluate_problems

    def fails(*arguments, **options):
        if RunFolder(Path(config.folder)).rows("metrics.jsonl"):
            raise TrainingError("not one of 2 responses could be graded")
        return original(*arguments, **options)

    monkeypatch.setattr(loop, "evaluate_problems", fails)
    with pytest.raises(TrainingError, match="graded") as caught:
        train(config)
    assert "step-00004" in caught.value.__notes__[0]
    saved = weights(config.folder, 4)
    monkeypatch.undo()
    train(config, resume=True)
    assert same(weights(config.folder, 4), saved)
    assert json.loads((Path(config.folder) / "results.json").read_text())["after"]["step"] == 4


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


# --- signals --------------------------------------------------------------------------------


def test_the_first_signal_only_asks_and_the_second_interrupts():
    with Interrupt() as interrupt:
        interrupt.check()
        os.kill(os.getpid(), signal.SIGTERM)
        assert interrupt.asked is signal.SIGTERM
        with pytest.raises(Stopped):
            interrupt.check()
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_DFL
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_elsewhere_than_in_the_main_thread_the_callers_handlers_stay():
    before = signal.getsignal(signal.SIGINT)
    found = []

    def enter():
        with Interrupt() as interrupt:
            interrupt.end_program()  # nobody asked
            found.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    assert found == [before]


@pytest.mark.parametrize(
    ("number", "end"), [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, SystemExit)]
)
def test_a_signal_in_the_last_evaluation_stops_it_at_once(configure, monkeypatch, number, end):
    config = configure("checkpoint.every=0", "eval.samples=2", "eval.problems=4")
    original = loop.evaluate_problems
    calls = []

    def slow(*arguments, progress, **options):
        def report(text):
            calls.append(text)
            if steps(config.folder) == [1, 2, 3, 4] and len(calls) > 0:
                os.kill(os.getpid(), number)
            progress(text)

        calls.clear()
        return original(*arguments, progress=report, **options)

    monkeypatch.setattr(loop, "evaluate_problems", slow)
    with pytest.raises(end) as caught:
        train(config)
    assert len(calls) == 1
    if end is SystemExit:
        assert caught.value.code == 143
    results = RunFolder.open(config.folder)
    assert list(results.read_json("results.json")) == ["before"]
    saved = weights(config.folder, 4)
    monkeypatch.undo()
    train(config, resume=True)
    assert same(weights(config.folder, 4), saved)
    assert list(results.read_json("results.json")) == ["before", "after"]


def test_an_evaluation_on_the_way_that_was_left_is_made_on_resuming(
    configure, monkeypatch, tmp_path
):
    settings = ("eval.samples=1", "eval.problems=2", "eval.every=2", "checkpoint.every=0")
    whole = train(configure(*settings, f"folder={tmp_path / 'whole'}"))
    config = configure(*settings)
    original = loop.evaluate_problems

    def stopped(*arguments, progress, **options):
        if steps(config.folder) == [1, 2]:
            os.kill(os.getpid(), signal.SIGINT)
        return original(*arguments, progress=progress, **options)

    monkeypatch.setattr(loop, "evaluate_problems", stopped)
    with pytest.raises(KeyboardInterrupt):
        train(config)
    monkeypatch.undo()
    train(config, resume=True)
    for name in ("results.json", "rollouts.jsonl"):
        assert (whole / name).read_bytes() == (Path(config.folder) / name).read_bytes()
    assert same(weights(whole, 4), weights(config.folder, 4))


def begin(nursery, config, tmp_path):
    """Start a training in a process of its own; return its number once it has made a step."""
    (tmp_path / "run.toml").write_text(config_to_toml(config))
    pid = nursery.start(str(tmp_path / "run.toml"))
    deadline = time.monotonic() + 240
    while not (tmp_path / "run" / "metrics.jsonl").exists():
        assert time.monotonic() < deadline, nursery.log.read_text()[-2000:]
        time.sleep(0.02)
    return pid


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_process_that_is_told_to_stop_saves_and_its_status_says_so(
    nursery, configure, tmp_path, number, status
):
    config = configure("steps=100000", "checkpoint.every=0")
    nursery.log.write_text("")
    os.kill(begin(nursery, config, tmp_path), number)
    assert nursery.ended() == status
    said = nursery.log.read_text()
    assert "Traceback" not in said
    assert f"rewardkit train --resume {config.folder}" in said
    assert weights(config.folder, steps(config.folder)[-1])


def test_a_second_signal_ends_a_process_without_saving(nursery, configure, tmp_path):
    # Steps of many rounds: the first signal alone would have to wait.
    config = configure(
        "steps=100000", "checkpoint.every=0", "sampling.problems=24", "sampling.group_size=24"
    )
    nursery.log.write_text("")
    pid = begin(nursery, config, tmp_path)
    time.sleep(0.3)
    os.kill(pid, signal.SIGINT)
    while "again to stop at once" not in nursery.log.read_text():
        time.sleep(0.01)
    os.kill(pid, signal.SIGINT)
    assert nursery.ended() == 130
    assert "Traceback" not in nursery.log.read_text()
    assert names(config.folder) == set()


def test_a_run_goes_on_when_nobody_reads_what_it_says(configure, monkeypatch):
    reading, writing = os.pipe()
    os.close(reading)  # as with: rewardkit train ... | head
    with os.fdopen(writing, "w") as nobody, monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", nobody)
        path = train(configure())
    assert steps(path) == [1, 2, 3, 4]


def test_a_task_that_exits_is_saved_like_one_that_fails(configure, monkeypatch):
    fails_at(monkeypatch, 3, SystemExit(7))
    config = configure("checkpoint.every=0")
    with pytest.raises(SystemExit) as caught:
        train(config)
    assert caught.value.code == 7
    assert weights(config.folder, 2)


# --- a full disk ----------------------------------------------------------------------------


def test_a_disk_that_fills_up_during_a_checkpoint_costs_no_earlier_one(configure, monkeypatch):
    """No file may grow beyond 2 MiB from the third step on: the model has 3 MiB."""
    config = configure("checkpoint.keep=3")
    original = checkpoint.save

    def full(folder, progress, parts, keep):
        if progress.step < 3:
            return original(folder, progress, parts, keep)
        handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (2 << 20, limits[1]))
        try:
            return original(folder, progress, parts, keep)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
            signal.signal(signal.SIGXFSZ, handler)

    monkeypatch.setattr(checkpoint, "save", full)
    with pytest.raises(TrainingError, match="cannot write to") as caught:
        train(config)
    assert "goes on from step-00002" in caught.value.__notes__[0]
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


# --- two at once ----------------------------------------------------------------------------


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


# --- prompts that do not fit ----------------------------------------------------------------


def one_digit_sums(long):
    """Sums of which those at the `long` places have prompts beyond any context of 512."""

    def question(n):
        return f"What is {n} + 1? " + "Think well. " * 300 * (n in long)

    return [Problem(str(n), question(n), str(n + 1)) for n in range(6)]


@register_task("some are long")
def some_are_long(long=(), long_test=()):
    arithmetic = load_task("arithmetic", operations=["+"])
    return replace(
        arithmetic, train=one_digit_sums(long), test=one_digit_sums(long_test)[:3], suites={}
    )


def test_a_problem_that_does_not_fit_is_passed_over_and_said(configure, capsys):
    path = train(configure(task={"name": "some are long", "args": {"long": [1, 4]}}))
    rows = RunFolder.open(path).rows("metrics.jsonl")
    assert [row["groups_drawn"] for row in rows] == [3, 3, 3, 3]
    assert sum(row["prompts_too_long"] for row in rows) in (4, 5, 6)  # of two or three epochs
    assert {row["problem"] for row in RunFolder.open(path).rows("rollouts.jsonl")} == set("0235")
    assert capsys.readouterr().out.count("passed over") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"long": [0, 1, 2, 3, 4, 5]}, "the prompt alone fills them"),
        ({"long_test": [2]}, r"the prompt of 2 \(test\).*do not fit the model's 512 positions"),
    ],
)
def test_where_passing_over_does_not_help_it_is_an_error_at_the_start(
    configure, arguments, message
):
    config = configure("eval.samples=1", task={"name": "some are long", "args": arguments})
    with pytest.raises(ModelError, match=message):
        train(config)
    assert not Path(config.folder).exists()


# --- records --------------------------------------------------------------------------------


def test_numbers_and_letters_that_json_has_no_word_for(tmp_path):
    folder = RunFolder(tmp_path)
    folder.append("metrics.jsonl", [{"step": 1, "kl": float("nan"), "text": "\ud83d"}])
    text = (tmp_path / "metrics.jsonl").read_text(encoding="utf-8")
    assert json.loads(text, parse_constant=pytest.fail) == {"step": 1, "kl": None, "text": "\ud83d"}
