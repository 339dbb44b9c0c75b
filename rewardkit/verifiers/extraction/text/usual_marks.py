"""Marks of an answer in other spellings: tags in brackets, lines of a form, JSON objects.

`[ANSWER]7[/ANSWER]`, `Choose one (A/B/C): B`, `{"steps": "3 * 4", "answer": 12}`.
"""

from __future__ import annotations

import json
import re

from rewardkit.verifiers.extraction.text.examples import is_shown
from rewardkit.verifiers.vocabulary.alternatives import YES_OR_NO
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.letters import OPTION_LETTER
from rewardkit.verifiers.vocabulary.sought import holds_one

_NAME = r"(?:final[\s_-]?)?ans(?:wer)?"
_BRACKETED = as_pattern(rf"\[\s?{_NAME}\s?\]([^\[\]]{{1,300}})\[\s?/\s?{_NAME}\s?\]", re.I)
_CHOICES = (
    rf"{OPTION_LETTER}(?:\s?[/|]\s?{OPTION_LETTER})+|{OPTION_LETTER}\s?[-–]\s?{OPTION_LETTER}"
    rf"|{OPTION_LETTER}(?:,\s{OPTION_LETTER})*,?\sor\s{OPTION_LETTER}"
    rf"|(?i:(?:{YES_OR_NO})\s?(?:/|\||\sor\s)\s?(?:{YES_OR_NO}))"
)
_FORM = as_pattern(
    r"(?:\A|(?<=\n)|(?<=[.!?]\s))(?P<style>\**)(?:(?i:choose|select|pick|enter)(?:\sone)?"
    r"|(?i:(?:your|my|the|final)\s){0,2}(?i:answer|choice|selection))"
    rf"\s?[\[(](?:{_CHOICES})[\])](?P<end>\s?\**:)"
)
"""A line of a form, with what may be filled in: `Your answer [A/B/C/D]:`."""
_FILLED_IN = as_pattern(r"[\])](?<=[A-Ja-z][\])])\s?\**:")
"""What ends such a line before what is filled in."""
_SHORTENED = as_pattern(
    r"(?:\A|(?<=\n))(?P<style>\**)(?:[Aa]ns|ANS|[Ss]oln?|SOLN?)\b\.?\s?[-–—]\s+(?=[\d$\\*(A-J-])"
)
"""A label that a dash sets apart, and no minus sign: `Ans - 12 km`."""
_LABELS = (
    "ns -", "ns. -", "ns –", "ns. –", "NS -", "ol -", "ol. -", "ol –", "oln -", "oln –", "OL -",
)  # fmt: skip
"""How it ends, with what sets it apart."""
_RUPEES = as_pattern(r"\bRs\.\s?(?=\d)")
"""Its dot ends no sentence and begins no decimal: `Rs.500`."""
_CENTS = as_pattern(r"(?<=\d)\s?¢")
_MAY_BE_FILLED_IN = as_pattern(r":(?<=[\])*\s]:)")
"""How it ends: most colons stand behind a word."""
_NEAR_END = 600
_HOMEWORK = as_pattern(r"\{eq\}((?:[^${]|\{(?!/?eq\}))*)\{/eq\}")
"""How a site of homework writes its formulas."""
_SHUT_BY_OPENING = as_pattern(r"(<answer>(?=[^<>\n\d]*\d)[^<>\n]*)<answer>(?=\.?[ \t]*(?:\n|\Z))")
"""A tag that its opening closes at the end of a line: `<answer> 7 <answer>`."""
_END_MARKS = as_pattern(r"<<end_?(?:think|answer)>>")
_SHUT_BY_RULE = as_pattern(r"(?<!#)####([^#\n]+)####\s*\Z")
_HEADING = as_pattern(
    r"【\s?(?:最终|最終|正确)?(?:答案|答|Answer|Final Answer)\s?】\s*[:：]?\s*"
    r"(?=[^\n]{1,80}(?:\n|\Z))(?![^\n]{0,80}[:：]\s*(?:\n|\Z))"
)
"""How a textbook heads its answer: `【答案】C`."""
_OTHER_BOX = as_pattern(
    r"\\(?:framebox|bbox)\s?(?:\[[^\]\n]{0,30}\]\s?){0,2}(?=\{)"
    r"|\\(?:colorbox\s?|fcolorbox\s?\{[\w!]{1,20}\}\s?)\{[\w!]{1,20}\}\s?(?=\{)"
)
_BOXES = ("framebox", "bbox", "olorbox")
"""Boxes of LaTeX and MathJax that have a width, a style or a colour: `\\framebox[2cm]{7}`."""
_TURN_ENDS = as_pattern(r"<eo[a-z]>")
_TOO_MANY = as_pattern(r"#{5,}(?=\s*[(<$]{0,2}-?\d)")
"""Hashes before a number, `###### 160`: a heading has words."""
_IN_HASHES = as_pattern(r"(?<!#)#(-?\d[\d.,/]*)#(?=\W*\Z)")
_QUOTED = as_pattern(r"['\"“‘`]?####\s?['\"“‘<`]?\s?(-?\$?\d[\d.,/]*(?<=\d))['\"”’>`]+\.?\s*\Z")
_AGAIN = as_pattern(r"(####\s?\$?-?\d[\d.,]*(?<=\d)\$?)\1{2,}(?:#{1,4}[$\d.,]*)?\s*\Z")
"""One mark and value over and over, up to where the text is cut off."""
_HASHES = ".# "
_QUOTES = ("'", '"', "”", "’", ">", "`")
_NOTHING_BELOW = as_pattern(r"(?<=[.!)\]$])\s*\n\s*#{2,6}\s*\Z")
"""A mark below a whole sentence that nobody filled in."""
_FENCED = as_pattern(r"\s*```(?:json)?\s*(\{.*\})\s*```\s*", re.S | re.I)
_OF_LATEX = as_pattern(r'(?<!\\)\\(?!["\\/]|n(?![a-z])|u[0-9a-f]{4})')
"""A backslash in an object whose writer doubles none: `\\theta` is no tabulator."""
_COMMAND = as_pattern(r"(?<!\\)\\[bfrt][a-z]{2}")
"""One that begins like a sign of JSON: `\\frac`, `\\times`."""
_KEYS = ("final_answer", "finalanswer", "final answer", "answer", "result")
_NO_ANSWER = (
    "error", "status", "code", "gold", "gold_answer", "ground_truth", "reference", "expected",
    "reward", "score", "grade", "passed", "tool", "function", "arguments", "parameters",
)  # fmt: skip
"""Keys of what reports a failure, grades an answer or calls a tool."""
_MAX_CHARS = 20_000
_LEAF = (str, int, float, bool)
_BEGINS = as_pattern(r"(?:\A|\n)[^\S\n]*+(?:```[^\S\n]*+(?:json|JSON)?\s*+)?(?=\{)")
_LAST_PAIR = as_pattern(
    r'(?P<key>"(?:final[_ ]?)?answer"\s*:\s*)(?:"(?P<text>[^"\n]*)"|(?P<bare>-?[\w.,/]+))'
    r"[\s,]*\}[\s`]*\Z",
    re.I,
)
"""The pair that ends an object, which formulas in its other values may have made unreadable."""
_PAIR = as_pattern(
    r"`*\\?\"(?:final[_ ]?)?answer\\?\"\s*:\s*\\?\"(?P<text>[^\"\n\\]{1,80})\\?\"`*", re.I
)
_LAST, _LAST_LINE = 300, 60
_SIGN = 'nswer"'
_SIGNS = (_SIGN, 'result"')


def with_usual_marks(text: str) -> str:
    """Return a text whose tags in square brackets and lines of a form are the usual marks.

    >>> with_usual_marks("[ANSWER]B[/ANSWER]"), with_usual_marks("Choose one (A/B/C): B")
    ('<answer>B</answer>', 'Answer: B')
    >>> with_usual_marks("Ans - 12 km"), with_usual_marks("Ans = -12")
    ('Answer: 12 km', 'Ans = -12')
    >>> with_usual_marks("<answer> 7 cm <answer>.\\nNext"), with_usual_marks("#### 7 ####")
    ('<answer> 7 cm </answer>.\\nNext', '#### 7 ')
    >>> with_usual_marks("So \\\\framebox[2cm]{7} is left.")
    'So \\\\boxed{7} is left.'
    """
    if "{/eq}" in text:
        text = _HOMEWORK.sub(r"$\1$", text)
    if holds_one(text, _BOXES):
        text = _OTHER_BOX.sub(r"\\boxed", text)
    if "[/" in text:
        text = _BRACKETED.sub(r"<answer>\1</answer>", text)
    if text.count("<answer>") > 1:
        text = _SHUT_BY_OPENING.sub(r"\1</answer>", text)
    if "<<end" in text:
        text = _END_MARKS.sub("", text)
    end = text[-_NEAR_END:]
    if "Rs." in end:
        text = _RUPEES.sub("Rs ", text)
    if "¢" in end:
        text = _CENTS.sub(" cents", text)
    if "】" in text:
        text = _HEADING.sub("\nFinal answer: ", text)
    if "<eo" in end:
        text = _TURN_ENDS.sub("\n", text)
    end = text[-_NEAR_END:]
    if holds_one(end, _LABELS):
        end = _SHORTENED.sub(r"\g<style>Answer: ", end)
        text = text[:-_NEAR_END] + end
    if "#" in end[-_LAST_LINE:]:
        end = _with_usual_hashes(end)
        text = text[:-_NEAR_END] + end
    if _MAY_BE_FILLED_IN.search(end) and _FILLED_IN.search(end):
        text = text[:-_NEAR_END] + _FORM.sub(r"\g<style>Answer\g<end>", end)
    return text


def _with_usual_hashes(end: str) -> str:
    """Return the end of a text whose number behind hashes stands behind four.

    >>> _with_usual_hashes("It is: ###### 160"), _with_usual_hashes("Answer: #2#")
    ('It is: #### 160', 'Answer: 2')
    >>> _with_usual_hashes("It is '#### 20'."), _with_usual_hashes("It takes 25 minutes.\\n\\n####")
    ('It is #### 20', 'It takes 25 minutes.')
    """
    if end.endswith(("##.##", ".###")):
        end = end.rstrip(_HASHES)
    if "#####" in end:
        end = _TOO_MANY.sub("####", end)
    if end.count("####") > 2:
        end = _AGAIN.sub(r"\n\1", end)
    last = end.rstrip(" .\n")
    if last.endswith("#"):
        end = _IN_HASHES.sub(r"\1", _NOTHING_BELOW.sub("", end))
        return _SHUT_BY_RULE.sub(r"####\1", end)
    return _QUOTED.sub(r"#### \1", end) if last.endswith(_QUOTES) else end


def answer_in_object(text: str) -> str | None:
    """Return what an object names as its answer, None where a text is no such object.

    That is "" for null, and where it grades, reports a failure or calls a tool.

    >>> answer_in_object('{"steps": "3 * 4", "answer": 12, "confidence": 0.9}')
    '12'
    >>> answer_in_object('{"gold": "12", "correct": true}')
    ''
    >>> answer_in_object('{"answer": null, "guess": 12}'), answer_in_object('{"total": 12}')
    ('', None)
    """
    text = text.strip()
    if len(text) > _MAX_CHARS or not text.startswith(("{", "```")):
        return None
    fenced = _FENCED.fullmatch(text)
    return _answer(fenced[1] if fenced else text)


def answer_in_last_object(text: str) -> str | None:
    """Return what the object that ends a text names as its answer; "" where one is only shown.

    >>> answer_in_last_object('It is 3 * 4.\\n```json\\n{"steps": "so", "answer": "12"}\\n```')
    '12'
    >>> answer_in_last_object('{"why": "\\\\(3 * 4\\\\)", "answer": "12"}')
    '12'
    >>> answer_in_last_object('Write it like this:\\n{"answer": "12"}')
    ''
    """
    text = text.rstrip()
    near = text[-_MAX_CHARS:]
    if not holds_one(near.lower(), _SIGNS) or not near.endswith(("}", "`")):
        return None
    begins = list(_BEGINS.finditer(near))
    if not begins:
        return None
    if is_shown(near, begins[-1].start()):
        return ""
    found = _answer(near[begins[-1].end() :].rstrip("` \n"))
    if found is not None:
        return found
    last = _LAST_PAIR.search(near[-_LAST:])
    if last is None:
        return None
    value = last["bare"] if last["text"] is None else last["text"]
    return "" if value in ("null", "None") else value.replace("\\\\", "\\")


def without_pairs(text: str) -> str:
    """Return a text with the answers alone that it names as pairs near its end.

    >>> without_pairs('So the correct answer is `"answer": "12"`.')
    'So the correct answer is 12.'
    """
    near = text[-_LAST:]
    if _SIGN not in near or near.rstrip().endswith(("}", "}\n```")):
        return text
    return text[: len(text) - len(near)] + _PAIR.sub(r"\g<text>", near)


def _answer(written: str) -> str | None:
    found: object = None
    as_latex = _OF_LATEX.sub(r"\\\\", written)
    for text in (as_latex, written) if _COMMAND.search(written) else (written, as_latex):
        try:
            found = json.loads(text, strict=False, parse_float=str, parse_int=str)
            break
        except (ValueError, RecursionError):
            continue
    if not isinstance(found, dict):
        return None
    named = {key.lower(): value for key, value in found.items()}
    failed = "" if any(map(named.__contains__, _NO_ANSWER)) else None
    return next((_plain(named[key]) for key in _KEYS if key in named), failed)


def _plain(value: object) -> str | None:
    """Return a value as it would be written outside of an object; None for an object of others."""
    if value is None:
        return ""
    if isinstance(value, dict) and "value" in value:
        bare = _plain(value["value"])
        return f"{bare} {value.get('unit') or ''}".strip() if bare else bare
    if isinstance(value, dict) and value and all(isinstance(one, _LEAF) for one in value.values()):
        return ", ".join(f"{name} = {one}" for name, one in value.items())
    if isinstance(value, list) and all(isinstance(one, _LEAF) for one in value):
        return ", ".join(map(str, value))
    return str(value) if isinstance(value, _LEAF) else None
