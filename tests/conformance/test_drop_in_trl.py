"""TRL's tests of `accuracy_reward` (Apache-2.0), as rows, through ours and through TRL's own."""

import threading

import pytest

from rewardkit.drop_in.trl import accuracy_reward

pytestmark = pytest.mark.conformance

TRL_TESTS = (
    (r"\boxed{\frac{63}{400}}", r"\frac{63}{400}", 1.0),
    (r"\boxed{\frac{63}{400}}", "63/400", 1.0),
    (r"\boxed{\frac{64}{400}}", r"\frac{63}{400}", 0.0),
    (r"\boxed{3}", "6", 0.0),
    ("Answer is forty two.", "Answer is forty two.", None),
    (r"Some other content. \boxed{43}.", "Answer is forty three.", None),
    (r"\boxed{\frac{1}{3}}", r"\frac{1}{3}", 1.0),
    (r"My answer is \boxed{\frac{1}{2}}", r"\frac{1}{3}", 0.0),
)
"""trl tests/test_rewards.py::TestAccuracyReward, and the example of its docstring."""


def rewards(function, rows):
    chats = [[{"role": "assistant", "content": row[0]}] for row in rows]
    return function(completions=chats, solution=[row[1] for row in rows])


@pytest.fixture(scope="module")
def theirs(trl):
    from trl.rewards import accuracy_reward

    return accuracy_reward


def test_the_rewards_are_those_of_trls_tests():
    assert rewards(accuracy_reward, TRL_TESTS) == [row[2] for row in TRL_TESTS]


def test_trl_itself_gives_the_same(theirs):
    assert rewards(theirs, TRL_TESTS) == rewards(accuracy_reward, TRL_TESTS)


def test_the_table_of_completions_gets_the_same_columns(theirs):
    told = {}
    for name, function in (("theirs", theirs), ("ours", accuracy_reward)):
        columns = {}
        chats = [[{"content": r"\boxed{2}"}]]
        function(completions=chats, solution=["2"], log_extra=columns.__setitem__)
        told[name] = columns
    assert told["theirs"].keys() == told["ours"].keys()


def test_it_works_in_a_thread():
    found = []
    one = threading.Thread(target=lambda: found.extend(rewards(accuracy_reward, TRL_TESTS[:1])))
    one.start()
    one.join()
    assert found == [1.0]
