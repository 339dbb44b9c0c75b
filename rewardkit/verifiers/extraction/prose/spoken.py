"""Answers that are words, with a reason or not: a chosen option, yes and no, no solution.

`C because A and B are wrong` chooses C; `No, it is not possible.` is a no; `There is no solution
to it.` is the empty set. Each is returned as the plain answer that it means.
"""

from __future__ import annotations

import re
from functools import lru_cache

from rewardkit.verifiers.extraction.prose.conclusions import concludes
from rewardkit.verifiers.extraction.prose.truth_elsewhere import SAYS_TRUTH, truth_elsewhere
from rewardkit.verifiers.extraction.text.cuts import last_start
from rewardkit.verifiers.vocabulary import phrases
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.letters import OPTION_LETTER
from rewardkit.verifiers.vocabulary.patterns import alternatives, last_of
from rewardkit.verifiers.vocabulary.sought import Parts, Sought, holds_one
from rewardkit.verifiers.vocabulary.turns import SLIP

NO_SOLUTION, IMPOSSIBLE, UNDETERMINED = "no solution", "impossible", "cannot be determined"
ENDLESS, NOWHERE = "infinitely many", "does not exist"
WAYS_OUT = frozenset((NO_SOLUTION, IMPOSSIBLE, UNDETERMINED, ENDLESS, NOWHERE))
"""What a text says that names nothing."""
_MAX_CHARS = 400
"""A longer sentence is no answer in words."""
_STYLE = as_pattern(
    r"\\(?:text\w{0,2}|mathrm|mbox)\s*\{([^{}]*)\}|[*_`\"]{1,2}(?=\w)|[*_`\"](?<=[\w.,:!)].)[*_`\"]?"
)
_STYLED = as_pattern(r"[\\*_`\"]")
_LETTER = as_pattern(r"[A-Za-z]")
_CONCLUDES = (
    rf"(?:(?:{alternatives(phrases.CONCLUSIONS)}|indeed|of course|certainly|clearly"
    r"|absolutely|definitely|obviously|surely|just)\b[,:]?\s*)?"
    r"(?:(?:the|my|our)\s(?:\w{1,9}\s)?(?:answer|reply|choice|option|conclusion)\s?(?:is|:)\s*"
    r"|final:\s*|(?:final\s)?(?:answer|conclusion|verdict|result|decision|summary):\s*)?"
    r"(?:(?:(?:it|that)(?:['’]s|\sis)\s)?(?:an?\s(?:\w{1,8}\s)?)?(?=(?:yes|no)\b))?"
)
_CONCLUDED = as_pattern(rf"\A{_CONCLUDES}", re.I)
_REASON = (
    r"\s*(?:[.!]|$|\s\((?=[^()]*\)(?:[.!]?$|,?\s(?:because|since|as)\b))|,?\s*\(?(?:because|since|as|for|given\sthat|due\sto)\b"
    r"|(?:입니다|이다|です|だ)\b|[。，,\s]*(?:不是|并非|而不是|因为|由于)|[,.。]?\s*\b(?:non|nicht|pas|not|не|weil"
    r"|perché|porque|parce|denn|car|puisque|da|потому)\b"
    r"|[,;:—–]\s*(?:it|they|there|he|she|we|you|the|this|that|these|which|so|not|both|all|a|an|I"
    r"|for|take|let|if)\b|\s[-—–]\s"
)
_OPTION = as_pattern(
    rf"(?i:{_CONCLUDES})(?:(?i:option|choice)\s)?\(?({OPTION_LETTER})(?![a-z])\)?(?:选?项)?(?:{_REASON})"
    r"|\s(?i:is\s(?:the\s)?(?:correct|right|true|answer|best))\b)"
)
_OTHER_OPTION = as_pattern(
    rf"\b(?:(?i:{alternatives(phrases.DOUBTS)}|or\selse|might|guess|either(?!\s(?:side|way|end)))"
    rf"|(?i:but|also)\s\(?{OPTION_LETTER}\b)"
    rf"|\((?i:or|alternatively)\s\(?{OPTION_LETTER}\b"
)
_YES_NO = as_pattern(
    rf"{_CONCLUDES}[\"'“]?(yes|no|true|false|yep|yeah|nope)(?![a-z])(?!,?\sI(?:['’](?:ll|d|m)|\s(?:can|will|would|am|understand|see))\b)(?:{_REASON})|[\"'”]|[,;]\s*[\w$\\]|\s?[:—–]\s*[\w$\\]"
    r"|\s(?:it|they|there|he|she|we)\s)",
    re.I,
)
_ELSEWHERE = as_pattern(
    r"(?:(?P<no>non|nein|nee|não|нет|不是|不对|否|いいえ|아니[요오]|hayır|nej)"
    r"|(?:oui|ja|sí|sì|sim|да|是的?|对的?|はい|네|예|evet|tak|kyllä))(?=[,.!，。！、]|\Z)",
    re.I,
)
"""Yes and no in other languages, where a mark ends them: German `also` and Spanish `si` go on."""
_IS_TRUE = Sought(
    r"(?:.{0,200}[,:;]\s*(?:and\s)?)?"
    rf"{_CONCLUDES}(?:(?:the|this|that)\s(?:\w+\s)?(?:statement|claim|proposition|assertion"
    rf"|sentence)"
    r"(?:\s[^.]{1,150}?(?=\sis\s\w+(?:[.!,]|\s(?:because|since|as)\b|\Z)))?"
    r"|it|this|that)(?:['’]s\s|\s(?:is|must\sbe)\s|\sis(?=n['’]t))(?:\w+ly\s|always\s|just\s|indeed\s|therefore\s|thus\s|hence\s)?(?:a\s)?(true"
    r"|false|not\strue|n['’]t\strue)\b(?!\sor\b|[^.]*\b(?:if|that)\b)"
)
_AFTER_ALL = Sought(
    r"\bbut\s.{1,200}?\bthe\s(?:whole\s|entire\s|full\s)?"
    r"(?:statement|claim|proposition|assertion|sentence)\sis\s(?:\w+ly\s)?(true|false)\b"
)
"""What is said of all behind a word on a part: `True, the first holds, but ...`."""
_ASKED = as_pattern(r"\A(?!.*\b(?:answer|response|correct|right)\b)[^.?!\n]{1,200}\?\s+(?=\S)")
_SO = as_pattern(
    r"(?:,\s(?:but|yet)(?=\s(?:yes\b|no(?:[:;—–]|\W*\Z|\s[—–]|,(?!.*\d)))(?!.*\b(?:it|that|the\s\w+)(?:['’]s|\s(?:is|was))\s\S{0,2}\d))"
    r"|(?:\A|(?<=[.!?])\s|\n)(?:(?:since|because|as)\b[^.!?\n]{1,200}?,|[^.!?\n]{0,200}?(?:,\s(?:(?:and|but)\s)?(?:so|hence|thus|therefore)"
    r",?|[:;]|\s[—–]|\banswer\sto\s[^,.:;]{1,40}\sis"
    r"|(?:to\ssum\sup|in\s(?:short|summary|conclusion)|all\sin\sall|overall|in\sthe\send),)))"
    r"\s(yes|no)(?=[.!]?\W*\Z|[,:;]\s|\s[—–]\s|\s(?:it|he|she|they|there|we)\s)",
    re.I,
)
"""A word that a sentence comes to: `He has 20 and needs 18, so yes, he can.`"""
_YES_OR_NO = (" yes", " no.", " no,", " no:", " no;", " no —", " no –", "so no")
_SAYS = as_pattern(
    r"\b(?:says?|said|thinks?|(?<!the\s)claims?|asks?|asked|book|others?|people|first|guess\w*|would|if|either"
    r"|whether|options?|maybe|perhaps|assistant|user|human)\b|\?",
    re.I,
)
_TURNED = as_pattern(rf"[.!]\s{SLIP}\b[^.!\d]{{0,90}}\b(yes|no|true|false)\W*\Z", re.I)
_NO = as_pattern(r"\W*no\b[\s,.:;!–—*]*", re.I)
_FIRST_WORD = as_pattern(r"[A-Za-z]+(?![^\W\d_])")
_OPENINGS = frozenset((
    *phrases.CONCLUSIONS, "indeed", "of", "certainly", "clearly", "absolutely", "definitely",
    "obviously", "surely", "just", "the", "my", "our", "answer", "option", "choice", "final",
    "conclusion", "verdict", "result", "decision", "summary", "it", "that", "an", "yep", "yeah",
    "nope", "yes", "no", "true", "false", "non", "nein", "nee", "nej", "oui", "ja", "sim", "da",
    "evet", "tak", "hayir",  # as HAYIR in capitals is read
))  # fmt: skip
"""What a text begins with that opens with an option, or yes or no: most begin otherwise."""
_MEANS = {
    "not true": "false",
    "n't true": "false",
    "n’t true": "false",
    "yep": "yes",
    "yeah": "yes",
    "nope": "no",
}
OPPOSITES = {"yes": "no", "no": "yes", "true": "false", "false": "true"}
_ENDS_OR_CASE = r"(?!\s(?!(?:for|if|when|otherwise)\b)\w)"
"""Behind the opposite of a word: nothing more of its clause, or a case in which that holds."""
_THERE_IS = r"there(?:\s(?:is|are|exists?)|['’]s)"
_NOTHING_SOLVES = Sought(
    rf"\b{_THERE_IS}\s(?:therefore\s|thus\s)?no\s(?:(?!other\b|further\b|more\b)\w{{3,9}}\s){{0,2}}?"
    r"(?:(?:solutions?|answers?|values?|roots?|such\s\w+)\b"
    r"|\$?[a-z]\$?(?:(?:,\s(?:and\s)?|\sand\s)\$?[a-z]\$?){0,3}(?=\s(?:that|which|satisfying|solving|with|for|such)\b))"
    r"|(?<!\bI\s)(?<!\bwe\s)\b(?:has|have)\s(?:therefore\s"
    r"|thus\s)?no\s(?:\w{3,9}\s){0,2}?(?:solutions?|roots?|(?<=\breal\s)zeroe?s)\b"
    r"|\b(?:does|do)(?:\snot|n't)\shave\s(?:any\s|a\s)?(?:\w{3,9}\s)?(?:solutions?|(?<=\breal\s)(?:roots?|zeroe?s))\b"
    r"|\Ano\s(?:real\s)roots?\Z|\Ano\s(?:\w{3,9}\s)?solutions?(?:\sexists?)?\b"
    rf"|\b{_THERE_IS}\sno\s(?:\w{{3,9}}\s){{0,2}}?(?:integers?|numbers?|reals?|triangles?|functions?"
    r"|polynomials?|primes?)\s(?:with\s(?:this|that|these|such)|satisfying|that\ssatisf(?:y|ies))\b"
    r"|\bno\s(?:(?:real|positive|natural|rational|whole|prime|two|(?:ordered\s)?pairs?\sof|triples?\sof)\s){0,3}"
    r"(?:integers?|numbers?|values?|reals?|primes?)\s(?:(?:of\s)?\$?[a-z]\$?(?:(?:,\s(?:and\s)?|\sand\s)\$?[a-z]\$?){0,3}\s)?"
    r"(?:satisf(?:y|ies)|works?|solves?|fulfill?s?|meets?|exists?|ha(?:s|ve)\s(?:this|that|the\s(?:required|given|desired|stated))\sproperty)\b"
    r"|\bequations?\s(?:cannot|can['’]t)\sbe\ssatisfied\b|\bset\sof\ssolutions\sis\s(?:therefore\s|thus\s)?empty\b"
    r"|\bthere\s(?:is|are)(?:n['’]t|\snot)\s(?:an?\s|any\s)(?:\w{3,9}\s)?"
    r"(?:solutions?|(?:numbers?|integers?|values?|primes?|triangles?)\s(?:with|that|which|satisfying))\b"
    r"|\bno\ssuch\s[\w$ ]{1,20}\s?exists?\b|\Ano\ssuch\s\w+\Z"
    r"|\b(?:system|equation|inequality|congruence)s?\s(?:of\s[a-z]+\s)?(?:is|are)\s(?:therefore\s|thus\s)?(?:inconsistent|unsolvable|insolvable|insoluble|not\ssolvable)(?:\sin\s(?:the\s)?(?:[a-z]+\s)?[a-z]+)?\W*\Z"
    r"|\Anone\W*\Z"
    r"|(?:\A|[,;:.]\s|\bso:?\s)none\W*\Z|\bthere\s(?:is|are)\snone\b|\bnone\s(?:exists?|can\sexist)\b"
    r"|\A(?:(?:so|thus|hence|therefore),?\s)?none\sof\s(?:them|these|those|the\s(?:\w+\s){1,3})\s?"
    r"(?:works?|satisf(?:y|ies)|is|are|fits?|does|do|has|have)\b"
    r"|\b(?:set|intersection|union|it)\sis\s(?:therefore\s|thus\s)?(?:the\s)?empty\b|\{\}\s\(empty\)"
    r"|无解|無解|没有(?:实数)?解|解なし|해가 없"
    r"|\bno\s(?:tiene|hay|existe)\s(?:ninguna\s)?solución\b(?!\súnica)"
    r"|\b(?:pas\sde|aucune)\ssolution\b(?!\sunique)"
    r"|\bkeine\s(?:reellen?\s)?lösung(?:en)?\b|\bnon\sha\ssoluzion[ei]\b|\bnessuna\ssoluzione\b"
    r"|\bnão\s(?:tem|há)\ssolução\b|\bнет\s(?:действительных\s)?решений|(?<!других\s)\bрешений\sнет"
    r"|не\sимеет\s(?:действительных\s)?решений"
    r"|\bno\ssolutions?\sexists?\b|(?:[:;,]|\b(?:so|hence|thus|therefore)):?\sno\s(?:real\s)?solutions?\W*\Z"
)
_ENDLESS = Sought(
    r"\binfinitely\smany\ssolutions\b|\Aan\sinfinite\snumber\W*\Z|"
    r"\b(?:there\s(?:are|exists?|is)|has|have|admits?|\A)\s?(?:therefore\s|thus\s|indeed\s)?"
    r"(?:infinitely\smany|an\sinfinite\snumber\sof|infinite)"
    r"(?:\s(?:such\s)?(?:\w{3,9}\s){0,2}?(?:solutions?|answers?|values?|roots?|ways|points?"
    r"|pairs?|triples?|triangles?|integers?|numbers?)\b|\Z|[.!:;,])"
    r"|\b(?:there\s(?:are|exists?|is)|has|have)\s(?:therefore\s|thus\s|indeed\s)?infinitely\smany\s(?:such\s)?(?:[a-z-]+\s){0,2}?[a-z]+s"
    r"(?:\s[^.,;:!?\d$]{0,60})?(?:\$[^$]{1,30}\$)?(?:[.!]?\W*\Z|,?\s(?:because|since|as)\s)"
    r"|\binfinitely\smany\s(?:such\s)?(?:[a-z-]+\s){0,2}?[a-z]+s\sexist\b"
    r"|\bunendlich\sviele\sLösungen\b|\bune\sinfinité\sde\s(?:solutions|racines)\b"
    r"|\binfinitas\s(?:soluciones|soluções)\b|\binfinite\ssoluzioni\b"
    r"|\bбесконечно\s(?:много|е\sмножество)\sрешений|无[穷数限][多]?[个组]*解|無[窮數限]多?[個組]*解"
)
_NOWHERE = Sought(
    r"\bexistiert\snicht\b|\bn['’]existe\spas\b|\bno\sexiste\W*\Z|\bnon\sesiste\W*\Z|\bnão\sexiste\W*\Z"
    r"|не\sсуществует\W*\Z|不存在[。！]?\Z|"
    r"\b(?:does\snot|doesn['’]t|fails\sto)\sexist\b|(?:\A|\b(?:is|limit|it)\s)(?:DNE|D\.N\.E)\b\.?"
)
_IMPOSSIBLE = Sought(
    r"\b(?:(?:it|this|that)(?:\sis|'s)\s(?:therefore\s|thus\s)?)?(?:not\spossible|impossible)\b"
    r"|(?:it|this|that)\s(?:is|was)n['’]t\spossible\b|(?:it|this|that)\s(?:cannot|can't|can\snot)\sbe\sdone\b",
)
_UNDETERMINED = Sought(
    r"(?<!\bhe\s)(?<!\bshe\s)(?<!\bthey\s)(?<!\bwho\s)(?<!\bthat\s)\b(?:cannot|can't|can\snot"
    r"|could\snot|couldn't|am\snot\sable\sto|unable\sto|impossible\sto"
    r"|not\spossible\sto|no\sway\sto|do\snot|don't)\s(?:be\s)?(?:\w+ly\s)?(?:determined?|tell"
    r"|known?|say|found|find"
    r"|answer(?:ed)?|solved?|calculated?|figured?\sout|computed?|decided?)\b"
    r"|\b(?:not\senough|insufficient|not\ssufficient)\s(?:\w{2,9}\s)?(?:information|data|details)\b"
    r"|\b(?:does|do)(?:\snot|n't)\s(?:give|provide|contain|have|include)\s(?:us\s)?"
    r"(?:enough|sufficient)\s(?:information|data|details)\b"
)
_NO_ANSWER = Parts(_UNDETERMINED, _NOTHING_SOLVES, _ENDLESS, _NOWHERE, _IMPOSSIBLE)
_MAY_SAY = Parts(SAYS_TRUTH, _IS_TRUE, _NO_ANSWER)
"""What answers in words, unless it opens so or comes to a yes or no."""
_OF_A_PART = as_pattern(
    r"\b(?:factor|(?:quadratic|cubic)(?!\sequation\s\Z)|latter|second|other|remaining|last)\b",
    re.I,
)
"""What has no roots beside an answer: `The quadratic factor has no real roots.`"""
_WANTED = as_pattern(
    r"\bfor\b(?![^.,;]*\b(?:out|found|shown|known|seen|proved|seems|appears|has)\sto\s\Z)[^.,;]*\sto\s\Z",
    re.I,
)
"""What makes it a condition: `For the equation to have no real root we need k < -4`."""
_DENIED = as_pattern(
    rf"\b(?:not|never|no|nor|neither|either|or|if|{alternatives(phrases.DOUBTS)}|might|could"
    rf"|but|nicht|keine?|pas|não|non|niet|не)\b|[不没]|n['’]t\b|\?",
    re.I,
)
_RESTRICTS = as_pattern(
    r"\b(?:other|except|besides|but|unless|if|when|where|greater|less|more|further|negative"
    r"|until|instead|so|aber|sondern|mais|pero|sino|ma|mas)\b|[但]|[.;]\s(?:hence|thus|therefore)\b[^.]*\d",
    re.I,
)
"""Beside `no solution`, it is of some values only."""
_WHY = as_pattern(r",?\s(?:because|since|as)\s")
_TURNS = as_pattern(r"\b(?:but|unless|except|besides|instead)\b", re.I)
"""What restricts even within a reason, which else may speak of any values."""
_TRIED = as_pattern(
    r"\A(?:(?:so|but)\s)?(?:I|we)\s(?:have\s)?(?:tried|tested|checked|went\sthrough|gone\sthrough|looked\s(?:at|through)|considered|examined)\s"
    r"(?:all|every|each|both)\b[^.?]{0,40}?(?:,?\sand\s|:\s|,\s)(?=there\s(?:is|are)\sno)",
    re.I,
)
"""All that was tried, before what it shows: `We checked all cases and there is no solution`."""
_PERSONAL = as_pattern(
    r"\b(?:I|me|my|myself|yet|so\sfar|you|may|might|could|or\s(?:infinitely|one|exactly|many|two)|in"
    r"\sthe\s(?:book"
    r"|key|notes))\b|\A\W*if\s\$?\w{1,9}\s?(?:[=<>≤≥]|\\[gln]eq?\b|(?:is|are|was|were)\b)",
    re.I,
)
"""Beside it, it is what the writer lacks, a possibility or a case."""


def refuses(sentence: str) -> int:
    """Return where a sentence ends to say that the answer cannot be told; 0 where it does not."""
    found = _UNDETERMINED.search(sentence)
    return found.end() if found else 0


def unstyled(text: str) -> str:
    """Return a text without bold type, quotes and text commands around its words."""
    return _STYLE.sub(r"\1", text) if _STYLED.search(text) else text


@lru_cache(maxsize=256)
def said(text: str) -> str | None:
    """Return the word or option that a text answers with, or None.

    >>> said("C because A and B are wrong."), said("**Yes**, it converges.")
    ('C', 'yes')
    >>> said("Hence there is no solution."), said("C or D"), said("She has 7.")
    ('no solution', None, None)
    """
    if len(text) > _MAX_CHARS:
        return None
    if text.isascii() and not _LETTER.search(text):
        return None
    text = unstyled(text).strip()
    may_conclude = holds_one(text.lower(), _YES_OR_NO)
    opens = _may_open(text)
    if not (opens or may_conclude or "?" in text or not text.isascii() or _MAY_SAY.may_be_in(text)):
        return None
    option = _OPTION.match(text) if opens else None
    if option and not _OTHER_OPTION.search(text, option.end(1)):
        return option[1]
    if opens and (abroad := _ELSEWHERE.match(text)):
        return "no" if abroad["no"] else "yes"
    if elsewhere := truth_elsewhere(text):
        return elsewhere
    if "?" in text:
        text = _ASKED.sub("", text)
        opens = _may_open(text)
    if (
        word := (may_conclude and _concluded(text))
        or (opens and _YES_NO.match(text))
        or _IS_TRUE.match(text)
    ):
        after_all = _AFTER_ALL.search(text, word.end(1))
        spoken = (after_all or word)[1].lower()
        spoken = _MEANS.get(spoken, spoken)
        if turned := _TURNED.search(text, word.end(1)):
            return turned[1].lower()
        turns = rf"(?:^|[.,;!?]\s*|\b(?:or|and|but|wait)\s){OPPOSITES[spoken]}\b{_ENDS_OR_CASE}"
        return None if re.search(turns, text[word.end(1) :], re.I) else spoken
    return _without_answer(text) if _NO_ANSWER.may_be_in(text) else None


def said_behind_no(text: str) -> str | None:
    """Return what goes on behind a no that names nothing, as in `No, there is none.`.

    >>> said_behind_no("No, that is impossible."), said_behind_no("No, it is 4.")
    ('impossible', None)
    """
    no = _NO.match(text)
    word = said(text[no.end() :]) if no else None
    return word if word in WAYS_OUT else None


def _concluded(text: str) -> re.Match[str] | None:
    """Return the last yes or no that a sentence comes to, unless somebody else says it."""
    last = last_of(_SO.finditer(text))
    return None if last is None or _SAYS.search(text, last.start(), last.start(1)) else last


def _may_open(text: str) -> bool:
    """Return whether a text may open with an option, or yes or no, in some language."""
    first = _FIRST_WORD.match(text)
    return first is None or len(first[0]) == 1 or first[0].lower() in _OPENINGS


def _is_restricted(behind: str) -> bool:
    """Return whether what stands behind `no solution` leaves some values out of it."""
    said, *reasons = _WHY.split(behind, maxsplit=1)
    return bool(_RESTRICTS.search(said) or any(map(_TURNS.search, reasons)))


def _without_answer(text: str) -> str | None:
    """Return which way a sentence says that there is nothing to name."""
    if _UNDETERMINED.may_be_in(text):
        last = text[last_start(text) :]
        if (at := refuses(last)) and not concludes(last, at):
            return UNDETERMINED
    text = _TRIED.sub("", text)
    none = last_of(_NOTHING_SOLVES.finditer(text))
    if none and (
        _OF_A_PART.search(text, text.rfind(", so ", 0, none.start()) + 1, none.start())
        or _WANTED.search(text, 0, none.start())
    ):
        none = None
    if none and not (_is_restricted(text[none.end() :]) or _PERSONAL.search(text)):
        return NO_SOLUTION
    for pattern, word in ((_ENDLESS, ENDLESS), (_NOWHERE, NOWHERE)):
        if (says := pattern.search(text)) and not (
            _RESTRICTS.search(text, says.end()) or _DENIED.search(text, 0, says.start())
        ):
            return word
    if not _IMPOSSIBLE.may_be_in(text):
        return None
    clause = _WHY.split(text, maxsplit=1)[0].rsplit(", ", 1)[-1]
    clause = _CONCLUDED.sub("", clause)
    limited = _RESTRICTS.search(clause) or _PERSONAL.search(clause)
    return IMPOSSIBLE if _IMPOSSIBLE.match(clause) and not limited else None
