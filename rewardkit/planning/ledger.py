"""Who holds how many bytes of a device, at every moment, and the peak of each phase.

A storage is entered when the first tensor on it is made, and struck off when its last one is gone.
What it is for is read off the call that made it: the optimiser's code makes optimiser state, the
code of a head logits. Nothing else has to say so.
"""

from __future__ import annotations

import gc
import sys
import weakref
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from unittest.mock import patch

import torch
from torch import Tensor

ALLOCATION = 512
"""A GPU's allocator gives out multiples of so many bytes."""

SWEEP = 1.01
"""What is so much higher than the last peak is looked at twice."""

PARAMETERS, GRADIENTS, OPTIMISER = "parameters", "gradients", "optimiser"
REFERENCE = "reference"
COPIES, ACTIVATIONS = "weights' copies", "activations"
LOGITS, ATTENTION, CACHE = "logits", "attention", "KV cache"
HOST = "main memory"
"""What is not on the device, and counts for nothing there."""

Maker = tuple[str, str, str]
"""(file, function, what the tensors are for that it makes, or "": its caller knows)."""
MAKERS: tuple[Maker, ...] = (
    ("torch/optim/", "", OPTIMISER),
    ("_fully_shard/_fsdp_collectives.py", "allocate", ""),
    ("_fully_shard/_fsdp_collectives.py", "foreach_reduce", GRADIENTS),
    ("_fully_shard/_fsdp_param.py", "to_accumulated_grad_if_needed", GRADIENTS),
    ("_fully_shard/_fsdp_param.py", "", COPIES),
    ("_fully_shard/_fsdp_collectives.py", "", COPIES),
)
"""Those of torch; the innermost call decides."""


Occasion = tuple[str, str, str]
"""On the way forward or back; what was asked for just then, and in which function of a maker."""


@dataclass
class Peak:
    """The most bytes that were held at one time of a phase, and what they were for."""

    total: int = 0
    kinds: dict[str, int] = field(default_factory=dict)
    occasions: dict[Occasion, dict[str, int]] = field(default_factory=dict)
    """The same for each occasion."""


@dataclass
class _Entry:
    kind: str
    maker: str
    size: int
    alive: weakref.ref[torch.UntypedStorage]


class Ledger:
    """The bytes held, by what they are for.

    Args:
        makers: functions that make tensors, beside those of torch.

    >>> ledger = Ledger()
    >>> with ledger.phase("made"):
    ...     ledger.enter(torch.zeros(1000), PARAMETERS)
    >>> ledger.held, ledger.peaks["made"].kinds
    (0, {'parameters': 4096})
    """

    def __init__(self, makers: Sequence[Maker] = ()) -> None:
        self.makers = (*makers, *MAKERS)
        self.peaks: dict[str, Peak] = {}
        self._entries: dict[int, _Entry] = {}
        self._kinds: Counter[str] = Counter()
        self.held = 0
        self.way = "forward"
        """Or "back", while a gradient is computed."""
        self._peak = Peak()

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Attribute what is held within to a phase; one that comes again keeps its highest peak."""
        before = self._peak
        self._peak = self.peaks.setdefault(name, Peak())
        self._note(PARAMETERS, "")
        with patch.object(torch.UntypedStorage, "resize_", self._resizing()):
            yield
        self._peak = before

    def enter(self, tensor: Tensor, kind: str = "") -> None:
        """Enter a tensor's storage, if it is new; `kind` by default from the call that made it."""
        storage = tensor.untyped_storage()
        key = storage._cdata
        if key in self._entries:
            self._grow(key, storage.nbytes())
            return
        kind, maker = (kind, "") if kind else _made_for(self.makers)
        gone = weakref.ref(storage, lambda _: self._strike(key))
        self._entries[key] = _Entry(kind, maker, 0, gone)
        self._grow(key, storage.nbytes())

    def label(self, tensor: Tensor, kind: str) -> None:
        """Say what a tensor that is entered already is for."""
        entry = self._entries.get(tensor.untyped_storage()._cdata)
        if entry is None:
            self.enter(tensor, kind)
            return
        if entry.kind == HOST:
            return
        self._kinds[entry.kind] -= entry.size
        self._kinds[kind] += entry.size
        entry.kind = kind

    def kind_of(self, tensor: Tensor) -> str:
        """Return what a tensor is for; empty where it is not entered."""
        entry = self._entries.get(tensor.untyped_storage()._cdata)
        return entry.kind if entry else ""

    def _grow(self, key: int, size: int) -> None:
        entry = self._entries[key]
        if entry.kind == HOST:
            return
        size = -(-size // ALLOCATION) * ALLOCATION
        self._kinds[entry.kind] += size - entry.size
        self.held += size - entry.size
        entry.size = size
        self._note(entry.kind, entry.maker)

    def _strike(self, key: int) -> None:
        entry = self._entries.pop(key)
        self._kinds[entry.kind] -= entry.size
        self.held -= entry.size

    def _note(self, asked_for: str, maker: str) -> None:
        occasions, occasion = self._peak.occasions, (self.way, asked_for, maker)
        before = sum(occasions.get(occasion, {}).values())
        if self.held > SWEEP * before:
            gc.collect()  # simulated tensors are caught in circles, which real ones are not
        if self.held > before:
            occasions[occasion] = {kind: size for kind, size in self._kinds.items() if size}
            if self.held > self._peak.total:
                self._peak.total, self._peak.kinds = self.held, occasions[occasion]

    def _resizing(self) -> object:
        """FSDP2 frees the gathered weights by giving their storages a size of 0."""
        plain = torch.UntypedStorage.resize_

        def resize_(storage: torch.UntypedStorage, size: int) -> None:
            plain(storage, size)
            if storage._cdata in self._entries:
                self._grow(storage._cdata, storage.nbytes())

        return resize_


def deeper(shallow: Peak, deep: Peak, steps: float) -> Peak:
    """Return the peak of a model with `steps` more layers a layer between `shallow` and `deep`.

    On each occasion, memory grows by as much with every layer; the peak may be another's then.

    >>> one, two = Peak(), Peak()
    >>> for size, peak in ((1, one), (3, two)):
    ...     peak.kinds = peak.occasions["forward", "x", ""] = {"x": size}
    >>> deeper(one, two, 10).kinds
    {'x': 23}
    """
    occasions = {}
    for name, kinds in deep.occasions.items():
        before = shallow.occasions.get(name, kinds)
        sizes = {kind: kinds.get(kind, 0) for kind in (*kinds, *before)}
        grown = {
            kind: int(size + steps * (size - before.get(kind, 0))) for kind, size in sizes.items()
        }
        occasions[name] = {kind: size for kind, size in grown.items() if size}
    most = max(occasions.values(), key=lambda kinds: sum(kinds.values()), default={})
    return Peak(sum(most.values()), most, occasions)


def _made_for(makers: Sequence[Maker]) -> tuple[str, str]:
    """Return what the call under way makes tensors for, and the function that says so."""
    frame: FrameType | None = sys._getframe(3)
    while frame is not None:
        code = frame.f_code
        for file, function, kind in makers:
            if file in code.co_filename and (not function or function == code.co_name):
                if kind:
                    return kind, function
                break
        frame = frame.f_back
    return ACTIVATIONS, ""
