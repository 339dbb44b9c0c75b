"""A response that is its answer, or begins with it: a value, a measure, an option in bold."""

from __future__ import annotations

import re

from rewardkit.verifiers.expressions.nodes import Date, Quantity
from rewardkit.verifiers.expressions.units import known_unit
from rewardkit.verifiers.extraction.endings.ending import Ending
from rewardkit.verifiers.extraction.endings.last_sentences import NUMBER
from rewardkit.verifiers.extraction.endings.unsettled import gives_up
from rewardkit.verifiers.extraction.marked import CORRECTS, NOTHING, VALUE_LINE, Found, claimed
from rewardkit.verifiers.extraction.prose.doubts import doubts, is_hedged
from rewardkit.verifiers.limits import TooComplex
from rewardkit.verifiers.parsing.forms.parts import parts_of
from rewardkit.verifiers.parsing.parser import reading
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.characters import has_digit
from rewardkit.verifiers.vocabulary.letters import OPTION_LETTER
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.phrases import CONCLUSIONS

_BOLD_OPTION = as_pattern(rf"\*\*(\(?{OPTION_LETTER}\)\s[^*\n]{{1,200}})\*\*\.?")
_EITHER = as_pattern(r"(?i:either)\s((?:(?![.!?]\s).)+?)\.?")
"""One sentence: behind `Either x = 3 or x = -3.` the next one may choose."""
_LETTERED = as_pattern(rf"{OPTION_LETTER}[).]\s\S.{{0,80}}")
_OPTIONS = as_pattern(
    rf"(?i:{alternatives(CONCLUSIONS)})[:,]\s({OPTION_LETTER}(?:(?:,\s|,?\s(?:and|&)\s){OPTION_LETTER})+)[.!]?"
)
"""Several options behind a word that concludes: `So: B, D.`"""
_PLAIN_WORD = as_pattern(r"(?:^|\s)(?!(?:or|and|in|pi)\b)[a-z]{2,}(?=\s|$|[,.])", re.I)
_CHINESE = as_pattern("[\u4e00-\u9fff]")
_EXPLANATION = as_pattern(r"\s*[^\n]{1,60}\n\s*(?:Step[\s-]by[\s-]step\s)?[Ee]xplanation:")
_MAX_ANSWER, _MAX_MEASURE = 200, 60
"""A longer response is not its answer and nothing else, one of words and of a quantity."""
_EXCLAIMED = as_pattern(r"\W{0,3}([-−$€£]{0,2}\d[\d.,]*%?)!\**\s+(?=[A-Z])")
_NOT_ONLY = as_pattern(r"Not\s(?:only|just)\s[^.!?]*?\b(?:but|the)\b")
_TURNED = as_pattern(
    r"\b(?:no|not(?!\s(?:only|just)\b)|never|wait|actually|wrong|answer\sis|so|hence|thus|therefore|instead|rather|sorry|if"
    r"|but\s(?:it|that|this|I|we))\b|n['’]t\b",
    re.I,
)
_MAX_REMARK = 200


def whole_response(end: Ending) -> Found | None:
    """A response of one line that is an answer and nothing else."""
    if "\n" in end.whole or len(end.whole) >= _MAX_ANSWER:
        return None
    if not end.whole.isascii() and is_hedged(end.sentences[-1]):
        return NOTHING  # `42ではない`
    if several := _EITHER.fullmatch(end.whole):
        return Found(several[1], "whole response") if is_answer(several[1]) else NOTHING
    if options := _OPTIONS.fullmatch(end.whole):
        return Found(options[1], "whole response")
    alone = _LETTERED.fullmatch(end.whole) or is_answer(end.whole) or _is_measured(end.whole)
    return Found(end.whole, "whole response") if alone else None


def measure_alone(end: Ending) -> Found | None:
    """A response of one line that is numbered parts, a date or something measured."""
    short = "\n" not in end.whole and len(end.whole) < _MAX_ANSWER
    alone = short and (parts_of(end.whole) is not None or _is_measured(end.whole))
    return Found(end.whole, "whole response") if alone else None


def bold_option(end: Ending) -> Found | None:
    """A response that is all `**B) blue**`."""
    option = _BOLD_OPTION.fullmatch(end.whole)
    return Found(option[1], "option") if option else None


def exclaimed(text: str) -> Found | None:
    """Return the value that a short response begins with, before a remark: `42! A lucky one`.

    >>> exclaimed("13! Unlucky for some."), exclaimed("13! No, that is wrong.")
    (Found(text='13', by='the answer is'), None)
    """
    value = _EXCLAIMED.match(text)
    if value is None or len(text) > _MAX_REMARK:
        return None
    rest = text[value.end() :]
    if has_digit(rest) and not _NOT_ONLY.match(rest):
        return None
    told = _NOT_ONLY.sub("", rest)
    return None if _TURNED.search(told) or doubts(told) else Found(value[1], "the answer is")


def explained(text: str) -> Found | None:
    """Return the bare value that a response begins with, above what it calls its explanation.

    >>> explained("4 years\\nExplanation: A year lasts as long as")
    Found(text='4 years', by='final answer')
    """
    if "xplanation:" not in text or not _EXPLANATION.match(text):
        return None
    value, _, rest = text.strip().partition("\n")
    if not VALUE_LINE.fullmatch(value) or claimed(rest) or CORRECTS.search(rest):
        return None
    return None if doubts(rest) or gives_up(rest) else Found(value, "final answer")


def _is_measured(text: str) -> bool:
    """Return whether a text is a date, or a number with a unit of measurement, and nothing else."""
    if len(text) > _MAX_MEASURE or not any(c.isdigit() for c in text):
        return False
    try:
        tree = reading(text.rstrip(".!"))
    except TooComplex:
        return False
    if not isinstance(tree, Quantity) or text[0].isalpha():
        return isinstance(tree, Date)
    return known_unit(tree.unit.split()[0].partition("^")[0]) is not None


def is_answer(text: str) -> bool:
    """Return whether a text is one bare answer, mathematics or a word."""
    if re.search(r"\d", text) and (_PLAIN_WORD.search(text) or _CHINESE.search(text)):
        return False
    try:
        words = isinstance(reading(text), str)
    except TooComplex:
        return False
    return not words or (len(text.split()) <= 3 and not NUMBER.search(text))
