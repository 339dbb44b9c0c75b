"""Where a package of an extra is missing, a command says which, and what to type."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

WITHOUT = """
import importlib.util
import json
import os
import sys

import rewardkit.verifiers.math  # needs none of them, and no command has to import it again
from rewardkit.cli import main

found = importlib.util.find_spec

class Gone:
    def __init__(self, missing):
        assert missing not in sys.modules
        self.missing = missing
        importlib.util.find_spec = lambda name, *more: (
            None if name == missing else found(name, *more)
        )

    def find_spec(self, name, path, target=None):
        if name == self.missing:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

for line in sys.stdin:
    missing, command, log = json.loads(line)
    pid = os.fork()
    if not pid:
        status = 0
        try:
            os.dup2(os.open(log, os.O_WRONLY | os.O_CREAT), 2)
            sys.meta_path.insert(0, Gone(missing))
            main(command)
        except SystemExit as end:
            status = end.code or 0
        finally:
            sys.stderr.flush()
            os._exit(status)
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
"""
EXAMPLE = Path(__file__).parents[2] / "examples" / "arithmetic_dapo.toml"
RATE = ["curate", "rate", "tiny", "--task", "arithmetic", "--limit", "1"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Files of the smallest kind that a command reads before it needs the package."""
    made = tmp_path_factory.mktemp("files")
    (made / "rows.jsonl").write_text('{"response": "1", "gold": "1"}\n')
    (made / "rows.parquet").write_bytes(b"")
    counts = {"right": 1, "wrong": 1, "undecided": 0, "truncated": 0, "bad_gold": 0, "answers": {}}
    row = {"id": "a", "question": "Q?", "answer": "1", "info": {}, "models": {"m": counts}}
    (made / "rated.jsonl").write_text(json.dumps(row) + "\n")
    return made


@pytest.fixture(scope="module")
def ended_without(folder):
    """Return what runs a command without a package: how it ended, and what it said."""
    process = subprocess.Popen(
        [sys.executable, "-c", WITHOUT],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
    )

    def run(missing, command, log):
        print(json.dumps([missing, command, str(log)]), file=process.stdin, flush=True)
        status = process.stdout.readline()
        return status.strip(), log.read_text()

    with process:
        yield run
        process.stdin.close()


@pytest.mark.parametrize(
    ("missing", "extra", "command"),
    [
        ("fastapi", "serve", ["serve"]),
        ("uvicorn", "serve", ["serve"]),
        ("prometheus_client", "serve", ["serve"]),
        ("pyarrow", "tables", ["grade", "rows.parquet", "--out", "o.parquet"]),
        ("ray", "ray", ["grade", "rows.jsonl", "--out", "o.jsonl", "--engine", "ray"]),
        ("pyarrow", "tables", [*RATE, "--out", "o.parquet"]),
        ("torch", "native", [*RATE, "--out", "o.jsonl"]),
        ("httpx", "openai", [*RATE, "--out", "o.jsonl", "--engine", "openai", "--base-url", "x"]),
        ("datasketch", "tables", ["curate", "rated.jsonl", "--out", "o.jsonl"]),
        ("numpy", "verl", ["train", str(EXAMPLE), "--backend", "verl"]),
    ],
)
def test_the_missing_extra_is_named(ended_without, tmp_path, missing, extra, command):
    status, words = ended_without(missing, command, tmp_path / "log")
    said = f"{missing} is not installed; it comes with: pip install 'rewardkit[{extra}]'"
    assert (status, said in words) == ("2", True), words
