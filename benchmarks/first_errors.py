"""Seconds from the start of `rewardkit eval` and `train` to the first error, on bad inputs.

    python benchmarks/first_errors.py

Each is a process of its own, as a person would start it: the median of three. The second column is
the processor's time alone, which other work on the machine leaves as it is.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

EVALUATE = ["eval", "--model", "smollm2-135m", "--task", "arithmetic"]
TRAIN = ["train", "run.toml", "--set"]
RUN = """
folder = "runs/x"
steps = 1
recipe = { name = "dapo" }
task = { name = "file:sums.jsonl", test = "file:sums.jsonl" }
"""
BAD: dict[str, list[str]] = {
    "unknown task": [*EVALUATE, "--task", "aime2"],
    "no such file": [*EVALUATE, "--task", "file:none.jsonl"],
    "no such copy": [*EVALUATE, "--task", "aime24=none.jsonl"],
    "unknown model": [*EVALUATE, "--model", "smolm2"],
    "no such folder": [*EVALUATE, "--model", "./models/none"],
    "unknown engine": [*EVALUATE, "--engine", "opnai"],
    "wrong port": [*EVALUATE, "--engine", "openai", "--base-url", "http://127.0.0.1:9/v1"],
    "a training run's folder": [*EVALUATE, "--run-dir", "trained"],
    "unknown verifier": [*EVALUATE, "--verifier", "mat"],
    "unknown protocol": [*EVALUATE, "--protocol", "qwen"],
    "training: wrong column": [*TRAIN, "task.columns.question=problem"],
    "training: unknown task": [*TRAIN, "task.name=file:sum.jsonl"],
    "training: unknown recipe": [*TRAIN, "recipe.name=dappo"],
    "training: batch too small": [*TRAIN, "recipe.minibatches=16"],
}


def main() -> None:
    """Print a line a bad input."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "trained").mkdir()
        (Path(folder) / "trained" / "config.toml").touch()
        (Path(folder) / "run.toml").write_text(RUN)
        (Path(folder) / "sums.jsonl").write_text('{"question": "1 + 1?", "answer": "2"}\n' * 8)
        for name, words in BAD.items():
            command = [sys.executable, "-m", "rewardkit", *words]
            seconds, busy = [], []
            for _ in range(3):
                start, before = time.perf_counter(), cpu()
                done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
                seconds.append(time.perf_counter() - start)
                busy.append(cpu() - before)
            line = (done.stderr.strip().splitlines() or [""])[0]
            wall, of_cpu = statistics.median(seconds), statistics.median(busy)
            print(f"{wall:5.2f} s {of_cpu:5.2f} s  {name:26} exit {done.returncode}  {line:.90}")


def cpu() -> float:
    """Return the processor's seconds that ended children took."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
