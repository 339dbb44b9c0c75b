"""Two answers as text -> result: what is read of them, and in which order it is compared."""

from __future__ import annotations

import re
from functools import lru_cache

from rewardkit.verifiers.comparison.compare import compare
from rewardkit.verifiers.comparison.number_sets.progressions import spoken_set
from rewardkit.verifiers.comparison.relations.chains import settled
from rewardkit.verifiers.comparison.result import Result, decided, different, equal
from rewardkit.verifiers.comparison.written.chemistry import formula_and_name, formulas
from rewardkit.verifiers.comparison.written.choices import NO_OPTION, option
from rewardkit.verifiers.comparison.written.commas import as_decimals, as_lakhs, as_lists
from rewardkit.verifiers.comparison.written.functions import with_function_written
from rewardkit.verifiers.comparison.written.unevaluated import is_unevaluated
from rewardkit.verifiers.comparison.written.wording import said_alike
from rewardkit.verifiers.comparison.written.words import (
    is_proper_name,
    items,
    number_class,
    words,
    written_alike,
)
from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.nodes import Node
from rewardkit.verifiers.expressions.quantities import measured
from rewardkit.verifiers.expressions.trees import contains
from rewardkit.verifiers.options import MathOptions
from rewardkit.verifiers.parsing.parser import Reading, reading
from rewardkit.verifiers.vocabulary.numbers import RANGE
from rewardkit.verifiers.vocabulary.patterns import alternatives
from rewardkit.verifiers.vocabulary.phrases import NEGATIONS

_INTEGER = re.compile(r"[-+]?[0-9]{1,4000}+")
_SETS = (nodes.SetOf, nodes.SetBuilder)
_SAYS = re.compile(r"=|\b(?:is|are)\b")
_IN_CODE = re.compile(r"[\w)]\*{1,2}[\w(]")
_CODE_LOG = re.compile(r"\\?\blog\s?\(")
"""In a programming language, the natural logarithm."""
_JOINS = re.compile(r"\b(?:and|or)\b|[,&/]")
_UNIT_APART = re.compile(r"\d [NJWVCFTAKHLmgs](?:\W|\Z)")
"""What measures a gold answer, `12 V`: a product of variables has no gap."""
_DENIES = re.compile(
    rf"\b(?:no|or|{alternatives(NEGATIONS)})\b|n't\b|\d\S*(?:,|\sand)\s[^,=]*(?:=|\b(?:is|are)\b)"
    r"|\b(?:at|when|where|for|if)\s[a-zA-Z]\s?="
)
"""What makes more of a gold answer than its last side: `maximum 9 at x = 3`."""


def compare_texts(
    gold_text: str, text: str, options: MathOptions, *, sympy: bool = False
) -> Result:
    """Return whether two answers are equal: as integers, options, texts, then by what they mean.

    Raises:
        TooComplex: one is beyond the limits.
        NeedsSympy: only unbounded work can decide, and `sympy` does not allow it.
    """
    if (result := compare_integers(gold_text, text)) is not None:
        return result
    both = gold_text + text
    styled = "\\" in both or "_" in both or not both.isascii()
    if styled and (result := formulas(gold_text, text)) is not None:
        return result
    result = _compare_options(gold_text, text, options, sympy)
    if result is not None:
        return result
    gold = gold_reading(gold_text)
    if written_alike(gold_text, text):
        return equal("exact", "both are written alike")
    if options.text != "never" and is_proper_name(gold_text) and gold_text.lower() == text.lower():
        return equal("text", "the same name")
    result = _compare_readings(gold, reading(text), gold_text, text, options, sympy)
    if not result.equal and "log(" in both and "*" in both and _IN_CODE.search(gold_text):
        mine, theirs = (_CODE_LOG.sub(r"\\ln(", side) for side in (gold_text, text))
        result = _compare_readings(reading(mine), reading(theirs), mine, theirs, options, sympy)
    if not result.equal and ("(" in text or "," in text) and (both_said := formula_and_name(text)):
        each = (compare_texts(gold_text, one, options, sympy=sympy) for one in both_said)
        return next((one for one in each if one.equal), result)
    if "," not in both:
        return result
    for again in (as_lists, as_decimals, as_lakhs):
        if not result.equal and (other := again(gold_text, text)) is not None:
            second = _compare_readings(*other, gold_text, text, options, sympy)
            result = second if second.equal else result
    return result


def compare_integers(gold_text: str, text: str) -> Result | None:
    """Return whether two integers are equal, or None where either text is none."""
    given = as_integer(text)
    if given is None or (wanted := as_integer(gold_text)) is None:
        return None
    return decided(given == wanted, "exact", "the same integer", "other integer")


def _compare_options(gold_text: str, text: str, options: MathOptions, sympy: bool) -> Result | None:
    """Compare `(B) 24` with `B`, and with the 24 that it says; None when no option decides."""
    gold = option(gold_text)
    pred = option(text, gold or NO_OPTION)
    if gold and pred:
        if gold[0] != pred[0]:
            return different("choice", "other option")
        both = gold[1] and pred[1]
        if both and not compare_texts(gold[1], pred[1], options, sympy=sympy).equal:
            return different("choice", "the same option with another text")
        return equal("choice", "the same option")
    said = (gold or pred or ("", ""))[1]
    if not said:
        return None
    sides = (said, text) if gold else (gold_text, said)
    result = compare_texts(*sides, options, sympy=sympy)
    return result if result.equal else None


def _compare_readings(
    gold: Reading, pred: Reading, gold_text: str, text: str, options: MathOptions, sympy: bool
) -> Result:
    if isinstance(gold, Node) and isinstance(pred, Node):
        result = compare(gold, pred, options, sympy=sympy)
        exact = result.equal and result.method not in ("exact", "rounded", "tolerance")
        if exact and options.unevaluated == "reject" and is_unevaluated(gold, pred, settled(pred)):
            return different("policy", "a calculation that is left to be done")
        return result
    if isinstance(gold, Node) != isinstance(pred, Node) and not _may_be_words(gold, pred):
        if (sets := _spoken_sets(gold, pred)) is not None:
            return compare(*sets, options, sympy=sympy)
        if isinstance(gold, Node) and (named := with_function_written(pred, gold)) is not None:
            return compare(gold, named, options, sympy=sympy)
        in_words = isinstance(gold, str) and options.text != "never"
        if in_words and said_alike(gold_text, text):
            return equal("text", "the same in other words")
        return different("kind", "one side is mathematics, the other is not")
    if options.text == "never":
        return different("text", "answers in words are not compared")
    mine, theirs = words(gold_text), words(text)
    numbers = number_class(mine)
    letter = len(mine) == 1 and len(mine[0]) == 1
    if letter and bool(_JOINS.search(gold_text)) != bool(_JOINS.search(text)):
        return different("text", "one letter is not several")  # `A and B`, whose A is no article
    if (mine and mine == theirs) or (numbers and numbers == number_class(theirs)):
        return equal("text", "the same words")
    if not options.ordered_lists and (listed := items(gold_text)) and listed == items(text):
        return equal("text", "the same words in another order")
    if said_alike(gold_text, text):
        return equal("text", "the same in other words")
    return different("text", "the words differ")


def _spoken_sets(gold: Reading, pred: Reading) -> tuple[Node, Node] | None:
    """Return two answers one of which names in words a set that the other one writes."""
    if not isinstance(gold, _SETS) and not isinstance(pred, _SETS):
        return None
    sides = [spoken_set(side) if isinstance(side, str) else side for side in (gold, pred)]
    return (sides[0], sides[1]) if sides[0] and sides[1] else None


def _may_be_words(gold: Reading, pred: Reading) -> bool:
    """Return whether the parsed side is just letters, so that both may be words."""
    parsed = gold if isinstance(gold, Node) else pred
    others = (nodes.Num, nodes.Div, nodes.Pow, nodes.Relation, nodes.Call)
    return isinstance(parsed, Node) and not contains(parsed, *others)


def as_integer(text: str) -> int | None:
    """Return the integer that a text is as it stands, or None."""
    return int(text) if _INTEGER.fullmatch(text) else None


@lru_cache(maxsize=4096)
def gold_reading(text: str) -> Reading:
    """Return a gold answer parsed; of a chain or sentence that does not parse, its last side.

    Raises:
        TooComplex: it is beyond the static limits.
    """
    ends = RANGE.fullmatch(text)
    if ends and (ends[3] or " " not in text) and float(ends[1]) < float(ends[2]):
        return reading(f"from {ends[1]} to {ends[2]}{ends[3] or ''}")
    whole = reading(text)
    if isinstance(whole, nodes.Mul | nodes.Div) and _UNIT_APART.search(text):
        value, unit = measured(whole)
        return nodes.Quantity(value, unit) if unit else whole
    sides = _SAYS.split(whole) if isinstance(whole, str) and not _DENIES.search(whole) else []
    if len(sides) > 1 and all(side.strip() for side in sides):
        last = reading(sides[-1])
        return last if isinstance(last, Node) else whole
    return whole
