"""When a server is asked, how much, and when it is given up: by hand, without a clock or a server."""

from __future__ import annotations

import threading
from collections import Counter

import pytest

from rewardkit.client.pace import Pace
from rewardkit.client.server import Kind, Trouble
from rewardkit.evaluation.engines.base import Failure, Response
from rewardkit.evaluation.engines.dispatch import Lane, Line
from rewardkit.types import Finish


def lane(**changed):
    return Lane(**{"name": "s", "ask": lambda index, stop: None, "width": 8} | changed)


def open_lane(count, now=0.0, **changed):
    made = lane(**changed)
    for _ in range(count):
        made.begin(now)
    return made


def trouble(kind, since=0.0, wait=0.0):
    return Trouble(kind, "broken", since, wait)


def test_a_pace_spreads_requests_out():
    paced = lane(pace=Pace(10))
    paced.begin(100.0)
    assert paced.ready_at == 106.0


def test_429_halves_what_is_open_once_a_pause_and_each_response_brings_one_back():
    crowded = open_lane(8)
    for _ in range(5):  # those that were sent before the pause count once
        crowded.fail(trouble(Kind.BUSY, wait=3.0), 10.0)
    assert (crowded.limit, crowded.free_at, crowded.down) == (4, 13.0, "")
    crowded.begin(13.0)
    crowded.fail(trouble(Kind.BUSY), 13.5)  # no Retry-After: .5 s, doubled the second time
    assert (crowded.limit, crowded.free_at) == (2, 14.5)
    assert crowded.succeed()
    assert (crowded.limit, crowded.busies) == (3, 0)


@pytest.mark.parametrize(("asked", "pause"), [(0, 0.5), (7, 7), (1e9, 120), (-5, 0.5)])
def test_a_wait_that_is_asked_for_is_followed_within_reason(asked, pause):
    crowded = open_lane(1)
    crowded.fail(trouble(Kind.BUSY, wait=asked), 0.0)
    assert crowded.free_at == pause


def test_a_long_wait_that_is_asked_for_is_told_once(caplog):
    crowded = open_lane(3)
    for _ in range(3):
        crowded.fail(trouble(Kind.BUSY, wait=90.0), 0.0)
    assert caplog.messages == ["s: broken; it is asked again in 90 s"]


def test_a_server_that_only_ever_says_429_is_down_after_as_many_pauses_as_retries():
    crowded, now = lane(patience=2), 0.0
    for _ in range(3):
        assert not crowded.down
        crowded.begin(now)
        crowded.fail(trouble(Kind.BUSY), now)
        now = crowded.free_at
    assert crowded.down


def test_429_from_a_server_that_is_at_work_for_others_counts_for_nothing():
    calls, turned_away = [], threading.Event()

    def ask(index, stop):
        calls.append(index)
        if len(calls) == 1:
            turned_away.wait(60)
            stop.wait(0.1)  # so that the other one is told first
        elif not turned_away.is_set():
            turned_away.set()
            return trouble(Kind.BUSY, wait=0.001)
        return Response("r", Finish.STOP, 1, 1, 0.0)

    found = dict(Line([lane(ask=ask, width=2)], count=2, retries=0).run())
    assert len(calls) == 3
    assert all(isinstance(one, Response) for one in found.values())


def test_one_that_cannot_be_reached_is_asked_one_at_a_time_and_given_up_after_20_seconds():
    gone = open_lane(8)
    gone.fail(trouble(Kind.UNREACHABLE, since=100.0), 100.0)
    assert (gone.limit, gone.free_at) == (1, 100.5)
    for _ in range(7):
        gone.fail(trouble(Kind.UNREACHABLE, since=100.1), 100.1)
    assert gone.free_at == 104.1  # probes at most 4 s apart
    assert not gone.given_up(119.9)
    assert gone.given_up(120.1)
    gone.begin(121.0)
    assert not gone.given_up(121.0)  # it is being asked again
    assert gone.succeed()
    assert (gone.limit, gone.down, gone.given_up(1e6)) == (8, "", False)


def test_one_that_breaks_as_many_in_a_row_as_are_open_is_down():
    broken = open_lane(8)
    for _ in range(7):
        broken.fail(trouble(Kind.FAILED), 1.0)
    assert not broken.down
    broken.fail(trouble(Kind.FAILED), 1.0)
    assert (broken.down, broken.limit) == ("broken", 1)


def test_a_silence_counts_from_its_beginning():
    silent = open_lane(8)
    for _ in range(8):
        silent.fail(trouble(Kind.FAILED, since=0.0), 600.0)
    assert silent.given_up(600.0)


def test_a_server_that_goes_on_failing_is_told_as_it_goes(caplog):
    failing = lane()
    for now in (0.0, 0.5, 1.5, 3.5, 7.5, 8.0, 15.5):
        failing.begin(now)
        failing.fail(trouble(Kind.FAILED, since=now), now)
    assert [line[:24] for line in caplog.messages] == [
        "s: broken; 5 tries in a ",
        "s: broken; 7 tries in a ",
    ]


def test_of_two_empty_responses_to_a_request_the_second_counts():
    tries = Counter()

    def ask(index, stop):
        tries[index] += 1
        said = "7" if index == 1 and tries[1] == 2 else ""
        return Response(said, Finish.STOP, 1, 0, 0.0, "hm" if index == 2 else "")

    found = dict(Line([lane(ask=ask)], count=3, retries=0).run())
    assert [found[index].text for index in range(3)] == ["", "7", ""]
    assert tries == {0: 2, 1: 2, 2: 1}


def test_a_request_that_is_refused_says_nothing_of_its_server():
    fine = open_lane(8)
    for _ in range(8):
        fine.fail(trouble(Kind.REFUSED), 1.0)
    assert (fine.down, fine.limit, fine.free_at, fine.failing_since) == ("", 8, 0.0, None)


def test_a_request_that_breaks_on_one_server_is_taken_over_by_another():
    asked = {"good": [], "bad": []}

    def good(index, stop):
        asked["good"].append(index)
        return Response(f"r{index}", Finish.STOP, 1, 1, 0.0)

    def bad(index, stop):
        asked["bad"].append(index)
        return trouble(Kind.UNREACHABLE)

    line = Line([lane(ask=bad, width=1), lane(ask=good, width=1)], count=20, retries=0)
    found = list(line.run())
    assert sorted(index for index, _ in found) == list(range(20))
    assert all(isinstance(one, Response) for _, one in found)
    assert sorted(asked["good"]) == list(range(20))


def test_what_cannot_succeed_anywhere_ends_all():
    def ask(index, stop):
        raise ValueError("no such model")

    with pytest.raises(ValueError, match="no such model"):
        list(Line([lane(ask=ask)], count=20, retries=0).run())
    assert not [t for t in threading.enumerate() if "_work" in t.name and t.is_alive()]


def test_a_request_is_tried_as_often_as_retries_say_and_then_fails_alone():
    tries = []

    def ask(index, stop):
        tries.append(index)
        if index == 1:
            return Trouble(Kind.FAILED, "broken", 0.0)
        return Response("r", Finish.STOP, 1, 1, 0.0)

    found = dict(Line([lane(ask=ask)], count=3, retries=1).run())
    assert found[1] == Failure("gave up after 2 tries; last: broken")
    assert (tries.count(1), len(tries)) == (2, 4)


def test_a_request_that_is_broken_off_says_nothing_of_its_server(caplog):
    def ask(index, stop):
        if index:
            stop.wait()
            return Trouble(Kind.FAILED, "stopped", 0.0)
        return Response("r", Finish.STOP, 1, 1, 0.0)

    line = Line([lane(ask=ask, width=1), lane(ask=ask, width=1)], count=3, retries=1)
    found = line.run()
    next(found)
    found.close()
    assert caplog.text == ""
