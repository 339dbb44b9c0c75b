"""The lenient reading: the last mark that names a value of the kind, else the last sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from rewardkit.verifiers.format.boxes import last_box
from rewardkit.verifiers.format.found import (
    DRESS,
    NOT_A_VALUE,
    NOT_DECLARED,
    Found,
    Missing,
    trimmed,
)
from rewardkit.verifiers.format.markers import markers
from rewardkit.verifiers.format.tags import last_tag
from rewardkit.verifiers.format.thoughts import answer_start, thinks_on, without_end_tokens
from rewardkit.verifiers.kinds import Kind
from rewardkit.verifiers.lenient.letters import option, truth
from rewardkit.verifiers.lenient.numbers import is_value, leading_formula, listed, stated
from rewardkit.verifiers.lenient.sentences import last_sentences
from rewardkit.verifiers.lenient.turns import turn_end

_SHOWN = {
    "number": "a number",
    "list": "a list of numbers",
    "expression": "a formula or a number",
    "option": "an option",
    "truth": "yes, no, true or false",
    "words": "an answer in words",
}
_MAX_MARKERS = 40
_MAX_HELD = 1000
"""What a mark holds that is longer is read sentence by sentence."""
_LONG = 60
"""An answer in words that is longer is a sentence, which names it at its end."""
_SHORT = 40
"""Words behind a mark that are longer and hold no value are said about the answer."""
_QUOTES = "#> "
"""Signs of a heading or a quotation before a whole response."""
_PLACEHOLDER = re.compile(
    r"[\s.…_?*\-\[\]<>]*"
    r"|\W*(?:your|the|final|insert)?[\s_]*answer[\s_]*(?:goes\s)?(?:here)?\W*",
    re.I,
)
_SENTENCE = re.compile(r"(?:[^\W\d_]{2,30}\s+){5}")
_SAYS_SOMETHING = re.compile(r"[^\W_]|[∅∞]")
_TAG = re.compile(r"</?[a-zA-Z][^<>\n]{0,60}>")
_SAYS_NOTHING = re.compile(
    r"\W*(?:correct|wrong|incorrect|right|verified|as follows|below|above|the same|enclosed|found"
    r"|given|obtained|clear|not)\b[^\d$\\]*\Z",
    re.I,
)
"""What is said of an answer, and is none: `This answer is correct.`"""
_BESIDE = re.compile(
    r"[\s*]*(?:this is because|because|note|to (?:verify|check|confirm)|check|let me know|please"
    r"|is there anything|would you|do you|if you (?:have|need)|feel free|i hope)\b",
    re.I,
)
"""How a sentence begins that says nothing of the answer."""
_TASK = re.compile(
    r"[\s*]*(?:we are given|find|compute|determine|evaluate|simplify|write|express|solve|what"
    r"|how)\b",
    re.I,
)
"""How a sentence begins that says what is to be done; behind it nothing was."""
_CHECK = re.compile(
    r"\n[ \t*#]{0,20}(?:\d\.\s*\**|step \d+:\s*)?(?:let(?:['’]?s| us) (?:check|verify)"
    r"|we can check|to (?:check|verify)|check(?:ing)?\b|verification)",
    re.I,
)
"""What begins the check of an answer that is given already."""
_THINKS = re.compile(r"\b(?:Wait|Hmm|Alternatively)\b")
_LONG_RESPONSE, _FAR = 3000, 1000
"""A longer response that is cut off in mid-sentence states nothing; where it was still thinking,
what it named its answer far before the end is a thought, too."""
_NEAR = 20_000
"""The end of a long response; marks in words that stand before it are thoughts, and it says
something where it does there."""
_ENDS = re.compile(r"[.!?。！？)\]}$*\d%>`\"'”]\s*\Z")
"""How a response ends that was not cut off."""
_WORDS = re.compile(r"[^\W\d_]{2,}\s+[^\W\d_]{2,}")
_CUT_OFF = Missing(NOT_A_VALUE, "it ends in mid-sentence; what stands before is taken for a step")
_BOLD = re.compile(r"\*\*([^*\n]{1,80})\*\*")
_IS = re.compile(r"\b(?:is|are|was|were|(?:must|will|should|would) be)\b:?\s|[:=：]\s*")


def read(response: str, kind: Kind, *, unclosed_think: str = "read") -> Found | Missing:
    """Return the one value of a kind that a response gives as its answer, or why it gives none.

    >>> read("He buys 3 of them. So he pays 12 dollars for 3 of them.", "number").text
    '12'
    """
    start = answer_start(response)
    if unclosed_think == "ignore" and thinks_on(response, start):
        return Missing(NOT_DECLARED, "the thoughts never end")
    value = _read_part(response, start, turn_end(response, start), kind)
    if start and not isinstance(value, Found):  # what stands behind the thoughts says nothing
        value = _read_part(response, 0, start, kind)
    return value or Missing(NOT_A_VALUE, f"nothing in the response is {_SHOWN[kind]}")


def _read_part(text: str, start: int, end: int, kind: Kind) -> Found | Missing | None:
    cut_off = end - start > _LONG_RESPONSE and not _ENDS.search(text, end - 20, end)
    thinks = cut_off and _THINKS.search(text, max(start, end - _FAR), end) is not None
    for mark in _marks(text, start, end):
        if thinks and mark.by == "marker" and end - mark.end > _FAR:
            continue
        if (value := _value(text, mark, kind)) is not None:
            return value
    return _CUT_OFF if cut_off else _unmarked(text, start, end, kind)


def _marks(text: str, start: int, end: int) -> Iterator[Found]:
    """Yield the last box, the last tag and the marks in words, from the last to the first."""
    near = max(start, end - _NEAR)
    for one in _boxed_or_tagged(text, near, end):
        yield from markers(text, one.end if one.by == "box" else one.start, end)
        yield one
        end = one.start
    yield from islice(markers(text, near, end), _MAX_MARKERS)
    yield from _boxed_or_tagged(text, start, near)


def _boxed_or_tagged(text: str, start: int, end: int) -> list[Found]:
    found = (last_box(text, start, end), last_tag(text, start, end))
    return sorted((one for one in found if one), key=lambda mark: -mark.start)


def _value(text: str, mark: Found, kind: Kind) -> Found | None:
    """Return the value that a mark names: all that it holds, or what its last sentence states."""
    start, end = mark.start, mark.end
    if mark.by == "box":
        if kind not in ("number", "expression") or not _SENTENCE.search(mark.text, 0, _MAX_HELD):
            return mark if mark.text else None
        return stated(text, start, end, formulas=kind == "expression") or mark
    if end - start <= _MAX_HELD:
        held = _TAG.sub(" ", without_end_tokens(mark.text)).strip()
        if not any(map(str.isalnum, held)) or _SAYS_NOTHING.match(held) or _is_placeholder(held):
            return None
        if (value := _whole(text, mark._replace(text=held), kind)) is not None:
            return value
    for a, b in last_sentences(text, start, end):
        if (value := _of_sentence(text, a, b, kind)) is not None:
            return value._replace(by=mark.by)
    return mark if len(mark.text) < _SHORT else None


def _whole(text: str, mark: Found, kind: Kind) -> Found | None:
    """Return a mark whose words are a value of the kind, without a sentence around it."""
    if kind == "option":
        plain = is_value(mark.text, number=True)
        return option(text, mark.start, mark.end) or (mark if plain else None)
    if kind == "truth":
        return truth(text, mark.start, mark.end) or mark
    if kind == "words":
        return mark if len(mark.text) < _LONG else _words(text, mark.start, mark.end)
    if kind == "expression" and (formula := leading_formula(text, mark.start, mark.end)):
        return formula
    return mark if is_value(mark.text, number=kind == "number") else None


def _is_placeholder(held: str) -> bool:
    return len(held) < _SHORT and _PLACEHOLDER.fullmatch(held) is not None


def _of_sentence(
    text: str, start: int, end: int, kind: Kind, *, in_words: bool = True
) -> Found | None:
    """Return the value of a kind that a sentence states; a number in words only where asked."""
    if kind == "option":
        return option(text, start, end)
    if kind == "truth":
        return truth(text, start, end)
    if kind == "list":
        return listed(text, start, end)
    return stated(text, start, end, formulas=kind == "expression", in_words=in_words)


def _unmarked(text: str, start: int, end: int, kind: Kind) -> Found | Missing | None:
    """Return what the last sentences state, or all of a short response."""
    whole = trimmed(text, start, end, "whole response", DRESS)
    held = _TAG.sub("", whole.text[-_NEAR:]).lstrip(_QUOTES)
    if not _SAYS_SOMETHING.search(held):
        return None
    short = len(held) < 8 or (kind not in ("option", "truth") and len(whole.text) < _NEAR)
    if short and "\n" not in held and is_value(held, number=kind in ("number", "option")):
        return whole._replace(text=held)
    if check := _CHECK.search(text, max(start + 1, end - _FAR), end):
        end = check.start()
    if kind == "words":
        return _words(text, start, end)
    value = _last_stated(text, start, end, kind)
    if kind == "list" and not isinstance(value, Found):
        return _of_two_sentences(text, start, end)
    return value


def _last_stated(text: str, start: int, end: int, kind: Kind) -> Found | Missing | None:
    last = True
    for a, b in last_sentences(text, start, end):
        if _BESIDE.match(text, a):
            continue
        if _TASK.match(text, a) or text[a:b].rstrip(" *\n").endswith("?"):
            return None
        if (value := _of_sentence(text, a, b, kind, in_words=last)) is not None:
            return value
        if last and not _ENDS.search(text, max(a, b - 20), b) and _WORDS.search(text, a, b):
            return _CUT_OFF
        last = False
    return None


def _of_two_sentences(text: str, start: int, end: int) -> Found | None:
    """Return the two numbers that the last two sentences state, as `So x is 5. And y is 3`."""
    found = [
        one
        for a, b in last_sentences(text, start, end)
        if (one := stated(text, a, b, formulas=False))
    ][:2]
    if not found:
        return None
    values = dict.fromkeys(one.text for one in reversed(found))
    return Found(", ".join(values), found[-1].start, found[0].end, "sentence")


def _words(text: str, start: int, end: int) -> Found | None:
    """Return what the last sentence says in bold, or behind its last `is` or colon."""
    for a, b in last_sentences(text, start, end):
        if bold := _BOLD.search(text, a, b):
            return trimmed(text, *bold.span(1), "bold")
        leads = list(_IS.finditer(text, a, b))
        return trimmed(text, leads[-1].end() if leads else a, b, "sentence")
    return None
