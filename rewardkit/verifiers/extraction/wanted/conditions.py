"""Sets of numbers that a sentence says in words: `a is at most 2`, `all real numbers but 3`."""

from __future__ import annotations

import re
from collections.abc import Callable
from operator import itemgetter

from rewardkit.verifiers.vocabulary.alternatives import SO
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.commands import TEXT_COMMAND
from rewardkit.verifiers.vocabulary.numbers import NUMBER_WORDS
from rewardkit.verifiers.vocabulary.patterns import alternatives, left_open_by

_STYLE = as_pattern(TEXT_COMMAND + r"\s*\{([^{}]*)\}|\\[,;:! ]|\\left|\\right|[$*]|\\[()]")
_SIGNS = tuple(
    (as_pattern(rf"(?:strictly\s)?\b(?:{phrase})|{symbol}"), sign)
    for sign, symbol, phrase in (
        ("<=", r"≤|\\leq?(?:slant)?(?![a-z])",
         r"less than or equal to|(?:at|no|not) (?:most|(?:more|greater|larger) than)"),
        (">=", r"≥|\\geq?(?:slant)?(?![a-z])",
         r"(?:greater|larger|more) than or equal to|at least|(?:no|not) (?:less|smaller) than"),
        ("<", r"\\lt(?![a-z])", r"(?:less|smaller|shorter|lower) than"),
        (">", r"\\gt(?![a-z])", r"(?:greater|larger|more|bigger|longer|higher) than"),
        ("!=", r"≠|\\neq?(?![a-z])",
         r"other than|except(?: for)?|not equal to|exclud(?:ing|es)(?: only)?|apart from"
         r"|different from"),
    )
)  # fmt: skip
"""What each sign is in words; the longer phrases first, of which others are a part."""
_VALUE = r"[-−]?\s?(?:\d+(?:\.\d+)?(?:\s?/\s?\d+)?|\\[dt]?frac\{\d+\}\{\d+\}|\\sqrt\{?\d+\}?|√\d+)"
_BE = (
    r"(?:\s?\b(?:is|are|be|must|can|may|has|to|that|which|lies?|any|real|values?|numbers?|both"
    r"|strictly|anything|everything|range|ranges|lie)\b\s?){0,5}"
)
_NUMBERS = (
    r"(?:\b(?:[Aa]ll|[Aa]ny|[Ee]very)\s(?:of\sthe\s)?(?:possible\s)?"
    r"(?:real\s(?:numbers?|values?)|reals|integers?"
    r"|numbers?|values?)(?:\s(?:of\s)?(?!a\s)(?P<of>[a-zA-Z])\b)?)"
)
_SUBJECT = (
    rf"(?:{_NUMBERS}|(?<![\w\\^_])(?P<name>[a-zA-Z])(?![\w^_(])"
    r"|\b[tT]he\s(?:[a-z]+\s)?(?:side|length|width|height|value|number|domain)\b)"
)
_EQUAL = rf"(?:[a-zA-Z]\s?=\s?)?{_VALUE}"
_SIGN = r"\s?(<=|>=|<|>)\s?"
_AGAIN = (
    r"(?:\s?,?\s(and(?:\s(?:for|when|on))?|but|or)\s(?:(?:for|when|on)\s)?(?:[a-zA-Z](?=[\s<>]))?"
    rf"{_BE}{_SIGN}({_VALUE}))?"
)
"""`or greater than 5`; of `for x < 0 and for x > 2` each is a case."""
_END = r"[\s.!]*\Z"
_BOUNDED = as_pattern(rf"{_SUBJECT}\s?,?\s?{_BE}{_SIGN}({_VALUE}){_AGAIN}{_END}")
_CLOSED = (
    r",?\s\(?(?:(?:both|with\sboth)\s)?(?:(?:ends|endpoints)\s)?(?:inclusive|included)\)?"
    r"|,?\sincluding\s(?:both|the)\s(?:ends|endpoints)"
)
_BETWEEN = as_pattern(
    rf"{_SUBJECT}\s{_BE}(?:(?P<open>strictly\s)between\s|between\s|from\s)({_VALUE})\s?(?:and|to)\s({_VALUE})"
    rf"(?P<closed>{_CLOSED})?"
    rf"(?:,?\sor\s{_BE}(?:(?(open)strictly\s)between|from)\s({_VALUE})\s?(?:and|to)\s({_VALUE})"
    rf"(?(closed)(?:{_CLOSED})))?(?(open)|(?(closed)|(?!))){_END}"
)
_EXCLUDED = as_pattern(
    rf"\b(?:strictly\s)?(?:between|from)\s({_VALUE})\s(?:and|to)\s({_VALUE})\s?,?\s\(?(?:both\s|with\sboth\s)?"
    r"(?:(?:ends|endpoints|of\sthem)\s)?(?:are\s)?(?:excluded|exclusive|not\sincluded)\)?"
)
_INTERVAL = as_pattern(
    rf"\b(?P<kind>open|closed)\sinterval\s(?:from|between)\s({_VALUE})\s(?:to|and)\s({_VALUE}){_END}"
)
_WITHOUT = as_pattern(
    rf"{_SUBJECT}\s?,?\s?{_BE}!=\s?"
    rf"({_EQUAL}(?:(?:\s?,|\s?(?:,\s)?(?:and|or)\s)\s?{_EQUAL}){{0,4}}){_END}"
)
_BUT = as_pattern(
    rf"(?:(?P<low>{_VALUE})\s?(?P<from><=|<)\s?)?(?<![\w\\^_])(?P<name>[a-zA-Z])\s?(?P<to><=|>=|<|>)\s?(?P<high>{_VALUE})"
    rf"\s?,?\s?(?:but\s)?!=\s?(?:for\s)?({_EQUAL}(?:(?:\s?,\s?|\s?,?\s?and\s){_EQUAL}){{0,4}}){_END}"
)
"""`0 <= x <= 5, except x = 2`."""
_EACH = as_pattern(_VALUE)
_END_OF_LINE = r"(?:[-−+]?\s?(?:∞|\\infty)|[-−]?\d+(?:\.\d+|/\d+)?)"
_ENDS = rf"\s?{_END_OF_LINE}\s?[,;]\s?{_END_OF_LINE}\s?"
_OPEN_OR_CLOSED = rf"([\[(]{_ENDS}[\])])"
_ANY_INTERVAL = rf"[\[(\]]{_ENDS}[\])\[]"
_UNION_AT_END = as_pattern(rf"({_ANY_INTERVAL}(?:\s?(?:∪|\\cup)\s?{_ANY_INTERVAL})+){_END}")
_FRENCH = as_pattern(rf"(?<=\s)(\]{_ENDS}[\]\[]|\[{_ENDS}\[){_END}")
_TWO_INTERVALS = as_pattern(
    rf"\b(?:on|in)\s(?:both\s)?{_OPEN_OR_CLOSED},?\s(?:and|or)\s(?:(?:on|in)\s)?{_OPEN_OR_CLOSED}{_END}"
)
_SIGNED = as_pattern(
    r"\b(?:[Aa]ll|[Aa]ny|[Ee]very)\s(?:the\s)?(non-?)?(positive|negative)\s(?:real\s(?:numbers?|values?)"
    rf"|reals)(?:\s[a-zA-Z])?{_END}"
)
_KIND = (
    r"(?:(?P<{0}kind>real|rational|complex|natural)\s(?:number|value)s?|reals"
    r"|(?P<{0}whole>integers?))"
)
_ALL_NUMBERS = as_pattern(
    rf"(?:\bis|=)\s?(?:ℝ|\\mathbb\s?\{{?R\}}?){_END}"
    r"|\b(?:all\s(?:of\s)?(?:the\s)?|(?:is|are)\s(?:the\s)?set\sof\s(?:all\s)?(?:the\s)?"
    rf"|\b[a-z]\s(?:can|may)\s(?:be|take)\s(?:any|every)\s){_KIND.format('')}(?:\s[a-z])?{_END}"
    rf"|\A\W*(?:(?:{SO}),?\s)?(?:every|any)\s{_KIND.format('each_')}\s(?:[a-z]\s)?"
    r"(?:works|is\sa\ssolution|satisfies\s(?:it|the\s(?:equation|inequality|condition)))"
    rf"(?:\s[a-z]+)?{_END}",
    re.I,
)
_SETS = {"real": "R", "rational": "Q", "complex": "C", "natural": "N"}
_ALONE = as_pattern(rf"\A{_OPEN_OR_CLOSED}{_END}")
"""Behind what leads to it: `at least 1 and less than 4, i.e. [1, 4)`."""
_EMPTY = as_pattern(
    rf"(?:\bset\s(?:[a-zA-Z]\s)?is|=)\s(?:\\?\{{\s?\\?\}}|∅|\\(?:emptyset|varnothing)\b){_END}"
)
_UNSURE = left_open_by(
    r"no|but|(?<!only\s)if(?!\sand\sonly)|unless|assum\w+|maybe|perhaps|fails?|violat\w+"
    r"|contradict\w*|or|when(?<!exactly\swhen)|wrong|false|some|than|without|outside",
    signs="?<>",
)
_SIGN_OF = {
    ("positive", False): ">", ("negative", False): "<",
    ("positive", True): "\\le", ("negative", True): "\\ge",
}  # fmt: skip
_LEADS = as_pattern(
    rf",?\s(?:i\.e\.|that\sis,|{SO}|which\s(?:means|gives)(?:\sthat)?"
    r"|(?:we|it)\s(?:get|obtain|have|follows\sthat)),?\s"
)
"""Behind it stands what a sentence comes to: `k^2 > 16 with k positive, that is, k > 4`."""
_CONFIDENCE = as_pattern(
    r"(?:\d\s?\\?%\sinterval|\b(?:confidence|credible|prediction|tolerance)\s(?:interval|band)|konfidenzintervall"
    r"|\bconfident\s(?:that\s)?|\bintervalle\sde\sconfiance|\bintervalo\sde\sconfian[zç]a"
    r"|\bintervallo\sdi\sconfidenza)\b[^.;]*?(?:\.\d[^.;]*?){0,4}"
    r"\b(?:from|between|von|zwischen|entre|de|da|tra)\s"
    r"(?P<low>[-−]?\d+(?:[.,]\d+)?)\s?%?\s(?:up\s)?(?:to|and|bis|und|à|a|et|y|e)\s"
    rf"(?P<high>[-−]?\d+(?:[.,]\d+)?)(?:\s?%|\s[a-z]+){{0,2}}{_END}",
    re.I,
)
"""An interval of which nobody asks whether its ends belong to it."""
_TWO_NUMBERS = as_pattern(r"([\[(])\s?[-−]?\d[\d.]*\s?,\s?[-−]?\d[\d.]*\s?([\])])")
_EXCEPT_WORD = as_pattern(
    rf"(?<=!=\s){alternatives(NUMBER_WORDS)}(?=[\s.!]*\Z|\s(?:and|or)\s|,)", re.I
)
"""What all numbers but one leave out: `all real numbers except zero`."""
_MAX_CHARS = 300


def condition(sentence: str) -> str | None:
    """Return the condition that a sentence ends with, in signs; None where it says none.

    >>> condition("The condition holds if and only if a is at most 2.")
    'a \\\\le 2'
    >>> condition("x is less than 3 or greater than 5"), condition("There are at most 2.")
    ('x < 3 or x > 5', None)
    >>> condition("x lies between 2 and 5, both included"), condition("x is between 2 and 5")
    ('2 \\\\le x \\\\le 5', None)
    """
    if len(sentence) > _MAX_CHARS:
        return None
    text = in_signs(sentence)
    if "exclu" in text or "not included" in text:
        text = _EXCLUDED.sub(r"strictly between \1 and \2", text)
    text = _LEADS.split(text)[-1]
    for pattern, written in _WRITTEN:
        if (found := pattern.search(text)) and not _UNSURE.search(text, 0, found.start()):
            return written(found)
    return None


def confidence_interval(gold: str, sentence: str) -> str | None:
    """Return the confidence interval that a sentence says, in the brackets of the gold answer.

    >>> confidence_interval("(1.5, 4)", "The 95% confidence interval runs from 1.5 to 4.")
    '(1.5, 4)'
    >>> confidence_interval("(1.5, 4)", "The temperature runs from 1.5 to 4.")
    """
    brackets = _TWO_NUMBERS.fullmatch(gold)
    if brackets is None or len(sentence) > _MAX_CHARS:
        return None
    text = _STYLE.sub(r"\1", sentence).replace("i.e.", "that is")
    found = _CONFIDENCE.search(text)
    if found is None or _UNSURE.search(text, 0, found.start("low")):
        return None
    low, high = (found[end].replace(",", ".") for end in ("low", "high"))
    return f"{brackets[1]}{low}, {high}{brackets[2]}"


def in_signs(sentence: str) -> str:
    """Return a sentence without style, with signs for the words that compare: `n >= 5`."""
    text = " ".join(_STYLE.sub(r"\1", sentence).split())
    for phrase, sign in _SIGNS:
        text = phrase.sub(sign, text)
    if "!= " in text:
        text = _EXCEPT_WORD.sub(lambda found: str(NUMBER_WORDS[found[0].lower()]), text)
    return text


def _set_of(found: re.Match[str]) -> str:
    whole = found["whole"] or found["each_whole"]
    name = "Z" if whole else _SETS[(found["kind"] or found["each_kind"] or "real").lower()]
    return f"\\mathbb{{{name}}}"


def _name(found: re.Match[str]) -> str:
    """Return what is bounded; the numbers of a set have no name, and `x` will do."""
    return found["name"] or found["of"] or "x"


def _bounds(found: re.Match[str]) -> str:
    name = _name(found)
    sign, value, link, again, other = found.groups()[-5:]
    first = f"{name} {_LATEX[sign]} {value}"
    if not link:
        return first
    return f"{first}{',' if link in ('and', 'but') else ' or'} {name} {_LATEX[again]} {other}"


def _between(found: re.Match[str]) -> str:
    sign = "\\le" if found["closed"] else "<"
    low, high, _, *again = found.groups()[-5:]
    first, second = (f"{a} {sign} {_name(found)} {sign} {b}" for a, b in ((low, high), again))
    return f"{first} or {second}" if all(again) else first


def _union(found: re.Match[str]) -> str:
    return f"{found[1]} \\cup {found[2]}"


def _interval(found: re.Match[str]) -> str:
    sign = "\\le" if found["kind"] == "closed" else "<"
    return f"{found[2]} {sign} x {sign} {found[3]}"


def _without(found: re.Match[str]) -> str:
    name = _name(found)
    return ", ".join(f"{name} \\ne {value}" for value in _EACH.findall(found.groups()[-1]))


def _bounds_but(found: re.Match[str]) -> str:
    name = found["name"]
    low = f"{found['low']} {_LATEX[found['from']]} " if found["low"] else ""
    bounds = f"{low}{name} {_LATEX[found['to']]} {found['high']}"
    return ", ".join([bounds, *(f"{name} \\ne {one}" for one in _EACH.findall(found.groups()[-1]))])


def _signed(found: re.Match[str]) -> str:
    return f"x {_SIGN_OF[found[2], bool(found[1])]} 0"


_LATEX = {"<=": "\\le", ">=": "\\ge", "<": "<", ">": ">"}
_WRITTEN: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (_BUT, _bounds_but), (_BOUNDED, _bounds), (_TWO_INTERVALS, _union), (_BETWEEN, _between),
    (_INTERVAL, _interval),
    (_WITHOUT, _without), (_ALONE, itemgetter(1)), (_UNION_AT_END, itemgetter(1)),
    (_FRENCH, itemgetter(1)), (_SIGNED, _signed), (_ALL_NUMBERS, _set_of),
    (_EMPTY, lambda found: "\\emptyset"),
)  # fmt: skip
