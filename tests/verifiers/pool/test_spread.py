"""Quick verdicts on several cores: in order, the same, and only where that pays."""

import os

import pytest

from rewardkit.types import Outcome, Verdict
from rewardkit.verifiers import MathVerifier, VerifierPool
from rewardkit.verifiers.pool import spread
from rewardkit.verifiers.pool.spread import Meter

from pool_verifiers import Counting  # isort: skip


@pytest.fixture(autouse=True)
def _always_pays(monkeypatch):
    monkeypatch.setattr(spread, "PROBE_SECONDS", 0.0)
    monkeypatch.setattr(spread, "MIN_PAIR_SECONDS", 0.0)
    monkeypatch.setattr(spread, "START_SECONDS", 0.0)
    monkeypatch.setattr(spread, "RUNNING_SECONDS", 0.0)
    monkeypatch.setattr(spread, "CHUNK_SECONDS", 0.001)
    monkeypatch.setattr(Meter, "pays", lambda self, running: True)
    monkeypatch.setattr("rewardkit.verifiers.pool.pool.cores_for", lambda workers: workers)


def started(pool, pairs):
    """Verify until workers have answered, and return the verdicts of all that was asked."""
    for _ in range(50):
        verdicts = list(pool.verify(pairs))
        if pool._quick_workers.running:
            return verdicts
    raise AssertionError("no worker came")


def test_verdicts_come_in_order_from_several_processes():
    pairs = [(str(k), str(k)) for k in range(3000)]
    with VerifierPool(Counting(), workers=2) as pool:
        verdicts = started(pool, pairs)
        verdicts = list(pool.verify(iter(pairs)))
        assert [(v.extracted, v.gold) for v in verdicts] == pairs
        assert len({v.reason for v in verdicts} - {str(os.getpid())}) >= 1
        assert pool._scheduler is None


def test_what_is_not_quick_goes_to_a_worker_by_itself():
    pairs = [("slow" if k % 7 == 0 else "a", "a") for k in range(600)]
    with VerifierPool(Counting(), workers=2) as pool:
        started(pool, [("a", "a")] * 600)
        verdicts = list(pool.verify(pairs))
    assert [v.reason == "by itself" for v in verdicts] == [k % 7 == 0 for k in range(600)]


def test_a_pair_that_kills_its_worker_costs_no_other_its_verdict():
    pairs = [("a", "a")] * 600
    with VerifierPool(Counting(), workers=2) as pool:
        started(pool, pairs)
        pairs[300] = ("die quickly", str(os.getppid()))  # not where the tests run
        verdicts = list(pool.verify(pairs))
    assert len(verdicts) == 600
    assert all(v.outcome is Outcome.CORRECT for v in verdicts)
    assert verdicts[300].reason == "by itself"


def test_math_verdicts_are_the_same_on_one_core_and_on_two():
    kinds = [
        (r"\boxed{\frac{84}{2}}", "42"),
        ("no", "42"),
        (r"\boxed{42}", "42"),
        ("3", "???"),
    ]
    pairs = kinds * 100
    for place in (7, 201, 202):  # not quick
        pairs[place] = (r"\boxed{\int_0^1 2\pi x\,dx}", "\\pi")

    def said(verdicts):
        return [(v.outcome, v.extracted, v.gold, v.method, v.reason) for v in verdicts]

    with (
        VerifierPool(MathVerifier(), workers=1) as one,
        VerifierPool(MathVerifier(), workers=2) as two,
    ):
        started(two, kinds * 100)
        assert said(two.verify(pairs)) == said(one.verify(pairs))
        assert one._quick_workers is None


def test_a_verifier_that_no_worker_can_have_goes_on_here():
    class Local:  # cannot be pickled
        def quick(self, response, answer):
            return Verdict(Outcome.CORRECT)

        __call__ = quick

    with VerifierPool(Local(), workers=2) as pool:
        assert all(v.correct for v in pool.verify([("a", "a")] * 100))
        assert pool._quick_workers is None


def test_a_stream_that_is_given_up_or_closed_leaves_nothing_waiting():
    with VerifierPool(Counting(), workers=2) as pool:
        stream = pool.verify(("a", "a") for _ in iter(int, 1))
        assert all(next(stream).correct for _ in range(5000))
        stream.close()
        assert all(v.correct for v in pool.verify([("a", "a")] * 100))
    assert pool._quick_workers is None


@pytest.mark.parametrize(
    ("length", "pair", "count", "running", "pays"),
    [
        (10_000, 400e-6, 100, False, True),  # 4 s are left
        (500, 400e-6, 100, False, False),  # .16 s are left: a start takes longer
        (500, 400e-6, 100, True, True),
        (10_000, 10e-6, 5_000, True, False),  # a pair is cheaper than its way
        (10_000, 400e-6, 16, False, False),  # too few to know
        (0, 400e-6, 100, False, False),  # a stream without a length: as much again as was done
        (0, 400e-6, 400, False, True),
    ],
)
def test_it_is_done_where_it_pays(monkeypatch, length, pair, count, running, pays):
    monkeypatch.undo()
    meter = Meter([("a", "a")] * length)
    for _ in range(count):
        meter.add(pair)
    meter.begun = spread.time.perf_counter() - meter.busy
    assert meter.pays(running) is pays


def test_pairs_that_come_slowly_are_not_held_back(monkeypatch):
    monkeypatch.undo()
    meter = Meter([])
    for _ in range(400):
        meter.add(400e-6)
    meter.begun -= 10.0  # ten seconds, of which .16 were work
    assert not meter.pays(running=True)
