"""The option or truth value that a sentence chooses."""

from __future__ import annotations

import re

from rewardkit.verifiers.format.found import Found, trimmed
from rewardkit.verifiers.vocabulary.letters import OPTION_LETTER

_EDGE = r"(?![A-Za-z0-9_'’^])"
_LEADS = (
    r"(?:(?i:\b(?:options?|choices?|answer|is|be|choose|pick|select|only|so,?|thus|la)[\s:*]+)"
    r"|[是は选選]\s?)"
)
"""What leads to a bare letter that is chosen, and no name in a formula."""
_OPTION = re.compile(
    rf"(?<!not )(?:(?:\\text\w*\{{|\\mathrm\{{)\s*\(?({OPTION_LETTER})\)?\s*\}}"
    rf"|\(\s*({OPTION_LETTER}|[a-j])\s*\)|\*\*\(?({OPTION_LETTER})\)?[.:*)]"
    rf"|(?:{_LEADS}){OPTION_LETTER}{_EDGE}|(?<![A-Za-z0-9_\\'’$^=]){OPTION_LETTER}(?=[.)*:\s]*\Z|\)\s))"
)
"""One letter that is an option; `A` and `I` before a word are words."""
_TRUTH = re.compile(r"(?<![\w\\])(?:yes|no|true|false)\b", re.I)
_TRUTH_FIRST = re.compile(r"[\W_]*(yes|no|true|false)\b(?=[\W_]*(?:\Z|[,.;:!\n]))", re.I)
_AT_START = re.compile(
    rf"[\s*_($\\{{]*(?:text\w*\{{)?\(?({OPTION_LETTER})\s*"
    r"(?:[).:,*}\u3040-\u9fff]|\Z|\n|(?<![AI]\s)(?<=\s)(?:is|because|since|as|for)\b)"
)


def option(text: str, start: int, end: int) -> Found | None:
    """Return the option that a sentence names: the one it begins with, else its last.

    >>> text = "The correct option is (B) 24."
    >>> option(text, 0, len(text)).text
    'B'
    """
    if first := _AT_START.match(text, start, end):
        return trimmed(text, *first.span(1), "option")
    if not (named := list(_OPTION.finditer(text, start, end))):
        return None
    last = named[-1]
    group = next((n for n in (1, 2, 3) if last[n]), 0)
    begin, stop = last.span(group)
    return trimmed(text, begin if group else stop - 1, stop, "option")


def truth(text: str, start: int, end: int) -> Found | None:
    """Return the `yes`, `no`, `true` or `false` that a sentence begins with, else its last."""
    if first := _TRUTH_FIRST.match(text, start, end):
        return trimmed(text, *first.span(1), "truth")
    said = list(_TRUTH.finditer(text, start, end))
    return trimmed(text, *said[-1].span(), "truth") if said else None
