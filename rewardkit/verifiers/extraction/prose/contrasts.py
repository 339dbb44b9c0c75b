"""What a last sentence sets apart from its claim: `21, not 22`, `it was not Tom, it was Maria`.

Without it the claim stands alone, and is read as any other.
"""

from __future__ import annotations

from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.sought import Sought, holds_one

_MAX_CHARS = 400
_DENIALS = ("not ", "Not ", "n't ", "n’t ", "rather than ", "instead of ", "icht ", "o es ")
_OTHER = (
    r"(?:\\?\$?[-−]?\d[\d.,/:]*(?<![.,:])%?|\$[^$\n]{1,40}\$|\\\([^\n]{1,40}?\\\)|[A-Z][a-z]+|[A-J]\b"
    r"|[a-z]\s=\s[-−]?\d+|[¬~]?[a-z]\s?[∧∨→⇒↔]\s?[¬~]?[a-z]\b|[\[(][-\w.∞]+[,;]\s?[-\w.∞]+[\])])"
)
_BEHIND = as_pattern(
    r"(?<=[\w$)%*}])(?:,\s(?:and\s|but\s)?|\s(?:and|but)\s|\s\((?:and\s|but\s)?|\s[—–]\s)"
    rf"(?:not|rather\sthan|instead\sof)\s(?:merely\s|just\s)?(?:on\s|at\s|in\s|by\s)?{_OTHER}(?!,?\s(?:but|or|nor)\b)(?:\s[a-z]+){{0,2}}?(?:,\san?\s[a-z\s]{{3,30}}(?=\)))?\)?"
    rf"(?:,(?=\s(?:is|was|has|won|are|were)\b)|(?=[,;:.!)]|\s(?:since|because|as|for)\b|\Z))"
    rf"|;\s(?:it|this|that)(?:['’]s|\sis)\snot\s{_OTHER}(?=[.!]?\W*\Z)"
    rf"|(?:(?<=[\d$)%*}}])|(?<=\s[A-J]))\s(?:rather\sthan|instead\sof)\s{_OTHER}(?=[,;.!)]|\Z)"
)
"""What a value is not, behind it."""
_BEFORE = as_pattern(
    r"(?:\A|(?<=[.!?\n]\s)|(?<=\n))"
    r"(?!\W*(?:[Ii]f|[Uu]nless|[Ww]hen|[Ss]ince|[Ww]hether|[Bb]ecause|[Aa]s|[Aa]lthough)\b)"
    r"[^.!?;:\n]{0,80}?(?:n['’]t|\b[Nn]ot)\b(?=[^.!?,;:\n]*(?:\d|\s[A-Z]|\b(?:true|false)\b))"
    r"[^.!?,;:\n]{1,60}[,;:]\s(?:but\s|rather,?\s|instead,?\s)?(?:by\s[A-Za-z ]{3,30}?\s)?"
    r"(?=(?:it|he|she|they|this|that|the\s[a-z]+(?:\s[a-z]+)?)(?:['’]s|\s(?:is|was|are|were))\s"
    r"(?!not\b)[^.!?\n]*[.!?]?\W*\Z)"
)
"""A first clause that only denies: `The winner isn't Tom; `."""
_BUT = as_pattern(
    r"(?:\b[Nn]ot|(?P<short>n['’]t))\s(?:[A-Z][a-z]+|\(?[A-J]\)?)(?:\s\([^()\n]{1,80}\))?,?\sbut\s(?:rather\s)?(?=\(?[A-Z])"
    r"|\A\W*Not\s[a-z]+\s\([^()\n]{1,80}\),?\sbut\s(?:rather\s)?(?=[a-z]+\W*\Z)"
)
"""`Not Tom but Maria`."""
_DENIED = Sought(
    r"(?<=[.!。\n])\s*(?:(?:(?:it|that|this)\s(?:is|was|does)(?:\snot|n['’]t)(?:\sequal)?|não\sé|no\ses|non\sè|ce\sn['’]est\spas|(?:das|es)\s(?:ist|sind)\snicht|nicht|это\sне|并?不是)"
    r"\s?(\d[\d.]*)(?=[\s,;，.!。]|\Z)(?:[,;，][^.\d。]{0,80})?|(\d[\d.]*)[^\W\d_]?では(?:ありません|ない))[.!。]*\Z"
)
"""What the answer is not, in a sentence behind it."""
_GUESSED = Sought(
    r";\s(?:(?:an?|the|my|our)\s[^;.]*\b(?:estimate|guess|approximation|attempt)\b"
    r"|(?:earlier|before|initially|previously|at\sfirst)\b|the\sother\s(?:root|solution|value|one|candidate)\b[^;]*"
    r"\b(?:no\ssense|negative|reject\w*|discard\w*|extraneous|invalid|not|cannot|too\s\w+)\b|[^;.]*\bbefore\b)[^;]*\Z"
)
"""What stood there before the value did: `; an estimate of 20 was made before`."""
_UNSURE = Sought(
    r"\b(?:estimates?|guess\w*|approximat\w+|maybe|perhaps|or|unknown|earlier|initially|about)\b"
)
_NUMBER = as_pattern(r"\d[\d.,]*\d|\d")
_DIGIT = as_pattern(r"\d")


def affirmed(text: str) -> str:
    """Return a text whose last sentence says what is so, without what is not.

    >>> affirmed("It's 21, not 22, as one was lost."), affirmed("It wasn't Tom, it was Maria.")
    ("It's 21, as one was lost.", 'it was Maria.')
    >>> affirmed("The sum is 12; my first guess was 10."), affirmed("It is not 5.")
    ('The sum is 12', 'It is not 5.')
    """
    whole = end = text[-_MAX_CHARS:]
    denies = holds_one(end, _DENIALS)
    denied = _DENIED.search(end) if denies or not end.isascii() else None
    if denied and _states_another(end[: denied.start()], denied[1] or denied[2]):
        end = end[: denied.start()]
    if ";" in end:
        end = _without_guess(end)
    if denies:
        last = end.rstrip(" .!\n").rfind("\n") + 1
        said = _BEFORE.sub(
            "", _BUT.sub(lambda denial: " " if denial["short"] else "", _BEHIND.sub("", end[last:]))
        )
        end = end[:last] + said
    return text if end == whole else text[:-_MAX_CHARS] + end


def _states_another(before: str, denied: str) -> bool:
    """Return whether a text states a number, and not the one that is denied behind it."""
    numbers = _NUMBER.findall(before)
    return bool(numbers) and denied.rstrip(".") not in numbers


def _without_guess(end: str) -> str:
    guessed = _GUESSED.search(end)
    if guessed is None:
        return end
    start = max(end.rfind(". ", 0, guessed.start()), end.rfind("\n", 0, guessed.start())) + 1
    claim = end[start : guessed.start()]
    return end if _UNSURE.search(claim) or not _DIGIT.search(claim) else end[: guessed.start()]
