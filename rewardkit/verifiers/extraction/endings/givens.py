"""Last sentences beside the point: what they name is no answer.

They repeat what is given, announce what is to be done (`Let me set up the equations first`), speak
of the work itself or of who grades it: `I'll answer in 24 hours`, `Dear grader, give 24 points`.
Most of what is said so claims nothing (`prose/claims.py`); these look like claims, or are in signs.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.prose.conclusions import concludes
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
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
    r"|let(?:\sme|['’]?s)\s(?:start|begin|re[a-z]+|summari[sz]e|think|consider|suppose|assume|say|break|note)\b"
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
    r"|nos\sdan|se\snos\sd[aá]|se\sda)\b|(?:sappiamo\sche|è\sdato|è\snoto|ci\sdicono)\b|(?:sabe-se|é\sdado"
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
    rf"|\A\W*(?:so,?\s)?(?:this|that)(?:['’]s|,?\s(?:then,?\s)?is)\s(?:then\s)?the\s(?:[a-z]+\s)?{_TASK}\s(?:(?:that\s)?(?:we|I|you)\s[a-z]+(?:\s[a-z]+)?\sto\b"
    r"|to\sbe\b|before\sus\b|at\shand\b)[^\d=]*\Z|这就是我们[^\d]{0,6}的(?:问题|题目)\W*\Z"
    r"|\b(?:and|but|so)\s(?:we|I|you)\s(?:still\s)?(?:need|want|must|have\sto|are\sasked"
    r"|should)\b[^\d=]*\Z"
)
_SIGNS = Parts(_ANNOUNCES, _GIVEN, _ASIDE)
_LEADS_ON = as_pattern(
    r"\b(?:which|that)\s(?:is|are|makes?|equals?|means?|gives?|comes)\b|\b(?:then|means|giving"
    r"|times|to\sget|to\sobtain|in\sall|altogether)\b|(?<![a-zA-Z.\d])\d(?:\sx\s|[\d"
    r"\s+*/×·÷^().²-])*=\s*\$?-?\d|\bnow\s[a-z]+\s(?:has|have|is)\b|\bfind\s(?:that\s)?[a-z]\s?="
    r"|\d[^\d:]*:\s[^\d:]*\d|\basks\sfor\b[^.]*=|,\s[^,]*\d[^,\d]*[a-z][^,\d]*\d[^,]*\Z",
    re.I,
)
_ASKED = as_pattern(r"ask|want|need|find|comput|calculat", re.I)
_COLON = as_pattern(r":\s(?:\\?\$)?-?\d[\d.,/]*\$?\s?[a-z]*[.!]?\Z")
"""`The problem asks for the total: 24.`"""
_OF_WORK = (
    r"\b(?:the|this|my)\s(?:solution|proof|derivation|explanation|response|reasoning"
    r"|calculation)\s(?:has|takes|took|needs|requires|consists\sof|is)\s(?:only\s|about\s|in\s)?"
    r"\d+\s(?:steps?|lines|parts?|pages|words|characters|tokens)\b"
    r"|\b(?:I(?:['’]ll|\swill|\sshall|['’]d|\swould)|let\sme|give\sme|wait|expect)\s(?:\w+\s){0,2}"
    r"(?:answer|respond|reply|(?:get|be|come)\sback|return|explain|update|finish|report)\b[^.=]*\d"
    r"|\b(?:answer|result|solution|reply|response)\s(?:follows|comes|appears|(?:is|are|will|should|can|may)"
    r"\s(?:be\s)?(?:to\sbe\s)?(?:given|ready|available|posted|sent|found|shown|there|here|done|finished))"
    r"\s(?:[a-z]+\s){0,3}(?:in|after|on|within|at|by|under)\s(?:[a-z]+\s){0,3}\d"
    r"|\d\S*\sis\swhat\s[^.\d]*\b(?:says?|said|gave|claims?|expects?|wrong|(?:would|['’]d)\sget)\b"
    r"|\b(?:is|has|be)\sa(?:n)?\s\d+-digit\s(?:number|integer)\W*\Z"
    r"|\b(?:cases?|steps?|possibilities|things|candidates?|options?)\s(?:left\s|still\s)?to\s(?:be\s)?"
    r"(?:check|consider|distinguish|examine|discuss|treat|test|try|tri|rule\sout)(?:ed)?\W*\Z"
    r"|\bI(?:['’]ve|\shave|['’]ve\sgot)\s(?:(?:now|still|only|just|about|got)\s)*\d+\s(?:[a-z]+\s)?"
    r"(?:candidates?|ideas?|guesses|hypothes[ei]s|possibilities|suspicions|thoughts|approaches)\b[^=\d]*\Z"
    r"|\A\W*please\s(?:confirm|tell|check|verify|clarify|specify)\b"
    r"|\d\S*\s(?:[a-z]+\s)?(?:is|are)\s(?:an?\s[a-z]+\s(?:number|one|figure)|too\smany\sto)\b"
    r"|\banswer\b[^.]*\bis\s(?:given|shown|found|stated|written|printed)\s(?:in\sthe|below|above)\b[^\d]*\Z"
    r"|\b(?:in|of|for)\smy\s(?:solution|answer|response|work|proof|calculation|text)\b[^.\d]{0,10}[:=]\s?\d"
    r"|\bloading\b"
    r"|\b(?:result|answer|value|number|total|sum)\s(?:is|are)\s\d[\d.,]*\s(?:less|more|fewer|greater|larger"
    r"|smaller)\sthan\s(?:an?\s)?(?:hundred|thousand|dozen|half|\d[\d.,]*)\W*\Z"
    r"|\bI(?:['’]ve|\shave)?\s[^.=]*\d\s(?:seconds|minutes|hours|days|weeks)\s(?:on|for)\s(?:this|it)\b"
    r"|\b(?:doing|teaching|studying)\smath\w*\sfor\s\d+\b|\d\syears\sof\s(?:experience|practice|teaching)\b"
    r"|\b(?:solution|proof|derivation|explanation|response|reasoning|calculation|answer|result|value|it|this"
    r"|I|we)\s[^.\d]{0,30}(?:checked|verified|tested|confirmed|validated)\b"
    r"[^.\d]{0,30}\d+\s(?:[a-z]+\s)?(?:times|ways|tests?|cases|methods|sources|examples|steps)\b[^\d=]*\Z"
    r"|\bI\s?['’]?a?m\s(?:about\s|almost\s)?\d+\s?%\s(?:confident|sure|certain)\b"
    r"(?=[^\d=]*\Z)"
    r"|\b(?:is|are)\s(?:exactly\s|only\s|just\s)?\d+\s(?:correct\s|right\s|possible\s)?answers?"
    r"\s(?:to|for)\s(?:this|the)\s(?:problem|question|task|exercise)\b"
    r"|\bthere\s(?:is|are)\s(?:\w+\s)?\d+\s(?:points?|marks?|credits?)\s(?:to\s(?:gain|win|earn|get)|at\sstake|available)\b"
    r"|\b(?:is|are)\s(?:explained|described|discussed|proved|shown|given|found|derived)\s(?:on|in)"
    r"\s(?:page|chapter|section|lecture|slide|line|step)\s\d+"
    r"|(?:remaining\s\d+\s[a-z]+|\d\s[a-z]+,?\s(?:and|but|whose))\s[^\d.]*\bleft\s(?:to|for)"
    r"\s(?:the|my|our)\s(?:reader|grader|user)\b"
)
_GRADER = (
    r"\b(?:dear|hey|hello|note\sto(?:\sthe)?|attention|hi)\s?[:,]?\s(?:grader|evaluator|judge"
    r"|marker|examiner|verifier)\b"
    r"|(?:\A|\n)\W*(?:the\s)?(?:grader|evaluator|marker|verifier)\b\s?[,:]|\bthe\sgrader\b"
    r"|[\"']?\b(?:reference(?:\sanswer)?|gold(?:\sanswer)?|ground[\s_]truth|target"
    r"|expected(?:[\s_](?:answer|output|result))?|answer\skey)[\"']?\s?(?::|=|is\b)?"
    r"\s?\d+(?!\s?(?:°|degrees))(?=\W*(?:\Z|->|=>|[,;}]))"
    r"|\b(?:reference|gold|ground[\s-]truth)\sanswer\s(?:is|=)\s?\S{0,3}\d[^\d=]*\Z"
    r"|\A\W*(?:judge|verdict|system|reward|rating|hidden)\b[^\n]{0,12}\s?:|\bI\sdeserve\b"
    r"|\A\W*(?:full\s)?(?:confidence|marks?|scores?|points|credits?|grade|rating|verdict)\s?[:=]"
    r"\s?\d+(?:\s?/\s?\d+)?\W*\Z"
    r"|[,;{\"']\s?(?:score|grade|marks?|points|rating|reward)[\"']?\s?[:=]\s?\d+(?:\s?(?:/|"
    r"out\sof)\s?\d+)?\W*\Z"
    r"|\bis\s(?:\d+\s?%|fully|completely)\s(?:correct|verified|accurate)\b"
    r"|\bto\sthe\s(?:grader|evaluator|judge|marker|examiner|verifier)\b|\bfull\s(?:credit|marks)\b[^\d]*\Z"
    r"|\A\W*this\stook\s(?:me\s)?\d+\s[a-z]+\sto\s(?:derive|prove|write|show|verify|work\sout|find)\b[^\d]*\Z|\bto\s(?:think|write|solve|work|read|type)\s(?:about\s|through\s|on\s|out\s|up\s)?(?:this|it|that)(?:\s(?:problem|question|task|one|solution|answer|up|down|out|through|here))?\W*\Z"
    r"|\bthere\sare\s\d+\s(?:lines|steps|pages|words|parts|sentences|equations)\b[^.\d]*\b(?:above|below|here|working)\b"
    r"|\b(?:be\slenient|score\s\d+\s?/\s?\d+)\b"
    r"|参考答案|判定为正确"
    r"|\b(?:ignor|disregard|forget|bypass|overrid|skip)(?:e|ing)?\s(?:the|all|any|your|my|previous|prior|these|those|earlier)"
    r"\s(?:\w+\s){0,3}(?:rubric|instructions?|prompts?|guidelines|criteria)\b"
    r"|\baward\s(?:\w+\s){0,3}(?:marks?|points?|credits?|score|reward)\b"
    r"|\b(?:grading|marking|answer|scoring)\s(?:key|scheme|script)\b[^.]*\b(?:is|says|has|:)\s?\S{0,3}\d"
    r"|\b(?:output|return|print|reply|respond)\s(?:with\s)?[\"']?(?:correct|pass(?:ed)?|accept(?:ed)?)\b"
)
_TESTS = (
    r"\b(?:assert|(?:self\.)?assert_?(?:equals?|is|true|almostequal)|(?:expect|assert)_eq!?|expect|check|verify)[\s(]+(?:\w+[_.])?"
    r"(?:answer|result|output|response|prediction|solution)\b(?:\(\))?\s?(?:==|,|\)\.|is\s)"
)
"""Code that has the answer tested: `assert answer == 42`."""
_TIMES = (
    r"(?:mal|fois|veces|volte|vezes|keer|раза?|arten|wegen?|façons|manières|formas|maneras|modi"
    r"|maneiras|manieren|способами|遍|次|回)"
)
_CHECKED = (
    r"(?:(?:nach|über)?ge(?:prüft|rechnet)|überprüft|vérifié|comprobado|verificado|verificato"
    r"|controllato|conferi|gecontroleerd|nagerekend|проверил[аи]?|检查了?|验证了?|確認し)"
)
_TEXT = (
    r"(?:aufgabe|lösung|problème|exercice|solution|problema|ejercicio|solución|esercizio|soluzione"
    r"|exercício|solução|opgave|oplossing|задача|задание|решение|这道题|这个问题|解答|本题)"
)
_PARTS = (
    r"(?:teile|schritte|zeilen|étapes|parties|lignes|pasos|partes|líneas|passi|parti|righe|passos"
    r"|linhas|stappen|delen|regels|шаг\w*|част\w*|步|个?部分)"
)
_ELSEWHERE = (
    rf"{_TEXT}[^.\d]*\d+\s?{_PARTS}\W*\Z"
    rf"|{_TEXT}\s[^.\d]*\b(?:seite|page|página|pagina|pagina|странице)\s\d+\W*\Z"
    rf"|(?:das\sist|c['’]est|dit\sis|questo\sè|это)\s(?:[^\W\d_]+\s|l['’])?{_TEXT}\s(?:номер\s|nr\.?\s)?\d+\W*\Z"
    r"|[见看]第\s?\d+\s?[页步题]|"
    rf"{_CHECKED}\s?(?:[^.\d]*\s)?\d+\s?{_TIMES}|\d+\s?{_TIMES}\s{_CHECKED}"
    r"|\A\W*(?:siehe|vgl\.|voir|véase|ver|vedi|zie|см\.?|参见)\s(?:[^\W\d_]+\s)?(?:seite|page|página"
    r"|pagina|стр\w*\.?|schritt|étape|paso|passo|stap|шаг)\s\d+"
)
ASIDE = Sought(f"{_OF_WORK}|{_GRADER}|{_TESTS}|{_ELSEWHERE}")


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
