"""`verify`, and what is built on it: whether what was parsed of two texts means the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from rewardkit.drop_in.extraction import (
    ExprExtractionConfig,
    Parsed,
    Target,
    answer_of,
    parse,
)
from rewardkit.errors import RewardkitError
from rewardkit.types import UNDECIDED, Outcome, Verdict
from rewardkit.verifiers.expressions import nodes
from rewardkit.verifiers.kinds import kind_of
from rewardkit.verifiers.limits import TooComplex
from rewardkit.verifiers.math import MathVerifier
from rewardkit.verifiers.parsing.parser import reading
from rewardkit.verifiers.pool.direct import pool_of_direct_calls

PATIENT_SECONDS = 30.0
"""Of one comparison by sympy, where no timeout is given."""
_DECIMAL = re.compile(r"-?0*+(\d*+)\.(0*+)\d*")
_ZEROS = re.compile(r"(\.\d*?[1-9]|\.)0+\Z")
_INEQUALITIES = {"<", ">", "<=", ">="}
_NAME = re.compile(r"(?<![\\a-zA-Z])[a-zA-Z](?![a-zA-Z])")
"""An unknown of one letter."""


class UndecidedError(RewardkitError):
    """A comparison took too long or failed; raised only where `raise_on_error` asks for it."""


def verify(
    gold: Any,
    target: Any,
    float_rounding: int = 6,
    numeric_precision: int = 15,
    strict: bool = True,
    allow_set_relation_comp: bool = False,
    timeout_seconds: int | None = 5,
    raise_on_error: bool = False,
) -> bool:
    r"""Return whether any of what was parsed of a response means the same as any of the gold's.

    Args:
        gold: what `parse` returned, one value of it, a text, a number, or an expression of sympy.
        target: the same of the response.
        float_rounding: how many decimals make a rounded number equal to an exact one.
        numeric_precision: nothing to choose: numbers are compared exactly, or with 40 digits.
        strict: whether names of unknowns count, and the order of a tuple.
        allow_set_relation_comp: whether `1 < x < 2` counts for a gold (1, 2).
        timeout_seconds: CPU seconds of the rare comparison that only sympy can decide, in a
            process of its own; None or 0 for 30. All others end after so many steps.
        raise_on_error: whether a comparison that cannot be decided raises.

    Raises:
        UndecidedError: it cannot be decided, and `raise_on_error` is set.

    >>> verify(parse("$1/3$"), parse(r"so it is \boxed{\frac{2}{6}}"))
    True
    """
    how = (float_rounding, strict, allow_set_relation_comp, timeout_seconds or 0)
    for one, other in product(*_without_texts(_listed(gold), _listed(target))):
        verdict = compared(one, other, *how)
        if verdict.correct:
            return True
        if raise_on_error and verdict.outcome in UNDECIDED:
            raise UndecidedError(f"{verdict.outcome.value}: {verdict.reason}")
    return False


def compared(
    gold: Any,
    target: Any,
    float_rounding: int = 6,
    strict: bool = True,
    allow_set_relation_comp: bool = False,
    seconds: float = 5.0,
) -> Verdict:
    """Return the verdict on one value against one gold; two texts are equal where written alike."""
    if isinstance(gold, str) or isinstance(target, str):
        both = isinstance(gold, str) and isinstance(target, str)
        same = both and gold.strip() == target.strip() != ""
        return Verdict(Outcome.CORRECT if same else Outcome.INCORRECT, str(target), str(gold))
    try:
        wanted, text = _answers(_parsed(gold), _parsed(target))
        if text is None:
            return Verdict(Outcome.NO_ANSWER, gold=wanted, reason="nothing in the response is read")
        verifier = MathVerifier(
            answer_in="box",
            unevaluated="accept",
            ordered_tuples=strict,
            decimal_digits=_digits(text, float_rounding),
            relation_as_set=allow_set_relation_comp or not _relation_for_set(wanted, text),
        )
        response = rf"\boxed{{{text if strict else _renamed(wanted, text)}}}"
        verdict = verifier.quick(response, wanted)
    except TooComplex as limit:
        return Verdict(Outcome.TIMEOUT, gold=str(gold), reason=str(limit))
    if verdict is not None:
        return verdict
    verifier = replace(verifier, decimal_digits=float_rounding)  # few verifiers, few pools
    pool = pool_of_direct_calls(verifier, seconds or PATIENT_SECONDS)
    return pool.verify_one(response, wanted)


def _answers(gold: Parsed, target: Parsed) -> tuple[str, str | None]:
    """Return the value of a gold, and that of a response where such a value is asked for."""
    wanted = str(gold)
    alike = target.pred.strip() == gold.pred.strip()
    return wanted, wanted if alike else answer_of(target.pred, target.targets, kind_of(wanted))


def _without_texts(*sides: list[Any]) -> list[list[Any]]:
    """Return both sides without the texts beside their values, which are another reading."""
    valued = [[one for one in side if not isinstance(one, str)] for side in sides]
    return valued if all(valued) else list(sides)


def _listed(values: Any) -> list[Any]:
    return values if isinstance(values, list) else [values]


def _parsed(value: Any) -> Parsed:
    """Return a value, which may be a number or of sympy, as `parse` returns it."""
    return value if isinstance(value, Parsed) else Parsed(_ZEROS.sub(r"\1", str(value)))


def _digits(text: str, decimals: int) -> int:
    """Return how many significant digits a rounded number has, given its decimals."""
    number = _DECIMAL.fullmatch(text)
    if number is None:
        return max(decimals, 0)
    before, zeros = number.groups()
    return max(1, decimals + (len(before) or -len(zeros)))


def _relation_for_set(gold: str, text: str) -> bool:
    """Return whether an inequality is given for a set; math-verify takes only the opposite."""
    kinds = [
        isinstance(tree, nodes.Relation) and set(tree.operators) <= _INEQUALITIES
        for tree in (reading(gold), reading(text))
    ]
    return kinds == [False, True]


def _renamed(gold: str, text: str) -> str:
    """Return an answer with its one-letter unknowns named as those of the gold, in their order."""
    names = [list(dict.fromkeys(_NAME.findall(one))) for one in (gold, text)]
    if len(names[0]) != len(names[1]):
        return text
    new = dict(zip(names[1], names[0], strict=True))
    return _NAME.sub(lambda found: new[found[0]], text)


def math_metric(
    gold_extraction_target: Sequence[Target] = (ExprExtractionConfig(),),
    pred_extraction_target: Sequence[Target] = (ExprExtractionConfig(),),
    aggregation_function: Callable[[list[float]], float] = max,
    precision: int = 6,
) -> Callable[[list[str], list[str]], tuple[float, tuple[list[str], list[str]]]]:
    """Return a function from golds and responses to a score, and what was parsed of each.

    Args:
        gold_extraction_target: what is read of the golds.
        pred_extraction_target: what is read of the responses.
        aggregation_function: from the scores of the responses to one.
        precision: how many decimals make a rounded number equal to an exact one.

    >>> math_metric()(["12"], ["so it is 12", "13"])
    (1.0, (['12', '12'], ['12', '12', '13', '13']))
    """

    def metric(golds: list[str], preds: list[str]) -> tuple[float, tuple[list[str], list[str]]]:
        wanted = [parse(gold, gold_extraction_target) for gold in golds]
        answers = [parse(pred, pred_extraction_target) for pred in preds]
        if not all(wanted):
            raise ValueError(f"no answer is found in a gold: {golds}")
        score = aggregation_function(scores(wanted, answers, precision))
        return score, (shown(wanted), shown(answers))

    return metric


def shown(parsed: list[list[Any]]) -> list[str]:
    """Return what was parsed, as the texts that metrics of lighteval and math-verify show."""
    return [str(part) for parts in parsed for part in parts]


def scores(golds: list[list[Any]], answers: list[list[Any]], precision: int) -> list[float]:
    """Return 1 for each answer that means the same as any gold, else 0."""
    return [float(any(verify(gold, one, precision) for gold in golds)) for one in answers]
