"""A linear layer that is only asked, never trained: its weight lies as the CPU's products read it.

`torch.nn.functional.linear` rearranges a weight in each call. For the few rows of a decoding step
that takes about as long as the product itself, so oneDNN is given a weight rearranged once.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

ROWS = 64
"""A weight is laid out for products with about so many rows; others are right as well."""


class Linear(NamedTuple):
    """x Wᵀ + b for x [N, in], without gradients.

    >>> Linear.of(torch.tensor([[1.0, 2.0]]), torch.tensor([0.5]))(torch.tensor([[3.0, 4.0]]))
    tensor([[11.5000]])
    """

    weight: Tensor
    bias: Tensor | None
    rearranged: bool

    @classmethod
    def of(cls, weight: Tensor, bias: Tensor | None = None) -> Linear:
        """Return the layer of a weight [out, in], rearranged where this machine can."""
        plain = type(weight) in (Tensor, torch.nn.Parameter)  # not one that only has a size
        if plain and weight.device.type == "cpu" and _can_rearrange(weight.dtype):
            return cls(torch.ops.mkldnn._reorder_linear_weight(weight.detach(), ROWS), bias, True)
        return cls(weight, bias, False)

    def __call__(self, x: Tensor) -> Tensor:
        """Return [N, out] for [N, in]."""
        if self.rearranged:
            return _rearranged_product(x, self.weight, self.bias)
        return functional.linear(x, self.weight, self.bias)


def _rearranged_product(x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    found: Tensor = torch.ops.mkldnn._linear_pointwise(x, weight, bias, "none", [], "")
    return found


@cache
@torch.no_grad()
def _can_rearrange(dtype: torch.dtype) -> bool:
    """Try it: some builds of torch have no oneDNN, and some CPUs no products of this type."""
    weight, x = torch.arange(32.0).view(2, 16).to(dtype), torch.ones(3, 16, dtype=dtype)
    try:
        found = _rearranged_product(x, torch.ops.mkldnn._reorder_linear_weight(weight, 3), None)
    except (AttributeError, RuntimeError):
        return False
    return torch.equal(found, functional.linear(x, weight))
