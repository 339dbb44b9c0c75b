"""What is long is not begun in the calling process, where no deadline could end it."""

import pytest
from pool_verifiers import Everywhere

from rewardkit.verifiers import VerifierPool
from rewardkit.verifiers.pool.pool import QUICK_CHARS


@pytest.mark.parametrize(
    ("response", "gold", "way"),
    [
        ("x" * (QUICK_CHARS - 1), "1", "quick"),
        ("x" * QUICK_CHARS, "1", "in a worker"),
        ("1", "x" * QUICK_CHARS, "in a worker"),
    ],
)
def test_long_texts_go_to_a_worker(response, gold, way):
    with VerifierPool(Everywhere(), workers=1) as pool:
        assert pool.submit(response, gold).result().method == way
        assert [verdict.method for verdict in pool.verify([(response, gold)])] == [way]
