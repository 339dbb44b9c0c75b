"""What kind of answer a gold is; all that the reading of a response knows of it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

Kind = Literal["number", "list", "expression", "option", "truth", "words"]

_NUMBER = re.compile(
    r"[-+−]?(?:\\?\$)?(?:\d[\d,]*(?:[./]\d+)?|\.\d+|\d+ \d+/\d+)\s*(?:\\?%|\^?\\circ|°)?"
)
_ITEM = r"\s*-?\\?\$?\d[\d./]*\\?%?\s*"
_LIST = re.compile(rf"(?:\\?[({{\[])?{_ITEM}(?:(?:,|\band\b){_ITEM}){{1,9}}(?:\\?[)}}\]])?")
_THING = re.compile(r"(?:an?|the)(?:[\s-][a-z]{3,}){1,4}\.?", re.I)
"""An article and what it stands before, which no product of unknowns is."""
_TRUTH = frozenset(("yes", "no", "true", "false"))


@lru_cache(maxsize=4096)
def kind_of(gold: str) -> Kind:
    r"""Return the kind of a gold answer.

    >>> [kind_of(gold) for gold in ("1,234", "3, 5", r"\frac{x}{2}", "B", "True", "an ellipse")]
    ['number', 'list', 'expression', 'option', 'truth', 'words']
    """
    bare = gold.strip("()$. ") if len(gold) < 20 else gold
    if len(bare) == 1 and ("A" <= bare <= "J" or (gold[:1] == "(" and "a" <= bare <= "j")):
        return "option"
    if bare.lower() in _TRUTH:
        return "truth"
    if _THING.fullmatch(gold):
        return "words"
    if _NUMBER.fullmatch(gold):
        return "number"
    if _LIST.fullmatch(gold):
        return "list"
    from rewardkit.verifiers.parsing.parser import reading  # the simple verifiers do without it

    return "words" if isinstance(reading(gold), str) else "expression"
