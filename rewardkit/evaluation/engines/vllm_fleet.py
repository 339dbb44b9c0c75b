"""Several vLLM engines beside each other, one queue for all: who is free takes what is next.

An engine that dies, or makes no step for too long, gives back what it had not answered, and the
others take it over. Nothing is answered twice: an answer counts when it has come whole, and only
while its job is still open.
"""

from __future__ import annotations

import contextlib
import itertools
import logging
import math
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

import rewardkit
from rewardkit.errors import ConfigError, ModelError
from rewardkit.evaluation.engines.vllm_process import Answer, Job

remark = logging.getLogger(__name__).warning
ERROR = re.compile(r"\w(Error|Exception)\b|out of memory")
BOOT = (
    "import sys; sys.path[:0] = sys.argv[2:]; "
    "from rewardkit.evaluation.engines.vllm_process import main; main(int(sys.argv[1]))"
)


class Fleet:
    """Engines that are made alike, each in a process of its own.

    Args:
        arguments: of `vllm.LLM`, for each of them.
        environments: what each has set in its environment besides; one engine for each.
        silence: seconds without a step after which an engine with work counts as dead.
    """

    def __init__(
        self,
        arguments: Mapping[str, Any],
        environments: Sequence[Mapping[str, str]],
        silence: float = math.inf,
    ) -> None:
        self.silence = silence
        self.engines = [EngineProcess(arguments, one) for one in environments]
        self._numbers = itertools.count()
        self._waiting: deque[Job] = deque()

    def answers(
        self, jobs: Sequence[tuple[Sequence[int], dict[str, Any]]]
    ) -> Iterator[tuple[int, Answer, float]]:
        """Yield (index of the job, its answer, seconds that it took) as answers come.

        Raises:
            ModelError: the engines cannot be made, or all have died.
        """
        numbered = {next(self._numbers): index for index in range(len(jobs))}
        self._waiting = deque(Job(number, *jobs[index]) for number, index in numbered.items())
        for engine in self.engines:
            engine.open.clear()  # of a call that was left early
        while numbered:
            self._feed(len(numbered))
            for engine in self._with_news():
                for answer in self._heard(engine):
                    if answer.number in numbered:
                        seconds = time.monotonic() - engine.open.pop(answer.number)[1]
                        yield numbered.pop(answer.number), answer, seconds

    def close(self) -> None:
        """End all engines, whatever they are doing; what they wrote stays where one failed."""
        for engine in self.engines:
            engine.end()
            if not engine.failed:
                engine.log.unlink(missing_ok=True)

    @property
    def alive(self) -> list[EngineProcess]:
        """The engines that have not died."""
        return [engine for engine in self.engines if engine.alive]

    def _feed(self, unanswered: int) -> None:
        """Give each engine enough to be busy, and no more than its share of what is left."""
        alive, waiting = self.alive, self._waiting
        if not alive:
            raise ModelError(
                f"no vLLM engine is left, and {unanswered} responses have not come. Of the last: "
                f"{self.engines[-1].last_words()}; what was drawn is kept, and the same command "
                "goes on"
            )
        share = math.ceil(unanswered / len(alive))
        for engine in alive:
            room = min(engine.rows + engine.rows // 4, share) - len(engine.open)
            if engine.rows and waiting and room > 0:
                engine.give([waiting.popleft() for _ in range(min(room, len(waiting)))])

    def _with_news(self) -> list[EngineProcess]:
        """Wait for engines that say something; one that has said nothing for too long is ended."""
        alive = {engine.connection: engine for engine in self.alive}
        # To load takes as long as it takes.
        at_work = [engine for engine in alive.values() if engine.rows and engine.open]
        left = min((engine.heard_at for engine in at_work), default=math.inf)
        timeout = max(left + self.silence - time.monotonic(), 0.0)
        found = wait(list(alive), None if timeout == math.inf else timeout)
        news = [alive[one] for one in found]  # type: ignore[index]
        latest = time.monotonic() - self.silence
        for engine in at_work:
            if engine.heard_at <= latest and engine not in news:
                self._bury(engine, f"has made no step for {self.silence:g} s")
        return news

    def _heard(self, engine: EngineProcess) -> list[Answer]:
        """Return what an engine has answered; one that has died gives back what is open."""
        try:
            message = engine.connection.recv()
        except (EOFError, OSError):
            self._bury(engine, "has died")
            return []
        engine.heard_at = time.monotonic()
        if isinstance(message, str):
            engine.failed = True
            raise ModelError(f"{message}\n{engine.last_words()}")
        if isinstance(message, int):
            engine.rows = message
            return []
        return list(message)

    def _bury(self, engine: EngineProcess, what: str) -> None:
        """End an engine; what it had not answered is first in the queue again."""
        engine.failed = True
        engine.end()
        back = [job for job, _ in engine.open.values()]
        engine.open.clear()
        self._waiting.extendleft(reversed(back))
        left = len(self.alive)
        others = f"; its {len(back)} responses go to the others, {left} of {len(self.engines)}"
        remark(f"a vLLM engine {what} ({engine.last_words()}){others if left else ''}")


class EngineProcess:
    """The evaluation's end of one engine."""

    def __init__(self, arguments: Mapping[str, Any], environment: Mapping[str, str]) -> None:
        ours, theirs = socket.socketpair()
        descriptor, log = tempfile.mkstemp(prefix="rewardkit-vllm-", suffix=".log")
        self.log = Path(log)
        roots = [os.path.dirname(path) for path in rewardkit.__path__]
        with theirs, os.fdopen(descriptor, "wb") as file:
            self.process = subprocess.Popen(
                [sys.executable, "-c", BOOT, str(theirs.fileno()), *roots],
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,
                env={**os.environ, **environment},
                start_new_session=True,  # Ctrl-C is for the evaluation; and `end` ends all below it
            )
        self.connection = Connection(ours.detach())
        self.alive = True
        self.failed = False
        """Whether it died by itself, or could not be made."""
        self.rows = 0
        """How many responses it decodes together; 0 until it is loaded."""
        self.open: dict[int, tuple[Job, float]] = {}
        """What it has yet to answer, and since when."""
        self.heard_at = time.monotonic()
        self._send(dict(arguments))

    def give(self, jobs: list[Job]) -> None:
        """Hand over jobs; should it die of them, they are open still."""
        now = time.monotonic()
        if not self.open:
            self.heard_at = now
        self.open |= {job.number: (job, now) for job in jobs}
        self._send(jobs)

    def end(self) -> None:
        """Kill it, and whatever it started."""
        if self.alive:
            self.alive = False
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.connection.close()

    def last_words(self) -> str:
        """Return the last error that it wrote, or the last line, and where the others are."""
        lines = [line.strip() for line in self.log.read_text("utf-8", "replace").split("\n")]
        written = list(filter(None, lines)) or ["it said nothing"]
        errors = [line for line in written if ERROR.search(line)]
        return f"{(errors or written)[-1][:300]} ({self.log})"

    def _send(self, message: Any) -> None:
        with contextlib.suppress(OSError):  # it died: reading says so
            self.connection.send(message)


def environments(
    engines: int, gpus_each: int, device: str, visible: Sequence[str], cores: int
) -> list[dict[str, str]]:
    """Return what each engine has set in its environment: its own GPUs, or its share of the cores.

    Args:
        engines: how many there are.
        gpus_each: GPUs that share one copy of the model.
        device: cpu or cuda.
        visible: the GPUs that there are, as CUDA_VISIBLE_DEVICES names them.
        cores: of this machine.

    Raises:
        ConfigError: there are fewer GPUs than that takes.

    >>> environments(2, 1, "cuda", ["4", "5"], 64)
    [{'CUDA_VISIBLE_DEVICES': '4'}, {'CUDA_VISIBLE_DEVICES': '5'}]

    On a CPU an engine gets its share of the cores, unless the environment says how many.
    """
    if device == "cpu":
        # Threads that spin while they wait would starve the other engines.
        share = {"OMP_NUM_THREADS": str(max(cores // engines, 1)), "OMP_WAIT_POLICY": "passive"}
        return [{k: v for k, v in share.items() if k not in os.environ} for _ in range(engines)]
    if (taken := engines * gpus_each) > len(visible):
        raise ConfigError(
            f"--data-parallel {engines} x --tensor-parallel {gpus_each} takes {taken} GPUs, and "
            f"{len(visible)} are visible"
        )
    parts = [visible[start : start + gpus_each] for start in range(0, taken, gpus_each)]
    return [{"CUDA_VISIBLE_DEVICES": ",".join(part)} for part in parts]
