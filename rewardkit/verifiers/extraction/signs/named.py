"""What a response names its answer: `the answer is 42`, `42 is the answer`."""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.endings.choosing import UNSURE
from rewardkit.verifiers.extraction.endings.ending import Ending
from rewardkit.verifiers.extraction.endings.last_sentences import NEXT_SENTENCE, number_in
from rewardkit.verifiers.extraction.endings.others import is_of_others
from rewardkit.verifiers.extraction.endings.questions import ASKS_IN_WORDS, CALLS, names_example
from rewardkit.verifiers.extraction.marked import NOTHING, TO_FILL_IN, Found
from rewardkit.verifiers.extraction.prose.another import names_another
from rewardkit.verifiers.extraction.prose.last_quantity import last_quantity
from rewardkit.verifiers.extraction.prose.prose import statement
from rewardkit.verifiers.extraction.prose.sentences import sentence_answer
from rewardkit.verifiers.extraction.prose.spoken import said
from rewardkit.verifiers.extraction.prose.voice import is_own
from rewardkit.verifiers.vocabulary.alternatives import CERTAIN, TASK
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.characters import has_digit
from rewardkit.verifiers.vocabulary.letters import OPTION_LETTER
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.phrases import DOUBTS_ELSEWHERE
from rewardkit.verifiers.vocabulary.sought import Sought, holds_one

_SUPPOSED = Sought(
    r"\b(?:suppose|let['’]?s say|assum(?:e|ing)|(?<!no )(?<!any )(?<!a )doubt"
    r"|some(?: people)? (?:say|think)|not (?:the case|true) that)\b|\bif (?:[\w']+ ){0,3}\Z"
)
_IN_CASE = Sought(r"\bif\s[^.;:]{2,120},\s(?:then\s)?(?:the\s)?\Z")
_REOPENS = as_pattern(
    r"[^.!?\n]{1,60}[.!?](?:\d+[.!?])?\s+(?:However|But|Wait|Hmm+|Alternatively|Yet|Hold\son|Actually|On\sthe\sother\shand)\b"
)
"""A sentence that goes on weighing behind what holds in one case: `However, if`."""
_DOUBTED_ELSEWHERE = as_pattern(
    rf"(?:\A|\W){alternatives(DOUBTS_ELSEWHERE)}[\s,]+(?:[^\W\d_]+\s){{0,3}}\Z"
    r"|(?:也许|可能|或许|大概|たぶん|おそらく|아마(?:도)?)[\s，、,]*\Z",
    re.I,
)
"""Right before the name of an answer: `Quizás la respuesta es 25`."""
_CONCLUDES_BESIDE = as_pattern(
    rf"[;.]\s[^;.]*,\s(?:so|hence|thus|therefore)\s(?:only\s)?\(?{OPTION_LETTER}\)?\W*\Z"
)
_IF = as_pattern(r"\W*(?:If|Were|Had)\s")
_SEEMED = as_pattern(
    r"\b(?:seems?|appears?|looks\slike|(?:expect|think|guess|say)(?:ed)?)\s(?:\w+\s){0,2}\Z", re.I
)
_BUT = as_pattern(
    r"\A[^.!?\n]{1,60}[,;]\s(?:but|yet|however)\b|\A[^.!?\n]{1,60}\.\s(?:But|However)\b"
)
"""What an answer only seems to be: `It seems the answer is no, but ...`."""
_NAMED = (
    r"is\s++(?:the|our|my)\s++(?:(?:final|correct|right|real|true|actual|proper)\s++)?"
    r"(?:answer|choice\b(?=\W{0,3}(?:\Z|\n)))"
)
_IS_THE_ANSWER = as_pattern(_NAMED)
"""Of small letters, since a search that ignores case takes ten times as long."""
_VALUE_IS_THE_ANSWER = as_pattern(
    rf"(\$[^$\n]{{1,300}}\$|\\\([^\n]{{1,300}}?\\\)|(?<![-\d.,/])[-\d.,/]{{0,60}}\d)\s++{_NAMED}",
    re.I,
)
_OPTION_IS_THE_ANSWER = as_pattern(rf"\b({OPTION_LETTER})\)?\s{_NAMED}")
_BUT_IT_IS_NOT = as_pattern(
    r",?\s(?:but|and|yet)\b[^.;\n]{0,40}(?:\bnot|n['’]t)\b[^.;\n]{0,20}\banswer\b"
)
_OF_THIS_TASK = as_pattern(
    rf"\s{_NAMED}\s(?:to|of|for)\s(?:the\s(?:previous|last|first|other|next|preceding|earlier|former)\s(?:{TASK}|exercise|one)"
    rf"|(?:{TASK}|exercise|part)\s\(?\w{{1,3}}\)?)(?![^.;\n]*\b(?:this|yours?|asked)\b[^.;\n]*;)[^.;,\n]{{0,30}}[.;,]\s(?:(?:and|but|while|whereas)\s)?"
    r"the\sanswer\s(?:to|of|for)\s(?=[^.;\n]*\b(?:this|yours?|ours|present|current|asked|here)\b)[^.;\n]{1,50}\sis\s(?P<this>[^\s.;]+(?:\s[a-z]+){0,2})\W*\Z",
    re.I,
)
"""`A is the answer to question 3; the answer to question 4 (this one) is D.`"""
_OF_OTHERS = as_pattern(
    r"\b(?:reference|gold|expected|example|sample|ground[\s_]truth|official|target)\s\Z"
)
"""Whose answer it is that a response only claims to know."""
_APPROVES = as_pattern(
    r"\W*(?:indeed |also )?(?:(?:correct|right|verified|confirmed)(?:\W*?(?:\n|\Z)|[.!]\s)"
    r"|(?:\w+ly )?(?:enclosed|stated|given|shown|found|below|above"
    r"|obvious|clear|simple|straightforward|easy)\b(?!\s(?:by|as)\b)[^\d$\\=\n]*(?:\n|\Z|[.!]\s))"
    rf"|\s*I(?:['’]m|\sam)\s(?:\w+\s)?(?:\d+\s?%\s)?(?:{CERTAIN})\b|[\s*:]*[-$\\]\s*\Z",
    re.I,
)
"""What is said of an answer rather than named as one."""
_WHETHER = as_pattern(r"\b(?:if|whether)\s(?:\w+\s)?\Z", re.I)
_REFERENCE = as_pattern(r"\b(?:reference|gold|ground[\s-]truth|grader['’]s)\s\Z", re.I)
"""Before `answer is`, what no writer of a response can know."""
_TURNS = as_pattern(
    r"[\s.!*$)]*\b(?:no|wait|actually|sorry(?!\s(?:if|for|about|that)\b)|hmm+|oops|correction)\b\W",
    re.I,
)
"""What follows an answer that is taken back at once."""
_OTHER_OPTION = as_pattern(
    rf"(?:(?i:no|wait|actually|sorry|oops|it['’]s|it\sis|I\smean|option)\b|\W)*({OPTION_LETTER})\W*"
)
"""The option that takes the place of one: `The answer is (A). No wait, (C).`"""
_EXPLAINS = as_pattern(
    r"\W*(?!(?:So|Thus|Hence|Therefore)\b(?:[^.!?\n]|\.\d)*+[.!?]?[^\S\n]*+(?:\n|\Z))"
    r"(?:[^\W\d_]+(?:['’-]\w+)*[,!.]?\s+){3}"
)
"""How a sentence begins that leads to an answer rather than names it."""
_NOTE = as_pattern(
    r"\s*\((?:[^()]*[a-z]{3,}\s[a-z]{3,}[^()]*|\d+\s(?:points?|marks?|pts|credits?))\)\W*"
)
"""All that stands under a label that names nothing: `Answer:`, `(19 lines for notes)`."""
_TWO_NUMBERS = as_pattern(r"\d[^\w\n]*\s[^\d]*\d")
_CONCLUDES_LATER = as_pattern(
    r"[.!]\s+(?:\w+,?\s)?(?:So|Thus|Hence|Therefore|[Tt]he\sanswer|answer)\b[^.!?\n]*\d"
    r"|\b[aA]nswer(?:[.:]\s|\s*\n)[^.!?\n]*\d"
)
"""What makes of a result that is named before it a step on the way."""
_WORDS = as_pattern(r"(?<![\\a-zA-Z])[a-zA-Z]{4,}")
_SAID_BEHIND = as_pattern(r"\$*\s?[(（]\w+[)）][.\s]*\Z")
_DESCRIBED = as_pattern(r"(?:the|what|how)\s[^\d$\\]*\Z", re.I)
_STATED_LATER = as_pattern(r"[^\d\n]*\n[^\n]*\d")
_CLOSES = as_pattern(r"\W*(?:So|Thus|Hence|Therefore|(?:In\s)?[Cc]onclusion)\b[^\n]*\d")
_PARAGRAPH = as_pattern(r"\n\s*\n|```")
_MAX_STEPS, _MAX_TWO = 600, 200
_NEAR = 40
_QUOTES = ('"', "“")
_TO_BE_WRITTEN = as_pattern(
    r"\b(?:reads?|with|like|e\.g\.|such\sas|as|template)\s?:?\s[\"“](?:the\s)?(?:\w+\s)?\Z", re.I
)
"""`It ends with e.g. "The answer is 12"`: a format."""
_BULLETS = "-*#•:> "
"""What a list begins with that follows `each option:`."""


_TESTED = as_pattern(r"\bassert\s\(?(?:\w+[_.])?\Z")
"""`assert answer == 42`, which has it tested."""


def _is_within(end: Ending, start: int, before: str) -> bool:
    """Return whether a name stands within a call, or in quotes as what is to be written."""
    call = CALLS.search(before)
    if call is not None and ")" not in before[call.end() :]:
        return True
    near = end.tail[max(0, start - _NEAR) : start]
    return holds_one(near, _QUOTES) and _TO_BE_WRITTEN.search(near) is not None


def _last_step_of(rest: str) -> str | None:
    """Return the last of several lines of nothing but equations that ends in a calculation."""
    lines = [line for line in rest[:_MAX_STEPS].split("\n") if line.strip()]
    if len(lines) < 2 or len(rest) > _MAX_STEPS or lines[-1].count("=") < 2:
        return None
    if not all("=" in line and not _WORDS.search(line) for line in lines):
        return None
    return _SAID_BEHIND.sub("", lines[-1]).strip(" $.")


def _is_described(answer: str, rest: str) -> bool:
    """Return whether an answer only is described: `The answer is what he earns.\\nHe earns 75.`."""
    described = _DESCRIBED.match(answer) is not None
    return described and _STATED_LATER.match(rest, len(answer)) is not None


def _closing_of(rest: str) -> str | None:
    """Return what the lines below a label conclude, the first of which only calculates, or None."""
    lines = _PARAGRAPH.split(rest.strip(), maxsplit=1)[0].split("\n")
    if "=" not in lines[0] and "onclusion" not in rest:
        return None
    closing = [line for line in lines[1:] if _CLOSES.match(line)]
    return statement(closing[-1]) if closing else None


def _is_overcome(before: str, rest: str) -> bool:
    """Return whether an answer only seems to be one, or would be: `If it slid, B; so C`."""
    if _IF.match(before) and _CONCLUDES_BESIDE.search(rest):
        return True
    return _SEEMED.search(before) is not None and _BUT.search(rest) is not None


def _states_later(rest: str, start: int) -> bool:
    """Return whether a later sentence than the one at a place has a number."""
    later = NEXT_SENTENCE.search(rest, start)
    return later is not None and number_in(rest, later.end())


def value_is_the_answer(end: Ending) -> Found | None:
    """`42 is the answer`: the last value or option that this is said of, in the tail."""
    if not _IS_THE_ANSWER.search(end.low):
        return None
    if of_this := _OF_THIS_TASK.search(end.tail, max(0, len(end.tail) - _MAX_TWO)):
        return Found(of_this["this"], "is the answer")
    if (letter := _OPTION_IS_THE_ANSWER.search(end.sentences[-1])) and not UNSURE.search(
        end.sentences[-1]
    ):
        return Found(letter[1], "is the answer")
    for match in reversed(list(_VALUE_IS_THE_ANSWER.finditer(end.tail))):
        if _WHETHER.search(end.sentence_before(match.start())):
            return NOTHING
        if _BUT_IT_IS_NOT.match(end.tail, match.end()):
            continue
        if match[1][0] in "$\\":
            return Found(match[1], "is the answer")
        begin = max(0, match.start() - 300)
        if said := last_quantity(end.tail[begin : match.end(1)]):
            return Found(said, "is the answer")
    return None


def the_answer_is(end: Ending) -> Found | None:
    """`the answer is 42`, `I choose B`: the last such sentence that goes on."""
    fragment = len(end.tail) - len(end.unfinished or "")
    for match in end.names():
        if match.start() >= fragment or _APPROVES.match(end.tail, match.end()):
            continue
        if _REFERENCE.search(end.tail, max(0, match.start() - 20), match.start()):
            continue
        if _OF_OTHERS.search(end.low, max(0, match.start() - 20), match.start()):
            return NOTHING
        if is_of_others(end.tail[max(0, match.start() - 20) : match.start()]):
            later = NEXT_SENTENCE.search(end.tail, match.end())
            if later and number_in(end.tail, later.end()):
                continue
        rest = end.tail[match.end() :]
        before = end.sentence_before(match.start())
        if _TESTED.search(before) and not has_digit(rest.partition("\n")[2]):
            return NOTHING
        if _is_overcome(before, rest):
            continue
        if supposed := _SUPPOSED.search(before):
            if supposed[0][:3].lower() == "if " and _states_later(rest, 0):
                continue  # `if the answer is not whole, ... Therefore she has 42.`
            return NOTHING
        if _IN_CASE.search(before) and (reopened := _REOPENS.match(rest)):
            return None if _states_later(rest, reopened.end()) else NOTHING
        if _DOUBTED_ELSEWHERE.search(before[-_NEAR:]) or not is_own(before):
            if _TWO_NUMBERS.search(rest):
                continue  # `My friend says the answer is 40, but we get 42.`
            return NOTHING
        if match[0][0] in "rR" and _CONCLUDES_LATER.search(rest):
            continue  # `The result is about 2.8. ... So there are 2 of them.`
        if TO_FILL_IN.match(rest) or _is_within(end, match.start(), before):
            return NOTHING
        asks = ASKS_IN_WORDS.search(rest) if rest.rstrip().endswith("?") else None
        if asks and not number_in(rest[: max(0, rest.rfind("\n", 0, asks.start()))]):
            return NOTHING
        answer = sentence_answer(rest)
        if not answer or not answer.strip(_BULLETS) or _is_described(answer, rest):
            continue
        line = rest.strip(" *:\n").split("\n", 1)[0]
        if names_example(line) or ("\n" in f"{match[0]}{rest[:3]}" and _NOTE.fullmatch(rest)):
            return NOTHING
        if names_another(line):
            several = names_another(answer)
            return Found(answer, "the answer is") if several else Found(line, "unsettled")
        if match[0].rstrip().endswith(":") and (last := _last_step_of(rest) or _closing_of(rest)):
            return Found(last, "the answer is")
        if answer.startswith("not ") and number_in(rest, rest.find(answer[4:]) + len(answer)):
            return None  # what it is instead comes after
        return _as_it_goes_on(answer, rest, led=match[0])
    return None


def _as_it_goes_on(answer: str, rest: str, *, led: str) -> Found:
    """Return an answer that was led to, or what the rest of its sentence puts in its place."""
    begins = rest.find(answer)
    later = _TURNS.match(rest, begins + len(answer)) if begins >= 0 else None
    if later and number_in(rest, later.end()):
        return Found(rest[later.end() :], "the answer is")
    if later and (other := _OTHER_OPTION.fullmatch(rest, later.end())):
        return Found(other[1], "the answer is")
    if word := said(answer) or said(rest.strip(" *:\n").split("\n", 1)[0]):
        return Found(word, "the answer is")
    explains = led.rstrip("* \n").endswith((":", "：")) and _EXPLAINS.match(rest)
    return Found(rest if explains else answer, "the answer is")
