"""Days and times of day that a sentence comes to: `..., at 9:25`, `at noon`, `am 5. März 2024`."""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.prose.voice import is_of_others
from rewardkit.verifiers.parsing.tokens.numerals import number_in_words
from rewardkit.verifiers.vocabulary.alternatives import ORDINAL_ENDS, PARTS_OF_DAY
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.numbers import MONTHS, NUMBER_WORDS
from rewardkit.verifiers.vocabulary.numbers_elsewhere import MONTHS_ELSEWHERE, folded
from rewardkit.verifiers.vocabulary.patterns import alternatives, left_open_by

_HALF = r"(?:\s?[aApP]\.?[mM]\b\.?)"
_TIME = as_pattern(
    rf"(?<![\d:.])\d{{1,2}}:[0-5]\d(?::[0-5]\d)?(?!\d){_HALF}?|(?<![\d:.,])\d{{1,2}}(?:\.[0-5]\d)?{_HALF}"
)
_PART_OF_DAY = as_pattern(
    r"\s(?:in\sthe\s(?P<am>morning)|in\sthe\s(?:afternoon|evening)|at\snight)\b"
)
_UNSURE = left_open_by(
    r"no|or|if|unless|may|would|maybe|perhaps|probably|assum\w+|guess|between|whether|except"
    r"|earliest|latest|cannot|unknown|unable|example|instance|like|such\sas|says?|said|given|find"
    r"|e\.g"
)
_GIVES_UP = as_pattern(
    r"\b(?:cannot|unable|unknown|impossible|if|suppose|given|find)\b|(?:ca|do)n['’]t\b", re.I
)
_NEAR = as_pattern(
    r"\b(?:before|after|until|till|past|by|about|around|almost|roughly|nearly|than|since)\s(?:about\s|around\s)?\Z"
    r"|\bto\s(?:arrive|be|get|reach|meet|catch|make)\s(?:[a-z]+\s){0,3}at\s\Z"
)
_SETTLED = as_pattern(r"[;:]\s|,\s(?:but|so|and\s(?:as|so|since)|yet)\s")
_MAX_CHARS = 300
_ONES = alternatives(word for word, value in NUMBER_WORDS.items() if 1 <= value <= 9)
_MINUTES = rf"(?:[1-5]?\d|(?:twenty|thirty|forty|fifty)[\s-]{_ONES}|{alternatives(NUMBER_WORDS)})"
_HOURS = {word: value for word, value in NUMBER_WORDS.items() if 1 <= value <= 12}
_HOUR = rf"({alternatives(_HOURS)}|1[0-2]|[1-9]|noon|midday|midnight)\b"
_WHEN = rf"(?:\s(in\sthe\s(?:{PARTS_OF_DAY})|at\snight|[ap]\.?m\b\.?))?"
_CLOCK = as_pattern(
    rf"\b(?:(?:a\s)?(half|quarter|(?!\d+\sto\b){_MINUTES})(?:\sminutes?)?\s(past|after|to|before|till)\s{_HOUR}"
    rf"(?:\so['’]clock)?|{_HOUR}(?:\so['’]clock|(?=\sin\sthe\s(?:{PARTS_OF_DAY})|\sat\snight))|(?:12\s)?(noon|midday|midnight)\b"
    r"|([01]?\d|2[0-4])(?:\s?h\s?([0-5]\d)|(?:[.:]([0-5]\d))?\sUhr|(?<=à\s\d)\s?h|(?<=à\s\d\d)\s?h)(?!\w))"
    rf"{_WHEN}",
    re.I,
)
_OTHERWISE = as_pattern(
    r"\b(?:not|or|if|before|after|until|between|about|around|almost)\b|n['’]t\b|\?|\d:\d|\d\s?[ap]m",
    re.I,
)
_PARTS = {"half": 30, "quarter": 15}
_NAMED = {"noon": " PM", "midday": " PM", "midnight": " AM"}
_EARLIER = {"noon": " AM", "midday": " AM", "midnight": " PM"}
"""Half of the day from then on, and before."""
_CALLED = as_pattern(
    r"(?<=[m.\d])\s\((?:i\.e\.,?\s)?(?:at\s)?(?:noon|midday|midnight)\)(?=\W*\Z)", re.I
)
"""What a time is called besides: `at 12:00 a.m. (midnight)`."""
_MONTH = rf"(?:{alternatives(MONTHS)}|{alternatives(month[:3] for month in MONTHS)})\b\.?"
_DAY = rf"\d{{1,2}}(?:{ORDINAL_ENDS})?"
_DATE = as_pattern(
    rf"\b\d{{4}}-\d\d-\d\d\b|\b{_MONTH}\s{_DAY}(?![\d:])(?:,?\s\d{{4}}\b)?|\b{_DAY}\s(?:of\s)?{_MONTH}(?:,?\s\d{{4}}\b)?",
    re.I,
)
_ELSEWHERE = as_pattern(
    r"\b(\d{1,2})(?:\.|er|º|°|ro|-?го)?\s(?:de\s)?([^\W\d_]{3,9})\b(?:\s(?:de\s|del\s)?(\d{4})\b)?"
)
_SLASHED = as_pattern(r"(?<![\d/])(\d{1,2})/(\d{1,2})/(\d{4})(?![\d/])")


def time_in(sentence: str) -> str | None:
    """Return the time of day that a sentence ends with and states, else None.

    >>> time_in("The bus leaves at 8:40 AM and arrives 45 minutes later, at 9:25 AM.")
    '9:25 AM'
    >>> time_in("It ends before 9:25 AM."), time_in("It ends at 9:20 or 9:25."), time_in("At 9:25?")
    (None, None, None)
    """
    if len(sentence) > _MAX_CHARS:
        return None
    sentence = _CALLED.sub("", sentence)
    found = list(_TIME.finditer(sentence))
    if not found:
        return None
    last = found[-1]
    before = sentence[: last.start()]
    turns = [turn.end() for turn in _SETTLED.finditer(before)]
    clause = before[turns[-1] :] if turns else before
    if _UNSURE.search(clause) or _NEAR.search(clause) or _UNSURE.search(sentence, last.end()):
        return None
    if _GIVES_UP.search(before) or is_of_others(before.lower()):
        return None
    if clock_time(sentence[last.end() :]):
        return None  # `starts at 9 p.m. and ends at midnight`
    part = _PART_OF_DAY.match(sentence, last.end())
    half = "" if part is None or last[0][-1] in "mM." else " AM" if part["am"] else " PM"
    digits = re.sub(r"(?<=\d)\.(?=\d)", ":", last[0])
    return f"{digits.strip(' .')}{half}"


def clock_time(sentence: str) -> str | None:
    """Return the one time that a sentence names in words, in digits; else None.

    >>> clock_time("They meet at half past seven."), clock_time("At 6 o'clock in the evening")
    ('7:30', '6:00 PM')
    >>> clock_time("It is five minutes past midnight."), clock_time("Le train arrive à 10 h 30.")
    ('12:05 AM', '10:30')
    """
    found = list(_CLOCK.finditer(sentence))
    if not found or _OTHERWISE.search(_CLOCK.sub(" ", sentence)):
        return None
    times = [_in_digits(clock) for clock in found]
    if len({time.partition(" ")[0] for time in times}) > 1:
        return None
    halves = {time for time in times if " " in time}
    return times[0] if not halves else halves.pop() if len(halves) == 1 else None


def _in_digits(clock: re.Match[str]) -> str:
    """Return a time in words in digits, with its half of the day where that is said."""
    part, way, past, sharp, named, digits, *behind, when = clock.groups()
    if digits:
        return f"{int(digits)}:{behind[0] or behind[1] or '00'}"
    hour = (past or sharp or named).lower()
    minutes = _PARTS.get(part.lower()) or _number(part) if part else 0
    at = 60 * _number(hour) + (minutes if way in ("past", "after", None) else -minutes)
    half = _half_of_day((when or "").lower()) or _NAMED.get(hour, "")
    half = half if at >= 60 * _number(hour) else _EARLIER.get(hour, half)
    return f"{(at // 60 - 1) % 12 + 1}:{at % 60:02}{half}"


def _number(word: str) -> int:
    """Return an hour or minutes said in digits or words; `noon` and `midnight` are twelve."""
    low = word.lower()
    if low in _NAMED:
        return 12
    return int(low) if low.isdecimal() else number_in_words(low.replace("-", " ").split()) or 0


def _half_of_day(when: str) -> str:
    """Return AM or PM for `in the morning`, `at night` or `p.m.`, and nothing for nothing."""
    if not when:
        return ""
    return " AM" if "morning" in when or when.startswith("a.") or when == "am" else " PM"


def date_in(sentences: list[str], denied: re.Pattern[str]) -> str | None:
    """Return the last date of the last sentence that names one, where it says nothing against.

    >>> date_in(["We start on 3 May.", "So it is June 2."], re.compile("not"))
    'June 2'
    """
    for sentence in reversed(sentences):
        if dates := list(_DATE.finditer(sentence)):
            last = dates[-1]
            return None if denied.search(sentence, max(0, last.start() - 20)) else last[0]
    return None


def in_english(text: str) -> str:
    """Return a text with the dates of other languages, and those in numbers, as English has them.

    >>> in_english("am 5. März 2024"), in_english("on 3/31/1999"), in_english("on 4/5/1999")
    ('am 5 march 2024', 'on march 31 1999', 'on 4/5/1999')
    """
    return _SLASHED.sub(_month_first, _ELSEWHERE.sub(_in_english, text))


def _in_english(date: re.Match[str]) -> str:
    """Return `1 de mayo de 2024` as `1 may 2024`."""
    month = MONTHS_ELSEWHERE.get(folded(date[2]))
    return date[0] if month is None else f"{date[1]} {MONTHS[month]} {date[3] or ''}".rstrip()


def _month_first(date: re.Match[str]) -> str:
    """Return `12/31/1999` as `december 31 1999`; of two numbers up to 12 nobody can say which."""
    first, second = int(date[1]), int(date[2])
    day, month = (first, second) if first > second else (second, first)
    if not (first == second or day > 12) or not 1 <= month <= 12:
        return date[0]
    return f"{MONTHS[month - 1]} {day} {date[3]}"
