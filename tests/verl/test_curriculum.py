"""The problem sampler on verl's side: the same choices as natively, from the same outcomes."""

import random
from dataclasses import replace

import pytest

from rewardkit.config import ModelConfig, config_from
from rewardkit.errors import ConfigError, DataError
from rewardkit.sampling.choice import task_sampler
from rewardkit.sampling.counts import CountTable, Visit
from rewardkit.sampling.refill import Refill
from rewardkit.tasks import load_task
from rewardkit_native import loop
from rewardkit_native.recovery.checkpoint import COUNTS
from rewardkit_verl.curriculum import Prompts, chooses_problems, visit_of
from rewardkit_verl.launcher.data import numbered_rows, write_data

RULES = ("mopps", "greso", "pools")


def configured(tmp_path, rule, **sampling):
    return config_from(
        {
            "folder": str(tmp_path / "run"),
            "steps": 4,
            "task": {"name": "arithmetic", "args": {"operations": ["+"], "train_size": 20}},
            "recipe": {"name": "dapo", "minibatches": 1},
            "sampling": {
                "problems": 3,
                "group_size": 4,
                "max_tokens": 12,
                "rounds": 3,
                "curriculum": {"rule": rule, "drift": 0.1 if rule == "mopps" else 0.0},
                **sampling,
            },
            "eval": {"samples": 0},
            "verify": {"workers": 1},
            "guards": {"stop": []},
        }
    )


def chooser_of(config):
    problems = load_task(config.task.name, **config.task.args).train
    return task_sampler(config.sampling.curriculum, problems, config.seed)


def infos(visit):
    """Return what the reward manager would have said of the rollouts of a visit."""
    outcomes = ["correct"] * visit.right + ["incorrect"] * visit.wrong + ["error"] * visit.undecided
    return [{"outcome": outcome, "truncated": 0.0} for outcome in outcomes]


@pytest.mark.parametrize("rule", RULES)
def test_a_recorded_run_is_drawn_again_by_both_backends(tmp_path, tiny_model, rule, monkeypatch):
    monkeypatch.setattr(loop, "draw_if_possible", lambda folder, remark: None)
    config = configured(tmp_path, rule)
    model = ModelConfig(str(tiny_model), dtype="float32")
    native = loop.train(replace(config, model=model))
    chooser, prompts = chooser_of(config), Prompts(chooser_of(config))
    table = CountTable.load(native / "checkpoints/step-00004" / COUNTS, chooser.table.problems)
    for _, visits in table.steps():
        drawn, asked = [], []
        refill = Refill(3, 3)
        while count := refill.ask():
            drawn += chooser.next(count)
            asked += prompts.draw(count)
            new = visits[len(drawn) - count : len(drawn)]
            refill.add(new, [visit.carries_signal for visit in new])
        assert [draw.problem for draw in drawn] == [visit.problem for visit in visits]
        assert [draw for _, draw in asked] == drawn
        chooser.observe(visits)
        answers = [(uid, infos(v)) for (uid, _), v in zip(asked, visits, strict=True)]
        random.Random(0).shuffle(answers)  # as they happen to end
        assert prompts.observe(dict(answers))["unanswered"] == 0
    assert (prompts.chooser.table.rows[:, :5] == table.rows[:, :5]).all()
    assert prompts.chooser.next(5) == chooser.next(5)


def test_saved_and_loaded_it_goes_on(tmp_path):
    config = configured(tmp_path, "mopps")
    whole = Prompts(chooser_of(config))
    for right in (1, 2):
        asked = whole.draw(4)
        whole.observe({uid: infos(Visit(0, right, 4 - right)) for uid, _ in asked})
    whole.save(tmp_path / "step")
    resumed = Prompts(chooser_of(config))
    resumed.load(tmp_path / "step")
    assert [d for _, d in resumed.draw(4)] == [d for _, d in whole.draw(4)]
    (tmp_path / "step" / "counts.bin").write_bytes(b"")
    with pytest.raises(DataError, match=r"counts\.bin"):
        Prompts(chooser_of(config)).load(tmp_path / "step")


def test_a_prompt_that_verl_gave_up_is_said_and_not_counted(tmp_path):
    config = configured(tmp_path, "greso")
    prompts = Prompts(chooser_of(config))
    (first, draw), _ = prompts.draw(2)
    assert prompts.observe({first: infos(Visit(0, 1, 2, 1))})["unanswered"] == 1
    assert dict(prompts.chooser.table.steps()) == {1: [Visit(draw.problem, 1, 2, 1, signal=1)]}


def test_scores_that_differ_are_a_signal():
    graded = [{"outcome": "incorrect", "verdict_score": s, "truncated": 1.0} for s in (0.2, 0.4)]
    assert visit_of(5, graded) == Visit(5, 0, 2, truncated=2, signal=1)


def test_the_data_file_holds_every_problem_by_number(tmp_path):
    config = configured(tmp_path, "mopps", problems=32)
    task = load_task(config.task.name, **config.task.args)
    rows = list(numbered_rows(task, 32))
    assert [row["extra_info"]["index"] for row in rows] == list(range(32))
    assert [row["extra_info"]["id"] for row in rows[:20]] == [problem.id for problem in task.train]
    assert write_data(config, task, tmp_path / "data").train_rows == 32
    with pytest.raises(ConfigError, match="needs difficulties"):
        write_data(configured(tmp_path, "adarft"), task, tmp_path / "data")


def test_a_run_of_the_plain_stream_is_left_to_verl_s_own_order(tmp_path):
    assert chooses_problems(configured(tmp_path, "mopps"))
    assert not chooses_problems(configured(tmp_path, "uniform"))
