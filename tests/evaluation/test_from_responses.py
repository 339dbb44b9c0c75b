from __future__ import annotations

import json
import math

import pytest

from rewardkit.cli import main

ROWS = [
    {"problem_id": "a", "gold": "18", "response": "so \\boxed{18}", "correct": True},
    {"problem_id": "a", "gold": "18", "response": "so \\boxed{17}", "correct": False},
    {"problem_id": "b", "gold": 3, "response": "I give up", "correct": False},
    {"problem_id": "c", "gold": "5", "response": "The answer is 5.", "correct": False},
]


def write(tmp_path, rows):
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(r if isinstance(r, str) else json.dumps(r) for r in rows))
    return path


def grade(path, capsys, *more):
    main(["eval", "responses", str(path), "--json", "--workers", "1", *more])
    return json.loads(capsys.readouterr().out)


def test_one_object_with_counts_and_agreement(tmp_path, capsys):
    found = grade(write(tmp_path, ROWS), capsys)
    assert found["n"] == 4
    assert found["accuracy"] == 0.5
    assert found["label_agreement"] == 0.75
    assert found["outcomes"]["correct"] == 2
    assert sum(found["outcomes"].values()) == 4
    assert [row["problem"] for row in found["disagreements"]] == ["c"]
    assert found["accuracy_by_problem"] == pytest.approx((0.5 + 0 + 1) / 3)


def test_the_mean_score_stands_where_scores_say_more(tmp_path, capsys, monkeypatch):
    (tmp_path / "lengthy.py").write_text("def half(response, answer): return len(response) / 40\n")
    monkeypatch.syspath_prepend(tmp_path)
    rows = [{"gold": "1", "response": "x" * n, "problem": p} for n, p in ((10, "a"), (20, "b"))]
    path = write(tmp_path, rows)
    main(["eval", "responses", str(path), "--verifier", "lengthy:half", "--workers", "1", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert (found["accuracy"], found["score"]["mean"]) == (0.0, pytest.approx(0.375))
    main(["eval", "responses", str(path), "--verifier", "lengthy:half", "--workers", "1"])
    assert "mean score by problem 37.5 % (these problems " in capsys.readouterr().out
    assert grade(path, capsys)["score"] is None


@pytest.fixture
def owned(tmp_path, monkeypatch):
    (tmp_path / "owned.py").write_text(
        "def sums(response, answer, numbers): return sum(numbers) == int(response)\n"
        "class Ends:\n"
        "    def __init__(self, sign='!'): self.sign = sign\n"
        "    def __call__(self, response, answer): return response.endswith(self.sign)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)


def test_a_verifier_that_fails_on_every_row_is_said_with_its_reason(tmp_path, capsys, owned):
    rows = [{"gold": "3", "response": "3"}, {"gold": "5", "response": "5"}]
    grade_with = ["eval", "responses", "--verifier", "owned:sums", "--workers", "1"]
    with pytest.raises(SystemExit) as ended:
        main([*grade_with, str(write(tmp_path, rows))])
    assert ended.value.code == 1
    said = capsys.readouterr().out
    assert "WARNING 2 of 2 responses could not be graded, " in said
    assert "has no column 'numbers', which the verifier asks for" in said
    main([*grade_with, str(write(tmp_path, [*rows, {**rows[0], "numbers": [1, 2]}])), "--json"])
    found = json.loads(capsys.readouterr().out)
    assert (found["outcomes"]["error"], found["graded"], found["accuracy"]) == (2, 1, 1.0)
    assert sum(found["reasons"].values()) == 2


def test_columns_of_other_names_and_options_of_a_verifier_are_taken_by_all(tmp_path, capsys, owned):
    rows = [{"answer": "3", "completion": "3?", "label": True, "response": "x"}]
    named = [str(write(tmp_path, rows)), "--gold", "answer", "--response", "completion"]
    named += ["--verifier", "owned:Ends", "--verifier-options", "sign=?", "--workers", "1"]
    main(["eval", "responses", *named, "--json"])
    assert json.loads(capsys.readouterr().out)["accuracy"] == 1.0
    main(["verify", "cases", *named, "--json"])
    assert json.loads(capsys.readouterr().out)["accuracy"] == 1.0
    main(["grade", *named, "--out", str(tmp_path / "out.jsonl")])
    assert "100.00 % correct" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("{", "rows.jsonl:2: not JSON"),
        ("9" * 4301, "rows.jsonl:2: not JSON"),
        ("[]", "rows.jsonl:2: expected an object"),
        (
            {"gold": "1", "completion": "x"},
            "no field 'response'; the fields are 'gold', 'completion'",
        ),
        ({"problem_id": "a", "response": "x"}, "no field 'gold'; the fields are 'problem_id'"),
        ({"gold": "1", "response": 3}, "'response' must be text"),
        ({"gold": {}, "response": "x"}, "'gold' must be text"),
        ({"gold": "1", "response": "x", "correct": 2}, "true or false"),
    ],
)
def test_a_bad_row_is_named(tmp_path, capsys, row, message):
    with pytest.raises(SystemExit) as ended:
        main(["eval", "responses", str(write(tmp_path, [ROWS[0], row])), "--json"])
    assert ended.value.code == 2
    assert message in capsys.readouterr().err


def test_no_row_and_no_file(tmp_path, capsys):
    for path in (write(tmp_path, [""]), tmp_path / "absent.jsonl"):
        with pytest.raises(SystemExit):
            main(["eval", "responses", str(path)])
    assert "cannot be read" in capsys.readouterr().err


def test_a_run_dir_gets_the_rows_with_verdicts_and_the_figures(tmp_path, capsys):
    folder = tmp_path / "new" / "run"
    rows = str(write(tmp_path, ROWS))
    main(["eval", "--from-responses", rows, "--run-dir", str(folder), "--workers", "1"])
    assert f"written to {folder}" in capsys.readouterr().out
    figures = json.loads((folder / "figures.json").read_text())
    assert figures["label_agreement"] == 0.75
    rows = [json.loads(line) for line in (folder / "graded.jsonl").read_text().splitlines()]
    assert [row["outcome"] for row in rows] == ["correct", "incorrect", "no_answer", "correct"]
    assert [row["label"] for row in rows] == [True, False, False, False]
    assert rows[0]["score"] == 1.0
    assert grade(folder / "graded.jsonl", capsys) == {**figures, "disagreements": [
        {**row, "where": f"{folder / 'graded.jsonl'}:4"} for row in figures["disagreements"]
    ]}  # fmt: skip


def test_an_option_that_cannot_apply_is_refused(tmp_path, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["eval", "--from-responses", str(write(tmp_path, ROWS)), "--samples", "4"])
    assert "--samples" in capsys.readouterr().err


def test_a_run_dir_that_is_a_file_is_refused(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    with pytest.raises(SystemExit):
        main(["eval", "responses", str(write(tmp_path, ROWS)), "--run-dir", str(tmp_path / "file")])
    assert "no folder to write to" in capsys.readouterr().err


def test_each_command_reads_what_the_others_write(tmp_path, capsys):
    """responses -> graded.jsonl -> grade -> verify cases -> responses again, and the older names."""
    alone, first = ["--workers", "1"], tmp_path / "a"
    main(["eval", "responses", str(write(tmp_path, ROWS)), "--run-dir", str(first), *alone])
    table, cases = tmp_path / "table.jsonl", tmp_path / "cases.jsonl"
    again = ["--out", str(table), "--prefix", "again_", *alone]
    main(["grade", str(first / "graded.jsonl"), *again])
    main(["verify", "cases", str(table), "--out", str(cases)])
    capsys.readouterr()
    found = grade(cases, capsys)
    assert (found["n"], found["accuracy"], found["label_agreement"]) == (4, 0.5, 0.75)
    older = [{"gold": "18", "pred": "18", "expected": True, "kind": "answer"}]
    assert grade(write(tmp_path, older), capsys)["label_agreement"] == 1.0
    sample = {"key": "k", "task": "t", "problem": "a", "outcome": "incorrect"}
    sample |= {"gold": "18", "response": "18"}
    assert grade(write(tmp_path, [sample]), capsys)["accuracy"] == 1.0
    with pytest.raises(SystemExit):
        main(["verify", "cases", str(write(tmp_path, [sample]))])
    assert (
        "no field 'label', true or false; without labels: rewardkit eval responses, "
        "and of an evaluation's folder rewardkit eval regrade" in capsys.readouterr().err
    )


def test_a_null_response_answers_nothing_and_a_null_gold_is_named(tmp_path, capsys):
    rows = [{"gold": "18", "response": None}, {"gold": "18", "response": "18"}]
    found = grade(write(tmp_path, rows), capsys)
    assert (found["outcomes"]["no_answer"], found["outcomes"]["correct"]) == (1, 1)
    path = write(tmp_path, [*rows, {"gold": None, "response": "18"}])
    found = grade(path, capsys)
    assert (found["n"], found["graded"], found["outcomes"]["bad_gold"]) == (3, 2, 1)
    assert found["reasons"] == {f"{path}:3: field 'gold' is null": 1}


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_files_as_people_have_them(tmp_path, capsys, suffix):
    """Columns in tables, labels of 1 and 0, a gold that is NaN."""
    rows = [
        {"r": {"gold": 18.0}, "out": {"text": "It is 18"}, "label": 1},
        {"r": {"gold": 18.0}, "out": {"text": "It is 17"}, "label": 0},
        {"r": {"gold": None}, "out": {"text": "It is 17"}, "label": 0},
    ]
    file = tmp_path / f"rows{suffix}"
    if suffix == ".parquet":
        parquet = pytest.importorskip("pyarrow.parquet")
        parquet.write_table(pytest.importorskip("pyarrow").Table.from_pylist(rows), file)
    else:
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = grade(file, capsys, "--gold", "r.gold", "--response", "out.text")
    assert (found["accuracy"], found["label_agreement"], found["graded"]) == (0.5, 1.0, 2)
    main(["verify", "cases", str(file), "--gold", "r.gold", "--response", "out.text", "--json"])
    cases = json.loads(capsys.readouterr().out)
    assert (cases["n"], cases["outcomes"]["bad_gold"], cases["false_accept"]) == (3, 1, 0)


def test_nan_and_binary_columns_are_told(tmp_path, capsys):
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    file = tmp_path / "rows.parquet"
    columns = {"gold": [1.0, math.nan], "response": ["1", "1"], "raw": [b"1", b"1"]}
    parquet.write_table(pa.table(columns), file)
    assert list(grade(file, capsys)["reasons"]) == [f"{file}: row 2: field 'gold' is NaN"]
    with pytest.raises(SystemExit):
        grade(file, capsys, "--gold", "raw")
    assert "column 'raw' is binary, expected text" in capsys.readouterr().err


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_chats_are_read_as_grade_reads_them(tmp_path, capsys, suffix):
    asked = {"role": "user", "content": "7+5? I say 13"}
    said = [[asked, {"role": "assistant", "content": text}] for text in ("It is 12", "13")]
    file, out = tmp_path / f"chats{suffix}", tmp_path / f"out{suffix}"
    rows = [{"gold": "12", "response": one} for one in said]
    if suffix == ".jsonl":
        file.write_text("\n".join(map(json.dumps, rows)))
    else:
        parquet = pytest.importorskip("pyarrow.parquet")
        parquet.write_table(pytest.importorskip("pyarrow").Table.from_pylist(rows), file)
    found = grade(file, capsys)
    assert (found["outcomes"]["correct"], found["outcomes"]["incorrect"]) == (1, 1)
    main(["grade", str(file), "--out", str(out), "--workers", "1"])
    assert "correct 1, incorrect 1" in capsys.readouterr().out


def test_of_a_table_without_rows_our_sentence_is_all_that_is_said(tmp_path, capfd):
    pyarrow = pytest.importorskip("pyarrow")
    path = tmp_path / "none.parquet"
    columns = {name: pyarrow.array([], pyarrow.string()) for name in ("gold", "response")}
    pytest.importorskip("pyarrow.parquet").write_table(pyarrow.table(columns), path)
    with pytest.raises(SystemExit, match="2"):
        main(["eval", "responses", str(path)])
    said = capfd.readouterr().err
    assert said == f"error: {path}: holds no rows; expected one for each problem\n"


def test_golds_that_cannot_be_read_are_said_and_all_of_them_fail(tmp_path, capsys):
    rows = [{"gold": gold, "response": "12"} for gold in ("", " ", "12")]
    main(["eval", "responses", str(write(tmp_path, rows)), "--workers", "1"])
    said = capsys.readouterr().out
    assert "WARNING 2 of 3 responses could not be graded, 2 x the gold answer is empty; " in said
    assert "another column of golds: --gold COLUMN" in said
    with pytest.raises(SystemExit, match="1"):
        main(["eval", "responses", str(write(tmp_path, rows[:2])), "--workers", "1"])
    assert "0 problems" not in capsys.readouterr().out
