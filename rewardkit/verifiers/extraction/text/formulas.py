"""The formulas of a text, between dollar signs or LaTeX's brackets."""

from __future__ import annotations

import re

from rewardkit.verifiers.vocabulary.characters import CJK
from rewardkit.verifiers.vocabulary.commands import CASES, DISPLAYS, MATRICES
from rewardkit.verifiers.vocabulary.names import PLAIN_FUNCTIONS
from rewardkit.verifiers.vocabulary.patterns import alternatives

FORMULA = re.compile(
    r"\$\$(.+?)\$\$|\\\[(.+?)\\\]|\\\((.+?)\\\)|\$(?<!\\\$)((?:[^$\\\n]|\\.)+?)(?<!\\)\$"
    rf"|\\begin\{{{alternatives(MATRICES | CASES)}\}}.+?\\end\{{\w+\}}"
    rf"|\\begin\{{(?P<name>{alternatives(DISPLAYS)})\}}(?P<rows>.+?)\\end\{{(?P=name)\}}",
    re.S,
)
"""Each begins with one of two signs, in no group, so that few places are tried."""
WORD = re.compile(
    rf"[{CJK}]+|(?<![\\\w])(?!{alternatives(PLAIN_FUNCTIONS | {'pi'})}\b"
    r"|[a-c]{2,3}\b|[x-z]{2,3}\b|[abckmnpqr][xz]\b|[A-Z]e\^)[^\W\d_⁰-₉²³¹π∞θ]{2,}"
)
"""A word beside mathematics, which is no name of a function and no product of unknowns."""
_ROW = re.compile(r"\\\\(?:\[[^\]]*\])?|\\(?:nonumber|notag)\b|\\(?:label|tag)\{[^{}]*\}")


def inside(formula: re.Match[str]) -> str:
    """Return what is between a formula's delimiters; of lines below each other, the last."""
    if formula["rows"] is None:
        return next((group for group in formula.groups() if group is not None), formula[0])
    rows = [row for row in _ROW.split(formula["rows"]) if row and row.strip(" &.\n")]
    return rows[-1].replace("&", "").strip(" =.\n") if rows else ""
