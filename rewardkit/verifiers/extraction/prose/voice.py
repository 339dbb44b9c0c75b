"""Whose claim a sentence makes: the writer's own and in earnest, or another's, or supposed.

What stands before `the answer is` decides. A main clause is the writer's: `So the answer is`, `For
n = 3 the answer is`. One within another clause is the writer's only where that clause holds it for
true: `I think the answer is`, `This shows that the answer is`, but not `My friend says the answer
is`, `Let's pretend that the answer is`, `It is unlikely that the answer is`.
"""

from __future__ import annotations

from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.roles import (
    ADVERBIAL,
    BELIEVING,
    HOLDING,
    NOT_IN_EARNEST,
    SAYING,
    SAYING_ELSEWHERE,
    SEEING,
    SHOWING,
    SOURCES,
    WRITER,
)
from rewardkit.verifiers.vocabulary.sought import Beginning, Parts, Sought, holds_one

_CLAUSE = as_pattern(r"[,;:(){}$\"“”?!—–>*\]|]|\.\s|\s-\s|\d[.)]\s")
_WORD = as_pattern(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_DENIES = as_pattern(
    r"\b(?:not(?!\s(?:hard|difficult))|never|nor|cannot|hardly|(?<!no\s)doubt\w*|no(?!\s(?:doubt|question)))\b|n't\b"
)
_ARTICLE = as_pattern(r"\b(?:the|my|our)\s(?:[a-z]+\s){0,2}\Z")
_OF_A_SOURCE = as_pattern(
    r"\b(?:book|textbook|manual|key|website|teacher|friend|student|classmate|colleague|tutor|model|chatgpt"
    r"|neighbou?r|brother|sister|mother|father|author|solver|wikipedia|calculator)(?:'s|s')\s\Z"
)
_ENGLISH = as_pattern(r"\b(?:the|my|our|so|final|correct|right)\b")
_ADVERB = as_pattern(r"\w+ly")
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
_TASK_ELSEWHERE = (
    r"(?:(?:l[ea]s?|l['’]|d[ei]s?|de[rmn]|dem|l[ao]s?|el|[oai]|il|cette|notre|diese[rmn]?|unsere[rmn]?|esta|nuestra)\s?)?"
    r"(?:théor|formul|fórmul|énonc|règl|loi|défin|calcul|tabl|hypoth|condition|donn|problème|satz|aufgabe|angab|tabell"
    r"|gleichung|bedingung|regel|teorema|enunciad|regl|regr|ley|lei|legge|defin|cálcul|calcol|equac|ecuac|equaz|condi"
    r"|datos|dados|dati|problema|testo|text|rechnung|diagramm|grafik|bild|услов|формул|теорем|задач|определ|закон|правил)"
)
_SOURCE_ELSEWHERE = Sought(
    rf"\b(?:selon|d['’]après|laut|según|segundo|secondo|nach\s(?:meine|unsere|aussage)\w*|по\s(?:словам|мнению))\s(?!{_TASK_ELSEWHERE})"
    r"[^.\d:]*\Z|(?:据|按照|根据)[^，。\d]*(?:说|所说|看法|书|网)[^。\d]*\Z|によると[^。\d]*\Z"
)
_REPORTED_ELSEWHERE = Sought(
    rf"(?<!\bje\s)\b(?:{alternatives(SAYING_ELSEWHERE)})\b[^.\d]*\Z"
    r"|(?<!我)(?<!我们)(?<!题目)(?<!也就是)(?<!就是)(?:说|說|认为|認為|觉得|覺得|猜)(?!明)[^，。\d]*\Z"
)
_ELSEWHERE = Parts(_SOURCE_ELSEWHERE, _REPORTED_ELSEWHERE)
_REPORTED = as_pattern(
    rf"\b(?:{alternatives(SAYING)}|told\s(?:me|us)|my\s(?:[a-z]+\s){{1,2}}(?:calculated|computed|got|obtained|chose|picked|came\sup\swith))\s(?:that\s)?(?:(?:it|this|(?:the|its)\s\w+)(?:'s|\s(?:is|was|should\sbe"
    r"|must\sbe))\s)?\W*\Z|\b(?:according\sto|(?:as\s)?per)\s(?:(?:the|a|my|our|some)\s)?(?:wikipedia|google|chatgpt"
    r"|[a-z]+pedia|internet|web|book|key|teacher|friend|neighbou?r|colleague|classmate|forum)s?\b"
)
_SAID_BEHIND = ("だと言", "と言って", "と言い", "と述べ", "라고 말", "라고 했")
_NOT_OF_THE_TASK = Sought(
    rf"\b{alternatives(SOURCES)}\s(?:also\s|just\s)?(?:lists|gives|says|states|prints|shows|claims|reports|quotes)\s[^\w]*\Z"
    r"|\btempt(?:ed|ing)\sto\b[^.,]*\Z|\bpp?\.\s?\Z|\blet\s\$?[a-z]\$?\s?=\s*\Z|\A\W*(?:(?:the|my|our|a)\s)?(?:plan|strategy|idea|approach)\sis\sto\b|"
    r"\b(?:answer|solution|result|value)\s(?:to|of|for|from|in|on)\s(?:the|that|an?|my|this)\s(?:previous|last|other|next"
    r"|earlier|preceding|similar|related|different|easier|simpler|old)\s(?:\w+\s)?(?:question|problem|exercise|task|quiz|homework|one)\b"
)
"""What others offer, what is only supposed, and what answers something else than was asked."""
_OPENS = Beginning(
    r"\W*(?:solve|answer|consider)\s(?:the|this)\s(?:following\s)?(?:problem|question|task|exercise"
    r"|puzzle)\s?:"
    r"|\W*(?:(?:a|an|the|my|our|one)\s)?(?:hint|plan|idea|strategy|outline|to-?do|goal|aim|format|"
    r"instruction|reference|source"
    r"|spoiler|prompt|rubric|title|tags?|keywords?|topic)s?(?:\s\d+)?(?:\W{0,2}:|\s-)"
)
"""What a line is called that claims nothing: `Hint: think of 12.`"""
_NOUN = as_pattern(r"\s[a-z]{3,}")
_BEING = (" is", "'s", "its", " was", " be", " a", " an")
_IT_IS = as_pattern(r"\b(?:it'?s|it\s(?:is|was|must\sbe|should\sbe)|that'?s)\s(?:an?\s)?\W*\Z")
"""What makes a whole clause of the value behind it, within the clause before it."""
_JOINED = frozenset(("that", "is", "how"))
_FEW = 2


def is_of_others(before: str) -> bool:
    """Return whether the words before a value, in lower case, give it as what others say.

    >>> is_of_others("my dad reckons it's "), is_of_others("i reckon it's ")
    (True, False)
    >>> is_of_others("selon mon ami, il y en a "), is_of_others("selon l'énoncé il y en a ")
    (True, False)
    """
    if _is_of_others_elsewhere(before):
        return True
    it_is = _IT_IS.search(before) if before.rstrip().endswith(_BEING) else None
    return it_is is not None and not _leads(before[: it_is.start()])


def _is_of_others_elsewhere(before: str) -> bool:
    """Return whether words of another language than English give a value as what others say."""
    if not _ELSEWHERE.may_be_in(before):
        return False
    return bool(_SOURCE_ELSEWHERE.search(before) or _REPORTED_ELSEWHERE.search(before))


def is_anothers(before: str, after: str) -> bool:
    """Return whether a value is another's, another task's, or under a heading that claims none.

    >>> is_anothers("wikipedia says ", "."), is_anothers("i say ", ".")
    (True, False)
    """
    if (not _NOUN.match(after) and _is_reported(before)) or is_of_others(before):
        return True
    if holds_one(after, _SAID_BEHIND):
        return True
    return bool(_OPENS.match(before) or _NOT_OF_THE_TASK.search(before))


def _is_reported(before: str) -> bool:
    """Return whether a value is what somebody else says: `Wikipedia says 24`."""
    said = _REPORTED.search(before)
    if said is None:
        return False
    who = _WORD.findall(before[: said.start()])[-3:]
    return said[0].startswith("my ") or (WRITER.isdisjoint(who) and SHOWING.isdisjoint(who))


def is_own(before: str) -> bool:
    """Return whether the words before `answer is` leave it the writer's own claim.

    >>> is_own("So we see that the "), is_own("I'm not sure, but the "), is_own("For n = 3 the ")
    (True, True, True)
    >>> is_own("Chegg says the "), is_own("Let's pretend the "), is_own("According to him, the ")
    (False, False, False)
    """
    if not before or before.isspace():
        return True
    low = before.lower().replace("’", "'")
    if not _ENGLISH.search(low):
        return not _is_of_others_elsewhere(low)
    if low.endswith(("'s ", "s' ")) and _OF_A_SOURCE.search(low):
        return False
    named = _ARTICLE.search(low)
    if named is None or not (low := low[: named.start()].strip()):
        return True
    return not _SOURCE.search(low) and _leads(low)


def _leads(low: str) -> bool:
    """Return whether words lead to a clause that is the writer's own claim behind them."""
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
