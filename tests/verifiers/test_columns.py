"""Columns and scores: which a verifier asks for, what it gets, and what is said where it cannot."""

import asyncio
import functools
import json
import pickle

import pytest
from column_verifiers import (
    Countdown,
    QuickTarget,
    awaited_share,
    hinted,
    near,
    share,
    whole,
)

from rewardkit.cli import main
from rewardkit.config import TaskConfig
from rewardkit.errors import ConfigError, DataError
from rewardkit.tasks.settings import task_of
from rewardkit.types import Outcome, Problem, Verdict
from rewardkit.verifiers import (
    Agreement,
    First,
    IntegerVerifier,
    MathVerifier,
    TextVerifier,
    VerifierPool,
    Weighted,
    load_verifier,
)
from rewardkit.verifiers.functions import as_verifier
from rewardkit.verifiers.signature import Asked, asked_by, columns_for

C, I, E = Outcome.CORRECT, Outcome.INCORRECT, Outcome.ERROR  # noqa: E741
PROBLEM = Problem("7", "Make 24.", "24", "mine", {"numbers": [3, 8, 1], "target": 24})


class Bound:
    def grade(self, response, answer, numbers):
        return True


@functools.wraps(near)
def wrapped(*args, **kwargs):
    return near(*args, **kwargs)


@pytest.mark.parametrize(
    ("verifier", "needed", "optional"),
    [
        (lambda response, answer: True, (), ()),
        (lambda *args: True, (), ()),
        (lambda response, answer, **rest: True, (), ()),
        (lambda response, answer, *, cases: True, ("cases",), ()),
        (lambda response, answer, loose=False: True, (), ("loose",)),
        (functools.partial(hinted, hint="no"), ("target",), ()),
        (Bound().grade, ("numbers",), ()),
        (Countdown(), ("numbers", "target"), ()),
        (near, ("target",), ()),
        (wrapped, ("target",), ()),
        (as_verifier(near), ("target",), ()),
        (awaited_share, ("numbers",), ()),
        (MathVerifier(), (), ()),
        (print, (), ("sep", "end", "file", "flush")),
        (First((IntegerVerifier(), near, hinted)), ("target",), ("hint",)),
        (Weighted(((near, 1.0), (share, 1.0))), ("target", "numbers"), ()),
        (Agreement(near, TextVerifier()), ("target",), ()),
    ],
)
def test_a_verifier_asks_for_what_it_names_after_the_answer(verifier, needed, optional):
    asked = asked_by(verifier)
    assert (asked.needed, asked.optional) == (needed, optional)


@pytest.mark.parametrize(
    ("verifier", "message"),
    [
        (lambda response: True, r"takes the response and the gold answer, and <lambda>"),
        (lambda: True, r"does not; write def <lambda>\(response, answer\)"),
        (lambda *, response, answer: True, "takes the response and the gold answer"),
        (lambda response, answer, numbers, /: True, "'numbers' cannot be given by name"),
        (Countdown, r"Countdown is a class; a verifier is an instance of it: Countdown\(\)"),
        ("math", "must be callable"),
    ],
)
def test_a_verifier_of_another_form_is_refused(verifier, message):
    with pytest.raises(ConfigError, match=message):
        VerifierPool(verifier)


@pytest.mark.parametrize(
    ("verifier", "response", "outcome", "score"),
    [
        (near, "24", C, 1.0),
        (near, "18", I, 0.75),
        (as_verifier(near, correct_from=0.75), "18", C, 0.75),
        (share, "3 and 8", I, 2 / 3),
        (share, "3 8 1", C, 1.0),
        (awaited_share, "3", I, 1 / 3),
        (whole, "Make 24. mine 7 [3, 8, 1]", C, 1.0),
        (hinted, "none 24", C, 1.0),
        (Countdown(), "3*8*1", C, 1.0),
        (QuickTarget(), "24", C, 1.0),
        (QuickTarget(), "later 24", C, 1.0),
        (First((IntegerVerifier(), share)), "no integer 3", I, 0.0),
        (Weighted(((near, 3.0), (share, 1.0))), "24", I, 0.75),
        (Agreement(near, share), "24", C, 1.0),
    ],
)
def test_columns_reach_the_verifier_directly_and_through_the_pool(
    verifier, response, outcome, score
):
    direct = as_verifier(verifier)(
        response, PROBLEM.answer, **columns_for(asked_by(verifier), PROBLEM)
    )
    with VerifierPool(verifier, workers=1) as pool:
        found = [pool.verify_one(response, PROBLEM), *pool.verify([(response, PROBLEM)])]
        found += [asyncio.run(pool.averify(response, PROBLEM))]
    for verdict in (direct, *found):
        assert (verdict.outcome, verdict.score) == (outcome, pytest.approx(score))


def test_a_verifier_works_on_values_of_its_own():
    with VerifierPool(Countdown(), workers=1) as pool:  # it sorts its numbers
        assert pool.verify_one("8*3*1", PROBLEM).correct
    assert Countdown()("8*3*1", "", **columns_for(asked_by(Countdown()), PROBLEM))
    assert PROBLEM.info["numbers"] == [3, 8, 1]


def test_a_missing_column_is_said_with_what_there_is():
    with pytest.raises(DataError) as caught:
        columns_for(Asked(("targets",)), PROBLEM)
    assert str(caught.value) == (
        "problem '7' has no column 'targets', which the verifier asks for; did you mean target? "
        'Known: numbers, target. Give the problem one, info={"targets": ...}, or the verifier\'s '
        "parameter a default, targets=None"
    )


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Problem("9", "?", "24"), "problem '9' has no column 'target'"),
        ("24", "asks for the columns target, which a bare answer has not; give the pool pairs of"),
    ],
)
def test_the_pool_says_so_as_well(answer, reason):
    with VerifierPool(near, workers=1) as pool:
        verdict = pool.verify_one("24", answer)
    assert (verdict.outcome, verdict.score) == (E, 0.0)
    assert reason in verdict.reason


@pytest.mark.parametrize(
    ("returned", "outcome", "score"),
    [
        (True, C, 1.0),
        (False, I, 0.0),
        (1, C, 1.0),
        (0, I, 0.0),
        (0.5, I, 0.5),
        (0.1 * 3 + 0.7, C, 1.0),
        (sum([0.1] * 10), C, pytest.approx(1.0)),
        (Verdict(C, score=0.5), C, 0.5),
        (1.5, E, 0.0),
        (-0.5, E, 0.0),
        (float("nan"), E, 0.0),
        (None, E, 0.0),
        ("correct", E, 0.0),
    ],
)
def test_what_a_function_returns_becomes_outcome_and_score(returned, outcome, score):
    verdict = as_verifier(lambda response, answer: returned)("a", "a")
    assert (verdict.outcome, verdict.score) == (outcome, score)


def test_numbers_of_numpy_and_torch_are_scores():
    numpy = pytest.importorskip("numpy")
    torch = pytest.importorskip("torch")
    for value in (numpy.float32(0.5), numpy.bool_(True), torch.tensor(0.25), torch.tensor(True)):
        assert as_verifier(lambda r, a, value=value: value)("", "").score == float(value)
    tenths = sum([numpy.float32(0.1)] * 10, numpy.float32(0))  # 1.0000001
    ninths = numpy.float32(1) - numpy.float32(1e-7)
    for parts in (tenths, ninths):
        assert as_verifier(lambda r, a, parts=parts: parts)("", "").outcome is C


@pytest.mark.parametrize("threshold", [0, -1, 1.5])
def test_a_threshold_is_a_score_above_zero(threshold):
    with pytest.raises(ConfigError, match=r"correct_from is a score in \(0, 1\]"):
        as_verifier(near, correct_from=threshold)


def test_the_threshold_is_an_option_of_every_named_function():
    verifier = load_verifier("column_verifiers:near", correct_from=0.5)
    assert pickle.loads(pickle.dumps(verifier))("12", "", target=24).outcome is C
    with pytest.raises(ConfigError, match=r"no options but correct_from, got .'loose'"):
        load_verifier("column_verifiers:near", loose=True)


def test_a_weighted_verifier_keeps_its_score():
    parts = Weighted(((near, 1.0), (IntegerVerifier(), 1.0)), needed=1.0)
    verdict = parts(r"\boxed{24}", "24", target=24)
    assert (verdict.outcome, verdict.score) == (C, 0.5)  # the number alone is no `near` answer
    bad = parts(r"\boxed{24}", "???", target=24)
    assert (bad.outcome, bad.score) == (Outcome.BAD_GOLD, 0.0)


def test_the_command_gives_columns_and_says_the_score(capsys):
    verify = ["verify", "--verifier", "column_verifiers:near", "--answer", "", "--response", "18"]
    main([*verify, "--columns", '{"target": 24}', "--json"])
    found = json.loads(capsys.readouterr().out)
    assert (found["outcome"], found["score"]) == ("incorrect", 0.75)
    for columns, message in (
        (
            '{"targets": 24}',
            """asks for target besides; give --columns '{"target": ...}'; did you""",
        ),
        ('{"target": 24, "los": 1}', "near does not ask for 'los';"),
        ("[24]", "--columns is a table"),
        ("target=24", "--columns 'target=24' is not JSON"),
    ):
        with pytest.raises(SystemExit):
            main([*verify, "--columns", columns])
        assert message in capsys.readouterr().err


def test_the_threshold_and_what_is_asked_for_are_settings_of_a_task():
    def graded(name, **options):
        return task_of(TaskConfig("arithmetic", verifier=name, verifier_options=options)).verifier

    assert graded("column_verifiers:half")("", "").outcome is I
    assert graded("column_verifiers:half", correct_from=0.5)("", "").outcome is C
    with pytest.raises(DataError, match=r"task arithmetic, row 1 of train: .* no column 'target'"):
        graded("column_verifiers:near")
    with pytest.raises(ConfigError, match="a score in"):
        graded("column_verifiers:half", correct_from=2)
