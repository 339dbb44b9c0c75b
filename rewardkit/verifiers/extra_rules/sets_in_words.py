"""Sets of whole numbers that words name: `all multiples of 3`, `the odd numbers`."""

from __future__ import annotations

import dataclasses
import re

from rewardkit.verifiers.comparison.compare import compare
from rewardkit.verifiers.comparison.result import Result, equal
from rewardkit.verifiers.comparison.written.words import words
from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.expressions.nodes import Node, number
from rewardkit.verifiers.options import MathOptions
from rewardkit.verifiers.parsing.parser import reading
from rewardkit.verifiers.vocabulary.commands import STYLED_TEXT
from rewardkit.verifiers.vocabulary.wordings import BESIDE_CLASSES, NUMBER_CLASSES

_TEXT = re.compile(STYLED_TEXT.pattern + r"|[$]|\\[,;: ]")
_SAID = re.compile(
    r"(?:the\s)?(?:set\sof\s)?(?:all\s)?(?:of\s)?(?:the\s)?(?:(?P<sign>positive|negative)\s)?(?:"
    r"(?:(?:integer|whole)\s)?multiples?\sof\s(?P<step>\d+)"
    r"|(?P<parity>even|odd)\s(?:integers|numbers|whole\snumbers)"
    r"|(?:integers|whole\snumbers)\s(?:that\sare\s|which\sare\s)?divisible\sby\s(?P<by>\d+))\.?"
)


def compare_texts(gold_text: str, text: str, options: MathOptions) -> Result | None:
    """Compare a set in words with a written one, or two sets by the kinds that they name."""
    numbers = number_class(words(gold_text))
    if numbers and numbers == number_class(words(text)):
        return equal("text", "the same kinds of numbers")
    said = spoken_set(gold_text), spoken_set(text)
    if not any(said):
        return None
    gold, pred = (one or reading(side) for one, side in zip(said, (gold_text, text), strict=True))
    if not (isinstance(gold, Node) and isinstance(pred, Node)):
        return None
    return compare(gold, pred, dataclasses.replace(options, extra=("progressions",)))


def number_class(answer: list[str]) -> frozenset[str]:
    """Return which numbers the words of an answer name, or nothing where they say more.

    >>> sorted(number_class(words("all odd integers"))), number_class(words("odd or negative"))
    (['odd'], frozenset())
    """
    named = frozenset(word.removesuffix("s") for word in answer if word not in BESIDE_CLASSES)
    return named if named <= NUMBER_CLASSES else frozenset()


def spoken_set(text: str) -> Node | None:
    """Return the endless set that words name, `all multiples of 3`, or None.

    >>> spoken_set("the positive multiples of 3").condition.sides[1].name, spoken_set("multiples")
    ('Z>0', None)
    """
    said = _SAID.fullmatch(" ".join(_TEXT.sub(lambda m: m[1] or " ", text).lower().split()))
    if said is None:
        return None
    step = 2 if said["parity"] else int(said["step"] or said["by"])
    sign = said["sign"]
    parameter: Node = nodes.Sym("k")
    if sign == "negative":
        parameter = nodes.Neg(parameter)
    element: Node = nodes.Mul((number(step), parameter))
    if said["parity"] == "odd":
        element = nodes.Add((element, number(1 if sign == "negative" else -1)))
    domain = nodes.NamedSet("Z>0" if sign else "Z")
    return nodes.SetBuilder(element, nodes.Relation(("in",), (nodes.Sym("k"), domain)))
