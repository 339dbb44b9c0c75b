"""Follows a run while verl writes it: steps, rollouts and evaluations into the run folder."""

from __future__ import annotations

import json
import math
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
from rewardkit.training_step import COUNTS
from rewardkit_verl.launcher.prepare import metrics_file
from rewardkit_verl.names import METRICS, NEAR_KEY, PROBLEM_KEY, SET_KEY
from rewardkit_verl.rows import verdict_of

RENAMED = {
    "actor/entropy": "entropy",
    "actor/grad_norm": "grad_norm",
    "actor/lr": "lr",
    "critic/grad_norm": "critic_grad_norm",
    "timing_s/step": "step_s",
    "timing_s/gen": "sample_s",
    "timing_s/old_log_prob": "old_logprobs_s",
    "timing_s/ref": "reference_s",
    "timing_s/values": "values_s",
    "timing_s/update_critic": "update_critic_s",
    "timing_s/update_actor": "update_s",
    "timing_s/update_weights": "weights_s",
    "timing_s/save_checkpoint": "save_s",
    "timing_s/testing": "evaluate_s",
    "training/rollout_probs_diff_max": "rollout_probs_diff_max",
    "training/rollout_probs_diff_mean": "rollout_probs_diff_mean",
    "training/off_policy/trajectory_staleness_worst/mean": "age_mean",
    "training/off_policy/trajectory_staleness_worst/max": "age_max",
    "training/off_policy/evicted_samples": "groups_too_old",
}
"""verl's metrics -> ours. Everything else that verl logs stays in its own file."""


def step_row(step: int, found: Mapping[str, Any]) -> dict[str, Any]:
    """Return a step's line of `metrics.jsonl` from verl's metrics of that step.

    What our plugin measured, it named as the native backend does; the rest is verl's.
    """
    # verl's file has null where a number was not finite, which the guards must hear of.
    numbers = {name: math.nan if value is None else value for name, value in found.items()}
    row: dict[str, Any] = {"step": step}
    row |= {ours: numbers[theirs] for theirs, ours in RENAMED.items() if theirs in numbers}
    for name, value in numbers.items():
        own = name.removeprefix("actor/").removeprefix("critic/")
        if own.startswith(METRICS):
            row[own.removeprefix(METRICS)] = value
    for name in row:
        if name.rpartition("/")[2] in COUNTS:
            row[name] = int(row[name])  # verl averages everything, and so makes floats of counts
    if "actor/entropy" in found:
        # verl measures it before the update, on all that it trains on.
        row["entropy_sampled"] = row["entropy"]
    if "tokens" in row and row.get("step_s"):
        row["tokens_per_s"] = row["tokens"] / row["step_s"]
    return row


class Lines:
    """Reads a growing .jsonl file, a whole line at a time; the file need not exist yet."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.at = 0

    def new(self) -> list[dict[str, Any]]:
        """Return the rows that were completed since the last call."""
        if not self.path.exists():
            return []
        with self.path.open("rb") as file:
            file.seek(self.at)
            text = file.read()
        whole = text[: text.rfind(b"\n") + 1]
        self.at += len(whole)
        return [json.loads(line) for line in whole.splitlines() if line.strip()]


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
        dumped = self._path("rollouts", step)
        responses = Lines(dumped).new()
        alarms, self._guards = judge(self.config.guards, row, self._guards, responses)
        self.folder.append(ROLLOUTS[self.config.records.compress], responses)
        self.folder.append("events.jsonl", event_rows(step, alarms))
        self.folder.append("metrics.jsonl", [row])
        dumped.unlink(missing_ok=True)  # taken over: two of it would take twice the disk
        self.step = step
        self.display.recorded(step, responses, alarms)
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
