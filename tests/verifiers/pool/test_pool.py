"""The pool: order, deadlines, crashes, memory, and every place it may be called from."""

import asyncio
import math
import multiprocessing
import os
import pickle
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from rewardkit.errors import ConfigError, RewardkitError
from rewardkit.types import Outcome, Verdict
from rewardkit.verifiers import MathVerifier, VerifierPool
from rewardkit.verifiers.pool import wire
from rewardkit.verifiers.pool.direct import pool_of_direct_calls

from pool_verifiers import awkward, grade  # isort: skip


def has_ended(pid):
    for _ in range(1200):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state == "Z":  # an orphan waits for whoever adopted it
            return True
        time.sleep(0.05)
    return False


def parent(pid):
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()[1])


def content(path):
    for _ in range(1200):
        if path.exists() and (text := path.read_text()):
            return text
        time.sleep(0.05)
    raise AssertionError(f"nothing was written to {path}")


def test_verdicts_come_in_order_around_hanging_and_dying_items():
    pairs = [("a", "a"), ("spin", "a"), ("b", "a"), ("sleep", "a"), ("die", "a"), ("c", "c")]
    with VerifierPool(awkward, workers=2, deadline_s=2.0) as pool:
        outcomes = [verdict.outcome for verdict in pool.verify(pairs)]
    assert outcomes == [
        Outcome.CORRECT,
        Outcome.TIMEOUT,
        Outcome.INCORRECT,
        Outcome.TIMEOUT,
        Outcome.ERROR,
        Outcome.CORRECT,
    ]


@pytest.fixture(scope="module")
def narrow():
    """One pool for all items that fail, as in a run."""
    with VerifierPool(awkward, workers=1, deadline_s=2.0, memory_mb=400) as pool:
        yield pool


@pytest.mark.parametrize(
    ("response", "outcome", "reason"),
    [
        ("segv", Outcome.ERROR, "died"),
        ("memory", Outcome.ERROR, "memory"),
        ("raise", Outcome.ERROR, "ValueError: boo ("),
        ("raise", Outcome.ERROR, "pool_verifiers.py:"),
        ("exit", Outcome.ERROR, "SystemExit: 3"),
        ("interrupt", Outcome.ERROR, "KeyboardInterrupt"),
        ("wrong type", Outcome.ERROR, "returned list, expected Verdict, bool, or a score"),
        ("not text", Outcome.ERROR, "TypeError"),
        ("not an outcome", Outcome.ERROR, "AttributeError"),
        ("bignum", Outcome.TIMEOUT, "deadline"),
    ],
)
def test_a_failing_item_says_why_and_the_next_is_well(narrow, response, outcome, reason):
    verdict = narrow.verify_one(response, "a")
    assert verdict.outcome is outcome
    assert reason in verdict.reason
    assert narrow.verify_one("a", "a").correct


def test_a_copy_that_the_verifier_forked_does_not_answer_for_it():
    with VerifierPool(awkward, workers=1) as pool:
        verdicts = pool.verify([("fork", "fork"), ("b", "a"), ("a", "a")])
        assert [verdict.correct for verdict in verdicts] == [True, False, True]


@pytest.mark.parametrize("response", ["program", "program and die"])
def test_the_programs_of_an_item_end_with_it(response, tmp_path):
    with VerifierPool(awkward, workers=1, deadline_s=3.0) as pool:
        assert not pool.verify_one(response, str(tmp_path / "pid")).correct
        assert has_ended(content(tmp_path / "pid"))


def test_the_programs_of_an_item_end_with_the_pool(tmp_path):
    with VerifierPool(awkward, workers=1, deadline_s=600) as pool:
        pool.submit("program", str(tmp_path / "pid"))
        program = content(tmp_path / "pid")
    assert has_ended(program)


def test_workers_and_their_programs_end_with_a_killed_caller(tmp_path):
    script = f"""
import os, sys, time
sys.path[:0] = {sys.path}
from pool_verifiers import awkward
from rewardkit.verifiers import VerifierPool

pool = VerifierPool(awkward, workers=1, deadline_s=600)
print(pool.verify_one("pid", "").reason, pool._scheduler.template.process.pid, flush=True)
pool.submit("program", {str(tmp_path / "pid")!r})
time.sleep(600)
"""
    caller = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    with caller:
        pids = [*caller.stdout.readline().split(), content(tmp_path / "pid")]
        caller.kill()
    assert all(has_ended(pid) for pid in pids)


def test_cpu_time_ends_an_item_before_the_deadline():
    with VerifierPool(awkward, workers=1, deadline_s=60, cpu_s=0.2) as pool:
        verdict = pool.verify_one("bignum", "a")
    assert verdict.outcome is Outcome.TIMEOUT
    assert "CPU" in verdict.reason


def test_the_deadline_runs_from_the_start_of_the_work_not_from_queueing():
    with VerifierPool(awkward, workers=1, deadline_s=2.0) as pool:
        futures = [pool.submit("nap", "nap") for _ in range(8)]  # 0.3 s each, 2.4 s in all
        assert [future.result().outcome for future in futures] == [Outcome.CORRECT] * 8


def test_a_few_hanging_items_leave_their_turn_to_the_others():
    with VerifierPool(awkward, workers=1, deadline_s=20) as pool:
        assert all(v.correct for v in pool.verify([("a", "a")] * 16))
        hanging = [pool.submit("spin", "a"), pool.submit("sleep", "a")]
        others = [pool.submit("a", "a") for _ in range(5)]
        assert all(future.result().correct for future in others)
        assert not any(future.done() for future in hanging)


def test_an_item_in_the_background_still_gets_its_verdict_and_its_deadline():
    with VerifierPool(awkward, workers=1, deadline_s=3.0) as pool:
        list(pool.verify([("a", "a")] * 32))
        outcomes = [v.outcome for v in pool.verify([("nap", "nap"), ("spin", "a"), ("a", "a")])]
        assert outcomes == [Outcome.CORRECT, Outcome.TIMEOUT, Outcome.CORRECT]
        assert pool.verify_one("a", "a").correct
        assert (
            pool._scheduler.background,
            pool._scheduler.active,
            len(pool._scheduler.threads),
        ) == (0, 1, 1)


def test_long_items_stay_in_the_foreground_where_most_are_long():
    with VerifierPool(awkward, workers=1) as pool:
        futures = [pool.submit("nap", "nap") for _ in range(3)]
        assert all(future.result().correct for future in futures)
        assert len(pool._scheduler.threads) == 1


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
    with VerifierPool(awkward, workers=1) as pool:
        assert pool.verify_one("a", "a").correct
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
    assert has_ended(pid)


def test_workers_end_with_a_pool_that_hangs_up_before_it_is_answered():
    with VerifierPool(awkward, workers=1, deadline_s=600) as pool:
        busy = int(pool.verify_one("pid", "").reason)
        pool.submit("spin", "a")
        template = pool._scheduler.template
        other = template.fork()
        os.kill(parent(busy), signal.SIGSTOP)
        wire.send_command(template.control, wire.KILL, other.pid)
        template.control.shutdown(socket.SHUT_RDWR)
        os.kill(parent(busy), signal.SIGCONT)
        assert template.process.wait(60) == 0
        assert has_ended(busy)
        assert has_ended(other.pid)
        other.sock.close()


def test_a_worker_that_is_ready_when_its_pool_has_gone_ends_without_a_word(capfd):
    with VerifierPool(awkward, workers=1) as pool:
        assert pool.verify_one("a", "a").correct
        template = pool._scheduler.template
        ours, theirs = socket.socketpair()
        ours.close()
        with template.lock, theirs:
            wire.send_command(template.control, wire.FORK, descriptor=theirs.fileno())
            pid = wire.receive_number(template.control)
        assert has_ended(pid)
    assert capfd.readouterr().err == ""


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_process_that_the_caller_forked_neither_ends_the_workers_nor_keeps_them():
    fork = multiprocessing.get_context("fork")
    with VerifierPool(awkward, workers=1, deadline_s=600) as pool:
        pid = int(pool.verify_one("pid", "").reason)
        scheduler = pool._scheduler
        brief = fork.Process(target=scheduler.stop)  # as Python does at the end of a process
        brief.start()
        brief.join(60)
        assert (brief.exitcode, int(pool.verify_one("pid", "").reason)) == (0, pid)
        lasting = fork.Process(target=time.sleep, args=(600,))
        lasting.start()
        pool.submit("spin", "a")
        pool.close()
        try:
            assert (
                scheduler.template.process.returncode == 0
            )  # not killed, which would spare workers
            assert has_ended(pid)
        finally:
            lasting.kill()
            lasting.join()


def test_a_signal_to_all_processes_of_a_job_loses_no_verdict():
    with VerifierPool(awkward, workers=1) as pool:
        worker = int(pool.verify_one("pid", "").reason)
        verdict = pool.submit("nap", "nap")
        for pid in (worker, parent(worker), pool._scheduler.template.process.pid):
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


def test_items_that_nobody_waits_for_any_more_are_cancelled():
    with VerifierPool(awkward, workers=1) as pool:
        stream = pool.verify([("nap", "nap")] * 1000)  # five minutes
        assert next(stream).correct
        stream.close()
        assert pool.submit("a", "a").result(timeout=60).correct


def test_settings_are_checked_and_survive_pickling():
    for wrong in ({"workers": 0}, {"deadline_s": 0}, {"memory_mb": -1}):
        with pytest.raises(ConfigError):
            VerifierPool(awkward, **wrong)
    for wrong in ({"deadline_s": math.inf}, {"deadline_s": math.nan}, {"cpu_s": math.inf}):
        with pytest.raises(ConfigError, match="must be positive and finite"):
            VerifierPool(awkward, **wrong)
    copy = pickle.loads(pickle.dumps(VerifierPool(MathVerifier(), workers=3, cpu_s=2.0)))
    assert (copy.workers, copy.cpu_s, copy.verifier) == (3, 2.0, MathVerifier())


def test_a_callers_own_memory_limit_may_be_the_lower_one():
    script = f"""
import resource, sys
sys.path[:0] = {sys.path}
from pool_verifiers import awkward
from rewardkit.verifiers import VerifierPool

resource.setrlimit(resource.RLIMIT_AS, (2 * 10**9, 2 * 10**9))
with VerifierPool(awkward, workers=1, memory_mb=4096) as pool:
    print([(v.outcome.value, v.reason) for v in pool.verify([("a", "a"), ("memory", "a")])])
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    out_of_memory = ("error", "out of memory (the worker's limit)")
    assert run.stdout.strip() == str([("correct", ""), out_of_memory]), run.stderr


def test_a_verifier_that_cannot_be_pickled_is_refused_by_name():
    pool = VerifierPool(lambda r, a: Verdict(Outcome.CORRECT))
    with pool, pytest.raises(ConfigError, match="pickled"):
        pool.verify_one("a", "a")


def test_quick_verdicts_start_no_process():
    with VerifierPool(MathVerifier()) as pool:
        assert pool.verify_one(r"\boxed{12}", "12").correct
        assert pool._scheduler is None


def test_direct_calls_of_several_threads_do_not_wait_for_each_other():
    pool = pool_of_direct_calls(awkward, 60.0)
    assert pool is pool_of_direct_calls(awkward, 60.0)
    with pool:
        futures = [pool.submit("nap", "nap") for _ in range(4)]
        assert len(pool._scheduler.threads) == 4
        assert all(future.result().correct for future in futures)
    pool_of_direct_calls.cache_clear()
