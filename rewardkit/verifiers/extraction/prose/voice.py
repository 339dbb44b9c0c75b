"""Whose claim a sentence makes: the writer's own and in earnest, or another's, or supposed.

What stands before `the answer is` decides. A main clause is the writer's: `So the answer is`, `For
n = 3 the answer is`. One within another clause is the writer's only where that clause holds it for
true: `I think the answer is`, `This shows that the answer is`, but not `My friend says the answer
is`, `Let's pretend that the answer is`, `It is unlikely that the answer is`.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.vocabulary.roles import (
    ADVERBIAL,
    BELIEVING,
    HOLDING,
    NOT_IN_EARNEST,
    SEEING,
    WRITER,
)
from rewardkit.verifiers.vocabulary.sought import Sought

_CLAUSE = re.compile(r"[,;:(){}$\"“”?!—–>*\]|]|\.\s|\s-\s|\d[.)]\s")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_DENIES = re.compile(
    r"\b(?:not(?!\s(?:hard|difficult))|never|nor|cannot|hardly|(?<!no\s)doubt\w*|no(?!\s(?:doubt|question)))\b|n't\b"
)
_ARTICLE = re.compile(r"\b(?:[Tt]he|[Mm]y|[Oo]ur)\s(?:[a-z]+\s){0,2}\Z")
_ADVERB = re.compile(r"\w+ly")
_SOURCE = Sought(
    r"\baccording\sto\s(?!(?:(?:the|this|our|my|its|that|these|those)\s)?(?:[\w'’-]+\s){0,2}(?:formula|rules?|theorem|lemma"
    r"|laws?|problem|question|task|tables?|graph|chart|definition|pattern|statement|data|givens?"
    r"|information|above|calculations?|computation|equations?|conditions?|inequality|identity|principle"
    r"|diagram|order|results?|steps?|text)\b)[^.\d]*\Z"
    r"|\b(?:in|to)\s(?:(?:my|our|his|her|their|the|an?)\s)?(?!(?:my|our)\s(?:opinion|mind|view)\b)[\w']+(?:['’]s)?\s(?:opinion|view"
    r"|words|mind)\b[^.\d]*\Z"
)
_SUPPOSE = (["say"], ["let's", "say"], ["us", "say"])
_IMPERSONAL = frozenset(("to", "can", "may"))
_JOINED = frozenset(("that", "is", "how"))
_FEW = 2


def is_own(before: str) -> bool:
    """Return whether the words before `answer is` leave it the writer's own claim.

    >>> is_own("So we see that the "), is_own("I'm not sure, but the "), is_own("For n = 3 the ")
    (True, True, True)
    >>> is_own("Chegg says the "), is_own("Let's pretend the "), is_own("According to him, the ")
    (False, False, False)
    """
    named = _ARTICLE.search(before)
    if named is None or not (low := before[: named.start()].strip()):
        return True
    low = low.lower().replace("’", "'")
    if _SOURCE.search(low):
        return False
    clause = low[max((end.end() for end in _CLAUSE.finditer(low)), default=0) :]
    words = _WORD.findall(clause)
    if not words:
        return True
    if words[-_FEW:] in _SUPPOSE or not NOT_IN_EARNEST.isdisjoint(words[-_FEW:]):
        return False
    while words and (words[-1] in _JOINED or (len(words) > 1 and _ADVERB.fullmatch(words[-1]))):
        words.pop()
    if len(words) < _FEW or not ADVERBIAL.isdisjoint((words[0], words[-1])):
        return True
    if _DENIES.search(clause):
        return False
    if words[-1] in BELIEVING or words[-1] in SEEING:
        found = words[-1] in SEEING and words[-2] in _IMPERSONAL
        return found or not WRITER.isdisjoint(words)
    return words[-1] in HOLDING or words[0].endswith("ing")
