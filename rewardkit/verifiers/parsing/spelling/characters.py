"""One spelling for characters: what Unicode, HTML and broken escapes write in many ways."""

from __future__ import annotations

import re
import unicodedata

from rewardkit.verifiers.parsing.spelling.rules import apply, table
from rewardkit.verifiers.vocabulary.characters import (
    CHARACTERS,
    EATEN_ESCAPES,
    SUBSCRIPTS,
    SUPERSCRIPTS,
)

_ESCAPES = table(
    ("\t", r"\t(?=ext|imes|heta|an\b|au\b|frac)", r"\\t"),
    ("quad", r"\\(q?quad)(?=[a-zA-Z])", r"\\\1 "),
    ("<", r"<(su[pb])>(.*?)</\1>", lambda m: f"{'^' if m[1] == 'sup' else '_'}{{{m[2]}}}"),
)
_UNICODE = table(
    ("", "[⁰¹²³⁴-⁹⁺⁻ⁿⁱ]+", lambda m: f"^{{{m[0].translate(SUPERSCRIPTS)}}}"),
    ("", "[₀-₉₊₋ₙ]+", lambda m: f"_{{{m[0].translate(SUBSCRIPTS)}}}"),
    ("", "[¼-¾⅐-⅞]", lambda m: _fraction(m[0])),
)


def unify(text: str) -> str:
    """Return the text with one spelling for what Unicode, HTML and broken escapes write in many."""
    if text.isascii() and text.isprintable() and "\\" not in text and "<" not in text:
        return text
    text = apply(_ESCAPES, text.translate(EATEN_ESCAPES))
    if "\\\\" in text and "\\begin" not in text.replace("\\\\begin", ""):
        text = re.sub(r"(?<!\\)\\\\+(?=[a-zA-Z({[\])}!,;%$])", r"\\", text)
    if "\\\\begin" in text:
        text = text.replace("\\\\\\\\", "\x00").replace("\\\\", "\\").replace("\x00", "\\\\")
    return text if text.isascii() else "".join(map(_character, apply(_UNICODE, text)))


def _fraction(sign: str) -> str:
    top, _, bottom = unicodedata.normalize("NFKC", sign).partition("⁄")
    return f"\\frac{{{top}}}{{{bottom}}}" if bottom else sign


def _character(c: str) -> str:
    if c in CHARACTERS:
        return CHARACTERS[c]
    if c.isascii():
        return c
    category = unicodedata.category(c)
    if category == "Nd":
        return str(unicodedata.digit(c))
    if category in ("Cf", "Mn", "Mc") or c == "\ufeff":
        return ""
    if category == "Zs":
        return " "
    if 0x2460 <= ord(c) <= 0x2473 or 0xFF01 <= ord(c) <= 0xFF5E or 0x1D400 <= ord(c) <= 0x1D7FF:
        folded = unicodedata.normalize("NFKC", c)
        return f" {folded} ," if 0x2460 <= ord(c) <= 0x2473 else folded
    return c
