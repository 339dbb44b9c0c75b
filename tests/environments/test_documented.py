"""The environment of docs/tools.md, as it stands there."""

import re
import sys
from pathlib import Path

import pytest

from rewardkit.cli import main

PAGE = (Path(__file__).parents[2] / "docs" / "tools.md").read_text("utf-8")
GAME, BY_HAND = re.findall(r"^```python\n(.*?)^```", PAGE, re.M | re.S)


@pytest.fixture
def hunt(tmp_path, monkeypatch):
    (tmp_path / "hunt.py").write_text(GAME)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=":")  # the workers import it as well
    monkeypatch.setitem(sys.modules, "hunt", None)
    del sys.modules["hunt"]


def test_it_is_tried_by_hand_and_looked_through(hunt, capsys):
    exec(GAME + BY_HAND, {"__name__": "hunt"})
    assert capsys.readouterr().out.endswith("True\n")
    main(["tasks", "check", "hunt:task", "--workers", "1"])
    assert "nothing found" in capsys.readouterr().out


@pytest.mark.slow
def test_it_is_evaluated(hunt, tiny_model, tmp_path, capsys):
    [line] = re.findall(r"`rewardkit (eval --model smollm2-135m .*?)`", PAGE)
    command = line.replace("smollm2-135m", str(tiny_model)).split()
    main([*command, "--max-tokens", "24", "--run-dir", str(tmp_path / "run")])
    said = capsys.readouterr().out
    assert "graded by the environment Hunt" in said
