"""Options and points, named by letters: `(B)`, `(B) 24`, `ACD`, the triangle `ABC`."""

from __future__ import annotations

import re
from functools import lru_cache

from rewardkit.verifiers.comparison.result import Context, Result, different, equal
from rewardkit.verifiers.expressions.nodes import ListOf, Mul, Node, SetOf, Sym
from rewardkit.verifiers.expressions.trees import children, factors
from rewardkit.verifiers.parsing.forms.parts import parts_of
from rewardkit.verifiers.vocabulary.commands import STYLED_TEXT
from rewardkit.verifiers.vocabulary.letters import OPTION_LETTER, OPTION_LETTERS

_LETTERED = re.compile(
    r"(?:(?:the\s+)?(?:correct\s+)?(?:option|choice|answer)\b(?:\s+is\b)?[:\s]*)?"
    rf"(?:\(({OPTION_LETTER})\)((?:[\s.:,~]|\\ )+\S.*|[\w\\$].*)?"
    rf"|({OPTION_LETTER})(?:[).]|\s?:)\s+(\S.*)|({OPTION_LETTER})\)?)",
    re.S | re.I,
)
UNSETTLED = re.compile(
    rf"(?<!\w)\({OPTION_LETTER}\)|(?:^|[\s,;/&])(?:or|and)?[\s,;/&]*\(?{OPTION_LETTER}[).:]"
    rf"|\A[\s}},;/&]*(?:or\b|and\s+\(?{OPTION_LETTER}\b)"
    r"|\A\W*(?:maybe|perhaps|[Nn]ot\s(?:sure|certain|correct|right))\b"
    r"|\A\s*(?:is|was)\s(?:not|wrong|incorrect|false|impossible|excluded)\b"
)
"""In what is said of an option: a second one, or that it is none: `(C) or A`, `C) is wrong`."""


@lru_cache(maxsize=4096)
def option(text: str) -> tuple[str, str] | None:
    """Return the option that `A`, `(A)` or `(A) 15` chooses and what is said of it, or None."""
    if len(text) > 300:
        return None
    if text.startswith("\\") and (styled := STYLED_TEXT.match(text)):
        inner = styled[1].lstrip()
        # `\\text{C} 14` names option C; `C 14` would be a product.
        inner = f"({inner[0]})" if len(inner.rstrip()) == 1 and styled[0] != text else inner
        text = (inner + text[styled.end() :]).rstrip()
    match = None if parts_of(text) else _LETTERED.fullmatch(text)
    letter = (match[1] or match[3] or match[5]) if match else None
    if match is None or letter is None or not letter.isupper():
        return None
    said = match[2] or match[4] or ""
    return None if UNSETTLED.search(said) else (letter, said.strip(" \\.:,~\n"))


def letters(gold: Node, pred: Node, _: Context) -> Result | None:
    """Compare letters: figures by their points in order, options in any order, one name each."""
    mine, theirs = factors(gold), factors(pred)
    if len(mine) == len(theirs) > 2 and all(map(_is_capital, (*mine, *theirs))):
        if mine != theirs:
            return different("exact", "the same letters say something else in another order")
        return equal("exact", "the same letters")
    if isinstance(gold, Mul) != isinstance(pred, Mul):
        chosen = chosen_letters(gold)
        if chosen and chosen == chosen_letters(pred):
            return equal("choice", "the same options")
    if isinstance(gold, Sym) and isinstance(pred, Sym):
        a, b = gold.name, pred.name
        if a.upper() == b.upper() and a in OPTION_LETTERS:
            return equal("choice", f"both choose {a}")
        return different("exact", f"{a} is not {b}")
    return None


def _is_capital(tree: Node) -> bool:
    return isinstance(tree, Sym) and tree.name.isupper()


def chosen_letters(tree: Node) -> frozenset[str] | None:
    """Return the options that `ACD` or `A, C, D` chooses, or None for anything else."""
    names = _names_in(tree)
    chosen = frozenset(names)
    if not 1 < len(chosen) == len(names) or not chosen <= set(OPTION_LETTERS):
        return None
    return chosen if not isinstance(tree, Mul) or names == sorted(names) else None


def _names_in(tree: Node) -> list[str]:
    """Return the names that stand beside each other, or none where anything else does."""
    if isinstance(tree, Sym):
        return [tree.name]
    if not isinstance(tree, (Mul, ListOf, SetOf)):
        return []
    found = [_names_in(part) for part in children(tree)]
    return [name for part in found for name in part] if all(found) else []
