"""Words as values, and what stands in a text command."""

from __future__ import annotations

import re

from rewardkit.verifiers.expressions.nodes import Const, NamedSet, Neg, Node, Quantity, Sym, number
from rewardkit.verifiers.limits import MAX_ANSWER_CHARS, NotAnswer
from rewardkit.verifiers.parsing.grammar.names import function, subscripted
from rewardkit.verifiers.parsing.grammar.pratt import Parser
from rewardkit.verifiers.parsing.grammar.statements import answer
from rewardkit.verifiers.parsing.tokens.lexer import Token, split_letters
from rewardkit.verifiers.parsing.tokens.numerals import number_in_words
from rewardkit.verifiers.parsing.tokens.words import SAY_NOTHING, letters_joined
from rewardkit.verifiers.vocabulary import phrases
from rewardkit.verifiers.vocabulary.commands import PROSE_COMMANDS
from rewardkit.verifiers.vocabulary.names import FUNCTIONS
from rewardkit.verifiers.vocabulary.numbers import NUMBER_WORDS, PARTS, SCALES
from rewardkit.verifiers.vocabulary.units import UNITS

_INFINITE: dict[str, Node] = {"inf": Const("inf"), "-inf": Neg(Const("inf"))}
_WORDS_FOR = {
    phrase: _INFINITE.get(name) or NamedSet(name)
    for name, said in phrases.VALUES_IN_WORDS.items()
    for phrase in said
}
_OF_VALUES = frozenset(
    (*" ".join(_WORDS_FOR).split(), *NUMBER_WORDS, *SCALES, *UNITS, *PARTS, "hundred", "and")
)
"""Words that a value may be said with, or that may measure one."""
_OPENING = re.compile(
    r"[A-Za-z]+(?:\.?\s+[A-Za-z]++)*+(?=[\d,;'(!?\"]|\s(?:\\?\$)?[-\d(*]|\Z)", re.ASCII
)
"""The words that a text begins with, where no `=` follows that would make them a name."""
_NEXT_SENTENCE = re.compile(
    r"\.(?<=[a-z)\d]\.)\s+[A-Z][a-z]+,?\s[a-z]+\s|\n\s*[A-Z][a-z]+,?\s[a-z]+\s[a-z]", re.ASCII
)
"""Where one sentence ends and another begins."""


_PLAIN = re.compile(r"\s*(?!(?:parts?|question|from|between)\b)[A-Za-z]+[ ,']", re.I)
_MAX_SPECIAL, _MAX_DATE = 80, 30
"""A longer text is no number in a base and no time, and no date, which may begin as a sentence."""
_MAY_BE_SPECIAL = re.compile(r"[:_]|0[xXoObB]|[bB][aA][sS][eE]")


def is_plain_sentence(text: str) -> bool:
    """Return whether a text is a long sentence in which no mark-up can be anything else.

    >>> is_plain_sentence("Janet makes 18 dollars"), is_plain_sentence("Janet makes 18 " + "!" * 80)
    (False, True)
    """
    if "\\" in text or "{" in text or not text.isascii():
        return False
    plain = len(text) > _MAX_SPECIAL or (
        len(text) > _MAX_DATE
        and len(" ".join(text.split())) > _MAX_DATE
        and not _MAY_BE_SPECIAL.search(text)
    )
    return plain and _PLAIN.match(text) is not None and is_sentence(text.strip())


def is_sentence(text: str) -> bool:
    """Return whether a text is two sentences, or opens with words that are and name no value.

    No reader takes such a text but as a product of the letters of `She has`, and it need not be
    cut into tokens to tell.

    >>> is_sentence("Janet makes 18 dollars"), is_sentence("Maximum = 2"), is_sentence("forty two")
    (True, False, False)
    """
    if len(text) > MAX_ANSWER_CHARS // 2:
        return False  # the limits speak first
    if _NEXT_SENTENCE.search(text):
        return True
    opening = _OPENING.match(text)
    if opening is None:
        return False
    words: list[str] = []
    runs = opening[0].replace(".", " ").split()
    if len(runs) > 1 and not phrases.SENTENCE_WORDS.isdisjoint(map(str.lower, runs)):
        return True
    for run in runs:
        [token, *rest] = split_letters(run, False)
        if token.kind == "cmd":
            return False  # `sec` can be a unit yet
        if rest or token.kind != "word" or token.text in phrases.CONNECTIVES:
            break
        words.append(run.lower())
    if not any(len(word) > 3 and word not in _OF_VALUES for word in words):
        return False
    return words[-1] not in phrases.INTRODUCTIONS and words[-1] != "of" and words not in SAY_NOTHING


_THING = re.compile(r"(?:an?|the)((?:[\s-]+[a-z]{2,}){1,3})\.?", re.I | re.ASCII)


def is_thing(text: str) -> bool:
    """Return whether a text is an article and what it stands before, and names no value.

    A reader takes it for so many right triangles as an unknown `a` says.

    >>> is_thing("a right triangle"), is_thing("a million"), is_thing("a third")
    (True, False, False)
    """
    thing = _THING.fullmatch(text)
    words = thing[1].lower().replace("-", " ").split() if thing else ()
    return any(len(word) > 3 and word not in _OF_VALUES for word in words)


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
    tree = answer(inside)
    if type(tree) is Sym and parser.next_is("_"):
        return subscripted(parser, tree.name)
    return tree


def _said_in_text(inner: list[Token]) -> Node | None:
    said = [Token("word", "infinity", t.gap) if t.text == "infty" else t for t in inner]
    if all(token.kind in ("word", "name") or token.text == "-" for token in said):
        return _value_of(letters_joined(said))
    return None
