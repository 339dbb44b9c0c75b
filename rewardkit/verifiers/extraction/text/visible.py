"""What the reader of a response sees as its answer.

No thoughts, in tags or in channels of their own, no comments, nothing that is crossed out or
printed in white, no picture's description, no address of a link; what a tool is told is said to it
alone.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.text.boxes import BOX
from rewardkit.verifiers.options import MathOptions
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.rare_signs import holds
from rewardkit.verifiers.vocabulary.sought import holds_one

_MAX_SIGNS = 500
_LONGEST_TAG = len("</reasoning>")
_THOUGHT = as_pattern(r"<(/?)(?:think(?:ing)?|reasoning)>", re.I)
_OTHER_THOUGHTS = ("hinking>", "easoning>", "Think", "HINK", "EASONING>")
"""What tells other spellings from `<think>`, the usual one."""
_USUAL_TAGS = ("<think>", "</think>", "<answer>", "</answer>")
_SPECIAL_TOKEN = as_pattern(r"<\|[^<>|]{1,40}\|>(?:user|assistant|system)?|</s>\s*\Z")
_TAGS_ALONE = as_pattern(r"(?:\s|</?\s?\w+>)*")
OPENS_ANSWER = as_pattern(r"<\s?answer\b", re.I)
_MARKUP = as_pattern("<[a-zA-Z/!|]")
"""What all of them begin with; `<<3 + 4 = 7>>` is a calculation."""
_LATEX_COMMENT = as_pattern(r"(?<![\\\d])(?<!\d )%")
"""What begins one; `100% sure: \\boxed{7}` is none."""
_HIDING = as_pattern(
    r"\\(?:[hv]?phantom|textcolor\s*\{white\}|color\s*\{white\})\s*(?:\{|\$|\s)*\Z"
)
_FINAL = "<|channel|>final<|message|>"
_GLUED = as_pattern(r"assistant\s?final(?=[\s\W\dA-Z])")
"""How the same reads without its special tokens: `analysisWe add. assistantfinalIt is 12.`"""
_THINKS = as_pattern(
    r"<\|channel\|>(?:analysis|commentary)[^<\n]{0,60}<\|message\|>"
    r"|<\|channel>\s?(?:thought|thinking|analysis)\b"
)
_TURN = as_pattern(r"<\|end\|>(?:\s*<\|start\|>assistant)?|<\|start\|>assistant")
"""What stands between channels: nothing ends there but a thought."""
_THOUGHT_END = "<channel|>"
_CROSSED_OUT = as_pattern(
    r"(?<=[^\n])<(s|del|strike)>(?!\s*\[)[^<\n]{1,200}(?:</?(?!\1>)\w+>[^<\n]{0,200}){0,4}</\1>",
    re.I,
)
"""A tag that begins a line may be the sign that begins a prompt."""
_WHITE = r"(?:white\b|#fff(?:fff)?\b)"
_UNSEEN = (
    r"(?:display\s*:\s*none|visibility\s*:\s*hidden|(?:opacity|font-size)\s*:\s*0(?![.\d]*[1-9])"
    rf"|(?<![-\w])color\s*[:=]\s*[\"']?{_WHITE}|\shidden(?=[\s>]))"
)
_TAG_UNSEEN = as_pattern(
    rf"<([a-z]+\d?)(?=\s)[^<>\n]{{0,200}}?{_UNSEEN}[^<>\n]{{0,200}}>.{{0,2000}}?</\1>", re.I | re.S
)
_INNER = r"\{(?:[^{}\n]|\{[^{}\n]*\})*\}"
_IN_WHITE = as_pattern(
    rf"\\(?:textcolor\s*\{{white\}}\s*{_INNER}|color\s*\{{white\}}\s*(?:{_INNER}|[^{{}}$\n]*(?=[}}$\n]|\Z)))"
    rf"|\\[hv]?phantom\s*{_INNER}"
)
_PICTURE = as_pattern(r"!\[[^\]\n]{0,500}\]\([^()\n]{0,500}\)|<img\b(?=\s)[^<>\n]{0,1000}/?>", re.I)
_ADDRESS = r"(?:[a-z]{2,9}://|www\.|mailto:|[./#])[^\s()]*(?:\([^\s()]*\)[^\s()]*)*|[\w/-]+\.(?:html?|pdf|md|png|svg|jpe?g)\b[^\s()]*"
_LINK = as_pattern(
    rf"(?<!!)\[([^\[\]\n]{{1,300}})\]\((?:{_ADDRESS})(?:\s\"[^\"\n]*\")?\)|<a\b(?=\s)[^<>\n]{{0,1000}}>",
    re.I,
)
_BARE_ADDRESS = as_pattern(r"\bhttps?://[^\s()\[\]{}<>\"'$\\|]+")
_CALL = as_pattern(
    r"<(tool_call|function_call|tool_use)>(?:(?!</\1>)(?!answer).)*(?:</\1>|\Z)"
    r"|(?:\[TOOL_CALLS\]|<\|tool_calls?\|>)(?![^\n]*answer)[^\n]*",
    re.S,
)
"""What is handed over as the answer by calling for it is kept."""
_BLANK = as_pattern(r"(\s{12})(\s*)")
_BLANKS = (" " * 20, "\n" * 8, " \n" * 6, "\t" * 12, "\r\n" * 6)
"""One of these is in a long run of white space, as models that repeat themselves write."""
_WORKED_OUT = as_pattern(
    r"<<[^<>\n]{0,200}>>(?=[$€£]?-?\d)|<(?<!<<)\d[\d.,+*/() -]*=[\d.,+*/()= -]*>(?=\$?-?\d)"
)
"""What a calculator is told, before what it says: GSM8K's `<<2+3=5>>5`, or `<2+3=5>5`."""
_CROSSES = ("</s>", "</del>", "</strike>", "</S>", "</DEL>")
_STYLES = ("style", "<font", " hidden")
_HIDES = ("none", "hidden", "opacity", "font-size", "olor")
_CALLS = ("tool_", "function_call", "TOOL_CALLS")


def visible(response: str, options: MathOptions) -> str:
    """Return the response without thoughts, comments and the tokens that end a turn."""
    text = response
    if "<" in text and _MARKUP.search(text):
        text = _without_comments(outside_thoughts(text, options))
        text = _SPECIAL_TOKEN.sub("", text) if "<|" in text or "</s>" in text else text
    if "%" in text and "box" in text:
        text = "\n".join(map(_without_commented_box, text.split("\n")))
    return text


def is_hidden(before: str) -> bool:
    """Return whether what comes next is printed in white, or takes its room without being seen."""
    return ("phantom" in before or "white" in before) and _HIDING.search(before) is not None


def thinks_on(response: str) -> bool:
    """Return whether a response ends within its thoughts."""
    last = _last_thought(response)
    return last is not None and not last[1] and not holds(response, "</answer>", last.end())


def _last_thought(response: str) -> re.Match[str] | None:
    """Return the last tag of thoughts; from the end, where it is found without reading them."""
    end = len(response)
    for _ in range(_MAX_SIGNS):
        end = response.rfind(">", 0, end)
        if end < 0:
            return None
        start = response.rfind("<", max(0, end - _LONGEST_TAG), end)
        if start >= 0 and (tag := _THOUGHT.fullmatch(response, start, end + 1)):
            return tag
    return max(_THOUGHT.finditer(response), key=lambda tag: tag.start(), default=None)


def outside_thoughts(text: str, options: MathOptions) -> str:
    """Return what follows the thoughts; when nothing does, what the options say of thoughts."""
    if not ("hink" in text or "HINK" in text or "easoning>" in text):
        return text
    if _spelled_otherwise(text):
        text = _THOUGHT.sub(r"<\1think>", text)
    end = text.rfind("</think>")
    if end >= 0:
        after = text[end + len("</think>") :]
        if not _TAGS_ALONE.fullmatch(after) or OPENS_ANSWER.search(after):
            return after
        before = text[: max(text.rfind("<think>", 0, end), 0)]
        return outside_thoughts(before, options) if before.strip() else text[:end]
    start = text.find("<think>")
    if start >= 0:
        if text[:start].strip() and not text[start + 7 :].strip():
            return text[:start]
        return text[start + 7 :] if options.unclosed_think == "read" else text[:start]
    return text


def _spelled_otherwise(text: str) -> bool:
    """Return whether tags of thoughts may be other than `<think>`."""
    at = -1
    for _ in range(_MAX_SIGNS):
        at = text.find("<", at + 1)
        if at < 0:
            return False
        if not text.startswith(_USUAL_TAGS, at) and _THOUGHT.match(text, at):
            return True
    return any(name in text[at:] for name in _OTHER_THOUGHTS)


def split_thoughts(response: str) -> tuple[str, str] | None:
    """Return the last thoughts of a response and what follows them; None where they go on."""
    end = response.rfind("</think>")
    if end < 0:
        return None
    start = response.rfind("<think>", 0, end)
    return response[start + len("<think>") if start >= 0 else 0 : end], response[
        end + len("</think>") :
    ]


def _without_commented_box(line: str) -> str:
    """Return a line without the LaTeX comment that holds its last box."""
    sign = _LATEX_COMMENT.search(line) if "%" in line and "box" in line else None
    hides = sign is not None and BOX.search(line, sign.end()) is not None
    return line[: sign.start()] if sign and hides else line


def _without_comments(text: str) -> str:
    """Return the text without `<!-- ... -->`, which nobody sees who reads it rendered."""
    kept, last = [], 0
    while (start := text.find("<!--", last)) >= 0 and (end := text.find("-->", start)) >= 0:
        kept.append(text[last:start])
        last = end + 3
    return "".join([*kept, text[last:]]) if kept else text


def with_thoughts(response: str) -> str:
    """Return a response whose channels of thoughts stand in the usual tags.

    >>> with_thoughts("<|channel>thought\\nIt may be 7.<channel|>It is 8.")
    '<think>\\nIt may be 7.</think>It is 8.'
    >>> with_thoughts("<|channel|>analysis<|message|>Hm.<|end|><|channel|>final<|message|>8")
    '<think>Hm.\\n</think>8'
    """
    if response.startswith("analysis") and (final := _GLUED.search(response)):
        return f"<think>{response[: final.start()]}</think>{response[final.end() :]}"
    if "channel" not in response or "|>" not in response:
        return response
    before, final_channel, after = response.rpartition(_FINAL)
    if final_channel:
        thoughts = _TURN.sub("\n", _THINKS.sub("<think>", before))
        return f"{thoughts}</think>{after}"
    return _THINKS.sub("<think>", response).replace(_THOUGHT_END, "</think>")


def without_hidden(text: str) -> str:
    """Return a text without what is crossed out, not seen by its reader, or said to a tool.

    >>> without_hidden("It is <s>14</s> 15, see [this](https://example.org/q/14).")
    'It is   15, see this.'
    >>> without_hidden("![It is 45](triangle.png) So it is 54.")
    '  So it is 54.'
    """
    if holds_one(text, _BLANKS):
        text = _BLANK.sub(_shortened, text)
    if "<" in text:
        text = _without_tagged(text)
    if "](" in text:
        text = _LINK.sub(_name_of_link, _PICTURE.sub(" ", text))
    if "://" in text:
        text = _BARE_ADDRESS.sub(" ", text)
    if "{white}" in text or "phantom" in text:
        text = _IN_WHITE.sub(" ", text)
    return _CALL.sub(" ", text) if "TOOL_CALLS" in text else text


def _shortened(blank: re.Match[str]) -> str:
    """Return white space of which patterns that look for a line's beginning do not tire."""
    return blank[1] + ("\n\n" if "\n" in blank[2] else "")


def _without_tagged(text: str) -> str:
    """Return a text without what its tags hide, cross out or hand to a tool."""
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
