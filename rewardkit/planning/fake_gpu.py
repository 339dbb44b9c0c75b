"""Tensors without storage for which the code takes the paths of a GPU, on any machine.

Weights and all that is computed from them are fake: they have a shape, a type and a lifetime, and
no numbers. What the code itself makes on the host (tokens, masks, where each token lies) is real,
since shapes depend on it. A fake tensor tells a backend's code and transformers' that it is on a
GPU, and torch that it is on the CPU: so torch needs no build for CUDA, and no GPU is touched where
it has.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType
from typing import Any
from unittest.mock import patch

import torch
from torch import Tensor
from torch._guards import active_fake_mode
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.distributed import device_mesh
from torch.distributed.tensor import DTensor
from torch.nn import functional
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_iter

from rewardkit.planning.ledger import COPIES, HOST, PARAMETERS, Ledger

MOVERS = frozenset({"torch.nn.modules.module", "torch.distributed.tensor._api"})
"""Parts of torch that pass on where ours want a tensor; to all others "cpu" is the device."""

SMALL = 1 << 18
"""On a simulated CPU, tensors of so many numbers are made for real: index tables, not caches."""

aten = torch.ops.aten
NAMERS = frozenset({torch.device, torch._C._nn._parse_to})
"""What is told of a device and makes no tensor there."""

MOVES = frozenset({Tensor.to, Tensor.cpu, Tensor.cuda})
FACTORIES = frozenset({aten.empty.memory_format, aten.zeros.default, aten.ones.default})


@contextmanager
def fake_device(
    device: str, ledger: Ledger, told: frozenset[str] = frozenset()
) -> Iterator[FakeTensorMode]:
    """Run what is within on a simulated `device`, "cpu" or "cuda"; give the maker of its tensors.

    Nothing within may read a number that was computed from weights: such a number is 1.

    Args:
        device: what is simulated.
        ledger: where each tensor is entered.
        told: packages that are told that a fake tensor is on the device, but for their `planning`;
            transformers always is.
    """
    told |= {"transformers"}
    fakes = FakeTensorMode(allow_non_fake_inputs=True)
    with ExitStack() as stack:
        stack.enter_context(warnings.catch_warnings())
        # torch looks at the address when a model is copied.
        warnings.filterwarnings("ignore", "Accessing the data pointer of FakeTensor")
        if device != "cpu":
            where = torch.device(device, 0)
            for kind in (FakeTensor, DTensor):
                told_where = property(_telling(kind.device.__get__, where, ledger, told))
                stack.enter_context(patch.object(kind, "device", told_where, create=True))
            stack.enter_context(_one_autocast())
            stack.enter_context(_meshes_on_host())
        counting = _Counting(fakes, ledger, real=device != "cpu")
        stack.enter_context(_calls(fakes, counting, told))
        stack.enter_context(counting)
        yield fakes


def _telling(
    actual: Callable[[Tensor], torch.device],
    where: torch.device,
    ledger: Ledger,
    told: frozenset[str],
) -> Any:
    def device(tensor: Tensor) -> torch.device:
        package, _, module = sys._getframe(1).f_globals.get("__name__", "").partition(".")
        believes = package in told and not module.startswith("planning")
        return where if believes and not _on_host(tensor, ledger) else actual(tensor)

    return device


@contextmanager
def _one_autocast() -> Iterator[None]:
    """Let autocast of a GPU be that of the CPU, on whose tensors torch works."""
    start, enabled, dtype = (
        torch.autocast.__init__,
        torch.is_autocast_enabled,
        torch.get_autocast_dtype,
    )

    def init(self: Any, device_type: str, *args: Any, **settings: Any) -> None:
        start(self, "cpu", *args, **settings)

    with (
        patch.object(torch.autocast, "__init__", init),
        patch.object(torch, "is_autocast_enabled", lambda *_: enabled("cpu")),
        patch.object(torch, "get_autocast_dtype", lambda *_: dtype("cpu")),
    ):
        yield


@contextmanager
def _meshes_on_host() -> Iterator[None]:
    """Let ranks be told to meet on the GPU, and meet on the CPU."""
    plain = device_mesh.init_device_mesh

    def init_device_mesh(device_type: str, *args: Any, **settings: Any) -> Any:
        return plain("cpu", *args, **settings)

    with patch.object(device_mesh, "init_device_mesh", init_device_mesh):
        yield


@contextmanager
def _calls(fakes: FakeTensorMode, counting: _Counting, told: frozenset[str]) -> Iterator[None]:
    """Rewrite calls, of the backward pass too: torch would switch a mode off for its length."""
    run = torch.autograd._engine_run_backward  # type: ignore[attr-defined]

    def engine(*args: Any, **settings: Any) -> Any:
        with (
            _Calls(fakes, counting, told),
            patch.object(counting, "inside", False),
            patch.object(counting.ledger, "way", "back"),
        ):
            return run(*args, **settings)

    with (
        patch.object(torch.autograd, "_engine_run_backward", engine),
        _Calls(fakes, counting, told),
    ):
        yield


class _Calls(TorchFunctionMode):
    """What is made on, or moved to, the simulated device is fake; attention is the fused kernel's.

    Asked for fake tensors, torch would choose the attention that writes all scores out.
    """

    def __init__(self, fakes: FakeTensorMode, counting: _Counting, told: frozenset[str]) -> None:
        super().__init__()
        self.fakes, self.counting, self.told = fakes, counting, told

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if any(isinstance(leaf, FakeTensor) for leaf in tree_iter((args, kwargs))):
            with patch.object(self.counting, "inside", True):
                return self._call(func, args, kwargs)
        return self._call(func, args, kwargs)

    def _call(self, func: Any, args: Any, kwargs: Any) -> Any:
        if func is functional.scaled_dot_product_attention:
            return _fused_attention(*args, **kwargs)
        if func in MOVES and self.counting.real and isinstance(args[0], FakeTensor | DTensor):
            asking = sys._getframe(2).f_globals.get("__name__", "")
            if asking in MOVERS or asking.partition(".")[0] in self.told:
                return self._moved(func, args, kwargs)
        named = any(_names_gpu(a) for a in (*args, *kwargs.values()))
        if not named or func in NAMERS:
            return func(*args, **kwargs)
        args, kwargs = _named_host(args, kwargs)
        if args and type(args[0]) is Tensor and not args[0].is_meta:
            return self.fakes.from_tensor(func(*args, **kwargs), static_shapes=True)
        with self.fakes:
            made = func(*args, **kwargs)
        if isinstance(made, FakeTensor):
            self.counting.ledger.enter(made)
        return made

    def _moved(self, func: Any, args: Any, kwargs: Any) -> Any:
        """Move a tensor between the simulated device and the host, both of which are the CPU."""
        was_there = _on_host(args[0], self.counting.ledger)
        there = was_there
        if func is Tensor.cpu or any(_names_host(a) for a in (*args, *kwargs.values())):
            there = True
        elif func is Tensor.cuda or any(_names_gpu(a) for a in (*args, *kwargs.values())):
            there = False
        args, kwargs = _named_host(args, kwargs)
        with patch.object(self.counting, "to_host", there):
            found = args[0] if func is Tensor.cuda else func(*args, **kwargs)
            same = (
                local_part(found).untyped_storage()._cdata
                == local_part(args[0]).untyped_storage()._cdata
            )
            return found.clone() if same and there != was_there else found


def local_part(tensor: Tensor) -> Tensor:
    """Return what this rank has of a tensor."""
    return tensor._local_tensor if isinstance(tensor, DTensor) else tensor


def _on_host(tensor: Tensor, ledger: Ledger) -> bool:
    return ledger.kind_of(local_part(tensor)) == HOST


def _fused_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Tensor:
    if type(attn_mask) not in (FakeTensor, Tensor, type(None)):
        attn_mask, is_causal = None, True  # a mask that is a rule: nothing is in memory
    if attn_mask is not None and attn_mask.dtype is torch.bool:
        attn_mask = attn_mask.to(query.dtype)
    found: Tensor = aten._scaled_dot_product_flash_attention_for_cpu(
        query, key, value, dropout_p, is_causal, attn_mask=attn_mask, scale=scale
    )[0]
    return found


def _names_gpu(value: Any) -> bool:
    if isinstance(value, str):
        return value.startswith("cuda")
    return isinstance(value, torch.device) and value.type == "cuda"


def _names_host(value: Any) -> bool:
    if isinstance(value, str):
        return value == "cpu"
    return isinstance(value, torch.device) and value.type == "cpu"


def _named_host(args: Any, kwargs: Any) -> tuple[Any, Any]:
    host = torch.device("cpu")
    named = {name: host if _names_gpu(value) else value for name, value in kwargs.items()}
    return tuple(host if _names_gpu(value) else value for value in args), named


class _Counting(TorchDispatchMode):
    """Every operation, on fake tensors where one takes part, and its results in the ledger."""

    def __init__(self, fakes: FakeTensorMode, ledger: Ledger, *, real: bool) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.fakes, self.ledger, self.real = fakes, ledger, real
        self.inside = False
        """Whether torch is at work on fake tensors: what it makes on the way is fake, too."""
        self.to_host = False
        """Whether what is made now leaves the simulated device."""

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if any(issubclass(kind, DTensor) for kind in types):
            return NotImplemented  # it comes again, with what this rank holds of it
        leaves = [leaf for leaf in tree_iter((args, kwargs)) if isinstance(leaf, Tensor)]
        if active_fake_mode() is not None:
            return func(*args, **kwargs)  # torch asks for a shape, with fake tensors of its own
        if not any(isinstance(leaf, FakeTensor) for leaf in leaves):
            return self._real(func, args, kwargs, leaves)
        found = self._fake(func, args, kwargs)
        cast = func is aten._to_copy.default and self.ledger.kind_of(args[0]) == PARAMETERS
        for result in tree_iter(found):
            if isinstance(result, FakeTensor):
                self.ledger.enter(result, HOST if self.to_host else COPIES if cast else "")
        return found

    def _real(self, func: Any, args: Any, kwargs: Any, leaves: list[Tensor]) -> Any:
        if func.namespace != "aten" or leaves:
            return func(*args, **kwargs)
        large = not self.real and func in FACTORIES and torch.Size(args[0]).numel() > SMALL
        if not large and not self.inside and not _asked_by_shards():
            return func(*args, **kwargs)
        with self.fakes:
            made = func(*args, **kwargs)
        if isinstance(made, FakeTensor):
            self.ledger.enter(made)
        return made

    def _fake(self, func: Any, args: Any, kwargs: Any) -> Any:
        if func is aten._local_scalar_dense.default:
            return torch.ones((), dtype=args[0].dtype).item()
        if func is aten.equal.default:
            return True
        if func._schema.is_mutable and not isinstance(args[0], FakeTensor | list | tuple):
            return args[0]  # a table of the host's, whose numbers nobody reads
        if func in (aten.index.Tensor, aten.index_put_.default):
            places = [_all_places(place) for place in args[1]]
            args = (args[0], [p for place in places for p in place], *args[2:])
        return func(*args, **kwargs)


def _asked_by_shards() -> bool:
    """Whether the call comes from FSDP2, which makes room for the weights that it gathers."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        name = frame.f_globals.get("__name__", "")
        if name.startswith("torch.distributed.fsdp."):
            return True
        if not name.startswith("torch") and name != __name__:
            return False
        frame = frame.f_back
    return False


def _all_places(place: Tensor | None) -> list[Tensor | None]:
    """Return the places that a mask picks: of one that is computed, all that it might."""
    if place is None or place.dtype is not torch.bool:
        return [place]
    if isinstance(place, FakeTensor):
        place = torch.ones(place.shape, dtype=torch.bool)
    return list(place.nonzero().unbind(1))
