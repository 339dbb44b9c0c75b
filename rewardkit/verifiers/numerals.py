"""Numbers as they are written: decimals, mixed and repeating ones, and those of other bases."""

from __future__ import annotations

from fractions import Fraction

from rewardkit.verifiers.lexer import Token
from rewardkit.verifiers.limits import MAX_DIGITS, NotAnswer, TooComplex
from rewardkit.verifiers.nodes import Node, node, number
from rewardkit.verifiers.stream import _Grammar

NUMBER_WORDS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14,
    "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20,
}  # fmt: skip


_SMALL = {
    **NUMBER_WORDS, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70,
    "eighty": 80, "ninety": 90,
}  # fmt: skip
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9}


def number_in_words(words: list[str]) -> int | None:
    """Return the whole number that words say, or None when they say anything else.

    >>> number_in_words("one thousand two hundred forty two".split())
    1242
    """
    total = group = 0
    room = 10**3  # what is said next must be smaller
    for word in words:
        if word in _SMALL and _SMALL[word] < room:
            group += _SMALL[word]
            room = 10 if _SMALL[word] >= 20 else 0
        elif word == "hundred" and 0 < group < 10:
            group, room = group * 100, 100
        elif word in _SCALES and group:
            total, group, room = total + group * _SCALES[word], 0, 10**3
        elif word != "and" or not total + group:
            return None
    return total + group if words else None


class _Numerals(_Grammar):
    """Read one number."""

    def numeral(self, token: Token) -> Node:
        text = token.text
        mantissa, _, exponent = text.lower().partition("e")
        if len(mantissa) > MAX_DIGITS or len(exponent) > 5:
            raise TooComplex(f"a number of {len(text)} characters")
        if self.next_is("_") and text.isdigit():
            start = self.at
            self.take()
            below = self.base_in_words() or self.group()
            if below.kind == "num" and below.args[0].denominator == 1 and 2 <= below.args[0] <= 36:
                return based_number(text, int(below.args[0]))
            self.at = start
        value = Fraction(int(mantissa)) if mantissa.isdigit() else Fraction(mantissa)
        if exponent:
            value *= Fraction(10) ** int(exponent)
        if "." in text and self.next_is("overline", "bar", "dot"):
            return self.repeating(mantissa)
        if "." in text and self.next_is("...", "..", "ldots"):
            return self.continued(mantissa)
        return number(value, text)

    def base_in_words(self) -> Node | None:
        """Read `\\text{two}` after a number's subscript sign."""
        start = self.at
        braced = self.accept("{")
        if self.token.kind == "textcmd":
            word = "".join(t.text for t in self.raw_group())
        else:
            word = "".join(t.text for t in self.run_of_letters())
        base = NUMBER_WORDS.get(word.lower())
        if base is None or (braced and not self.accept("}")):
            self.at = start
            return None
        return number(base)

    def run_of_letters(self) -> list[Token]:
        """Take plain letters; short words come as one token a letter."""
        taken = []
        while self.token.kind in ("word", "name"):
            taken.append(self.take())
        return taken

    def repeating(self, mantissa: str) -> Node:
        self.take()
        inner = self.group()
        digits = inner.args[1] if inner.kind == "num" else ""
        if not digits.isdigit():
            raise NotAnswer("a repeating part that is no digits")
        return number(_repeating(mantissa, digits))

    def continued(self, mantissa: str) -> Node:
        self.take()
        places = mantissa.partition(".")[2]
        for size in range(1, len(places) // 2 + 1):
            period = places[-size:]
            if places[-2 * size : -size] == period and (size > 1 or places[-3:] == period * 3):
                return number(_repeating(mantissa[: -2 * size], period))
        return node("call", "continued", number(Fraction(mantissa), mantissa))

    def mixed(self, whole: Node) -> Node:
        """Read `3 1/2` after the 3."""
        top, slash, bottom = self.token, self.ahead(1), self.ahead(2)
        digits = top.text.isdigit() and bottom.text.isdigit()
        if whole.kind == "num" and slash.text == "/" and bottom.kind == "num" and digits:
            value, part = whole.args[0], Fraction(int(top.text), int(bottom.text) or 1)
            if value.denominator == 1 and part < 1 and int(bottom.text):
                self.at += 3
                return number(value + part)
        raise NotAnswer("two numbers side by side")

    def mixed_fraction(self, whole: Node) -> Node | None:
        """Read `1\\frac{1}{2}` after the 1, when it is a mixed number rather than a product."""
        if whole.kind != "num" or whole.args[0].denominator != 1 or not self.next_is("frac"):
            return None
        start = self.at
        part = self.primary()
        if part.kind == "div" and all(
            p.kind == "num" and p.args[0].denominator == 1 for p in part.args
        ):
            top, bottom = (p.args[0] for p in part.args)
            if 0 < top < bottom:
                return number(whole.args[0] + top / bottom)
        self.at = start
        return None


def based_number(digits: str, base: int) -> Node:
    """Return a number written in a base other than ten."""
    return node("based", digits.upper().lstrip("0") or "0", base)


def _repeating(mantissa: str, period: str) -> Fraction:
    places = len(mantissa.partition(".")[2])
    return Fraction(mantissa + ("0" if mantissa.endswith(".") else "")) + Fraction(
        int(period), 10**places * (10 ** len(period) - 1)
    )
