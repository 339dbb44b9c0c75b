"""The last sentences of a text: which they are, and whether it stops in the middle of one.

`We have 24 apples and then we` does.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.prose.last_quantity import NUMERAL
from rewardkit.verifiers.extraction.text.cuts import start_of
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.characters import has_digit
from rewardkit.verifiers.vocabulary.numbers import NUMBER_WORDS
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.phrases import CONCLUSIONS, CONCLUSIONS_ELSEWHERE
from rewardkit.verifiers.vocabulary.units import PERCENT

NUMBER = as_pattern(rf"(?<![\w.])[-−–]?{NUMERAL}(?:\s*/\s*\d+|(?::\d+)+(?!\d|\.\d))?\s*{PERCENT}?")
_DIGIT = as_pattern(r"\d")
_SENTENCE_END = as_pattern(
    r"[.!\n](?:(?<=[\w)$*%][.!])\s(?<!\b[eE]\.g\.\s)(?<!\bi\.e\.\s)|(?<=\n)\n*)"
)
NEXT_SENTENCE = as_pattern(r"[.!?]\s|\n(?=[A-Z][a-z])")
"""Where a later sentence begins."""
_MAX_SENTENCES = 3
_ENDINGS = (150, 400, 1000)
"""How much of the end is cut up, until that is more than the last few sentences."""
_MIDDLE = as_pattern(
    r"(?:\b(?:and|or|of|by|the|an|to|with|into|we|is|are|that|which|because|since|if|plus|minus"
    r"|than|as|at|from|there|they|has|have|had|was|were|be|per|our|its|their|and\snow|where|when|we\sneed|will|can"
    r"|but|equals?|gives|giving|yields|(?i:th|thi|ther|therefo|becaus)"
    r"|and\sfor\sthe\s\w+\s(?:part|half|one)\sit|and\sthe\s(?:rest|others?|remaining\s\w+)"
    r"|(?:each|one|some|both|all)\sof\swhich\s[a-z]+"
    r"|with\s(?:slope|radius|center|centre|length|area|probability|sides?|vertex|vertices))"
    r"|,\s(?:and|but)\sof\s(?:those|these|them|the\s[a-z]+)(?:\s(?:an?\s)?[a-z]+)?|,\s(?:then|so|(?:so\s)?the\s[a-z]+|we\s[a-z]+)|(?:\b(?:is|equals)|=)\s\S{0,16}\d\S{0,3}\stimes|(?<![/\d])\d+\sof\s(?:these"
    r"|those|the\s[a-z]+)"
    r"|(?!(?:dai|week|month|year|hour|on|like|rep|fami|supp|app|ear|on)ly\b)[a-z]{3,}ly|make\sup|equal\sto"
    r"|to\s(?:get|obtain)|(?<!what\s)(?<!all\s)(?<!that\s)(?<!which\s)(?<!number\s)(?<!value\s)(?<!answer\s)(?:[wW]e|I|us)\s(?:get|obtain|find)|[lL]et\s(?:me|us)"
    r"|(?<![.!?])\s[-+×÷=]|[;；]"
    r"|\b(?:und|oder|der|die|das|mit|von|ist|also|dann|weil|et|ou|le|la|les|de|des|du|par"
    r"|est|sont|donc|alors|qui|que|el|los|con|por|es|son|entonces|porque|il|lo|di|è|são|então"
    r"|и|или|на|с|по|это|равно|равна|равен|что|потому|puis|ensuite|luego|después|depois|poi|затем|потом)|则|則|为|為|是|等于|等於|和|与|因为|所以|那么|は|が|を|次に|それから|そして|ので|から|然后|然後|接着|接下来|다음으로|그리고|그다음에?|그러면|그런\s다음"
    r"|比[^，。,\d]{1,12}[多少大小高低](?:[^，。,\d]{1,3})?)\Z"
)
_OPEN = tuple("{([=")
"""What opens something, or awaits its other side."""
_LEFT_OPEN = as_pattern(r"\$\s*[a-zA-Z]\w?(?:_\{?\w+\}?)?\Z")
"""A formula of one name that nothing closes: `the second term, $a_2`."""
_DANGLES = as_pattern(r"[^\W\d_:=,][:=,]?\s+(\$\$|\\?\$)\Z")
_WHOLE = tuple(".!?。！？}*)]|\"'`”’>")
_CONCLUDED = as_pattern(
    r"[,;.，。]\s?(?:and\s|which\smeans\sthat\s)?"
    rf"(?:\b{alternatives(CONCLUSIONS | CONCLUSIONS_ELSEWHERE | {'then'})}\b(?!\sthat\b)"
    r"|所以|因此|那么|于是|故)([^\d]{0,150})\Z"
    r"|,\s(?:and\s)?(?:which\smeans\sthat\s|(?=the\s(?:number|amount|total|sum|area|rest)\s))"
    r"([^\d]{0,150})\Z",
    re.I,
)
"""A conclusion behind a value, without a value."""
_VERB = as_pattern(
    r"\b(?:is|are|was|were|be|been|has|have|had|can|could|will|would|must|may|might|should|do|does"
    r"|did|fits?|needs?(?!\Z)|works?|holds?|follows|goes|went|gets?|got|takes|took|makes|made|left|remains?"
    r"|wins?|won|ist|sind|war|hat|haben|wird|kann|muss|est|sont|a|ont|peut|es|son|está|tiene|hay"
    r"|puede|è|sono|ha|può|é|são|tem|pode|yes|no|true|false"
    rf"|[A-J]|{alternatives(NUMBER_WORDS)})\b|[是有等对错能会可]|['’](?:s|re|ll|ve|d|t)\b|[\\$]",
)
"""What shows that such a clause may be whole."""
_BEGUN = as_pattern(r"(?:\S*[^\s.!?]\s+){2,}(?:[^\W\d_]+|=)")
"""A line that stops at a word, or before the value of an equation."""
_WORKS = as_pattern(
    r"[し算めてえりくけいば]、\Z|(?:より|から|ので|だから|なら|と)、\Z|[算求得出代][^，、=]{0,4}\s?[\d(a-z][^，、]*[，、]\Z"
)
_SETTLES = as_pattern(r"答|よって|したがって|ゆえに|所以|因此|故|共|合計|总|總|是[^，、]*，\Z")
"""A step of a calculation that a comma ends, and what may say its result all the same."""
_MAX_CHARS = 300
_LONGEST = 48
"""Characters of what it stops with, and some more."""


def last_sentences(text: str) -> list[str]:
    """Return the last few sentences of a text; no more of it is cut up than they may take."""
    parts: list[str] = []
    for size in _ENDINGS:
        parts = sentences(text[-size:])
        if len(parts) > _MAX_SENTENCES or size >= len(text):
            break
    return parts[-_MAX_SENTENCES:]


def sentences(text: str) -> list[str]:
    """Return the sentences of a text with their stops, without what is between them."""
    parts, start = [], 0
    for end in _SENTENCE_END.finditer(text):
        parts.append(text[start : end.start() + (end[0][0] != "\n")])
        start = end.end()
    return [*parts, text[start:]]


def number_in(text: str, start: int = 0) -> bool:
    """Return whether there is a number behind a place; a digit is found in no time."""
    digit = _DIGIT.search(text, start)
    return digit is not None and (
        NUMBER.search(text, max(start, digit.start() - 2)) is not None  # `-.5` begins before it
    )


def unfinished(text: str) -> str | None:
    """Return the words after the last whole sentence of a text that stops in the middle of one.

    >>> unfinished("So there are 12 boxes. Each holds 24 apples and then we")
    'Each holds 24 apples and then we'
    >>> unfinished("So there are 24 apples") is None
    True
    >>> unfinished("A week has 7 days, so the number of days in the month")
    ', so the number of days in the month'
    """
    end = text[-_MAX_CHARS:].rstrip()
    if not end or end[-1] in _WHOLE or (end[-1].isdigit() and end[-2:-1] != "_"):
        return None
    if end[-1] == "$" and not (_opens(end) or end[:-1].rstrip().endswith("=")):
        return None
    last = max(0, len(end) - _LONGEST)
    if (
        end.endswith(_OPEN)
        or end[-1] == "$"
        or _MIDDLE.search(end, last)
        or (end.count("$") % 2 and _LEFT_OPEN.search(end, last))
    ):
        return end[start_of(end, len(end)) :]
    fragment = end[start_of(end, len(end)) :] if end[-1] in ",，、" else ""
    goes_on = end[-1] in "，、" and _WORKS.search(fragment) and not _SETTLES.search(fragment)
    if fragment and (goes_on or not has_digit(fragment)):
        return fragment
    clause = _CONCLUDED.search(end)
    whole = clause is None or _VERB.search(clause[1] or clause[2] or "")
    return None if whole or clause is None else clause[0]


def without_line_begun_again(text: str) -> str:
    """Return a text that repeats its lines without the last, where that stops before its value.

    >>> without_line_begun_again("The cost is 12\\nThe cost is 12\\nThe cost is")
    'The cost is 12\\nThe cost is 12'
    >>> without_line_begun_again("The cost is 12\\nThe cost is 1")
    'The cost is 12\\nThe cost is 1'
    """
    last = text.rstrip()[-1:]
    if not (last.isalpha() or last == "="):
        return text
    start = text.rfind("\n") + 1
    line = text[start:].strip()
    if not start or len(line) > _MAX_CHARS or line.count(" ") < 2:
        return text
    near = f"\n{text[max(0, start - 2 * _MAX_CHARS) : start]}"
    at = near.find(f"\n{line} ")
    if at < 0 or not has_digit(near[at + len(line) + 1 :].split("\n", 1)[0]):
        return text
    return text[:start].rstrip()


def _opens(end: str) -> bool:
    """Return whether the dollar sign that a text ends with opens a formula."""
    if not (found := _DANGLES.search(end, max(0, len(end) - _LONGEST))):
        return False
    return found[1] == "\\$" or end.count(found[1]) % 2 == 1
