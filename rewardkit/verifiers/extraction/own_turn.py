"""What of a response is its own turn: it may run on into tasks and turns of its own invention."""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.endings.ending import may_name
from rewardkit.verifiers.extraction.endings.left_behind import INSTEAD
from rewardkit.verifiers.extraction.marked import answer_tag, claimed, final_answer
from rewardkit.verifiers.extraction.stated import stated
from rewardkit.verifiers.extraction.text.boxes import find_boxes
from rewardkit.verifiers.extraction.text.next_problem import up_to_next_problem, up_to_turn_end
from rewardkit.verifiers.extraction.text.noise import up_to_noise
from rewardkit.verifiers.extraction.text.plain import without_struck, without_tags
from rewardkit.verifiers.extraction.text.visible import visible
from rewardkit.verifiers.options import MathOptions
from rewardkit.verifiers.vocabulary.characters import has_digit
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.phrases import ASKERS
from rewardkit.verifiers.vocabulary.sought import Sought

_LAST = 300
_MAX_TASKS = 5
"""Behind so many tasks, it is not read anew what stands before the next."""
_TURN_NAMES = r"(?:User|Human|(?:The|Then|Another|Next)\s(?:[Uu]ser|[Hh]uman))"
_NEXT_TURN = re.compile(rf"\n[ \t]*{_TURN_NAMES}:")
_OBJECTS = Sought(
    r"\b(?:wrong|incorrect|mistake|(?:re)?check|are\syou\ssure|forgot|missed|not\sright|try\sagain)\b"
)
"""A turn that goes on about the same answer, which the next one may take back."""
NEXT_TASK = re.compile(
    r"\n[ \t*]*+(?!The\s[^UuHh])(?=[#\[ABDEFGHINPQTUepqt]|[^\x00-\x7f])"
    r"(?:#+\s?Instruction|\[INST\]|(?:#+\s)?\**"
    rf"(?:(?:{_TURN_NAMES}|Q|(?:(?:Next|Another)\s)?(?:[Qq]uestion|[Pp]roblem|[Ee]xercise|[Tt]ask)"
    rf"|Follow-up\squestion|Instruction|{alternatives(ASKERS)})(?:\s\d+)?\s?[:：]"
    r"|(?:Question|Problem|Exercise|Task)\s(?:\d+\.|(?:[2-9]|\d\d)\**[ \t]*\n)))"
)
"""Where a response that has answered goes on to the next question."""
_TOLD = re.compile(
    r"\n(?:User|Human):(?=[^\n]*(?:(?<![</])\banswer\b|boxed|####|\b(?:hint|it['’]s|right|correct)\b))"
    r"[^\n]*\d[^\n]*",
    re.I,
)
"""A turn of somebody else who says what the answer is."""
_ANOTHER = re.compile(
    rf"\n[ \t*]*+(?:\[INST\]|(?:#+\s)?\**(?:(?:Next|Another|Follow-up)\s\w+|{alternatives(ASKERS)})"
    r"\s?\d*\s?[:：]|(?:#+\s)?\**(?:Exercise|Problem|Question|Task)"
    r"\s(?:\d+\s?:|(?:[2-9]|\d\d)\**[ \t]*\n))"
)
"""Which of them cannot be a part of the same answer."""
_CONCLUDED = re.compile(
    r"(?:\A|\n|[.:]\s)\W*(?:So|Thus|Hence|Therefore|(?<=\()[Aa]nswer(?=\)))\b[^.?\n]*\W*\Z"
    r"|=[^=?\n]{1,40}\s*\Z"
)
"""How a text ends that states an answer rather than a task."""
_ASKER = re.compile(r"User|Human")
_CONTINUES = re.compile(
    r"\s*(?:And|So|Now|Then|Thus|Therefore|Hence|First|Next|Finally|But)\b|[^.]*="
)
"""How a turn begins that goes on with the same solution."""
_ASKS_ON = re.compile(r"\s*(?:Ok(?:ay)?,?\sso\b|Now\s(?:that|since)\b)")
"""How one does that asks what comes next in it."""


def own_turn(response: str, options: MathOptions) -> str:
    """Return what is seen, up to a question that it puts to itself after a marked answer."""
    response = up_to_noise(up_to_next_problem(up_to_turn_end(without_struck(response))))
    text = visible(response, options)
    if text is response and not NEXT_TASK.search(text):
        return text
    invented = _NEXT_TURN.findall(response)
    if invented and (own := _marked_before(response, options)):
        return own
    turn = text.find(invented[0]) if invented else -1
    if turn >= 0 and _OBJECTS.search(text[turn:].split("\n", 2)[1]):
        return text
    for k, task in enumerate(NEXT_TASK.finditer(text)):
        own = text[: task.start()]
        if _marks(own) or final_answer(own) or claimed(own):
            return own
        another = k < _MAX_TASKS and _ANOTHER.match(text, task.start())
        if not (another or k == 0) or invented != _NEXT_TURN.findall(text):
            continue
        if invented and not (may_name(own) or INSTEAD.may_be_in(own)):
            continue  # before an invented turn, nothing but a named answer ends the own one
        if not (says := stated(own)):
            continue
        if says.by == "the answer is":
            return own
        ends_it = another or says.by == "whole response"
        if not (ends_it or _ASKER.search(task[0])):
            ends_it = _CONCLUDED.search(own, max(0, len(own) - _LAST)) is not None
        if not invented and ends_it and has_digit(says.text):
            return own
    if not invented:
        return text
    for whole in (response, text):  # the thoughts of a later turn hide the answer before it
        first = _NEXT_TURN.search(whole)
        own = visible(whole[: first.start()], options) if first else ""
        if first and _has_answered(own, whole, first.end()):
            return own
    return _TOLD.sub("", text)


def _marked_before(response: str, options: MathOptions) -> str | None:
    """Return what is seen before the first turn of somebody else, where that marks a value.

    What is said further on hides it: the thoughts of a later turn, and its tags.
    """
    turn = _NEXT_TURN.search(response)
    if turn is None or _OBJECTS.search(_line(response, turn.end())):
        return None
    own = visible(response[: turn.start()], options)
    return own if _marks(own) else None


def _marks(own: str) -> bool:
    """Return whether a text marks a value: a gap, `<answer> … </answer>`, is none."""
    if find_boxes(own):
        return True
    tag = answer_tag(own)
    return tag is not None and "…" not in tag[0].text and any(map(str.isalnum, tag[0].text))


def _line(text: str, start: int) -> str:
    return text[start : text.find("\n", start) + 1 or None]


def _has_answered(own: str, whole: str, turn: int) -> bool:
    """Return whether a text concludes before a turn of somebody else, who does not object."""
    asked = _line(whole, turn)
    if _OBJECTS.search(asked):
        return False
    own = without_tags(own)
    goes_on = (_ASKS_ON if "?" in asked else _CONTINUES).match(asked)
    ends = "<" not in own[-_LAST:] and _CONCLUDED.search(own, max(0, len(own) - _LAST))
    concludes = bool(ends) and not goes_on
    if not (concludes or may_name(own)) or not (says := stated(own)) or not has_digit(says.text):
        return False
    return concludes or says.by == "the answer is"
