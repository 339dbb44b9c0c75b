"""Replies by what was asked, in one SQLite file that processes share."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import weakref
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from rewardkit.client.answers import Response

_TABLE = (
    "CREATE TABLE IF NOT EXISTS replies (key TEXT PRIMARY KEY, text TEXT NOT NULL, "
    "prompt_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL)"
)
WAIT_S = 10.0
"""For another process that is writing."""


def key_of(model: str, max_tokens: int, messages: Sequence[Mapping[str, str]]) -> str:
    """Return the key of a reply: equal if and only if the same was asked of the same model."""
    parts = [model, max_tokens, [dict(message) for message in messages]]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode("ascii")).hexdigest()


class Memory:
    """Replies that were paid for; a file that cannot be used costs money and no verdict.

    >>> from rewardkit.types import Finish
    >>> memory = Memory(Path(":memory:"))
    >>> memory.keep("k", Response("SAME", Finish.STOP, 90, 2, 0.1))
    >>> memory.find("k")
    'SAME'
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        options = {"isolation_level": None, "check_same_thread": False}
        self._file = sqlite3.connect(path, timeout=WAIT_S, **options)  # type: ignore[arg-type]
        weakref.finalize(self, self._file.close)
        self._file.execute("PRAGMA synchronous = OFF")  # a reply lost in a crash is asked again
        self._file.execute(_TABLE)

    def find(self, key: str) -> str | None:
        """Return the reply to what was asked before, or None."""
        with suppress(sqlite3.Error):
            query = "SELECT text FROM replies WHERE key = ?"
            for row in self._file.execute(query, (key,)):
                return str(row[0])
        return None

    def keep(self, key: str, reply: Response) -> None:
        """Remember a reply."""
        row = (key, reply.text, reply.prompt_tokens, reply.tokens)
        with suppress(sqlite3.Error):
            self._file.execute("INSERT OR IGNORE INTO replies VALUES (?, ?, ?, ?)", row)


@lru_cache(maxsize=8)
def memory_at(path: Path, pid: int) -> Memory | None:
    """Return this process's view of a file, None where it is none; a fork has its own."""
    with suppress(sqlite3.Error, OSError):
        return Memory(path)
    return None
