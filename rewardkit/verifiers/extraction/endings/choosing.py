"""The option that a last sentence chooses without naming the answer: `So **H** is correct`."""

from __future__ import annotations

from rewardkit.verifiers.extraction.endings.ending import Ending
from rewardkit.verifiers.extraction.prose.doubts import is_hedged
from rewardkit.verifiers.extraction.text.cuts import start_of
from rewardkit.verifiers.vocabulary import phrases
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.letters import OPTION_LETTER
from rewardkit.verifiers.vocabulary.patterns import alternatives, last_of
from rewardkit.verifiers.vocabulary.sought import Sought, holds_one

UNSURE = Sought(r"\b(?:if|whether|not|doubt|suppose|assum\w+|either|or|nor|think)\b|n't")
_LETTER = rf"\**\(?({OPTION_LETTER})\)?\**"
_NAMED = rf"(?:[Oo]ption|[Cc]hoice)\s{_LETTER}"
_CONCLUDES = rf"\b(?i:{alternatives(phrases.CONCLUSIONS)}),?\s"
_OPTION = as_pattern(
    rf"\b{_NAMED}\sis\s(?:the\s)?(?:correct|right|answer)\b(?!\s*\?)"
    rf"|{_CONCLUDES}(?:the\s)?{_NAMED}\.?\**\s*\Z"
)
_BEGINS = r"(?:\A|[.,;!]\s|\n|\b(?i:so|therefore|thus|hence|and|but|yet)\s)"
_CHOSEN = as_pattern(
    rf"(?:(?:{_CONCLUDES}(?:I\s(?:think|believe)\s)?(?:it['’]s|it\s(?:is|must\sbe))"
    rf"|(?:\A|[.!?]\s|\n)(?:It|(?:After|Having|Looking|Reading|(?:Up)?[Oo]n)\s[^.,!?\n]{{3,60}},\sit)(?:['’]s|\s(?:is|must\sbe|has\sto\sbe)))\s(?:[a-z]+ly\s)?{_LETTER}"
    rf"|\b(?:leaves|leaving)\s(?:us\swith\s)?(?:only\s)?(?:option\s|choice\s)?{_LETTER}"
    rf"|\b(?:am|is|are)\s(?:only\s)?left\swith\s(?:only\s)?(?:option\s|choice\s)?{_LETTER}"
    rf"|\b(?:one|option|choice)\s(?:that\s(?:is|remains)\s)?(?:left|remaining)\s(?:over\s)?is\s{_LETTER}"
    rf"|\b(?:go|going|went)\s(?:with|for)\s(?:the\s)?(?:option\s|choice\s|answer\s)?{_LETTER}"
    rf"|\b(?i:option|choice)\s{_LETTER}\sit\sis"
    rf"|\b[Bb]y\s[a-z]{{3,15}}(?:\s[a-z]{{3,15}}){{0,2}},\s{_LETTER}"
    rf"|\bI\s(?:therefore\s|thus\s|hence\s|would\s|will\s)?(?:answer|go\swith|choose|pick|select|take)\s{_LETTER}"
    rf"|\b(?i:so|thus|hence|therefore)\s{_LETTER}\sit\sis|\b[Ww]hat\s(?:survives|remains|is\sleft)\sis\s{_LETTER}"
    rf"|\b[Mm]y\s(?:own\s)?\w+\s(?:also\s)?(?:confirms?|shows|proves|gives|yields|says)\s(?:that\s)?(?:option\s)?{_LETTER}(?:\sis\s(?:correct|right|true))?"
    rf"|\?\s{_LETTER}|\b(?:[Ss]o|[Tt]hus|[Hh]ence|[Tt]herefore)\s[^.:\n]{{3,60}}:\s{_LETTER}"
    rf"|(?<=,\s)(?:so|thus|hence|therefore)\s(?:only\s)?{_LETTER}(?:\s(?:is\sleft|remains))?"
    rf"|(?:[,:;]|\band|\bso)\s(?:this|that)(?:['’]s|\sis)\s{_LETTER}"
    rf"|\b(?:leaves|leaving|left\swith)\s(?:us\s)?(?:with\s)?(?:only\s)?\(?({OPTION_LETTER})\)\s[^.\n\d=]{{1,80}}"
    rf"|(?:\A|[.!]\s|\n)[^.!\n]{{1,120}}\s(?:is|are|at)\s\(({OPTION_LETTER})\)\s[^.\n\d=()]{{1,80}}"
    rf"|\bone\sis\s{_LETTER}|\b(?:should|would|will)\s(?:pick|choose|select)\s{_LETTER}"
    rf"|\b(?:is|to|with|matches|choose)\s(?:the\s)?(?:option|choice|letter|alternative)\s{_LETTER}"
    rf"|\b(?:(?:must|should|has\sto)\sbe|matches)\s(?:option\s|choice\s)?{_LETTER}"
    rf"|{_BEGINS}(?:(?i:option|choice|statement|answer|figure|graph)\s)?{_LETTER}\s(?:is|must\sbe|has\sto\sbe)\s(?:the\s)?(?:only\s)?(?:correct|right|best|better|option|choice|one"
    rf"|answer)\b[^.,;\n]{{0,30}}|{_BEGINS}(?:(?i:option|choice)\s)?{_LETTER}\s(?:fits|matches|works|suits)\s(?:it\s)?(?:better|best)|(?<!not\s)(?<!n't\s)(?<!n’t\s)\b(?:supports?|points?\sto|favou?rs?)\s(?:option\s|choice\s)?{_LETTER}"
    rf"|\b(?i:only)\s(?:option\s|choice\s|statement\s|answer\s)?{_LETTER}\s(?:satisf|work|fit"
    rf"|match|hold|remain|is|meet|does|agree|survive)"
    r"[^.,;\n]{0,40})(?:(?:,?\s(?:even\sthough|although|though|because|since|as)|:(?=\s[^.\n]*[a-z]{2}))\s[^.\n]{1,100})?[.!]?\**\s*\Z"
)
_RESTATED = as_pattern(
    rf"(?:\A|\n)[^\w\n]{{0,9}}({OPTION_LETTER})?[^\n]*\n\n\*\*\(?({OPTION_LETTER})[).]\)?\*\*\s[^\n]{{1,80}}\Z"
)
"""A last paragraph that is an option; after the option before it, it only ends their list."""
_ON_TOP = as_pattern(rf"\**\(?({OPTION_LETTER})[.)]?\**[.]?\s*\n\s*(?=[A-Z])")
"""An option on a line of its own, which the text below it explains."""
_REASONED = as_pattern(
    rf"(?:\A|\n)\**\(?({OPTION_LETTER})[.)]\)?\**\s[^\n=]{{1,60}}\n+(?=(?:Because|Since"
    r"|This\sis\s(?:because|since)|The\sreason|Reason|Explanation)\b)"
    rf"|\A\*\*\(?({OPTION_LETTER})[.)]\)?\s[^\n=*]{{1,60}}\*\*\n+(?=[A-Z])"
)
"""An option with its text on a line, which the next one gives reasons for."""
_ONE = rf"\(?{OPTION_LETTER}\)?"
_LETTERS = rf"{_ONE}(?:,\s{_ONE})*,?\s(?:and|&|und|et|y|e)\s{_ONE}"
_SEVERAL = as_pattern(
    rf"(?<!,\s)(?<!and\s)(?<!\w)({_LETTERS})\s(?:are|hold|work|remain|apply|satisfy)\b"
    r"(?!\s(?:not|wrong|false|incorrect|excluded|eliminated|out)\b)"
    r"(?:\s(?:both|all|the|only))*(?:\s(?:correct|right|true|valid|answers?|options?|ones|choices"
    r"|statements))*"
    rf"|\b(?:(?:correct|right|true|valid)\s(?:options|choices|answers|statements|ones)(?:\sare|\s?:)"
    rf"|(?:correctas|correctes|bonnes\sréponses|[Rr]ichtig|corrette|corretas)\s(?:son|sont|sind|sono|são))"
    rf"\s({_LETTERS})"
)
_GIVES_REASON = (
    "\nBecause",
    "\nSince",
    "\nThis is ",
    "\nThe reason",
    "\nReason",
    "\nExplan",
    "**\n",
)
"""What every one of `_REASONED` holds."""
_AND = (" and ", " & ", " und ", " et ", " y ", " e ")
_REST = as_pattern(
    rf"\s*(?:[.,;]|,\s(?:while|whereas|and|but))\s(?:(?:[Oo]ption|[Ss]tatement|[Cc]hoice)s?\s)?(?:{_LETTERS}|\(?{OPTION_LETTER}\)?)\s"
    r"(?:(?:is|are|do|does)(?:\snot|n['’]t|\swrong|\sfalse|\sincorrect)|fails?|cannot|violates?|contradicts?)\b"
    rf"(?:(?!\b{OPTION_LETTER}\b)[^.\n]){{0,100}}"
)
"""What is said of the other options."""
_CHOOSES_ANEW = as_pattern(
    r"\b(?i:answer|option|choice|wait|actually|instead|correct(?:ion)?)\b|\n\W*[A-Z][.):]|\?"
)
_OPTION_LINE = as_pattern(rf"(?m:^)\W{{0,3}}{OPTION_LETTER}[.):]\s")
_LONE = as_pattern(rf"\b{OPTION_LETTER}\b")
_SPOILED = as_pattern(
    r"\b(?:not|fails?|wrong|incorrect|false|or|[Ii]f|violates?|excluded|eliminated|rejected|might|could|either|neither|nor|maybe"
    r"|perhaps)\b|n['’]t\b|\?"
)
_DENIED = as_pattern(r"(?:n['’]t|\b(?:not|never))\s.?\Z")
"""Right before what chooses: `I wouldn't go with A`."""
_MAX_CHARS = 150


def chosen_option(end: Ending) -> str | None:
    """Return the letter of `Option D is correct.`, or of a last `So it's D`."""
    last = end.tail[-_MAX_CHARS:]
    if _LONE.search(last) and (chosen := _CHOSEN.search(last)):
        before = last[start_of(last, chosen.start() + 2) : chosen.start() + 1]
        reason = last.find(":", chosen.end(chosen.lastindex or 0), chosen.end())
        said = last[chosen.start() : reason if reason >= 0 else chosen.end()]
        if not (_SPOILED.search(said) or _DENIED.search(before) or is_hedged(before)):
            return str(next(filter(None, chosen.groups())))
    again = _RESTATED.search(last.rstrip()) if "\n\n**" in last else None
    if again and not (again[1] and ord(again[1]) + 1 == ord(again[2])):
        return again[2]
    if holds_one(end.tail, _GIVES_REASON) and (reasoned := _REASONED.search(end.tail)):
        others = _OPTION_LINE.search(end.tail, 0, reasoned.start() + 1)
        if not others and not _CHOOSES_ANEW.search(end.tail, reasoned.end()):
            return reasoned[1] or reasoned[2]
    if holds_one(last, _AND) and (several := _several(last)):
        return several
    if (top := _ON_TOP.match(end.tail)) and not _CHOOSES_ANEW.search(end.tail, top.end()):
        return top[1]
    named = "option" in end.low or "choice" in end.low
    matches = list(_OPTION.finditer(end.tail)) if named else []
    if not matches or UNSURE.search(end.sentence_before(matches[-1].start())):
        return None
    return matches[-1][1] or matches[-1][2]


def _several(last: str) -> str | None:
    """Return the options that the end of a text calls right together, `Both A and C are right`."""
    found = last_of(_SEVERAL.finditer(last))
    if found is None:
        return None
    rest = _REST.sub("", last[found.end() :], count=1)
    before = last[start_of(last, found.start()) : found.start()]
    if rest.strip(" .!*\n") or _SPOILED.search(before) or is_hedged(before):
        return None
    return ", ".join(_LONE.findall(found[1] or found[2]))
