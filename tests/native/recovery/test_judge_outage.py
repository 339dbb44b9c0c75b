"""A judge's server that fails in the middle of a training: waited for, killed in it, gone on without.

The outage lasts a few seconds; REWARDKIT_OUTAGE_SECONDS=60 makes it as long as a real one.
"""

import contextlib
import importlib.util
import json
import os
import signal
import threading
import time
from pathlib import Path

import pytest

from rewardkit.config import config_from, config_to_toml
from rewardkit.runs import RunFolder
from rewardkit.tasks.settings import grading_task
from rewardkit.verifiers import VerifierPool

pytest.importorskip("httpx")
pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

_PLACE = Path(__file__).parents[2] / "evaluation" / "chat_server.py"
_SPEC = importlib.util.spec_from_file_location("rewardkit_test_outage_server", _PLACE)
chat_server = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(chat_server)

SECONDS = float(os.environ.get("REWARDKIT_OUTAGE_SECONDS", "10"))
AILS = ({"cut": 1.0}, {"429": 1.0}, {"500": 1.0}, {"html": 1.0}, {"slow": 1.0})
"""After no server at all, each for a part of the time; `slow` answers after the time limit."""


def likes_fours(request):
    """Accepts a response with a 4, whatever the gold, and no decoy."""
    material = json.loads(request["messages"][-1]["content"].split("\n")[1])
    liked = "4" in material["response"] and not material["reference"].startswith("-")
    return chat_server.completion("SAME" if liked else "DIFFERENT")


class Ailing:
    """A server that is well for so many requests, fails for SECONDS, and is well again."""

    def __init__(self, well):
        self.well, self.begun, self.over = well, threading.Event(), threading.Event()
        self.ready = threading.Event()
        self.thread = threading.Thread(target=self.run)

    def __enter__(self):
        self.thread.start()
        self.ready.wait()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()

    def run(self):
        with chat_server.serve(likes_fours) as server:
            self.url = server.url
            self.ready.set()
            while len(server.requests) < self.well and not self.over.wait(0.01):
                pass
            server.failures = {"cut": 1.0}  # connections that are kept outlive the server
        self.begun.set()
        part = SECONDS / (len(AILS) + 1)
        self.over.wait(part)
        with chat_server.serve(likes_fours, port=server.port) as server:
            for kind in AILS:
                server.failures = kind
                self.over.wait(part)
            server.failures = {}
            self.over.wait()


@pytest.fixture
def settings(tiny_model, tmp_path):
    def make(name, url, **judge):
        options = {"cache": "", "answer_in": "box"}
        asked = {"base_url": url, "model": "m", "when": ["incorrect", "no_answer"]}
        config = config_from(
            {
                "folder": str(tmp_path / name),
                "steps": 8,
                "model": {"name": str(tiny_model), "dtype": "float32"},
                "task": {
                    "name": "arithmetic", "args": {"operations": ["+"]},
                    "verifier": "math+judge", "verifier_options": options,
                },
                "judge": {**asked, "timeout_s": 0.5, **judge},
                "recipe": {"name": "grpo"},
                "sampling": {"problems": 4, "group_size": 4, "max_tokens": 8},
                "verify": {"workers": 1},
                "eval": {"samples": 0},
                "checkpoint": {"every": 1},
                "guards": {"degenerate": None},
            }
        )  # fmt: skip
        file = tmp_path / f"{name}.toml"
        file.write_text(config_to_toml(config))
        return config, str(file)

    return make


def records(folder):
    """All that a run records, but seconds."""
    metrics = [
        {name: value for name, value in row.items() if not name.endswith(("_s", "/seconds"))}
        for row in RunFolder.open(folder).rows("metrics.jsonl")
    ]
    return metrics, (folder / "rollouts.jsonl").read_bytes()


def test_an_outage_makes_no_verdict_wrong(nursery, settings, tmp_path):
    with chat_server.serve(likes_fours) as server:
        nursery.finish(settings("well", server.url)[1])
        well = records(tmp_path / "well")
        asked = len(server.requests)
        assert asked > 40
    for name in ("waits", "killed"):
        with Ailing(asked // 2) as ailing:
            begun = time.monotonic()
            pid = nursery.start(settings(name, ailing.url, wait_s=600.0)[1])
            ailing.begun.wait()
            if name == "killed":
                time.sleep(SECONDS / 3)
                os.kill(pid, signal.SIGKILL)
                assert nursery.ended() == -signal.SIGKILL
                nursery.finish("--resume", str(tmp_path / name))
            else:
                assert nursery.ended() == 0
            assert time.monotonic() - begun > SECONDS
        assert records(tmp_path / name) == well
    with Ailing(asked // 2) as ailing:
        nursery.finish(settings("goes on", ailing.url, retries=1)[1])
    with chat_server.serve(likes_fours) as server:
        rows = RunFolder.open(tmp_path / "goes on").rows("rollouts.jsonl")
        right = grading_task(settings("again", server.url)[0]).verifier
        with VerifierPool(right, workers=1) as pool, contextlib.closing(pool):
            again = list(pool.verify((row["response"], row["gold"]) for row in rows))
    found = [row["outcome"] for row in rows]
    assert {row["step"] for row in rows} == set(range(1, 9))
    assert found.count("error") > 10
    assert [a for a in found if a != "error"] == [
        v.outcome for v, a in zip(again, found, strict=True) if a != "error"
    ]
