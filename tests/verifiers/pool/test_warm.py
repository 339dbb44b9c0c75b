"""What a verifier may ask of the processes it runs in: to be warmed, and to work without a bound."""

import pytest

from rewardkit.types import Outcome
from rewardkit.verifiers import First, MathVerifier, VerifierPool, Weighted
from rewardkit.verifiers.functions import as_verifier
from rewardkit.verifiers.limits import unbounded_work, work

from math_in_pools import integrating  # isort: skip
from pool_verifiers import Warmed, modules  # isort: skip

INTEGRAL = r"\boxed{\int_0^1 2\pi x\,dx}"


def test_a_pool_of_a_users_function_loads_nothing_that_it_does_not_ask_for(tmp_path):
    (tmp_path / "tiny_verifier.py").write_text(
        "import sys\n"
        "from rewardkit.types import Outcome, Verdict\n"
        "def verify(response, answer):\n"
        "    return Verdict(Outcome.CORRECT, reason=str(response in sys.modules))\n"
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(tmp_path))
        import tiny_verifier

        with VerifierPool(tiny_verifier.verify, workers=1) as pool:
            loaded = [
                module
                for module in ("tiny_verifier", "sympy", "mpmath", "rewardkit.verifiers.math")
                if pool.verify_one(module, "").reason == "True"
            ]
    assert loaded == ["tiny_verifier"]


@pytest.mark.parametrize(
    "verifier",
    [
        Warmed(),
        as_verifier(Warmed()),
        First((Warmed(), modules)),
        First((as_verifier(Warmed()),)),
    ],
)
def test_the_template_is_warmed_once_for_all_workers(verifier):
    with VerifierPool(verifier, workers=2) as pool:
        pool.verify_one("a", "a")
        said = {pool.submit("a", "a").result().reason for _ in range(6)}
    assert len(said) == 1
    warmed, parent = said.pop().split()
    assert warmed == parent


def test_what_is_composed_warms_each_part_that_can_be():
    parts = ((Warmed(), 1.0), (modules, 1.0), (Warmed(), 1.0))
    Warmed.warmed.clear()
    Weighted(parts).warm()
    First(tuple(verifier for verifier, _ in parts)).warm()
    assert len(Warmed.warmed) == 4


def test_a_verifier_that_cannot_be_warmed_says_why():
    with VerifierPool(Warmed(fails=True), workers=1) as pool:
        verdict = pool.verify_one("a", "a")
    assert verdict.outcome is Outcome.ERROR
    assert "OSError: the stove is cold" in verdict.reason


def test_a_math_verifier_is_warmed_with_sympy():
    with VerifierPool(First((modules, MathVerifier())), workers=1) as pool:
        assert pool.verify_one("sympy", "").reason == "True"


def test_a_verifier_within_a_verifier_integrates_in_the_worker_it_runs_in():
    with VerifierPool(integrating, workers=1) as pool:
        verdict = pool.verify_one(INTEGRAL, r"\pi")
    assert (verdict.outcome, verdict.reason) == (Outcome.CORRECT, "0")


def test_unbounded_work_is_allowed_within_and_no_longer():
    assert not work.unbounded
    with unbounded_work():
        assert MathVerifier()(INTEGRAL, r"\pi").correct
        with unbounded_work():
            pass
        assert work.unbounded
    assert not work.unbounded
