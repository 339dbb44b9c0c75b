"""Formulas of chemistry that a sentence names: `the precipitate is CaCO3`, `2H₂ + O₂ → 2H₂O`."""

from __future__ import annotations

import re

from rewardkit.verifiers.extraction.prose.doubts import is_hedged
from rewardkit.verifiers.parsing.forms.compounds import is_reaction, is_substance, plain_formula
from rewardkit.verifiers.vocabulary.alternatives import BECAUSE, SO
from rewardkit.verifiers.vocabulary.at_first_use import as_pattern
from rewardkit.verifiers.vocabulary.patterns import last_of

_LEADS = as_pattern(
    r".*(?:\b(?:is|are|was|be|due|called|named|formula|compounds?|acid|base|salt|gas|precipitate|ions?"
    r"|est|ist|es|è|é|formel|formule|fórmula|molecule|cation|anion|product|hydrate|oxide|form[s]?|produces?|gives?|yields?|releases?"
    r"|obtain|get)\b|[=:])(?P<between>[^\d.;:=]{0,40}?)\Z",
    re.I,
)
_AWAY = as_pattern(
    r"\b(?:of|from|with|when|if|not|than|in|by|and|or|like|nicht|pas|n't|neither|never|an?\s\w+\s(?:in|of))\b"
)
"""What makes a formula behind the verb another thing than it names."""
_CONCLUDES = as_pattern(rf"[,;]\s(?:and\s)?(?:{SO})\b")
"""What a formula follows from stands before it."""
_CLOSES = as_pattern(
    r"\W*(?:(?:ions?|gas|precipitate|molecules?|crystals)\b)?\s?(?:\([^()]*\))?[\s.!*$)]*"
    rf"(?:\Z|[,;]|\b(?:{BECAUSE}|which|and|for|with|after|when|in)\b)"
)
_WORD = as_pattern(r"\S+")
_PLAIN_WORD = as_pattern(r"(?<![\\\w{])[a-z]{2,}(?![\w}])[:,]?|[:;]")
_ARROW = as_pattern(r"->|→|⟶|\\(?:long)?rightarrow|\\to(?![a-z])")
_DRESS = "*$.,;:!\"'"


def formula_in(sentence: str) -> str | None:
    """Return the one formula or reaction that a sentence names, in `\\ce`; else None.

    >>> formula_in("So the ion is Na⁺."), formula_in("It is calcium carbonate, CaCO3.")
    ('\\\\ce{Na⁺}', '\\\\ce{CaCO3}')
    >>> formula_in("It is made from CaCO3."), formula_in("It is not H2O but H2O2.")
    (None, None)
    >>> formula_in("The empirical formula is CH2, hence the molecular formula is C4H8.")
    '\\\\ce{C4H8}'
    """
    if is_hedged(sentence):
        return None
    if arrow := _ARROW.search(sentence):
        return _reaction(sentence, arrow)
    named: dict[str, tuple[str, int]] = {}
    for word in _WORD.finditer(sentence):
        said = _bare(word[0])
        if is_substance(said) and _is_named(sentence, *word.span()):
            named[plain_formula(said)] = said, word.start()
    if len(named) > 1 and (concluded := last_of(_CONCLUDES.finditer(sentence))):
        named = {key: one for key, one in named.items() if one[1] > concluded.start()}
    return f"\\ce{{{named.popitem()[1][0]}}}" if len(named) == 1 else None


def _bare(word: str) -> str:
    """Return a word without the marks and brackets around it that do not pair within it."""
    word = (
        word.strip(_DRESS).removeprefix("\\(").removesuffix("\\)").removeprefix("(").strip(_DRESS)
    )
    return word[:-1] if word.endswith(")") and word.count(")") > word.count("(") else word


def _is_named(sentence: str, start: int, end: int) -> bool:
    lead = _LEADS.match(sentence[:start])
    if lead is None or _AWAY.search(lead["between"]):
        return False
    return sentence[start:end].endswith((",", ".")) or _CLOSES.match(sentence, end) is not None


def _reaction(sentence: str, arrow: re.Match[str]) -> str | None:
    """Return the equation of a reaction around its arrow, between the words beside it."""
    before = [word.end() for word in _PLAIN_WORD.finditer(sentence, 0, arrow.start())]
    after = _PLAIN_WORD.search(sentence, arrow.end())
    said = sentence[max(before, default=0) : after.start() if after else len(sentence)]
    said = said.strip(f" ,{_DRESS}[]()")
    return f"\\ce{{{said}}}" if is_reaction(said) else None
