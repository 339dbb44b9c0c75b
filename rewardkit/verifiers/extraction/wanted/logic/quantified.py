"""A statement about some or all numbers: `∃x ∈ ℝ, x² < 0`, `there is a real number x with ...`."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from rewardkit.verifiers.expressions.equality import is_same
from rewardkit.verifiers.expressions.nodes import Relation, RelationSign, Sym
from rewardkit.verifiers.expressions.trees import substitute
from rewardkit.verifiers.limits import TooComplex
from rewardkit.verifiers.parsing.parser import reading
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.commands import TEXT_COMMAND
from rewardkit.verifiers.vocabulary.patterns import left_open_by

_DRESS = as_pattern(
    rf"{TEXT_COMMAND}\s*\{{([^{{}}]*)\}}|\\(?:quad|qquad)(?![a-z])|\\[,;:! ()\[\]]|[$*~]"
)
_SETS = as_pattern(r"\\math(?:bb|bf|rm|cal)\s?\{?([RZNQC])\}?|\\([RZNQC])(?![a-zA-Z])")
_CHARACTERS = str.maketrans("ℝℤℕℚℂ，：；。（）“”", 'RZNQC,:;.()""')
_NAME = r"(?P<name>[a-zA-Z](?:_\{?0\}?|₀)?)(?![a-zA-Z])"
_IN = r"(?:\s?(?:∈|\\in(?![a-z])|in)\s?\(?(?P<set>[RZNQC])(?![a-zA-Z])\)?)?"
_KIND = r"(?:(?P<kind>real|integer|natural|rational|complex)s?\s?)?(?:numbers?\s|values?\s|of\s)*"
_CHINESE_KIND = r"(?:一个)?(?P<kind>实数|整数|自然数|有理数)?"
_SUCH = (
    r"[\s,:;.|]*(?:(?:it\sholds\s|we\shave\s|is\strue\s)?that|with|(?:such|so)\sthat|for\swhich|satisf(?:y|ies|ying)|where"
    r"|we\shave|使得?|满足|都有|均有|恒有|有)?[\s,:]*"
)
_HEADS = tuple(
    (quantifier, as_pattern(head + _IN + _SUCH, re.I))
    for quantifier, head in (
        ("∃", rf"(?:∃|\\exists(?![a-z]))\s?{_NAME}"),
        ("∀", rf"(?:∀|\\forall(?![a-z]))\s?{_NAME}"),
        ("∃", rf"\bthere\s(?:exists?|is|are)\s(?:(?:at\sleast\sone|an?|some)\s)?{_KIND}{_NAME}"),
        ("∃", rf"\b(?:for\s)?(?:some|at\sleast\sone)\s{_KIND}{_NAME}"),
        ("∀", rf"\b(?:for\s)?(?:all|every|each|any)\s{_KIND}{_NAME}"),
        ("∃", rf"存在{_CHINESE_KIND}\s?{_NAME}"),
        ("∀", rf"(?:对于?)?(?:任意|所有|一切)的?{_CHINESE_KIND}\s?{_NAME}"),
    )
)
_END = as_pattern(r"(?:恒成立|成立|holds)?[\s.!\"”'’]*\Z")
_SET_OF = {
    "real": "R", "integer": "Z", "natural": "N", "rational": "Q", "complex": "C",
    "实数": "R", "整数": "Z", "自然数": "N", "有理数": "Q",
}  # fmt: skip
_SIGN = as_pattern(r"∃|∀|\\exists|\\forall")
_DENIED = left_open_by(
    r"no|whether|if|assume|maybe|perhaps|wrong|false|statement\swas|[不没是]否|并非|假设|原命题"
)
_TURNED: dict[RelationSign, RelationSign] = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
_MAX_CHARS = 400


class Quantified(NamedTuple):
    """For some or for all of which numbers what holds."""

    quantifier: str
    domain: str
    holds: Relation


@lru_cache(maxsize=4096)
def quantified(gold: str) -> Quantified | None:
    r"""Return what a gold answer in signs says about some or all numbers, else None.

    >>> quantified(r"\exists x \in \mathbb{R},\ x^2 < 0").quantifier, quantified("x < 0")
    ('∃', None)
    """
    if not _SIGN.search(gold) or len(gold) > _MAX_CHARS:
        return None
    text = _plain(gold)
    return _read(text, first=True)


def quantified_in(gold: str, sentence: str) -> str | None:
    """Return the gold answer where a sentence ends with it in words or signs; else what it says.

    >>> quantified_in("∃x ∈ ℝ, x² < 0", "There is a real number y such that y² < 0.")
    '∃x ∈ ℝ, x² < 0'
    >>> quantified_in("∃x ∈ ℝ, x² < 0", "For all real x, x² < 0.")
    """
    wanted = quantified(gold)
    if wanted is None or len(sentence) > _MAX_CHARS:
        return None
    said = _read(_plain(sentence))
    if said is None or said.quantifier != wanted.quantifier:
        return None
    if said.domain != wanted.domain and said.domain and (wanted.domain or said.domain != "R"):
        return None
    return gold if _alike(wanted.holds, said.holds) else None


def _plain(text: str) -> str:
    text = _DRESS.sub(lambda dress: f" {dress[1] or ''} ", text.translate(_CHARACTERS))
    return " ".join(_SETS.sub(lambda found: f" {found[1] or found[2]}", text).split())


def _read(text: str, *, first: bool = False) -> Quantified | None:
    """Return the statement that a text ends with, or begins with where it is all of it."""
    for quantifier, pattern in _HEADS:
        heads = list(pattern.finditer(text))
        if len(heads) != 1 or (first and heads[0].start()):
            continue
        [head] = heads
        if _DENIED.search(text, 0, head.start()):
            return None
        try:
            tree = reading(_END.sub("", text[head.end() :]))
        except TooComplex:
            return None
        if not isinstance(tree, Relation):
            return None
        kind = head.groupdict().get("kind")
        domain = head["set"] or (_SET_OF[kind.lower()] if kind else "")
        name = head["name"].replace("₀", "_0").replace("{", "").replace("}", "")
        renamed = substitute(tree, {name: Sym("x")})
        return Quantified(quantifier, domain, renamed) if isinstance(renamed, Relation) else None
    return None


def _alike(wanted: Relation, said: Relation) -> bool:
    if len(wanted.sides) != 2 or len(said.sides) != 2:
        return wanted == said
    (sign,), (other,) = wanted.operators, said.operators
    if sign == other and all(map(is_same, wanted.sides, said.sides)):
        return True
    return _TURNED.get(sign, sign) == other and all(map(is_same, wanted.sides, said.sides[::-1]))
