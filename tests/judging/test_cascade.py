"""Rules first, then a model: what is asked of it, how many at a time, and what stands beside what."""

import importlib.util
import threading
import time
from pathlib import Path

import pytest

from rewardkit.config import config_from
from rewardkit.errors import ConfigError
from rewardkit.judging import Judge, behind_rules
from rewardkit.judging.behind import WHEN
from rewardkit.registry import named_by
from rewardkit.tasks.remarks import remarks_on
from rewardkit.tasks.settings import grading_task
from rewardkit.types import UNDECIDED, Outcome, Problem, Task, Verdict
from rewardkit.validation.refusals import refuse_silent_servers
from rewardkit.verifiers import Best, First, VerifierPool, Weighted, as_verifier, load_verifier

pytest.importorskip("httpx")

_PLACE = Path(__file__).parents[1] / "evaluation" / "chat_server.py"
_SPEC = importlib.util.spec_from_file_location("rewardkit_test_cascade_server", _PLACE)
chat_server = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(chat_server)
completion, serve = chat_server.completion, chat_server.serve

WORDS = r"\boxed{the fox, as is well known}"


def same(request):
    """Everything is the same as the gold, and nothing as a number, which decoys are."""
    return completion(
        "DIFFERENT" if '"reference": "-' in request["messages"][1]["content"] else "SAME"
    )


def cascade(server, **options):
    given = {"base_url": server.url, "model": "m", "cache": "", "retries": 0, "decoys": 0.0}
    return load_verifier("math+judge", **{**given, **options})


def test_what_numbers_decided_is_never_asked():
    with serve(same) as server, VerifierPool(cascade(server), workers=1) as pool:
        pairs = [(r"\boxed{12}", "12"), (r"\boxed{13}", "12"), ("", "12")]
        outcomes = [verdict.outcome.value for verdict in pool.verify(pairs)]
        assert outcomes == ["correct", "incorrect", "no_answer"]
        assert not server.requests
        verdict = pool.verify_one(WORDS, "vulpes vulpes")
        assert (verdict.outcome, verdict.method) == (Outcome.CORRECT, "judge")
        assert verdict.judged == "incorrect>correct"
        assert verdict.extracted == "the fox, as is well known"
        assert "rules: incorrect by text" in verdict.reason
        assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("when", "asked"),
    [
        (("incorrect",), {"incorrect"}),
        (("no_answer:not a value",), {"words"}),
        (("incorrect:text", "no_answer"), {"words", "nothing"}),
        (("::holds words",), {"words"}),
        ((), set()),
    ],
)
def test_when_it_is_asked_goes_by_outcome_method_and_reason(when, asked):
    responses = {
        "correct": r"\boxed{12}",
        "incorrect": r"\boxed{13}",
        "words": r"\boxed{nobody can know that}",
        "nothing": "",
    }
    rules = load_verifier("math", answer_in="box")
    both = First((rules, lambda response, answer: Verdict(Outcome.CORRECT, method="second")), when)
    found = {name for name, text in responses.items() if both(text, "12").method == "second"}
    assert found == asked


def test_many_requests_are_under_way_while_two_workers_grade():
    """Thirty-two at a time, and no more: the server counts them itself."""
    open_, most, lock = [0], [0], threading.Lock()

    def slow(request):
        with lock:
            open_[0] += 1
            most[0] = max(most[0], open_[0])
        time.sleep(0.05)
        with lock:
            open_[0] -= 1
        return same(request)

    pairs = [(rf"\boxed{{the {n}th fox}}", "vulpes") for n in range(96)]
    with serve(slow) as server:
        with VerifierPool(cascade(server, concurrency=32), workers=2) as pool:
            assert all(verdict.correct for verdict in pool.verify(pairs))
        assert len(server.requests) == 96
    assert 4 < most[0] <= 32


def test_who_asks_the_same_meanwhile_waits_for_the_same_reply():
    def slow(request):
        time.sleep(0.1)
        return same(request)

    with serve(slow) as server, VerifierPool(cascade(server), workers=1) as pool:
        assert all(verdict.correct for verdict in pool.verify([(WORDS, "vulpes")] * 8))
        assert len(server.requests) == 1


def test_a_server_that_fails_leaves_verdicts_undecided_and_none_wrong():
    failures = {"429": 0.25, "500": 0.25, "html": 0.25, "no_choices": 0.25}
    pairs = [(rf"\boxed{{fox number {n}}}", "vulpes") for n in range(12)]
    with serve(same, failures) as server, VerifierPool(cascade(server), workers=1) as pool:
        found = list(pool.verify(pairs))
    assert {verdict.outcome for verdict in found} == {Outcome.ERROR}
    assert {verdict.judged for verdict in found} == {"incorrect>error"}
    assert all(verdict.outcome in UNDECIDED and not verdict.score for verdict in found)


def test_told_to_wait_it_waits_for_the_server_to_come_back():
    begun = time.monotonic()

    def away_at_first(request):
        return same(request) if time.monotonic() - begun > 0.6 else {"nothing": "yet"}

    pairs = [(rf"\boxed{{fox {n}}}", "vulpes") for n in range(4)]
    with serve(away_at_first, {"500": 0.3}) as server:
        pool = VerifierPool(cascade(server, wait_s=30.0), workers=1)
        outcomes = {verdict.outcome for verdict in pool.verify(pairs)}
        pool.close()
    assert outcomes <= {Outcome.CORRECT, Outcome.ERROR}
    assert Outcome.INCORRECT not in outcomes


def test_beyond_the_budget_what_rules_said_stands():
    pairs = [(rf"\boxed{{fox {n}}}", "vulpes") for n in range(200)]
    with serve(same) as server:
        with VerifierPool(cascade(server, share=0.3), workers=1) as pool:
            found = list(pool.verify(pairs))
        asked = [verdict for verdict in found if verdict.judged]
        assert 30 < len(asked) < 90
        assert {verdict.outcome for verdict in found if not verdict.judged} == {Outcome.INCORRECT}
        with VerifierPool(cascade(server, share=0.3, concurrency=7), workers=1) as pool:
            again = [bool(verdict.judged) for verdict in pool.verify(pairs)]
        assert again == [bool(verdict.judged) for verdict in found]  # by content, not by chance
        with VerifierPool(cascade(server, requests=5, concurrency=1), workers=1) as pool:
            found = list(pool.verify(pairs[:20]))
        assert sum(bool(verdict.judged) for verdict in found) == 5


def half(response, answer):
    return 0.5


def sure(response, answer):
    return response == answer


def test_a_later_different_takes_no_earned_score_away():
    parts = (half, sure)
    kept = First(parts, ("incorrect",), keep="best")
    assert [kept(text, "x").score for text in ("x", "y")] == [1.0, 0.5]
    assert First(parts, ("incorrect",))("y", "x").score == 0.0
    assert [Best(parts)(text, "x").score for text in ("x", "y")] == [1.0, 0.5]
    with pytest.raises(ConfigError, match="'first'"):
        First(parts, keep="first")


def test_parts_that_wait_are_asked_from_outside_in_any_combination():
    with serve(same) as server:
        judge = cascade(server).verifiers[1]
        for whole in (
            Best((half, judge)),
            Weighted(((half, 1.0), (judge, 3.0)), needed=3),
            First((sure, judge), ("incorrect",)),
        ):
            with VerifierPool(whole, workers=1) as pool:
                assert pool.verify_one("a fox", "vulpes").correct
            assert whole("a fox", "vulpes").correct


def test_a_verifier_beside_it_that_fails_is_an_error_and_ends_nothing():
    with serve(same) as server:
        whole = First((broken, cascade(server).verifiers[1]))
        with VerifierPool(whole, workers=1) as pool:
            found = pool.verify_one("a fox", "vulpes")
    assert found.judged == "error>correct"


@pytest.mark.parametrize(
    ("models", "said"),
    [
        (None, ""),  # many servers list none
        ([{"id": "m"}], ""),
        ([{"id": "other", "owned_by": "vllm"}], "serves no model 'm'; it has other"),
        ("gone", r"\(ConnectError: .*Start its server.*--set judge\.wait_s=600"),
    ],
)
def test_a_judge_that_cannot_be_asked_is_said_before_a_run_begins(models, said):
    with serve(same, models=models) as server:
        judge, patient = cascade(server), cascade(server, wait_s=60.0)
        if models != "gone":
            found = silent(patient)
            assert len(found) == (said != "")
            assert not said or said in found[0]
    if models == "gone":
        with pytest.raises(ConfigError, match=f"the Judge at {server.url} cannot .*{said}"):
            silent(judge)
        assert silent(patient)[0].endswith("left to it waits for up to 60 s")


def silent(verifier):
    problems = [Problem("1", "Which animal?", "vulpes")]
    return refuse_silent_servers(Task("animals", problems, [], lambda p: [], verifier))


def broken(response, answer):
    raise ValueError("no")


def config(*sets, **tables):
    return config_from({"folder": "x", "steps": 1, **tables}, sets)


def test_one_setting_of_a_run_says_all_of_it():
    judge = {"base_url": "http://127.0.0.1:9/v1", "profile": "xverify", "when": ["no_answer"]}
    run = config("task.verifier=math+judge", judge=judge)
    found = grading_task(run).verifier
    assert found.unsure == ("no_answer",)
    assert found.verifiers[1].profile == "xverify"
    assert run.judge.shared(4).concurrency == 16
    with pytest.raises(ConfigError, match="has no effect"):
        config(judge=judge)
    with pytest.raises(ConfigError, match=r"judge\.share is a share"):
        config("task.verifier=math+judge", judge={**judge, "share": 2.0})
    with pytest.raises(ConfigError, match=r"no profile 'xverfy'.*xverify"):
        Judge(base_url="http://127.0.0.1:9/v1", profile="xverfy")


@pytest.mark.parametrize(
    ("term", "said"),
    [
        ("noanswer:open", "'noanswer' is no outcome; did you mean no_answer"),
        ("wrong::", "'wrong' is no outcome; Known: bad_gold, correct"),
        ("::holds words", ""),
        ("open", ""),  # a method of anybody's
    ],
)
def test_a_term_of_an_outcome_that_is_none_is_refused(term, said):
    judge = {"base_url": "http://127.0.0.1:9/v1", "when": ["incorrect:text", term]}
    if not said:
        assert config("task.verifier=math+judge", judge=judge).judge.when[1] == term
        return
    with pytest.raises(ConfigError, match=said):
        config("task.verifier=math+judge", judge=judge)


def test_a_rule_of_ones_own_that_leaves_nothing_to_its_judge_is_remarked():
    def said(rule, **options):
        judge = Judge(base_url="http://127.0.0.1:9/v1", cache="", **options)
        rules = First((as_verifier(rule), judge), judge.when or WHEN)
        problems = [Problem("1", "Which animal?", "vulpes")]
        return remarks_on(Task("animals", problems, [], lambda p: [], rules))

    [remark] = said(needs_target)
    assert 'judge.when = ["no_answer"]' in remark
    assert said(needs_target, when=("incorrect",)) == []
    assert said(load_verifier("math")) == said(load_verifier("countdown")) == []


def test_data_may_not_name_it():
    with named_by("a/prompts.json"), pytest.raises(ConfigError, match="asks a server"):
        load_verifier("math+judge")


def test_the_judge_gets_the_question_and_rules_their_columns():
    with serve(same) as server:
        rules = First((needs_target, cascade(server).verifiers[1]), ("incorrect",))
        problem = Problem("1", "Which animal?", "vulpes", info={"target": 3})
        with VerifierPool(rules, workers=1) as pool:
            assert pool.verify_one("a fox", problem).correct
        assert "Which animal?" in server.requests[0]["messages"][1]["content"]


def needs_target(response, answer, target):
    return response == str(target)


def test_it_is_behind_any_rules():
    url = "http://127.0.0.1:9/v1"
    made = behind_rules("integer", base_url=url, low=0, high=9, when=("text",))
    assert (made.verifiers[0].low, made.unsure) == (0, ("text",))
    for when in (["incorrect"], "incorrect"):  # as TOML and a command line have it
        made = load_verifier("math+judge", base_url=url, when=when)
        assert made.unsure == ("incorrect",)
        assert hash(made.verifiers[1])
