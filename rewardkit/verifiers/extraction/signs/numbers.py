"""The number that a sentence says its last formula to be, or says of what the formula is part of.

`$x$ is 42`; `The number of ways through the $4 \\times 4$ grid is 70.`
"""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.endings.ending import Ending
from rewardkit.verifiers.extraction.endings.last_sentences import NEXT_SENTENCE
from rewardkit.verifiers.extraction.marked import NOTHING, Found
from rewardkit.verifiers.extraction.prose.claims import claims_at
from rewardkit.verifiers.extraction.prose.doubts import is_hedged
from rewardkit.verifiers.extraction.prose.last_quantity import last_quantity
from rewardkit.verifiers.extraction.text.formulas import inside
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.numbers import NUMBER_WORDS
from rewardkit.verifiers.vocabulary.patterns import alternatives

_SAYS_NEXT = as_pattern(
    r"\s*+(?:(?:is|are|equals|=|must\s(?:be|equal)|has\sto\s(?:be|equal)|will\sbe|comes\sto)"
    r"\s++(?:equal to\s|exactly\s|then\s)?|leaves\s(?:a|the)\sremainder\s(?:of\s)?)(?=[-−$(]?\d)"
)
_OF_SUBJECT = as_pattern(
    r"\b(?:of|in|on|for|from|through|over|by|with|across)\s(?:(?!not\b|than\b)[a-z]+\s){0,3}\Z",
    re.I,
)
_SUBJECT_IS = as_pattern(
    r"[\s-](?:(?!(?:that|which|who|if|when|where|while|because|since|as|and|or|but|so|not|has|have|had|than|more|less)\b)[a-z-]+\s){1,5}?"
    r"(?:is|are|equals?|must\sbe|comes\sto)\s(?:(?:therefore|thus|hence|then|exactly|indeed|just|simply|only|equal\sto)\s){0,2}"
    r"(?=[-−$(]?\d[\d.,/]*%?(?:\s[a-z]+){0,2}[.!]?\s*\Z)"
)
"""What a sentence says behind a formula of its subject: `The sum over $2n$ terms is 20.`"""
_FOR_CASE = as_pattern(
    r"\b(?:for|with|when|if|at|in\sthe\scase(?:\sof)?|taking|setting|putting)\s(?:[a-z]+[\s,]\s?){0,4}\Z",
    re.I,
)
_VALUE_OF = as_pattern(r"\s*[a-zA-Z](?:_\w)?\s*=\s*[-−]?[\d./]+\s*")
_GIVES = as_pattern(
    r",?\s(?:(?:then|so)\s)?(?:(?:this|that|it|which|one|we|there|(?:the|our|its)\s(?:[a-z]+\s){0,3}?[a-z]+)\s)?(?:(?:also|then|thus|hence|now)\s)?"
    r"(?:gives?|makes?|yields?|gets?|obtains?|finds?|is|are|equals?|comes\sto|becomes)"
    r"\s(?:(?:us|just|exactly|only|the|familiar|usual|well-known|known|value)\s){0,3}(?=[-−(]?\d(?!\S*\s(?:more|less|fewer|times)\b)[^$\\=]*\Z)"
)
"""What a formula behind `for $n = 3$` comes to, in plain numbers: `, this gives 8`."""
_MAX_CASE = 40
_HAS_SO_MANY = as_pattern(
    r"\s+(?:has|admits|possesses)\s+(?:(?:exactly|precisely|only|just)\s)?"
    rf"(\d+|{alternatives(NUMBER_WORDS)})(?:\s(?!more\b|less\b|times\b)[a-z-]+){{1,4}}[.!]?\s*"
)
_FUNCTION = as_pattern(r"\s*[a-zA-Z](?:_\w)?'?(?:\([a-z]\))?\s*")
"""What has so many roots: `$f$ has exactly 3 real roots`."""


def number_of_formula(end: Ending) -> Found | None:
    """`$x$ is 42`: the number that the last formula is said to be."""
    if not end.formulas:
        return None
    if roots := _roots_of_last(end):
        return Found(roots, "last number")
    says = _SAYS_NEXT.match(end.tail, end.formulas[-1].end())
    if says is None and _is_case(end.tail, end.formulas[-1]):
        says = _GIVES.match(end.tail, end.formulas[-1].end())
    if says is None and not is_hedged(end.sentences[-1]):
        says = _said_of_subject(end.tail, end.formulas[-1])
    if says is None:
        return None
    value = last_quantity(NEXT_SENTENCE.split(end.tail[says.end() - 1 :], maxsplit=1)[0])
    return Found(value, "last number") if value else NOTHING


def _is_case(tail: str, formula: re.Match[str]) -> bool:
    """Return whether a formula only says for which value of an unknown the sentence holds."""
    before = tail[max(0, formula.start() - _MAX_CASE) : formula.start()]
    return _FOR_CASE.search(before) is not None and _VALUE_OF.fullmatch(inside(formula)) is not None


def _said_of_subject(tail: str, formula: re.Match[str]) -> re.Match[str] | None:
    """Return what leads to the value of a last sentence whose subject a formula belongs to."""
    before = tail[max(0, formula.start() - _MAX_CASE) : formula.start()]
    return _SUBJECT_IS.match(tail, formula.end()) if _OF_SUBJECT.search(before) else None


def _roots_of_last(end: Ending) -> str | None:
    """Return how many of something the function has that is the last formula, or None."""
    last = end.formulas[-1]
    has = _HAS_SO_MANY.fullmatch(end.tail, last.end())
    if has is None or not _FUNCTION.fullmatch(inside(last)):
        return None
    stated = claims_at(end.tail, last.start(), has.end(1))
    if not stated or is_hedged(end.sentences[-1]):
        return None
    return str(NUMBER_WORDS.get(has[1], has[1]))
