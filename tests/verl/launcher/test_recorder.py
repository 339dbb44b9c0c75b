"""From verl's files to a run folder in the form of native runs."""

import json
import sys

import pytest

from rewardkit.config import config_from
from rewardkit.errors import NoSignalError, TrainingError
from rewardkit.guards import GuardsConfig, judge
from rewardkit.runs import RunFolder, read_rollouts
from rewardkit.runs.rollouts import rollout_row
from rewardkit.training_step import step_metrics
from rewardkit.types import Problem, Reward, Rollout
from rewardkit_verl.inside.dump import write_rows
from rewardkit_verl.launcher.prepare import metrics_file
from rewardkit_verl.launcher.recorder import Lines, Recorder, evaluations, label_of, step_row
from rewardkit_verl.rows import finish_of, tally, verdict_of

pytestmark = pytest.mark.verl

METRICS = {
    "training/global_step": 1,
    "actor/grad_norm": 0.5,
    "actor/lr": 1e-6,
    "actor/entropy": 0.7,
    "actor/rewardkit/clipped_high": 0.01,
    "rewardkit/reward": 0.25,
    "rewardkit/tokens": 120.0,
    "rewardkit/outcome/correct": 0.3,
    "timing_s/step": 4.0,
    "timing_s/gen": 2.0,
    "perf/throughput": 3,
}


class Shown:
    """A display that remembers."""

    def __init__(self):
        self.steps, self.evaluations, self.remarks = [], [], []

    def step(self, row):
        self.steps.append(row)

    def recorded(self, step, rows, alarms):
        assert all(row["step"] == step for row in rows)
        assert all(alarm.message for alarm in alarms)

    def remark(self, text):
        self.remarks.append(text)

    def evaluated(self, label, name, result):
        self.evaluations.append((label, name, result["accuracy"]))


@pytest.fixture
def folder(tmp_path):
    return RunFolder.create(configured(tmp_path))


def configured(tmp_path, **data):
    recipe = {"name": "grpo"}
    return config_from(
        {
            "folder": str(tmp_path / "run"),
            "steps": 3,
            "recipe": recipe,
            "eval": {"samples": 2},
            **data,
        }
    )


def verl_wrote(folder, step, data, from_step=0):
    file = metrics_file(folder.path, from_step)
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a") as f:
        f.write(json.dumps({"step": step, "data": data}) + "\n")


def following(tmp_path, folder, shown, from_step=0, test_rows=2, **data):
    config = configured(tmp_path, **data)
    return Recorder(config, folder, shown, from_step, test_rows)


PROBLEM = Problem("2 + 2", "2+2?", "4", info={"level": 1, "cases": "x" * 5000})


def sample(problem, outcome, set_="test"):
    return {"problem": problem, "set": set_, "outcome": outcome, "acc": float(outcome == "correct")}


def info(**values):
    return {
        "truncated": 0.0, "outcome": "correct", "extracted": "4", "method": "exact", "reason": "",
        "reward/correct": 1.0, "reward/soft_overlong": -0.5, "acc": 1.0,
        "verdict_score": 1.0, **values,
    }  # fmt: skip


def row(step):
    rollout = Rollout("\\boxed{4}", (1,) * 5, (), finish_of(info()))
    reward = Reward(0.5, {"correct": 1.0, "soft_overlong": -0.5})
    return rollout_row(step, 0, PROBLEM, rollout, verdict_of(info()), reward, 0.1)


def test_a_step_is_told_in_native_words():
    found = step_row(1, METRICS)
    assert found == {
        "step": 1, "grad_norm": 0.5, "lr": 1e-6, "entropy": 0.7, "clipped_high": 0.01,
        "entropy_sampled": 0.7, "reward": 0.25, "tokens": 120, "outcome/correct": 0.3, "step_s": 4.0, "sample_s": 2.0,
        "tokens_per_s": 30.0,
    }  # fmt: skip


def test_a_rollout_has_the_fields_of_a_native_one():
    from rewardkit.runs import rollout_rows
    from rewardkit.types import Finish, Group, Outcome, Verdict

    group = Group(
        PROBLEM,
        (Rollout("\\boxed{4}", (1,) * 5, (0.0,) * 5, Finish.STOP),),
        (Verdict(Outcome.CORRECT, "4", "4", "exact"),),
        (Reward(0.5, {"correct": 1.0, "soft_overlong": -0.5}),),
    )
    assert row(1) == rollout_rows(1, [group], [0.1])[0]
    assert row(1)["info"]["level"] == 1
    assert len(row(1)["info"]["cases"]) < 1100
    assert row(1)["info"]["cases"].endswith("(5,002 characters; the problem has them all)")


def test_steps_and_rollouts_land_in_the_folder_as_they_come(folder, tmp_path):
    shown = Shown()
    recorder = following(tmp_path, folder, shown, test_rows=1)
    assert recorder.poll() is False  # nothing is there yet
    write_rows(folder.path / "verl" / "rollouts" / "1.jsonl", [row(1), row(1)])
    verl_wrote(folder, 1, METRICS)
    assert recorder.poll() is True
    assert recorder.poll() is False
    assert [r["step"] for r in folder.rows("metrics.jsonl")] == [1]
    assert len(folder.rows("rollouts.jsonl")) == 2
    assert shown.steps[0]["reward"] == 0.25


@pytest.mark.parametrize("compress", [False, True])
def test_what_was_dumped_is_kept_once(folder, tmp_path, compress):
    if compress and sys.version_info < (3, 14):
        pytest.importorskip("backports.zstd")
    recorder = following(tmp_path, folder, Shown(), records={"every": 2, "compress": compress})
    for step in (1, 2):
        if step == 2:  # the trainer dumps nothing for steps that are not kept
            write_rows(folder.path / "verl" / "rollouts" / "2.jsonl", [row(2), row(2)])
        verl_wrote(folder, step, METRICS | {"training/global_step": step})
        recorder.poll()
    assert [found["step"] for found in read_rollouts(folder.path)] == [2, 2]
    assert list((folder.path / "verl" / "rollouts").iterdir()) == []
    assert (folder.path / "rollouts.jsonl").exists() is not compress


def test_an_evaluation_is_taken_when_all_its_samples_are_there(folder, tmp_path):
    shown = Shown()
    recorder = following(tmp_path, folder, shown, test_rows=2)
    verl_wrote(folder, 0, {"val-core/x/acc/mean@2": 0.5})
    dump = folder.path / "verl" / "validation" / "0.jsonl"
    first = [sample("a", "correct"), sample("a", "incorrect")]
    write_rows(dump, first)
    recorder.poll()
    assert shown.evaluations == []
    write_rows(dump, [*first, sample("b", "correct"), sample("b", "no_answer")])
    recorder.poll()
    assert shown.evaluations == [("before", "test", 0.5)]
    found = folder.evaluations()["before"]["sets"]["test"]
    assert (found["problems"], found["samples"], found["correct"]) == (2, 4, 2)
    assert found["answered_share"] == 0.75
    assert found["interval_these_problems"][0] < 0.5 < found["interval_these_problems"][1]


def test_a_run_that_ends_early_keeps_what_it_measured(folder, tmp_path):
    recorder = following(tmp_path, folder, Shown(), test_rows=2)
    verl_wrote(folder, 3, {"val-core/x/acc/mean@2": 0.5} | METRICS)
    write_rows(folder.path / "verl" / "validation" / "3.jsonl", [sample("a", "correct")])
    recorder.poll()
    assert folder.evaluations() == {}
    recorder.poll(ended=True)
    assert folder.evaluations()["after"]["step"] == 3


def test_further_sets_are_kept_apart():
    found = evaluations(
        [sample("a", "correct"), sample("a", "timeout", "harder"), sample("b", "correct", "harder")]
    )
    assert found["test"]["accuracy"] == 1
    # An undecided verdict is counted, and measures nothing.
    assert (found["harder"]["samples"], found["harder"]["graded"]) == (2, 1)
    assert found["harder"]["ungraded"]["problems_without_grade"] == 1
    assert found["harder"]["outcomes"]["timeout"] == 1


def test_answers_that_are_not_declared_are_counted():
    one = sample("a", "no_answer")
    found = evaluations([{**one, "near": near} for near in ("right", "read", "", "")])["test"]
    assert found["near_misses"] == {"count": 1, "read": 2, "right": 1, "elsewhere": 0}
    assert "near_misses" not in evaluations([one])["test"]


def test_the_tasks_of_a_mixture_are_measured_apart_and_together():
    rows = [sample(f"a/{n}", "correct", "a") for n in (1, 2)] + [sample("b/1", "incorrect", "b")]
    found = evaluations([*rows, sample("a/1", "incorrect", "a/harder")], ("a", "b", "c"))
    assert {name: one["accuracy"] for name, one in found.items()} == {
        "test": pytest.approx(2 / 3),
        "a": 1,
        "b": 0,
        "a/harder": 0,
    }
    assert found["test"]["problems"] == 3


def test_evaluations_are_named_as_in_native_runs():
    assert [label_of(s, 8) for s in (0, 4, 8)] == ["before", "step-00004", "after"]


def test_half_a_line_waits_for_its_other_half(tmp_path):
    lines = Lines(tmp_path / "x.jsonl")
    assert lines.new() == []
    (tmp_path / "x.jsonl").write_text('{"a": 1}\n{"b"')
    assert lines.new() == [{"a": 1}]
    assert lines.new() == []
    with (tmp_path / "x.jsonl").open("a") as file:
        file.write(": 2}\n")
    assert lines.new() == [{"b": 2}]


def test_guards_speak_and_stop_as_in_native_runs(folder, tmp_path):
    shown = Shown()
    guards = {"entropy": 1.0, "patience": 1, "degenerate": 2}
    recorder = following(tmp_path, folder, shown, guards=guards)
    wrong = [[{"outcome": "incorrect", "truncated": 0.0}] * 4] * 2
    measured = step_metrics(tally(wrong, []), [Reward(0.0, {})] * 8, [3] * 8, 0)
    drawn = {f"rewardkit/{name}": value for name, value in measured.items()}
    metrics = METRICS | drawn | {"rewardkit/updates": 0}
    verl_wrote(folder, 1, metrics)
    recorder.poll()
    assert "entropy" in shown.remarks[0]
    assert [row["guard"] for row in folder.rows("events.jsonl")] == ["entropy"]
    # A resumed run remembers what was before it.
    recorder = following(tmp_path, folder, shown, from_step=1, guards=guards)
    verl_wrote(folder, 2, metrics | {"training/global_step": 2}, from_step=1)
    with pytest.raises(
        NoSignalError, match=r"2 steps in a row.*none of 2 groups of 4 mixes.*2 all wrong"
    ):
        recorder.poll()
    assert [row["step"] for row in folder.rows("metrics.jsonl")] == [1, 2]


def test_what_followed_a_checkpoint_is_cut_off(folder):
    for step in (1, 2, 3):
        folder.append("metrics.jsonl", [{"step": step}])
        folder.append("rollouts.jsonl", [{"step": step}, {"step": step}])
    with (folder.path / "rollouts.jsonl").open("a") as file:
        file.write('{"step": 3, "torn')
    folder.rewind(folder.lengths_until(2))
    assert [row["step"] for row in folder.rows("metrics.jsonl")] == [1, 2]
    assert [row["step"] for row in folder.rows("rollouts.jsonl")] == [1, 1, 2, 2]
    folder.rewind(folder.lengths_until(0))
    assert folder.rows("metrics.jsonl") == []


def test_a_number_that_was_not_finite_stops_the_run(folder, tmp_path):
    recorder = following(tmp_path, folder, Shown())
    verl_wrote(folder, 1, METRICS | {"actor/grad_norm": None})  # as verl's logger writes NaN
    with pytest.raises(TrainingError, match="grad_norm"):
        recorder.poll()
    assert folder.rows("metrics.jsonl")[0]["grad_norm"] is None


FINE = {
    **METRICS,
    "rewardkit/groups_signal": 4.0,
    "rewardkit/length": 20.0,
    "rewardkit/truncated_drawn": 0.1,
    "actor/rewardkit/sampler_mismatch": 0.01,
    "actor/rewardkit/kl_old": 0.01,
}
ALL_WRONG = {
    "rewardkit/groups_signal": 0.0,
    "rewardkit/groups_drawn": 4.0,
    "rewardkit/groups_all_right": 0.0,
    "rewardkit/groups_all_wrong": 4.0,
    "rewardkit/groups_undecided": 0.0,
    "rewardkit/group_size": 8.0,
}


@pytest.mark.parametrize(
    ("guard", "fault"),
    [
        ("entropy", {"actor/entropy": 0.001}),
        ("truncated", {"rewardkit/truncated_drawn": 0.9}),
        ("clipped", {"actor/rewardkit/clipped_high": 0.5}),
        ("kl", {"actor/rewardkit/kl": 12.0}),
        ("kl_old", {"actor/rewardkit/kl_old": 0.5}),
        ("mismatch", {"actor/rewardkit/sampler_mismatch": 0.4}),
        ("undecided", {"rewardkit/outcome/timeout": 1.0}),
        ("fallen", {"rewardkit/outcome/correct": 0.0}),
        ("hacked", {"rewardkit/reward": 0.9, "rewardkit/length": 80.0}),
        ("degenerate", ALL_WRONG),
        ("finite", {"actor/grad_norm": None}),
    ],
)
def test_every_guard_reads_what_verl_logs(guard, fault):
    """Ten good steps, then ten with a fault: the guard that knows it names it, and no other."""
    memory, said = {}, []
    for step in range(1, 21):
        row = step_row(step, FINE | (fault if step > 10 else {}))
        alarms, memory = judge(GuardsConfig(), row, memory)
        said += [(step, alarm.guard) for alarm in alarms]
    first = {"finite": 11, "undecided": 11, "degenerate": 15, "fallen": 15, "hacked": 14}.get(
        guard, 13
    )
    assert said[0] == (first, guard)
    assert {name for _, name in said} == {guard}
