"""When stored responses get new verdicts, and what a failure in the middle leaves behind."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from rewardkit_test_calls import Says

from rewardkit.cli import main
from rewardkit.config import TaskConfig
from rewardkit.errors import ModelError
from rewardkit.evaluation.asking.asking import Asking
from rewardkit.evaluation.asking.settings import EvalSettings
from rewardkit.evaluation.drawing.ledger import read_samples
from rewardkit.evaluation.drawing.sets import verifier_name
from rewardkit.evaluation.session import evaluate_model, regrade_run
from rewardkit.evaluation.stored import load_results
from rewardkit.types import Outcome
from rewardkit.verifiers import First, TextVerifier, load_verifier


@pytest.fixture
def run(problems_file, tmp_path):
    def run(engine, verifier):
        settings = EvalSettings(
            "m",
            (f"file:{problems_file}",),
            tmp_path / "r",
            samples=1,
            task_arguments={"verifier": verifier},
            workers=2,
        )
        results, activity = evaluate_model(settings, engine=engine)
        return results["sets"]["sums"]["outcomes"]["correct"], activity

    return run


@pytest.fixture
def opinions(tmp_path, monkeypatch):
    (tmp_path / "opinions.py").write_text(
        "import time\n"
        "def yes(response, answer): return True\n"
        "def no(response, answer): return False\n"
        "def slow(response, answer):\n"
        "    time.sleep(0.5 if response.endswith(' 0') else 0)\n"
        "    return True\n"
    )
    monkeypatch.syspath_prepend(tmp_path)


def regrades(folder):
    return (folder / "regrades.jsonl").read_text().splitlines()


def test_another_verifier_grades_anew_without_drawing(run, opinions, tmp_path):
    engine = Says("x {}".format)
    assert run(engine, "opinions:yes")[0] == 6
    assert run(engine, "opinions:no")[0] == 0
    assert (engine.drawn, len(regrades(tmp_path / "r"))) == (6, 6)
    assert run(engine, "opinions:no")[1].regraded == 0
    assert len(regrades(tmp_path / "r")) == 6
    names = json.loads((tmp_path / "r" / "run.json").read_text())["verifiers"]
    assert names == {"sums": "opinions:no"}


def test_the_command_regrades_with_another_verifier_and_says_which(run, opinions, tmp_path, capsys):
    run(Says("x {}".format), "opinions:yes")
    regrade = ["eval", "regrade", str(tmp_path / "r"), "--workers", "1", "--no-report"]
    main([*regrade, "--verifier", "opinions:no", "--trust"])
    said = capsys.readouterr().out
    assert "graded by opinions:no\n" in said
    assert "regraded 6 responses; 6 verdicts changed" in said
    assert load_results(tmp_path / "r")["sets"]["sums"]["verifier"] == "opinions:no"
    main([*regrade, "--trust"])
    said = capsys.readouterr().out
    assert "graded by opinions:yes\n" in said
    assert "6 verdicts changed" in said


def one_problem(problems_file, tmp_path, samples, lines, **asked):
    return EvalSettings(
        "m",
        (f"file:{problems_file}",),
        tmp_path / "r",
        samples=samples,
        limit=1,
        workers=1,
        task_settings=lines,
        asking=Asking(**asked),
    )


@pytest.mark.parametrize("asked", [{"answer_in": ("box",)}, {"protocol": "matharena"}])
def test_responses_are_read_anew_as_flags_of_eval_say(problems_file, tmp_path, capsys, asked):
    lines = () if "answer_in" in asked else ("task.answer_in=box",)
    settings = one_problem(problems_file, tmp_path, 3, lines, **asked)
    texts = ["\\boxed{2}", "The answer is 2.", "It is 3.\n<answer>2</answer>"]
    drawn, _ = evaluate_model(settings, engine=Says(texts.__getitem__))
    regrade = ["eval", "regrade", str(tmp_path / "r"), "--workers", "1", "--json"]
    for flags, right in (
        (["--lenient"], 3),
        (["--answer-in", "tag"], 1),
        (["--lenient", "--verifier", "integer"], 3),
        ([], 1),
    ):
        capsys.readouterr()
        main([*regrade, *flags])
        found = json.loads(capsys.readouterr().out)["evaluations"]["model"]
        assert found["sets"]["sums"]["correct"] == right
        assert bool(found["asking"].get("lenient")) == ("--lenient" in flags)
        assert ("answer_in" in found["asking"]) == ("--lenient" not in flags)
    assert found["asking"] == json.loads(json.dumps(drawn["asking"]))
    with pytest.raises(SystemExit):
        main([*regrade, "--lenient", "--answer-in", "tag"])
    assert "give one" in capsys.readouterr().err


@pytest.mark.parametrize("drawn_by", [(), ("task.verifier=integer",)])
@pytest.mark.parametrize("verifier", ["integer", "text"])
def test_what_was_asked_by_a_protocol_is_graded_by_any_verifier(
    problems_file, tmp_path, drawn_by, verifier
):
    settings = one_problem(problems_file, tmp_path, 1, drawn_by, protocol="matharena")
    evaluate_model(settings, engine=Says("\\boxed{{2}} and {}".format))
    found, activity = regrade_run(tmp_path / "r", 1, TaskConfig(verifier=verifier))
    assert (activity.drawn, activity.reused) == (0, 1)
    assert found["asking"] == {"protocol": "matharena", "verifier": verifier}
    asked = replace(settings, run_dir=tmp_path / "s", asking=Asking("matharena", verifier=verifier))
    if not drawn_by:
        evaluate_model(asked, engine=Says("\\boxed{{2}} and {}".format))
        prompts = [tmp_path / name / "prompts.json" for name in "rs"]
        first, second = (json.loads(path.read_text())["prompts"] for path in prompts)
        assert first == second


def test_a_ledger_that_names_no_verifier_is_graded_anew_once(run, opinions, tmp_path):
    engine, ledger = Says("x {}".format), tmp_path / "r" / "samples.jsonl"
    run(engine, "opinions:yes")
    rows = [json.loads(line) for line in ledger.read_text().splitlines()]
    for row in rows:
        del row["verifier"]
    ledger.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert run(engine, "opinions:yes")[1].regraded == 0  # no verdict has changed
    assert (engine.drawn, len(regrades(tmp_path / "r"))) == (6, 6)
    run(engine, "opinions:yes")
    assert len(regrades(tmp_path / "r")) == 6


def test_a_verifier_is_known_by_name_and_settings(opinions):
    assert verifier_name(load_verifier("opinions:yes")) == "opinions:yes"
    assert verifier_name(TextVerifier(("a",))) == "TextVerifier(aliases=('a',), answer_in=())"
    assert " at 0x" not in verifier_name(First((load_verifier("opinions:yes"),)))


def test_a_damaged_line_may_be_deleted_though_its_sample_was_regraded(run, opinions, tmp_path):
    run(Says("x {}".format), "opinions:yes")
    run(Says("x {}".format), "opinions:no")
    ledger = tmp_path / "r" / "samples.jsonl"
    ledger.write_text("".join(ledger.read_text().splitlines(keepends=True)[:4]))
    assert len(read_samples(tmp_path / "r")) == 4
    run(Says("y {}".format), "opinions:yes")
    held = read_samples(tmp_path / "r").values()
    assert [sample.outcome for sample in held] == [Outcome.CORRECT] * 6


def test_what_came_before_the_engine_failed_is_kept_in_order_of_its_verdicts(
    run, opinions, tmp_path
):
    with pytest.raises(ModelError, match="has gone"):
        run(Says("x {}".format, fails_after=4), "opinions:slow")
    kept = [sample.response for sample in read_samples(tmp_path / "r").values()]
    assert len(kept) == 4
    assert kept[-1] == "x 0"
    engine = Says("x {}".format)
    assert run(engine, "opinions:slow")[0] == 6
    assert engine.drawn == 2
