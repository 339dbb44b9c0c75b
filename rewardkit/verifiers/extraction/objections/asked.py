"""Is it asked rather than said?

What repeats the question, tells to work or says what is sought holds a value that is given: `How
far is (4, 7) from 0?`, `Convert 5 kg into pounds`, `The tax is 8 %. The price is required`.
"""

from __future__ import annotations

from rewardkit.verifiers.extraction.endings.givens import repeats_or_announces
from rewardkit.verifiers.extraction.objections.place import Place, behind_name
from rewardkit.verifiers.vocabulary.alternatives import SHARE, WORK
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.sought import Beginning, Sought

_AGREED = as_pattern(
    r",?\s(?:right|correct|ok(?:ay)?|no|yes|eh|agreed|true|(?:is|are|was|were|does|do|did|has|have|can|will|would)n't\s\w+)\s*\Z"
)
"""What asks a reader to agree: `It is 45, isn't it?`"""
_ASKS = as_pattern(
    r"\b(?:how|what|which|who|whose|whom|when|where|why|whether)\b|(?:\A|[,;:]\s)\W*(?:(?:and|so|then)\s)?(?:is|are|was|were|do"
    r"|does|did|can|could|will|would|has|have|had|should|shall|may)\s"
)
_WORK, _SHARE = rf"(?:{WORK})", rf"(?:{SHARE})"
_NOW = (
    r"\W*(?:(?:please|now|then|so|next|first|and|we\smust|let\sus|let's|the\stask|task|question"
    r"|problem|exercise)[,:]?\s)*"
)
_TASK = Beginning(
    rf"{_NOW}(?:(?P<work>{_WORK})\b(?P<how>\s(?:how|what|which|when|where|who|whether|if|that)\b)?"
    rf"|{_SHARE}\s(?:the\s(?:number|sum|amount|ratio|point|vertex|vector)\s(?:of\s)?)?(?P<value>\W{{0,3}}\Z)|{_SHARE}\s[^.;:]*\sin(?:to)?\s(?:the|a)\sratio\b)"
)
_WITH_WHAT = as_pattern(
    r"\W{0,3}\s?(?:[a-z]+\s){0,3}(?:by|into|in|among|between|with|to|equally|up|at|about|through|over|across)\b"
)
"""Behind the value that is to be shared: `litres in the ratio`."""
_UNKNOWN = as_pattern(r"\b[a-z]\s?=\s?\Z")
_TASK_BEHIND = Sought(
    rf"[;,.]\s(?:and\s|so\s|now\s|then\s|please\s)*{_WORK}\s(?:out\s)?(?:how|what|which|the|its|his|her|their|when|where|who)\b[^=:]*\Z"
)
_STILL_TO_DO = Sought(
    r"(?:,\s(?:and\s|so\s|but\s)?|\s(?:and|but)\s)(?:(?:we|you|i|one)\s)?(?:still\s|now\s)?(?:have\sto|need\sto|must|are\s(?:asked\s)?to|want\sto|should|shall|will)"
    rf"\s(?:{_WORK}|say|tell|give|state)\b[^=:]*\Z"
)
"""Behind a value, what is yet to be done with it: `, we have to find how many there are`."""
_COMES_TO = (
    r"[=:≈→⇒]|\b(?:to\s(?:get|obtain|give|yield|reach)|gets?|got|getting|gives?|giving|yields?|so|thus|hence|therefore"
    r"|equals|equal\sto|makes?|making|answer|result)\b"
)
_LEADS = as_pattern(_COMES_TO)
_LEADS_ON = as_pattern(
    rf"{_COMES_TO}|\b(?:is|are|was|were|which|it|they|there|total)\b|\b(?:to|into|as)\s\W*\Z"
)
"""What leads from work to what it comes to."""
_SOUGHT = (
    r"(?:(?:asked|required|wanted|sought|needed|requested|unknown|missing|in\squestion|looked\sfor|our\s(?:goal|task|aim)"
    r"|the\s(?:question|task|goal)|to\sfind)\b(?:\s(?:for|here|of\sus|now))?"
    r"|what\s(?:we|i|you|the\s[a-z]+|they|one)\s(?:are\s|have\sto\s|must\s|is\sto\s)?(?:want|seek|need|ask|look|find|give|state|compute|calculate|determine|work\sout|are\safter|after)\b[^.;,\d]*"
    r"|what\s(?:is|was|has\sto\sbe)\s(?:asked|required|wanted|sought|needed|found|to\sbe\sfound)\b[^.;,\d]*"
    r"|(?:to\sbe|being)\s(?:found|determined|calculated|computed|worked\sout|given|estimated|counted|stated|answered)\b[^.;,\d]*"
    r"|(?:found|estimated|obtained|calculated|computed|derived|worked\sout)\s(?:by|from|with|through|using)\b[^.;\d]*)"
)
_SOMETHING_ELSE = Sought(
    r"(?:[;.!?]\s|,\s)\W*(?:(?:and|but|now|so|then|while)\s)*(?=(?:the|its|his|her|their|our|what|how|whose|[a-z]+'s|arrival|departure)\b)"
    r"(?:(?!\b(?:that|this|which)\b)[^.;,\d=]){3,100}?\b(?:is|are|was|were|has|have|must|remains?|needs?)\s"
    rf"(?:(?:still|now|then|here|yet|only|to|be)\s)*{_SOUGHT}\W*\Z"
)
"""Behind a value, what something else is said to be: `its mirror image is what we look for`."""
_WANTED = Sought(
    r"[.,;]\s(?:(?:and|but|while|so|now)\s)?(?:we|i|you|one|the\s(?:task|problem|question|exercise))\s(?:now\s|still\s|only\s|then\s)?"
    r"(?:wants?|seeks?|looks?\sfor|asks?(?:\sfor)?|(?:are|is|am)\s(?:asked|looking|to\sfind)|(?:must|needs?\sto|have\sto"
    r"|has\sto|shall|will|should)\s(?:now\s)?(?:find|determine|compute|calculate|know|work\sout)|(?:need|is)\s(?:how|what|when|which))\b[^\d$\\]*\Z"
    r"|\sand\s(?:want|seek|need)\s(?:to\sknow\s)?the\s[^.\d$\\]*\Z"
    r"|\bwhich\s(?:(?:still\s)?has|is)\s(?:yet\s|still\s)?to\sbe\s[a-z]+ed\W*\Z"
)
"""Behind a value, who seeks something else: `It has 35 seats, and we want the number of rows.`"""
_CONCLUDED = as_pattern(
    r"\b(?:so|thus|hence|therefore|total|altogether|answer|final|result|we\s(?:get|find|obtain))\b|=|\*\*"
)
_TOLD = Beginning(
    r"\A\W*(?:restated|(?:starting|start)\s(?:point|value)|to\s(?:summari[sz]e|repeat|restate|rephrase)\s(?:the\s)?(?:task|problem|question)"
    r"|(?:i|we)\s(?:read|understand)\sthe\s(?:question|task|problem)|it\s(?:says|said)|as\s(?:we|you|one)\scan\sread"
    r"|(?:from|in)\sthe\stext|(?:do\snot|don't)\sforget\sthat|(?:keep|bear)\sin\smind\sthat)\b(?:(?!\b(?:so|thus|hence|therefore|total)\b)[^=])*\Z"
)
"""What tells of the task: `It says that the deck has 32 cards.`"""
_KNOWN = Beginning(
    r"\W{0,3}(?:\s[a-z]+)?(?:\s(?:is|are)\s(?:given|known),\s[^\d=]*\bnot\W*\Z"
    r"|[^\d=]*(?<!what\s)\bthe\s(?:question|task|problem)\s(?:is|was)\s(?:about|when|how|what|which|where|who|whether)\b[^\d=]*\Z|[;,]\s(?:that|this|so)\smuch\s(?:is|we)\b[^\d=]*\Z|,\s(?:is\s(?:known|given)\b|which\s(?:we|i)(?:\'ll|\swill|\scan|\sshall)?\s(?:use|need)\b)[^\d=]*\Z"
    r"|[^\d=]*,?\s(?:whereas|while|but|and|yet)\s(?:we|i|you|they)\s(?:want|need|seek|look\sfor|are\s(?:asked|after|looking))\b[^\d=]*\Z"
    r"|[^\d=]*,\s(?:(?!(?:that|this|as|which|is|was|it)\b)[a-z]+\s)+(?:unknown|to\sbe\sdetermined|wanted|required)\W*\Z)"
)
"""Behind a value, that it is known and another is not."""
_SETS_OUT = Beginning(
    r"\W*(?:(?:please\s)?(?:reason|think)\sstep\sby\sstep\b|(?:let['’]?s|let\s(?:us|me))\s(?:[a-z]+\s){0,2}?(?:think|work|see|go|break|solve|start|begin|look)\b[^.:\d]*"
    r"|you\sare\san?\s[^.]*assistant|thank(?:s|\syou)\sfor\s[^.!\n]*|(?:solve|answer|consider|read)\sthe\s(?:following|problem\sagain)\b[^.:]*"
    r"|(?:sure|okay|ok|certainly|of\scourse)[,!.]\s(?:let\sme\shelp|i(?:['’]ll|['’]d|\swill|\scan)\s[^.]*help|i\sam\shappy)[^.!?\n]*)[.!:]\W*\Z"
)
"""What is said before any work is done."""
_CONCLUDES = as_pattern(
    r"[=?]|\b(?:so|thus|hence|therefore|answer|total\w*|altogether|in\sall|then|means?|gives?|giving|get|obtain|which|result|leav\w+"
    r"|left|remain\w*|equals?|must|finally|value|solution|needs?|takes?|will|would|because|since|times|plus|minus|makes?)\b"
)
_COURTESY = as_pattern(r"\b(?:you|else|anything|help|think)\b")
_SINCE = Beginning(
    r"\W*(?:(?:since|if|given|because)\b[^,:=]*|(?:add|subtract|count|go|take|start|type|enter|write)\b[^:=]*)\Z"
)
_ON_FROM = Sought(
    r",\s(?:please\s)?(?:count|find|calculate|compute|determine|add|subtract)\b[^=:]*\Z|\basks?\s(?:for|how|what|when)\b[^=:\d]*\Z"
)
_DIGIT = as_pattern(r"\d")


def asks(said: Place, *, marked: bool = False, looked_for: bool = False) -> bool:
    """Return whether what is said around a value asks for another one, or describes it.

    What is `marked` as the answer is read whole; a value may have been `looked_for` anywhere.

    >>> from rewardkit.verifiers.extraction.objections.place import place_of
    >>> asks(place_of("5", "Convert 5 kg into pounds.")), asks(place_of("5", "She converts 5 kg."))
    (True, False)
    >>> asks(place_of("8", "The tax is 8%. The price is required."))
    True
    """
    if said.stop == "?" and not _AGREED.search(said.after) and _ASKS.search(said.sentence):
        return True
    behind = f"{said.after}{said.stop} {said.behind}".rstrip(" .!?*")
    named = behind_name(said.before)
    if not (_CONCLUDED.search(said.before, named) or (named and not said.before[named:].strip())):
        if _TOLD.match(said.before) or _KNOWN.match(said.after) or _SOMETHING_ELSE.search(behind):
            return True
        if not _DIGIT.search(behind) and _WANTED.search(behind):
            return True
        for to_do in (_TASK_BEHIND, _STILL_TO_DO) if marked or looked_for else (_STILL_TO_DO,):
            found = to_do.search(behind)
            if found and not _LEADS.search(behind, found.start()):
                return True
    if looked_for and _is_given(said):
        return True
    return _tells_to_work(said, named) or _only_sets_out(said)


def _is_given(said: Place) -> bool:
    """Return whether a value stands only in what is known before a question."""
    behind = said.behind.strip()
    if behind.endswith("?") and _ASKS.search(behind) and not _COURTESY.search(behind):
        return True
    if _SINCE.match(said.before) or _ON_FROM.search(said.after):
        return True
    return ":" not in said.before and repeats_or_announces(said.sentence)


def _only_sets_out(said: Place) -> bool:
    """Return whether a text sets out to work, and what it says behind that comes of no work."""
    alone = said.earlier and not said.behind.strip() and _SETS_OUT.match(said.earlier)
    return bool(alone) and not _CONCLUDES.search(f"{said.sentence}{said.stop}")


def _tells_to_work(said: Place, named: int) -> bool:
    """Return whether a sentence tells to work with its value, and not what comes of it."""
    before = said.before[named:]
    task = _TASK.match(before)
    if task is None or (task["value"] is not None and not _WITH_WHAT.match(said.after)):
        return False
    leads = _LEADS if task["how"] else _LEADS_ON
    return not (leads.search(_UNKNOWN.sub("", before), task.end()) or leads.search(said.after))
