"""Problems that stand in training data are told from the rest, with the accuracy of both."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rewardkit_test_calls import Says

from rewardkit.curation.contamination import contamination_of_run, overlapping
from rewardkit.errors import ConfigError, DataError
from rewardkit.evaluation.asking.settings import EvalSettings
from rewardkit.evaluation.session import evaluate_model
from rewardkit.evaluation.stored import load_results

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
    for name, numbers in (("asked", range(4)), ("trained", (1, 7))):
        rows = [
            {"id": f"p{n}", "problem": LONG.format(n) if n < 2 else f"Say {n}.", "answer": "2"}
            for n in numbers
        ]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)))
    run = tmp_path / "run"
    settings = EvalSettings("m", (f"file:{tmp_path / 'asked.jsonl'}",), run, samples=1, workers=1)
    evaluate_model(settings, engine=Says(lambda index: f"\\boxed{{{2 if index < 2 else 3}}}"))
    before = load_results(run)
    contamination_of_run(run, [f"file:{tmp_path / 'trained.jsonl'}"])
    after = load_results(run)
    found = after["sets"]["asked"].pop("overlap")
    assert after == before
    assert set(found["problems"]) == {"p0", "p1"}  # p0 shares the end of p1
    assert (found["overlapping"]["accuracy"], found["rest"]["accuracy"]) == (1, 0)


def test_what_cannot_be_split_is_refused(tmp_path, monkeypatch):
    with pytest.raises(DataError, match="rewardkit eval"):
        contamination_of_run(tmp_path, ["arithmetic"])
    with pytest.raises(ConfigError, match="no training task"):
        contamination_of_run(tmp_path, [])
    without = SimpleNamespace(train=())
    monkeypatch.setattr("rewardkit.curation.contamination.load_task", lambda name: without)
    with pytest.raises(ConfigError, match=r"aime24: the task has no training prob.*file:"):
        contamination_of_run(tmp_path, ["aime24"])
