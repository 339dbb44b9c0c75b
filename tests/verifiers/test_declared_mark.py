"""What stands around a declared mark and holds no further mark changes nothing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rewardkit.types import Outcome
from rewardkit.verifiers import (
    ChoiceVerifier,
    IntegerVerifier,
    MathVerifier,
    NumericVerifier,
    TextVerifier,
)
from rewardkit.verifiers.format.found import Found
from rewardkit.verifiers.reading import read

TALK = (
    "So it is 7.",
    "I am not sure, it may be 9 or 11.",
    "No, that is wrong.",
    "Wait.",
    "Scratch that, I give up.",
    "Then $x = 3$ and $\\frac{1}{2} < y$.",
    "There are 12 apples and 5 pears.",
    "Q: What is 2 + 2?",
    "User: thanks",
    "Correction: 14",
    "```python\nprint(41)\n```",
    "(B) is not it.",
    "It is 不 -3 %.",
    "",
)
"""Numbers, doubts, withdrawals, other turns: none of it names an answer by a mark."""
PLAIN = st.text(st.characters(exclude_characters="\\<>#[]【】◁▷{}%-−", exclude_categories=["Cs"]))
AROUND = st.lists(st.sampled_from(TALK) | PLAIN, max_size=4).map("\n".join)
MARKS = {
    "box": r"Thus \boxed{42} it is.",
    "tag": "<answer>42</answer>",
    "tag:solution": "<solution> 42 </solution>",
    "marker": "\n#### 42\n",
    "last_line": "\n42",
}
LABELS = ("answer", "答", "답", "respuesta", "antwort", "####")


@pytest.mark.parametrize("kind", MARKS)
@settings(deadline=None, max_examples=150)
@given(before=AROUND, behind=AROUND)
def test_text_around_a_mark_changes_nothing(kind, before, behind):
    behind = "" if kind == "last_line" else behind
    if any(label in (before + behind).lower() for label in LABELS):
        return
    response = f"{before}\n{MARKS[kind]}\n{behind}"
    found = read(response, (kind,), "number")
    assert isinstance(found, Found)
    assert found.text == "42"
    assert response[found.start : found.end] == "42"


@pytest.mark.parametrize("kind", ["box", "tag", "marker"])
@settings(deadline=None, max_examples=50)
@given(text=AROUND)
def test_without_a_mark_there_is_no_answer(kind, text):
    if any(label in text.lower() for label in LABELS):
        return
    verdict = MathVerifier(answer_in=kind)(text, "7")
    assert (verdict.outcome, verdict.method) == (Outcome.NO_ANSWER, "not declared")


VERIFIERS = [
    (MathVerifier, "12", "13"),
    (IntegerVerifier, "12", "13"),
    (NumericVerifier, "12", "13"),
    (ChoiceVerifier, "B", "C"),
    (TextVerifier, "Paris", "Rome"),
]


@pytest.mark.parametrize(("verifier", "right", "wrong"), VERIFIERS)
def test_every_verifier_tells_right_wrong_and_not_declared_apart(verifier, right, wrong):
    declared = verifier(answer_in="box")
    told = {
        rf"\boxed{{{right}}}": Outcome.CORRECT,
        rf"\boxed{{{wrong}}}": Outcome.INCORRECT,
        rf"\boxed{{{right}}} So \boxed{{{wrong}}}": Outcome.INCORRECT,
        rf"The answer is {right}.": Outcome.NO_ANSWER,
        rf"<answer>{right}</answer>": Outcome.NO_ANSWER,
        r"\boxed{}": Outcome.NO_ANSWER,
        "": Outcome.NO_ANSWER,
    }
    assert {text: declared(text, right).outcome for text in told} == told
    assert declared("The answer is 12.", right).method == "not declared"
    assert declared(r"\boxed{}", right).method == "not a value"


@pytest.mark.parametrize("verifier", [MathVerifier, IntegerVerifier, NumericVerifier])
def test_words_in_the_place_of_a_number_are_no_value(verifier):
    verdict = verifier(answer_in="box")(r"\boxed{\text{I cannot say how many}}", "12")
    assert (verdict.outcome, verdict.method) == (Outcome.NO_ANSWER, "not a value")
