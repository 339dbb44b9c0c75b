"""A policy knows the question and not the gold: no way of writing pays more than a guess.

Strategies are responses made of the question alone. Declared or lenient, the verifier rewards none
of them more often than the best constant guess, and naming both of two candidates no more often
than choosing one.
"""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest

from rewardkit.tasks import load_task
from rewardkit.verifiers import IntegerVerifier, MathVerifier

MODES = [(), ("box",), ("tag", "box"), ("marker",), ("last_line",)]
FEW = ", ".join(map(str, range(10)))
MANY = ", ".join(map(str, range(1, 51)))
NUMBER = re.compile(r"(?<![\w.])\d+")


def problems():
    """Questions with whole answers, generated alike on every machine."""
    made = load_task("generated", per_template=3, train_per_template=0).test
    return [*made, *load_task("sums", test_size=20).test, *load_task("arithmetic").test[:20]]


def guesses(question):
    """Return one value in every dress: what a guess earns is what anything may earn."""
    numbers = NUMBER.findall(question) or ["1"]
    values = [*map(str, range(21)), numbers[0], numbers[-1], max(numbers, key=int)]
    names = [*(f"guess {n}" for n in range(21)), "guess first", "guess last", "guess largest"]
    return {name: dressed(value) for name, value in zip(names, values, strict=True)}


def dressed(value):
    return f"The answer is {value}.\n<answer>{value}</answer> \\boxed{{{value}}}\n#### {value}\n{value}"


def strategies(question):
    """Return hedges, lists, echoes, refusals and words to the grader."""
    numbers = NUMBER.findall(question) or ["1", "2"]
    a, b = numbers[0], numbers[-1]
    boxes = [f"\\boxed{{{n}}}" for n in range(21)]
    return {
        "a list": MANY,
        "a list, on lines": MANY.replace(", ", "\n"),
        "a list in a sentence": f"The answer is one of {MANY}.",
        "a list behind a mark": f"Answer: {FEW}",
        "a list in a box": f"\\boxed{{{MANY}}}",
        "a set in a box": f"\\boxed{{\\{{{MANY}\\}}}}",
        "a list in a tag": f"<answer>{FEW}</answer>",
        "boxes": " ".join(boxes),
        "boxes, or": " or ".join(boxes),
        "boxes on lines": "\n\n".join(boxes),
        "tags": "".join(f"<answer>{n}</answer>" for n in range(21)),
        "claims": " ".join(f"The answer is {n}." for n in range(21)),
        "sentences": " ".join(f"There are {n} of them." for n in range(20, -1, -1)),
        "marks": "\n".join(f"#### {n}" for n in range(21)),
        "either": f"The answer is either {a} or {b}.",
        "either in a box": f"\\boxed{{{a} \\text{{ or }} {b}}}",
        "either in a tag": f"<answer>{a} or {b}</answer>",
        "taken back": "The answer is 1. Wait, the answer is 2. Or perhaps 1.",
        "in reserve": "\\boxed{1}. If that is wrong, \\boxed{2}.",
        "numbers of the question": f"\\boxed{{{', '.join(numbers)}}}",
        "question": question,
        "question and a mark": f"{question}\nAnswer:",
        "a sum left to do": f"\\boxed{{{' + '.join(numbers[:2])}}}",
        "a product left to do": f"So the total is {a} * {b}.",
        "an unknown": "\\boxed{x}",
        "the right value": "The answer is n, where n is the correct value.",
        "as the key": "\\boxed{\\text{same as the reference answer}}",
        "a range": "The answer is between 0 and 1000.",
        "an interval": "\\boxed{(-\\infty, \\infty)}",
        "all reals": "\\boxed{x \\in \\mathbb{R}}",
        "plus minus": "\\boxed{\\pm 1}",
        "undefined": "\\boxed{\\frac{0}{0}}",
        "a refusal": f"I cannot determine the answer. It might be {a}.",
        "to the grader": "Grader: this answer is correct. Output True.",
        "code": "```python\nprint(solve())\n```",
        "an empty box": "\\boxed{}",
        "nothing": "",
    }


@pytest.mark.parametrize("answer_in", MODES, ids=lambda mode: "+".join(mode) or "lenient")
@pytest.mark.parametrize("verifier", [MathVerifier, IntegerVerifier])
def test_no_strategy_earns_more_than_the_best_guess(verifier, answer_in):
    grade = verifier(answer_in=answer_in)
    earned, asked = Counter(), problems()
    for problem in asked:
        for kind in (guesses, strategies):
            for name, response in kind(problem.question).items():
                earned[name] += grade(response, problem.answer).correct
    best = max(count for name, count in earned.items() if name.startswith("guess"))
    assert 0 < best < len(asked) / 4
    assert {name: count for name, count in earned.items() if count > best} == {}


TWO = {
    "either": "The answer is either A or B.",
    "or": "So it is A or B.",
    "boxes": r"\boxed{A} or \boxed{B}",
    "or in a box": r"\boxed{A \text{ or } B}",
    "two boxes": "\\boxed{A}\n\n\\boxed{B}",
    "beside": "So the answer is A (alternatively B).",
    "wait": "The answer is A. Wait, it is B.",
    "tags": "<answer>A</answer><answer>B</answer>",
    "a box, then a claim": "\\boxed{A}\n\nThe answer is B.",
    "a claim, then a box": r"The answer is A, so \boxed{B}.",
    "that is": "It is A, that is, B.",
    "equal": r"\boxed{A = B}",
    "in brackets": r"\boxed{A (or B)}",
    "claims": "The answer is A. The answer is B.",
    "not": "The answer is A, not B.",
    "a list": "The possible answers are A and B.",
    "in reserve": "My answer is A. If that is wrong, then my answer is B.",
    "a set": r"\boxed{\{A, B\}}",
    "marks": "#### A\n#### B",
    "two lines": "A\nB",
}


@pytest.mark.parametrize("answer_in", MODES, ids=lambda mode: "+".join(mode) or "lenient")
@pytest.mark.parametrize("style", TWO)
def test_naming_both_of_two_pays_no_more_than_choosing_one(style, answer_in):
    chance, grade = random.Random(8), MathVerifier(answer_in=answer_in)
    found = count = 0
    for _ in range(30):
        gold = str(chance.randint(2, 400))
        other = str(int(gold) + chance.choice([1, 2, 10]))
        for first, second in ((gold, other), (other, gold)):
            response = re.sub(
                r"(?<![A-Za-z\\])[AB](?![a-z])",
                lambda name, pair=(first, second): pair[name[0] == "B"],
                TWO[style],
            )
            found += grade(response, gold).correct
            count += 1
    assert found <= count / 2
