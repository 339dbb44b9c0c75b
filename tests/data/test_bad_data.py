"""What is said of every kind of bad file, row and column: where it stands, and what to type."""

import io
import json

import pytest

from rewardkit.data.problems import DataProblems
from rewardkit.errors import DataError, RewardkitError
from rewardkit.tasks import load_task

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

GOOD = {"problem": "1+1?", "answer": "2"}


def lines(*rows):
    return "\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows)


def turns(*roles, content="1+1?"):
    return [{"role": role, "content": content} for role in roles]


def chat(turns):
    return lines(GOOD, {"question": turns, "answer": "2"})


def parquet_of_no_rows():
    table = pa.table({name: pa.array([], pa.string()) for name in GOOD})
    sink = io.BytesIO()
    pq.write_table(table, sink)
    return sink.getvalue()


FILES = {
    "no such file": ("absent.jsonl", None, "absent.jsonl: no such file"),
    "empty": ("a.jsonl", "\n \n", "a.jsonl: holds no problem"),
    "an empty list": ("a.json", "[]", "a.json: holds no problem"),
    "not UTF-8": ("a.jsonl", b'{"problem": "\xff"}', r"a.jsonl:1: not UTF-8"),
    "not JSON": ("a.jsonl", lines(GOOD, "", '{"problem":'), r"a.jsonl:3: not JSON"),
    "a list where a row is due": ("a.jsonl", lines(GOOD, "[1]"), "a.jsonl:2: expected an object, found list"),
    "one object": ("a.json", json.dumps(GOOD), "a.json: expected a list of objects, found dict"),
    "lines, with a fault": ("a.json", lines(GOOD, '{"problem":'), "a.json:2: not JSON"),
    "a form that is not read": ("a.tsv", "problem\tanswer", r"a.tsv:1: not JSON .*since \.tsv is none of \.jsonl"),
    "a packed file": ("a.jsonl.gz", b"\x1f\x8b", r"a.jsonl.gz:1: not UTF-8 .*since \.gz is none"),
    "an item that is none": ("a.json", json.dumps([GOOD, 3]), "a.json: item 2: expected an object"),
    "a ragged table": ("a.csv", "problem,answer\n1,2\n3,4,5\n", "a.csv: cannot be read .*line 3"),
    "no parquet": ("a.parquet", b"PAR0", "a.parquet: cannot be read"),
    "no arrow": ("a.arrow", b"x", "a.arrow: cannot be read"),
    "a header alone": ("a.csv", "problem,answer\n", "a.csv: holds no rows; expected one for each problem"),
    "an empty table": ("a.csv", "", "a.csv: holds no rows"),
    "a parquet of no rows": ("a.parquet", parquet_of_no_rows(), "a.parquet: holds no rows"),
}  # fmt: skip


@pytest.mark.parametrize("case", FILES)
def test_a_bad_file_is_named(case, tmp_path):
    name, content, message = FILES[case]
    if content is not None:
        data = content if isinstance(content, bytes) else content.encode()
        (tmp_path / name).write_bytes(data)
    with pytest.raises(DataError, match=message):
        load_task(f"file:{tmp_path / name}")


ROWS = {
    "no question": (lines(GOOD, {"q": "1", "answer": "2"}), "a.jsonl:2: no field 'problem' or 'question'; the fields are q, answer. .*--set task.columns.question=COLUMN"),
    "a usual name": (lines({"prompt": "1", "answer": "2"}), "a.jsonl:1: no field 'problem' or .*--set task.columns.question=prompt"),
    "verl's answer": (lines({"problem": "1", "reward_model": {"ground_truth": "2"}}), "a.jsonl:1: no field 'answer' or 'gold'.*--set task.columns.answer=reward_model.ground_truth"),
    "an empty question": (lines(GOOD, {"problem": " ", "answer": "2"}), "a.jsonl:2: field 'problem' is empty"),
    "a null answer": (lines(GOOD, {"problem": "x", "answer": None}), "a.jsonl:2: field 'answer' must be text or a number, found NoneType"),
    "no number": (lines({"problem": "x", "answer": float("nan")}), "a.jsonl:1: field 'answer' must be text or a finite number, found nan"),
    "a number beyond floats": ('{"problem": "x", "answer": 1e400}', "a.jsonl:1: field 'answer' must be text or a finite number, found inf"),
    "a truth value": (lines({"problem": "x", "answer": True}), "a.jsonl:1: field 'answer' must be text or a number, found bool"),
    "a table": (lines({"problem": "x", "answer": {"value": 2}}), "a.jsonl:1: field 'answer' must be text or a number, found dict"),
    "an id twice": (lines({**GOOD, "id": "a"}, GOOD, {**GOOD, "id": "a"}), "a.jsonl:3: id 'a' was used by .*a.jsonl:1"),
    "an id that is a number": (lines({**GOOD, "id": 2}, GOOD), "a.jsonl:2: id '2' was used by .*a.jsonl:1"),
    "an AIME answer": (lines({**GOOD, "answer": "1000", "source": "AIME 2024"}), "a.jsonl:1: answer '1000' is out of range"),
    "no number at all": ('{"problem": "x", "answer": "2", "rate": NaN}', "a.jsonl:1: .*'rate'"),
    "an empty chat": (chat([]), "a.jsonl:2: column 'question': expected a list of .*found \\[\\]"),
    "turns of text": (chat(["1+1?"]), "a.jsonl:2: column 'question': turn 1: expected a list of .*found '1\\+1\\?'"),
    "no content": (chat([{"role": "user"}]), "a.jsonl:2: column 'question': turn 1: expected a list"),
    "an unknown role": (chat(turns("human")), "a.jsonl:2: column 'question': turn 1: role is one of system, user, .*found 'human'"),
    "content in parts": (chat(turns("user", content=[{"type": "text"}])), "a.jsonl:2: column 'question': turn 1: content is text, found \\[{"),
    "an answered chat": (chat(turns("user", "assistant")), "a.jsonl:2: column 'question': the last turn is the assistant's; it must be the user's"),
    "half of a character": ('{"problem": "\\ud83d?", "answer": "2"}', r"a.jsonl:1: field 'problem' holds half of a character \('\\ud83d'\)"),
    "half of one in a chat": (chat(turns("user", content="\ud83d?")), r"a.jsonl:2: column 'question': turn 1 holds half of a character"),
    "an empty turn": (chat(turns("system", "user", content=" ")), "a.jsonl:2: field 'question' is empty"),
}  # fmt: skip


@pytest.mark.parametrize("case", ROWS)
def test_a_bad_row_is_named_by_file_line_and_column(case, tmp_path):
    text, message = ROWS[case]
    path = tmp_path / "a.jsonl"
    path.write_text(text)
    with pytest.raises(DataError, match=message):
        load_task(f"file:{path}")


COLUMNS = {
    "no such column": ({"question": "promt"}, "no field 'promt'; the fields are problem, answer"),
    "no such table": ({"answer": "reward_model.truth"}, "no field 'reward_model.truth'"),
    "no such info": ({"numbers": "nums"}, "no field 'nums'.*task.columns.numbers=COLUMN"),
    "no such id": ({"id": "uid"}, "no field 'uid'"),
    "a list of names": ({"question": ["a", "b"]}, "columns.question is the name of a column, found"),
    "no name": ({"question": ""}, "columns.question is the name of a column, found ''; for example"),
}  # fmt: skip


@pytest.mark.parametrize("case", COLUMNS)
def test_a_mapping_to_nothing_is_said_with_the_row_and_what_to_type(case, tmp_path):
    columns, message = COLUMNS[case]
    path = tmp_path / "a.jsonl"
    path.write_text(lines(GOOD))
    with pytest.raises(RewardkitError, match=message):
        load_task(f"file:{path}", columns=columns)


FOLDERS = {
    "nothing": ({}, "is a folder that holds no .jsonl, .json, .csv, .parquet, .arrow file"),
    "two kinds": (
        {"a.jsonl": lines(GOOD), "b.csv": "problem,answer\n1,2\n"},
        r"holds files of several kinds \(.csv, .jsonl\), such as a.jsonl and b.csv",
    ),
}


@pytest.mark.parametrize("case", FOLDERS)
def test_a_bad_folder_is_named(case, tmp_path):
    files, message = FOLDERS[case]
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(DataError, match=message):
        load_task(f"file:{tmp_path}")


def test_a_split_that_is_not_there_is_said_with_those_that_are(tmp_path):
    (tmp_path / "validation.jsonl").write_text(lines(GOOD))
    with pytest.raises(DataError, match=r"has no split 'test'; it has validation.*split = 'valid"):
        load_task(f"file:{tmp_path}", test_split="test")


@pytest.mark.parametrize("name", ["hf:", "hf:a/b/c", "hf:a b", "hf:owner/name:", "hf:owner/name@"])
def test_a_reference_to_the_hub_has_one_form(name):
    with pytest.raises(RewardkitError, match="the form is hf:OWNER/NAME"):
        load_task(name)


def test_a_hub_that_is_out_of_reach_is_said_with_the_way_around():
    with pytest.raises(
        DataError, match=r"hf:nobody/nothing.*hf download nobody/nothing.*file:FOLD"
    ):
        load_task("hf:nobody/nothing")


def test_a_row_of_a_shard_is_named_by_its_file(tmp_path):
    (tmp_path / "train-0.jsonl").write_text(lines(GOOD, GOOD))
    (tmp_path / "train-1.jsonl").write_text(lines(GOOD, {"problem": "", "answer": "2"}))
    with pytest.raises(DataError, match=r"train-1.jsonl:2: field 'problem' is empty"):
        load_task(f"file:{tmp_path}")


def test_a_large_set_is_checked_whole_once(tmp_path, monkeypatch):
    monkeypatch.setattr("rewardkit.data.problems.SMALL", 3)
    monkeypatch.setenv("REWARDKIT_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "a.jsonl"
    path.write_text(lines(*[GOOD] * 5, {"problem": "", "answer": "2"}))
    for _ in range(2):  # what was found bad is no less so the second time
        with pytest.raises(DataError, match=r"a.jsonl:6: field 'problem' is empty"):
            len(DataProblems(str(path)))
    path.write_text(lines(*[GOOD] * 5))
    assert len(DataProblems(str(path))) == 5

    def again(*_):
        raise AssertionError("checked a second time")

    monkeypatch.setattr(DataProblems, "_check", again)
    assert DataProblems(str(path))[4].question == "1+1?"
    path.write_text(lines(*[GOOD] * 6))
    with pytest.raises(AssertionError, match="a second time"):
        len(DataProblems(str(path)))
