"""What a contest set is: where it comes from, how it is read, and what is known of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from rewardkit.data.rows import Row
from rewardkit.tasks import BOXED_PROMPT

AIME_PROMPT = f"{BOXED_PROMPT} The answer is an integer between 0 and 999 inclusive."


@dataclass(frozen=True)
class Contest:
    """Where one set comes from and how to read it."""

    name: str
    hub: str
    """Dataset id on the Hugging Face hub."""
    revision: str
    """The commit that is read, whatever the dataset becomes later; a branch where none is known."""
    split: str
    size: int | None
    """How many problems the set must hold, where that is known."""
    licence: str
    question: str = "problem"
    answer: str = "answer"
    identity: str | None = None
    """Column with the problem's name; the row number where there is none."""
    config: str | None = None
    integer: bool = False
    """Answers are integers from 0 to 999, graded as such."""
    keep: Callable[[Row], bool] | None = None
    """Which rows of the dataset are of the set; all of them without it."""
    defects: tuple[str, ...] = field(default=())
    """What is known to be wrong with the copy on the hub."""

    @property
    def pinned(self) -> bool:
        """Whether `revision` is a commit, which cannot move."""
        return re.fullmatch(r"[0-9a-f]{40}", self.revision) is not None

    @property
    def prompt(self) -> str:
        """The template that asks a problem."""
        return AIME_PROMPT if self.integer else BOXED_PROMPT
