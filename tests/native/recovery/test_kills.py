"""SIGKILL, the one signal that no process can answer: the run that follows is as if it never came.

Where a kill is aimed at a place that lasts a millisecond, the process flushes to a disk that is
made slow; the test watches the run folder, freezes the process and looks again before it kills.
"""

import os
import random
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from rewardkit.config import config_from, config_to_toml
from rewardkit.runs import RunFolder
from rewardkit.runs.seal import SEAL

sys.path.append(str(Path(__file__).parents[1]))  # for `playing_task`, of the killed as well

from killing import assert_same_run, kill_when, lines, times_resumed  # isort: skip


@pytest.fixture(scope="module")
def start_anew(tiny_model, teacher):
    """Return a function that gives the arguments of a new run in a folder."""

    def make(folder, steps, every, recipe="dapo", **sections):
        taught = {"teacher": str(teacher)} if recipe == "opd" else {}
        falls = {"kl_schedule": "cosine"} if taught else {}
        config = config_from(
            {
                "folder": str(folder),
                "steps": steps,
                "model": {"name": str(tiny_model), "dtype": "float32", **taught},
                "task": {"name": "arithmetic", "args": {"operations": ["+"], "train_size": 12}},
                "recipe": {"name": recipe, "minibatches": 2, "entropy_target": 2.0, **falls},
                "sampling": {"problems": 3, "group_size": 6, "max_tokens": 8, "rounds": 6},
                "optim": {"lr": 1e-4, "warmup_steps": 3},
                "eval": {"samples": 2, "problems": 3, "every": 4},
                "verify": {"workers": 1},
                "checkpoint": {"every": every, "keep": 2},
                # Bounds that this run crosses, so that there are events and memory to lose.
                "guards": {"entropy": 5.0, "truncated": 0.05, "patience": 2},
                **sections,
            }
        )
        file = folder.with_suffix(".toml")
        file.write_text(config_to_toml(config))
        return [str(file)]

    return make


def steps_with_rollouts(folder):
    return {row["step"] for row in RunFolder(folder).rows("rollouts.jsonl")}


def being_written(folder):
    """A checkpoint is half written: there is a file, and no seal yet."""
    parts = list((folder / "checkpoints").glob(".part-step-*"))
    return any(any(part.glob("*")) and not (part / SEAL).exists() for part in parts)


def sealed_not_renamed(folder):
    parts = list((folder / "checkpoints").glob(".part-step-*"))
    return any((part / SEAL).exists() for part in parts)


def rollouts_without_metrics(folder):
    return len(steps_with_rollouts(folder)) > lines(folder, "metrics.jsonl")


def at_work_on_step_5(folder):
    return lines(folder, "metrics.jsonl") == 4 and (folder / "checkpoints/step-00004").exists()


PLACES = (being_written, rollouts_without_metrics, sealed_not_renamed, at_work_on_step_5)


@pytest.mark.parametrize(
    "recipe", ["dapo", *(pytest.param(one, marks=pytest.mark.slow) for one in ("ppo", "opd"))]
)
def test_killed_in_the_hard_places_a_run_goes_on_to_the_same_bits(
    nursery, start_anew, tmp_path, recipe
):
    nursery.finish(*start_anew(tmp_path / "whole", 6, 1, recipe))
    killed = tmp_path / "killed"
    arguments = start_anew(killed, 6, 1, recipe)
    for life, place in enumerate(PLACES):
        pid = nursery.start(*arguments, disk_s=0.02)
        kill_when(pid, place, killed, life)
        assert nursery.ended() == -signal.SIGKILL
        arguments = ["--resume", str(killed)]
    nursery.finish(*arguments)
    assert_same_run(tmp_path / "whole", killed)
    assert lines(killed, "events.jsonl") > 0
    assert times_resumed(killed) == len(PLACES)


class AtTurn:
    """The environment has answered so many turns of the step that follows `steps`."""

    def __init__(self, noted, steps, turns):
        self.noted, self.steps, self.turns = noted, steps, turns
        self.before, self.__name__ = None, f"turn {turns} of step {steps + 1}"

    def __call__(self, folder):
        saved = (folder / "checkpoints" / f"step-{self.steps:05d}").exists()
        if not saved or lines(folder, "metrics.jsonl") != self.steps:
            return False
        now = self.noted.stat().st_size
        self.before = now if self.before is None else self.before
        return now >= self.before + self.turns


@pytest.mark.slow
def test_killed_between_the_turns_of_a_step_a_run_goes_on_to_the_same_bits(
    nursery, start_anew, tmp_path
):
    def arguments(folder):
        return start_anew(
            folder, 4, 1, "grpo",
            task={"name": "playing_task:task", "args": {"noted": str(tmp_path / "noted")}},
            sampling={"problems": 4, "group_size": 8, "max_tokens": 40, "turns": 4},
            eval={"samples": 1, "problems": 3},
        )  # fmt: skip

    nursery.finish(*arguments(tmp_path / "whole"))
    killed = tmp_path / "killed"
    begin = arguments(killed)
    for life, (steps, turns) in enumerate(((1, 3), (2, 20))):
        pid = nursery.start(*(["--resume", str(killed)] if life else begin))
        kill_when(pid, AtTurn(tmp_path / "noted", steps, turns), killed, life)
        assert nursery.ended() == -signal.SIGKILL
    nursery.finish("--resume", str(killed))
    assert any(len(row["segments"]) > 1 for row in RunFolder(killed).rows("rollouts.jsonl"))
    assert_same_run(tmp_path / "whole", killed)


EXAMPLE = Path(__file__).parents[3] / "examples" / "arithmetic_dapo.toml"


def after_three_steps(folder):
    return lines(folder, "metrics.jsonl") == 3


def after_five_steps(folder):
    return lines(folder, "metrics.jsonl") == 5


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("threads", [2, 4])
def test_beside_other_work_whole_and_killed_runs_are_the_same_bits(
    nursery, busy, tiny_model, tmp_path, threads
):
    """Of the size of the example: in the runs above no sum is wide enough for several threads.

    The killed run is the second one as well: it makes each step again that the first has made.
    """

    def arguments(folder):
        settings = [
            f"folder={folder}", f"model.name={tiny_model}", f"model.threads={threads}",
            "model.dtype=float32", "steps=6", "checkpoint.every=2", "eval.problems=8",
            "task.args.operations=['+']", "verify.workers=1",
            "guards.entropy=9", "guards.patience=2",
        ]  # fmt: skip
        return [str(EXAMPLE), *(word for setting in settings for word in ("--set", setting))]

    whole, killed = tmp_path / "whole", tmp_path / "killed"
    nursery.finish(*arguments(whole))
    for life, place in enumerate((after_three_steps, after_five_steps)):
        pid = nursery.start(*(["--resume", str(killed)] if life else arguments(killed)))
        kill_when(pid, place, killed, life)
        assert nursery.ended() == -signal.SIGKILL
    nursery.finish("--resume", str(killed))
    assert_same_run(whole, killed)


KILLS = 5


@pytest.fixture(scope="module")
def whole(nursery, start_anew, tmp_path_factory):
    """A run that nobody kills, and the seconds that it takes."""
    folder, started = tmp_path_factory.mktemp("whole") / "run", time.monotonic()
    nursery.finish(*start_anew(folder, steps=8, every=2))
    return folder, time.monotonic() - started


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("seed", range(4))
def test_killed_at_random_moments_a_run_goes_on_to_the_same_bits(
    nursery, start_anew, whole, tmp_path, seed
):
    """Four times five kills; the machine adds chance of its own to the moments."""
    longest = 0.8 * whole[1]
    rng, kills, run = random.Random(seed), 0, 0
    while kills < KILLS:
        run += 1
        folder = tmp_path / f"killed-{run}"
        fresh, status = start_anew(folder, steps=8, every=2), None
        while status != 0:
            begun = (folder / "config.toml").exists()
            pid = nursery.start(*(["--resume", str(folder)] if begun else fresh))
            if kills < KILLS:
                time.sleep(rng.uniform(0, longest))
                with suppress(ProcessLookupError):  # it was done before
                    os.kill(pid, signal.SIGKILL)
            status = nursery.ended()
            assert status in (0, -signal.SIGKILL), nursery.log.read_text()[-2000:]
            kills += status != 0
        assert_same_run(whole[0], folder)
