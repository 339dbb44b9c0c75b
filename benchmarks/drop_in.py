"""How many times as fast `rewardkit.drop_in` is as math-verify, on math-verify's test inputs.

    python benchmarks/drop_in.py

Each library parses and compares every pair once, in a fresh process after three calls that load it,
so that no answer is remembered; processes take turns. Needs math-verify 0.9.0.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from pathlib import Path

ROWS = Path(__file__).parents[1] / "tests" / "cases" / "math_verify_tests.jsonl"
LIBRARIES = ("math_verify", "rewardkit.drop_in")
TURNS = 5
_ONE = """
import importlib, json, sys, time
library = importlib.import_module(sys.argv[1])
rows = [json.loads(line) for line in open(sys.argv[2], encoding="utf-8")]
for gold in ("$0.5$", r"$\\frac{1}{2}$", r"$\\sum_{n=2}^\\infty 2^{-n}$"):
    library.verify(library.parse(gold), library.parse("it is 0.5"))
started = time.perf_counter()
right = sum(
    library.verify(library.parse(row["gold"]), library.parse(row["pred"])) == row["expected"]
    for row in rows
)
print(json.dumps([time.perf_counter() - started, right, len(rows)]))
"""


def one_pass(library: str) -> list[float]:
    """Return a pass's seconds in a process of its own, how many pairs were right, of how many."""
    command = [sys.executable, "-W", "ignore", "-c", _ONE, library, str(ROWS)]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    return list(json.loads(found.stdout.splitlines()[-1]))


def main() -> None:
    """Print pairs a second, and the ratio of each turn."""
    turns = [[one_pass(library) for library in LIBRARIES] for _ in range(TURNS)]
    for k, library in enumerate(LIBRARIES):
        seconds = statistics.median(turn[k][0] for turn in turns)
        _, right, count = turns[0][k]
        print(f"{library:18} {count / seconds:8,.0f} pairs/s, {right} of {count} as labelled")
    ratios = sorted(theirs[0] / ours[0] for theirs, ours in turns)
    print(f"ratio {statistics.median(ratios):.1f} ({ratios[0]:.1f} to {ratios[-1]:.1f})")


if __name__ == "__main__":
    main()
