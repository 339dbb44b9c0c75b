"""Is it an example, of answers or of how they look: `a time like 7:45`, `to the nearest 0.01`?"""

from __future__ import annotations

from rewardkit.verifiers.extraction.objections.place import SIGNS, Place
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.sought import Beginning, Sought

_TO_WRITE = (
    r"(?:written|given|expressed|entered|put|stated|typed|read|presented|reported|spelled|noted|formatted|submitted|left"
    r"|rounded|approximated|simplified)"
)
_OUGHT = r"(?:(?:is|are|has|have|needs?|ought)\sto|should|must|can|could|may|might|will|shall)"
_WRITE = (
    r"(?:write|give|put|enter|state|leave|express|present|type|submit|report|round|use|format|spell"
    r"|note)"
)
_FORM = r"(?:in|of|with|using)\s(?:the|this|a|such\sa)\s(?:[a-z]+\s)?(?:form|format|style|notation)"
_LEADS_TO = as_pattern(
    r"(?:(?<!\b[a-z]\s)=|(?<!this):|[≈→]|\b(?:is|are|was|as|by|equals?|gives?|makes?|namely|i\.e\.|so|thus|hence|therefore|gets?"
    r"|to\sbe|(?:up|down|off|rounded)\sto)(?:\s(?:exactly|just|only|about))?)[\s$\\(\"“*-]*\Z"
)
_KINDS = (
    r"(?:times|dates|fractions|decimals|prices|ratios|numbers|answers|points|intervals|sets|roots|powers|angles"
    r"|percentages|amounts|vectors|letters)"
)
_BEFORE = Sought(
    # how an answer is to be written
    rf"\b(?:nearest|multiples\sof|steps\sof|units\sof|intervals\sof){SIGNS}"
    rf"|\b(?:answer|result|value|solution|number|it)\b[^.:]*\b(?:accurate|correct|exact|precise)\sto(?:\swithin)?{SIGNS}"
    rf"|\b(?:to\swithin|with\san?\s(?:accuracy|precision|error|tolerance)\sof){SIGNS}"
    rf"|\b(?:answer|result|solution|it)\b[^.:]*\b(?:in\sterms|multiple)\sof{SIGNS}"
    rf"|\b(?:asked|expected|wanted|required|requested|given|written)\b[^.:]*\b{_FORM}\b[^.:]*\b(?:where|with)\s[a-z]\s?=\s*\Z"
    rf"|\b(?:(?:read|{_WRITE}|{_TO_WRITE})\b[^.:]*\b(?:like\s(?:this|so|that)|this\sway|as\sin\s(?:this|the)\s(?:example|sample))\s?:?|look\slike){SIGNS}"
    rf"|\A\W*(?:an?\s[a-z]+|[a-z]+s)\slooks?\slike{SIGNS}|\bin\sthe\sform(?:\sof)?{SIGNS}"
    rf"|\bway\s(?:of\swriting|to\swrite)\b[^.:]*\sis{SIGNS}"
    rf"|\A\W*{_KINDS}\s(?:of\s[a-z]+\s)?(?:are|should|must|can|have)\b[^.]*\b{_TO_WRITE}\b(?:(?!\b(?:so|thus|hence|is)\b)[^.])*\Z"
    rf"|\b(?:point|interval|date|time)\sis\s(?:written|read)\s(?:as|like)\b[^.\d=:]*{SIGNS}"
    rf"|\A\W*(?:an?\s)?(?:colon|comma|slash|dot|point|hyphen|dash)\s(?:separates|stands|divides|is\sused)\b[^.]*\Z"
    rf"|\b(?:takes?|have|has)\sthe\s(?:same\s)?(?:form|format|shape)(?:\sas|\sof)?{SIGNS}"
    rf"|\b(?:possible|correct|right|usual|proper|required|expected)\s(?:format|notation|spelling|style)\s(?:is|would\sbe|:){SIGNS}"
    rf"|\b(?:could|can|might|may|would),?\s(?:for\s(?:example|instance)|e\.g\.|say),?\s(?:write|look|answer|say|be\s{_TO_WRITE}){SIGNS}"
    # an example of anything
    rf"|\b(?:some|any)thing\slike{SIGNS}|\bas\s(?:in|for|with)\s(?:the\scase\sof\s)?(?:the\s(?:number|value)\s)?{SIGNS}"
    rf"|\b(?!(?:would|we|i|they|you|looks?|is|are|it's|feels?|something|just|be|was|act[s]?|not)\s)[a-z]{{3,}},?\slike{SIGNS}"
    rf"|(?<!\bis),?\s\(?(?:such\sas|e\.g\.|for\s(?:example|instance)),?:?{SIGNS}|,\ssay,?{SIGNS}"
    rf"|\bwhatever\s(?:the|your|you)\s[^.:=]*\bis,\s(?:e\.g\.|for\s(?:example|instance)),?{SIGNS}"
    r"|\b(?:que\ssoit|que\ssea|auch\simmer|que\sseja)\b[^.:=]*\b(?:par\sexemple|p(?:or|er)\se[a-z]+o|z\.\s?b\.|zum\sbeispiel)"
    rf",?{SIGNS}"
    rf"|\A\W*(?:for\s(?:example|instance)|e\.g\.),?\s(?:an?|one|your)\s[a-z]+\s(?:could|can|might|may)\sbe{SIGNS}"
    r"|\A\W*(?:to\sillustrate|by\sway\sof\s(?:illustration|example)|(?:as|for)\s(?:an?\s)?(?:illustration|example)|an?\s(?:easy|simple)\s(?:instance|example)\sof\sthis"
    r"|let['’]?s\s(?:first\s)?take\san?\s(?:simpler|easier|smaller|similar)\s[a-z]+|think\sof|compared?\s(?:it\s)?with|as\sa\swarm-?up|for\scomparison)\b[^.]*\Z"
    r"|\A\W*(?:as\swith|like|unlike)\s[^,.]*,\swhere\s[^,.]*\Z"
    r"|\A\W*(?:(?:an?|one|the)\s)?(?:[a-z]+\s)?(?:example|sample|format|template|notation|pattern)(?:\s(?:answer|output|response|of\san?\s[a-z]+))?(?:\s?:|\sis|\swould\sbe)\W*\Z"
    rf"|\A\W*(?:please\s)?{_WRITE}\s[^.\d=:]*\b(?:as|like)(?:\sthis)?:?{SIGNS}"
)
"""Before a value, what says how answers are written, or that it is one of many."""
_BEHIND = Beginning(
    r"\W{0,3}(?:\s[a-z]+)?\s(?:is|are|would\sbe|could\sbe)\s(?:(?:just|only)\s)?(?:(?:an?|one|the)\s(?:[a-z]+\s)?(?:example|sample|way\s(?:to|of)\swrit|correctly\swritten)"
    r"|how\s(?:it|they|one|the\s[a-z]+)\s(?:should|must|would|has\sto|is\sto|can)\b)"
    r"|\W{0,3}\swould\sbe\san?\s(?:[a-z]+\s){0,2}(?:written|formatted|format|form)\b"
)
_OF_FORM = Sought(
    rf"\A\W*(?:an?\s)?(?:[a-z]+\s){{0,4}}{_FORM}{SIGNS}"
    rf"|\b(?:should|must|has\sto|is\sto)\sbe\sof\sthe\s(?:type|kind|form|shape){SIGNS}"
)
"""`In the form x = 11`."""
_TOLD = Sought(
    rf"(?:\A|[.;:,]\s|\banswer\sis\s|\banswer:\s)\W*(?:(?:please|then|and|to|just)\s)*{_WRITE}\s(?:it|them|your|the|an?|all|[a-z]+s)\b[^.:]*"
    rf"\b(?:{_FORM}|like|such\sas|as\sin|to\sthe\snearest|in\sterms\sof|as\sa\smultiple\sof)\b"
    rf"|\b(?:answer|result|solution|times?|dates?|prices?|ratios?|numbers?|value|amount)\s{_OUGHT}\s(?:be\s)?(?:\w+ly\s)?{_TO_WRITE}\b"
    r"|\banswer\sis\s(?:asked|expected|wanted|requested)\s(?:for\s)?(?:in|to|as\san?)\b"
)
_FEW_DIGITS = Beginning(r"\s(?:decimals?|places|digits|significant|figures|d\.?p|s\.?f)\b[^=:]*\Z")
_TO_SO_MANY = as_pattern(r"\b(?:to|with)\s\W*\Z")
_LIKE_BEHIND = Beginning(
    r"\W{0,3}(?:\s[a-z]+)?,?\s(?:for\s(?:example|instance)|e\.g\.)\W*\Z|\W{0,3}\sfor\s(?:example|instance),\s(?:is|are)\b|\W{0,3}\s(?:among\s(?:them|others)|included)\b"
)
_MAY_LOOK = as_pattern(
    rf"\b{_OUGHT}\s(?:look|be\s{_TO_WRITE})\b|\A\W*(?:an?\s)?[a-z ]+,\s\W*\Z"
    r"|\A\W*an?\s(?:[a-z]+\s)?(?:answer|time|date|value|result|ratio)\b"
)
_GENERIC = as_pattern(r",\swhich\s(?:is|has|have|are)\s(?:about\s|exactly\s)?\W{0,3}\Z")
_OF_A_KIND = as_pattern(
    r"[^,]{0,30},\s(?:is|are)\s(?:an?|one\sof\s(?:the|many|several|those|our))\s[^\d]*\Z"
)
"""`A week, which has 7 days, is one of several units of time.`"""
_AS_WITH = as_pattern(
    r"\A\W*(?:just\s|exactly\s)?(?:as|like)\s(?:with|in|for|an?)\b(?:[^.,\d]*,\s(?:where|when|whose|which))?[^.,\d]*\Z"
)
_SAME = as_pattern(r"[^,\d]*,\s[^\d=]*\Z")


def is_example(said: Place) -> bool:
    """Return whether what is said around a value makes it an example, or tells how answers look.

    >>> from rewardkit.verifiers.extraction.objections.place import place_of
    >>> is_example(place_of("7:45", "The answer is a time like 7:45."))
    True
    >>> is_example(place_of("7", "It is 7."))
    False
    """
    before, after = said.before, said.after
    if said.value and said.value in before:
        return False
    if _BEFORE.search(before) or _BEHIND.match(after) or _is_told(before, after):
        return True
    if not any(c.isalpha() for c in said.value) and _OF_FORM.search(before):
        return True  # an expression with an unknown may be an answer itself
    return (
        (_LIKE_BEHIND.match(after) is not None and _MAY_LOOK.search(before) is not None)
        or (_FEW_DIGITS.match(after) is not None and _TO_SO_MANY.search(before) is not None)
        or (_OF_A_KIND.match(after) is not None and _GENERIC.search(before) is not None)
        or (_AS_WITH.match(before) is not None and _SAME.match(after) is not None)
    )


def _is_told(before: str, after: str) -> bool:
    """Return whether it is told how an answer is written, and nothing leads on to its value."""
    told = _TOLD.search(before)
    if told is None:
        return False
    return _FEW_DIGITS.match(after) is not None or not _LEADS_TO.search(before, told.end() - 1)
