"""What a sentence may say beside its statement: the cuts that `stated_in` makes, in this order.

Each has a name, an example with what is left of it, its pattern, and what it needs.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.prose.cutter import Cut
from rewardkit.verifiers.vocabulary.sought import Sought

_LATER = r"(?:since|because|as\b|so\sthat)"
_AT_FIRST = (
    r"\b(?:at\sfirst|initially|originally|(?:at|in)\sthe\s(?:start|beginning|outset)|to\s(?:begin|start)\swith"
    r"|before\sthe\s[a-z]+)\b"
)
_PREPOSITION = (
    r"(?:of|if|when|after|since|because|given|with|in|on|for|at|as|from|by|while|once|to|out\sof"
    r"|having|starting|beginning|working)"
)
_SAID_OF_DOING = (
    r"\s(?:is|are|was|gives?|gave|yields?|leaves?|makes?|made|means|costs?|takes?|took|equals?|comes|shows?|results?"
    r"|leads?|produces?|brings?|needs?|have|gets?|will|can|must|they|he|she|it|we|you)\b"
)
_KNOWN = (
    r"(?:(?:all\s)?(?:the|these|those|his|her|their|our|my)|all|(?:alle\s)?(?:die|diese)|les|ces"
    r"|los|las|i|gli|le|questi|queste|os|as)"
)
_VERB = r"(?:[a-z]+s|ha(?:ve|d)|are|were|will|would|must|can)"
_TO_HAVE = r"(?:get|earn|make|reach|buy|afford|have)"
_EARNS = (
    r"(?:leav|mak|giv|bring|earn|sav|cost|rais|remain|includ|exclud|yield|produc|total|weigh|mean"
    r"|be|dur|accord|hav|gett|pay|need|contain|hold|measur|receiv|collect|tak|count|start|add"
    r"|equal)ing\b"
)
_LEADS_ON = r"(?!.*,\s(?:(?:which|this|that)\s(?:leaves|gives|makes|means)|leaving)\b[^,]*\d)"
"""A reason may lead to the statement: `because lengths are positive, which leaves x = 5`."""

PLAINLY = Sought(
    r"\b(?:at\s(?:least|most)\s(?=\d[\d.,]*\s(?:[a-z]+\s){0,4}(?:must|should|can|have\sto|need|(?:is|are)\s(?:needed|required|necessary))\b)"
    r"|(?<=\bby\s)a\s(?:scale\s)?factor\sof\s(?=\d))"
)
"""What leaves the number behind it what was asked for: `At least 13 socks must be drawn`."""

LEADING = (
    Cut(
        "the total of a rate",
        "90 miles in 2 hours: 45 miles per hour -> 45 miles per hour",
        r"\A\W*\$?\d[\d.,]*\s[^\d:]{1,40}\s\d[\d.,]*\s[a-z]+:\s"
        r"(?=\$?\d[\d.,]*\s[a-z]+\s(?:per|an?|each|every)\s[a-z]+\W*\Z)",
        needs=": ",
    ),
    Cut(
        "restatement",
        "It is twice 12, i.e. 24 -> 24",
        r"\A.*(?:\bi\.e\.,?|,\s(?:in\sother\swords|that\sis|namely|equivalently),?)\s"
        r"(?:(?:up|down)\sby\s|for\s|an?\s[a-z]+\sof\s)?(?=[-$(\\]*\d)",
        needs="i.e.|, in other|, that is|, namely|, equiv",
    ),
    Cut(
        "what shows it",
        "14 are left, which means that 26 were taken -> 26 were taken",
        r"\A.*(?:\b(?:(?:means?|shows|implies|tells\sus)|(?:we|I|and|can|to)\s(?:can\s)?"
        r"(?:see|find|conclude|infer|determine|deduce|calculate))\sthat\s(?=[^.]*\d)"
        r"|,\s(?:which\s(?:means|implies)|meaning)\s(?:that\s)?"
        r"(?=(?:only\s|just\s)?\d[\d,]*\s[a-z]+\b[^.,\d]*\Z))",
        needs=" that |, which |, meaning ",
    ),
    Cut(
        "what is done for it",
        "She will spend $70 filling all 5 baskets -> She will spend $70",
        r"(?<![\d.,])(\d[\d.,]*(?<!,)%?(?:\s(?!and\b|or\b|but\b|then\b)[a-z]+){0,3}?)"
        rf"\s(?!{_EARNS})[a-z]{{3,}}ing\s"
        r"(?:all|both|the|each|every|his|her|their|these|those|its)\s(?=[^.]*\d).*",
        needs="ing ",
        puts=r"\1",
    ),
    Cut(
        "what it is needed to do",
        "It takes 7 more weeks to have saved $60 -> It takes 7 more weeks",
        r"(\b(?:takes?|took|needs?|needed|requires?|required)\s(?:(?!to\b)[A-Za-z]+\s){0,3}[$€£]?\d[\d.,]*"
        r"(?:\s(?!to\b)[a-z]+){1,4})\sto\s(?!(?:get|obtain|give|be|the|a)\b)[a-z]+\s[^.=,]*\d.*",
        needs="ake|took|need|require",
        puts=r"\1",
    ),
    Cut(
        "what it is needed to come by",
        "He needs 6 sticks to get 5 cookies -> He needs 6 sticks",
        r"((?:\b(?:needs?|must|ha(?:s|ve)\sto|requires?)\s(?:to\s)?"
        r"(?!(?:multiply|divide|add|subtract)\b)(?:[a-z]+\s){0,3}|\A\W*)\d[\d.,]*(?:\s(?!to\b)[a-z]+){1,3})"
        rf"\sto\s{_TO_HAVE}\s[$€£]?\d[\d.,]*\s[a-z]+\W*\Z",
        needs=" to ",
        puts=r"\1",
    ),
)
"""What leads to the statement, or goes on from it."""

PHRASES = (
    Cut(
        "share of the whole",
        "It is 36 (60%) -> It is 36",
        r"(?<=\d)(?<![/.]\d)(?<![/.]\d\d)\s\(\d[\d.]*\s?\\?%\)",
        needs="%)",
    ),
    Cut(
        "parenthesis",
        "He has 24 (twice 12) eggs (or so) -> He has 24 eggs",
        r"\s*\((?=[^()\d]*[a-zA-Z]{2})[^()\d=]{0,80}\)"
        r"|(?<=[\w%])\s\((?=[^()]*(?:(?<![\\a-zA-Z])[a-zA-Z]{3}|\d\s?[-+*/×=]\s?\d)|of\s)[^()]{0,80}\)"
        r"|(?<=[^\W\d_])（(?=[^（）]*[^\W\da-zA-Z_])[^（）]{1,80}）",
        needs="(|（",
        takes_all=True,
    ),
    Cut(
        "what it is not",
        "It is 5, not 15 -> It is 5",
        r",?\s(?:and\s)?not\s\$?\d[\d.,]*(?:\s[a-z]+[²³]?)?\s*\Z",
        needs="not",
    ),
    Cut(
        "the day of a count",
        "It has 30 members as of 5 May 2020 -> It has 30 members",
        r"(\d.*?),?\sas\s(?:at|of)\s(?=[^,]*\d)[^=]*\Z",
        needs=" as ",
        puts=r"\1",
    ),
    Cut(
        "what was so before",
        "There were 40 at first, and 24 are left -> and 24 are left",
        rf"\A[^,;]*(?:{_AT_FIRST}(?=[^,;]*\d)[^,;]*|\d[^,;]*{_AT_FIRST})[,;]\s(?!{_LATER})(?=[^=]*\d)",
        needs="first|nitially|riginally|the start|begin|outset|tart with|efore the",
        flags=re.I,
    ),
)
"""What stands beside the numbers of a sentence."""

CLAUSES = (
    Cut(
        "of how many a chance is",
        "So the probability is 3 out of 8 -> So the probability is 3/8",
        r"\A(?=.*\b(?:probability|chance|fraction|proportion|odds|likelihood))(.*?)"
        r"(?<![\d.,])(\d+)\s(?:out\sof|in)\s(?:every\s)?(\d+)\b(?![.,]\d)(?!\s[a-z])",
        needs="robab|hance|raction|roportion|odds|ikelihood",
        puts=r"\1\2/\3",
    ),
    Cut(
        "number of an adjective",
        "He swam 5 400-meter laps -> He swam 5 meter laps",
        r"(?<![\d.,/-])\d+(?:\.\d+)?-(?=[a-z]{2,})"
        r"|(?<=\d )(?!\d{3}\b)\d+(?:\.\d+)?(?=\s[a-z]{3,}\s[a-z]{3,})"
        r"|(?<=\bthe )\d[\d.,]*\s(?=(?!times|percent|per|plus|minus|out)[a-z]{3,}\s"
        r"[^.=]*(?<!the )(?<!\d)\d)",
    ),
    Cut(
        "what may stand for is",
        "It works out at 24 -> It is 24",
        r"\b(?:round(?:s|ed|ing)?\s(?:[a-z]+\s){0,3}to|works?\sout\s(?:as|to|at)"
        r"|leaves\s(?:(?:(?:the|each|every)\s)?[a-z]+\s)?with)\s(?=[-$]?\d)",
        needs="round|works out|leaves",
        puts="is ",
    ),
    Cut(
        "where a change begins",
        "It increased from 20 to 30 -> It increased is 30",
        r"(\b(?:increas|decreas|drop|f[ae]ll|r[oi]se|gr[eo]w|chang|reduc|w[eo]nt"
        r"|goes)\w*\b[^.\d]{0,60})\b(?:from|by)\s\$?\d[\d.,]*%?\s(?:[a-z]+\s)?to\s(?=\$?\d)",
        needs=" to ",
        puts=r"\1is ",
    ),
    Cut(
        "among which a count was made",
        "There are 8 primes below 20 -> There are 8 primes ",
        r"(\b[tT]here\s(?:is|are)\s[^.]{0,40}?\d\s(?:[a-z-]+\s){1,4}?)"
        r"(?:below|above|under|over|up\sto|between|(?:less|greater|smaller|larger)\sthan)\s\$?\d.*",
        needs="here ",
        puts=r"\1",
        flags=0,
    ),
    Cut(
        "of which unknown it holds",
        "The slope is 3, where x = 2 -> The slope is 3",
        r",?\s(?:when|where|if|for|at)\s[a-zA-Z]\s*=(?:(?!\s(?:is|equals)\s)[^=])*\Z",
        needs="=",
    ),
    Cut(
        "when a journey begins",
        "He leaves at 7:40 and arrives at 8:05 ->  at 8:05",
        r"\A.*?(?:\d:\d\d(?:[^.]*?\sand|\s[ap]m)?\s(?:then\s)?(?:arriv|reach|end|finish|land|return"
        r"|get|is\sover)[a-z]*(?=\s[^.]*\d:\d\d)"
        r")",
        needs=":",
        flags=0,
    ),
    Cut(
        "between a subject and its verb",
        "The tank, which lost 25 liters, holds 75 -> The tank holds 75",
        r",\s(?:which|who|whose|whom|where|\d+\sof\s(?:whom|which)|(?:to|of|from|with)\swhich|(?!\w*thing\b)[a-z]+ing)"
        r"\s[^,]{1,80},\s(?=(?:(?:now|then|still|thus)\s)?"
        rf"{_VERB}\s[^,]*\d)",
        needs=", ",
        puts=" ",
    ),
    Cut(
        "count of what is known",
        "All 12 eggs last 3 days -> eggs last 3 days",
        r"\A(\W*(?:(?:so|thus|hence|therefore|also|donc|por\stanto|quindi|portanto),?\s)?)"
        rf"{_KNOWN}\s\$?\d[\d.,]*%?\s(?=(?!(?:is|are|was|were|of|or|and)\b)[^\W\d_]{{2,}}\s)"
        r"(?=[^.]*?(?<!\bthe\s)(?<![\d.,$-])[$]?\d)"
        r"|\A(\W*)[这那]\d+(?=[^\W\d_]+够[^\d]*\d)",
        puts=r"\1\2",
        flags=re.I,
    ),
    Cut(
        "opening",
        "Of the 24 pieces, 7 are left -> 7 are left",
        r"\A\s*(?:"
        r"(?:(?:so|thus|hence|therefore|finally|now|and|but|then)\b,?\s+)?"
        rf"{_PREPOSITION}\b[^,]{{1,160}}?(?:(?<!\d),\s|,\s(?=[a-z]))(?!compared|rather|not|since|because|which)"
        r"|from\s\S*\d\S*\s(?:to|until|till)\s\S*\d\S*,?\s"
        r"(?=(?:it|that|there|he|she|they|we)\b)"
        r"|(?!leav|total|dur|amount|giv|mak)[a-z]{2,}ing\b"
        rf"(?:(?!{_SAID_OF_DOING})[^,]){{1,160}}?"
        r"(?:,\s(?=[a-z])(?!compared|rather|not|since|because|which|and\b|or\b)|\s(?=(?:we|you|i|one)\s[a-z]))"
        r")",
        flags=re.I,
    ),
    Cut(
        "reason",
        "7 are left, since 17 were sold -> 7 are left",
        rf",?\s(?:because|since|given\sthat)\s{_LEADS_ON}.*",
        needs="because |since |given that ",
        flags=re.I | re.S,
    ),
    Cut(
        "comparison",
        "He is 45 years old, 3 years older than Tom -> He is 45 years old",
        r"(?<!=),?\s\d+\s(?!left\b)[a-z]+\s(?:ago|later|earlier|from\snow|(?:after|before)\s[a-z]+ing)\b.*"
        r"|,\s\$?\d[\d.,]*\s[a-z]+\s(?:from|away|north|south|east|west)\b.*"
        r"|,\s\d+\sof\s(?:which|whom|them|these)\s[a-z].*"
        r"|,\s(?:or\s)?\$?\d[\d.,]*%?\s(?:[a-z]+\s){0,2}?(?:more|less|fewer|[a-z]{2,7}er)\sthan\b.*"
        r"|,?\swhich\s(?:is|was|are|equals)\s(?:\w+\s)?\$?\d[\d.,]*%?\s(?:\w+\s)?"
        r"(?:(?:years?|days?|inches|cm)\s)?(?:more|less|fewer|times|half|twice|squared|cubed|(?!other|after"
        r"|over)[a-z]{2,7}er\sthan)\b.*",
        needs=", | ago| later| earlier|from now|after |before |which ",
        flags=re.I,
    ),
)
"""The clauses around the main one."""
