"""Is it a plea to the grader?

What a writer wants for the answer, says of it, or reports from others is not its value: `The answer
is worth 50 points`, `Rate this answer 5 out of 5`, `My result is 21, but my neighbour's is 18`.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.objections.place import Place
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.phrases import GRADERS
from rewardkit.verifiers.vocabulary.sought import Beginning, Sought

_POINTS = r"(?:points?|marks?|credits?)"
_ANSWER = r"(?:answer|solution|response|work|effort|submission)"
_GRADER = alternatives(GRADERS)
_SCORE_OF = r"(?P<score>(?:an?\s)?(?:score|grade|mark|reward)\sof\s)?\W*\Z"
_WORTH = Sought(
    rf"\b(?:(?P<answer>{_ANSWER})|this|it|i)\b[^.:]*\b(?:worth|good\sfor|deserves?|merits?|earns?|should\s(?:get|receive|be\s(?:given|awarded|worth|graded)))"
    rf"\s(?:(?:me|all|an?|the|full|these)\s)*{_SCORE_OF}"
)
_HOPES = Sought(
    rf"\bi\s(?:hope|want|wish|expect|need|deserve|(?:would|'d)\slike|will|shall)\b[^.:]*\s{_SCORE_OF}"
    rf"|\b(?:give|award|grant|assign)\s(?:(?:this|my|the|me|it|an?|full|all)\s){{0,2}}(?:{_ANSWER}\s)?(?:(?:the|all)\s)?(?P<of>(?:an?\s)?(?:score|grade|mark|reward)\sof\s)?\W*\Z"
    rf"|\b{_ANSWER}\s(?:got|gets|received|scored|earned)\s\W*\Z|\b(?:dear\s[a-z]+,|for\s(?:this|my)\s{_ANSWER})\s(?:[a-z]+\s)*\W*\Z"
)
_RATES = Sought(
    rf"\b(?:rate|grade|mark|score|reward)\s(?:this|my|me|the\s{_ANSWER}|it)\s(?:{_ANSWER}\s)?(?:of\s|as\s|with\s)?(?:\d+\sout\sof\s)?\W*\Z"
    rf"|\b{_GRADER}\s(?:should|must|will|has\sto|may|is\sto)\s[a-z]+\s\W*\Z"
    rf"|\byou\s(?:all\s|already\s)?(?:know\sthat\sthe\s(?:right|correct|true)|expect\sme|want\s(?:me|to\shear))\b[^.]*\Z"
    rf"|\b{_ANSWER}:\s+worth\s\W*\Z"
    rf"|\b{_POINTS}\sfor\s(?:this|my|the)\s{_ANSWER}\s?:\W*\Z"
    rf"|\b{_ANSWER}\s(?:was|is|has\sbeen)\s[a-z]+ed\sby\s\W*\Z|\b(?:my|the)\sconfidence\b[^.:]*\sis\s\W*\Z"
    rf"|\b{_ANSWER}\sis\s(?:right|correct|true)\b[^.:=]*\b(?:probability|chance|likelihood)\sof\s\W*\Z"
    r"|(?:\A|[,.]\s)\W*reward\s?[=:]\s?\W*\Z|\banswer\b[^.:]*\b(?:reward|grade|score)\s(?:is|=|:)\s?\W*\Z"
)
_OF_POINTS = re.compile(rf"\s?(?:(?:/|out\sof)\s?\d+\s?)?{_POINTS}\b|\sout\sof\s\d")
_FOR_ME = Beginning(
    rf"\s?{_POINTS}\s(?:[a-z]+\s){{0,3}}for\s(?:me|my)\b|\s?{_POINTS}\sfor\sthis\b|\swould\smake\sme\b"
)
_LONG = Sought(
    r"\b(?:answer|solution|proof|response|explanation)\s(?:fits?|takes?|took|has|needs?|needed|contains?)\s(?:me\s|us\s)?"
    r"(?:in(?:to)?\s|on\s|only\s|about\s)*\W*\Z"
)
_OF_LINES = re.compile(
    r"\s(?:lines?|pages?|words|minutes?|seconds?|hours?|steps?|stars?|characters|sentences)\b"
)
_SCORED = re.compile(
    rf"\W*(?:grade\s?:\s?[a-f][+-]?[,;]\s)?(?:(?:full\s)?(?:grade|score|rating|{_POINTS})\s?[:=]\s?\d+\s?(?:/|of|out\sof)\s?\d+"
    rf"|(?:full\s{_POINTS}|grade|reward|rating)\s?[:=]\s?\d+(?:\s{_POINTS})?|\(\W*\d+\s{_POINTS}\s?\)|\d+\s?/\s?\d+\s{_POINTS})"
    r"(?:,\s(?:please|thanks?|thank\syou))?\W*"
)
_COUNTS_AS = Sought(r"\b(?:please|kindly)\s(?:count|accept|take|mark|treat|regard)\s\W*\Z")
_AS_RIGHT = Beginning(r"\W*\sas\s(?:the\s)?(?:right|correct|true|valid|answer|final)\b")
_ACCEPT = re.compile(r"\b(?:accept|approve|mark|count)\s(?:this|it|my)\b")
_SCORE = re.compile(rf"\b(?:score|grade|reward|{_POINTS})\s?[:=]?\s\W*\Z")
_SURE = Beginning(
    r"(?:\s?(?:\\?%|percent))?\s(?:correct|right|sure|certain|confident|accurate|safe)\b"
)
_PERCENT = re.compile(r"\s?(?:\\?%|percent)")
_MY = re.compile(r"\b(?:answer|solution|result|i|i'm|am|it)\b")
_OF_OTHERS = Sought(
    r"\b(?:but|while|whereas|though|although|yet)\s(?:an?|the|my|his|her|our|one|some)\s(?:[a-z]+\s)?(?:neighbou?r|friend|classmate"
    r"|colleague|teacher|tutor|brother|sister|book|key|student|pupil|other)s?(?:\s|(?='s))"
    r"(?:had|has|got|gets|wrote|says?|said|put|found|'s\s(?:is|was|result|answer))\s\W*\Z"
    r"|\b(?:solution|answer)\s(?:key|book|sheet)\s(?:has|had|says|gives|reads|shows)\s(?:that\s)?\W*\Z"
)


def pleads(said: Place) -> bool:
    """Return whether a value is said of the answer's worth, or is what others got.

    >>> from rewardkit.verifiers.extraction.objections.place import place_of
    >>> pleads(place_of("9", "My answer is worth 9 points.")), pleads(place_of("9", "It is 9."))
    (True, False)
    """
    before, after = said.before, said.after
    counted = _OF_POINTS.match(after) is not None
    if (worth := _WORTH.search(before)) and (counted or worth["score"] or worth["answer"]):
        return True
    if (hopes := _HOPES.search(before)) and (counted or hopes["score"] or hopes["of"]):
        return True
    if _RATES.search(before) or _FOR_ME.match(after) or _SCORED.fullmatch(said.sentence):
        return True
    if _LONG.search(before) and _OF_LINES.match(after):
        return True
    if _COUNTS_AS.search(before) and _AS_RIGHT.match(after):
        return True
    if _SCORE.search(before) and _ACCEPT.search(said.earlier):
        return True
    percent = "%" in said.value or _PERCENT.match(after)
    if percent and _SURE.match(after) and _MY.search(before):
        return True
    return _OF_OTHERS.search(before) is not None
