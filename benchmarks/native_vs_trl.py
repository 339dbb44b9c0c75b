"""Time and memory of one training step, the native backend beside TRL's GRPOTrainer.

    python benchmarks/native_vs_trl.py all --out OUT         all parts that OUT lacks, then report
    python benchmarks/native_vs_trl.py run --side trl --dtype float32 --steps 5 --out OUT
    python benchmarks/native_vs_trl.py report --out OUT

Both sides train the same model from the same weights on the same problems in the same order: 8
problems x 8 responses of at most 48 tokens, reward 1 for a right answer by the same verifier,
token-mean PPO clip (0.2, 0.28) without a KL term, AdamW 1e-5, float32 weights, passes in `dtype`.
Each side runs in a process of its own under the same OpenMP wait policy; the first step of each is
not counted. Peak memory is the process's largest resident size, that of verifier workers added, or
on a GPU what torch allocated there at most.

Of the native update it also says which share of a plain product's rate it reaches: FLOPs of the
products of a forward and a backward pass over the tokens that were really computed (a group's
prompt once, the head for responses alone; attention and all that is no product are not counted),
over the whole update's time, optimiser included; beside `torch.mm` in the same type, with the same
threads, of the same shapes forward and backward.

TRL runs without the gradient checkpointing that is its default, which would cost it time and save
memory, with the fused AdamW, and in micro-batches of `--trl-micro-batch` rows.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

PROBLEMS, GROUP, TOKENS = 8, 8, 48
LEARNING_RATE = 1e-5
PHASES = ("sample", "forward", "backward and step")
SIDES, DTYPES = ("native", "trl"), ("bfloat16", "float32")


@dataclass
class Setting:
    """What both sides are given."""

    dtype: str = "bfloat16"
    steps: int = 6
    model: str = "smollm2-135m"
    task: str = "arithmetic"
    task_args: dict[str, Any] = field(default_factory=dict)
    device: str = "auto"
    problems: int = PROBLEMS
    group: int = GROUP
    tokens: int = TOKENS
    lr: float = LEARNING_RATE
    seed: int = 0
    micro_batch: int = 16

    def config(self, folder: str) -> Any:
        """Return the native run's configuration."""
        from rewardkit.config import config_from

        return config_from(
            {
                "folder": folder,
                "steps": self.steps,
                "seed": self.seed,
                "model": {"name": self.model, "dtype": self.dtype, "device": self.device},
                "task": {"name": self.task, "args": self.task_args},
                "recipe": {
                    "name": "grpo",
                    "kl": "none",
                    "kl_coef": 0.0,
                    "aggregation": "token-mean",
                    "clip_high": 0.28,
                },
                "sampling": {
                    "problems": self.problems,
                    "group_size": self.group,
                    "max_tokens": self.tokens,
                },
                "optim": {"lr": self.lr},
                "eval": {"samples": 0},
            }
        )


@dataclass
class Measured:
    """One step of one side."""

    seconds: dict[str, float]
    reward: float
    tokens: int
    rate: float = 0.0
    """FLOP/s of the native update."""

    @property
    def total(self) -> float:
        """Seconds of the whole step."""
        return sum(self.seconds.values())


def native(setting: Setting) -> list[Measured]:
    """Train through the public entry, with a stopwatch around scoring."""
    from products import products

    import rewardkit_native
    from rewardkit.runs import RunFolder
    from rewardkit_native import setup
    from rewardkit_native.learning import passes, update

    forward: list[float] = []
    flops: list[int] = []

    class Counting(update.Updater):
        def score(self, *arguments: Any, **named: Any) -> Any:
            forward.append(0.0)
            flops.append(0)
            return super().score(*arguments, **named)

    class Timed(passes.Scorer):
        def score(self, model: Any, batch: Any, micro: list[int], **named: Any) -> Any:
            start = time.perf_counter()
            found = super().score(model, batch, micro, **named)
            if forward:  # the estimate before the first step scores, too
                forward[-1] += time.perf_counter() - start
                flops[-1] += products(model.config, batch, micro)
            return found

    setup.Updater, setup.Scorer = Counting, Timed  # type: ignore[misc]
    with tempfile.TemporaryDirectory() as scratch:
        path = rewardkit_native.train(setting.config(f"{scratch}/run"))
        rows = RunFolder.open(path).rows("metrics.jsonl")
    return [
        Measured(
            {
                "sample": row["sample_s"],
                "forward": scored,
                "backward and step": row["step_s"] - row["sample_s"] - scored,
            },
            row["reward"],
            row["tokens"],
            done / row["update_s"],
        )
        for row, scored, done in zip(rows, forward, flops, strict=True)
    ]


def trl(setting: Setting) -> list[Measured]:
    """Train through GRPOTrainer."""
    from trl_steps import train

    return [Measured(*step) for step in train(setting)]


def run_side(side: str, setting: Setting) -> dict[str, Any]:
    """Return the measurements of one side, made in this process."""
    peak = Peak()
    steps = {"native": native, "trl": trl}[side](setting)
    import torch
    from products import rate_of_products

    return {
        "side": side,
        "setting": asdict(setting),
        "policy": os.environ.get("OMP_WAIT_POLICY", "unset"),
        "threads": torch.get_num_threads(),
        "versions": {name: version_of(name) for name in ("torch", "transformers", "trl")},
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "peak_bytes": torch.cuda.max_memory_allocated() or peak.stop(),
        "steps": [asdict(step) for step in steps],
        "products": rate_of_products(setting.model, setting.dtype) if side == "native" else 0.0,
    }


def version_of(name: str) -> str:
    """Return the installed version of a package, if there is one."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


class Peak:
    """The largest resident size of this process, and of its children at their largest."""

    def __init__(self) -> None:
        import threading

        self._children = 0
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def stop(self) -> int:
        """Return the peak in bytes."""
        self._stopped.set()
        self._thread.join()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 + self._children

    def _watch(self) -> None:
        page = os.sysconf("SC_PAGE_SIZE")
        while not self._stopped.wait(2.0):
            held = 0
            for child in children_of(os.getpid()):
                try:
                    held += int(Path(f"/proc/{child}/statm").read_text().split()[1]) * page
                except (OSError, IndexError):  # it ended meanwhile
                    continue
            self._children = max(self._children, held)


def children_of(parent: int) -> Iterator[int]:
    """Yield the process ids of all children, and theirs."""
    for task in Path(f"/proc/{parent}/task").iterdir():
        try:
            found = [int(child) for child in (task / "children").read_text().split()]
        except OSError:
            continue
        for child in found:
            yield child
            yield from children_of(child)


def run_all(arguments: argparse.Namespace) -> None:
    """Run in processes of their own the parts that are not there yet, sides taking turns."""
    for dtype in arguments.dtypes:
        for side in SIDES:
            file = arguments.out / f"{side}-{dtype}.json"
            if file.exists():
                continue
            command = [sys.executable, __file__, "run", "--side", side, "--dtype", dtype]
            command += ["--steps", str(arguments.steps), "--out", str(arguments.out)]
            command += ["--trl-micro-batch", str(arguments.trl_micro_batch)]
            print(f"{side} {dtype} ...", flush=True)
            subprocess.run(command, check=True, env={"OMP_WAIT_POLICY": "active", **os.environ})
    report(arguments.out)


def run_one(arguments: argparse.Namespace) -> None:
    """Run one part and write what it measured."""
    micro_batch = arguments.trl_micro_batch
    setting = Setting(arguments.dtype, arguments.steps + 1, micro_batch=micro_batch)
    found = run_side(arguments.side, setting)
    arguments.out.mkdir(parents=True, exist_ok=True)
    file = arguments.out / f"{arguments.side}-{arguments.dtype}.json"
    file.write_text(json.dumps(found, indent=1) + "\n")
    print(summary(found), flush=True)


def summary(found: dict[str, Any]) -> str:
    """Return one line on one side."""
    totals = [sum(step["seconds"].values()) for step in found["steps"]]
    return (
        f"{found['side']} {found['setting']['dtype']}: warm-up {totals[0]:.1f} s, then "
        f"{' '.join(f'{t:.1f}' for t in totals[1:])} s; {found['peak_bytes'] / 1e9:.2f} GB"
        + share(found)
    )


def share(found: dict[str, Any]) -> str:
    """Return which share of a plain product's rate the native update reaches."""
    if not found.get("products"):
        return ""
    reached, plain = statistics.median(s["rate"] for s in found["steps"][1:]), found["products"]
    return (
        f"; update {reached / 1e9:.0f} GFLOP/s, products alone {plain / 1e9:.0f}: "
        f"a share of {reached / plain:.2f}"
    )


def report(folder: Path) -> None:
    """Print both sides and their ratios for every type that both were measured in."""
    for dtype in DTYPES:
        files = {side: folder / f"{side}-{dtype}.json" for side in SIDES}
        if not all(file.exists() for file in files.values()):
            continue
        found = {side: json.loads(file.read_text()) for side, file in files.items()}
        print(
            f"\n{dtype}, {found['native']['machine']}, OpenMP {found['native']['policy']}, ", end=""
        )
        print(f"{found['native']['threads']} threads; {found['trl']['versions']}")
        print(f"{'seconds: min / median / max':<30}{'native':^24}{'TRL':^24}{'TRL / native':^24}")
        steps = {side: found[side]["steps"][1:] for side in SIDES}
        for phase in (*PHASES, "whole step"):
            print(f"{phase:<30}" + "".join(columns(*(times(steps[s], phase) for s in SIDES))))
        tokens = {s: statistics.mean(step["tokens"] for step in steps[s]) for s in SIDES}
        peaks = {s: found[s]["peak_bytes"] / 1e9 for s in SIDES}
        print(f"{'tokens sampled a step':<30}{tokens['native']:^24.0f}{tokens['trl']:^24.0f}")
        print(f"{'peak memory, GB':<30}{peaks['native']:^24.2f}{peaks['trl']:^24.2f}", end="")
        print(f"{'native / TRL: ' + format(peaks['native'] / peaks['trl'], '.2f'):^24}")
        print(f"native{share(found['native']).removeprefix(';')}")


def times(steps: list[dict[str, Any]], phase: str) -> list[float]:
    """Return the seconds that each step spent in a phase."""
    if phase == "whole step":
        return [sum(step["seconds"].values()) for step in steps]
    return [step["seconds"][phase] for step in steps]


def columns(ours: list[float], theirs: list[float]) -> Iterator[str]:
    """Yield both sides' columns, and the ratio: of slowest to fastest, medians, fastest to slowest.

    The least ratio is TRL's fastest step over our slowest, so that no pairing flatters.
    """
    for values in (ours, theirs):
        yield f"{min(values):.1f} / {statistics.median(values):.1f} / {max(values):.1f}".center(24)
    ratios = (
        min(theirs) / max(ours),
        statistics.median(theirs) / statistics.median(ours),
        max(theirs) / min(ours),
    )
    yield " / ".join(f"{ratio:.1f}" for ratio in ratios).center(24)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    added = {name: commands.add_parser(name) for name in ("all", "run", "report")}
    for command in added.values():
        command.add_argument("--out", type=Path, required=True, help="folder of the measurements")
    for name in ("all", "run"):
        added[name].add_argument("--steps", type=int, default=5, help="steps after the warm-up")
        added[name].add_argument("--trl-micro-batch", type=int, default=16)
    added["all"].add_argument("--dtypes", nargs="+", choices=DTYPES, default=DTYPES)
    added["run"].add_argument("--side", choices=SIDES, required=True)
    added["run"].add_argument("--dtype", choices=DTYPES, default="bfloat16")
    arguments = parser.parse_args()
    if arguments.command == "report":
        report(arguments.out)
    else:
        {"all": run_all, "run": run_one}[arguments.command](arguments)


if __name__ == "__main__":
    main()
