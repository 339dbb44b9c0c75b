"""`rewardkit eval --set task.KEY=VALUE`: what is asked, filed and graded again."""

from dataclasses import replace

import pytest
import rewardkit_test_calls as calls
from rewardkit_test_server import serve

from rewardkit.cli import main
from rewardkit.evaluation.asking.problems import problem_sets
from rewardkit.evaluation.asking.settings import EvalSettings

datasets = pytest.importorskip("datasets")


def evaluate(server, folder, *settings):
    asked = (word for setting in settings for word in ("--set", f"task.{setting}"))
    table = f"file:{folder / 'rows.csv'}"
    return calls.evaluate(server, table, folder / "run", "--samples", "1", *asked)


def test_a_held_out_set_goes_by_its_own_name(tmp_path):
    for name in ("learned", "held_out"):
        (tmp_path / f"{name}.jsonl").write_text('{"problem": "1+1?", "answer": "2"}')
    settings = EvalSettings(
        "m",
        (f"file:{tmp_path / 'learned.jsonl'}",),
        tmp_path / "run",
        task_settings=(f"task.test=file:{tmp_path / 'held_out.jsonl'}",),
    )
    for split, label, file in (
        ("test", "held_out", "held_out"),
        ("train", "learned/train", "learned"),
    ):
        [(name, (task, _))] = problem_sets(replace(settings, split=split)).items()
        assert (name, task.source) == (label, f"file:{tmp_path / file}.jsonl")


def test_a_prompt_that_asks_elsewhere_is_said_before_anything_is_drawn(tmp_path, capsys):
    (tmp_path / "rows.csv").write_text("problem,answer\n1+1?,2\n")
    with serve() as server:
        evaluate(server, tmp_path, "answer_in=tag", "prompt={question} In \\boxed{{}}.")
    said = capsys.readouterr().out
    assert said.startswith("NOTE rows: the prompt asks for the answer as \\boxed{...}")
    assert "graded by MathVerifier(answer_in=tag)" in said


COLUMNS = ("columns.question=ask", "columns.answer=gold")


def test_settings_decide_what_is_asked_and_what_may_be_used_again(tmp_path, monkeypatch):
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "hf")
    rows = "".join(f"What is {i} + {i}?,{2 * i},{i % 2}\n" for i in range(6))
    (tmp_path / "rows.csv").write_text(f"ask,gold,odd\n{rows}")
    with serve() as server:
        found = evaluate(server, tmp_path, *COLUMNS, "where=odd == 1", "system=Be brief.")
        assert found["sets"]["rows"]["problems"] == len(server.requests) == 3
        assert {len(body["messages"]) for body in server.requests} == {2}
        evaluate(server, tmp_path, *COLUMNS, "where=odd == 1", "system=Be brief.")
        assert len(server.requests) == 3, "the same prompts: nothing is drawn"
        evaluate(server, tmp_path, *COLUMNS, "where=odd == 1", "system=Be brief.", "verifier=text")
        assert len(server.requests) == 3, "another verifier: the old ones are graded anew"
        main(["eval", "regrade", str(tmp_path / "run")])
        again = calls.results(tmp_path / "run")
        assert again["sets"]["rows"]["problems"] == 3, "it knows its settings"
        for changed in ("system=Be long.", "chat_template_kwargs.enable_thinking=false"):
            before = len(server.requests)
            evaluate(server, tmp_path, *COLUMNS, "where=odd == 1", changed)
            assert len(server.requests) == before + 3, changed
    assert server.requests[-1]["chat_template_kwargs"] == {"enable_thinking": False}
