"""Follows a run while verl writes it: steps, rollouts and evaluations into the run folder."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rewardkit.config import RunConfig
from rewardkit.evaluation.measures.near import Measured, measure
from rewardkit.guards import Memory, apply_guards, event_rows, judge
from rewardkit.report.display import Display
from rewardkit.runs import RunFolder
from rewardkit.runs.results import TEST, SetResult
from rewardkit.runs.rollouts import ROLLOUTS
from rewardkit.runs.training_results import TrainingResults
from rewardkit.tasks.settings import labels_of
from rewardkit_verl.graded import verdict_of
from rewardkit_verl.launcher.prepare import metrics_file
from rewardkit_verl.launcher.records import Lines, step_row
from rewardkit_verl.names import NEAR_KEY, PROBLEM_KEY, SET_KEY


class Recorder:
    """What has come of a run so far; `poll` looks for more.

    Args:
        config: the run.
        folder: where it is recorded.
        display: where it is shown.
        from_step: the step that verl starts from.
        test_rows: rows of the validation file.
    """

    def __init__(
        self,
        config: RunConfig,
        folder: RunFolder,
        display: Display,
        from_step: int,
        test_rows: int,
    ) -> None:
        self.config = config
        self.folder = folder
        self.display = display
        self.step = from_step
        self.results = TrainingResults(folder, from_step)
        self._expected = test_rows * config.eval.samples
        self._lines = Lines(metrics_file(folder.path.resolve(), from_step))
        self._validated: list[int] = []
        # What the guards remember follows from the rows that are kept.
        self._guards: Memory = {}
        for row in folder.rows("metrics.jsonl"):
            self._guards = judge(config.guards, row, self._guards)[1]

    def poll(self, *, ended: bool = False) -> bool:
        """Take over what verl has finished writing; return whether a step ended.

        verl writes an evaluation's samples in the background: they are taken when they are all
        there, or with `ended`, when nothing more will come.

        Raises:
            TrainingError: a guard stops the run.
        """
        before = self.step
        for entry in self._lines.new():
            step, found = int(entry["step"]), entry["data"]
            if any(name.startswith("val-") for name in found):
                self._validated.append(step)
            if "training/global_step" in found:
                self._take_step(step, found, ended)
        self._take_evaluations(ended)
        return self.step > before

    def _take_step(self, step: int, found: Mapping[str, Any], ended: bool) -> None:
        row = step_row(step, found)
        alarms, self._guards = judge(self.config.guards, row, self._guards)
        dumped = self._path("rollouts", step)
        self.folder.append(ROLLOUTS[self.config.records.compress], Lines(dumped).new())
        self.folder.append("events.jsonl", event_rows(step, alarms))
        self.folder.append("metrics.jsonl", [row])
        dumped.unlink(missing_ok=True)  # taken over: two of it would take twice the disk
        self.step = step
        self.display.step(row)
        if not ended:  # what has ended can no longer be stopped
            apply_guards(alarms, self.display.remark)

    def _take_evaluations(self, ended: bool) -> None:
        for step in list(self._validated):
            rows = Lines(self._path("validation", step)).new()
            if len(rows) < self._expected and not ended:
                continue
            self._validated.remove(step)
            label = label_of(step, self.config.steps)
            found = evaluations(rows, labels_of(self.config))
            if TEST in found:
                self.results.put(label, step, found)
            for name, result in found.items():
                self.display.evaluated(label, name, result)

    def _path(self, kind: str, step: int) -> Path:
        return self.folder.path / "verl" / kind / f"{step}.jsonl"


def label_of(step: int, steps: int) -> str:
    """Return what an evaluation after `step` is called in `results.json`."""
    return {0: "before", steps: "after"}.get(step, f"step-{step:05d}")


def evaluations(
    rows: Sequence[Mapping[str, Any]], parts: Sequence[str] = ()
) -> dict[str, SetResult]:
    """Return the results on each held-out set, from the samples that verl's validation dumped.

    Of a mixture, the test problems of its `parts` together as well.
    """
    sets: dict[str, dict[str, list[Measured]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        sets[row[SET_KEY]][row[PROBLEM_KEY]].append((verdict_of(row), row.get(NEAR_KEY, "")))
    together = [verdicts for name in parts for verdicts in sets.get(name, {}).values()]
    found = {name: measure(list(graded.values())) for name, graded in sets.items()}
    return {TEST: measure(together), **found} if together else found
