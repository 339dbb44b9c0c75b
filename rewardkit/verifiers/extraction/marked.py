"""What a response marks as its answer: a box, an `<answer>` tag, the words "final answer"."""

from __future__ import annotations

import re
from collections import deque
from typing import NamedTuple

from rewardkit.verifiers.extraction.prose.another import another, names_another
from rewardkit.verifiers.extraction.prose.behind import without_remarks
from rewardkit.verifiers.extraction.prose.denials import is_denied, is_negated
from rewardkit.verifiers.extraction.prose.doubts import doubts
from rewardkit.verifiers.extraction.prose.prose import statement
from rewardkit.verifiers.extraction.prose.sentences import sentence_answer
from rewardkit.verifiers.extraction.text.boxes import BOX, Box, grouped, joined, takes_sign
from rewardkit.verifiers.extraction.text.examples import is_echoed, is_shown
from rewardkit.verifiers.extraction.text.plain import without_hope, without_tags, without_turns
from rewardkit.verifiers.extraction.text.visible import is_hidden
from rewardkit.verifiers.options import MathOptions
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.characters import has_digit
from rewardkit.verifiers.vocabulary.letters import OPTION_LETTER
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.phrases import DOUBTS
from rewardkit.verifiers.vocabulary.sought import Sought
from rewardkit.verifiers.vocabulary.units import PERCENT

_NAMED_ONLY = r"(?!['\"`](?:[\s,.;:)]|\Z)|\s(?:<\w+>\s?)?tags?\b)"
"""Behind a tag that is only spoken of: `inside <answer> tags`."""
OPENINGS = (
    as_pattern(rf"<\s?answer\s?>{_NAMED_ONLY}", re.I),
    as_pattern(rf"(?<![/\w<])(?<!/ )(?<!end )answer\s?>{_NAMED_ONLY}", re.I),
)
"""As it should be, and without its first sign."""
CLOSING = as_pattern(r"<(?:<*+\s?(?:\.?/|\\|end)[\s(]?answer(?![a-zA-Z])|/>)", re.I)
_LEADS = (
    r"(?:[^\S\n]|\*\*)*+(?:\s*+(?:is\b|[:=]|[-–—]\s++(?=[\d*$\\]))|\n)"
    r"\s*+(?:\*\*)?\s*+:?\s*+(?:(?i:the\s++final\s++answer\s++is)\b\s*+:?)?"
)
_FINAL = (
    ("inal", as_pattern(r"inal(?<=[fF]inal)\s++(?i:answer)" + _LEADS)),
    ("FINAL", as_pattern(r"FINAL\s++ANSWER" + _LEADS)),
    ("#", as_pattern("####")),
)
"""Each begins with signs that are searched for in no time."""
_ASKED_AGAIN = as_pattern(r"[^\S\n]*\**[A-Z][^?\n]*\?\**[^\S\n]*\n\s*\w")
"""The question behind the words, and below it what answers it."""
_A_LINE = as_pattern(":(?<=[aA]:)")
_CLAIM = Sought(
    r"\b(?:the|my|our)\s(?:\w{1,9}\s){0,2}answer\s(?:is|should\sbe|must\sbe"
    r"|becomes)\b\s*+:?(?!\s*not\b)"
    r"|\bthe\s(?:correct|right|true|actual|real)\s(?:[a-z]+\s)?(?:total|number|value|count|result|sum|amount"
    r"|one|figure|time|price|cost)\s(?:is|should\sbe|must\sbe)\s(?=[$\\]{0,2}-?\d)"
    r"|\b(?:that|it|this)\s(?:should|must)\s(?:actually\s|really\s|instead\s)?be\s(?=[$\\]{0,2}\d)"
    r"|(?:\A|\n)\W{0,3}(?:edit|correction|update)\s?:\W{0,3}(?=[$\\]{0,2}\d)"
)
CORRECTS = Sought(
    r"\b(?:correct(?:ion|ing|ed)|wait|actually|sorry|mistaken?|(?<!\bno\s)error|wrong|incorrect|again|no,"
    r"|second\sthought"
    r"|\bthe\s(?:true|real|actual|right|correct)\s(?:final\s)?(?:answer|value|result|number)\b|\b(?:question|problem)\sask(?:s|ed)"
    r"|oops|slip|forgot|edit|update|re-?(?:check|calculat|comput|consider|examin)\w*)"
)
"""What announces that an answer takes the place of the one before."""
_CLOSES = as_pattern(r"[$. \n\\\])]*+\Z")
_AFTER_BOX = as_pattern(rf"\s*+(?:\$|\\\)|\\\])*+\s*+{PERCENT}", re.I)
TAGS_ALONE = as_pattern(r"</?\s?\w+\s?>|\b\w++>")
NOTHING_YET = as_pattern(
    r"(?!\s*\d)(?:[\s._/…↓→–—?？*-]*|&nbsp;|\W*(?:(?:insert|put|write|fill|give|enter|in|your|the|my|final"
    r"|correct|numerical|(?!answer)[a-z]+[_-](?=answer))\s?){0,4}_?answer(?:(?:[_\s]\d{1,2})?[_\s](?:goes\s)?here)?\W*"
    r"|\W*(?:insert|put|write|fill\sin|enter|type|place)\s[^<>.\n]{0,40}\b(?:answer|result|value|number)(?:\sgoes)?\shere\W*)",
    re.I,
)
"""What stands where an answer was to be filled in."""
TO_FILL_IN = as_pattern(
    r"\W*[\[<{(]\s*(?:(?:please\s)?(?:insert|put|write|fill|enter|add|place|type|give|your|todo|tbd|to\sbe)\b"
    r"|(?:final[_ ]?)?answer\s*[\]>})])|\W*_{3,}(?!\w)"
    r"|[\s*]*(?:\.\s\(|\(see\s|see\s|cf\.|note:\s)|\s*(?:TODO|TBD|FIXME)\b",
    re.I,
)
"""A gap, with or without what is said of how it is filled: `[insert 12 here if correct]`."""
_IN_ONE = as_pattern(
    r"<\s?answer\s?>\s*+((?:<\s?answer\s?>[^<>]*<\s?/\s?answer\s?>[\s,;]*(?:(?:and|or)\s)?){2,20})"
    r"<\s?/\s?answer\s?>",
    re.I,
)
_EACH_IN_ONE = as_pattern(r">([^<>]*)<\s?/")
"""Answers within one answer, which are it together, as boxes within a box are."""
_DIALOGUE = as_pattern(r"\n\n[^\n]*\b(?:User|Assistant|Human|[Tt]he (?:user|assistant))\b")
VALUE_LINE = as_pattern(
    r"[*\s]*(?:[Aa]nswer\s?:\s?)?(?:[a-zA-Z]\s?=\s?)?"
    r"(?:[-−–$\\]{0,3}\d[\d.,/ ]*(?:\s?\\?%|\s[^\W\d_][^\s\d]{0,12})?|\$[^$\n]+\$)[.*\s]*"
)
_EXPLAINS = as_pattern(
    r"\s*\(?(?:[A-Z]|because\b|since\b|as\b)[^\W\d_]*['’,:]?\w*\s+[^\W\d_]+['’,:]?\w*\s"
)
_ASKED_NEXT = as_pattern(
    r"\s*\n(?:What\s(?!if\b|about\b)|How\s(?:many|much|do|does|did|can|are|is)\s|Why\s(?:do|does|did|are|is)\s|When\sdid\s|Who\s(?:is|was)\s)"
    r"(?:[^?\n\s]+\s){4,}[^?\n\s]+\?(?:\s|\Z)"
)
"""A question in a paragraph of its own that a response puts to itself below its answer."""
_LETTER = as_pattern(rf"\(?{OPTION_LETTER}\)?")
_OTHER_LINE = as_pattern(
    r"^\s*\**B\s?[:.)]|[.;,✓✔✗❌]\sB:\s(?:[-−$]{0,2}\d|[^\n]*[.!]\s(?:[A-Z][a-z]+,?\s)?\(?[A-J]\)?\W*\Z)",
    re.M,
)
"""Beside `A: ...` it shows that both are options."""
_STRAY = as_pattern(r"\s*[,;:]\s*")
_OPENED = as_pattern(r"\n\s*[*_#>-]+\s*\Z")
"""The bold type of a heading, behind which its remark is cut off."""
_ONE_SIDED = as_pattern(r"\s*(\()?([-$]{0,2}\d[\d.,]*[^(),;\n]{0,40}?)(?(1)|\))\s*")
"""A value with one side of a pair of brackets: `23)`."""
_UNIT = as_pattern(r"\s*[a-z]{3,15}(?:\s[a-z]{2,15}){0,2}\.?\s*")
_BEFORE_UNIT = as_pattern(r"nswer\s(?:\w+\s)?(?:is|=)\s\$?(\d[\d.,]*)\s*\Z")
"""The value of an answer whose unit alone stands in the tag: `The answer is 8 <answer> hours`."""
_CODE = as_pattern(r"\s*(?P<fence>```|`)(?:(?<=```)\w*\n)?(?P<held>[^`]+)(?P=fence)\s*")
"""What is set as code, whole: `12` between back quotes, or between lines of three."""
_HAS_VALUE = as_pattern(r"[\d\\]")
CONCLUDES = as_pattern(
    r"(?:\A|[.!>\n])\s*(?:(?:So|Thus|Hence|Therefore?|In total|Altogether)\b|The total\b[^.\n]*=)"
)
_TELLS = as_pattern(r"\s*(?:[^\W\d_]+['’]?\w*\s){3}")
_MAX_VALUE_CHARS = 60
MAX_TAGS = 20
"""Only so many tags at the end of a response are read."""
_MAX_CLAIM_CHARS = 3000
_MAX_MARK_CHARS = 16_000
"""So far from the end the words "final answer" are looked for."""
_LOOKS_BACK = 100
_SHOWN_BEHIND = as_pattern(
    r"[\s$\\)\]}]*,?\s?\(?(?:[Ff]or (?:example|instance)|e\.g\.)\W*(?:\n|\Z)"
)
_NUMBER = r"(-?\d[\d.,/]*(?:\s?\\?%)?)"
_OR_AFTER = as_pattern(
    rf"(?:[\s$.]|\\\))*+\(?(?:[oO]r|vs\.?)\s+(?:{alternatives(DOUBTS)}\s+)?\$?{_NUMBER}"
)
_OR_BEFORE = as_pattern(rf"(?<![\w=.]){_NUMBER}\$?\s+(?:or|vs\.?)\s+(?:\$|\\\()?\Z")
"""A plain number beside a box that may be the answer as well."""


class Found(NamedTuple):
    """An answer as written, and what in the response marks it."""

    text: str
    by: str


NOTHING = Found("", "")
"""What a sign finds that is there and names no answer."""


def boxed(text: str, boxes: list[Box], options: MathOptions) -> tuple[Found, int] | None:
    """Return what those of a text's boxes that count hold together, and where they end."""
    reads_echoes = options.echo != "ignore"
    boxes = [
        box
        for box in boxes
        if (reads_echoes or not is_echoed(text, box.start)) and not is_no_answer(text, box)
    ]
    if not boxes:
        return None
    if options.boxes == "agree":
        return Found(joined(boxes), "box"), boxes[-1].end
    group = grouped(boxes, text)[0 if options.boxes == "first" else -1]
    answer, end = joined(group), group[-1].end
    over = ends(text, end)
    if not over and len(group) == 1 and "%" not in answer and _AFTER_BOX.match(text, end):
        answer += "\\%"
    if len(group) == 1 and takes_sign(text, group[0]):
        answer = f"-{answer}"
    if other := _alternative(text, group[0].start, None if over else end):
        answer += f" or {other}"
    return Found(answer, "box"), end


def is_no_answer(text: str, box: Box) -> bool:
    """Return whether the words around a box deny it, or it is hidden from the reader."""
    if is_shown(text, box.start):
        return True
    before = text[max(0, box.start - 40) : box.start]
    if not ends(text, box.end) and (is_denied(text, box.end) or _SHOWN_BEHIND.match(text, box.end)):
        return True
    return is_negated(before) or is_hidden(before)


def ends(text: str, place: int) -> bool:
    """Return whether behind a place there is only what closes a formula or a sentence."""
    return _CLOSES.match(text, place) is not None


def _alternative(text: str, start: int, end: int | None) -> str | None:
    """Return the number that is said to be the answer as well as a box: `\\boxed{41} or 42`."""
    found = None if end is None else _OR_AFTER.match(text, end)
    before = text[max(0, start - 30) : start]
    if found is None and (" or " in before or " vs" in before):
        found = _OR_BEFORE.search(before)
    if found is None and end is not None:
        return another(text, end)
    return found[1] if found else None


def without_denied(text: str, boxes: list[Box]) -> str:
    """Return the text without those of its boxes that it says are not the answer."""
    kept, last = [], 0
    for box in boxes:
        if is_no_answer(text, box):
            kept.append(text[last : box.start])
            last = box.end
    return "".join([*kept, text[last:]])


def final_answer(text: str) -> tuple[Found, int] | None:
    """Return what follows the last `final answer:`, `####` or line `A:`, and where.

    Where the same text claims another answer further on, that one counts: `the answer is 42`.
    """
    read = max(0, len(text) - _MAX_MARK_CHARS)
    last = text[max(0, read - _LOOKS_BACK) :]
    places = [
        match.end()
        for sign, pattern in _FINAL
        if sign in last
        for match in pattern.finditer(text, read)
    ]
    lines = _A_LINE.finditer(text, read) if "A:" in last or "a:" in last else ()
    labels = [line.end() for line in lines if _begins_line(text, line.start() - 1)]
    if labels and not _OTHER_LINE.search(text, labels[0]):
        places += labels
    places.sort(reverse=True)
    end = next((place for place in places if text[place : place + 200].strip()), None)
    if end is None:
        return None
    if TO_FILL_IN.match(text, end) or is_shown(text, end - 4):
        return Found("", "tag"), end
    if _ASKED_AGAIN.match(text, end):
        return None
    rest = without_hope(text[end:])
    rest = without_tags(rest) if "</" in rest[:200] else rest
    if BOX.search(rest[:200]):
        return None  # the box in it is found as a box
    answer = sentence_answer(rest)
    if not answer:
        return None
    line = rest.strip().split("\n", 1)[0]
    answer = line if line != answer and names_another(line) else answer
    behind = rest.find(answer) + len(answer)
    if not ends(rest, behind):
        later = rest[behind:]
        answer = (
            claimed(later) or claimed(later, correcting=True) or _summed_up(rest, later) or answer
        )
    return Found(answer, "final answer"), end


def _summed_up(rest: str, later: str) -> str | None:
    """Return what sentences that explain conclude, behind the value of the first, or None."""
    concludes = CONCLUDES.search(later) if _TELLS.match(rest) else None
    if concludes is None or "nswer" in later or doubts(later):
        return None
    return statement(later[concludes.start() :])


def _begins_line(text: str, position: int) -> bool:
    return not text[text.rfind("\n", 0, position) + 1 : position].strip()


def claimed(rest: str, *, correcting: bool = False) -> str | None:
    """Return the last answer that a text claims in so many words, if need be to correct another."""
    if not correcting and "answer" not in rest and "ANSWER" not in rest:
        return None
    rest = rest[-_MAX_CLAIM_CHARS:]
    if not _CLAIM.may_be_in(rest) or (correcting and not CORRECTS.may_be_in(rest)):
        return None
    rest = without_turns(rest)
    for claim in reversed(list(_CLAIM.finditer(rest))):
        answer = sentence_answer(rest[claim.end() :])
        if answer and _LETTER.fullmatch(answer.rstrip(".")):
            answer = answer.rstrip(".")
        if (
            not answer
            or not (has_digit(answer) or _LETTER.fullmatch(answer))
            or is_denied(rest, claim.end() + len(answer))
        ):
            continue
        if not correcting or CORRECTS.search(rest, 0, claim.start() + len(claim[0])):
            return answer
    return None


_TAG_ENDS = ("answer>", "ANSWER>", "Answer>", "/answer >")
_SENTENCE = as_pattern(r"[^\n]*?(?:[^\W\d_]{2,}\W+){3}")
_ROW = as_pattern(r"(?:<answer>[^<>]{1,200}</answer>\s*+){3,}\Z", re.I)
"""Tags that end a text with nothing between them: three answer together, or none does."""


def answer_tag(text: str) -> tuple[Found, int] | None:
    """Return what the last `<answer>` tag that holds something does, and where it opens."""
    if ">" not in text or not any(map(text.__contains__, _TAG_ENDS)):
        return None
    for pattern in OPENINGS:
        openings = list(deque(pattern.finditer(text), maxlen=MAX_TAGS))
        if len(openings) > 2 and (together := _in_one(text, openings[-1].start())):
            return together
        if len(openings) > 2 and (row := _ROW.search(text, openings[0].start())):
            values = dict.fromkeys(map(str.strip, _EACH_IN_ONE.findall(row[0])))
            if not all(map(_SENTENCE.match, values)):  # a step in each tag leads to the last
                return Found(", ".join(values), "tag"), row.start()
        for k, opening in reversed(list(enumerate(openings))):
            closing = CLOSING.search(text, opening.end())
            held = text[opening.end() : closing.start() if closing else len(text)]
            if not NOTHING_YET.fullmatch(TAGS_ALONE.sub("", held) if ">" in held else held):
                if is_shown(text, opening.start()):
                    return Found("", "tag"), opening.start()
                if k and not _HAS_VALUE.search(held):  # `<answer> 48 <answer> feet`
                    before = text[openings[k - 1].end() : opening.start()]
                    unclosed = _HAS_VALUE.search(before) and not CLOSING.search(before)
                    held = f"{before} {held}" if unclosed else held
                elif _UNIT.fullmatch(held) and (
                    value := _BEFORE_UNIT.search(text[: opening.start()][-_LOOKS_BACK:])
                ):
                    held = f"{value[1]} {held}"
                held = without_tags(held if closing else _own_paragraphs(held))
                stray = _STRAY.match(held)
                held = held[stray.end() :] if stray else held
                if one_sided := _ONE_SIDED.fullmatch(held):
                    held = one_sided[2]
                code = _CODE.fullmatch(held) if "`" in held else None
                held = code["held"] if code else held
                if ":" in held and "\n" in held.strip():
                    held = _OPENED.sub("", without_remarks(held))
                return Found(_value_on_top(held) or held, "tag"), opening.start()
    return None


def _in_one(text: str, last: int) -> tuple[Found, int] | None:
    """Return what the tags say together that stand in one with the last, and where it opens."""
    found = [one for one in _IN_ONE.finditer(text) if one.start() < last < one.end()]
    if not found:
        return None
    values = dict.fromkeys(value.strip() for value in _EACH_IN_ONE.findall(found[0][1]))
    return Found(", ".join(filter(None, values)), "tag"), found[0].start()


def _own_paragraphs(held: str) -> str:
    """Return what stands in an unclosed tag before a paragraph about the dialogue itself."""
    first = held.find("\n\n", len(held) - len(held.lstrip()))
    turn = _DIALOGUE.search(held, first) if first >= 0 else None
    own = held[: turn.start()] if turn else held
    said = TAGS_ALONE.sub("", own) if ">" in own else own
    return own if said.strip() else held


def _value_on_top(held: str) -> str | None:
    """Return the bare value that a tag's first line holds above sentences that explain it."""
    line, _, rest = held.strip().partition("\n")
    if not rest.strip() or len(line) > _MAX_VALUE_CHARS or not VALUE_LINE.fullmatch(line):
        return None
    if _ASKED_NEXT.match(rest):
        return line
    return (
        line if _EXPLAINS.match(rest) and not claimed(rest) and not CORRECTS.search(rest) else None
    )
