"""Two calls into one folder: one at a time, and what the later one replaces is said."""

import json

import pytest
import rewardkit_test_calls as calls
from rewardkit_test_server import serve

from rewardkit.cli import main
from rewardkit.evaluation.drawing.ledger import Ledger


def test_replaced_results_are_said_and_both_tasks_in_one_call_draw_nothing(tmp_path, capsys):
    files = {name: tmp_path / f"{name}.jsonl" for name in ("sums", "products")}
    for name, file in files.items():
        rows = [{"problem": f"{name} {i}?", "answer": "2"} for i in range(3)]
        file.write_text("\n".join(map(json.dumps, rows)))
    run = tmp_path / "run"

    def evaluate(*names):
        task = ",".join(f"file:{files[name]}" for name in names)
        found = calls.evaluate(server, task, run, "--samples", "2")["sets"]
        return list(found), capsys.readouterr().out

    with serve() as server:
        for _ in range(2):
            held, said = evaluate("sums")
            assert (held, "NOTE" in said) == (["sums"], False)
        held, said = evaluate("products")
        assert held == ["products"]
        assert (
            "NOTE results.json had sums from an earlier call, and now holds products only" in said
        )
        assert "--task A,B" in said
        assert len(server.requests) == 12
        held, said = evaluate("sums", "products")
        assert (held, "NOTE" in said) == (["sums", "products"], False)
        assert len(server.requests) == 12


def test_a_second_evaluation_is_refused_before_it_loads_or_asks_anything(tmp_path, capsys):
    file = tmp_path / "sums.jsonl"
    file.write_text('{"problem": "1+1?", "answer": "2"}')
    command = [
        *("eval", "--model", "no-such-model", "--task", f"file:{file}"),
        *("--run-dir", str(tmp_path / "run")),
    ]
    with Ledger(tmp_path / "run"), pytest.raises(SystemExit) as ended:
        main(command)
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert "samples.jsonl is being written by another evaluation; wait for it, stop it" in said
