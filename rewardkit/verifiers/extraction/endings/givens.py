"""Endings that repeat what is given or announce what is to be done: neither states an answer.

`We are given that the perimeter is 24. Let me set up the equations first.`
"""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.endings.giving_up import concludes
from rewardkit.verifiers.vocabulary.sought import Sought

_TASK = r"(?:problem|question|task|text|statement|exercise|prompt)"
_WORK = (
    r"(?:find|compute|count|calculate|solve|set\sup|think|start|begin|work|determine|evaluate"
    r"|analy[sz]e|break|consider|look\sat|use|multiply|divide|add|subtract|simplify|substitute|plug"
    r"|apply|proceed|continue|try|draw|write|define|denote|figure|express|factor|expand|restate"
    r"|repeat|summari[sz]e|rephrase|read|reread|understand|identify|examine|explore|investigate"
    r"|tackle|address|approach|take|move\son|convert|combine|put)"
)
_WILL = (
    r"(?:let\sme|let['’]?s|let\sus|(?:we|I|you|one)(?:['’]ll|\swill|\sshall|\smust|\sshould"
    r"|['’]m\sgoing\sto|\sam\sgoing\sto|\sare\sgoing\sto|\s(?:now\s|still\s|then\s|first\s|next\s|only\s){0,2}"
    r"(?:need|have|want|has)\sto)|(?:it|what|all\sthat)\s(?:now\s)?remains\s(?:is\s)?to"
    r"|the\s(?:next|remaining|last|first)\sstep\sis\sto"
    rf"|(?:our|the)\s(?:goal|task|aim|objective)\s(?:now\s)?is\sto|(?:now|next|then)(?=,?\s{_WORK}))"
)
_ANNOUNCES = re.compile(
    r"\W*(?:(?:so|now|then|next|first|ok(?:ay)?|alright|and|but|also|finally|from\shere|after\sthat"
    rf"|to\s[^,\d=]{{1,60}}),?\s){{0,2}}{_WILL},?\s(?:now\s|then\s|first\s|next\s|also\s|still\s|just\s"
    rf"|carefully\s)?(?:{_WORK}\b[^\d=]*|do\s(?:this|it|that|so)\b[^\d=]*)\Z"
    r"|\W*(?:solv|comput|calculat|evaluat|simplify|add|multiply|divid)ing\b[^\d=]*\bwill\s[^\d=]*\Z"
    r"|\W*(?:(?:we|I)\s(?:want|seek|wish|are\slooking|am\slooking)|what\s(?:we|I)\s(?:need|want|have)\sto"
    r"|the\suser\s(?:wants|asks|needs)|I['’](?:ll|m\sgoing\sto)\s(?:need|have)\sto|on\scherche|se\sbusca)\b[^\d=]*\Z"
    r"|\W*(?:让我们|我们来|下面|接下来|现在(?:来)?求|cherchons|calculons|trouvons|il\sfaut|(?:nous|on)\s(?:devons|doit)"
    r"|hay\sque|tenemos\sque|debemos|calculemos|gesucht\b|wir\s(?:müssen|suchen|wollen)|dobbiamo"
    r"|calcoliamo|troviamo|precisamos|temos\sque|calculemos|нужно|надо|требуется|найдём|найдем)"
    r"[^\d=]*\Z",
    re.I,
)
"""A last sentence without a value, of work that is not done."""
_GIVEN = re.compile(
    r"\W*(?:(?:so|now|ok(?:ay)?|alright|well|here|first(?:ly)?|to\s(?:begin|start)(?:\swith)?),?\s)?(?:"
    r"(?:we|you|I)\s(?:are|were|have\sbeen)\s(?:given|told|asked)\b"
    r"|(?:it\sis|it['’]s|as)\s(?:given|known|stated|mentioned)\b"
    rf"|according\sto\sthe\s{_TASK}\b"
    rf"|(?:the|this|your|that)\s{_TASK}\s(?:itself\s)?(?:asks?|mentions|says|states|gives|tells|wants"
    r"|describes|specifies|is\s(?:about|how|what|to|asking|whether|which|that|:)|[a-z]+s\sthat)"
    r"|you\s(?:asked|ask|want|are\sasking|mentioned|told)\b"
    rf"|in\s(?:this|the)\s(?:given\s)?{_TASK}\b"
    r"|(?:the|our|my)\s(?:goal|task|aim|job|objective)\s(?:here\s)?is\b"
    r"|I\s(?:understand|read)\sthat\b"
    r"|(?:(?:the\s)?given(?:s|\s(?:information|data|values?))?|known(?:\s(?:values?|data))?|data|facts"
    r")\s?(?:is|are)?\s?:"
    rf"|here\s(?:is|are)\sthe\s{_TASK}\b|restating\b"
    r"|let\sme\s(?:start|begin|restate|repeat|summari[sz]e|read|reread|think|rephrase)\b"
    r"|let['’]?s\s(?:consider|suppose|assume|say|start|begin|break|think|recall|note)\b"
    r"|(?:note|notice|observe|recall|remember|suppose|assume)\b(?!\s?:)"
    r"|(?:we|I)\s(?:first\s)?(?:need|have|should)\s(?:to\s)?(?:understand|know|note|notice|observe"
    r"|recall|remember)\b"
    r"|(?:step\s\d+\s?[:.)]\s*)?(?:identify|write\s(?:down|out)|list|understand|read|note|given|we\sare\sgiven)\b"
    rf"|to\s(?:solve|find|answer|get|determine|compute|calculate)\b[^,]{{0,60}},\s(?:we|you|I|one"
    r"|let['’]?s)\s(?:can\s|will\s|must\s|should\s|need\sto\s|have\sto\s|first\s)?(?:start|begin|use"
    r"|note|need|must|first|know|recall|observe|consider|look)\b"
    r"|given\b[^,\n]*(?:\Z|,\s(?=\D*\Z))"
    r"|(?:es\sist\s)?gegeben\b|on\s(?:sait|nous\sdonne|nous\sdit|donne)\b|(?:se\ssabe|nos\sdicen|nos\sdan"
    r"|se\snos\sd[aá]|se\sda)\b|(?:sappiamo\sche|è\sdato|è\snoto|ci\sdicono)\b|(?:sabe-se|é\sdado"
    r"|foi\sdado)|(?:известно|дано|нам\sдано)\b|(?:题目|题)中?(?:给出|说|问|告诉|给了)|已知"
    r")",
    re.I,
)
_ASIDE = Sought(
    rf"\bas\s(?:stated|given|mentioned|said)\s(?:in|by)\sthe\s{_TASK}\b"
    r"|\b(?:is|are|was|were)\s(?:given|known|stated|assumed)\s(?:as|to\sbe)\b"
    r"|\b(?:and|but)\s(?:we|I|you)\s(?:still\s)?(?:need|want|must|have\sto|are\sasked"
    r"|should)\b[^\d=]*\Z"
)
_LEADS_ON = re.compile(
    r"\b(?:which|that)\s(?:is|are|makes?|equals?|means?|gives?|comes)\b|\b(?:then|means|giving"
    r"|times|to\sget|to\sobtain|in\sall|altogether)\b|\d\s*[-+*/×·÷x]\s*\$?\d[^=]*=|\basks\sfor\b[^.]*=|,\s[^,]*\d[^,\d]*[a-z][^,\d]*\d[^,]*\Z",
    re.I,
)
_COLON = re.compile(r":\s(?:\\?\$)?-?\d[\d.,/]*\$?\s?[a-z]*[.!]?\Z")
"""`The problem asks for the total: 24.`"""


def repeats_or_announces(last: str) -> bool:
    """Return whether a last sentence only says what is given, what is asked or what comes next.

    >>> repeats_or_announces("We are given that the perimeter is 24.")
    True
    >>> repeats_or_announces("We are given 3 boxes of 8, so there are 24.")
    False
    """
    if _ANNOUNCES.match(last):
        return True
    found = _GIVEN.match(last) or _ASIDE.search(last)
    if found is None:
        return False
    told = last[found.end() :]
    goes_on = _LEADS_ON.search(told) or concludes(last, found.end() - 1)
    return not goes_on and not (":" not in found[0] and _COLON.search(told))
