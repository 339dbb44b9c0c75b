"""A target for each reader of what may come from anybody: it reads it, or says what is wrong.

Whatever is tried, nothing but an error of ours may be raised: no traceback, no endless recursion.
"""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rewardkit.config import load_config
from rewardkit.curation.files import read_ratings
from rewardkit.errors import RewardkitError
from rewardkit.evaluation.drawing.ledger import read_samples
from rewardkit.evaluation.engines.answers import Pieces, stream_into
from rewardkit.evaluation.engines.recorded import RecordedEngine
from rewardkit.evaluation.stored import load_results, recorded_settings
from rewardkit.judging.client import NoReply, _only_model, _reply
from rewardkit.report.reading import read_run
from rewardkit.runs.graded_rows import read_rows
from rewardkit.runs.seal import check, sealed_digests
from rewardkit.sampling.counts import CountTable
from rewardkit.sampling.leftovers import load_leftovers
from rewardkit.serving.forms import asked_for, count_of
from rewardkit.tasks import read_problems
from rewardkit_tasks.code.programs import _report
from rewardkit_tasks.code.unit_tests import read_tests

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]
WORDS = (
    "step", "key", "task", "problem", "question", "answer", "gold", "response", "outcome", "score", "finish",
    "marks", "label", "info", "evaluations", "schema", "sets", "model", "accuracy", "per_problem", "samples",
    "fingerprint", "decoding", "settings", "chat_template", "prompts", "tasks", "asking", "verifier", "files",
    "sha256", "bytes", "choices", "delta", "content", "message", "finish_reason", "usage", "prompt_tokens",
    "query", "labels", "output", "responses_create_params", "verify_responses", "reward", "inputs", "outputs",
    "input", "status", "cpu", "full", "id", "data", "right", "wrong", "undecided", "models", "problems", "rows",
)  # fmt: skip
LEAVES = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6)
    | st.sampled_from([*WORDS, 10**30, 2, "stop", "correct", "m", "sums"])
)  # fmt: skip
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=6)
    ),
    max_leaves=25,
)
ROWS = st.dictionaries(st.sampled_from(WORDS), VALUES, max_size=12)
LINES = st.lists(ROWS | VALUES, min_size=1, max_size=4).map(
    lambda rows: "\n".join(map(json.dumps, rows)).encode() + b"\n"
)
BYTES = st.one_of(
    LINES,
    (ROWS | VALUES).map(lambda value: json.dumps(value).encode()),
    st.binary(max_size=200),
    st.builds(lambda deep, end: deep * 3000 + end, st.sampled_from([b"[", b'{"a":', b"[["]), LINES),
    st.builds(lambda n: b"9" * n, st.integers(1, 6000)),
    st.builds(lambda whole, n: whole[: n % (len(whole) + 1)], LINES, st.integers(0)),
)


def of_file(name, read):
    def target(data, folder):
        (folder / name).write_bytes(data)
        read(folder / name)

    return target


def settings_of_folder(path):
    recorded_settings(RecordedEngine(path.parent), path.parent)


def run_of(path):
    (path.parent / "config.toml").write_text("steps = 3\n")
    for name in ("metrics.jsonl", "results.json", "manifest.json", "events.jsonl"):
        (path.parent / name).write_bytes(path.read_bytes())
    read_run(path.parent)


def answers(data, _):
    whole = Pieces(16)
    whole.add(data)
    whole.response(0.5)
    stream = b"".join(b"data: " + line + b"\n" for line in data.split(b"\n"))
    pieces = Pieces(16)
    stream_into(pieces, [stream], lambda: None)
    pieces.response(0.5)


def parsed(data):
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def bodies(data, _):
    for path in ("/verify", "/get_reward", "/aggregate_metrics", "/seed_session"):
        count_of(path, parsed(data))
        asked_for(path, parsed(data), ("numbers", "info"))


def replies(data, _):
    for read in (_reply, _only_model):
        try:
            read(parsed(data))
        except NoReply:
            continue


def unit_tests_of(data, _):
    for column in (parsed(data), data.decode("utf-8", "replace")):
        try:
            read_tests(column)
        except ValueError:
            continue


TARGETS = {
    "samples.jsonl": of_file("samples.jsonl", lambda path: read_samples(path.parent)),
    "prompts.json": of_file("prompts.json", settings_of_folder),
    "results.json": of_file("results.json", load_results),
    "the folder of a run": of_file("any", run_of),
    "graded rows": of_file("rows.jsonl", lambda path: list(read_rows(path))),
    "problems by line": of_file("rows.jsonl", read_problems),
    "problems in one": of_file("rows.json", read_problems),
    "problems of a table": of_file("rows.csv", read_problems),
    "ratings": of_file("ratings.jsonl", lambda path: read_ratings([path])),
    "a configuration": of_file("run.toml", load_config),
    "a seal": of_file("seal.json", lambda path: (check(path.parent), sealed_digests(path.parent))),
    "counts": of_file("counts", lambda path: CountTable.load(path, None)),
    "leftovers": of_file("leftovers.json", lambda path: load_leftovers(path, ())),
    "what servers answer": answers,
    "what a server is asked": bodies,
    "what a judge replies": replies,
    "unit tests": unit_tests_of,
    "what a jail reports": lambda data, _: _report(data),
}


@pytest.mark.parametrize("name", TARGETS)
def test_it_is_read_or_refused_by_name(name, tmp_path):
    tried = []

    @settings(
        max_examples=120, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
    )
    @given(data=BYTES)
    def read(data):
        tried.append(1)
        try:
            TARGETS[name](data, Path(tmp_path))
        except RewardkitError:
            return

    read()
    assert len(tried) > 100
