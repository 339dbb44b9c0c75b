"""What the rest of a sentence names as the answer, after `the answer is`."""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.prose.another import names_another
from rewardkit.verifiers.extraction.prose.behind import without_reasons
from rewardkit.verifiers.extraction.prose.denials import goes_on, is_negated
from rewardkit.verifiers.extraction.prose.last_quantity import last_quantity
from rewardkit.verifiers.extraction.prose.prose import statement
from rewardkit.verifiers.extraction.text.formulas import FORMULA, WORD, inside
from rewardkit.verifiers.extraction.text.plain import without_money
from rewardkit.verifiers.vocabulary import phrases
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.characters import has_digit
from rewardkit.verifiers.vocabulary.letters import OPTION_LETTER
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.sought import Sought
from rewardkit.verifiers.vocabulary.units import PERCENT

_HEDGE = Sought(rf"\b(?:or|not|either|{alternatives(phrases.DOUBTS)})\b")
_PLAIN_INTEGER = as_pattern(r"[^\S\n]*+(-?\d++)\.?\s*+\Z")
_DRESS = as_pattern(r'(?:[\s:*"`,]|\\")+')
_PICTURE = as_pattern("\\s[\u2700-\u27bf\U0001f000-\U0001faff\ufe0f]+(?=[\\s.!]|\\Z)")
_LEAD = as_pattern(
    r"(?:(?:(?:for\s)?sure|surely|certainly|definitely|without\sa\sdoubt|therefore|thus|hence"
    r"|then|indeed|clearly|obviously|simply|just|exactly|bien|genau|exactement|exactamente|esattamente|exatamente|ровно|as\sfollows"
    r"|precisely|approximately|roughly|equal\s{1,9}to"
    r"|(?:(?-i:[A-Z])\w*['’]s|that\sof\s[^,.\n]{1,30})(?=,\s[$-]?\d)"
    rf"|{alternatives(phrases.CONCLUSIONS_ELSEWHERE)}"
    rf"|(?:(?:la|a|die)\s)?(?:opción|opção|opzione|réponse|alternative)(?=\s\**\(?(?-i:{OPTION_LETTER})\b)"
    rf"|{alternatives(phrases.OPTION_NAMES | {'la', 'le', 'die', 'letra', 'lettre'})}"
    rf"(?=\s{{0,9}}\**\(?(?-i:{OPTION_LETTER})\b))\b[\s,:*]*+)+",
    re.I,
)
"""Words before an answer that do not change it."""
_RATHER = as_pattern(
    r"not\s(?!only|just|merely)[^\n]{1,60}?,?\s(?:but|rather)\s(?:rather\s|instead\s)?\s*"
)
_REASON = as_pattern(
    r"(?<=[\w$)}%])\s?,?\s\(?(?:(?P<when>when|(?:attained|achieved|reached|occurring)(?:\swhen)?)"
    r"|since|because|which|although|(?:even\s)?though|whereas"
    r"|as(?<=,\sas)(?!\s(?:well|many|much|few|long|far|soon|follows|shown|required|needed|desired|an?)\b))\s"
)
"""What begins a clause that says why an answer holds, or where."""
_TURNS = phrases.NEGATIONS | phrases.CONTRASTS | phrases.CONDITIONS | phrases.FAULTS
MORE = Sought(rf"\b(?:or|otherwise|mistake|fails?|{alternatives(_TURNS)})\b|n't\b")
"""What takes back what was said, or says something else as well."""
_UNIT_NOTE = as_pattern(
    r"(?<=[\d$}%])\s\((?:units?\s?(?:are|is|of|in|:)?\s?|in\s)?([a-zA-Z]{1,12})\)\s?\Z"
)
_ASIDE = as_pattern(
    rf"(?:(?<=[\d$}}%*`])|(?<=\d[a-z])|(?<=\b{OPTION_LETTER}))[*`]*"
    r"(?:\s\(-?\d[\d.,]*\s?(?:to|-|–)\s?-?\d[\d.,]*\)"
    r"|\s\((?:see|from|by|cf|exact|that is|i\.e\.|not|also)\b[^()]{0,60}\)?"
    r"|,?\s(?:not|rather than)\s[^\s,;()]{1,20}"
    r"|,\sas\s(?:shown|required|needed|desired)\b.{0,60}|[*`]+\.?)\Z"
    r"|(?<=\d[a-z]),\snot\s-?\d[^\s,;()]{0,20}\Z"
)
"""What may follow an answer without changing it: `(see step 3)`, `, not 41`."""
_END = as_pattern(
    r"(?<=[^\d\W])(?<!\bi\.e)(?<!\bvs)(?<!\bM[rs])(?<!\bMrs)(?<!\bDr)\.\s|(?<=[\d)\]}$%])\.(?:\s|$)|。|\*\*|\\?\"\.?$|[\"\\]*$"
)
_BOLD_WITHIN = as_pattern(r"[^*]*[a-z]\s\*\*[$€£]?\d")
"""Bold type that opens before a number ends no sentence: `There are **42 eggs** left.`"""
_WORKED_OUT = as_pattern(
    r"(?=[^\n.;:=$,]*\b(?:than|times|plus|minus|half|twice|double|thrice|squared|cubed|percent\sof|divided\sby"
    r"|after|before|[a-z]+(?:ths?|thirds?|halves|quarters?))\b)[^\n.;:=$,]{3,60},?\s"
    r"(?:i\.e\.,?|that\sis,?|which\s(?:is|equals|gives|makes)|so|or\ssimply|namely)\s(?=[-$\\(]{0,3}\d)"
)
"""A calculation in words before what it comes to: `135 less than 200, i.e. 65`."""
_SEVERAL = as_pattern(r"(?:\bor\b|\band\b|[,;])\s*[a-zA-Z]\w{0,2}\s*=")
_EQUATION = as_pattern(r"[^=<>,;∠°]*(?<![a-zA-Z])[a-zA-Z](?![a-zA-Z])[^=<>,;]*=\s?[^=,;]+")
_AND = as_pattern(r"\band\b|[,;]|\bwhen\b")
_IS = as_pattern(r"\b(?:is|are|equals)\b(?! not\b)|(?<![<>!])=(?!.*=)")
_COUNT_FIRST = as_pattern(
    r"\$?\d[\d.,]*(?:\s[a-z]+){1,3}\s(?:is|are)\s(?:needed|required|left|used|sold|made|taken|given|eaten|missing|available)\b"
)
"""A sentence whose subject is the count: `3 trucks are needed to move 80 stones`."""
_SO_MANY_DO = as_pattern(
    r"\d[\d.,]*\s(?!times\b)[a-z]+s\s(?!(?:and|or|in|for|of|at|on|per|plus|minus|as|to|by|from|with|than|more|less|fewer)\b)"
    r"(?:[a-z]+\s){1,3}\$?\d[\d.,]*(?:\s[a-z]+){0,3}\W*"
)
"""A short sentence on so many things: `8 pens will cost 12`."""
_DIGIT = as_pattern(r"\d")
_MAX_WORDS = 120
_LONG_WORD = as_pattern(r"[A-Za-z]{2,}")
_PERCENT = as_pattern(PERCENT)
_MONEY = as_pattern(r"\$\d[\d.,]*\s[-+*/×]\s\$?\d[^=$]*=\s\$?\d")
"""A calculation with amounts: `$45 - $20 = $25`."""
_MAX_MONEY = 80


def sentence_answer(rest: str) -> str | None:
    """Return the answer that the words before lead to: a formula, else the rest of the sentence."""
    if plain := _PLAIN_INTEGER.match(rest):
        return plain[1]
    if "$" in rest[:_MAX_MONEY] and _MONEY.search(rest, 0, _MAX_MONEY):
        rest = without_money(rest)
    if dress := _DRESS.match(rest):
        rest = rest[dress.end() :]
    if lead := _LEAD.match(rest) or _RATHER.match(rest):
        rest = rest[lead.end() :]
    if worked_out := _WORKED_OUT.match(rest[:_MAX_WORDS]):
        rest = rest[worked_out.end() :]
    if rest.startswith(("$$", "[", "\\[", "\\begin{")) and (
        display := FORMULA.match(rest if rest[0] != "[" else "\\" + rest)
    ):
        return inside(display)
    rest = rest if rest.isascii() else _PICTURE.sub("", rest)
    line = rest.split("\n", 1)[0][:600]
    line = line.replace("**", "") if "**" in line and _BOLD_WITHIN.match(line) else line
    line = without_reason(without_reasons(line))
    head = _END.split(line, maxsplit=1)[0]
    said = _formula_answer(line, head)
    return _spoken_answer(head) if said is None else said


def without_reason(line: str) -> str:
    """Return `42` of `42 since x = 3`, unless the clause takes it back or names another answer."""
    reason = _REASON.search(line)
    if reason is None or MORE.search(line, reason.end()):
        return line
    several = reason["when"] and _AND.search(line, reason.end())
    return line if several else line[: reason.start()]


def _formula_answer(line: str, head: str) -> str | None:
    """Return what a sentence says in formulas, or None when words say it."""
    formulas = list(FORMULA.finditer(line))
    if not formulas or formulas[0].start() > len(head):
        return None
    first = formulas[0]
    before = line[: first.start()].strip(' \\"')
    if is_negated(before + " "):
        return f"not {first[0]}"
    if len(formulas) > 1:
        return head.replace("$", " ")
    if len(before) >= 3 and before.split()[-1] not in ("is", "=", "are"):
        return None
    if goes_on(line[first.end() :]):
        return head.replace("$", " ")
    percent = _PERCENT.match(line[first.end() : first.end() + 20].lstrip())
    return inside(first).strip() + ("\\%" if percent else "")


def _spoken_answer(head: str) -> str | None:
    """Return what a sentence says in words and plain mathematics."""
    head = _ASIDE.sub("", head.strip().strip("*`").strip())
    head = _UNIT_NOTE.sub(r" \1", head) if "(" in head else head
    if not head:
        return None
    if head.startswith("n't") or re.match(r"not\b", head):
        return head
    if (_SEVERAL.search(head) and head.count("=") > 1) or _is_equation(head):
        return head
    after_is = _IS.split(head)[-1].strip()
    if after_is.endswith(")") and not ("(" in after_is or "[" in after_is or "]" in after_is):
        after_is = after_is[:-1]  # of `(35 + 70 = 105)`
    names = _DIGIT.search(after_is) or not _DIGIT.search(head) or MORE.search(after_is)
    if after_is and len(after_is) < len(head) and names and not _COUNT_FIRST.match(head):
        return after_is.strip("$ ")
    if len(_LONG_WORD.findall(head)) >= 4 and not (_HEDGE.search(head) or names_another(head)):
        spoken = statement(head) if has_digit(head) else None
        return spoken or last_quantity(head) or head
    if _SO_MANY_DO.fullmatch(head):
        return statement(head) or head
    return head


def _is_equation(head: str) -> bool:
    """Return whether a sentence is one equation of an unknown and has no words: `y = 2x - 4`."""
    return _EQUATION.fullmatch(head) is not None and not WORD.search(head)
