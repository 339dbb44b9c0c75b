"""What a teacher reads beside the question, where it is the policy itself and must know more.

The solution makes it OPSD's teacher (2601.18734), feedback SDPO's (2601.20802).
"""

from __future__ import annotations

from collections.abc import Sequence

from rewardkit.types import Group, Message, Problem, Task

SOLUTION = "A right solution, for you alone:\n\n{}"
RIGHT = "A right response, for you alone:\n\n{}"
WRONG = "An earlier response of yours was not right: {}."
ASKED = "Now answer the question as if you had not been told."


def hint(sees: str, task: Task, group: Group, member: int) -> str:
    """Return what the teacher of a group's member reads besides; nothing where there is nothing.

    Args:
        sees: "solution", which is the task's `reference` column, one named `solution`, or the
            answer; or "feedback": another member's right response, and the verdict's reason where
            the member's own was not right.
        task: that asked.
        group: the graded responses.
        member: one of them.

    >>> from rewardkit.types import Finish, Outcome, Rollout, Verdict
    >>> rollouts = tuple(Rollout(text, (), (), Finish.STOP) for text in ("5", "6"))
    >>> verdicts = Verdict(Outcome.INCORRECT, reason="5 is not 6"), Verdict(Outcome.CORRECT)
    >>> group = Group(Problem("1", "2 · 3?", "6"), rollouts, verdicts)
    >>> task = Task("mine", (), (), lambda problem: [], print)
    >>> hint("feedback", task, group, 0).splitlines()[-1]
    'An earlier response of yours was not right: 5 is not 6.'
    >>> hint("feedback", task, group, 1), hint("solution", task, group, 1).splitlines()[-1]
    ('', '6')
    """
    if sees == "solution":
        return SOLUTION.format(_solution(task.part_of(group.problem), group.problem))
    graded = enumerate(zip(group.rollouts, group.verdicts, strict=True))
    right = [one.text for i, (one, verdict) in graded if verdict.correct and i != member]
    verdict = group.verdicts[member]
    said = [RIGHT.format(right[member % len(right)])] if right else []
    if not verdict.correct and verdict.reason:
        said.append(WRONG.format(verdict.reason.rstrip(".")))
    return "\n\n".join(said)


def hinted(chat: Sequence[Message], said: str) -> list[Message]:
    """Return a chat whose last turn says that as well.

    >>> hinted([{"role": "user", "content": "2 · 3?"}], "It is 6.")[0]["content"].splitlines()[2]
    'It is 6.'
    """
    last = chat[-1]
    content = "\n\n".join([last["content"], said, ASKED])
    return [*chat[:-1], {"role": last["role"], "content": content}]


def _solution(task: Task, problem: Problem) -> str:
    found = (problem.info.get(column) for column in (task.reference, "solution") if column)
    return next((str(text) for text in found if text), problem.answer)
