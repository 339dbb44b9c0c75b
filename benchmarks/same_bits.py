"""Runs that must end in the same bits, again and again beside other work, one of them killed.

    python benchmarks/same_bits.py                       # ten runs each with 1, 2 and 4 threads
    python benchmarks/same_bits.py --race --threads 2    # can it fail? It must, with status 1

Each run is `examples/arithmetic_dapo.toml` with the tiny model in float32, in a process of its own,
beside two processes that burn CPU: sums that threads race for come out otherwise then. The last of
each number of threads is killed in the middle and resumed. Weights, rollouts, evaluations and all
metrics but seconds are compared with those of the first run.

`--race` gives the places that share a row of a table indexing's own gradient, in which several
threads add to the same numbers in the order in which they arrive.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import SimpleNamespace

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "arithmetic_dapo.toml"
START = multiprocessing.get_context("forkserver")
LONGEST_S = 3600.0


def settings(folder: Path, threads: int, steps: int) -> list[str]:
    """Return the arguments of a new run; it is saved often enough to be killed in the middle."""
    changed = (
        f"folder={folder}",
        f"steps={steps}",
        f"model.threads={threads}",
        f"checkpoint.every={max(1, steps // 4)}",
        "model.name=tiny",
        "model.dtype=float32",
        "eval.problems=8",
        "verify.workers=1",
    )
    return [str(EXAMPLE), *(word for one in changed for word in ("--set", one))]


def train(arguments: Sequence[str], log: Path, race: bool) -> None:
    """Be a process that runs `rewardkit train`."""
    with log.open("ab") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    from rewardkit.cli import main
    from rewardkit_native.model import fused

    if race:
        fused._Share = SimpleNamespace(apply=lambda table, cells: table[cells])  # type: ignore[misc,assignment]
    main(["train", *arguments])


def started(arguments: Sequence[str], log: Path, race: bool) -> BaseProcess:
    """Start a run; its process is forked from one that has imported torch already."""
    process = START.Process(target=train, args=(arguments, log, race))
    process.start()
    return process


def finish(process: BaseProcess, log: Path) -> None:
    """Wait for a run; exit with the end of what it said where it failed."""
    process.join(LONGEST_S)
    if process.exitcode != 0:
        raise SystemExit(f"a run ended with {process.exitcode}:\n{log.read_text()[-2000:]}")


def kill_in_the_middle(process: BaseProcess, folder: Path, steps: int) -> None:
    """Kill a run once half of its steps are recorded."""
    metrics = folder / "metrics.jsonl"
    while not metrics.exists() or metrics.read_bytes().count(b"\n") < steps // 2:
        if not process.is_alive():
            raise SystemExit(f"{folder} ended with {process.exitcode} before it could be killed")
        time.sleep(0.01)
    process.kill()
    process.join()
    if process.exitcode != -signal.SIGKILL:
        raise SystemExit(f"{folder} was done before it could be killed: take more --steps")


def digests(folder: Path, steps: int) -> dict[str, str]:
    """Return a short digest of all that must be the same."""
    rows = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    metrics = [{k: v for k, v in row.items() if not k.endswith("_s")} for row in rows]
    last = folder / "checkpoints" / f"step-{steps:05d}"
    contents = {
        "weights": (last / "model.safetensors").read_bytes(),
        "rollouts": (folder / "rollouts.jsonl").read_bytes(),
        "results": (folder / "results.json").read_bytes(),
        "metrics": json.dumps(metrics).encode(),
    }
    return {name: hashlib.sha256(data).hexdigest()[:12] for name, data in contents.items()}


@contextmanager
def beside(count: int) -> Iterator[None]:
    """Burn CPU in so many processes meanwhile, which leave most of it to the runs."""
    program = f"import os; os.nice(10)\nwhile os.getppid() == {os.getpid()}: pass"
    burning = [subprocess.Popen([sys.executable, "-c", program]) for _ in range(count)]
    try:
        yield
    finally:
        for process in burning:
            process.kill()
            process.wait()


def ends(root: Path, threads: int, given: argparse.Namespace) -> list[dict[str, str]]:
    """Make all runs of one number of threads, and return what each ended in."""
    found = []
    for number in range(given.runs):
        folder = root / f"{threads}-{number}"
        log = folder.with_suffix(".log")
        process = started(settings(folder, threads, given.steps), log, given.race)
        killed = number == given.runs - 1
        if killed:
            kill_in_the_middle(process, folder, given.steps)
            process = started(["--resume", str(folder)], log, given.race)
        finish(process, log)
        found.append(digests(folder, given.steps))
        how = "killed and resumed" if killed else "whole"
        print(f"{threads} threads, run {number + 1}, {how}: {found[-1]}", flush=True)
    return found


def main() -> None:
    """Run, compare, print a table; exit with 1 where two runs of one number of threads differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--steps", type=int, default=14)
    parser.add_argument("--race", action="store_true")
    given = parser.parse_args()
    START.set_forkserver_preload(["rewardkit_native.loop", "transformers", "rewardkit.cli"])
    rows, same = [], True
    with tempfile.TemporaryDirectory(prefix="rewardkit-") as scratch, beside(2):
        for threads in given.threads:
            found = ends(Path(scratch), threads, given)
            kinds = {name: Counter(end[name] for end in found) for name in found[0]}
            same = same and all(len(kind) == 1 for kind in kinds.values())
            rows.append([threads, len(found), *(len(kind) for kind in kinds.values())])
    print("\n| threads | runs | " + " | ".join(f"different {name}" for name in kinds) + " |")
    print("|" + "---|" * (2 + len(kinds)))
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |")
    raise SystemExit(not same)


if __name__ == "__main__":
    main()
