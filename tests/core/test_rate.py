"""The learning rate of each step, against numbers worked by hand and transformers' schedules."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from rewardkit.config import OptimConfig, rate_factor


@pytest.mark.parametrize(
    ("optim", "steps", "expected"),
    [
        ({}, 3, [1, 1, 1]),
        ({"warmup_steps": 4}, 6, [0.25, 0.5, 0.75, 1, 1, 1]),
        ({"warmup_steps": 0.5}, 6, [1 / 3, 2 / 3, 1, 1, 1, 1]),
        ({"schedule": "linear"}, 4, [1, 0.75, 0.5, 0.25]),
        ({"schedule": "linear", "warmup_steps": 2, "lr_end": 0.5}, 4, [0.5, 1, 1, 0.75]),
        ({"schedule": "cosine"}, 4, [1, 0.5 + 0.5**1.5, 0.5, 0.5 - 0.5**1.5]),
        ({"schedule": "wsd", "decay": 0.5, "warmup_steps": 1}, 8, [1] * 5 + [0.75, 0.5, 0.25]),
        ({"schedule": "wsd", "decay": 0.25, "lr_end": 0.2}, 8, [1] * 7 + [0.6]),
    ],
)
def test_worked_by_hand(optim, steps, expected):
    found = [rate_factor(OptimConfig(**optim), step, steps) for step in range(steps)]
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("schedule", ["linear", "cosine"])
def test_behind_the_warm_up_as_transformers_has_it(schedule):
    from transformers import get_scheduler

    optimiser = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=1.0)
    theirs = get_scheduler(schedule, optimiser, num_warmup_steps=3, num_training_steps=11)
    optim = OptimConfig(schedule=schedule, warmup_steps=3)
    for step in range(11):
        if step >= 3:  # theirs begins with 0
            assert rate_factor(optim, step, 11) == pytest.approx(theirs.get_last_lr()[0], abs=1e-12)
        optimiser.step()
        theirs.step()


@given(
    schedule=st.sampled_from(["constant", "linear", "cosine", "wsd"]),
    warm=st.one_of(st.integers(0, 30), st.floats(0, 0.99)),
    end=st.floats(0, 1),
    decay=st.floats(0, 1),
    steps=st.integers(1, 40),
)
def test_never_negative_nor_above_the_rate_that_is_asked_for(schedule, warm, end, decay, steps):
    optim = OptimConfig(schedule=schedule, warmup_steps=warm, lr_end=end, decay=decay)
    found = [rate_factor(optim, step, steps) for step in range(steps)]
    assert all(0 <= factor <= 1 for factor in found)
    assert found[0] > 0
