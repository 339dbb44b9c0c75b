"""TensorBoard and Weights & Biases (offline), written for real and read back from their files."""

import json
import math
import os
import sqlite3
import struct
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from rewardkit.config import TrackConfig, config_from, config_to_toml
from rewardkit.errors import ConfigError, MissingExtraError
from rewardkit.guards import Alarm
from rewardkit.report.trackers import Trackers, open_trackers, refuse_missing
from rewardkit.runs import RunFolder


@pytest.fixture
def config(tmp_path):
    def make(**track):
        return config_from(
            {
                "folder": str(tmp_path / "run"),
                "steps": 5,
                "optim": {"lr": 1e-5},
                "recipe": {"name": "dapo", "minibatches": 1},
                "track": track,
            }
        )

    return make


def row(step, reward):
    return {"step": step, "reward": reward, "reward/correct": reward, "entropy": float("nan")}


RESPONSES = [
    {
        "step": 2,
        "problem": "p1",
        "question": "1 + 1?",
        "gold": "2",
        "tokens": tokens,
        "response": "So | <b>2</b>\n",
        "finish": "stop",
        "outcome": outcome,
        "score": 1.0,
        "extracted": "2",
        "reason": "equal",
        "reward": 0.5,
        "components": {"correct": 1.0},
        "advantage": -0.1,
        "group": 0,
    }
    for tokens, outcome in ((4, "correct"), (6, "correct"), (9, "incorrect"))
]


def opened(config, folder, warn):
    return closing(open_trackers(config, folder, warn))


def run_and_resume(config):
    """Steps 1 to 4, then a resumed run that repeats step 3 with another value; the warnings."""
    folder, said = RunFolder.create(config), []
    with opened(config, folder, said.append) as trackers:
        trackers.held_out(0, "test", {"accuracy": 0.25, "outcomes": {}})
        trackers.held_out(0, "harder", {"accuracy": 0})
        for step in (1, 2, 3, 4):
            trackers.responses(step, RESPONSES)
            trackers.row(row(step, step / 10))
        trackers.held_out(3, "test", {"accuracy": 0.5})  # a step late
        trackers.alarms(4, [Alarm("truncated", False, "cut | off"), Alarm("kl", True, "far")])
    folder.append("metrics.jsonl", [{"step": 1}, {"step": 2}])  # what the resumed run goes on from
    time.sleep(1)  # wandb names its folders by the second
    with opened(config, folder, said.append) as trackers:
        trackers.held_out(2, "harder", {"accuracy": 0.75})
        for step in (3, 4, 5):
            trackers.row(row(step, step / 10 + 0.05))
    return folder, said


def test_tensorboard_holds_one_series_of_a_resumed_run(config):
    loading = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    folder, said = run_and_resume(config(tensorboard=True, responses=2))
    assert said == []
    events = loading.EventAccumulator(str(folder.path / "tensorboard")).Reload()
    assert set(events.Tags()["scalars"]) == {
        "reward",
        "reward/correct",
        "length/correct",
        "length/incorrect",
        "heldout/test/accuracy",
        "heldout/harder/accuracy",
    }
    [alert] = events.Tensors("alerts/guard kl")
    assert alert.tensor_proto.string_val == [b"ERROR: far"]
    series = [(event.step, event.value) for event in events.Scalars("reward")]
    assert [step for step, _ in series] == [1, 2, 3, 4, 5]
    assert [value for _, value in series] == pytest.approx([0.1, 0.2, 0.35, 0.45, 0.55])
    assert [(e.step, e.value) for e in events.Scalars("length/correct")] == [(1, 5), (2, 5)]
    table, _ = events.Tensors("responses")
    [text] = table.tensor_proto.string_val
    assert table.step == 2
    assert "| So &#124; &lt;b&gt;2&lt;/b&gt; | 4 | stop | correct |" in text.decode()
    # The resumed run makes step 3 again, and has not evaluated it yet.
    assert [(e.step, e.value) for e in events.Scalars("heldout/test/accuracy")] == [(0, 0.25)]

    from tensorboard.plugins.hparams import metadata

    stored = events.SummaryMetadata(metadata.SESSION_START_INFO_TAG).plugin_data.content
    parameters = metadata.parse_session_start_info_plugin_data(stored).hparams
    assert parameters["optim.lr"].number_value == 1e-5
    assert parameters["recipe.name"].string_value == "dapo"


def written(path):
    """The records of a .wandb file, waited for: another process of wandb's writes them."""
    deadline = time.monotonic() + 60
    while True:
        found = list(records(path))
        if found and found[-1].WhichOneof("record_type") in ("exit", "footer"):
            return found
        assert time.monotonic() < deadline, found
        time.sleep(0.1)


def records(path):
    """The protocol buffers of a .wandb file: a LevelDB log after a header of seven bytes."""
    from wandb.proto.wandb_internal_pb2 import Record

    data, place, part = path.read_bytes(), 7, b""
    while place + 7 <= len(data):
        left = 32768 - place % 32768
        if left < 7:  # no room for a header: the block is padded
            place += left
            continue
        _, length, kind = struct.unpack_from("<IHB", data, place)
        part += data[place + 7 : place + 7 + length]
        place += 7 + length
        if kind in (1, 4):  # whole, or the last part of one
            yield Record.FromString(part)
            part = b""


def items(record):
    return {
        ".".join(item.nested_key) or item.key: json.loads(item.value_json)
        for item in record.history.item
    }


def test_weights_and_biases_offline_keeps_one_run(config):
    pytest.importorskip("wandb")
    folder, said = run_and_resume(config(wandb="offline", project="sums", responses=2))
    assert all(line.startswith("Weights & Biases: wandb sync ") for line in said), said
    files = sorted((folder.path / "wandb").glob("offline-run-*/*.wandb"))
    assert len(files) == 2
    first, second = map(written, files)
    identity = json.loads((folder.path / "wandb.json").read_text())["id"]
    for found in (first, second):
        [run] = [r.run for r in found if r.WhichOneof("record_type") == "run"]
        assert (run.run_id, run.project, run.display_name) == (identity, "sums", "run")
        config_rows = {item.key: json.loads(item.value_json) for item in run.config.update}
        assert config_rows["optim"]["lr"] == 1e-5
        assert config_rows["recipe"]["name"] == "dapo"
    history = [items(r) for r in first if r.WhichOneof("record_type") == "history"]
    assert [(h["_step"], h.get("reward")) for h in history] == [
        (0, None),
        (1, 0.1),
        (2, 0.2),
        (3, 0.3),
        (4, 0.4),
    ]
    table, _ = [h["responses.path"] for h in history if "responses.path" in h]
    stored = json.loads((files[0].parent / "files" / table).read_text())
    assert [row[stored["columns"].index("tokens")] for row in stored["data"]] == [4, 6, 9]
    assert {"response", "outcome", "reason", "reward", "components"} <= set(stored["columns"])
    key = "heldout/test/accuracy"
    accuracies = [(h["heldout/step"], h[key]) for h in history if key in h]
    assert accuracies == [(0, 0.25), (3, 0.5)]
    assert not any("entropy" in h for h in history)  # what is no number is missing, not 0
    alerts = [r.alert for r in first if r.WhichOneof("record_type") == "alert"]
    assert [(a.title, a.level) for a in alerts] == [
        ("guard truncated", "WARN"),
        ("guard kl", "ERROR"),
    ]
    assert alerts[0].text == "step 4: cut | off"
    again = [items(r) for r in second if r.WhichOneof("record_type") == "history"]
    assert [h["_step"] for h in again if "reward" in h] == [3, 4, 5]


def test_trackio_keeps_numbers_and_tables_on_this_machine(config, tmp_path, monkeypatch):
    monkeypatch.setenv("TRACKIO_DIR", str(tmp_path / "trackio"))
    pytest.importorskip("trackio")
    _, said = run_and_resume(config(trackio=True, responses=2))
    assert said == []
    [database] = (tmp_path / "trackio").glob("*.db")
    with closing(sqlite3.connect(database)) as opened_:
        rows = opened_.execute("select step, metrics from metrics").fetchall()
        alerts = opened_.execute("select step, title, text, level from alerts").fetchall()
    found = [(step, json.loads(metrics)) for step, metrics in rows]
    assert [s for s, m in found if "reward" in m] == [1, 2, 3, 4, 3, 4, 5]
    assert {m["length/incorrect"] for _, m in found if "length/incorrect" in m} == {9}
    assert [s for s, m in found if "responses" in m] == [2, 4]
    assert alerts == [(4, "guard truncated", "cut | off", "warn"), (4, "guard kl", "far", "error")]


@pytest.mark.parametrize(
    ("track", "package"), [({"tensorboard": True}, "tensorboard"), ({"wandb": "offline"}, "wandb")]
)
def test_missing_package_is_said_with_the_pip_line(monkeypatch, track, package):
    monkeypatch.setattr("rewardkit.report.trackers.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=rf"{package} .*pip install 'rewardkit\[track\]'"):
        refuse_missing(TrackConfig(**track))


def test_nobody_logged_in_is_said(monkeypatch, tmp_path):
    pytest.importorskip("wandb")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    monkeypatch.delenv("WANDB_API_KEY", raising=False)
    with pytest.raises(ConfigError, match="wandb login"):
        refuse_missing(TrackConfig(wandb="online"))


class Failing:
    def __init__(self):
        self.calls = 0

    def log(self, step, values):
        self.calls += 1
        raise OSError("No space left on device")

    held_out = log

    def close(self):
        raise AssertionError("a tracker that failed is left alone")


def test_a_tracker_that_fails_is_dropped_with_a_warning():
    said, failing = [], Failing()
    with closing(Trackers(said.append)) as trackers:
        trackers.start("TensorBoard", lambda: failing)
        trackers.row(row(1, 0.5))
        trackers.row(row(2, 0.5))
    assert failing.calls == 1
    [line] = said
    assert line.startswith("TensorBoard failed and gets no more of this run (OSError: No space")


def test_a_tracker_that_cannot_start_does_not_stop_the_run(config):
    pytest.importorskip("tensorboard")
    config = config(tensorboard=True)
    folder = RunFolder.create(config)
    (folder.path / "tensorboard").write_text("a file where a folder should be")
    said = []
    with opened(config, folder, said.append) as trackers:
        trackers.row(row(1, math.pi))
    assert "TensorBoard failed" in said[0]


def test_nothing_is_imported_that_nobody_asked_for(config, monkeypatch):
    for name in ("tensorboard", "wandb"):
        monkeypatch.setitem(sys.modules, name, None)
    config = config()
    refuse_missing(config.track)
    assert open_trackers(config, RunFolder.create(config), print) is None
    assert sorted(p.name for p in Path(config.folder).iterdir()) == [
        "checkpoints",
        "config.toml",
        "manifest.json",
    ]


def test_a_killed_service_of_wandb_costs_the_run_nothing(config, tmp_path):
    pytest.importorskip("wandb")
    program = """
import os, signal, subprocess
from rewardkit.config import load_config
from rewardkit.runs import RunFolder
from rewardkit.report.trackers import open_trackers

config = load_config("config.toml")
trackers = open_trackers(config, RunFolder.create(config), print)
trackers.row({"step": 1, "reward": 0.1})
ours = ["ps", "--ppid", str(os.getpid()), "-o", "pid=,comm="]
[service] = [line.split()[0] for line in subprocess.check_output(ours, text=True).splitlines()
             if "wandb" in line]
os.kill(int(service), signal.SIGKILL)
for step in range(2, 50):
    trackers.row({"step": step, "reward": 0.1})
trackers.close()
print("the end")
"""
    (tmp_path / "config.toml").write_text(config_to_toml(config(wandb="offline")))
    # A service that an earlier test started would be shared.
    ours = {key: value for key, value in os.environ.items() if "WANDB" not in key}
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={**ours, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n") == 3, done.stdout
    where, warning, end = done.stdout.splitlines()
    assert where.startswith("Weights & Biases: wandb sync")
    assert warning.startswith("Weights & Biases failed and gets no more of this run")
    assert end == "the end"
