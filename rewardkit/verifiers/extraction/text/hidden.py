"""A response without what its reader does not see, or sees crossed out, and without calls of tools.

A picture's description, the address of a link and what is printed in white are seen by nobody;
what a tool is told to work out is said to it alone.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.vocabulary.sought import holds_one

_CROSSED_OUT = re.compile(
    r"(?<=[^\n])<(s|del|strike)>(?!\s*\[)[^<\n]{1,200}(?:</?(?!\1>)\w+>[^<\n]{0,200}){0,4}</\1>",
    re.I,
)
"""A tag that begins a line may be the sign that begins a prompt."""
_WHITE = r"(?:white\b|#fff(?:fff)?\b)"
_UNSEEN = (
    r"(?:display\s*:\s*none|visibility\s*:\s*hidden|(?:opacity|font-size)\s*:\s*0(?![.\d]*[1-9])"
    rf"|(?<![-\w])color\s*[:=]\s*[\"']?{_WHITE}|\shidden(?=[\s>]))"
)
_TAG_UNSEEN = re.compile(
    rf"<([a-z]+\d?)(?=\s)[^<>\n]{{0,200}}?{_UNSEEN}[^<>\n]{{0,200}}>.{{0,2000}}?</\1>", re.I | re.S
)
_INNER = r"\{(?:[^{}\n]|\{[^{}\n]*\})*\}"
_IN_WHITE = re.compile(
    rf"\\(?:textcolor\s*\{{white\}}\s*{_INNER}|color\s*\{{white\}}\s*(?:{_INNER}|[^{{}}$\n]*(?=[}}$\n]|\Z)))"
    rf"|\\[hv]?phantom\s*{_INNER}"
)
_PICTURE = re.compile(r"!\[[^\]\n]{0,500}\]\([^()\n]{0,500}\)|<img\b(?=\s)[^<>\n]{0,1000}/?>", re.I)
_ADDRESS = r"(?:[a-z]{2,9}://|www\.|mailto:|[./#])[^\s()]*(?:\([^\s()]*\)[^\s()]*)*|[\w/-]+\.(?:html?|pdf|md|png|svg|jpe?g)\b[^\s()]*"
_LINK = re.compile(
    rf"(?<!!)\[([^\[\]\n]{{1,300}})\]\((?:{_ADDRESS})(?:\s\"[^\"\n]*\")?\)|<a\b(?=\s)[^<>\n]{{0,1000}}>",
    re.I,
)
_BARE_ADDRESS = re.compile(r"\bhttps?://[^\s()\[\]{}<>\"'$\\|]+")
_CALL = re.compile(
    r"<(tool_call|function_call|tool_use)>(?:(?!</\1>)(?!answer).)*(?:</\1>|\Z)"
    r"|(?:\[TOOL_CALLS\]|<\|tool_calls?\|>)(?![^\n]*answer)[^\n]*",
    re.S,
)
"""What is handed over as the answer by calling for it is kept."""
_WORKED_OUT = re.compile(r"<<[^<>\n]{0,200}>>(?=[$€£]?-?\d)")
"""What a calculator is told, before what it says, `<<2+3=5>>5`."""
_CROSSES = ("</s>", "</del>", "</strike>", "</S>", "</DEL>")
_STYLES = ("style", "<font", " hidden")
_HIDES = ("none", "hidden", "opacity", "font-size", "olor")
_CALLS = ("tool_", "function_call", "TOOL_CALLS")


def without_hidden(text: str) -> str:
    """Return a text without what is crossed out, not seen by its reader, or said to a tool.

    >>> without_hidden("It is <s>14</s> 15, see [this](https://example.org/q/14).")
    'It is   15, see this.'
    >>> without_hidden("![It is 45](triangle.png) So it is 54.")
    '  So it is 54.'
    """
    if "<" in text:
        text = _without_tagged(text)
    if "](" in text:
        text = _LINK.sub(_name_of_link, _PICTURE.sub(" ", text))
    if "://" in text:
        text = _BARE_ADDRESS.sub(" ", text)
    if "{white}" in text or "phantom" in text:
        text = _IN_WHITE.sub(" ", text)
    return _CALL.sub(" ", text) if "TOOL_CALLS" in text else text


def _without_tagged(text: str) -> str:
    """Return a text without what its tags hide, cross out or hand to a tool."""
    if "<<" in text:
        text = _WORKED_OUT.sub("", text)
    if holds_one(text, _CROSSES):
        text = _CROSSED_OUT.sub(" ", text)
    if "<img" in text or "<a " in text:
        text = _LINK.sub(_name_of_link, _PICTURE.sub(" ", text))
    if "</" in text and holds_one(text, _STYLES) and holds_one(text, _HIDES):
        text = _TAG_UNSEEN.sub(" ", text)
    return _CALL.sub(" ", text) if holds_one(text, _CALLS) else text


def _name_of_link(link: re.Match[str]) -> str:
    return link[1] or ""
