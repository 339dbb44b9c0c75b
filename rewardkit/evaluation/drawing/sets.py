"""What an evaluation asks: the problems of each set, and a slot for every sample."""

from __future__ import annotations

import inspect
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

from rewardkit.checks import chat_of
from rewardkit.errors import DataError
from rewardkit.evaluation.engines.base import Engine, rendered, sampling_record
from rewardkit.evaluation.engines.recorded import chat_hash
from rewardkit.evaluation.samples import sample_key, sample_seed, text_hash
from rewardkit.types import Problem, Task, VerifierLike
from rewardkit.verifiers.signature import WHOLE, Asked, asked_by, columns_for


@dataclass(frozen=True, slots=True)
class Slot:
    """The place of one sample: which problem it answers, and the key it is filed under."""

    problem: Problem
    index: int
    seed: int
    key: str


@dataclass(frozen=True)
class ProblemSet:
    """The problems of one task that are evaluated together, and a slot for each sample."""

    name: str
    task: Task
    problems: Sequence[Problem]
    slots: Sequence[Slot]
    prompts: Mapping[str, str]
    """Problem id -> the prompt as the model sees it."""
    chats: Mapping[str, str] = field(default_factory=dict)
    """Problem id -> the hash of the chat that asks it, before any template."""
    grade_reasoning: bool = False
    """Whether verifiers read what a server keeps apart as reasoning."""

    @cached_property
    def verifier(self) -> str:
        """The hash under which verdicts of this set's verifier are filed."""
        whole = " with the reasoning" if self.grade_reasoning else ""
        return text_hash(verifier_name(self.task.verifier) + whole)

    @cached_property
    def _asked(self) -> Asked:
        return asked_by(self.task.verifier)

    def grounds(self, problem: Problem) -> dict[str, Any]:
        """Return what a verdict rests on: where it has changed, a sample is graded anew."""
        columns = columns_hash(self._asked, problem)
        return {"gold": problem.answer, "verifier": self.verifier, "columns": columns}


def sets_to_draw(
    named: Mapping[str, tuple[Task, Sequence[Problem]]],
    engine: Engine,
    samples: int,
    seed: int,
    *,
    samples_of: Mapping[str, int] = MappingProxyType({}),
    grade_reasoning: bool = False,
) -> list[ProblemSet]:
    """Lay out every sample that the evaluation needs; of some sets another number.

    A text that occurs twice gets samples of its own each time: shared ones would count the same
    luck twice.

    Raises:
        DataError: two problems of a set have the same id.
    """
    sampling = sampling_record(engine.decoding, seed)
    occurrences: Counter[str] = Counter()
    sets = []
    for name, (task, problems) in named.items():
        ids = Counter(problem.id for problem in problems)
        repeated = [identity for identity, count in ids.items() if count > 1]
        if repeated:
            raise DataError(
                f"task {name}: id {repeated[0]!r} is used by {ids[repeated[0]]} problems"
            )
        slots, prompts, chats = [], {}, {}
        for problem in problems:
            chat = chat_of(task, problem), task.chat_template_kwargs
            prompt = rendered(engine, *chat)
            prompts[problem.id], chats[problem.id] = prompt, chat_hash(*chat)
            occurrences[problem.question] += 1
            nth = occurrences[problem.question]
            text = problem.question if nth == 1 else f"{problem.question}\n#{nth}"
            for index in range(samples_of.get(name, samples)):
                key = sample_key(engine.fingerprint, text, prompt, sampling, index)
                slots.append(Slot(problem, index, sample_seed(seed, text, index), key))
        sets.append(ProblemSet(name, task, problems, slots, prompts, chats, grade_reasoning))
    return sets


def prompts_of(sets: Sequence[ProblemSet]) -> dict[str, str]:
    """Return what was asked, as the model sees it, by the hash of each chat."""
    return {one.chats[key]: prompt for one in sets for key, prompt in one.prompts.items()}


def columns_hash(asked: Asked, problem: Problem) -> str:
    """Return the hash of the columns of a problem that a verifier asks for; "" if it asks for none.

    >>> problem = Problem("1", "?", "24", info={"numbers": [3, 8], "rate": 0.5})
    >>> columns_hash(Asked(), problem), columns_hash(Asked(("numbers",)), problem)
    ('', 'c86bad222744e96b')
    """
    if not asked:
        return ""
    values = columns_for(asked, problem)
    if values.pop(WHOLE, None) is not None:
        values = {**problem.info, **values}
    return text_hash(json.dumps(values, sort_keys=True))


def verifier_name(verifier: VerifierLike) -> str:
    """Return a verifier's name and settings, the same in every process.

    A function is known by its place alone: that its code has changed is not seen.

    >>> from rewardkit.verifiers import TextVerifier
    >>> verifier_name(TextVerifier())
    'TextVerifier(aliases=(), answer_in=())'
    """
    target = inspect.unwrap(verifier)  # load_verifier wraps a user's own
    correct_from = getattr(verifier, "correct_from", 1.0)
    threshold = "" if correct_from == 1 else f" correct from {correct_from}"
    if inspect.isfunction(target):
        return f"{target.__module__}:{target.__qualname__}{threshold}"
    return re.sub(r" at 0x[0-9a-fA-F]+", "", repr(target)) + threshold
