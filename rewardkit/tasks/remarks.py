"""What to say of a task before it is asked: words, verifier and judge that do not fit."""

from __future__ import annotations

import inspect
import re

from rewardkit.checks.chats import chat_of
from rewardkit.types import Problem, Task, VerifierLike

_ASKS_FOR = {
    "box": r"\\boxed",
    "tag": r"</?{}>",
    "marker": r"####|\banswer\s*:|答案",
    "last_line": r"\b(last|final|own) line\b|\bline of its own\b",
}


def remarks_on(task: Task) -> list[str]:
    """Return a remark on each task of a mixture, or the one, whose parts do not fit each other."""
    parts = list(task.parts.values()) or [task]
    found = [f"{one.name}: {said}" for one in parts if (said := _asked_elsewhere(one))]
    return found + [f"{one.name}: {said}" for one in parts if (said := _never_judged(one.verifier))]


def first_problem(task: Task) -> Problem | None:
    """Return the first training problem, or test problem where there is none."""
    return next((problems[0] for problems in (task.train, task.test) if len(problems)), None)


def _asked_elsewhere(task: Task) -> str:
    """Return the remark that the first problem asks for its answer where none is read."""
    from rewardkit.verifiers.declaration import answer_in_of
    from rewardkit.verifiers.format.declared import shown

    places = answer_in_of(task.verifier)
    first = first_problem(task)
    if not places or first is None:
        return ""
    text = "\n".join(turn["content"] for turn in chat_of(task, first))
    asked = [place for place in _ASKS_FOR if _asks_for(place, text)]
    if not asked or any(_asks_for(place, text) for place in places):
        return ""
    return (
        f"the prompt asks for the answer as {shown(asked[0])}, and it is read as "
        f"{' or '.join(map(shown, places))} alone: a model that obeys earns nothing. Ask for what "
        "is read, --set task.prompt=..., or read what is asked for, "
        f"--set task.answer_in={asked[0]}"
    )


def _asks_for(place: str, text: str) -> bool:
    kind, _, name = place.partition(":")
    return bool(re.search(_ASKS_FOR[kind].format(name or "answer"), text, re.IGNORECASE))


def _never_judged(verifier: VerifierLike) -> str:
    """Return the remark that a rule of the user's own leaves nothing to the judge behind it."""
    from rewardkit.judging import Judge
    from rewardkit.verifiers import First

    if not isinstance(verifier, First) or not isinstance(judge := verifier.verifiers[-1], Judge):
        return ""
    rule = inspect.unwrap(verifier.verifiers[0])
    module = getattr(rule, "__module__", "")
    if judge.when or module.partition(".")[0] in ("rewardkit", "rewardkit_tasks"):
        return ""
    return (
        "the judge is asked only where the rule is undecided (timeout, error, bad_gold): the terms "
        "that stand without judge.when are reasons of our own verifiers. Set what the rule leaves "
        'to it, such as judge.when = ["no_answer"]'
    )
