"""Build the release, and install and use it where nothing else is.

    python tools/release_check.py python3.11 python3.12 python3.13
    python tools/release_check.py python3.11 --only extras

install    wheel and sdist, each in an empty environment of each Python, used outside the
           repository: `uv pip check`, verify, an evaluation against a server, training of the
           tiny model, the demo
extras     each extra alone, in the first Python
licences   what an environment with the wheel holds and under which licence, as build/licences.md
           and as an SBOM of CycloneDX, build/sbom.json

uv installs, from PyPI as it is set up for uv (UV_INDEX, UV_FIND_LINKS), so that what several
environments hold lies on the disk once: about 6 GB, as PyPI's torch for Linux brings CUDA. What is
used here, `build` and `uv` among it, gets an environment of its own. Goes on after what fails, and
exits with 1.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
from collections.abc import Callable
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from zipfile import ZipFile

ROOT = Path(__file__).parents[1]
BUILD = ROOT / "build"
MOST_BYTES = 3 * 2**20
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
ELSEWHERE = {
    "vllm": "gigabytes of CUDA; `make test-vllm` has it for CPUs",
    "dev": "what `make test` runs in",
    "docs": "what `make docs` runs in",
    "conformance": "what `make conformance` runs in",
}
"""Extras that are not installed alone here, and why."""
USE = {
    "native": "import rewardkit_native.loop",
    "gguf": "import gguf, accelerate",
    "lora": "import peft",
    "report": "import rewardkit.report.page",
    "zstd": "import backports.zstd, rewardkit.runs",
    "track": "import tensorboard, wandb, trackio",
    "openai": "import rewardkit.client.server",
    "tables": "import rewardkit.tables, pyarrow, datasketch",
    "ray": "import ray.data, rewardkit.tables",
    "serve": "import rewardkit.serving, uvicorn",
    "math-verify": "from rewardkit.verifiers import load_verifier; load_verifier('math_verify')",
    "reasoning-gym": "from rewardkit.tasks import load_task as t; t('reasoning_gym:leg_counting')",
    "instructions": "import langdetect; from rewardkit_tasks import instructions",
    "verl": "import verl, rewardkit_verl.versions",
}
"""Extra -> what is run with it alone."""


class Failed(Exception):
    """A step that ended with another status than 0; holds what it printed."""


def run(*words: str | Path, cwd: Path | None = None) -> str:
    """Return what a command prints.

    Raises:
        Failed: its status is not 0.
    """
    plain = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(
        words, cwd=cwd, env=plain, check=False, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    if done.returncode:
        raise Failed(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stdout}")
    return done.stdout


def step(name: str, what: Callable[[], object]) -> bool:
    """Do it, and say how long it took, or why it failed; returns whether it did not."""
    begun = time.monotonic()
    try:
        what()
    except Failed as failed:
        print(f"{name}: FAILED\n{failed}", flush=True)
        return False
    print(f"{name}: {time.monotonic() - begun:.0f} s", flush=True)
    return True


class Environment:
    """An empty environment, and the folder in which its commands run."""

    def __init__(self, uv: Path, python: str, folder: Path) -> None:
        self.uv, self.folder = uv, folder
        self.bin = folder / "env" / "bin"
        run(uv, "venv", "--quiet", "--no-project", "--python", python, folder / "env")

    def install(self, *what: str) -> None:
        """Install in the versions of constraints.txt, and check that all goes together."""
        python = ("--python", str(self.bin / "python"))
        run(self.uv, "pip", "install", "--quiet", *python, "-c", ROOT / "constraints.txt", *what)
        run(self.uv, "pip", "check", *python)

    def __call__(self, program: str, *words: str) -> str:
        """Run one of its programs outside the repository."""
        return run(self.bin / program, *words, cwd=self.folder)


def tools(python: str, folder: Path) -> Path:
    """Make the environment of what is used here; returns the folder of its programs."""
    run(python, "-m", "venv", folder)
    programs = ("uv", "build", "pip-licenses", "cyclonedx-bom")
    run(folder / "bin" / "pip", "install", "--quiet", *programs)
    return folder / "bin"


def built(python: Path, folder: Path) -> tuple[Path, Path]:
    """Build wheel and sdist; returns both files.

    Raises:
        Failed: the wheel is too large, or holds what is no part of the packages.
    """
    run(python, "-m", "build", "--outdir", folder / "dist", ROOT)
    (wheel,), (sdist,) = (list((folder / "dist").glob(p)) for p in ("*.whl", "*.tar.gz"))
    roots = {name.split("/")[0] for name in ZipFile(wheel).namelist()}
    strange = {name for name in roots if not name.startswith("rewardkit")}
    if strange or wheel.stat().st_size > MOST_BYTES:
        raise Failed(f"{wheel.name}: {wheel.stat().st_size:,} bytes, with {strange or 'no more'}")
    print(f"{wheel.name}: {wheel.stat().st_size:,} bytes; {sdist.name}: {sdist.stat().st_size:,}")
    return wheel, sdist


@contextmanager
def server():  # type: ignore[no-untyped-def]  # a generator
    """Yield the address of a server of chats that always says 4, boxed."""

    class Chats(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            choice = {"message": {"content": r"\boxed{4}"}, "finish_reason": "stop"}
            body = json.dumps({"choices": [choice], "usage": {"completion_tokens": 3}}).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    chats = ThreadingHTTPServer(("127.0.0.1", 0), Chats)
    threading.Thread(target=chats.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{chats.server_address[1]}/v1"
    chats.shutdown()


def use(env: Environment, demo: bool) -> None:
    """Do in an environment what a reader of the README does first.

    Raises:
        Failed: a command fails, or its result is another than it must be.
    """
    if "correct" not in (
        said := env("rewardkit", "verify", "--response", r"\boxed{1/2}", "--answer", "0.5")
    ):
        raise Failed(f"verify: {said}")
    (env.folder / "p.jsonl").write_text('{"problem": "What is 2 + 2?", "answer": "4"}\n')
    with server() as url:
        said = env(
            "rewardkit", "eval", "--engine", "openai", "--base-url", url, "--model", "four",
            "--task", "file:p.jsonl", "--samples", "2", "--json",
        )  # fmt: skip
    if '"accuracy": 1.0' not in said:
        raise Failed(f"eval: {said}")
    (env.folder / "tiny.toml").write_text(
        'folder = "runs/tiny"\nsteps = 2\nmodel.name = "tiny"\ntask.name = "arithmetic"\n'
        'recipe.name = "grpo"\neval.samples = 1\n'
    )
    env("rewardkit", "train", "tiny.toml")
    env("rewardkit", "report", "runs/tiny")
    if demo:
        shutil.copy(ROOT / "examples" / "arithmetic_dapo.toml", env.folder)
        env("rewardkit", "train", "arithmetic_dapo.toml")


def installed(uv: Path, python: str, file: Path, folder: Path) -> bool:
    """Install and use one file in one Python; the demo from the wheel."""
    wheel = file.suffix == ".whl"
    env = Environment(uv, python, folder / "installed")
    name = f"{env('python', '--version').strip()}, {'wheel' if wheel else 'sdist'}"
    asked = f"{file}[native,gguf,openai,report]"
    fine = step(f"{name}: installed", lambda: env.install(asked))
    fine = fine and step(f"{name}: used", lambda: use(env, demo=wheel))
    shutil.rmtree(env.folder)
    return fine


def alone(extra: str, uv: Path, python: str, wheel: Path, folder: Path) -> None:
    """Install and import one extra alone."""
    env = Environment(uv, python, folder / "extra")
    try:
        env.install(f"{wheel}[{extra}]")
        env("python", "-c", USE[extra])
    finally:
        shutil.rmtree(env.folder)


def licences(used: Path, python: str, wheel: Path, folder: Path) -> None:
    """Write what an environment with the wheel and its usual extras holds."""
    env = Environment(used / "uv", python, folder / "licences")
    env.install(f"{wheel}[gguf,openai,report,serve,tables]")
    BUILD.mkdir(exist_ok=True)
    table = [f"--python={env.bin / 'python'}", "--format=markdown", "--with-urls"]
    run(used / "pip-licenses", *table, f"--output-file={BUILD / 'licences.md'}")
    sbom = ["environment", str(env.bin / "python"), "--output-file", str(BUILD / "sbom.json")]
    run(used / "cyclonedx-py", *sbom)


def main() -> int:
    """Check the release in each Python asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("python", nargs="+", help="an interpreter, by name or path")
    parser.add_argument("--only", choices=("install", "extras", "licences"))
    parser.add_argument(
        "--out", type=Path, help="a folder for wheel and sdist once they have passed"
    )
    asked = parser.parse_args()
    first = asked.python[0]
    fine = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        used = tools(first, folder / "tools")
        uv = used / "uv"
        wheel, sdist = built(used / "python", folder)
        if asked.only in (None, "install"):
            for python in asked.python:
                fine += [installed(uv, python, file, folder) for file in (wheel, sdist)]
        for extra in PROJECT["optional-dependencies"] if asked.only in (None, "extras") else ():
            if extra in ELSEWHERE:
                print(f"[{extra}]: not here: {ELSEWHERE[extra]}")
            else:
                fine.append(step(f"[{extra}]", partial(alone, extra, uv, first, wheel, folder)))
        if asked.only in (None, "licences"):
            fine.append(step("licences", lambda: licences(used, first, wheel, folder)))
        if asked.out and all(fine):
            asked.out.mkdir(parents=True, exist_ok=True)
            for file in (wheel, sdist):
                shutil.copy(file, asked.out)
    return not all(fine)


if __name__ == "__main__":
    sys.exit(main())
