from __future__ import annotations

import json
import re
from types import SimpleNamespace

import pytest

from rewardkit.data import hub
from rewardkit.errors import DataError
from rewardkit.registry import TASKS
from rewardkit.tasks import load_task
from rewardkit_tasks.contests import CONTESTS, loading
from rewardkit_tasks.contests.loading import answer_hash, problems_of, statement_hash

NAMES = sorted(CONTESTS)
AIME = [name for name in NAMES if CONTESTS[name].integer]


def rows_for(contest, count):
    """Rows as the hub would give them, with made-up problems."""
    return [
        {
            contest.question: f"Made-up problem number {i}?",
            contest.answer: str(i),
            **({contest.identity: f"id{i}"} if contest.identity else {}),
            "Year": 2000,
        }
        for i in range(count)
    ]


@pytest.mark.parametrize("name", NAMES)
def test_each_set_is_registered_and_says_where_it_comes_from(name, monkeypatch):
    contest = CONTESTS[name]
    assert name in TASKS.names()
    assert re.fullmatch(r"[\w-]+/[\w.-]+", contest.hub)
    assert contest.pinned or "not pinned" in loading.remarks(contest, ())[0]
    assert contest.licence
    newest = "c0" * 20
    monkeypatch.setattr(loading, "newest_commit", lambda c: newest)
    monkeypatch.setattr(loading, "fetch_rows", lambda c, revision: rows_for(c, c.size or 20))
    task = load_task(name)
    assert len(task.test) == (contest.size or 20)
    assert not task.train
    assert "\\boxed{}" in task.messages(task.test[0])[0]["content"]
    assert task.source == f"{contest.hub}@{contest.revision if contest.pinned else newest}"
    assert len({problem.id for problem in task.test}) == len(task.test)


def test_a_set_of_the_wrong_size_is_refused(monkeypatch):
    monkeypatch.setattr(loading, "fetch_rows", lambda c, revision: rows_for(c, 29))
    with pytest.raises(DataError, match="holds 29 problems, expected 30"):
        load_task("aime24")


def test_sets_that_share_problems_say_so_of_each_other():
    for one, other in (("apex_2025", "smt_2025"), ("aime1983_2023", "math500")):
        for name, said in ((one, other), (other, one)):
            assert any(
                f"in {said} too: " in remark for remark in loading.remarks(CONTESTS[name], ())
            )
    assert not any(" too: " in remark for remark in loading.remarks(CONTESTS["aime24"], ()))


def test_rows_that_are_not_of_the_set_are_left_out():
    hle, aime = CONTESTS["hle_math"], CONTESTS["aime1983_2023"]
    row = {"id": "a", "question": "?", "answer": "1", "category": "Math", "image": ""}
    rows = [row, {**row, "image": "data:image/png;base64,"}, {**row, "category": "Physics"}]
    assert [problem.id for problem in problems_of(hle, rows)] == ["hle_math-a"]
    row = {"ID": "a", "Question": "?", "Answer": "1"}
    rows = [{**row, "Year": year} for year in (1982, 1983, 2023, 2024)]
    assert len(problems_of(aime, rows)) == 2


def test_what_is_asked(tmp_path):
    path = tmp_path / "local.jsonl"
    path.write_text(json.dumps({"problem": "1 + 1?", "answer": "2"}))
    boxed = "1 + 1?\n\nPut your final answer within \\boxed{}."
    aime = f"{boxed} The answer is an integer between 0 and 999 inclusive."
    for name, expected in (("math500", boxed), ("aime24", aime)):
        task = load_task(f"{name}={path}")
        assert task.messages(task.test[0]) == [{"role": "user", "content": expected}]


@pytest.mark.parametrize("answer", ["1000", "-1", "3.5", "x"])
@pytest.mark.parametrize("name", AIME)
def test_gold_out_of_range_is_refused(name, answer, tmp_path):
    path = tmp_path / "local.jsonl"
    path.write_text(json.dumps({"id": "p", "problem": "?", "answer": answer}))
    with pytest.raises(DataError, match="0 to 999"):
        load_task(f"{name}={path}")


@pytest.mark.parametrize("written", ["025", "25", " 25 ", "$25$", "\\boxed{25}", "25.0"])
def test_an_answer_may_be_written_in_several_ways(written, tmp_path):
    path = tmp_path / "local.jsonl"
    path.write_text(json.dumps({"problem": "?", "answer": written}))
    assert load_task(f"aime24={path}").test[0].answer == "25"


def test_an_answer_key_that_disagrees_with_its_hash_is_refused(tmp_path, monkeypatch):
    question = "What is   one plus one?"
    monkeypatch.setattr(
        loading, "_pins", lambda: {"aime24": {statement_hash(question): answer_hash(question, "2")}}
    )
    path = tmp_path / "local.jsonl"
    row = {"id": "p7", "problem": "What is one plus one?", "answer": "002"}
    path.write_text(json.dumps(row))
    task = load_task(f"aime24={path}")
    assert loading.unpinned("aime24", task.test) == []
    assert not any("not worded" in remark for remark in task.remarks)
    path.write_text(json.dumps({**row, "answer": "3"}))
    with pytest.raises(DataError, match="disagrees with the pinned hash for p7"):
        load_task(f"aime24={path}")


def test_another_wording_is_remarked_on(tmp_path):
    path = tmp_path / "local.jsonl"
    path.write_text(json.dumps({"id": "p7", "problem": "Reworded, has 25.", "answer": "25"}))
    *known, part, wording = load_task(f"aime24={path}").remarks
    assert part == "1 of 30 problems: a score on them is none on aime24"
    assert "1 of 1 statements are not worded as in the pinned copy (p7)" in wording
    assert known == [f"known of Maxwell-Jia/AIME_2024: {d}" for d in CONTESTS["aime24"].defects]


def test_a_moving_revision_is_resolved_to_the_commit_it_stands_for(monkeypatch):
    def info(api, name, *, revision, timeout):
        assert (name, revision) == ("math-ai/minervamath", "main")
        return SimpleNamespace(sha="ab" * 20)

    monkeypatch.setattr(hub, "_told", {})
    read = []
    monkeypatch.setattr(loading, "fetch_rows", lambda c, r: read.append(r) or rows_for(c, c.size))
    monkeypatch.setattr("huggingface_hub.HfApi.dataset_info", lambda *_, **__: 1 / 0)
    with pytest.raises(DataError, match=r"it tells no commit of main.*\n.*minerva=PATH\.jsonl"):
        load_task("minerva")
    # One that did not tell is asked again; one that told is not.
    monkeypatch.setattr("huggingface_hub.HfApi.dataset_info", info)
    assert load_task("minerva").source == f"math-ai/minervamath@{'ab' * 20}"
    monkeypatch.setattr("huggingface_hub.HfApi.dataset_info", lambda *_, **__: 1 / 0)
    assert load_task("minerva").source == f"math-ai/minervamath@{'ab' * 20}"
    assert read == ["ab" * 20] * 2


def test_no_network_says_which_local_form_to_use(monkeypatch):
    import datasets

    def offline(*_, **__):
        raise ConnectionError("no route")

    monkeypatch.setattr(datasets, "load_dataset", offline)
    with pytest.raises(DataError, match=r"from the Hugging Face hub \(no route\)") as found:
        load_task("aime26")
    local, source, *known = found.value.__notes__  # what needs no network is said
    assert local.endswith("--task aime26=PATH.jsonl")
    assert source.startswith("source: math-ai/aime26@79037aeb")
    assert source.endswith("licence: " + CONTESTS["aime26"].licence + "; problems: 30")
    assert known == [f"known of math-ai/aime26: {d}" for d in CONTESTS["aime26"].defects]


def test_a_missing_column_is_named():
    with pytest.raises(DataError, match="row 1: no column 'Answer'"):
        problems_of(CONTESTS["aime24"], [{"ID": 1, "Problem": "?"}])


def test_pins_are_hashes_only():
    pins = json.loads(loading.PINS.read_text())
    assert {name: len(rows) for name, rows in pins.items()}["aime24"] == 30
    for rows in pins.values():
        for statement, answer in rows.items():
            assert re.fullmatch(r"[0-9a-f]{16}", statement)
            assert answer is None or re.fullmatch(r"[0-9a-f]{16}", answer)
