"""Answer text -> tree."""

from __future__ import annotations

from functools import lru_cache

from rewardkit.verifiers.expressions.nodes import Node
from rewardkit.verifiers.expressions.trees import levels
from rewardkit.verifiers.limits import MAX_LEVELS, NotAnswer, TooComplex
from rewardkit.verifiers.parsing.forms.dates_and_bases import special_form
from rewardkit.verifiers.parsing.forms.frequent import frequent
from rewardkit.verifiers.parsing.forms.parts import parts_tuple
from rewardkit.verifiers.parsing.grammar.grammar import GRAMMAR
from rewardkit.verifiers.parsing.grammar.pratt import Parser
from rewardkit.verifiers.parsing.grammar.statements import answer
from rewardkit.verifiers.parsing.grammar.texts import is_sentence
from rewardkit.verifiers.parsing.spelling.surroundings import (
    french_intervals,
    trim,
    with_escaped_sets,
)
from rewardkit.verifiers.parsing.tokens.lexer import tokenize

Reading = Node | str
"""What an answer was parsed into; a str is an answer that is words rather than mathematics."""


@lru_cache(maxsize=4096)
def reading(text: str) -> Reading:
    """Return an answer parsed, or as words when it is no mathematics.

    >>> reading("x"), reading("an ellipse")
    (Sym(name='x'), 'an ellipse')

    Raises:
        TooComplex: it is beyond the static limits.
    """
    try:
        return parse(text)
    except NotAnswer:
        return text


def parse(text: str) -> Node:
    """Return the tree of an answer.

    >>> parse(r"\\frac12")
    Div(top=Num(value=Fraction(1, 1), literal='1'), bottom=Num(value=Fraction(2, 1), literal='2'))

    Raises:
        NotAnswer: the text is not mathematics that this parser knows.
        TooComplex: it is beyond the static limits.
    """
    if (known := frequent(text)) is not None:
        return known
    text = with_escaped_sets(french_intervals(trim(text)))
    found = parts_tuple(text, parse) or special_form(text)
    if found is not None:
        return found
    if is_sentence(text):
        raise NotAnswer("a sentence")
    try:
        tree = answer(Parser(tokenize(text), GRAMMAR))
    except NotAnswer:
        if "\\$" not in text:
            raise
        # A dollar sign where no amount can be: it was meant as a delimiter.
        text = text.replace("\\$", " ")
        tree = answer(Parser(tokenize(text), GRAMMAR))
    if levels(tree) > MAX_LEVELS:
        raise TooComplex(f"a tree of more than {MAX_LEVELS} levels")
    return tree
