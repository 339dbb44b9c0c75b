"""Verifiers that wait for a server instead of computing: asked from here, never in a worker.

Such a verifier has `submit(response, gold, **columns)`, which returns a future verdict. One that is
made of verifiers has `waits`, whether any of them is such a one, and `steps(gold, **columns)`: a
generator that yields the verifier to ask next, is sent its verdict, and returns its own.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from typing import Any

from rewardkit.errors import described
from rewardkit.types import Outcome, Verdict, VerifierLike

Steps = Generator[VerifierLike, Verdict, Verdict]
Ask = Callable[[VerifierLike], "Verdict | Future[Verdict]"]
NOT_ASKED = "not asked"
"""The method of a verdict beyond a budget: what the verifier before said stands."""
TALKED_OVER = "the judge calls a wrong gold the same as this response, too"
HELD_FIRM = "the judge accepts it, and not with a wrong gold"
TRIED = {TALKED_OVER: ">talked over", HELD_FIRM: ">tried"}
"""Reasons of verdicts on responses that were tried with a wrong gold; what records call that."""


def waits(verifier: Any) -> bool:
    """Return whether a verifier, or one that it is made of, waits for a server."""
    return hasattr(verifier, "submit") or bool(getattr(verifier, "waits", False))


def in_turn(steps: Steps, ask: Callable[[VerifierLike], Verdict]) -> Verdict:
    """Return the verdict of steps, each asked in this thread."""
    verdict: Any = None
    while True:
        try:
            verifier = steps.send(verdict)
        except StopIteration as end:
            found: Verdict = end.value
            return found
        verdict = ask(verifier)


def followed(steps: Steps, ask: Ask) -> Future[Verdict]:
    """Return the future verdict of steps, each begun when the one before it has its verdict."""
    out: Future[Verdict] = Future()

    def go_on(done: Future[Verdict] | None) -> None:
        try:
            verdict: Any = done and done.result()
            while not out.cancelled():
                found = ask(steps.send(verdict))
                if isinstance(found, Future):
                    found.add_done_callback(go_on)
                    return
                verdict = found
            return
        except StopIteration as end:
            whole = end.value
        except BaseException as error:  # noqa: BLE001 whatever it is, who waits must be told
            whole = Verdict(Outcome.ERROR, method="pool", reason=described(error))
        with suppress(InvalidStateError):  # nobody waits any longer
            out.set_result(whole)

    go_on(None)
    return out
