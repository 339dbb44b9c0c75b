"""A layer whose weight is rearranged gives what torch's own gives."""

import pytest
import torch
from torch.nn import functional

from rewardkit_native.model.linear import Linear


@pytest.mark.parametrize(("dtype", "within"), [("float32", 1e-5), ("bfloat16", 8e-3)])
@pytest.mark.parametrize("rows", [0, 1, 7, 64, 300])
@pytest.mark.parametrize("biased", [False, True])
def test_any_number_of_rows(dtype, within, rows, biased):
    generator = torch.Generator().manual_seed(rows)
    x, weight, bias = (
        torch.randn(*size, generator=generator).to(getattr(torch, dtype)) / 4
        for size in ((rows, 2, 48), (96, 48), (96,))
    )
    bias = bias if biased else None
    found = Linear.of(weight, bias)(x[:, 1])  # rows that do not follow one another in memory
    assert found.dtype is weight.dtype
    expected = functional.linear(x[:, 1], weight, bias)
    torch.testing.assert_close(found, expected, rtol=within, atol=within)


def test_where_the_machine_cannot(monkeypatch):
    monkeypatch.setattr("rewardkit_native.model.linear._can_rearrange", lambda dtype: False)
    weight = torch.eye(3)
    layer = Linear.of(weight)
    assert layer.weight is weight
    assert layer(torch.ones(2, 3)).tolist() == [[1.0] * 3] * 2
