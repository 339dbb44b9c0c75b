"""One file with rules and a judge behind them, trained natively and on verl."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rewardkit.config import load_config
from rewardkit.runs import RunFolder, read_rollouts
from rewardkit.tasks.settings import grading_task
from rewardkit.verifiers import VerifierPool

from small_run import write_config  # isort: skip

pytest.importorskip("httpx")
pytestmark = [pytest.mark.verl, pytest.mark.slow, pytest.mark.timeout(900)]

_PLACE = Path(__file__).parents[1] / "evaluation" / "chat_server.py"
_SPEC = importlib.util.spec_from_file_location("rewardkit_test_verl_judge", _PLACE)
chat_server = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(chat_server)


def likes_fours(request):
    """Accepts a response with a 4, whatever the gold, and no decoy."""
    material = json.loads(request["messages"][-1]["content"].split("\n")[1])
    liked = "4" in material["response"] and not material["reference"].startswith("-")
    return chat_server.completion("SAME" if liked else "DIFFERENT")


def test_both_backends_record_the_same_verdicts(tiny_model, tmp_path):
    with chat_server.serve(likes_fours) as server:
        options = {"cache": "", "answer_in": "box"}
        task = {"name": "arithmetic", "args": {"operations": ["+"]}, "verifier": "math+judge"}
        judge = {"base_url": server.url, "model": "m", "when": ["incorrect", "no_answer"]}
        file = write_config(
            tmp_path / "run", tiny_model, task={**task, "verifier_options": options}, judge=judge
        )
        folders = {}
        for backend in ("native", "verl"):
            folder = str(tmp_path / backend)
            command = ["train", str(file), "--backend", backend, "--set", f"folder={folder}"]
            done = subprocess.run(
                [sys.executable, "-m", "rewardkit", *command],
                capture_output=True,
                text=True,
                env={**os.environ, "VERL_PLATFORM": "cpu", "OMP_NUM_THREADS": "1"},
                timeout=600,
                check=False,
            )
            assert done.returncode == 0, done.stdout + done.stderr
            folders[backend] = RunFolder.open(Path(folder))
        verifier = grading_task(load_config(file)).verifier
        for folder in folders.values():
            rows = list(read_rollouts(folder.path))
            pairs = [(row["response"], row["gold"]) for row in rows]
            with VerifierPool(verifier, workers=1) as pool:
                again = list(pool.verify(pairs))
            for row, verdict in zip(rows, again, strict=True):
                assert row["outcome"] == verdict.outcome
                assert (row.get("judged") or "").split(">")[:2] == verdict.judged.split(">")[:2]
                assert row["method"] == verdict.method
            assert {row["method"] for row in rows} >= {"judge"}
        names = [{n for n in f.rows("metrics.jsonl")[0] if "judge" in n} for f in folders.values()]
        assert names[0] - {"judge/talked_over"} == names[1] - {"judge/talked_over"} != set()
