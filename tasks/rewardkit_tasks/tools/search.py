"""Search as a tool: the passages that fit some words best, by BM25.

Source: written here; Robertson and Zaragoza 2009 eq. 3.15, with the idf of Lucene, which is never
below 0. Licence: Apache-2.0. Version: 1.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log
from pathlib import Path

from rewardkit.environments import Tool
from rewardkit.errors import ConfigError

K1, B = 1.5, 0.75


@dataclass(frozen=True)
class Passages:
    """Passages and how many of them a search gives."""

    texts: Sequence[str]
    top: int

    @cached_property
    def counts(self) -> list[Counter[str]]:
        """The words of each passage."""
        return [Counter(words(text)) for text in self.texts]

    @cached_property
    def weights(self) -> dict[str, float]:
        """The idf of each word."""
        held, count = Counter(word for one in self.counts for word in one), len(self.texts)
        return {word: log(1 + (count - n + 0.5) / (n + 0.5)) for word, n in held.items()}

    def scores(self, query: str) -> list[float]:
        """Return how well each passage fits."""
        mean = sum(one.total() for one in self.counts) / len(self.texts)
        asked, found = words(query), []
        for one in self.counts:
            scale = K1 * (1 - B + B * one.total() / mean)
            known = [word for word in asked if word in one]
            found.append(sum(self.weights[w] * one[w] * (K1 + 1) / (one[w] + scale) for w in known))
        return found

    def __call__(self, query: str) -> str:
        """Search the passages for words.

        Raises:
            ValueError: no passage has any of them.

        >>> Passages(["Red is a colour.", "Rome is a town in Italy."], 1)("which town?")
        'Rome is a town in Italy.'
        """
        scores = self.scores(str(query))  # a model may send a number
        best = sorted(range(len(scores)), key=lambda place: -scores[place])[: self.top]
        if not scores[best[0]]:
            raise ValueError("no passage has any of these words")
        return "\n".join(self.texts[place] for place in best if scores[place])


def words(text: str) -> list[str]:
    """Return the words of a text in lower case."""
    return re.findall(r"\w+", text.lower())


def search(corpus: str = "", top: int = 3) -> Tool:
    """Return the tool, whose one argument is `query`.

    Args:
        corpus: a file with a passage a line.
        top: passages of one search.

    Raises:
        ConfigError: there is no such file, or nothing in it.
    """
    file = Path(corpus)
    if not corpus or not file.is_file() or not (text := file.read_text(encoding="utf-8").strip()):
        raise ConfigError(f"task.tools.corpus is a file with a passage a line, found {corpus!r}")
    return over(text.splitlines(), top)


def over(texts: Sequence[str], top: int) -> Tool:
    """Return the tool that searches these passages.

    Raises:
        ConfigError: `top` is below 1.
    """
    if top < 1:
        raise ConfigError(f"a search gives at least one passage, found top = {top}")
    return Tool("search", "Search for words.", Passages(tuple(texts), top), {"query": "string"})
