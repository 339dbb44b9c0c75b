"""Extra rules that a task asks for by name, imported when they are asked for."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import lru_cache

from rewardkit.verifiers.comparison.result import Result
from rewardkit.verifiers.options import EXTRA_RULES


@lru_cache
def extra_rules(extra: tuple[str, ...], entry: str) -> tuple[Callable[..., Result | None], ...]:
    """Return the functions called `compare_trees` or `compare_texts` of the modules named."""
    chosen = [name for name in EXTRA_RULES if name in extra or "all" in extra]
    modules = (importlib.import_module(f"rewardkit.verifiers.extra_rules.{n}") for n in chosen)
    return tuple(getattr(module, entry) for module in modules if hasattr(module, entry))
