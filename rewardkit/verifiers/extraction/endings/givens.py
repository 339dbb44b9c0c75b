"""Endings that repeat what is given or announce what is to be done: neither states an answer.

`We are given that the perimeter is 24. Let me set up the equations first.`
"""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.prose.conclusions import concludes
from rewardkit.verifiers.vocabulary.sought import Beginning, Parts, Sought

_TASK = r"(?:problem|question|task|text|statement|exercise|prompt)"
_WORK = (
    r"(?:find|compute|count|calculate|solve|set\sup|think|start|begin|work|determine|evaluate"
    r"|analy[sz]e|break|consider|look\sat|use|multiply|divide|add|subtract|simplify|substitute|plug"
    r"|apply|proceed|continue|try|draw|write|define|denote|figure|express|factor|expand|restate"
    r"|repeat|summari[sz]e|rephrase|read|reread|understand|identify|examine|explore|investigate"
    r"|tackle|address|approach|take|move\son|convert|combine|put)"
)
_WORK_ON = rf"(?:{_WORK}|use)\b"
_WILL = (
    r"(?:let\sme|let['’]?s|let\sus|(?:we|I|you|one)(?:['’]ll|\swill|\sshall|\smust|\sshould"
    r"|['’]m\sgoing\sto|\sam\sgoing\sto|\sare\sgoing\sto|\s(?:now\s|still\s|then\s|first\s|next\s"
    r"|only\s){0,2}"
    r"(?:need|have|want|has)\sto)|(?:it|what|all\sthat)\s(?:now\s)?remains\s(?:is\s)?to"
    r"|the\s(?:next|remaining|last|first)\sstep\sis\sto"
    rf"|(?:our|the)\s(?:goal|task|aim|objective)\s(?:now\s)?is\sto|(?:now|next|then)(?=,?"
    rf"\s{_WORK}))"
)
_ANNOUNCES = Beginning(
    r"\W*(?:(?:so|now|then|next|first|ok(?:ay)?|alright|and|but|also|finally|therefore|thus|hence"
    r"|from\shere|after\sthat"
    rf"|to\s[^,\d=]{{1,60}}),?\s){{0,2}}{_WILL},?\s(?:now\s|then\s|first\s|next\s|also\s|still\s"
    rf"|just\s|carefully\s)?(?:{_WORK}\b[^\d=]*|do\s(?:this|it|that|so)\b[^\d=]*)\Z"
    r"|\W*(?:solv|comput|calculat|evaluat|simplify|add|multiply|divid)ing\b[^\d=]*\bwill\s[^\d=]*\Z"
    r"|\W*to\s(?:get|find|obtain|know|calculate|compute|determine)\s[^,\d=]{1,60},\s(?:just\s|simply\s)?"
    rf"{_WORK}\b[^\d=]*\Z"
    r"|\W*[a-z]+ing\b[^\d=]*\b(?:gives?|yields?)\s(?:us\s)?the\s(?:\w+\s)?(?:answer|result"
    r"|solution)\W*\Z"
    r"|\W*(?:(?:we|I)\s(?:want|seek|wish|are\slooking|am\slooking)|what\s(?:we|I)\s(?:need|want"
    r"|have)\sto"
    r"|the\suser\s(?:wants|asks|needs)|I['’](?:ll|m\sgoing\sto)\s(?:need|have)\sto|on\scherche|se"
    r"\sbusca)\b[^\d=]*\Z|\W*(?:cherchons|calculons|trouvons|il\sfaut|(?:nous|on)\s(?:devons|doit)"
    r"|hay\sque|tenemos\sque|debemos|calculemos|gesucht\b|wir\s(?:müssen|suchen|wollen)|dobbiamo"
    r"|calcoliamo|troviamo|precisamos|temos\sque|calculemos|нужно|надо|требуется|найдём|найдем)"
    r"[^\d=]*\Z|\W*(?:让我们|我们需要|我们来|下面|接下来|现在(?:来)?求)[^\d=]*\Z"
)
"""A last sentence without a value, of work that is not done."""
_GIVEN = Beginning(
    r"\W*(?:(?:so|now|ok(?:ay)?|alright|hmm+|well|here|next|then|hence|therefore|thus"
    r"|first(?:ly)?),?\s)?(?:"
    r"(?:to\s(?:begin|start)\swith|first\sof\sall|at\sthe\s(?:start|beginning))"
    r"\b(?=[^\d]*\d+[^\d]*\Z)"
    r"|(?:we|I)\s(?:start|begin)\s(?:with|by|from)\b|the\sfirst\s(?:piece|thing|fact)\b|the\suser"
    r"\s(?:wants|asks|asked|gave|gives|is\sasking|said|says|mentions|provided)\b"
    r"|(?:(?:the\s)?(?:information|data)\s(?:provided|given|we\shave))\b|(?:here['’]s\s|here\sis"
    r"\s)?what\s(?:(?:we|I)\sknow|is\s(?:given|known))\b|what\sis\s(?:given|known)\b"
    rf"|(?:from|as\sper|based\son|reading|looking\sat|since|because)\s(?:the|this)\s{_TASK}(?!"
    rf"\s\d)\b|(?:we|I)\s(?:then\s|now\s|next\s)?(?:(?:need|have|want)\sto|should|must|will)"
    rf"\s(?:then\s|now\s)?{_WORK_ON}"
    rf"|(?<=next\s)(?:we|I)\s{_WORK_ON}|(?<=next,\s)(?:we|I)\s{_WORK_ON}"
    r"|us(?:e|ing)\sthe\sfact\b|knowing\sthat\b|(?:the|a)\s(?:key|main|important)\s(?:fact|point|observation)\sis\b"
    r"|the\s(?:constraint|condition|requirement|restriction)\s(?:is|says|states)\b"
    r"|the\sequation\s(?:to\s(?:be\s)?solved?\sis|becomes|we\s(?:need|have)\sto\ssolve\sis)\b"
    rf"|the\s{_TASK}\s(?:reduces|comes\sdown|boils\sdown)\sto\b"
    r"|(?:consider|imagine|take|picture)\s(?!all\b)|let\sthe(?:re|\snumber|\stotal|\ssum)\b[^,.]*"
    r"\bbe\b|(?:(?:the|my|our)\s)?(?:plan|approach|strategy|setup)\s?(?:is\sto\b|:)|"
    r"(?:we|you|I)\s(?:are|were|have\sbeen)\s(?:given|told|asked)\b"
    rf"|(?:it\sis|it['’]s|as)\s(?:given|known|stated|mentioned)\b|according\sto\sthe\s{_TASK}\b"
    rf"|(?:the|this|your|that)\s{_TASK}\s(?:itself\s)?(?:asks?|mentions|says|states|gives|tells"
    rf"|wants"
    r"|describes|specifies|is\s(?:about|how|what|to|asking|whether|which|that|:)|[a-z]+s\sthat)"
    r"|you\s(?:asked|ask|want|are\sasking|mentioned|told)\b"
    rf"|in\s(?:this|the)\s(?:given\s)?{_TASK}\b"
    r"|(?:the|our|my)\s(?:goal|task|aim|job|objective)\s(?:here\s)?is\b"
    r"|I\s(?:understand|read)\sthat\b"
    r"|(?:(?:the\s)?given(?:s|\s(?:information|data|values?))?|known(?:\s(?:values?|data))?|data"
    rf"|facts)\s?(?:is|are)?\s?:|here\s(?:is|are)\sthe\s{_TASK}\b|restating\b"
    r"|let\sme\s(?:start|begin|restate|rewrite|repeat|summari[sz]e|read|reread|think|rephrase)\b"
    r"|let['’]?s\s(?:consider|suppose|assume|say|start|begin|break|think|recall|note)\b"
    r"|(?:note|notice|observe|recall|remember|suppose|assume)\b(?!\s?:)"
    r"|(?:we|I)\s(?:first\s)?(?:need|have|should)\s(?:to\s)?(?:understand|know|note|notice|observe"
    r"|recall|remember)\b"
    r"|(?:step\s\d+\s?[:.)]\s*)?(?:identify|write\s(?:down|out)|list|understand|read|restate)\b"
    r"|step\s\d+\s?[:.)]\s*(?:note|given|we\sare\sgiven)\b"
    rf"|to\s(?:solve|find|answer|get|determine|compute|calculate)\b[^,]{{0,60}},\s(?:we|you|I|one"
    r"|let['’]?s)\s(?:can\s|will\s|must\s|should\s|need\sto\s|have\sto\s|first\s)?(?:start|begin"
    r"|use|note|need|must|first|know|recall|observe|consider|look)\b"
    r"|given\b[^,\n]*(?:\Z|,\s(?=\D*\Z))"
    r"|(?:données|datos|dati|dados)\s?:|(?:we|I)\sknow\sthat\b(?!\s(?:it|this|so)\b)(?=[^=,$\\]*\Z)"
    r"|(?:es\sist\s)?gegeben\b|on\s(?:sait|nous\sdonne|nous\sdit|donne)\b|(?:se\ssabe|nos\sdicen"
    r"|nos\sdan"
    r"|se\snos\sd[aá]|se\sda)\b|(?:sappiamo\sche|è\sdato|è\snoto|ci\sdicono)\b|(?:sabe-se|é\sdado"
    r"|foi\sdado)|(?:известно|дано|нам\sдано)\b"
    r"|laut\s(?:der\s)?(?:aufgabe|text)|wir\swissen\b|(?:d['’]après|selon)\sl['’]énoncé|nous"
    r"\ssavons\b|según\sel\s(?:enunciado|problema|texto)|secondo\s(?:il\s(?:testo|problema))"
    r"|(?:de\sacordo\scom|segundo)\so\s(?:enunciado|problema|texto)|(?:по|согласно)\sусловию"
    r")|\W*(?:(?:题目|题)中?(?:给出|说|问|告诉|给了)|已知|根据题目|问题是|問題によると)"
)
_ASIDE = Sought(
    rf"\bas\s(?:stated|given|mentioned|said)\s(?:in|by)\sthe\s{_TASK}\b"
    rf"|\A(?!\W*(?:so|thus|hence|therefore|then)\b)[^=]*,\saccording\sto\sthe\s{_TASK}\W*\Z"
    r"|\b(?:is|are|was|were)\s(?:given|known|stated|assumed)\s(?:as|to\sbe)\b"
    r"|,\sand\s[a-z]+ing\b[^\d=,]*\b(?:gives?|yields?)\s(?:us\s)?the\s[^\d=]*\Z"
    r"|[;,]\s(?:let['’]s|let\sus|let\sme)\b[^\d=]*\Z"
    r"|\b(?:and|but|so)\s(?:we|I|you)\s(?:still\s)?(?:need|want|must|have\sto|are\sasked"
    r"|should)\b[^\d=]*\Z"
)
_SIGNS = Parts.of(_ANNOUNCES, _GIVEN, _ASIDE)
_LEADS_ON = re.compile(
    r"\b(?:which|that)\s(?:is|are|makes?|equals?|means?|gives?|comes)\b|\b(?:then|means|giving"
    r"|times|to\sget|to\sobtain|in\sall|altogether)\b|(?<![a-zA-Z.\d])\d(?:\sx\s|[\d"
    r"\s+*/×·÷^().²-])*=\s*\$?-?\d|\bnow\s[a-z]+\s(?:has|have|is)\b|\bfind\s(?:that\s)?[a-z]\s?="
    r"|\d[^\d:]*:\s[^\d:]*\d|\basks\sfor\b[^.]*=|,\s[^,]*\d[^,\d]*[a-z][^,\d]*\d[^,]*\Z",
    re.I,
)
_ASKED = re.compile(r"ask|want|need|find|comput|calculat", re.I)
_COLON = re.compile(r":\s(?:\\?\$)?-?\d[\d.,/]*\$?\s?[a-z]*[.!]?\Z")
"""`The problem asks for the total: 24.`"""


def repeats_or_announces(last: str) -> bool:
    """Return whether a last sentence only says what is given, what is asked or what comes next.

    >>> repeats_or_announces("We are given that the perimeter is 24.")
    True
    >>> repeats_or_announces("We are given 3 boxes of 8, so there are 24.")
    False
    """
    if not _SIGNS.may_be_in(last):
        return False
    if _ANNOUNCES.match(last):
        return True
    found = _GIVEN.match(last) or _ASIDE.search(last)
    if found is None:
        return False
    told = last[found.end() :]
    goes_on = _LEADS_ON.search(told) or concludes(last, found.end() - 1)
    return not goes_on and not (_ASKED.search(found[0]) and _COLON.search(told))
