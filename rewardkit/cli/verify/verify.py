"""`rewardkit verify`: explain one verdict."""

from __future__ import annotations

import json as json_module
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from rewardkit.cli.options.grading import Grader
from rewardkit.errors import ConfigError, nearest_hint
from rewardkit.types import Problem, Verdict

if TYPE_CHECKING:
    from rewardkit.verifiers.signature import Asked

FIELDS = ("outcome", "score", "reason", "extracted", "gold", "method", "seconds")


def verify(
    *,
    answer: str,
    response: str,
    columns: str = "{}",
    json: bool = False,
    grader: Grader = Grader(),
) -> None:
    """Grade one response, and say why.

    The command `rewardkit verify cases FILE` measures a verifier on a file of labelled cases.

    Args:
        answer: the gold answer.
        response: the model's response; "-" reads it from standard input.
        columns: what the verifier asks for besides, as JSON: {"numbers": [3, 8], "target": 24}.
        json: print one JSON object instead of a table.
        grader: what grades.
    """
    from rewardkit.verifiers import VerifierPool
    from rewardkit.verifiers.signature import lacking

    problem = Problem("given", "", answer, info=_table(columns))
    with VerifierPool(grader.made(), workers=1, deadline_s=grader.deadline) as pool:
        if missing := lacking(pool.asked, problem.info):
            shown = ", ".join(f'"{name}": ...' for name in missing)
            raise ConfigError(
                f"the verifier {grader.verifier} asks for {' and '.join(missing)} besides; give "
                f"--columns '{{{shown}}}'{nearest_hint(missing[0], problem.info)}"
            )
        _refuse_unasked(grader.verifier, pool.asked, problem.info)
        verdict = pool.verify_one(sys.stdin.read() if response == "-" else response, problem)
    print(_as_json(verdict) if json else _as_text(verdict))  # noqa: T201


def _refuse_unasked(verifier: str, asked: Asked, columns: Iterable[str]) -> None:
    """Refuse a column that the verifier would not see: misspelt, its default would stand in it."""
    from rewardkit.verifiers.signature import WHOLE

    names = (*asked.needed, *asked.optional)
    unasked = [] if WHOLE in names else [name for name in columns if name not in names]
    if unasked:
        raise ConfigError(
            f"the verifier {verifier} does not ask for {unasked[0]!r}"
            f"{nearest_hint(unasked[0], names)}"
        )


def _table(text: str) -> dict[str, Any]:
    try:
        found = json_module.loads(text)
    except ValueError as error:
        raise ConfigError(f"--columns {text!r} is not JSON ({error})") from error
    if not isinstance(found, dict):
        raise ConfigError(f'--columns is a table, {{"target": 24}}, found {text}')
    return found


def _as_text(verdict: Verdict) -> str:
    shown = {name: getattr(verdict, name) for name in FIELDS} | {
        "seconds": f"{verdict.seconds:.6f}"
    }
    return "\n".join(f"{name:<9}  {value}" for name, value in shown.items())


def _as_json(verdict: Verdict) -> str:
    return json_module.dumps({name: getattr(verdict, name) for name in FIELDS}, ensure_ascii=False)
