"""The evaluation of AIME in docs/compare.md with thinking on and off, as it stands but for the port and the size."""

from __future__ import annotations

import json
import random
import shlex
from pathlib import Path

from rewardkit_test_server import completion, serve

import rewardkit_tasks.contests.loading as loading
from rewardkit.cli import main

PAGE = (Path(__file__).parents[2] / "docs" / "compare.md").read_text()
ROWS = [
    {"id": str(i), "problem": f"Find the remainder of {i}^2 modulo 1000.", "answer": str(i * i)}
    for i in range(1, 31)
]
"""In the place of the contest's own problems, which no test holds."""


def switched(request):
    """A model that thinks or not as its chat template is told, and is the better for it."""
    thinking = request["chat_template_kwargs"]["enable_thinking"]
    question = request["messages"][-1]["content"]
    number = int(question.split("remainder of ")[1].split("^")[0])
    rng = random.Random(f"{request['seed']} {thinking}")
    right = rng.random() < (0.9 if thinking else 0.3)
    body = completion(f"\\boxed{{{number**2 if right else 7}}}")
    if thinking:
        body["choices"][0]["message"]["reasoning_content"] = f"{number} times {number} is ..."
        body["usage"]["completion_tokens"] += 900
    return body


def test_thinking_on_and_off(tmp_path, monkeypatch, capsys):
    shell = [line for line in PAGE.splitlines() if line.startswith("rewardkit ")]
    lines = [shlex.split(line, comments=True) for line in shell]
    commands = [line[1:] for line in lines if {"eval", "qwen3-8b"} <= set(line)]
    compare = next(line[1:] for line in lines if line[:2] == ["rewardkit", "compare"])
    assert [command[command.index("--protocol") + 1] for command in commands] == [
        "qwen3",
        "qwen3-no-think",
    ]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(loading, "fetch_rows", lambda contest, revision: ROWS)
    with serve(switched) as server:
        for command in commands:
            asked = [server.url if part == "http://localhost:8000/v1" else part for part in command]
            main([*asked, "--samples", "2", "--workers", "1", "--no-report"])
        sent = server.requests
    assert {(r["temperature"], r["top_p"], r["top_k"], r["max_tokens"]) for r in sent} == {
        (0.6, 0.95, 20, 38_912),
        (0.7, 0.8, 20, 38_912),
    }
    capsys.readouterr()
    main([*compare, "--no-report"])
    printed = " ".join(capsys.readouterr().out.split())
    assert "A solves more of these 30 problems" in printed
    assert "protocol: 'qwen3' in A, 'qwen3-no-think' in B" in printed
    found = [
        json.loads((tmp_path / "evals" / name / "results.json").read_text())["evaluations"]["model"]
        for name in "AB"
    ]
    tokens = [one["sets"]["aime25"]["tokens"]["mean"] for one in found]
    assert tokens[0] > 900 > tokens[1]
    assert all(row["sets"]["aime25"]["remarks"] for row in found)  # other wording than the pinned
