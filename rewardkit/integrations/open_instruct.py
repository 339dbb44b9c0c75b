"""open-instruct: a verifier for rows whose `dataset` is its name.

verdict_function("math_verdict", "math", answer_in="box")  # in a module that the run imports
"""

from __future__ import annotations

from typing import Any

from rewardkit.integrations.grading import Grader, Target


def verdict_function(name: str, target: Target, **grading: Any) -> Any:
    """Return a subclass of `VerifierFunction`, which open-instruct finds by being one.

    The label is the gold; `grading` is for the `Grader`. An undecided response has a score of 0;
    why stands in `reasoning`, as for all.
    """
    from open_instruct.ground_truth_utils import VerificationResult, VerifierFunction

    grader = Grader(target, **{"gold": "label", **grading})

    class VerdictFunction(VerifierFunction):  # type: ignore[misc]
        def __init__(self, verifier_config: Any = None) -> None:
            super().__init__(name, verifier_config=verifier_config)

        def __call__(self, tokens: Any, prediction: str, label: Any, *_: Any, **__: Any) -> Any:
            verdict = grader.training_verdict(prediction, {grader.gold: label})
            return VerificationResult(score=verdict.score, reasoning=verdict.reason)

    return VerdictFunction
