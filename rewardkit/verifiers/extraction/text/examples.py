"""A text without what is no answer of its writer: examples, and the problem where it is repeated.

`For example, if the question were "What is 2 + 2?", I would write <answer> 4 </answer>.`
"""

from __future__ import annotations

import re

from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.phrases import CONCLUSIONS
from rewardkit.verifiers.vocabulary.sought import holds_one

_MAX_CHARS = 8_000
"""Only so much of the end of a text is read for them."""
_SIGNS = ("#", "<", '"', "“", "`", "例", "boxed")
"""One of these is in every answer that is shown; one character is found in no time."""
_MAX_LEAD = 400
"""So far before it are the words that show it."""
_SHOWING = ("xample: ", "omething like", "emplate", " like", "or example", "or instance", "例如")
"""One of these is among them, which are rarer than those signs."""
_SHOWING_QUOTED = (".g. ", "f the ", "f your ", "f our ", "f a ")
"""Or one of these, where something is quoted."""
_TASK = r"(?:problem|question|task|exercise|prompt)s?"
_MARK = (
    r"(?:<answer>[^<\n]{0,200}</answer>|\\boxed\{[^{}\n]{0,200}\}|#### \S+|\"[^\"\n]{1,200}\""
    r"|“[^”\n]{1,200}”)"
)
_RESULT = r"(?:the|your|our|a)\s(?:final\s)?(?:result|answer|value|number|total|sum)"
_SHOWN = as_pattern(
    r"(?=[lstTFEeIif例])(?:"
    r"(?:\blooks? like(?: this| so| that)?|\bsomething like|\b[Tt]emplate)\s?:?\s*"
    rf"(?:\"[^\"\n]{{1,200}}\"|“[^”\n]{{1,200}}”|`[^`\n]{{1,200}}`|{_MARK})"
    r"|\b(?:[Ff]or (?:example|instance),?|Example:) (?:if|suppose|when|for)"
    rf" (?:the|a|an|your|another|some)\s(?:\w+\s)?{_TASK}"
    rf"\s(?:were|was|is|had been|like|asks|asked)\b[^\n]{{0,200}}?"
    rf"\b(?:would|will|should|write|put|answer)\b[^\n<\\#\"“]{{0,60}}{_MARK}"
    r"|\b(?:[Ee]\.g\.|[Ff]or\s(?:example|instance)),?\s(?:\"[^\"\n]{0,60}\b[Aa]nswer[^\"\n]{1,60}\"|“[^”\n]{0,60}\b[Aa]nswer[^”\n]{1,60}”)"
    rf"|\b[Ii]f\s{_RESULT}\s(?:is|was|were)\s[^,.!?\n]{{1,20}},\s(?:then\s)?(?:write|put|say|enter)\s(?:\"[^\"\n]{{1,60}}\"|“[^”\n]{{1,60}}”)"
    r"|例如[^\n。]{0,100}答案[^\n。]{0,40}。(?=.))"
)
"""An answer that is shown for how it looks, or for another question: the sign that it begins with
is asked for first, or all of them would be tried at every place."""
_HEADING = as_pattern(
    r"\n[^\w\n]{0,6}+(?=[AHTOFWSEDRwsedra])(?:(?:An?|Here is an?|The|One|First,? an?)\s)?"
    rf"(?=[AESRDWaesrdw])(?i:(?:(?:worked|solved|sample|short)\s)?example|(?:similar|sample|easier|simpler|related|analogous)\s{_TASK}|demonstration)"
    r"(?:\s(?:of|for|with)\s[^:\n]{1,40})?(?:\*\*)?:"
)
"""What opens an example that another task follows."""
_QUOTED = as_pattern(
    r"[\"“](?<![\w=:\\].)(?=[^\"“”\n]*\d)(?:[^\s\"“”]+\s){3,}[^\s\"“”]+[\"”](?=[^\w\n]*(?:\s[\w',.?-]+){3})"
)
"""What is quoted, a clause or more, before the own words go on."""
_ASKED = as_pattern(r"\A\s*(?:\"[^\"\n]{8,200}\?\"|“[^”\n]{8,200}\?”)(?=\s+[A-Z\d$\\(])")
"""A question that a response quotes before it answers."""
_QUOTED_LINES = as_pattern(r"\A\s*(?:>[^\n]*\n\s*)+(?=[^\W\d_]{2})")
"""What a response quotes before its own words."""
_FOOTNOTE = as_pattern(r"\s\[(\d)\](?P<between>[^\[]*?)\n+\[\1\]\s[A-Z][^\n]*\Z")
_OUR_TASK = as_pattern(
    r"[.!?}\n][^.!?\n]{0,60}\b(?:[Oo]ur|[Tt]he\s(?:real|actual|original)|(?:[Nn]ow|[Ff]or|[Ii]n)\s(?:to\s)?this)"
    rf"\s(?:\w+\s)?{_TASK}\b"
)
_ONLY_IF = as_pattern(
    rf"(?:\\f?boxed\s*\{{[^{{}}\n]{{1,60}}\}}|<answer>[^<\n]{{1,60}}</answer>|####\s\S+)[\s$]*\s(?:if|when)\s{_RESULT}\s(?:is|was|were|equals)\b"
)
"""A mark that is to be written in one case: `Write \\boxed{12} if the result is 12.`"""
_SHOWS_HOW = as_pattern(
    r"\b(?:box|boxes|format|form|answer|result|number|value),?\s(?:such\sas|like|e\.g\.)[\s$]*\Z"
    r"|(?:\A|[.!?\n]\s*|[Yy]our\s)[Aa]nswer\s(?:in|has|takes|must\shave)\sthe\sform\s[$]?\Z"
    r"|(?:\A|[.!?\n]\s*|\b(?:please|(?:remember|need|have|asked|told|try)\sto|must|should|then)\s)(?:put|give|write|enclose|present|provide|format"
    r"|report|enter|submit|state|express|place|return|box)\syour\s[^.!?\n=]*\Z"
    r"|\b(?:sample|example|expected)\s(?:output|answer|response)\s?:?\s*\Z|\bfor\s(?:instance|example),\s(?:one|you|we)\s\w+\swrite\s*\Z"
    r"|\b(?:use|follow)\sthe\s(?:\w+\s)?form(?:at)?\b[^.!?\n=]*\Z|\bformat\s(?:is|should\sbe|must\sbe|will\sbe|looks\slike):?\s*\Z|\bexample\sof\show\b[^.!?\n=]*\Z|\bformatted\s(?:as|like|in)\b(?!\s(?:requested|required|asked|needed|above))[^.!?\n=]*\Z|\blike\s(?:this|so|that)\s?:\s*\Z|\b(?:written|entered|given)\slike\s*\Z"
    r"|\b(?:reads?|with|like|e\.g\.)\s?:?\s[\"“]\Z"
    r"|(?:\be\.g\.|\bas\sin),?\s?:?[\s$]*\Z"
    r"|\banswers?\s(?:should|must|has\sto|have\sto|is\sto|needs\sto|ought\sto)\s[^.!?\n=\d]*\b(?:form|format|as|by|like|in)[\s:$]*\Z"
    r"|(?:\A|[\n(]|[.!?]\s)\W*(?:(?:output|answer|response)\s)?format(?:\s(?:sample|example))?\s?:[\s$]*\Z"
    r"|\b(?:sample|(?:sample|example|illustration|template)\s(?:of|for)\s(?:the|an?|your)\s(?:\w+\s)?\w+)\s?:[\s$]*\Z",
    re.I,
)
"""Before a mark, what says that it only shows how one looks."""
_WRITTEN_IF_SO = as_pattern(
    rf"\b(?:if|when)\s(?:{_RESULT}|it)\s(?:is|was|were|equals|comes\sto)\s[^,.!?\n]{{1,20}},\s(?:then\s)?(?:(?:you|one|we)\s)?(?:(?:should|must|would|will)\s)?"
    r"(?:write|put|say|enter|submit|box|return|type)\s[^.!?\n\d=]{0,20}\Z",
    re.I,
)
_WRITING = ("write ", "put ", "say ", "enter ", "submit ", "box ", "return ", "type ")
"""Just before a mark that is to be written in one case."""
_MAY_SHOW_HOW = (
    "such as", " the form", "like", ".g.", "your ", "ormat", "ample", "nstance", "xpected", '"',
    "as in", "nswer should", "nswer must", "nswer has to",
)  # fmt: skip
_LEADING = ("answer is", "=", "have", "get", " is:")
"""Before most marks, of which none is only shown."""
_MAX_SHOWING = 60
_ECHO = as_pattern(r"\s*(?:\*\*)?(?:problem|question|prompt|task)\b(?:\*\*)?\s*:", re.I)
_BEGINS = frozenset("*pPqQtT")
_ANSWERED = as_pattern(
    rf"(?:\*\*)?(?:(?:final\s+)?(?:answer|solution)\s*(?:\*\*)?\s*:|{alternatives(CONCLUSIONS)}\b"
    r"|(?:the|my|our)\s+(?:\w+\s+)?answer\b|answer\b|\$*\\boxed)",
    re.I,
)
_LABELLED = as_pattern(r"[.!?]\s{1,9}(?=(?:\*\*)?(?:final\s)?answer(?:\*\*)?:)", re.I)


def without_examples(text: str) -> str:
    """Return a text without the answers in it that are examples, with what leads to them.

    >>> without_examples('It should look like this: "#### 11". We get 7.')
    'It should . We get 7.'
    >>> without_examples("Example: 2 + 3 = 5. Now our problem: 3 + 4 = 7.")
    '. Now our problem: 3 + 4 = 7.'
    >>> without_examples('"How many of the 50 seats are free?" So 34 seats are free.')
    ' So 34 seats are free.'
    >>> without_examples("An example is 12.")
    'An example is 12.'
    """
    start = max(0, len(text) - _MAX_CHARS)
    near = text[start:]
    if ":" in near:
        near = _without_headed(near)
    if signs := [at for sign in _SIGNS if (at := near.find(sign)) >= 0]:
        lead = max(0, min(signs) - _MAX_LEAD)
        last = near[lead:]
        quotes = '"' in last or "“" in last
        if holds_one(last, _SHOWING) or (quotes and holds_one(last, _SHOWING_QUOTED)):
            near = near[:lead] + _SHOWN.sub("", last)
    if near.lstrip().startswith(">"):
        near = _QUOTED_LINES.sub("", near)
    if near.startswith("[", near.rfind("\n") + 1):  # in its last line
        near = _FOOTNOTE.sub(r"\g<between>", near)
    if '"' in near or "”" in near:
        near = _QUOTED.sub("", _ASKED.sub("", near, count=1))
    return text if len(text) - start == len(near) else text[:start] + near


def _without_headed(text: str) -> str:
    """Return a text without its examples that have a heading, up to its own task."""
    lines, last, task = f"\n{text}", 1, None
    kept = []
    for heading in _HEADING.finditer(lines):
        if heading.start() < last - 1:
            continue
        if task is None or task.start() < heading.end():
            task = _OUR_TASK.search(lines, heading.end())
        if task is None:
            break
        kept.append(lines[last : heading.start() + 1])
        last = task.start()
    return "".join([*kept, lines[last:]]) if kept else text


def is_shown(text: str, place: int) -> bool:
    """Return whether a mark is only shown for how it looks: `Give your answer as #### 12`."""
    before = text[max(0, place - _MAX_SHOWING) : place]
    if _ONLY_IF.match(text, place):
        return True
    if before.rstrip(" $*").endswith(_LEADING):
        return False
    if holds_one(before[-30:], _WRITING) and _WRITTEN_IF_SO.search(before):
        return True
    return holds_one(before, _MAY_SHOW_HOW) and _SHOWS_HOW.search(before) is not None


def is_echoed(text: str, position: int) -> bool:
    """Return whether a place is in a line that repeats the problem, before any answer to it."""
    start = text.rfind("\n", 0, position) + 1
    if not _echoes(text, start):
        return False
    end = text.find("\n", position)
    return position - start < _echo_end(text[start : end if end >= 0 else len(text)])


def without_echo(text: str) -> str:
    """Return the text without a first line that repeats the problem, up to any answer on it."""
    if not _echoes(text, 0):
        return text
    line, _, rest = text.partition("\n")
    return f"{line[_echo_end(line) :]}\n{rest}"


def _echoes(text: str, start: int) -> bool:
    first = text[start : start + 1]
    return (first in _BEGINS or first.isspace()) and _ECHO.match(text, start) is not None


def _echo_end(line: str) -> int:
    """Return where the answer begins in a line that repeats the problem first; else its end.

    Only a question that is over can be answered: no other question may follow on the line.
    """
    asked = line.rfind("?") + 1
    while asked and line[asked : asked + 1] in tuple(" \t*\"')$"):
        asked += 1
    if asked and _ANSWERED.match(line, asked):
        return asked
    label = _LABELLED.search(line, max(0, asked - 2))
    return label.end() if label else len(line)
