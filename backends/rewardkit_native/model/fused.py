"""Layers of the Llama family in fewer steps, and rows that places share, with gradients of our own.

transformers computes a norm in five steps, keeps x and x / rms(x) for the backward pass, and under
autocast each linear layer that reads the result casts and keeps it anew; of the gated layer,
silu(gate) · up, autograd keeps gate, silu(gate), up and their product, the widest tensors of all.
Here the norm keeps x and one number a row and comes out in the type that linear layers take, and
silu, one cheap step, is computed again in the backward pass; on a GPU the product too, where memory
is what limits a pass. A layer is replaced where a trial gives what its own code does.
"""

from __future__ import annotations

import copy
from inspect import signature
from types import MethodType
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.checkpoint import checkpoint

KEEPING = frozenset({"cpu"})
"""Kinds of device on which the gated product is kept."""
GATE_PARTS = ("gate_proj", "up_proj", "down_proj", "act_fn")


def fuse_norms(model: Any) -> int:
    """Replace the norms of `model` that compute exactly this, and return how many they were."""
    found = [m for m in model.modules() if hasattr(m, "variance_epsilon") and _is_this_norm(m)]
    for module in found:
        module.forward = MethodType(_norm, module)
    return len(found)


def fuse_gates(model: Any) -> int:
    """Replace the gated layers of `model` that compute exactly this; return how many they were."""
    found = [
        module
        for module in model.modules()
        if all(hasattr(module, part) for part in GATE_PARTS) and _is_this_gate(module)
    ]
    for module in found:
        module.forward = MethodType(_gate, module)
    return len(found)


def share(table: Tensor, cells: Tensor) -> Tensor:
    """Return `table[cells]`, with a gradient whose bits do not depend on the timing of threads.

    Indexing's own gradient does: on a CPU several threads add at once to the same float32 numbers,
    and the order of their sums, so their last bits, is the order in which they arrive.
    """
    picked: Tensor = _Share.apply(table, cells)  # type: ignore[no-untyped-call]
    return picked


def _norm(module: Any, x: Tensor) -> Tensor:
    if x.dtype is not torch.float32:
        found: Tensor = type(module).forward(module, x)
        return found
    device = x.device.type
    dtype = torch.get_autocast_dtype(device) if torch.is_autocast_enabled(device) else x.dtype
    arguments = x, module.weight, module.variance_epsilon, dtype
    normed: Tensor = _RMSNorm.apply(*arguments)  # type: ignore[no-untyped-call]
    return normed


def _gate(module: Any, x: Tensor) -> Tensor:
    gate, up = module.gate_proj(x), module.up_proj(x)
    if x.device.type in KEEPING:
        return _down(module, gate, up)
    # It stops before down_proj's own product: all that is wanted again is what goes into it.
    arguments = module, gate, up
    down: Tensor = checkpoint(_down, *arguments, use_reentrant=False, preserve_rng_state=False)
    return down


def _down(module: Any, gate: Tensor, up: Tensor) -> Tensor:
    down: Tensor = module.down_proj(_SiluProduct.apply(gate, up))  # type: ignore[no-untyped-call]
    return down


class _RMSNorm(torch.autograd.Function):
    """w · x / sqrt(mean(x²) + eps) over the last dimension, from float32 to `dtype`."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, eps: float, dtype: torch.dtype) -> Tensor:
        size = torch.linalg.vector_norm(x, dim=-1, keepdim=True)
        scale = (size.square_().div_(x.shape[-1]).add_(eps)).rsqrt_()
        ctx.save_for_backward(x, weight, scale)
        normed: Tensor = (x * scale).mul_(weight).to(dtype)
        return normed

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, Tensor | None, None, None]:
        x, weight, scale = ctx.saved_tensors
        gradient = gradients[0].to(x.dtype)
        normed = x * scale
        to_weight = None
        if ctx.needs_input_grad[1]:
            to_weight = (gradient * normed).flatten(0, -2).sum(0)
        pulled = gradient * weight
        along = torch.linalg.vecdot(pulled, normed)[..., None] / x.shape[-1]
        return pulled.addcmul_(normed, along, value=-1).mul_(scale), to_weight, None, None


class _SiluProduct(torch.autograd.Function):
    """silu(gate) · up, elementwise."""

    @staticmethod
    def forward(ctx: Any, gate: Tensor, up: Tensor) -> Tensor:
        ctx.save_for_backward(gate, up)
        return functional.silu(gate).mul_(up)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor]:
        gate, up = ctx.saved_tensors
        to_up = functional.silu(gate).mul_(gradients[0])
        to_gate = torch.ops.aten.silu_backward(gradients[0] * up, gate)
        return to_gate, to_up


class _Share(torch.autograd.Function):
    """Pick from places some of which come more than once: the gradient is summed in one order."""

    @staticmethod
    def forward(ctx: Any, table: Tensor, cells: Tensor) -> Tensor:
        ctx.save_for_backward(cells)
        ctx.size = len(table)
        return table.index_select(0, cells)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None]:
        (cells,) = ctx.saved_tensors
        total = gradients[0].new_zeros(ctx.size, *gradients[0].shape[1:])
        if total.device.type == "cpu":
            return total.index_add_(0, cells, gradients[0]), None  # one row after another
        # On a GPU it is the other way round: index_add_ is a race, this sorts first.
        return total.index_put_((cells,), gradients[0], accumulate=True), None


# Both are tried on a small stand-in on the host: a module's own weights may be on no device yet.


@torch.no_grad()
def _is_this_norm(module: Any) -> bool:
    """Try it: some families add 1 to the weight, subtract a mean, or scale in another order."""
    weight = getattr(module, "weight", None)
    if weight is None or weight.dim() != 1 or weight.dtype is not torch.float32:
        return False
    if len(signature(type(module).forward).parameters) != 2:
        return False  # such as a gated norm, which is called with more than x
    generator = torch.Generator().manual_seed(0)
    small = copy.copy(module)
    small._parameters = {"weight": nn.Parameter(0.5 + torch.rand(len(weight), generator=generator))}
    x = 3 * torch.randn(4, len(weight), generator=generator) + 1
    try:
        theirs = type(module).forward(small, x)
        same: bool = torch.allclose(theirs, _norm(small, x), rtol=1e-5, atol=1e-6)
    except Exception:  # noqa: BLE001 whatever it lacks, it is not a norm of x alone
        return False
    return same


@torch.no_grad()
def _is_this_gate(module: Any) -> bool:
    """Try it: some families gate by another function, or scale and drop on the way."""
    linear = {name: getattr(module, name) for name in GATE_PARTS[:3]}
    if not all(isinstance(layer, nn.Linear) for layer in linear.values()):
        return False
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        sizes = {"gate_proj": (8, 16), "up_proj": (8, 16), "down_proj": (16, 8)}
        made = {n: nn.Linear(*sizes[n], bias=x.bias is not None) for n, x in linear.items()}
        small = copy.copy(module)
        small._modules = {**module._modules, **made}
        x = 3 * torch.randn(4, 8)
    same: bool = torch.equal(type(module).forward(small, x), _gate(small, x))
    return same
