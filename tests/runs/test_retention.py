"""Which checkpoint of a run is the best one."""

from rewardkit.config import RunConfig
from rewardkit.runs import RunFolder
from rewardkit.runs.retention import best, checkpoints, retain


def evaluated(**accuracies):
    """Evaluations by label: the step that each was made after, and what it found."""
    return {
        label.replace("_", "-"): {"step": step, "sets": {"test": {"accuracy": accuracy}}}
        for label, (step, accuracy) in accuracies.items()
    }


def test_the_best_is_by_held_out_accuracy_where_a_run_is_evaluated_on_its_way():
    results = evaluated(before=(0, 0.9), step_00002=(2, 0.7), step_00004=(4, 0.5), after=(6, 0.7))
    assert best([2, 4, 5, 6], results, []) == (6, "held-out accuracy", 0.7)  # of equals, the last
    assert best([2, 4, 5], results, []).step == 2
    assert best([5], results, []) is None
    assert best([], results, []) is None


def test_else_it_is_by_right_answers_in_training_over_ten_steps():
    rows = [{"step": n, "outcome/correct": float(n == 3)} for n in range(1, 31)]
    only_ends = evaluated(before=(0, 0.1), after=(30, 0.2))
    found = best([1, 5, 12, 20, 30], only_ends, rows)
    assert (found.step, found.value) == (5, 0.2)
    assert found.by == "right answers in training, last 10 steps"


def test_the_last_ones_stay_and_with_0_all(tmp_path):
    folder = RunFolder.create(RunConfig(str(tmp_path / "run"), 3))
    for step in (1, 2, 3):
        (folder.checkpoints / f"step-{step:05d}").mkdir(parents=True)
    retain(folder, 0)
    assert [path.name for path in checkpoints(folder)] == ["step-00001", "step-00002", "step-00003"]
    retain(folder, 1)
    assert [path.name for path in checkpoints(folder)] == ["step-00003"]
