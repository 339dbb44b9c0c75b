"""A last line that is a mark and a short value, in any spelling, as `Answer: value`.

`✅ Paris`, `[[C]]`, `**Ans.** no solution`, `\\underline{No}`, `答案：No`: what such a line says is
the answer, be it a word or an option. A list's last item and a heading are no such line.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.characters import has_digit
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.phrases import ANSWER_LABELS, FINAL_WORDS

_VALUE = r"(?P<value>[^\n?？]{1,60}?)"
_STYLE = r"[*_`\"\s]{0,4}"
_FINAL = alternatives(("final", "correct", *FINAL_WORDS))
_NAMES = alternatives((
    *ANSWER_LABELS, "answer", "answers", "ans", "ans.", "sol", "sol.", "soln", "solution",
    "output", "result", "đáp số", "উত্তর", "отговор", "одговор", "jibu", "విజవాబు",
))  # fmt: skip
_LABEL = rf"(?:(?:my|the|our|your)\s)?(?:{_FINAL}[\s_-]?)?{_NAMES}(?:\s?{_FINAL})?"
_LEADS = r"(?:\s?[:：﹕=＝]|\s?[-–—]{1,2}>?\s|\s?[→⇒…]|\swould\sbe\s|คือ|[是为은는は])"
_ENDS = rf"(?:입니다|이다|です|である)?{_STYLE}[.。．]?{_STYLE}"
_COMMAND = (
    r"(?:boldsymbol|underline|answer|box|tag\*?|(?:text|math)(?:bf|rm|it|sf|tt)|color\{\w+\})"
)
_NAMED = (
    as_pattern(
        rf"{_STYLE}(?P<opened>[\[(])?{_STYLE}{_LABEL}(?:\s?\([^()\n]{{1,20}}\))?{_STYLE}{_LEADS}"
        rf"{_STYLE}\s*{_VALUE}{_ENDS}(?(opened)[)\]])",
        re.I,
    ),
    as_pattern(rf"[\[(【]\s?{_LABEL}\s?[\])】]\s?[:：]?{_STYLE}{_VALUE}{_ENDS}", re.I),
    as_pattern(
        rf"{_STYLE}(?:[✅✔👉🎯∴⇒→➡]\ufe0f?|[=-]>|####)+{_STYLE}(?!#){_VALUE}{_STYLE}[.。]?{_STYLE}"
    ),
    as_pattern(rf"{_STYLE}{_VALUE}{_STYLE}\sis\s(?:the|my)\s(?:final\s)?answer\.?", re.I),
)
"""A label, an arrow or a tick before a word or an option; behind them numbers are read anyway."""
_HELD = (
    as_pattern(rf"\(\s?{_LABEL}\s?:\s{_VALUE}\s?\)|\*{{3}}(?P<bold>[^\n*]{{1,60}})\*{{3}}", re.I),
    as_pattern(
        rf"{_LABEL}\s?:\s?\\n\s?(?![a-z]){_VALUE}|I(?:['’]d|\swould)\sanswer:?\s(?P<said>[^\n]{{1,40}}?)[.]?",
        re.I,
    ),
    as_pattern(
        rf"(?:\[\[\s?(?!##){_VALUE}\s?\]\]|\{{\{{(?P<braces>[^\n{{}}]{{1,60}})\}}\}}"
        r"|<<<?(?P<angles>[^\n<>]{1,60})>>>?|@@(?P<ats>[^\n@]{1,60})@@"
        r"|«(?P<quotes>[^\n«»]{1,60})»)[.。]?"
    ),
    as_pattern(
        r"boxed\s?(?:\{(?P<value>[^\n{}]{1,60})\}|\((?P<round>[^\n()]{1,60})\))[.]?|[$\s]*\\boxed\\\{(?P<braces>[^\n{}]{1,60}?)\\\}[$\s.]*"
    ),
    as_pattern(
        rf"[$\s]*(?:\\[(\[])?\s?\\?{_COMMAND}\s?(?:\\?\{{{_VALUE}\\?\}}"
        r"|\((?P<round>[^\n()]{1,60})\))\s?(?:\\[)\]])?[$\s.]*"
    ),
)
"""Signs or a command around any value."""
_FENCED = as_pattern(r"```[a-z]{0,10}\n\s*(?P<value>[^\n`{}()]{1,60}?)\s*\n```\s*\Z")
_FIELD = as_pattern(
    r"\[\[ ## \w*answer ## \]\]\s*\n(?P<value>[^\n]{1,200})(?:\n\s*\[\[ ## completed ## \]\])?\s*\Z"
)
"""A field of an answer as DSPy writes it."""
_ESCAPED = as_pattern(r"&lt;(/?\s?answer\s?)&gt;", re.I)
_OTHERWISE = as_pattern(r"[\d\\=]|[.!;:,]\s|(?:[^\W\d_]{2,}\s){5}")
"""What is read for what it says: formulas, numbers and sentences."""
_WRAPPED = as_pattern(r"[\[{]{1,2}([^\[\]{}]+)[\]}]{1,2}")
_SIGN = as_pattern(r"\W{1,3}")
_OPENINGS = "[{<@«\\$b(*I"
"""What begins a line that holds any value."""
_MAX_LINE, _LOOKS_BACK = 140, 300


def with_last_line_labelled(text: str) -> str:
    """Return a text whose last line is `Answer: value` where it was another mark and its value.

    >>> with_last_line_labelled("We compare both.\\n✅ **Paris**")
    'We compare both.\\nAnswer: Paris'
    >>> with_last_line_labelled("Thus:\\n[[C]]"), with_last_line_labelled("Thus:\\n- C")
    ('Thus:\\nAnswer: C', 'Thus:\\n- C')
    """
    if "&gt;" in text[-_LOOKS_BACK:]:
        text = _ESCAPED.sub(r"<\1>", text)
    end = text[-_LOOKS_BACK:]
    kept, end = text[: len(text) - len(end)], end.rstrip()
    if end.endswith(("```", " ]]")) or "[[ ##" in end:
        field = _FENCED.search(end) or _FIELD.search(end)
        if field is None or "answer" in field["value"]:
            return text
        return f"{kept}{end[: field.start()]}Answer: {field['value']}"
    before, _, line = end.rpartition("\n")
    if not before or not 0 < len(line) <= _MAX_LINE:
        return text
    value = _value_of(line)
    if value is None or "answer" in value or _is_listed(before, line):
        return text
    return f"{kept}{before}\nAnswer: {value}"


def _value_of(line: str) -> str | None:
    """Return the value of a line that is nothing but a mark and it, or None."""
    if line[0] not in _OPENINGS and "\\n" not in line and has_digit(line):
        return None
    for form in _HELD:
        if held := form.fullmatch(line):
            return str(next(filter(None, held.groupdict().values()))).strip()
    for form in _NAMED:
        if named := form.fullmatch(line):
            value: str = _WRAPPED.sub(r"\1", named["value"].strip())
            is_word = any(map(str.isalpha, value)) and not (_OTHERWISE.search(value))
            return value if is_word else None
    return None


def _is_listed(before: str, line: str) -> bool:
    """Return whether the line before begins with the same signs, as an item of a list does."""
    sign = _SIGN.match(line)
    last = before.rstrip().rpartition("\n")[2].lstrip()
    return sign is not None and last.startswith(sign[0].strip() or " ")
