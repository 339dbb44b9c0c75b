"""What a newcomer waits for: `make demo`'s run, alone and beside other work.

    python benchmarks/demo.py                          # this machine as it is
    python benchmarks/demo.py --avx2                   # close to a CPU without AVX-512 and bfloat16
    python benchmarks/demo.py --avx2 --beside 2 --nice 10
    python benchmarks/demo.py --avx2 --beside 2

Prints seconds to the first line, to the first progress behind it, and to the end; what the run said
it would take, and what it took; held-out accuracy; and the load before. `--set` is handed on.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from rewardkit.runs import RunFolder

AVX2 = {
    "ONEDNN_MAX_CPU_ISA": "AVX2",
    "ATEN_CPU_CAPABILITY": "avx2",
    "MKL_ENABLE_INSTRUCTIONS": "AVX2",
}
EXAMPLE = Path(__file__).parents[1] / "examples" / "arithmetic_dapo.toml"
SAID = re.compile(r"; about (?:(\d+) h )?(?:(\d+) min ?)?(?:(\d+) s)? on this machine")


def seconds_said(line: str) -> int | None:
    """Return the seconds that a run's first line names.

    >>> seconds_said("dapo on ...; about 3 min 05 s on this machine"), seconds_said("dapo on ...")
    (185, None)
    """
    found = SAID.search(line)
    if found is None:
        return None
    hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return 3600 * hours + 60 * minutes + seconds


def run(folder: Path, avx2: bool, settings: list[str]) -> None:
    """Train once, and print what was seen and when."""
    command = [sys.executable, "-m", "rewardkit", "train", str(EXAMPLE)]
    for setting in (f"folder={folder}", *settings):
        command += ["--set", setting]
    start = time.monotonic()
    lines: list[tuple[float, str]] = []
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **(AVX2 if avx2 else {}), "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    for line in process.stdout:
        lines.append((time.monotonic() - start, line.rstrip()))
        print(f"  {lines[-1][0]:6.1f}  {line.rstrip():.150}", flush=True)
    took = time.monotonic() - start
    if process.wait():
        sys.exit(f"the run ended with status {process.returncode}")
    found = RunFolder(folder).evaluations()
    before, after = (found[label]["sets"]["test"]["accuracy"] for label in ("before", "after"))
    began, header = next((at, line) for at, line in lines if " steps of " in line)
    progress = next(at for at, line in lines if at > began and not line.startswith("note:"))
    print(f"first line {lines[0][0]:.1f} s, estimate {began:.1f} s, progress {progress:.1f} s")
    print(
        f"said {seconds_said(header)} s from there, took {took - began:.0f} s; {took:.0f} s in all"
    )
    print(f"accuracy, held out: {before:.3f} -> {after:.3f}")


def main() -> None:
    """Read the command line, start the other work, and run."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--avx2", action="store_true", help="leave wider instructions unused")
    parser.add_argument("--beside", type=int, default=0, help="processes that burn CPU meanwhile")
    parser.add_argument("--nice", type=int, default=0, help="how nice those are")
    parser.add_argument("--set", action="append", default=[], metavar="a.b=c")
    given = parser.parse_args()
    print(f"load before: {os.getloadavg()[0]:.2f}; {given.beside} beside, nice {given.nice}")
    with tempfile.TemporaryDirectory() as scratch, ExitStack() as burning:
        for _ in range(given.beside):
            command = ["nice", "-n", str(given.nice), sys.executable, "-c", "while True: pass"]
            burning.callback(subprocess.Popen(command).kill)
        run(Path(scratch) / "demo", given.avx2, given.set)


if __name__ == "__main__":
    main()
