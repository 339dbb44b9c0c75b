"""A last sentence beside the question: `The normal, which isn't asked for, is y = 3`.

It speaks of what is not asked, of what would be in another case or task, of cases and roots that
are none, of a value's neighbours or how it compares with an earlier one, of an example, or of how
the problem is called. What is stated before it must be said for certain, and what it says must
not conclude anything.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.text.cuts import last_start, start_of
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.phrases import CONCLUSIONS, CONCLUSIONS_ELSEWHERE
from rewardkit.verifiers.vocabulary.sought import holds_one, lowered
from rewardkit.verifiers.vocabulary.turns import SLIP

_IN = r"(?:[^.!?;:\n]|[.:](?=\d))"
"""What stands within a clause: the sign of a decimal or of a time ends none."""
_END = r"[.!)*_\s]*\Z"
_ISNT = r"(?:is|are|was|were|has|have)(?:\s(?:not|never)|n['’]t)(?:\sbeen)?"
_ASKED = r"(?:asked|needed|required|wanted|requested|sought|of\sinterest)"
_OF_TASK = r"(?:the|this|our)\s(?:question|problem|task|exercise|text)"
_HERE = (
    r"(?:\s(?:for|here|about|at\sall|of\s(?:us|me)|now|any\s?more"
    rf"|(?:in|by|to\sanswer)\s{_OF_TASK})){{0,3}}"
)
_SUBJECT = (
    r"(?:(?:the|its|their|his|her|our|an?|how\s(?:many|much|far|long|old)|what|which|whether"
    r"|where|when|who)\b)"
)
_NOT_ASKED = (
    rf"(?P<of>{_SUBJECT})(?:(?!\b(?:is|are|was|were|equals?)\b){_IN}){{1,120}}?,?\s(?:which\s|that\s)?{_ISNT}\s(?:(?:really|even|actually|explicitly)\s)?{_ASKED}{_HERE}"
    rf"(?:,?\s(?:is|are|was|were|would\sbe|equals?|has|have|comes?\sto)\s{_IN}*)?{_END}"
    rf"|(?:even\s)?(?:though|although|while)\s(?:(?:it|this|that)\s{_ISNT}\s(?:(?:really|even|actually|explicitly)\s)?{_ASKED}"
    rf"|(?:not|never|nobody|no\sone)\s(?:has\s)?asked){_HERE},\s{_IN}*{_END}"
    rf"|not\sthat\s(?:it|this|that|any(?:one|body))\s(?:(?:is|was|has)\s)?(?:asked|needed|required|matters){_HERE},\sbut\s{_IN}*{_END}"
)
"""What says of another value that nobody asked for it."""
_NOT_OURS = (
    rf"{_IN}{{1,60}}?,\s(?:which|what)\s(?:{_OF_TASK}\s(?:does|did)(?:\snot|n['’]t)\sask|nobody\sask(?:s|ed)|no\sone\sask(?:s|ed))(?:\s(?:for|about))?,\s{_IN}*{_END}|"
    rf"(?P<too>{_SUBJECT}|that\s(?:it|he|she|they|there|we|the)\b)(?:(?!\b(?:is|are|was|were|equals?)\b){_IN}){{1,120}}?\s(?:plays?\sno\s(?:role|part)|(?:does|do)(?:\snot|n['’]t)\smatter"
    rf"|(?:is|are)\s(?:irrelevant|of\sno\s(?:importance|relevance|concern|interest))){_HERE}{_END}|"
    rf"(?:we|you|I|one|nobody)\s(?:{_ISNT}|has|is|was)\s(?:(?:really|even|actually|explicitly)\s)?asked\s(?:for|about|to\s[a-z]+)\s{_IN}*{_END}"
    rf"|one\s(?:could|might|can|may)\s(?:also|just\sas\swell|likewise)\s(?:ask|look|wonder)\s(?:for|about)\s{_IN}*{_END}"
    rf"|{_SUBJECT}(?:(?!\b(?:is|are|was|were|equals?)\b){_IN}){{1,120}}?\s{_ISNT}\s(?:a\s)?part\sof\s(?:the|this|our)\s(?:question|problem|task|exercise){_END}"
)
"""Who speaks of what was not asked: `We weren't asked for the mean, which is 4.`"""
_REJECTED = (
    r"(?:the|its)\s(?:second|other|negative|first|third|smaller|larger|remaining|last)\s(?:[a-z]+\s)?(?:solutions?|roots?|values?|zeros?|candidates?|possibilit(?:y|ies)|cases?|intersections?)\b"
    rf"{_IN}*\b(?:makes?\sno\ssense|(?:is|are)(?:\snot|n['’]t)\s(?:admissible|possible|valid|allowed|meaningful|acceptable|permitted)|(?:is|are|must\sbe|has\sto\sbe|have\sto\sbe)\s(?:rejected|discarded"
    rf"|excluded|dropped|extraneous|impossible|inadmissible|invalid|meaningless|ruled\sout)|(?:does|do)(?:\snot|n['’]t)\s(?:occur|happen|arise|apply|fit|work)|cannot\s(?:occur|happen|be\s(?:used|right)))\b{_IN}*{_END}"
)
_OTHER_TASK = (
    r"in\s(?:an?|the|my|our)\s(?:(?:very|slightly)\s)?(?:similar|original|previous|earlier|other|related|easier|harder|older|classic)\s(?:version|problem|exercise|task|question|variant|puzzle)\b"
    rf"{_IN}*{_END}"
)
"""What is said of another task: `In the original version there are 12 rows.`"""
_NO_CASE = (
    rf"(?:in\s)?case\s(?:\d+|[A-Z]|[ivx]+)\b{_IN}*\b(?:(?:is|are)\s(?:impossible|excluded|ruled\sout)|cannot\s(?:occur|happen|be)|can['’]t\s(?:occur|happen|be)|(?:does|do)(?:\snot|n['’]t)\s(?:occur|happen|arise|apply)"
    rf"|leads?\sto\s(?:an?\s)?contradictions?|(?:gives?|yields?|has|have|there\s(?:is|are))\s(?:nothing|no(?:\s(?:new|further|other))?\s(?:solutions?|values?|roots?)))\b{_IN}*{_END}"
)
"""A case or a root that is none: `Case 3 cannot occur, since x is positive.`"""
_NOT_ASKED_ELSEWHERE = (
    rf"(?:der|die|das|le|la|les|el|los|las|il|lo|gli|i|o|a|os|as|l['’])\s?{_IN}{{1,100}}?\b"
    r"(?:nicht\s(?:gefragt|verlangt|gesucht|gefordert)|n['’](?:est|était|sont)\spas\sdemandée?s?|no\sse\s(?:pide|pregunta|piden|preguntan)"
    rf"|non\s(?:è|sono|era)\s(?:richiest|chiest)[oaie]|não\s(?:é|foi|são|foram)\spedid[oa]s?)\b{_IN}*{_END}"
)
_PRONOUN = r"(?:that|this|it|which|so|then|I|we|you|he|she|they|my|but)\b"
_WOULD_BUT = (
    rf"(?!{_PRONOUN}){_IN}{{1,160}}?\swould\s{_IN}{{1,120}}?,\s"
    rf"(?:(?:but|whereas|while)\s(?:{_OF_TASK}\s(?:asks|says|wants|states|requires)|here\b|in\s(?:this|our)\s[a-z]+\b|(?:only\s)?(?:the\s)?[^\s\d]+\s(?:is|was|are|were)\s{_ASKED}|we\s(?:only\s|just\s)?(?:want|need|look\sfor|seek|are\sasked)|nobody\sasked)"
    rf"|which\s(?:{_OF_TASK}\s(?:excludes|forbids|rules\sout)|{_ISNT}\s{_ASKED}))[^\d?\n]*{_END}"
)
"""What would be, but not here: `the sum would be 30, but the question asks for the product`."""
_ANOTHER_CASE = (
    r"(?:double|twice|half|thrice|(?:two|three|four|five|ten|\d+)\stimes|another|other|different|more|fewer|less|higher|lower|larger"
    r"|smaller|slower|faster|ordinary|single|instead|replacement|opposite|usual)"
)
_READING = (
    r"(?:reading|interpretations?|methods?|approach|ways?|views?|sense|opinion|conventions?"
    r"|definitions?|formula|answer|question|understanding)"
)
_WOULD = (
    rf"(?:at|with|without|in|for|on|under|by|if|had|using)\s(?={_IN}*\b{_ANOTHER_CASE}\b)"
    rf"(?!{_IN}*\b{_READING}\b){_IN}{{1,120}}?(?:\swould|['’]d)\s{_IN}*{_END}"
)
"""What would be in another case: only behind what is concluded, or said of `this` case."""
_NOT_MEANT = (
    r"(?:this|that|it|which)\s(?:(?:does|need)(?:\snot|n['’]t))\s"
    rf"(?:(?:necessarily|yet|of\scourse)\s)?(?:mean|imply|say)\sthat\s{_IN}*{_END}"
)
_EARLIER = (
    r"(?:years?|months?|weeks?|days?|seasons?|times?|ago|before|last|previous|earlier|yesterday"
    r"|average|usual)"
)
_COMPARED = (
    r"(?:in\sfact|incidentally|by\sthe\sway|for\scomparison|besides|as\san\saside|interestingly),?\s(?:this|that|it)(?:['’]s|\s(?:is|was))\s"
    r"(?:(?:about|almost|exactly|just|only)\s)?[$€£]?\d[\d.,]*\s?%?(?:\s[a-z€$%]+)?\s(?:more|less|fewer|higher|lower|longer|shorter|better|worse|above|below|over|under)"
    rf"\s{_IN}*\b{_EARLIER}\b{_IN}*{_END}"
)
"""How a value compares with another time: `In fact, this is 5 more than in the year before.`"""
_ALSO = (
    r"(?:coincidentally|by\s(?:(?:pure|an?)\s)?(?:[a-z]+\s)?coincidence|interestingly(?:\senough)?|curiously|amusingly|funnily(?:\senough)?|as\sit\shappens|incidentally|by\sthe\sway)"
    r",?\s(?:this|that|it)(?:['’]s|\sis|\sequals|\s(?:just\s)?happens\sto\sbe)\s(?:(?:at\sthe\ssame\stime|just|even)\s)?(?:also|again)\b(?!\s\d[\d.,]*(?:\s|\Z))(?![^?\n]*\bif\b)[^?\n]*\Z"
)
_CALLED = (
    r"(?:this|the)\s(?:(?:famous|classic|whole)\s)?(?:problem|question|puzzle|riddle|task|exercise|setting|paradox)\s(?:is|was)\s"
    r"(?:(?:also|often|usually|sometimes|widely|well|better|closely|generally)\s)*(?:known|called|famous|related|an?\s(?:variant|version|special\scase|case|form)|the\ssame\sas)\b"
    rf"[^\d;?\n]*(?:[;,]\s(?:and\s)?(?:but\s)?(?:there|in\s(?:it|that\sone))\b{_IN}*)?{_END}"
)
_EXAMPLE = as_pattern(
    r"[\s(*_]*(?:for|with|when|if|at|in\sthe\scase|taking|e\.g\.|as\san\sexample)\b(?=[^?\n]*\b(?:familiar|(?:well[-\s])?known|usual|for\s(?:instance|example)"
    r"|e\.g\.|as\san\sexample|as\s(?:it\sshould|(?:was\s|is\s)?expected|it\smust))\b)(?![^?\n]*\b(?:our|here|now|this\s(?:problem|case))\b)[^?\n]*\Z",
    re.I,
)
"""What a general answer comes to in one case: `for a die, $n=6$, this gives the familiar 3.5`."""
_GENERAL = as_pattern(r"\$[^$\n]*(?<![\\a-zA-Z])[a-zA-Z](?![a-zA-Z])[^$\n]*\$[^\d$\n]*\Z")
_IN_GENERAL = (
    r"(?:more\s)?(?:in\sgeneral|generally),?\s(?:it|there|this|that|one|we|the\s[a-z]+)"
    rf"(?:\swould|['’]d)\s[^.?\n]*{_END}"
)
_ASIDE = as_pattern(
    rf"[\s(*_]*(?:{_IN_GENERAL}|{_NOT_ASKED}|{_NOT_OURS}|{_OTHER_TASK}|{_REJECTED}|{_NO_CASE}|{_NOT_ASKED_ELSEWHERE}|{_WOULD_BUT}|{_NOT_MEANT}|{_COMPARED}|{_ALSO}|{_CALLED})",
    re.I,
)
_IF_NOT_SO = (
    rf"(?:if|had|were)\s(?!{_IN}*\b{_READING}\b){_IN}{{1,120}}?(?:\swould|['’]d)\s{_IN}*{_END}"
    rf"|(?:ohne|mit|bei|wenn|falls|sans|avec|si|con|sin|senza|se|com|sem|hätten?|wären?|gäbe|dürften?)\s(?!{_IN}*\b{_READING}\b){_IN}*\b"
    r"(?:wären?|gäbe|hätten?|würden?|bräuchten?|könnten?|(?:au|se|faud|pour|fe)rai(?:t|ent)|(?:hab|tend|se|pod|har)ría[mn]?o?s?|(?:av|sa|pot)rebbe(?:ro)?|(?:te|se|have)ria[m]?)\b"
    rf"{_IN}*{_END}"
)
"""The same, which needs no word for the other case: `If he ran, he would need 5.`"""
_HAVE_BEEN = as_pattern(
    rf"[\s(*_]*(?:with|without|if|had|under|at)\s(?!{_IN}*\b{_READING}\b){_IN}{{1,120}}?\swould\shave\s(?:been|had|taken|cost|given|come)\s{_IN}*{_END}",
    re.I,
)
_IS = as_pattern(r"\A\W*(?:[A-Za-z]+\s){1,6}?(?:is|are)\s[^.!?\n]*[.!]\s*\Z")
_OTHER_CASE = as_pattern(rf"[\s(*_]*(?:{_WOULD}|{_IF_NOT_SO})", re.I)
_THIS_CASE = as_pattern(
    rf"(?:\A|[.!?:\n])[\s*]*{alternatives(CONCLUSIONS)}\b[^!?\n]*\Z|\b{alternatives(CONCLUSIONS_ELSEWHERE)}\b[^!?\n]*\Z"
    r"|(?:\A|[.!?\n])[\s*]*(?:we|I)\s(?:thus\s|then\s|therefore\s|finally\s)?(?:find|get|obtain|conclude|arrive\sat)\b[^!?\n]*\Z"
    r"|\b(?:at|with|in|for|under|on)\s(?:this|these|that|those|the\sgiven)\s[a-z]+\W*\Z",
    re.I,
)
_SIGNS = (
    "ask", "needed", "required", "wanted", "requested", "sought", "interest", "part of", "matter",
    "irrelevant", " no", "n't ", "n’t ", "cannot", "would", "'d ", "’d ", "than", " also ",
    " again", "instance", "example", "e.g.", "familiar", "usual", "expected", "it should",
    "it must", "known", "called", "famous", "related", "variant", "version", "the same as", "case",
    "problem", "exercise", "puzzle", "reject", "discard", "exclud", "drop", "extraneous",
    "impossible", "inadmissible", "invalid", "meaningless", "ruled out", "contradict",
    "gefragt", "verlangt", "gesucht", "gefordert", "demand", "chiest", "pedid",
    "wär", "gäb", "hätte", "würde", "bräucht", "könnt", "rait", "raient", "ría", "ebbe", "ria",
)  # fmt: skip
"""One of these is in every such sentence."""
_NEIGHBOURS = as_pattern(
    r"[\s(*_]*(?:for|with|at|already)\s\$?(?:[a-z]\s?=\s?)?(?P<one>\d+)\$?\s[^;?\n]*?[,;]\s(?:and\s|but\s|while\s)?(?:for|with|at|only\swith)\s\$?(?:[a-z]\s?=\s?)?(?P<two>\d+)\b\$?(?=[\s,])[^;?\n]*\Z",
    re.I,
)
_EXTREME = as_pattern(
    r"\b(?:smallest|least|lowest|largest|greatest|highest|first|last|minimum|minimal|maximum|maximal|fewest|most)\b"
    r"[^.!?\n]*?\b(?:is|are|=|equals)\s(?:thus\s|therefore\s|then\s)?[$*]*(?P<value>\d+)\b[^\d.!?\n]*[.!]?\s*\Z",
    re.I,
)
"""What stands between its neighbours: `The least n is 7. With 6 it is 21, with 7 it is 28.`"""
_WORKS = as_pattern(r"\b(?:works?|fails?|not|too|enough)\b|n['’]t\b", re.I)
"""What may say that a neighbour is the one."""
_CONCLUDES = as_pattern(
    rf"\b(?:so|hence|thus|therefore|answer\sis\s\S*\d\S*\W*\Z|instead|must|wait|oops|sorry|actually|correct(?:ed|ion)?|or|maybe|perhaps|might|sure|{SLIP})\b|\?"
    r"|\b(?:right|true|real|actual|exact|final)\s(?:one|number|value|answer|result|total|solution|count)s?\b|\banswer,",
    re.I,
)
"""What a sentence says that goes on with the task."""
_OPEN = as_pattern(
    r"\?|\b(?:given(?!,\s)|know|suppose|assume|might|could|may|can|maybe|perhaps|either|whether|or|if|guess|about|approximately|roughly|some(?:thing|where|how)|so\sfar|at\s(?:least|most)|(?:less|more|fewer)\sthan|between|line|page|not\ssure|I\s(?:think|believe)|wrong)\b|\b(?:not|never)\s(?:been\s)?(?:asked|wanted|needed)\b|n['’]t\s(?:asked|wanted|needed)\b",
    re.I,
)
"""What leaves a sentence open, or says that its value is not the one that is asked for."""
_WHILE = as_pattern(
    r",\s(?:while|whereas)\s(?:the|its|their|his|her)\s(?![^.\n]*\b(?:asked|wanted|sought|look|need|question|answer|new|now|actual|true|real|correct|right|here)\b)"
    rf"[^.,;!?\n\d]{{1,60}}\swould\sbe\s{_IN}{{1,40}}{_END}"
)
"""Another quantity, in a clause behind the one that is stated: `, while the area would be 9`."""
_IS_VALUE = as_pattern(r"(?:\b(?:is|are|equals)|=)\s[^,;.!?\n\s]{0,3}[\d\\π]")
_NOT_HERE = as_pattern(
    r"\b(?:old|usual|normal|previous|original|first|without|would|so\sfar|before)\b", re.I
)
_STATES = as_pattern(r"[\d$\\=π∞]")
_NUMBER = as_pattern(r"\d[\d.,/]*(?<=\d)")
_MAX_ASIDES, _NEAR = 2, 200


def without_asides(text: str) -> str:
    """Return a text up to the sentences at its end that speak beside the question.

    >>> without_asides("The mean is 5. The median, which isn't asked for, is 4.")
    'The mean is 5.'
    >>> without_asides("The mean is 5, which isn't asked for. The median is 4.")
    "The mean is 5, which isn't asked for. The median is 4."
    >>> without_asides("He pays 9; the tax alone would be 2, but the question asks for all of it.")
    'He pays 9.'
    """
    for _ in range(_MAX_ASIDES):
        start = last_start(text)
        clause = text.find("; ", start)
        if start and _is_aside(text, start):
            text = text[:start].rstrip()
        elif clause > 0 and _is_aside(text, clause + 2):
            text = f"{text[:clause]}."
        else:
            break
    return _without_contrast(text) if " would be " in text[-_NEAR:] else text


def _without_contrast(text: str) -> str:
    """Return a text without what another quantity would be than the one that it states.

    >>> _without_contrast("The perimeter is 12, while the area would be 9.")
    'The perimeter is 12.'
    >>> _without_contrast("The old price is 12, while the price sought would be 9.")
    'The old price is 12, while the price sought would be 9.'
    """
    start = last_start(text)
    found = _WHILE.search(text, start)
    if found is None:
        return text
    said = text[start : found.start()]
    stated = _IS_VALUE.search(said) and not (_NOT_HERE.search(said) or _OPEN.search(said))
    return f"{text[: found.start()]}." if stated else text


def _is_aside(text: str, start: int) -> bool:
    """Return whether what a text says from a place on is beside the question that it answers."""
    before = text[start_of(text, max(0, start - 2)) : start].rstrip()
    if not _STATES.search(before) or _OPEN.search(before) or len(before) > _NEAR:
        return False
    last = text[start:]
    if _is_between(before, last):
        return True
    if not holds_one(lowered(last), _SIGNS) or _CONCLUDES.search(last):
        return False
    if _HAVE_BEEN.match(last) and _IS.match(before):
        return True
    if _OTHER_CASE.match(last):
        return _THIS_CASE.search(before) is not None
    if _EXAMPLE.match(last):
        return _GENERAL.search(before) is not None
    aside = _ASIDE.match(last)
    if aside is None:
        return False
    return not (aside["of"] or aside["too"]) or not _is_of_same(before, last)


def _is_of_same(before: str, last: str) -> bool:
    """Return whether what is not asked for is the value stated before: `The sum, 12, isn't`."""
    stated = _NUMBER.findall(before)[-1:]
    return set(_NUMBER.findall(last)) <= set(stated)


def _is_between(before: str, last: str) -> bool:
    """Return whether a sentence shows a value to be the first or last one, beside its neighbour."""
    extreme = _EXTREME.search(before)
    both = _NEIGHBOURS.match(last) if extreme else None
    if not (extreme and both) or _WORKS.search(last):
        return False
    one, two = int(both["one"]), int(both["two"])
    return abs(one - two) == 1 and int(extreme["value"]) in (one, two)
