"""Records survive a kill at any byte, compressed or not, and are read through one reader."""

import json
import re
import shutil
import sys

import pytest

from rewardkit.config import RecordsConfig, config_from
from rewardkit.errors import ConfigError, DataError, MissingExtraError
from rewardkit.runs import RunFolder, read_rollouts, records
from rewardkit.runs.records import PlacedLines, length_until, placed_rows, whole_length
from rewardkit.runs.rollouts import (
    kept_groups,
    outgrowing,
    placed_rollouts,
    record_rollouts,
    refuse_missing_zstd,
)

FORMS = ("rollouts.jsonl", "rollouts.jsonl.zst")


def needs_zstd():
    if sys.version_info < (3, 14):
        pytest.importorskip("backports.zstd")


@pytest.fixture(params=FORMS)
def name(request):
    if request.param.endswith(".zst"):
        needs_zstd()
    return request.param


@pytest.fixture
def folder(tmp_path):
    return RunFolder.create(configured(tmp_path))


def configured(tmp_path, **settings):
    return config_from({"folder": str(tmp_path / "run"), "steps": 20, **settings})


def step_rows(step, groups=2, size=2):
    return [
        {"step": step, "group": group, "response": f"π {step} {group} {member} " * 20}
        for group in range(groups)
        for member in range(size)
    ]


def written(folder, name, steps=(1, 2, 3)):
    """Append the rows of some steps; return how long the record was after each."""
    lengths = []
    for step in steps:
        folder.append(name, step_rows(step))
        lengths.append((folder.path / name).stat().st_size)
    return lengths


def cut(path, length):
    with path.open("r+b") as file:
        file.truncate(length)


def steps_in(folder):
    return [row["step"] for row in read_rollouts(folder.path)]


def test_rows_come_back_as_they_were(folder, name):
    written(folder, name)
    assert list(read_rollouts(folder.path)) == [row for n in (1, 2, 3) for row in step_rows(n)]
    assert folder.rows(name) == list(read_rollouts(folder.path))


def test_a_kill_at_any_byte_of_the_last_append_costs_that_append(folder, name):
    _, before, _ = written(folder, name)
    path = folder.path / name
    whole = path.read_bytes()
    for length in range(before, len(whole)):
        path.write_bytes(whole[:length])
        found = list(read_rollouts(folder.path))
        assert found[:8] == [row for n in (1, 2) for row in step_rows(n)]
        assert found == step_rows(1) + step_rows(2) + step_rows(3)[: len(found) - 8]
        # Of a frame all counts or nothing; a line is whole before its newline, too.
        assert name == "rollouts.jsonl" or len(found) == 8
        assert whole_length(path) <= length
        folder.rewind({name: before})
        assert path.stat().st_size == before
    folder.append(name, step_rows(3))
    assert path.read_bytes() == whole


def test_a_record_shorter_than_it_was_goes_on_after_its_last_whole_piece(folder, name):
    lengths = written(folder, name)
    cut(folder.path / name, lengths[2] - 1)
    folder.rewind({name: lengths[2]})
    folder.append(name, step_rows(4))
    assert steps_in(folder)[:8] == [1, 1, 1, 1, 2, 2, 2, 2]
    assert steps_in(folder)[-4:] == [4, 4, 4, 4]
    if name.endswith("zst"):
        assert steps_in(folder).count(3) == 0


def test_a_record_is_cut_by_step(folder, name):
    lengths = written(folder, name)
    path = folder.path / name
    assert [length_until(path, step) for step in (0, 1, 2, 3, 9)] == [0, *lengths, lengths[2]]
    with path.open("ab") as file:
        file.write(path.read_bytes()[:7])
    assert length_until(path, 9) == lengths[2]
    assert folder.lengths_until(2) == {
        "metrics.jsonl": 0, "events.jsonl": 0, **dict.fromkeys(FORMS, 0), name: lengths[1],
    }  # fmt: skip


def test_damage_is_told_and_what_lies_behind_it_is_read(folder, name):
    lengths = written(folder, name)
    path = folder.path / name
    data = bytearray(path.read_bytes())
    data[lengths[0] + 40 : lengths[0] + 44] = b"\xff\xff\xff\xff"
    path.write_bytes(data)
    kind = "frame" if name.endswith("zst") else "line"
    number = 2 if kind == "frame" else 5
    with pytest.raises(DataError, match=re.escape(f"{path}, {kind} {number}: ")):
        list(read_rollouts(folder.path))
    damage = []
    steps = [row["step"] for row in read_rollouts(folder.path, damage)]
    assert damage == [f"{name}: 1 {kind} could not be read and were left out"]
    assert steps.count(1) == steps.count(3) == 4


def test_a_damaged_last_frame_is_damage_and_not_a_kill(folder):
    needs_zstd()
    name = FORMS[1]
    lengths = written(folder, name)
    path = folder.path / name
    data = bytearray(path.read_bytes())
    data[-1] ^= 1  # of its checksum
    path.write_bytes(data)
    damage = []
    assert len(list(read_rollouts(folder.path, damage))) == 8
    assert damage == [f"{name}: 1 frame could not be read and were left out"]
    assert whole_length(path) == length_until(path, 9) == lengths[1]


def test_lines_are_found_again_by_their_places(folder, name):
    written(folder, name)
    lines = PlacedLines()
    for row, place in reversed(list(placed_rollouts(folder.path))):
        assert lines.row(place) == row
    cut(folder.path / name, 10)
    assert PlacedLines().row(place) is None


def test_a_run_that_begins_to_compress_on_resuming_is_read_in_order(folder):
    needs_zstd()
    written(folder, FORMS[0], (1, 2, 5))
    written(folder, FORMS[1], (3, 4))
    assert steps_in(folder) == [step for step in range(1, 6) for _ in range(4)]
    folder.rewind({})
    assert steps_in(folder) == []


def test_a_frame_is_what_the_zstd_program_reads(folder):
    needs_zstd()
    from rewardkit.runs.records import zstd

    written(folder, FORMS[1])
    plain = zstd().decompress((folder.path / FORMS[1]).read_bytes())
    assert [json.loads(line)["step"] for line in plain.splitlines()] == steps_in(folder)


def test_nothing_is_appended_for_no_rows(folder, name):
    folder.append(name, [])
    assert not (folder.path / name).exists()
    assert list(placed_rows(folder.path / name)) == []


def test_without_the_library_the_pip_line_is_said_before_anything_is_trained(monkeypatch):
    for module in ("backports", "backports.zstd", "compression", "compression.zstd"):
        monkeypatch.setitem(sys.modules, module, None)
    refuse_missing_zstd(RecordsConfig())
    with pytest.raises(MissingExtraError, match=r"pip install 'rewardkit\[zstd\]'"):
        refuse_missing_zstd(RecordsConfig(compress=True))


# --- which responses are kept ---------------------------------------------------------------


def test_which_groups_are_kept_follows_from_seed_and_step_alone():
    some = RecordsConfig(every=2, groups=3)
    assert kept_groups(some, 0, 3, 8) == []
    kept = kept_groups(some, 0, 4, 8)
    assert len(kept) == 3
    assert kept == sorted(kept) == kept_groups(some, 0, 4, 8)
    # A step with fewer groups keeps the same ones of those that it has.
    assert set(kept_groups(some, 0, 4, 5)) >= {group for group in kept if group < 5}
    assert kept_groups(some, 0, 4, 2) == [0, 1]
    assert len({tuple(kept_groups(some, seed, 4, 8)) for seed in range(20)}) > 5
    assert len({tuple(kept_groups(some, 0, step, 8)) for step in range(0, 40, 2)}) > 5
    assert kept_groups(RecordsConfig(), 0, 3, 3) == [0, 1, 2]


def test_each_group_is_kept_about_as_often():
    some = RecordsConfig(groups=2)
    counts = [0] * 8
    for step in range(4000):
        for group in kept_groups(some, 1, step, 8):
            counts[group] += 1
    assert all(900 < count < 1100 for count in counts)  # 1000 expected, standard deviation 27


def test_a_step_leaves_the_rows_that_the_settings_name(folder, tmp_path, name):
    records = {"every": 2, "groups": 1, "compress": name.endswith("zst")}
    config = configured(tmp_path, records=records)
    for step in range(1, 5):
        record_rollouts(folder, config, step, step_rows(step, groups=4, size=3))
    rows = list(read_rollouts(folder.path))
    assert [row["step"] for row in rows] == [2, 2, 2, 4, 4, 4]
    for step in (2, 4):
        kept = {row["group"] for row in rows if row["step"] == step}
        assert kept == set(kept_groups(config.records, 0, step, 4))
    record_rollouts(folder, config, 6, [])


@pytest.mark.parametrize(("setting", "value"), [("every", 0), ("groups", -1)])
def test_settings_that_mean_nothing(tmp_path, setting, value):
    with pytest.raises(ConfigError, match=f"records.{setting} must be at least"):
        configured(tmp_path, records={setting: value})


LONG = {"sampling": {"problems": 64, "group_size": 8, "max_tokens": 8192}, "steps": 10_000}
"""512 responses of 8k tokens: 171 GB in 10,000 steps."""


@pytest.mark.parametrize(
    ("records", "step", "free", "said"),
    [
        ({}, 0, 200e9, None),
        ({}, 0, 100e9, "may take 171 GB.*records.compress=true they take about 43 GB"),
        ({}, 0, 20e9, "records.compress=true --set records.every=5 they take about 9 GB"),
        ({}, 9_000, 20e9, None),
        ({"every": 10}, 0, 20e9, None),
        ({"groups": 8}, 0, 20e9, "may take 21 GB.*records.compress=true they take about 5 GB"),
        ({"compress": True}, 0, 50e9, None),
        ({"compress": True}, 0, 20e9, r"may take 43 GB.*with --set records.every=5 they"),
        ({"compress": True, "every": 2}, 0, 10e9, r"with --set records.every=10 they"),
    ],
)
def test_a_run_that_would_outgrow_its_disk_is_told_what_to_type(
    tmp_path, records, step, free, said
):
    config = configured(tmp_path, **LONG, records=records)
    found = outgrowing(config, step, int(free))
    if said is None:
        assert found == []
    else:
        assert re.search(said, found[0]), found


def test_the_room_is_that_of_the_run_folder(folder, tmp_path, monkeypatch):
    full = shutil._ntuple_diskusage(total=10**9, used=10**9, free=0)
    monkeypatch.setattr("shutil.disk_usage", {str(folder.path): full}.__getitem__)
    assert "has 0 MB left" in outgrowing(configured(tmp_path), 0)[0]


def test_a_frame_larger_than_any_step_is_damage(tmp_path, monkeypatch):
    """A file of a megabyte may say that it holds terabytes."""
    needs_zstd()
    monkeypatch.setattr(records, "LARGEST_FRAME", 1000)
    rows = [b'{"step": %d}\n' % step for step in (1, 2, 3)]
    path = tmp_path / "rollouts.jsonl.zst"
    large = rows[1] + b" " * 10_000_000
    path.write_bytes(b"".join(records.compressed(data) for data in (rows[0], large, rows[2])))
    damage = []
    found = [row["step"] for row, _ in records.placed_rows(path, damage)]
    assert (found, len(damage)) == ([1, 3], 1)
