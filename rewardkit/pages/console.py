"""The terminal that every command prints to."""

from __future__ import annotations

from typing import Any

from rich.console import Console as RichConsole  # noqa: TID251


class Console(RichConsole):
    """Rich's terminal, but for its pictures: `mine:boom:` stays what it is, and is no explosion."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(emoji=False, **settings)
