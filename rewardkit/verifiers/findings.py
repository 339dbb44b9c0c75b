"""What a comparison finds, and what the rules for the kinds of answers need of each other."""

from __future__ import annotations

from dataclasses import dataclass

from rewardkit.verifiers.equality import Answer
from rewardkit.verifiers.nodes import Node
from rewardkit.verifiers.options import MathOptions


@dataclass(frozen=True, slots=True)
class Finding:
    """Whether two answers are equal, which rule said so, and why."""

    answer: Answer
    method: str
    reason: str

    @property
    def equal(self) -> bool:
        """Whether they are equal."""
        return self.answer is Answer.EQUAL


def equal(method: str, reason: str) -> Finding:
    """Return the finding that both are equal."""
    return Finding(Answer.EQUAL, method, reason)


def different(method: str, reason: str) -> Finding:
    """Return the finding that they differ."""
    return Finding(Answer.DIFFERENT, method, reason)


class _Rules:
    """One comparison under the given policies; the rules of one kind of answer each subclass it."""

    def __init__(self, options: MathOptions, sympy: bool) -> None:
        self.options = options
        self.sympy = sympy

    def compare(self, gold: Node, pred: Node) -> Finding:
        raise NotImplementedError

    def expressions(self, gold: Node, pred: Node) -> Finding:
        raise NotImplementedError
