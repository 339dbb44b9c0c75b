"""Notations and what they are respelled to, as tables: a sign, a pattern, what replaces it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from rewardkit.verifiers.vocabulary.commands import TEXT_COMMAND

Replacement = str | Callable[[re.Match[str]], str]


class Rule(NamedTuple):
    """A notation and the one it is respelled to, tried where `sign` is in the text.

    A pattern begins with what it holds rather than looks back, or it would be tried at every place.
    """

    sign: str
    pattern: re.Pattern[str]
    plain: Replacement
    styled: bool
    """Whether it begins with a text command."""


def table(*rows: tuple[str, str, Replacement]) -> tuple[Rule, ...]:
    """Return rules of signs, patterns and what replaces these."""
    return tuple(
        Rule(sign, re.compile(pattern), plain, pattern.startswith(TEXT_COMMAND))
        for sign, pattern, plain in rows
    )


_STYLED = re.compile(TEXT_COMMAND)


def apply(rules: tuple[Rule, ...], text: str) -> str:
    """Return a text respelled by each rule in turn."""
    held = "\\" in text and _STYLED.search(text) is not None
    for sign, pattern, plain, styled in rules:
        if (held or not styled) and sign in text and pattern.search(text):
            text = pattern.sub(plain, text)
            held = _STYLED.search(text) is not None
    return text


def holds_one(rules: tuple[Rule, ...], text: str) -> bool:
    """Return whether any rule would respell something of a text."""
    return any(sign in text and pattern.search(text) for sign, pattern, _, _ in rules)
