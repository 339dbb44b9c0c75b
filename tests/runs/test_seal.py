"""A sealed folder appears whole or not at all, and says when it was damaged since."""

import errno
import json
import re

import pytest

from rewardkit.errors import ModelError
from rewardkit.runs.seal import SEAL, check, discard, is_whole, publishing, sweep


@pytest.fixture
def sealed(tmp_path):
    final = tmp_path / "step-00001"
    with publishing(final, step=1) as part:
        (part / "weights").write_bytes(bytes(1000))
        (part / "inside").mkdir()
        (part / "inside" / "words").write_text("äöü")
        assert not final.exists()
    return final


def test_it_has_one_name_when_it_is_whole(sealed):
    check(sealed)
    assert json.loads((sealed / SEAL).read_text())["step"] == 1
    assert [path.name for path in sealed.parent.iterdir()] == ["step-00001"]


def truncate(folder):
    with (folder / "weights").open("r+b") as file:
        file.truncate(999)


def change(folder):
    with (folder / "weights").open("r+b") as file:
        file.seek(500)
        file.write(b"\1")


def cut_seal(folder):
    text = (folder / SEAL).read_text()
    (folder / SEAL).write_text(text[: len(text) // 2])


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (truncate, "weights has 999 bytes, 1000 were saved"),
        (change, "weights is not what was saved"),
        (lambda folder: (folder / "weights").unlink(), "weights is missing"),
        (lambda folder: (folder / "inside" / "words").unlink(), "inside/words is missing"),
        (lambda folder: (folder / SEAL).unlink(), "it has no checkpoint.json"),
        (cut_seal, "checkpoint.json cannot be read"),
        (lambda folder: (folder / SEAL).write_text("[]"), "checkpoint.json cannot be read"),
        (lambda folder: (folder / SEAL).write_bytes(b"\xff\0"), "checkpoint.json cannot be read"),
        (
            lambda folder: (folder / SEAL).write_text('{"files": {"weights": 3}}'),
            "checkpoint.json cannot be read",
        ),
        (lambda folder: (folder / SEAL).write_text('{"files": []}'), "cannot be read"),
    ],
)
def test_damage_is_named(sealed, damage, message):
    damage(sealed)
    with pytest.raises(ModelError, match=f"step-00001 is damaged: .*{re.escape(message)}"):
        check(sealed)
    assert not is_whole(sealed)


def test_a_file_that_somebody_adds_is_no_damage(sealed):
    (sealed / "README.md").write_text("my best one")
    assert is_whole(sealed)


def test_a_failure_inside_leaves_what_was_there(sealed):
    def fail():
        with publishing(sealed) as part:
            (part / "weights").write_bytes(b"new")
            raise OSError(errno.ENOSPC, "no space")

    with pytest.raises(OSError, match="no space"):
        fail()
    check(sealed)
    assert (sealed / "weights").stat().st_size == 1000
    assert [path.name for path in sealed.parent.iterdir()] == ["step-00001"]


def test_a_second_one_replaces_the_first(sealed):
    with publishing(sealed, step=1) as part:
        (part / "weights").write_bytes(b"new")
    check(sealed)
    assert {path.name for path in sealed.iterdir()} == {"weights", SEAL}


def test_sweep_removes_what_a_killed_process_leaves_and_nothing_else(sealed):
    for name in (".part-step-00002", ".gone-step-00001"):
        (sealed.parent / name / "deep").mkdir(parents=True)
    (sealed.parent / "mine").mkdir()
    sweep(sealed.parent)
    assert {path.name for path in sealed.parent.iterdir()} == {"step-00001", "mine"}
    check(sealed)


def test_discard_removes_the_folder(sealed):
    discard(sealed)
    assert list(sealed.parent.iterdir()) == []
