"""How many of torch's CPU threads serve best beside what else the machine does."""

from __future__ import annotations

import os
from collections.abc import Callable

import torch

from rewardkit.config import RunConfig
from rewardkit.planning.cpu_rates import rates
from rewardkit_native.distributed.parallel import Ranks
from rewardkit_native.model.loading import device_of

GAIN = 1.2
"""Another number of threads must be faster by this factor to be chosen."""
ALONE = 0.8
"""A thread that gets less of a core than this has company."""
PATIENCE = 3
"""Steps after which a run with fewer threads tries more of them again."""


def thread_count(config: RunConfig, ranks: Ranks, remark: Callable[[str], None]) -> ThreadCount:
    """Return the number of a run's threads, to be called before it is resumed.

    Left as it is are a number that the user has set, those of a run on a GPU, and those of several
    processes, which share the cores already.
    """
    given = config.model.threads or "OMP_NUM_THREADS" in os.environ
    free = not given and ranks.size == 1 and device_of(config.model) == "cpu"
    return ThreadCount(config.model.dtype, torch.get_num_threads() if free else 1, remark)


class ThreadCount:
    """The number of torch's threads: all of them, and fewer while other work holds their cores.

    `look` is called between steps. Where the wall clock has left this thread's own time behind it
    tries other numbers, and more of them again some steps later. With `most` of 1 nothing is tried.
    """

    def __init__(
        self,
        dtype: str,
        most: int,
        remark: Callable[[str], None],
        measure: Callable[[str, int], dict[int, float]] = rates,
    ) -> None:
        self.dtype, self.most, self.remark, self.measure = dtype, most, remark, measure
        self._steps = 0

    @property
    def count(self) -> int:
        """Those of torch."""
        return torch.get_num_threads()

    def look(self, wall: float, own: float) -> None:
        """Choose anew, if need be, after `wall` seconds of which this thread computed in `own`."""
        self._steps += 1
        crowded = own < ALONE * wall
        again = self.count < self.most and self._steps >= PATIENCE
        if again or (crowded and self.count == self.most > 1):
            self.choose()

    def choose(self) -> None:
        """Try all numbers, take the best, and say so where it is another than before."""
        self._steps = 0
        if self.most == 1:
            return
        before, found = self.count, self.measure(self.dtype, self.most)
        best = most_useful(found, before)
        if best == before:
            return
        why = "other work holds the cores" if best < before else "the cores are free again"
        self.remark(
            f"threads: {best} instead of {before}, since {why}: {found[best]:.3g} rounds/s, "
            f"against {found[before]:.3g}"
        )
        torch.set_num_threads(best)


def most_useful(rates: dict[int, float], now: int) -> int:
    """Return the number of threads to take; another one than `now` must be faster by far.

    >>> most_useful({2: 10.0, 1: 8.0}, now=2), most_useful({2: 9.0, 1: 10.0}, now=2)
    (2, 2)
    >>> most_useful({2: 5.0, 1: 9.0}, now=2), most_useful({2: 9.5, 1: 9.4}, now=1)
    (1, 1)
    """
    best = max(rates, key=lambda count: rates[count])
    return best if rates[best] > GAIN * rates[now] else now
