"""Whether a sentence that nothing marks as the answer claims the value that it holds.

A claim says something of the things of the task, to its end: `The tank holds 24 liters.`, `So we
get 24.` What a writer says of the own work, of the text or to a reader counts something else: `I
used 24 lemmas`, `Page 24 explains it`, `Take 24 first`; and who breaks off has claimed nothing yet:
`He has 24 boxes. The rest of them`.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from rewardkit.verifiers.extraction.prose.evidence import shows_value
from rewardkit.verifiers.extraction.prose.voice import is_anothers
from rewardkit.verifiers.extraction.text.number_words import NUMBER_IN_WORDS
from rewardkit.verifiers.extraction.text.plain import places_of
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.phrases import FAULTS
from rewardkit.verifiers.vocabulary.roles import (
    ARRIVING,
    DOING,
    FRAME,
    NUMBERED,
    OF_BOOKS,
    OF_ITS_MAKING,
    OF_THE_TEXT,
    OPENING_ASIDES,
    OTHERS,
    PLAIN,
    SPEAKERS,
    TAKING,
)
from rewardkit.verifiers.vocabulary.sought import holds_one
from rewardkit.verifiers.vocabulary.units import UNITS

_NUMBER = as_pattern(r"\d[\d.,]*\d|\d")
_STOP = as_pattern(
    r"[.!?](?<!\bMr[.!?])(?<!\bMrs[.!?])(?<!\bMs[.!?])(?<!\bDr[.!?])(?<!\bSt[.!?])(?<!\sp[.!?])(?<!\spp[.!?])(?<!\bi\.e[.!?])[)\]\"'*]*\s|\n"
)
"""It begins with the sign itself, or every place would be tried."""
_END = as_pattern(r"[.!?](?=[)\]\"'*]*(?:\s|\Z))|\n")
_WORD = as_pattern(r"(?<!\\)\b[^\W\d_]+(?:'[^\W\d_]+)*")
_RELATES = as_pattern(r"[=<>≤≥≠]|\\(?:[lg](?:e|t)|neq?|begin)|[(\[{][^()\[\]{}]*,")
"""What no count is: a relation, a matrix, a point, an interval."""
_LED = as_pattern(
    r"=|≈|→|⇒|[-=]>|\b(?:so|thus|hence|therefore|altogether|consequently|accordingly|overall"
    r"|finally|answer\s?:|i\.e\.|namely|or\s(?:approximately|about|roughly)|in\s(?:total|all|other\swords)|leaving|giving|making|means|implies"
    r"|(?:that|which|this|it)(?:'s|\s(?:is|makes|gives|leaves|means|equals|comes|follows"
    r"|must\sbe)))(?![a-z])"
)
"""What leads from the rest of a sentence to the clause of its value."""
_CONCLUDED = as_pattern(r"\b(?:means\sthat|so|thus|hence|therefore|total|altogether|answer)\b")
_CLAUSE = as_pattern(r",\s|[;(]|:\s|\b(?=there\s(?:is|are|was|were|will)\b)")
_BEHIND = as_pattern(r"[,;:(]|\b(?:because|since|as|so|and(?=\s(?:see|then|go|try|check)\b))\b")
_TALKED_OF = as_pattern(
    r"\A\W*(?:(?:so|thus|hence|therefore|and|but|wow|well|the|a|(?:number|value|point)s?|vector|pair|only)\W+)*\Z"
)
_SEVERAL = as_pattern(r"\d\W+(?:and|or)\W+\d")
_ARE = as_pattern(
    r"\W*\s(?:are|were|have|do)\s(?!the\b|our\b|(?:all|both)\sthe\b|(?:all\s|both\s)?(?:solutions|roots|answers|zeros))"
)
"""What is said of numbers that are known: `the numbers 8 and 9 are consecutive`."""
_OF_KNOWN = as_pattern(
    r"\A\W*(?:the\s)?(?:sum|product|average|mean|number)\sof\s(?:all\s)?the\s(?:(?:first|last)\s)?\W*\Z"
)
"""What is counted on rather than stated: `The sum of the first 24 integers`."""
_ONE = as_pattern(
    r"\W*\s(?:is|was|has|does|plays|appears|seems|looks|occurs|stands|comes)\s"
    r"(?!(?:(?:also|then|thus|indeed|therefore|now|clearly|exactly|just|still)\s)*"
    r"(?:the|our|my\s(?:answer|result)|her|his|its|their|what|how|where|left|correct|right|enough|needed|required"
    r"|obtained|found|it|equal|as)\b)"
)
"""A number that one thing is said of, as a count is not: `7 is odd`, but `7 are left`."""
_OF_CURVE = as_pattern(
    r"\b(?:(?:to|on|from|of|through|between|at|in|by|below|above|near)\s(?:the|an?|this|that|its|our)\s(?:[a-z]+\s)?"
    r"(?:line|curve|circle|parabola|ellipse|plane|graph)s?|(?:perpendicular|parallel|tangent|normal)\sto"
    r"|given\s(?:line|curve|circle|parabola|equation|function)(?:\sis)?|(?:we|you)\s(?:are|were)\sgiven\sis)\s\$?(?:[^\s=]{1,9}\s?=\s?)?\Z"
)
"""What a formula is known by that stands behind it: `perpendicular to the line`."""
_DENIES = ("not ", "n't ", "never ", "false ", "nobody ", "no one ")
_DENIED_VERB = as_pattern(
    r"(?:\b(?:do|does|did|ha[sd]|have|is|are|was|were|will|wo|would|could"
    r"|can?|should)(?:n't|\s(?:not|never))"
    r"|\bnever|\bcannot|\bnobody|\bno\sone|\bfalse\sthat)\s(?:(?!(?:that|so|and|but|because|since|then|if|when|until|before|after|only"
    r"|just|merely|have\sto|need|simplify|reduce|improve)\b)[a-z]+\s){0,4}[$(\\]*\Z"
)
"""What denies the value behind its verb, unless it concludes: `They did not sell 640 tickets`."""
_BUT = as_pattern(r"[^.]{0,20}?(?:\bbut\b|[;,]\s(?:it|he|she|they)\b)")
_WRONGLY = r"(?:mistakenly|wrongly|erroneously|incorrectly|falsely)"
_FAULTY = as_pattern(
    rf",\s{_WRONGLY}\W*\Z|\b{_WRONGLY}\s\w+\s+\Z|\b(?:is|was|be)\s(?:only\s)?(?:an?|the)\s(?:[a-z]+\s)?{alternatives(FAULTS)}\b"
)
_SAID_OF_IT = as_pattern(
    r"\s?(?:%|\\%|percent)?\s(?:sure|certain|confident|convinced"
    r"|positive(?=\W*\Z|\s(?:that|about|of|this|it)\b))\b"
)
_LIST_SIGN = as_pattern(r"[).]\s+[a-z]{3,}\s[a-z]")
_POINTS = as_pattern(r"\s(?:points?|marks?|pts|credits?|punkte|puntos|pontos|punti|баллов)[)\]]")
_STOPPED = as_pattern(r"\W*(?:%|percent|minutes?|seconds?|hours?|points?|tokens?)?\W*\Z")
_GOES_ON = as_pattern(r",\s(?!which\b)[^\d=$\\]*(?:[a-z]+\W+){3,}[^\d=$\\]*\Z")
_OUGHT = frozenset(("should", "may", "might", "must", "can", "could", "would"))
_BEING = frozenset(("is", "are", "was", "equals"))
_DENYING = frozenset(("not", "never", "nor", "cannot"))
_FRAMES = FRAME | {"time", "total", "the", "my", "your", "full", "max", "maximum", "test", "tests"}
_READERS = frozenset(("i", "me", "you", "your"))
_DONE_TO_TEXTS = DOING | {"check", "try", "test", "do", "skip"}
_OF_NO_BOOK = OF_THE_TEXT - OF_BOOKS
_OF_TEXTS = OF_THE_TEXT | NUMBERED | OF_ITS_MAKING
_OWNERS = frozenset(("my", "our", "your"))
_OWN = (
    OF_THE_TEXT
    | OF_ITS_MAKING
    | {"hand", "time", "mind", "notes", "brain", "gut", "guess", "answer", "final", "work", "own"}
)
"""What a writer has at work."""
_THIS_TEXT = frozenset((
    "this", "these", "here", "above", "below", "such", "like", "similar", "another", "related",
    "other", "previous", *_OWNERS,
))  # fmt: skip
_ONE_OF_MANY = frozenset(("each", "every", "first", "second", "third", "fourth", "last", "long"))
"""What is said of the chapters of a book rather than of those of a text that answers."""
_LEADS_ON = as_pattern(r"[:;,]|\d\s?=|\b(?:so|thus|hence|therefore)\b")
_MAX_NEAR = 60
_FINDING = frozenset(("find", "found", "get", "obtain"))
_ASKED = frozenset(("answer", "asks", "asked", "sought", "wanted", "looking"))
_PLACING = frozenset(("on", "in", "at", "from"))
_FIRST = frozenset(("next", "now", "first", "then", "please", "just", "finally"))
_UNIT = as_pattern(r"(?<=\d)\s[a-z ]+\Z")
_TENDS = as_pattern(r"(?<=\b[a-z])(\$?\s)approaches\b")
"""What an unknown does, rather than what is tried on a problem: `as x approaches 0`."""
_REASONS_NAMED = ("theorem", "lemma", "identity", "rule", "law")
_BY_THEOREM = as_pattern(
    r"\A\W*(?:(?:so|thus|hence|therefore|then|now),?\s)?(?:by|using|from|with|applying)\s"
    r"(?:[\w'’-]+\s){0,4}(?:theorem|lemma|identity|rule|law)(?:(?:\s[\d.]+)?(?:\son\spage\s\d+)?,?\s(?=[a-z])|,\s\Z)"
)
"""What a claim begins with that says why it holds: `By the Pythagorean theorem the leg is 5`."""
_OPENING = as_pattern(rf"\W*{alternatives(_FIRST)},")
_MAX_BEFORE, _MAX_BEHIND = 400, 300
_FEW = 2
"""So many words beside a value leave it all that is said."""
_COUNTED = 3
"""Among so many words behind a value is what it counts."""


def claims(text: str, value: str, *, marked: bool = False) -> bool:
    """Return whether the sentence of a text that holds a value claims it.

    What is `marked` as the answer need not show that it states the value that it holds.

    >>> claims("So the tank holds 24 liters.", "24"), claims("I have used 24 lemmas.", "24")
    (True, False)
    >>> claims("Page 24 explains it.", "24"), claims("She stopped on page 24.", "24")
    (False, True)
    >>> claims("He has 24. The rest of them", "24"), claims("Next, consider 24.", "24")
    (False, False)
    """
    numbers = _NUMBER.findall(value)
    at = text.rfind(numbers[-1]) if numbers else -1
    if at < 0:
        in_words = list(NUMBER_IN_WORDS.finditer(text, max(0, len(text) - _MAX_BEFORE)))
        return not in_words or claims_at(text, *in_words[-1].span(), marked=marked)
    stops = _STOP.finditer(text, max(0, at - _MAX_BEFORE), at)
    begin = max((stop.end() for stop in stops), default=0)
    said = value if text.find(value, begin) >= 0 else numbers[-1]
    places = list(places_of(said, text, begin)) or [at]
    size = len(said) if said[-1].isdigit() else len(_UNIT.sub("", said))
    return any(claims_at(text, place, place + size, marked=marked) for place in places)


def claims_at(text: str, start: int, end: int, *, marked: bool = False) -> bool:
    """Return whether the sentence of a text claims the value that it holds between two places."""
    begin = near = max(0, start - _MAX_BEFORE)
    for stop in _STOP.finditer(text, near, start):
        begin = stop.end()
    ended = _END.search(text, end)
    last = ended.start() if ended else len(text)
    before, after = _plain(text[begin:start]), _plain(text[end : min(last, end + _MAX_BEHIND)])
    before = before.replace(" in question", "")
    before = _TENDS.sub(r"\1nears", before) if "approaches" in before else before
    if holds_one(before, _REASONS_NAMED):
        if text.startswith("$", start) and before.endswith(tuple(f"{r} " for r in _REASONS_NAMED)):
            before = f"{before[:-1]}, "  # a formula is no number of a theorem
        before = _BY_THEOREM.sub("", before)
    if _stops_early(before, text[last : last + _MAX_BEHIND]):
        return False
    before = before.replace(" in question ", " ")
    value = text[start:end]
    if _SEVERAL.search(value) and _TALKED_OF.match(before) and _ARE.match(after):
        return False
    computed = _RELATES.search(value) is not None or f"= {value}" in text[:begin]
    denied = not computed and holds_one(before, _DENIES) and _is_denied(before, after)
    return not denied and _is_of_the_task(before, after, computed, marked)


def _plain(text: str) -> str:
    return text.lower().replace("’", "'").replace("*", "")


def _stops_early(before: str, rest: str) -> bool:
    """Return whether a text breaks off behind the value of a sentence."""
    open_end = rest.rstrip()[-1:].isalpha() and len(_WORD.findall(rest.lower())) > _FEW
    return open_end and not _CONCLUDED.search(before)


class _Clause(NamedTuple):
    """The words of a value's clause before and behind it, and of its whole sentence."""

    words: list[str]
    behind: list[str]
    every: list[str]
    led: bool
    """Whether the rest of the sentence leads to the clause."""

    @property
    def speaks(self) -> bool:
        """Whether it speaks of a writer or a reader."""
        pairs = zip(self.words, [*self.words[1:], ""], strict=False)
        return any(word in SPEAKERS and not _owns(word, behind) for word, behind in pairs)

    @property
    def arrives(self) -> bool:
        """Whether it ends with a verb of being: `the sum is`."""
        return bool(self.words) and self.words[-1] in _BEING


def _is_of_the_task(before: str, after: str, computed: bool, marked: bool) -> bool:
    """Return whether the clause of a value speaks of the task rather than of the text."""
    if _is_set_aside(before, after):
        return False
    if before.rstrip().endswith((":", "=")):
        return True
    every = _WORD.findall(before) + _WORD.findall(after)
    tells = not (SPEAKERS.isdisjoint(every) or _OF_TEXTS.isdisjoint(every))
    if len(every) < _FEW or (PLAIN.isdisjoint(every) and not tells):
        return True
    led = max((lead.end() for lead in _LED.finditer(before)), default=0)
    begins = led + max((end.start() for end in _CLAUSE.finditer(before[led:])), default=0)
    words = _WORD.findall(before[begins:]) or _WORD.findall(before[led:])
    behind = _WORD.findall(_BEHIND.split(after, maxsplit=1)[0])
    clause = _Clause(words, behind, every, led > 0)
    if _is_told(words, behind) or _is_done(clause, computed) or _is_place(clause):
        return False
    opens = _WORD.search(before)
    if opens and opens[0] in OPENING_ASIDES and "," not in before and _GOES_ON.search(after):
        return False
    if (not marked and _is_of_text(clause)) or _tells_to_do(words):
        return False
    computed = computed and not any(word in _DENYING or word.endswith("n't") for word in words)
    return bool(marked or led or clause.speaks or computed or "answer" in words) or shows_value(
        before[begins:], after, first=begins == led
    )


def _is_set_aside(before: str, after: str) -> bool:
    """Return whether a value is spoken of, another's, a label or wrong, or only told to be used."""
    if (_TALKED_OF.match(before) and _ONE.match(after)) or _SAID_OF_IT.match(after):
        return True
    if is_anothers(before, after) or _OF_KNOWN.match(before):
        return True
    if _is_label(before, after) or _FAULTY.search(f"{before[-_MAX_NEAR:]} {after}"):
        return True
    return _tells_to_do(_WORD.findall(before)) and not _leads_on(before)


def _is_done(clause: _Clause, computed: bool) -> bool:
    """Return whether a writer only does something with a value: `I used 24 lemmas`."""
    words, counted = clause.words, clause.behind[:_COUNTED]
    if not clause.speaks or clause.arrives or not ARRIVING.isdisjoint([*words, *counted]):
        return False
    taken = computed and not TAKING.isdisjoint(words)
    return not (taken or _is_possible(words, clause.behind))


def _is_place(clause: _Clause) -> bool:
    """Return whether a value numbers a part of a text: `on page 24`."""
    words = clause.words
    if not words or words[-1] not in NUMBERED:
        return False
    if len(words) <= _COUNTED and (not clause.led or words[0] == "this"):
        return True
    return clause.speaks and words[-2:-1] != [] and words[-2] in _PLACING


def _is_of_text(clause: _Clause) -> bool:
    """Return whether a clause counts what texts are made of, or the work on them."""
    words, counted, said = clause.words, clause.behind[:_COUNTED], {*clause.words, *clause.behind}
    if (clause.arrives and not _ASKED.isdisjoint(words)) or not OTHERS.isdisjoint(said):
        return False
    if "known" in words or not _OF_NO_BOOK.isdisjoint(said):
        return True
    if not OF_BOOKS.isdisjoint(said):
        told = clause.led or not _ONE_OF_MANY.isdisjoint(clause.every)
        told = told or _OF_TEXTS.isdisjoint(counted)
        if clause.speaks or not told or not _THIS_TEXT.isdisjoint(clause.every):
            return True  # chapters and the like, but not those of the task
    made = not OF_ITS_MAKING.isdisjoint(counted)
    return made and clause.speaks and words[-1] not in _FINDING


def _is_denied(before: str, after: str) -> bool:
    """Return whether a verb before a value is denied; who concludes so may have been asked it."""
    denied = _DENIED_VERB.search(before) is not None
    return denied and not (_CONCLUDED.search(before) and not _BUT.match(after))


def _owns(word: str, behind: str) -> bool:
    """Return whether a writer tells of what is the writer's in the task: `my mother`."""
    return word in _OWNERS and behind != "" and behind not in _OWN


def _is_told(words: list[str], behind: list[str]) -> bool:
    """Return whether a value is told to a reader: `one should take 24`, `here are 24 tips`."""
    if words[:2] == ["here", "are"] and behind:
        return True
    if words[:1] == ["one"] and words[1:2] and words[1] in _OUGHT:
        return not _is_possible(words, behind)
    return not _READERS.isdisjoint(behind) and ARRIVING.isdisjoint(behind)


def _is_possible(words: list[str], behind: list[str]) -> bool:
    """Return whether words tell what can be done in the task: `we can seat`, not `we can take`."""
    verbs = [b for a, b in pairwise(words) if a == "can" or (a == "would" and "you" in words)]
    if (
        behind[1:2] == ["of"]
        and behind[0] in UNITS
        and not _OUGHT.isdisjoint(words)
        and _FIRST.isdisjoint(words)
    ):
        return True  # `you should add 2 liters of water`
    return bool(verbs) and ("ways" in behind or verbs[0] not in _DONE_TO_TEXTS)


def _is_label(before: str, after: str) -> bool:
    """Return whether a value only marks a line, says which line is meant, or frames a text."""
    if _OF_CURVE.search(before):
        return True
    words = _WORD.findall(before)
    if not words:
        if _POINTS.match(after) and before.rstrip().endswith(("(", "[")):
            return True
        return not before.strip(" -") and _LIST_SIGN.match(after) is not None
    if len(words) == 1 and words[0] in NUMBERED and before.rstrip().endswith(("#", "no.", "nr.")):
        return True
    if _STOPPED.match(after) and not FRAME.isdisjoint(words) and _FRAMES.issuperset(words):
        return True
    return after.strip() == ":" or (after.startswith(":") and NUMBERED.issuperset(words))


def _tells_to_do(words: list[str]) -> bool:
    """Return whether words before a value tell to do something with it: `Next, square 24`."""
    words = words[1:] if words and words[0] in _FIRST else words
    return bool(words) and words[0] in DOING and ARRIVING.isdisjoint(words[1:])


def _leads_on(before: str) -> bool:
    """Return whether words before a value lead to it, behind a first `Next,`."""
    opening = _OPENING.match(before)
    return _LEADS_ON.search(before, opening.end() if opening else 0) is not None
