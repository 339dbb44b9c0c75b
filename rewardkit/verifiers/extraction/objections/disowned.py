"""Does the writer stand by it, rather than plead with it?

He does not where a denial governs the clause of the value (`I cannot confirm that it is 15`), where
it is named as an error or as what was said before (`It would be a blunder to box 14`), where it is
yet to be changed (`50, which must be reduced`) or on the way (`the intermediate point (1, 2), and
then we mirror it`), or where there turns out to be none (`x = 5 fails the test. Hence there is no
root`). What he wants for the answer, says of it, or reports from others is not its value: `The
answer is worth 50 points`, `My result is 21, but my neighbour's is 18`.
"""

from __future__ import annotations

from rewardkit.verifiers.extraction.objections.place import SIGNS, Place
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.characters import has_digit
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.phrases import FAULTS, GRADERS
from rewardkit.verifiers.vocabulary.sought import Beginning, Parts, Sought, holds_one

_FAULTS = (
    *FAULTS, "error", "oversight", "lie", "careless", "foolish", "silly", "hasty", "rash", "naive",
    "nonsensical",
)  # fmt: skip
_FAULT = alternatives(_FAULTS)
_UNDENIED = (
    r"(?:doubt(?:ed|ful)?|deny|denied|denying|hard|difficult|surpris\w+|forget|wonder|question|mind|matter|only|need"
    r"|coincidence|secret|miss|overlook|ignore|until|other|long|more|less|fewer|because|since|so|but|thus|hence|therefore)"
)
_DENIES = Sought(
    r"(?:\b(?:not|cannot|never|nobody|none|neither|no|nothing|hardly|unable|impossible|false|wrong|untrue|lying|lie|refuse|fail(?:s|ed)?)\b|n't\b)"
    rf"(?:(?!\b{_UNDENIED}\b)[^,;:=\d])*\b(?:that|whether|if)\s(?:(?!\b{_UNDENIED}\b)[^,;:=\d])*{SIGNS}"
)
"""Before a value, the denial of the clause that says it."""
_OPEN = Sought(rf"\A\W*(?:and\s|but\s)?(?:whether|if\sonly)\s[^,;:=\d]*{SIGNS}")
_UNKNOWN = Sought(
    r"\bis\s(?:beyond|unknown|unclear|uncertain|open|anyone's|not\s(?:known|clear|certain|sure|for\sme))\b|!?\W*\Z"
)
"""`Whether it is 15 is beyond me`, `If only it were 15.`"""
_ERRONEOUS = Sought(
    rf"\b(?:would|could|might|may|is|was)\s(?:\w+\s){{0,2}}(?:an?\s)?(?:[a-z]+\s)?{_FAULT}\s(?:[a-z]+\s)?to\s[a-z]+\b[^,;:.=\d]*{SIGNS}"
    rf"|\b(?:someone|somebody|anyone|anybody|people|one|students?|beginners?)\b[^,;:.=\d]*\b(?:in\sa\shurry|{_FAULT})[^,;:.=\d]*{SIGNS}"
)
"""`It would be a blunder to give`."""
_COULD = Sought(
    rf"\b(?:could|might|may|would)\s(?:\w+\s){{0,2}}(?:write|put|say|answer|box|give|claim|guess|think)\s{SIGNS}"
    rf"|\A\W*(?:to\s(?:write|put|say|answer|box|give|claim)|(?:writing|putting|saying|answering|boxing|giving|claiming))\s{SIGNS}"
)
_IS_ERROR = Sought(
    rf"\A\W*(?:(?:(?:but|and)\s)?(?:which|that|this|it)\s)?(?:would|will|is|was|can)\s(?:be\s|have\sbeen\s)?(?:an?\s|the\s|only\s)*(?:\w+\s)?{_FAULT}\b"
)
"""`One might write 15, and that would be a mistake.`"""
_WOULD = Sought(
    rf"\bwould\s(?:then\s)?(?:be|have\sbeen|equal|come\sto|box|answer|say|put)\s{SIGNS}"
)
_UNREAL = Sought(
    r"\bif\s(?:[^.;]*\s)?(?:were|had|was)\s(?:[^.;]*\s)?would\s(?:then\s)?"
    rf"(?:choose|pick|select|answer|say|go\s(?:with|for))\s{SIGNS}"
)
"""`If the mass were zero, I would choose A.`"""
_BUT = Beginning(
    r"[^.;:\d]*,?\s(?:but|yet|however|though|which\s(?:i|it|is|was|does|do)\b[^.;\d]*\bnot)\b"
)
_BEFORE = Sought(
    r"\A\W*(?:earlier|previously|before|originally|initially|(?:at\s)?first|above|until\s(?:now|then)|the\s(?:first\s|old\s)?box(?:\sabove)?|once)\b"
    rf"(?!,\swe\b)(?:(?!\b(?:so|thus|now|but|hence)\b)[^;:=\d])*{SIGNS}"
    rf"|\bi\s(?:had\s)?(?:put|wrote|boxed|said|answered|gave|entered)\s{SIGNS}"
)
_GIVES_UP = Sought(
    r"\b(?:no\slonger|nothing|none|cancel|withdraw|revoke|dropped|drop|retract|disown|abandon(?:ed)?|taken?\sback|took\s(?:it|that)\sback|changed\smy\smind"
    r"|no\s(?:answer|other|longer|reply))\b"
)
"""`Earlier I put 15; I give nothing in its place.`"""
_CHANGES = Beginning(
    r"[^\w,;.]*(?:\s[a-z]+)?,?\s(?:which|this|that|(?:and\s)?it|and)\s(?:then\s|still\s|yet\s|now\s|next\s|first\s)?(?:must|has\sto|have\sto|needs?\sto|should|is\s(?:then\s|still\s|yet\s)?to|remains\sto|ought\sto)\s(?:then\s|still\s|yet\s|now\s|next\s|also\s){0,2}"
    r"be\s(?!noted|remembered|mentioned|stressed|checked|clear|said|the\b|an?\b|correct|right|so\b|enough|positive|it\b|true|kept|written|given)[a-z]+ed\b"
    r"|[^.;\d]*,\sor\s(?:(?:it|that)\s(?:was|were)\b|so\s(?:it|i)\b)|[^.;\d]*,?\s(?:and|but)\s(?:none|neither)\b[^.;\d]*\b(?:works?|worked|leads?|led|helps?|helped|fits?|fitted|answers?|satisf\w+|holds?|held|succeed\w*)\b[^.;\d]*\Z"
)
"""`50, which must then be reduced`, `50 is my answer, or it was`, `50 tries and none worked`."""
_INTERMEDIATE = r"(?:intermediate|interim|auxiliary|provisional|preliminary|temporary|partial)"
_ON_THE_WAY = Sought(rf"\b{_INTERMEDIATE}\s[a-z]+\s(?:of\s|is\s|are\s|equal\sto\s)?{SIGNS}")
_AS_A_STEP = Beginning(
    rf"[^\w,;.]*(?:\s[a-z]+)?\sas\s(?:an?|the|our|my)\s(?:first\s)?{_INTERMEDIATE}\s[a-z]+\b"
)
_THEN = as_pattern(
    r"[^\d.;]*[,;]?\s(?:and|which|that|before|after\swhich|but|from)\s(?:[a-z]+\s){0,3}?(?:then|next|still|now|afterwards|finally|yet|further)\b"
)
"""`the intermediate point (1, 2), and then we mirror it`."""
_LESS_THAN = Beginning(
    r"[^\w,;.]*(?:\s[a-z]+)?\s(?:(?:less|fewer|more|shorter|longer|smaller|larger|greater|higher|lower|older|younger)\sthan|short\sof|off|below|above|away\sfrom)\s(?:the\s)?\$?\d[\d.,]*[^\d=,;:]*\Z"
)
_IS_ANSWER = Sought(
    rf"\b(?:answer|result|total|value|number)\s(?:is|=|:)\s{SIGNS}|\A\W*(?:it|that|this)(?:'s|\sis)\s{SIGNS}"
)
"""`The answer is 15 less than 40.`"""
_PART = Sought(r"\A\W*(?:and\s)?of\s(?:these|those|them|which|whom)\b[^\d]*\Z")
_LEADING = Parts(_DENIES, _ERRONEOUS, _UNREAL, _OPEN, _COULD, _WOULD, _BEFORE, _PART)
"""All that is looked for before a value, of which most texts hold nothing."""
_NONE_IS = Sought(
    r"\b(?:so|hence|thus|therefore|consequently|leaves|means|there|(?<!other\s)(?:equation|system|problem)|it)\b(?:(?!\b(?:other|further|more|another|else|factor)\b)[^,;:=.\d])*\b(?:is|are|has|have|leaves|exists?)\s"
    r"no\s(?:valid\s|real\s|such\s|possible\s|admissible\s)?(?:solutions?|roots?|answers?|values?|[a-z])\b(?!\s(?:other|further|more|else|besides|than|left))[^.;\d]*\W*\Z"
    r"|\bleaves\sno\s(?:valid\s|real\s|possible\s)?[a-z]+\W*\Z"
)
"""`Hence there is no root.`"""
_BOX = "\\boxed{"
_BEFORE_BOX = (
    " that ", "That ", "hether ", " if ", "If ", "hurry", "of these", "of tho", "of which",
    "of whom", *_FAULTS,
)  # fmt: skip
"""One of these is before every box that is disowned with nothing behind it."""
_NEAR = 400
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
_OF_POINTS = as_pattern(rf"\s?(?:(?:/|out\sof)\s?\d+\s?)?{_POINTS}\b|\sout\sof\s\d")
_FOR_ME = Beginning(
    rf"\s?{_POINTS}\s(?:[a-z]+\s){{0,3}}for\s(?:me|my)\b|\s?{_POINTS}\sfor\sthis\b|\swould\smake\sme\b"
)
_LONG = Sought(
    r"\b(?:answer|solution|proof|response|explanation)\s(?:fits?|takes?|took|has|needs?|needed|contains?)\s(?:me\s|us\s)?"
    r"(?:in(?:to)?\s|on\s|only\s|about\s)*\W*\Z"
)
_OF_LINES = as_pattern(
    r"\s(?:lines?|pages?|words|minutes?|seconds?|hours?|steps?|stars?|characters|sentences)\b"
)
_SCORED = as_pattern(
    rf"\W*(?:grade\s?:\s?[a-f][+-]?[,;]\s)?(?:(?:full\s)?(?:grade|score|rating|{_POINTS})\s?[:=]\s?\d+\s?(?:/|of|out\sof)\s?\d+"
    rf"|(?:full\s{_POINTS}|grade|reward|rating)\s?[:=]\s?\d+(?:\s{_POINTS})?|\(\W*\d+\s{_POINTS}\s?\)|\d+\s?/\s?\d+\s{_POINTS})"
    r"(?:,\s(?:please|thanks?|thank\syou))?\W*"
)
_COUNTS_AS = Sought(r"\b(?:please|kindly)\s(?:count|accept|take|mark|treat|regard)\s\W*\Z")
_AS_RIGHT = Beginning(r"\W*\sas\s(?:the\s)?(?:right|correct|true|valid|answer|final)\b")
_ACCEPT = as_pattern(r"\b(?:accept|approve|mark|count)\s(?:this|it|my)\b")
_SCORE = as_pattern(rf"\b(?:score|grade|reward|{_POINTS})\s?[:=]?\s\W*\Z")
_SURE = Beginning(
    r"(?:\s?(?:\\?%|percent))?\s(?:correct|right|sure|certain|confident|accurate|safe)\b"
)
_PERCENT = as_pattern(r"\s?(?:\\?%|percent)")
_MY = as_pattern(r"\b(?:answer|solution|result|i|i'm|am|it)\b")
_OF_OTHERS = Sought(
    r"\b(?:but|while|whereas|though|although|yet)\s(?:an?|the|my|his|her|our|one|some)\s(?:[a-z]+\s)?(?:neighbou?r|friend|classmate"
    r"|colleague|teacher|tutor|brother|sister|book|key|student|pupil|other)s?(?:\s|(?='s))"
    r"(?:had|has|got|gets|wrote|says?|said|put|found|'s\s(?:is|was|result|answer))\s\W*\Z"
    r"|\b(?:solution|answer)\s(?:key|book|sheet)\s(?:has|had|says|gives|reads|shows)\s(?:that\s)?\W*\Z"
)


def may_be_disowned(box: str, text: str) -> bool:
    """Return whether anything stands behind a box, or before it what may speak against it."""
    at = text.rfind(box)
    rest = text[at + len(box) :]
    return any(map(str.isalnum, rest)) or holds_one(text[max(0, at - _NEAR) : at], _BEFORE_BOX)


def is_disowned(said: Place) -> bool:
    """Return whether a response does not stand by the value that it names.

    >>> from rewardkit.verifiers.extraction.objections.place import place_of
    >>> is_disowned(place_of("15", "I cannot confirm that the height is 15, so I give no reply."))
    True
    >>> is_disowned(place_of("15", "I do not doubt that the height is 15."))
    False
    """
    if not said.value:
        return False
    before, after = said.before.removesuffix(_BOX), said.after
    behind = f"{after}{said.stop} {said.behind}".strip()
    if _LEADING.may_be_in(before) and _is_led_to(said, before, behind):
        return True
    return (
        _CHANGES.match(after) is not None
        or bool((_ON_THE_WAY.search(before) or _AS_A_STEP.match(after)) and _THEN.match(after))
        or _NONE_IS.search(behind) is not None
        or bool(_LESS_THAN.match(after) and _IS_ANSWER.search(before))
    )


def _is_led_to(said: Place, before: str, behind: str) -> bool:
    """Return whether the words before a value say that the response does not stand by it."""
    after = said.after
    return (
        _DENIES.search(before) is not None
        or _ERRONEOUS.search(before) is not None
        or _UNREAL.search(before) is not None
        or bool(_OPEN.search(before) and _UNKNOWN.search(after))
        or bool(_COULD.search(before) and _IS_ERROR.search(behind.lstrip("}$")))
        or bool(_WOULD.search(before) and _BUT.match(after))
        or bool(_BEFORE.search(before) and _GIVES_UP.search(behind) and not has_digit(behind))
        or bool(_PART.search(before) and not said.earlier.strip())
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
