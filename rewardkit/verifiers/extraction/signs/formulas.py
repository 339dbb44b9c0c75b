"""An answer that is a formula: the last one, the number that it is, what is bold behind it.

One with a parameter may be called whole by words behind it: `$x = 7k+3$ for any integer $k$`.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.endings.choosing import UNSURE
from rewardkit.verifiers.extraction.endings.ending import Ending
from rewardkit.verifiers.extraction.endings.last_sentences import NEXT_SENTENCE, number_in
from rewardkit.verifiers.extraction.marked import NOTHING, Found
from rewardkit.verifiers.extraction.prose.claims import claims_at
from rewardkit.verifiers.extraction.prose.denials import is_negated, is_part
from rewardkit.verifiers.extraction.prose.doubts import is_hedged
from rewardkit.verifiers.extraction.prose.sentences import MORE
from rewardkit.verifiers.extraction.prose.units_behind import unit_behind
from rewardkit.verifiers.extraction.signs.alone import is_answer
from rewardkit.verifiers.extraction.text.boxes import CONNECTING
from rewardkit.verifiers.extraction.text.formulas import concluded, inside
from rewardkit.verifiers.extraction.text.number_words import NUMBER_IN_WORDS, value_in_words
from rewardkit.verifiers.vocabulary.alternatives import BECAUSE, SO
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.characters import has_digit
from rewardkit.verifiers.vocabulary.numbers import NUMBER_WORDS
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.units import PERCENT

_BOLD_LAST = as_pattern(r"\*\*([^*\n]{1,80}?)\.?\*\*(?:\s[a-z]+){0,2}[.!]?\s*\Z")
_MAX_BOLD, _FEW = 300, 3
_BOLD_VALUE = as_pattern(
    r"\*\*(?P<value>[-−]?[$€£]?\d(?:[\d.,/:]*\d)?\s?%?|(?=[a-zA-Z])(?P<words>[a-zA-Z-]+(?:\s[a-z-]+){0,6}?))"
    r"(?P<unit>(?:\s[a-z]{2,}){0,2})[.!]?\*\*[.!]?\s*\Z"
)
"""All that a last sentence sets in bold type, at its end: `she pays **forty-five dollars**`."""
_BOLD_BEFORE = as_pattern(
    rf"(?:\b(?:is|are|equals)|[=:])\s\*\*([^*\n]{{1,80}}?)\.?\*\*(?:,?\s(?:with|{BECAUSE}|where)\s[^*\n.!?]*)[.!]?\s*\Z"
)
"""One with a formula behind it that says of what or why: `is **11**, with $11^2 = 121$`."""
_CONCLUDES_NEXT = as_pattern(
    rf"(?:[^.!?\n$]{{0,120}}?[,;])?[\s,;]*(?:(?:{SO})(?!\sthat\b)|which\smeans|meaning)\b"
)
_OVER = as_pattern(r"\b(?:runs?|ranges?|var(?:ies|y))\sover\s\$?\Z")
_CONDITION = as_pattern(
    rf"[^.!?\n]{{0,40}}\b(?:when|({BECAUSE})|at|for|with|where)\s++(?:(?:arbitrary|real|any|some|two|free)\s){{0,2}}(?:\w{{1,10}}\s)?\Z",
    re.I,
)
_ABOUT = as_pattern(r",?\s(?:or|which\sis)\s(?:about|approximately|roughly|around)\s")
_OF_NAMED = as_pattern(r"\s(?:of|times)(?:\sthat\sof)?\s")
_IN_BRACKETS = as_pattern(r"\s\((?:and|so|with|then)\s(?:so\s|thus\s|then\s|hence\s)?")
_OF_WHOLE = as_pattern(r"\s(?:out\s)?of\s(?:the|these|those|all)\s(?:[a-z]+\s)?")
_AMONG = as_pattern(
    r"\s(?:[a-z]+\s){1,4}(?:in\sthe\s[a-z]+\s)?(?:(?:that|which)\sare\s)?"
    r"(?:below|above|under|over|up\sto|between|(?:less|greater|smaller|larger)\sthan(?:\sor\sequal\sto)?)\s"
)
_NOUN = as_pattern(r"\s(?:[a-z]+\s){0,2}(?!times|plus|minus)[a-z]{3,}s\s")
_NAME = as_pattern(r"[({]?[a-zA-Z](?:_\w)?(?:\s*,\s*[a-zA-Z](?:_\w)?)*[)}]?")
"""Unknowns: `$8$ pairs $(x, y)$` says which pairs they are."""
_THERE_ARE = as_pattern(
    r"\bthere\s(?:are|exist|must\sbe)\s(?:(?:then|thus|therefore|exactly|only|in\s(?:all|total))\s){0,2}\Z",
    re.I,
)
_OF_WHAT = as_pattern(
    r"\s(?:[a-z-]+\s){0,2}[a-z]{3,}s\s(?:of|in|on|from)\s(?:(?:the|an?|any)\s)?(?:[a-z]+\s)?"
)
"""What is counted by an expression, of what: `There are $2^n$ subsets of $A$`."""
_COUNT = as_pattern(r"(?:.*=\s*)?\d+")
_GIVEN = as_pattern(r"\b(?:since|because|given|for|when|if|with|as)\s*\Z", re.I)
_HOLDS_WHEN = as_pattern(
    r"(?<!not\s)\b(?:holds?|(?:is|are)\s(?!not\b|un|false\b|wrong\b|violated\b)[a-z]+)\s(?:exactly\s|precisely\s|only\s)?(?:when|if)\s\$?\Z"
)
"""What a condition is the answer of: `The inequality holds when $x < 1$ or $x > 4$`."""
_BOUNDS = as_pattern(r"[<>≤≥]|\\[lg](?:e|eq|t)\b")
_COMES_TO = as_pattern(
    r"[^.;:\d$\n]*(?:\s\d[\d.,]*\s[^.;:\d$\n]*)?,\s(?:leaving|making|giving|which\s(?:leaves|makes|gives))"
    r"\s(?:(?:us|them|him|her|only|just|exactly|a\stotal\sof)\s){0,2}(-?\d(?:[\d.,/]*\d)?)(?:\s[a-z]+){0,2}[.!]?\s*"
)
"""What a sentence makes of its formula in plain numbers: `, from which 1 is taken, leaving 63`."""
_OR = as_pattern(r"[$\s,)\\]*or\b")
_PLACED = as_pattern(
    r"\b(?:at|by|where|let|setting|since|because|given|for|when|if|with|as)\s*\Z", re.I
)
_STATES = as_pattern(
    r"(?:\b(?:is|are|equals|(?:simplifies|evaluates|reduces|converges)\sto)"
    r"(?:\s(?:therefore|thus|hence|then|exactly|just|indeed|clearly))?|=)\s*\Z"
)
_PERCENT = as_pattern(rf"\s*{PERCENT}")
_FOR_ALL = as_pattern(
    r",?\s\(?(?:(?:(?<=\()|(?:for|where|with|and)\s)(?:(?:any|all|every|each|an?|some|arbitrary"
    r"|positive|integers?|whole|natural|numbers?)\s){0,4})"
)
_IS_INTEGER = as_pattern(
    r"(?:\s(?:(?:is|are|being)\s)?(?:(?:an?y?|arbitrary|some|positive|non-?negative)\s){0,3}(?:integers?"
    r"|(?:whole|natural)\snumbers?))?\)?[\s.!]*\Z"
)
_HOLDS = as_pattern(
    r",?\s(?:(?:for|where|with|when|provided)\s(?:that\s)?\$[a-zA-Z]\s*\\neq?\s*[^$=]{1,20}\$"
    r"|for\s(?:all|any|every|each)\s(?:real\s)?(?:numbers?\s)?\$[a-zA-Z]\$"
    r"|for\s(?:all\s|any\s|every\s|each\s)?(?:integers?\s)?\$n\s*\\geq?\s*\d\$"
    r"|(?:for|where|with)\s(?:(?:an?|any|some|arbitrary|real|all)\s){0,3}"
    r"(?:constants?\s|numbers?\s|values?\s)?\$[a-zA-Z](?:\s*\\in\s*\\mathbb\s*\{?R\}?)?\$)"
)
"""For which values of an unknown an expression holds: `for all $x$`."""
_IS_ANY = as_pattern(
    r"(?:is\s)?(?:an?y?\s)?(?:arbitrary\s)?(?:real|constant|real\s(?:constant|number))"
)
"""What is said behind such an unknown: `where $c$ is any constant`."""
_ANY = ("any ", "an arbitrary ", "arbitrary ")
"""What a parameter is called behind a comma alone: `$(t, 2t)$, $t$ any integer`."""
_PARAMETER = as_pattern(r"\s*([a-zA-Z])\s*(?:\\in\s*\\mathbb\s*\{?\s*([ZN])\s*\}?\s*)?")


_SAID_LATER = as_pattern(
    rf"\b(?:{SO})\b[^.!?\n\d]*\b(?:is|are|equals)\s(?:(?:exactly|only|just)\s)?"
    rf"(?:(?:negative|minus)\s{alternatives(NUMBER_WORDS)}"
    rf"|{alternatives(NUMBER_WORDS.keys() - {'one'})})\W*\Z",
    re.I,
)
"""A number in words that a later sentence concludes: `Thus the difference is minus one.`"""


def bold_end(end: Ending) -> Found | None:
    """A response that ends in bold type after its last formula."""
    if not end.formulas or "**" not in end.tail[-_MAX_BOLD:]:
        return None
    bold = _BOLD_LAST.search(end.tail, end.formulas[-1].end())
    bold = bold or _BOLD_BEFORE.search(end.tail, max(0, len(end.tail) - _MAX_BOLD))
    if bold is None or not is_answer(bold[1]):
        return None
    return Found(bold[1] + unit_behind(end.tail, bold.end(1) + 2), "last in bold")


def bold_value(end: Ending) -> Found | None:
    """A sentence of several numbers whose last stands in bold type, as nothing else does."""
    if end.formulas or "**" not in end.tail[-4:]:
        return None
    sentence = end.sentences[-1]
    bold = _BOLD_VALUE.search(end.tail, max(0, len(end.tail) - _MAX_BOLD))
    start = len(end.tail) - len(sentence)
    if bold is None or sentence.count("**") != 2 or not number_in(end.tail[start : bold.start()]):
        return None
    value, unit = bold["value"], bold["unit"]
    if bold["words"]:
        held = end.tail[bold.start("words") : bold.end("unit")]
        said = NUMBER_IN_WORDS.match(held)
        number = value_in_words(said) if said else None
        if said is None or number is None:
            return None
        value, unit = str(number), held[said.end() :]
    if is_hedged(sentence) or not claims_at(end.tail, bold.start(), bold.end("unit")):
        return None
    return Found(f"{value}{unit}" if len(unit.split()) < _FEW else value, "last in bold")


def last_formula(end: Ending) -> Found | None:
    """The last formula, or the last few of one breath, when no number is in a later sentence."""
    if not end.formulas or _number_follows(end.tail, end.formulas[-1].end()):
        return None
    tail, formulas = end.tail, list(end.formulas)
    if len(formulas) > 1 and (family := _family_of(tail, *formulas[-2:])):
        doubted = UNSURE.search(end.sentence_before(formulas[-2].start()))
        return NOTHING if doubted else Found(family, "last formula")
    after = tail[formulas[-1].end() :]
    while beside := _beside(end, formulas):
        about = _ABOUT.match(tail, formulas[-beside - 1].end())
        del formulas[-beside:]
        after = "" if about else tail[formulas[-1].end() :]
    last = formulas[-1]
    group = _together(tail, formulas)
    holds = _HOLDS_WHEN.search(tail, 0, group[0].start())
    either = all(_BOUNDS.search(one[0]) for one in group) and _OR.match(tail, group[0].end())
    while (
        len(group) > 1
        and not (either and holds)
        and _GIVEN.search(tail, max(0, group[0].start() - 20), group[0].start())
    ):
        del group[0]
    if any(is_negated(tail[max(0, one.start() - 40) : one.start()]) for one in (group[0], last)):
        return NOTHING
    if comes_to := _COMES_TO.fullmatch(after):
        return Found(comes_to[1], "last formula")
    if not claims_at(tail, group[0].start(), last.end()):
        return NOTHING
    answer = (" or " if either else ", ").join(concluded(inside(one)) for one in group)
    if len(group) == 1:
        before = tail[max(0, last.start() - 60) : last.start()]
        over = _OVER.search(before) and inside(last)[:1] in ("[", "(")
        if is_part("" if over else before, after[:200]):
            return NOTHING
        answer += "\\%" if _PERCENT.match(after) else ""
    return Found(answer, "last formula")


def _together(tail: str, formulas: list[re.Match[str]]) -> list[re.Match[str]]:
    """Return the last formulas of a text that commas and the like join: `$x=3$ and $y=5$`."""
    group = [formulas[-1]]
    for formula in reversed(formulas[:-1]):
        between = tail[formula.end() : group[0].start()]
        if not (CONNECTING.match(between) and len(between) < 30 and "\n" not in between):
            break
        if ";" in between and ("=" in formula[0]) != ("=" in group[0][0]):
            break  # `the roots are $1$ and $2$; $y = Ae^x + Be^{2x}$`
        group.insert(0, formula)
    return group


def _beside(end: Ending, formulas: list[re.Match[str]]) -> int:
    """Return how many of the last formulas only say where, or of what, the one before holds."""
    tail, several = end.tail, len(_together(end.tail, formulas))
    if several == len(formulas):
        return 0
    value, first, last = formulas[-several - 1], formulas[-several], formulas[-1]
    between, rest = tail[value.end() : first.start()], tail[end.formulas[-1].end() :]
    if has_digit(rest) or UNSURE.search(end.sentence_before(value.start())):
        return 0
    if _ABOUT.fullmatch(between):
        return several
    counts = _COUNT.fullmatch(inside(value).strip()) is not None
    if counts and (
        _OF_WHOLE.fullmatch(between) or _AMONG.fullmatch(between) or _names(between, first)
    ):
        return several
    near = tail[max(0, value.start() - 40) : value.start()]
    if (
        _OF_WHAT.fullmatch(between)
        and _NAME.fullmatch(inside(first).strip())
        and _THERE_ARE.search(near)
    ):
        return several
    if _IN_BRACKETS.fullmatch(between) and rest.startswith(")"):
        return several
    of_name = _OF_NAMED.fullmatch(between) and _NAME.fullmatch(inside(first).strip())
    if (
        of_name
        and "?" not in rest
        and has_digit(value[0])
        and _STATES.search(tail, 0, value.start())
    ):
        return several
    condition = _CONDITION.fullmatch(between)
    if not condition or MORE.search(tail, value.end(), last.start()):
        return 0
    if not condition[1] and MORE.search(rest):
        return 0
    near = tail[max(0, value.start() - 20) : value.start()]
    stated = _STATES.search(near) or ("=" in value[0] and not _PLACED.search(near))
    before = formulas[-several - 2] if len(formulas) > several + 1 else None
    named = before and _names(tail[before.end() : value.start()], value)
    return several if stated or named or (counts and _NOUN.match(f"{between} ")) else 0


def _names(between: str, formula: re.Match[str]) -> bool:
    """Return whether a formula names what is counted before it: `$8$ pairs $(x, y)$`."""
    return bool(_NOUN.fullmatch(between) and _NAME.fullmatch(inside(formula).strip()))


def _number_follows(tail: str, end: int) -> bool:
    """Return whether a later sentence than that of the last formula, or `so ...`, has a number."""
    display = tail.endswith(("$$", "\\]"), 0, end)
    stop = None if display else _CONCLUDES_NEXT.match(tail, end) or NEXT_SENTENCE.search(tail, end)
    if stop and _SAID_LATER.search(tail, end):
        return True
    return bool(stop or display) and number_in(tail, stop.end() if stop else end)


def _family_of(tail: str, value: re.Match[str], last: re.Match[str]) -> str | None:
    """Return `x = 7k+3, k \\in \\mathbb{Z}` of `$x = 7k+3$ for any integer $k$`, else None."""
    rest = tail[last.end() :].strip(" .!\n")
    between = tail[value.end() : last.start()]
    if _HOLDS.fullmatch(tail, value.end(), last.end()) and (not rest or _IS_ANY.fullmatch(rest)):
        return inside(value)
    parameter = _PARAMETER.fullmatch(inside(last))
    any_value = between == ", " and rest.startswith(_ANY)
    if parameter and any_value and parameter[1] in inside(value) and _IS_ANY.fullmatch(rest):
        return inside(value)
    if parameter is None or parameter[1] not in inside(value):
        return None
    around = between + tail[last.end() :]
    positive = "positive" in around or "natural" in around
    is_whole = parameter[2] or positive or "integer" in around
    if (
        not is_whole
        or not (any_value or _FOR_ALL.fullmatch(between))
        or not _IS_INTEGER.match(tail, last.end())
    ):
        return None
    domain = parameter[2] or ("N" if positive else "Z")
    return f"{inside(value)}, {parameter[1]} \\in \\mathbb{{{domain}}}"
