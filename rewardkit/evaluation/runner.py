"""Draw what is missing, grade it with the task's own verifier, write it down."""

from __future__ import annotations

import hashlib
import inspect
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, as_completed
from dataclasses import dataclass, field, replace
from queue import SimpleQueue

from rewardkit.errors import DataError
from rewardkit.evaluation.engines import Engine, Failure, Request, Response, sampling_record
from rewardkit.evaluation.ledger import Ledger, Sample, sample_key, text_hash
from rewardkit.types import Finish, Problem, Task, Verdict, Verifier
from rewardkit.verifiers import VerifierPool


@dataclass(frozen=True, slots=True)
class Slot:
    """The place of one sample: which problem it answers, and the key it is filed under."""

    problem: Problem
    index: int
    seed: int
    key: str


@dataclass(frozen=True)
class ProblemSet:
    """The problems of one task that are evaluated together, and a slot for each sample."""

    name: str
    task: Task
    problems: Sequence[Problem]
    slots: Sequence[Slot]
    prompts: Mapping[str, str]
    """Problem id -> the prompt as the model sees it."""


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


Progress = Callable[[Activity, int], None]
"""Called with (what was done, how many samples are wanted) after each sample."""


def plan(
    named: Mapping[str, tuple[Task, Sequence[Problem]]], engine: Engine, samples: int, seed: int
) -> list[ProblemSet]:
    """Lay out every sample that the evaluation needs.

    A text that occurs twice gets samples of its own each time: shared ones would count the same
    luck twice.

    Raises:
        DataError: two problems of a set have the same id.
    """
    sampling = sampling_record(engine.decoding, seed)
    occurrences: Counter[str] = Counter()
    sets = []
    for name, (task, problems) in named.items():
        ids = Counter(problem.id for problem in problems)
        repeated = [identity for identity, count in ids.items() if count > 1]
        if repeated:
            raise DataError(
                f"task {name}: id {repeated[0]!r} is used by {ids[repeated[0]]} problems"
            )
        slots, prompts = [], {}
        for problem in problems:
            prompt = engine.render(task.messages(problem))
            prompts[problem.id] = prompt
            occurrences[problem.question] += 1
            nth = occurrences[problem.question]
            text = problem.question if nth == 1 else f"{problem.question}\n#{nth}"
            for index in range(samples):
                key = sample_key(engine.fingerprint, text, prompt, sampling, index)
                slots.append(Slot(problem, index, sample_seed(seed, text, index), key))
        sets.append(ProblemSet(name, task, problems, slots, prompts))
    return sets


def sample_seed(seed: int, text: str, index: int) -> int:
    """Return the seed of one sample, distinct for each (seed, problem text, index)."""
    digest = hashlib.sha256(f"{seed}\n{index}\n{text}".encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big") >> 1  # torch takes 63 bits


def draw_missing(
    sets: Sequence[ProblemSet],
    engine: Engine,
    ledger: Ledger,
    workers: int | None = None,
    progress: Progress = lambda activity, wanted: None,
) -> Activity:
    """Draw and grade every sample that the ledger lacks.

    Where the gold or the verifier has changed, what the ledger holds is graded anew.
    """
    activity = Activity()
    started = time.monotonic()
    wanted = sum(len(one.slots) for one in sets)
    have = [s for one in sets for s in one.slots if s.key in ledger.samples]
    activity.reused = len(have)
    for one in sets:
        verifier = text_hash(verifier_name(one.task.verifier))
        with VerifierPool(one.task.verifier, workers=workers) as pool:
            held = [(slot, ledger.samples.get(slot.key)) for slot in one.slots]
            stale = [
                slot
                for slot, old in held
                if old and (old.gold, old.verifier) != (slot.problem.answer, verifier)
            ]
            _regrade(stale, pool, verifier, ledger, activity)
            todo = [slot for slot in one.slots if slot.key not in ledger.samples]
            for slot, response, verdict in _graded(one.task, todo, engine, pool, activity):
                ledger.append(_sample(one.name, slot, response, verdict, verifier))
                activity.drawn += 1
                activity.tokens += response.tokens
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
            verifier = text_hash(verifier_name(one.task.verifier))
            _regrade(held, pool, verifier, ledger, activity)
    return activity


def verifier_name(verifier: Verifier) -> str:
    """Return a verifier's name and settings, the same in every process.

    A function is known by its place alone: that its code has changed is not seen.

    >>> from rewardkit.verifiers import TextVerifier
    >>> verifier_name(TextVerifier())
    'TextVerifier(aliases=())'
    """
    target = inspect.unwrap(verifier)  # load_verifier wraps a user's own
    if inspect.isfunction(target):
        return f"{target.__module__}:{target.__qualname__}"
    return re.sub(r" at 0x[0-9a-fA-F]+", "", repr(target))


def _graded(
    task: Task, todo: Sequence[Slot], engine: Engine, pool: VerifierPool, activity: Activity
) -> Iterator[tuple[Slot, Response, Verdict]]:
    """Yield each response as it has its verdict; others are drawn meanwhile."""
    chats = {slot.problem.id: task.messages(slot.problem) for slot in todo}
    requests = [Request(chats[slot.problem.id], slot.seed) for slot in todo]
    waiting: dict[Future[Verdict], tuple[Slot, Response]] = {}
    done: SimpleQueue[Future[Verdict]] = SimpleQueue()
    try:
        for index, response in engine.generate(requests):
            if isinstance(response, Failure):
                activity.failures[response.reason] += 1
                continue
            slot = todo[index]
            future = pool.submit(response.text, slot.problem.answer)
            waiting[future] = slot, response
            future.add_done_callback(done.put)
            while not done.empty():
                future = done.get()
                yield *waiting.pop(future), future.result()
    except (Exception, KeyboardInterrupt):
        # What came before the engine failed is not drawn a second time.
        yield from _rest(waiting)
        raise
    yield from _rest(waiting)


def _rest(
    waiting: Mapping[Future[Verdict], tuple[Slot, Response]],
) -> Iterator[tuple[Slot, Response, Verdict]]:
    for future in as_completed(waiting):
        yield *waiting[future], future.result()


def _regrade(
    slots: Sequence[Slot], pool: VerifierPool, verifier: str, ledger: Ledger, activity: Activity
) -> None:
    pairs = [(ledger.samples[slot.key].response, slot.problem.answer) for slot in slots]
    for slot, verdict in zip(slots, pool.verify(pairs), strict=True):
        old = ledger.samples[slot.key]
        new = old.regraded(verdict, slot.problem.answer, verifier)
        if new != old:
            ledger.regrade(new)
            activity.regraded += new != replace(old, verifier=verifier)


def _sample(task: str, slot: Slot, response: Response, verdict: Verdict, verifier: str) -> Sample:
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
        verifier=verifier,
    )


def truncated(sample: Sample) -> bool:
    """Return whether the response was cut off by the token limit."""
    return sample.finish is Finish.LENGTH
