"""The append-only record of an evaluation: one line a sample, safe against being killed anywhere.

A line is written with one system call and counts only once its newline is on disk, so what a
kill can leave behind is one torn last line. Opening the ledger cuts that line off; the sample is
then missing and the next run draws it again, from the same seed.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from rewardkit.errors import ConfigError, DataError
from rewardkit.evaluation.samples import Sample, text_hash
from rewardkit.files import make_folder, write_all
from rewardkit.runs.lock import claim
from rewardkit.types import Outcome

Row = TypeVar("Row")
SAMPLES_FILE = "samples.jsonl"
REGRADES_FILE = "regrades.jsonl"


class Ledger:
    """The samples of a run folder, held open by one writer at a time.

    Use it as a context manager; `append` writes through at once.

    Raises:
        ConfigError: another process writes to this folder.
        DataError: a line in the middle of the file is no sample.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.samples: dict[str, Sample] = {}
        self.healed = 0
        """How many torn last lines were cut off on opening: 0, 1 or 2."""
        self._files: dict[str, int] = {}

    def __enter__(self) -> Ledger:
        make_folder(self.folder)
        try:
            for name in (SAMPLES_FILE, REGRADES_FILE):
                self._files[name] = self._open(self.folder / name)
            self.samples = read_samples(self.folder)
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(self, *failed: object) -> None:
        self._close()

    def append(self, sample: Sample) -> None:
        """Write a new sample; a key that is already there is refused."""
        if self.holds(sample.key):
            raise ConfigError(f"sample {sample.key} is already in the ledger")
        self._write(SAMPLES_FILE, asdict(sample))
        self.samples[sample.key] = sample

    def holds(self, key: str) -> bool:
        """Return whether a sample is there that need not be played again."""
        return key in self.samples and not self.samples[key].environment_failed

    def regrade(self, sample: Sample) -> None:
        """Write a new verdict for a sample that is already there; the latest one counts."""
        verdict = {name: getattr(sample, name) for name in _VERDICT}
        graded = text_hash(sample.response)
        self._write(REGRADES_FILE, {"key": sample.key, "response_hash": graded, **verdict})
        self.samples[sample.key] = sample

    def _open(self, path: Path) -> int:
        if path.is_symlink():
            raise ConfigError(
                f"{path} is a link, and would lead what is written elsewhere; put the "
                "file itself there"
            )
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        if not claim(handle):
            os.close(handle)
            raise _taken(path)
        whole = path.read_bytes()
        end = whole.rfind(b"\n") + 1
        if end < len(whole):
            os.ftruncate(handle, end)
            self.healed += 1
        return handle

    def _write(self, name: str, row: Mapping[str, Any]) -> None:
        # ASCII: a lone surrogate in a response has no UTF-8 form, and U+2028 would split the line
        # for some readers.
        line = json.dumps(row, ensure_ascii=True) + "\n"
        write_all(self._files[name], line.encode("ascii"))

    def _close(self) -> None:
        for handle in self._files.values():
            os.close(handle)
        self._files.clear()


def refuse_second_writer(folder: Path) -> None:
    """Say at once, before a model is loaded, what opening the ledger would say after it.

    Raises:
        ConfigError: another process writes to this folder.
    """
    path = folder / SAMPLES_FILE
    if path.exists():
        with path.open("rb") as file:
            if not claim(file.fileno()):
                raise _taken(path)


def _taken(path: Path) -> ConfigError:
    return ConfigError(
        f"{path} is being written by another evaluation; wait for it, stop it, or use another "
        "--run-dir"
    )


@dataclass(frozen=True)
class _Regrade:
    """A line of regrades.jsonl: what has defaults, a line may lack."""

    key: str
    gold: str
    outcome: Outcome
    extracted: str | None
    method: str
    reason: str
    verifier: str = ""
    score: float = math.nan
    columns: str = ""
    judged: str = ""
    response_hash: str | None = None


_VERDICT = [one.name for one in fields(_Regrade) if one.name not in ("key", "response_hash")]


def read_samples(folder: Path) -> dict[str, Sample]:
    """Return the samples of a run folder by key, under their latest verdicts, without writing.

    Raises:
        DataError: the folder holds no ledger, or a line of it is no sample.
    """
    if not (folder / SAMPLES_FILE).exists():
        raise DataError(f"{folder}: holds no {SAMPLES_FILE}; is it a run folder of rewardkit eval?")
    samples: dict[str, Sample] = {}
    for sample in _read(folder / SAMPLES_FILE, "a sample", Sample):
        if sample.key not in samples or samples[sample.key].environment_failed:
            samples[sample.key] = sample
    for new in _read(folder / REGRADES_FILE, "a verdict", _Regrade):
        old = samples.get(new.key)
        # A damaged line that was deleted leaves its verdicts behind, and in its place another
        # response may have been drawn.
        if old is not None and new.response_hash in (None, text_hash(old.response)):
            samples[new.key] = replace(old, **{name: getattr(new, name) for name in _VERDICT})
    return samples


def _read(path: Path, what: str, kind: type[Row]) -> Iterator[Row]:
    """Yield what the whole lines of a file hold; none where there is no file."""
    lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
    for number, line in enumerate(lines, start=1):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise DataError(
                f"{path}:{number}: not JSON ({error}); delete that line, and the same command "
                "draws its sample again"
            ) from error
        try:
            yield msgspec.convert(row, kind)
        except (msgspec.ValidationError, UnicodeError) as error:  # half a surrogate
            raise DataError(f"{path}:{number}: not {what} ({error})") from error
