"""What graders wrongly accept and reject, by `rewardkit audit`; `make audit-peers` makes the table.

    python benchmarks/audit_peers.py run inspect:math verl:gsm8k
    python benchmarks/audit_peers.py table

`run` audits those that are named (all without a name) and keeps what was found in build/audits;
`table` prints it, ours first. Each is asked golds of the kind that it is made for, and in the form
that its documentation asks for where the audit's own forms are none of them.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

GOLDS = "benchmarks/audit_golds"
FOLDER = Path("build/audits")
BOX = ["--verifier-options", 'answer_in="box"']
THOUGHT = ["--form", "<think>I work it out.</think> It is \\boxed{ANSWER}."]
MINERVA = ["--form", "I work it out.\nAnswer: ANSWER"]
GRADERS: dict[str, tuple[str, list[str]]] = {
    "math": ("formulas", []),
    "math, declared": ("formulas", ["--form", "box", *BOX]),
    "math_verify": ("formulas", []),
    "trl:accuracy_reward": ("dollars", []),
    "trl:reasoning_accuracy_reward": ("dollars", THOUGHT),
    "verl:math_dapo": ("numbers", MINERVA),
    "verl:gsm8k": ("numbers", []),
    "verl:math_reward": ("formulas", []),
    "verl:prime_math": ("formulas", []),
    # Each of its workers starts processes of its own, for seconds: fewer golds.
    "verl:math_verify": ("formulas", ["--allow", "seconds=6", "--problems", "6"]),
    "lighteval:expr_gold_metric": ("numbers", []),
    "openrlhf:grade_answer": ("formulas", []),
    "inspect:math": ("formulas", []),
    "inspect:match": ("numbers", []),
    "inspect:includes": ("numbers", []),
    "inspect:answer": ("numbers", MINERVA),
}
"""A row of the table -> whose golds, and further arguments."""
HEAD = (
    "golds", "writings", "mutated", "hedges", "empty", "format", "truncated", "strategies", "hangs",
    "code", "raises", "context",
)  # fmt: skip


def command(row: str) -> list[str]:
    """Return what audits a row's grader."""
    golds, more = GRADERS[row]
    verifier = row.partition(",")[0]
    return ["rewardkit", "audit", verifier, "--task", f"file:{GOLDS}/{golds}.jsonl", *more]


def run(row: str) -> None:
    """Audit a row's grader, and say how the command ended."""
    out = FOLDER / row.replace(":", "-").replace(", ", "-")
    asked = [sys.executable, "-m", *command(row), "--out", str(out), "--json"]
    env = graders_of_verl_alone() if row == "verl:math_verify" else None
    done = subprocess.run(asked, capture_output=True, text=True, check=False, env=env)
    said = f"exit {done.returncode}"
    if done.returncode not in (0, 1):
        said += f": {done.stderr.strip()[-300:]}"
    print(f"{row}: {said}", flush=True)


def graders_of_verl_alone() -> dict[str, str]:
    """Return an environment in which verl's graders load nothing else of it.

    Each process that its `math_verify` starts imports verl: 9 s of CPU time.
    """
    found = find_spec("verl")
    if found is None or found.origin is None:
        return dict(os.environ)
    theirs, ours = Path(found.origin).parent / "utils", FOLDER.resolve() / "alone"
    (ours / "verl" / "utils").mkdir(parents=True, exist_ok=True)
    for package in ("verl", "verl/utils"):
        (ours / package / "__init__.py").touch()
    for name in ("import_utils.py", "reward_score"):
        link = ours / "verl" / "utils" / name
        link.unlink(missing_ok=True)
        link.symlink_to(theirs / name)
    return {**os.environ, "PYTHONPATH": f"{ours}:{os.environ.get('PYTHONPATH', '')}"}


def table() -> None:
    """Print what was found, a row a grader."""
    print(f"| grader | version | probes | {' | '.join(HEAD)} |")
    print(f"|---|---|{'---|' * (len(HEAD) + 1)}")
    for row in GRADERS:
        file = FOLDER / row.replace(":", "-").replace(", ", "-") / "audit.json"
        if not file.exists():
            continue
        found = json.loads(file.read_text("utf-8"))
        threats = found["threats"]
        read = found["problems"] - len(found["unread_golds"])
        shown = {
            **threats,
            "golds": f"{threats['golds']} of {read}",
            "writings": f"{100 * (found['writings_share'] or 0):.0f} %",
        }
        cells = [str(shown[name]) for name in HEAD]
        print(f"| {row} | {found['version']} | {found['probes']:,} | {' | '.join(cells)} |")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=["run", "table"])
    parser.add_argument("names", nargs="*", metavar="GRADER", help="all of them by default")
    given = parser.parse_args()
    if given.what == "table":
        table()
    else:
        for name in given.names or GRADERS:
            run(name)


if __name__ == "__main__":
    main()
