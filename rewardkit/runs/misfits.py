"""Whether what a file holds has the types that it should: files may come from anybody."""

from __future__ import annotations

import types
from collections.abc import Mapping
from enum import Enum
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints, is_typeddict

LARGEST = 2**63
"""Whole numbers from here on fit no column of a table."""


def misfit(value: Any, kind: Any) -> str:
    """Return what in a value of JSON is of another type, and where; empty where all fits.

    Null fits everywhere, since older files lack fields; a field that a table's type does not name
    is not looked at.

    >>> misfit({"a": [1, "2"]}, dict[str, list[int]]), misfit([1.5, None], list[float])
    (".a.1 is '2', expected int", '')
    """
    origin = get_origin(kind)
    if value is None or kind in (Any, object):
        return ""
    if origin in (Union, types.UnionType):
        found = [misfit(value, one) for one in get_args(kind)]
        return "" if "" in found else found[0]
    if is_typeddict(kind):
        return _first(value, _fields(kind)) if isinstance(value, dict) else _said(value, kind)
    if origin is dict or origin is Mapping:
        if not isinstance(value, dict):
            return _said(value, kind)
        return _first(value, dict.fromkeys(value, get_args(kind)[1]))
    if origin in (list, tuple):
        if not isinstance(value, list | tuple):
            return _said(value, kind)
        items, inner = dict(enumerate(value)), get_args(kind)
        whole = origin is list or inner[1:] == (...,)
        if not whole and len(inner) != len(items):
            return _said(value, kind)
        return _first(items, dict.fromkeys(items, inner[0]) if whole else dict(enumerate(inner)))
    return "" if _fits(value, kind) else _said(value, kind)


def _fits(value: Any, kind: Any) -> bool:
    if issubclass(kind, Enum):
        return isinstance(value, str) and value in [one.value for one in kind]
    if kind is float:
        return type(value) is float or (type(value) is int and abs(value) < LARGEST)
    return type(value) is kind and (kind is not int or abs(value) < LARGEST)


def _first(values: Mapping[Any, Any], kinds: Mapping[Any, Any]) -> str:
    """Return the first misfit of a table, behind its name."""
    for name, kind in kinds.items():
        if found := misfit(values.get(name), kind):
            return f".{name}{'' if found.startswith('.') else ' '}{found}"
    return ""


@cache
def _fields(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def _said(value: Any, kind: Any) -> str:
    return f"is {repr(value)[:40]}, expected {getattr(kind, '__name__', kind)}"
