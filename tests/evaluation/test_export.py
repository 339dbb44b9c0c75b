"""Samples leave an evaluation as a table, and what was written can be read again."""

from __future__ import annotations

import json

import pytest
from rewardkit_test_calls import evaluate, results
from rewardkit_test_server import completion, serve

from rewardkit.cli import main
from rewardkit.errors import MissingExtraError, UnknownNameError
from rewardkit.evaluation.pages import export
from rewardkit.runs.graded_rows import read_rows


def answer(request):
    body = completion("So $2$|<b>\ud800" if request["seed"] % 2 else "\\boxed{3}")
    body["choices"][0]["message"]["reasoning_content"] = "hm"
    return body


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("export")
    problems = folder / "sums.jsonl"
    rows = [{"id": f"p{i}", "problem": f"1 + 1? ({i})", "answer": "2"} for i in range(3)]
    problems.write_text("\n".join(map(json.dumps, rows)))
    with serve(answer) as server:
        evaluate(server, problems, folder / "r", "--samples", "4")
    return folder / "r"


def test_samples_as_parquet_are_rows_that_every_command_reads(run, capsys):
    pytest.importorskip("pyarrow")
    main(["eval", "export", str(run)])
    assert "samples.parquet" in capsys.readouterr().out
    tables = [list(read_rows(run / name)) for name in ("samples.parquet", "samples.jsonl")]
    by_key = [{row.rest["key"]: row for row in rows} for rows in tables]
    assert len(by_key[0]) == 12
    for key, row in by_key[0].items():
        other = by_key[1][key]
        assert (row.problem, row.gold, row.verdict) == (other.problem, other.gold, other.verdict)
        assert row.rest["set"] == "sums"
        assert row.rest["reasoning"] == "hm"
    assert {row.rest["tokens"] for row in tables[0]} == {row.rest["tokens"] for row in tables[1]}


def test_results_for_a_model_card(run):
    yaml = pytest.importorskip("yaml")
    export.export(run, "md")
    export.export(run, "hf")
    export.export(run, "tex")
    heads, latex = (run / "results.tex").read_text().splitlines()
    assert heads.startswith(r"% model & set & problems x samples & avg@k \% &")
    assert latex.startswith("m & sums & 3 x 4 & ")
    assert latex.endswith(r" \\")
    table = (run / "results.md").read_text()
    [line] = [line for line in table.splitlines() if line.startswith("m|sums|3 x 4|")]
    assert line.count("|") == 7
    for told in ("samples_per_problem: 4", "verifier: MathVerifier"):
        assert told in table
    [model] = yaml.safe_load((run / "model-index.yml").read_text())["model-index"]
    [found] = model["results"]
    row = results(run)["sets"]["sums"]
    assert (model["name"], found["dataset"]["name"]) == ("m", "sums")
    [metric] = found["metrics"]
    assert metric["value"] == round(100 * row["accuracy"], 2)
    assert metric["args"]["interval_new_problems"] == row["interval_new_problems"]


def test_samples_jsonl_can_be_graded_again(run, capsys):
    main(["eval", "responses", str(run / "samples.jsonl"), "--workers", "1", "--json"])
    found = json.loads(capsys.readouterr().out)
    row = results(run)["sets"]["sums"]
    assert (found["n"], found["problems"]) == (12, 3)
    assert found["accuracy_by_problem"] == pytest.approx(row["accuracy"])
    assert found["outcomes"] == row["outcomes"]


def test_samples_in_tensorboard_lay_out_nothing(run):
    pytest.importorskip("tensorboard")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    export.export(run, "tensorboard")
    events = EventAccumulator(str(run / "tensorboard"))
    events.Reload()
    [event] = events.Tensors("samples")
    table = event.tensor_proto.string_val[0].decode()
    assert len(table.splitlines()) == 2 + 12
    assert "<b>" not in table
    assert {line.count("|") for line in table.splitlines()} == {7}
    assert events.Scalars("accuracy/sums")[0].value >= 0


def test_a_table_of_weights_and_biases(run, monkeypatch):
    wandb = pytest.importorskip("wandb")
    logged = {}

    class Run:
        url, dir = None, "here"

        def __enter__(self):
            return self

        def __exit__(self, *error):
            return None

        def log(self, values):
            logged.update(values)

    monkeypatch.setattr(wandb, "init", lambda **settings: Run())
    assert export.export(run, "wandb") == "here"
    assert len(logged["samples"].data) == 12
    assert logged["samples"].columns[:3] == ["set", "problem", "index"]


def test_what_cannot_be_is_said(run, monkeypatch):
    with pytest.raises(UnknownNameError, match="parquet"):
        export.export(run, "parket")
    for targets in ("", "parquet,parket"):
        (run / export.PARQUET_FILE).unlink(missing_ok=True)
        with pytest.raises(SystemExit, match="2"):
            main(["eval", "export", str(run), "--to", targets])
        assert not (run / export.PARQUET_FILE).exists()
    monkeypatch.setattr(export, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"rewardkit\[tables\]"):
        export.export(run, "parquet")
