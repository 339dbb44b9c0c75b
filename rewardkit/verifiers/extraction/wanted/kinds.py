"""Of what kind a gold answer is: parts, a date, a list, words; most golds are of none of them."""

from __future__ import annotations

import re
from functools import lru_cache

from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.trees import contains, symbols
from rewardkit.verifiers.extraction.prose.spoken import OPPOSITES
from rewardkit.verifiers.extraction.wanted.assigned import assigned
from rewardkit.verifiers.extraction.wanted.classes import numbers_of
from rewardkit.verifiers.extraction.wanted.hypotheses import decides
from rewardkit.verifiers.extraction.wanted.labelled import labelled
from rewardkit.verifiers.extraction.wanted.lists import listed
from rewardkit.verifiers.extraction.wanted.logic.quantified import quantified
from rewardkit.verifiers.extraction.wanted.logic.statements import is_statement, necessity
from rewardkit.verifiers.extraction.wanted.logic.symbols import of_symbols
from rewardkit.verifiers.extraction.wanted.options import is_option
from rewardkit.verifiers.extraction.wanted.related import related
from rewardkit.verifiers.extraction.wanted.written import is_phrase
from rewardkit.verifiers.limits import TooComplex
from rewardkit.verifiers.parsing.forms.bounds import bound
from rewardkit.verifiers.parsing.forms.compounds import is_compound, is_reaction
from rewardkit.verifiers.parsing.forms.dates_and_bases import WITH_REMAINDER
from rewardkit.verifiers.parsing.forms.parts import parts_of
from rewardkit.verifiers.parsing.parser import reading
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.commands import STYLED_TEXT
from rewardkit.verifiers.vocabulary.numbers import RANGE

VALUE = r"[-−]?\d+(?:\.\d+|/\d+)?"
"""A number in digits, a decimal or a fraction."""
_WORDS = as_pattern(
    r"(?:an?\s|the\s)?((?:[^\W\d_]{3,}|(?-i:[A-Z][a-z]))(?:[ '’-][^\W\d_]+){0,3})", re.I
)
"""A gold answer that is a few words."""
_WINS = as_pattern(
    r"\s(?:has\s(?:an?|the)\swinning\sstrategy|(?:always\s)?wins|can\s(?:always\s)?(?:win|force\sa\swin))"
    r"(?:\sthe\sgame)?[.!]?\Z"
)
"""What is said of a winner, whose name is all that is asked for."""
_ISO_DATE = as_pattern(r"\d{4}-\d\d-\d\d")
_SET_SIGN = as_pattern(
    r"[=|<>≤≥≠∞∪ℝ∅(\[]|\\(?:[lg]eq?|neq?|infty|cup|mathbb|R\b|emptyset|varnothing)|\\\{"
)
_TIME = as_pattern(
    r"\d{1,2}(?::\d\d(?:\s?[ap]\.?m\.?)?|\s?[ap]\.?m\.?)|(?:12(?::00)?\s)?(?:noon|midnight)", re.I
)
_YEAR = as_pattern(r"1[89]\d\d|20\d\d")
_PLAIN_NUMBER = as_pattern(r"[-\d.,$%]+")
_RATIO = as_pattern(r"\d+(?:\s*:\s*\d[\d,]*)+")
_LISTED = rf"{VALUE}(?:\s?[a-zA-Z°%]{{1,3}})?"
_LIST = as_pattern(
    rf"(?:\\?[a-zA-Z]+\s?=\s?)?(?:\\\{{\s?)?{_LISTED}(?:(?:[,;]\s?|,?\s(?:and|or)\s){_LISTED}){{1,7}}(?:\s?\\\}})?"
)
"""A gold answer that is two or more numbers, with or without units, or a name: `x = 2, 5`."""
_IN_LETTERS = as_pattern(r"[-−+*/^·]|\\(?:[dt]?frac|sqrt|cdot|times)\b|\A\$?[a-z]{2}\$?\Z")
"""What joins letters to an expression."""
_FRACTION = as_pattern(r"\d+/\d+|\\[dt]?frac\{\d+\}\{\d+\}|0?\.\d+")


@lru_cache(maxsize=4096)
def plain_words(gold: str) -> str | None:
    """Return the few words that a gold answer is, without style and article; else None.

    >>> plain_words(r"\\text{Thursday}"), plain_words("an ellipse"), plain_words("2 dogs")
    ('Thursday', 'ellipse', None)
    """
    styled = STYLED_TEXT.fullmatch(gold)
    plain = (styled[1] if styled else gold).strip()
    words = _WORDS.fullmatch(_WINS.sub("", plain) if "win" in plain else plain)
    return words[1] if words else None


@lru_cache(maxsize=4096)
def kind_of(gold: str) -> str:
    """Return what a gold answer is that a response is read for, or nothing for other golds.

    >>> kind_of("March 5"), kind_of("(a) 1 (b) 2"), kind_of("2027"), kind_of("red"), kind_of("1/2")
    ('date', 'parts', 'year', 'words', 'fraction')
    """
    if _YEAR.fullmatch(gold):
        return "year"
    if _ISO_DATE.fullmatch(gold):
        return "date"
    if _FRACTION.fullmatch(gold):
        return "fraction"
    if RANGE.fullmatch(gold):
        return "range"
    if _PLAIN_NUMBER.fullmatch(gold):
        return ""
    if base_of(gold):
        return "base"
    if _RATIO.fullmatch(gold):
        return "ratio"
    if _TIME.fullmatch(gold):
        return "time"
    if is_option(gold):
        return "option"
    if of_symbols(gold):
        return "symbols"
    if kind := _kind_of_statement(gold):
        return kind
    if listed(gold):
        return "words listed"
    if (words := plain_words(gold)) is not None:
        return "" if words.lower() in OPPOSITES else "words"
    if parts_of(gold) is not None:
        return "parts"
    if gold.startswith("\\ce{") or is_compound(gold) or is_reaction(gold):
        return "formula"
    if "\\pmod" in gold or "(mod" in gold:
        return "remainder"
    if labelled(gold) is not None:
        return "labelled"
    if _LIST.fullmatch(gold) or WITH_REMAINDER.fullmatch(gold):
        return "list"
    letters = any(c.isalpha() for c in gold)
    digits = any(c.isdigit() for c in gold)
    if not (letters and (digits or _IN_LETTERS.search(gold))) and not _SET_SIGN.search(gold):
        return ""
    try:
        tree = reading(gold)
    except TooComplex:
        return ""
    if isinstance(tree, str):
        return "bound" if bound(gold) else "phrase" if digits and is_phrase(gold) else ""
    if isinstance(tree, nodes.Date | nodes.Matrix):
        return "date" if isinstance(tree, nodes.Date) else "matrix"
    if isinstance(tree, nodes.Either) and all(map(_is_line, tree.items)):
        return "remainder"
    if isinstance(tree, nodes.ListOf | nodes.Either) and all(map(_is_assigned, tree.items)):
        distinct = len(symbols(tree)) == len(tree.items)
        return "named" if distinct and isinstance(tree, nodes.ListOf) else "list"
    return "set" if _is_set(tree) else "written" if _is_written(tree) else ""


def _kind_of_statement(gold: str) -> str:
    """Return of which kind a gold answer is that says something as a sentence does, or nothing."""
    if quantified(gold):
        return "quantified"
    if is_statement(gold):
        return "statement"
    if numbers_of(gold):
        return "numbers"
    if assigned(gold):
        return "assigned"
    if decides(gold):
        return "decision"
    if related(gold):
        return "related"
    return "necessity" if necessity(gold) else ""


def base_of(gold: str) -> int:
    """Return the base that a gold answer is written in, or 0."""
    if "_" not in gold and gold[:1] != "0":
        return 0
    tree = reading(gold)
    return tree.base if isinstance(tree, nodes.Based) else 0


def _is_set(tree: nodes.Node) -> bool:
    """Return whether a gold answer is an interval, a union or an inequality."""
    match tree:
        case nodes.Relation(operators):
            return bool({"<", ">", "<=", ">=", "!=", "in"}.intersection(operators))
        case nodes.Bracketed(_, _, items):
            return len(items) > 1
        case nodes.Union() | nodes.Difference() | nodes.SetBuilder():
            return True
        case nodes.NamedSet(name):
            return name in ("R", "Z", "N", "Q", "C", "empty")
        case nodes.Either(items):
            return not (all(map(_is_line, items)) or all(map(_is_function, items)))
        case nodes.ListOf(items):
            return all(isinstance(item, nodes.Relation) and _is_set(item) for item in items)
    return False


def _is_assigned(tree: nodes.Node) -> bool:
    match tree:
        case nodes.Relation(("=",), (nodes.Sym(), value)):
            return not symbols(value)
    return False


def _is_line(tree: nodes.Node) -> bool:
    """Return whether a tree is an equation for an unknown by a parameter, `n = 6m + 1`."""
    match tree:
        case nodes.Relation(("=",), (nodes.Sym(), value)):
            return len(symbols(value)) == 1
    return False


def _is_function(tree: nodes.Node) -> bool:
    match tree:
        case nodes.Relation(("=",), (nodes.Call(), _)):
            return True
    return False


def _is_written(tree: nodes.Node) -> bool:
    """Return whether a gold answer is an equation or expression of unknowns, not `x = 5`."""
    if _is_assigned(tree):
        return False
    match tree:
        case nodes.Relation(("=",)) | nodes.Expression() | nodes.ListOf() | nodes.Either():
            return bool(symbols(tree)) or contains(tree, nodes.Bracketed)
        case nodes.SetOf(items):
            deep = (contains(item, nodes.Bracketed, nodes.SetOf) for item in items)
            return bool(symbols(tree)) or any(deep)
    return False
