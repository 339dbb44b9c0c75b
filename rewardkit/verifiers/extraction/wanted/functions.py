"""Functions that a sentence names, by their equations or by name.

`The identity, f(x) = x, and f(x) = 0`, `f must be the identity function`.
"""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.prose.claims import claims_at

_FUNCTION = r"(?<![\w\\])([a-zA-Z])\s?\(([a-z])\)"
_EACH = re.compile(rf"{_FUNCTION}\s?=\s?(?P<value>(?:(?![a-zA-Z]\s?\([a-z]\)\s?=)[^=,;:])+)")
_ENDS = re.compile(
    r"[,;:$]?\s+(?:and|or|as\swell\sas|for|where|with|which|check|work|satisfy|are|do)\b.*|[$.!*]+\Z"
)
_NAMED = re.compile(
    r"\b(?:(zero)|identity)(?:\sfunction)?(?!\sfunction|[\s,(:$]*[a-zA-Z]\s?\([a-z]\))\b"
)
"""A function without its equation: `the zero function and ...`."""
_GOLD = re.compile(rf"{_FUNCTION}\s?=")
_DOUBTED = re.compile(
    r"\b(?:not|never|neither|no(?!\sother)|if|unless|maybe|perhaps|might|suppose|assume|try|check(?:ing)?\swhether"
    r"|fail\w*|reject\w*|wrong|except|instead|but|let|one\sof|either)\b|n['’]t\b|\?",
    re.I,
)
_MAX_CHARS = 400
_LAST_NAMED = re.compile(
    r"(?:\A\W*(?:only\s)?|\b(?:is|are|be)\s(?:only\s)?)"
    r"(?:(?:an?|the|all|any)\s)?(?:(?P<same>identity)\s(?:functions?|map)|constant(?:\sfunctions?)?)[\s.!$]*\Z",
    re.I,
)


def functions_in(gold: str, sentence: str) -> str | None:
    """Return the functions that a sentence names, where a gold answer is as many of them.

    >>> functions_in("g(x)=0, g(x)=x", "Two work: the identity, g(x) = x, and g(x) = 0.")
    'g(x) = x, g(x) = 0'
    >>> functions_in("g(x)=0, g(x)=x", "It is g(x) = x, not g(x) = 0.")
    """
    names = {*_GOLD.findall(gold)}
    if len(names) != 1 or (count := gold.count("=")) < 2:
        return None
    if len(sentence) > _MAX_CHARS or _DOUBTED.search(sentence):
        return None
    [(name, variable)] = names
    head = f"{name}({variable}) = "
    equations = [one for one in _EACH.finditer(sentence) if one.group(1, 2) == (name, variable)]
    named = [] if len(equations) == count else list(_NAMED.finditer(sentence))
    found = sorted((*equations, *named), key=lambda one: one.start())
    if len(found) != count or not claims_at(sentence, found[0].start(), found[-1].end()):
        return None
    values = [_ENDS.sub("", one["value"]) for one in equations]
    values += ["0" if one[1] else variable for one in named]
    return ", ".join(f"{head}{value.strip(' $')}" for value in values)


def function_in(sentence: str) -> str | None:
    """Return the functions that a sentence ends with, in words that all say in one way, else None.

    >>> function_in("So f must be constant."), function_in("Only the identity function works.")
    ('constant functions', None)
    >>> function_in("So f is not constant."), function_in("g is the identity map")
    (None, 'identity function')
    """
    named = _LAST_NAMED.search(sentence)
    if named is None or _DOUBTED.search(sentence):
        return None
    return "identity function" if named["same"] else "constant functions"
