"""Slots -> samples in the ledger: draw what is missing, grade it with the task's own verifier."""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, as_completed
from dataclasses import dataclass, field, replace
from queue import SimpleQueue

from rewardkit.errors import ConfigError
from rewardkit.evaluation.drawing.ledger import Ledger
from rewardkit.evaluation.drawing.sets import ProblemSet, Slot
from rewardkit.evaluation.engines.base import Engine, Failure, Request, Response
from rewardkit.evaluation.samples import Sample, graded_text, verdict_fields
from rewardkit.types import Finish, Verdict
from rewardkit.verifiers import VerifierPool

remark = logging.getLogger(__name__).warning
ALIKE = 4
"""Responses after which it is said that all of them keep what they say in their reasoning."""


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
    """Draw and grade every sample that the ledger lacks, or of which the environment failed.

    Where the gold or the verifier has changed, what the ledger holds is graded anew.
    """
    refuse_unplayed(sets, engine)
    started = time.monotonic()
    wanted = sum(len(one.slots) for one in sets)
    activity = Activity(reused=sum(ledger.holds(s.key) for one in sets for s in one.slots))
    if activity.reused < wanted:
        progress(activity, wanted)
    for one in sets:
        with VerifierPool(one.task.verifier, workers=workers) as pool:
            _regrade(
                one,
                [slot for slot in one.slots if _stale(one, slot, ledger)],
                pool,
                ledger,
                activity,
            )
            missing = [slot for slot in one.slots if not ledger.holds(slot.key)]
            for sample in _drawn(one, missing, engine, pool, activity.failures):
                ledger.append(sample)
                activity.drawn += 1
                activity.tokens += sample.tokens
                activity.seconds = time.monotonic() - started
                progress(activity, wanted)
    activity.seconds = time.monotonic() - started
    return activity


def refuse_unplayed(sets: Sequence[ProblemSet], engine: Engine) -> None:
    """Raise a ConfigError where a task has an environment, and the engine plays none."""
    for one in sets:
        if one.task.environment is not None and not getattr(engine, "plays", False):
            raise ConfigError(
                f"task {one.name} has an environment, which this engine plays not; use "
                "--engine fast or --engine transformers"
            )


def regrade(sets: Sequence[ProblemSet], ledger: Ledger, workers: int | None = None) -> Activity:
    """Verify every sample of the ledger anew without drawing any."""
    activity = Activity()
    for one in sets:
        with VerifierPool(one.task.verifier, workers=workers) as pool:
            held = [slot for slot in one.slots if slot.key in ledger.samples]
            activity.reused += len(held)
            _regrade(one, held, pool, ledger, activity)
    return activity


def settled(verdict: Verdict | None) -> Future[Verdict] | None:
    """Return a verdict as a pool does that has it, where there is one."""
    if verdict is None:
        return None
    found = Future[Verdict]()
    found.set_result(verdict)
    return found


def _requests(one: ProblemSet, slots: Sequence[Slot]) -> list[Request]:
    chats = {slot.problem.id: one.task.messages(slot.problem) for slot in slots}
    template = one.task.chat_template_kwargs
    found = [Request(chats[slot.problem.id], slot.seed, template) for slot in slots]
    if one.task.environment is None:
        return found
    return [
        replace(request, problem=slot.problem, task=one.task)
        for request, slot in zip(found, slots, strict=True)
    ]


def _drawn(
    one: ProblemSet,
    slots: Sequence[Slot],
    engine: Engine,
    pool: VerifierPool,
    failures: Counter[str],
) -> Iterator[Sample]:
    """Yield a sample as soon as it has its verdict; others are drawn meanwhile."""
    requests = _requests(one, slots)
    waiting: dict[Future[Verdict], tuple[Slot, Response]] = {}
    done: SimpleQueue[Future[Verdict]] = SimpleQueue()
    thought_only: Counter[bool] = Counter()

    def sample(future: Future[Verdict]) -> Sample:
        slot, response = waiting.pop(future)
        return Sample(
            key=slot.key,
            task=one.name,
            problem=slot.problem.id,
            index=slot.index,
            seed=slot.seed,
            response=response.text,
            finish=response.finish,
            prompt_tokens=response.prompt_tokens,
            tokens=response.tokens,
            seconds=round(response.seconds, 3),
            reasoning=response.reasoning,
            marks=response.marks,
            segments=response.segments,
            tool_errors=response.tool_errors,
            **one.grounds(slot.problem),
            **verdict_fields(future.result()),
        )

    try:
        for index, response in engine.generate(requests):
            if isinstance(response, Failure):
                failures[response.reason] += 1
                continue
            if response.finish is Finish.STOP and not one.grade_reasoning:
                thought_only[bool(response.reasoning) and not response.text] += 1
                if thought_only == {True: ALIKE}:
                    remark(
                        f"{one.name}: the first {ALIKE} responses hold their text in the reasoning "
                        "alone (the server's reasoning_content), and nothing in the answer, which "
                        "is what is graded. To grade both, end this and add --grade-reasoning: "
                        "what was drawn is kept"
                    )
            thought = response.reasoning if one.grade_reasoning else ""
            text = graded_text(response.text, thought)
            future = settled(response.verdict) or pool.submit(text, slots[index].problem)
            waiting[future] = slots[index], response
            future.add_done_callback(done.put)
            while not done.empty():
                yield sample(done.get())
    except (Exception, KeyboardInterrupt):
        # What came before the engine failed is not drawn a second time.
        yield from map(sample, as_completed(list(waiting)))
        raise
    yield from map(sample, as_completed(list(waiting)))


def _stale(one: ProblemSet, slot: Slot, ledger: Ledger) -> bool:
    """Return whether there is a verdict on a sample, and of another gold or verifier."""
    old = ledger.samples.get(slot.key)
    now = one.grounds(slot.problem)
    return old is not None and any(getattr(old, name) != now[name] for name in now)


def by_environment(one: ProblemSet, sample: Sample) -> bool:
    """Return whether the verdict on a sample is the environment's own, or that it failed."""
    return hasattr(one.task.environment, "grade") or sample.environment_failed


def _regrade(
    one: ProblemSet, slots: Sequence[Slot], pool: VerifierPool, ledger: Ledger, activity: Activity
) -> None:
    # What an environment said of a rollout, its verifier cannot say of the text alone.
    slots = [s for s in slots if not by_environment(one, ledger.samples[s.key])]
    texts = [ledger.samples[s.key].graded_text(with_reasoning=one.grade_reasoning) for s in slots]
    pairs = [(text, slot.problem) for text, slot in zip(texts, slots, strict=True)]
    for slot, verdict in zip(slots, pool.verify(pairs), strict=True):
        old, now = ledger.samples[slot.key], one.grounds(slot.problem)
        new = replace(old, **now, **verdict_fields(verdict))
        if new != old:
            ledger.regrade(new)
            known = replace(old, verifier=now["verifier"], columns=now["columns"])
            activity.regraded += new != known
