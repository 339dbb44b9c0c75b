"""What a response says without marking it: "the answer is", an option, its last formula or number.

Each sign is a function of the response's ending: the answer that it names, None where it is not
there, and `NOTHING` where it is there and names no answer. `SIGNS` holds them in their order.
"""

from __future__ import annotations

import re
from functools import lru_cache

from rewardkit.verifiers.extraction.endings.choosing import chosen_option
from rewardkit.verifiers.extraction.endings.ending import Ending
from rewardkit.verifiers.extraction.endings.excluded import without_excluded
from rewardkit.verifiers.extraction.endings.last_sentences import NUMBER, number_in, sentences
from rewardkit.verifiers.extraction.endings.main_clause import (
    concludes_nothing,
    instead,
    main_clause,
    without_dismissed,
)
from rewardkit.verifiers.extraction.endings.questions import is_clueless, states_nothing
from rewardkit.verifiers.extraction.endings.two_cases import in_two_cases
from rewardkit.verifiers.extraction.endings.unsettled import (
    answers_nothing,
    gives_up,
    is_undetermined,
    lists_options,
    settles_nothing,
)
from rewardkit.verifiers.extraction.marked import NOTHING, Found
from rewardkit.verifiers.extraction.prose.claims import claims
from rewardkit.verifiers.extraction.prose.conclusions import concludes
from rewardkit.verifiers.extraction.prose.doubts import is_hedged
from rewardkit.verifiers.extraction.prose.prose import after_name, is_prose, statement
from rewardkit.verifiers.extraction.prose.spoken import (
    IMPOSSIBLE,
    NO_SOLUTION,
    OPPOSITES,
    UNDETERMINED,
    WAYS_OUT,
    refuses,
    said,
)
from rewardkit.verifiers.extraction.prose.wholes import quantity
from rewardkit.verifiers.extraction.prose.worked_out import quantity_worked_out
from rewardkit.verifiers.extraction.signs.alone import bold_option, measure_alone, whole_response
from rewardkit.verifiers.extraction.signs.formulas import (
    bold_end,
    bold_value,
    last_formula,
)
from rewardkit.verifiers.extraction.signs.named import the_answer_is, value_is_the_answer
from rewardkit.verifiers.extraction.signs.numbers import number_of_formula
from rewardkit.verifiers.vocabulary.alternatives import BECAUSE, YES_OR_NO
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.letters import OPTION_LETTER
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.phrases import CONCLUSIONS
from rewardkit.verifiers.vocabulary.sought import Sought, holds_one, lowered

_IGNORANT = Sought(
    r"\bI (?:refuse|decline) to answer\b"
    r"|\bI (?:do not|don't|cannot|can't) (?:know|tell)(?: the answer)?\s*[.;]"
    r"|\b(?:can't|can’t|cannot|can not|unable to|not able to) (?:help|assist)\b"
)

_BECAUSE_NONE = Sought(
    rf"\b(?:{BECAUSE}|for)\s(?:there(?:['’]s|\s(?:is|are|exists?))\sno(?:ne)?\b|none\sexists?\b|no\ssuch\b)"
)
"""Why nobody can find a solution: `because there is none`."""

_BECAUSE_MANY = Sought(
    r"(?:\b(?:can(?:not|['’]t)|can\snot|impossible\sto|not\spossible\sto)|n['’]t\spossible\sto)\s[^.!?\n\d]{0,40}?\b(?:list|write|written|count|counted|name|enumerate|give|listed|named)\b[^.!?\n\d]{0,60}?"
    rf"\b(?:{BECAUSE}|for)\s(?:there\s(?:is|are|exist)|they\sare)\s(?P<many>infinitely\smany|an\sinfinite\snumber)\b(?![^.!?\n]*\bn?o[rt]\b)"
)
"""Why nobody can list them: `since there are infinitely many`."""

_OPTION_OF_NONE = as_pattern(
    rf"\b(?i:answer|option|choice)(?:\sis|:)\s\**\(?({OPTION_LETTER})\)?[.):]\**\s+"
    r"(?:(?:It|This|That|The\s[a-z]+)\s)?(?i:cannot\sbe\s\w+|not\senough\s(?:information|data)(?:\sis\sgiven)?)[.!]?\**\Z"
)
"""An option that says that nobody can tell: `The answer: D. It cannot be determined.`"""
_OF_NONE = ("cannot", "enough")
"""One of these is in every such option."""
_SETTLED = as_pattern(
    rf";\s(?:so|{BECAUSE}|thus|hence|therefore|but|yet|however|only|checking)\b[^;]*\d[^;]*\Z"
)
"""What settles a doubt before it: `It may be 42 or 44; since 44 is too much, it is 42.`"""
_ONE_WORD = as_pattern(
    rf"\W*(?:(?i:{alternatives(CONCLUSIONS)})[,:]?\s)?"
    rf"(?:{OPTION_LETTER}|(?i:(?:(?:it['’]s|it\sis|the\sanswer\sis)\s)?(?:{YES_OR_NO})"
    r"|(?:the|this)\s(?:statement|claim|proposition|assertion)\sis\s(?:[a-z]+ly\s)?(?:true|false)))\W*"
)
"""An option, yes or no, or what a statement is, alone: a last one takes the place of the first."""
_NONE_IN_CASE = as_pattern(
    r"(?:\bcase\b[^.;,\n]{0,60}\bno\s(?:[a-z]+\s)?solutions?|\bno\s(?:[a-z]+\s)?solutions?\s(?:at\sall\s)?in\s(?:the\s)?(?:[a-z]+\s)?case(?:\s\w)?)\b[.;,]"
    r"(?![^\n]*\b(?:neither|either|nor|none|no|nothing|not)\b)[^\n]*(?:=|\b(?:get|find|obtain|gives?|yields?|is|are|leads\sto))\s[^.\n]*\d",
    re.I,
)
"""What has no solution in one case, and one in another: `case 1 has none; case 2 gives 8`."""
_RESTATES = as_pattern(r"[,;(]?\s(?:i\.e\.|that\sis|in\sother\swords),?\s")
"""What leads to the same in other words."""
_SEVERAL = as_pattern(r"\d\sor\s\d[^=]*=")
"""Several values with what they come to, `6, 7 or 8, which gives 3`, where only that is stated."""
_ROW = as_pattern(r"\s*(?:\$?\d[\d.,]*)?")
"""A line that is a number, or blank."""
_MAX_LINE = 400
_MAX_TEXTS = 4
_MAX_COUNT = 20
"""A longer answer is a whole sentence."""


def ignorance(end: Ending) -> Found | None:
    """`I do not know.`, a last `This cannot be determined.`: what else is there is no answer."""
    near = end.tail[-_MAX_LINE:]
    if holds_one(lowered(near), _OF_NONE) and (option := _OPTION_OF_NONE.search(near)):
        return Found(option[1], "option")
    none = _BECAUSE_NONE.search(end.sentences[-1])
    if none and said(end.sentences[-1][none.start() :]) == NO_SOLUTION:
        return Found(NO_SOLUTION, "words")
    if many := _BECAUSE_MANY.search(end.sentences[-1]):
        return Found(many["many"], "words")
    if _IGNORANT.search(end.tail) or is_clueless(end.tail) or gives_up(end.tail):
        return NOTHING
    if is_undetermined(end.tail) and said(end.tail) in (None, UNDETERMINED, IMPOSSIBLE):
        return Found(UNDETERMINED, "refusal")
    for sentence in reversed(end.sentences):
        if (at := refuses(sentence)) and not concludes(sentence, at):
            return (
                Found(UNDETERMINED, "refusal") if said(sentence) in (None, UNDETERMINED) else None
            )
        if number_in(sentence) and not is_hedged(sentence):
            if not NUMBER.fullmatch(sentence.strip(" .!*$")):  # `It cannot be told. 12`
                return None
        elif said(sentence) in OPPOSITES:
            return None
    return None


def empty(end: Ending) -> Found | None:
    """`... The final answer is: \\boxed{}`: what was to be filled in is not there."""
    return NOTHING if end.is_empty else None


def unsettled(end: Ending) -> Found | None:
    """`24 if n is even, 48 otherwise`, `see page 12`: as a whole, since a gold may say so too."""
    if lists_options(end.tail):
        return Found(end.tail, "unsettled")
    if answers_nothing(end.tail):
        return NOTHING
    if cases := in_two_cases(end.tail):
        return Found(cases, "unsettled")
    return Found(end.sentences[-1], "unsettled") if settles_nothing(end.tail) else None


def question(end: Ending) -> Found | None:
    """`We need to find ...`, `Step 12:`, `We have 24 and then we`: nothing is stated."""
    return NOTHING if states_nothing(end.tail) or end.unfinished else None


def rather(end: Ending) -> Found | None:
    """`It is not 16 but 15`: what takes the place of the denied."""
    value = instead(end.sentences[-1])
    return Found(value, "the answer is") if value and not is_hedged(value) else None


def option_is_correct(end: Ending) -> Found | None:
    """`Option D is correct.`, `So it's D.`, `Only D works`."""
    letter = chosen_option(end)
    return Found(letter, "option") if letter else None


def in_words(end: Ending) -> Found | None:
    """`Yes, since 7 is prime.`, `C because ...`, `There is none.`: the last line or sentence."""
    line = end.tail[-_MAX_LINE:].rstrip().rsplit("\n", 1)[-1]
    said_last = [part for part in sentences(line) if part.strip()]
    if len(said_last) > 1 and all(map(_ONE_WORD.fullmatch, said_last)):
        return Found(line, "unsettled")  # `Yes. No.`
    said_last = said_last[-1:]
    if said_last and len(said_last[0]) < len(line) and _ONE_WORD.fullmatch(said_last[0]):
        line = said_last[0]  # `B. Hmm, no, B has the sign wrong. D.`
    again = [_RESTATES.split(text)[-1] for text in said_last if "." in text or "," in text]
    for text in (line, *said_last, *again):
        if word := said(text.strip()):
            if len(word) == 1 and end.unfinished:
                continue  # `A car has gone 80 km. So the distance is equal to`
            if word == NO_SOLUTION and _NONE_IN_CASE.search(text):
                continue
            last = said_last[0].strip() if word in WAYS_OUT and said_last else ""
            return Found(last if said(last) in OPPOSITES else text.strip(), "words")
    return None


def left_behind(end: Ending) -> Found | None:
    """`There are 21 seats in a row. Some of them are taken.`: a value that nothing concludes."""
    return NOTHING if concludes_nothing(end.sentences, end.tail) else None


def last_number(end: Ending) -> Found | None:
    """The last number of plain text, with the expression around it."""
    last = after_name(end.sentences[-1])
    if ";" in last and (settled := _SETTLED.search(last)):
        last = last[settled.start() :]
    if is_hedged(last):
        return NOTHING
    if len(rows := _rows(end.tail)) > 1:
        return Found(", ".join(dict.fromkeys(rows)), "last number")
    value = statement(end.tail, is_tail=True) if is_prose(end.tail) else quantity(end.tail)
    if value and not claims(end.tail, value):
        return NOTHING
    return Found(value, "last number") if value else None


def _rows(text: str) -> list[str]:
    """Return the numbers on lines of their own at the end of a text; not one is it alone."""
    rows: list[str] = []
    start = end = len(text)
    while start and _ROW.fullmatch(text, start := text.rfind("\n", 0, end) + 1, end):
        rows[:0] = text[start:end].split()
        end = start - 1
    return rows


SIGNS = (
    empty,  # the answer is \boxed{}
    measure_alone,  # 5 km; (a) 3 (b) 5
    unsettled,  # 24 if n is even, 48 otherwise
    value_is_the_answer,  # 42 is the answer
    ignorance,  # I do not know.
    rather,  # it is not 41 but 42
    the_answer_is,  # the answer is 42; I choose B
    option_is_correct,  # option B is correct
    in_words,  # Yes, since 7 is prime
    question,  # we need to find how many
    left_behind,  # there are 21 seats; some of them are taken
    number_of_formula,  # $x$ is 42
    bold_end,  # so $x = 6$, and in all **42**
    bold_value,  # of the 20 birds, she feeds **eight birds**
    last_formula,  # we get $x = 42$
    whole_response,  # 42
    bold_option,  # **B) 42**
    last_number,  # they have 42 apples
)
"""The first that is there decides, be it `NOTHING`."""
_LABELLED = as_pattern(r"\W*(?:[fF]inal\s)?[aA]nswer\W*:[^\n=]*\d[^\n=]*\s[a-z]{3,}\s[^\n=]*\d")
"""A sentence of two numbers behind a label: `Answer: 4 jars hold 12 liters.`"""
_GUESSES = (last_formula, last_number)
"""Signs that go by the words of a sentence: what was worked out before it says more."""


@lru_cache(maxsize=_MAX_TEXTS)
def stated(text: str) -> Found | None:
    """Return the answer that a text states without marking it, or None.

    Where a turn ends is told by what it states, which is its answer then: it is kept until asked.
    """
    end = Ending(without_dismissed(without_excluded(text)))
    found = _by_signs(end)
    if found is not None and found.by != "unsettled" and not _SEVERAL.search(found.text):
        return found
    if not end.whole or gives_up(end.tail) or is_clueless(end.tail):
        return found
    clause = main_clause(end.sentences[-1])
    again = _by_signs(Ending(clause)) if clause else None
    return again if again and again.by not in ("unsettled", "refusal") else found


def _by_signs(end: Ending) -> Found | None:
    """Return what the first sign names that is there; None where it names nothing."""
    if not end.whole:
        return None
    for sign in SIGNS:
        found = sign(end)
        if found is not None:
            if sign in _GUESSES or (sign is the_answer_is and _LABELLED.match(end.sentences[-1])):
                found = _worked_out(end, found)
            return found if found.text else None
    found = _worked_out(end, NOTHING)
    return found if found.text else None


def _worked_out(end: Ending, found: Found) -> Found:
    """Return what the working before a last sentence came to, where the sentence states that."""
    sentence = end.sentences[-1]
    before = end.tail[: len(end.tail) - len(sentence)]
    is_value = "=" in found.text or len(found.text) < _MAX_COUNT
    stated = found.text if is_value else statement(found.text) or ""
    value = quantity_worked_out(before, sentence, stated)
    if value is None or is_hedged(sentence) or not claims(end.tail, value, marked=True):
        return found
    return Found(value, "last number")
