"""What a run is said to take, from a few passes that leave it as it was."""

import pytest
import torch

from rewardkit_native import loop
from rewardkit_native.distributed.parallel import Ranks
from rewardkit_native.planning.estimate import Estimate
from rewardkit_native.setup import make_collector, prepare


@pytest.fixture
def tried(estimate, configure):
    """Return a function that estimates a run, steps of which are done."""

    def estimated(*overrides, done=0):
        config = configure(*overrides)
        parts = prepare(config, Ranks())
        sampler = make_collector(config, parts).sampler
        with parts.pool:
            return estimate(config, parts, sampler, done), parts

    return estimated


def test_trying_leaves_no_gradient_and_no_random_number(tried):
    torch.manual_seed(5)
    found, parts = tried("eval.samples=2", "eval.problems=3")
    assert min(found.sampling, found.updates, found.evaluations) > 0
    assert all(parameter.grad is None for parameter in parts.model.parameters())


def test_what_is_done_is_not_counted_nor_what_is_not_asked_for(tried):
    found, _ = tried("steps=4", done=4)
    assert found.seconds == 0


def test_a_run_that_takes_long_says_what_to_change():
    assert list(Estimate(100.0, 700.0, 90.0).advice()) == []
    [said] = Estimate(100.0, 1100.0, 50.0).advice()
    assert said.startswith(
        "88% of that is for updates: less of it with a smaller sampling.problems"
    )
    [said] = Estimate(100.0, 0.0, 1900.0).advice()
    assert "95% of that is for evaluations" in said
    assert "eval.problems" in said


def test_a_run_begins_with_what_it_will_take(configure, monkeypatch, capsys):
    monkeypatch.setattr(loop, "estimate", lambda *_: Estimate(100.0, 110.0, 50.0))
    loop.train(configure("steps=1"))
    assert "; about 4 min 20 s on this machine" in capsys.readouterr().out


def test_prompts_that_the_model_cannot_hold_are_not_tried(tried, monkeypatch):
    monkeypatch.setattr("rewardkit_native.planning.estimate.spare_positions", lambda *_: -1)
    assert tried()[0] is None
