"""Where the answer begins, behind the thoughts of each model family."""

import pytest

from rewardkit.verifiers.format.thoughts import (
    THOUGHT_ENDS,
    answer_start,
    without_end_tokens,
    without_thoughts,
)


@pytest.mark.parametrize("end", THOUGHT_ENDS)
def test_the_answer_begins_behind_each_way_to_close_thoughts(end):
    text = f"<think> 1 {end} 2"
    assert text[answer_start(text) :] == " 2"


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("<think>1</think> 2", " 2"),
        ("2 <think> 3", "2 "),
        ("1</think>2", "2"),  # the prompt opened them
        ("2", "2"),
    ],
)
def test_what_is_left_without_thoughts(text, rest):
    assert without_thoughts(text) == rest


@pytest.mark.parametrize("text", ["5<|im_end|>", "5 </s>", "5<|eot_id|><|endoftext|>\n", "5<eoa>"])
def test_tokens_that_end_a_turn_are_no_part_of_an_answer(text):
    assert without_end_tokens(text) == "5"


def test_a_relation_is_no_token():
    assert without_end_tokens("x > 5 and y >") == "x > 5 and y >"
