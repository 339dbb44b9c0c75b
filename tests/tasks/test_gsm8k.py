import json

import pytest

from rewardkit.errors import DataError
from rewardkit_tasks.gsm8k import gsm8k, problems


def write(path, rows):
    path.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows))
    return str(path)


def test_local_rows_with_solutions_or_bare_answers(tmp_path):
    file = write(
        tmp_path / "test.jsonl",
        [
            {"question": "How many?", "answer": "16 - 3 = <<16-3=13>>13\n#### 1,013"},
            "",
            {"id": "second", "problem": "How much?", "answer": "18"},
            {"id": "third", "problem": "How little?", "answer": 0},
        ],
    )
    task = gsm8k(test=file)
    assert [(p.id, p.answer) for p in task.test] == [
        ("gsm8k-1", "1013"), ("second", "18"), ("third", "0")
    ]  # fmt: skip
    assert len(task.train) == 0
    assert "How much?" in task.messages(task.test[1])[0]["content"]
    assert task.verifier("So \\boxed{18}", "18").correct


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ('{"question": ', "not JSON"),
        ({"question": "q"}, "no answer in field 'answer'"),
        ({"answer": "3"}, "no text in field 'question' or 'problem'"),
        ({"question": "q", "answer": "so it is ####"}, "no answer in field 'answer'"),
        ([1], "expected an object, found list"),
    ],
)
def test_bad_row_names_file_line_and_field(tmp_path, row, message):
    file = write(tmp_path / "bad.jsonl", [{"question": "q", "answer": "1"}, "", row])
    with pytest.raises(DataError, match=f"bad.jsonl.*3.*{message}"):
        gsm8k(train=file)


def test_missing_file(tmp_path):
    with pytest.raises(DataError, match=r"none.jsonl"):
        gsm8k(test=str(tmp_path / "none.jsonl"))


def test_without_a_network_the_local_form_is_named():
    with pytest.raises(DataError, match=r"task\.args\.train"):
        gsm8k()


def test_rows_are_read_as_the_hub_gives_them():
    [problem] = problems([("hub: row 1", {"question": "q", "answer": "steps\n#### 7"})])
    assert problem.answer == "7"
