"""A target for each reader of what may come from anybody: it reads it, or says what is wrong.

Whatever is tried, nothing but an error of ours may be raised: no traceback, no endless recursion.
The same bytes are tried each time; REWARDKIT_FUZZ_SECONDS=60 goes on with others, for so long a target.
"""

import json
import os
import time
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from rewardkit.audit.cases import read_cases
from rewardkit.audit.sources import rows_of_run
from rewardkit.cli.options.ask_file import asked_in
from rewardkit.cli.options.asking import Ask
from rewardkit.client.answers import Pieces, stream_into
from rewardkit.config import load_config
from rewardkit.curation.files import read_ratings
from rewardkit.data.opening import splits_of
from rewardkit.errors import RewardkitError
from rewardkit.evaluation.drawing.ledger import read_samples
from rewardkit.evaluation.engines.recorded import RecordedEngine
from rewardkit.evaluation.pages.export import to_markdown, to_model_index
from rewardkit.evaluation.stored import load_results, recorded_settings
from rewardkit.report.reading import read_run
from rewardkit.runs.graded_rows import read_rows
from rewardkit.runs.records import compressed
from rewardkit.runs.seal import check, sealed_digests
from rewardkit.sampling.counts import CountTable
from rewardkit.sampling.leftovers import load_leftovers
from rewardkit.sampling.problems.prior import _table
from rewardkit.serving.forms import asked_for, count_of
from rewardkit.tables.grade import GradeSettings
from rewardkit.tables.job import STAMP, Progress, _kept, _stamp
from rewardkit.tables.kinds import Unit
from rewardkit.tasks import read_problems
from rewardkit_tasks.code.programs import _report
from rewardkit_tasks.code.unit_tests import read_tests
from rewardkit_tasks.sets.training import _only

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]
SECONDS = float(os.environ.get("REWARDKIT_FUZZ_SECONDS", "0"))
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


def setting(data, folder):
    names = (
        "steps",
        "optim.lr",
        "seed",
        "task.name",
        "task.args",
        "sampling.temperature",
        "folder",
        "eval.every",
    )
    for name in names:
        (folder / "run.toml").write_bytes(f"{name} = ".encode() + data)
        with suppress(RewardkitError):
            load_config(folder / "run.toml")


def asking(data, folder):
    for name in ("samples", "temperature", "max-tokens", "task", "stop", "extra-body", "base-url"):
        (folder / "ask.toml").write_bytes(f"{name} = ".encode() + data)
        with suppress(RewardkitError):
            asked_in(["--ask", str(folder / "ask.toml")], Ask())


def settings_of_folder(path):
    recorded_settings(RecordedEngine(path.parent), path.parent)


def run_of(path):
    (path.parent / "config.toml").write_text("steps = 3\n")
    for name in ("metrics.jsonl", "results.json", "manifest.json", "events.jsonl"):
        (path.parent / name).write_bytes(path.read_bytes())
    read_run(path.parent)


def rollouts_in_frames(data, folder):
    (folder / "rollouts.jsonl.zst").write_bytes(compressed(data) + data)
    rows_of_run(folder)


def exported(data, folder):
    for name in ("results.json", "run.json", "samples.jsonl"):
        (folder / name).write_bytes(data)
    for write in (to_markdown, to_model_index):
        with suppress(RewardkitError):
            write(folder)


def parts_of_a_table(data, folder):
    for name in (STAMP, "part.counts"):
        (folder / name).write_bytes(data)
    with suppress(RewardkitError):
        _stamp(GradeSettings(__file__, "response", "gold", "text"), Path(__file__), folder)
    _kept(Unit(0, 1, 1), folder / "part.jsonl", Progress(1))


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
    "problems of an Arrow table": of_file("rows.parquet", lambda path: read_problems(path)),
    "a data set that was saved": of_file(
        "dataset_dict.json", lambda path: splits_of(str(path.parent))
    ),
    "ratings": of_file("ratings.jsonl", lambda path: read_ratings([path])),
    "ratings of an Arrow table": of_file("ratings.parquet", lambda path: read_ratings([path])),
    "rates to begin with": of_file("rates.jsonl", _table),
    "labelled cases": of_file("cases.jsonl", read_cases),
    "rollouts": of_file("rollouts.jsonl", lambda path: rows_of_run(path.parent)),
    "rollouts in frames": rollouts_in_frames,
    "results that are exported": exported,
    "parts of a graded table": parts_of_a_table,
    "a gold of a data set": lambda data, _: _only(data.decode("utf-8", "replace")),
    "a configuration": of_file("run.toml", load_config),
    "a setting": setting,
    "how a model is asked": asking,
    "a seal": of_file("seal.json", lambda path: (check(path.parent), sealed_digests(path.parent))),
    "counts": of_file("counts", lambda path: CountTable.load(path, None)),
    "leftovers": of_file("leftovers.json", lambda path: load_leftovers(path, ())),
    "what servers answer": answers,
    "what a server is asked": bodies,
    "unit tests": unit_tests_of,
    "what a jail reports": lambda data, _: _report(data),
}


# `datasets` leaves a file open that it cannot read.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("name", TARGETS)
def test_it_is_read_or_refused_by_name(name, tmp_path):
    tried = []

    def read(data):
        tried.append(1)
        try:
            TARGETS[name](data, Path(tmp_path))
        except RewardkitError:
            return

    limits = {"max_examples": 120, "deadline": None, "suppress_health_check": list(HealthCheck)}
    settings(**limits, derandomize=True)(given(data=BYTES)(read))()
    assert len(tried) > 100
    until, number = time.monotonic() + SECONDS, 0
    while time.monotonic() < until:
        number += 1
        seed(number)(settings(**limits, database=None)(given(data=BYTES)(read)))()
