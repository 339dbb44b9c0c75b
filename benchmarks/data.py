"""What a data set of 1.8 million rows costs: opening it, drawing from it, grading its responses.

    python benchmarks/data.py --rows 1800000 --kinds jsonl parquet

Each figure is of a process of its own: seconds, those of a core (`cpu_s`), and the most memory that
it ever held (VmHWM), of which `private` is what no other process can share; the rest is mapped
files, which the system takes back when it needs room. The first opening finds the lines or
converts, and checks each row; the second is every later one. Files and caches go to --folder.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

DRAWS = 20_000
WORKERS = 8
"""As many reward workers has verl by default."""


def make(path: Path, rows: int) -> None:
    """Write rows with a question of about 200 characters, an answer and two more columns."""
    words = ("let", "be", "the", "sum", "of", "all", "positive", "integers", "such", "that", "find")
    draw = random.Random(0)
    with path.open("w") as file:
        for i in range(rows):
            question = " ".join(draw.choices(words, k=45))
            row = {
                "problem": question,
                "answer": str(i % 997),
                "level": i % 5 + 1,
                "rate": i % 97 / 97,
            }
            file.write(json.dumps(row) + "\n")


def convert(jsonl: Path, path: Path) -> None:
    """Write the same rows as a file of another kind."""
    import datasets

    found = datasets.load_dataset("json", data_files=str(jsonl), split="train")
    found.to_parquet(path) if path.suffix == ".parquet" else found.to_csv(path)


PHASES = ("open", "where", "at", "worker")


def phase(name: str, path: Path) -> dict[str, float]:
    """Do one thing with the file, and return what it cost."""
    from rewardkit.config import config_from

    task = {"name": f"file:{path}", "where": "level == 5" if name == "where" else ""}
    config = config_from({"folder": "x", "steps": 1, "task": task})
    started, used = time.perf_counter(), time.process_time()
    if name == "worker":
        grade(config)
        return {"seconds": time.perf_counter() - started, "cpu_s": time.process_time() - used}
    from rewardkit.sampling.order import order_of
    from rewardkit.tasks.settings import run_task

    problems = run_task(config).train
    found = {"seconds": time.perf_counter() - started, "cpu_s": time.process_time() - used}
    if name == "at":
        order = order_of(problems, 0)
        started = time.perf_counter()
        for position in range(DRAWS):
            order.at(position * 89 % len(problems))
        found["order_us"] = (time.perf_counter() - started) / DRAWS * 1e6
        started = time.perf_counter()
        for position in range(DRAWS):
            problems[order.at(position * 89 % len(problems))]
        found["problem_us"] = (time.perf_counter() - started) / DRAWS * 1e6
    return found


def grade(config: object) -> None:
    """Do what a reward worker does: make the task, and grade one response in its pool."""
    from rewardkit.tasks.settings import grading_task
    from rewardkit.types import Problem
    from rewardkit.verifiers import VerifierPool

    with VerifierPool(grading_task(config).verifier, workers=1) as pool:  # type: ignore[arg-type]
        assert pool.verify_one("\\boxed{2}", Problem("1", "1+1?", "2", info={"level": 1})).correct


def memory() -> dict[str, float]:
    """Return the most memory that this process held, and what of it now is its own, in MB."""
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return {
        "peak_mb": int(status["VmHWM"].split()[0]) / 1024,
        "private_mb": int(status["RssAnon"].split()[0]) / 1024,
    }


def measured(name: str, path: Path, folder: Path) -> dict[str, float]:
    """Run a phase in a process of its own."""
    environment = {
        **os.environ,
        "REWARDKIT_CACHE": str(folder / "cache"),
        "HF_HOME": str(folder / "hf"),
        "HF_DATASETS_DISABLE_PROGRESS_BARS": "1",
    }
    done = subprocess.run(
        [sys.executable, __file__, "--phase", name, "--path", str(path)],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def measured_at_once(name: str, path: Path, folder: Path, count: int) -> dict[str, float]:
    """Run a phase in so many processes at the same time; the worst of each figure."""
    with ThreadPoolExecutor(count) as together:
        found = list(together.map(lambda _: measured(name, path, folder), range(count)))
    return {key: max(one[key] for one in found) for key in found[0]}


def main() -> None:
    """Make the files, and print a line a figure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=1_800_000)
    parser.add_argument("--kinds", nargs="+", default=["jsonl", "parquet"])
    parser.add_argument("--folder", type=Path, default=Path("runs/benchmark-data"))
    parser.add_argument("--phase", choices=PHASES, help=argparse.SUPPRESS)
    parser.add_argument("--path", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.phase:
        print(json.dumps(phase(asked.phase, asked.path) | memory()))
        return
    asked.folder.mkdir(parents=True, exist_ok=True)
    for name in ("cache", "hf"):
        shutil.rmtree(asked.folder / name, ignore_errors=True)
    source = asked.folder / "rows.jsonl"
    make(source, asked.rows)
    for kind in asked.kinds:
        path = asked.folder / f"rows.{kind}"
        if kind != "jsonl":
            convert(source, path)
        print(f"{kind}: {asked.rows:,} rows, {path.stat().st_size / 1e6:.0f} MB")
        for label, name in (
            ("first opening, all rows checked", "open"),
            ("opening", "open"),
            ("first opening with a condition", "where"),
            ("opening with a condition", "where"),
            ("opening and 20,000 draws", "at"),
            ("reward worker", "worker"),
        ):
            say(label, measured(name, path, asked.folder))
        said = f"of {WORKERS} reward workers at once, the slowest and the largest"
        say(said, measured_at_once("worker", path, asked.folder, WORKERS))


def say(label: str, found: dict[str, float]) -> None:
    """Print a line of figures."""
    shown = ", ".join(f"{key} {value:.3g}" for key, value in found.items())
    print(f"  {label}: {shown}", flush=True)


if __name__ == "__main__":
    main()
