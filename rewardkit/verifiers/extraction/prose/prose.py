"""What prose says where an answer belongs: what the main clause of its last sentence states.

`Austin picked a total of 24 bags of fruit.` says 24. What a sentence says beside its statement is
put aside in this order: mark-up and the turns of an invented dialogue; remarks and reasons behind
it; sentences before the last one that states a number; then what `stated_in` cuts from that one.
A sentence that doubts or refuses states nothing.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.prose.behind import TAKES_BACK, without_reasons, without_remarks
from rewardkit.verifiers.extraction.prose.clauses import stated_in
from rewardkit.verifiers.extraction.prose.comparisons import compares
from rewardkit.verifiers.extraction.prose.cutter import after
from rewardkit.verifiers.extraction.prose.doubts import HEDGE, is_hedged, without_premise
from rewardkit.verifiers.extraction.prose.in_signs import NUMBERS, RELATIONS
from rewardkit.verifiers.extraction.prose.in_words import STATED_IN_WORDS, number_in_words
from rewardkit.verifiers.extraction.prose.wholes import VALUE
from rewardkit.verifiers.extraction.text.formulas import FORMULA, inside
from rewardkit.verifiers.extraction.text.number_words import with_counts, with_parts, with_two_units
from rewardkit.verifiers.extraction.text.plain import without_money, without_tags, without_turns
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.characters import CJK
from rewardkit.verifiers.vocabulary.patterns import alternatives, last_of
from rewardkit.verifiers.vocabulary.phrases import CONCLUSIONS
from rewardkit.verifiers.vocabulary.sought import NEAR, Sought

_MAX_CHARS = 1500
"""Of prose, its end is read."""
_MAX_SENTENCES = 8
"""So many sentences without a number may follow the one that states it."""
_WORD = as_pattern(r"(?<![\\\w])(?:[^\W\d_]{2,}|[\u0900-\u0dff]{2,})")
_CONCLUDED = as_pattern(rf"\W*{alternatives(CONCLUSIONS)}\b", re.I)
_SPEAKS = Sought(r"\b(?:equals?|negative)\s")
_CJK = as_pattern(f"[{CJK}]")
_SENTENCE_END = as_pattern(
    r"[.!?;,\n？。！](?:(?<=[\n。！?？])"
    r"|(?<!\b[eE]\.g\.)(?<!\bi\.e\.)(?<!\d\s[ap]\.m\.)(?<!\bvs\.)(?<!\bM[rs]\.)(?<!\bMrs\.)(?<!\bDr\.)(?<=[^\W\d_][.!])(?=\s|$|[A-Z])"
    r"|(?<=[\d)\]}$%*\"'][.!])(?=\s|$)|(?<=;)\s|(?<=\.\.\.)(?=\s[A-Z])"
    r"|(?<=,)\s(?=but\s(?:since|because|as)\s[^.]*\d|and\s(?:since|because|as)\s[^.,]*,\s[^.]*\d)"
    r"|(?<=,)\s(?=(?:and|but)\s[^.=]{0,80}\bat\s\d{1,2}:\d\d|(?:and\s)?(?:so|thus|hence|therefore)\s(?!that\b)"
    r"|and\s[^,.=]{0,60}\b(?:he|she|they|we)\s[a-z]+\s[^,.=]{0,30}\d))"
)
"""It begins with the signs that it may be, or every place would be tried."""
EXAMPLE = Sought(
    r",?\s?\(?\b(?:for example|for instance|such as|e\.g)\b|,\s(?:like|say),?\s(?=\S?\d)"
)
"""What leads to values that are no statement."""
_RATE = Sought(
    r"(?<=[a-z])(?:\s?[:;–—-]|,?\swhich\sis|\s\[)\s?(?:that\sis\s"
    r"|at\s)?\$?\d[\d.,]*\s(?:[a-z]+\s){0,2}?(?:each|per|every|apiece)\b[^.=\n]*(?=[.\]!]*\s*\Z)"
)
"""What a total is made of, behind it: `150 eggs: 25 each day for 6 days`."""
_OF_TWO = as_pattern(r"\W*\$?\d[\d.,]*\s[^\d:]{1,40}\s\d[\d.,]*\s[a-z]+:\s")
"""What a rate follows from, before it: `90 miles in 2 hours: 45 miles per hour`."""
_STEP = as_pattern(r"\A\W*[Ss]tep\s\d+\s?[:.)]\s++(?=\D*[a-zA-Z]{2}\D*\d)")
"""What numbers a sentence: `Step 3: Therefore, 280 are left`."""
_BRACKETS = as_pattern(r"(?:[a-z]\s*(?:=|\\in)\s*)?(?:\\left)?(?:\\\{|[(\[][^()\[\]]*,)")
_IS_FORMULA = as_pattern(
    r"\b(?:is|are|equals|be|becomes|gives|get|to|of)\s+(?:then\s|thus\s|just\s|simply\s)?\Z"
)
_POWERED = as_pattern(
    r"\^(?:(?<=[\s/·*⋅\d][kcdmn]m\^)|(?<=[\s/·*⋅\d](?:ft|in|yd|mi)\^)|(?<=[\s/·*⋅\d][ms]\^))"
    r"\{?(-?[123])\}?(?!\w)"
)
"""Of a unit, the power is no value: `25 kg m/s^2`."""
_RAISED = str.maketrans("-123", "⁻¹²³")
_NAMED = Sought(
    r"\banswer(?:\s(?:to|for|of)\b[^.\n]{1,120}?)?\s*(?:is|would be(?![^.]*\bif\b)|:|=)"
)
"""What names the answer among the sentences of a longer text."""


def is_prose(text: str) -> bool:
    """Return whether a text speaks rather than calculates."""
    if (not text.isascii() and _CJK.search(text)) or _CONCLUDED.match(text):
        return True
    word = _WORD.search(text, 0, 400)
    second = word and _WORD.search(text, word.end(), 400)
    return second is not None or _SPEAKS.search(text, 0, 400) is not None


def statement(text: str, *, is_tail: bool = False) -> str | None:
    """Return the quantity that prose states in the end, or None where it states none.

    The tail of an `Ending` is without remarks and reasons, and its numbers are in digits.

    >>> statement("Austin picked 13 and 11 bags. So that is a total of 24 bags of fruit.")
    '24'
    >>> statement("Janet could save 2 albums for $20."), statement("It might be 24.")
    ('2', None)
    """
    if not is_prose(text):
        return None
    text = without_tags(without_turns(text)[-_MAX_CHARS:])
    text = text[text.rfind("\\end{") + 1 :]
    if not is_tail:
        text = without_reasons(with_counts(with_parts(without_remarks(text))))
    if "\\begin" in text:
        return None
    written = text[:-NEAR] + _without_rate(with_two_units(text[-NEAR:]))
    text = after(NUMBERS, without_money(written))
    if "^" in text:
        text = _POWERED.sub(lambda power: power[1].translate(_RAISED), text)
    formulas = list(FORMULA.finditer(text)) if "$" in text or "\\" in text else []
    if formulas:
        if (formula := _last_formula(text, formulas[-1])) is not None:
            return formula
        text = _bare(text, formulas)
    value = _last_stated(_sentences(after_name(after(RELATIONS, text))))
    return _as_money(value, written) if value else None


def _last_stated(sentences: list[str]) -> str | None:
    """Return what the last of some sentences states that holds a number, or that says one."""
    sentences = [sentence for sentence in sentences if sentence.strip()]
    if sentences and (value := _ends_in_words(sentences[-1])):
        return value
    for part in reversed(sentences[-_MAX_SENTENCES:]):
        example = EXAMPLE.search(part)
        sentence = part[: example.start()] if example else part
        if VALUE.search(sentence):
            if compares(sentence):
                continue
            sentence = without_premise(_STEP.sub("", sentence, count=1))
            return None if is_hedged(sentence) else stated_in(sentence)
        if TAKES_BACK.search(sentence) or (example and HEDGE.search(sentence)):
            return None
    if not sentences:
        return None
    return number_in_words(sentences[-1], doubted=HEDGE.search(sentences[-1]) is not None)


def _sentences(text: str) -> list[str]:
    """Return a text's sentences without what ends them, but for a question mark."""
    found, start = [], 0
    for end in _SENTENCE_END.finditer(text):
        found.append(text[start : end.start() + (end[0] in "?？")])
        start = end.end()
    return [*found, text[start:]]


def after_name(text: str) -> str:
    """Return what follows the last name of an answer in a sentence, `the answer to it is`."""
    named = last_of(_NAMED.finditer(text))
    return text[named.end() :] if named and VALUE.search(text, named.end()) else text


def _without_rate(text: str) -> str:
    """Return a text without what the total is made of that it ends with."""
    end = text.rstrip().rstrip(".]!")
    last = end[max(map(end.rfind, ".=\n")) + 1 :]  # a rate goes on to the end from there
    return _RATE.sub("", text) if _RATE.may_be_in(last) and not _OF_TWO.match(last) else text


def _as_money(value: str, written: str) -> str:
    """Return an amount with the dollar sign it was written with, where a word multiplies it."""
    if not value[-1].isalpha() or f"${value}" not in written:
        return value
    return f"\\${value}"


def _last_formula(text: str, last: re.Match[str]) -> str | None:
    """Return a set, interval, point or unknown that a text ends with, which no digits tell."""
    if text[last.end() :].strip(" .!*\n"):
        return None
    before = _sentences(text[: last.start()])[-1]
    found = inside(last).strip()
    if HEDGE.search(before):
        return None
    if _BRACKETS.match(found):
        return found
    named = _IS_FORMULA.search(before) is not None and not any(c.isdigit() for c in found)
    return found.rsplit("=", 1)[-1] if named else None


def _bare(text: str, formulas: list[re.Match[str]]) -> str:
    """Return a text with its formulas without the signs around them."""
    pieces, end = [], 0
    for formula in formulas:
        pieces += [text[end : formula.start()], inside(formula)]
        end = formula.end()
    return " ".join([*pieces, text[end:]]).replace("  ", " ").replace(" . ", ". ")


def _ends_in_words(sentence: str) -> str | None:
    """Return the number that a last sentence without digits concludes or ends with."""
    if VALUE.search(sentence) or not STATED_IN_WORDS.search(sentence) or HEDGE.search(sentence):
        return None
    return number_in_words(sentence)
