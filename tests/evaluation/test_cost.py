"""What a right response costs: tokens, money at a price, and seconds, wherever results are told."""

import json

import pytest
from rewardkit_test_calls import evaluate, results
from rewardkit_test_server import completion, serve

from rewardkit.cli import main
from rewardkit.cli.options.asking import price_of
from rewardkit.errors import ConfigError
from rewardkit.evaluation.measures.scoring import cost_of


def answer(request):
    """Two in three right; 40 tokens of a prompt, 10 of a response."""
    body = completion("\\boxed{2}" if "form 2" not in request["messages"][-1]["content"] else "no")
    body["usage"] = {"prompt_tokens": 40, "completion_tokens": 10}
    return body


@pytest.fixture
def priced(problems_file, tmp_path, capsys):
    """Three problems, one response each: 120 tokens of prompts and 30 of responses, 2 right."""
    asked = (problems_file, tmp_path / "a", "--limit", "3", "--samples", "1")
    with serve(answer, delay=0.01) as server:
        evaluate(server, *asked, "--price", "1000,10000")
    return tmp_path / "a", capsys.readouterr().out


def test_money_and_seconds_a_right_response_are_in_table_page_and_exports(priced):
    folder, printed = priced
    tokens = results(folder)["sets"]["sums"]["tokens"]
    # .12 of prompts and .3 of responses.
    assert tokens["money"] == pytest.approx(0.42)
    assert "seconds" not in tokens, "results are the same for the same samples"
    lines = {line.split("│")[1].strip(): line.split("│")[2].strip()
             for line in printed.splitlines() if line.count("│") == 3}  # fmt: skip
    assert lines["tokens a right response"] == "15"
    assert lines["price of a right response"] == "0.21"
    seconds = json.loads((folder / "run.json").read_text())["seconds"]["sums"]
    assert seconds >= 0.03
    assert lines["seconds a right response"] == f"{seconds / 2:.3g}"
    page = (folder / "report.html").read_text()
    assert f"15 tokens, 0.21 at the price given, {seconds / 2:.3g} s" in page


def test_comparison_and_matrix_tell_them_too(priced, problems_file, tmp_path, capsys):
    folder, _ = priced
    asked = (problems_file, tmp_path / "b", "--limit", "3", "--samples", "1", "--no-report")
    with serve(answer) as server:
        evaluate(server, *asked)
    capsys.readouterr()
    main(["compare", str(folder), str(tmp_path / "b")])
    said = capsys.readouterr().out
    assert "│ a right response cost │ 15 tokens, 0.21 at " in said
    assert "0.21 at the price given" in (tmp_path / "b" / "comparison.html").read_text()
    main(["compare", str(folder), str(tmp_path / "b"), str(folder), "--out", str(tmp_path / "m")])
    rows = json.loads((tmp_path / "m" / "matrix.json").read_text())["rows"]
    assert rows[0]["tokens"]["money_per_correct"] == pytest.approx(0.21)
    assert "0.21 at the price given" in (tmp_path / "m" / "matrix.html").read_text()


def test_a_price_given_later_is_told_of_what_was_drawn_and_kept(problems_file, tmp_path):
    asked = (problems_file, tmp_path / "a", "--limit", "3", "--samples", "1", "--no-report")
    with serve(answer) as server:
        assert "money" not in evaluate(server, *asked)["sets"]["sums"]["tokens"]
        found = evaluate(server, *asked, "--price", "0,100000")
        assert len(server.requests) == 3
    assert found["sets"]["sums"]["tokens"]["money"] == pytest.approx(3.0)
    main(["eval", "regrade", str(tmp_path / "a"), "--no-report"])
    assert results(tmp_path / "a")["sets"]["sums"]["tokens"]["money"] == pytest.approx(3.0)


@pytest.mark.parametrize("text", ["1", "1,2,3", "a,b", "-1,2", "1,inf", "nan,1"])
def test_a_price_is_two_numbers(text):
    with pytest.raises(ConfigError, match=r"such as --price 0\.15,0\.6"):
        price_of(text)


@pytest.mark.parametrize("held", ["x", None, 10**400, float("nan"), True, []])
def test_what_is_no_count_costs_nothing(held):
    row = {"correct": 1, "samples": 2, "tokens": {"response": 8, "money": held, "seconds": held}}
    assert cost_of([row])["per_correct"] == 8
    assert cost_of([row])["money_per_correct"] is cost_of([row])["seconds_per_correct"] is None
