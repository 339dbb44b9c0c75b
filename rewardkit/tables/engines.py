"""Units over the cores of this machine, or over a Ray cluster."""

from __future__ import annotations

import json
import logging
import multiprocessing
import os
import signal
import threading
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait as wait_for_end
from pathlib import Path
from typing import Any

from rewardkit.errors import ConfigError, MissingExtraError, RewardkitError
from rewardkit.integrations.grading import Grader
from rewardkit.tables.grade import GradeSettings, grade_unit, grader_of
from rewardkit.tables.kinds import Unit

Done = tuple[int, int, Counter[str]]
"""Rows and their size that were graded since the last report, and the outcomes of whole units."""
Engine = Callable[[GradeSettings, Sequence[tuple[Unit, Path]], "int | None"], Iterator[Done]]
REPORT_S = 0.5


def _cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def over_processes(
    settings: GradeSettings, work: Sequence[tuple[Unit, Path]], workers: int | None
) -> Iterator[Done]:
    """Grade units in one process a core, and yield what is done every half second.

    Where the caller stops early, units in work are given up, and their parts are not there.

    Raises:
        RewardkitError: a process died.
    """
    context = multiprocessing.get_context("spawn")
    rows, size = context.Value("q", 0), context.Value("q", 0)
    count = min(workers or _cores(), max(1, len(work)))
    executor = ProcessPoolExecutor(count, context, _begin, (settings, rows, size))
    before = [0, 0]

    def news() -> tuple[int, int]:
        now = [rows.value, size.value]
        found = now[0] - before[0], now[1] - before[1]
        before[:] = now
        return found

    try:
        left = {executor.submit(_grade, unit, part) for unit, part in work}
        while left:
            done, left = wait(left, REPORT_S, FIRST_COMPLETED)
            outcomes = sum((future.result() for future in done), Counter[str]())
            yield *news(), outcomes
    except BrokenProcessPool as error:
        raise RewardkitError(
            "a process that graded was killed, by hand or for want of memory; the same command "
            "goes on where it was, --workers 1 with less memory"
        ) from error
    except BaseException:
        for process in (executor._processes or {}).values():
            process.terminate()  # not after the units in work, which may take minutes
        raise
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


_own: dict[str, Any] = {}


def _begin(settings: GradeSettings, rows: Any, size: Any) -> None:
    """Make a process ready: it leaves Ctrl-C to its parent, and ends when that does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def end_with_the_parent() -> None:
        wait_for_end([parent.sentinel])
        os._exit(1)

    threading.Thread(target=end_with_the_parent, daemon=True).start()
    _own.update(settings=settings, grader=grader_of(settings), rows=rows, size=size)


def _grade(unit: Unit, part: Path) -> Counter[str]:
    def on_rows(rows: int, size: int) -> None:
        for counter, more in ((_own["rows"], rows), (_own["size"], size)):
            with counter.get_lock():
                counter.value += more

    return grade_unit(_own["settings"], _own["grader"], unit, part, on_rows)


class RayGrader:
    """An actor that grades units; every node reads the table and writes parts at their paths."""

    def __init__(self, settings: GradeSettings, work: Sequence[tuple[Unit, Path]]) -> None:
        self.settings, self.work = settings, work
        self.grader: Grader = grader_of(settings)

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        """Grade the one unit in a batch, and return what was done."""
        unit, part = self.work[int(batch["id"][0])]
        done = [0, 0]

        def on_rows(rows: int, size: int) -> None:
            done[0] += rows
            done[1] += size

        outcomes = grade_unit(self.settings, self.grader, unit, part, on_rows)
        return {"rows": [done[0]], "size": [done[1]], "outcomes": [json.dumps(outcomes)]}


def over_ray(
    settings: GradeSettings, work: Sequence[tuple[Unit, Path]], workers: int | None
) -> Iterator[Done]:
    """Grade units in actors of Ray Data: those of $RAY_ADDRESS, or of this machine.

    Raises:
        MissingExtraError: Ray is not installed.
        ConfigError: the cluster has no CPU.
    """
    if not work:
        return
    ray, data = _ray()
    started = not ray.is_initialized()
    if started:
        ray.init(log_to_driver=False, include_dashboard=False, logging_level="ERROR")
    try:
        cores = workers or int(ray.cluster_resources().get("CPU", 0))
        if not cores:
            raise ConfigError("the Ray cluster has no CPU to grade on")
        data.DataContext.get_current().enable_progress_bars = False
        # This process puts the items there: tasks that make them, as `range` has, would wait for
        # a CPU that the graders hold.
        items = [{"id": place} for place in range(len(work))]
        found = data.from_items(items, override_num_blocks=len(work)).map_batches(
            RayGrader,
            fn_constructor_args=(settings, list(work)),
            batch_size=1,
            compute=data.ActorPoolStrategy(size=min(cores, len(work))),
        )
        for row in found.iter_rows():
            yield int(row["rows"]), int(row["size"]), Counter(json.loads(row["outcomes"]))
    finally:
        if started:
            ray.shutdown()


def _ray() -> tuple[Any, Any]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Ray's own, about its own future
            import ray
            import ray.data
    except ModuleNotFoundError as error:
        raise MissingExtraError("ray", "ray") from error
    logging.getLogger("ray.data").setLevel(logging.ERROR)  # its plan, on every call
    return ray, ray.data


ENGINES: dict[str, Engine] = {"processes": over_processes, "ray": over_ray}
