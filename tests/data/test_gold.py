"""Golds that are more than an answer are reduced to it when a data set is opened."""

from __future__ import annotations

import json
import pickle

import pytest

from rewardkit.data.gold import FORMS, answer_in_gold, form_of
from rewardkit.data.problems import DataProblems
from rewardkit.errors import ConfigError, DataError, UnknownNameError
from rewardkit.tasks import load_task
from rewardkit.tasks.settings import TaskConfig, task_of

SOLUTION = r"We have $2x = 8$, so $x = 4$. Thus $x^2 = \boxed{16}$."
NESTED = r"The sum is $\boxed{\frac{\sqrt{3}}{2}}$, as we wanted."
GSM8K = "He has 3 + 4 = <<3+4=7>>7 apples.\n#### 7"


@pytest.mark.parametrize(
    ("golds", "form"),
    [
        ([SOLUTION, NESTED], "boxed"),
        ([r"\boxed{3}"], "boxed"),
        ([GSM8K, "#### 1,234"], "hash"),
        (["16", r"\frac12"], "as_is"),
        ([SOLUTION, "16"], "as_is"),
        ([SOLUTION, GSM8K], "as_is"),
        (["Step 1\nStep 2\n16"], "as_is"),  # a last line has to be said
        ([r"\boxed{}"], "as_is"),
        ([], "as_is"),
    ],
)
def test_a_form_is_found_out_where_all_golds_have_it(golds, form):
    assert form_of(golds) == form


@pytest.mark.parametrize(
    ("form", "gold", "answer"),
    [
        ("boxed", SOLUTION, "16"),
        ("boxed", NESTED, r"\frac{\sqrt{3}}{2}"),
        ("boxed", r"$\boxed{3}$ for a, $\boxed{4}$ for b", "4"),
        ("hash", GSM8K, "7"),
        ("last_line", "Add them.\n\n 16 \n", "16"),
        ("as_is", SOLUTION, SOLUTION),
        ("boxed", "16", "16"),  # found out from others: it stays
    ],
)
def test_what_is_taken_of_a_gold(form, gold, answer):
    assert answer_in_gold(gold, form) == answer


def file_of(tmp_path, *golds):
    path = tmp_path / "math.jsonl"
    rows = ({"problem": f"{n}?", "solution": gold} for n, gold in enumerate(golds))
    path.write_text("\n".join(map(json.dumps, rows)))
    return f"file:{path}"


def test_records_show_the_answer_and_the_form_is_said(tmp_path):
    name = file_of(tmp_path, SOLUTION, NESTED, SOLUTION)
    task = load_task(name, columns={"answer": "solution"})
    assert [problem.answer for problem in task.train] == ["16", r"\frac{\sqrt{3}}{2}", "16"]
    [remark] = task.remarks
    assert r"the last \boxed{} of it holds" in remark
    assert "--set task.gold=boxed" in remark
    again = pickle.loads(pickle.dumps(task.train))
    assert again[1].answer == task.train[1].answer


def test_golds_in_prose_are_remarked_on(tmp_path):
    name = file_of(tmp_path, "So Bob has 11 apples.", "They pay 3 dollars in all.", "12")
    [remark] = load_task(name, columns={"answer": "solution"}).remarks
    assert "golds are sentences, such as 'So Bob has 11 apples.'" in remark
    assert "--set task.columns.answer=COLUMN" in remark
    assert task_of(TaskConfig(name, columns={"answer": "solution"}, gold="as_is")).remarks == []


def test_what_is_said_holds_and_is_no_remark(tmp_path):
    name, columns = file_of(tmp_path, SOLUTION, NESTED), {"answer": "solution"}
    whole = task_of(TaskConfig(name, columns=columns, gold="as_is"))
    assert whole.train[0].answer == SOLUTION
    assert whole.remarks == []
    said = load_task(name, columns=columns, gold="boxed")
    assert (said.train[0].answer, said.remarks) == ("16", [])
    with pytest.raises(
        DataError, match=r"math\.jsonl:1: the answer is to be .* behind its last ####"
    ):
        load_task(name, columns=columns, gold="hash")
    with pytest.raises(UnknownNameError, match="boxed"):
        load_task(name, columns=columns, gold="box")
    with pytest.raises(ConfigError, match=r"task\.gold is for data sets"):
        task_of(TaskConfig("arithmetic", gold="boxed"))


def test_a_gold_behind_the_first_ones_that_is_otherwise_stays(tmp_path):
    name = file_of(tmp_path, *[SOLUTION] * 100, "17")
    problems = DataProblems(name.removeprefix("file:"), None)
    with pytest.raises(DataError, match="answer"):
        len(problems)  # the column is called solution
    task = load_task(name, columns={"answer": "solution"})
    assert [task.train[99].answer, task.train[100].answer] == ["16", "17"]


def test_every_form_says_what_it_takes():
    assert all(words for _, words in FORMS.values())
