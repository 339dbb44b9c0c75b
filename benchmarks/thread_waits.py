"""How long torch's threads should spin before they sleep: rounds a second by turns of their loop.

    python benchmarks/thread_waits.py                   # on a machine as it is
    python benchmarks/thread_waits.py --beside 4        # beside processes that burn CPU

A round decodes a token of a small model and learns from it in one layer, as a run tries it; each
number of turns is read by a process of its own. `passive` and `active` are OMP_WAIT_POLICY.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from contextlib import ExitStack

TURNS = ("passive", "100", "1000", "10000", "active")
PROGRAM = """
import sys
import torch
from rewardkit.planning.cpu_rates import rates
print(*(f"{rate:.2f}" for rate in rates(sys.argv[1], torch.get_num_threads()).values()))
"""


def main() -> None:
    """Print a row a number of turns: the rates with all threads, half of them, and so on."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--dtype", choices=["float32", "bfloat16"], default="float32")
    parser.add_argument("--beside", type=int, default=0, help="processes that burn CPU meanwhile")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    print(f"{given.dtype}, load {os.getloadavg()[0]:.2f}, {given.beside} beside")
    with ExitStack() as burning:
        for _ in range(given.beside):
            burn = subprocess.Popen([sys.executable, "-c", "while True: pass"])
            burning.callback(burn.kill)
        for _ in range(given.rounds):
            for turns in TURNS:
                name = "GOMP_SPINCOUNT" if turns.isdigit() else "OMP_WAIT_POLICY"
                environment = {**os.environ, name: turns}
                command = [sys.executable, "-c", PROGRAM, given.dtype]
                done = subprocess.run(
                    command, env=environment, capture_output=True, text=True, check=True
                )
                print(f"{turns:>8}  {done.stdout.strip()}", flush=True)


if __name__ == "__main__":
    main()
