"""The end of a response without a mark, in one spelling: what its signs are looked for in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property
from unicodedata import normalize

from rewardkit.verifiers.extraction.endings.last_sentences import last_sentences, unfinished
from rewardkit.verifiers.extraction.endings.met_conditions import with_conditions_met
from rewardkit.verifiers.extraction.endings.words_behind import without_words_behind
from rewardkit.verifiers.extraction.prose.behind import without_reasons
from rewardkit.verifiers.extraction.prose.contrasts import affirmed
from rewardkit.verifiers.extraction.prose.cuts import PLAINLY
from rewardkit.verifiers.extraction.prose.worked_out import without_bound
from rewardkit.verifiers.extraction.text.boxes import EMPTY_BOX
from rewardkit.verifiers.extraction.text.cuts import start_of
from rewardkit.verifiers.extraction.text.elsewhere import HALVES_BEHIND, in_digits
from rewardkit.verifiers.extraction.text.formulas import FORMULA
from rewardkit.verifiers.extraction.text.number_words import (
    with_below_zero,
    with_chance,
    with_counts,
    with_parts,
)
from rewardkit.verifiers.extraction.text.plain import without_hope, without_money, without_tags
from rewardkit.verifiers.parsing.forms.compounds import is_compound
from rewardkit.verifiers.vocabulary import phrases
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.characters import has_digit
from rewardkit.verifiers.vocabulary.letters import OPTION_LETTER
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.sought import NEAR, Sought, holds_one, lowered

_CHOOSES = as_pattern(r"\b(?:I|we)(?:'d|\s+would|\s+will|\s+have\s+to)?\s+\Z", re.I)
_CHOSEN = as_pattern(r"(?!\s*\$?\d[\d.,]*\$?\s(?:of|out|from|[a-z]+))")
"""What is behind it, unless things are chosen: `we choose 3 of the 7 people`."""
_IN_WHAT = (
    r"(?:\s\([^()\d\n]{1,40}\)(?=(?:\sis|\s?:|\sis:)\s\$?[-−]?\d[\d.,/]*[%°]?(?:\s[a-z]{1,12})?"
    r"\W*?(?:\n|\Z|[.!]\s)))"
)
"""How an answer is given, before a value alone: `The answer (in minutes) is 12.`"""
_OWNED = as_pattern(r"(?:[a-z]['’]s|[a-z]s['’])\s\Z", re.I)
"""Before what somebody of the task has or wants: `The host's choice: 3`."""
_MAX_OWNER = 5
_NAMES = as_pattern(
    rf"{alternatives(phrases.CHOOSING)}\b|{alternatives(phrases.ANSWER_NAMES)}{_IN_WHAT}?\s*+(?:\*\*)?\s*+"
    r"(?:is\b(?:\s+(?:given|therefore|thus|option|choice))?(?:\s+by\b)?|:|="
    r"|[-–—]\s++(?=[\d*$\\]))\s*(?:\*\*)?\s*:?",
    re.I,
)
_LABEL = as_pattern(
    rf"(?<![a-zà-ÿа-я不]){alternatives(phrases.ANSWER_LABELS)}"
    rf"(?:\s{alternatives(phrases.FINAL_WORDS)})?[*\s]{{0,9}}"
    rf"(?:(?:{alternatives(phrases.STATING)}(?-i:(?![a-z]))\s{{0,9}})?[:：]"
    rf"|{alternatives(phrases.STATING)}(?-i:(?![a-z])))"
    rf"|(?<!不)正确的[^\s，。,.:：]{{0,4}}有\s?(?={OPTION_LETTER})|(?<!不)选择?[\s:：]{{0,9}}(?=[\s*(（]{{0,9}}{OPTION_LETTER}{{1,6}}(?![A-Za-z]))",
    re.I,
)
_NAMING = phrases.ANSWER_NAMES + phrases.CHOOSING
"""What every one of `_NAMES` begins with; it is found in a tenth of the time."""
_LABELS = ("选", *phrases.ANSWER_LABELS)
_ASCII_LABELS = tuple(filter(str.isascii, _LABELS))
_LONGEST_LABEL = max(map(len, _LABELS))
_MAX_NEAR = 300
"""So much of the end is looked at first for what names an answer."""
_VULGAR_SIGN = as_pattern("[¼½¾⅐-⅞]")
_VULGAR = as_pattern("((?<=\\d)\\s?)?([¼½¾⅐-⅞])")
_LABEL_INSIDE = as_pattern(
    r"(\$+|\\[(\[]"
    r"|(?<![\w$\\{])(?=\\))\s*\\text\s*\{\s*((?:[Tt]he )?(?:[Ff]inal )?[Aa]nswer(?: is)?\s*:?)\s*\}"
)
"""A label within the formula that it names: `$\\text{Answer: } 7$`."""
_EMPTY_MARK = as_pattern(
    r"(?:\\f?boxed(?:\s*\{(?:\s|\\f?boxed|[{}])*)?(?:(?<=\})(?:[里内中裡]|(?:の中)?に[^\s\d]{1,12}|\s?안?에[^\d]{1,12}|\san))?|####"
    rf"|{alternatives(('answer', *phrases.ANSWER_LABELS))}"
    rf"(?:\s{alternatives(('is', *phrases.STATING))})?\**\s*[:：])[\s$*.。]*\Z",
    re.I,
)
_MAX_MARK = 60
_MARK_ENDS = (
    "}", "{", "boxed", "fbox", ":", "：", "#", "里", "内", "中", "裡", "さい", "세요", "} an",
)  # fmt: skip
_CODE_BEHIND = as_pattern(
    r"```(?:python|py|js|javascript|typescript|java|cpp|c|go|rust)\n[^`]*```\Z", re.I
)
"""Code whose output nobody has seen."""
_OUTPUT = as_pattern(r"```\s*\n\**(?:The\s)?(?:Output|Result)\**:\**\s*([^\n`]{1,80})\Z", re.I)
"""What code puts out, behind it: it says more than what stands in the code."""
_LABEL_IN_BOLD = as_pattern(
    r"\\text(?:bf|it)\s*\{\s*((?:the )?(?:final )?answer\s*:?)\s*\}\s*:?", re.I
)
_QUESTION = as_pattern(
    r"([aA]nswer)\sto\s(?:(?:the|this)\s[a-z]+\s)?(?:\"[^\"\n]{1,150}\"|“[^”\n]{1,150}”"
    r"|(?:the|this|our|your)\s(?:question|problem|task|exercise|riddle|puzzle)"
    r"(?=\s?:|\s(?:is|would\sbe)[\s:]))"
)
"""What names an answer by what was asked: `the answer to "Is it enough?" is No`."""
_ANSWERED = as_pattern(
    r"(?<![iI]f\s)(?<![wW]hether\s)\b(?:[tT]he|[tT]his|[oO]ur)\s(?:question|problem|puzzle|riddle|task)\b[^.!\n]{0,150}?\sis\s"
    r"(?:(?:then|thus|therefore|hence)\s)?answered\s(?:by|with)\s(?:the\s(?:number|value)\s)?"
    r"(?=(?:[a-z]\s=\s)?\S{0,3}\d\S*(?:,\snot\s[^,.]*)?[.!*]*\s*\Z)"
)
"""What names a value by the question that it answers: `the question is answered by 7`."""
_ANSWERS = as_pattern(
    r"(?:(?<=\A)|(?<=[.!\n]\s)|(?<=so\s)|(?<=[tT]hus\s)|(?<=[hH]ence\s)|(?<=[tT]herefore\s)|(?<=,\s))(\$?[-−]?\d[\d.,/]*(?:\s[a-z]+)?\$?)\s(?:therefore\s|thus\s)?"
    r"answers\s(?:the|this|our)\s(?:question|problem|puzzle|riddle|task)(?:\s[^.!?\n\d]*)?(?=[.!]?\s*\Z)"
)
_SET_OFF = as_pattern(r",\s(?:however|though|of\scourse|in\sfact|indeed|[a-z]+ly),(?=\sis\s)")
"""What a sentence sets off before its verb: `The correct answer, however, is no.`"""
_MINUS = Sought(r"(?:(?<=\bis\s)|(?<=\bbe\s)|(?<=equals\s)|(?<=[:=]\s)|\A)minus\s(?=\d)")
_PLUS_MINUS = Sought(r"\bplus(?:\sor\s|/)minus\s(?=\d)")
_HALF_OF_DAY = as_pattern(
    r"(:\d\d)\s(?:in\sthe\s(?:(?P<am>morning)|afternoon|evening)|at\snight)\b", re.I
)
_POWER_OF_UNIT = as_pattern(r"(?<=[a-z])\$\^\{?(-?[1-4])\}?\$")
"""A formula that is the power of the unit before it: `5 m/s$^2$`."""
_EXCLAIMS = as_pattern(r"(?<=[a-z])!\)(?=[.!]?\s*\Z)")
"""An exclamation in brackets at the end: `5 m (not 5 cm!)`."""
_EACH_FOR_ALL = as_pattern(
    r"(?<=\$)\sfor\s(?:all|every|any)\s\$([a-z])\$(,?\s(?:and|or)\s\$[^$\n]{1,60}\$)\sfor\s(?:all|every|any)\s\$\1\$"
)
"""What is said of two functions alike: `$f(x) = 0$ for all $x$ or $f(x) = x$ for all $x$`."""
_LETTER_OF_WORD = as_pattern(r"\$([a-zA-Z])\$(?=-[a-z]{3})")
"""A letter that is no formula: `two $y$-intercepts`."""
_SUBSTANCE = as_pattern(
    r"\$(?:(?<=\bof\s\$)|(?<=[a-z]\s\(\$))\s?([^$\n]{1,40}?)\s?\$"
    r"|\\\((?:(?<=\bof\s\\\()|(?<=[a-z]\s\(\\\())\s?([^$\n]{1,40}?)\s?\\\)"
)
"""What there is so much of: `3 moles of $\\ce{O2}$`. It begins with the sign, which is rare."""
_STEPS: tuple[tuple[str, re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    ("\\text", _LABEL_INSIDE, r"\2 \1"),
    ("\\text", _LABEL_IN_BOLD, r"\1 "),
    ("nswer to ", _QUESTION, r"\1"),
    ("answered ", _ANSWERED, "the answer is "),
    (" answers ", _ANSWERS, r"the answer is \1"),
    (":", _HALF_OF_DAY, lambda time: f"{time[1]} {'AM' if time['am'] else 'PM'}"),
    (", is ", _SET_OFF, ""),
    ("$-", _LETTER_OF_WORD, r"\1"),
    ("$^", _POWER_OF_UNIT, r"^\1"),
    ("!)", _EXCLAIMS, ")"),
    ("$ for ", _EACH_FOR_ALL, r"\2"),
)
"""What a text holds that is to be spelled otherwise, how that is found, and in what spelling."""
_DRESSED = as_pattern(
    r"\s*(?:[-*•>]\s+)?(?:(?P<mark>\*{1,3}|_{1,3})(?![*_\s]|\(?[A-Z][.)])([^*_\n]{1,80})(?P=mark)"
    r"|<<([^<>\n]{1,80})>>)[.!]?\s*"
)
"""A response that is one value in a style, maybe behind a bullet: `- **42**`."""
_UNDERLINED = as_pattern(r"_(?<![\w\\]_)(_{0,2})(?=[^\s_])([^_\n{}\\$^]{1,80})(?<=\S)_\1(?!\w)")
_MAX_TAIL = 3000
_MAX_OUTPUT = 120
_MAX_IN_WORDS = 80
"""Where so many last characters hold no digit, the number may be said in words."""
_PARTS_BEHIND_DIGITS = (*HALVES_BEHIND, "分之", "分の")
"""What goes on in words behind a number in digits: `2 heures et demie`."""


class Ending:
    """The end of a response without a mark: what its signs are looked for in."""

    def __init__(self, text: str) -> None:
        may_mark = text.rstrip(" \n.。$*").endswith(_MARK_ENDS)
        self.is_empty = may_mark and _EMPTY_MARK.search(text[-_MAX_MARK:]) is not None
        """Whether it ends with a mark that marks nothing."""
        text = text.strip()
        if text.endswith("```") and (code := _CODE_BEHIND.search(text, text.rfind("```", 0, -3))):
            text = text[: code.start()].rstrip()
        if "```" in text[-_MAX_OUTPUT:] and (
            shown := _OUTPUT.search(text, max(0, len(text) - _MAX_OUTPUT))
        ):
            text = shown[1]
        self.whole = _plain_fractions(text)
        tail = with_chance(self.whole[-_MAX_TAIL:])
        if tail[:1] in ("-", "*", "•", ">", "_", "<") and (dressed := _DRESSED.fullmatch(tail)):
            tail = dressed[2] or dressed[3]
        tail = without_tags(EMPTY_BOX.sub(" ", tail) if "box" in tail else tail).strip()
        tail = _UNDERLINED.sub(r"\2", tail) if "_" in tail else tail
        if len(self.whole) <= _MAX_TAIL:
            self.whole = tail
        tail = without_words_behind(with_conditions_met(tail))
        tail = without_money(without_hope(tail))
        for sign, pattern, plain in _STEPS:
            if sign in tail:
                tail = pattern.sub(plain, tail)
        if "minus" in lowered(tail):
            tail = _MINUS.sub("-", _PLUS_MINUS.sub("±", tail))
        if ("\\ce{" in tail or "_" in tail) and ("$" in tail or "\\(" in tail):
            tail = _SUBSTANCE.sub(_in_letters, tail)
        end = with_below_zero(PLAINLY.sub("", without_bound(tail[-NEAR:])))
        end = without_reasons(affirmed(with_counts(with_parts(_in_digits(end)))))
        self.tail = tail[:-NEAR] + end
        self.low = lowered(self.tail)

    def _named(self, start: int, end: int) -> list[int]:
        """Return where the words begin in a part that may name an answer, the last first."""
        found: list[int] = []
        for word in _NAMING:
            at = self.low.rfind(word, start, end + len(word) - 1)
            while at >= 0:
                found.append(at)
                at = self.low.rfind(word, start, at + len(word) - 1)
        return sorted(found, reverse=True)

    def names(self) -> Iterator[re.Match[str]]:
        """Yield what names an answer that comes behind it, the last first.

        The end is read first, which names one in most texts: the rest is then never read.
        """
        size, end = _MAX_NEAR, len(self.low)
        last = self._named(max(0, end - size), end)[:1]
        if last and not self._labelled(last[0], end):
            end = last[0]
            if (name := _NAMES.match(self.tail, end)) and self._is_meant(name):
                yield name
        while end > 0:
            start = max(0, end - size)
            labelled = self._labelled(start, end)
            start = 0 if labelled else start  # in their common order, those before as well
            words = (_NAMES.match(self.tail, at) for at in self._named(start, end))
            names: Iterator[re.Match[str]] = (n for n in words if n and self._is_meant(n))
            if labelled:
                both = [*names, *(at for at in _LABEL.finditer(self.tail) if at.start() < end)]
                names = iter(sorted(both, key=lambda match: match.start(), reverse=True))
            yield from names
            end, size = start, 2 * size

    def _labelled(self, start: int, end: int) -> bool:
        """Return whether a label may begin in a part."""
        part = self.low[start : end + _LONGEST_LABEL]
        return holds_one(part, _ASCII_LABELS if part.isascii() else _LABELS)

    def _is_meant(self, name: re.Match[str]) -> bool:
        """Return whether a name is of the writer: its verb, or a choice that nobody else has."""
        if name[0].lower() not in phrases.CHOOSING:
            named = name[0][:6].lower() == "answer"
            return named or not _OWNED.search(
                self.tail, max(0, name.start() - _MAX_OWNER), name.start()
            )
        chosen = _CHOSEN.match(self.tail, name.end()) is not None
        return chosen and _CHOOSES.search(self.tail[: name.start()][-20:]) is not None

    @cached_property
    def formulas(self) -> list[re.Match[str]]:
        """The formulas of the tail."""
        tail = self.tail
        return list(FORMULA.finditer(tail)) if "$" in tail or "\\" in tail else []

    @cached_property
    def sentences(self) -> list[str]:
        """The last few sentences of the tail."""
        return last_sentences(self.tail)

    @cached_property
    def unfinished(self) -> str | None:
        """What follows the last whole sentence of a tail that stops in the middle of one."""
        return unfinished(self.tail)

    def sentence_before(self, position: int) -> str:
        """Return the sentence up to a place in the tail."""
        return self.tail[start_of(self.tail, position) : position]


def _in_letters(substance: re.Match[str]) -> str:
    """Return a formula of chemistry without its numbers, which count nothing that is stated."""
    formula = substance[1] or substance[2]
    if not (formula.startswith("\\ce{") or is_compound(formula)):
        return substance[0]
    return "".join(c for c in formula.removeprefix("\\ce") if c.isalpha())


def _in_digits(tail: str) -> str:
    """Return a text with the numbers that its end says in words of another language in digits."""
    last = tail[-_MAX_IN_WORDS:]
    if has_digit(last) and not holds_one(last, _PARTS_BEHIND_DIGITS):
        return tail
    start = tail.find(" ", len(tail) - 2 * _MAX_IN_WORDS) if len(tail) > 2 * _MAX_IN_WORDS else 0
    return tail[:start] + in_digits(tail[start:])


def may_name(text: str) -> bool:
    """Return whether the end of a text holds a word that may name its answer.

    >>> may_name("So the answer is 12."), may_name("So she has 12.")
    (True, False)
    """
    low = lowered(text[-_MAX_TAIL:])
    return holds_one(low, _NAMING) or holds_one(low, _ASCII_LABELS if low.isascii() else _LABELS)


def _plain_fractions(text: str) -> str:
    """Return a text with its fractions of one character in digits: `2½` is `2 1/2`."""
    if text.isascii() or not _VULGAR_SIGN.search(text):
        return text

    def digits(match: re.Match[str]) -> str:
        return (" " if match[1] is not None else "") + normalize("NFKC", match[2]).replace("⁄", "/")

    return _VULGAR.sub(digits, text)
