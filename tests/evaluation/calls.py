"""Evaluations as tests call them: by the command, or with an engine that says what it is told."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from rewardkit.cli import main
from rewardkit.errors import ModelError
from rewardkit.evaluation.engines.base import DecodingSettings, Response
from rewardkit.types import Finish


class Says:
    """An engine that answers each request with a text, of its index if it is a function of that.

    After `fails_after` responses it fails.
    """

    fingerprint, chat_template = "says", None
    decoding = DecodingSettings(max_tokens=8)

    def __init__(self, text: str | Callable[[int], str], fails_after: int | None = None) -> None:
        self.text, self.fails_after, self.drawn = text, fails_after, 0

    def render(self, messages):
        return messages[-1]["content"]

    def generate(self, requests):
        for index in range(len(requests)):
            if index == self.fails_after:
                raise ModelError("the server has gone")
            self.drawn += 1
            text = self.text if isinstance(self.text, str) else self.text(index)
            yield index, Response(text, Finish.STOP, 1, 1, 0.0)

    def close(self):
        pass


def evaluate(server, task: Path | str, folder: Path, *more: str) -> dict:
    """Evaluate what a server says; returns what was measured."""
    main(command(server, task, folder, *more))
    return results(folder)


def command(server, task: Path | str, folder: Path, *more: str) -> list[str]:
    """The command line that evaluates what a server says."""
    task = f"file:{task}" if isinstance(task, Path) else task
    return [
        *("eval", "--model", "m", "--engine", "openai", "--base-url", server.url),
        *("--task", task, "--run-dir", str(folder), "--workers", "1", *more),
    ]  # fmt: skip


def results(folder: Path) -> dict:
    """What an evaluation measured."""
    return json.loads((folder / "results.json").read_text())["evaluations"]["model"]
