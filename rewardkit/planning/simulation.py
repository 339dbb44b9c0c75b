"""Weights, ranks and optimiser of a step that is run for its memory alone, on fake tensors."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.utils._pytree import tree_map_only

from rewardkit.planning.fake_gpu import local_part
from rewardkit.planning.ledger import GRADIENTS, HOST, PARAMETERS, Ledger


def to_fake(model: Any, fakes: FakeTensorMode, ledger: Ledger) -> None:
    """Give a model without storage fake weights on the simulated device; the model changes.

    What is cut into slices already stays as it is.
    """
    made: dict[int, Tensor] = {}
    for module in model.modules():
        for name, parameter in list(module._parameters.items()):
            if parameter is None or hasattr(parameter, "full_tensor"):  # none, or cut into slices
                continue
            if id(parameter) not in made:  # a tied head stays tied
                with fakes:
                    value = torch.empty_like(parameter, device="cpu")
                ledger.enter(value, PARAMETERS)
                made[id(parameter)] = torch.nn.Parameter(value, parameter.requires_grad)
            module._parameters[name] = made[id(parameter)]
        for name, buffer in list(module._buffers.items()):
            if buffer is not None:
                with fakes:
                    module._buffers[name] = torch.empty_like(buffer, device="cpu")


def on_host(shape: torch.Size, fakes: FakeTensorMode, ledger: Ledger) -> Tensor:
    """Return a float32 tensor in main memory, as one of a file that is mapped."""
    with fakes:
        value = torch.empty(shape)
    ledger.enter(value, HOST)
    return value


def label_weights(model: Any, ledger: Ledger, kind: str) -> None:
    """Let the ledger know what the model's weights are for, cut into slices or not."""
    for parameter in model.parameters():
        value = parameter.data
        ledger.label(local_part(value), kind)


def label_gradients(model: Any, ledger: Ledger) -> None:
    """Let the ledger know each gradient as one from the moment that it is accumulated."""

    def note(parameter: Tensor) -> None:
        tree_map_only(FakeTensor, lambda g: ledger.label(g, GRADIENTS), parameter.grad)

    for parameter in model.parameters():
        if parameter.requires_grad:
            parameter.register_post_accumulate_grad_hook(note)


def first_step(optimiser: torch.optim.Optimizer) -> None:
    """Let the optimiser have its state, as at all steps but the first."""
    for group in optimiser.param_groups:
        for parameter in group["params"]:
            parameter.grad = torch.zeros_like(parameter)
    optimiser.step()
    optimiser.zero_grad(set_to_none=True)


@contextmanager
def swept() -> Iterator[None]:
    """Let the collector look at what is made within alone."""
    settle()
    try:
        yield
    finally:
        gc.unfreeze()


def settle() -> None:
    """Hide what is there from the collector, whose every sweep takes as long as it sees objects."""
    gc.collect()
    gc.freeze()


@contextmanager
def world(size: int) -> Iterator[None]:
    """Let torch believe in `size` ranks; what they exchange is not sent."""
    from torch.testing._internal.distributed.fake_pg import FakeStore

    dist.init_process_group("fake", rank=0, world_size=size, store=FakeStore())
    try:
        yield
    finally:
        dist.destroy_process_group()
