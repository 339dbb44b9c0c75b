"""Lists that go on: which rule continues them."""

import pytest

from rewardkit.verifiers.comparison.texts import compare_texts
from rewardkit.verifiers.options import MathOptions


@pytest.mark.parametrize(
    ("gold", "pred", "expected"),
    [
        (r"\{1,3,5,7,\ldots\}", r"\{1,3,5,7,9,\ldots\}", True),
        (r"\{1,3,5,7,9,\ldots\}", r"\{1,3,5,\ldots\}", True),
        (r"1,2,4,8,\ldots", r"1,2,4,8,16,32,\ldots", True),
        (r"1,4,9,16,\ldots", r"1,4,9,16,25,\ldots", True),
        (r"1,-1,1,\ldots", r"1,-1,1,-1,\ldots", True),
        (r"1,4,9,\ldots", r"1,4,9,16,\ldots", False),  # three values show no second difference
        (r"\{1,3,5,\ldots\}", r"\{1,3,6,\ldots\}", False),
        (r"\{1,3,5,\ldots\}", r"\{1,3,5,7\}", False),
        (r"\{2,4,8,\ldots\}", r"\{2,4,6,8,\ldots\}", False),
        (r"1,\ldots", r"1,2,\ldots", False),
        (r"\{3k : k \in \mathbb{Z}\}", r"\{\ldots, -3, 0, 3, \ldots\}", True),
        (r"\{3k : k \in \mathbb{Z}\}", r"\{3k + 3 : k \in \mathbb{Z}\}", True),
        (r"\{3k : k \in \mathbb{Z}\}", r"\{3k + 1 : k \in \mathbb{Z}\}", False),
        (r"\{2n : n \in \mathbb{Z}^+\}", r"\{2, 4, 6, \ldots\}", True),
        (r"\{2n : n \in \mathbb{Z}^+\}", r"\{0, 2, 4, \ldots\}", False),
    ],
)
def test_endless_lists(gold, pred, expected):
    assert compare_texts(gold, pred, MathOptions(extra=("progressions",))).equal is expected
