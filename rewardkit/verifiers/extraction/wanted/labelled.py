"""Values with their labels or numbers: does a sentence give each its own, or just as many of them?

`12 dogs and 7 cats`; `x₁ = 2 and x₂ = 5`, with what is only said of them behind it.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from rewardkit.verifiers.expressions.units import known_unit
from rewardkit.verifiers.extraction.prose.claims import claims_at
from rewardkit.verifiers.parsing.spelling.characters import unify
from rewardkit.verifiers.parsing.spelling.decimals import with_points
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.commands import TEXT_COMMAND
from rewardkit.verifiers.vocabulary.numbers import NUMBER_WORDS
from rewardkit.verifiers.vocabulary.patterns import LEFT_OPEN, alternatives

_STYLE = as_pattern(
    TEXT_COMMAND + r"\s*\{([^{}]*)\}|\\(?:[,;:! ()]|left|right)|[$*]|(?<=\d),(?=\d{3}\b)"
)
_NUMBER = r"[-−]?\d+(?:\.\d+|/\d+)?"
_EXACT = (
    r"[-−]?\d*(?:π|\\pi\b|√\d+|\\sqrt\{?\d+\}?|\\[dt]?frac\{[^{}]+\}\{[^{}]+\}(?:\\pi\b)?)(?:/\d+)?"
)
"""A value with a root, pi or a fraction."""
_PAIR = r"[\[(][^()\[\]]*,[^()\[\]]*[\])]"
_WORD = r"[^\W\d_]+(?:-[^\W\d_]+)*"
_LABEL = rf"(?=[^\W\d_]{{3}}|[xyz]-){_WORD}(?:\s{_WORD}){{0,3}}?"
_UNIT = rf"(?:\s?(?:[a-z]{{1,3}}(?:/[a-z]{{1,3}})?|%|°)(?:\^?[23])?|\s{_WORD})?"
_NAME_FIRST = as_pattern(
    rf"({_LABEL}|[a-zA-Z](?=\s?=))\s?(?:[:=]|is|has|on|at(?:\s[a-z]\s?=)?)?\s?({_EXACT}|{_NUMBER}|{_PAIR}){_UNIT}"
)
_NUMBER_FIRST = as_pattern(rf"({_NUMBER})\s(?:[a-z]{{1,3}}\s(?:of\s)?)?({_LABEL})")
_JOINED = as_pattern(
    r"\s*(?:[,;\n](?![^()\[\]]*[)\]])|,?\sand\b|(?<=\d)\sat\b(?=\s[a-zA-Z]\s?=))\s*"
)
_MARK = as_pattern(
    rf"{_PAIR}|{_EXACT}|(?<![\w.^_])({_NUMBER})(?![\w.]*\d)|{_WORD}(?:\^2)?|\\[a-z]+(?:\^2)?"
)
_MEASURED = as_pattern(rf"(?<![\w.^_,])({_NUMBER})(?![\w.]*\d)(?:\s?([a-zA-Z°%]{{1,3}})\b)?")
_OPERATION = as_pattern(r"[\[(]\s?#[^()\[\]]*,|[+×÷*<>≤≥^√]|#\s?[-−–/]\s?#|\bto\b|\\(?!text|circ)")
"""Beside values, each of which is `#`, what makes them a calculation or an interval."""
_ROOT = as_pattern(r"(?:√|\\sqrt)\s?\{?(\d+)\}?")
_EXACT_VALUE = as_pattern(_EXACT)
_LONGEST = 5
"""Letters of a word that tell it from another, whatever its ending."""
_SAME_WORDS = (
    ("length", "long"), ("width", "wide"), ("height", "high", "tall"), ("depth", "deep"),
    ("maximum", "max", "largest", "greatest", "highest"),
    ("minimum", "min", "smallest", "least", "lowest"),
    ("mean", "average", "\\mu", "μ"), ("variance", "\\sigma^2", "σ^2"),
)  # fmt: skip
_DOUBTFUL = (
    r"\b(?:not|no|nor|never|if|unless|maybe|perhaps|more|less|fewer|than|each|per|every|but"
    r"|times|instead|would)\b|n['’]t\b|\?"
)
_UNSURE = as_pattern(rf"{_DOUBTFUL}|\bor\b|\d\sof\b|\bof\s[-−]?\d", re.I)
_NOT_LISTED = as_pattern(
    rf"{_DOUBTFUL}|\d\sof\b|\b(?:sum|product|difference|average|mean|ratio|power|multiple)s?\sof\b"
    r"|\d\s(?:(?!and\b|or\b)[a-z]+\s){0,2}(?:is|are|has|have)\b.*\d"
    r"|\b(?:between|from|interval|suppose|given|discard|reject|extraneous|fails)\b|(?<=[\w)])[,\s]\s?(?:since|because)\b",
    re.I,
)
_IN_WORDS = as_pattern(
    r"(?<![-\w])(?<!other\s)(?<!the\s)(?<!that\s)(?<!this\s)(?P<sign>(?:minus|negative)\s)?"
    rf"(?:(?P<word>{alternatives(NUMBER_WORDS)})(?=\s(?:and|or)\b|[,.!]|\Z)|(?P<digits>(?<=\s)\d))",
    re.I,
)
"""Words where a list goes on or ends: `one and four`, not `one of the two numbers`."""
_BOTH = as_pattern(r"(?:±|\\pm|\bplus\s(?:and|or)\sminus)\s?([\w.]+)", re.I)
_MAX_CHARS = 300
_VALUE = r"[-−]?\s?\d+(?:\.\d+|/\d+)?"
_INDEX = r"(?:[₀-₉]|_\{?\d\}?)"
_NUMBERED = as_pattern(
    rf"(?<![\w\\])(?P<name>\\?[^\W\d_]+?)(?P<index>{_INDEX})\s?=\s?\$?(?P<value>{_VALUE})(?![\w.,]*\d|\s?[-+−*/^(]|\w)"
)
_THINGS = (
    r"(?:solution|root|zero|eigenvalue|value|answer|number|zéro|racine|valeur|Lösung|Nullstelle|Eigenwert"
    r"|solución|raíz|raíc|valor)(?:en|es|[sen])?"
)
_SAYS_WHAT = as_pattern(
    r"\W*(?:(?:so|thus|hence|therefore|and),?\s)?(?:(?:these|those|they|both|das|dies|ce|ceux-ci|estas|estos)\s"
    r"(?:are|make|give|sind|sont|son)\s(?:all\s(?:of\s)?|both\s(?:of\s)?|exactly\s|indeed\s)?"
    rf"(?:(?:the|our|its|all|both|two|three|four|only|required|desired|real|integer|die|alle|zwei|les|deux|toutes|las|los|dos)\s)*{_THINGS}"
    r"(?:\s(?:of|de[rls]?|du|von)\s[^.;,?!]{1,40}|\sof\s\S+)?|we\sare\sdone)[\s.!*$]*",
    re.I,
)
"""A sentence that names no value: `These are the two solutions.`"""
_STATISTICS = {
    "\\mu": r"mean|average|expected\svalue|expectation",
    "\\sigma": r"standard\sdeviation|s\.?d\.?",
    "\\lambda": r"rate(?:\sparameter)?|eigenvalue",
    "\\rho": r"correlation(?:\scoefficient)?|density",
}
_OF_GREEK = as_pattern(r"(\\[a-z]+)\s?=")
"""Of a gold answer, the names of its values: `\\mu = 10, \\sigma = 3`."""
_SENTENCE_END = as_pattern(r"(?<=[。！])\s*|(?<=[\w)$*%][.!])\s+(?=[A-Z*])|\n+")


class Labelled(NamedTuple):
    """The values of an answer and what each is of."""

    labels: tuple[str, ...]
    values: tuple[Fraction | str, ...]


@lru_cache(maxsize=4096)
def labelled(gold: str) -> Labelled | None:
    """Return the labels and values of a gold answer that is two or more of them, else None.

    A value is a number, or a point or interval; not all labels are unknowns, `x = 1, y = 2`.

    >>> labelled("12 dogs and 7 cats").labels, labelled("6 feet 2 inches"), labelled("x = 1")
    (('dog', 'cat'), None, None)
    """
    pieces = _JOINED.split(_plain(gold).strip(" ."))
    if not 2 <= len(pieces) <= 6:
        return None
    named, values = [], []
    for piece in pieces:
        if found := _NAME_FIRST.fullmatch(piece):
            label, value = found[1], found[2]
        elif found := _NUMBER_FIRST.fullmatch(piece):
            label, value = found[2], found[1]
        else:
            return None
        named.append(label.split())
        values.append(_value(value))
    labels = _apart([words[-1] for words in named]) or _apart([words[0] for words in named])
    alone = [words[0] for words in named if len(words) == 1]
    if not labels or any(known_unit(word) for word in alone if word[1:]):
        return None
    if len(alone) == len(named) and all(len(word) == 1 for word in alone):
        return None
    return Labelled(labels, tuple(values))


def _apart(words: list[str]) -> tuple[str, ...]:
    """Return what tells words from each other, or nothing where two are alike."""
    labels = tuple(map(_word, words))
    return labels if len({*labels}) == len(labels) else ()


def gives(gold: Labelled, text: str) -> bool:
    """Return whether a sentence gives each label its value, and names no other number.

    >>> gives(labelled("12 dogs and 7 cats"), "So there are 7 cats and 12 dogs.")
    True
    >>> gives(labelled("12 dogs and 7 cats"), "There are 12 cats and 7 dogs.")
    False
    """
    if len(text) > _MAX_CHARS or _UNSURE.search(text):
        return False
    marks: list[tuple[bool, str | Fraction]] = []
    for mark in _MARK.finditer(_plain(text)):
        if mark[1] or mark[0][0] in "([" or _EXACT_VALUE.fullmatch(mark[0]):
            marks.append((True, _value(mark[0])))
        elif (word := _word(mark[0])) in gold.labels:
            if marks and not marks[-1][0]:
                marks.pop()  # `its maximum at x = 3, where the maximum is 9`
            marks.append((False, word))
    if len(marks) != 2 * len(gold.labels):
        return False
    kinds, said = zip(*marks, strict=True)
    if kinds != (kinds[0], not kinds[0]) * len(gold.labels):
        return False
    labels, values = said[kinds[0] :: 2], said[not kinds[0] :: 2]
    return {*zip(labels, values, strict=True)} == {*zip(gold.labels, gold.values, strict=True)}


def values_in(text: str, count: int) -> str | None:
    """Return the values of a sentence that names so many and no more, with their units.

    >>> values_in("The sides are 6 cm, 8 cm and 10 cm.", 3), values_in("5 of the 12 m", 2)
    ('6\\\\text{ cm}, 8\\\\text{ cm}, 10\\\\text{ cm}', None)
    """
    if len(text) > _MAX_CHARS or _NOT_LISTED.search(text):
        return None
    text = _in_digits(with_points(_plain(text)))
    found = list(_MEASURED.finditer(text))
    if not found or not claims_at(text, found[0].start(1), found[-1].end(1)):
        return None
    if len(found) != count or _OPERATION.search(_MEASURED.sub("#", text)):
        return None
    units = [value[2] if value[2] and known_unit(value[2]) else "" for value in found]
    return ", ".join(
        f"{value[1]}\\text{{ {unit}}}" if unit else value[1]
        for value, unit in zip(found, units, strict=True)
    )


def _plain(text: str) -> str:
    return " ".join(filter(None, _STYLE.sub(r"\1", text).split(" ")))


def _in_digits(text: str) -> str:
    """Return a text with its small numbers in digits: `plus and minus one` is `1 and -1`."""
    text = _BOTH.sub(r"\1 and negative \1", text)
    return _IN_WORDS.sub(_digits, text)


def _digits(found: re.Match[str]) -> str:
    value = NUMBER_WORDS[found["word"].lower()] if found["word"] else found["digits"]
    return f"{'-' if found['sign'] else ''}{value}"


def _word(word: str) -> str:
    """Return the letters that tell a word, the same for words that name the same."""
    if len(word) == 1:
        return word  # `A` is no article
    word = word.lower()
    same = next((words[0] for words in _SAME_WORDS if word in words), word)
    return same[:_LONGEST].rstrip("s")


def _value(text: str) -> Fraction | str:
    if text[0] in "([" or _EXACT_VALUE.fullmatch(text):
        return _ROOT.sub(r"\\sqrt{\1}", unify(text)).replace("dfrac", "frac").replace(" ", "")
    return Fraction(text.replace("−", "-")) if not text.endswith("/0") else Fraction(0)


def before_remark(text: str) -> str:
    """Return a text without a last sentence that says what the values before it are.

    >>> before_remark("They are 2 and 5. These are both solutions.")
    'They are 2 and 5.'
    """
    *before, last = _SENTENCE_END.split(text.strip())
    remark = before and _SAYS_WHAT.fullmatch(last) and not LEFT_OPEN.search(before[-1])
    return text.strip()[: -len(last)].rstrip() if remark else text


def numbered_in(sentence: str, count: int) -> str | None:
    """Return so many values that a sentence numbers, whatever else it names; else None.

    >>> numbered_in("Of (x - 2)(x - 5) the roots are x₁ = 2 and x₂ = 5.", 2)
    '2, 5'
    >>> numbered_in("If x₁ = 2 and x₂ = 5, we are done.", 2)
    """
    found = list(_NUMBERED.finditer(with_points(sentence)))
    if len(found) != count or LEFT_OPEN.search(sentence):
        return None
    if len({one["name"] for one in found}) > 1 or len({one["index"] for one in found}) < count:
        return None
    if not claims_at(sentence, found[0].start(), found[-1].end()):
        return None
    return ", ".join(one["value"] for one in found)


def statistics_in(gold: str, sentence: str) -> str | None:
    """Return the values that a sentence gives to the gold's names in words, and no others.

    >>> gold = "\\\\mu = 10, \\\\sigma = 3"
    >>> statistics_in(gold, "The mean is 10 and the standard deviation is 3.")
    '\\\\mu = 10, \\\\sigma = 3'
    """
    names = _OF_GREEK.findall(gold)
    if len(names) < 2 or len(sentence) > _MAX_CHARS or _UNSURE.search(sentence):
        return None
    values = []
    for name in names:
        said = re.findall(
            rf"\b(?:{_STATISTICS.get(name, '(?!)')})\s(?:\S{{1,9}}\s)?(?:is|equals|=|of)\s"
            rf"\$?({_VALUE})(?![\w.,]*\d)",
            _plain(sentence),
            re.I,
        )
        if len(said) != 1:
            return None
        values.append(f"{name} = {said[0]}")
    return ", ".join(values) if len(_MEASURED.findall(sentence)) == len(names) else None
