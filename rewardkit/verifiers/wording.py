"""What words do in an answer: they name a value, measure it, or say for which values it holds."""

from __future__ import annotations

import re

from rewardkit.verifiers.lexer import CONNECTIVES, Token
from rewardkit.verifiers.limits import NotAnswer
from rewardkit.verifiers.nodes import Node, node
from rewardkit.verifiers.stream import _Grammar
from rewardkit.verifiers.units import UNITS

HEDGES = frozenset((
    "not", "no", "maybe", "perhaps", "possibly", "probably", "either", "neither", "nor", "any",
    "some", "about", "almost", "unless", "except", "but", "wrong", "incorrect", "unknown",
    "other", "another", "else", "all", "every", "anything", "if", "isn", "cannot", "never",
    "least", "most", "more", "less", "than",
))  # fmt: skip
_UNIT = re.compile(r"([a-zA-Z]+)\.?(?:\^?\{?([23])\}?)?(?:/([a-zA-Z]+))?")
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
        if words in (["only"], ["answer"], ["the", "answer", "is"], ["about"]):
            return None
        self.at = start
        return None

    def qualifier(self) -> None:
        """Skip `for all x in R`, `where k is an integer` after a statement."""
        start = self.at
        words = self.words() or []
        if words[:2] in (["for", "all"], ["for", "every"], ["for", "any"]) or words[:1] == [
            "where"
        ]:
            while self.token.kind != "end" and not self.next_is(",", ";", "and", "or"):
                self.take()
        else:
            self.at = start

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
        words: list[str] = []
        while (run := self.words()) is not None:
            words += run
        if not words and self.token.kind == "textcmd":
            inner = "".join(t.text for t in self.raw_group())
            match = _UNIT.fullmatch(inner)
            if match is None or match[1].lower() not in UNITS:
                self.at = start
                return value
            words = [match[1].lower()]
            if match[3]:
                words += ["per", match[3].lower()]
            if match[2]:
                return self.quantity(value, words, int(match[2]))
        if not words:
            return value
        if words[0] in ("for", "where", "when", "with", "is") or HEDGES & set(words):
            self.at = start
            return value
        power = 1
        if words[0] in ("square", "sq", "cubic"):
            power = 3 if words[0] == "cubic" else 2
            words = words[1:] or ["units"]
        elif words[-1] in ("squared", "cubed") and len(words) > 1:
            power = 3 if words[-1] == "cubed" else 2
            words = words[:-1]
        if self.next_is("^") and self.ahead().text in ("2", "3"):
            self.take()
            power = int(self.take().text)
        elif self.next_is("^") and self.ahead().text == "{" and self.ahead(2).text in ("2", "3"):
            power = int(self.ahead(2).text)
            self.at += 4
        if self.accept("/"):
            below = self.words()
            if below is None:
                below = (
                    [t.text for t in self.raw_group()]
                    if self.token.kind == "textcmd"
                    else [self.take().text]
                )
            words = [*words, "per", *below]
        return self.quantity(value, words, power)

    def quantity(self, value: Node, words: list[str], power: int) -> Node:
        if value.kind not in _VALUES:
            raise NotAnswer("words after something that is no value")
        name = " ".join(words)
        if value.kind == "num" and name in ("th", "st", "nd", "rd"):
            return value
        return node("quantity", value, name, power)


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
