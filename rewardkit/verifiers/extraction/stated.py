"""What a response says without marking it: "the answer is", an option, its last formula or number.

Each sign is a function of the response's ending: the answer that it names, None where it is not
there, and `NOTHING` where it is there and names no answer. `SIGNS` holds them in their order.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.expressions.nodes import Date, Quantity
from rewardkit.verifiers.expressions.units import known_unit
from rewardkit.verifiers.extraction.endings.choosing import UNSURE, chosen_option
from rewardkit.verifiers.extraction.endings.cut_off import unfinished
from rewardkit.verifiers.extraction.endings.ending import Ending
from rewardkit.verifiers.extraction.endings.giving_up import concludes, gives_up, is_undetermined
from rewardkit.verifiers.extraction.endings.last_sentences import (
    NUMBER,
    number_in,
    sentences,
)
from rewardkit.verifiers.extraction.endings.left_behind import concludes_nothing, instead
from rewardkit.verifiers.extraction.endings.others import is_of_others
from rewardkit.verifiers.extraction.endings.questions import (
    is_clueless,
    names_example,
    states_nothing,
)
from rewardkit.verifiers.extraction.endings.unsettled import (
    answers_nothing,
    lists_options,
    settles_nothing,
)
from rewardkit.verifiers.extraction.marked import Found
from rewardkit.verifiers.extraction.prose.another import names_another
from rewardkit.verifiers.extraction.prose.clauses import quantity
from rewardkit.verifiers.extraction.prose.denials import is_negated, is_part
from rewardkit.verifiers.extraction.prose.families import family_of
from rewardkit.verifiers.extraction.prose.last_quantity import last_quantity
from rewardkit.verifiers.extraction.prose.prose import after_name, is_hedged, is_prose, statement
from rewardkit.verifiers.extraction.prose.sentences import MORE, sentence_answer
from rewardkit.verifiers.extraction.prose.spoken import (
    IMPOSSIBLE,
    NO_SOLUTION,
    OPPOSITES,
    UNDETERMINED,
    WAYS_OUT,
    refuses,
    said,
)
from rewardkit.verifiers.extraction.text.boxes import CONNECTING
from rewardkit.verifiers.extraction.text.formulas import inside
from rewardkit.verifiers.limits import TooComplex
from rewardkit.verifiers.parsing.parser import reading
from rewardkit.verifiers.parsing.parts import parts_of
from rewardkit.verifiers.vocabulary.letters import OPTION_LETTER
from rewardkit.verifiers.vocabulary.sought import Sought
from rewardkit.verifiers.vocabulary.units import PERCENT

_SUPPOSED = Sought(
    r"\b(?:suppose|assum(?:e|ing)|(?<!no )(?<!any )(?<!a )doubt|some(?: people)? (?:say|think)"
    r"|not (?:the case|true) that)\b|\bif (?:[\w']+ ){0,3}\Z"
)
_IGNORANT = Sought(
    r"\bI (?:refuse|decline) to answer\b"
    r"|\bI (?:do not|don't|cannot|can't) (?:know|tell)(?: the answer)?\s*[.;]"
    r"|\b(?:can't|can’t|cannot|can not|unable to|not able to) (?:help|assist)\b"
)
_BECAUSE_NONE = Sought(
    r"\b(?:because|since|as)\s(?:there\s(?:is|are|exists?)\sno(?:ne)?\b|none\sexists?\b|no\ssuch\b)"
)
"""Why nobody can find a solution: `because there is none`."""
_NAMED = r"is\s++(?:the|our|my)\s++(?:final\s++|correct\s++)?answer"
_IS_THE_ANSWER = re.compile(_NAMED)
"""Of small letters, since a search that ignores case takes ten times as long."""
_VALUE_IS_THE_ANSWER = re.compile(
    rf"(\$[^$\n]{{1,300}}\$|\\\([^\n]{{1,300}}?\\\)|(?<![-\d.,/])[-\d.,/]{{0,60}}\d)\s++{_NAMED}",
    re.I,
)
_OPTION_IS_THE_ANSWER = re.compile(rf"\b({OPTION_LETTER})\s{_NAMED}")
_BOLD_OPTION = re.compile(rf"\*\*(\(?{OPTION_LETTER}\)\s[^*\n]{{1,200}})\*\*\.?")
_EITHER = re.compile(r"(?i:either)\s(.+?)\.?")
_LETTERED = re.compile(rf"{OPTION_LETTER}[).]\s\S.{{0,80}}")
_BOLD_LAST = re.compile(r"\*\*([^*\n]{1,80}?)\.?\*\*[.!]?\s*\Z")
_SAYS_NEXT = re.compile(r"\s*+(?:is|are|equals|=)\s++(?:equal to\s|exactly\s|then\s)?(?=[-−$(]?\d)")
_NEXT_SENTENCE = re.compile(r"[.!?]\s|\n(?=[A-Z][a-z])")
_CONDITION = re.compile(
    r"[^.!?\n]{0,40}\b(?:when|since|because|at|for|with|where)\s++(?:\w{1,9}\s)?\Z", re.I
)
_GIVEN = re.compile(r"\b(?:since|because|given|for|when|if|with|as)\s*\Z", re.I)
_STATES = re.compile(r"(?:\b(?:is|are|equals)|=)\s*\Z")
_PERCENT = re.compile(rf"\s*{PERCENT}")
_PLAIN_WORD = re.compile(r"(?:^|\s)(?!(?:or|and|in|pi)\b)[a-z]{2,}(?=\s|$|[,.])", re.I)
_CHINESE = re.compile("[\u4e00-\u9fff]")

_MAX_LINE = 400
_MAX_ANSWER, _MAX_MEASURE = 200, 60
"""A longer response is not its answer and nothing else, one of words and of a quantity."""
_OF_OTHERS = re.compile(r"\b(?:reference|gold|expected|ground[\s_]truth|official|target)\s\Z")
"""Whose answer it is that a response only claims to know."""
_APPROVES = re.compile(
    r"\W*(?:indeed |also )?(?:(?:correct|right|verified|confirmed)(?:\W*?(?:\n|\Z)|[.!]\s)"
    r"|(?:\w+ly )?(?:enclosed|stated|given|shown|found|below|above"
    r"|obvious|clear|simple|straightforward|easy)\b"
    r"(?!\s(?:by|as)\b)[^\d$\\=\n]*(?:\n|\Z|[.!]\s))"
    r"|[\s*:]*[-$\\]\s*\Z",
    re.I,
)
"""What is said of an answer rather than named as one."""
_REFERENCE = re.compile(r"\b(?:reference|gold|ground[\s-]truth|grader['’]s)\s\Z", re.I)
"""Before `answer is`, what no writer of a response can know."""
_TURNS = re.compile(
    r"[\s.!*$)]*\b(?:no|wait|actually|sorry(?!\s(?:if|for|about|that)\b)|hmm+|oops|correction)\b\W",
    re.I,
)
"""What follows an answer that is taken back at once."""
_EXPLAINS = re.compile(r"\W*(?:[^\W\d_]+(?:['’]\w+)?[,!.]?\s+){3}")
"""How a sentence begins that leads to an answer rather than names it."""

_BULLETS = "-*#•:> "
"""What a list begins with that follows `each option:`."""

NOTHING = Found("", "")


def value_is_the_answer(end: Ending) -> Found | None:
    """`42 is the answer`: the last value or option that this is said of, in the tail."""
    if not _IS_THE_ANSWER.search(end.low):
        return None
    if (letter := _OPTION_IS_THE_ANSWER.search(end.sentences[-1])) and not UNSURE.search(
        end.sentences[-1]
    ):
        return Found(letter[1], "is the answer")
    for match in reversed(list(_VALUE_IS_THE_ANSWER.finditer(end.tail))):
        if match[1][0] in "$\\":
            return Found(match[1], "is the answer")
        begin = max(0, match.start() - 300)
        if said := last_quantity(end.tail[begin : match.end(1)]):
            return Found(said, "is the answer")
    return None


def ignorance(end: Ending) -> Found | None:
    """`I do not know.`, a last `This cannot be determined.`: what else is there is no answer."""
    may_be_none = _BECAUSE_NONE.may_be_in(end.tail)
    none = _BECAUSE_NONE.search(end.sentences[-1]) if may_be_none else None
    if none and said(end.sentences[-1][none.start() :]) == NO_SOLUTION:
        return Found(NO_SOLUTION, "words")
    if _IGNORANT.search(end.tail) or is_clueless(end.tail) or gives_up(end.tail):
        return NOTHING
    if is_undetermined(end.tail) and said(end.tail) in (None, UNDETERMINED, IMPOSSIBLE):
        return Found(UNDETERMINED, "refusal")
    for sentence in reversed(end.sentences):
        if (at := refuses(sentence)) and not concludes(sentence, at):
            return (
                Found(UNDETERMINED, "refusal") if said(sentence) in (None, UNDETERMINED) else None
            )
        if not number_in(sentence) or is_hedged(sentence):
            continue
        if not NUMBER.fullmatch(sentence.strip(" .!*$")):  # `It cannot be told. 12`
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
    return Found(end.sentences[-1], "unsettled") if settles_nothing(end.tail) else None


def the_answer_is(end: Ending) -> Found | None:
    """`the answer is 42`, `I choose B`: the last such sentence that goes on."""
    fragment = len(end.tail) - len(unfinished(end.tail) or "")
    for match in end.names():
        if match.start() >= fragment or _REFERENCE.search(
            end.tail, max(0, match.start() - 20), match.start()
        ):
            continue
        if _APPROVES.match(end.tail, match.end()):
            continue
        if _OF_OTHERS.search(end.low, max(0, match.start() - 20), match.start()):
            return NOTHING
        if is_of_others(end.tail[max(0, match.start() - 20) : match.start()]):
            later = _NEXT_SENTENCE.search(end.tail, match.end())
            if later and number_in(end.tail, later.end()):
                continue
        rest = end.tail[match.end() :]
        if supposed := _SUPPOSED.search(end.sentence_before(match.start())):
            later = _NEXT_SENTENCE.search(rest) if supposed[0][:3].lower() == "if " else None
            if later and number_in(rest, later.end()):
                continue  # `if the answer is not whole, ... Therefore she has 42.`
            return NOTHING
        if not (answer := sentence_answer(rest)) or not answer.strip(_BULLETS):
            continue
        if names_example(_line(rest)):
            return NOTHING
        if names_another(_line(rest)):
            several = names_another(answer)
            return Found(answer, "the answer is") if several else Found(_line(rest), "unsettled")
        if answer.startswith("not ") and number_in(rest, rest.find(answer[4:]) + len(answer)):
            return None  # what it is instead comes after
        begins = rest.find(answer)
        later = _TURNS.match(rest, begins + len(answer)) if begins >= 0 else None
        if later and number_in(rest, later.end()):
            return Found(rest[later.end() :], "the answer is")
        if word := said(answer) or said(_line(rest)):
            return Found(word, "the answer is")
        explains = match[0].rstrip("* ").endswith((":", "：")) and _EXPLAINS.match(rest)
        return Found(rest if explains else answer, "the answer is")
    return None


def _line(text: str) -> str:
    return text.strip(" *:\n").split("\n", 1)[0]


def question(end: Ending) -> Found | None:
    """`We need to find ...`, `Step 12:`, `We have 24 and then we`: nothing is stated."""
    return NOTHING if states_nothing(end.tail) or unfinished(end.tail) else None


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
    said_last = [part for part in sentences(line) if part.strip()][-1:]
    for text in (line, *said_last):
        if word := said(text.strip()):
            if len(word) == 1 and unfinished(end.tail):
                continue  # `A car has gone 80 km. So the distance is equal to`
            last = said_last[0].strip() if word in WAYS_OUT and said_last else ""
            return Found(last if said(last) in OPPOSITES else text.strip(), "words")
    return None


def left_behind(end: Ending) -> Found | None:
    """`There are 21 seats in a row. Some of them are taken.`: a value that nothing concludes."""
    return NOTHING if concludes_nothing(end.sentences, end.tail) else None


def number_of_formula(end: Ending) -> Found | None:
    """`$x$ is 42`: the number that the last formula is said to be."""
    if not end.formulas or not (says := _SAYS_NEXT.match(end.tail, end.formulas[-1].end())):
        return None
    value = last_quantity(_NEXT_SENTENCE.split(end.tail[says.end() - 1 :], maxsplit=1)[0])
    return Found(value, "last number") if value else NOTHING


def bold_end(end: Ending) -> Found | None:
    """A response that ends in bold type after its last formula."""
    bold = _BOLD_LAST.search(end.tail, end.formulas[-1].end()) if end.formulas else None
    return Found(bold[1], "last in bold") if bold and _is_answer(bold[1]) else None


def last_formula(end: Ending) -> Found | None:
    """The last formula, or the last few of one breath, when no number is in a later sentence."""
    if not end.formulas or _number_follows(end.tail, end.formulas[-1].end()):
        return None
    tail, formulas = end.tail, list(end.formulas)
    if len(formulas) > 1 and (family := family_of(tail, *formulas[-2:])):
        doubted = UNSURE.search(end.sentence_before(formulas[-2].start()))
        return NOTHING if doubted else Found(family, "last formula")
    while len(formulas) > 1 and _is_condition(end, formulas[-2], formulas[-1]):
        formulas.pop()
    last = formulas[-1]
    if is_negated(tail[max(0, last.start() - 40) : last.start()]):
        return NOTHING
    group = [last]
    for formula in reversed(formulas[:-1]):
        between = tail[formula.end() : group[0].start()]
        if not (CONNECTING.match(between) and len(between) < 30 and "\n" not in between):
            break
        if _GIVEN.search(tail, max(0, formula.start() - 20), formula.start()):
            break
        group.insert(0, formula)
    answer = ", ".join(map(inside, group))
    if len(group) == 1:
        after = tail[last.end() :]
        if is_part(tail[max(0, last.start() - 60) : last.start()], after[:200]):
            return NOTHING
        answer += "\\%" if _PERCENT.match(after) else ""
    return Found(answer, "last formula")


def whole_response(end: Ending) -> Found | None:
    """A response of one line that is an answer and nothing else."""
    if "\n" in end.whole or len(end.whole) >= _MAX_ANSWER:
        return None
    if not end.whole.isascii() and is_hedged(end.whole):
        return NOTHING  # `42ではない`
    if several := _EITHER.fullmatch(end.whole):
        return Found(several[1], "whole response") if _is_answer(several[1]) else NOTHING
    alone = _LETTERED.fullmatch(end.whole) or _is_answer(end.whole) or _is_measured(end.whole)
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


def last_number(end: Ending) -> Found | None:
    """The last number of plain text, with the expression around it."""
    if is_hedged(after_name(end.sentences[-1])):
        return NOTHING
    value = statement(end.tail) if is_prose(end.tail) else quantity(end.tail)
    return Found(value, "last number") if value else None


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
    last_formula,  # we get $x = 42$
    whole_response,  # 42
    bold_option,  # **B) 42**
    last_number,  # they have 42 apples
)
"""The first that is there decides, be it `NOTHING`."""


def stated(text: str) -> Found | None:
    """Return the answer that a text states without marking it, or None."""
    end = Ending(text)
    if not end.whole:
        return None
    for sign in SIGNS:
        found = sign(end)
        if found is not None:
            return found if found.text else None
    return None


def _is_condition(end: Ending, value: re.Match[str], last: re.Match[str]) -> bool:
    """Return whether the last formula only says where the one before it holds."""
    return (
        not end.tail[last.end() :].strip(" .!\n")
        and bool(_CONDITION.fullmatch(end.tail[value.end() : last.start()]))
        and not MORE.search(end.tail, value.end(), last.start())
        and not UNSURE.search(end.sentence_before(value.start()))
        and bool(_STATES.search(end.tail, max(0, value.start() - 20), value.start()))
    )


def _number_follows(tail: str, end: int) -> bool:
    """Return whether a later sentence than that of the last formula holds a number."""
    display = tail.endswith(("$$", "\\]"), 0, end)
    stop = None if display else _NEXT_SENTENCE.search(tail, end)
    return bool(stop or display) and number_in(tail, stop.end() if stop else end)


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


def _is_answer(text: str) -> bool:
    """Return whether a text is one bare answer, mathematics or a word."""
    if re.search(r"\d", text) and (_PLAIN_WORD.search(text) or _CHINESE.search(text)):
        return False
    try:
        words = isinstance(reading(text), str)
    except TooComplex:
        return False
    return not words or (len(text.split()) <= 3 and not NUMBER.search(text))
