"""The strict reading: the last declared mark behind the last closed thought, and nothing else."""

import pytest

from rewardkit.errors import ConfigError
from rewardkit.verifiers.format.declared import declared
from rewardkit.verifiers.format.found import NOT_A_VALUE, NOT_DECLARED, Found
from rewardkit.verifiers.options import checked

ALL = ("box", "tag", "marker")


@pytest.mark.parametrize(
    ("answer_in", "text", "held"),
    [
        (("box",), r"\boxed{4}. The answer is 5.", "4"),
        (("marker",), r"\boxed{4}. The answer is 5.", "5"),
        (ALL, r"\boxed{4}. The answer is 5.", "5"),
        (ALL, r"The final answer is $\boxed{4}$.", "4"),
        (ALL, r"<answer>\boxed{4}</answer>", "4"),
        (ALL, r"\boxed{\text{Answer: }4}", r"\text{Answer: }4"),
        (("tag",), "<answer>1</answer><answer> 2 </answer>", "2"),
        (("tag",), "<answer>2", "2"),  # a server that stops at the closing tag leaves it out
        (("tag",), "<Answer>2</Answer>", "2"),
        (("tag:solution",), "<answer>1</answer><solution>2</solution>", "2"),
        (("last_line",), "It is 3.\n\n**4**\n", "4"),
        (("last_line", "box"), "so $\\boxed{3}$", "3"),
        (("marker",), "Answer: 5<|im_end|>", "5"),
        (("box",), r"<think>\boxed{3}</think> \boxed{4}", "4"),
        (("box",), r"<think> a </think> \boxed{3} <think> b </think> \boxed{4}", "4"),
        (("box",), r"<think> so \boxed{3}", "3"),
        (("box",), r"[THINK] \boxed{3} [/THINK] \boxed{4}", "4"),
        (("box",), r"<|channel|>analysis\boxed{3}<|channel|>final<|message|>\boxed{4}", "4"),
    ],
)
def test_what_the_declared_mark_holds_is_the_answer(answer_in, text, held):
    assert declared(text, answer_in).text == held


@pytest.mark.parametrize(
    ("answer_in", "text", "method"),
    [
        (("box",), "The answer is 5.", NOT_DECLARED),
        (("tag",), r"\boxed{5}", NOT_DECLARED),
        (("marker",), r"\boxed{5}", NOT_DECLARED),
        (("box",), r"<think> \boxed{5} </think> It is 5.", NOT_DECLARED),
        (("box",), r"\boxed{}", NOT_A_VALUE),
        (("tag",), "<answer> </answer>", NOT_A_VALUE),
        (("last_line",), "\n \n", NOT_DECLARED),
    ],
)
def test_where_it_is_missing_the_reason_is_told(answer_in, text, method):
    found = declared(text, answer_in)
    assert not isinstance(found, Found)
    assert found.method == method
    assert found.reason


def test_thoughts_that_never_end_hold_no_answer_where_that_is_asked():
    text = r"<think> so \boxed{3}"
    assert declared(text, ("box",)).text == "3"
    assert declared(text, ("box",), unclosed_think="ignore").reason == "the thoughts never end"


@pytest.mark.parametrize("wrong", ["boxed", "tag:", "tag:a b", ["box", "line"], ("tag:<x>",)])
def test_a_place_that_does_not_exist_is_refused_by_name(wrong):
    with pytest.raises(ConfigError, match="answer_in says where"):
        checked(wrong)
