"""How many threads a run takes: fewer beside other work, more again when that is over."""

import pytest
import torch

from rewardkit_native.distributed.parallel import Ranks
from rewardkit_native.thread_count import PATIENCE, ThreadCount, thread_count

QUIET, CROWDED = {2: 10.0, 1: 6.0}, {2: 5.0, 1: 9.0}


@pytest.fixture(autouse=True)
def two_threads():
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


def test_fewer_threads_beside_other_work_and_more_when_it_is_over():
    said, answers = [], [CROWDED, CROWDED, QUIET]
    threads = ThreadCount("float32", 2, said.append, measure=lambda *_: answers.pop(0))
    threads.look(wall=10, own=9)
    assert (threads.count, len(answers)) == (2, 3)  # nothing was amiss, nothing was tried
    threads.look(wall=10, own=5)
    assert threads.count == 1
    for _ in range(2 * PATIENCE):
        threads.look(wall=10, own=5)
    assert (threads.count, answers) == (2, [])
    assert said == [
        "threads: 1 instead of 2, since other work holds the cores: 9 rounds/s, against 5",
        "threads: 2 instead of 1, since the cores are free again: 10 rounds/s, against 6",
    ]


def test_a_step_that_waited_changes_nothing_where_all_threads_serve_best():
    said = []
    threads = ThreadCount("float32", 2, said.append, measure=lambda *_: QUIET)
    threads.look(wall=10, own=1)
    assert (threads.count, said) == (2, [])


def test_rates_are_tried_with_each_number_and_leave_it_as_it_was():
    from rewardkit.planning.cpu_rates import rates

    found = rates("float32", 2)
    assert list(found) == [2, 1]
    assert all(rate > 0 for rate in found.values())
    assert torch.get_num_threads() == 2


@pytest.mark.parametrize("given", ["setting", "environment", "processes", ""])
def test_a_number_that_is_given_is_left_alone(configure, monkeypatch, given):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    if given == "environment":
        monkeypatch.setenv("OMP_NUM_THREADS", "2")
    config = configure(*(["model.threads=2"] if given == "setting" else []))
    ranks = Ranks(0, 2, None) if given == "processes" else Ranks()
    assert thread_count(config, ranks, print).most == (1 if given else 2)
