"""What the rest of a sentence names as the answer, after `the answer is`."""

from __future__ import annotations

import re

from rewardkit.verifiers.quantity import goes_on, is_negated, last_quantity

MATH = re.compile(
    r"\$\$(.+?)\$\$|\\\[(.+?)\\\]|\\\((.+?)\\\)|(?<!\\)\$((?:[^$\\\n]|\\.)+?)(?<!\\)\$"
    r"|(\\begin\{(?:[pbv]?matrix|cases|array)\}.+?\\end\{\w+\})",
    re.S,
)
_HEDGE = re.compile(r"\b(?:or|not|maybe|either|perhaps|possibly)\b", re.I)
_PLAIN_INTEGER = re.compile(r"[^\S\n]*+(-?\d++)\.?\s*+\Z")
_LEAD = re.compile(
    r"(?:(?:therefore|thus|hence|then|indeed|clearly|obviously|simply|just|exactly|precisely"
    r"|approximately|roughly|equal\s{1,9}to|(?:option|choice)(?=\s{0,9}\**\(?[A-J]\b))\b[\s,:*]*+)+",
    re.I,
)
"""Words before an answer that do not change it."""
_RATHER = re.compile(
    r"not\s(?!only|just|merely)[^\n]{1,60}?,?\s(?:but|rather)\s(?:rather\s|instead\s)?\s*"
)
_REASON = re.compile(
    r"(?<=[\w$)}%])\s?,?\s\(?(?:(?P<when>when|(?:attained|achieved|reached|occurring)(?:\swhen)?)|since|because|which)\s"
)
"""What begins a clause that says why an answer holds, or where."""
MORE = re.compile(
    r"\b(?:or|but|however|although|though|actually|wait|not|otherwise|if|unless|except"
    r"|wrong|incorrect|invalid|false|impossible|fails?|cannot|never|mistake|extraneous)\b|n't",
    re.I,
)
_UNIT_NOTE = re.compile(
    r"(?<=[\d$}%])\s\((?:units?\s?(?:are|is|of|in|:)?\s?|in\s)?([a-zA-Z]{1,12})\)\s?\Z"
)
_ASIDE = re.compile(
    r"(?:(?<=[\d$}%*`])|(?<=\b[A-J]))[*`]*"
    r"(?:\s\((?:see|from|by|cf|exact|that is|i\.e\.|not)\b[^()]{0,60}\)?"
    r"|,?\s(?:not|rather than)\s[^\s,;()]{1,20}"
    r"|,\sas\s(?:shown|required|needed|desired)\b.{0,60}|[*`]+\.?)\Z"
)
"""What may follow an answer without changing it: `(see step 3)`, `, not 41`."""
_SEVERAL = re.compile(r"(?:\bor\b|\band\b|[,;])\s*[a-zA-Z]\w{0,2}\s*=")


def sentence_answer(rest: str) -> str | None:
    """Return the answer that the words before lead to: a formula, else the rest of the sentence."""
    if plain := _PLAIN_INTEGER.match(rest):
        return plain[1]
    rest = re.sub(r'^(?:[\s:*"`]|\\")+', "", rest)
    if lead := _LEAD.match(rest) or _RATHER.match(rest):
        rest = rest[lead.end() :]
    line = _without_reason(rest.split("\n", 1)[0][:600])
    if rest.startswith(("$$", "[", "\\[")) and (
        block := MATH.match(rest if rest[0] != "[" else "\\" + rest)
    ):
        return next(g for g in block.groups() if g is not None)
    formulas = _formulas(line)
    head = re.split(
        r"(?<=[^\d\W])\.\s|(?<=[\d)\]}$])\.(?:\s|$)|。|\*\*|\\?\"\.?$|[\"\\]*$", line, maxsplit=1
    )[0]
    first = MATH.search(line)
    if first is not None and first.start() <= len(head):
        before = line[: first.start()].strip(' \\"')
        if is_negated(before + " "):
            return f"not {line[first.start() : first.end()]}"
        if len(formulas) == 1 and (
            len(before) < 3 or before.split()[-1:] in (["is"], ["="], ["are"])
        ):
            tail = line[first.end() : first.end() + 10].lstrip()
            if goes_on(line[first.end() :]):
                return re.sub(r"\$", " ", head)
            return formulas[0] + ("\\%" if re.match(r"\\?%|percent|pct", tail) else "")
        if len(formulas) > 1:
            return re.sub(r"\$", " ", head)
    head = _UNIT_NOTE.sub(r" \1", _ASIDE.sub("", head.strip().strip("*`").strip()))
    if not head:
        return None
    if re.match(r"(?:not|n't)\b", head):
        return head
    if _SEVERAL.search(head) and head.count("=") > 1:
        return head
    after_is = re.split(r"\b(?:is|are|equals)\b(?! not\b)|(?<![<>!])=(?!.*=)", head)[-1].strip()
    if after_is and after_is != head and len(after_is) < len(head):
        return after_is.strip("$ ")
    spoken = len(re.findall(r"[A-Za-z]{2,}", head))
    if spoken >= 4 and not _HEDGE.search(head):
        return last_quantity(head) or head
    return head


def _without_reason(line: str) -> str:
    """Return `42` of `42 since x = 3`, unless the clause takes it back or names another answer."""
    reason = _REASON.search(line)
    if reason is None or MORE.search(line, reason.end()):
        return line
    several = reason["when"] and re.search(r"\band\b|[,;]|\bwhen\b", line[reason.end() :])
    return line if several else line[: reason.start()]


def _formulas(text: str) -> list[str]:
    return [next(g for g in m.groups() if g is not None).strip() for m in MATH.finditer(text)]
