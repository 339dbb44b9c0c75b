"""`rewardkit grade`: columns, units, resuming after a kill, refusals; .parquet and .jsonl alike."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rewardkit.cli import main
from rewardkit.errors import ConfigError, DataError, RewardkitError
from rewardkit.runs.graded_rows import VERDICT
from rewardkit.tables import job, kinds
from rewardkit.tables.grade import GradeSettings, counts_file, grade_unit, grader_of
from rewardkit.tables.job import grade_table
from rewardkit.tables.opening import open_table

pytest.importorskip("pyarrow")
import pyarrow as pa
import pyarrow.parquet as pq

sys.path.append(str(Path(__file__).parent))  # for `table_verifiers`
ROWS = [
    {"id": i, "said": f"so \\boxed{{{i}}}" if i % 5 else "", "answer": str(i + i % 2), "n": [i]}
    for i in range(500)
]
OUTCOMES = [
    "no_answer" if i % 5 == 0 else ("incorrect" if i % 2 else "correct") for i in range(500)
]
COUNTS = {name: OUTCOMES.count(name) for name in ("correct", "incorrect", "no_answer")}
FLAGS = ("--response", "said", "--gold", "answer", "--workers", "2")


def written(path, rows=ROWS, group=64):
    if path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(rows), path, row_group_size=group)
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def read(path):
    if path.suffix == ".parquet":
        return pq.read_table(path).to_pylist()
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture
def small_units(monkeypatch):
    """Units of 100 rows, or of 1000 bytes, in this process."""
    from rewardkit.tables import lines, parquet

    monkeypatch.setattr(parquet, "UNIT_ROWS", 100)
    monkeypatch.setattr(lines, "UNIT_BYTES", 1000)
    for module in (kinds, parquet, lines):
        monkeypatch.setattr(module, "BATCH_ROWS", 32)


@pytest.mark.parametrize("suffix", [".parquet", ".jsonl"])
def test_the_columns_are_added_and_the_rest_is_as_it_was(tmp_path, suffix, capsys):
    file, out = written(tmp_path / f"in{suffix}"), tmp_path / f"out{suffix}"
    main(["grade", str(file), "--out", str(out), *FLAGS])
    found = read(out)
    assert [row["outcome"] for row in found] == OUTCOMES
    assert [{name: row[name] for name in ROWS[0]} for row in found] == ROWS
    assert list(found[0])[len(ROWS[0]) :] == list(VERDICT)
    assert not list(tmp_path.glob("*.parts"))
    said = capsys.readouterr().out
    assert "500 rows, 100.0 %" in said
    assert "40.00 % correct (these problems 35.68 to 44.44): " in said
    assert f"correct {COUNTS['correct']}" in said
    with pytest.raises(SystemExit, match="2"):
        main(["grade", str(file), "--out", str(out), *FLAGS])
    assert "is there already" in capsys.readouterr().err


@pytest.mark.parametrize("suffix", [".parquet", ".jsonl"])
@pytest.mark.parametrize("group", [7, 64, 500])
def test_units_cover_every_row_once(tmp_path, small_units, suffix, group):
    table = open_table(written(tmp_path / f"in{suffix}", group=group))
    units = table.units()
    assert len(units) > 4
    assert [unit.number for unit in units] == list(range(len(units)))
    found = [
        i for unit in units for batch in table.batches(unit, ["id"]) for i in batch.columns["id"]
    ]
    assert found == list(range(500))
    sizes = [sum(batch.size for batch in table.batches(unit, [])) for unit in units]
    assert sum(sizes) == sum(unit.size for unit in units)


def test_what_an_earlier_call_did_is_kept(tmp_path, small_units, monkeypatch):
    file, out = written(tmp_path / "in.parquet"), tmp_path / "out.parquet"
    settings = GradeSettings(str(file), "said", "answer", "math")
    graded = []

    def stops(settings, work, workers, until=2):
        grader = grader_of(settings)
        for unit, part in work[:until]:
            graded.append(unit.number)
            outcomes = grade_unit(settings, grader, unit, part, lambda rows, size: None)
            yield unit.size, unit.size, outcomes
        if until < len(work):
            raise KeyboardInterrupt

    monkeypatch.setitem(job.ENGINES, "processes", stops)
    with pytest.raises(KeyboardInterrupt):
        grade_table(settings, out)
    assert not out.exists()
    other = GradeSettings(str(file), "said", "answer", "integer")
    with pytest.raises(ConfigError, match="verifier was 'math' and is 'integer'"):
        grade_table(other, out)
    monkeypatch.setitem(job.ENGINES, "processes", lambda *given: stops(*given, until=99))
    done = grade_table(settings, out)
    assert graded == list(range(len(open_table(file).units())))
    assert dict(done.outcomes) == COUNTS
    assert done.resumed == 2 * 64
    assert [row["outcome"] for row in read(out)] == OUTCOMES


def test_stopped_it_says_what_is_kept(tmp_path, monkeypatch, capsys):
    def stops(settings, work, workers):
        raise KeyboardInterrupt
        yield

    monkeypatch.setitem(job.ENGINES, "processes", stops)
    file, out = written(tmp_path / "in.jsonl"), tmp_path / "out.jsonl"
    with pytest.raises(SystemExit, match="130"):
        main(["grade", str(file), "--out", str(out), *FLAGS])
    said = " ".join(capsys.readouterr().err.split())
    assert (
        said == f"stopped; the pieces that are whole are kept in {out}.parts, and the same "
        "command goes on"
    )


def test_empty_lines_are_done_at_the_end_as_well(tmp_path):
    file = tmp_path / "in.jsonl"
    file.write_text("\n" + "\n" * 50 + '{"gold": "1", "response": "1"}' + "\n" * 50)
    settings = GradeSettings(str(file), "response", "gold", "math")
    done = grade_table(settings, tmp_path / "out.jsonl", workers=1)
    assert done.line().startswith("1 rows, 100.0 %")
    assert "left" not in done.line()


def test_a_folder_that_cannot_be_made_is_said(tmp_path):
    (tmp_path / "file").touch()
    settings = GradeSettings(str(written(tmp_path / "in.jsonl")), "said", "answer", "math")
    with pytest.raises(ConfigError, match="no folder to write to"):
        grade_table(settings, tmp_path / "file" / "out.jsonl")


@pytest.mark.timeout(120)
def test_killed_it_goes_on_and_leaves_no_process(tmp_path):
    """SIGKILL while units are in work; then the same command."""
    file, out = written(tmp_path / "in.jsonl", ROWS[:60]), tmp_path / "out.jsonl"
    path = os.pathsep.join([str(Path(__file__).parent), *(p for p in sys.path if p)])
    environment = {**os.environ, "PYTHONPATH": path}
    command = [sys.executable, "-m", "rewardkit", "grade", str(file), "--out", str(out), *FLAGS]
    command += ["--verifier", "table_verifiers:slowly"]
    first = subprocess.Popen(command, env=environment, start_new_session=True)
    while not list(tmp_path.glob("out.jsonl.parts/.*.part")):
        assert first.poll() is None
        time.sleep(0.05)
    first.send_signal(signal.SIGKILL)
    first.wait()
    deadline = time.monotonic() + 60
    while processes_of(first.pid) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert processes_of(first.pid) == []
    subprocess.run(command, env=environment, check=True, timeout=100, capture_output=True)
    assert [row["outcome"] for row in read(out)] == ["correct"] * 60


def processes_of(session):
    """The processes of a session that have not ended."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(stat.parent.name)
    return found


def test_a_verifier_gets_its_columns(tmp_path):
    file, out = written(tmp_path / "in.parquet", ROWS[:20]), tmp_path / "out.parquet"
    main(["grade", str(file), "--out", str(out), *FLAGS, "--verifier", "table_verifiers:first_is_id",
          "--prefix", "v_"])  # fmt: skip
    assert [row["v_outcome"] for row in read(out)] == ["correct"] * 20


@pytest.mark.parametrize("suffix", [".parquet", ".jsonl"])
def test_a_column_that_is_asked_for_and_not_there_is_said_before_any_row(tmp_path, capsys, suffix):
    file, out = written(tmp_path / f"in{suffix}", ROWS[:20]), tmp_path / f"out{suffix}"
    with pytest.raises(SystemExit, match="2"):
        main(["grade", str(file), "--out", str(out), *FLAGS, "--verifier",
              "table_verifiers:needs_a_hint"])  # fmt: skip
    said = " ".join(capsys.readouterr().err.split())
    assert "no column 'hint', which the verifier table_verifiers:needs_a_hint asks for" in said
    assert "answer, id, n, said" in said
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("suffix", [".parquet", ".jsonl"])
def test_where_all_rows_are_errors_the_reason_is_said(tmp_path, capsys, suffix):
    file, out = written(tmp_path / f"in{suffix}", ROWS[1:5]), tmp_path / f"out{suffix}"
    with pytest.raises(SystemExit, match="1"):
        main(["grade", str(file), "--out", str(out), *FLAGS, "--verifier",
              "table_verifiers:raises", "--prefix", "v_"])  # fmt: skip
    said = capsys.readouterr()
    assert "none decided: error 4" in said.out
    assert "no row could be graded, most often: " in said.err
    assert "the rules were not found" in said.err
    assert [row["v_outcome"] for row in read(out)] == ["error"] * 4


@pytest.mark.parametrize("suffix", [".parquet", ".jsonl"])
def test_where_no_row_has_a_gold_that_can_be_read_that_is_said(tmp_path, capsys, suffix):
    rows = [{"said": "12", "answer": " "}] * 3
    file, out = written(tmp_path / f"in{suffix}", rows), tmp_path / f"out{suffix}"
    with pytest.raises(SystemExit, match="1"):
        main(["grade", str(file), "--out", str(out), *FLAGS])
    said = capsys.readouterr()
    assert "none decided: bad_gold 3" in said.out
    assert (
        "no row could be graded, most often: the gold answer is empty (in column 'answer'; "
        "another one: --gold COLUMN)" in said.err
    )


def test_golds_and_responses_as_they_come(tmp_path):
    rows = [
        {"response": [{"role": "assistant", "content": "12"}], "gold": 12},
        {"response": [{"role": "assistant", "content": "13"}], "gold": 12},
        {"response": None, "gold": 12},
        {"response": [{"role": "assistant", "content": "12"}], "gold": 0},
    ]
    file, out = written(tmp_path / "in.parquet", rows), tmp_path / "out.parquet"
    done = grade_table(GradeSettings(str(file), "response", "gold", "math"), out, workers=1)
    found = [row["outcome"] for row in read(out)]
    assert found == ["correct", "incorrect", "no_answer", "incorrect"]
    assert done.summary().startswith("25.00 % correct (these problems 0.63 to 80.59): ")


@pytest.mark.parametrize(
    ("changes", "out", "error", "said"),
    [
        (
            {"response": "sayd"},
            "o.parquet",
            DataError,
            r"no column 'sayd'; did you mean said.*--resp",
        ),
        ({"gold": "gold"}, "o.parquet", DataError, "no column 'gold'.*--gold COLUMN"),
        ({}, "o.jsonl", ConfigError, r"the table is .parquet, and is not.*--out \S*o.parquet$"),
        ({"path": "x.txt"}, "o.txt", ConfigError, "read from .parquet or .jsonl, found .txt"),
        ({"path": "x.csv"}, "o.csv", ConfigError, r"not from .csv. To make a .jsonl"),
        ({"path": "none.parquet"}, "o.parquet", DataError, "cannot be read as .parquet"),
    ],
)
def test_what_cannot_be_is_said_at_once(tmp_path, changes, out, error, said):
    given = {
        "path": "in.parquet",
        "response": "said",
        "gold": "answer",
        "verifier": "math",
    } | changes
    written(tmp_path / "in.parquet")
    given["path"] = str(tmp_path / given["path"])
    with pytest.raises(error, match=said):
        grade_table(GradeSettings(**given), tmp_path / out)


def test_that_line_overwrites_no_file(tmp_path):
    (tmp_path / "my.jsonl").write_text("mine")
    with pytest.raises(ConfigError, match=r"> \S+/my-2\.jsonl"):
        open_table(tmp_path / "my.csv")


def test_the_line_that_makes_lines_of_a_csv_does(tmp_path):
    file = tmp_path / "my table.csv"
    file.write_text('response,gold\n"so, \\boxed{007}\nend",007\n')
    with pytest.raises(ConfigError) as caught:
        open_table(file)
    line = str(caught.value).splitlines()[-1].replace("python", sys.executable, 1)
    subprocess.run(line, shell=True, check=True)
    assert read(tmp_path / "my table.jsonl") == [
        {"response": "so, \\boxed{007}\nend", "gold": "007"}
    ]


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--workers", "0"], "workers must be at least 1, found 0"),
        (["--deadline", "0"], "deadline_s must be positive"),
        (["--verifier", "maths"], "did you mean math"),
        (["--engine", "spark"], "unknown engine 'spark'"),
    ],
)
def test_flags_that_cannot_be(tmp_path, capsys, flags, said):
    file = written(tmp_path / "in.parquet")
    with pytest.raises(SystemExit, match="2"):
        main(["grade", str(file), "--out", str(tmp_path / "o.parquet"), *FLAGS, *flags])
    assert said in capsys.readouterr().err
    assert not (tmp_path / "o.parquet.parts").exists()


def test_a_graded_table_is_not_graded_over(tmp_path):
    rows = [{"said": "1", "answer": "1", "score": 0.5}]
    settings = GradeSettings(str(written(tmp_path / "in.jsonl", rows)), "said", "answer", "math")
    with pytest.raises(ConfigError, match="has a column 'score' already; --prefix"):
        grade_table(settings, tmp_path / "out.jsonl")


@pytest.fixture(params=["its own", "a cluster of one core"])
def ray_of(request):
    """Ray as the command starts it, or a cluster whose only core the one grader holds."""
    ray = pytest.importorskip("ray")
    if request.param == "its own":
        yield
        return
    ray.init(num_cpus=1, log_to_driver=False, include_dashboard=False, logging_level="ERROR")
    yield
    ray.shutdown()


@pytest.mark.slow  # starting Ray takes longest
@pytest.mark.timeout(200)
@pytest.mark.filterwarnings("ignore")  # Ray's own
def test_the_same_over_ray(tmp_path, ray_of):
    import warnings

    file, out = written(tmp_path / "in.parquet"), tmp_path / "out.parquet"
    settings = GradeSettings(str(file), "said", "answer", "math")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Ray's own
        done = grade_table(settings, out, engine="ray", workers=1)
    assert [row["outcome"] for row in read(out)] == OUTCOMES
    assert (done.rows, dict(done.outcomes)) == (500, COUNTS)


def test_a_process_that_dies_is_said_and_what_is_done_is_kept(tmp_path):
    file, out = written(tmp_path / "in.parquet"), tmp_path / "out.parquet"
    settings = GradeSettings(str(file), "said", "answer", "table_verifiers:killed")
    with pytest.raises(RewardkitError, match="the same command goes on"):
        grade_table(settings, out, workers=1)
    assert (tmp_path / "out.parquet.parts").exists()
    assert not out.exists()


def test_counts_lie_beside_their_part():
    assert counts_file(Path("a/000001.parquet")) == Path("a/000001.counts")
