"""TRL's reward function by itself: chats, columns, undecided, shaping. With TRL: conformance."""

import pickle
import warnings
from dataclasses import replace

import pytest
from asking_verifiers import near, undecided

from rewardkit.errors import ConfigError, DataError, TrainingError
from rewardkit.integrations.trl import reward_func
from rewardkit.recipes import GRPO, Recipe, Term


def chat(text):
    return [{"role": "assistant", "content": text}]


PROMPT = [{"role": "user", "content": "7+5?"}]


def test_plain_and_chats():
    grade = reward_func("math")
    assert grade.__name__ == "MathVerifier"
    assert grade(prompts=["Q"] * 2, completions=["It is 12", "13"], answer=["12"] * 2) == [1, 0]
    found = grade(prompts=[PROMPT] * 2, completions=[chat("It is 12"), chat("13")], answer=[12, 12])
    assert found == [1, 0]


def test_the_column_of_golds_and_what_is_said_where_it_is_missing():
    grade = reward_func("math", gold="solution")
    assert grade(prompts=["Q"], completions=["12"], solution=[r"so \boxed{12}"]) == [1]
    with pytest.raises(DataError, match=r"no column 'solution' for the gold.*Known: answer\. "):
        grade(prompts=["Q"], completions=["12"], answer=["12"])


def test_columns_reach_the_verifier():
    grade = reward_func(near, workers=1)
    found = grade(prompts=["Q"] * 2, completions=["3", "5"], answer=["", ""], target=[3, 3])
    assert found == [1, 0]
    found = grade(
        prompts=["Q"] * 2, completions=["4", "5"], answer=["", ""], target=[3, 3], slack=[1, 1]
    )
    assert found == [1, 0]


def test_undecided_is_none_and_counted():
    extra, metrics = {}, {}
    found = reward_func(undecided, workers=1)(
        prompts=["Q"] * 3,
        completions=["?", "1", "2"],
        answer=["1"] * 3,
        trainer_state=object(),
        log_extra=extra.__setitem__,
        log_metric=metrics.__setitem__,
    )
    assert found == [None, 1, 0]
    assert extra["outcome"] == ["error", "correct", "incorrect"]
    assert (extra["score"], len(extra["gold"]), len(extra["extracted"])) == ([0, 1, 0], 3, 3)
    shares = {"verifier/undecided": 1 / 3, "verifier/correct": 1 / 3}
    assert metrics == {**shares, "verifier/score": 1 / 2}


def test_shaping_by_recipe():
    """DAPO's soft overlong punishment, c = .2·20 = 4: 18 tokens lose .5, 20 lose 1."""
    ids = [[1] * 10, [1] * 18, [1] * 20]
    grade = reward_func("math", recipe="dapo", limit=20)
    given = {"prompts": ["Q"] * 3, "completions": ["12", "12", "13"], "answer": ["12"] * 3}
    metrics = {}
    assert grade(**given, completion_ids=ids, log_metric=metrics.__setitem__) == [1, 0.5, -1]
    assert metrics["verifier/score"] == pytest.approx(2 / 3)
    assert metrics["shaping/soft_overlong"] == -0.5  # of 0, -.5 and -1, before its weight
    with pytest.raises(ConfigError, match="completion_ids"):
        grade(**given)


def test_shaping_of_ones_own_is_written_as_in_a_file():
    """Eight tokens before the limit of 20, and half the weight: 16 lose (16 - 12)/8 · .5."""
    terms = [{"name": "soft_overlong", "weight": 0.5, "options": {"cache": 8}}]
    grade = reward_func("math", recipe=replace(GRPO, shaping=terms), limit=20)
    assert grade(prompts="Q", completions=["1"], completion_ids=[[1] * 16], answer=["1"]) == [0.75]


def test_shaping_that_looks_at_a_group():
    """Kimi's length term of two groups: the shortest right answer gets .5, the longest -.5."""
    recipe = Recipe("mine", shaping=(Term("kimi_length"),))
    grade = reward_func("math", recipe=recipe, limit=20, group_size=2)
    found = grade(
        prompts=["A", "A", "B", "B"],
        completions=["1", "1", "2", "2"],
        completion_ids=[[1] * 4, [1] * 8, [1] * 8, [1] * 4],
        answer=["1", "1", "2", "2"],
    )
    assert found == [1.5, 0.5, 0.5, 1.5]
    with pytest.raises(ConfigError, match="a group of 2 responses to one prompt"):
        grade(
            prompts=["A", "B"], completions=["1", "2"], completion_ids=[[1], [1]], answer=["1", "2"]
        )


def test_what_shaping_needs_is_said_at_once():
    with pytest.raises(ConfigError, match="limit="):
        reward_func("math", recipe="dapo")
    with pytest.raises(ConfigError, match="group_size="):
        reward_func("math", recipe=Recipe("mine", shaping=(Term("kimi_length"),)), limit=8)
    assert reward_func("math", recipe="grpo").terms == ()


def test_it_is_picklable():
    grade = pickle.loads(pickle.dumps(reward_func("math", recipe="dapo", limit=20)))
    assert grade(prompts=["Q"], completions=["1"], completion_ids=[[5]], answer=[1]) == [1]


@pytest.mark.parametrize("golds", [[None, None], ["", ""], [float("nan")] * 2, ["\\frac{1"] * 2])
def test_a_batch_without_a_gold_that_can_be_read_is_warned_of_once(golds):
    grade = reward_func("math", gold="solution")
    with pytest.warns(RuntimeWarning, match=r"none of the 2 responses .*\(bad_gold 2\)") as said:
        assert grade(prompts=["Q"] * 2, completions=["1", "2"], solution=golds) == [None, None]
    [warning] = said
    assert f"Column 'solution' holds {golds[0]!r} (" in str(warning.message)
    assert 'gold="COLUMN"' in str(warning.message)
    assert warning.filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert grade(prompts=["Q"], completions=["1"], solution=golds[:1]) == [None]
        assert grade(prompts=[], completions=[], solution=[]) == []
        some = reward_func("math")(prompts=["Q"] * 2, completions=["1"] * 2, answer=[None, "1"])
    assert some == [None, 1]


def test_a_verifier_that_fails_on_everything_is_no_silence():
    grade = reward_func(undecided, workers=1)
    with pytest.raises(TrainingError, match=r"failed on all 2 responses.*no idea"):
        grade(prompts=["Q"] * 2, completions=["?", "?"], answer=["1", "1"])
