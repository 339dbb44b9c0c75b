"""Is a value only told of, rather than answered with?

It is what others write, who are not to be followed (`Many would now write 48. Don't.`), or a box of
theirs in which something was forgotten; what is on file, whatever that is (`if it's 42, then 42`);
an input that all else is left to follow from; a number that only equals itself (`13 = 13`); or what
stands before the thing that the question is about (`The centre is (3,-2); the question is about the
radius, which is 5`).
"""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.objections.place import SIGNS, Place
from rewardkit.verifiers.vocabulary.alternatives import TASK
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.sought import Beginning, Parts, Sought

_WRITE = r"(?:write|put|say|answer|stop|box|give|claim|state|conclude|guess|get|choose|pick)"
_MANY_WRITE = Sought(
    r"\b(?:many|most|some|people|students|pupils|beginners|learners|others)\b(?:\s(?:of\s)?[a-z]+){0,3}?"
    rf"\s(?:(?:would|might|could|will|may|often|usually|now|here|then|just|simply)\s){{1,4}}{_WRITE}\b[^.:;=\d]*{SIGNS}"
)
_DO_NOT = Sought(
    r"[.!;:–—-]\s(?:please\s|but\s)?(?:do\snot|don't|never)(?:\s(?:do|write|follow|copy|imitate|fall\sfor|answer|say))?"
    r"(?:\s(?:that|this|so|it|them|likewise|the\ssame|as\sthey\sdo)){0,2}\W*\Z"
)
_HOLDER = (
    r"(?:classmate|friend|neighbou?r|colleague|brother|sister|student|pupil|book|textbook|key|solution\ssheet|paper"
    r"|tutor|teacher)(?:'s)?"
)
_ENDS_WITH = Sought(
    rf"\b(?:an?|the|my|his|her|our|one)\s(?:[a-z]+\s)?{_HOLDER}(?:\s[a-z]+){{0,2}}?\s(?:ends?|ended|finish(?:es|ed)|clos(?:es|ed)|says?|said|is|was|has|had|gives?"
    rf"|gave|got|wrote|arrives?|arrived|comes|came)\s(?:[a-z]+\s){{0,2}}{SIGNS}"
)
_THEY_FORGOT = Beginning(
    r"\W*(?:but\s)?(?:he|she|it|they|this|that|which)\s(?:(?:has|had|have|clearly|obviously|only|just)\s)*"
    r"(?:forg[eo]ts?|forgotten|overlook(?:s|ed)|ignore[sd]?|miss(?:es|ed)|neglect(?:s|ed)|omit(?:s|ted)|left\sout|leaves\sout"
    r"|disregard(?:s|ed)|misread|miscount(?:s|ed)|count(?:s|ed)\s[^.;\n]*\btwice)\b"
)
_IF_SO = as_pattern(
    r"\bif\s(?:it|that|this|the\s[a-z]+)(?:'s|\sis)\s(?P<same>[^\s,;]+),?\s(?:then\s)?(?:(?:it|that)(?:'s|\sis)\s)?\W*\Z"
)
"""`if it's 42, then 42`"""
_IS_KEY = Sought(
    r"\b(?:important|key|main|crucial|central|decisive|essential|basic)\s(?:number|value|quantity|fact|figure|input|datum|ingredient|piece)\b"
)
_FOLLOWS = Sought(
    r"\b(?:everything|all|the\s(?:rest|remainder|others?))(?:\selse)?\s(?:then\s)?follows\b[^.\d]*\W*\Z"
)
_SELF = as_pattern(r"(?:\A|[\s,:(])\$?(?P<same>-?\d[\d.,/]*)\s?=\s?\$?\Z")
_ASKED_IS = Beginning(
    r"[$\\)}*\]]{0,3}[.;,]?\s(?:but\s|yet\s|however,?\s|while\s|whereas\s)?"
    rf"(?:(?:the|this)\s(?:{TASK})(?:,\s[a-z]+,)?\s(?:is\sabout|asks(?:\s(?:for|about))?|wants|seeks|requires)"
    r"|what\s(?:is|was)\s(?:wanted|asked(?:\sfor)?|sought|required)\s(?:is|was))\s"
    r"(?:(?!\bnot\b|n't\b|\binstead\b|\brather\b)[^.;:\d(])*(?:,\s(?:(?:which|and\s(?:that|this|it))\s(?:is|are|equals)\s)?|:\s|,\snamely\s)"
    r"\W{0,4}(?P<asked>-?\(?[\d√][^\s;]*?)(?:\s[a-z°²³]+)?\W*\Z"
)
_LEADS = Parts(_MANY_WRITE, _ENDS_WITH)
_AROUND = " .,;!?$*()\\"


def is_only_told(said: Place) -> bool:
    """Return whether a value is only told of, as others' or an input, or is not what is asked.

    >>> from rewardkit.verifiers.extraction.objections.place import place_of
    >>> is_only_told(place_of("48", "Many would now write 48. Don't do that."))
    True
    >>> is_only_told(place_of("12", "The perimeter is 12, but the question asks for the area, 9."))
    True
    >>> is_only_told(place_of("9", "The perimeter is 12, but the question asks for the area, 9."))
    False
    """
    value = said.value.strip(_AROUND)
    if not value:
        return False
    behind = f"{said.after}{said.stop} {said.behind}".strip()
    before = said.before.removesuffix("\\boxed{")
    if _LEADS.may_be_in(before) and (
        (_MANY_WRITE.search(before) and _DO_NOT.search(behind))
        or (_ENDS_WITH.search(before) and _THEY_FORGOT.match(said.behind or behind))
    ):
        return True
    if (same := _IF_SO.search(said.before)) and same["same"].strip(_AROUND) == value:
        return True
    if _FOLLOWS.search(behind) and _IS_KEY.search(said.sentence):
        return True
    if asked := _ASKED_IS.match(f"{said.after}{said.stop} {said.behind}".rstrip()):
        return asked["asked"].strip(_AROUND) != value
    return _equals_itself(value, said)


def _equals_itself(value: str, said: Place) -> bool:
    """Return whether all that a text says of a number is that it is itself: `13 = 13`."""
    same = _SELF.search(said.before)
    if same is None or same["same"] != value:
        return False
    before = f"{said.earlier}{said.before[: same.start('same')]}"
    return re.search(rf"(?<![\d.,]){re.escape(value)}(?![\d.,]*\d)", before) is None
