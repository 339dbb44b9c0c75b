"""What the small verifiers share: where an answer stands in a response, and timing."""

from __future__ import annotations

import time
from collections.abc import Callable

from rewardkit.golds import as_text
from rewardkit.types import Gold, Outcome, Verdict
from rewardkit.verifiers.extraction.extract import extract
from rewardkit.verifiers.limits import work
from rewardkit.verifiers.options import MathOptions
from rewardkit.verifiers.parsing.spelling.surroundings import trim

_OPTIONS = MathOptions()


def final_text(response: str) -> str | None:
    """Return the final answer of a response as written, or None."""
    found = extract(response, _OPTIONS)
    return (trim(found.text) or None) if found else None


def judged(
    response: str, answer: Gold, method: str, decide: Callable[[str, str], tuple[bool, str] | None]
) -> Verdict:
    """Return the verdict of `decide(text, gold) -> (same, reason)`; None from it is BAD_GOLD."""
    started = time.perf_counter()
    work.begin()
    gold = ""
    try:
        gold = as_text(answer).strip()
        text = final_text(response)
        decided = decide(text if text is not None else "", gold)
    except Exception as error:  # noqa: BLE001 a bug of ours must not end a training run
        reason = f"{type(error).__name__}: {error}"[:300]
        return Verdict(Outcome.ERROR, None, gold, method, reason, time.perf_counter() - started)
    seconds = time.perf_counter() - started
    if decided is None:
        reason = f"the gold {gold[:80]!r} is nothing this verifier knows"
        return Verdict(Outcome.BAD_GOLD, text, gold, method, reason, seconds)
    if text is None:
        reason = "no answer in the response"
        return Verdict(Outcome.NO_ANSWER, None, gold, method, reason, seconds)
    same, reason = decided
    outcome = Outcome.CORRECT if same else Outcome.INCORRECT
    return Verdict(outcome, text[:500], gold, method, reason, seconds)
