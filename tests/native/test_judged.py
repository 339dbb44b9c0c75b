"""A judge behind rules in training: recorded, stopped where it is talked over, waited for."""

import contextlib
import importlib.util
from collections import Counter
from pathlib import Path

import pytest

from rewardkit.errors import GuardError
from rewardkit.runs import RunFolder
from rewardkit.runs.rollouts import read_rollouts
from rewardkit_native.loop import train

pytest.importorskip("httpx")

_PLACE = Path(__file__).parents[1] / "evaluation" / "chat_server.py"
_SPEC = importlib.util.spec_from_file_location("rewardkit_test_judged_server", _PLACE)
chat_server = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(chat_server)
completion, serve = chat_server.completion, chat_server.serve
TASK = {
    "name": "arithmetic",
    "args": {"operations": ["+"], "train_size": 12},
    "verifier": "math+judge",
}
SIZES = ("sampling.problems=2", "sampling.group_size=4", "sampling.max_tokens=4", "eval.samples=0")


def long_enough(request):
    """A judge that likes what is longer than two characters, whatever the gold; no decoy, though."""
    text = request["messages"][-1]["content"]
    liked = len(text.partition('"response": "')[2].partition('"')[0]) > 2
    return completion("SAME" if liked and '"reference": "-' not in text else "DIFFERENT")


@pytest.fixture
def judged(configure, tmp_path):
    """Return a function that trains with a judge at `url`, and returns the run's folder."""

    def run(url, *overrides, **judge):
        table = {"base_url": url, "model": "m", "when": ["incorrect", "no_answer"], **judge}
        options = {"cache": "", "retries": 0}
        task = {**TASK, "verifier_options": options}
        folder = str(tmp_path / f"run{len(list(tmp_path.iterdir()))}")
        config = configure(*SIZES, *overrides, f"folder={folder}", task=task, judge=table)
        with contextlib.suppress(GuardError):
            train(config)
        return RunFolder.open(config.folder)

    return run


def test_both_verdicts_are_recorded_and_the_judge_s_is_rewarded(judged):
    with serve(long_enough) as server:
        run = judged(server.url, "steps=2", decoys=0.0)
    rows = list(read_rollouts(run.path))
    asked = [row for row in rows if row.get("judged")]
    assert {row["judged"] for row in asked} <= {
        f"{rules}>{said}"
        for rules in ("incorrect", "no_answer")
        for said in ("correct", "incorrect")
    }
    accepted = [row for row in asked if row["outcome"] == "correct"]
    assert accepted
    assert all(row["score"] == 1.0 and row["method"] == "judge" for row in accepted)
    steps = run.rows("metrics.jsonl")
    drawn = Counter(row["step"] for row in rows)
    by_step = Counter(row["step"] for row in asked)
    assert [row["judge/asked"] for row in steps] == [by_step[n] / drawn[n] for n in (1, 2)]


def test_a_judge_that_accepts_everything_stops_the_run_within_five_steps(judged):
    with serve(lambda request: completion("SAME")) as server:
        run = judged(server.url, "steps=9", "guards.degenerate=none", decoys=0.5)
    events = [(row["step"], row["guard"], row["kind"]) for row in run.rows("events.jsonl")]
    [(step, _, _)] = [event for event in events if event[1:] == ("talked_over", "stop")]
    assert step <= 5
    rewarded = [row for row in read_rollouts(run.path) if row.get("judged", "").endswith("over")]
    assert rewarded
    assert all(row["outcome"] == "error" and row["score"] == 0.0 for row in rewarded)


def test_an_outage_that_is_waited_for_leaves_the_same_records(judged):
    with serve(long_enough) as server:
        whole = judged(server.url, "steps=2")
    with serve(long_enough, {"500": 0.2, "429": 0.2, "html": 0.2}) as server:
        ailing = judged(server.url, "steps=2", wait_s=60.0)
    said = ("step", "response", "outcome", "score", "judged", "reward", "reason", "advantage")
    first, second = (
        [[row.get(name) for name in said] for row in read_rollouts(run.path)]
        for run in (whole, ailing)
    )
    assert first == second


def test_an_outage_that_is_not_waited_for_makes_nothing_wrong(judged):
    with serve(long_enough, {"500": 0.5}) as server:
        run = judged(server.url, "steps=2", decoys=0.0)
    rows = [row for row in read_rollouts(run.path) if row.get("judged", "").endswith(">error")]
    assert rows
    assert {row["outcome"] for row in rows} == {"error"}
