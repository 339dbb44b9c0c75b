"""rate, rate merge and curate from end to end: a server for a model, then a real one and a run."""

import json
import random
import re
import shlex
from importlib.util import find_spec
from pathlib import Path

import pytest
from rewardkit_test_server import completion, serve

from rewardkit.cli import main
from rewardkit.evaluation.drawing.ledger import read_samples

pytestmark = pytest.mark.skipif(find_spec("datasketch") is None, reason="datasketch is missing")
EXAMPLES = Path(__file__).parents[2] / "examples"


def answer(request):
    """Problem number n is solved with a chance of n/8; some are cut off."""
    question = request["messages"][-1]["content"]
    number = int(question.split("number ")[1].split(" ")[0])
    draw = random.Random(f"{request['seed']} {question} {request['model']}")
    right = draw.random() < number / 8
    return completion(
        f"\\boxed{{{2 if right else 3}}}", "length" if draw.random() < 0.1 else "stop"
    )


@pytest.fixture
def problems(tmp_path):
    path = tmp_path / "train.jsonl"
    rows = [
        {
            "id": f"p{i}",
            "question": f"What is number {i} of the test, twice?",
            "answer": "2",
            "level": i,
        }
        for i in range(9)
    ]
    rows.append({**rows[4], "id": "again"})
    rows.append(
        {**rows[5], "id": "bad", "answer": "\\frac{1}{", "question": "What is number 5 bad?"}
    )
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def rate(server, problems, tmp_path, *more, models=("m",), samples=8):
    main([
        "curate", "rate", *models, "--task", f"file:{problems}", "--split", "test", "--engine", "openai",
        "--base-url", server.url, "--samples", str(samples), "--workers", "1",
        "--run-dir", str(tmp_path / "rated"), "--out", str(tmp_path / "table.jsonl"), *more,
    ])  # fmt: skip
    lines = (tmp_path / "table.jsonl").read_text().splitlines()
    return {row["id"]: row for row in map(json.loads, lines)}


def test_a_table_tops_up_and_matches_its_ledger(problems, tmp_path, capsys):
    with serve(answer) as server:
        first = rate(server, problems, tmp_path, samples=3)
        assert len(server.requests) == 33
        rate(server, problems, tmp_path, samples=3)
        assert len(server.requests) == 33
        table = rate(server, problems, tmp_path)
        assert len(server.requests) == 88
    assert all(first[name]["right"] <= table[name]["right"] for name in table)
    samples = list(read_samples(tmp_path / "rated" / "m").values())
    for name, row in table.items():
        mine = [sample for sample in samples if sample.problem == name]
        assert row["right"] == sum(sample.outcome == "correct" for sample in mine)
        assert row["truncated"] == sum(sample.truncated for sample in mine)
        assert row["right"] + row["wrong"] + row["undecided"] == 8
    assert (table["p0"]["right"], table["p8"]["right"]) == (0, 8)
    assert table["bad"]["undecided"] == 8
    assert table["p8"]["low"] < 0.9 == table["p8"]["solve_rate"]
    assert table["p4"]["info"] == {"level": 4}
    assert "88 samples drawn" not in capsys.readouterr().out  # but 55 at last


def test_a_table_of_what_came_in_part_has_an_exit_code_of_its_own(problems, tmp_path, capsys):
    def moody(request):
        lost = "number 3 of" in request["messages"][-1]["content"]
        return {"error": "out of sorts"} if lost else answer(request)

    with serve(moody) as server, pytest.raises(SystemExit) as ended:
        rate(server, problems, tmp_path, "--retries", "0", samples=2)
    assert ended.value.code == 3
    assert "PARTIAL: 2 samples are missing" in capsys.readouterr().out
    assert len((tmp_path / "table.jsonl").read_text().splitlines()) == 11


def test_shards_and_models_are_merged(problems, tmp_path):
    with serve(answer) as server:
        whole = rate(server, problems, tmp_path, models=("m", "n"), samples=2)
        parts = []
        for number in (1, 2):
            rate(server, problems, tmp_path, "--shard", f"{number}/2", samples=2)
            parts.append(tmp_path / f"part{number}.jsonl")
            (tmp_path / "table.jsonl").rename(parts[-1])
    merged = tmp_path / "merged.jsonl"
    main(["curate", "merge", *map(str, parts), "--out", str(merged)])
    found = {row["id"]: row for row in map(json.loads, merged.read_text().splitlines())}
    assert set(found) == set(whole)
    assert set(whole["p3"]["models"]) == {"m", "n"}
    assert whole["p3"]["right"] + whole["p3"]["wrong"] == 4
    # A question that stands twice has samples of its own each time, within a shard.
    same = [name for name in found if name != "again"]
    assert [found[n]["models"]["m"] for n in same] == [whole[n]["models"]["m"] for n in same]


def test_curate(problems, tmp_path, capsys):
    with serve(answer) as server:
        rate(server, problems, tmp_path)
    capsys.readouterr()
    out = tmp_path / "band.jsonl"
    (tmp_path / "quiz.jsonl").write_text(
        '{"question": "What is number 3 of the test, twice?", "answer": 1}'
    )
    flags = ["--keep", ".2:.8", "--against", f"file:{tmp_path / 'quiz.jsonl'}", "--json"]
    main(["curate", str(tmp_path / "table.jsonl"), "--out", str(out), *flags])
    counts = json.loads(capsys.readouterr().out)
    kept = [json.loads(line) for line in out.read_text().splitlines()]
    dropped = [
        json.loads(line) for line in (tmp_path / "band.dropped.jsonl").read_text().splitlines()
    ]
    assert counts["problems"] == 11 == len(kept) + len(dropped)
    assert {row["id"] for row in kept} <= {f"p{i}" for i in range(1, 8)} - {"p3"}
    why = {row["id"]: set(row["flags"]) for row in dropped}
    assert why["p3"] == {"overlap"}
    assert why["again"] == {"duplicate"}
    assert why["bad"] == {"unreadable_gold"}
    assert why["p0"] == {"suspect_gold"}
    assert counts["kept"] == len(kept) > 0
    main(["curate", str(tmp_path / "table.jsonl"), "--out", str(out), "--keep", ".2:.8"])
    said = capsys.readouterr().out
    assert "solve rate probably below" in said
    assert "band.dropped.jsonl" in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["curate", "rate", "m", "--task", "arithmetic", "--out", "t.csv"],
            "a table is a .jsonl or a .parquet",
        ),
        (["curate", "rate", "--task", "arithmetic", "--out", "t.jsonl"], "name a model"),
        (
            ["curate", "rate", "m", "--task", "arithmetic", "--out", "t.jsonl", "--shard", "4/3"],
            "1/N to N/N",
        ),
        (
            ["curate", "rate", "m", "--task", "arithmetic", "--out", "t.jsonl", "--split", "val"],
            "no split 'val'",
        ),
        (
            ["curate", "rate", "m", "--task", "file:t.json", "--out", "u.jsonl", "--shard", "3/3"],
            "--shard 3/3 holds none of the 2 problems; take fewer shards, --shard 1/2 at most",
        ),
        (["curate", "merge", "--out", "t.jsonl"], "name tables"),
        (["curate", "none.jsonl", "--out", "t.jsonl"], "none.jsonl: cannot be read"),
        (
            ["curate", "none.jsonl", "--out", "t.jsonl", "--keep", ".8:.2"],
            "two solve rates in order",
        ),
    ],
)
def test_what_cannot_be_is_said_at_once(arguments, said, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [{"question": f"1 + {n}?", "answer": str(1 + n)} for n in range(2)]
    (tmp_path / "t.json").write_text(json.dumps(rows))
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    assert said in " ".join(capsys.readouterr().err.split())
    assert not list(tmp_path.glob("*.jsonl"))


@pytest.mark.parametrize(
    "arguments",
    [
        ["curate", "table.jsonl", "--out", "table.jsonl"],
        ["curate", "table.jsonl", "--out", "./table.jsonl"],
        ["curate", "t.dropped.jsonl", "--out", "t.jsonl"],
        ["curate", "rate", "m", "--task", "file:table.jsonl", "--out", "table.jsonl"],
    ],
)
def test_what_is_read_is_not_written_over(arguments, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("table.jsonl", "t.dropped.jsonl"):
        (tmp_path / name).write_text("hours of drawing")
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    assert "is read, and would be lost" in capsys.readouterr().err
    assert (tmp_path / "table.jsonl").read_text() == "hours of drawing"


def test_a_broken_line_of_a_table_is_named(tmp_path, capsys):
    table = tmp_path / "table.jsonl"
    table.write_bytes(b'\n{"id": "\xff"}\n')
    with pytest.raises(SystemExit, match="2"):
        main(["curate", "merge", str(table), "--out", str(tmp_path / "out.jsonl")])
    assert f"{table}:2: not JSON" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["curate", "merge"], ["curate"]])
def test_a_table_that_curate_wrote_is_told_from_one_of_ratings(command, tmp_path, capsys):
    table = tmp_path / "band.jsonl"
    table.write_text('{"id": "a", "question": "1+1?", "answer": "2", "solve_rate": 0.5}\n')
    with pytest.raises(SystemExit, match="2"):
        main([*command, str(table), "--out", str(tmp_path / "out.jsonl")])
    said = capsys.readouterr().err
    assert f"{table}:1: no field 'info'; the fields are 'id', 'question'" in said
    assert "what `curate` writes is a task's data" in said


@pytest.mark.parametrize("command", ["curate rate", "curate"])
def test_the_folder_of_a_table_is_made_before_anything_is_drawn(command, tmp_path, capsys):
    """A table of days of drawing found no folder, and its command ended in a traceback."""
    given = {"curate rate": ["m", "--task", "file:none.jsonl"], "curate": ["none.jsonl"]}[command]
    (tmp_path / "file").touch()
    for folder, said in ((tmp_path / "new", "none.jsonl"), (tmp_path / "file", "no folder")):
        with pytest.raises(SystemExit, match="2"):
            main([*command.split(), *given, "--out", str(folder / "t.jsonl")])
        assert said in capsys.readouterr().err
    assert (tmp_path / "new").is_dir()


SMALL = {
    "smollm2-135m": "{model}",
    "gsm8k": "arithmetic",
    "gsm8k,math500": "arithmetic",
    "5000": "6",
    "8": "2",
    "256": "8",
    ".2:.8": "0:1",
    "examples/arithmetic_dapo.toml": f"{EXAMPLES}/arithmetic_grpo.toml",
}
"""What the test takes in place of the documentation's words: the tiny model, six problems, no filter
that would wait for groups with signal."""
STEP = [
    *("model.name={model}", "model.dtype=float32", "steps=1", "sampling.problems=2"),
    *("sampling.group_size=2", "sampling.max_tokens=8", "eval.samples=0", "verify.workers=1"),
]


@pytest.mark.timeout(240)
def test_the_documentations_three_lines(tiny_model, tmp_path, monkeypatch):
    """From a train split to a run on the band, as docs/tutorials/your-dataset.md says, with little of each."""
    text = (EXAMPLES.parent / "docs/tutorials/your-dataset.md").read_text("utf-8")
    block = re.search(r"to a run on the band:\n\n```sh\n(.*?)```", text, re.DOTALL)[1]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("rewardkit_native.loop.draw_if_possible", lambda *_: None)
    for line, more in zip(
        block.strip().splitlines(),
        (["--workers", "1"], ["--drop", "none"], [x for s in STEP for x in ("--set", s)]),
        strict=True,
    ):
        words = [SMALL.get(word, word) for word in shlex.split(line)[1:]]
        main([word.replace("{model}", str(tiny_model)) for word in (*words, *more)])
    [run] = [path.parent for path in tmp_path.glob("runs/*/rollouts.jsonl")]
    rollouts = [json.loads(line) for line in (run / "rollouts.jsonl").read_text().splitlines()]
    known = {json.loads(line)["id"] for line in (tmp_path / "band.jsonl").read_text().splitlines()}
    assert len(known) == 6
    assert len(rollouts) == 4
    assert {str(row.get("problem", row.get("problem_id"))) for row in rollouts} <= known
