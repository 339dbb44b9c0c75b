"""Channels of thoughts and of the answer."""

import pytest

from rewardkit.verifiers.extraction.text.visible import with_thoughts

ANALYSIS, FINAL = "<|channel|>analysis<|message|>", "<|channel|>final<|message|>"


@pytest.mark.parametrize(
    ("response", "read"),
    [
        ("So it is 7.", "So it is 7."),
        ("The channel carries 7 litres.", "The channel carries 7 litres."),
        (f"{ANALYSIS}Or 6.<|end|><|start|>assistant{FINAL}7", "<think>Or 6.\n</think>7"),
        ("<|channel>thought\nOr 6.<channel|>7", "<think>\nOr 6.</think>7"),
        (f"{ANALYSIS}Or 6.", "<think>Or 6."),
        ("analysisOr 6.assistantfinal7", "<think>analysisOr 6.</think>7"),
        ("analysis of the assistants' finals: 7", "analysis of the assistants' finals: 7"),
    ],
)
def test_channels_of_thoughts_are_read_as_thoughts(response, read):
    assert with_thoughts(response) == read
