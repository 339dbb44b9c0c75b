"""Rows of a table that cannot be graded are named by their place, whatever reads them."""

import json
import math
import sys
from pathlib import Path

import pytest

from rewardkit.errors import DataError
from rewardkit.tables import kinds
from rewardkit.tables.grade import GradeSettings, grade_unit, grader_of
from rewardkit.tables.job import grade_table
from rewardkit.tables.opening import open_table

pytest.importorskip("pyarrow")
import pyarrow as pa
import pyarrow.parquet as pq

sys.path.append(str(Path(__file__).parent))  # for `table_verifiers`
ROWS = [{"id": i, "said": f"so \\boxed{{{i}}}", "answer": str(i), "n": [i]} for i in range(200)]


def written(path, rows, group=64):
    if path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(rows), path, row_group_size=group)
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def small_units(monkeypatch):
    """Units of 100 rows, or of 1000 bytes, in this process."""
    from rewardkit.tables import lines, parquet

    monkeypatch.setattr(parquet, "UNIT_ROWS", 100)
    monkeypatch.setattr(lines, "UNIT_BYTES", 1000)
    for module in (kinds, parquet, lines):
        monkeypatch.setattr(module, "BATCH_ROWS", 32)


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ({"said": "1", "answer": {"a": 1}}, "field 'answer' must be text, .* found dict"),
        ({"said": 7, "answer": "1"}, "field 'said' must be text or a chat.*--response COLUMN$"),
        ({"sayd": "1", "answer": "1"}, "no field 'said'; the fields are 'sayd', .*--response COL"),
        ({"said": "1"}, "no field 'answer'; the fields are 'said'.*gold answer: --gold COLUMN$"),
    ],
)
def test_a_bad_row_of_many_is_named_by_its_line(tmp_path, small_units, bad, said):
    file = written(tmp_path / "in.jsonl", [*ROWS[:100], bad, *ROWS])
    assert len(open_table(file).units()) > 2
    with pytest.raises(DataError, match=rf"in.jsonl:101: {said}"):
        all_units(GradeSettings(str(file), "said", "answer", "math"), tmp_path)


@pytest.mark.parametrize(
    ("kind", "gold", "why"),
    [
        ("parquet", None, "row 151: field 'answer' is null"),
        ("jsonl", None, "in.jsonl:151: field 'answer' is null"),
        ("jsonl", math.nan, "in.jsonl:151: field 'answer' is NaN"),
        ("jsonl", [], "in.jsonl:151: field 'answer' is empty"),
    ],
)
def test_a_row_without_a_gold_is_counted_and_named_and_stops_nothing(
    tmp_path, small_units, kind, gold, why
):
    rows = [*ROWS[:150], {**ROWS[0], "answer": gold}, *ROWS]
    file, out = written(tmp_path / f"in.{kind}", rows, 64), tmp_path / f"out.{kind}"
    # A verifier that would accept an empty gold is not asked.
    found = grade_table(GradeSettings(str(file), "said", "answer", "math"), out, workers=1)
    assert found.outcomes == {"correct": 350, "bad_gold": 1}
    row = (pq.read_table(out).to_pylist() if kind == "parquet" else lines_of(out))[150]
    assert (row["outcome"], row["score"]) == ("bad_gold", 0.0)
    assert row["reason"].endswith(why)


def test_a_gold_that_is_nan_in_a_parquet_file_is_told_as_such(tmp_path):
    rows = [{"said": "so 2", "answer": 2.0}, {"said": "so 2", "answer": math.nan}]
    file, out = written(tmp_path / "in.parquet", rows), tmp_path / "out.parquet"
    grade_table(GradeSettings(str(file), "said", "answer", "math"), out, workers=1)
    graded = pq.read_table(out).to_pylist()
    assert [row["outcome"] for row in graded] == ["correct", "bad_gold"]
    assert graded[1]["reason"].endswith("row 2: field 'answer' is NaN")


@pytest.mark.parametrize("kind", ["parquet", "jsonl"])
def test_a_dot_leads_into_a_table(tmp_path, kind):
    rows = [
        {"out": {"text": f"so \\boxed{{{i}}}"}, "reward_model": {"ground_truth": str(i)}}
        for i in range(3)
    ]
    rows.append({"out": {"text": "so 1"}, "reward_model": {"ground_truth": None}})
    file, out = written(tmp_path / f"in.{kind}", rows), tmp_path / f"out.{kind}"
    settings = GradeSettings(str(file), "out.text", "reward_model.ground_truth", "math")
    assert grade_table(settings, out, workers=1).outcomes == {"correct": 3, "bad_gold": 1}
    with pytest.raises(DataError, match=r"no column 'reward\.ground_truth'"):
        grade_table(
            GradeSettings(str(file), "out.text", "reward.ground_truth", "math"),
            out.with_stem("other"),
        )


def test_a_binary_column_is_called_binary(tmp_path):
    file = written(tmp_path / "in.parquet", [{"said": "so 1", "answer": b"1"}])
    with pytest.raises(DataError, match=r"field 'answer' must be text.*found binary data"):
        grade_table(
            GradeSettings(str(file), "said", "answer", "math"), tmp_path / "o.parquet", workers=1
        )


def lines_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_what_only_later_rows_have_is_given_and_kept(tmp_path):
    """The first row of a .jsonl file says nothing of what others have."""
    later = {**ROWS[2], "hint": "2"}
    file = written(tmp_path / "in.jsonl", [ROWS[1], later])
    settings = GradeSettings(str(file), "said", "answer", "table_verifiers:hinted")
    all_units(settings, tmp_path)
    assert outcomes(tmp_path / "0.jsonl") == ["incorrect", "correct"]
    whole = GradeSettings(str(file), "said", "answer", "table_verifiers:hinted_whole")
    all_units(whole, tmp_path)
    assert outcomes(tmp_path / "0.jsonl") == ["incorrect", "correct"]
    file = written(tmp_path / "in.jsonl", [ROWS[1], {**later, "score": 7}])
    with pytest.raises(DataError, match=r"in.jsonl:2: has a field 'score' already; --prefix"):
        all_units(settings, tmp_path)


@pytest.mark.parametrize("suffix", [".parquet", ".jsonl"])
def test_a_file_without_rows_is_refused(tmp_path, suffix):
    file = tmp_path / f"in{suffix}"
    if suffix == ".parquet":
        pq.write_table(pa.table({"said": pa.array([], pa.string())}), file)
    else:
        file.write_text("\n")
    with pytest.raises(DataError, match=rf"in{suffix}: holds no row"):
        open_table(file)


def outcomes(path):
    return [json.loads(line)["outcome"] for line in path.read_text().splitlines()]


def all_units(settings, folder):
    """Grade each unit of a table in this process."""
    grader, table = grader_of(settings), open_table(Path(settings.path))
    with grader.pool:
        for unit in table.units():
            grade_unit(
                settings, grader, unit, folder / f"{unit.number}.jsonl", lambda rows, size: None
            )


def test_a_broken_line_is_named(tmp_path):
    file = tmp_path / "in.jsonl"
    file.write_text('{"said": "1", "answer": "1"}\n{"said":\n')
    with pytest.raises(DataError, match=r"in.jsonl:2: not JSON \(.*line 1 column 9"):
        grade_table(GradeSettings(str(file), "said", "answer", "math"), tmp_path / "o.jsonl")
