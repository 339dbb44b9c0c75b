"""A file is there whole or as it was before; an append happens or it does not."""

import json
import os
import resource
import signal
from contextlib import contextmanager

import pytest

from rewardkit import files
from rewardkit.runs.lock import claim


@contextmanager
def no_room():
    """No file may grow beyond 64 bytes meanwhile, that which pytest's own words go into included."""
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)


def test_a_write_that_fails_leaves_what_was_there(tmp_path):
    path = tmp_path / "results.json"
    with no_room():
        files.write_json(path, {"a": 1})
        with pytest.raises(OSError, match="too large"):
            files.write_json(path, {"a": "x" * 100})
    assert json.loads(path.read_text()) == {"a": 1}


def test_an_append_that_fails_leaves_no_half_of_it(tmp_path):
    path = tmp_path / "metrics.jsonl"
    with no_room():
        files.append(path, b"one\n")
        with pytest.raises(OSError, match="too large"):
            files.append(path, b"x" * 100)
        files.append(path, b"two\n")
    assert path.read_bytes() == b"one\ntwo\n"


def test_letters_that_utf_8_has_no_word_for(tmp_path):
    files.write_json(tmp_path / "a.json", {"text": "\ud83d ä \u2028"})
    assert json.loads((tmp_path / "a.json").read_text("utf-8")) == {"text": "\ud83d ä \u2028"}
    assert json.loads(files.json_lines([{"text": "\ud83d"}])) == {"text": "\ud83d"}


def test_a_link_is_moved_in_one_step(tmp_path):
    for target in ("step-1", "step-2"):
        files.point(tmp_path / "best", target)
    assert (tmp_path / "best").readlink().name == "step-2"
    assert [path.name for path in tmp_path.iterdir()] == ["best"]


def test_a_claim_lasts_until_the_file_is_closed(tmp_path):
    first, second = (os.open(tmp_path, os.O_RDONLY) for _ in range(2))
    assert claim(first)
    assert not claim(second)
    os.close(first)
    assert claim(second)
    os.close(second)
