"""FSDP2: each rank keeps a slice of every weight, gradient and optimiser state.

A layer's weights are brought together while a pass goes through it, and let go again after it;
gradients are summed over the ranks and cut into slices on the way back. Tensors leave this file
plain and whole, so that nothing else has to know.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MethodType
from typing import Any, TypeVar

import torch
import torch.distributed as dist
from torch import Tensor, nn

from rewardkit_native.distributed.parallel import Ranks

R = TypeVar("R")


def shard(
    model: Any,
    ranks: Ranks,
    device: torch.device | str | None = None,
    dtype: torch.dtype = torch.float32,
) -> None:
    """Cut the first rank's model into a slice for each rank, on `device`; the model changes.

    Layer by layer, so that no device ever holds more than one whole layer, or the head: the first
    rank may have its model on the host, the others theirs without storage ("meta").

    Args:
        model: of the same kind on all ranks.
        ranks: those of the run; of a single one nothing is changed.
        device: where the slices are to be; by default where the model is.
        dtype: in which passes go through the linear layers. They are brought together so, which is
            what autocast would make of them; gradients are summed in float32.
    """
    if ranks.size == 1:
        return
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import (
        FSDPModule,
        MixedPrecisionPolicy,
        fully_shard,
        register_fsdp_forward_method,
    )

    place = device or model.device
    mesh = init_device_mesh(torch.device(place).type, (ranks.size,))
    low = MixedPrecisionPolicy(dtype, torch.float32, cast_forward_inputs=False)
    names = set(model._no_split_modules or ())
    layers = [m for m in model.modules() if type(m).__name__ in names]
    embedding, head = model.get_input_embeddings(), model.get_output_embeddings()
    if head is None or embedding.weight is not head.weight:
        layers.append(embedding)
    for layer in layers:
        bring(layer, place, ranks)
        linear: list[nn.Module] = [part for part in layer.modules() if isinstance(part, nn.Linear)]
        if dtype is not torch.float32 and linear:
            fully_shard(linear, mesh=mesh, mp_policy=low)
        fully_shard(layer, mesh=mesh)
    # The root too: what is left whole after a pass without gradient would go stale at the next
    # update.
    bring(model, place, ranks)
    fully_shard(model, mesh=mesh, reshard_after_forward=True)
    for module in model.modules():
        if isinstance(module, FSDPModule):
            # Losses hold their share of the whole batch's weight, so gradients are summed.
            module.set_gradient_divide_factor(1.0)
            module.set_force_sum_reduction_for_comms(True)
    # Scores are computed from the decoder and the head, not by calling the model, which is what
    # would bring the root's weights together.
    model.passing = MethodType(_call, model)
    register_fsdp_forward_method(model, "passing")


@torch.no_grad()
def bring(module: nn.Module, device: torch.device | str, ranks: Ranks) -> None:
    """Give all ranks the first one's weights and buffers, whole, on `device`; a collective.

    What is cut into slices already stays as it is; a weight that two modules share is one again.
    """
    made: dict[Tensor, nn.Parameter] = {}

    def whole(value: Tensor) -> Tensor:
        there = value.detach().to(device) if ranks.first else torch.empty_like(value, device=device)
        dist.broadcast(there, 0)
        return there

    for part in module.modules():
        for name, parameter in part._parameters.items():
            if parameter is None or hasattr(parameter, "full_tensor"):
                continue
            if parameter not in made:
                made[parameter] = nn.Parameter(whole(parameter), parameter.requires_grad)
            part._parameters[name] = made[parameter]
        for name, buffer in part._buffers.items():
            if buffer is not None:
                part._buffers[name] = whole(buffer)


def full_tensor(tensor: Tensor) -> Tensor:
    """Return a tensor's full value; where it is sharded, this is a collective of all ranks."""
    if hasattr(tensor, "full_tensor"):
        full: Tensor = tensor.full_tensor()
        return full
    return tensor


def slice_like(value: Tensor, like: Tensor) -> Tensor:
    """Return this rank's slice of a full `value`, cut as `like` is and where it is; no collective.

    Only the slice leaves the place of `value`, such as a file that is mapped into memory.
    """
    from torch.distributed.tensor import DTensor
    from torch.distributed.tensor._utils import compute_local_shape_and_global_offset

    if value.shape != like.shape:
        return value  # such as the optimiser's count of steps
    if not isinstance(like, DTensor):
        return value.to(like.device, copy=True)
    mesh, placements = like.device_mesh, like.placements
    sizes, starts = compute_local_shape_and_global_offset(value.shape, mesh, placements)
    mine = value[tuple(slice(a, a + n) for a, n in zip(starts, sizes, strict=True))]
    return DTensor.from_local(
        mine.to(like.device, copy=True),
        mesh,
        placements,
        run_check=False,
        shape=like.shape,
        stride=like.stride(),
    )


@torch.no_grad()
def copy_full(value: Tensor, into: Tensor) -> None:
    """Copy a full `value` into a tensor that may be sharded."""
    into.copy_(slice_like(value, into))


def optimiser_state(optimiser: torch.optim.Optimizer, *, keep: bool) -> dict[str, Any]:
    """Return the optimiser's state with full tensors; a collective of all ranks.

    What was cut into slices comes to main memory, one tensor at a time, and only with `keep`.
    """

    def full(value: Any) -> Any:
        if not hasattr(value, "full_tensor"):
            return value
        found = value.full_tensor()
        return found.cpu() if keep else None

    state = optimiser.state_dict()
    entries = state["state"].items()
    return {**state, "state": {i: {n: full(v) for n, v in e.items()} for i, e in entries}}


def load_optimiser_state(optimiser: torch.optim.Optimizer, state: dict[str, Any]) -> None:
    """Put back what `optimiser_state` returned, with any number of ranks."""
    parameters = [p for group in optimiser.param_groups for p in group["params"]]
    sliced = {
        index: {
            name: slice_like(value, parameters[index]) if isinstance(value, Tensor) else value
            for name, value in entry.items()
        }
        for index, entry in state["state"].items()
    }
    optimiser.load_state_dict({**state, "state": sliced})


def _call(model: nn.Module, work: Callable[[], R]) -> R:
    return work()
