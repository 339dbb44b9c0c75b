"""Last words that refute the answer before them: `So 63 fails`, `Wait, that contradicts the rule`.

Who is spoken of decides: the answer itself, by its value, or `that` right behind it. What refutes
another value leaves the answer as it is.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.endings.taken_back import ANSWERS, MAY_TAKE_BACK, last_two
from rewardkit.verifiers.extraction.prose.denials import REFUTED
from rewardkit.verifiers.vocabulary.letters import OPTION_LETTER
from rewardkit.verifiers.vocabulary.sought import Beginning, Parts, Sought
from rewardkit.verifiers.vocabulary.turns import MISTAKES, TURN

_VALUE = re.compile(rf"-?\d[\d.,/]*(?<![.,/])|\b{OPTION_LETTER}\b")
_LEADS = re.compile(
    rf"\W*(?:(?:{TURN}|so|thus|hence|therefore|and|then)\b\W*)*"
    r"(?:(?:the|this|that)\s)?(?:(?:value|number|answer|option|choice|result|[a-z]\s?=)\W{1,3})?\W*",
    re.I,
)
_IS_NOT = re.compile(
    rf"\W*(?:(?:{TURN}|so|thus|hence|therefore)\b\W*)*(?:that|this|it|(?:the|this|that)\s\w+|"
    rf"[a-z])\s(?:(?:is|was)\snot|isn't|wasn't"
    r"|cannot\sbe|can't\sbe|is\snever|is\sdefinitely\snot)\s(?:equal\sto\s)?[$\\(]*",
    re.I,
)
"""`That is not 12.` behind `The answer is 12.`"""
_REASONED = re.compile(r"[^\w,]*(?:,?\s(?:as|because|since)\b|\Z)")
_SO = re.compile(r"\b(?:fails?|failed|wrong|contradict\w*),\s(?:so|thus|hence|therefore)\s\$?\Z")
"""`Actually the check fails, so 36 is not the answer.`"""
_TURNS = Beginning(rf"\W*{TURN}\b")
_REST = r"[^\d\\=]*\Z"
_FAILS = re.compile(rf"\W*(?:\w+,\s)?\s*{REFUTED}{_REST}", re.I)
_THAT_FAILS = re.compile(rf"\W*(?:{TURN}\b\W*)+(?:that|this|it)\s?{REFUTED}{_REST}", re.I)
_RULED_OUT = re.compile(
    r"\b(?:rul(?:es?|ed|ing)\sout|exclud(?:es?|ing)|eliminat(?:es?|ing)|disproves?|refutes?"
    r"|contradicts?)\s(?:the\s)?(?:option\s|choice\s|value\s|answer\s)?\W*\Z",
    re.I,
)
_NOTE = (
    r"\s?[\[(](?!an?\s\w+\s(?:wrong|incorrect)\s)[^\[\]()\d=]*\b(?:deleted|struck|crossed\sout|withdrawn|retracted|rejected|discarded"
    r"|obsolete|superseded|scrapped|void|outdated|wrong|incorrect)\b[^\[\]()]*[\])]\W*\Z"
    r"|;?\s+(?:#|//)[^\n]*\b(?:todo|fixme|placeholder|default|dummy|stub|overwrit\w+|initial\w*)\b[^\n]*\Z"
)
_NOTED = re.compile(_NOTE, re.I)
_BLAMES = Sought(
    rf"\b(?:I|we)(?:['’]ve|\shave)?\s(?:{MISTAKES})\b"
    rf"|\A\W*(?:oh\s)?{TURN}\b[^.\d]*\b(?:wrong|mistake|error|instead\sof|redone|misread"
    r"|(?:question|problem|task)\s(?:is\sabout|asks?|wants?|was\sabout|asked))\b"
    r"|\b(?:needs?|has|have)\sto\sbe\s(?:redone|recomputed|recalculated|revised)\b|\A\W*edit\b[^.\d]*\bdisregard"
)
"""That the writer has erred: `Oh no, I used the wrong radius`."""
_MENDED = re.compile(
    r"\b(?:at\sfirst|earlier|initially|corrected|fixed|mended|no|nothing|right)\b", re.I
)
_CONTRADICTION = re.compile(r",\s(?:which\sis\s)?a\scontradiction\W*\Z", re.I)
_CHOSEN = re.compile(
    rf"\b{OPTION_LETTER}\)?\**\s(?:is|must\sbe|has\sto\sbe)\s(?:the\s)?(?:correct|right)\b"
    rf"|\b(?:answer|option|choice|one)\sis\s\W{{0,3}}{OPTION_LETTER}\b"
)
_MAY_REFUTE = Sought(
    rf"\bcontradiction\b|\b{REFUTED}|\b(?:not|never|cannot)\s|n't\s|\b(?:rul(?:es?|ed|ing)\sout|exclud(?:es?|ing)|eliminat(?:es?|ing)|disproves?"
    rf"|refutes?)\b|{_BLAMES.source}|\b(?:but|however|yet|alas|unfortunately)\b|{_NOTE}"
)
_MAY_OBJECT = Parts.of(MAY_TAKE_BACK, _MAY_REFUTE, _TURNS)
_SUPPOSED = re.compile(
    r"\b(?:if|suppose|assum\w+|would|were|might|could|claim\w*|statement)\b|\?", re.I
)
_OBJECTS = re.compile(
    r"\W*\s(?:is|has|are)\b(?![^.]*\b(?:works?|fits?|satisf\w+|correct|right|fine|indeed|answer"
    rf"|remains?|left|possible)\b){_REST}",
    re.I,
)
_MAX_CHARS = 400


def may_object(text: str) -> bool:
    """Return whether the last sentence of a text may take back or refute what it answered."""
    last = last_two(text)[2]
    return "</answer>" in last or not ANSWERS.search(last) or _MAY_OBJECT.may_be_in(last)


def is_refuted(text: str, answer: str) -> bool:
    """Return whether the last sentence of a text refutes the answer that it gave.

    >>> is_refuted("It is 63. So 63 fails.", "63"), is_refuted("It is 63. So 62 fails.", "63")
    (True, False)
    >>> is_refuted("It is 63. Wait, that contradicts the rule.", "63")
    True
    >>> is_refuted("Answer: 63 [deleted: wrong]", "63"), is_refuted("So B. A rules out B.", "B")
    (True, True)
    """
    text = text[-_MAX_CHARS:].replace("</answer>", "\n")
    _, previous, last = last_two(text)
    if not (_MAY_REFUTE.search(last) or _TURNS.match(last)):
        return False
    if not (values := _VALUE.findall(answer)):
        return False
    value = re.compile(rf"(?<![\w.,]){re.escape(values[-1])}(?![\w]|[.,/]\d)")
    said = value.search(previous) is not None and previous is not last
    turns = said and _TURNS.match(last) is not None
    for named in value.finditer(last):
        before, after = last[: named.start()], last[named.end() :]
        if said and _IS_NOT.fullmatch(before) and _REASONED.match(after):
            return True
        if _NOTED.match(after) or (_RULED_OUT.search(before) and not any(map(str.isdigit, after))):
            return True
        if (_LEADS.fullmatch(before) or _SO.search(before)) and (
            _FAILS.match(after) or (turns and _OBJECTS.match(after))
        ):
            return True
    if not said or _SUPPOSED.search(previous):
        return False
    if _THAT_FAILS.match(last):
        return True
    blames = None if any(map(str.isdigit, last)) or _CHOSEN.search(last) else _BLAMES.search(last)
    if _TURNS.match(last) and _CONTRADICTION.search(last):
        return True
    return blames is not None and not _MENDED.search(last, blames.end())
