"""How far sympy goes is counted in steps: the same in every process, whatever was asked before."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from rewardkit.types import Outcome
from rewardkit.verifiers import MathVerifier, VerifierPool
from rewardkit.verifiers.expressions import sympy_bridge
from rewardkit.verifiers.limits import unbounded_work

from math_in_pools import Within  # isort: skip
from pool_verifiers import hash_of_a_word  # isort: skip

PAIR = (r"\boxed{\sum_{n=1}^\infty \frac{n}{3^n}}", "3/4")
OTHERS = [
    (r"\boxed{\int_0^1 2\pi x\,dx}", "\\pi|40000"),
    (r"\boxed{\sum_{n=0}^\infty \frac{1}{n!}}", "e|900"),
]


def border(pool):
    """Return how many steps the pair takes in a worker."""
    low, high = 0, 4_000
    while high - low > 1:
        middle = (low + high) // 2
        if pool.verify_one(PAIR[0], f"{PAIR[1]}|{middle}").outcome is Outcome.TIMEOUT:
            low = middle
        else:
            high = middle
    return high


def test_a_sum_at_the_border_gets_one_verdict_however_it_is_called():
    verifier, found = Within(), {}
    with VerifierPool(verifier, workers=1, deadline_s=60) as pool:
        needed = border(pool)
        pairs = [(PAIR[0], f"{PAIR[1]}|{steps}") for steps in (needed - 1, needed)]

        async def awaited():
            return [await pool.averify(*pair) for pair in reversed(pairs)][::-1]

        found["one worker"] = list(pool.verify(pairs))
        found["awaited"] = asyncio.run(awaited())
    with VerifierPool(verifier, workers=2, deadline_s=60) as pool:
        list(pool.verify(OTHERS))  # what was asked before makes no difference
        found["two workers"] = list(pool.verify(pairs))

    async def in_executor():
        return await asyncio.gather(*(asyncio.to_thread(verifier, *pair) for pair in pairs))

    found["direct"] = [verifier(*pair) for pair in pairs]
    with ThreadPoolExecutor(2) as threads:
        found["threads"] = list(threads.map(lambda pair: verifier(*pair), pairs))
    found["event loop"] = asyncio.run(in_executor())
    assert 500 < needed < 4_000
    outcomes = {mode: [verdict.outcome for verdict in found[mode]] for mode in found}
    assert outcomes == {mode: [Outcome.TIMEOUT, Outcome.CORRECT] for mode in found}
    assert found["direct"][0].reason == "sympy takes too many steps"


def test_what_was_asked_before_in_one_process_makes_no_difference(monkeypatch):
    MathVerifier().warm()
    with unbounded_work():
        for nodes, outcome in ((500, Outcome.TIMEOUT), (5_000, Outcome.CORRECT)):
            monkeypatch.setattr(sympy_bridge, "MAX_SYMPY_NODES", nodes)
            for _ in range(3):
                assert MathVerifier()(*PAIR).outcome is outcome


def test_sympy_is_left_as_it_was(monkeypatch):
    from sympy.core.basic import Basic
    from sympy.core.symbol import Dummy

    MathVerifier().warm()
    before = Basic.__dict__["__new__"], Dummy._base_dummy_index, Dummy._count
    monkeypatch.setattr(sympy_bridge, "MAX_SYMPY_NODES", 10)
    with unbounded_work():
        assert MathVerifier()(*PAIR).outcome is Outcome.TIMEOUT
    assert (Basic.__dict__["__new__"], Dummy._base_dummy_index, Dummy._count) == before


def test_all_processes_of_pools_have_one_order_of_sets():
    with (
        VerifierPool(hash_of_a_word, workers=1) as one,
        VerifierPool(hash_of_a_word, workers=1) as two,
    ):
        assert one.verify_one("a", "").reason == two.verify_one("a", "").reason
        assert one.verify_one("a", "").reason.endswith("None")
