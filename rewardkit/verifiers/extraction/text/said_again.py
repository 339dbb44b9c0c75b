"""An answer said again in other words: `3/4, or 0.75 if you prefer decimals`.

What leads to it is brought to the one wording that is read everywhere: `or` between two writings,
`which is about` before what a root, π or a fraction comes to.
"""

from __future__ import annotations

import re
from math import pi, sqrt

from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.sought import holds_one

_SIGNS = ("quivalent", "differently", "other words", "if you ", " or a", " or r", "decimal", " (or")
"""One of these is in every such wording; of most texts, none is in the end."""
_OR = as_pattern(
    r"(?<=\w)(?:,?\sor,?\s(?:equivalently|put\sdifferently|in\sother\swords|to\sput\sit\sdifferently),?|,\sequivalently,?)"
    r"\s(?=\S*\d[^.!?\n]{0,30}[.!]?\s*\Z)"
)
_IF_YOU = as_pattern(
    r"(?P<again>\sor\s\S*\d[^,.!?\s]*(?:\.\d+)?(?:\s?(?!if\b)[a-z%]+)?),?\s"
    r"(?:if\syou\s(?:like|prefer|want|wish|will|insist)\b[^.!?\n\d]*|in\sdecimals?(?:\s[a-z]+)?|as\sa\s[a-z]+(?:\snumber)?)[.!]*\s*\Z"
)
_IN_DECIMALS = as_pattern(
    r"(?<=[$)}²³]),?\s(?:or|that\sis|i\.e\.,?)\s(?:(?:about|roughly|approximately|around|nearly)\s)?\$?-?\d+\.\d+\$?,?"
    r"\s(?:if\syou(?:['’]d)?\s(?:rather\s)?(?:like|prefer|want|need|wish|have)\s(?:an?\s|the\s|it\s)?(?:in\s)?decimals?|as\sa\sdecimal|in\sdecimals?)\b[^.\d]*[.!]?\s*\Z"
)
"""Behind a formula, what it comes to for who likes decimals: `$e^2$, or about 7.389 if ...`."""
_IN_BRACKETS = as_pattern(r"(?<=\d\s[a-z])([a-z]?)\s\(or\s(\d[\d.,]*\s[a-z]+)\)(?=[.!]*\s*\Z)")
_ABOUT = as_pattern(
    r"(?:(?P<times>\d*)\s?(?:√\(?(?P<root>\d+)\)?|(?P<pi>π))(?:/(?P<over>\d+))?|(?P<one>\d+)/(?P<other>\d+))"
    r"(?P<turn>,?\sor\s)(?:just\s)?(?:about|around|approximately|roughly|ca\.)\s(?P<value>\d[\d,]*(?:\.\d+)?)(?!\d)"
)
_CONFIRMED = as_pattern(
    r"(?:\A|(?<=[.!?\n]\s)|(?<=\n))Is\s(?P<value>\$?[-−]?\d[^?\s]{0,20})\s(?:(?:really|indeed|then|also)\s)?"
    r"(?:the\s(?:right\s|correct\s|only\s)?(?:answer|solution|result|value|number)|correct|right)(?:\s(?:then|here))?\?\s"
    r"(?:(?!\b(?:not|but|fails?)\b|n['’]t|≠)[^?\n]){0,120}?Yes(?:[,:]\s(?:it|that)\s(?:[a-z]+\s)?(?:is|does|works|fits)(?:\s(?:correct|right|the\s(?:answer|solution)))?)?[.!]*\s*\Z"
)
_NEARLY = 0.02
_MAX_CHARS = 160


def said_plainly_again(text: str) -> str:
    """Return a text that ends with an answer said again, in the wording that is read.

    >>> said_plainly_again("3/4, or 0.75 if you prefer decimals.")
    '3/4, or 0.75.'
    >>> said_plainly_again("2.5 kg or, equivalently, 2500 g.")
    '2.5 kg or 2500 g.'
    >>> said_plainly_again("4π, or about 12.57."), said_plainly_again("4π, or about 9.")
    ('4π, which is about 12.57.', '4π, or about 9.')
    >>> said_plainly_again("It is $e^2$, or about 7.389 if you like decimals.")
    'It is $e^2$.'
    """
    end = text[-_MAX_CHARS:]
    if not holds_one(end, _SIGNS):
        return text
    end = _IN_DECIMALS.sub(".", end) if "decimal" in end else end
    end = _IN_BRACKETS.sub(r"\1, or \2", _IF_YOU.sub(r"\g<again>.", _OR.sub(" or ", end)))
    if (about := _ABOUT.search(end)) and _is_near(about):
        end = f"{end[: about.start('turn')]}, which is {end[about.end('turn') :]}"
    return text[:-_MAX_CHARS] + end


def with_confirmed(text: str) -> str:
    """Return a text that asks whether a value is the answer, and confirms it, as saying so.

    >>> with_confirmed("Is 8 really the answer? Inserting: 3·8 − 4 = 20. Yes, it is.")
    'It is 8.'
    >>> with_confirmed("Is 8 the answer? Inserting: 3·8 = 20. No, it is not.")
    'Is 8 the answer? Inserting: 3·8 = 20. No, it is not.'
    """
    end = text[-_MAX_CHARS:]
    found = _CONFIRMED.search(end) if "Is " in end and "? " in end and "Yes" in end else None
    if found is None:
        return text
    return f"{text[:-_MAX_CHARS]}{end[: found.start()]}It is {found['value']}."


def _is_near(about: re.Match[str]) -> bool:
    """Return whether a root, a multiple of π or a fraction comes to about a decimal number."""
    if about["one"]:
        exact = int(about["one"]) / (int(about["other"]) or 1)
    else:
        factor = pi if about["pi"] else sqrt(int(about["root"]))
        exact = int(about["times"] or 1) * factor / (int(about["over"] or 1) or 1)
    return abs(float(about["value"].replace(",", "")) - exact) <= _NEARLY * exact
