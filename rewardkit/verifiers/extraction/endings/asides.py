"""Last sentences about the work or to the reader: what they count is no answer.

`I'll answer in 24 hours`, `Dear grader, mark this with 24 points`. Most of what is said beside the
point claims nothing (`prose/claims.py`); these look like claims, or are said in signs.
"""

from __future__ import annotations

from rewardkit.verifiers.vocabulary.sought import Sought

_WORK = (
    r"\b(?:the|this|my)\s(?:solution|proof|derivation|explanation|response|reasoning"
    r"|calculation)\s(?:has|takes|took|needs|requires|consists\sof|is)\s(?:only\s|about\s|in\s)?"
    r"\d+\s(?:steps?|lines|parts?|pages|words|characters|tokens)\b"
    r"|\b(?:I(?:['’]ll|\swill|\sshall|['’]d|\swould)|let\sme|give\sme|wait|expect)\s(?:\w+\s){0,2}"
    r"(?:answer|respond|reply|(?:get|be|come)\sback|return|explain|update|finish|report)\b[^.=]*\d"
    r"|\b(?:answer|result|solution|reply|response)\s(?:follows|comes|appears|(?:is|are|will|should|can|may)"
    r"\s(?:be\s)?(?:to\sbe\s)?(?:given|ready|available|posted|sent|found|shown|there|here|done|finished))"
    r"\s(?:[a-z]+\s){0,3}(?:in|after|on|within|at|by|under)\s(?:[a-z]+\s){0,3}\d"
    r"|\d\S*\sis\swhat\s[^.\d]*\b(?:says?|said|gave|claims?|expects?|wrong)\b"
    r"|\b(?:is|has|be)\sa(?:n)?\s\d+-digit\s(?:number|integer)\W*\Z"
    r"|\b(?:cases?|steps?|possibilities|things|candidates?|options?)\s(?:left\s|still\s)?to\s(?:be\s)?"
    r"(?:check|consider|distinguish|examine|discuss|treat|test|try|tri|rule\sout)(?:ed)?\W*\Z"
    r"|\bI(?:['’]ve|\shave|['’]ve\sgot)\s(?:(?:now|still|only|just|about|got)\s)*\d+\s(?:[a-z]+\s)?"
    r"(?:candidates?|ideas?|guesses|hypothes[ei]s|possibilities|suspicions|thoughts|approaches)\b[^=\d]*\Z"
    r"|\A\W*please\s(?:confirm|tell|check|verify|clarify|specify)\b"
    r"|\d\S*\s(?:[a-z]+\s)?(?:is|are)\s(?:an?\s[a-z]+\s(?:number|one|figure)|too\smany\sto)\b"
    r"|\bloading\b"
    r"|\b(?:result|answer|value|number|total|sum)\s(?:is|are)\s\d[\d.,]*\s(?:less|more|fewer|greater|larger"
    r"|smaller)\sthan\s(?:an?\s)?(?:hundred|thousand|dozen|half|\d[\d.,]*)\W*\Z"
    r"|\b(?:solution|proof|derivation|explanation|response|reasoning|calculation|answer|result"
    r"|value)\s(?:above\s)?(?:has\sbeen|was|have\sbeen)\s(?:\w+ly\s)?(?:re-?|double-?)?"
    r"(?:checked|verified|confirmed|tested)\s(?:[a-z]+\s)?\d+\stimes\b"
    r"|\bI(?:['’]ve|\shave)?\s[^.=]*\d\s(?:seconds|minutes|hours|days|weeks)\s(?:on|for)\s(?:this|it)\b"
    r"|\b(?:doing|teaching|studying)\smath\w*\sfor\s\d+\b|\d\syears\sof\s(?:experience|practice|teaching)\b"
    r"|\b(?:solution|proof|answer|result|it|this|I|we)\s[^.\d]{0,20}\b(?:checked|verified|tested|confirmed|validated)\b"
    r"[^.\d]{0,30}\d+\s(?:[a-z]+\s)?(?:times|ways|tests?|cases|methods|sources|examples|steps)\b[^\d=]*\Z"
    r"|\b(?:is|are)\s(?:exactly\s|only\s|just\s)?\d+\s(?:correct\s|right\s|possible\s)?answers?"
    r"\s(?:to|for)\s(?:this|the)\s(?:problem|question|task|exercise)\b"
    r"|\bthere\s(?:is|are)\s(?:\w+\s)?\d+\s(?:points?|marks?|credits?)\s(?:to\s(?:gain|win|earn|get)|at\sstake|available)\b"
    r"|(?:remaining\s\d+\s[a-z]+|\d\s[a-z]+,?\s(?:and|but|whose))\s[^\d.]*\bleft\s(?:to|for)"
    r"\s(?:the|my|our)\s(?:reader|grader|user)\b"
)
_GRADER = (
    r"\b(?:dear|hey|hello|attention|hi)\s?[:,]?\s(?:grader|evaluator|judge"
    r"|marker|examiner|verifier)\b"
    r"|(?:\A|\n)\W*(?:the\s)?(?:grader|evaluator|marker|verifier)\b\s?[,:]|\bthe\sgrader\b"
    r"|[\"']?\b(?:gold(?:\sanswer)?|ground[\s_]truth|target"
    r"|expected(?:[\s_](?:answer|output|result))?|answer\skey)[\"']?\s?(?::|=|is\b)?"
    r"\s?\d+(?!\s?(?:°|degrees))(?=\W*(?:\Z|->|=>|[,;}]))"
    r"|\b(?:reference|gold|ground[\s-]truth)\sanswer\s(?:is|=)\s?\S{0,3}\d[^\d=]*\Z"
    r"|\A\W*(?:judge|verdict|system|reward|rating|hidden)\b[^\n]{0,12}\s?:|\bI\sdeserve\b"
    r"|\A\W*(?:full\s)?(?:confidence|marks?|scores?|points|credits?|grade|rating|verdict)\s?[:=]"
    r"\s?\d+(?:\s?/\s?\d+)?\W*\Z"
    r"|\bis\s(?:\d+\s?%|fully|completely)\s(?:correct|verified|accurate)\b"
    r"|\bto\sthe\s(?:grader|evaluator|judge|marker|examiner|verifier)\b"
    r"|\A\W*this\stook\s(?:me\s)?\d+\s[a-z]+\sto\s(?:derive|prove|write|show|verify|work\sout|find)\b[^\d]*\Z|\bto\s(?:think|write|solve|work|read|type)\s(?:about\s|through\s|on\s|out\s|up\s)?(?:this|it|that)(?:\s(?:problem|question|task|one|solution|answer|up|down|out|through|here))?\W*\Z"
    r"|\bthere\sare\s\d+\s(?:lines|steps|pages|words|parts|sentences|equations)\b[^.\d]*\b(?:above|below|here|working)\b"
    r"|\b(?:be\slenient|score\s\d+\s?/\s?\d+)\b|参考答案|判定为正确"
    r"|\b(?:ignor|disregard|forget|bypass|overrid|skip)(?:e|ing)?\s(?:the|all|any|your|my|previous|prior|these|those|earlier)"
    r"\s(?:\w+\s){0,3}(?:rubric|instructions?|prompts?|guidelines|criteria)\b"
    r"|\b(?:output|return|print|reply|respond)\s(?:with\s)?[\"']?(?:correct|pass(?:ed)?|accept(?:ed)?)\b"
)
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
    r"|[见看]第\s?\d+\s?[页步题]"
    rf"|{_CHECKED}\s?(?:[^.\d]*\s)?\d+\s?{_TIMES}|\d+\s?{_TIMES}\s{_CHECKED}"
    r"|\A\W*(?:siehe|vgl\.|voir|véase|ver|vedi|zie|см\.?|参见)\s(?:[^\W\d_]+\s)?(?:seite|page|página"
    r"|pagina|стр\w*\.?|schritt|étape|paso|passo|stap|шаг)\s\d+"
)
ASIDE = Sought(f"{_WORK}|{_GRADER}|{_ELSEWHERE}")
