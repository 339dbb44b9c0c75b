"""What guards make of a judge behind rules: rows of a run, worked out by hand."""

from collections import Counter

from rewardkit.guards import GuardsConfig, judge
from rewardkit.sampling import GroupTally
from rewardkit.training_step import step_metrics
from rewardkit.types import Outcome, Reward, Verdict


def spoken(rows, config=None):
    memory, found = {}, []
    for step, row in enumerate(rows, 1):
        alarms, memory = judge(config or GuardsConfig(), row, memory)
        found += [(step, alarm.guard, alarm.stops) for alarm in alarms]
    return found


def row(right, rules, **more):
    return {"outcome/correct": right, "judge/rules_right": rules, **more}


def test_a_judge_that_accepts_ever_more_while_rules_accept_less_stops_the_run():
    honest = [row(0.5, 0.4)] * 4
    assert not spoken(honest * 5)
    hacked = [row(0.9, 0.35)] * 5
    [(step, guard, stops)] = spoken(honest + hacked)
    assert (guard, stops) == ("overturned", True)
    assert len(honest) < step <= len(honest) + 5
    learned = [row(0.9, 0.6)] * 9  # more by the judge, and more by rules
    assert not spoken(honest + learned)


def test_a_judge_that_accepts_wrong_golds_stops_the_run():
    assert spoken([{"judge/talked_over": 0.5}] * 3) == [(3, "talked_over", True)]
    assert not spoken([{"judge/talked_over": 0.1}] * 9)
    assert not spoken([{"judge/talked_over": 0.5}] * 9, GuardsConfig(talked_over=None))


def test_rules_and_judge_are_counted_beside_each_other():
    said = {
        "incorrect>correct": 3, "incorrect>incorrect": 1, "no_answer>correct>tried": 2,
        "bad_gold>correct": 1, "incorrect>error>talked over": 1, "no_answer>error": 2,
    }  # fmt: skip
    tally = GroupTally()
    verdicts = [
        Verdict(Outcome(judged.split(">")[1]), judged=judged, seconds=0.5)
        for judged in Counter(said).elements()
    ]
    verdicts += [Verdict(Outcome.CORRECT)] * 6 + [Verdict(Outcome.INCORRECT)] * 4
    tally.count(verdicts, 0, kept=True)
    found = step_metrics(tally, [Reward(0.0, {})], [1], 0)
    assert {name: value for name, value in found.items() if name.startswith("judge/")} == {
        "judge/asked": 10 / 20,
        "judge/rules_right": 6 / 20,
        "judge/overturned": 6 / 10,
        "judge/agreement": 1 / 6,
        "judge/undecided": 3 / 10,
        "judge/seconds": 0.5,
        "judge/talked_over": 1 / 3,
    }
    plain = GroupTally()
    plain.count([Verdict(Outcome.CORRECT)], 0, kept=True)
    assert not [n for n in step_metrics(plain, [Reward(0.0, {})], [1], 0) if "judge" in n]


def test_a_judge_that_said_nothing_agrees_and_disagrees_with_nobody():
    tally = GroupTally()
    tally.count([Verdict(Outcome.ERROR, judged="no_answer>error")] * 2, 0, kept=True)
    found = step_metrics(tally, [Reward(0.0, {})], [1], 0)
    assert found["judge/undecided"] == 1
    assert "judge/agreement" not in found
