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
from rewardkit.evaluation.engines.vllm_process import Answer, Job, Ready, Refused

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

    def answers(self, jobs: Sequence[tuple[Sequence[int], dict[str, Any]]]) -> Iterator[Answered]:
        """Yield (index of the job, its answer, seconds that it took) as answers come.

        Raises:
            ModelError: the engines cannot be made, or all have died.
        """
        numbered = {next(self._numbers): index for index in range(len(jobs))}
        waiting = deque(Job(number, *jobs[index]) for number, index in numbered.items())
        for engine in self.engines:
            engine.open.clear()  # of a call that was left early
        while numbered:
            self._feed(waiting, len(numbered))
            news = self._with_news()
            for engine in self._silent(news):
                self._bury(engine, f"has made no step for {self.silence:g} s", waiting)
            for engine in news:
                for answer in self._heard(engine, waiting):
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

    def _feed(self, waiting: deque[Job], unanswered: int) -> None:
        """Give each engine enough to be busy, and no more than its share of what is left."""
        alive = self.alive
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
        """Wait until an engine says something, or one has said nothing for too long."""
        by_connection = {engine.connection: engine for engine in self.alive}
        left = min((engine.heard_at for engine in self.alive if engine.at_work), default=math.inf)
        timeout = max(left + self.silence - time.monotonic(), 0.0)
        found = wait(list(by_connection), None if timeout == math.inf else timeout)
        return [by_connection[one] for one in found]  # type: ignore[index]

    def _silent(self, news: Sequence[EngineProcess]) -> list[EngineProcess]:
        """Return the engines that hang: at work, and nothing of theirs waits to be read."""
        latest = time.monotonic() - self.silence
        return [e for e in self.alive if e.at_work and e.heard_at <= latest and e not in news]

    def _heard(self, engine: EngineProcess, waiting: deque[Job]) -> list[Answer]:
        """Return what an engine has answered; one that has died gives back what is open."""
        try:
            message = engine.connection.recv()
        except (EOFError, OSError):
            self._bury(engine, "has died", waiting)
            return []
        engine.heard_at = time.monotonic()
        if isinstance(message, Refused):
            engine.failed = True
            raise ModelError(f"{message.reason}\n{engine.last_words()}")
        if isinstance(message, Ready):
            engine.rows = message.rows
            return []
        return list(message)

    def _bury(self, engine: EngineProcess, what: str, waiting: deque[Job]) -> None:
        """End an engine; what it had not answered is first in the queue again."""
        engine.failed = True
        engine.end()
        back = [job for job, _ in engine.open.values()]
        engine.open.clear()
        waiting.extendleft(reversed(back))
        others = (
            f"; its {len(back)} responses go to the others, {len(self.alive)} of "
            f"{len(self.engines)}"
            if self.alive
            else ""
        )
        remark(f"a vLLM engine {what} ({engine.last_words()}){others}")


Answered = tuple[int, Answer, float]


class EngineProcess:
    """The evaluation's end of one engine."""

    def __init__(self, arguments: Mapping[str, Any], environment: Mapping[str, str]) -> None:
        ours, theirs = socket.socketpair()
        descriptor, log = tempfile.mkstemp(prefix="rewardkit-vllm-", suffix=".log")
        self.log = Path(log)
        roots = [os.path.dirname(path) for path in rewardkit.__path__]
        with os.fdopen(descriptor, "wb") as file:
            self.process = subprocess.Popen(
                [sys.executable, "-c", BOOT, str(theirs.fileno()), *roots],
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,
                env={**os.environ, **environment},
                start_new_session=True,  # Ctrl-C is for the evaluation; and `end` ends all below it
            )
        theirs.close()
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

    @property
    def at_work(self) -> bool:
        """Whether it has been loaded, which may take long, and has something to answer."""
        return self.rows > 0 and bool(self.open)

    def give(self, jobs: list[Job]) -> None:
        """Hand over jobs; should it die of them, they are open still."""
        now = time.monotonic()
        if not self.open:
            self.heard_at = now
        self.open |= {job.number: (job, now) for job in jobs}
        self._send(jobs)

    def end(self) -> None:
        """Kill it, and whatever it started."""
        if not self.alive:
            return
        self.alive = False
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.connection.close()

    def last_words(self) -> str:
        """Return the last error that it wrote, or the last line, and where the others are."""
        lines = self.log.read_text("utf-8", "replace").split("\n")
        written = [line.strip() for line in lines if line.strip()] or ["it said nothing"]
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
    if engines * gpus_each > len(visible):
        raise ConfigError(
            f"--data-parallel {engines} x --tensor-parallel {gpus_each} takes "
            f"{engines * gpus_each} GPUs, and {len(visible)} are visible"
        )
    return [
        {"CUDA_VISIBLE_DEVICES": ",".join(visible[i * gpus_each : (i + 1) * gpus_each])}
        for i in range(engines)
    ]
