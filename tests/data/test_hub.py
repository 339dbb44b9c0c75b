"""A hub out of reach is said at once, by a first connection: its libraries try for minutes."""

import socket
from types import SimpleNamespace

import datasets
import pytest
from huggingface_hub import constants, is_offline_mode

from rewardkit.data import hub
from rewardkit.data.opening import open_rows, pinned
from rewardkit.errors import DataError, ModelError
from rewardkit.evaluation.models import resolve_model
from rewardkit.tasks import load_task


@pytest.fixture
def listening():
    """A port of this machine at which something answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.fixture
def closed():
    """A port of this machine at which nothing does: it is taken, and not listened at."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]


@pytest.fixture
def hub_at(monkeypatch, tmp_path):
    """Return a function that puts the hub at a port, with empty caches, as if a user asked it."""

    def put(port):
        monkeypatch.setattr(constants, "ENDPOINT", f"http://127.0.0.1:{port}")

    for name in (
        "http_proxy",
        "https_proxy",
        "all_proxy",
        "HTTP_PROXY",
        "HTTPS_PROXY",
        "ALL_PROXY",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", str(tmp_path))
    monkeypatch.setattr(hub, "_switched_off", False)
    monkeypatch.setattr("time.sleep", lambda seconds: pytest.fail("tried again"))
    return put


def test_out_of_reach_its_libraries_are_told_and_in_reach_again_as_well(hub_at, closed, listening):
    hub_at(closed)
    assert hub.reach_hub().startswith(f"127.0.0.1:{closed} cannot be reached: ")
    assert (is_offline_mode(), datasets.config.HF_HUB_OFFLINE) == (True, True)
    hub_at(listening)
    assert hub.reach_hub() == ""
    assert (is_offline_mode(), datasets.config.HF_HUB_OFFLINE) == (False, False)


def test_who_asked_for_no_network_gets_none(hub_at, closed, monkeypatch):
    hub_at(closed)
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    assert hub.reach_hub() == ""
    assert is_offline_mode()


@pytest.mark.parametrize(
    ("task", "says"),
    [
        ("aime24", "--task aime24=PATH.jsonl"),
        ("minerva", "--task minerva=PATH.jsonl"),  # whose newest commit is asked for first
        ("gsm8k", "--set task.args.train=train.jsonl"),
        ("math", "--task math500=PATH.jsonl"),
        ("hf:owner/name", "hf download owner/name"),
    ],
)
def test_a_set_of_the_hub_says_at_once_what_to_type(task, says, hub_at, closed):
    hub_at(closed)
    with pytest.raises(DataError, match=f"127.0.0.1:{closed} cannot be reached") as caught:
        load_task(task)
    assert says in "\n".join([str(caught.value), *getattr(caught.value, "__notes__", ())])


def test_a_model_of_the_hub_is_refused_at_once_unless_it_was_fetched_before(
    hub_at, closed, tmp_path
):
    hub_at(closed)
    with pytest.raises(ModelError, match=r"cannot be reached: .* was not fetched before"):
        resolve_model("owner/name")
    commit = "ab" * 20
    kept = tmp_path / "models--owner--name"
    for file in (f"snapshots/{commit}/config.json", "refs/main"):
        (kept / file).parent.mkdir(parents=True)
        (kept / file).write_text(commit)
    assert resolve_model("owner/name") == "owner/name"


@pytest.mark.parametrize("variable", ["http_proxy", "all_proxy"])
def test_a_proxy_is_what_must_be_reached_where_there_is_one(
    variable, hub_at, closed, listening, monkeypatch
):
    hub_at(closed)
    monkeypatch.setenv(variable, f"http://localhost:{listening}")
    monkeypatch.setenv("no_proxy", "")
    assert hub.reach_hub() == ""
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    assert f"127.0.0.1:{closed}" in hub.reach_hub()


def test_rows_that_were_read_before_the_hub_told_are_not_recorded_as_of_its_commit(monkeypatch):
    def load(name, config, *, revision, split):  # from the cache; then the network comes back
        assert revision is None
        return datasets.Dataset.from_list([{"n": 1}])

    commit = "ab" * 20
    monkeypatch.setattr(hub, "_told", {})
    monkeypatch.setattr("huggingface_hub.HfApi.dataset_info", lambda *_, **__: 1 / 0)
    monkeypatch.setattr(datasets, "load_dataset", load)
    monkeypatch.setattr(datasets, "get_dataset_split_names", lambda *_, **__: ["train"])
    rows = open_rows("hf:owner/name", "train", [])
    told = SimpleNamespace(sha=commit)
    monkeypatch.setattr("huggingface_hub.HfApi.dataset_info", lambda *_, **__: told)
    assert (len(rows), pinned("hf:owner/name")) == (1, "hf:owner/name")
    assert hub.commit_of("owner/name", None) == commit
    assert pinned("hf:owner/name") == f"hf:owner/name@{commit}"
