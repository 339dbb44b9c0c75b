"""Last sentences that settle on nothing: cases, work that is not done, references, more guesses.

`24 if n is even, 48 otherwise`, `So far I have 8 as an intermediate value`, `see page 12`, `Or
perhaps 54.`: a number in them is not what the response answers. Nor does a writer answer who gives
up, `I was not able to find the solution within 24 steps`, unless he goes on to conclude.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.endings.taken_back import last_sentence, last_two
from rewardkit.verifiers.extraction.prose.another import OFFERS, offers_another, says_both, says_two
from rewardkit.verifiers.extraction.prose.conclusions import concludes
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.characters import has_digit
from rewardkit.verifiers.vocabulary.refusals import UNABLE, UNDETERMINED
from rewardkit.verifiers.vocabulary.refusals_elsewhere import ELSEWHERE
from rewardkit.verifiers.vocabulary.sought import Beginning, Phrases, Sought
from rewardkit.verifiers.vocabulary.withdrawals import GIVEN_UP

_CASES = (
    r"\d\S{0,20}(?:\s[^\W\d_]+)?,?\s(?:if|when|for\s(?:even"
    r"|odd))\b[^.\n]{1,100}?(?:[,;]\s(?:and\s|but\s|or\s)?|\s(?:and|but)\s)"
    r"(?:(?:as\s)?(?:\S{1,20}\s)?(?:otherwise|else)\b|[^.\n]{0,20}\d\S{0,20}\s(?:if|when"
    r"|for\s(?:even|odd))\b)"
)
_BRANCHES = (
    r"\bif\s[^.\n]{3,60}?(?:,\s|\sthen\s|\s(?=(?:the\s(?:answer|result|value)|it)\s(?:is|would\sbe|equals)\s))"
    r"[^.\n;,]{0,40}\d[^\s,;]{0,9}(?:\s[a-z]+)?[,;]\s(?:(?:and|but|or)\s)?"
    r"(?:if\s[^.\n\d;]{3,60}|(?:otherwise|else)\b)[^.\n\d;]{0,40}"
    r"\b(?:something\selse|(?:some|an)\s?other|a\sdifferent|different|unknown|not)\b[^\d=]*\Z"
    r"|\bthe\s(?:problem|question|text|statement|task)\s(?:does\snot|doesn['’]t|did\snot|didn['’]t|never)\s"
    r"(?:say|tell|specify|state|mention)s?(?:\s(?:it|which|so))?\W*\Z"
    r"|\b(?:if|assuming|provided)\s[^.;\n\d]{3,80},\swhich\s(?:(?:is|was)(?:\snot|n['’]t)\s(?:given|stated|said|known|clear)"
    r"|(?:nobody|no\sone)\s(?:says|tells|knows|said|told))\b[^.;\n]*\d"
    r"|\d[^.\n\d]{0,60}[;,]\s(?:but\s|and\s|yet\s)?(?:we|you|I)(?:['’]re|\sare|\swere|\sam)(?:\snot|n['’]t|\snever)\stold\s(?:whether|if|so)\b[^\d\n]*\Z"
    r"|\d[^.\n\d]{0,40}[,;]\s(?:but|though|although)\s(?:it|this|that|the\sanswer)\s(?:really\s|also\s|still\s)?depends\son\b[^\d\n]*\Z"
)
"""`If it is fair the answer is 14, if it is not it's something else.`"""
_OPPOSITES = (
    r"\b(?:if|when|wenn|si|se)\s[^.\n;,]{2,60}?[\s,][^.\n;,]{0,40}\d[^.\n;,\d]{0,20}[,;]\s(?:(?:and|but|or|und|y|et|e)\s)?"
    r"(?:(?:if|when)\s(?:[a-z]+\s){0,3}?(?:not|[a-z]+n['’]t)\b|otherwise|else|wenn\snicht|si\sno|se\snão|se\sno)"
    r"[^.\n=\d]{0,40}\d[^\s,;]{0,9}(?:\s[a-z]+)?\W*\Z"
)
"""`If the order matters, the answer is 68; if it doesn't, the answer is 34.`"""
_AGAINST_FACT = (
    r"\bwould\s(?:be|have\sbeen)\b[^.\n]{1,80}\bif\b[^.\n]{1,100},\sbut\s(?:it|they|he|she|that"
    r"|this)\s"
    r"(?:is|are|was|were|does|do|did)(?:\snot|n't)\W*\Z"
)
_IF = r"(?:only\s(?:when|if)|provided|unless|if|when|as\slong\sas)"
_FAILS_HERE = (
    rf"\d\S{{0,9}}[^.;\n\d]{{0,30}}?\s{_IF}\b[^.;\n\d]{{1,80}}?(?:[,;.]\s|\s[–—]\s)"
    r"(?:(?:but|however|yet|here)\b|which\s(?:is|was|does|do)(?:\snot|n['’]t)\b)[^\d\n=]{3,80}\Z"
    r"|\b(?:normally|usually|typically|ordinarily|theoretically|ideally|nominally|in\s(?:theory|principle|general)"
    r"|on\spaper|at\sfirst\s(?:sight|glance)|under\s(?:ideal|normal|usual|other|different)\s\w+|would|seems?"
    r"|appears?|rounds|bound)\b[^.;\n\d]{0,40}\d\S{0,9}[^.;\n\d]{0,40}\s"
    r"(?:but|yet|though|however|in\s(?:practice|reality))\b[^\d\n=]{3,80}\Z"
    r"|\d\S{0,9}[^.;\n\d]{0,30}?\sunless\b[^.;\n\d]{1,80},\sand\b[^\d\n=]{3,60}\Z"
    r"|(?:如果|要是|假如|若)[^。\n]*\d[^。\d\n]*[，,](?:但是?|可是?|不过|然而|可惜)[^。\d\n]*。?\Z"
)
"""A value on a condition that the task does not meet: `150 if all pay, but here half pay less.`"""
_CONDITIONAL = (
    r"\bif\b[^.\n]{1,100}\b(?:were|had\s(?:been|not|[a-z]+ed)|hadn['’]t|answer|result)\b[^.\n]{0,100}(?:\bwould|['’]d)"
    r"\b[^.,\n]{0,40}\d[^\s\d]{0,9}\W*\Z"
    r"|\b(?:answer|result|it|this|that)\swould\s(?:then\s|only\s)?be\b[^.\n]{0,20}\d[^.\n]*\bif\b"
    r"|\A\W*(?:only\sif|unless)\b[^.\n]*\d|\A\W*(?:had|were|should)\s(?!we\sto\b|[^?\n]*,\sbut\s[^?\n]*\d)[^.?\n]{3,80},"
    r"\s[^.?\n]*\d[^?]*\Z"
    r"|\d[^\s\d]{0,9},?\s(?:provided|as\slong\sas|so\slong\sas|on\s(?:the\s)?condition|only\sif"
    r"|unless)\b"
    r"(?![^.]*(?:[<>=≠≤≥\\$]|\bnot\szero))"
    r"|\bwould\shave\sbeen\b[^.\n]*\d[^.\n]*\bhad\b|\d[^\s\d]{0,9},\sif\sthe\s\w+\swere\b"
    r"|\b(?:wäre|wären|serait|seraient|sería|serían|sarebbe|sarebbero|seria|seriam|был[аои]?\sбы)\b[^.\n]*\d[^.\n]*\b(?:wenn|falls|si|se|если)\s"
    r"|\A\W*(?:without|but\sfor|if\snot\sfor|were\sit\snot\sfor)\s(?!loss|replacement|repetition|restriction"
    r"|any\b|order|a\scalculator)[^.\d]{3,60}\bwould\b[^.\d]*\d\S*[^\d.]{0,20}\W*\Z"
    r"|\bassuming\b[^.\n]*\bwould\sbe\b[^.\n]*\bbut\b"
)
_IF_AGAINST_FACT = Sought(
    r"(?:\bwould\b|['’]d\s)(?:have\s)?[^.\n]*\d[^.\n]*\b(?:if|had)\b"
    r"|\b(?:if|had|were)\s[^.\n,]*\d[^.\n]*\bwould\b"
    r"|\b(?:if|had|were|assum(?:ing|ption)|suppos(?:ing|ition))\b[^.\n]*(?:\bwould\b|['’]d\s)[^.\n]*\d"
)
_AS_IT_IS = Beginning(
    r"\W*(?:(?:but|however|yet|sadly|alas|unfortunately),?\s)?"
    r"(?:there|it|they|he|she|that|this|we|i|the\s[a-z]+)\s(?:is|are|was|were|does|do|did|has|had|have)"
    r"(?:\snot|n['’]t)?(?:\s(?!(?:also|so)\b)[a-z]+){0,3}\W*\Z"
    r"|\W*(?:but|however|yet|sadly|alas|unfortunately),?\s(?:\S{1,4}|the\s[a-z]+|it)\s(?:must|has\sto|have\sto|needs\sto)\s(?:not\s)?be\s(?:an?\s)?[a-z]{3,12}(?:\snumber)?\W*\Z"
)
"""Behind `It would be 90 if there were no discount.`: `But there is one.`"""
_CASE = r"\b\$?[^,，:.\n]{1,40}[,，:][^.\n]*\d[^.\n]{0,12}\W?\Z"
_ONE_CASE = Beginning(
    r"\W*(?:if|when|for|assuming|suppose|in\scase)\s(?:that\s)?(?:\$?[a-z]\$?\s(?:is|was|were)|(?:it|this|that)(?:['’]s|\s(?:is|was)))"
    r"\b[^,=.\n]{1,40},\s(?:then\s)?[^.,;\n]{0,60}\d[^\s,;]{0,9}[.!]?\Z"
    r"|\W*for\s(?:odd|even|prime|positive|negative|large|small)\s\$?[a-z]\$?\b[^.=\d\n]{1,40}\d[^\s,;]{0,9}[.!]?\Z"
    r"|\W*if\s(?:my|I\s(?:understood|understand|read|remember|recall)|we\s(?:assume|suppose))"
    r"\b[^.\n]{1,60},\s[^.\n]*\d\S{0,3}\Z"
    r"|\W*if\s(?!I['’]m\snot\b)[^,.\n]{1,60},\s(?:then\s)?the\sanswer\s(?:is|must\sbe)"
    r"\s\S*\d\S{0,3}\Z"
    r"|(?:[^.\n]*\s)?\$?\d[^\s,;]{0,9}[,]?\s\(?(?:only\s)?(?:if|when|for|whenever)\s(?:all\s"
    r"|every\s)?(?:(?:odd|even|positive|negative|prime)\s"
    r"\$?[a-z]\$?|\$?[a-z]\$?\sis\s(?:an?\s)?(?:odd|even|positive|negative|prime)"
    r"\b[^.,;\n]{0,20})\)?\W*\Z"
    r"|\W*(?:wenn|falls|si|se|если|in\sthe\scase\sthat|on\sthe\sassumption\sthat)\s\$?[a-z]"
    rf"{_CASE}|\W*(?:如果|若|当)\s?\$?[a-z]\$?(?![a-z])[^,，:.\n]{{1,40}}[,，:][^.\n]*\d[^.\n]{{0,12}}\W?\Z"
)
"""A response that is one case of an unknown and nothing else: `If n is even, then 24.`"""
_VAGUE = (
    r"\A\W*(?:entweder\s[^.!?\n;]*\bkeine?\b[^.!?\n;]*\boder\b|soit\sil\sn['’]y\sa\s(?:pas|aucune?)\b[^.!?\n;]*,\ssoit\b"
    r"|o\s(?:bien\s)?no\s(?:hay|existe)\b[^.!?\n;]*,\so\b)[^.!?\n;]*\W*\Z|"
    r"\A\W*either\s(?:there(?:['’]s|\s(?:is|are))|it\shas|the\s[a-z]+\s(?:has|have))\sno(?:ne)?\b[^.!?\n;]*\bor\b[^.!?\n;]*\W*\Z"
    r"|\A\W*either\s[^.!?\n;]*\bor\s(?:there(?:['’]s|\s(?:is|are))|it\shas|the\s[a-z]+\s(?:has|have))\sno(?:ne)?\b[^.!?\n;]*\W*\Z|"
    r"\b(?:or\sso\sI(?:['’]d)?|somewhere\saround|give\sor\stake|who\sknows|could\sjust\sas\s(?:well|easily)"
    r"|not\sclear\s(?:whether|if|that)|unclear\s(?:whether|if)|hardly\s\d|by\sno\smeans|far\sfrom"
    r"\s\d|something\slike\s\d"
    r"|I(?:['’]ll|\swill|\smust|\shave\sto|\scan\sonly|\sjust|\ssimply)\s(?:just\s|simply\s|only"
    r"\s)?guess\b"
    r"|\d\s?%\s(?:probability|likely|chance|sure)\b[^.]*\b(?:else|otherwise)\b)"
    r"|n['’]t\s(?:clear\s(?:whether|if|that)|(?:want\sto\s)?bet\b)|\d\swith\s(?:a\s)?\d+"
    r"\s?%[^.]{0,20}\b(?:else|otherwise)\b"
    r"|\d\W?\s(?:was\s|is\s)?(?:crossed|struck|scratched)\s(?:out|through)\b|\bdon['’]t\squote\b|\d\W?\s(?:more\sor\sless|or\sthereabouts)\b|(?<!%\s)\bchance\s(?:that\s)?it\b|\bchance\s(?:that\s)?it\b[^.\n]*\d|"
    r"\ba\schance\sthat\b"
    r"|\bI\s(?:only|just|vaguely|dimly|faintly)\s(?:remember|recall)\b|如果[^。\n]*就好"
    r"|\bas\s(?:a|good\sa)\sguess\b|\bunsure\b(?!\s(?:about|of|how|why|at)\b[^.\n]*,\sbut\b[^.\n]*\d)|たぶん|かもしれ|아마|\d\S{0,2}吧\W*\Z|\dでは(?:ない|あり)|\d\S?"
    r"\s아[니닙]"
    r"|\d\W*\s(?:is|was|must\sbe|would\sbe|seems)\s(?:\w+ly\s|an?\s|the\s){1,2}(?:not\b|wrong"
    r"|incorrect|overcount|undercount"
    r"|trap)|\d\W*\smust\sbe\swrong\b|\b(?:counts?|counted)\s(?:\w+\s){1,2}twice\b|"
    r"\bdouble[- ]?counts?\W*\Z"
    r"|\A\W*(?:nobody|no\sone|never|do\snot|don['’]t|avoid)\s(?:(?:should|would)\s)?(?:(?:answer"
    r"|write|say|choose|pick|put"
    r"|use)\s)?\d|\bnaive(?:ly)?\b[^.\n]{0,30}\d\W*\Z|\b(?:wrong|incorrect)\s(?:answer|result"
    r"|value)\s?(?:is|would\sbe|:)|\b(?:wrong|incorrect|mistaken)\s(?:answer|result|value|reply)\s(?:to|for|here|in|with|on)\b"
    r"[^.,;:\n\d]{0,40}\s(?:is|would\sbe)\s\S{0,4}\d\S*(?:\s[a-z]+)?\W*\Z"
    r"|\b(?:is\sfalse|not\strue)\sthat\b[^.\n]*\d|\bworks\sis\sfalse\b|\bdisagree\swith\b|não\sé"
    r"\s\d"
    r"|\banswer\sis\s(?:close\sto|near|around|somewhere\snear|in\sthe\s\w+\sof)\s\S*\d\S*\W*\Z"
    r"|\A\W*(?:it\sis\s|it['’]s\s)?(?:not\squite|almost|nearly|close\sto|just\s(?:under|over))"
    r"\s\S*\d\S*(?:\s[a-z]+)?\W*\Z"
    r"|\b(?:common|frequent|typical|usual)\s(?:mistake|error)\b|\bwith\s(?:any\s|some\s|"
    r"a\sbit\sof\s)?luck\b"
    r"|\banswer\sis\sworth\b|\bor\s(?:something|anything)\selse\b|\bor\sotherwise\W*\Z"
    r"|\bsame\sas\sthe\s(?:key|reference|gold)\b"
    r"|\bneither\s\S*\d\S*\snor\s(?:any|some|an)\s?other\b"
    r"|\d\S*\s(?:is|would\sbe|being)\s(?:merely\s|only\s|just\s|but\s)?one\s(?:of\s(?:the\s|"
    r"many\b|several\b|them\b)|possib|among)"
    r"|\A\W*(?:we|I|one)\s(?:can\s|must\s|should\s|have\sto\s)?(?:reject|exclude|discard|rule"
    r"\sout|eliminate)\s\S*\d\S*\W*\Z"
    r"|\d\W*\s(?:has\sto|must|should|can|needs\sto)\sbe\s(?:rejected|excluded|discarded|ruled\sout)"
    r"(?![^.\n]*\b(?:so|thus|hence|therefore|leav(?:es|ing)|the\s(?:only\s)?(?:solution|root|answer|value))\b[^.\n]*\d)"
    r"|\d\W*\sis\s(?:a\s(?:misprint|typo|mistake)|what\s(?:a|an|many|most|some|people|beginners)\b)"
    r"|\b(?:but|though)\sI\s(?:can['’]t|cannot|could\snot|couldn['’]t)\W*\Z"
    r"|\bsomewhere\s(?:inside|between|in\sbetween|within)\b"
    r"|\bnumber\sof\s(?:steps|lines|words|characters|tokens|letters|digits|equations)\s(?:in|of)\s(?:this|my|the)"
    r"\s(?:solution|answer|response|proof|text|explanation)\s(?:is|equals)\s\S*\d\W*\Z"
    r"|\A\W*try\s\d|\(corrected\b|\bafter\scorrect(?:ion|ing)\b"
)
_UNFINISHED = Sought(
    r"\b(?:I|we)(?:'m|'ve|\sam|\sare|\shave)?\s(?:ran|run|running)\sout\sof\b"
    r"|\b(?:as|is|was|be)\s(?:only\s|just\s)?(?:an?|our|my)\s(?:first\s)?"
    r"(?:intermediate|trial|temporary|provisional|preliminary|tentative|placeholder)\s"
    r"(?:value|result|answer|number|guess|solution|step)\b"
    r"|,\s(?:and|but|while|with)\s(?:[^\W\d_]+\s){0,3}more\s(?:steps?|cases?)\b[^.\d]{0,20}\.?\Z"
    r"|\b(?:leave|left|leaving)\s(?:(?:this|it|that)\s)?open\b|\b(?:I|we)\shave\snot\sfinished\b"
    r"|\b(?:not\s(?:done|finished)\syet|to\sbe\scontinued|partial\s(?:result|answer)\s?:"
    r"|can\sonly\s(?:say|guess))"
    r"|\b(?:calculation|solution|work)\sis\s(?:not\s(?:yet\s)?|in)complete\b"
    r"|(?<!nothing\s)(?<!nothing\selse\s)\bremains?\sto\sbe\s(?:checked|shown|seen|proved"
    r"|verified|done|determined|found)\b"
    r"|\b(?:ways?|possible)\sfor\sme\sto\s(?:answer|tell|say|solve|determine|know)\b"
    r"|\b(?:(?:would|could|might)\sbe\s(?:an?|my|the)|my)\s(?:(?:best|wild|educated"
    r"|first)\s)?guess\b(?!\swas\b)"
    r"|\bwith\s(?:a\s)?probability\s[^\n]{1,20}\band\s[^\n]{1,20}\b(?:otherwise"
    r"|with\sprobability)\b"
)
_REFERS = (
    r"\A(?:it['’]?s\s|it\sis\s)?(?:on|in)\s(?:page|chapter|section|line)\s[\d.]+\W*\Z"
    r"|(?:\A|[:.]\s|\b(?:please|is|proof|details|solution|answer)\s)(?:see|refer\sto)\s(?:also\s"
    r"|the\s)?(?:page|chapter|section|figure|table|appendix|example|exercise|theorem"
    r"|equation|step|line)s?\s\(?[\d.]+\)?\W*\Z"
    r"|\b(?:give|assign|award)\s(?:this|it|me|the\s(?:response|answer))\s[^.]{0,40}\d\W*\Z"
    r"|\b(?:answer|solution|proof|result|explanation)\s(?:key\s)?[^.\d]{0,40}\b(?:in|on|from|of|under|at)\s(?:the\s)?"
    r"(?:page|chapter|section|figure|table|appendix|exercise|theorem|volume|line|row|column|cell|box|footnote|slide"
    r"|step|item)\s\(?[\d.]+\)?(?:\s(?:of|in|from|below|above)\b[^.\d]*)?\W*\Z"
    r"|\banswer\s(?:has|have|will\shave|must\shave|consists\sof|contains)\s(?:exactly\s"
    r"|only\s)?\S{1,9}\s"
    r"(?:digits?|parts?|decimals?|decimal\splaces|letters|words|terms)\b\W*\Z"
    r"|\banswer\sis\san?\s[^\W_]{1,6}-digit\s(?:number|integer)\W*\Z"
    r"|\banswer\s(?:is|will\sbe|must\sbe|should\sbe)\san?\s(?:\w+\s){0,2}(?:number|integer|fraction"
    r"|value)\s(?:with|of|between|from|less|greater|below|above)\b[^=]*\Z"
    r"|\b(?:we|I|let's|let\sus|you)\s(?:(?:can|will|shall|must)\s)?"
    r"(?:solve|do|approach|prove|answer|tackle)\s(?:it|this|that|the\s(?:problem|question|task))\s"
    r"(?:in|with)\s\S{1,9}\s(?:[^\W\d_]+\s)?(?:steps?|parts?|stages?|cases)\W*\Z"
)
_SOMEBODY = (
    r"\b(?:any(?:one|body)|some(?:one|body)?|every(?:one|body)|people|(?:most"
    r"|many)(?:\s[^\W\d_]+)?|others|students"
    r"|(?:book|textbook|calculator|key|teacher|friend|classmate|colleague))\s(?:(?:who|that"
    r"|would|will|might|may|often)\s){0,2}"
    r"(?:says?|said|answer(?:s|ed)?|claim(?:s|ed)?|thinks?|thought|guess(?:es|ed)?|believes?"
    r"|writes?(?!\s\d\S*\s[a-z]+s\b)|wrote(?!\s\d\S*\s[a-z]+s\b)|chooses?)\s"
    r"(?:that\s)?(?:(?:the\sanswer|it|this)\s(?:is|equals|must\sbe)\s)?\S{0,3}\d"
    r"|\btempt(?:ing|ed)\sto\s(?:say|answer|think|write|claim|conclude|believe|guess)\b"
)
"""What others say is no answer."""
_GUESSES_ON = Beginning(
    r"(?:or|or\selse,?|then\sagain,?)\s(?:perhaps|maybe|possibly|it\s(?:could|might|may)\sbe)\b"
    r"[^.\n]{0,40}\d"
    r"|alternatively,\s\S{0,3}\d[\d.,/]*\W*\Z"
    r"|(?:it|the\sanswer)\s(?:could|might|may)\s(?:also|just\sas\swell|equally\swell|equally)\s"
    r"be\s[^.\n]{0,20}\d"
)
_SERIES = Sought(
    r"(?:\A|[.;\n]\s*)(?:answer\s?[:=]\s?(\S+?)[.;,]?(?:[^\S\n]+answer\s?[:=]\s?(?!\1\b)\S+){1,5}"
    r"|(?:\w+\s)?(interpretation|reading|guess|attempt|candidate|possibility|scenario|try|method|"
    r"version)(?:\s\w{1,6})?\s?[:=]"
    r"\s?(\S+?)[.;,]?(?:\s+(?:\w+\s)?\2(?:\s\w{1,6})?\s?[:=]\s?(?!\3\b)\S+){1,5})\s*\Z"
)
"""Several values under one label: `First interpretation: 24. Second interpretation: 36.`"""
_OPEN = Sought(
    "|".join(
        (
            _CASES,
            _BRANCHES,
            _OPPOSITES,
            _AGAINST_FACT,
            _FAILS_HERE,
            _CONDITIONAL,
            _REFERS,
            _UNFINISHED.source,
        )
    )
)
_ANSWERS_NOTHING = Sought(f"{_SOMEBODY}|{_VAGUE}|{GIVEN_UP}")
_LEAVE_OPEN = Phrases(_ONE_CASE, _OPEN, _GUESSES_ON, _IF_AGAINST_FACT, _UNFINISHED)
_ANSWER_NOTHING = Phrases(OFFERS, _SERIES, _ANSWERS_NOTHING)
_MAX_SERIES = 200
_LABELS = as_pattern(r"[:=][^:=]*[:=]")
UNDONE = Sought(
    r"(?<!need\s)\b(?:not|never|without|nor)\s(?:(?:yet|actually|been|be|even|to|going|want|bother(?:ing)?|able|have|ever|fully)\s){0,3}"
    r"(?:compute[ds]?|computing|evaluate[ds]?|evaluating|calculate[ds]?|calculating|work(?:ed|ing)?\s(?:\w+\s)?out"
    r"|multipl(?:y|ied)\s(?:\w+\s)?out|expand(?:ed)?|carried\sout)\b(?!\s(?:each|every|all|any)\b)"
    r"|(?:n['’]t|\bcannot)\s(?:(?:yet|actually|been|be|even|to|want|bother|able|have|going)\s){0,3}"
    r"(?:compute|evaluate|calculate|work\s(?:\w+\s)?out|multiply\s(?:\w+\s)?out|expand)d?\b(?!\s(?:each|every|all|any)\b)"
    r"|\b(?:uncomputed|unevaluated|uncalculated)\b|\bI['’]?(?:ll|\swill)?\sleave\sthe\s(?:calculation|computation|evaluation|arithmetic)\b"
    r"|\b(?:whatever|however\smuch)\s(?:that|this|it)\s(?:is|comes\sto|works\sout\sto|evaluates\sto|equals)\b"
    r"|nicht\s(?:aus)?(?:ge|be)rechnet|pas\scalculé|sin\scalcular|non\s(?:l['’])?(?:ho\s)?calcolat|没有?(?:计算|算出)|未计算|計算して(?:いません|いない)"
    r"|не\s(?:вычисл|посчит|счита)|não\s(?:foi\s)?calcul"
)
"""What says of a calculation that it is not done."""
NOT_EXACT = Sought(
    r"\b(?:not|never|isn't|is\snot|n't)\s(?:(?:quite|precisely|really|be)\s)?(?:exactly|precisely|equal\sto|the\ssame\sas)\b"
    r"|\bexact\s(?:value|answer|form|result|number)\s(?:is|was|remains)\s(?:not|un\w+|something|another|different)\b"
    r"|\b(?:not|n't|unable\sto|cannot)\s(?:know|find|give|determine|compute|figure\sout|tell)\s(?:you\s)?(?:the|its|an)\sexact\b"
)
"""What says of a rounded value that the exact one is another, or is not known."""
_OPTION_LINE = as_pattern(r"\W*([A-Z])[.):]\s*(?=\S)")
_CONCLUDES = as_pattern(
    r"\b(?:so|thus|hence|therefore|the\sanswer|get|gives|equals)\b[^\n]*\d", re.I
)
_REFUSES = Sought(f"{UNABLE}|{ELSEWHERE}")
_UNDETERMINED = Sought(UNDETERMINED)
_GIVES_UP = Phrases(_REFUSES, _UNDETERMINED)
_MAX_CHARS = 400
_NAMES_LAST = as_pattern(
    r"[.!?\d)}]\n+(?:So |Thus, |Hence, |Therefore, )?[tT]he (?:final |correct )?answer is:? "
    r"(?:-?\d[\d.,]*|true|false|yes|no)\.?\Z"
    r"|[.!?\d)}]\n+\*\*[A-Z][\w\s]{0,30}[=:]\s?(?:\*\*\s?)?\$?-?\d[\d.,/]*\$?(?:\s?[a-z]{1,6}[²³]?)?\.?(?:\*\*)?\Z"
)
"""A last line that names a value: whatever is refused before it, the text goes on to conclude."""
_AT_FIRST = as_pattern(
    r"[^.;?!\n]{0,20}\b(?:at\sfirst|initially|for\sa\s(?:while|moment))\b[^?!\n]*\b(?:but|yet|then|until)\b(?=[^?!\n]*\d)"
)
_OF_SOMETHING_ELSE = as_pattern(
    r"[^.;?!\n\d]{0,40}?\b(?:whether|why|who|what\s(?:colou?r|kind|sort))\s"
    r"(?![^.;?!\n]*\b(?:answer|right|correct|enough|valid|solution|value|result|this|it|that|true|or)\b)"
    r"[^.;?!\n\d]*[.!]\s+[A-Z][^.;?!\n]*\d"
)
"""A doubt that no number settles, behind which one is stated: `whether he likes it. He has 5.`"""
_MAX_LINE = 60


def settles_nothing(tail: str) -> bool:
    """Return whether the last sentence of a text leaves open which value is the answer.

    >>> settles_nothing("It is 24 if n is even, 48 otherwise."), settles_nothing("It is 24.")
    (True, False)
    >>> settles_nothing("The answer is on page 12."), settles_nothing("He stopped on page 12.")
    (True, False)
    """
    last = last_sentence(tail)
    if says_two(last) or says_both(last):
        return True
    if not (asked := _LEAVE_OPEN.near_end(tail)):
        return False
    before, previous, _ = last_two(tail)
    if _ONE_CASE in asked and _ONE_CASE.match(last) and not has_digit(before):
        return True
    if _OPEN in asked and _OPEN.search(last):
        return True
    if _IF_AGAINST_FACT in asked and _IF_AGAINST_FACT.search(previous) and _AS_IT_IS.match(last):
        return True
    guesses = _GUESSES_ON in asked
    if guesses and _GUESSES_ON.match(last):
        return True
    if (guesses and _GUESSES_ON.match(previous)) or (
        _UNFINISHED in asked and _UNFINISHED.search(previous)
    ):
        return not _CONCLUDES.search(last)
    return False


def answers_nothing(tail: str) -> bool:
    """Return whether the last sentence is vague, offers several values or says what others answer.

    >>> answers_nothing("Anyone who says 12 is mistaken."), answers_nothing("She says 12 prayers.")
    (True, False)
    >>> answers_nothing("It is 12, give or take."), answers_nothing("Answer: 12. Answer: 14.")
    (True, True)
    """
    asked = _ANSWER_NOTHING.near_end(tail)
    if OFFERS in asked and offers_another(tail):
        return True
    near = max(0, len(tail) - _MAX_SERIES)
    if _SERIES in asked and _LABELS.search(tail, near) and _SERIES.search(tail, near):
        return True
    return _ANSWERS_NOTHING in asked and _ANSWERS_NOTHING.search(last_sentence(tail)) is not None


def lists_options(text: str) -> bool:
    """Return whether a text is the options of a question, line under line, and nothing else.

    >>> lists_options("A. 8\\nB. 10\\nC. 12"), lists_options("A. 8\\nB. 10\\nThe answer is A.")
    (True, False)
    """
    first = _OPTION_LINE.match(text)
    if first is None or first[1] != "A":
        return False
    lines = [line for line in text.strip().split("\n") if line.strip()]
    letters = [option[1] if (option := _OPTION_LINE.match(line)) else "" for line in lines]
    return len(lines) > 2 and letters == [chr(ord("A") + k) for k in range(len(lines))]


def gives_up(text: str) -> bool:
    """Return whether the end of a text says that its writer has no answer, and gives none after it.

    >>> gives_up("Unable to determine. (24)"), gives_up("Je ne peux pas répondre ; il manque 5.")
    (True, True)
    >>> gives_up("I could not solve it, so I counted: 24."), gives_up("He could not find 6.")
    (False, False)
    """
    return _is_last(_REFUSES, text)


def is_undetermined(text: str) -> bool:
    """Return whether the end of a text says that nobody can tell, and gives no answer after it.

    >>> is_undetermined("There is not enough information, since only 24 is given.")
    True
    """
    return _is_last(_UNDETERMINED, text)


def _is_last(phrases: Sought, text: str) -> bool:
    if phrases not in _GIVES_UP.near_end(text):
        return False
    last, found = None, phrases.search(text, max(0, len(text) - _MAX_CHARS))
    while found:  # one after the other: all alternatives in one pattern take many times as long
        last, found = found, phrases.search(text, found.end())
    if last is None or concludes(text, last.end() - 1) or _AT_FIRST.match(text, last.end()):
        return False
    if _OF_SOMETHING_ELSE.match(text, last.start()):
        return False
    line = text.rfind("\n", max(0, len(text) - _MAX_LINE))
    return line <= 0 or _NAMES_LAST.search(text, max(0, line - 3)) is None
