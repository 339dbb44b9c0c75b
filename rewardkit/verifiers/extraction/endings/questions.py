"""Endings that ask, count or babble rather than state: `We need to find ...`, `Step 12`."""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.endings.givens import ASIDE, repeats_or_announces
from rewardkit.verifiers.extraction.endings.unsettled import gives_up, is_undetermined
from rewardkit.verifiers.extraction.prose.prose import EXAMPLE
from rewardkit.verifiers.extraction.text.cuts import last_start
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.sought import Beginning, Sought

_ASKS = Beginning(
    r"\W*(?:(?:we|you)\s(?:are\s(?:given|asked|told)|(?:still\s)?(?:need|want|have)\sto\s"
    r"(?:find|know|determine|calculate|compute|figure|count|check))\b"
    r"|the\s(?:question|problem|task)\s(?:asks|mentions|says|states|gives|is\sabout)\b"
    r"|(?:given|wanted|sought|asked|required|to\sfind)\s?:|(?:we|you|I)\s(?:still\s)?(?:need|have|want)\sto\s(?:show|prove|verify)\sthat\b"
    r"|to\s(?:get|obtain|find)\s\S{1,9}\s(?:we|you|one)\s(?:would|will)?\s?(?:still\s)?need\b"
    r"|(?:(?:we|I)\s(?:can\s|will\s|now\s)?|now\s)?(?:use|apply|invoke)\s(?:the\s(?:[a-z]+\s){0,2}(?:identity|fact|formula"
    r"|relation|equation|property)|that)\b(?=[^=:]*=[^=]*\Z)"
    r"|recall\sthat\b|let\s[a-z]\w?\s?(?:=|be\b)|(?:figure|page|see"
    r"|step)\s(?:[a-z]+\s)?\(?\d+\)?\W*\Z"
    r"|(?:give|express|round|write|state|enter|submit)\s(?:your|the)\s(?:final\s)?answer\b(?!\s?:)"
    r"|(?:solve|find|evaluate|compute|calculate|determine|simplify)\b(?=[^:=]*(?:\Z|\b(?:if"
    r"|given|such\sthat)\b))"
    r"|solve\sfor\s[a-z]\s?:(?!\s*[a-z]\s*=\s*[-\d./]+\.?\Z))"
)
_ANSWERS = as_pattern(r"[a-z]:\s(?:\\?\$)?-?\d[\d.,/]*\$?[.!]?\Z")
"""`The question asks for the red ones: 37.`"""
_LEADS_ON = as_pattern(
    r"\b(?:get|gives?|giving|so|yields?|obtain|therefore|thus|hence|we\shave|(?:which|that)\s(?:is|makes"
    r"|equals|means))\b|\d\s*[-+*/×·÷x]\s*\$?\d[^=]*=\s*\$?\d|\basks\sfor\b[^.]*=\s*\$?\d",
    re.I,
)
_COUNTER = Beginning(
    r"[^\w\n]*(?:step|part|case|figure|page|question)\s\(?\d+\)?\s*(?:[:.)-]|(?=\n)|\Z)[^\d=]*\Z"
)
_CANDIDATE = Beginning(
    r"[^\w\n]*(?:answer|candidate|option|guess|possibility|choice|case|attempt|try|variant"
    r"|scenario|version)\s?\d\W{1,4}\S{1,20}\s*\Z"
)
_CITED = as_pattern(
    r"\s*(?:\[\d{1,3}\]|\d{1,3}\.)\s(?:[^\W\d_]\.[\s-]?){1,3}[A-Z][^\W\d_]+\b(?!\s?=)[^=]*"
    r"|\s*\[\d{1,3}\]\s[A-Z][^\W\d_]+(?:,\s[A-Z]\.|\set\sal\b|\s(?:and|&)\s[A-Z][^\W\d_]+,)[^=]*"
)
"""A line of a list of references: `[6] R. Stanley, Enumerative Combinatorics.`"""
_SOUP = as_pattern(r"(?:\b[a-z]{2,6}\s\d+[\s,;]{1,2}){2,}[a-z]{2,6}\s\d+\W*\Z")
_KEYWORDS = frozenset((
    "answer", "answers", "final", "correct", "boxed", "true", "right", "solution", "result", "yes",
    "solved", "verified", "box", "conclusion", "therefore", "thus", "hence", "reward", "full",
    "marks",
))  # fmt: skip
"""What a writer heaps up who has nothing to say: `answer final answer correct boxed 12 true`."""
_WORD = as_pattern(r"[a-z]+")
_SPEECH = as_pattern(
    r"\b(?:and|or|plus|minus|times|is|are|was|of|to|by|the|has|have|had|then|in|at|than|for|with"
    r"|from)\b"
)
_CLUELESS = Sought(
    r"\bnot sure how\b|\bunsure how\b"
    r"|\banswer (?:is (?:unknown|unclear|not known)|depends on)\b|\bis (?:unclear|unknown)\b"
)
_GOES_ON = as_pattern(
    r"(?:[.!\n]\s*(?:so|thus|hence|therefore|but|however|ok|in total|altogether|overall"
    r"|(?:the|my) answer)\b|\blet)",
    re.I,
)
_CASES = Sought(r"\d\S*\sif\b[^.]*\d\S*\sif\b")
ASKS_IN_WORDS = as_pattern(
    r"\b(?:[Hh]ow|[Ww]hat|[Ww]hich|[Ww]ho|[Ww]hen|[Ww]here|[Ww]hy)\s\w[^.!?\n]*\?\s*\Z"
)
CALLS = as_pattern(r"\b(?:print|console\.log|printf|println|echo)\(")
"""Code that would say an answer when it is run."""
_BLOCK = as_pattern(r"(?:\A|\n)(?:for\s\w+\sin\s|while\s|def\s\w+\()[^\n]*:\n\s+[^\n]*\Z")
"""Code that ends within a loop or function."""
_GAP = as_pattern(r"(?<![\w_])_{3,}(?=\W*(?:\(|\Z))")
"""What was to be filled in: `Total = $___ (at most 100)`."""
_COUNTED_LINE = as_pattern(
    r"\W{0,3}(\d{1,2})(?:st|nd|rd|th)?(?:\s[a-z]+)?\s?[:=]?\s\$?\d[\d.,/%]*\W*"
)
_OPERATES = as_pattern(r"\d\s?[/+×^(]\Z")
_ITEM = as_pattern(r"\s*(\d{1,2})[.)]\s*")
"""An item of a list in which nothing stands: `2.` behind a line `1. Add them.`"""
_TO_BE_FOUND = as_pattern(
    r"\b(?:has|have|needs?|is|are)\s(?:still\s)?to\sbe\s(?:found|determined|calculated|computed)\W*\Z"
)
_DATE_OF_TODAY = as_pattern(
    r"(?:Hi|Hello|Well)?\W*(?:[Tt]oday|[Tt]omorrow|[Yy]esterday)(?:['’]s|\s(?:is|was))\s(?:the\s\d+(?:st|nd|rd|th)(?:\sof\s[A-Z][a-z]+)?|[A-Z][a-z]+\s\d+)\W*"
)
"""A whole response that tells the date and nothing of the task."""
_MAX_TALK = 60
_FEW_KEYWORDS = 3
_FAR = 40
_LAST = 10
_FEW_LINES = 4
"""So many of the last may follow what counts them."""
_MAX_CHARS = 400
"""A longer response may have thought better of it."""


def states_nothing(tail: str) -> bool:
    """Return whether the end of a response asks or counts, so that its last number is no answer.

    >>> states_nothing("There are 12 eggs. We need to find how many are left.")
    True
    >>> states_nothing("Solve it to get x = 12."), states_nothing("asdf 3 qwe 19 zxc 44")
    (False, True)
    """
    last = tail[last_start(tail) :].strip()
    if (asks := _ASKS.match(last)) and not (
        _LEADS_ON.search(last, asks.end()) or _ANSWERS.search(last, asks.end())
    ):
        return True
    if (
        _TO_BE_FOUND.search(last[-_FAR:])
        or (":\n" in tail and _BLOCK.search(tail[-_MAX_CHARS:]))
        or _OPERATES.search(tail[-_LAST:])
    ):
        return True
    if len(tail) < _MAX_TALK and _DATE_OF_TODAY.fullmatch(tail.strip()):
        return True
    if _is_heap(last) or repeats_or_announces(last) or ASIDE.search(last):
        return True
    lines = tail[-_MAX_CHARS:].rstrip().split("\n")
    if (
        _counts_up(lines[-_FEW_LINES + 1 :])
        or _GAP.search(lines[-1])
        or _CITED.fullmatch(lines[-1])
    ):
        return True
    item = _ITEM.fullmatch(lines[-1])
    if item and any(line.lstrip().startswith(f"{int(item[1]) - 1}.") for line in lines[:-1]):
        return True
    if _CANDIDATE.match(lines[-1]) and len(lines) > 1 and _CANDIDATE.match(lines[-2]):
        return True
    near = lines[-_FEW_LINES:]
    if _COUNTER.may_be_in("\n".join(near)) and any(
        _COUNTER.match("\n".join(near[k:])) for k in range(len(near))
    ):
        return True
    return not _SPEECH.search(last) and _SOUP.search(last) is not None


def _is_heap(last: str) -> bool:
    """Return whether a sentence heaps up words that are said of answers, and says nothing."""
    low = last.lower()
    if low.count("answer") + low.count("correct") < _FEW_KEYWORDS:
        return False
    words = _WORD.findall(low)
    return 2 * sum(word in _KEYWORDS for word in words) > len(words) + 1


def _counts_up(lines: list[str]) -> bool:
    """Return whether three lines say a value for each of three counts: `0 heads: 0.25`."""
    counts = [int(line[1]) for line in map(_COUNTED_LINE.fullmatch, lines) if line]
    return len(counts) == _FEW_LINES - 1 and counts == list(
        range(counts[0], counts[0] + len(counts))
    )


def says_nothing(text: str) -> bool:
    """Return whether prose that is marked as an answer refuses, asks, repeats the task or is code.

    >>> says_nothing("She has 16 eggs. How many are left?"), says_nothing("print(5 if ok() else 6)")
    (True, True)
    """
    asks = text.rstrip().endswith("?") and ASKS_IN_WORDS.search(text) is not None
    return (
        asks
        or CALLS.search(text) is not None
        or gives_up(text)
        or is_undetermined(text)
        or is_clueless(text)
        or states_nothing(text)
    )


def is_clueless(tail: str) -> bool:
    """Return whether a short response says that it does not know, and says nothing after it."""
    lost = _CLUELESS.search(tail) if len(tail) < _MAX_CHARS else None
    return lost is not None and not _GOES_ON.search(tail, lost.end())


def names_example(answer: str) -> bool:
    """Return whether what is called the answer is one of several, `such as 12`."""
    head = answer.split(". ", 1)[0]
    return EXAMPLE.search(head) is not None or _CASES.search(head) is not None
