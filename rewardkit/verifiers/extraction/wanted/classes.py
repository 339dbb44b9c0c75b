"""Which whole numbers: `exactly when n is odd and at least 3`, where the gold is all odd n >= 3."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from rewardkit.verifiers.extraction.wanted.conditions import in_signs
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.patterns import left_open_by

_CLASS = r"(?:positive\s)?(odd|even|prime(?=s?\b)|composite)s?"
_THINGS = r"(?:\s(?:positive\s)?(?:integers?|(?:natural\s)?numbers?|values?(?:\sof)?))?"
_BOUND = (
    r"(?:\s?,?\s?(?:(?:and|with|where|such\sthat|that\sare|which\sare)\s)?(?:[a-z]\s?)?(?:is\s)?"
    r"(>=|<=|>|<)\s?(\d{1,9}))?[\s.!]*\Z"
)
_ALL = rf"(?:all|every|any|each|(?:precisely|exactly)\sthe)\s{_CLASS}{_THINGS}(?:\s[a-z])?{_BOUND}"
_IS = rf"[a-z]\s(?:is|must\sbe|has\sto\sbe)\s(?:an?\s)?{_CLASS}{_THINGS}{_BOUND}"
_GOLDS = (as_pattern(_ALL, re.I), as_pattern(_IS))
_SAID = (
    as_pattern(rf"\b{_ALL}", re.I),
    as_pattern(
        r"(?:\b(?:when|whenever|if|iff)\s(?:and\sonly\sif\s)?"
        rf"|\A\W*(?:(?:[Ss]o|[Tt]hus|[Hh]ence|[Tt]herefore),?\s)?){_IS}"
    ),
)
_OPEN = left_open_by(
    r"no|or|but|unless|except|fails?|false|impossible|maybe|perhaps|may|conjecture\w*|suppose|then"
    r"|assum\w+|whether|case|loses?|wrong"
)
_LEAST = {"odd": 1, "even": 2, "prime": 2, "composite": 4}
_FAMILY = as_pattern(
    r"(?<![\w\\.^*/+-])(?:[a-z]\s?=\s?)?2\s?(?P<name>[a-z])(?:\s?(?P<sign>[-−+])\s?(?P<rest>\d{1,3}))?(?![\w^])"
    r"\)?\s?,?\s?(?:(?:for|with|where)\s)?(?:(?:any|all|every|each|some|an)\s)?"
    r"(?P<whose>(?:positive|natural|non-?negative)?\s?(?:integers?|(?:natural|whole)\snumbers?)?\s?)"
    r"(?P=name)?\s?(?:>=\s?(?P<least>\d{1,3})|>\s?(?P<above>\d{1,3})|(?:\\in|∈)\s?(?P<set>\\mathbb\s?\{?[ZN]\}?|[ℤℕ])"
    r"|(?:is\s)?(?:an?y?\s)?(?P<what>(?:positive|natural|non-?negative)?\s?(?:integer|number)))?"
    r"(?:\swork)?[\s.!]*\Z"
)
"""All odd or even numbers by a parameter: `n = 2k - 1, k >= 1`, `2k + 1 for any integer k`."""
_MAX_CHARS = 300


class Numbers(NamedTuple):
    """Which whole numbers, from which one on, and up to which one."""

    kind: str
    first: int
    last: int | None


@lru_cache(maxsize=4096)
def numbers_of(gold: str) -> Numbers | None:
    """Return which whole numbers a gold answer is, else None.

    >>> numbers_of(r"\\text{all odd integers } n \\ge 4"), numbers_of("n is even")
    (Numbers(kind='odd', first=5, last=None), Numbers(kind='even', first=2, last=None))
    """
    return _read(_GOLDS, gold, whole=True) if len(gold) <= _MAX_CHARS else None


def numbers_in(gold: str, sentence: str) -> str | None:
    """Return a gold answer where a sentence says the same numbers, else what it says of them.

    >>> numbers_in("all even n", "This holds if and only if n is even.")
    'all even n'
    >>> numbers_in("all odd n", "$n = 2k - 1$, where $k$ is a positive integer")
    'all odd n'
    >>> numbers_in("all even n", "It fails exactly when n is even.")
    """
    if len(sentence) > _MAX_CHARS or _OPEN.search(sentence):
        return None
    said = _read(_SAID, sentence, whole=False) or _of_parameter(sentence)
    if said is None:
        return None
    return gold if said == numbers_of(gold) else f"{said.kind} numbers from {said.first} on"


def _read(patterns: tuple[re.Pattern[str], ...], text: str, *, whole: bool) -> Numbers | None:
    plain = in_signs(text)
    for pattern in patterns:
        if found := (pattern.match if whole else pattern.search)(plain):
            kind, sign, value = found.groups()
            return _numbers(kind.lower(), sign, int(value or 0))
    return None


def _numbers(kind: str, sign: str | None, value: int) -> Numbers:
    """Return the numbers of a kind that a bound leaves; of odd and even ones the ends are such."""
    first, last = _LEAST[kind], None
    parity = _LEAST[kind] % 2 if kind in ("odd", "even") else None
    if sign in (">", ">="):
        first = max(first, value + (sign == ">"))
        first += parity is not None and first % 2 != parity
    elif sign:
        last = value - (sign == "<")
        last -= parity is not None and last % 2 != parity
    return Numbers(kind, first, last)


def _of_parameter(sentence: str) -> Numbers | None:
    """Return the odd or even numbers that a formula names by a parameter, from its least value."""
    found = _FAMILY.search(in_signs(sentence))
    if found is None:
        return None
    rest = int(found["rest"] or 0) * (-1 if found["sign"] in ("-", "−") else 1)
    kind = "odd" if rest % 2 else "even"
    domain = f"{found['whose']}{found['set'] or ''}{found['what'] or ''}"
    if found["least"]:
        start = int(found["least"])
    elif found["above"]:
        start = int(found["above"]) + 1
    elif "non" in domain:
        start = 0
    elif any(name in domain for name in ("positive", "natural", "N", "ℕ")):
        start = 1
    else:
        return Numbers(kind, _LEAST[kind], None)
    return Numbers(kind, 2 * start + rest, None)
