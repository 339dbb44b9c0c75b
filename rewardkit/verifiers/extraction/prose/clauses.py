"""What the main clause of a sentence states, without the clauses and phrases beside it."""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.prose.comes_to import comes_to, shown_in, without_purpose
from rewardkit.verifiers.extraction.prose.comparisons import COMPARED, without_items
from rewardkit.verifiers.extraction.prose.last_quantity import last_quantity
from rewardkit.verifiers.extraction.prose.wholes import VALUE, named_whole, unit_of
from rewardkit.verifiers.extraction.text.plain import places_of
from rewardkit.verifiers.vocabulary.numbers import NUMBER_WORDS
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.sought import Beginning, Sought, holds_one, lowered
from rewardkit.verifiers.vocabulary.units import UNITS

_PARENTHESES = re.compile(
    r"\s*\((?=[^()\d]*[a-zA-Z]{2})[^()\d=]{0,80}\)"
    r"|(?<=[\w%])\s\((?=[^()]*(?:(?<![\\a-zA-Z])[a-zA-Z]{3}|\d\s?[-+*/×=]\s?\d)|(?:out\s)?of\s)[^()]{0,80}\)"
    r"|(?<=[^\W\d_])（(?=[^（）]*[^\W\da-zA-Z_])[^（）]{1,80}）"
)
_SHARE_BEHIND = re.compile(r"(?<=\d)(?<![/.]\d)(?<![/.]\d\d)\s\(\d[\d.]*\s?\\?%\)")
"""The percentage of the whole that a count is, behind it: `36 (60%)`."""
_WHERE = re.compile(r",?\s(?:when|where|if|for|at)\s[a-zA-Z]\s*=(?:(?!\s(?:is|equals)\s)[^=])*\Z")
"""What says of which value of an unknown a statement holds."""
_OPENING = re.compile(
    r"\s*(?:(?:so|thus|hence|therefore|finally|now|and|but|then)\b,?\s+)?"
    r"(?:out\s+of|of|if|when|after|since|because|given|with|in|on|for|at|as|from|by|while|once|to"
    r"|having|starting|beginning|travell?ing|working)\b"
    r"[^,]{1,160}?(?:(?<!\d),\s|,\s(?=[a-zA-Z]))(?!compared|rather|not|since|because|which)"
    r"|\s*from\s\S*\d\S*(?:\s[ap]\.?m\.?)?\s(?:to|until|till)\s\S*\d\S*(?:\s[a-z.]+)?,?\s"
    r"(?=(?:it|that|there|he|she|they|we)(?:['’]s)?\b)"
    r"|\s*(?:so\s)?(?!leav|total|dur|amount|giv|mak)[a-z]{2,}ing\b(?:(?!\s(?:is|are|was|gives?|gave|yields?|leaves?|makes?|made|means|costs?|takes?|took"
    r"|equals?|comes|shows?|results?|leads?|produces?|brings?|needs?|ha[sd]|have|gets?|will|can|must|(?<!as\s)(?:they|he|she|it|we|you))\b)[^,]){1,160}?(?:,\s(?=[a-z])(?!compared|rather|not|since|because|which|and\b|or\b)|\s(?=(?:we|you|i|one)\s[a-z]))",
    re.I,
)
"""What opens a sentence before its main clause: `Of the 24 pieces, `."""
_KNOWN = re.compile(
    r"(\W*(?:(?:so|thus|hence|therefore|also|donc|por\stanto|quindi|portanto),?\s)?)"
    r"(?:(?:all\s)?(?:the|these|those|his|her|their|our|my)|all|(?:alle\s)?(?:die|diese)|les|ces|los"
    r"|las|est[oa]s|i|gli|le|questi|queste|os|as)\s\$?\d[\d.,]*%?\s(?=(?!(?:is|are|was|were|of|or|and)\b)[^\W\d_]{2,}\s)"
    r"(?=[^.]*?(?<!\bthe\s)(?<!\bthese\s)(?<!\btheir\s)(?<!\bher\s)(?<!\bhis\s)(?<![\d.,$-])[$]?\d)"
    r"|(\W*)[这那]\d+(?=[^\W\d_]+够[^\d]*\d)",
    re.I,
)
"""The count of things that are known, as a subject that something else is stated of."""
_BETWEEN = re.compile(
    r",\s(?:which|who|whose|whom|where|\d+\sof\s(?:whom|which)|(?:to|of|from|with)\swhich|(?!\w*thing\b)[a-z]+ing)"
    r"\s[^,]{1,80},\s(?=(?:(?:now|then|still|thus)\s)?(?!this\b|its\b|his\b|as\b|plus\b)"
    r"(?:[a-z]+s|ha(?:ve|d)|are|were|will|would|must|can)\s[^,]*\d)"
)
"""What stands between a subject and its verb: `The tank, which lost 25 liters, holds 75.`"""
_REASON = Sought(r",?\s(?:because|since|given\sthat)\s")
_LEADS_ON = re.compile(r",\s(?:(?:which|this|that)\s(?:leaves|gives|makes|means)|leaving)\b[^,]*\d")
"""What a reason leads to, behind it: `because lengths are positive, which leaves x = 5`."""
_ASIDE = re.compile(
    r"[,\s](?:(?<=,)\s|(?<=\s))(?:(?<=,\s)(?:the|his|her|its|their)\s(?:[a-z]+\s){1,3}being|by|after|before|when|while|if|since|because|as|where|who|whose|whom|during|until|given"
    r"|assuming|due\sto|instead\sof|compared|than|so\sthat|in\sorder\sto|using|leaving\sout|rather"
    r"|although|even\sthough|though|whereas|ignoring|not\s(?:counting|including)|on\stop\sof"
    r"|in\saddition\sto|apart\sfrom|aside\sfrom|besides|without|neglecting"
    r"|including|excluding|(?:(?:well|far)\s|(?<=,\s)(?:[a-z]+\s){0,2})(?:above|below)|short\sof"
    r"|(?:which|that)(?!\s(?:is|are|equals?|gives?|means?|makes?|comes?|leaves?|brings?|was|will)\b"
    r"|\s(?:brought|took|takes|raised|earned|formed|made|filled)\s(?:(?!each|per|every)[a-z]+\s){0,3}\$?\d[\d.,]*(?:\s(?!each|per|apiece)[a-z]+)?\W*\Z))"
    r"\s(?!(?:follows|a\sresult)\b)"
)
"""What begins a clause behind the statement, in lower case."""
_PHRASE = re.compile(
    r"\s(?:for|in|at|per(?!\s(?:second|minute|hour|liter|litre|mole|mil|mille)\b)|every|each|on|with|from"
    r"|out\sof|over|within|(?<!from\s\d\s)(?<!from\s\d\d\s)to|of|into|among|between"
    r"|dans|pour|avec|d['’]ici|pendant|para|durante|für|mit|pro|nach|bei|entro|nelle|nei|negli|nella"
    r"|nas|nos|em|в|на|за)\s|\sen\s(?=\d|l[ao]s?\s|el\s)"
)
"""What begins a phrase behind the statement, in lower case: `2 albums for $20`."""
_MAY_BE_COMPOUND = re.compile(r"\d(?: \d|-[a-z])|\bthe \d")
_COMPOUND = re.compile(
    r"(?<![\d.,/-])\d+(?:\.\d+)?-(?=[a-z]{2,})"
    r"|(?<=\d )(?!\d{3}\b)\d+(?:\.\d+)?(?=\s[a-z]{3,}\s[a-z]{3,})"
    r"|(?<=\bthe )\d[\d.,]*\s(?=(?!times|percent|per|plus|minus|out)[a-z]{3,}\s"
    r"[^.=]*(?<!the )(?<!\d)\d)"
)
"""The number of an adjective or of what is known: `400-meter`, the 8 of `5 8 point bucks`, `the 12
eggs last 3 days`."""
_AMONG = re.compile(
    r"(\b[tT]here\s(?:is|are)\s[^.]{0,40}?\d\s(?:[a-z-]+\s){1,4}?)(?:in\sthe\s[a-z]+\s)?(?:(?:that|which)\sare\s)?(?:below|above|under|over|up\sto|not\sexceeding|between"
    r"|(?:less|greater|smaller|larger)\sthan)\s\$?\d.*"
)
"""Among which things a count was made: `there are 8 primes below 20`."""
_AT_FIRST = re.compile(
    r"[^,;]*\b(?:at\sfirst|initially|originally|(?:at|in)\sthe\s(?:start|beginning|outset)|to\s(?:begin|start)\swith|before\sthe\s[a-z]+)\b"
    r"(?=[^,;]*\d)[^,;]*[,;]\s(?!since|because|as\b|so\sthat)(?=[^=]*\d)"
    r"|[^,;]*\d[^,;]*\b(?:at\sfirst|initially|originally|(?:at|in)\sthe\s(?:start|beginning|outset)|to\s(?:begin|start)\swith)"
    r"[,;]\s(?!since|because|as\b|so\sthat)(?=[^=]*\d)",
    re.I,
)
"""What was so before, in the clause before the one that states: `There were 40 at first, `."""
_NO_FIRST = Sought(
    r"\b(?:at\sfirst|initially|originally|(?:at|in)\sthe\s(?:start|beginning|outset)|to\s(?:begin|start)\swith|before\sthe)\b"
)
_FROM_TO = re.compile(
    r"(\b(?:increas|decreas|drop|f[ae]ll|r[oi]se|gr[eo]w|chang|reduc|w[eo]nt"
    r"|goes)\w*\b[^.\d]{0,60})\b(?:from|by)\s\$?\d[\d.,]*%?\s(?:[a-z]+\s)?to\s(?=\$?\d)"
)
"""A change says where it ends: `increased from 20 to 30`."""
_BESIDE = re.compile(r",?\s(?:and\s)?not\s\$?\d[\d.,]*(?:\s[a-z]+[²³]?)?\s*\Z")
"""What a value is not: `5, not 15`."""
_AS_OF = re.compile(r"(\d.*?),?\sas\s(?:at|of)\s(?=[^,]*\d)[^=]*\Z")
"""The day of a count, behind it: `It has 30 members as of 5 May 2020`."""
_THEN = re.compile(
    r"\d:\d\d(?:[^.]*?\sand|\s[ap]m)?\s(?:then\s)?(?:arriv|reach|end|finish|land|return"
    r"|get|is\sover)[a-z]*\s(?=[^.]*\d:\d\d)"
    r"|\d:\d\d.*\b(?:(?:and|so|later|thus|hence|therefore|then|must\s(?:have|be))\b,?|[ap]\.?m\.?,)"
    r"(?!.*\b(?:since|because|if|when|not|instead|rather|(?:than|before|after|or|from|between|to)\s(?=\d?\d:))\b.*\d:\d\d)"
    r"\s(?:[^\d:]*\d+\s[^\d:]*,\s)?[^\d:]*(?=\d?\d:\d\d)"
)
"""Of two times of a journey, the second is stated: `leaves at 7:40 and arrives at 8:05`."""
_RESTATED = re.compile(
    r"(?:\bi\.e\.,?|,\s(?:in\sother\swords|that\sis|namely|equivalently),?)\s(?:(?:up|down)\sby\s|for\s|an?\s[a-z]+\sof\s)?"
    r"(?=[-$(\\]*\d)"
)
_MAY_RESTATE = ("i.e.", ", in other", ", that is", ", namely", ", equiv")
_TWO_NUMBERS = re.compile(r"\d\D+\d")
_COMPARED = Sought(
    r"\d\s(?:[a-z]+\s){0,2}(?:more|less|fewer)\sthan\s(?:that|this|it|what|twice|half|double|an?\s(?:third|quarter|fifth)|(?:three|four|\d+)\stimes)\b"
    r"|\b(?:about|around|roughly|approximately)\s\$?\d[\d.,]*\s?(?:to|-|–)\s?\$?\d"
)
"""What states no value: `5 less than that`, `about 12 to 14`."""
PLAINLY = Sought(
    r"\b(?:at\s(?:least|most)\s(?=\d[\d.,]*\s(?:[a-z]+\s){0,4}(?:must|should|can|have\sto|need|(?:is|are)\s(?:needed|required|necessary))\b)"
    r"|(?<=\bby\s)a\s(?:scale\s)?factor\sof\s(?=\d))"
)
"""What leaves the number behind it what was asked for: `At least 13 socks must be drawn`."""
_TO_MORE = re.compile(r"(?:\s(?:to|or\sup\sto)\s|\s?[-–—]\s?)[$€£]?\d")
_CHANCE = Sought(r"\b(?:probability|chance|fraction|proportion|odds|likelihood)")
_OUT_OF = re.compile(r"(?<![\d.,])(\d+)\s(?:out\sof|in)\s(?:every\s)?(\d+)\b(?![.,]\d)(?!\s[a-z])")
"""Of a chance, `3 out of 8` is a quotient."""
_ROUNDED = re.compile(
    r"\b(?:round(?:s|ed|ing)?\s(?:[a-z]+\s){0,3}to|works?\sout\s(?:as|to|at)"
    r"|leaves\s(?:(?:(?:the|each|every)\s)?[a-z]+\s)?with)\s(?=[-$]?\d)"
)
"""What `is` may stand for: the words in it would else begin a phrase beside the value."""
_SPELLED = Beginning(
    r"\W*(?!one\s[a-z]+\sis\s(?:about|approximately|roughly|exactly|equal\sto)\s\d)"
    rf"({alternatives(NUMBER_WORDS)})\s(?:of\s(?:the|these|those|his|her|their)\s\d"
    r"|(?:[a-z]+\s){1,3}(?:are|were|is|was|remains?|remained|will)\b)"
)
"""The count that a sentence begins with, in words: `Two more hours are needed`."""
_UNIT = re.compile(r"\s*([a-zA-Z]{2,})\b")
_PAIR = re.compile(r"\W*\d[\d.,]*\s([a-z]{3,})(?:\s[a-z]{3,})?,?\sand\s")
"""What comes before the second of two counts that are all that is said: `12 apples and `."""
_LEADS = re.compile(
    r"\W(?:total(?:s|ing|ling)?\s(?:of\s)?(?=[-$€£₤\d]|\([-\d])"
    r"|(?:is|are|was|were|will\sbe|would\sbe|becomes|gives|yields|leaves|leaving(?!\sout\b)|makes|puts)\s"
    r"(?:(?:each|every)\s[a-z]+\s)?(?:(?!(?:for|in|at|per|every|each|on|with|from|by|over|within|among|between|than"
    r"|and)\s)[a-z]+\s){0,2}(?:of\s)?(?=[-$€£₤\d]|\([-\d])"
    r"|(?<=,\s)which\s(?:brought|took|takes|raised|earned|formed|made|filled)\s(?:[a-z]+\s){0,3}(?=[-$€£₤\d])(?!.*\b(?:each|per|apiece)\b)"
    r"|(?:(?<!to\s)make|(?:we|you|they)\s(?:have|get|obtain|find|need)|(?<=\bfind\W)that|(?<=\bsee\W)that|(?:add|sum|amount"
    r"|come|gr[eo]w|shr[ai]nk|r[io]se|f[ae]ll|drop|decline|increase|decrease)(?:s|n|p?ed)?\s(?:up\s|down\s)?to|(?:risen|shrunk|turns?\sinto))\s(?:to\s)?(?=[-$€£₤\d]|\([-\d])"
    r"|(?:we|you)\s(?:get|obtain|find)\s(?:the\s)?(?:[a-z]+\s)?(?=\()"
    r"|(?:making|bringing|brings|(?<=\bwhich\W)means)\s(?:[a-z]+\s){1,6}(?=[-$€£₤\d]|\([-\d])"
    r"|(?<=,\s)(?:which\sis\s|for\s)?an?\s(?:[a-z]+\s)?(?:increase|decrease|rise|drop|gain|loss"
    r"|difference|total|saving|average|speed|rate|profit|distance|cost)\sof\s(?=[-$€£₤\d]|\([-\d])"
    r"|(?<=,\s)leaving\s(?:(?!out\b|the\b)[a-z]+\s){0,3}(?=[-$€£₤\d]|\([-\d])"
    r"|(?:and|again)\s(?:get|got|obtain(?:ed)?|find|found)\s(?=[-$€£₤\d]|\([-\d])"
    r"|(?:leads?|led|gets?|got|brings?|brought|takes?|took|maps?|goes|moves?|sends?|lands?)\s(?:[a-z]+\s){0,2}(?:to|on|onto|at)\s(?=\([-\d])"
    r"|(?:takes?|took|maps?|sends?|moves?|brings?|carries|turns?)\s\([^()]{1,30}\)\s(?:in)?to\s(?=\([-\d])"
    r"|(?:left\swith|leav(?:es|ing)\s(?:us|you|me|him|her|them|it)\swith|(?<!to\s)arrive[ds]?\sat|com(?:es?|ing)\sout\s(?:as|at|to(?:\sbe)?))\s(?:only\s|just\s)?(?=[-$€£₤\d]|\([-\d])"
    r"|(?:we|you|one)\s(?:find|get|obtain|have|reach)(?:s|es)?\s(?:an?|the)\s(?:[a-z]+\s){1,4}of\s(?=[-$€£₤\d]|\([-\d])|(?:forces|forcing|lets?)\s[a-z]+\sto\sbe\s(?=[-$€£₤\d]|\([-\d])"
    r"|(?:(?<=,\s)(?:in\sall|in\stotal|altogether)|to\s(?:get|obtain|give|yield)),?\s(?=[-$€£₤\d]|\([-\d])"
    r"|(?<=,\s)(?:earning|collecting|raising|receiving|yielding|producing|making|paying)"
    r"\s(?:(?!for\b)[a-z]+\s){0,4}(?=[-$€£₤\d]|\([-\d])"
    r"|(?:est|sont|es|son|ist|sind|è|sono|é|são)\s(?:[^\W\d_]+\s){0,2}(?=[-$€£₤\d]|\([-\d]))"
)
_VERB_LEADS = re.compile(
    r"(?<!\bthat)(?<!\bwhich)(?<!\bwho)(?<!\bto)(?<!\ba)(?<!\bthe)\W(?:has|have|had|gets?|got|covers?|costs?|holds?"
    r"|save[ds]?|needs?|takes?|means?|contains?|earn(?:s|ed)?|pays?|paid|score[ds]?|receive[ds]?"
    r"|travels?|weighs?|measures?|lasts?|sells?|sold|brings?|results\sin|lands\son|adds?\sup\sto)\s"
    r"(?:(?!(?:for|in|at|per|every|each|on|with|from|by|over|within|among|between|than|and|after|before)\s)[a-z]+\s){0,4}"
    r"(?=[-$€£₤\d])"
)
_BY_SO_MANY = re.compile(r"\sby\s\Z")
"""The verb of the main clause, which its subject may hold values before."""
_COLON = re.compile(r":\s")
"""What leads to a value, beside `=`: of several, the last leads to what is stated. Words are looked
for behind a sign that is none, or every place would be tried."""
_IS_LAST = re.compile(r"\b(?:is|are|equals)\s\$?\Z")
_SUBJECT = re.compile(
    r"\s*(?:is|are|was|equals)\s(?!the\s(?:only\s|[a-z]+est\s)?(?:remainder|number|sum|total|answer|value|product|solution|root)\b)"
    r"[^.]*\d"
)
"""What follows a value that a sentence is about: `7 is half of 14`."""


def stated_in(sentence: str) -> str | None:
    """Return the quantity that the main clause of a sentence states, with its unit, or None."""
    if holds_one(sentence, _MAY_RESTATE):
        sentence = _RESTATED.split(sentence)[-1]
    if _COMPARED.search(sentence):
        return None
    sentence = clause = without_purpose(comes_to(shown_in(PLAINLY.sub("", sentence))))
    if "(" in sentence or "（" in sentence:
        clause = _PARENTHESES.sub("", _SHARE_BEHIND.sub("", sentence))
    clause = _BESIDE.sub("", clause) if "not" in clause else clause
    clause = _AS_OF.sub(r"\1", clause) if " as " in clause else clause
    clause = _AT_FIRST.sub("", clause, count=1) if _NO_FIRST.search(clause) else clause
    clause = without_items(clause)
    several = _TWO_NUMBERS.search(clause) is not None
    if whole := named_whole(clause, several):
        return whole
    clause = _OUT_OF.sub(r"\1/\2", clause) if _CHANCE.search(clause) else clause
    bare = _COMPOUND.sub("", clause) if _MAY_BE_COMPOUND.search(clause) else clause
    if spelled := _SPELLED.match(sentence):
        return str(NUMBER_WORDS[spelled[1].lower()])
    if "round" in clause or "works out" in clause or "leaves" in clause:
        bare, clause = _ROUNDED.sub("is ", bare), _ROUNDED.sub("is ", clause)
    clause = bare if bare is clause or VALUE.search(bare) else clause
    clause = _FROM_TO.sub(r"\1is ", clause) if " to " in clause else clause
    clause = _AMONG.sub(r"\1", clause) if "here " in clause else clause
    where = _WHERE.search(clause) if "=" in clause else None
    if where and VALUE.search(clause, 0, where.start()):
        clause = clause[: where.start()]
    clause = (
        clause[then.end() - 1 :] if ":" in clause and (then := _THEN.search(clause)) else clause
    )
    clause = _BETWEEN.sub(" ", clause) if several and ", " in clause else clause
    clause = _KNOWN.sub(r"\1\2", clause, count=1) if _KNOWN.match(clause) else clause
    opening = _OPENING.match(clause)
    if opening and VALUE.search(clause, opening.end()):
        clause = clause[opening.end() :]
    for pattern in (_REASON, COMPARED):
        behind = pattern.search(clause)
        if (
            behind
            and VALUE.search(clause, 0, behind.start())
            and not _LEADS_ON.search(clause, behind.end())
        ):
            clause = clause[: behind.start()]
    clause = _without_beside(clause)
    value = last_quantity(clause)
    first = _first_of(value, sentence) if value else None
    if value is None or (first is not None and _SUBJECT.match(sentence, first + len(value))):
        return None
    if _is_second_of_two(sentence, value) or _begins_range(sentence, value):
        return None
    return value + unit_of(clause, value)


def _first_of(value: str, sentence: str) -> int | None:
    """Return where a value is first in a sentence, or last where it ends with it too."""
    places = list(places_of(value, sentence))
    ends = len(places) > 1 and not VALUE.search(sentence, places[-1] + len(value))
    ends = ends and _IS_LAST.search(sentence, 0, places[-1]) is not None
    return places[-1 if ends else 0] if places else None


def _begins_range(sentence: str, value: str) -> bool:
    """Return whether a value is the lower end of a range: `8 to 12 hours`."""
    return any(
        _TO_MORE.match(sentence, at + len(value)) for at in list(places_of(value, sentence))[-1:]
    )


def _without_beside(clause: str) -> str:
    """Return a clause up to the clauses and phrases behind the value that it leads to."""
    first = VALUE.search(clause)
    low = lowered(
        clause
    )  # a pattern of so many words that ignored case would take five times as long
    if first is None or not (_ASIDE.search(low, first.end()) or _PHRASE.search(low, first.end())):
        return clause  # only what is behind a value is beside it
    led = max(_last_lead(clause), _main_verb(clause, first.end()))
    equals = led if led >= 0 and VALUE.search(clause, led) else -1
    end = len(clause)
    for aside in _ASIDE.finditer(low, first.end()):
        if aside.start() > equals:
            end = aside.start()
            break
    stated = VALUE.search(clause, equals + 1, end)
    phrase = _PHRASE.search(low, stated.end(), end) if stated else None
    return clause[: phrase.start() if phrase else end]


def _main_verb(clause: str, start: int) -> int:
    """Return where the last verb is that leads to a value behind the subject's, or -1."""
    leads = list(_VERB_LEADS.finditer(clause, start))
    asides = _ASIDE.finditer(lowered(clause), start, leads[-1].start()) if leads else ()
    if not leads or any(not _BY_SO_MANY.match(aside[0]) for aside in asides):
        return -1
    return leads[-1].start()


def _last_lead(clause: str) -> int:
    """Return where the last sign or word is that leads to a value, or -1."""
    last = clause.rfind("=")
    for lead in _COLON.finditer(clause) if ":" in clause else ():
        last = max(last, lead.start())
    for lead in _LEADS.finditer(f" {clause}"):  # which moves a word to where its sign begins
        last = max(last, lead.start())
    return last


def _is_second_of_two(clause: str, value: str) -> bool:
    """Return whether a value is the second of two counts alone, `12 apples and 13 pears`."""
    start = clause.rfind(value)
    first = _PAIR.fullmatch(clause, 0, start) if start > 0 else None
    second = _UNIT.match(clause, start + len(value)) if first else None
    if first is None or second is None or "=" in clause:
        return False
    return (
        not any(noun.lower() in UNITS for noun in (first[1], second[1])) and first[1] != second[1]
    )
