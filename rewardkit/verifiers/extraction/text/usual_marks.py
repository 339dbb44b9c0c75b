"""Marks of an answer in other spellings, read as the usual ones: `[ANSWER]7[/ANSWER]`."""

from __future__ import annotations

import re

from rewardkit.verifiers.vocabulary.alternatives import YES_OR_NO
from rewardkit.verifiers.vocabulary.letters import OPTION_LETTER

_NAME = r"(?:final[\s_-]?)?ans(?:wer)?"
_BRACKETED = re.compile(rf"\[\s?{_NAME}\s?\]([^\[\]]{{1,300}})\[\s?/\s?{_NAME}\s?\]", re.I)
_CHOICES = (
    rf"{OPTION_LETTER}(?:\s?[/|]\s?{OPTION_LETTER})+|{OPTION_LETTER}\s?[-–]\s?{OPTION_LETTER}"
    rf"|{OPTION_LETTER}(?:,\s{OPTION_LETTER})*,?\sor\s{OPTION_LETTER}"
    rf"|(?i:(?:{YES_OR_NO})\s?(?:/|\||\sor\s)\s?(?:{YES_OR_NO}))"
)
_FORM = re.compile(
    r"(?:\A|(?<=\n)|(?<=[.!?]\s))(?P<style>\**)(?:(?i:choose|select|pick|enter)(?:\sone)?"
    r"|(?i:(?:your|my|the|final)\s){0,2}(?i:answer|choice|selection))"
    rf"\s?[\[(](?:{_CHOICES})[\])](?P<end>\s?\**:)"
)
"""A line of a form, with what may be filled in: `Your answer [A/B/C/D]:`."""
_FILLED_IN = re.compile(r"[\])](?<=[A-Ja-z][\])])\s?\**:")
"""What ends such a line before what is filled in."""
_NEAR_END = 600
_HOMEWORK = re.compile(r"\{eq\}((?:[^${]|\{(?!/?eq\}))*)\{/eq\}")
"""How a site of homework writes its formulas."""
_SHUT_BY_OPENING = re.compile(r"(<answer>(?=[^<>\n\d]*\d)[^<>\n]*)<answer>(?=\.?[ \t]*(?:\n|\Z))")
"""A tag that its opening closes at the end of a line: `<answer> 7 <answer>`."""
_END_MARKS = re.compile(r"<<end_?(?:think|answer)>>")
_SHUT_BY_RULE = re.compile(r"(?<!#)####([^#\n]+)####\s*\Z")
_CALCULATED = re.compile(r"<(?<!<<)(\d[\d.,+*/() -]*=[\d.,+*/()= -]*)>(?=\$?-?\d)")
"""GSM8K's `<<3+4=7>>7` with one bracket on either side."""


def with_usual_marks(text: str) -> str:
    """Return a text whose tags in square brackets and lines of a form are the usual marks.

    >>> with_usual_marks("[ANSWER]B[/ANSWER]"), with_usual_marks("Choose one (A/B/C): B")
    ('<answer>B</answer>', 'Answer: B')
    >>> with_usual_marks("<answer> 7 cm <answer>.\\nNext"), with_usual_marks("#### 7 ####")
    ('<answer> 7 cm </answer>.\\nNext', '#### 7 ')
    """
    if "{/eq}" in text:
        text = _HOMEWORK.sub(r"$\1$", text)
    if "[/" in text:
        text = _BRACKETED.sub(r"<answer>\1</answer>", text)
    if text.count("<answer>") > 1:
        text = _SHUT_BY_OPENING.sub(r"\1</answer>", text)
    if "<<end" in text:
        text = _END_MARKS.sub("", text)
    end = text[-_NEAR_END:]
    if "####" in end[-8:] or _CALCULATED.search(end):
        end = _CALCULATED.sub(r"<<\1>>", _SHUT_BY_RULE.sub(r"####\1", end))
        text = text[:-_NEAR_END] + end
    if _FILLED_IN.search(end):
        text = text[:-_NEAR_END] + _FORM.sub(r"\g<style>Answer\g<end>", end)
    return text
