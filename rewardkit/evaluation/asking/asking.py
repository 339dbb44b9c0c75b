"""How a model is asked, laid over a task's own words, recorded, and told apart by `compare`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from rewardkit.config import TaskConfig
from rewardkit.errors import ConfigError
from rewardkit.evaluation.asking.protocols import asked_by, protocol_of
from rewardkit.evaluation.engines.base import PLAIN, DecodingSettings, later_record
from rewardkit.tasks.settings import under_verifier
from rewardkit.types import Task, VerifierLike
from rewardkit.verifiers.options import checked

WORDS = frozenset({"protocol", "system_prompt", "prompt"})
"""What was asked for that puts other words before the model."""

KEYS = {
    "system_prompt": "system",
    **{name: name for name in ("prompt", "verifier", "answer_in", "lenient")},
}
"""What stands in the place of a setting of [task], and of which."""


@dataclass(frozen=True)
class Asking:
    """What stands in the place of a task's own words; empty leaves them.

    Raises:
        UnknownNameError: no such protocol.
    """

    protocol: str = ""
    system_prompt: str = ""
    prompt: str = ""
    """A template with {question}, or any column; before the protocol's."""
    chat_template_kwargs: Mapping[str, Any] = field(default_factory=dict)
    verifier: str = ""
    """What grades, in the place of the task's own verifier."""
    answer_in: tuple[str, ...] = ()
    """Where the answer is read, in the place of what the task declares."""
    lenient: bool = False
    """Read any response for its answer, whatever the task declares."""
    grade_reasoning: bool = False
    """Grade what a server keeps apart as reasoning together with the answer."""

    def __post_init__(self) -> None:
        if self.protocol:
            protocol_of(self.protocol)

    def laid_over(self, settings: TaskConfig) -> TaskConfig:
        """Return a task's settings with these in their place, under the task's own verifier.

        Raises:
            ConfigError: the same is said twice, here and in `--set task.KEY`.
        """
        for mine, theirs in KEYS.items():
            given, said = getattr(self, mine), getattr(settings, theirs)
            if mine != "lenient" and given and said and said != given:
                flag = f"--{mine.replace('_', '-')}"
                raise ConfigError(
                    f"{flag} and --set task.{theirs}=... say the same thing; give one"
                )
        own = protocol_of(self.protocol).chat_template_kwargs if self.protocol else {}
        kwargs = {**settings.chat_template_kwargs, **own, **self.chat_template_kwargs}
        given = {key: getattr(self, mine) or getattr(settings, key) for mine, key in KEYS.items()}
        options = {} if self.verifier and not settings.verifier else settings.verifier_options
        given |= {"verifier": settings.verifier, "verifier_options": options}
        given["lenient"] = self.lenient or (settings.lenient and not self.answer_in)
        return replace(settings, chat_template_kwargs=kwargs, **given)

    def graded(self, task: Task, settings: TaskConfig) -> Task:
        """Return the task under the verifier that was asked for, with the options of its settings.

        Raises:
            UnknownNameError: no such verifier.
            ConfigError: the options do not fit.
        """
        if not self.verifier:
            return task
        named = replace(
            self.laid_over(settings),
            verifier=self.verifier,
            verifier_options=settings.verifier_options,
        )
        return under_verifier(task, named)

    def with_settings(self, settings: TaskConfig) -> Asking:
        """Return what is asked for together with what `--set task.KEY` says of the same.

        >>> by_set = Asking().with_settings(TaskConfig("math500", system="Be brief."))
        >>> by_set == Asking(system_prompt="Be brief.")
        True
        >>> Asking(lenient=True).with_settings(TaskConfig("math500", answer_in="box")).answer_in
        ()
        """
        given = {mine: getattr(self, mine) or getattr(settings, key) for mine, key in KEYS.items()}
        given["answer_in"] = self.answer_in or checked(settings.answer_in)
        if self.lenient or self.answer_in:
            given |= {"lenient": self.lenient, "answer_in": self.answer_in}
        kwargs = {**settings.chat_template_kwargs, **self.chat_template_kwargs}
        return replace(self, chat_template_kwargs=kwargs, **given)

    def of_protocol(self, task: Task, own: VerifierLike) -> Task:
        """Return the task in the words of the protocol, unless a prompt was given.

        What grades in the place of its `own` verifier changes no word.

        Raises:
            ConfigError: the protocol is for other tasks.
        """
        return asked_by(self.protocol, task, own) if self.protocol and not self.prompt else task

    def record(self) -> dict[str, Any]:
        """Return what was asked for, without what was left as it is."""
        return {name: value for name, value in asdict(self).items() if value}


def asking_record(asking: Asking, decoding: DecodingSettings) -> dict[str, Any]:
    """Return how the model was asked, as results hold it.

    >>> asking_record(Asking(system_prompt="Be brief."), DecodingSettings(stop=("Q:",)))
    {'system_prompt': 'Be brief.', 'stop': ['Q:']}
    """
    return asking.record() | later_record(decoding)


def asked_of(results: Mapping[str, Any]) -> dict[str, Any]:
    """Return how an evaluation asked, without what has no effect.

    >>> asked_of({"asking": {"extra_body": {"min_p": 0.0}, "stop": ["Q:"]}})
    {'stop': ['Q:']}
    """
    found = dict(results.get("asking") or {})
    body = found.pop("extra_body", {})
    rest = {name: value for name, value in body.items() if PLAIN.get(name) != value}
    return {**found, "extra_body": rest} if rest else found


def asked_differently(a: Mapping[str, Any], b: Mapping[str, Any]) -> list[str]:
    """Return the sentences on how two evaluations asked in different ways.

    Where the words are the same and the prompts are not, the template made the difference; that
    of a server is not known, so that nothing can be said of it.
    """
    first, second = asked_of(a), asked_of(b)
    named = [name for name in {**first, **second} if first.get(name) != second.get(name)]
    found = [
        f"{name}: {first.get(name, 'not set')!r} in A, {second.get(name, 'not set')!r} in B"
        for name in named
    ]
    for name in a["sets"]:
        if name not in b["sets"]:
            continue
        prompts, chats = (_hashes(a, b, name, key) for key in ("prompt_hash", "chat_hash"))
        if prompts[0] == prompts[1]:
            continue
        said = "asked in the same words, under other chat templates"
        if None in (*chats[0], *chats[1]):
            said = "the prompts differ (in words or chat template: an older evaluation did not say)"
        elif chats[0] != chats[1]:
            said = (
                "the prompts differ in words, those of the question, of the task or of its system "
                "prompt"
            )
        elif "openai" in (a["engine"], b["engine"]):
            said = (
                "asked in the same words; whether under the same chat template is not known, "
                "since a server keeps its own to itself"
            )
        if not said.startswith("the prompts") or WORDS.isdisjoint(named):
            found.append(f"{name}: {said}")
    return found


def _hashes(a: Mapping[str, Any], b: Mapping[str, Any], name: str, key: str) -> list[list[Any]]:
    """Return a column of the problems of a set, of A and of B, in A's order."""
    columns = [
        {row["id"]: row.get(key) for row in results["sets"][name]["per_problem"]}
        for results in (a, b)
    ]
    return [[column.get(identity) for identity in columns[0]] for column in columns]
