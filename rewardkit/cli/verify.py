"""`rewardkit verify`: explain one verdict."""

from __future__ import annotations

import json as json_module
import sys
from typing import Any

from rewardkit.errors import ConfigError, nearest_hint
from rewardkit.types import Problem, Verdict

FIELDS = ("outcome", "score", "reason", "extracted", "gold", "method", "seconds")


def verify(
    *,
    answer: str,
    response: str,
    verifier: str = "math",
    columns: str = "{}",
    deadline: float = 10.0,
    json: bool = False,
) -> None:
    """Grade one response, and say why.

    The command `rewardkit verify cases FILE` measures a verifier on a file of labelled cases.

    Args:
        answer: the gold answer.
        response: the model's response; "-" reads it from standard input.
        verifier: a registered name or `package.module:attribute`.
        columns: what the verifier asks for besides, as JSON: {"numbers": [3, 8], "target": 24}.
        deadline: wall-clock seconds that the verdict may take.
        json: print one JSON object instead of a table.
    """
    from rewardkit.verifiers import VerifierPool, load_verifier
    from rewardkit.verifiers.signature import lacking

    problem = Problem("given", "", answer, info=_table(columns))
    with VerifierPool(load_verifier(verifier), workers=1, deadline_s=deadline) as pool:
        if missing := lacking(pool.asked, problem.info):
            shown = ", ".join(f'"{name}": ...' for name in missing)
            raise ConfigError(
                f"the verifier {verifier} asks for {' and '.join(missing)} besides; give "
                f"--columns '{{{shown}}}'{nearest_hint(missing[0], problem.info)}"
            )
        verdict = pool.verify_one(sys.stdin.read() if response == "-" else response, problem)
    print(_as_json(verdict) if json else _as_text(verdict))  # noqa: T201


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
