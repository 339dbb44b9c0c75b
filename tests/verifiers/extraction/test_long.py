"""The end of a long response is read as all of it would be."""

import pytest

from rewardkit.verifiers import MathVerifier
from rewardkit.verifiers.extraction import last_part as module
from rewardkit.verifiers.extraction.extract import extract
from rewardkit.verifiers.options import MathOptions

BODY = "".join(f"We compute $x^2 + 3x = {k}$, wait, maybe x < 5 and so on.\n" for k in range(1200))
STARTS = [
    "",
    "<think>",
    "Problem: what is 6 * 7?\n",
    "\\boxed{7}\n",
    "<answer>7</answer>\n",
    "<!-- ",
]
ENDS = {
    "So \\boxed{42}.": "42",
    "So she has 42 apples.": "42",
    "the answer is 42.": "42",
    "Final answer: 42": "42",
    "</think><answer>42</answer>": "42",
    "C because A and B are wrong.": "C because A and B are wrong.",
    "That is all. -->": None,
    "It is not \\boxed{42}.": None,
    "</think>": None,
}


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("end", ENDS)
def test_a_window_says_what_the_whole_says(start, end, monkeypatch):
    response = start + BODY + end
    ending = extract(response, MathOptions())
    monkeypatch.setattr(module, "_WINDOW", len(response))
    assert ending == extract(response, MathOptions())


@pytest.mark.parametrize(("end", "answer"), [row for row in ENDS.items() if row[1]])
def test_the_last_claim_of_a_long_text_counts(end, answer):
    found = extract(BODY + end, MathOptions())
    assert found is not None
    assert found.text == answer


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("gold", ["42", "C", "7"])
def test_a_verdict_on_the_last_part_is_that_on_the_whole(start, end, gold, monkeypatch):
    response = start + BODY + end
    verdict = MathVerifier()(response, gold)
    monkeypatch.setattr(module, "_WINDOW", len(response))
    whole = MathVerifier()(response, gold)
    assert (verdict.outcome, verdict.extracted) == (whole.outcome, whole.extracted)


def test_what_hides_the_answer_may_begin_before_the_last_part():
    response = f"<!-- {BODY} So \\boxed{{7}} --> \\boxed{{42}}"
    assert MathVerifier()(response, "42").correct
