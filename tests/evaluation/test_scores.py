"""Columns and scores in an evaluation: in the ledger, in results, in print and on the page."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from rewardkit_test_calls import Says

from rewardkit.cli.compare.paired import show_comparison
from rewardkit.errors import DataError
from rewardkit.evaluation.asking.settings import EvalSettings
from rewardkit.evaluation.comparing.comparison import compare_results
from rewardkit.evaluation.drawing.ledger import read_samples
from rewardkit.evaluation.drawing.sets import verifier_name
from rewardkit.evaluation.measures.scoring import set_result
from rewardkit.evaluation.pages.display import print_results
from rewardkit.evaluation.pages.report import write_report
from rewardkit.evaluation.session import evaluate_model
from rewardkit.evaluation.stored import load_results
from rewardkit.pages.console import Console
from rewardkit.types import Outcome
from rewardkit.verifiers.functions import as_verifier

TASK = """
import json
from pathlib import Path
from rewardkit.types import Problem, Task

def near(response, answer, target):
    return max(0.0, 1 - abs(int(response) - target) / target)

def plain(response, answer):
    return response == "10"

def make(file, verifier="near"):
    rows = json.loads(Path(file).read_text())
    problems = [Problem(f"p{n}", f"{n}?", "", info=row) for n, row in enumerate(rows)]
    chat = lambda problem: [{"role": "user", "content": problem.question}]
    return Task("near", (), problems, chat, globals()[verifier])
"""


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Return a function that evaluates on problems with these columns."""
    (tmp_path / "near_task.py").write_text(TASK)
    monkeypatch.syspath_prepend(tmp_path)

    def evaluated(*columns, verifier="near"):
        (tmp_path / "rows.json").write_text(json.dumps(columns))
        arguments = {"file": str(tmp_path / "rows.json"), "verifier": verifier}
        settings = EvalSettings(
            "m", ("near_task:make",), tmp_path / "r", samples=4, task_arguments=arguments, workers=1
        )
        # 10, 8, 10, 8, ...
        return evaluate_model(settings, engine=Says(lambda index: str(10 - 2 * (index % 2))))

    return evaluated


def test_accuracy_counts_outcomes_and_the_mean_score_stands_beside_it(run, tmp_path):
    results, _ = run({"target": 10, "cases": [1]}, {"target": 8, "cases": "x" * 3000})
    row = results["sets"]["near"]
    assert row["accuracy"] == 0.5
    assert row["pass_at_k"]["1"]["value"] == 0.5
    # of 10: 1, .8, 1, .8; of 8: .75, 1, .75, 1
    assert row["score"]["mean"] == pytest.approx((0.9 + 0.875) / 2)
    low, high = row["score"]["interval_these_problems"]
    assert low < row["score"]["mean"] < high
    first, second = row["per_problem"]
    assert first["info"] == {"target": 10, "cases": [1]}
    assert second["info"]["cases"].endswith("(3,002 characters; the problem has them all)")
    assert [cell["score"] for cell in first["samples"]] == pytest.approx([1, 0.8, 1, 0.8])
    held = read_samples(tmp_path / "r").values()
    assert sorted(sample.score for sample in held) == pytest.approx(
        [0.75] * 2 + [0.8] * 2 + [1] * 4
    )
    assert load_results(tmp_path / "r")["sets"]["near"]["score"] == row["score"]


def test_it_is_printed_and_shown_where_it_differs(run, tmp_path):
    results, activity = run({"target": 10})
    out = StringIO()
    print_results(results, activity, Console(file=out, width=120))
    assert "avg@k of the scores" in out.getvalue()
    page = write_report(tmp_path / "r").read_text()
    assert "Mean score <strong>90.0 %</strong>" in page
    assert '"columns": {"target": 10}' in page or '"columns":{"target":10}' in page
    results, activity = run({"target": 10}, verifier="plain")
    out = StringIO()
    print_results(results, activity, Console(file=out, width=120))
    assert "score" not in out.getvalue()
    assert "score" not in results["sets"]["near"]
    assert "Mean score" not in write_report(tmp_path / "r").read_text()


def test_mean_scores_of_two_models_are_compared(run, tmp_path, capsys):
    run({"target": 10}, {"target": 10})
    worse = load_results(tmp_path / "r")
    better = json.loads(json.dumps(worse))
    for problem in better["sets"]["near"]["per_problem"]:
        for sample in problem["samples"]:
            sample["score"] = 1.0
    found = compare_results(worse, better)
    scores = found["sets"]["near"]["scores"]
    assert scores["gain"] == pytest.approx(1 - 0.9)
    assert scores["these_problems"]["low"] < scores["gain"] < scores["these_problems"]["high"]
    show_comparison(found, tmp_path, (tmp_path, tmp_path), json=False)
    said = "Mean score: A 90.0 %, B 100.0 %; +10.0 points"
    assert said in " ".join(capsys.readouterr().out.split())
    assert said in " ".join((tmp_path / "comparison.html").read_text().split())
    run({"target": 10}, {"target": 10}, verifier="plain")
    plain = load_results(tmp_path / "r")
    assert "scores" not in compare_results(plain, plain)["sets"]["near"]


def test_other_columns_are_graded_anew_and_columns_that_nobody_asked_for_are_not(run, tmp_path):
    run({"target": 10, "level": 1})
    regrades = tmp_path / "r" / "regrades.jsonl"
    assert run({"target": 10, "level": 2})[1].drawn == 0
    assert regrades.read_text() == ""
    results, activity = run({"target": 8, "level": 2})
    assert (activity.drawn, activity.regraded) == (0, 4)
    assert results["sets"]["near"]["score"]["mean"] == pytest.approx(0.875)
    assert run({"target": 8})[1].regraded == 0


def test_a_ledger_without_scores_is_read_by_its_outcomes(run, tmp_path):
    run({"target": 10}, verifier="plain")
    ledger = tmp_path / "r" / "samples.jsonl"
    rows = [json.loads(line) for line in ledger.read_text().splitlines()]
    for row in rows:
        del row["score"], row["columns"]
    ledger.write_text("".join(json.dumps(row) + "\n" for row in rows))
    held = read_samples(tmp_path / "r").values()
    assert [(s.score, s.columns) for s in held] == [
        (float(s.outcome == "correct"), "") for s in held
    ]
    results, activity = run({"target": 10}, verifier="plain")
    assert (activity.drawn, activity.regraded) == (0, 0)
    assert results["sets"]["near"]["accuracy"] == 0.5


def test_a_missing_column_is_said_before_any_model_is_loaded(run):
    with pytest.raises(DataError, match="task near, row 2 of test: problem 'p1' has no column"):
        run({"target": 10}, {"targets": 10})


def test_a_threshold_is_part_of_what_a_verifier_is_known_by():
    def half(response, answer):
        return 0.5

    plain, lower = as_verifier(half), as_verifier(half, correct_from=0.5)
    assert verifier_name(plain) == verifier_name(half)
    assert verifier_name(lower) == f"{verifier_name(half)} correct from 0.5"


def test_undecided_scores_are_in_no_mean():
    right, wrong, late = Outcome.CORRECT, Outcome.INCORRECT, Outcome.TIMEOUT
    found = set_result([[right, wrong, late], [late]], [[1.0, 0.5, 0.0], [0.0]])
    assert found["score"]["mean"] == 0.75
    assert found["accuracy"] == 0.5
    assert "score" not in set_result([[right, wrong, late]], [[1.0, 0.0, 0.0]])
    assert "score" not in set_result([[late]], [[0.0]])
