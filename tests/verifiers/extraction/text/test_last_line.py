"""A last line that marks a word or an option in any spelling answers with it; a list's item not."""

import re

import pytest

from rewardkit.verifiers import MathVerifier

WORKING = "Twelve and five make an odd number, and option B has 2 of them.\n"
MARKS = [
    "[[{}]]", "Ans: {}", "Sol: {}", "Output: {}", "Solution: {}", "✅ {}",
    "✔️ **{}**", "👉 {}", "∴ {}", "→ {}", "=> {}", "#### {}", "####{}", "@@{}@@", "<<{}>>",
    "<<<{}>>>", "«{}»", "***{}***", "\\underline{{{}}}", "\\boldsymbol{{{}}}", "\\answer{{{}}}",
    "\\color{{red}}{{{}}}", "\\fcolorbox{{black}}{{yellow}}{{{}}}", "\\bbox[5px]{{{}}}",
    "\\framebox{{{}}}", "\\box{{{}}}", "\\tag*{{{}}}", "boxed{{{}}}", "boxed({})",
    "\\boxed\\{{{}\\}}", "[Answer] {}", "[answer]: {}", "(Answer: {})", "{} is the answer.",
    "My final answer would be {}.", "I'd answer {}.", "Final answer - {}", "Final Answer – {}",
    "final answer → **{}**", "Answer (in words): {}", "答案：{}", "最终答案：{}", "答えは{}です。",
    "정답은 {}입니다.", "Đáp số: {}", "คำตอบคือ {}", "উত্তর: {}", "Отговор: {}", "Jibu: {}",
    "```\n{}\n```", "```text\n{}\n```", "```answer\n{}\n```",
    "[[ ## answer ## ]]\n{}\n\n[[ ## completed ## ]]", "&lt;answer&gt;{}&lt;/answer&gt;",
]  # fmt: skip
GOLDS = [("C", "B"), ("No", "Yes"), ("Paris", "London"), ("no solution", "infinitely many")]


@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize(("gold", "other"), GOLDS)
def test_it_answers_with_its_value(mark, gold, other):
    response = WORKING + mark.format(gold)
    assert MathVerifier()(response, gold).correct
    assert not MathVerifier()(response, other).correct


@pytest.mark.parametrize(
    "value", ["15", "\\frac{3}{4}", "\\sqrt{2}", "(3, 5)", "12.5\\%", "2.5 km"]
)
@pytest.mark.parametrize(
    "mark", [m for m in MARKS if not re.search(r"boxed|Final [Aa]nswer|&lt;", m)]
)
def test_numbers_and_formulas_are_read_behind_the_same_marks(mark, value):
    assert MathVerifier()(WORKING + mark.format(value), value).correct


@pytest.mark.parametrize(
    ("response", "gold"),
    [
        ("The cities are:\n- London\n- Paris", "Paris"),
        ("What fits?\n✅ even\n✅ positive", "positive"),
        ("We go on.\n### Paris", "Paris"),
        ("Is it odd?\nAnswer: is it No?", "No"),
        ("Answer options:\n→ Yes\n→ No", "No"),
        ("We do not know.\nSolution: it may be Paris, or London.", "Paris"),
        ("It is unclear.\nOutput: error", "No"),
        ("The key says:\n[[answer]]", "answer"),
        ("We start.\nStep 4: No", "No"),
    ],
)
def test_a_list_a_heading_or_a_question_does_not(response, gold):
    assert not MathVerifier()(response, gold).correct
