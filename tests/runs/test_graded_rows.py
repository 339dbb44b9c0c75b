"""One schema of graded rows: what one command writes another reads, the older names too."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewardkit.errors import DataError
from rewardkit.runs.graded_rows import COLUMNS, GradedRow, read_rows, row_from, verdict_columns
from rewardkit.types import UNDECIDED, Outcome, Verdict

SAMPLE = {
    "key": "1f", "task": "gsm8k", "problem": "7", "index": 0, "seed": 5, "gold": "18",
    "response": "so 18", "finish": "stop", "tokens": 4, "seconds": 0.1, "outcome": "correct",
    "extracted": "18", "method": "exact", "reason": "the same number", "verifier": "ab",
}  # fmt: skip
ROLLOUT = {
    "step": 3, "problem": "7", "question": "6 * 3?", "gold": "18", "info": {"target": 24},
    "response": "so 17", "outcome": "incorrect", "score": 0.25, "reward": 0.1, "components": {},
}  # fmt: skip


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (SAMPLE, ("7", "18", "so 18", None, "correct", 1.0)),
        (ROLLOUT, ("7", "18", "so 17", None, "incorrect", 0.25)),
        (
            {"problem_id": 7, "gold": 18, "response": "18", "correct": True},
            ("7", "18", "18", True, None, None),
        ),
        (
            {"gold": "18", "pred": "17", "expected": False, "kind": "answer", "source": "s"},
            ("", "18", r"\boxed{17}", False, None, None),
        ),
        (
            {"gold": "18", "pred": "so 17", "expected": False, "kind": "response-box"},
            ("", "18", "so 17", False, None, None),
        ),
        ({"gold": [1, 2.5], "pred": " "}, ("", "1, 2.5", "", None, None, None)),
        ({"gold": "1", "response": "1", "label": None}, ("", "1", "1", None, None, None)),
    ],
)
def test_each_writer_s_rows_are_read(row, expected):
    found = row_from(row)
    outcome, score = (
        (found.verdict.outcome.value, found.verdict.score) if found.verdict else (None, None)
    )
    assert (found.problem, found.gold, found.response, found.label, outcome, score) == expected


def test_a_verifier_that_asks_for_columns_finds_them():
    problem = row_from(ROLLOUT).as_problem()
    assert (problem.id, problem.question, problem.answer) == ("7", "6 * 3?", "18")
    assert problem.info["target"] == 24
    assert row_from({"gold": "1", "response": "1", "numbers": [3, 8]}).as_problem().info == {
        "numbers": [3, 8]
    }
    older = {"gold": "18", "pred": "17", "expected": False, "kind": "answer", "source": "s"}
    assert row_from(older).as_problem().info == {}


verdicts = st.builds(
    lambda outcome, extracted, method, reason, score: Verdict(
        outcome, extracted, None, method, reason, 0.0, 0.0 if outcome in UNDECIDED else score
    ),
    st.sampled_from(Outcome),
    st.none() | st.text(),
    st.text(),
    st.text(),
    st.floats(0, 1),
)


@given(
    st.builds(
        GradedRow,
        st.text(),
        st.text(),
        st.none() | st.booleans(),
        st.text(),
        st.none() | verdicts,
    )
)
def test_what_is_written_is_read_back(row):
    written = row.as_dict()
    assert set(written) <= set(COLUMNS)
    assert row_from(json.loads(json.dumps(written)), "") == row


def test_verdict_columns_are_plain_values():
    found = verdict_columns(Verdict(Outcome.TIMEOUT, reason="slow"))
    assert type(found["outcome"]) is str
    assert json.loads(json.dumps(found))["score"] == 0.0
    assert verdict_columns(None) == {}


def test_lines_end_at_a_newline_only_and_a_bom_is_no_text(tmp_path):
    path = tmp_path / "rows.jsonl"
    text = json.dumps({"gold": "1", "response": "a\u2028b\x85c"}, ensure_ascii=False)
    path.write_bytes(b"\xef\xbb\xbf" + f"{text}\r\n\n{text}".encode())
    rows = list(read_rows(path))
    assert [row.response for row in rows] == ["a\u2028b\x85c"] * 2
    assert [row.where for row in rows] == [f"{path}:1", f"{path}:3"]


def test_tables_are_read_whatever_their_form(tmp_path):
    """What `rewardkit grade` writes, among others."""
    datasets = pytest.importorskip("datasets")
    rows = [
        {"gold": "007", "response": "7", "label": True, "outcome": "correct", "score": 1.0},
        {
            "gold": "1,2",
            "response": 'x,\n"y"',
            "label": False,
            "outcome": "no_answer",
            "score": 0.0,
        },
    ]
    table = datasets.Dataset.from_list(rows)
    table.to_parquet(tmp_path / "rows.parquet")
    table.to_csv(tmp_path / "rows.csv")
    (tmp_path / "rows.json").write_text(json.dumps(rows))
    for name in ("rows.parquet", "rows.csv", "rows.json"):
        found = [row.as_dict() for row in read_rows(tmp_path / name)]
        wanted = [{**row, "method": "", "reason": ""} for row in rows]
        assert found == wanted, name


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"gold": "1"}, "no field 'response'; the fields are 'gold'"),
        ({"gold": "1", "response": "1", "outcome": "right"}, "'outcome' is one of correct, inc"),
        ({"gold": "1", "response": "1", "outcome": "correct", "score": "much"}, "not a verdict"),
        ({"gold": {}, "response": "1"}, "'gold' must be text, a number or a list of these"),
        ({"gold": "1", "response": "1", "expected": "yes"}, "field 'expected' must be true or"),
    ],
)
def test_a_bad_row_says_what_is_wrong(row, message):
    with pytest.raises(DataError, match="file:3: ") as error:
        row_from(row, "file:3")
    assert message in str(error.value)
