"""Rules that a task whose golds need them asks for by name: `MathOptions(extra=("families",))`.

families       families with a parameter, `x = k pi`, and remainders, `n = 2 (mod 9)`
progressions   endless sets and lists: `{3k : k in Z}`, `1, 3, 5, ...`
integer_sets   sets of whole numbers given by conditions
piecewise      functions by cases against `|x|`, `max(x, 0)`
logic          propositions by their truth tables, sets in letters by what they hold
chemistry      formulas, ions and reactions, however they are set
sets_in_words  `all multiples of 3`, `odd numbers`

A module has `compare_trees`, asked before the rules of `comparison/compare.py`, or `compare_texts`,
asked before anything is parsed; each decides or returns None. It is imported when it is asked for.
"""

from __future__ import annotations

import importlib
from functools import lru_cache
from typing import Any

from rewardkit.errors import ConfigError

NAMES = (
    "families", "progressions", "integer_sets", "piecewise", "logic", "chemistry", "sets_in_words",
)  # fmt: skip


def check_names(extra: tuple[str, ...]) -> None:
    """Refuse a name that no extra rules have.

    Raises:
        ConfigError: it lists those that there are.
    """
    for name in extra:
        if name not in (*NAMES, "all"):
            known = ", ".join((*NAMES, "all"))
            raise ConfigError(f"unknown extra rules {name!r}: choose among {known}")


@lru_cache
def rules(extra: tuple[str, ...], entry: str) -> tuple[Any, ...]:
    """Return the functions called `compare_trees` or `compare_texts` of the modules named."""
    chosen = [name for name in NAMES if name in extra or "all" in extra]
    modules = (importlib.import_module(f"{__name__}.{name}") for name in chosen)
    return tuple(getattr(module, entry) for module in modules if hasattr(module, entry))
