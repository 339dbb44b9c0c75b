"""What a reader sees of a response, and where a line that repeats the problem begins to answer."""

import pytest

from rewardkit.verifiers.extraction.extract import extract
from rewardkit.verifiers.extraction.text.visible import (
    thinks_on,
    visible,
    with_thoughts,
    without_hidden,
)
from rewardkit.verifiers.options import MathOptions

ANALYSIS, FINAL = "<|channel|>analysis<|message|>", "<|channel|>final<|message|>"


@pytest.mark.parametrize(
    ("response", "seen"),
    [
        ("7", "7"),
        ("<think>8</think> 7", " 7"),
        ("<thinking>8</thinking>7", "7"),
        ("<think>8</think>", "<think>8"),
        ("<think>8", "8"),
        ("7 <think>8", "8"),
        ("7 <think> ", "7 "),
        ("7<|im_end|>", "7"),
        ("7</s>", "7"),
        ("7 <!-- 8 -->", "7 "),
        (r"It is 7. % \boxed{8}", "It is 7. "),
        (r"100% sure: \boxed{7}", r"100% sure: \boxed{7}"),
    ],
)
def test_thoughts_comments_and_special_tokens_are_not_seen(response, seen):
    assert visible(response, MathOptions()) == seen


@pytest.mark.parametrize(
    ("response", "thinks"),
    [("7", False), ("<think>7", True), ("<think>7</think>", False), ("</think><think>7", True)],
)
def test_thoughts_may_be_cut_off(response, thinks):
    assert thinks_on(response) == thinks


@pytest.mark.parametrize(
    ("response", "answer"),
    [
        ("Problem: what is 6*7? The answer is \\boxed{42}.", "42"),
        ("Question: find x. Answer: 42", "42"),
        ("Question: 6*7? \\boxed{42}", "42"),
        ("Problem: ... the answer is \\boxed{42}?", None),
        ("Problem: show that x is \\boxed{42}. I cannot.", None),
        ("Problem: is x odd? Show that x is \\boxed{42}.", None),
        ("Problem: Answer: 42", None),
    ],
)
def test_what_answers_a_question_repeated_on_its_line_counts(response, answer):
    found = extract(response, MathOptions())
    assert (found.text.strip(" .") if found else None) == answer


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


@pytest.mark.parametrize("blank", [" ", "\n", " \n", "\t", "\r\n"])
def test_a_long_run_of_white_space_is_shortened_to_one_that_breaks_lines_as_it_did(blank):
    shown = without_hidden(f"<answer>5</answer>{blank * 5_000}Which?")
    assert len(shown) < 60
    assert ("\n" in shown) == ("\n" in blank)
    assert without_hidden(f"5{blank}Which?") == f"5{blank}Which?"
