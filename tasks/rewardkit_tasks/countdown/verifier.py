"""Grade an expression: does it reach the target, with each given number used exactly once?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rewardkit.types import Gold, Verdict
from rewardkit.verifiers.base import judged
from rewardkit_tasks.countdown.expression import NotExpression, evaluate

_RESULT = re.compile(r"(.*?)=\s*(-?[0-9]{1,9})\s*\$?\s*", re.S)
"""What may stand behind the expression: "(8 - 2) * 4 = 24"."""


@dataclass(frozen=True, slots=True)
class CountdownVerifier:
    r"""Grade the final answer of a response as an expression of the columns numbers and target.

    Any expression that solves the problem is right, whatever the gold answer is.

    >>> CountdownVerifier()(r"\boxed{(8 - 2) * 4}", "24", numbers=[2, 4, 8], target=24).correct
    True
    """

    answer_in: str | tuple[str, ...] = ()
    """Where the expression is declared to stand, as in `MathVerifier`; anywhere without it."""

    def __call__(self, response: str, answer: Gold, numbers: Sequence[int], target: int) -> Verdict:
        """Return the verdict on one response."""

        def decide(text: str, _: str) -> tuple[bool, str] | None:
            return decided(text, numbers, target)

        return judged(
            response, answer, "countdown", decide, answer_in=self.answer_in, kind="expression"
        )

    quick = __call__


def decided(text: str, numbers: Sequence[int], target: int) -> tuple[bool, str] | None:
    """Return whether an expression solves a problem, and why; None where the problem is none.

    >>> decided("8 * 2 + 8", [8, 2, 4], 24)
    (False, 'it uses 2, 8, 8, and the numbers are 2, 4, 8')
    """
    whole = (int, float)
    if not numbers or not all(isinstance(n, whole) and n == int(n) for n in (*numbers, target)):
        return None
    stated = _RESULT.fullmatch(text)
    try:
        found = evaluate(stated[1] if stated else text)
    except NotExpression as error:
        return False, f"not an expression: {error}"
    if sorted(found.numbers) != sorted(numbers):
        used, given = (", ".join(map(str, sorted(some))) for some in (found.numbers, numbers))
        return False, f"it uses {used}, and the numbers are {given}"
    if found.value != target:
        return False, f"it makes {found.value}, and the target is {target}"
    if stated and int(stated[2]) != target:
        return False, f"it states {stated[2]}, and the target is {target}"
    return True, f"it makes {target}"
