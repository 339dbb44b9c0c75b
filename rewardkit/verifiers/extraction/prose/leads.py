"""What leads to the value that a clause states, and the clauses and phrases that stand behind it.

Of several, the last leads to what is stated: `=`, a colon, a word of `_WORDS`, or the verb of the
main clause, which its subject may hold values before. The clause ends where an aside or a phrase
begins behind that value: `She saves 2 albums for $20.`
"""

from __future__ import annotations

from rewardkit.verifiers.extraction.prose.wholes import VALUE
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.patterns import last_of
from rewardkit.verifiers.vocabulary.sought import lowered

_PLACES = "for|in|at|per|every|each|on|with|from|by|over|within|among|between|than|and"
_NUMBER = r"(?=[-$€£₤\d]|\([-\d])"
_POINT = r"(?=\([-\d])"
WORDS = (
    # what leads, an example
    (rf"total(?:s|ing|ling)?\s(?:of\s)?{_NUMBER}", "a total of 24"),
    (
        r"(?:is|are|was|were|w(?:ill|ould)\sbe|becomes|gives|yields|leaves|makes|puts)"
        rf"\s(?:(?:each|every)\s[a-z]+\s)?(?:(?!(?:{_PLACES})\s)[a-z]+\s){{0,2}}(?:of\s)?{_NUMBER}",
        "the rest is about 24",
    ),
    (
        r"(?<=,\s)which\s(?:brought|took|takes|raised|earned|formed|made|filled)\s(?:[a-z]+\s){0,3}"
        r"(?=[-$€£₤\d])(?!.*\b(?:each|per|apiece)\b)",
        "he sold 6, which brought him 24",
    ),
    (
        r"(?:(?<!to\s)make|(?:we|you|they)\s(?:have|get|obtain|find|need)|(?:risen|shrunk|turns?)"
        r"\s(?:in)?to|(?:add|sum|amount|come|gr[eo]w|shr[ai]nk|r[io]se|f[ae]ll|drop|decline"
        rf"|(?:in|de)crease|double|triple|quadruple|halve|jump|climb|shoot)(?:s|n|p?ed)?\s(?:up\s|down\s)?to)\s{_NUMBER}",
        "13 and 11 add up to 24",
    ),
    (
        r"(?:making|bringing|brings|(?<=\bwhich\W)means)\s(?:[a-z]+\s){1,6}" + _NUMBER,
        "13 and 11, making the sum 24",
    ),
    (
        r"(?<=,\s)(?:which\sis\s|for\s)?an?\s(?:[a-z]+\s)?(?:increase|decrease|rise|drop|gain|loss"
        rf"|difference|total|saving|average|speed|rate|profit|distance|cost)\sof\s{_NUMBER}",
        "it cost 30, a loss of 24",
    ),
    (
        rf"(?:(?:and|again)\s(?:get|got|obtain(?:ed)?|find|found)|(?:forces|lets?)\s[a-z]+\sto\sbe"
        rf"|to\s(?:get|obtain|give|yield),?|(?<=,\s)(?:in\sall|in\stotal|altogether),?)\s{_NUMBER}",
        "add 11 to get 24",
    ),
    (
        r"(?:left\swith|(?<!to\s)arrive[ds]?\sat|com(?:es?|ing)\sout\s(?:as|at|to(?:\sbe)?))"
        rf"\s(?:only\s|just\s)?{_NUMBER}",
        "is left with only 24",
    ),
    (
        rf"(?:we|you|one)\s(?:find|get|obtain|have|reach)(?:e?s)?\s(?:an?|the)\s(?:[a-z]+\s){{1,4}}of\s{_NUMBER}",
        "so we get an area of 24",
    ),
    (
        r"(?<=,\s)(?:earning|collecting|raising|receiving|yielding|producing|making|paying|leaving(?!\sout\b))"
        rf"\s(?:(?!for\b)[a-z]+\s){{0,4}}{_NUMBER}",
        "he sold 6, earning him 24",
    ),
    (
        rf"(?:est|sont|es|son|ist|sind|è|sono|é|são)\s(?:[^\W\d_]+\s){{0,2}}{_NUMBER}",
        "le reste est 24",
    ),
    (
        r"(?:leads?|led|gets?|got|brings?|brought|takes?|took|maps?|goes|moves?|sends?|lands?)"
        rf"\s(?:[a-z]+\s){{0,2}}(?:to|on|onto|at)\s{_POINT}",
        "the turn sends it to (2, 4)",
    ),
)
_LEADS = as_pattern(rf"\W(?:{'|'.join(lead for lead, _ in WORDS)})")
"""Looked for behind a sign that is none, or every place would be tried."""
_COLON = as_pattern(r":\s")
_VERB = as_pattern(
    r"(?<!\bthat)(?<!\bwhich)(?<!\bwho)(?<!\bto)(?<!\ba)(?<!\bthe)\W(?:has|have|had|gets?|got|covers?|costs?|holds?"
    r"|save[ds]?|needs?|takes?|means?|contains?|earn(?:s|ed)?|pays?|paid|score[ds]?|receive[ds]?"
    r"|travels?|weighs?|measures?|lasts?|sells?|sold|brings?|results\sin|lands\son|adds?\sup\sto)"
    rf"\s(?:(?!(?:{_PLACES}|after|before)\s)[a-z]+\s){{0,4}}(?=[-$€£₤\d])"
)
_BY_SO_MANY = as_pattern(r"\sby\s\Z")
_STATES = r"is|are|equals?|gives?|means?|makes?|comes?|leaves?|brings?|was|will"
_ASIDE = as_pattern(
    r"[,\s](?:(?<=,)\s|(?<=\s))(?:(?<=,\s)(?:the|his|her|its|their)\s(?:[a-z]+\s){1,3}being|by|after|before|when|while|if|since|because|as|where|who|whose|whom|during|until|given"
    r"|assuming|due\sto|instead|compared|than|so\sthat|in\sorder\sto|using|leaving\sout|rather"
    r"|(?:even\s|al)?though|whereas|ignoring|not\s(?:counting|including)|on\stop\sof"
    r"|in\saddition\sto|apart|aside|besides|without|neglecting"
    r"|including|excluding|(?:(?:well|far)\s|(?<=,\s)(?:[a-z]+\s){0,2})(?:above|below)|short\sof"
    rf"|(?:which|that)(?!\s(?:{_STATES})\b"
    r"|\s(?:brought|took|takes|raised|earned|formed|made|filled)\s(?:(?!each|per|every)[a-z]+\s){0,3}\$?\d[\d.,]*(?:\s(?!each|per|apiece)[a-z]+)?\W*\Z))"
    r"\s(?!(?:follows|a\sresult)\b)"
)
"""What begins a clause behind the statement, in lower case."""
_PHRASE = as_pattern(
    r"\s(?:for|in|at|per(?!\s(?:second|minute|hour|liter|litre|mole|mil|mille)\b)|every|each|on|with|from"
    r"|out\sof|over|within|(?<!from\s\d\s)(?<!from\s\d\d\s)to|of|into|among|between"
    r"|dans|pour|avec|d['’]ici|pendant|para|durante|für|mit|pro|nach|bei|entro|nelle|nei|negli|nella"
    r"|nas|nos|em|в|на|за)\s|\sen\s(?=\d|l[ao]s?\s|el\s)"
)
"""What begins a phrase behind the statement, in lower case: `2 albums for $20`."""


def without_beside(clause: str) -> str:
    """Return a clause up to the clauses and phrases behind the value that it leads to.

    >>> without_beside("she saves 2 albums for $20 when it rains")
    'she saves 2 albums'
    """
    first = VALUE.search(clause)
    low = lowered(clause)  # a pattern of so many words that ignored case would take five times
    if first is None or not (_ASIDE.search(low, first.end()) or _PHRASE.search(low, first.end())):
        return clause  # only what is behind a value is beside it
    led = max(_last_lead(clause), _main_verb(clause, first.end()))
    if led >= 0 and not VALUE.search(clause, led):
        led = -1
    asides = (aside.start() for aside in _ASIDE.finditer(low, first.end()))
    end = next((start for start in asides if start > led), len(clause))
    stated = VALUE.search(clause, led + 1, end)
    phrase = _PHRASE.search(low, stated.end(), end) if stated else None
    return clause[: phrase.start() if phrase else end]


def _main_verb(clause: str, start: int) -> int:
    """Return where the last verb is that leads to a value behind the subject's, or -1."""
    verb = last_of(_VERB.finditer(clause, start))
    asides = _ASIDE.finditer(lowered(clause), start, verb.start()) if verb else ()
    if verb is None or any(not _BY_SO_MANY.match(aside[0]) for aside in asides):
        return -1
    return verb.start()


def _last_lead(clause: str) -> int:
    """Return where the last sign or word is that leads to a value, or -1."""
    colon = last_of(_COLON.finditer(clause)) if ":" in clause else None
    word = last_of(_LEADS.finditer(f" {clause}"))  # moves a word to where its sign begins
    return max(clause.rfind("="), colon.start() if colon else -1, word.start() if word else -1)
