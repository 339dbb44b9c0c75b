"""One answer, where it was found, and what it is compared with."""

from __future__ import annotations

from typing import NamedTuple

from rewardkit.verifiers.comparison.result import Result
from rewardkit.verifiers.comparison.texts import compare_texts
from rewardkit.verifiers.extraction.marked import Found
from rewardkit.verifiers.options import MathOptions

Reading = tuple[str, Result]
"""What an answer was taken for, and what its comparison said."""


class Case(NamedTuple):
    """What all readings of an answer share."""

    gold: str
    response: str
    found: Found
    options: MathOptions
    sympy: bool

    def compare(self, text: str) -> Result:
        """Return whether a text equals the gold."""
        return compare_texts(self.gold, text, self.options, sympy=self.sympy)
