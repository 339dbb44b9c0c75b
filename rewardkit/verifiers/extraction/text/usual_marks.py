"""Marks of an answer or of money in other spellings, as the usual ones: `[ANSWER]7[/ANSWER]`."""

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
_RUPEES = re.compile(r"\bRs\.\s?(?=\d)")
"""Its dot ends no sentence and begins no decimal: `Rs.500`."""
_NEAR_END = 600


def with_usual_marks(text: str) -> str:
    """Return a text whose tags in square brackets and lines of a form are the usual marks.

    >>> with_usual_marks("[ANSWER]B[/ANSWER]"), with_usual_marks("Choose one (A/B/C): B")
    ('<answer>B</answer>', 'Answer: B')
    """
    if "[/" in text:
        text = _BRACKETED.sub(r"<answer>\1</answer>", text)
    end = text[-_NEAR_END:]
    if "Rs." in end:
        text = _RUPEES.sub("Rs ", text)
        end = text[-_NEAR_END:]
    if _FILLED_IN.search(end):
        text = text[:-_NEAR_END] + _FORM.sub(r"\g<style>Answer\g<end>", end)
    return text
