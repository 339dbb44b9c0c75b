"""What words do in an answer: they name a value, measure it, or say for which values it holds."""

from __future__ import annotations

import re
from itertools import pairwise

from rewardkit.verifiers.lexer import CONNECTIVES, Token
from rewardkit.verifiers.limits import NotAnswer
from rewardkit.verifiers.nodes import Node, node, number
from rewardkit.verifiers.stream import _Grammar
from rewardkit.verifiers.units import LETTER_UNITS, MULTIPLES, OPERATIONS, unit_of

HEDGES = frozenset((
    "not", "no", "maybe", "perhaps", "possibly", "probably", "either", "neither", "nor", "any",
    "some", "about", "almost", "unless", "except", "but", "wrong", "incorrect", "unknown",
    "other", "another", "else", "all", "every", "anything", "if", "isn", "cannot", "never",
    "least", "most", "more", "less", "than", "or",
))  # fmt: skip
CURRENCIES = {
    "\\$": "dollars", "euro": "euros", "texteuro": "euros", "pounds": "pounds", "yen": "yen",
    "rupees": "rupees",
}  # fmt: skip
_INTRODUCE = frozenset(("is", "are", "both", "point", "value"))
"""Words that end a phrase before an answer: `\\text{the roots are } 1, 3`."""
_DECLARE = frozenset(("in", ",", "le", "ge", "<", ">"))
"""What follows a name whose domain is said."""
_VALUES = frozenset((
    "num", "add", "mul", "div", "pow", "neg", "pm", "sym", "const", "percent", "degree", "fact",
    "abs", "call", "ratio", "big", "list",
))  # fmt: skip


class _Wording(_Grammar):
    """Read words before and after a value."""

    def label(self) -> Node | None:
        """Read words that name what follows: `Maximum = 2`, `Minimum: 1`, `only x = 0`."""
        start = self.at
        words: list[str] = []
        while (run := self.words()) is not None:
            words += run
        if words and self.token.text in ("=", ":") and not HEDGES & set(words):
            self.take()
            return node("sym", "label:" + " ".join(words))
        if words and words[-1] == "of" and self.token.kind == "name":
            self.take()  # `the value of x is 7`
            words = self.words() or []
        if words in (["only"], ["answer"], ["the", "answer", "is"], ["about"], ["exactly"]):
            return None
        if words and words[-1] in _INTRODUCE and not HEDGES & set(words):
            return None
        self.at = start
        return None

    def qualifier(self) -> None:
        """Skip `for all x in R`, `where k is an integer` after a statement."""
        start = self.at
        words: list[str] = []
        while len(words) < 2 and (run := self.words()) is not None:
            words += run
        if words[:1] == ["where"] or (
            words[:1] == ["for"]
            and words[1:2] in (["all"], ["every"], ["any"], ["integer"], ["integers"])
        ):
            while self.token.kind != "end" and not self.next_is(",", ";", "and", "or"):
                self.take()
        else:
            self.at = start

    def declaration_follows(self) -> bool:
        """Go past the word of `for k in Z`, which separates the declaration from the value."""
        start = self.at
        introduced = self.words() in (["for"], ["where"], ["with"], ["for", "any"], ["for", "all"])
        if introduced and self.token.kind == "name" and self.ahead().text in _DECLARE:
            return True
        self.at = start
        return False

    def words(self) -> list[str] | None:
        """Read one run of words, plain or in a text command; None when there is none here."""
        if self.token.kind == "word" and self.token.text not in CONNECTIVES:
            return [self.take().text.lower()]
        if self.token.kind == "textcmd":
            start = self.at
            inner = self.raw_group()
            if all(t.kind in ("word", "name") or t.text in ".-'" for t in inner):
                found = letters_joined(inner)
                if found and not (len(found) == 1 and len(found[0]) == 1):
                    return found
            self.at = start
        return None

    def units(self, value: Node) -> Node:
        """Read a unit or a counted noun after a value."""
        start = self.at
        if self.next_is("pmod"):
            self.take()
            return self.quantity(value, f"mod{self.group().args[-1]}")
        if self.next_is(*CURRENCIES):
            return self.quantity(value, CURRENCIES[self.take().text])
        name = self.unit_name()
        words = name.split()
        if not words:
            self.at = start
            return value
        if words[0] in ("for", "where", "when", "with", "is", "to") or HEDGES & set(words):
            self.at = start
            return value
        if words[0] in ("squared", "cubed") and len(words) == 1 and value.kind == "num":
            return node("pow", value, number(2 if words[0] == "squared" else 3))
        if words[0] in OPERATIONS:
            raise NotAnswer(f"{words[0]} after a number")
        if words[0] in MULTIPLES and value.kind in _VALUES:
            value, words = node("mul", value, number(MULTIPLES[words[0]])), words[1:]
        return self.quantity(value, " ".join(words)) if words else value

    def unit_name(self) -> str:
        """Read words, plain or in text commands, with their powers, `per` for a slash."""
        parts: list[str] = []
        while True:
            if self.token.kind == "word" and self.token.text not in CONNECTIVES:
                parts.append(self.take().text.lower())
            elif self.token.kind == "textcmd":
                start = self.at
                name = _unit_in_text(self.raw_group())
                if not name:
                    self.at = start
                    break
                parts.append(name)
            elif not parts:
                break
            elif self.next_is("^") and (power := self.unit_power()):
                parts[-1] += f"^{power}"
            elif self.next_is("/", "*") and self.ahead().kind in ("word", "textcmd", "name"):
                parts += ["per"] if self.take().text == "/" else []
                if self.token.kind == "name":
                    parts.append(self.take().text.lower())
            else:
                break
        return " ".join(parts)

    def unit_power(self) -> int | None:
        """Read `^2` or `^{-1}` after a unit, or nothing when it is no such power."""
        texts = [self.ahead(k).text for k in range(1, 5)]
        braced = texts[0] == "{"
        digits = "".join(texts[1:3] if texts[1] == "-" else texts[1:2]) if braced else texts[0]
        match = re.fullmatch(r"-?[1-4]", digits)
        if match is None or (braced and texts[len(digits) + 1] != "}"):
            return None
        self.at += 1 + len(digits) + 2 * braced
        return int(digits)

    def quantity(self, value: Node, name: str) -> Node:
        """Return a value with its unit; money may be per something: `\\$5 per hour`."""
        if name in ("percent", "per cent", "pct"):
            return node("percent", value)
        if value.kind == "quantity" and value.args[1].split()[0] == "per":
            return node("quantity", value.args[0], f"{name} {value.args[1]}")
        if (
            value.kind == "quantity"
            and unit_of(value.args[1]).dimensions == unit_of(name).dimensions
        ):
            return value  # `\\$5 dollars`
        if value.kind not in _VALUES:
            raise NotAnswer("words after something that is no value")
        if value.kind == "num" and name in ("th", "st", "nd", "rd"):
            return value
        return node("quantity", value, name)


def compound(parts: list[Node]) -> Node | None:
    """Return `2 hours 30 minutes` as one quantity; None when the parts are no such thing.

    They must measure the same, each in a smaller unit than the one before.
    """
    if not all(part.kind == "quantity" for part in parts):
        return None
    units = [unit_of(part.args[1]) for part in parts]
    if any(a.dimensions != b.dimensions or a.size <= b.size for a, b in pairwise(units)):
        return None
    if not units[0].dimensions:
        return None
    terms = [
        node("mul", part.args[0], number(unit.size / units[0].size))
        for part, unit in zip(parts, units, strict=True)
    ]
    return node("quantity", node("add", *terms), parts[0].args[1])


def _unit_in_text(inner: list[Token]) -> str:
    """Return the unit in a text command's braces, or nothing when it holds anything else."""
    text = ""
    for k, token in enumerate(inner):
        if token.kind in ("word", "name"):
            if token.text in CONNECTIVES:
                return ""
            joined = k and inner[k - 1].kind in ("word", "name") and not token.gap
            text += token.text.lower() if joined or not text else f" {token.text.lower()}"
        elif token.text == "/":
            text += " per"
        elif token.text == "^":
            text += "^"
        elif token.text == "-" and text.endswith("^"):
            text += "-"
        elif token.kind == "num" and text.endswith(("^", "^-")):
            text += token.text
        elif token.text not in ("{", "}", ".", "'", "*", "-"):
            return ""
    letter = len(text) == 1 and text not in LETTER_UNITS
    return "" if letter or text.endswith(("^", "-")) else text.strip()


def letters_joined(tokens: list[Token]) -> list[str]:
    """Put the letters of short words back together: `a`, `n` without a gap are the word an."""
    words: list[str] = []
    for token in tokens:
        if token.kind not in ("word", "name"):
            words.append("")
        elif words and words[-1] and not token.gap:
            words[-1] += token.text.lower()
        else:
            words.append(token.text.lower())
    return [word for word in words if word]
