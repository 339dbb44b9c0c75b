"""Trees of as many levels as the parser lets through, wherever the caller's stack stands."""

import contextlib

import pytest

from rewardkit.verifiers.comparison.texts import compare_texts
from rewardkit.verifiers.expressions.trees import levels
from rewardkit.verifiers.limits import MAX_LEVELS, NeedsSympy, TooComplex, work
from rewardkit.verifiers.options import MathOptions
from rewardkit.verifiers.parsing.parser import parse

FRAMES = 300
"""Of callers above the verifier, a third of what Python allows."""


def product(factor, count):
    return "*".join([factor] * count)


DEEP = [
    product("x", 148),
    rf"\pm {product('x', 147)}",
    rf"\pm(1+{product('x', 143)})",
    f"f({product('x', 140)}) < 1",
    f"y = {product('x', 145)}",
    f"{product('x', 145)} < 2",
    rf"\{{x \mid x = {product('n', 139)}\pi, n \in \mathbb{{Z}}\}}",
    rf"{product('n', 139)}\pi, n \in \mathbb{{Z}}",
    rf"\begin{{pmatrix}} {product('x', 145)} & 1 \end{{pmatrix}}",
    "(" + product(r"{3^\circ}", 140) + ", 1)",
    rf"\int_0^1 {product('x', 120)} dx",
    product("C", 145),
    rf"n \equiv {product('2', 140)} \pmod 5",
    rf"{product('10', 140)}\text{{ cm}}",
]
OTHERS = [
    r"\pm x", "y = x + 1", "x < 1", r"k\pi, k \in \mathbb{Z}", "c", "(1, 2)", "30",
    r"n \equiv 1 \pmod 5", r"5\text{ cm}", r"\begin{pmatrix} 1 & 2 \end{pmatrix}",
]  # fmt: skip


def compared(gold, pred):
    work.begin()
    with contextlib.suppress(NeedsSympy, TooComplex):  # each limit is an answer
        return compare_texts(gold, pred, MathOptions(extra=("all",))) is not None
    return True


def below(frames, question):
    return below(frames - 1, question) if frames else question()


def test_these_are_about_as_deep_as_trees_get():
    assert max(levels(parse(text)) for text in DEEP) > MAX_LEVELS - 5


@pytest.mark.parametrize("text", DEEP, ids=lambda text: text[:20])
def test_no_rule_runs_out_of_stack(text):
    for other in (*OTHERS, f"{text}+1", text.replace("x", "y").replace("n", "k")):
        for gold, pred in ((text, other), (other, text)):
            assert below(FRAMES, lambda g=gold, p=pred: compared(g, p))
