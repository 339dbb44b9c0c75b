"""The eval command from end to end, against a server that stands in for a model."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from rewardkit_test_calls import command, results
from rewardkit_test_server import completion, serve

from rewardkit.cli import main
from rewardkit.client import server as server_module
from rewardkit.errors import ConfigError, DataError
from rewardkit.evaluation.drawing.ledger import Ledger, read_samples
from rewardkit.evaluation.measures.results import OTHER_ENDS
from rewardkit.evaluation.pages.display import ENDS, MEASURES
from rewardkit.evaluation.samples import sample_seed
from rewardkit.types import Outcome, Verdict

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(server_module, "FIRST_PAUSE_S", 0.002)
    monkeypatch.setattr(server_module, "LONGEST_PAUSE_S", 0.01)


def arguments(server, problems_file, run_dir, samples=4, *more):
    return command(server, problems_file, run_dir, "--samples", str(samples), *more)


def set_row(run_dir):
    return results(run_dir)["sets"]["sums"]


def test_what_is_written_and_printed(problems_file, tmp_path, capsys):
    with serve() as server:
        main(arguments(server, problems_file, tmp_path / "r", 8, "--problems"))
    row = set_row(tmp_path / "r")
    printed = capsys.readouterr().out
    assert row["complete"]
    assert row["samples"] == 48 == sum(row["outcomes"].values())
    assert row["accuracy"] == pytest.approx(row["outcomes"]["correct"] / 48)
    low, high = row["interval_these_problems"]
    assert low < row["accuracy"] < high
    assert list(row["pass_at_k"]) == ["1", "2", "4"]
    assert row["pass_at_k"]["1"]["value"] == pytest.approx(row["accuracy"])
    assert list(row["maj_at_k"]) == ["2", "4", "8"]
    for text in ("these problems", "problems like these", "pass@4", "maj@8", "truncated", "p5"):
        assert text in printed
    seeds = {s.seed for s in read_samples(tmp_path / "r").values()}
    assert len(seeds) == 48
    assert len((tmp_path / "r" / "samples.jsonl").read_text().splitlines()) == 48


def test_accuracy_by_rules_stands_beside_that_with_a_judge(problems_file, tmp_path, capsys):
    """Of six problems three are answered in words, which rules reject and the judge accepts."""

    def both(request):
        text = request["messages"][-1]["content"]
        if "reference" in text:
            return completion("SAME")
        return completion(
            r"\boxed{2}"
            if int(text.partition("(form ")[2][0]) % 2
            else r"\boxed{as many as you have hands}"
        )

    with serve(both) as server:
        judge = {"base_url": server.url, "model": "m", "cache": tmp_path / "kept", "decoys": 0}
        sets = ["task.verifier=math+judge"]
        sets += [f"task.verifier_options.{name}={value}" for name, value in judge.items()]
        more = [part for one in sets for part in ("--set", one)]
        main(arguments(server, problems_file, tmp_path / "r", 2, *more))
    row = set_row(tmp_path / "r")
    assert row["accuracy"] == 1.0
    assert row["by_rules"]["accuracy"] == 0.5
    assert (row["by_rules"]["asked"], row["by_rules"]["agreement"]) == (6, 0.0)
    parted = [s.get("judged") for problem in row["per_problem"] for s in problem["samples"]]
    assert parted == ["no_answer>correct", "no_answer>correct", None, None] * 3
    printed = capsys.readouterr().out
    assert "avg@k by rules alone %" in printed
    assert re.search(r"judge was asked about . +6 ", printed)
    page = (tmp_path / "r" / "report.html").read_text()
    assert "6 responses on which rules and the judge disagree: look at these first" in page
    assert "no_answer by rules, judged correct" in page


def test_what_a_filter_or_a_tool_ended_is_counted_and_said(problems_file, tmp_path, capsys):
    ends = iter(["content_filter", "tool_calls", "tool_calls", "stop", "stop", "stop"])
    with serve(
        lambda request: completion(r"\boxed{2}" * ((e := next(ends)) == "stop"), e)
    ) as server:
        main(arguments(server, problems_file, tmp_path / "r", 1, "--concurrency", "1"))
    row = set_row(tmp_path / "r")
    assert row["complete"]
    assert row["other_ends"] == {"content_filter": 1, "tool_calls": 2}
    assert row["outcomes"]["no_answer"] == 3
    assert {end.value for end in OTHER_ENDS} == set(ENDS)
    printed = capsys.readouterr().out
    assert "1 by a filter of the server (content_filter) and 2 by the call of a tool" in printed
    page = (tmp_path / "r" / "report.html").read_text()
    assert "<th>ended by tool_calls</th><td" in page


def test_answers_that_stand_in_the_reasoning_alone_are_said_at_once_with_the_flag(
    problems_file, tmp_path, capsys, caplog
):
    def thinks(request):
        body = completion("")
        body["choices"][0]["message"] = {"content": None, "reasoning_content": r"\boxed{2}"}
        return body

    with serve(thinks) as server:
        main(arguments(server, problems_file, tmp_path / "r", 1))
        [said] = [line for line in caplog.messages if "reasoning_content" in line]
        assert "the first 4 responses" in said
        assert "--grade-reasoning" in said
        assert "6 hold text in their reasoning alone; --grade-reasoning" in capsys.readouterr().out
        main(arguments(server, problems_file, tmp_path / "r", 1, "--grade-reasoning"))
        assert len(server.requests) == 6
    assert set_row(tmp_path / "r")["accuracy"] == 1.0
    assert len(caplog.messages) == 1


def test_an_empty_answer_is_one_after_two_tries_and_said(problems_file, tmp_path, capsys):
    body = {"choices": [{"message": None, "finish_reason": "stop"}]}
    with serve(lambda request: body | {"stream": False}) as server:
        server.handler.stream = lambda self, whole, usage, cut: self.reply(200, json.dumps(whole))
        main(arguments(server, problems_file, tmp_path / "r", 1))
        assert len(server.requests) == 12
    row = set_row(tmp_path / "r")
    assert (row["complete"], row["accuracy"], row["silent"]) == (True, 0.0, {"empty": 6})
    assert "of 6 responses 6 are empty" in capsys.readouterr().out


@pytest.mark.parametrize("where", ["dangling", "/proc/none/r", "dangling/r"])
def test_a_folder_that_cannot_be_is_one_line(problems_file, tmp_path, capsys, monkeypatch, where):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "dangling").symlink_to(tmp_path / "gone")
    with serve() as server, pytest.raises(SystemExit) as ended:
        main(arguments(server, problems_file, where, 1))
    said = capsys.readouterr().err
    assert (ended.value.code, said.count("\n"), server.requests) == (2, 1, [])
    assert where.split("/r")[0] in said


def test_a_folder_that_is_read_only_is_one_line(problems_file, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: path != tmp_path / "r")
    with serve() as server, pytest.raises(SystemExit):
        main(arguments(server, problems_file, tmp_path / "r", 1))
    assert "read-only" in capsys.readouterr().err
    assert server.requests == []


def test_more_samples_top_up_and_fewer_use_the_first(problems_file, tmp_path):
    with serve() as server:
        main(arguments(server, problems_file, tmp_path / "grown", 2))
        main(arguments(server, problems_file, tmp_path / "grown", 4))
        assert len(server.requests) == 24
        main(arguments(server, problems_file, tmp_path / "whole", 4))
        assert (tmp_path / "grown" / "results.json").read_bytes() == (
            tmp_path / "whole" / "results.json"
        ).read_bytes()
        main(arguments(server, problems_file, tmp_path / "grown", 2))
        assert len(server.requests) == 48
    assert set_row(tmp_path / "grown")["samples"] == 12


def test_another_server_model_or_sampling_reuses_nothing(problems_file, tmp_path):
    with serve() as first, serve() as second:
        for server in (first, second, first):
            main(arguments(server, problems_file, tmp_path / "r", 1))
        assert (len(first.requests), len(second.requests)) == (6, 6)
        for changed in (["--seed", "1"], ["--temperature", "0.5"], ["--model", "n"]):
            main([*arguments(second, problems_file, tmp_path / "r", 1), *changed])
        assert len(second.requests) == 24


def test_what_never_came_is_missing_and_partial_not_wrong(problems_file, tmp_path, capsys):
    def moody(request):
        if "form 3" in request["messages"][-1]["content"]:
            return {"error": "out of sorts"}
        return completion("\\boxed{2}")

    with serve(moody) as server:
        with pytest.raises(SystemExit) as ended:
            main(arguments(server, problems_file, tmp_path / "r", 2, "--retries", "1"))
        assert ended.value.code == 3
        asked = len(server.requests)
        found = results(tmp_path / "r")
        server.answer = lambda request: completion("\\boxed{2}")
        main(arguments(server, problems_file, tmp_path / "r", 2))
        assert len(server.requests) == asked + 2
    row = found["sets"]["sums"]
    assert found["generation_errors"] == 2
    assert (row["complete"], row["accuracy"], row["missing"]) == (False, None, 2)
    assert row["partial"]["accuracy"] == 1.0
    assert row["outcomes"]["incorrect"] == 0
    printed = capsys.readouterr().out
    assert "PARTIAL" in printed
    assert "10 of 12" in printed
    assert "malformed" in printed
    assert set_row(tmp_path / "r")["accuracy"] == 1.0


def test_truncation_is_warned_of_with_bounds(problems_file, tmp_path, capsys):
    def cut(request):
        late = "form 0" in request["messages"][-1]["content"]
        return completion("thinking" if late else "\\boxed{2}", "length" if late else "stop")

    with serve(cut) as server:
        main(arguments(server, problems_file, tmp_path / "r", 2))
    cut_row = set_row(tmp_path / "r")["truncation"]
    assert cut_row["rate"] == pytest.approx(1 / 6)
    assert cut_row["accuracy_if_all_wrong"] == pytest.approx(5 / 6)
    assert cut_row["accuracy_if_all_right"] == 1
    assert cut_row["warning"]
    assert "cut off" in capsys.readouterr().out


def test_a_changed_gold_is_graded_anew_without_drawing(problems_file, tmp_path):
    with serve(lambda request: completion("\\boxed{2}")) as server:
        main(arguments(server, problems_file, tmp_path / "r", 2))
        rows = [json.loads(line) for line in problems_file.read_text().splitlines()]
        rows[0]["answer"] = "5"
        problems_file.write_text("\n".join(map(json.dumps, rows)))
        main(arguments(server, problems_file, tmp_path / "r", 2))
        assert len(server.requests) == 12
    row = set_row(tmp_path / "r")
    assert row["accuracy"] == pytest.approx(5 / 6)
    assert row["per_problem"][0]["gold"] == "5"


class Grumpy:
    """A verifier whose opinion a test can change."""

    outcome = Outcome.ERROR

    def __call__(self, response: str, answer: str) -> Verdict:
        return self.quick(response, answer)

    def quick(self, response: str, answer: str) -> Verdict:
        return Verdict(self.outcome, gold=answer, reason="KeyError: 3 (mine.py:7, in grade)")


def test_ungraded_responses_are_left_out_and_regraded_on_request(
    problems_file, tmp_path, monkeypatch, capsys
):
    import rewardkit.verifiers

    with serve() as server:
        monkeypatch.setattr(rewardkit.verifiers, "load_verifier", lambda name: Grumpy())
        main(arguments(server, problems_file, tmp_path / "r", 2))
        row = set_row(tmp_path / "r")
        assert row["accuracy"] is None
        assert row["ungraded"]["timeout_or_error"] == 12
        assert row["ungraded"]["reasons"] == {"KeyError: 3 (mine.py:7, in grade)": 12}
        said = capsys.readouterr().out
        assert (
            "12 responses could not be graded (verifier timeout or error; 12 x KeyError: 3 ("
            in said
        )
        monkeypatch.setattr(Grumpy, "outcome", Outcome.CORRECT)
        main(["eval", "regrade", str(tmp_path / "r"), "--workers", "1"])
        assert len(server.requests) == 12
    assert set_row(tmp_path / "r")["accuracy"] == 1.0
    assert len((tmp_path / "r" / "samples.jsonl").read_text().splitlines()) == 12
    assert "12 verdicts changed" in capsys.readouterr().out


def test_any_cut_of_the_ledger_resumes_to_the_same_results(problems_file, tmp_path):
    ledger, results_file = tmp_path / "r" / "samples.jsonl", tmp_path / "r" / "results.json"
    rng = random.Random(3)
    with serve() as server:
        main(arguments(server, problems_file, tmp_path / "r", 2))
        whole, full = results_file.read_bytes(), ledger.read_bytes()
        for end in (-40, *(rng.randrange(len(full)) for _ in range(4))):
            ledger.write_bytes(full[:end])
            before = len(server.requests)
            main(arguments(server, problems_file, tmp_path / "r", 2))
            assert results_file.read_bytes() == whole
            if end == -40:  # a torn last line is cut, and its sample drawn again
                run = json.loads((tmp_path / "r" / "run.json").read_text())
                assert run["last_call"]["torn_lines_cut"] == len(server.requests) - before == 1


def test_a_line_in_the_middle_that_is_no_sample_is_named(problems_file, tmp_path, capsys):
    with serve() as server:
        main(arguments(server, problems_file, tmp_path / "r", 1))
        ledger = tmp_path / "r" / "samples.jsonl"
        lines = ledger.read_text().splitlines()
        ledger.write_text("\n".join([lines[0], '{"key": 1}', *lines[1:]]) + "\n")
        with pytest.raises(SystemExit):
            main(arguments(server, problems_file, tmp_path / "r", 1))
    assert "samples.jsonl:2" in capsys.readouterr().err


def test_two_writers_are_refused_and_no_ledger_is_said(tmp_path):
    with pytest.raises(DataError, match=r"holds no samples\.jsonl"):
        read_samples(tmp_path)
    with Ledger(tmp_path), pytest.raises(ConfigError, match="another evaluation"), Ledger(tmp_path):
        pass


@pytest.mark.slow
def test_killed_twenty_times_it_ends_with_the_same_results(problems_file, tmp_path):
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(str(ROOT / p) for p in ("", "backends", "tasks")),
    }
    rng = random.Random(11)
    with serve(delay=0.02) as server:

        def typed(folder):
            return [
                *(sys.executable, "-m", "rewardkit"),
                *arguments(server, problems_file, tmp_path / folder, 64, "--no-report"),
                *("--concurrency", "2"),
            ]

        subprocess.run(typed("whole"), env=environment, check=True, capture_output=True)
        killed = 0
        for _ in range(20):
            process = subprocess.Popen(
                typed("killed"),
                env=environment,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            try:
                process.wait(rng.uniform(0.4, 0.9))
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
                killed += 1
        assert killed >= 15
        subprocess.run(typed("killed"), env=environment, check=True, capture_output=True)
    whole, resumed = (tmp_path / name / "results.json" for name in ("whole", "killed"))
    assert whole.read_bytes() == resumed.read_bytes()


def test_a_server_that_never_answers_is_an_error(problems_file, tmp_path, capsys):
    with serve(failures={"500": 1.0}) as server, pytest.raises(SystemExit) as ended:
        main(arguments(server, problems_file, tmp_path / "r", 1, "--retries", "0"))
    assert ended.value.code == 2
    assert "not one response came" in capsys.readouterr().err
    assert set_row(tmp_path / "r")["accuracy"] is None


def test_tokens_that_a_server_does_not_count_are_a_dash():
    tokens = dict(MEASURES)["tokens mean / longest"]
    assert tokens({"tokens": {"mean": 0.0, "longest": 0}}) == "-"
    assert tokens({"tokens": {"mean": 4.6, "longest": 9}}) == "5 / 9"


def test_codes_of_a_model_markup_of_a_folder_and_greedy_copies_are_printed_as_what_they_are(
    problems_file, tmp_path, capsys
):
    with serve(lambda request: completion("\\boxed{\x1b[2J\x1b]0;title\x07 7}")) as server:
        words = ("--temperature", "0")
        main(arguments(server, problems_file, tmp_path / "r[" / "H]", 2, *words))
    printed = capsys.readouterr().out
    assert "\x1b" not in printed
    assert "r[/H]" in printed
    assert "copies" in printed


def test_known_defects_stand_beside_the_numbers(tmp_path, capsys):
    path = tmp_path / "local.jsonl"
    path.write_text(json.dumps({"problem": "What is 1 + 1?", "answer": "2"}))
    with serve() as server:
        main([*arguments(server, path, tmp_path / "r", 1), "--task", f"aime26={path}"])
    printed = capsys.readouterr().out
    assert "NOTE aime26: known of math-ai/aime26: I-13: the summation index is m" in printed


def test_a_text_that_occurs_twice_gets_samples_of_its_own(tmp_path):
    path = tmp_path / "twice.jsonl"
    rows = [{"id": i, "problem": "same", "answer": "2"} for i in (1, 2)]
    path.write_text("\n".join(map(json.dumps, rows)))
    with serve() as server:
        main(arguments(server, path, tmp_path / "r", 3))
    assert len({s.seed for s in read_samples(tmp_path / "r").values()}) == 6
    assert sample_seed(0, "same", 0) != sample_seed(1, "same", 0)
