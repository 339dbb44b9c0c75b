"""A sample: one response to one problem with its verdict, and the key that it is filed under."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from msgspec import Meta

from rewardkit.environments.pool import FAULT
from rewardkit.types import UNDECIDED, Finish, Outcome, Verdict

Whole = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
"""Larger numbers, which a file of anybody may hold, fit no column of a table."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One response to one problem, and what the verifier said of it.

    `key` names what was asked, of whom and how (see `sample_key`); `seconds` is how long the
    response took to come and `tokens` how long it is.
    """

    key: str
    task: str
    problem: str
    index: Whole
    seed: Whole
    gold: str
    response: str
    finish: Finish
    prompt_tokens: Whole
    tokens: Whole
    seconds: float
    outcome: Outcome
    extracted: str | None = None
    method: str = ""
    reason: str = ""
    verifier: str = ""
    """The hash of the verifier's name and settings; empty where the ledger does not say."""
    score: float = math.nan
    """Of the verdict; where the ledger does not say, what follows from the outcome."""
    columns: str = ""
    """The hash of the problem's columns that the verifier asks for; empty if it asks for none."""
    reasoning: str = ""
    """What a server kept apart from the answer; `tokens` counts it."""
    judged: str = ""
    """As in the verdict."""
    marks: tuple[tuple[Whole, Whole], ...] = ()
    """(tokens, characters of reasoning and response that they make), where the engine knew."""
    segments: tuple[tuple[bool, str, Whole], ...] = ()
    """(whether the model wrote it, text, tokens), where an environment answered turns."""
    tool_errors: Whole = 0
    """Calls that the model was told were wrong."""

    def __post_init__(self) -> None:
        segments = tuple((written, text, tokens) for written, text, tokens in self.segments)
        object.__setattr__(self, "segments", segments)
        marks = tuple((tokens, characters) for tokens, characters in self.marks)
        object.__setattr__(self, "marks", marks)  # as JSON has it, lists
        if math.isnan(self.score):
            object.__setattr__(self, "score", float(self.outcome == Outcome.CORRECT))

    @property
    def truncated(self) -> bool:
        """Whether the token limit cut the response off."""
        return self.finish is Finish.LENGTH

    @property
    def environment_failed(self) -> bool:
        """Whether it is undecided because its environment failed."""
        return self.method == FAULT and self.outcome in UNDECIDED

    def graded_text(self, *, with_reasoning: bool) -> str:
        """Return what a verifier is to read."""
        return graded_text(self.response, self.reasoning if with_reasoning else "")


def verdict_fields(verdict: Verdict) -> dict[str, Any]:
    """Return what a sample keeps of a verdict."""
    names = ("outcome", "score", "extracted", "method", "reason", "judged")
    return {name: getattr(verdict, name) for name in names}


def graded_text(response: str, reasoning: str) -> str:
    """Return a response behind its reasoning, as one text.

    >>> graded_text("It is 2.", ""), graded_text("2", "1 + 1")
    ('It is 2.', '1 + 1\\n\\n2')
    """
    return f"{reasoning}\n\n{response}" if reasoning else response


def text_hash(text: str) -> str:
    """Return the short hash that stands for a text in ledgers and results.

    >>> text_hash("1+1?")
    'cfe29f43bcc21dd4'
    """
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def sample_key(
    model: str, question: str, prompt: str, sampling: Mapping[str, Any], index: int
) -> str:
    """Return the key of one sample: equal if and only if the sample may stand in for another.

    It covers the model's fingerprint, the problem's text, the prompt as the model sees it, every
    sampling parameter and the sample's index; the number of samples asked for is not part of it,
    so that asking for more tops up.
    """
    parts = [model, question, prompt, dict(sampling), index]
    return text_hash(json.dumps(parts, sort_keys=True, ensure_ascii=True))


def sample_seed(seed: int, text: str, index: int) -> int:
    """Return the seed of one sample, distinct for each (seed, problem text, index)."""
    digest = hashlib.sha256(f"{seed}\n{index}\n{text}".encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big") >> 1  # torch takes 63 bits
