"""Where does a text say a value? Its sentence, and what stands before that and behind it."""

from __future__ import annotations

import re
from typing import NamedTuple

from rewardkit.verifiers.extraction.text.plain import places_of, stands_in
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.sought import lowered

_NUMBER = as_pattern(r"\d[\d.,:/]*\d|\d")
_WORDY = as_pattern(r"(?<![\\\w])[^\W\d_]{3,}")
"""What is said of a number in a value, its unit as well."""
_OPTIONS = as_pattern(r"[a-j](?:, [a-j])+")
_BETWEEN = r"\)?,?\s?(?:[a-z]{1,3}\s|&\s)?\(?"
"""What may stand between options that a text names together: `a, c and d`."""
_STOP = as_pattern(
    r"[.!?](?<!\b[eE]\.g\.)(?<!\bi\.e\.)(?<!\bcf\.)(?<!\b[MD]r\.)(?<!\d\s[ap]\.m\.)[)\]\"'*”’]*(?:\s|\Z|(?=<))|\n"
)
"""What ends a sentence."""
SIGNS = r"[\s$£€\\({}\"“'*-]*(?:[a-z]\s?[=<>≤≥]\s?)?[\s$\\({\"“'*-]*\Z"
"""What may stand right before a value, an unknown as well."""
_NAMES = ("answer", "####")
_NAMED = as_pattern(r"\banswer(?:\s(?:to|for|of)\b[^.:=]{1,60}?)?\s*(?:is|was|will\sbe|:|=)\s*")
_NAME_BEFORE = as_pattern(
    r"(?P<of>\b(?:of|for|in|about|that|whether|if)\s(?:the|this|my|that)\s)?(?:\b[Aa]nswer(?:\sis)?|####)[^\w.?]*\Z"
)
_MAX_NAME = 40
_MAX_CHARS, _MAX_BEFORE = 900, 400


class Place(NamedTuple):
    """A text in small letters, cut where a value stands and where its sentence begins and ends."""

    earlier: str
    before: str
    value: str
    after: str
    stop: str
    """The sign that ends the sentence."""
    behind: str

    @property
    def sentence(self) -> str:
        """The sentence with its value."""
        return f"{self.before}{self.value}{self.after}"


def behind_name(before: str) -> int:
    """Return where begins what is named the answer; a sentence without such a name, at 0."""
    return max((name.end() for name in _NAMED.finditer(before)), default=0)


def is_named_alone(value: str, text: str) -> bool:
    """Return whether a text is a value, or ends in the name of the answer and a value.

    >>> is_named_alone("35", "So the answer is: 35."), is_named_alone("35", "35 is the answer.")
    (True, False)
    """
    if value == text:
        return " " not in value
    at = text.rfind(value)
    if at < 0 or any(map(str.isalnum, text[at + len(value) :])):
        return False
    name = _NAME_BEFORE.search(text, max(0, at - _MAX_NAME), at)
    return name is not None and not name["of"]


def place_of(value: str, text: str, *, named: bool = False) -> Place:
    """Return where a text says a value last, or, if it is `named` the answer, first behind that.

    Of a value that the text writes otherwise, its last number is looked at, or all of its end.

    >>> place_of("7", "It has 5. So 7 are left. Good.")[:4]
    ('it has 5. ', 'so ', '7', ' are left')
    """
    text = text.strip()[-_MAX_CHARS:].replace("’", "'").replace("**", "")
    low = lowered(text)
    start, end = _span(lowered(value), low, named)
    begin, last = 0, len(text)
    for ended in _STOP.finditer(text, max(0, start - _MAX_BEFORE), start):
        begin = ended.end()
    closes = _STOP.search(text, end)
    last = closes.start() if closes else last
    behind = low[closes.end() :] if closes else ""
    stop = low[last : last + 1]
    return Place(low[:begin], low[begin:start], low[start:end], low[end:last], stop, behind)


def _span(value: str, text: str, named: bool) -> tuple[int, int]:
    """Return where a value begins and ends; where it is not found, those of the last number."""
    wordy = _WORDY.search(value)
    value = value.strip(" .$\\").replace("’", "'")
    numbers = _NUMBER.findall(value)
    whole = value in text and not (numbers and wordy)
    found = (one for one in reversed(numbers) if stands_in(one, text))
    said = value if whole or not numbers else next(found, numbers[-1])
    first = max((text.rfind(name) for name in _NAMES), default=-1) if named else -1
    behind = next(places_of(said, text, first), None) if first >= 0 else None
    at = max(places_of(said, text), default=-1) if behind is None else behind
    if at < 0 and numbers and (at := text.rfind(numbers[-1])) >= 0:
        return at, at + len(numbers[-1])  # `16:0` of `16:00`
    if at < 0 and _OPTIONS.fullmatch(value):
        together = _BETWEEN.join(value.split(", "))
        if several := re.search(rf"\b{together}\b", text):
            return several.span()
    if at < 0 and (others := list(_NUMBER.finditer(text))):
        return others[-1].span()
    if at < 0:
        end = len(text.rstrip(" .!?"))
        return end, end
    return at, at + len(said)
