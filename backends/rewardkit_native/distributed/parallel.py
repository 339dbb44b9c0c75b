"""Several processes on one node: who does what, and what all of them must know.

`torchrun --nproc-per-node N -m rewardkit train ...` starts N equal processes, the ranks. Each
samples and grades its share of a step's groups; then all of them hold the whole batch, which is
small, and each computes the gradient of its share. `Ranks` is all that the rest of the backend
knows of this. With one process every method is the identity.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any, TypeVar

import torch
import torch.distributed as dist
from torch import Tensor
from torch.distributed.distributed_c10d import PrefixStore
from torch.distributed.rendezvous import rendezvous

from rewardkit.config import ModelConfig, RunConfig
from rewardkit.errors import ConfigError, TrainingError
from rewardkit.evaluation.engines.vllm_engine import end_vllms_groups
from rewardkit.runs import RunFolder

T = TypeVar("T")
R = TypeVar("R")

PATIENCE = timedelta(hours=12)
"""A rank may wait so long for another that still samples; a dead one is noticed at once."""

RUNS = itertools.count()
"""A program may train several times: each run has a rendezvous of its own."""

GRACE_S = 10.0
"""So long does a rank wait to be ended by the launcher, when another one has the error to tell."""

ARRIVAL_S = 3.0
"""Ranks that fail for the same reason do so within this time."""

TEARDOWN_S = 0.2
"""Far longer than gloo's threads need to let the tensors of the last collective go."""


class PeerLost(TrainingError):
    """Another process of the run is gone; why, it has said itself, unless it was killed."""


@dataclass(frozen=True)
class Ranks:
    """This process among those of the run, and what it exchanges with the others.

    Every method but `share` and `own_groups` is a collective: all ranks must call it, in the same
    order.

    >>> ranks = Ranks()
    >>> ranks.map_shares(lambda numbers: [n * n for n in numbers], [1, 2, 3])
    [1, 4, 9]
    """

    rank: int = 0
    size: int = 1
    store: Any = field(default=None, repr=False, compare=False)
    """The launcher's table of keys and values, which outlives a failing rank."""

    @property
    def first(self) -> bool:
        """Whether this process is the one that writes files and talks to the user."""
        return self.rank == 0

    def share(self, items: Sequence[T]) -> Sequence[T]:
        """Return this rank's part of `items`: every `size`-th."""
        return items[self.rank :: self.size]

    def map_shares(self, function: Callable[[Sequence[T]], list[R]], items: Sequence[T]) -> list[R]:
        """Return `function(items)`, a result an item, each rank having worked on its share."""
        mine = self.share(items)
        parts = self.gather(function(mine) if mine else [])
        return [parts[index % self.size][index // self.size] for index in range(len(items))]

    def gather(self, value: T) -> list[T]:
        """Return the values of all ranks, in their order; they travel pickled, over the CPU."""
        if self.size == 1:
            return [value]
        values: list[Any] = [None] * self.size
        with _collective():
            dist.all_gather_object(values, value)
        return values

    def on_first(self, work: Callable[[], T]) -> T:
        """Return what `work` returned on the first rank, the only one to do it."""
        return self.gather(work() if self.first else None)[0]  # type: ignore[return-value]

    def all_arrive(self) -> bool:
        """Return whether all ranks come to this call within seconds, as when all fail alike."""
        if self.size == 1:
            return True
        deadline = time.monotonic() + ARRIVAL_S
        self.store.add("here", 1)
        while self.store.add("here", 0) < self.size:
            if time.monotonic() > deadline:
                return False
            time.sleep(0.05)
        return True

    def all_reduce(self, *tensors: Tensor) -> None:
        """Replace tensors on the CPU by their sums over all ranks."""
        if self.size > 1:
            with _collective():
                for tensor in tensors:
                    dist.all_reduce(tensor)

    def merge(self, totals: Mapping[str, float], peaks: Mapping[str, float]) -> _Metrics:
        """Return the sums of the ranks' totals by name, and the largest of their peaks."""
        if self.size == 1:
            return dict(totals), dict(peaks)
        all_totals: dict[str, float] = {}
        all_peaks: dict[str, float] = {}
        for some_totals, some_peaks in self.gather((dict(totals), dict(peaks))):
            for name, value in some_totals.items():
                all_totals[name] = all_totals.get(name, 0.0) + value
            for name, value in some_peaks.items():
                all_peaks[name] = max(all_peaks.get(name, value), value)
        return all_totals, all_peaks

    def own_groups(self, groups: Sequence[int], tokens: Sequence[int]) -> list[int]:
        """Return the groups whose passes are this rank's: whole ones, of about equal tokens.

        `groups` and `tokens` have one entry a sequence. The longest group goes first, to the rank
        that has the least so far.

        >>> [sorted(Ranks(r, 2).own_groups([7, 7, 8, 9], [3, 3, 4, 1])) for r in (0, 1)]
        [[7], [8, 9]]
        """
        sizes: dict[int, int] = {}
        for group, count in zip(groups, tokens, strict=True):
            sizes[group] = sizes.get(group, 0) + count
        loads = [0] * self.size
        mine = []
        for group in sorted(sizes, key=lambda g: (-sizes[g], g)):
            taker = loads.index(min(loads))
            loads[taker] += sizes[group]
            if taker == self.rank:
                mine.append(group)
        return mine

    def equal_passes(self, passes: Iterable[list[int]]) -> list[list[int]]:
        """Return this rank's passes and empty ones, so that all ranks make equally many.

        A pass through a sharded model is a collective: each layer's weights are brought together.
        """
        mine = list(passes)
        most = max(self.gather(len(mine)))
        return mine + [[]] * (most - len(mine))

    def on_own_device(self, model: ModelConfig) -> ModelConfig:
        """Return `model` with this rank's own device."""
        if self.size == 1 or not _on_gpu(model):
            return model
        return replace(model, device=f"cuda:{os.environ['LOCAL_RANK']}")

    def folder(self, make: Callable[[], RunFolder]) -> RunFolder:
        """Return the run folder that `make` makes or finds; ranks but the first only read it."""
        folder = self.on_first(make)
        return folder if self.first else ReadOnlyFolder(folder.path)


_Metrics = tuple[dict[str, float], dict[str, float]]


class ReadOnlyFolder(RunFolder):
    """The run folder as ranks but the first see it: what they would write is written already."""

    def append(self, name: str, rows: Iterable[Mapping[str, Any]]) -> None:
        """Leave it to the first rank."""

    def write_text(self, name: str, text: str) -> None:
        """Leave it to the first rank."""

    def write_json(self, name: str, value: Any) -> None:
        """Leave it to the first rank."""

    def resumed(self, *_: Any, **__: Any) -> None:
        """Leave it to the first rank."""


@contextmanager
def joined(config: RunConfig) -> Iterator[Ranks]:
    """Join the other processes that torchrun started, and leave them at the end.

    When ranks fail, the first of them to do so raises its error; the others end without a word.

    Raises:
        ConfigError: more than one node, fewer groups than ranks, or fewer GPUs.
    """
    size = int(os.environ.get("WORLD_SIZE", "1"))
    if size == 1 or not dist.is_torchelastic_launched():
        yield Ranks()
        return
    root, rank, size = next(rendezvous("env://"))
    store = PrefixStore(f"rewardkit {next(RUNS)}", root)
    ranks = Ranks(rank, size, store)
    try:
        refuse_what_cannot_be_shared(config, size, int(os.environ["LOCAL_WORLD_SIZE"]))
        backend = "gloo"
        if _on_gpu(config.model):
            torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
            backend = "cpu:gloo,cuda:nccl"
        dist.init_process_group(
            backend,
            store=store,
            rank=rank,
            world_size=size,
            timeout=PATIENCE,
        )
        yield ranks
        end_vllms_groups()
        if dist.is_initialized():
            dist.destroy_process_group()
        # A thread that still waits for the interpreter to let a tensor go would abort the process
        # when the interpreter ends; torch's caches keep the group, so destroying joins no thread.
        time.sleep(TEARDOWN_S)
    except Exception as error:
        if store.compare_set("failed", "", str(rank)) != str(rank).encode():
            # torchrun takes the first process to end for the culprit, and then ends the others.
            time.sleep(GRACE_S)
            raise SystemExit(2) from None
        tell_launcher(error, rank)
        raise


def tell_launcher(error: Exception, rank: int) -> None:
    """Leave the error where torchrun looks for the root cause that its last lines name."""
    if file := os.environ.get("TORCHELASTIC_ERROR_FILE"):
        message = f"rank {rank}: {type(error).__name__}: {error}"
        with contextlib.suppress(OSError), open(file, "w") as out:
            json.dump({"message": message, "timestamp": int(time.time())}, out)


def refuse_what_cannot_be_shared(config: RunConfig, size: int, on_this_node: int) -> None:
    """Raise a ConfigError for a run that `size` processes cannot do."""
    if size != on_this_node:
        raise ConfigError(
            f"the native backend trains on one node; torchrun started {size} processes, "
            f"{on_this_node} of them on this one. For several nodes use the verl backend: "
            "rewardkit train --backend verl (see README.md)"
        )
    if config.sampling.problems < size:
        raise ConfigError(
            f"{size} processes share the groups of a step, and sampling.problems = "
            f"{config.sampling.problems} leaves some without any; raise it, or start fewer "
            f"processes: torchrun --nproc-per-node {config.sampling.problems}"
        )
    if not _on_gpu(config.model):
        return
    gpus = torch.cuda.device_count()
    if size > gpus:
        raise ConfigError(
            f"{size} processes need a GPU each, and there are {gpus}; use torchrun "
            f"--nproc-per-node {max(gpus, 1)}, or --set model.device=cpu"
        )
    if ":" in config.model.device:
        raise ConfigError(
            f"model.device = {config.model.device!r} names one GPU for {size} processes; "
            "use model.device = 'cuda', which gives each its own"
        )


def _on_gpu(model: ModelConfig) -> bool:
    wanted = model.device.split(":")[0]
    return wanted == "cuda" or (wanted == "auto" and torch.cuda.is_available())


@contextmanager
def _collective() -> Iterator[None]:
    try:
        yield
    except RuntimeError as error:
        raise PeerLost(
            "another process of this run has ended (killed, perhaps for want of memory?); "
            f"continue with --resume. {error}"
        ) from error
