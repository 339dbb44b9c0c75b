"""What stands behind an answer and leaves it as it is: a check, a remark, what would have been.

`x = 7. Check: 2·7 + 5 = 19 ✓.` says 7, `So it took 24 minutes. If he had run, it would have taken
12.` says 24. What takes the answer back, or goes on to another one, is no such remark. In the same
sentence, other languages give reasons, say what the answer is not, or of what it is a part: `La
respuesta es 21, porque 12 ...`, `La réponse est 8, et non 9`, `5 Euro von den 20 Euro`.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.prose.wholes import VALUE
from rewardkit.verifiers.extraction.text.cuts import last_start
from rewardkit.verifiers.vocabulary.alternatives import CHECKING
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.numbers import PARTS
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.phrases import (
    CONCLUSIONS,
    CONTRASTS_ELSEWHERE,
    FAULTS,
    REASONS_ELSEWHERE,
)
from rewardkit.verifiers.vocabulary.sought import Parts, Sought, holds_one
from rewardkit.verifiers.vocabulary.turns import SLIP

TAKES_BACK = Sought(
    rf"\b(?:{alternatives(FAULTS)}|not (?:\w+ )?(?:sure|certain)|don't know|fails?|mistaken?|error"
    r"|does ?n[o']t (?:work|fit|match|satisfy))\b"
)
"""What a sentence behind a statement says when it was not one."""
_FITS = (
    r"(?:match(?:es)?|works?(?:\sout)?|checks?\sout|holds?|fits?|agrees?|is\s(?:right|correct|true"
    r"|satisfied|met|fulfilled|fine))"
)
_CHECKS = (
    r"As\san?\s(?:[a-z]+\s)?(?:check|note|remark|aside)[,:]",
    r"(?:Incidentally|By\sthe\sway|Compare|(?:For|Just\sfor)\s(?:reference|comparison|completeness|orientation|the\srecord|information|illustration))[,:]",
    r"(?:To|Let['’]s|Let us|We can|You can)\s(?:also\s)?(?:double[- ])?(?:check|verify|confirm)\b",
    r"(?:Let['’]s\s)?(?:[Cc]heck|[Vv]erify|[Tt]est|[Tt]ry|[Pp]lug|[Ii]nsert|[Ss]ubstitute|[Pp]ut)\s(?:it|this|that|them)(?:\s[a-z]+){0,2}:",
    r"(?:Let\sme|We|I)\s(?:double[- ])?(?:check|verify|confirm)"
    r"(?:\s(?:it|this|that))?(?:\s(?:by|with)\s[^.:\n]{1,40})?:",
    r"(?:Substituting|Plugging|Inserting|Putting|Testing|Trying|Squaring|Cubing|Doubling|Halving)\b(?=[^.\n]*(?:\b(?:matches|works"
    r"|checks\sout|holds|fits|agrees|as\swell|too|on\sboth\ssides|as\s(?:required|needed|given|expected|it\sshould(?:\sbe)?)"
    r"|is\s(?:right|correct|true))\W*\Z|\.?\s*[✓✔✅]))",
    r"(?:En\s(?:effet|efecto)|In\sder\sTat|Tatsächlich|Infatti|De\sfato|Действительно)[,:]?\s(?=[\d(][^\n]*=)",
    r"(?:Indeed|In\sfact)(?:\s(?=[\d(][^\n]*=)|,(?=[^\n]*=|\s(?:if|when|after)\s)|:(?!\s?(?:it|the|s?he|this|that|there)\b))",
    r"(?:Testing|Checking|Comparing)\s(?:(?:this|it)\s)?(?:numerically\b|(?:at|near)\s)(?=[^\n]*[=≈][^\n]*[=≈])",
    r"(?:Does|Is)\s(?:it|this|that)\s(?:really\s)?(?:check|work|hold|fit|right|correct|true|so)(?:\s(?:out|up|true))?\?"
    r"(?=[^?\n]*[.!]\s(?:It\s(?:does|is|works)|Yes(?:,\sit\s(?:does|is|works))?)\W*\Z)",
    r"(?:An?\s|The\s|My\s)?(?:(?:[Qq]uick|[Ss]hort|[Ss]mall|[Rr]ough|[Ll]ittle|[Nn]umerical|[Cc]omputer|Monte\sCarlo)\s){0,3}"
    r"(?:[Ss]imulation|[Ee]xperiment|[Ii]ntegration|[Ee]valuation|[Rr]un|[Ss]earch|[Ee]stimate|[Cc]alculation)\b(?=[^\n]{1,80}\b(?:gave|gives|yields|yielded|returns|returned|shows|showed|finds|found)\s[^\n]*"
    r"\b(?:consistent|agrees?|match(?:es)?|fits?|in\s(?:good\s|full\s)?agreement|close(?:\senough)?|confirms?|confirming|as\s(?:expected|it\sshould))\b[^.\n\d]*[.!]?\s*\Z)",
    r"(?:For|As)\san?\s(?:sanity|quick|plausibility|simple|small)\s(?:check|test)\b[^.:\n]{0,60}[:,](?=[^\n]*=)",
    r"(?:Sanity|Quick|Plausibility|Final)\scheck\s?:",
    rf"(?:(?:Proof|Test|Reason)(?:\s(?:by|of|in)\s[a-z]+)?|Controle|(?:{CHECKING})(?:\s(?:with|by|of|in|for|on|against|using|mit|an|dans|avec|con|en)\s[^.:\n]{{1,40}})?)\s?:",
    r"(?:That|This|It)\s(?:makes\ssense|checks\sout|(?:agrees|fits|is\s(?:consistent|in\sline))\s(?:\w+\s)?with)\b",
    r"(?:You|One|We)(?:\scan)?\ssee\s(?:this|it|that(?=[,.:]|\s(?:by|from|if|when|because|since|as|is|was|in|works|holds)\b"
    r"|\s[^a-z]*=))(?!\w)",
    r"(?:Why|How\sso)\?\s",
    r"(?:I|We)\s(?:answered|solved|found|got|calculated|computed|obtained|reached|did|worked)\s"
    r"(?:(?:it|this|that|the\s(?:answer|problem|result|total|question))\s(?:out\s)?)?by\s[a-z]+ing\b"
    r"(?![^.\n]*(?:=|\b(?:get|getting|gives?|gave|giving|is|was|so|which|makes?|making|to\sfind)\b))",
)
"""How a sentence begins that checks a value."""
_CHECK = Sought(
    "|".join(rf"(?<=[.!?>*$\n])\s*\b{check}" for check in _CHECKS)
    + r"|(?<=[。！\n])\s*(?:验证|检验|检查|验算)[^：:。\n]{0,12}[：:]"
    r"(?![^\n]*(?:所以|因此|故|得|则|但|不))"
    r"|(?<=[\w%$]),\sand\s(?:the|a)\s(?:check|test|verification|substitution)\s(?:works|fits|confirms|holds|succeeds|agrees)\b[^:.\n]{0,30}[:,]\s(?=\S*\d)"
    r"|(?<=[.!]\s)(?:This|That|It)(?:['’]s|\s(?:is|was))\s(?:because|since|due\sto)\b"
    r"|(?<=[\w%$])(?:\s?[,;:]|\s[–—-])\s(?:(?:as\s)?(?:you|one|we)\scan\s(?:see|check|verify)|to\ssee\s(?:this|why|that))\b"
    r"|(?<=\d)\s(?:works|fits|checks\sout|is\s(?:the|a)\s(?:only\s)?solution|(?:satisfies|fulfill?s|solves)\s(?:it|(?:both|all|the)(?:\s[a-z]+){0,2}))(?:\s?[:,;]|\s[–—-])\s(?=\S*\d)"
)
_CONCLUDED_AFTER = as_pattern(
    r"(?:\n\W*|[.!]\s)(?:The|So|Thus|Hence|Therefore|In\stotal|Yes|No|Answer)\b[^\n]*(?:\d|[aA]nswer\b|\w=)"
    r"|\n\n(?=[A-Z])[^\n=:✓✔]*\d[^\n\d=:✓✔]*\Z"
)
"""What concludes behind a check, or is a paragraph of its own that says one value."""
_FAILED = Sought(
    r"(?:\b(?:but|instead|rather|unlike|contradict\w*|not)\b|n['’]t\b|≠|\\neq?\b|✗|❌)"
)
_REMARK = as_pattern(
    r"[\s(*_]*(?=[A-Z])(?:"
    rf"(?:Everything|(?:All|Both)\s(?:[a-z]+\s){{0,2}}?|It|This|That)\s?\b{_FITS}\b[^\d]*\Z"
    r"|(?:That|This|It|The\s(?:[a-z]+\s){1,4}?)(?:['’]s\s|(?<=\s)|\s)(?:(?:is|are|seems?|looks?|sounds?|makes?)\s)?"
    r"(?:(?:also|quite|very|perfectly|physically|about|a|an|of|the)\s){0,2}"
    r"(?:plausible|reasonable|realistic|sensible|sense|credible|(?:right|expected)(?=[\s,:.](?:order|size|since|as|because|a)\b))"
    r"|The\s(?:order\sof\smagnitude|sign|size|unit)\s(?:is|looks|seems)\s(?:[a-z]+\s)?right\b"
    r"|(?:That|This|It)(?:['’]s|\sis)\s(?:(?:about|exactly|almost|nearly|just|only|roughly|less\sthan|more\sthan)\s)?"
    rf"(?:(?:an?|one|two|three|four|five)[\s-])?{alternatives(PARTS)}s?\sof\s(?=[^.:=]*\d)[^:=]*\Z"
    rf"|The\sunits\s(?:also\s)?(?:cancel|are\sright|{_FITS})\b"
    r"|(?:(?:Side|Small)\s)?(?:[Nn]ote|[Rr]emark|N\.?\s?B\.?|P\.?\s?S\.?|[Cc]omment|Observation|Fun\sfact)\s?"
    r"(?::|that\b(?=[^.]*\b(?:would|other)\b))|P\.\s?S\.\s)"
)
_ASIDE = as_pattern(
    r"[\s(*_]*(?:(?:One|Two|Three|Just|Only|Exactly)\s(?:less|more|short|shy|fewer|over|above|below)(?:\sthan|\sof)?\b"
    r"|An?\s(?:[a-z]+\s){0,2}(?:power|multiple|square|cube|prime|number|palindrome|factorial)\b[,:.!]?(?!\s(?:is|was|has|with)\b)"
    r"|(?:Funny|Curious(?:ly)?|Interesting(?:ly)?|Neat|Nice|Cute|Amusing(?:ly)?)[,:!]"
    r"|That(?:['’]s|\sis)\s(?:one|two|just)\s(?:less|more|short|shy)\b)(?![^.!?]*\b(?:per|each|costs?|took|takes)\b)"
)
"""What is nice about a number: `Famous number! One less than 1730.`"""
_EXCLAIMED = as_pattern(r"(?<=[.!])\s+[A-Z][a-z]+(?:\s[a-z]+){0,2}!\s*\Z")
_DRAFTED = as_pattern(
    r"[\s(*_]*(?:I(?:['’]d|\shad)?\s(?:at\s)?(?:first|initially|originally|nearly|almost)\s[a-z]+"
    r"|(?:At\sfirst|Initially|Originally|Earlier),?\sI(?:['’]d|\shad)?\s[a-z]+"
    r"|My\s(?:first|initial|earlier)\s(?:\w+\s)?(?:attempt|draft|try|guess|count|answer|result|idea|thought)\s(?:gave|was|had|came))\b"
    r"(?![^.!?]*\b(?:now|but|yet|so|hence|therefore|still|again|right|correct|must|is|and)\b)[^.!?\n]*[.!]?\s*\Z",
)
"""What was written before the answer: `I'd first drafted 99, having forgotten the last post.`"""
_CONFIRMED = as_pattern(
    r"[^.!?\n]*(?:\.\d[^.!?\n]*)*,\s(?:(?:and\s)?(?:just\s)?as\s(?:it|they|the\s[a-z]+|we|you)\s(?:[a-z]+\s)?(?:must|should|says?|said|wants?|wanted|requires?|required|demands?|expected)"
    r"(?:\s(?:be|have))?|which\s(?:agrees|fits|matches|works|is\s(?:right|correct)|(?:confirms|proves|verifies|shows)\s(?:it|this|that)(?=[.!]*\s*\Z))|(?:which\sis\s)?(?:consistent|in\sline|in\sagreement)\swith\s[^,!?]*)[.!]*\s*\Z"
)
"""What shows a value at work: `Then the angles are 40°, 60° and 80°, as they must.`"""
_TRIED = as_pattern(r"[\s(*_]*(?:At|For|With|When|Setting|Putting)\s\$?(?P<name>[a-z])\s?=", re.I)
_SIZE = as_pattern(r"\d[\d.,/]*(?<=\d)")
_LAST_VALUE = as_pattern(rf"(?<![\d.,]){_SIZE.pattern}(?=\D*\Z)")
_STATED = as_pattern(r"(?:\d[^\s]*|\b[A-J])(?:\s[\w/²³]+){0,3}[.!*)]*\s*\Z")
_EXPLAINED = as_pattern(
    r"(?P<value>(?<![\d.,])\d[\d.,]*(?<=\d)):\s(?=(?P=value)\s[^\n]*=[^\n]*\Z)|(?<=\d):\s(?=(?:its|it|their|they|both|all|the\s(?:sum|product|digits)|indeed|\d[\d\s+*/×·-]*=)\b[^\n]*\Z)"
)
"""What a value fulfils, behind it: `The number is 45: its digits sum to 9.`"""
_SHOWN = as_pattern(
    r"(?:\bis|\bare|=)\s(?:exactly\s)?\$[^$\n]{1,60}\$(?P<why>:\s(?:each|every)\s(?:of\s|one\s)?[^\n]{10,300}\Z)"
)
"""A formula with what makes it one: `is $2^n$: each of n is in or out`."""
_COMES_TO = as_pattern(
    r"\b(?:answer|instead|but(?!\sthe\s)|wrong|hence|therefore|thus|total|correct|not|actually)\b|\bso\s[^.$]*\b(?:is|are|get|have|there|number)\b|[.!?]\s",
    re.I,
)
"""What says more than why it is so."""
_IS_VALUE = as_pattern(r"(?:\b(?:is|are|be|was|were)|=)\s(?:exactly\s)?[$*-]*\d[\d.,/]*\Z")
_UNREAL = as_pattern(
    r"[\s(]*(?:If\s[^.!?\n]{1,90}\bhad\b[^.!?\n]*(?:\bwould|\bcould|['’]d)\s(?:[a-z]+\s)?have\b"
    r"|[A-Z][^.!?\n]{1,60}\bwould\shave\s(?:had|been)\s[^.!?\n]*[.!]?\Z"
    r"|(?:Last|The\s(?:previous|last))\s(?:year|week|month|day|time|season)(?:['’]s)?\b)"
)
"""What would have been, or was before: only where what is said before is concluded is it that."""
_CONCLUDED = as_pattern(
    rf"(?:\A|[.!?\n])[\s*]*(?:{alternatives(CONCLUSIONS)}|in\s(?:total|all)|altogether|answer)\b[^.!?\n]*\d[^!?\n]*\Z"
    r"|(?:\A|\n)[\s*]*[a-z][a-z\s]{1,40}:\s[^.!?\n:]{0,20}\d[^!?\n:]*\Z",
    re.I,
)
_GOES_ON = as_pattern(
    rf"\b(?:answer|{SLIP}|correct(?:ed)?|instead|mis\w+|should\s(?:be|have)|forgot"
    r"|not\ssure|error|so|hence|thus|therefore|must|total|or|the\s(?:true|real|right|actual)\s(?:value|result|number))\b|\?",
    re.I,
)
"""What a sentence says that is more than a remark."""
_MAX_REMARKS = 3
_MAX_CHARS, _MAX_CHECK = 400, 500
_NEAR = 200
_DIGIT = as_pattern(r"\d")
_NOT = (
    r"et\s(?:non(?:\spas)?|pas)|und\snicht|y\sno|e\s(?:non|não)|en\sniet|i\snie|а\sне|nicht|pas|niet|nie"
    r"|non|não|no|не"
)
_BEHIND = Sought(
    rf",?\s\(?(?:{alternatives(REASONS_ELSEWHERE | CONTRASTS_ELSEWHERE)})\s"
    r"|,\s(?:da|want|pues|pois|bo)\s(?=[^.]*\d)"
    r"|,\s(?:sinon|sonst|altrimenti|caso\scontrário|de\slo\scontrario|anders|иначе)\s(?=(?:[^\W\d_]+\s){2})"
    r"|,?\scar\s(?=(?:l[ae]s?|ils?|elles?|on|une?|c['’]est|\d\S*\s[-+*×·/=]\s|\d+\s(?:est|sont|ont|[^\W\d_]+s\ss))\b|l['’])"
    rf"|(?:,\s|\s\(|\s(?=\w+\s(?:no|non|não|nicht|pas|niet|nie|не)\s))(?:{_NOT})\s"
    r"(?=[$\\]{0,2}-?\d[^\s,;]{0,12}(?:\s[^\W\d_]+)?(?:,\s(?:comme|wie|como|come|как)\s[^\d()=]+)?[.)!]*\s*\Z)"
    r"|[，,]\s?比[^，。,\d]{0,12}\d[\d.,]*[^，。,\d]{0,6}[便贵貴多少大小高低轻輕重长長短快慢早晚]"
    r"[^，。,\d]{0,4}(?:\d[\d.,]*[^，。,\d]{0,3})?(?=[。！]?\s*\Z)"
    r"|,\s(?:also\s|soit\s|es\sdecir\s|cioè\s|ou\sseja,?\s|dus\s)?\d[\d.,]*\s?(?:[^\W\d_]+\s|€\s)?(?:de\s|in\s)?"
    r"(?:mehr|weniger|plus|moins|más|menos|più|meno|mais|meer|minder|больше|меньше)\b"
    r"|[，,、（(]\s?比[^，。\n]{1,12}[多少]\d|[，,、（(]\s?(?:因为|由于|而不是|而非|不是|并非|其中|不算|不包括|虽然)(?=[^。\n]*\d)"
)
_WHOLE = Sought(
    r"(?<=[\d\w])\s(?:von\s(?:den|seinen|ihren|insgesamt|allen)|der|sur(?:\sles|\sses|\sun\stotal"
    r"\sde)?|de\s(?:las|los|sus|ses|suas|seus)|des|delle|dei|degli|su(?:lle|i|gli)?|das|dos)\s(?=\d)"
)
_MAY_BE = Parts(_BEHIND, _WHOLE)
_BEFORE_WHOLE = as_pattern(r"\d[\d.,]*(?:\s[^\W\d_]+){0,2}\Z")
_CHANCE = as_pattern(r"prob|chance|wahrsch|pravd", re.I)
_NUMBER = as_pattern(r"\s\w+(?:\s[^\W\d_]+){0,2}\s\d[\d.,]*\d|\s\w+(?:\s[^\W\d_]+){0,2}\s\d")


def without_remarks(text: str) -> str:
    """Return a text up to the remarks and the check behind its answer.

    >>> without_remarks("v = 80 km/h. This is plausible, since a car drives 100 km/h.")
    'v = 80 km/h.'
    >>> without_remarks("So x = 7. Check: 2·7 + 5 = 19. That fits.")
    'So x = 7.'
    >>> without_remarks("So x = 7. Check: 2·7 + 5 = 19. So x = 8 fails, it must be 9.")
    'So x = 7. Check: 2·7 + 5 = 19. So x = 8 fails, it must be 9.'
    """
    text = _without_check(text)
    for _ in range(_MAX_REMARKS):
        start = last_start(text)
        if not start or not _is_remark(text, start):
            break
        text = text[:start].rstrip()
    return _without_explanation(text)


def _without_explanation(text: str) -> str:
    """Return a text up to what the value fulfils that its last sentence gives."""
    near = max(0, len(text) - _MAX_CHARS)
    shown = _SHOWN.search(text, near) if text.find("$: e", near) >= 0 else None
    if shown and not _COMES_TO.search(shown["why"]):
        return f"{text[: shown.start('why')]}."
    found = _EXPLAINED.search(text, near) if text.find(": ", near) >= 0 else None
    if found is None or _GOES_ON.search(text, found.end()) or _FAILED.search(text, found.end()):
        return text
    end = found.end("value") if found["value"] else found.start()
    return text[:end] if _IS_VALUE.search(text[near:end]) else text


def _is_remark(text: str, start: int) -> bool:
    if _REMARK.match(text, start):
        near = max(0, start - _NEAR)
        return VALUE.search(text, near, start) is not None and not _GOES_ON.search(text, start)
    if _DRAFTED.match(text, start):
        return _STATED.search(text, max(0, start - _NEAR), start) is not None
    confirmed = _CONFIRMED.match(text, start)
    if confirmed and (tried := _TRIED.match(text, start)):
        near = max(0, start - _NEAR)
        return (
            re.search(rf"(?<![a-z]){tried['name']}(?:\^|[²³]|\s?[-+*/)])", text[near:start])
            is not None
        )
    if confirmed and (value := _LAST_VALUE.search(text, 0, start)):
        again = _SIZE.findall(text, start)
        says_more = _GOES_ON.search(text, start, text.rfind(",", start))
        return len(again) > 1 and value[0] in again and not says_more
    if _ASIDE.match(text, start):
        before = _EXCLAIMED.sub("", text[:start])
        return _CONCLUDED.search(before) is not None and not _GOES_ON.search(text, start)
    return _UNREAL.match(text, start) is not None and _CONCLUDED.search(text[:start]) is not None


def _without_check(text: str) -> str:
    """Return a text up to where it checks a value that it has stated."""
    check = _CHECK.search(text, max(0, len(text) - _MAX_CHECK))
    if check is None or _CONCLUDED_AFTER.search(text, check.end()):
        return text
    if TAKES_BACK.search(text, check.end()) or _FAILED.search(text, check.end()):
        return text  # `Check: 63/9 = 7. So 63 fails. It must be 72.`
    stated = VALUE.search(text, 0, check.start()) or holds_one(text[: check.start()], ("=", "$"))
    return text[: check.start()] if stated else text


def without_reasons(text: str) -> str:
    """Return a text whose last sentence ends with the answer that it gives reasons for.

    >>> without_reasons("La respuesta es 21, porque 12 es el número de cajas.")
    'La respuesta es 21'
    >>> without_reasons("Ihr bleiben 5 von den 20 Euro.")
    'Ihr bleiben 5 Euro.'
    """
    start = last_start(text)
    before, last = text[:start], text[start:]
    value = _DIGIT.search(last) if _MAY_BE.may_be_in(last) else None
    if value is None:
        return text
    if behind := _BEHIND.search(last, value.end()):
        last = last[: behind.start()]
    whole = _WHOLE.search(last, value.end())
    if whole and _BEFORE_WHOLE.search(last, 0, whole.start()) and not _CHANCE.search(last):
        number = _NUMBER.match(last, whole.start())
        last = last[: whole.start()] + last[number.end() if number else whole.end() :]
    return before + last
