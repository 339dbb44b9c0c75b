"""Response text -> its final answer, and the sign in the response that names it.

The order of the signs is said here. First come those that mark an answer: the last box; after it,
the words "final answer" or else an `<answer>` tag. Only a response without a mark is read by what
it states: "the answer is", an option, the last formula or number, in the order of `stated.SIGNS`.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.endings.answer_tags import (
    conclusion,
    is_blank,
    is_left_blank,
    is_remark,
    is_story_behind_box,
)
from rewardkit.verifiers.extraction.endings.last_sentences import without_line_begun_again
from rewardkit.verifiers.extraction.endings.replaced import replaced, with_note_opened
from rewardkit.verifiers.extraction.endings.second_thoughts import second_thought
from rewardkit.verifiers.extraction.endings.taken_back import is_refuted, is_taken_back, may_object
from rewardkit.verifiers.extraction.endings.unsettled import gives_up
from rewardkit.verifiers.extraction.last_part import has_value, last_part, settles
from rewardkit.verifiers.extraction.marked import (
    CORRECTS,
    Found,
    answer_tag,
    boxed,
    claimed,
    ends,
    final_answer,
    without_denied,
)
from rewardkit.verifiers.extraction.own_turn import own_turn, up_to_next_problem
from rewardkit.verifiers.extraction.signs.alone import exclaimed, explained
from rewardkit.verifiers.extraction.stated import stated
from rewardkit.verifiers.extraction.text.boxes import find_boxes
from rewardkit.verifiers.extraction.text.examples import without_echo, without_examples
from rewardkit.verifiers.extraction.text.plain import with_carets, with_money_apart, without_turns
from rewardkit.verifiers.extraction.text.usual_marks import (
    answer_in_last_object,
    answer_in_object,
    without_pairs,
)
from rewardkit.verifiers.extraction.text.visible import split_thoughts, thinks_on
from rewardkit.verifiers.limits import MAX_RESPONSE_CHARS
from rewardkit.verifiers.options import MathOptions
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.letters import OPTION_LETTER

_MAX_REASON = 400
_REASON = as_pattern(r"(?<=[\w$)][.!])\s+(?:This|That|It)\s(?:is|was)\sbecause\s[^\n]*\Z")
_CHOSEN = ("ption", "hoice")
_MAY_GO_ON = ("the answer is", "words", "option", "whole response")
"""Signs whose answer may hold what takes its place: `5, or rather 6`."""
_TAKEN_BACK = Found("", "taken back")
_TAGS = as_pattern(r"<\s?/?\s?answer\s?>", re.I)
_FIRST_VALUE = as_pattern(
    rf"\W*({OPTION_LETTER}\b|[yY]es\b|[nN]o\b|[tT]rue\b|[fF]alse\b)|\s*[^\d\n]{{0,80}}+(\d(?:[\d.,/]*\d)?)"
)


def extract(response: str, options: MathOptions) -> Found | None:
    """Return the answer that a response ends with and the sign it goes by, or None.

    >>> extract("3 + 4 = 7, so the answer is 7.", MathOptions())
    Found(text='7', by='the answer is')
    """
    response = response[-MAX_RESPONSE_CHARS:]
    part = last_part(response, options)
    found = extract_from(part, options)
    if part is response or settles(found, part, response):
        return found
    return extract_from(response, options)


def extract_from(response: str, options: MathOptions) -> Found | None:
    """Return the same, where all of a response, or the last part of a long one, is read."""
    text = without_line_begun_again(own_turn(response, options))
    if options.echo == "ignore":
        text = without_echo(text)
    text = with_note_opened(with_money_apart(with_carets(without_examples(text))))
    if options.correction == "ignore" or not may_object(text):
        return _named(text, response, options)
    if is_taken_back(text):
        return _TAKEN_BACK
    found = _named(text, response, options)
    return _TAKEN_BACK if found and is_refuted(text, found.text) else found


def _named(text: str, whole: str, options: MathOptions) -> Found | None:
    """Return what a text marks as its answer, or else what it states."""
    box = None
    if text[-3:].rstrip().endswith(("}", "`")):
        if (named := answer_in_object(text)) is None:
            named = answer_in_last_object(text)
        if named is not None:
            return Found(named, "final answer")
    text = rest = without_pairs(text)
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
        if box is None and (is_left_blank(text) or is_story_behind_box(text)):
            return Found(claimed(text) or "", "tag")
        stated_last = box or _stated_outside_thoughts(_before_its_reason(text), whole)
        return stated_last or exclaimed(text) or explained(text)
    marked, at = max(marks, key=lambda mark: mark[1])
    if marked.by == "tag" and (concluded := conclusion(rest)):
        return Found(concluded, "conclusion")
    if marked.by == "tag" and (begun := _box_begun(marked.text, whole)):
        return Found(begun, "tag")
    if options.correction == "read" and (better := _instead_of_mark(rest[at:])):
        return Found(better, "correction")
    if has_value(marked.text) or gives_up(marked.text):
        return marked
    # `#### Notes`, `the final answer is verified`
    return box or (stated(text) if marked.by != "tag" else None) or marked


def _box_begun(held: str, whole: str) -> str | None:
    """Return what the box holds that a tag ends in the middle of: `\\frac{3` of `\\frac{3}{4}`."""
    if held.count("{") <= held.count("}"):
        return None
    begun = [box.text for box in find_boxes(whole) if box.text.startswith(held.strip())]
    return begun[-1] if begun else None


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


def thought(response: str, options: MathOptions) -> Found | None:
    """Return the answer of thoughts behind which nothing but a remark stands, or None.

    A tag in which nothing stands is a remark only where the prompt had opened the thoughts: then
    what stands before it may be all that was meant to be seen.
    """
    parts = split_thoughts(up_to_next_problem(response))
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
    # thoughts of an invented dialogue take nothing back
    own = without_turns(up_to_next_problem(response))
    return stated(own) if len(own) < len(response) and not thinks_on(own) else None


def _on_second_thoughts(stated: str, text: str) -> str | None:
    """Return what a text ends with in the place of the first value of what it states, or None."""
    value = _FIRST_VALUE.match(stated)
    at = text.rfind(stated)
    if value is None or at < 0:
        return None
    return second_thought(text[at + value.end() :], value[1] or value[2])


def _before_its_reason(text: str) -> str:
    """Return a text without a last sentence that only says why: `This is because ...`."""
    near = max(0, len(text) - _MAX_REASON)
    reason = _REASON.search(text, near) if " because " in text[near:] else None
    if reason is None:
        return text
    rest = text[reason.start() :]
    return text if claimed(rest) or CORRECTS.search(rest) or gives_up(rest) else text[: -len(rest)]


def _place_of(answer: str, text: str) -> int:
    """Return where a text names an answer, which it may speak of again further on; -1 nowhere."""
    last = text.rfind(answer)
    named = text.rfind("nswer", 0, max(0, last))
    named = named if named >= 0 else max(text.find(name, 0, max(0, last)) for name in _CHOSEN)
    return text.find(answer, named) if named >= 0 else last
