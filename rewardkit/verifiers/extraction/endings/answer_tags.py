"""Where no value is said: tags and boxes left empty, remarks behind thoughts; what concludes there.

`<answer> </answer>`, `Hope that helps!`; but `</answer> So 7.` concludes.
"""

from __future__ import annotations

import re
from collections import deque

from rewardkit.verifiers.extraction.marked import (
    CLOSING,
    CONCLUDES,
    MAX_TAGS,
    NOTHING_YET,
    OPENINGS,
    TAGS_ALONE,
    claimed,
)
from rewardkit.verifiers.extraction.prose.doubts import doubts
from rewardkit.verifiers.extraction.prose.prose import EXAMPLE, statement
from rewardkit.verifiers.extraction.prose.spoken import refuses, said
from rewardkit.verifiers.extraction.text.boxes import EMPTY_BOX
from rewardkit.verifiers.extraction.text.plain import without_tags, without_turns
from rewardkit.verifiers.extraction.text.visible import OPENS_ANSWER
from rewardkit.verifiers.vocabulary.alternatives import CHECKING
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.numbers import NUMBER_WORDS
from rewardkit.verifiers.vocabulary.patterns import alternatives, last_of
from rewardkit.verifiers.vocabulary.phrases import CONCLUSIONS

_SPOKEN_OF = as_pattern(r"\b(?:within|in|inside|between|with|using)\s(?:the\s)?\Z", re.I)
"""Before a tag, what shows that it is only named: `enclosed within <answer> </answer>`."""
_SETTLES = as_pattern(
    rf"[=$\\]|\*\*|\b(?:{alternatives(CONCLUSIONS)}|answers?|total|altogether|left|remains?|is|are|equals?"
    r"|gives?|gets?|makes?|needs?|takes?|must|will|has|have)\b",
    re.I,
)
"""What a text holds that comes to something; what is only told of the past does not."""
_FEW_WORDS = 3
"""So few words behind it are an answer that stands outside of its tag."""
_MAX_BLANK = 120
"""Characters of a tag in which nothing stands, and what closes it."""
_ASKED_NEXT = as_pattern(
    r"\n[ \t]*\n(?![^?\n]*\b(?i:answer|right|correct|wrong|mistake|sure|really)\b)"
    r"[A-Z][^?\n]{20,}\?[ \t]*\n"
)
"""Behind a tag, the next question in a paragraph of its own."""
_SPEAKER = as_pattern(r"\A\s*Assistant\s?:")
_PLAIN_VALUE = as_pattern(r"(?<![\d.,])\d+(?:[.,]\d+)*")
_OPERAND = r"(\d+(?:[.,]\d+)*)(?![\d.,]*\d)"
_SIGN, _RESULT = r"[-−–+*/×÷·]", r"[^=\n]{0,40}=\s*\$?\d"
_CALCULATES = as_pattern(
    rf"(?<![\d.,])(?={_OPERAND}[^=\n\d]{{0,20}}{_SIGN}{_RESULT})|(?={_SIGN}\s*\$?{_OPERAND}{_RESULT})"
)
_CHECKS = as_pattern(rf"\b(?:{CHECKING})\b|检查|检验|验证|代入", re.I)
_MAX_CHARS = 600
_DIGIT = as_pattern("[0-9]")
_VALUE = as_pattern(rf"[\d\\=<>√π∞½¼¾]|\b{alternatives(NUMBER_WORDS)}\b", re.I)
_DENIES = as_pattern(
    r"\b(?:not|no|never|cannot|unable|fail(?:s|ed)?|wait|however)\b|n['’]t\b", re.I
)
_WORD = as_pattern(r"[^\W\d_]{2,}")
_TURN = as_pattern(r"\n\s*(?:User|Human|Assistant|Teacher):")
_OF_DIALOGUE = as_pattern(
    r"\s*(?:(?:[Nn]ext|[Ff]inally|[Nn]ow|[Tt]hen),?\s)?(?:The|the|An|Another)\s(?:[Uu]ser|[Aa]ssistant|[Hh]uman)\b"
    r"(?:(?!\b(?:wrong|incorrect|mistake|error|not)\b)[^.?!\n\d<])*[.?!]?|\s*\[[^\[\]\d<]*\]"
)
"""Talk of who speaks, and what stands for the rest of it: `[The dialogue goes on unchanged]`."""


def is_blank(text: str) -> bool:
    """Return whether a text is an `<answer>` tag in which nothing stands, and nothing else.

    >>> is_blank(" <answer> answer here </answer>"), is_blank("<answer>"), is_blank("So 12.")
    (True, True, False)
    """
    if len(text) > _MAX_BLANK or not OPENINGS[0].search(text):
        return False
    return NOTHING_YET.fullmatch(TAGS_ALONE.sub("", _SPEAKER.sub("", text))) is not None


def is_story_behind_box(text: str) -> bool:
    """Return whether a text opens with an empty box and then only tells something.

    >>> is_story_behind_box(r"\\boxed{} Tom had 7 apples."), is_story_behind_box(r"\\boxed{} So 7.")
    (True, False)
    """
    box = EMPTY_BOX.search(text[:_MAX_BLANK]) if "box" in text[:_MAX_BLANK] else None
    if box is None or text[: box.start()].strip(" $\n"):
        return False
    rest = text[box.end() :]
    return len(rest.split()) > _FEW_WORDS and _SETTLES.search(rest) is None


def is_left_blank(text: str) -> bool:
    """Return whether a text ends with a closed `<answer>` tag in which nothing stands.

    >>> is_left_blank("It has 12 faces. <answer> </answer>"), is_left_blank("<answer>12</answer>")
    (True, False)
    """
    if ">" not in text[-_MAX_BLANK:]:
        return False
    last = last_of(OPENINGS[0].finditer(text, max(0, len(text) - _MAX_BLANK)))
    if last is None or not CLOSING.search(text, last.end()):
        return False
    if _SPOKEN_OF.search(text, max(0, last.start() - 40), last.start()):
        return False
    held, _, rest = text[last.end() :].partition("</")
    if not NOTHING_YET.fullmatch(TAGS_ALONE.sub("", held)):
        return False
    rest = TAGS_ALONE.sub("", f"</{rest}")
    return NOTHING_YET.fullmatch(rest) is not None or not (
        claimed(rest)
        or CONCLUDES.search(rest)
        or (len(rest.split()) < _FEW_WORDS and not EXAMPLE.search(rest))
    )


def conclusion(text: str) -> str | None:
    """Return what a text concludes behind its last closed answer tag, `</answer> So it is 7.`.

    A second end of the tag shows as well that the answer went on.
    """
    for opening in reversed(deque(OPENINGS[0].finditer(text), maxlen=MAX_TAGS)):
        closing = CLOSING.search(text, opening.end())
        after = without_turns("\n" + text[closing.end() + 1 :]) if closing else ""
        asked = _ASKED_NEXT.search(after) if "?" in after else None
        after = after[: asked.start()] if asked else after
        if claim := claimed(after, correcting=True):
            return claim
        held = text[opening.end() : closing.start()] if closing else ""
        if concludes := CONCLUDES.search(after):
            after = after[concludes.start() :]
        elif not (CLOSING.search(after) or _calculates_on(held, after)):
            return None
        return None if doubts(after) else statement(after)
    return None


def _calculates_on(held: str, after: str) -> bool:
    """Return whether what follows a tag calculates with its value: `So 50.` ... `50 / 5 = 10`.

    What is there to check the value leads to no other: `Check: 50 / 5 = 10, as given.`
    """
    values = _PLAIN_VALUE.findall(held) if "=" in after else []
    if not values or values[-1] not in after or _CHECKS.search(after):
        return False
    return any(values[-1] in found.groups() for found in _CALCULATES.finditer(after))


def says_no_value(text: str) -> bool:
    """Return whether a text is words alone, which name no number and no option and answer nothing.

    >>> says_no_value("Hope that helps!"), says_no_value("Twelve."), says_no_value("No, it is not.")
    (True, False, False)
    """
    if "<" not in text and _DIGIT.search(text):
        return False
    text = without_tags(text).strip()
    if _VALUE.search(text) or said(text) is not None:
        return False
    return _WORD.search(text) is not None or not any(c.isalnum() for c in text)


def is_remark(after: str) -> bool:
    """Return whether a text that follows thoughts leaves their answer as it is.

    An answer tag does not: who leaves it empty answers nothing.
    """
    if OPENS_ANSWER.search(after):
        return False
    if told := _OF_DIALOGUE.match(after):
        turn = _TURN.search(after, told.end())
        after = after[told.end() : turn.start() if turn else None]
    if len(after) > _MAX_CHARS:
        return False
    bare = without_tags(after)
    return says_no_value(bare) and not (refuses(bare) or doubts(bare) or _DENIES.search(bare))
