"""Each planted fault is found, by the kind that it is; a verifier without any has none."""

import pytest

from rewardkit.audit.audit import Bounds, audit_verifier
from rewardkit.audit.probing import Limits
from rewardkit.errors import ConfigError
from rewardkit.types import Problem
from rewardkit.verifiers import load_verifier

PROBLEMS = [
    Problem("1", "What is 6 times 7, in full?", "42"),
    Problem("2", "What is 5 minus 12?", "-5"),
    Problem("3", "How many?", "1234"),
]
QUICK = Limits(seconds=0.5)


def audit(name, tmp_path, problems=PROBLEMS):
    return audit_verifier(
        load_verifier(f"planted:{name}"), problems, limits=QUICK, mark=tmp_path / "was-run"
    )


def kinds(graded):
    return {one.probe.kind for one in graded}


def test_a_sound_verifier_has_no_findings_but_writings(tmp_path):
    found = audit("sound", tmp_path)
    assert found.form == "box"
    assert found.forms["sentence"] == 0
    assert not found.beyond(Bounds())
    assert not found.faults
    assert kinds(found.writing_rejects) >= {"writing: decimal zeros", "writing: thousands"}
    assert found.writings_share > 0.5
    assert "equivalent writings rejected" in found.beyond(Bounds(writings=0.1))[0]
    assert all(0 <= one.kept < 1024 <= one.peak * 100 for one in found.memory)
    assert len(found.memory) >= 5


def test_partial_credit_is_accepted_from_the_score_that_is_given():
    partly = load_verifier("planted:Partly")
    found = audit_verifier(partly, PROBLEMS[:1], limits=QUICK)
    assert "mutated: sign" in kinds(found.false_accepts)
    lenient = audit_verifier(partly, PROBLEMS[:1], limits=QUICK, accepted_from=1.0)
    assert lenient.false_accepts == []
    assert lenient.accepted_from == 1.0
    with pytest.raises(ConfigError, match=r"accepted_from is a score in \(0, 1\], found 0"):
        audit_verifier(partly, PROBLEMS, accepted_from=0)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("first_number", {"both answers: the last is wrong", "both answers: gold in passing"}),
        ("ignores_signs", {"mutated: sign"}),
        ("accepts_empty", {"empty", "echo: question", "master key"}),
        ("accepts_master_keys", {"master key", "master key: in its place"}),
        ("substring", {"mutated: digit before", "hedge: or", "all options"}),
        ("accepts_hedges", {"hedge: or", "hedge: or, wrong first", "all options"}),
        ("reads_an_open_box", {"truncated: a digit less", "mutated: digit less"}),
        ("half_a_reward_for_anything", {"empty", "mutated: neighbour", "injection"}),
    ],
)
def test_what_is_wrongly_accepted_is_found(tmp_path, name, expected):
    found = audit(name, tmp_path)
    assert kinds(found.false_accepts) >= expected
    assert found.beyond(Bounds(false_accepts=0, own_golds=None, faults=None))
    assert not found.faults


@pytest.mark.parametrize(
    ("name", "kind", "probe"),
    [
        ("evaluates", "hangs", "poison: power tower"),
        ("runs_text", "runs model text", "program"),
        ("reads_a_global", "another verdict", None),
        ("nondeterministic", "another verdict the second time", None),
        ("another_in_another_process", "another verdict in another process", None),
        ("leaks", "memory grows", None),
        ("raises", "raises", "empty"),
        ("only_in_the_main_thread", "another verdict in a thread", "own gold"),
        ("ends_by_an_alarm", "another verdict in a thread", "poison: power tower"),
        ("asks_an_event_loop", "another verdict in an event loop", None),
        ("evaluates_with_pi", "runs model text", "program"),
    ],
)
def test_a_fault_of_the_program_is_found(tmp_path, name, kind, probe):
    found = audit(name, tmp_path)
    faults = [fault for fault in found.faults if fault.kind.startswith(kind)]
    assert faults
    if probe is not None:
        assert any(fault.probe.kind.startswith(probe) for fault in faults)
    assert "kinds of faults" in found.beyond(Bounds(None, None, None, 0))[0]
    assert not (tmp_path / "was-run").exists()


def test_golds_that_cannot_be_read_are_counted_and_no_rejection(tmp_path):
    found = audit("any_gold", tmp_path)
    assert set(found.unread) == {"42", "-5", "1234"}
    assert not found.own_rejects
    assert not found.false_accepts
    assert "golds not accepted as they stand: 3" in found.beyond(Bounds())[0]


def test_where_golds_are_no_answers_nothing_has_to_be_accepted(tmp_path):
    games = [
        Problem(str(n), "Reach it.", "24", info={"numbers": [n, 24 - n], "target": 24})
        for n in (3, 5)
    ]
    found = audit("countdown", tmp_path, games)
    assert len(found.chosen) == 2
    assert not found.golds_are_answers
    assert {one.probe.kind for one in found.graded if one.probe.accept} == {"own gold"}
    count, why = found.beyond(Bounds())
    assert count == "golds not accepted as they stand: 2, at most 0 allowed"
    assert "nothing right was accepted" in why
    assert "where golds are no answers, --allow own_golds=2" in why
    assert found.beyond(Bounds(own_golds=2)) == []


def test_a_strategy_that_pays_more_than_a_guess_is_found_by_what_it_pays(tmp_path):
    problems = [Problem(str(n), f"What is {n} plus {n}?", str(2 * n)) for n in (1, 3, 6, 7)]
    found = audit("any_answer_counts", tmp_path, problems)
    paid = {one.kind: one for one in found.strategies}
    many = paid["strategy: 0 to 20, an answer each"]
    assert (many.share, many.guess, many.pays) == (1.0, 0.25, True)
    assert paid["one of two: answers or"].pays
    assert not paid["strategy: 1 to 50"].pays
    assert found.threats()["strategies"] >= 4
    assert "strategies that pay more than a guess" in "".join(found.beyond(Bounds(None, None)))
    assert found.beyond(Bounds(None, None, None, None, None)) == []
    assert audit("sound", tmp_path, problems).threats()["strategies"] == 0


def test_an_answer_where_none_is_declared_is_a_finding_only_where_a_place_is(tmp_path):
    found = audit("anywhere", tmp_path)
    assert "undeclared: sentence" in kinds(found.debatable)
    assert found.threats()["format"] == 0
    declares = audit_verifier(
        load_verifier("planted:Declares"), PROBLEMS, limits=QUICK, form="box", declared=("box",)
    )
    assert kinds(declares.false_accepts) >= {"undeclared: sentence", "undeclared: bare"}
    assert declares.threats()["format"] > 0


def test_only_the_threats_that_are_named_count_against_the_bounds(tmp_path):
    found = audit("only_in_the_main_thread", tmp_path)
    assert found.threats()["context"] > 0
    assert found.beyond(Bounds(), ["context"]) == found.beyond(Bounds())
    assert found.beyond(Bounds(), ["mutated", "code", "hangs"]) == []
