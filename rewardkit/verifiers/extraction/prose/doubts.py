"""Whether a sentence doubts what it says, unless the doubt is of something else or overcome."""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.prose.behind import TAKES_BACK
from rewardkit.verifiers.extraction.prose.conclusions import concludes
from rewardkit.verifiers.extraction.prose.wholes import VALUE
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.patterns import alternatives, phrase_table
from rewardkit.verifiers.vocabulary.phrases import DOUBTS, DOUBTS_ELSEWHERE
from rewardkit.verifiers.vocabulary.sought import Sought

_DONE = (
    r"(?:made|built|formed|filled|packed|sold|bought|seated|served|fed|baked|cut|painted|planted"
    r"|created|produced|assembled|given|sent|drawn|washed|covered|purchased|prepared"
    r"|chosen|selected|arranged|placed|awarded|ordered|coloured|colored|picked|assigned|printed|obtained)"
)
"""What can be done so many times in the task: `24 boxes could be filled`."""
HEDGE = Sought(
    phrase_table(
        r"""
    # A word of doubt.
    \b{DOUBTS}\b
    \b(?<!\bno )(?<!\bany )(?<!\ba )doubt\b
    \b(?:might|may be(?! {DONE}\b)|assum(?:e|ing)|suppose|not only)\b
    \bcould be\b(?! {DONE}\b)
    \banswer would be\b[^.]*\bif\b
    , I (?:guess|reckon)\W*\Z
    # One of several.
    \beither\b(?! [\w-]+-\s?or )(?=[^.]*\d[^.]*\bor\b|[^.]*\bor (?:[a-z]+ ){0,2}\S{0,2}\d)
    \b(?:(?<!\beach )one of|any of) (?:these|those|them|the (?:following|answers|options|numbers
        |values)|\W?\d)\b
    \b(?<!other )(?<!\d )(?<!number of )(?<!proportion of )(?<!percentage of )(?<!fraction of )
        (?<!share of )candidates?\b(?! (?:[a-z]\b|who|got|gets|receive[ds]?|lost|scor(?:ed|ing)
        |voted|sitting|taking))
    \bpossibilities\b(?= ?:| (?:are|is|remain|include)\b)
    \b(?:guess(?:es)?|options|choices|error) ?:
    \(or (?:maybe |perhaps )?\$?\d[\d.,]*(?:\)|,| or| if| when| depending)
    # Nobody knows.
    \b(?:not|n't|cannot|unable to|impossible to|no way to)\s+(?:(?:at all|really|quite|too|so
        |entirely|fully|completely|totally|be)\s+)*(?:sure|certain|determined?|known?|say|tell
        |answer(?:ed)?|solved?|found|calculated?|enough)\b
    n't (?:know|determine|tell|say|find)\b
    \bnot sufficient\b
    [?？؟]\s*\Z
    \b(?:no idea|no clue|or any|anything(?<!\bto anything)|whatever)\b
    \bno way (?:it|that)\b
    \bwrong to (?:say|conclude|think|assume|answer|claim)\b
    \bif I had to\b
    \b(?:a|some) number (?:around|near|like|close)\b
    \d(?: [a-z]+)? or so\W*\Z
    # Elsewhere.
    \b{DOUBTS_ELSEWHERE}(?=\W|\Z)
    \b(?:es (?:posible|probable) que|puede que|potrebber?o?|podrían?|pourrai(?:en)?t|könnten?
        |poderiam?|pode ser|je hésite|j'hésite|dudo entre|indecis[oa]|schwanke|à moins qu
        |a menos que|es sei denn|a meno che)
    \b(?:no puede(?:n)? ser|ne peut pas être|não pode ser|n'est (?:[^\W\d_]+ment )?pas|no es|nicht
        |non è|не)\b
    (?:但|可)(?:这|那|它)?(?:其实)?(?:是)?(?:错|不对)
    では(?:ありません|ない)
    じゃない
    我猜
    \b(?:suis|sommes) pas (?:[^\W\d_]+ment |très |trop |tout à fait )?(?:sûr|certain)e?s?\b
    \bno estoy (?:del todo |muy |nada |[^\W\d_]+mente )?segur[oa]\b
    \bnon (?:ne )?(?:sono|siamo) (?:del tutto |affatto |così |molto )?(?:sicur|cert)[oaie]\b
    \bnão (?:tenho|temos|estou) (?:muita |a |bem |tanta )?(?:cert|segur)(?:eza|[oa])\b
    \bweet (?:ik )?(?:het )?niet (?:helemaal )?zeker\b
    \bnie jestem (?:do końca )?pew(?:ien|na)\b
    \bemin değilim\b
    \bkhông chắc
    自信が(?:ない|ありません)
    확실하지 않
    不太?确定
    或
    吗
    也许
    可能
    不是
    では(?:ない|あり)
    아니
    \bليست?\b
    \bनहीं
    \b(?:या|أو) (?=\d)
    \bक्या\s
    """,
        DOUBTS=alternatives(DOUBTS),
        DOUBTS_ELSEWHERE=alternatives(DOUBTS_ELSEWHERE),
        DONE=_DONE,
    )
)
_ASSUMING = as_pattern(
    r"(?:\A\W*(?:So|Then)?,?\s*Assuming|,\sassuming)\b[^,?]{1,120}?(?<!\d),\s(?=.*\d)"
)
"""A premise before the main clause is no doubt."""
_UNKNOWN = as_pattern(
    r"(?:\b(?:not|cannot|unable|impossible|no|nicht)\b|n't)(?!\s(?:sure|certain)\b)"
)
_SEEMS = as_pattern(
    r"(?:might|may|could|maybe|perhaps)\s[^.;,\d]{0,40}?\b(?:tempted|tempting|seems?|looks?|appears?|think|expect|argue|easier|surpris\w+|object|wonder|worry)\b",
    re.I,
)
"""A doubt of what is not the answer, or of how it is found: `You might expect 72; however, ...`."""
_OVERCOME = as_pattern(r"[,;]\s(?:but|yet|however|aber|doch)\b|:\s(?=it\b)")
"""Behind what nobody can know, that something else leads to the answer: `..., but x + y = 7.`"""
_OTHER_DOUBT = Sought(
    r"\A\W*(?:(?:I|we)(?:['’]m|['’]re|\sam"
    r"|\sare)\s(?:(?:an?\s)?[a-z]+\s){0,2}?(?:not\s(?:\w+\s){0,2}(?:sure|certain)|uns?certain"
    r"|unsure|confused)"
    r"\s(?:(?:at\sfirst\s)?(?:how|if|whether|why|which)|an?|the|there|about|of|by)\b"
    r"(?![^,]*\b(?:answer|right|correct|this|it)\b)|there\s(?:may|might"
    r"|could)\sbe\b)[^.?]{3,100}?,\sbut\s(?=[^.]*\d)"
)
"""A doubt about something else than the value: `There may be a faster way, but ...`."""


def is_hedged(sentence: str) -> bool:
    """Return whether a sentence doubts what it says.

    >>> is_hedged("It might be 24."), is_hedged("One might think of 72; however, it is 24.")
    (True, False)
    """
    sentence = without_premise(sentence)
    hedge = HEDGE.search(sentence)
    if hedge is None:
        return False
    seems = _SEEMS.search(sentence, hedge.start()) is not None
    beside = seems or _UNKNOWN.search(hedge[0]) is not None
    overcome = _OVERCOME.search(sentence, hedge.end()) if beside else None
    if overcome is None or HEDGE.search(sentence[overcome.end() :]):
        return True
    if seems:
        return VALUE.search(sentence, overcome.end()) is None
    return not concludes(sentence, overcome.start())


def doubts(text: str) -> bool:
    """Return whether a text doubts what was said before it, or takes it back."""
    return is_hedged(text) or TAKES_BACK.search(text) is not None


def without_premise(sentence: str) -> str:
    """Return a sentence without what it assumes, or doubts of something else, before its claim."""
    sentence = _OTHER_DOUBT.sub("", sentence) if ", but " in sentence else sentence
    return _ASSUMING.sub(" ", sentence) if "ssuming" in sentence else sentence
