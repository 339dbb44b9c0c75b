"""Problems that stand in training data are told from the rest, with the accuracy of both."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rewardkit_test_server import completion, serve

from rewardkit.cli import main
from rewardkit.curation.contamination import contamination_of_run, overlapping
from rewardkit.errors import ConfigError, DataError

LONG = "A farmer keeps {} red hens and sells nine eggs a day: how many are left on Sunday?"


@pytest.mark.parametrize(
    ("asked", "trained", "passage"),
    [
        ("one two three four five six seven eight nine", "two three four five six seven eight nine ten", "two three four five six seven eight nine"),
        ("one two three four five six seven eight", "one two three four five six seven nine", ""),
        ("One, two: THREE (four) five-six seven... eight!", "x one two three four five six seven eight", "one two three four five six seven eight"),
        ("What is 2+2?", "what is  2 + 2", "what is 2 2"),
        ("What is 2+2?", "Now: what is 2+2? Put it in a box, and say nothing else.", ""),
        ("", "", ""),
    ],
)  # fmt: skip
def test_what_overlaps(asked, trained, passage):
    assert overlapping([asked], [trained]) == [passage]


WORDS = st.lists(st.sampled_from("abcdefghij"), min_size=8, max_size=20).map(" ".join)


@given(st.lists(WORDS, max_size=4), WORDS, st.lists(WORDS, max_size=4))
def test_a_question_that_stands_in_a_training_text_is_found(others, question, texts):
    texts = [*texts, f"before {question} after"]
    assert overlapping([*others, question], texts)[-1] in question
    assert overlapping([question], texts) == overlapping([*others, question], texts)[-1:]


def test_an_evaluation_is_split_by_it(tmp_path):
    def rows(numbers):
        for n in numbers:
            yield {
                "id": f"p{n}",
                "problem": LONG.format(n) if n < 2 else f"Say {n}.",
                "answer": "2",
            }

    for name, numbers in (("asked", range(4)), ("trained", (1, 7))):
        lines = "\n".join(map(json.dumps, rows(numbers)))
        (tmp_path / f"{name}.jsonl").write_text(lines)

    def answer(request):
        known = "hens" in request["messages"][-1]["content"]
        return completion("\\boxed{2}" if known else "\\boxed{3}")

    run = tmp_path / "run"
    with serve(answer) as server:
        main(
            [
                *("eval", "--model", "m", "--engine", "openai", "--base-url", server.url),
                *("--task", f"file:{tmp_path / 'asked.jsonl'}", "--samples", "2"),
                *("--workers", "1", "--run-dir", str(run), "--no-report"),
            ]
        )
    before = json.loads((run / "results.json").read_text())["evaluations"]["model"]
    contamination_of_run(run, [f"file:{tmp_path / 'trained.jsonl'}"])
    after = json.loads((run / "results.json").read_text())["evaluations"]["model"]
    found = after["sets"]["asked"].pop("overlap")
    assert after == before
    assert set(found["problems"]) == {"p0", "p1"}  # p0 shares the end of p1
    assert (found["overlapping"]["accuracy"], found["rest"]["accuracy"]) == (1, 0)


def test_what_holds_no_evaluation_is_refused(tmp_path):
    with pytest.raises(DataError, match="rewardkit eval"):
        contamination_of_run(tmp_path, ["arithmetic"])


def test_a_task_without_training_problems_is_refused(tmp_path, monkeypatch):
    without = SimpleNamespace(train=())
    monkeypatch.setattr("rewardkit.curation.contamination.load_task", lambda name: without)
    with pytest.raises(
        ConfigError, match=r"--trained-on aime24: the task has no training prob.*file:"
    ):
        contamination_of_run(tmp_path, ["aime24"])
