"""What a response says of the kind that its gold answer is of: parts, a date, a name or a word.

Only a gold of these kinds is asked for so: that `March 5` is the answer of `20 days later it is
March 5`, and neither 20 nor 5, no reader can tell who does not know that a date is wanted.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from rewardkit.verifiers.extraction.endings.unsettled import gives_up
from rewardkit.verifiers.extraction.endings.words_behind import without_words_behind
from rewardkit.verifiers.extraction.extract import extract
from rewardkit.verifiers.extraction.prose.spoken import said
from rewardkit.verifiers.extraction.prose.units_behind import with_unit_behind
from rewardkit.verifiers.extraction.text.boxes import BOX, find_boxes
from rewardkit.verifiers.extraction.text.courtesy import without_courtesy
from rewardkit.verifiers.extraction.text.plain import without_struck
from rewardkit.verifiers.extraction.wanted.assigned import assigned_in
from rewardkit.verifiers.extraction.wanted.classes import numbers_in
from rewardkit.verifiers.extraction.wanted.compounds import formula_in
from rewardkit.verifiers.extraction.wanted.conditions import condition, confidence_interval
from rewardkit.verifiers.extraction.wanted.hypotheses import decision_in
from rewardkit.verifiers.extraction.wanted.kinds import VALUE, base_of, kind_of, plain_words
from rewardkit.verifiers.extraction.wanted.labelled import (
    before_remark,
    gives,
    labelled,
    numbered_in,
    statistics_in,
    values_in,
)
from rewardkit.verifiers.extraction.wanted.last_words import said_elsewhere
from rewardkit.verifiers.extraction.wanted.lines import EQUATION, lines_in, rows_in
from rewardkit.verifiers.extraction.wanted.lists import list_in, listed
from rewardkit.verifiers.extraction.wanted.logic.quantified import quantified_in
from rewardkit.verifiers.extraction.wanted.logic.statements import necessity_in, statement_in
from rewardkit.verifiers.extraction.wanted.logic.symbols import symbols_in
from rewardkit.verifiers.extraction.wanted.notations import (
    based_in,
    bound_in,
    range_in,
    ratio_in,
    remainders,
)
from rewardkit.verifiers.extraction.wanted.options import chosen
from rewardkit.verifiers.extraction.wanted.points import DENIED, matrix_in, point_in
from rewardkit.verifiers.extraction.wanted.related import related_in
from rewardkit.verifiers.extraction.wanted.said_of import before_others, said_of_subject, verdict
from rewardkit.verifiers.extraction.wanted.times import clock_time, date_in, in_english, time_in
from rewardkit.verifiers.extraction.wanted.written import (
    function_in,
    functions_in,
    phrase_in,
    written,
)
from rewardkit.verifiers.options import MathOptions
from rewardkit.verifiers.parsing.forms.compounds import is_substance, without_states
from rewardkit.verifiers.parsing.forms.parts import part_texts, parts_of
from rewardkit.verifiers.parsing.spelling.decimals import with_points
from rewardkit.verifiers.vocabulary.alternatives import SO
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.characters import has_digit
from rewardkit.verifiers.vocabulary.numbers import NUMBER_WORDS, PARTS
from rewardkit.verifiers.vocabulary.patterns import LEFT_OPEN, alternatives, last_of
from rewardkit.verifiers.vocabulary.sought import holds_one

_MAX_CHARS = 3000
_ORDER = "abcdefgh"
_NEITHER = as_pattern(
    r"(?:is|are|\A|\{)\s?neither\s(?:an?\s)?([a-z-]+)\snor\s(?:an?\s)?([a-z-]+)"
    r"(?:\s[a-z]+)?\}?"
    r"(?:,?\s(?:since|because|as)\b[^.]*)?[.!]?\Z"
)
_NOT_SURE = as_pattern(
    r"\b(?:if|whether|maybe|perhaps|might|may|could|suppose|says?|claims?)\b", re.I
)
_NEXT_PART = as_pattern(
    r",?\s*(?:\b(?:and|while|whereas|but)\b)?(?:\s*\bthe\sanswer)?(?:\s*\b(?:for|in|to|of)\b)?(?:\s*\b(?:part|question))?\s*\Z",
    re.I,
)
"""What of a sentence leads on to the next part: `, and the answer to`."""
_NAMED = as_pattern(
    rf"(?<![\w\\])([a-zA-Z])\$?(?:-coordinate)?\s?(?:is|equals|=|be|:)\s(?:equal\sto\s)?\$?({VALUE})(?![\w.]*\d)"
)
_CHECKS = as_pattern(
    r"\W*(?:I\s(?:have\s)?(?:verified|checked)|(?:quick\s)?check:|verification:|both\sequations\s(?:hold|are\ssatisfied)"
    r"|this\s(?:satisfies|checks)|these\ssatisfy)\b(?!.*\b(?:not|fails?|wrong|false)\b)",
    re.I,
)
"""A last sentence that only checks the values before it."""
_COMPARED = as_pattern(r"[<>≤≥]|\\[lg](?:e|eq|t)(?![a-z])")
_OTHER = as_pattern(
    r"\W*(?:and\s)?(?:so\s)?the\s(?:other|second|third|remaining|last|next|latter)\b", re.I
)
_DECIMAL = as_pattern(r"\d\.\d")
_DECIMAL_COMMA = as_pattern(r"(?<![\d,])(\d+),(\d{1,2})(?![\d,])")
_EACH = as_pattern(VALUE)
_COUNT = rf"(\d+|\b{alternatives(NUMBER_WORDS)})"
_IN = as_pattern(rf"(?<![\d.,/]){_COUNT}\s(?:out\sof|in)\s(?:every\s)?{_COUNT}\b(?![.,/]\d)", re.I)
_GOES_ON = as_pattern(rf"[,;]\s(?:and\s)?(?:{SO}|which\smeans)\b")
_PART_OF = as_pattern(
    rf"\W*(?:(?:{SO}|exactly|only|just|about),?\s)*(?:half|an?\s"
    rf"{alternatives(name for name in PARTS if not name.endswith('s'))})\sof\s(?!.*(?:\d|\bof\b))",
    re.I,
)
"""`Exactly half of them are red.`"""
_LEADS_ON = as_pattern(
    rf"\b(?:{SO}|leav(?:es|ing)|remain(?:s|der)|(?:the|all)\s(?:other|rest)s?)\b", re.I
)
"""What leads from a share to another one."""
_WITH_REASON = as_pattern(r"\W*([^\W\d_]+),?\s(?:since|because)\b")
_IN_YEAR = as_pattern(
    r"\b(?:in|by|year)\s(?:the\s)?(?:year\s)?(1[89]\d\d|20\d\d)\b(?!\s[a-z]{4})", re.I
)
_CLOCK = as_pattern(r"(?:[01]?\d|2[0-3]):[0-5]\d")
_IN_DIGITS = as_pattern(r"\d:\d\d|\d\s?[ap]\.?m\b", re.I)
_SENTENCES = as_pattern(
    r"(?<=[^\W\d_][.!])(?<!\bi\.e\.)(?<!\be\.g\.)(?:(?<!\b[ap]\.m\.)|(?=\s+[A-Z]))\s+|\n+|(?<=\d[.!])\s+(?=[A-Z])"
)
_EACH_SENTENCE = as_pattern(r"(?<=[。！？])\s*|(?<=[\w)$*%][.!])\s+(?=[A-Z*])|\n+")


def wanted(gold: str, text: str, options: MathOptions) -> str | None:
    """Return the answer of the gold's kind that a text ends with; None for golds of other kinds.

    >>> wanted("March 5", "20 days from February 13, we reach March 5.", MathOptions())
    'March 5'
    >>> wanted("(a) 12 (b) 7", "(a) The length is 12.\\n(b) 7", MathOptions())
    '(a) 12 (b) 7'
    """
    kind = kind_of(gold)
    text = without_courtesy(text[-_MAX_CHARS:])
    if gives_up(text):
        return None
    if kind in ("formula", "words"):
        text = without_states(text)
    if kind == "parts":
        return _parts_in(text, parts_of(gold) or [], options)
    says = _SAYS.get(kind)
    return says(gold, text, _last_sentence(text)) if says else None


def seen(response: str) -> str:
    """Return the end of a response, without what it strikes through and thoughts before it."""
    thoughts, _, behind = response[-_MAX_CHARS:].rpartition("</think>")
    return without_struck(behind if behind.strip() else thoughts)


def boxed_in_sentence(gold: str, response: str) -> str | None:
    """Return the values of a gold list that a last sentence has in boxes, in different phrases.

    >>> boxed_in_sentence("4, 9", r"One is $\\boxed{4}$ and the other one is $\\boxed{9}$.")
    '4, 9'
    """
    text = response[-_MAX_CHARS:]
    last = _last_sentence(text)
    said = BOX.sub(r"\1", last)
    if asked := labelled(gold):
        return gold if len(BOX.findall(text)) > 1 and gives(asked, said) else None
    if kind_of(gold) == "named":
        boxes = find_boxes(text)
        if not boxes or LEFT_OPEN.search(text, boxes[0].end):
            return None
        each = [box.text for box in boxes]
        named = {row[1] for row in map(EQUATION.fullmatch, each) if row}
        return ", ".join(each) if len(named) == len(each) == gold.count("=") else None
    count = len(_EACH.findall(gold))
    return values_in(said, count) if len(BOX.findall(last)) == count else None


def _option_in(gold: str, text: str) -> str | None:
    """Return the option that a text settles on, as the gold's letters are written."""
    letter = chosen(text)
    return letter.lower() if letter and gold == gold.lower() else letter


def _year_in(sentence: str) -> str | None:
    years = _IN_YEAR.findall(sentence)
    return years[0] if len(years) == 1 else None


def _ratio_in(gold: str, sentence: str) -> str | None:
    """Return the ratio or the time of day that a sentence says; `twenty to seven` is either."""
    if _CLOCK.fullmatch(gold) and _IN_DIGITS.search(sentence):
        return time_in(sentence)
    ratio, clock = ratio_in(sentence), clock_time(sentence)
    return clock if clock == gold else ratio or clock


def _fraction_in(sentence: str) -> str | None:
    """Return the share that a sentence says, `3 out of 8`, `half of them`."""
    if part := _PART_OF.match(sentence):
        return str(PARTS[part[0].lower().split()[-2]])
    pairs = list(_IN.finditer(sentence))
    if len(pairs) != 1 or _GOES_ON.search(sentence) or _LEADS_ON.search(sentence, pairs[0].end()):
        return None
    counted, among = (NUMBER_WORDS.get(count.lower(), count) for count in pairs[0].groups())
    return f"{counted}/{among}" if str(among).strip("0") else None


def _list_in(gold: str, text: str) -> str | None:
    """Return as many values as a gold list has, where it has decimals with commas before them."""
    count = len(_EACH.findall(gold))
    if "." in gold and "," in text and not _DECIMAL.search(text):
        text = _DECIMAL_COMMA.sub(r"\1.\2", text)
    text = before_remark(text)
    last = _last_sentence(text)
    if _OTHER.match(last) and len(ends := _EACH_SENTENCE.split(text.strip())) > 1:
        last = f"{ends[-2].rstrip(' .!')}, {last}" if not LEFT_OPEN.search(ends[-2]) else last
    return lines_in(text, count) or values_in(last, count) or numbered_in(last, count)


def _words_in(words: str, text: str) -> str | None:
    """Return what a text says in the end where a few words are asked for, or a name."""
    if words.lower().startswith("neither"):
        return _neither_in(words, _last_sentence(text))
    if (first := _WITH_REASON.match(text)) and first[1].lower() == words.lower():
        return words
    last = _last_sentence(text)
    if is_substance(words) and (formula := formula_in(last)):
        return formula
    says = said_elsewhere(words, last) or said_of_subject(words, text)
    if says != words:
        whole = text.strip()
        before = before_others(text) if words.istitle() else None
        before = before or without_words_behind(whole)
        return (said_of_subject(words, before) if before != whole else None) or says
    return says


def _neither_in(words: str, sentence: str) -> str | None:
    neither = _NEITHER.search(sentence)
    if neither is None or _NOT_SURE.search(sentence):
        return None
    return "neither" if words.lower() == "neither" else f"neither {neither[1]} nor {neither[2]}"


def _last_sentence(text: str) -> str:
    """Return the last sentence of a text; of those on lines before the last, nothing is read."""
    text = text.strip()
    line = text.rfind("\n")
    if line < 0:
        return _SENTENCES.split(text)[-1]
    return _SENTENCES.split(text[max(0, len(text[:line].rstrip()) - 2) :])[-1]


def _named_in(text: str, count: int) -> str | None:
    """Return the values that a last sentence gives to so many unknowns, `x = 2, y = 1`."""
    *before, last = _EACH_SENTENCE.split(text.strip())
    if before and _CHECKS.match(last):
        text = text.strip()[: -len(last)]
    named = _NAMED.findall(with_points(_last_sentence(text)))
    if 0 < len(named) < count and len(ends := _EACH_SENTENCE.split(text.strip())) > 1:
        said = " ".join(ends[-count:])
        named = [] if LEFT_OPEN.search(said) else _NAMED.findall(with_points(said))
    several = len(named) == count == len({name for name, _ in named})
    return ", ".join(f"{name} = {value}" for name, value in named) if several else None


def _set_in(gold: str, text: str, last: str) -> str | None:
    """Return the condition, the points, the order or the remainders that a sentence ends with."""
    named = _named_in(text, gold.count(",") + 1)
    found = confidence_interval(gold, last) or condition(last) or named or point_in(last)
    if not found and _COMPARED.search(last):
        found = written(last)  # `so the order is c < b < a`
    return found or (remainders(last) if "mod" in last else None)


def _parts_in(text: str, golds: list[str], options: MathOptions) -> str | None:
    parts = part_texts(text, len(golds))
    if parts is None and (listed := values_in(_last_sentence(text), len(golds))):
        parts = listed.split(", ")
    pairs = zip(golds, parts or (), strict=bool(parts))
    found = [_answer_of_part(gold, part, options) for gold, part in pairs]
    if not found or not all(found):
        return None
    return " ".join(f"({_ORDER[k]}) {text}" for k, text in enumerate(found))


def _answer_of_part(gold: str, part: str, options: MathOptions) -> str:
    """Return what a part answers: the word or value that it is said with, or its gold's phrase."""
    part = _NEXT_PART.sub("", part.strip(" \n*;,|；，、"))
    if kind_of(gold) in ("phrase", "words") and (says := wanted(gold, part, options)):
        return says
    if word := said(part) or verdict(part):
        return word
    found = extract(part, options)
    if found is None:
        return ""
    value = found.text.rpartition("=")[2].strip()
    chain = found.text.count("=") > 1 and not holds_one(found.text, (", ", " or "))
    worked_out = found.by == "last formula" and chain and has_digit(value)
    return with_unit_behind(value, part) if worked_out else found.text


def _labelled_in(gold: str, text: str) -> str | None:
    """Return the gold answer where the last sentence, or one for each label, say it all."""
    asked = labelled(gold)
    if asked is None:
        return None
    sentences = _EACH_SENTENCE.split(text.strip())
    goes_on = last_of(_GOES_ON.finditer(sentences[-1]))
    concluded = sentences[-1][goes_on.end() :] if goes_on else ""
    seen = (sentences[-1], ", ".join(sentences[-len(asked.labels) :]), concluded)
    return gold if any(gives(asked, part) for part in seen) else None


_SAYS: dict[str, Callable[[str, str, str], str | None]] = {
    "year": lambda gold, text, last: _year_in(_last_sentence(without_words_behind(text))),
    "range": lambda gold, text, last: range_in(last),
    "fraction": lambda gold, text, last: _fraction_in(last),
    "formula": lambda gold, text, last: formula_in(last),
    "matrix": lambda gold, text, last: matrix_in(last),
    "time": lambda gold, text, last: time_in(last) or clock_time(last),
    "remainder": lambda gold, text, last: remainders(last) or written(last),
    "ratio": lambda gold, text, last: _ratio_in(gold, last),
    "base": lambda gold, text, last: based_in(last, base_of(gold)),
    "bound": lambda gold, text, last: bound_in(gold, last),
    "symbols": lambda gold, text, last: symbols_in(gold, last),
    "quantified": lambda gold, text, last: quantified_in(gold, last),
    "statement": lambda gold, text, last: statement_in(gold, last),
    "numbers": lambda gold, text, last: numbers_in(gold, last),
    "assigned": lambda gold, text, last: assigned_in(gold, text, last),
    "decision": lambda gold, text, last: decision_in(gold, last),
    "related": lambda gold, text, last: related_in(gold, last),
    "necessity": lambda gold, text, last: necessity_in(gold, last),
    "phrase": lambda gold, text, last: phrase_in(gold, last),
    "words listed": lambda gold, text, last: list_in(listed(gold), last),
    "words": lambda gold, text, last: _words_in(plain_words(gold) or "", text),
    "option": lambda gold, text, last: _option_in(gold, text),
    "list": lambda gold, text, last: _list_in(gold, text),
    "labelled": lambda gold, text, last: _labelled_in(gold, text),
    "named": lambda gold, text, last: (
        _named_in(text, gold.count("="))
        or statistics_in(gold, last)
        or rows_in(text, gold.count("="))
    ),
    "written": lambda gold, text, last: (
        rows_in(text, gold.count("="))
        or functions_in(gold, last)
        or written(last)
        or function_in(last)
    ),
    "set": _set_in,
    "date": lambda gold, text, last: date_in(_SENTENCES.split(in_english(text)), DENIED),
}
"""Kind of a gold answer -> what a text says of it, whose last sentence is given as well."""
