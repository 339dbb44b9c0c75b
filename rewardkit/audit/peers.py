"""Other projects' graders as verifiers, called as those projects call them: `verl:math_dapo`.

`PROJECTS` says where each project keeps its graders; any grader there goes by PROJECT:NAME.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import logging
import math
import warnings
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from rewardkit.errors import ConfigError
from rewardkit.golds import as_text
from rewardkit.registry import VERIFIERS, import_object
from rewardkit.types import Gold, Outcome, Verdict

LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
"""Inspect's values of a score."""


def _texts(grade: Any, response: str, gold: str) -> Any:
    return grade(response, gold)


def _chats(reward: Any, response: str, gold: str) -> Any:
    return reward([[{"role": "assistant", "content": response}]], [gold])


def _boxed(grade: Any, response: str, gold: str) -> Any:
    extract = _found("openrlhf.utils.math_utils:extract_boxed_answer")
    return grade(extract(response), gold)


def _document(metric: Any, response: str, gold: str) -> Any:
    from lighteval.models.model_output import ModelResponse
    from lighteval.tasks.requests import Doc

    document = Doc(query="", choices=[gold], gold_index=0)
    return metric.value.sample_level_fn.compute(document, ModelResponse(text=[response]))


def _state(scorer: Any, response: str, gold: str) -> Any:
    from inspect_ai.model import ModelName, ModelOutput
    from inspect_ai.scorer import Target
    from inspect_ai.solver import TaskState

    output = ModelOutput.from_content("mockllm/model", response)
    state = TaskState(ModelName("mockllm/model"), 1, 1, "", [], output=output)
    score = scorer("line") if scorer.__name__ == "answer" else scorer()
    return score(state, Target(gold))


PROJECTS: Mapping[str, tuple[str, str, Callable[[Any, str, str], Any]]] = {
    "verl": ("verl", "verl.utils.reward_score.{}:compute_score", _texts),
    "trl": ("trl", "trl.rewards:{}", _chats),
    "lighteval": ("lighteval", "lighteval.metrics.metrics:Metrics.{}", _document),
    "inspect": ("inspect-ai", "inspect_ai.scorer:{}", _state),
    "openrlhf": ("openrlhf", "openrlhf.utils.math_utils:{}", _boxed),
}
"""What a name begins with -> distribution, where its graders are, and how one is called."""
STARTS_PROCESSES = ("verl.utils.reward_score.math_verify:compute_score",)
"""Graders with processes of their own, which no copy of a process can use."""


@dataclass(frozen=True, slots=True)
class Peer:
    """A grader of another project, with its defaults, as a verifier.

    A score is cut to [0, 1]; None, a gold that the grader cannot read, is BAD_GOLD.

    Raises:
        ConfigError: the project is not installed, or has no such grader.
    """

    project: str
    name: str

    def __post_init__(self) -> None:
        try:
            _found(self.target)
        except (ImportError, ConfigError) as error:
            package = PROJECTS[self.project][0]
            raise ConfigError(
                f"{self.project}:{self.name}: {error}; the package is {package}, pip install "
                f"{package}"
            ) from error

    @property
    def target(self) -> str:
        """Where the grader is, MODULE:ATTRIBUTE."""
        return PROJECTS[self.project][1].format(self.name)

    def warm(self) -> None:
        """Import it and grade twice where workers are forked from: the first times load more."""
        _found(self.target)
        for response in ("\\boxed{1}", "\\boxed{2}") if self.target not in STARTS_PROCESSES else ():
            with contextlib.suppress(Exception):  # then each worker says so
                self(response, "1")

    def __call__(self, response: str, answer: Gold) -> Verdict:
        """Return its verdict on one response."""
        gold = as_text(answer)
        grade = _found(self.target)
        found = _awaited(PROJECTS[self.project][2](grade, response, gold))
        found = getattr(found, "value", found)
        found = found.get("score") if isinstance(found, Mapping) else found
        found = found[0] if isinstance(found, (list, tuple)) else found
        if found is None:
            return Verdict(Outcome.BAD_GOLD, gold=gold, method=self.name, reason="it says None")
        score = float(LETTERS.get(found, math.nan) if isinstance(found, str) else found)
        if math.isnan(score):
            return Verdict(Outcome.ERROR, gold=gold, method=self.name, reason=f"it says {found!r}")
        outcome = Outcome.CORRECT if score >= 1 else Outcome.INCORRECT
        return Verdict(outcome, None, gold, self.name, "", score=min(max(score, 0.0), 1.0))


def _found(target: str) -> Any:
    """Return what is named, without what its project says of the machine when it is imported."""
    before = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return import_object(target, "grader")
    finally:
        logging.disable(before)


def _awaited(found: Any) -> Any:
    """Return what a coroutine comes to, in a thread of its own where a loop may run here."""
    if not inspect.iscoroutine(found):
        return found
    running: Coroutine[Any, Any, Any] = found
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, running).result()


def version_of(name: str) -> str:
    """Return the package and version of a verifier's name: a peer's or ours; empty for others.

    >>> version_of("mine:reward")
    ''
    """
    project = name.partition(":")[0]
    package = PROJECTS[project][0] if project in PROJECTS else ""
    if name in VERIFIERS.names():
        package = "math-verify" if name == "math_verify" else "rewardkit"
    return package and f"{package} {version(package)}"
