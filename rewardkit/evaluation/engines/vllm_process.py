"""One vLLM engine in a process of its own: jobs come in over a socket, answers go out as they end.

It ends when the socket does, so that it does not outlive the evaluation however that ends.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import Any, NamedTuple

from rewardkit.errors import RewardkitError
from rewardkit.evaluation.engines.vllm_engine import make_llm

BEAT_S = 1.0
"""How often an engine that decodes says so, by a message without an answer in it."""


class Job(NamedTuple):
    """One response wanted, under a number that no other job has."""

    number: int
    prompt: Sequence[int]
    """Token ids."""
    sampling: dict[str, Any]
    """Arguments of `vllm.SamplingParams`."""


class Answer(NamedTuple):
    """What came of a job."""

    number: int
    text: str
    cut: bool
    """Whether the limit ended it."""
    tokens: int
    failure: str = ""
    """Why there is no response."""


def main(descriptor: int) -> None:
    """Make an engine from the arguments that come first, and answer until the socket ends."""
    with Connection(descriptor) as connection:
        arguments = connection.recv()
        jobs: SimpleQueue[list[Job]] = SimpleQueue()
        threading.Thread(target=_listen, args=(connection, jobs), daemon=True).start()
        try:
            engine = make_llm(arguments).llm_engine
        except RewardkitError as error:
            connection.send(str(error))  # no other one like it can be made
            return
        connection.send(engine.vllm_config.scheduler_config.max_num_seqs)  # it is loaded
        said = time.monotonic()

        def beat() -> None:
            nonlocal said
            if time.monotonic() - said >= BEAT_S:
                said = time.monotonic()
                connection.send([])

        while True:
            connection.send(answers(engine, jobs, beat))


def _listen(connection: Connection, jobs: SimpleQueue[list[Job]]) -> None:
    """Take what comes at once, so that neither end ever waits for the other to read."""
    try:
        while True:
            jobs.put(connection.recv())
    except (EOFError, OSError):  # the evaluation is over, or was killed
        os._exit(0)


def answers(
    engine: Any, jobs: SimpleQueue[list[Job]], beat: Callable[[], None] = lambda: None
) -> list[Answer]:
    """Take all jobs that are there, and decode until some response has ended.

    `beat` is called after each step.
    """
    ended: list[Answer] = []
    while not ended:
        while not jobs.empty() or not (ended or engine.has_unfinished_requests()):
            refused = [_start(engine, job) for job in jobs.get()]
            ended += [found for found in refused if found is not None]
        if engine.has_unfinished_requests():
            ended += [_answer(output) for output in engine.step() if output.finished]
            beat()
    return ended


def _start(engine: Any, job: Job) -> Answer | None:
    from vllm import SamplingParams
    from vllm.sampling_params import RequestOutputKind

    try:
        params = SamplingParams(**job.sampling, output_kind=RequestOutputKind.FINAL_ONLY)
        engine.add_request(str(job.number), {"prompt_token_ids": list(job.prompt)}, params)
    except ValueError as error:  # this one alone is at fault
        return Answer(job.number, "", False, 0, f"vLLM refuses it: {error}")
    return None


def _answer(output: Any) -> Answer:
    [best] = output.outputs
    cut = best.finish_reason == "length"
    return Answer(int(output.request_id), best.text, cut, len(best.token_ids))
