"""One of verl's settings as data, and how Hydra writes it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

ACTOR = "actor_rollout_ref.actor"
ROLLOUT = "actor_rollout_ref.rollout"
MODEL = "actor_rollout_ref.model"


PLAIN = re.compile(r"[\w./@-][\w./@:-]*", re.ASCII)
"""Words that Hydra's grammar takes without quotes."""
MEANT_OTHERWISE = {"true", "false", "null", "nan", "inf", "-inf"}


@dataclass(frozen=True)
class Override:
    """A key of verl's configuration, its value, and the setting of rewardkit's it comes from."""

    field: str
    """What decided it: a setting such as `sampling.max_tokens`, or a word such as `run folder`."""
    key: str
    value: Any
    new: bool = False
    """Whether verl's own files lack the key, so that Hydra asks for a plus."""
    note: str = ""
    """What a reader should know: a difference that remains, or why it is set at all."""

    @property
    def text(self) -> str:
        """The override as Hydra reads it on a command line."""
        return f"{'+' if self.new else ''}{self.key}={hydra(self.value)}"


def hydra(value: Any) -> str:
    r"""Return a value in the grammar of Hydra's overrides.

    >>> hydra(1e-6), hydra(None), hydra([0.9, 0.95]), hydra({"a": "b c"})
    ('1e-06', 'null', '[0.9,0.95]', "{a:'b c'}")
    >>> hydra("it's")
    "'it\\'s'"
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{k}:{hydra(v)}" for k, v in value.items()) + "}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ",".join(hydra(v) for v in value) + "]"
    text = str(value)
    if PLAIN.fullmatch(text) and text.lower() not in MEANT_OTHERWISE and not _number(text):
        return text
    # Backslashes stand for themselves, but for those that precede a quote.
    quoted = re.sub(r"(\\*)'", lambda found: found[1] * 2 + r"\'", text)
    quoted = re.sub(r"(\\+)\Z", lambda found: found[1] * 2, quoted)
    return f"'{quoted}'"


def _number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
