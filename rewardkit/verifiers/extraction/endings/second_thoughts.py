r"""What an answer becomes on second thoughts: `Hold on, I counted twice; it is 28.`.

Two things must stand behind the answer: a sign that the writer turns from it (a word as `sorry`, or
what it owns to: `I forgot the tax`), and behind that, as the very last words, another value of the
same kind. A word that may as well open a check (`wait`, `hmm`) turns from an answer only where the
answer is not said again. A short text may put right at once what it says: `May. Sorry, I meant
June`.
"""

from __future__ import annotations

import re
from fractions import Fraction

from rewardkit.verifiers.extraction.prose.another import number_of
from rewardkit.verifiers.extraction.text.cuts import end_of, last_start, start_of
from rewardkit.verifiers.extraction.text.plain import stands_in
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.characters import has_digit
from rewardkit.verifiers.vocabulary.letters import OPTION_LETTER
from rewardkit.verifiers.vocabulary.numbers import MONTHS, MULTIPLES, NUMBER_WORDS
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.sought import NEAR, Beginning, Parts, Sought
from rewardkit.verifiers.vocabulary.turns import OWNS, SLIP, TURNS
from rewardkit.verifiers.vocabulary.wordings import DAYS

_OWNS, _TURNS = Sought(OWNS), Sought(TURNS)
_WAS = Beginning(r"[\s$*)\]}]*(?:was|were|would\s(?:be|have\sbeen))\b")
"""Of an answer as it was said: it is another now."""
_SIGNS = Parts(_OWNS, _TURNS, _WAS)
_AT_FIRST = as_pattern(
    r"\b(?:at\sfirst|initially|earlier|previously|before|would(?!\snow\b)|common|many|some|often|"
    r"students?|people|you|they|if|contrast"
    r"|had\s(?:I|we|one)|first\s(?:attempt|try|guess|answer)|corrected(?![:,])|fixed|mended"
    r"|no\s\w+\s(?:mistake|error)|not?\s(?:asked|wanted|needed))\b",
    re.I,
)
"""What tells of a slip that is somebody else's or mended, or of a value that was not asked for."""
_OF_ANOTHER = as_pattern(
    r"\b(?:[Tt]he|[Ii]ts|[Hh]is|[Hh]er|[Tt]heir|[Oo]ur|[Ee]ach|[Ee]very|[Aa]n?)\s"
    r"(?!(?:right|correct|true|actual|real|proper|final|answer|value|number|count|total|result|"
    r"sum|whole|recount)\b)"
    r"[a-z]+(?:\s(?!the\b|that\b)[a-z]+){0,4}\s(?:is|are|was|were|has|have|gets?|gives?)\b"
)
"""A subject of its own, whose value is no other one of the answer."""
_CHECKS = as_pattern(
    r"\b(?:verif\w+|confirm\w*|correct|indeed|works?|fits|satisf\w+|holds|matches|agrees?"
    r"|(?:checks?|check(?:ed|ing)?)\sout"
    r"|as\s(?:before|expected|required|given|claimed)|(?:is|all|seems|looks)\s(?:\w+\s)?right|still|remains|stands|yes)\b|[✓✔]",
    re.I,
)
"""What ends a check that confirms the answer."""
_VERB = (
    r"(?:is|being|actually|sorry|nah|nope|total|see|['’]s|are|was|were|be|been|becomes?|"
    r"makes?(?:\sit)?|gives?|giving|gets?|getting|finds?|obtains?|have|has"
    r"|reads?|equals|comes?\sto|amounts?\sto|turns?\sout(?:\sto\sbe)?|leaves?|leaving|costs?"
    r"|weighs?|takes?|say|answer"
    r"|choose|prefer|pick|meant?|means|makes|pays?|choice|option|land\son|arrives?\sat"
    r"|works\sout\sto|so|rather|instead|box"
    r"|make\sthat|with|by|to|(?:slip\sof\sthe\spen|slip|typo|misprint)\sfor)"
)
_LEADS = (
    rf"(?:(?:\A|(?<!\d)[,;:–—(]|\s-|\.\.\."
    rf"|…)[\s*$(\\]*|\b(?i:{_VERB})\s(?:(?:really|actually|in\sfact|only|just|indeed|exactly|then"
    r"|now|instead|rather|the|an?|out|be|it|at|on|in|no|yes|thus|therefore),?\s){0,3}[*]*)"
)
_ENDS = (
    r"(?:\sof\s(?:them|these|those))?(?:,?\s(?:which\sis\swhat\s[^.;\n]{1,40}|instead|in\sfact|"
    r"then|now|though|after\sall|rather|is\s(?:right|correct|better|it|the\s\w+)))?[\s.!)\]*$}]*\Z"
)
_NUMERIC = (
    r"(\$[^$\n]{1,60}\$|\\\([^\n]{1,60}?\\\)|[(\[][^()\[\]\n]{1,40}[)\]](?=[\s.!*]*\Z)"
    r"|(?:[a-z]\s?=\s?)?[^\s,;:=]*\d[^\s;=]*(?:\s(?!not\b|and\b|of\b|for\b|in\b|is\b"
    r"|by\b)[a-z°²³]{1,12}){0,2}"
    rf"|{alternatives(NUMBER_WORDS)}(?:[\s-]{alternatives(MULTIPLES)})?)"
)
_WORD = r"([A-Za-z]+)"
_CLAIMS = {
    "number": as_pattern(_LEADS + _NUMERIC + _ENDS),
    "letter": as_pattern(rf"{_LEADS}(?:[Oo]ption\s|[Cc]hoice\s)?\(?({OPTION_LETTER})\)?{_ENDS}"),
    "word": as_pattern(_LEADS + _WORD + _ENDS),
}
"""The value that a last sentence ends with, by the kind of the answer before it."""
_FAMILIES = (
    frozenset(DAYS),
    frozenset(MONTHS),
    frozenset(("yes", "no", "true", "false")),
    frozenset(("odd", "even")),
    frozenset(("north", "south", "east", "west")),
    frozenset(("red", "blue", "green", "yellow", "black", "white", "orange", "purple", "brown")),
    frozenset(("increasing", "decreasing", "constant")),
    frozenset(("converges", "diverges", "convergent", "divergent")),
    frozenset((
        "triangle", "square", "rectangle", "rhombus", "kite", "trapezoid", "parallelogram",
        "circle", "ellipse", "parabola", "hyperbola", "line", "pentagon", "hexagon", "heptagon",
        "octagon", "nonagon", "decagon", "cube", "sphere", "cylinder", "cone", "pyramid", "prism",
        "tetrahedron", "octahedron", "dodecahedron", "icosahedron",
    )),
)  # fmt: skip
"""Words of which one may take the place of another."""
_TEXT = as_pattern(r"\\(?:text\w{0,2}|mathrm|mbox)\s*\{([^{}]*)\}")
_FRACTION = as_pattern(r"\\[dt]?frac\{([^{}]*)\}\{([^{}]*)\}")
_SET_AGAINST = as_pattern(r",\s(?:and\s)?not\s(?!that\b)[^,;:.]*\Z")
"""What stands before a value that is not meant: `the edges are asked for, not the corners (8)`."""
_WHY = as_pattern(r",?\s(?:because|since|as)\s[^.;!?\n]*(?=[.!]*\s*\Z)")
_ALONE = as_pattern(
    r"[\s$.!)\\*–—-]*(?:(?:so|thus|hence|therefore|then|of\scourse|well|now|in\sfact|"
    r"in\shindsight|rather|better|but|no|nah|not\squite|silly\sme|ouch|hmm+|um)\b[\s,:;.!…]*)*"
    r"(?:only\s(?=\S+\Z)|it['’]s\s|(?:it|the\struth|(?:the|my|our|a)\s(?:(?:right|correct|true|"
    r"actual|real|proper|final|"
    r"better|new)\s)?(?:value|number|result)|the\sanswer(?=\s(?:has|must|should)\b))\s(?:is|was|"
    r"has\sto\sbe|must\sbe|should\sbe|becomes)"
    r"\s(?:\w+ly\s|in\sfact\s|really\s|then\s)?|(?:I|we)\s(?:get|find|have|obtain|now\shave)\s)?(?=\S)",
    re.I,
)
"""What says nothing of a value but that it is the one."""
_NOTED = as_pattern(
    r"[\s$.)\\*]*(?:(?:->|→|=>|⇒|⟶|\\to\b|\\rightarrow)\s*(?:(?:correct(?:ed)?|now|no|so|it\sis|"
    r"actually|should\sbe|to|changed|make\sit|rather)[:,]?\s){0,3}"
    r"|,?\s?\(?(?:which\s)?(?:(?:should|must)\s(?:be|read|have\sbeen)|correct(?:ed|ion)?|edited|"
    r"edit|now|not\s\S+,|rather|amended|revised)(?:\sto)?[:,]?\s)\$?([^\s,;()]+)[$)]*[.!)]*\s*"
)
"""A note behind an answer, or an arrow, that leads to another: `(should read 24)`, `-> 24`."""
_SO_IT_IS = as_pattern(
    r",\s(?=(?:so|hence|thus|therefore)\s(?:it['’]s|it\sis|it\smust\sbe|only)\s\S+[.!]*\s*\Z)"
)
_BREAK = as_pattern(r"[\s$)\\*\]]*(?:[.!;…]+\s|\n|\s[–—]\s)")
"""What sets a value apart from one right before it."""
_AROUND = " .!*$)\\"
_UNIT = as_pattern(r"[^\W\d_]{2,}|[=!^·×*+]")
_NEARLY = Fraction(1, 50)
_FEW_CHARS = 200
_MAX_CHARS = 300
_MAX_VALUE = 60
_ANY_VALUE = r"[\w$][\w:/.%$\\{}()+=^-]*(?:\s[\w-]+){0,2}?"
_PUTS_RIGHT = Sought(
    rf"(?:(?<=[\w)][.!;])\s|(?<=\w)\s[—–-]\s|(?<=\w),\s)(?:no[,.!]\s+)?"
    rf"(?:(?:{SLIP}|on\ssecond\sthoughts?)\b(?:,?\sno\b)?[,.!:]*\s+(?:[—–-]\s+)?)+"
    r"(?:(?:I\s(?:meant?|should\ssay)|it['’]s|it\sis|that['’]s|make\s(?:that|it)|rather"
    rf"|the\sanswer\sis)\s)?(?P<value>(?:an?\s|the\s)?{_ANY_VALUE})"
    r"(?:,\s(?:because|since|as|there|for)\b[^.]*)?[.!]?\s*\Z"
    rf"|,\sI\smean\s(?P<meant>{_ANY_VALUE})[.!]?\s*\Z"
)
_NO_VALUE = as_pattern(
    r"\b(?:not|n['’]t|sure|idea|know|cannot|maybe|perhaps|or|wrong|right|correct|that|this|problem|worries|need|further|more|matter"
    r"|help|reason|doubt|questions?|longer|you|me|i|let|we|same|true|false\sstart)\b",
    re.I,
)
_JEST = as_pattern(
    r"(?:\A|[.!…,;:–—-]\s?)\s*(?:(?:just|only|I['’]?m|I\sam)\s)*(?<!not\s)(?<!no\s)(?:kidding|joking)\b[.!,:;…\s–—-]+(?=\w)",
    re.I,
)
"""What says that all before it was meant in fun."""
_MARKS = ("box", "<", "####")
_MAX_SHORT = 160


def second_thought(rest: str, value: str) -> str | None:
    """Return what stands in the end in the place of an answer's value, before a text; else None.

    >>> second_thought(". Hold on, I counted twice; the true count is 28.", "56")
    '28'
    >>> second_thought(". Wait, did I count twice? No, so it is 56.", "56") is None
    True
    """
    near = rest[-_MAX_CHARS:]
    if not 0 < len(value) <= _MAX_VALUE:
        return None
    plain = _plainly(value)
    if len(rest) < _FEW_CHARS and (bare := _bare(rest, plain)):
        return bare
    if not _SIGNS.may_be_in(rest[-NEAR:]):
        return None
    was = _WAS.match(near) if near is rest else None
    owns = was or _OWNS.search(near)
    turn = owns or _TURNS.search(near)
    if turn is None:
        return None
    start = last_start(near)
    last = near[start:].rstrip()
    claimed = _claimed(last, plain) or _claimed(_WHY.sub("", last), plain)
    if not claimed or "box" in claimed or _AT_FIRST.search(last) or _plainly(claimed) == plain:
        return None
    if _SET_AGAINST.search(last, 0, last.rfind(claimed)):
        return None
    behind = _plainly(near[turn.start() :])
    if not was and _AT_FIRST.search(near, start_of(near, turn.start()), end_of(near, turn.end())):
        return None
    if owns is None and (
        _CHECKS.search(behind) or stands_in(plain, behind) or _OF_ANOTHER.search(last)
    ):
        return None
    asked = near[:start].rstrip().endswith("?") and not has_digit(plain)
    return None if asked else claimed


def put_right(text: str) -> str:
    """Return what a short text without a mark says in the place of what it said first.

    >>> put_right("February. Sorry, I meant March."), put_right("C. Actually no, it's B.")
    ('March.', 'B.')
    >>> put_right("It is 4. No, I am not sure.")
    'It is 4. No, I am not sure.'
    """
    if len(text) > _MAX_SHORT or "\n" in text.strip() or any(mark in text for mark in _MARKS):
        return text
    if ("kidding" in text or "joking" in text) and (jest := _JEST.search(text)):
        return text[jest.end() :]
    found = _PUTS_RIGHT.search(text)
    if found is None or not text[: found.start()].strip():
        return text
    value = (found["value"] or found["meant"]).rstrip(".")
    return text if _NO_VALUE.search(value) or "?" in text else f"{value}."


def _bare(rest: str, plain: str) -> str | None:
    """Return another value that is said alone behind an answer, or in a note: `So it is 24.`."""
    if noted := _NOTED.fullmatch(rest):
        claimed = _claimed(noted[1], plain)
        return claimed if claimed and not _is_same(claimed, plain) else None
    start = last_start(rest)
    apart = _BREAK.match(rest)
    if not (start or apart) or rest[:start].rstrip().endswith("?"):
        return None
    begins = start or (apart.end() if apart else 0)
    if so := _SO_IT_IS.search(rest, begins):
        begins = so.start() + 1
    alone = _ALONE.match(rest, begins)
    claimed = _claimed(rest[alone.end() - 1 :].strip(), plain) if alone else None
    if not (alone and claimed) or rest[alone.end() :].strip(_AROUND) != claimed.strip(_AROUND):
        return None
    return None if _is_same(claimed, plain) or _UNIT.search(claimed) else claimed


def _is_same(one: str, other: str) -> bool:
    """Return whether two values are written alike, or are nearly the same number."""
    one = _plainly(one)
    first, second = number_of(one), number_of(other)
    if first is None or second is None:
        return one == other
    return abs(first - second) <= _NEARLY * max(abs(first), abs(second))


def _claimed(last: str, plain: str) -> str | None:
    """Return the value of an answer's kind that a last sentence ends with."""
    low = plain.lower()
    if len(plain) == 1 and plain.isupper():
        kind = "letter"
    elif has_digit(plain) or not plain.replace(" ", "").isalpha() or low in NUMBER_WORDS:
        kind = "number"
    else:
        kind = "word"
    found = _CLAIMS[kind].search(last)
    if found is None:
        return None
    claimed = found[1].rstrip(".!")
    if claimed.endswith(")") and "(" not in claimed:
        claimed = claimed.rstrip(")")
    if kind == "word" and not _may_replace(claimed, plain):
        return None
    return claimed


def _may_replace(word: str, plain: str) -> bool:
    """Return whether a word is of the kind of an answer's: both are days, or both names."""
    low = plain.lower()
    for family in _FAMILIES:
        if word.lower() in family:
            return not family.isdisjoint(low.split())
    named = word[0].isupper() and plain[0].isupper() and word.istitle()
    return named and not any(low.split()[-1] in family for family in _FAMILIES)


def _plainly(value: str) -> str:
    value = _FRACTION.sub(r"\1/\2", _TEXT.sub(r"\1", value)) if "\\" in value else value
    return value.replace("$", "").replace("\\", "").strip(" .!*")
