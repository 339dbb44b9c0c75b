"""The cutter of sentences: it makes the cuts of an ordered table, each of which has a name."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rewardkit.verifiers.extraction.prose.wholes import VALUE
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.sought import holds_one


class Cut:
    """What may stand beside the statement of a sentence; it is taken out where a value is left."""

    def __init__(
        self,
        name: str,
        example: str,
        pattern: str,
        *,
        needs: str = "",
        puts: str = "",
        flags: int = re.S,
        takes_all: bool = False,
    ) -> None:
        self.name = name
        self.example = example
        """A sentence -> what the cut leaves of it."""
        self._needs = tuple(filter(None, needs.split("|")))
        """One of these is in each sentence that it can be made in, and in few others."""
        self._pattern = as_pattern(pattern, flags)
        opens = pattern.startswith("\\A")  # or every place would be tried
        self._found_in = self._pattern.match if opens else self._pattern.search
        self._puts = puts
        """What stands in its place."""
        self._takes_all = takes_all
        """Whether it is made where no value is left as well."""

    def made_in(self, sentence: str) -> str:
        """Return a sentence after the cut."""
        if self._needs and not holds_one(sentence, self._needs):
            return sentence
        if self._found_in(sentence) is None:
            return sentence
        left = self._pattern.sub(self._puts, sentence)
        return left if self._takes_all or VALUE.search(left) else sentence


def after(cuts: Iterable[Cut], sentence: str) -> str:
    """Return a sentence after some cuts, made in their order."""
    for cut in cuts:
        sentence = cut.made_in(sentence)
    return sentence
