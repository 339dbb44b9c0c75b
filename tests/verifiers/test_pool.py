"""The pool: order, deadlines, crashes, memory, and every place it may be called from."""

import asyncio
import multiprocessing
import os
import pickle
import signal
import threading
import time

import pytest

from rewardkit.errors import ConfigError, RewardkitError
from rewardkit.types import Outcome, Verdict
from rewardkit.verifiers import MathVerifier, VerifierPool

from pool_verifiers import awkward, grade  # isort: skip


def test_verdicts_come_in_order_around_hanging_and_dying_items():
    pairs = [("a", "a"), ("spin", "a"), ("b", "a"), ("sleep", "a"), ("die", "a"), ("c", "c")]
    with VerifierPool(awkward, workers=2, deadline_s=0.4) as pool:
        outcomes = [verdict.outcome for verdict in pool.verify(pairs)]
    assert outcomes == [
        Outcome.CORRECT,
        Outcome.TIMEOUT,
        Outcome.INCORRECT,
        Outcome.TIMEOUT,
        Outcome.ERROR,
        Outcome.CORRECT,
    ]


@pytest.mark.parametrize(
    ("response", "outcome", "reason"),
    [
        ("segv", Outcome.ERROR, "died"),
        ("memory", Outcome.ERROR, "memory"),
        ("raise", Outcome.ERROR, "ValueError: boo"),
        ("wrong type", Outcome.ERROR, "int"),
        ("bignum", Outcome.TIMEOUT, "deadline"),
    ],
)
def test_a_failing_item_says_why_and_the_next_is_well(response, outcome, reason):
    with VerifierPool(awkward, workers=1, deadline_s=0.4, memory_mb=400) as pool:
        verdict = pool.verify_one(response, "a")
        assert verdict.outcome is outcome
        assert reason in verdict.reason
        assert pool.verify_one("a", "a").correct


def test_cpu_time_ends_an_item_before_the_deadline():
    with VerifierPool(awkward, workers=1, deadline_s=60, cpu_s=0.2) as pool:
        verdict = pool.verify_one("bignum", "a")
    assert verdict.outcome is Outcome.TIMEOUT
    assert "CPU" in verdict.reason


def test_the_deadline_runs_from_the_start_of_the_work_not_from_queueing():
    with VerifierPool(awkward, workers=1, deadline_s=1.0) as pool:
        futures = [pool.submit("nap", "nap") for _ in range(5)]  # 0.3 s each, 1.5 s in all
        assert [future.result().outcome for future in futures] == [Outcome.CORRECT] * 5


def test_a_few_hanging_items_leave_their_turn_to_the_others():
    with VerifierPool(awkward, workers=1, deadline_s=20) as pool:
        assert all(v.correct for v in pool.verify([("a", "a")] * 16))
        hanging = [pool.submit("spin", "a"), pool.submit("sleep", "a")]
        others = [pool.submit("a", "a") for _ in range(5)]
        assert all(future.result().correct for future in others)
        assert not any(future.done() for future in hanging)


def test_an_item_put_aside_still_gets_its_verdict_and_its_deadline():
    with VerifierPool(awkward, workers=1, deadline_s=0.6) as pool:
        list(pool.verify([("a", "a")] * 32))
        outcomes = [v.outcome for v in pool.verify([("nap", "nap"), ("spin", "a"), ("a", "a")])]
        assert outcomes == [Outcome.CORRECT, Outcome.TIMEOUT, Outcome.CORRECT]
        assert pool.verify_one("a", "a").correct
        assert (pool._crew.aside, pool._crew.active, len(pool._crew.threads)) == (0, 1, 1)


def test_long_items_are_not_put_aside_where_most_are_long():
    with VerifierPool(awkward, workers=1) as pool:
        futures = [pool.submit("nap", "nap") for _ in range(3)]
        assert all(future.result().correct for future in futures)
        assert len(pool._crew.threads) == 1


def test_it_works_in_a_thread_and_in_asyncio():
    with VerifierPool(awkward, workers=2) as pool:
        seen = []
        thread = threading.Thread(target=lambda: seen.append(pool.verify_one("a", "a")))
        thread.start()
        thread.join()
        assert seen[0].correct

        async def many():
            return await asyncio.gather(*(pool.averify(r, "a") for r in "aba"))

        assert [verdict.correct for verdict in asyncio.run(many())] == [True, False, True]


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_it_works_in_a_process_started_by(method):
    context = multiprocessing.get_context(method)
    with VerifierPool(MathVerifier(), workers=1) as pool:
        assert pool.verify_one(r"\boxed{\int_0^1 x\,dx}", "1/2").correct
        queue = context.SimpleQueue()
        process = context.Process(target=grade, args=(pool, queue), daemon=True)
        process.start()
        process.join(60)
        assert process.exitcode == 0
        assert queue.get() == "correct"


def test_workers_end_with_the_pool():
    pool = VerifierPool(awkward, workers=1)
    pid = int(pool.verify_one("pid", "").reason)
    pool.close()
    pool.close()
    with pytest.raises(RewardkitError, match="closed"):
        pool.verify_one("a", "a")
    for _ in range(100):
        if not os.path.exists(f"/proc/{pid}"):
            break
        time.sleep(0.05)
    assert not os.path.exists(f"/proc/{pid}")


def test_a_signal_to_all_processes_of_a_job_loses_no_verdict():
    with VerifierPool(awkward, workers=1) as pool:
        worker = int(pool.verify_one("pid", "").reason)
        verdict = pool.submit("nap", "nap")
        for pid in (worker, pool._crew.template.process.pid):
            for number in (signal.SIGTERM, signal.SIGINT):
                os.kill(pid, number)
        assert verdict.result().correct
        assert int(pool.verify_one("pid", "").reason) == worker


def test_an_endless_stream_is_verified_as_it_comes():
    def endless():
        while True:
            yield "a", "a"

    with VerifierPool(awkward, workers=1) as pool:
        stream = pool.verify(endless())
        assert all(next(stream).correct for _ in range(100))
        stream.close()


def test_settings_are_checked_and_survive_pickling():
    for wrong in ({"workers": 0}, {"deadline_s": 0}, {"memory_mb": -1}):
        with pytest.raises(ConfigError):
            VerifierPool(awkward, **wrong)
    copy = pickle.loads(pickle.dumps(VerifierPool(MathVerifier(), workers=3, cpu_s=2.0)))
    assert (copy.workers, copy.cpu_s, copy.verifier) == (3, 2.0, MathVerifier())


def test_a_verifier_that_cannot_be_pickled_is_refused_by_name():
    pool = VerifierPool(lambda r, a: Verdict(Outcome.CORRECT))
    with pool, pytest.raises(ConfigError, match="pickled"):
        pool.verify_one("a", "a")


def test_quick_verdicts_start_no_process():
    with VerifierPool(MathVerifier()) as pool:
        assert pool.verify_one(r"\boxed{12}", "12").correct
        assert pool._crew is None
