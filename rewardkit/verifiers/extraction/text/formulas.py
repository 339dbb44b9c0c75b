"""The formulas of a text, and what one ends in that is no equation as a whole.

Steps that lead from one to the next (`2x = 2 => x = 1`), a remainder, a percentage and what a
function is at a value of its own are read by their last member.
"""

from __future__ import annotations

import re
from itertools import pairwise

from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.characters import CJK
from rewardkit.verifiers.vocabulary.commands import CASES, DISPLAYS, MATRICES
from rewardkit.verifiers.vocabulary.names import PLAIN_FUNCTIONS
from rewardkit.verifiers.vocabulary.patterns import alternatives

FORMULA = as_pattern(
    r"\$\$(.+?)\$\$|\\\[(.+?)\\\]|\\\((.+?)\\\)|\$(?<!\\\$)((?:[^$\\\n]|\\.)+?)(?<!\\)\$"
    rf"|\\begin\{{{alternatives(MATRICES | CASES)}\}}.+?\\end\{{\w+\}}"
    rf"|\\begin\{{(?P<name>{alternatives(DISPLAYS)})\}}(?P<rows>.+?)\\end\{{(?P=name)\}}",
    re.S,
)
"""Each begins with one of two signs, in no group, so that few places are tried."""
WORD = as_pattern(
    rf"[{CJK}]+|(?<![\\\w])(?!{alternatives(PLAIN_FUNCTIONS | {'pi'})}\b"
    r"|[a-c]{2,3}\b|[x-z]{2,3}\b|[abckmnpqr][xz]\b|[A-Z]e\^)[^\W\d_⁰-₉²³¹π∞θ]{2,}"
)
"""A word beside mathematics, which is no name of a function and no product of unknowns."""
_ROW = as_pattern(r"\\\\(?:\[[^\]]*\])?|\\(?:nonumber|notag)\b|\\(?:label|tag)\{[^{}]*\}")
_IMPLIES = as_pattern(
    r"\\(?:Rightarrow|implies|Longrightarrow|iff|Leftrightarrow)(?![a-zA-Z])|[⇒⟹⇔⟺]|(?<![<>=])=>"
)
_RELATES = as_pattern(r"[=<>≤≥≡]|\\(?:equiv|[lg](?:e|eq|t))(?![a-zA-Z])")
_MODULO = as_pattern(
    r"=\s*(-?\d+)\s*(?:\\pmod\s*\{\s*\d+\s*\}|\(\s*(?:\\?b?mod|\\text\s*\{\s*mod\s*\})\s*\d+\s*\))[.$\s]*\Z"
)
_PERCENTAGE = as_pattern(
    r"(?:\\times|\\cdot|[*×·])\s*100\s*(?:\\?%)?\s*=\s*(-?\d[\d.,]*\s*\\?%)[.$\s]*\Z"
)
_AT_ITS_VALUE = as_pattern(
    r"\$?\s*[a-zA-Z]\s*\(\s*[a-zA-Z]\s*\([^()=]{1,40}\)\s*\)\s*=\s*([^=]{1,60}?)[.$\s]*\Z"
)
"""`t(t(-4)) = 19`, where letters might be multiplied."""
_STEP = as_pattern(r"\s*[^=,;]*\d\s*[-+*/×÷·][^=,;]*=\s*(-?[$€£]?\d[\d.]*)(?:\s[a-z]+){0,2}[\s.]*")
_NAMED_LAST = as_pattern(
    r"=[^=]*[,;.]\s(?:and\s)?(?:so|thus|hence|therefore|giving|which\sgives)\s"
    r"(\$?[a-zA-Z]\$?\s?=\s?(?![^=]*\bor\b)[^=,;]{1,60}?)[.$\s]*\Z"
)
"""`25 + 144 = 169, so c = 13`."""
_NEXT_STEP = as_pattern(r",\s|;\s*|\s(?:and\s)?then\s")
_NUMBER = as_pattern(r"\d[\d.]*")
_MAX_STEPS = 300


def inside(formula: re.Match[str]) -> str:
    """Return what is between a formula's delimiters; of lines below each other, the last."""
    if formula["rows"] is None:
        return next((group for group in formula.groups() if group is not None), formula[0])
    rows = [row for row in _ROW.split(formula["rows"]) if row and row.strip(" &.\n")]
    return rows[-1].replace("&", "").strip(" =.\n") if rows else ""


def concluded(formula: str) -> str:
    """Return `x = 1` of `2x = 2 \\Rightarrow x = 1`; where no equations are joined, all of it.

    >>> concluded("2x = 10 => x = 5"), concluded("x => 5")
    (' x = 5', 'x => 5')
    """
    *steps, last = _IMPLIES.split(formula)
    return last if steps and all(_RELATES.search(one) for one in (steps[-1], last)) else formula


def last_member(text: str) -> str | None:
    """Return what a chain ends in that is none as a whole, or None.

    >>> last_member("5^2 = 25 = 3 (mod 11)"), last_member("80 - 20 = 60, 60 / 5 = 12")
    ('3', '12')
    >>> last_member("80 - 20 = 60, 24 / 2 = 12"), last_member("x = 5")
    (None, None)
    """
    for pattern in (_MODULO, _PERCENTAGE, _NAMED_LAST, _AT_ITS_VALUE):
        if found := pattern.search(text) if pattern is not _AT_ITS_VALUE else pattern.match(text):
            return found[1]
    if (last := concluded(text)) != text:
        return last.strip().strip("$").strip()
    return _last_step(text)


def _last_step(text: str) -> str | None:
    """Return the result of the last of calculations each of which takes up the one before."""
    if len(text) > _MAX_STEPS:
        return None
    steps = [_STEP.fullmatch(step) for step in _NEXT_STEP.split(text.strip())]
    found = [step for step in steps if step]
    if len(found) < 2 or len(found) < len(steps):
        return None
    for before, step in pairwise(found):
        if before[1].strip("$€£") not in _NUMBER.findall(step[0].rsplit("=", 1)[0]):
            return None
    return found[-1][1]
