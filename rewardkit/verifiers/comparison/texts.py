"""Two answers as text -> result: what is read of them, and in which order it is compared."""

from __future__ import annotations

import re

from rewardkit.verifiers.comparison.compare import compare
from rewardkit.verifiers.comparison.extra import extra_rules
from rewardkit.verifiers.comparison.relations.chains import settled
from rewardkit.verifiers.comparison.result import Result, decided, different, equal
from rewardkit.verifiers.comparison.written.choices import option
from rewardkit.verifiers.comparison.written.commas import with_points
from rewardkit.verifiers.comparison.written.unevaluated import is_unevaluated
from rewardkit.verifiers.comparison.written.words import items, said_alike, words, written_alike
from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.nodes import Node
from rewardkit.verifiers.expressions.trees import contains
from rewardkit.verifiers.options import MathOptions
from rewardkit.verifiers.parsing.parser import Reading, reading
from rewardkit.verifiers.parsing.spelling.surroundings import without_quotes

_INTEGER = re.compile(r"[-+]?[0-9]{1,4000}+")


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
    gold_text, text = without_quotes(gold_text), without_quotes(text)
    if options.extra:
        for rule in extra_rules(options.extra, "compare_texts"):
            if (result := rule(gold_text, text, options)) is not None:
                return result
    result = _compare_options(gold_text, text, options, sympy)
    if result is not None:
        return result
    if written_alike(gold_text, text):
        return equal("exact", "both are written alike")
    result = _compare_readings(reading(gold_text), reading(text), gold_text, text, options, sympy)
    if not result.equal and "," in gold_text + text and (sides := with_points(gold_text, text)):
        second = _compare_readings(*sides, gold_text, text, options, sympy)
        return second if second.equal else result
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
    small = text.strip("()")
    pred = option(text) or (option(small.upper()) if gold and len(small) == 1 else None)
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
        if result.equal or options.text == "never" or not _is_name(gold_text):
            return result
        return equal("text", "the same words") if words(gold_text) == words(text) else result
    if isinstance(gold, Node) and not _may_be_words(gold):
        return different("kind", "one side is mathematics, the other is not")
    if options.text == "never":
        return different("text", "answers in words are not compared")
    if isinstance(pred, Node) and not _may_be_words(pred):
        if said_alike(gold_text, text):
            return equal("text", "the same in other words")
        return different("kind", "one side is mathematics, the other is not")
    if "\\ce" in gold_text:
        return different("text", "formulas are compared as they are written")
    if (mine := words(gold_text)) and mine == words(text):
        return equal("text", "the same words")
    if not options.ordered_lists and (listed := items(gold_text)) and listed == items(text):
        return equal("text", "the same words in another order")
    if said_alike(gold_text, text):
        return equal("text", "the same in other words")
    return different("text", "the words differ")


def _is_name(text: str) -> bool:
    """Return whether a text is words, `Tom` or `the cat`, that letters of a product look like."""
    several = text.istitle() or any(len(word) > 2 for word in text.split()[1:])
    return len(text) > 2 and several and text.replace(" ", "").isalpha()


def _may_be_words(tree: Node) -> bool:
    """Return whether a parsed side is just letters, so that it may as well be words."""
    return not contains(tree, nodes.Num, nodes.Div, nodes.Pow, nodes.Relation, nodes.Call)


def as_integer(text: str) -> int | None:
    """Return the integer that a text is as it stands, or None."""
    return int(text) if _INTEGER.fullmatch(text) else None
