"""What a last sentence says behind its value of others that are none: `3; neither 2 nor 4 works`.

A remark about a value that stands in bold, or alone, is no answer either: `**49**; its double is
98`. What is said of a value that the sentence has named before is left as it is.
"""

from __future__ import annotations

from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.sought import Sought, holds_one

_OTHER = (
    r"\$?(?:\([-−]?\d[\d.,/\s−-]{1,30}\)|(?:[a-z]\s?=\s?)?[-−]?\d[\d.,/]*(?<=\d))\$?"
    r"(?:\s(?!do|is|are|fail|work|fit)[a-z]{3,12})?"
)
_OTHERS = rf"{_OTHER}(?:(?:,\s|,?\s(?:and|or|nor)\s){_OTHER}){{0,3}}"
_GOOD = (
    r"(?:enough|sufficient|possible|allowed|valid|suitable|admissible|a\ssolution|an\soption|prime"
    r"|an\sinteger|whole|acceptable|solutions|correct|right|accurate|precise|appropriate)"
)
_DO = (
    r"(?:works?|suffices?|fits?|do|does|satisf(?:y|ies)|is|are|qualif(?:y|ies)|counts?|will|would)"
)
FAILS = (
    r"(?:(?:does|do|will|would|can)(?:\snot|n['’]t|not)\s(?:be\s{good}|work|suffice|fit|do"
    r"|satisfy\s(?:it|this|them|the\s[a-z]+)|qualify|count)"
    r"|(?:is|are)(?:\snot|n['’]t)\s{good}|(?:both\s|all\s)?fails?|(?:is|are|would\sbe)\s(?:both\s|already\s|still\s)?too\s(?:few|many|small|large|little|big|short|long|low"
    r"|high|much)|(?:is|are|has\sto\sbe|must\sbe)\s(?:excluded|rejected|ruled\sout|thrown\s(?:out|away)|impossible|extraneous|discarded|invalid|not\s{good})"
    r"|(?:reicht|reichen|genügt|genügen|gehen|geht)\snicht|ne\s(?:suffi\w+|convien\w+|march\w+)\spas|no\s(?:basta|bastan|sirve|sirven|alcanzan)"
    r"|non\s(?:basta|bastano|va|vanno)|não\s(?:basta|bastam|serve|servem))"
).replace("{good}", _GOOD)
_EXCLUDED = Sought(
    r"(?P<turn>\s?[;,]\s|\s[–—-]\s)(?:(?:and|while|whereas|since|because|as|but|und|et|y|e)\s)?"
    rf"(?:neither\s(?P<none>{_OTHERS})\s{_DO}|(?P<others>{_OTHERS})\s{FAILS}|(?:if\s(?:we|you|one)\s(?:try|take|use)|trying|with|for)\s(?P<tried>{_OTHERS})(?:\sinstead)?,?\s(?:it|this|the\s[a-z]+)\s{FAILS}|(?<=[–—-]\s)not\s(?P<not>{_OTHER}(?:(?:,\s|,?\s(?:and|or|nor)\s)(?:not\s)?{_OTHER}){{0,3}}))"
    r"(?:\s(?:either|here|for\sthis|yet|as\swell|any\smore|then))?(?:,?\s(?:as|since|because)\s(?![^.;\n]*\b(?:so|but|must|answer)\b)[^.;\d\n]{3,60})?[.!*]*\s*\Z"
)
_SIGNS = (
    " not", "n't", "n’t", "annot", "neither", "fail", "too ", "exclu", "reject", "ruled",
    "impossible", "extran", "discard", "invalid", "nicht", " pas", " no ", " non ", "não ",
)  # fmt: skip
_VALUE = as_pattern(r"\d[^.,;\d]*\Z|\*\*\s*\Z")
_REMARK = as_pattern(
    r"(?P<value>(?:\A|\n)[\s$*]*[-−]?\d[\d.,/]*(?<=\d)[$*]*|\*\*[^*\n]{1,40}\*\*)"
    r"(?:;|,|\s[–—]|\s\()\s?(?:its|whose|the\s(?:next|previous|following|preceding)\s(?:such\s)?(?:[A-Za-z]+\s)?(?=[a-z]+\s))"
    r"\s?[a-z]+(?:\s[a-z]+){0,3}\s(?:is|are|being|would\sbe|equals?)\s(?:only\s|then\s|just\s)?\$?[-−]?\d[\d.,/]*(?<=\d)\$?\)?[.!]*\s*\Z"
)
_TOKEN = as_pattern(r"\([^()\n]{1,30}\)|[-−]?\d[\d.,/]*(?<=\d)")
_MAX_CHARS = 200


def without_excluded(text: str) -> str:
    """Return a text without what its last sentence says of values that are not the answer.

    >>> without_excluded("3; neither 2 nor 4 works"), without_excluded("**49**; its double is 98")
    ('3.', '**49**.')
    >>> without_excluded("It is 10, and 9 are too few."), without_excluded("3 or 8, and 8 fails.")
    ('It is 10.', '3 or 8, and 8 fails.')
    """
    near = max(0, len(text) - _MAX_CHARS)
    last = text[near:]
    if holds_one(last, _SIGNS) and (found := _EXCLUDED.search(last)):
        before = last[: found.start()].rsplit("\n", 1)[-1]
        others = _values(found["none"] or found["others"] or found["tried"] or found["not"])
        if _VALUE.search(before) and others.isdisjoint(_values(before)):
            return f"{text[: near + found.start()]}."
    if holds_one(last, (" its ", "whose ", "(its ", "the ")) and (remark := _REMARK.search(last)):
        return f"{text[: near + remark.end('value')]}."
    return text


def _values(text: str) -> set[str]:
    """Return the numbers and points of a text: the numbers in a point are none of their own."""
    return {token.replace(" ", "") for token in _TOKEN.findall(text)}
