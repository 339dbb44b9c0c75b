"""Slots -> samples in the ledger: draw what is missing, grade it with the task's own verifier."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, as_completed
from dataclasses import dataclass, field, replace
from queue import SimpleQueue

from rewardkit.evaluation.drawing.ledger import Ledger
from rewardkit.evaluation.drawing.sets import ProblemSet, Slot
from rewardkit.evaluation.engines.base import Engine, Failure, Request, Response
from rewardkit.evaluation.samples import Sample, graded_text
from rewardkit.types import Verdict
from rewardkit.verifiers import VerifierPool


@dataclass
class Activity:
    """What one call has done, apart from what is in the ledger."""

    drawn: int = 0
    reused: int = 0
    regraded: int = 0
    tokens: int = 0
    seconds: float = 0.0
    failures: Counter[str] = field(default_factory=Counter)
    """Reasons for samples that did not come, with counts."""


OnSample = Callable[[Activity, int], None]
"""Called with (what was done, how many samples are wanted) at the beginning, and after each."""


def draw_missing(
    sets: Sequence[ProblemSet],
    engine: Engine,
    ledger: Ledger,
    workers: int | None = None,
    progress: OnSample = lambda activity, wanted: None,
) -> Activity:
    """Draw and grade every sample that the ledger lacks.

    Where the gold or the verifier has changed, what the ledger holds is graded anew.
    """
    started = time.monotonic()
    wanted = sum(len(one.slots) for one in sets)
    activity = Activity(reused=sum(s.key in ledger.samples for one in sets for s in one.slots))
    if activity.reused < wanted:
        progress(activity, wanted)
    for one in sets:
        verifier, columns = one.verifier, one.columns()
        with VerifierPool(one.task.verifier, workers=workers) as pool:
            held = [(slot, ledger.samples.get(slot.key)) for slot in one.slots]
            stale = [
                slot
                for slot, old in held
                if old
                and (old.gold, old.verifier, old.columns)
                != (slot.problem.answer, verifier, columns(slot.problem))
            ]
            _regrade(one, stale, pool, ledger, activity)
            missing = [slot for slot, old in held if old is None]
            for sample in _drawn(one, missing, engine, pool, activity.failures):
                ledger.append(sample)
                activity.drawn += 1
                activity.tokens += sample.tokens
                activity.seconds = time.monotonic() - started
                progress(activity, wanted)
    activity.seconds = time.monotonic() - started
    return activity


def regrade(sets: Sequence[ProblemSet], ledger: Ledger, workers: int | None = None) -> Activity:
    """Verify every sample of the ledger anew without drawing any."""
    activity = Activity()
    for one in sets:
        with VerifierPool(one.task.verifier, workers=workers) as pool:
            held = [slot for slot in one.slots if slot.key in ledger.samples]
            activity.reused += len(held)
            _regrade(one, held, pool, ledger, activity)
    return activity


def _drawn(
    one: ProblemSet,
    slots: Sequence[Slot],
    engine: Engine,
    pool: VerifierPool,
    failures: Counter[str],
) -> Iterator[Sample]:
    """Yield a sample as soon as it has its verdict; others are drawn meanwhile."""
    verifier, columns = one.verifier, one.columns()
    chats = {slot.problem.id: one.task.messages(slot.problem) for slot in slots}
    template = one.task.chat_template_kwargs
    requests = [Request(chats[slot.problem.id], slot.seed, template) for slot in slots]
    waiting: dict[Future[Verdict], tuple[Slot, Response]] = {}
    done: SimpleQueue[Future[Verdict]] = SimpleQueue()

    def sample(future: Future[Verdict]) -> Sample:
        slot, response = waiting.pop(future)
        graded = future.result(), verifier, columns(slot.problem)
        return _sample(one.name, slot, response, *graded)

    try:
        for index, response in engine.generate(requests):
            if isinstance(response, Failure):
                failures[response.reason] += 1
                continue
            thought = response.reasoning if one.grade_reasoning else ""
            text = graded_text(response.text, thought)
            future = pool.submit(text, slots[index].problem)
            waiting[future] = slots[index], response
            future.add_done_callback(done.put)
            while not done.empty():
                yield sample(done.get())
    except (Exception, KeyboardInterrupt):
        # What came before the engine failed is not drawn a second time.
        yield from map(sample, as_completed(list(waiting)))
        raise
    yield from map(sample, as_completed(list(waiting)))


def _sample(
    task: str, slot: Slot, response: Response, verdict: Verdict, verifier: str, columns: str
) -> Sample:
    return Sample(
        key=slot.key,
        task=task,
        problem=slot.problem.id,
        index=slot.index,
        seed=slot.seed,
        gold=slot.problem.answer,
        response=response.text,
        finish=response.finish,
        prompt_tokens=response.prompt_tokens,
        tokens=response.tokens,
        seconds=round(response.seconds, 3),
        outcome=verdict.outcome,
        extracted=verdict.extracted,
        method=verdict.method,
        reason=verdict.reason,
        judged=verdict.judged,
        verifier=verifier,
        score=verdict.score,
        columns=columns,
        reasoning=response.reasoning,
        marks=response.marks,
    )


def _regrade(
    one: ProblemSet, slots: Sequence[Slot], pool: VerifierPool, ledger: Ledger, activity: Activity
) -> None:
    verifier, columns = one.verifier, one.columns()
    held = [ledger.samples[slot.key] for slot in slots]
    texts = [sample.graded_text(with_reasoning=one.grade_reasoning) for sample in held]
    pairs = [(text, slot.problem) for text, slot in zip(texts, slots, strict=True)]
    for slot, verdict in zip(slots, pool.verify(pairs), strict=True):
        old = ledger.samples[slot.key]
        asked = columns(slot.problem)
        new = old.regraded(verdict, slot.problem.answer, verifier, asked)
        if new != old:
            ledger.regrade(new)
            activity.regraded += new != replace(old, verifier=verifier, columns=asked)
