"""Replies by what was asked, in one SQLite file that threads and processes share."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import threading
import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path

from rewardkit.judging.client import Reply

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

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     memory = Memory(Path(folder) / "replies.sqlite")
    ...     memory.keep("k", Reply("SAME", 90, 2))
    ...     memory.find("k"), memory.totals(), memory.close()
    (Reply(text='SAME', prompt_tokens=90, completion_tokens=2, cut=False), (1, 90, 2), None)
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: sqlite3.Connection | None = None
        self._pid = 0
        self._lock = threading.Lock()

    def find(self, key: str) -> Reply | None:
        """Return the reply to what was asked before, or None."""
        query = "SELECT text, prompt_tokens, completion_tokens FROM replies WHERE key = ?"
        try:
            with self._lock:
                row = self._open().execute(query, (key,)).fetchone()
        except (sqlite3.Error, OSError):
            return None
        return Reply(*row) if row else None

    def keep(self, key: str, reply: Reply) -> None:
        """Remember a reply."""
        row = (key, reply.text, reply.prompt_tokens, reply.completion_tokens)
        try:
            with self._lock, self._open() as file:
                file.execute("INSERT OR IGNORE INTO replies VALUES (?, ?, ?, ?)", row)
        except (sqlite3.Error, OSError):
            return

    def totals(self) -> tuple[int, int, int]:
        """Return how many replies are kept, and the tokens that they cost, in and out."""
        query = "SELECT count(*), total(prompt_tokens), total(completion_tokens) FROM replies"
        with self._lock:
            count, prompt, completion = self._open().execute(query).fetchone()
        return int(count), int(prompt), int(completion)

    def close(self) -> None:
        """Close the file; what is asked later opens it again."""
        if self._file is not None and self._pid == os.getpid():
            self._file.close()
        self._file = None

    def _open(self) -> sqlite3.Connection:
        if self._file is None or self._pid != os.getpid():  # a fork must not use its parent's
            self._pid = os.getpid()
            self.path.parent.mkdir(parents=True, exist_ok=True)
            file = sqlite3.connect(self.path, timeout=WAIT_S, check_same_thread=False)
            weakref.finalize(self, file.close)
            file.execute("PRAGMA synchronous = OFF")  # a reply lost in a crash is asked again
            file.execute(_TABLE)
            self._file = file
        return self._file
