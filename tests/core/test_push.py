"""`rewardkit push`, to a stand-in of the hub: what it gets is a model that transformers loads."""

import base64
import json
import os
import shutil
import subprocess
import sys
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from rewardkit.cli import main
from rewardkit.config import config_from
from rewardkit.errors import ConfigError
from rewardkit.report.card import repository
from rewardkit.runs import RunFolder
from rewardkit.runs.results import document

pytest.importorskip("huggingface_hub")

SET = {
    "accuracy": 0.39,
    "problems": 48,
    "samples": 192,
    "graded": 190,
    "correct": 75,
    "interval_these_problems": [0.32, 0.46],
    "interval_new_problems": [0.31, 0.47],
    "answered_share": 0.5,
    "accuracy_given_answer": 0.77,
    "ungraded": {"timeout_or_error": 2, "bad_gold": 0, "problems_without_grade": 0},
}


@pytest.fixture
def run(tmp_path, tiny_model):
    """A run folder whose last checkpoint is the tiny model, with what a trainer keeps beside."""
    config = config_from(
        {"folder": str(tmp_path / "sums"), "steps": 2, "recipe": {"name": "dapo", "clip_high": 0.3}}
    )
    folder = RunFolder.create(config)
    last = folder.checkpoints / "step-00002"
    shutil.copytree(tiny_model, last)
    (last / "trainer_state.pt").write_bytes(b"not for others")
    (folder.path / "rollouts.jsonl").write_text('{"response": "secret"}\n')
    folder.append("metrics.jsonl", [{"step": 1}, {"step": 2}])
    before = {**SET, "accuracy": 0.1}
    folder.write_json(
        "results.json",
        document(
            {
                "before": {"step": 0, "sets": {"test": before}},
                "after": {"step": 2, "sets": {"test": SET}},
            }
        ),
    )
    return folder


@contextmanager
def hub(kept):
    """The few answers of a hub that a commit needs; it keeps what comes as `kept[path]`."""

    class Hub(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            where, answer = f"http://{self.headers['Host']}", {}
            kept.setdefault("asked", []).append((self.path, self.headers["Authorization"]))
            if self.path == "/api/repos/create":
                kept["created"] = json.loads(body)
                answer = {"url": f"{where}/me/sums", "id": "me/sums"}
            elif "/preupload/" in self.path:
                files = json.loads(body)["files"]
                one = {"uploadMode": "regular", "shouldIgnore": False, "oid": None}
                answer = {"files": [{"path": file["path"], **one} for file in files]}
            elif "/commit/" in self.path:
                for line in map(json.loads, body.splitlines()):
                    if line["key"] == "file":
                        value = line["value"]
                        kept[value["path"]] = base64.b64decode(value["content"])
                answer = {"commitUrl": f"{where}/me/sums/commit/{'0' * 40}", "commitOid": "0" * 40}
            said = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Hub) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_what_a_hub_gets_is_loaded_by_transformers_and_says_how_it_came_about(
    run, tiny_model, tmp_path
):
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    kept = {}
    with hub(kept) as endpoint:
        done = subprocess.run(
            [sys.executable, "-m", "rewardkit", "push", run.path, "--to", "me/sums", "--private"],
            capture_output=True,
            text=True,
            env={**os.environ, "HF_ENDPOINT": endpoint, "HF_HUB_OFFLINE": "0", "HF_TOKEN": "hf_x"},
            check=False,
        )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == f"{endpoint}/me/sums"
    assert kept["created"]["visibility"] == "private"
    assert {token for _, token in kept.pop("asked")} == {"Bearer hf_x"}
    del kept["created"]
    for name, content in kept.items():
        (tmp_path / "got" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "got" / name).write_bytes(content)
    loaded, expected = (
        transformers.AutoModelForCausalLM.from_pretrained(path)(torch.tensor([[5, 9, 3]])).logits
        for path in (tmp_path / "got", tiny_model)
    )
    assert torch.equal(loaded, expected)
    assert transformers.AutoTokenizer.from_pretrained(tmp_path / "got").chat_template
    told = kept["README.md"].decode()
    from huggingface_hub import ModelCard

    data = ModelCard(told).data
    assert data.library_name == "transformers"
    assert data.eval_results[0].metric_value == 0.39
    assert "| 2 | test | 190 on 48 | 0.390 | 0.320 to 0.460 | 0.310 to 0.470 |" in told
    assert "recipe.clip_high = 0.3" in told
    assert {"run/config.toml", "run/metrics.jsonl", "run/results.json"} < kept.keys()
    assert not any("secret" in content.decode("latin1") for content in kept.values())
    assert "trainer_state.pt" not in kept


def test_without_a_name_nothing_is_sent(run, capsys):
    main(["push", str(run.path)])
    said = capsys.readouterr().out
    assert "model.safetensors" in said
    assert "nothing is sent without --to OWNER/NAME" in said


def test_a_hub_that_is_not_there_is_one_line(run):
    done = subprocess.run(
        [sys.executable, "-m", "rewardkit", "push", run.path, "--to", "me/sums"],
        capture_output=True,
        text=True,
        env={**os.environ, "HF_ENDPOINT": "http://127.0.0.1:9", "HF_HUB_OFFLINE": "0"},
        check=False,
    )
    assert done.returncode == 2
    assert "the hub at http://127.0.0.1:9 did not take it" in done.stderr


def test_a_run_without_a_checkpoint_has_nothing_to_push(tmp_path):
    folder = RunFolder.create(config_from({"folder": str(tmp_path / "run"), "steps": 2}))
    with pytest.raises(ConfigError, match="no checkpoint that can be loaded"):
        repository(folder)
