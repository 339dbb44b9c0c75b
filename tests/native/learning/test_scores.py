"""A run on problems with columns, graded by a score: what is trained on and what is recorded."""

import pytest

from rewardkit.runs import RunFolder
from rewardkit.sampling.counts import fingerprint
from rewardkit.types import Problem
from rewardkit_native.loop import train

TASK = """
from rewardkit.types import Problem, Task

async def lengths(response, answer, limit, problem):
    assert problem.info["cases"] == [[1], {"a": None}]
    return min(len(response), limit) / limit

def make(limit=40):
    info = {"limit": limit, "cases": [[1], {"a": None}]}
    problems = [Problem(f"p{n}", f"{n} + 1 = ", n + 1, info=info) for n in range(6)]
    chat = lambda problem: [{"role": "user", "content": problem.question}]
    return Task("lengths", problems, problems[:2], chat, lengths)
"""


@pytest.fixture
def scored(monkeypatch, tmp_path):
    (tmp_path / "scored_run.py").write_text(TASK)
    monkeypatch.syspath_prepend(tmp_path)
    return {"name": "scored_run:make"}


def test_scores_are_rewards_and_stand_in_the_records(configure, scored, capsys):
    config = configure(
        task=scored, recipe={"name": "dapo", "minibatches": 1}, eval={"samples": 2, "problems": 2}
    )
    folder = RunFolder.open(train(config))
    said = " ".join(capsys.readouterr().out.split())
    assert "note: the verifier rejects the gold of 8 of 8 problems that were tried" in said
    rows = folder.rows("rollouts.jsonl")
    for row in rows:
        expected = min(len(row["response"]), 40) / 40
        assert row["score"] == row["components"]["correct"] == pytest.approx(expected)
        assert row["outcome"] == ("correct" if row["score"] == 1 else "incorrect")
        assert row["info"] == {"limit": 40, "cases": [[1], {"a": None}]}
        assert row["gold"] == str(int(row["problem"][1:]) + 1)
    groups = {}
    for row in rows:
        groups.setdefault((row["step"], row["group"]), set()).add(row["score"])
    assert all(len(scores) > 1 for scores in groups.values()), "only groups whose scores differ"
    steps = folder.rows("metrics.jsonl")
    assert [row["step"] for row in steps] == [1, 2]
    for row in steps:
        assert 0 < row["score"] <= 1
        assert row["grad_norm"] > 0
    assert folder.evaluations()["after"]["sets"]["test"]["samples"] == 4


def test_a_set_is_known_by_its_columns_too_and_without_them_as_ever():
    plain = [Problem("1", "?", "2")]
    assert fingerprint(plain) == "2025c752ef8f2f7e3f4bb8e25e1d268822ae014e9c417fd6b5dacefdc061f268"
    assert fingerprint([Problem("1", "?", "2", info={"n": 1})]) != fingerprint(plain)
