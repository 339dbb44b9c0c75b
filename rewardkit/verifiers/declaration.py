"""Where a verifier says that the answer stands, and the same verifier under another declaration."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

from rewardkit.errors import ConfigError
from rewardkit.types import VerifierLike
from rewardkit.verifiers.options import checked

FIELD = "answer_in"


def answer_in_of(verifier: VerifierLike) -> tuple[str, ...]:
    """Return where a verifier, or one that it is made of, reads the answer; empty for anywhere.

    >>> from rewardkit.verifiers import IntegerVerifier, First, TextVerifier
    >>> answer_in_of(First((IntegerVerifier(answer_in="box"), TextVerifier())))
    ('box',)
    """
    return next((place for place in _places(verifier) if place), ())


def reads_answers(verifier: VerifierLike) -> bool:
    """Return whether it can be said where a verifier reads the answer.

    >>> reads_answers(lambda response, answer: True)
    False
    """
    return bool(_places(verifier))


def with_answer_in(
    verifier: VerifierLike, answer_in: str | tuple[str, ...] | list[str], key: str = FIELD
) -> VerifierLike:
    """Return a verifier that reads the answer where `answer_in` says; empty for anywhere.

    What is made of verifiers is made of those anew.

    Args:
        verifier: any.
        answer_in: as in `MathVerifier`.
        key: what the place was given by, for the message.

    Raises:
        ConfigError: no such place, or the verifier decides by itself where it reads.

    >>> from rewardkit.verifiers import MathVerifier
    >>> with_answer_in(MathVerifier(), "box").answer_in
    ('box',)
    """
    places = checked(answer_in)
    if not reads_answers(verifier):
        name = getattr(verifier, "__name__", type(verifier).__name__)
        raise ConfigError(
            f"{key} says where the answer is read, and the verifier {name} decides that by itself; "
            f"leave {key} out, or name another verifier"
        )
    changed: VerifierLike = _changed(verifier, places)
    return changed


def _places(held: Any) -> list[tuple[str, ...]]:
    if isinstance(held, tuple):
        return [place for one in held for place in _places(one)]
    if not is_dataclass(held) or isinstance(held, type):
        return []
    if hasattr(held, FIELD):
        return [checked(getattr(held, FIELD))]
    return [place for one in fields(held) for place in _places(getattr(held, one.name))]


def _changed(held: Any, answer_in: tuple[str, ...]) -> Any:
    if isinstance(held, tuple):
        return tuple(_changed(one, answer_in) for one in held)
    if not _places(held):
        return held
    if hasattr(held, FIELD):
        return replace(held, **{FIELD: answer_in})
    inner = {one.name: _changed(getattr(held, one.name), answer_in) for one in fields(held)}
    return replace(held, **inner)
