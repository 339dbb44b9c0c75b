"""What of a response is its own turn: it may run on into tasks and turns of its own invention.

Up to the sign that ends a turn, to the next problem below a named answer, to the first turn of
somebody else behind one.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.endings.ending import may_name
from rewardkit.verifiers.extraction.endings.main_clause import INSTEAD
from rewardkit.verifiers.extraction.marked import answer_tag, claimed, final_answer
from rewardkit.verifiers.extraction.stated import stated
from rewardkit.verifiers.extraction.text.boxes import find_boxes
from rewardkit.verifiers.extraction.text.noise import up_to_noise
from rewardkit.verifiers.extraction.text.plain import without_struck, without_tags
from rewardkit.verifiers.extraction.text.visible import visible
from rewardkit.verifiers.options import MathOptions
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.characters import has_digit
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.phrases import ASKERS
from rewardkit.verifiers.vocabulary.sought import Sought, holds_one

_LAST = 300
_MAX_TASKS = 5
"""Behind so many tasks, it is not read anew what stands before the next."""
_TURN_NAMES = r"(?:User|Human|(?:The|Then|Another|Next)\s(?:[Uu]ser|[Hh]uman))"
_NEXT_TURN = as_pattern(rf"\n[ \t]*{_TURN_NAMES}:")
_OBJECTS = Sought(
    r"\b(?:wrong|incorrect|mistake|(?:re)?check|are\syou\ssure|forgot|missed|not\sright|try\sagain)\b"
)
"""A turn that goes on about the same answer, which the next one may take back."""
NEXT_TASK = as_pattern(
    r"\n[ \t*]*+(?!The\s[^UuHh])(?=[#\[ABDEFGHINPQTUepqt]|[^\x00-\x7f])"
    r"(?:#+\s?Instruction|\[INST\]|(?:#+\s)?\**"
    rf"(?:(?:{_TURN_NAMES}|Q|(?:(?:Next|Another)\s)?(?:[Qq]uestion|[Pp]roblem|[Ee]xercise|[Tt]ask)"
    rf"|Follow-up\squestion|Instruction|{alternatives(ASKERS)})(?:\s\d+)?\s?[:：]"
    r"|(?:Question|Problem|Exercise|Task)\s(?:\d+\.|(?:[2-9]|\d\d)\**[ \t]*\n)))"
)
"""Where a response that has answered goes on to the next question."""
_TOLD = as_pattern(
    r"\n(?:User|Human):(?=[^\n]*(?:(?<![</])\banswer\b|boxed|####|\b(?:hint|it['’]s|right|correct)\b))"
    r"[^\n]*\d[^\n]*",
    re.I,
)
"""A turn of somebody else who says what the answer is."""
_ANOTHER = as_pattern(
    rf"\n[ \t*]*+(?:\[INST\]|(?:#+\s)?\**(?:(?:Next|Another|Follow-up)\s\w+|{alternatives(ASKERS)})"
    r"\s?\d*\s?[:：]|(?:#+\s)?\**(?:Exercise|Problem|Question|Task)"
    r"\s(?:\d+\s?:|(?:[2-9]|\d\d)\**[ \t]*\n))"
)
"""Which of them cannot be a part of the same answer."""
_CONCLUDED = as_pattern(
    r"(?:\A|\n|[.:]\s)\W*(?:So|Thus|Hence|Therefore|(?<=\()[Aa]nswer(?=\)))\b[^.?\n]*\W*\Z"
    r"|=[^=?\n]{1,40}\s*\Z"
)
"""How a text ends that states an answer rather than a task."""
_ASKER = as_pattern(r"User|Human")
_CONTINUES = as_pattern(
    r"\s*(?:And|So|Now|Then|Thus|Therefore|Hence|First|Next|Finally|But)\b|[^.]*="
)
"""How a turn begins that goes on with the same solution."""
_TURN_END = as_pattern(
    r"<(?:\|(?:im_end|eot_id|endoftext|end|end_of_turn|eom_id)\|>|end_of_turn>|/s>)"
)
_TURN_ENDS = ("<|", "</s>", "<end_of_turn>")
_NAME = "nswer"
_THOUGHT = "</think>"
_MAX_NAMES = 12
"""Behind so many places that may name the answer, none is looked for."""
_PARAGRAPH = 600
"""So much of what stands below an answer is read."""
_ABOUT_DIALOGUE = as_pattern(r"(?:Next, )?(?:[Tt]he|An|Another) (?:User|Assistant|Questioner)\b")
_ASKED_OF = as_pattern(
    r"(?![^?\n]*\b(?:answer|right|wrong|correct|incorrect)\b)[^?\n]{20,}\?\s*\n\s*Assistant\s?:"
)
"""A question that another turn answers: its own writer would not say who does."""
_VALUE = as_pattern(r"nswer\b[^.\n\d]{0,40}(?:\bis\b|[:=])[^\n]*\d")
_DIALOGUE = as_pattern(
    r"\n[ \t]*The User (?:asks|says|gives|poses|requests|provides|wants)[^.\n]*\bthe Assistant\b"
)
"""What a prompt says of the dialogue, which a response that has answered repeats."""
_TURN = as_pattern(r"\s*\n\s*(?:[Tt]he |Then |Another |Next )(?:[Uu]ser|[Hh]uman):[^\n]*\?")
_PRAISE = as_pattern(r"(?:Great|Good|Nice|Well) (?:job|work|done)\b[^\n]*\b(?:[Nn]ow|[Nn]ext)\b")
_ASKS = as_pattern(r"\?(?=\s*(?:\n|\Z|[A-Z\d$]))")
_TELLS = as_pattern(r"(?:Find|Explain|Calculate|Solve|Determine|Describe|Write|Prove)\s[a-z]")
_DOUBTS = as_pattern(
    r"\b(?:but|wait|however|actually|check|verify|is\s(?:this|that|it)|let(?:'s|’s|\sus|\sme)|I|we|our|my"
    r"|therefore|thus|hence|so|answer|note|part)\b",
    re.I,
)
"""What a writer says who goes on with the same problem."""
_CORRECTS = as_pattern(
    r"\b(?:wrong|incorrect|mistaken?|errors?|correct(?:ion|ed|s)?|should\s(?:be|have)|forgot|missed|not\sright"
    r"|re-?(?:check|calculat|comput|consider)\w*)\b",
    re.I,
)
_WORD = as_pattern(r"[^\W\d_]{4,}")
_STOP = as_pattern(r"[.?\n]")
_COMMON = frozenset((
    "that", "this", "with", "from", "have", "has", "many", "much", "what", "which", "there",
    "their", "they", "them", "then", "than", "when", "will", "would", "each", "every", "were",
    "been", "into", "also", "more", "less", "over", "same", "find", "calculate", "total", "number",
))  # fmt: skip
"""Words that any problem may hold."""
_RULES = "#*-=_ \n\t"
"""What may stand between two problems."""
_FEW_WORDS = 6
"""A task of fewer may be a part of the own one."""
_SHARED = 0.25
"""A larger part of a task's words stands before only where it is about the same things."""
_ASKS_ON = as_pattern(r"\s*(?:Ok(?:ay)?,?\sso\b|Now\s(?:that|since)\b)")
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


def up_to_turn_end(response: str) -> str:
    """Return a response up to the sign that ends its turn, unless the prompt is before it."""
    if "<" not in response or not holds_one(response, _TURN_ENDS):
        return response
    if (asked := response.find("<|im_start|>user")) > 0 and not response.startswith("<|im_start|>"):
        response = response[:asked] if response[:asked].strip() else response
    end = _TURN_END.search(response)
    if end is None or "<|im_start|>user" in response[: end.start()]:
        return response
    own = response[: end.start()]
    return (
        own if own.strip() and not own.startswith(("<|im_start|>", "<|start_header")) else response
    )


def up_to_next_problem(text: str) -> str:
    """Return a text up to the problem or dialogue that it invents below its answer, if any.

    >>> up_to_next_problem(
    ...     "He needs 30 nails. Answer: 30\\n\\nA train leaves Paris at noon with 80 passengers."
    ...     " How many tickets were sold aboard?\\nThe conductor sold \\boxed{80}."
    ... )
    'He needs 30 nails. Answer: 30'
    """
    thought = text.find(_THOUGHT)
    if thought >= 0 and _TURN.match(text, thought + len(_THOUGHT)):
        return text[: thought + len(_THOUGHT)]
    if "The User " in text and (told := _DIALOGUE.search(text)):
        own = text[: told.start()]
        if has_digit(own) and not _in_thoughts(text, told.start()):
            return own
    at = -1
    for _ in range(_MAX_NAMES):
        at = text.find(_NAME, at + 1)
        end = text.find("\n", at) if at >= 0 else -1
        if end < 0:
            return text
        line = text[at:end]
        if not has_digit(line) or line.endswith(("?", ":")):
            continue
        if thought >= 0 and _in_thoughts(text, end):
            continue
        below = text[end : end + _PARAGRAPH].lstrip(_RULES)
        if below and _is_another(below.split("\n\n", 1)[0], text[:end]):
            return text[:end]
        if "Assistant" in below and _ASKED_OF.match(below) and _VALUE.match(text, at, end):
            return text[:end]
    return text


def _in_thoughts(text: str, place: int) -> bool:
    closes = text.find(_THOUGHT, place)
    return closes >= 0 and "<think>" not in text[place:closes]


def _is_another(paragraph: str, before: str) -> bool:
    """Return whether a paragraph speaks of the dialogue, or puts a problem of other things."""
    if _ABOUT_DIALOGUE.match(paragraph) or _PRAISE.match(paragraph):
        return not _CORRECTS.search(paragraph)
    asks = _TELLS.match(paragraph) or ("?" in paragraph and _ASKS.search(paragraph))
    if not asks or any(p.search(paragraph, 0, asks.end()) for p in (_DOUBTS, _CORRECTS)):
        return False
    stop = _STOP.search(paragraph, asks.end() - 1)
    task = paragraph[: stop.start() if stop else None]
    words = {w for w in _WORD.findall(task.lower()) if w not in _COMMON}
    known = words & set(_WORD.findall(before.lower()))
    return len(words) >= _FEW_WORDS and len(known) <= _SHARED * len(words)
