"""Words as values, and what stands in a text command."""

from __future__ import annotations

import re

from rewardkit.verifiers.expressions.nodes import Const, NamedSet, Neg, Node, Quantity, number
from rewardkit.verifiers.limits import NotAnswer
from rewardkit.verifiers.parsing.grammar.names import function
from rewardkit.verifiers.parsing.grammar.pratt import Parser
from rewardkit.verifiers.parsing.grammar.statements import answer
from rewardkit.verifiers.parsing.tokens.lexer import Token
from rewardkit.verifiers.parsing.tokens.numerals import number_in_words
from rewardkit.verifiers.parsing.tokens.words import letters_joined
from rewardkit.verifiers.vocabulary import phrases
from rewardkit.verifiers.vocabulary.commands import PROSE_COMMANDS
from rewardkit.verifiers.vocabulary.names import FUNCTIONS
from rewardkit.verifiers.vocabulary.numbers import PARTS
from rewardkit.verifiers.vocabulary.units import UNITS

_INFINITE: dict[str, Node] = {"inf": Const("inf"), "-inf": Neg(Const("inf"))}
_WORDS_FOR = {
    phrase: _INFINITE.get(name) or NamedSet(name)
    for name, said in phrases.VALUES_IN_WORDS.items()
    for phrase in said
}


_NEXT_SENTENCE = re.compile(r"(?<=[a-z)\d])\.\s+[A-Z][a-z]+,?\s[a-z]")


def is_sentence(text: str) -> bool:
    """Return whether a text has words of a sentence, which may look like products, or two of them.

    >>> is_sentence("She has 18"), is_sentence("60. The answer is"), is_sentence("forty two")
    (True, True, False)
    """
    words = text.split()
    if _NEXT_SENTENCE.search(text):
        return True
    return len(words) > 2 and not phrases.SENTENCE_WORDS.isdisjoint(map(str.lower, words))


def said(parser: Parser, token: Token) -> Node:
    """Read words that are a value: `infinity`, `no solution`, `forty two`.

    Raises:
        NotAnswer: they are any others.
    """
    words = [token.text.lower()]
    while parser.token.kind == "word":
        words.append(parser.take().text.lower())
    found = _value_of(words)
    if found is None and words[-1] in UNITS and (count := _value_of(words[:-1])) is not None:
        return Quantity(count, words[-1])  # `forty dollars`
    if found is None:
        raise NotAnswer(f"the word {token.text!r}")
    return found


def _value_of(words: list[str]) -> Node | None:
    if (found := _WORDS_FOR.get(" ".join(words))) is not None:
        return found
    value = number_in_words(words)
    if value is None and len(words) > 1 and (part := PARTS.get(words[-1])) is not None:
        count = number_in_words(words[:-1])  # `two thirds`
        return None if count is None else number(count * part)
    return None if value is None else number(value)


def in_text(parser: Parser, command: Token) -> Node:
    """Read what a text command holds: words, a function's name, or mathematics all the same."""
    inner = parser.braced()
    if len(inner) > 1:
        letters = all(token.kind == "name" and len(token.text) == 1 for token in inner)
        if letters and command.text in PROSE_COMMANDS:
            raise NotAnswer("a word")  # `\text{HHT}` is no product
        if (found := _said_in_text(inner)) is not None:
            return found
    if len(inner) == 1 and inner[0].kind == "word":
        return said(parser, inner[0])
    if len(inner) == 1 and inner[0].kind == "cmd" and inner[0].text in FUNCTIONS:
        return function(parser, inner[0])
    if not inner or (inner[0].kind != "num" and any(token.kind == "word" for token in inner)):
        raise NotAnswer("words")
    inside = Parser([*inner, Token("end", "")], parser.grammar, parser.depth + 1)
    return answer(inside)


def _said_in_text(inner: list[Token]) -> Node | None:
    said = [Token("word", "infinity", t.gap) if t.text == "infty" else t for t in inner]
    if all(token.kind in ("word", "name") or token.text == "-" for token in said):
        return _value_of(letters_joined(said))
    return None
