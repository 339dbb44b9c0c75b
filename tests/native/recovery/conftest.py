"""A small run that is saved after each step, on one thread."""

import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import torch

from rewardkit.api import register_task
from rewardkit.tasks import load_task
from rewardkit.types import Problem

sys.path.append(str(Path(__file__).parent))  # for `run_files` and `killing`


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def configure(configure):
    """A smaller run that saves after each of four steps.

    A step whose groups are all alike makes no update, and the tests count updates: with four
    groups of eight that is one step in 9,000 (the mean over 14 tiny models of other seeds, from
    their chances of a right answer; one in 2,400 for the worst).
    """
    return partial(
        configure,
        "steps=4",
        sampling={"problems": 4, "group_size": 8, "max_tokens": 8},
        optim={"lr": 2e-4},
        checkpoint={"every": 1},
    )


def one_digit_sums(long):
    """Sums of which those at the `long` places have prompts beyond any context of 512."""

    def question(n):
        return f"What is {n} + 1? " + "Think well. " * 300 * (n in long)

    return [Problem(str(n), question(n), str(n + 1)) for n in range(6)]


@register_task("some are long")
def some_are_long(long=(), long_test=()):
    arithmetic = load_task("arithmetic", operations=["+"])
    return replace(
        arithmetic, train=one_digit_sums(long), test=one_digit_sums(long_test)[:3], suites={}
    )
