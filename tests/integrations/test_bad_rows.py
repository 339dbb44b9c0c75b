"""One bad row never ends a trainer: it is undecided, and said."""

import asyncio

import pytest

from rewardkit.integrations import openrlhf, trl, verl


class Odd:
    pass


def deep():
    found = "12"
    for _ in range(900):
        found = [found]
    return found


GOLDS = [{"a": 1}, b"12", Odd(), {1, 2}, deep(), 10**5000]


@pytest.mark.parametrize("gold", GOLDS, ids=range(len(GOLDS)))
def test_a_gold_that_is_none(gold):
    with pytest.warns(RuntimeWarning, match="cannot be used"):
        found = verl.compute_score("s", "It is 12", gold)
    assert (found["score"], found["undecided"], found["outcome"]) == (0.0, 1.0, "bad_gold")
    with pytest.warns(RuntimeWarning, match="cannot be used"):
        assert asyncio.run(verl.compute_score_async("s", "It is 12", gold)) == found
    with pytest.warns(RuntimeWarning, match="cannot be used"):
        rewards = trl.reward_func("math")(["q"] * 2, ["It is 12"] * 2, answer=["12", gold])
    assert rewards == [1.0, None]
    with pytest.warns(RuntimeWarning, match="cannot be used"):
        found = openrlhf.remote_reward("math")(["q 12", "q 12"], ["q", "q"], [gold, "12"])
    assert found["rewards"] == [0.0, 1.0]


@pytest.mark.parametrize("extra", ["text", 3, None, [1], {"index": 7}])
def test_further_columns_that_are_none(extra):
    assert verl.compute_score("s", "It is 12", "12", extra)["score"] == 1.0


@pytest.mark.parametrize("prompt", [None, 3, [], [None], ["text"], [{"role": "user"}]])
def test_a_prompt_that_is_none(prompt):
    assert trl.reward_func("math")([prompt], ["It is 12"], answer=["12"]) == [1.0]
