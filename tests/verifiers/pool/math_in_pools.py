"""Verifiers with a `MathVerifier` inside, for workers to import."""

import os
from pathlib import Path

from rewardkit.types import Verdict
from rewardkit.verifiers import MathVerifier
from rewardkit.verifiers.expressions import sympy_bridge
from rewardkit.verifiers.limits import work
from rewardkit.verifiers.pool.direct import pool_of_direct_calls


def integrating(response, answer):
    """Use `MathVerifier` inside, and say how many child processes that made."""
    verdict = MathVerifier()(response, answer)
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    return Verdict(verdict.outcome, reason=str(len(children)))


class Within:
    """`MathVerifier` within as many sympy steps as stand behind the gold answer."""

    def quick(self, response, answer):
        return MathVerifier().quick(response, answer.partition("|")[0])

    def warm(self):
        MathVerifier().warm()

    def __call__(self, response, answer):
        gold, _, steps = answer.partition("|")
        if not work.unbounded:
            return pool_of_direct_calls(self, 60.0).verify_one(response, answer)
        kept, sympy_bridge.MAX_SYMPY_NODES = sympy_bridge.MAX_SYMPY_NODES, int(steps)
        try:
            return MathVerifier()(response, gold)
        finally:
            sympy_bridge.MAX_SYMPY_NODES = kept
