"""Ask pip whether what docs/verl.md installs on a GPU machine can be installed from wheels alone.

Nothing is downloaded but metadata, and nothing installed: `python tools/resolve_gpu.py 3.12`.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
CONSTRAINTS = ROOT / "constraints-gpu.txt"
GLIBC = range(5, 36)
"""Wheels for glibc 2.N: Ubuntu 22.04 has 2.35."""


def requirements() -> list[str]:
    """Return what `.[verl,report]` and `verl[vllm]` ask for, rewardkit itself left out."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    asked = [*project["dependencies"], *extras["verl"], *extras["native"], *extras["report"]]
    return ["verl[vllm]", *(one for one in asked if not one.startswith("rewardkit["))]


def resolve(python: str) -> dict[str, str]:
    """Return the file of each wheel that pip would install for this Python, by package.

    Raises:
        RuntimeError: pip fails: no solution, no network, no room on the disk; says what pip says.
    """
    platforms = [f"manylinux_2_{n}_x86_64" for n in GLIBC]
    platforms += ["manylinux1_x86_64", "manylinux2010_x86_64", "manylinux2014_x86_64"]
    tags = [f"cp{python.replace('.', '')}", "abi3", "none"]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed"]
        command += ["--quiet", "--only-binary=:all:", "--implementation=cp"]
        command += [f"--python-version={python}", f"--target={folder}", f"--report={report}"]
        command += [f"--platform={one}" for one in platforms]
        command += [f"--abi={one}" for one in tags]
        command += ["--constraint", str(CONSTRAINTS), *requirements()]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"Python {python}: pip fails:\n{done.stderr.strip()}")
        found: list[dict[str, Any]] = json.loads(report.read_text("utf-8"))["install"]
    files = {one["metadata"]["name"]: one["download_info"]["url"] for one in found}
    return {name.lower(): url.rpartition("/")[2] for name, url in files.items()}


def main() -> None:
    """Print the wheels for each Python asked for; exit with pip's words where there are none."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("python", nargs="*", default=["3.11", "3.12"])
    for python in parser.parse_args().python:
        try:
            found = resolve(python)
        except RuntimeError as error:
            raise SystemExit(str(error)) from error
        print(f"Python {python}: {len(found)} wheels")  # noqa: T201
        for name in ("torch", "transformers", "vllm", "verl", "tensordict"):
            print(f"  {found[name]}")  # noqa: T201


if __name__ == "__main__":
    main()
