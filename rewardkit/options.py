"""What pieces are called with: options by their names and types, and numbers that are finite."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rewardkit.errors import ConfigError, DataError, nearest_hint

PLAIN: Mapping[Any, tuple[tuple[type, ...], str]] = {
    "str": ((str,), "text"),
    "int": ((int,), "a whole number"),
    "float": ((int, float), "a number"),
    "Number": ((int, float), "a number"),
    "bool": ((bool,), "true or false"),
}
"""Annotation -> what may be given there, and how that is called. Others are not looked at."""


def option_names(function: Callable[..., object]) -> list[str]:
    """Return the names of a function's options, in its order."""
    return [p.name for p in _options(function)]


def check_options(what: str, function: Callable[..., object], given: Mapping[str, object]) -> None:
    """Raise unless a function can be called with these options; `what` names it in the message.

    Raises:
        ConfigError: an option is unknown or of another type, or one without a default is missing.

    >>> def tis(*, cap, low=0.0): ...
    >>> check_options("correction tis", tis, {"capp": 2.0})
    Traceback (most recent call last):
    ...
    rewardkit.errors.ConfigError: correction tis has no option 'capp'; did you mean cap? Known: ...
    """
    known = option_names(function)
    for name in given:
        if name not in known:
            raise ConfigError(f"{what} has no option {name!r}{nearest_hint(name, known)}")
    for option in _options(function):
        if option.default is option.empty and option.name not in given:
            raise ConfigError(f"{what} needs its option `{option.name}`; all: {', '.join(known)}")
    check_kinds(what, function, given)


def check_kinds(what: str, function: Callable[..., object], given: Mapping[str, object]) -> None:
    """Refuse text where a function says that it takes a number, and the like.

    Found later, deep inside, it would be a TypeError out of nowhere.

    Raises:
        ConfigError: a value is of another type than its parameter; names both.

    >>> def sums(terms: int = 4): ...
    >>> check_kinds("task sums", sums, {"terms": "x"})
    Traceback (most recent call last):
    ...
    rewardkit.errors.ConfigError: task sums: terms must be a whole number, found 'x'
    """
    for name, parameter in inspect.signature(function).parameters.items():
        hint = parameter.annotation
        # Texts mostly (`from __future__ import annotations`), and evaluated some could not be.
        words = (hint if isinstance(hint, str) else getattr(hint, "__name__", "")).split(" | ")
        if name not in given or words[0] not in PLAIN or words[1:] not in ([], ["None"]):
            continue
        value, (kinds, called) = given[name], PLAIN[words[0]]
        fits = isinstance(value, kinds) and (isinstance(value, bool) == (bool in kinds))
        if not fits and not (value is None and words[1:]):
            raise ConfigError(f"{what}: {name} must be {called}, found {value!r}")


def _options(function: Callable[..., object]) -> list[inspect.Parameter]:
    parameters = inspect.signature(function).parameters.values()
    return [p for p in parameters if p.kind is p.KEYWORD_ONLY]


def check_own(
    what: str, found: Any, shapes: Sequence[tuple[int, ...]], counted: Any = None
) -> None:
    """Refuse what a piece of a user's own returned, unless it is a finite tensor of such a shape.

    Raises:
        ConfigError: it is no tensor, or of another shape; says which it may be.
        DataError: a number that is `counted`, or any, is not finite; names its row.

    >>> import torch
    >>> check_own("advantage mine:f", torch.ones(3), [(2,), (2, 5)])
    Traceback (most recent call last):
    rewardkit.errors.ConfigError: advantage mine:f returned a tensor of shape (3,), expected ...
    """
    shape = tuple(getattr(found, "shape", ()))
    if not hasattr(found, "isfinite") or shape not in shapes:
        is_ = f"a tensor of shape {shape}" if hasattr(found, "isfinite") else repr(found)
        said = " or ".join(map(str, shapes))
        raise ConfigError(f"{what} returned {is_:.120}, expected a tensor of shape {said}")
    same = counted is not None and shape == tuple(counted.shape)
    check_finite(found.detach(), counted if same else None, what)


def check_finite(values: Any, counted: Any = None, what: str = "rewards") -> None:
    """Refuse NaN and infinity in a tensor: one alone would reach every row it is averaged with.

    Raises:
        DataError: a number that is `counted`, or any, is not finite; names its row.

    >>> import torch
    >>> check_finite(torch.tensor([1.0, torch.nan]))
    Traceback (most recent call last):
    rewardkit.errors.DataError: rewards: row 1 has nan, expected a finite number; mend what ...
    """
    fine = values.isfinite() if counted is None else values.isfinite() | ~counted
    # A tensor without storage has no numbers; one that only simulates says yes to what is asked.
    if not fine.is_meta and not fine.all():
        place = tuple((~fine).nonzero()[0].tolist())
        raise DataError(
            f"{what}: row {place[0]} has {values[place].item()}, expected a finite number; mend "
            "what gave it, or leave the row out of the batch"
        )
