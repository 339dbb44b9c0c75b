"""Where a response ends and an invented next turn begins."""

import pytest

from rewardkit.verifiers.lenient.turns import turn_end


@pytest.mark.parametrize(
    "turn",
    [
        "\n\nQ: Tom has 3",
        "\nQuestion 5: Tom",
        "\n**Problem:** Tom",
        "\nUser: thanks",
        "\n### Instruction:\nTom",
        "\n问题：3",
        "<|im_end|>\n<|im_start|>user",
        "</s> more",
    ],
)
def test_an_invented_turn_is_cut_off(turn):
    text = f"The answer is 5.{turn}"
    assert text[: turn_end(text, 0)].rstrip() == "The answer is 5."


@pytest.mark.parametrize("text", ["", "So 5 questions: a, b", "\nQ: what?\nIt is 5."])
def test_a_response_is_read_to_its_end_otherwise(text):
    assert turn_end(text, 0) == len(text)
