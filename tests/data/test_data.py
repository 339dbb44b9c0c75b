"""Data sets of every form become the same problems, a row at a time."""

import datetime
import json
import pickle
from decimal import Decimal
from types import SimpleNamespace

import pytest

from rewardkit.data import hub
from rewardkit.data.asking import BOXED_PROMPT, PromptTemplate, Reworded
from rewardkit.data.mapping import RowMapping
from rewardkit.data.opening import open_rows, parse_hub
from rewardkit.data.problems import DataProblems
from rewardkit.errors import ConfigError, DataError
from rewardkit.tasks import load_task, read_problems
from rewardkit.types import Problem

datasets = pytest.importorskip("datasets")

ROWS = [
    {"id": "a", "problem": "1+1?", "answer": "2", "level": 1, "tags": ["easy"]},
    {"id": "b", "problem": "line\u2028sep", "answer": "007", "level": 2, "tags": []},
    {"id": "c", "problem": "None of it?", "answer": "None", "level": None, "tags": ["x", "y"]},
]
COMMIT = "e53f048856ff4f594e959d75785d2c2d37b678ee"
FLAT = [{name: value for name, value in row.items() if name != "tags"} for row in ROWS]
PROBLEMS = [
    Problem(row["id"], row["problem"], row["answer"], info={"level": row["level"], "tags": row["tags"]})
    for row in ROWS
]  # fmt: skip


def write(path, rows):
    """Write rows in the form that the path's name says."""
    if path.suffix == ".jsonl":
        path.write_text("\ufeff" + "\n\n".join(json.dumps(r, ensure_ascii=False) for r in rows))
        return path
    if path.suffix == ".json":
        path.write_text(json.dumps(rows))
        return path
    found = datasets.Dataset.from_list(rows)
    if path.suffix == ".csv":
        found.to_csv(path)
    elif path.suffix == ".parquet":
        found.to_parquet(path)
    elif path.suffix == ".arrow":
        import pyarrow as pa

        with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, found.data.schema) as out:
            out.write_table(found.data.table)
    return path


@pytest.mark.parametrize("kind", ["jsonl", "json", "parquet", "arrow"])
def test_rows_of_any_form_are_the_same_problems(kind, tmp_path):
    task = load_task(f"file:{write(tmp_path / f'rows.{kind}', ROWS)}")
    assert list(task.test) == PROBLEMS
    assert task.train is task.test
    assert task.name == "rows"


def test_a_csv_keeps_golds_as_they_are_written(tmp_path):
    found = read_problems(write(tmp_path / "rows.csv", FLAT))
    assert [p.answer for p in found] == ["2", "007", "None"]
    assert [p.info["level"] for p in found] == [1, 2, None]


def test_columns_of_a_csv_that_are_mapped_keep_their_text(tmp_path):
    (tmp_path / "rows.csv").write_text("q,gold,n\nx,1.50,1.50\ny,010,2\n")
    task = load_task(f"file:{tmp_path / 'rows.csv'}", columns={"question": "q"})
    assert [p.answer for p in task.test] == ["1.50", "010"]
    assert [p.info["n"] for p in task.test] == [1.5, 2.0]


def test_a_row_of_json_keeps_what_it_says_and_no_more(tmp_path):
    rows = [{"problem": "a", "answer": "1", "kwargs": {"n": 3}}, {"problem": "b", "answer": 2}]
    path = write(tmp_path / "rows.jsonl", rows)
    found = read_problems(path)
    assert [dict(p.info) for p in found] == [{"kwargs": {"n": 3}}, {}]
    assert [(p.id, p.answer) for p in found] == [("1", "1"), ("2", "2")]


def test_what_json_has_no_word_for_is_said_in_its_words(tmp_path):
    day = datetime.date(2026, 1, 2)
    rows = [
        {"problem": "a", "answer": "1", "on": day, "cost": Decimal("1.5"), "rate": float("nan")}
    ]
    (found,) = read_problems(write(tmp_path / "rows.parquet", rows))
    assert dict(found.info) == {"on": "2026-01-02", "cost": "1.5", "rate": None}


def test_pictures_are_left_out_with_a_word(tmp_path):
    rows = [{"problem": "a", "answer": "1", "raw": b"\x00", "deep": [{"raw": b"\x00"}]}]
    task = load_task(f"file:{write(tmp_path / 'rows.parquet', rows)}")
    assert dict(task.test[0].info) == {}
    assert [remark.partition("left out ")[2][:12] for remark in task.remarks] == [
        "column 'raw'",
        "column 'deep",
    ]


def test_a_json_file_may_hold_an_object_a_line(tmp_path):
    path = tmp_path / "rows.json"
    path.write_text("\n".join(map(json.dumps, ROWS)))
    rows = open_rows(str(path), "train")
    assert list(rows.each()) == ROWS
    assert rows.where(1) == f"{path}:2"


def test_a_large_json_is_mapped(tmp_path, monkeypatch):
    monkeypatch.setattr("rewardkit.data.opening.LARGE", 10)
    rows = open_rows(str(write(tmp_path / "rows.json", ROWS)), "train")
    assert type(rows).__name__ == "ArrowRows"
    assert [p.id for p in DataProblems(str(tmp_path / "rows.json"))] == ["a", "b", "c"]


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_a_folder_s_files_say_their_splits(kind, tmp_path):
    (tmp_path / "data").mkdir()
    write(tmp_path / "data" / f"train-00000-of-00002.{kind}", ROWS[:1])
    write(tmp_path / "data" / f"train-00001-of-00002.{kind}", ROWS[1:2])
    write(tmp_path / "data" / f"validation-00000-of-00001.{kind}", ROWS[2:])
    (tmp_path / "README.md").write_text("# rows")
    (tmp_path / "info.json").write_text("{}") if kind == "parquet" else None
    task = load_task(f"file:{tmp_path}")
    assert [p.id for p in task.train] == ["a", "b"]
    assert [p.id for p in task.test] == ["c"]
    assert [p.id for p in load_task(f"file:{tmp_path}", split="validation").train] == ["c"]


def test_a_folder_whose_files_say_none_is_one_set(tmp_path):
    write(tmp_path / "a.jsonl", ROWS[:1])
    write(tmp_path / "b.jsonl", ROWS[1:])
    task = load_task(f"file:{tmp_path}")
    assert [p.id for p in task.test] == ["a", "b", "c"]
    assert task.train is task.test


def test_a_saved_folder_without_rows_is_said_to_hold_none(tmp_path):
    datasets.Dataset.from_list(ROWS).select([]).save_to_disk(tmp_path / "none")
    with pytest.raises(DataError, match=r"holds no (rows|problem)"):
        len(load_task(f"file:{tmp_path / 'none'}").train)


def test_what_datasets_saved_is_read(tmp_path):
    datasets.Dataset.from_list(ROWS).save_to_disk(tmp_path / "one")
    assert list(load_task(f"file:{tmp_path / 'one'}").test) == PROBLEMS
    splits = {
        "train": datasets.Dataset.from_list(ROWS[:2]),
        "test": datasets.Dataset.from_list(ROWS),
    }
    datasets.DatasetDict(splits).save_to_disk(tmp_path / "two")
    task = load_task(f"file:{tmp_path / 'two'}")
    assert (len(task.train), len(task.test)) == (2, 3)
    with pytest.raises(DataError, match="has no split 'dev'; it has train, test"):
        load_task(f"file:{tmp_path / 'two'}", test_split="dev")


def test_the_hub_is_read_by_name_configuration_revision_and_split(monkeypatch):
    asked = []

    def load(name, config, *, revision, split):
        asked.append((name, config, revision, split))
        return datasets.Dataset.from_list(ROWS if split == "train" else ROWS[:1])

    monkeypatch.setattr(datasets, "load_dataset", load)
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(
        datasets, "get_dataset_split_names", lambda *_, **__: ["train", "validation"]
    )
    task = load_task("hf:owner/name:main@abc1")
    assert list(task.train) == PROBLEMS
    assert [p.id for p in task.test] == ["a"]
    assert (task.name, task.source) == ("owner/name", "hf:owner/name:main@abc1")
    assert set(asked) == {
        ("owner/name", "main", "abc1", split) for split in ("train", "validation")
    }
    with pytest.raises(DataError, match="has no split 'dev'; it has train, validation"):
        load_task("hf:owner/name", test_split="dev")


@pytest.mark.parametrize(
    ("typed", "told", "asked_for", "recorded"),
    [
        ("hf:owner/name", COMMIT, (None, COMMIT), f"hf:owner/name@{COMMIT}"),
        ("hf:owner/name:main@v1", COMMIT, ("v1", COMMIT), f"hf:owner/name:main@{COMMIT}"),
        (f"hf:owner/name@{COMMIT}", None, (COMMIT,), f"hf:owner/name@{COMMIT}"),
        ("hf:owner/name", None, (None,), "hf:owner/name"),  # no network: as it was fetched before
        ("hf:owner/name@v1", None, ("v1",), "hf:owner/name@v1"),
    ],
)
def test_the_commit_that_a_revision_stands_for_is_read_and_recorded(
    typed, told, asked_for, recorded, monkeypatch
):
    asked = []

    def info(api, name, *, revision, timeout):
        asked.append(revision)
        if told is None:
            raise ConnectionError("offline")
        return SimpleNamespace(sha=told)

    def load(name, config, *, revision, split):
        asked.append(revision)
        return datasets.Dataset.from_list(ROWS)

    monkeypatch.setattr(hub, "_told", {})
    monkeypatch.setattr("huggingface_hub.HfApi.dataset_info", info)
    monkeypatch.setattr(datasets, "load_dataset", load)
    monkeypatch.setattr(datasets, "get_dataset_split_names", lambda *_, **__: ["train", "test"])
    task = load_task(typed)
    assert (task.name, task.source) == ("owner/name", recorded)
    assert set(asked) == set(asked_for)
    assert asked.count(asked_for[-1]) >= 2  # both splits are of one commit


@pytest.mark.parametrize(
    ("reference", "parts"),
    [
        ("hf:a/b", ("a/b", None, None)),
        ("hf:squad", ("squad", None, None)),
        ("hf:a/b:c", ("a/b", "c", None)),
        ("hf:a/b@v1.0", ("a/b", None, "v1.0")),
        ("hf:a/b-c.d:e f@refs/convert/parquet", ("a/b-c.d", "e f", "refs/convert/parquet")),
    ],
)
def test_references_to_the_hub(reference, parts):
    assert parse_hub(reference) == parts


def test_which_file_trains_and_which_tests(tmp_path):
    one, two = (
        write(tmp_path / f"{name}.jsonl", rows) for name, rows in (("x", ROWS[:1]), ("y", ROWS[1:]))
    )
    before = load_task(f"file:{one}", train=str(two))
    assert ([p.id for p in before.train], [p.id for p in before.test]) == (["b", "c"], ["a"])
    now = load_task(f"file:{two}", test=f"file:{one}")
    assert ([p.id for p in now.train], [p.id for p in now.test]) == (["b", "c"], ["a"])


VERL_ROW = {
    "data_source": "amc",
    "prompt": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "1+1?"}],
    "reward_model": {"style": "rule", "ground_truth": 2},
    "extra_info": {"index": 7, "numbers": [3, 8]},
}
VERL = {
    "question": "prompt",
    "answer": "reward_model.ground_truth",
    "id": "extra_info.index",
    "source": "data_source",
    "numbers": "extra_info.numbers",
}


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_verl_s_own_files_are_read_and_asked_as_they_are(kind, tmp_path):
    path = write(tmp_path / f"rows.{kind}", [VERL_ROW])
    task = load_task(f"file:{path}", columns=VERL)
    (problem,) = task.test
    assert (problem.id, problem.question, problem.answer) == ("7", "1+1?", "2")
    assert problem.source == "amc"
    assert problem.info["numbers"] == [3, 8]
    assert problem.info["reward_model"] == VERL_ROW["reward_model"]
    assert task.messages(problem) == VERL_ROW["prompt"]


def test_a_chat_beside_the_question_is_a_column_like_others(tmp_path):
    # As in many sets for fine-tuning, where it ends with the answer.
    turns = [{"role": "user", "content": "1+1?"}, {"role": "assistant", "content": "It is 2."}]
    row = {"problem": "1+1?", "answer": "2", "messages": turns, "question_turns": turns}
    task = load_task(f"file:{write(tmp_path / 'rows.jsonl', [row])}")
    (problem,) = task.test
    assert problem.info == {"messages": turns}
    assert "It is 2." not in str(task.messages(problem))


def test_without_a_network_splits_come_from_what_was_fetched_before(monkeypatch):
    def offline(*_, **__):
        raise ConnectionError("offline")

    cached = {
        "train": datasets.Dataset.from_list(ROWS),
        "test": datasets.Dataset.from_list(ROWS[:1]),
    }
    monkeypatch.setattr(datasets, "get_dataset_split_names", offline)
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(
        datasets, "load_dataset", lambda *_, split=None, **__: cached[split] if split else cached
    )
    task = load_task("hf:owner/name")
    assert (len(task.train), len(task.test)) == (3, 1)


def test_a_name_with_a_dot_is_that_column():
    row = {"a.b": "q", "a": {"b": "no"}, "answer": "1"}
    found = RowMapping({"question": "a.b"}).problem(row, lambda: "x:1", "1")
    assert (found.question, dict(found.info)) == ("q", {"a": {"b": "no"}})


def test_problems_are_a_sequence_that_can_be_sent_to_a_process(tmp_path):
    problems = DataProblems(str(write(tmp_path / "rows.jsonl", ROWS)))
    assert problems[-1] == PROBLEMS[-1]
    assert problems[1:] == PROBLEMS[1:]
    with pytest.raises(IndexError):
        problems[3]
    copy = pickle.loads(pickle.dumps(problems))
    assert list(copy) == PROBLEMS


def test_a_template_shows_any_column():
    problem = Problem("1", "q?", "2", "amc", {"target": 24, "numbers": [3, 8], "meta": {"n": 0.5}})
    text = "{source}: {target} of {numbers}, {meta.n:.2f} {question!r} {{x}}"
    assert PromptTemplate(text).text(problem) == "amc: 24 of [3, 8], 0.50 'q?' {x}"
    with pytest.raises(DataError, match=r"problem '1' has no column 'hint', .*it has target, "):
        PromptTemplate("{question} {hint}").text(problem)


def test_another_way_of_asking_keeps_what_it_does_not_replace():
    example = [{"role": "user", "content": "2+2?"}, {"role": "assistant", "content": "4"}]
    own = [{"role": "system", "content": "Old."}, *example, {"role": "user", "content": "q?"}]
    problem = Problem("1", "q?", "2", info={"question_turns": own})
    assert Reworded(PromptTemplate(BOXED_PROMPT))(problem) == own
    assert Reworded(PromptTemplate(BOXED_PROMPT), system="New.")(problem) == [
        {"role": "system", "content": "New."},
        *own[1:],
    ]
    last = {"role": "user", "content": "Solve q?"}
    assert Reworded(PromptTemplate(BOXED_PROMPT), prompt="Solve {question}")(problem) == [
        *own[:-1],
        last,
    ]
    plain = Problem("1", "q?", "2")
    asked = pickle.loads(
        pickle.dumps(Reworded(PromptTemplate(BOXED_PROMPT), "New.", "Solve {question}"))
    )
    assert asked(plain) == [{"role": "system", "content": "New."}, last]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("rows.csv", "a file of problems is file:rows.csv"),
        ("owner/name", "a data set of that name is hf:owner/name"),
        ("tests/data", "a data set of that name is file:tests/data"),
    ],
)
def test_a_data_set_without_its_sign_is_guessed(name, message):
    with pytest.raises(ConfigError, match=message):
        load_task(name)


@pytest.mark.parametrize("shown", [True, False])
def test_reading_a_file_shows_no_bars_and_leaves_them_as_they_were(tmp_path, capfd, shown):
    before = datasets.are_progress_bars_disabled()
    (datasets.enable_progress_bars if shown else datasets.disable_progress_bars)()
    try:
        load_task(f"file:{write(tmp_path / 'rows.parquet', ROWS)}")
        assert "Generating" not in capfd.readouterr().err
        (tmp_path / "broken.parquet").write_text("no table")
        with pytest.raises(DataError, match="cannot be read"):
            load_task(f"file:{tmp_path / 'broken.parquet'}")
        assert datasets.are_progress_bars_disabled() is not shown
    finally:
        (datasets.disable_progress_bars if before else datasets.enable_progress_bars)()
