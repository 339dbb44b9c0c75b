"""Near misses: responses graded as not right that a person should look at first.

Two signs, neither of them a verdict: the gold answer stands where an answer is stated (in a box, or
in the last lines) and something else or nothing was extracted; or math-verify, where it is
installed, takes the response for right. Two plain numbers that differ need no second opinion.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib.util import find_spec

from rewardkit.evaluation.drawing.plan import ProblemSet
from rewardkit.evaluation.samples import Sample
from rewardkit.runs.results import SetResult
from rewardkit.types import Outcome, Problem
from rewardkit.verifiers import VerifierPool

END = 200
"""Characters at the end of a response where an answer is stated in words."""
SHORTEST = 3
"""Characters of a gold answer that is no mathematics, and still tells."""
GOLD, SECOND = "gold", "math_verify"
SIGNS = {
    GOLD: "the gold answer stands in the response, and was not extracted",
    SECOND: "math-verify takes the response for right",
}
_PLAIN = re.compile(r"[-+]?\d+(\.\d+)?")
_BOX = re.compile(r"\\(?:boxed|fbox)\s*\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}")
_NOT_RIGHT = (Outcome.INCORRECT, Outcome.NO_ANSWER)


def gold_stands_in(response: str, gold: str) -> bool:
    r"""Whether the gold answer stands in a box, or by itself in the last lines.

    >>> gold_stands_in("So x = 12.\nI am done.", "12"), gold_stands_in("It is 112, or 1.12", "12")
    (True, False)
    >>> gold_stands_in(r"\boxed{ \frac12 } it was, but wait" + 300 * ".", r"\frac12")
    True
    """
    wanted = _bare(gold)
    if not wanted:
        return False
    if any(_bare(box) == wanted for box in _BOX.findall(response)):
        return True
    end = _bare(response[-END:])
    edge = r"(?<![\w.,/^\\]){}(?![\w/^]|[.,]\d)"
    return re.search(edge.format(re.escape(wanted)), end) is not None


def near_misses(
    one: ProblemSet, samples: Mapping[str, Sample], workers: int | None = None
) -> dict[str, str]:
    """Return the key of each near miss of a set, and its sign."""
    held = [
        (samples[slot.key], slot.problem)
        for slot in one.slots
        if slot.key in samples and samples[slot.key].outcome in _NOT_RIGHT
    ]
    mathematics = _is_mathematics(one)
    found = {
        s.key: GOLD
        for s, p in held
        # The letter of an option stands in a text for many reasons.
        if (mathematics or len(p.answer) >= SHORTEST) and gold_stands_in(s.response, p.answer)
    }
    asked = [(s, p) for s, p in held if s.key not in found and _disputable(s, p)]
    if asked and mathematics and find_spec("math_verify") is not None:
        found |= dict.fromkeys(_taken_for_right(asked, workers), SECOND)
    return found


def mark_near_misses(row: SetResult, found: Mapping[str, str]) -> None:
    """Write near misses into the results of their set: each at its sample, and how many."""
    counts = {sign: list(found.values()).count(sign) for sign in SIGNS}
    row["near_misses"] = {"count": len(found), **counts}
    for problem in row["per_problem"]:
        for sample in problem["samples"]:
            if sample["key"] in found:
                sample["near_miss"] = found[sample["key"]]


def _taken_for_right(asked: Sequence[tuple[Sample, Problem]], workers: int | None) -> list[str]:
    from rewardkit.verifiers import MathVerify

    with VerifierPool(MathVerify(), workers=workers) as pool:
        verdicts = pool.verify((sample.response, problem) for sample, problem in asked)
        return [s.key for (s, _), verdict in zip(asked, verdicts, strict=True) if verdict.correct]


def _is_mathematics(one: ProblemSet) -> bool:
    from rewardkit.verifiers import IntegerVerifier, MathVerifier

    return isinstance(one.task.verifier, IntegerVerifier | MathVerifier)


def _disputable(sample: Sample, problem: Problem) -> bool:
    """Whether another reading of the response could be right at all."""
    if sample.extracted is None:
        return bool(_BOX.search(sample.response) or re.search(r"\d", sample.response[-END:]))
    plain = _PLAIN.fullmatch(_bare(sample.extracted)) and _PLAIN.fullmatch(_bare(problem.answer))
    return plain is None


def _bare(text: str) -> str:
    """Return a text without what only lays it out; words stay apart."""
    plain = re.sub(r"\\[,;:! ]|\\left|\\right", "", text)
    plain = plain.replace("\\dfrac", "\\frac").replace("\\tfrac", "\\frac")
    return re.sub(r"[\s$*]+", " ", plain).strip().removesuffix(".")
