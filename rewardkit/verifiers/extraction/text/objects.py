"""A response that is one JSON object: its answer is what stands under the key that names it."""

from __future__ import annotations

import json
import re

_FENCED = re.compile(r"\s*```(?:json)?\s*(\{.*\})\s*```\s*", re.S | re.I)
_KEYS = ("final_answer", "finalanswer", "final answer", "answer", "result")
_FAILED = ("error", "status", "code")
_MAX_CHARS = 20_000
_LEAF = (str, int, float, bool)


def answer_in_object(text: str) -> str | None:
    """Return what an object names as its answer, "" for null; None where a text is no such object.

    >>> answer_in_object('{"steps": "3 * 4", "answer": 12, "confidence": 0.9}')
    '12'
    >>> answer_in_object('{"answer": null, "guess": 12}'), answer_in_object('{"total": 12}')
    ('', None)
    """
    text = text.strip()
    if len(text) > _MAX_CHARS or not text.startswith(("{", "```")):
        return None
    fenced = _FENCED.fullmatch(text)
    try:
        found = json.loads(fenced[1] if fenced else text, parse_float=str, parse_int=str)
    except (ValueError, RecursionError):
        return None
    named = {key.lower(): value for key, value in found.items()}
    failed = "" if any(map(named.__contains__, _FAILED)) else None
    return next((_plain(named[key]) for key in _KEYS if key in named), failed)


def _plain(value: object) -> str | None:
    """Return a value as it would be written outside of an object; None for another object."""
    if value is None:
        return ""
    if isinstance(value, dict) and "value" in value:
        bare = _plain(value["value"])
        return f"{bare} {value.get('unit') or ''}".strip() if bare else bare
    if isinstance(value, list) and all(isinstance(one, _LEAF) for one in value):
        return ", ".join(map(str, value))
    return str(value) if isinstance(value, _LEAF) else None
