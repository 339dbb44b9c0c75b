"""What the small verifiers share: one reading of a response, and timing."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from rewardkit.golds import as_text
from rewardkit.types import Gold, Outcome, Verdict
from rewardkit.verifiers.format.found import NOT_A_VALUE, Found
from rewardkit.verifiers.kinds import Kind
from rewardkit.verifiers.limits import work
from rewardkit.verifiers.parsing.spelling.surroundings import trim
from rewardkit.verifiers.reading import read

_COMMAND, _WORD = re.compile(r"\\[a-zA-Z]+"), re.compile(r"[^\W\d_]{3}")
Decide = Callable[[str, str], tuple[bool, str] | None]


def judged(
    response: str,
    answer: Gold,
    method: str,
    decide: Decide,
    *,
    answer_in: str | tuple[str, ...],
    kind: Kind,
) -> Verdict:
    """Return the verdict of `decide(text, gold) -> (same, reason)`; None from it is BAD_GOLD."""
    started = time.perf_counter()
    work.begin()
    gold = ""
    try:
        gold = as_text(answer).strip()
        found = read(response, answer_in, kind)
        text = trim(found.text) if isinstance(found, Found) else ""
        decided = decide(text, gold)
    except Exception as error:  # noqa: BLE001 a bug of ours must not end a training run
        reason = f"{type(error).__name__}: {error}"[:300]
        return Verdict(Outcome.ERROR, None, gold, method, reason, time.perf_counter() - started)
    seconds = time.perf_counter() - started
    if decided is None:
        reason = f"the gold {gold[:80]!r} is nothing this verifier knows"
        return Verdict(Outcome.BAD_GOLD, text or None, gold, method, reason, seconds)
    if not isinstance(found, Found):
        return Verdict(Outcome.NO_ANSWER, None, gold, found.method, found.reason, seconds)
    same, reason = decided
    if kind == "number" and not same and _is_words(text):
        place = found.by.replace("_", " ")
        said = f"the {place} holds words and no number: {text[:80]!r}"
        return Verdict(Outcome.NO_ANSWER, text[:500], gold, NOT_A_VALUE, said, seconds)
    outcome = Outcome.CORRECT if same else Outcome.INCORRECT
    return Verdict(outcome, text[:500], gold, method, reason, seconds)


def _is_words(text: str) -> bool:
    """Return whether a text has words and no digit; commands and names of one letter are none."""
    return not any(map(str.isdigit, text)) and bool(_WORD.search(_COMMAND.sub("", text)))
