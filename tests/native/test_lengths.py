"""Accuracy at each length from stored samples, held against runs under those limits."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("torch")

from rewardkit.cli import main

LIMITS = (4, 5, 6, 24)


def evaluate(model, folder, limit):
    main(
        [
            *("eval", "--model", str(model), "--engine", "fast", "--task", "arithmetic"),
            *("--limit", "24", "--samples", "8", "--temperature", "0.7", "--workers", "1"),
            *("--max-tokens", limit, "--run-dir", str(folder)),
        ]
    )
    found = json.loads((folder / "results.json").read_text())["evaluations"]["model"]
    return found["sets"]["arithmetic"]


def test_the_length_curve_is_what_runs_under_those_limits_find(tiny_model, tmp_path, capsys):
    curve = evaluate(tiny_model, tmp_path / "whole", ",".join(map(str, LIMITS)))["lengths"]
    assert [at["max_tokens"] for at in curve] == list(LIMITS)
    for at in curve[:-1]:
        limit = at["max_tokens"]
        real = evaluate(tiny_model, tmp_path / str(limit), str(limit))
        assert "lengths" not in real
        assert at["cut"] == real["truncation"]["count"]
        assert at["accuracy"] == real["accuracy"]  # well within its band
        assert at["accuracy_if_cut_wrong"] <= at["accuracy"]
    assert curve[0]["cut"] >= curve[1]["cut"] > curve[2]["cut"] > 0
    assert curve[0]["accuracy"] < curve[2]["accuracy"]
    whole = evaluate(tiny_model, tmp_path / "whole", "24")
    assert curve[-1]["accuracy"] == whole["accuracy"]
    assert curve[-1]["cut"] == 0
    capsys.readouterr()
    main(["eval", "regrade", str(tmp_path / "whole"), "--lengths", "4,24"])
    assert "accuracy at each length" in capsys.readouterr().out
    found = json.loads((tmp_path / "whole" / "results.json").read_text())["evaluations"]["model"]
    assert found["sets"]["arithmetic"]["lengths"] == [curve[0], curve[-1]]
    assert found["sets"]["arithmetic"]["accuracy"] == whole["accuracy"]
