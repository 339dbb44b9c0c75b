"""`rewardkit verify`: explain one verdict, or measure a verifier on a file of labelled cases."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from rewardkit.errors import ConfigError
from rewardkit.types import Verdict


def verify(
    *,
    answer: str | None = None,
    response: str | None = None,
    cases: Path | None = None,
    verifier: str = "math",
    workers: int = 1,
    deadline: float = 10.0,
    show: int = 0,
    json: bool = False,
) -> None:
    """Grade one response (--answer and --response), or a file of labelled cases (--cases).

    Args:
        answer: the gold answer.
        response: the model's response; "-" reads it from standard input.
        cases: JSONL rows `gold, pred, expected, kind, category?, debatable?`.
        verifier: a registered name or `package.module:attribute`.
        workers: how many worker processes at most.
        deadline: wall-clock seconds that one pair may take.
        show: how many of the wrong verdicts to print, false accepts first.
        json: print one JSON object instead of tables.
    """
    from rewardkit.verifiers import VerifierPool, load_verifier

    if (cases is None) == (answer is None) or (response is None) != (answer is None):
        raise ConfigError("give --answer and --response, or --cases")
    if show < 0:
        raise ConfigError(f"--show must be 0 or more, found {show}")
    with VerifierPool(load_verifier(verifier), workers=workers, deadline_s=deadline) as pool:
        if cases is not None:
            from rewardkit.verifiers.cases import measure, read_cases

            report = measure(pool, read_cases(cases))
            print(report.as_json() if json else report.as_text(show))  # noqa: T201
        else:
            assert answer is not None
            text = sys.stdin.read() if response == "-" else response or ""
            verdict = pool.verify_one(text, answer)
            print(_as_json(verdict) if json else _as_text(verdict))  # noqa: T201


def _as_text(verdict: Verdict) -> str:
    return "\n".join(
        [
            f"outcome    {verdict.outcome}",
            f"reason     {verdict.reason}",
            f"extracted  {verdict.extracted}",
            f"gold       {verdict.gold}",
            f"method     {verdict.method}",
            f"seconds    {verdict.seconds:.6f}",
        ]
    )


def _as_json(verdict: Verdict) -> str:
    names = ("outcome", "reason", "extracted", "gold", "method", "seconds")
    return json.dumps({name: getattr(verdict, name) for name in names}, ensure_ascii=False)
