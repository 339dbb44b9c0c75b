"""How settings become flags of the command line; tyro derives the rest from their types."""

from __future__ import annotations

from typing import Annotated, TypeVar

from tyro.conf import arg

T = TypeVar("T")

Unset = Annotated[T | None, arg(help_behavior_hint="")]
"""A flag that may be left out, where its help says what happens then: no `(default: None)`."""
