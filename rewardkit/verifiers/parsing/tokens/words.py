"""Words around a value: what they call it, and for what they say that it holds."""

from __future__ import annotations

from rewardkit.verifiers.expressions.nodes import Sym
from rewardkit.verifiers.parsing.tokens.lexer import Token
from rewardkit.verifiers.parsing.tokens.stream import TokenStream
from rewardkit.verifiers.vocabulary.phrases import CONNECTIVES, HEDGES, INTRODUCTIONS

SAY_NOTHING = (["only"], ["answer"], ["the", "answer", "is"], ["about"], ["exactly"])
"""Words before a value that do not change it."""
_ALL = (["all"], ["every"], ["any"], ["integer"], ["integers"])
_DECLARING = (["for"], ["where"], ["with"], ["for", "any"], ["for", "all"])
_DECLARE = frozenset(("in", ",", "le", "ge", "<", ">"))
"""What follows a name whose domain is said."""


def words_next(stream: TokenStream) -> bool:
    """Return whether a word or a text command is next."""
    return stream.token.kind in ("word", "textcmd")


def words(stream: TokenStream) -> list[str]:
    """Read one run of words, plain or in a text command; empty when there is none here."""
    token = stream.token
    if token.kind == "word" and token.text not in CONNECTIVES:
        return [stream.take().text.lower()]
    if token.kind == "textcmd":
        start = stream.at
        stream.take()
        inner = stream.braced()
        if all(t.kind in ("word", "name") or t.text in ".-'" for t in inner):
            found = letters_joined(inner)
            if found and not (len(found) == 1 and len(found[0]) == 1):
                return found
        stream.at = start
    return []


def letters_joined(tokens: list[Token]) -> list[str]:
    """Put the letters of short words back together: `a`, `n` without a gap are the word an."""
    found: list[str] = []
    for token in tokens:
        if token.kind not in ("word", "name"):
            found.append("")
        elif found and found[-1] and not token.gap:
            found[-1] += token.text.lower()
        else:
            found.append(token.text.lower())
    return [word for word in found if word]


def label(stream: TokenStream) -> Sym | None:
    """Read words that name what follows: `Maximum = 2`, `Minimum: 1`, `only x = 0`."""
    if not words_next(stream):
        return None
    start = stream.at
    said: list[str] = []
    while run := words(stream):
        said += run
    hedged = not HEDGES.isdisjoint(said)
    if said and stream.next_is("=", ":") and not hedged:
        stream.tokens[stream.at] = Token("op", "=")  # `Minimum: 1` says `Minimum = 1`
        return Sym("label:" + " ".join(said))
    if said and said[-1] == "of" and stream.token.kind == "name":
        stream.take()  # `the value of x is 7`
        said = words(stream)
        hedged = not HEDGES.isdisjoint(said)
    if said not in SAY_NOTHING and (hedged or not said or said[-1] not in INTRODUCTIONS):
        stream.at = start
    return None


def skip_qualifier(stream: TokenStream) -> None:
    """Skip `for all x in R`, `where k is an integer` after a statement."""
    if not words_next(stream):
        return
    start = stream.at
    said: list[str] = []
    while len(said) < 2 and (run := words(stream)):
        said += run
    if said[:1] == ["where"] or (said[:1] == ["for"] and said[1:2] in _ALL):
        while stream.token.kind != "end" and not stream.next_is(",", ";", "and", "or"):
            stream.take()
    else:
        stream.at = start


def declaration_follows(stream: TokenStream) -> bool:
    """Go past the word of `for k in Z`, which separates the declaration from the value."""
    if not words_next(stream):
        return False
    start = stream.at
    introduced = words(stream) in _DECLARING
    if introduced and stream.token.kind == "name" and stream.ahead().text in _DECLARE:
        return True
    stream.at = start
    return False
