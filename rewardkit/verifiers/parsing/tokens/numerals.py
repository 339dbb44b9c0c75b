"""Numbers as they are written: decimals, mixed and repeating ones, and those of other bases."""

from __future__ import annotations

from fractions import Fraction

from rewardkit.verifiers.expressions.nodes import Based, Call, Node, Num, number
from rewardkit.verifiers.limits import MAX_DIGITS, NotAnswer, TooComplex
from rewardkit.verifiers.parsing.tokens.lexer import Token
from rewardkit.verifiers.parsing.tokens.stream import TokenStream
from rewardkit.verifiers.vocabulary.numbers import NUMBER_WORDS, SCALES


def number_in_words(words: list[str]) -> int | None:
    """Return the whole number that words say, or None when they say anything else.

    >>> number_in_words("one thousand two hundred forty two".split())
    1242
    """
    total = group = 0
    room = 10**3  # what is said next must be smaller
    for word in words:
        if word in NUMBER_WORDS and NUMBER_WORDS[word] < room:
            group += NUMBER_WORDS[word]
            room = 10 if NUMBER_WORDS[word] >= 20 else 0
        elif word == "hundred" and 0 < group < 100 and group % 10:
            group, room = group * 100, 100
        elif word in SCALES and group:
            total, group, room = total + group * SCALES[word], 0, 10**3
        elif word != "and" or not total + group:
            return None
    return total + group if words else None


def numeral(stream: TokenStream, token: Token) -> Node:
    """Read a number, with its base or with what repeats in it.

    Raises:
        TooComplex: it has too many digits.
    """
    text = token.text
    mantissa, _, exponent = text.lower().partition("e")
    if len(mantissa) > MAX_DIGITS or len(exponent) > 5:
        raise TooComplex(f"a number of {len(text)} characters")
    if text.isdigit():
        if stream.next_is("_") and (base := _base(stream)):
            return based_number(text, base)
        return Num(Fraction(int(text)), text)
    value = Fraction(mantissa)
    if exponent:
        value *= Fraction(10) ** int(exponent)
    if "." in text and stream.accept("overline", "bar", "dot"):
        period = stream.digits()
        if not period:
            raise NotAnswer("a repeating part that is no digits")
        return number(_repeating(mantissa, period))
    if "." in text and stream.accept("...", "..", "ldots"):
        return _continued(mantissa)
    return Num(value, text)


def based_number(digits: str, base: int) -> Node:
    """Return a number written in a base other than ten, as `based_number("0.0110", 2)` does."""
    whole, _, part = digits.upper().partition(".")
    part = part.rstrip("0")
    return Based((whole.lstrip("0") or "0") + (f".{part}" if part else ""), base)


def _base(stream: TokenStream) -> int:
    """Read `_2`, `_{(5)}` or `_{\\text{two}}` after a number; 0 when it says no base."""
    start = stream.at
    stream.take()
    stream.cut_number()
    inner = stream.braced()
    if len(inner) == 1 and inner[0].kind == "textcmd":
        inner = stream.braced()
    word = "".join(t.text for t in inner if t.kind != "textcmd" and t.text not in "{}()").lower()
    base = int(word) if word.isdecimal() and len(word) < 3 else NUMBER_WORDS.get(word, 0)
    if not 2 <= base <= 36:
        stream.at, base = start, 0
    return base


def _repeating(mantissa: str, period: str) -> Fraction:
    places = len(mantissa.partition(".")[2])
    return Fraction(mantissa + ("0" if mantissa.endswith(".") else "")) + Fraction(
        int(period), 10**places * (10 ** len(period) - 1)
    )


def _continued(mantissa: str) -> Node:
    """Return `0.1212...` as a fraction, and what shows no period as a number that goes on."""
    places = mantissa.partition(".")[2]
    for size in range(1, len(places) // 2 + 1):
        period = places[-size:]
        if places[-2 * size : -size] == period and (size > 1 or places[-3:] == period * 3):
            return number(_repeating(mantissa[: -2 * size], period))
    return Call("continued", (number(Fraction(mantissa), mantissa),))


def mixed_number(stream: TokenStream, whole: Node) -> Node:
    """Read `3 1/2` after the 3; other numbers side by side are no answer."""
    top, slash, bottom = (stream.ahead(k).text for k in range(3))
    if type(whole) is Num and slash == "/" and top.isdigit() and bottom.isdigit():
        part = Fraction(int(top), int(bottom) or 1)
        if whole.value.denominator == 1 and part < 1 and int(bottom):
            stream.at += 3
            return number(whole.value + part)
    raise NotAnswer("two numbers side by side")


def mixed_fraction(stream: TokenStream, whole: Num) -> Node | None:
    """Read `1\\frac{1}{2}` after the 1, when it is a mixed number rather than a product."""
    if whole.value.denominator != 1:
        return None
    start = stream.at
    stream.take()
    top, bottom = stream.digits(), stream.digits()
    if top and bottom and 0 < int(top) < int(bottom):
        return number(whole.value + Fraction(int(top), int(bottom)))
    stream.at = start
    return None
