"""What crosses from one part of rewardkit to the next: a problem, a rollout, a verdict, a group.

All are frozen and made of plain Python values, so that they can be pickled to a worker, written
as JSON, and held by tens of thousands. Tensors appear only behind `advantages` and `losses`.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum
from itertools import compress
from typing import Any, NamedTuple

from rewardkit.columns import Columns
from rewardkit.errors import ConfigError, DataError
from rewardkit.golds import Gold as Gold
from rewardkit.golds import as_text

Message = Mapping[str, str]
"""One chat turn: {"role": "user" | "assistant" | "system", "content": text}."""


class Outcome(StrEnum):
    """What a verifier found. Never a bare bool: five ways of not being right are not one way."""

    CORRECT = "correct"
    """The extracted answer equals the gold answer."""
    INCORRECT = "incorrect"
    """An answer was extracted and it is not the gold answer."""
    NO_ANSWER = "no_answer"
    """Nothing in the response could be taken for an answer."""
    TIMEOUT = "timeout"
    """The work did not end within its budget; says nothing about the answer."""
    ERROR = "error"
    """The verifier itself failed (a dead worker, a bug); says nothing about the answer."""
    BAD_GOLD = "bad_gold"
    """The gold answer cannot be understood: the item is excluded and counted, never rewarded."""


UNDECIDED = frozenset({Outcome.TIMEOUT, Outcome.ERROR, Outcome.BAD_GOLD})
"""Outcomes that say nothing about the answer: no reward, no signal, no denominator counts them."""


class Finish(StrEnum):
    """Why a rollout ended."""

    STOP = "stop"
    """The model ended its turn."""
    LENGTH = "length"
    """The limit on tokens cut it off."""
    TURNS = "turns"
    """The environment would have gone on, and the model had had all its turns."""
    FILTERED = "content_filter"
    """A server's filter took its text away, or the rest of it."""
    CALLED = "tool_calls"
    """It called a tool, which nobody answers."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One question with its gold answer, and further columns in `info`.

    `answer` is text; a number or a list of them, as data sets have them, is taken as it prints.
    `info` is any mapping of JSON values (test cases, instructions, a solve rate), and is frozen:
    a verifier asks for its columns by name, see `Verifier`.

    Raises:
        DataError: the answer is no gold, or a column is nothing that JSON holds.

    >>> problem = Problem("1", "Make 24.", 24, info={"numbers": [3, 8]})
    >>> problem.answer, problem.info["numbers"]
    ('24', [3, 8])
    """

    id: str
    """Its name, the same in every run."""
    question: str
    """What is asked, before the task puts it into a chat."""
    answer: str
    source: str = ""
    """The set that it comes from, or the task of a mixture."""
    info: Mapping[str, Any] = Columns()

    def __post_init__(self) -> None:
        # Data comes as it is: what its author typed is checked here, once, and nowhere else.
        answer: Gold = self.answer
        if not isinstance(answer, str):
            try:
                object.__setattr__(self, "answer", as_text(answer))
            except TypeError as error:
                raise DataError(f"problem {self.id!r}: {error}") from error
        if not isinstance(self.info, Columns):
            try:
                object.__setattr__(self, "info", Columns(self.info))
            except DataError as error:
                raise DataError(f"problem {self.id!r}: {error}") from error


class StepScore(NamedTuple):
    """What one step of a response is worth: it ends before the character `end`."""

    end: int
    score: float
    """In [0, 1]."""


BETWEEN_TURNS = "\n\n"
"""Stands between a model's turns in a rollout's text: two boxes so far apart are two answers."""


class Segment(NamedTuple):
    """A stretch of a rollout: `written` by the model or not, its `text`, and `tokens` in number."""

    written: bool
    text: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Rollout:
    """One sampled response: `tokens` and `logprobs` are of the response alone, equally long."""

    text: str
    """What the model wrote, without special tokens; a line break between its turns."""
    tokens: tuple[int, ...]
    logprobs: tuple[float, ...]
    finish: Finish
    """Why it ended."""
    segments: tuple[Segment, ...] = ()
    """Who wrote which of all `tokens`, in order, where an environment wrote as well."""
    verdict: Verdict | None = None
    """What the environment says of it: its own grade, or that it failed; no verifier is asked."""
    tool_errors: int = 0
    """Calls that the model was told were wrong."""
    steps: tuple[StepScore, ...] = ()
    """What its turns before the last were worth, where an environment says so."""

    @property
    def own_tokens(self) -> tuple[int, ...]:
        """Those that the model wrote: what is trained on, and what lengths count."""
        written = [part.written for part in self.segments for _ in range(part.tokens)]
        return tuple(compress(self.tokens, written)) if self.segments else self.tokens


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a verifier says of one response, and why.

    `extracted` and `gold` are the answers as the verifier understood them, `method` names what
    decided (exact, numeric, set, symbolic, choice, text, ...), `reason` is one line for a person,
    and `seconds` is the wall-clock time the verdict took.

    `score` in [0, 1] is what becomes the reward: 1 for CORRECT and 0 otherwise, unless it is
    given. An undecided outcome says nothing about the answer, so its score is 0.

    `steps` are what the parts of the response are worth, split by a rule of the task; most
    verifiers give none. Only the estimators `grpo_process` and `mt_grpo` learn from them.

    Raises:
        ConfigError: the score is not in [0, 1], or an undecided outcome has one; a step's score is
            not either, or the steps do not follow each other.

    >>> Verdict(Outcome.CORRECT).score, Verdict(Outcome.INCORRECT, score=0.25).score
    (1.0, 0.25)
    >>> Verdict(Outcome.INCORRECT, steps=[(9, 1), (15, 0)]).steps
    (StepScore(end=9, score=1.0), StepScore(end=15, score=0.0))
    """

    outcome: Outcome
    """What was found."""
    extracted: str | None = None
    gold: str | None = None
    method: str = ""
    reason: str = ""
    seconds: float = 0.0
    score: float = math.nan
    """Never NaN in a verdict that was made: that stands for "not given"."""
    steps: Sequence[StepScore] = ()
    """In order; a pair (end, score) is taken for one."""
    judged: str = ""
    """Of a judge behind rules: RULES>JUDGE, with a wrong gold RULES>JUDGE>tried or >talked over."""

    def __post_init__(self) -> None:
        if self.steps != ():
            object.__setattr__(self, "steps", _checked(self.steps, self.outcome))
        if math.isnan(self.score):
            object.__setattr__(self, "score", float(self.outcome is Outcome.CORRECT))
        elif not 0 <= self.score <= 1:
            raise ConfigError(f"a verdict's score is in [0, 1], found {self.score}")
        elif self.score and self.outcome in UNDECIDED:
            raise ConfigError(
                f"an outcome of {self.outcome} says nothing about the answer, so its score is 0, "
                f"found {self.score}"
            )

    @property
    def correct(self) -> bool:
        """Whether the outcome is CORRECT; every other outcome is False here."""
        return self.outcome is Outcome.CORRECT

    def to_record(self) -> dict[str, Any]:
        """Return all of it by field, as JSON holds it.

        >>> record = Verdict(Outcome.CORRECT, "12", steps=[(9, 1)]).to_record()
        >>> record["outcome"], record["steps"], Verdict.from_record(record).steps
        ('correct', [[9, 1.0]], (StepScore(end=9, score=1.0),))
        """
        found = {one.name: getattr(self, one.name) for one in fields(self)}
        steps = [list(step) for step in self.steps]
        return {**found, "outcome": self.outcome.value, "steps": steps}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Verdict:
        """Return the verdict of a record; what it lacks has its default, what else it has is left.

        Raises:
            KeyError, ValueError: it has no outcome, or one of another name.
        """
        known = {one.name: record[one.name] for one in fields(cls) if one.name in record}
        return cls(**{**known, "outcome": Outcome(record["outcome"])})


def _checked(steps: Sequence[tuple[int, float]], outcome: Outcome) -> tuple[StepScore, ...]:
    found = tuple(StepScore(int(end), float(score)) for end, score in steps)
    if not found:
        return ()
    if outcome in UNDECIDED:
        raise ConfigError(f"an outcome of {outcome} says nothing, so it has no steps")
    if wrong := [step.score for step in found if not 0 <= step.score <= 1]:
        raise ConfigError(f"a step's score is in [0, 1], found {wrong[0]}")
    ends = [step.end for step in found]
    if ends != sorted(set(ends)) or ends[0] < 1:
        raise ConfigError(f"steps end one after the other, at 1 or later, found ends {ends}")
    return found


Verifier = Callable[..., Verdict]
"""(response text, gold answer) -> Verdict. Must be picklable to run in a `VerifierPool`.

One that names further parameters gets those columns of the problem as keyword arguments, and no
others; `problem` is the whole `Problem`, and a parameter with a default may be missing there.
One that also has `quick(response, answer) -> Verdict | None` or `warm() -> None` runs faster there.
"""

VerifierLike = Callable[..., "Verdict | bool | float | Awaitable[Verdict | bool | float]"]
"""What is taken for a verifier: one, or a function or coroutine function that returns a bool or a
score in [0, 1]; it may name columns as a `Verifier` does."""


@dataclass(frozen=True, slots=True)
class Reward:
    """A shaped reward and the named components that were summed to it."""

    total: float
    """The sum, which the advantage reads."""
    components: Mapping[str, float]
    """By the name of the term: its value, before its weight."""


@dataclass(frozen=True, slots=True)
class Group:
    """All rollouts of one problem, with their verdicts and, once shaped, their rewards.

    The verdicts stay beside the rewards: filters, metrics and evaluation read the outcome, and
    only the advantage reads the shaped reward.
    """

    problem: Problem
    """What was asked."""
    rollouts: tuple[Rollout, ...]
    """The responses, in the order of their seeds."""
    verdicts: tuple[Verdict, ...]
    """One for each rollout."""
    rewards: tuple[Reward, ...] = ()
    """One for each rollout, once shaped."""


def no_verifier(response: str, answer: str) -> Verdict:
    """Stands where a task's environment grades; `load_task` puts that in its place."""
    raise ConfigError("the task has no verifier; rewardkit.load_task gives it its environment's")


@dataclass(frozen=True)
class Task:
    """What to ask, how to ask it, and how to tell whether the answer is right.

    `train` and `test` are any sequences of problems (a list, or a lazy one that generates);
    `messages` turns a problem into the chat that the model continues; `verifier` grades, and is
    left out where the environment does.
    `source`, `licence` and `version` say where the problems come from.
    """

    name: str
    """What results call it."""
    train: Sequence[Problem]
    test: Sequence[Problem]
    messages: Callable[[Problem], Sequence[Message]]
    verifier: VerifierLike = no_verifier
    source: str = ""
    licence: str = ""
    version: int = 1
    suites: Mapping[str, Sequence[Problem]] = field(default_factory=dict)
    """Further held-out sets by name (say, a harder level), evaluated beside `test`."""
    remarks: Sequence[str] = ()
    """What a reader of results should know of these problems; printed beside them."""
    chat_template_kwargs: Mapping[str, Any] = field(default_factory=dict)
    """What the model's chat template is called with besides the chat, as `enable_thinking`."""
    parts: Mapping[str, Task] = field(default_factory=dict)
    """The tasks that a mixture is made of, by the `source` of their problems."""

    reference: str = ""
    """The column with a right response, where the answer is none; `tasks check` tries it."""
    generated: bool = False
    """The problems are made when they are asked for: some come again, and no data need mending."""
    environment: Any = None
    """What answers the model's turns, a `rewardkit.environments.Environment`; None: one turn."""

    def __post_init__(self) -> None:
        for name in ("train", "test"):
            if isinstance(found := getattr(self, name), Mapping):
                raise ConfigError(
                    f"task {self.name!r}: {name} is a mapping of {', '.join(map(str, found))}; it "
                    "is one sequence of problems, and further held-out sets go into suites={...}"
                )

        if self.verifier is no_verifier and not hasattr(self.environment, "grade"):
            raise ConfigError(
                f"task {self.name!r} has no verifier, and no environment with a method `grade`; "
                "give it verifier=..., such as rewardkit.MathVerifier()"
            )

    def part_of(self, problem: Problem) -> Task:
        """Return the task that a problem is of: of a mixture the part, else this one."""
        return self.parts[problem.source] if self.parts else self
