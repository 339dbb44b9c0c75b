"""What no run can begin with: empty sets, a broken verifier, a dead judge, a teacher's tokens."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rewardkit.config import RunConfig, TaskConfig
from rewardkit.data.opening import is_data
from rewardkit.environments.grades import grades_itself
from rewardkit.errors import ConfigError
from rewardkit.judging.asking import Asking
from rewardkit.sampling.order import order_of
from rewardkit.types import Outcome, Task
from rewardkit.verifiers import VerifierPool
from rewardkit.verifiers.compose import Combined


def refuse_empty_sets(task: Task, config: RunConfig) -> None:
    """Raise a ConfigError where there is nothing to train on or to evaluate."""
    if not len(task.train):
        raise ConfigError(
            f"task {task.name} has no training problems; for problems in a file, give "
            "--set task.args.train=FILE"
        )
    order_of(task.train, config.seed)  # says which part of a mixture has none
    if not config.eval.samples:
        return
    weighed = zip(task.parts.values(), config.tasks, strict=True)
    drawn: list[tuple[str, Task, TaskConfig]] = [
        (f"tasks.{n}", part, one) for n, (part, one) in enumerate(weighed) if one.weight
    ]
    for key, part, settings in drawn or [("task", task, config.task)]:
        if part.train is part.test:
            others = f" with --set {key}.test=file:OTHER" if is_data(settings.name) else ""
            raise ConfigError(
                f"task {part.name} would be evaluated on the problems that it trains on; give it "
                f"others{others}, or turn evaluation off with --set eval.samples=0"
            )
    if not len(task.test):
        raise ConfigError(
            f"task {task.name} has no test problems to evaluate on; give it some, or turn "
            "evaluation off with --set eval.samples=0"
        )


def refuse_broken_verifier(pool: VerifierPool, task: Task) -> None:
    """Raise a ConfigError if the verifier cannot run in a worker process at all.

    A verdict on an empty response may be anything but the pool's own failure: a function that a
    fresh process cannot import fails here, in a second, and not after a model was loaded.
    """
    verdict = pool.verify_one("", task.train[0])
    if verdict.outcome is Outcome.ERROR and verdict.method == "pool":
        what = "environment, given an empty turn," if grades_itself(task) else "verifier"
        raise ConfigError(
            f"the task's {what} does not work in a worker process: {verdict.reason}. If it is "
            'defined in a script, guard the script\'s call with if __name__ == "__main__":, since '
            "workers import that script; a notebook's functions must live in a module"
        )


def refuse_silent_servers(task: Task, *, asked_from_here: bool = True) -> list[str]:
    """Return a remark on each judge whose server cannot be asked now.

    Raises:
        ConfigError: such a server is asked from this machine, and not waited for (`wait_s` is 0).
    """
    remarks = []
    for verifier in _asking_servers(task):
        if not (reason := verifier.silence()):
            continue
        name = type(verifier).__name__
        key = "judge" if name == "Judge" else "task.verifier_options"
        told = f"the {name} at {verifier.base_url} cannot be asked now ({reason})"
        if verifier.wait_s:
            told += f"; each verdict that is left to it waits for up to {verifier.wait_s:g} s"
        else:
            told += (
                ", and each verdict that is left to it would be undecided. Start its server, name "
                f"another with --set {key}.base_url=http://HOST:PORT/v1, or let the run wait for "
                f"it with --set {key}.wait_s=600"
            )
            if asked_from_here:
                raise ConfigError(told)
        remarks.append(told)
    return remarks


def _asking_servers(task: Task) -> Iterable[Any]:
    """Return what asks a model on a server, of a task's verifiers and of what they are made of."""
    found: dict[Any, None] = {}
    left: list[Any] = [part.verifier for part in task.parts.values() or (task,)]
    while left:
        verifier = left.pop()
        if isinstance(verifier, Asking):
            found[verifier] = None
        elif isinstance(verifier, Combined):
            left += verifier.members()
    return found


SAME_TOKENS = (
    "a teacher scores the tokens that the policy drew, and needs the same tokenizer; take a model "
    "of the same family"
)


def refuse_other_tokens(name: str, teacher: str, policys: Any, teachers: Any) -> None:
    """Raise a ConfigError where two tokenizers differ in a token: ids would mean other words."""
    own, other = policys.get_vocab(), teachers.get_vocab()
    if own == other:
        return
    token = min(own.items() ^ other.items(), key=lambda item: (item[1], item[0]))[0]
    raise ConfigError(
        f"the teacher {teacher} has {len(other):,} tokens and {name} {len(own):,}, "
        f"which differ first at {token!r}: {SAME_TOKENS}"
    )
