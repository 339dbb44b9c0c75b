"""Response text -> its final answer, and the sign in the response that names it.

The order of the signs is said here. First come those that mark an answer: the last box; after it,
the words "final answer" or else an `<answer>` tag. Only a response without a mark is read by what
it states: "the answer is", an option, the last formula or number, in the order of `stated.SIGNS`.
"""

from __future__ import annotations

import re
from itertools import pairwise

from rewardkit.verifiers.extraction.endings.blank import is_blank, is_left_blank
from rewardkit.verifiers.extraction.endings.ending import may_name
from rewardkit.verifiers.extraction.endings.giving_up import gives_up
from rewardkit.verifiers.extraction.endings.left_behind import may_replace
from rewardkit.verifiers.extraction.endings.refuted import is_refuted, may_object
from rewardkit.verifiers.extraction.endings.remarks import is_remark
from rewardkit.verifiers.extraction.endings.replaced import replaced
from rewardkit.verifiers.extraction.endings.second_thoughts import second_thought
from rewardkit.verifiers.extraction.endings.taken_back import is_taken_back
from rewardkit.verifiers.extraction.marked import (
    Found,
    answer_tag,
    boxed,
    claimed,
    conclusion,
    ends,
    final_answer,
    without_denied,
)
from rewardkit.verifiers.extraction.stated import stated
from rewardkit.verifiers.extraction.text.boxes import find_boxes, grouped, joined
from rewardkit.verifiers.extraction.text.echoes import without_echo
from rewardkit.verifiers.extraction.text.examples import without_examples
from rewardkit.verifiers.extraction.text.next_problem import up_to_next_problem
from rewardkit.verifiers.extraction.text.objects import answer_in_object
from rewardkit.verifiers.extraction.text.plain import (
    with_carets,
    without_struck,
    without_tags,
    without_turns,
)
from rewardkit.verifiers.extraction.text.visible import (
    holds_tag,
    split_thoughts,
    thinks_on,
    visible,
)
from rewardkit.verifiers.limits import MAX_RESPONSE_CHARS, TooComplex
from rewardkit.verifiers.options import MathOptions
from rewardkit.verifiers.parsing.parser import reading
from rewardkit.verifiers.vocabulary.characters import has_digit
from rewardkit.verifiers.vocabulary.letters import OPTION_LETTER
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.phrases import ASKERS
from rewardkit.verifiers.vocabulary.sought import Sought, holds_one

_WINDOW = 20_000
"""So much of the end of a long response is read, unless a mark stands before it."""
_LAST = 300
_TURNS = ("User:", "Human:", "user:")
_MAX_TASKS = 5
"""Behind so many tasks, it is not read anew what stands before the next."""
_TURN_NAMES = r"(?:User|Human|(?:The|Then|Another|Next)\s(?:[Uu]ser|[Hh]uman))"
_NEXT_TURN = re.compile(rf"\n{_TURN_NAMES}:")
_OBJECTS = Sought(
    r"\b(?:wrong|incorrect|mistake|(?:re)?check|are\syou\ssure|forgot|missed|not\sright|try\sagain)\b"
)
"""A turn that goes on about the same answer, which the next one may take back."""
_NEXT_TASK = re.compile(
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
    r"\n[ \t*]*+(?:\[INST\]|(?:#+\s)?\**"
    rf"(?:(?:Next|Another|Follow-up)\s\w+|{alternatives(ASKERS)})"
    r"\s?\d*\s?[:：]|(?:#+\s)?\**(?:Exercise|Problem|Question|Task)"
    r"\s(?:\d+\s?:|(?:[2-9]|\d\d)\**[ \t]*\n))"
)
"""Which of them cannot be a part of the same answer."""
_CONCLUDED = re.compile(
    r"(?:\A|\n|[.:]\s)\W*(?:So|Thus|Hence|Therefore)\b[^.?\n]*\W*\Z|=[^=?\n]{1,40}\s*\Z"
)
"""How a text ends that states an answer rather than a task."""
_ASKER = re.compile(r"User|Human")
_CONTINUES = re.compile(
    r"\s*(?:And|So|Now|Then|Thus|Therefore|Hence|First|Next|Finally|But)\b|[^.]*="
)
"""How a turn begins that goes on with the same solution."""
_TURN_END = re.compile(
    r"<(?:\|(?:im_end|eot_id|endoftext|end|end_of_turn|eom_id)\|>|end_of_turn>|/s>)"
)
_TURN_ENDS = ("<|", "</s>", "<end_of_turn>")
_CHOSEN = ("ption", "hoice")
_MAY_GO_ON = ("the answer is", "words", "option", "whole response")
"""Signs whose answer may hold what takes its place: `5, or rather 6`."""
_TAKEN_BACK = Found("", "taken back")
MARKS = ("box", "tag", "final answer", "correction", "conclusion", "taken back")
_TAGS = re.compile(r"<\s?/?\s?answer\s?>", re.I)
_FIRST_VALUE = re.compile(
    rf"\W*({OPTION_LETTER}\b|[yY]es\b|[nN]o\b|[tT]rue\b|[fF]alse\b)|\s*[^\d\n]{{0,80}}+(\d(?:[\d.,/]*\d)?)"
)
_PROSE = re.compile(r"(?:(?<![\\\w])[^\W\d_]{2,}[,.:]?\s+){3}")


def extract(response: str, options: MathOptions) -> Found | None:
    """Return the answer that a response ends with and the sign it goes by, or None.

    >>> extract("3 + 4 = 7, so the answer is 7.", MathOptions())
    Found(text='7', by='the answer is')
    """
    text = response[-MAX_RESPONSE_CHARS:]
    if len(text) > 2 * _WINDOW and (read := _ending(text, options)):
        ending, marked = read
        found = _extract(ending, response, options)
        if found is None:
            if not (marked and _marked(text)) and not _asks_before(text):
                return None
        elif found.by == "tag" and not _has_value(found.text):
            if not _boxed(text):
                return found
        elif found.by in MARKS or not _boxed(ending):
            return found
    return _extract(text, response, options)


def _ending(text: str, options: MathOptions) -> tuple[str, bool] | None:
    """Return the end of a long text where that holds all that the text is read for, else None.

    Beside it stands whether a box or tag may be in the text.
    """
    start = len(text) - _WINDOW
    start = text.rfind("\n", start - _WINDOW, start) + 1 or start
    whole = options.boxes != "last" or options.unclosed_think == "ignore"
    last = text[-_LAST:]
    closed = "</answer>" in last
    if whole or "-->" in text[start:] or "</" in last.replace("</answer>", ""):
        return None
    if closed and _boxed(text[:start]):
        return None
    near = _marked(text[-_WINDOW // 2 :])
    if any(turn in text for turn in _TURNS) if near else _marked(text):
        return None
    return text[start:], near


def _boxed(text: str) -> bool:
    return "box" in text and ("\\boxed" in text or "\\fbox" in text)


def _marked(text: str) -> bool:
    return holds_tag(text, "answer") or _boxed(text)


def _asks_before(text: str) -> bool:
    """Return whether a text repeats or asks a task somewhere, which may end what is read of it."""
    return _NEXT_TASK.search(text) is not None or without_echo(text) is not text


def _extract(response: str, whole: str, options: MathOptions) -> Found | None:
    text = _own_turn(response, options)
    if options.echo == "ignore":
        text = without_echo(text)
    text = with_carets(without_struck(without_examples(text)))
    if options.correction == "ignore" or not may_object(text):
        return _named(text, whole, options)
    if is_taken_back(text):
        return _TAKEN_BACK
    found = _named(text, whole, options)
    return _TAKEN_BACK if found and is_refuted(text, found.text) else found


def _named(text: str, whole: str, options: MathOptions) -> Found | None:
    """Return what a text marks as its answer, or else what it states."""
    box, rest = None, text
    if text[-3:].rstrip().endswith(("}", "`")) and (named := answer_in_object(text)) is not None:
        return Found(named, "final answer")
    if boxes := find_boxes(text):
        if found := boxed(text, boxes, options):
            box, end = found
            if ends(text, end):
                return box
            rest = text[end:]
            if options.correction == "read" and (better := _instead(rest, box.text)):
                return Found(better, "correction")
        else:
            rest = text = without_denied(text, boxes)
    # A box inside a tag or after the words "final answer" is that answer already.
    marks = [mark for mark in (answer_tag(rest), final_answer(rest)) if mark]
    if not marks:
        if box is None and is_left_blank(text):
            return Found(claimed(text) or "", "tag")
        return box or _stated_outside_thoughts(text, whole)
    marked, at = max(marks, key=lambda mark: mark[1])
    if marked.by == "tag" and (concluded := conclusion(rest)):
        return Found(concluded, "conclusion")
    if options.correction == "read" and (better := _instead_of_mark(rest[at:])):
        return Found(better, "correction")
    if _has_value(marked.text) or gives_up(marked.text):
        return marked
    # `#### Notes`, `the final answer is verified`
    return box or (stated(text) if marked.by != "tag" else None) or marked


def _instead(rest: str, value: str) -> str | None:
    """Return what is claimed in the place of a box that stands before a text, or None."""
    if ends(rest, 0):
        return None
    return claimed(rest, correcting=True) or replaced(rest, _states, value)


def _instead_of_mark(marked: str) -> str | None:
    """Return what is claimed behind the first value of a mark that is taken back, or None."""
    marked = _TAGS.sub("\n", marked)
    value = _FIRST_VALUE.match(marked)
    if value is None or ends(marked, value.end()):
        return None
    return replaced(marked[value.end() :], _states, value[1] or value[2])


def _states(text: str) -> str | None:
    found = stated(text)
    if found is None or found.by in ("unsettled", "refusal"):
        return None
    return found.text if any(c.isalnum() for c in found.text) else None


def _own_turn(response: str, options: MathOptions) -> str:
    """Return what is seen, up to a question that it puts to itself after a marked answer."""
    response = up_to_next_problem(_up_to_turn_end(response))
    text = visible(response, options)
    if text is response and not _NEXT_TASK.search(text):
        return text
    invented = _NEXT_TURN.findall(response)
    if invented and (own := _marked_before(response, options)):
        return own
    turn = text.find(invented[0]) if invented else -1
    if turn >= 0 and _OBJECTS.search(text[turn:].split("\n", 2)[1]):
        return text
    for k, task in enumerate(_NEXT_TASK.finditer(text)):
        own = text[: task.start()]
        if _marks(own) or final_answer(own) or claimed(own):
            return own
        another = k < _MAX_TASKS and _ANOTHER.match(text, task.start())
        if not (another or k == 0) or invented != _NEXT_TURN.findall(text):
            continue
        if invented and not (may_name(own) or may_replace(own)):
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
    goes_on = "?" not in asked and _CONTINUES.match(asked)
    ends = "<" not in own[-_LAST:] and _CONCLUDED.search(own, max(0, len(own) - _LAST))
    concludes = bool(ends) and not goes_on
    if not (concludes or may_name(own)) or not (says := stated(own)) or not has_digit(says.text):
        return False
    return concludes or says.by == "the answer is"


def _up_to_turn_end(response: str) -> str:
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


def thought(response: str, options: MathOptions) -> Found | None:
    """Return the answer of thoughts behind which nothing but a remark stands, or None.

    A tag in which nothing stands is a remark only where the prompt had opened the thoughts: then
    what stands before it may be all that was meant to be seen.
    """
    parts = split_thoughts(response)
    if parts is None:
        return None
    if is_remark(parts[1]):
        return extract(parts[0], options)
    if "<think>" in response or not is_blank(parts[1]):
        return None
    found = extract(parts[0], options)
    unsolved = found is not None and found.by == "last formula" and "=" not in found.text
    return None if unsolved else found


def _stated_outside_thoughts(text: str, response: str) -> Found | None:
    """Return what is stated, but for the last number of thoughts that were cut off."""
    found = stated(text)
    if found and found.by == "the answer is" and (at := _place_of(found.text, text)) >= 0:
        better = replaced(text[at + len(found.text) :], _states, found.text)
        if better and not better.strip(". ").endswith(f" {found.text}"):  # `Yes, 96.`
            found = Found(better, "the answer is")
    if found and found.by in _MAY_GO_ON and (better := _on_second_thoughts(found.text, text)):
        found = Found(better, "the answer is")
    guess = found is not None and (found.by.startswith("last") or found.by == "whole response")
    if not guess or not thinks_on(response):
        return found
    own = without_turns(response)  # thoughts of an invented dialogue take nothing back
    return stated(own) if len(own) < len(response) and not thinks_on(own) else None


def _on_second_thoughts(stated: str, text: str) -> str | None:
    """Return what a text ends with in the place of the first value of what it states, or None."""
    value = _FIRST_VALUE.match(stated)
    at = text.rfind(stated)
    if value is None or at < 0:
        return None
    return second_thought(text[at + value.end() :], value[1] or value[2])


def _place_of(answer: str, text: str) -> int:
    """Return where a text names an answer, which it may speak of again further on; -1 nowhere."""
    last = text.rfind(answer)
    named = text.rfind("nswer", 0, max(0, last))
    named = named if named >= 0 else max(text.find(name, 0, max(0, last)) for name in _CHOSEN)
    return text.find(answer, named) if named >= 0 else last


def bare_answer(text: str) -> str:
    """Return a gold answer without the text, box or dollar signs around it."""
    if "\\boxed" in text or "\\fbox" in text:
        boxes = find_boxes(text)
        gaps = (text[a.end : b.start] for a, b in pairwise(boxes))
        if not any(c.isalnum() for gap in gaps for c in gap):
            return joined(boxes)  # nothing is said between them: all are the answer
        return joined(grouped(boxes, text)[-1])
    if len(text) < 300 or not _PROSE.search(text):
        return text
    found = stated(text)
    return found.text if found else text


def _has_value(text: str) -> bool:
    """Return whether what a mark names can be an answer rather than prose about it."""
    if has_digit(text):
        return True
    try:
        return not isinstance(reading(text), str)
    except TooComplex:
        return True
