"""A run folder: plain files that a person can read, and that a killed run leaves intact.

config.toml      as resolved        results.json    before and after, with intervals
manifest.json    versions, seeds, hardware           curves.svg      the run as a picture
metrics.jsonl    a line a step      rollouts.jsonl  a line a response, with its verdict (or .zst)
events.jsonl     a line a warning, and why a run was stopped
checkpoints/     step-00010/, each a Hugging Face folder plus the trainer's state
"""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass, replace
from operator import attrgetter
from pathlib import Path
from typing import Any

from rewardkit import files
from rewardkit.config import RunConfig, config_to_toml, load_config, plain
from rewardkit.errors import ConfigError, DataError, TrainingError
from rewardkit.runs import records
from rewardkit.runs.manifest import manifest
from rewardkit.runs.results import RESULTS_FILE, Evaluations, evaluations_in

RECORDS = ("metrics.jsonl", "rollouts.jsonl", "rollouts.jsonl.zst", "events.jsonl")
"""What a run appends to, step by step; each row has its `step`."""

FIXED = ("seed", "task", "tasks", "eval", "recipe.name", "recipe.advantage")
"""Settings, or whole sections, that a resumed run must have as it began."""


@dataclass(frozen=True)
class RunFolder:
    """The files of one run."""

    path: Path
    """Where it lies."""

    @classmethod
    def create(cls, config: RunConfig, *, overwrite: bool = False) -> RunFolder:
        """Make the folder and write its configuration and manifest.

        Raises:
            ConfigError: the folder already holds something, and is not a run to overwrite.
        """
        folder = cls(Path(config.folder))
        try:
            written = config_to_toml(config)
        except TypeError as error:
            raise ConfigError(f"the run's settings cannot be written as TOML: {error}") from error
        about = manifest(config)
        if folder.refuse_what_is_there(overwrite=overwrite):
            folder._empty()
        with folder.writing():
            folder.checkpoints.mkdir(parents=True, exist_ok=True)
            folder.write_text("config.toml", written)
            folder.write_json("manifest.json", about)
        return folder

    def _is_run(self) -> bool:
        """Whether this is the folder of a run; a config.toml may be anybody's."""
        if (self.path / "manifest.json").exists() or not self.config_file.exists():
            return self.config_file.exists()
        try:
            load_config(self.config_file)
        except (ConfigError, DataError):
            return False
        return True

    def refuse_what_is_there(self, *, overwrite: bool) -> bool:
        """Refuse a folder in which no run can begin; return whether it holds one to overwrite.

        Raises:
            ConfigError: it already holds something, and is not a run to overwrite.
        """
        if self._is_hardly_begun():
            return False
        # Only what is plainly a run is ever removed: a mistyped folder must not cost a home.
        if not self._is_run():
            raise ConfigError(
                f"{self.path} already exists and is no run of rewardkit (it holds no "
                "config.toml of one), so nothing there is removed; choose another folder with "
                "--set folder=..."
            )
        if not overwrite:
            raise ConfigError(
                f"{self.path} already exists. Continue it with --resume {self.typed} "
                "(resume=True in Python), start again with --overwrite (overwrite=True; "
                "removes that run), or choose another folder with --set folder=..."
            )
        return True

    def _is_hardly_begun(self) -> bool:
        """Whether there is nothing, or only what a process killed in `create` leaves."""
        if not self.path.exists():
            return True
        if not self.path.is_dir():
            return False
        names = {entry.name for entry in self.path.iterdir()}
        return names <= {"checkpoints", ".config.toml.part"} and not (
            self.checkpoints.exists() and any(self.checkpoints.iterdir())
        )

    def _empty(self) -> None:
        """Remove all that is in the folder, last what marks it as a run."""
        with self.writing():
            for entry in self.path.iterdir():
                if entry.is_dir() and not entry.is_symlink():
                    shutil.rmtree(entry)
                elif entry != self.config_file:
                    entry.unlink()
            self.config_file.unlink()

    @classmethod
    def open(cls, path: str | Path) -> RunFolder:
        """Return an existing run folder.

        Raises:
            ConfigError: there is no run there.
        """
        folder = cls(Path(path))
        if not folder.config_file.exists():
            raise ConfigError(f"{path} is not a run folder: it holds no config.toml")
        return folder

    @property
    def typed(self) -> str:
        """The folder's name as it is typed in a shell: one with a blank needs quotes."""
        return shlex.quote(str(self.path))

    @property
    def config_file(self) -> Path:
        """The configuration, as resolved."""
        return self.path / "config.toml"

    @property
    def checkpoints(self) -> Path:
        """The folder of checkpoints."""
        return self.path / "checkpoints"

    def config(self, overrides: Iterable[str] = ()) -> RunConfig:
        """Return the run's configuration, with overrides (a longer run has more steps)."""
        return replace(load_config(self.config_file, list(overrides)), folder=str(self.path))

    def refuse_changed_run(self, config: RunConfig) -> None:
        """Raise a ConfigError if `config` could not be the continuation of this run."""
        before = self.config()
        for name in FIXED:
            part = attrgetter(name)
            found = list(_differences(name, part(config), part(before)))
            if found:
                raise ConfigError(
                    f"a run cannot be resumed with another {name}: what was measured and drawn "
                    "before would not be comparable; a run of its own goes on from these weights "
                    f"with --set model.name={self.path}. Found {'; '.join(found)}"
                )

    def resumed(
        self, config: RunConfig, step: int, lengths: Mapping[str, int], refused: Sequence[str] = ()
    ) -> None:
        """Record a continuation from `step` on: drop what came later, keep what now holds.

        Args:
            config: what the run goes on with.
            step: the last step that counts.
            lengths: how long the records were after that step.
            refused: the checkpoints that could not be used, and why; or that there was none.
        """
        self.rewind(lengths)
        self.write_text("config.toml", config_to_toml(config))
        entry = {"from_step": step, "refused": list(refused), **manifest(config)}
        kept = self.read_json("manifest.json")
        self.write_json("manifest.json", {**kept, "resumed": [*kept.get("resumed", []), entry]})

    def note(self, key: str, value: Any) -> None:
        """Add to the manifest what is only known once a backend has started."""
        self.write_json("manifest.json", {**self.read_json("manifest.json"), key: value})

    def read_json(self, name: str) -> dict[str, Any]:
        """Return a JSON file's object; an empty one where there is no file yet.

        Raises:
            DataError: it is damaged.
        """
        path = self.path / name
        if not path.exists():
            return {}
        try:
            found = files.read_json(path)
        except DataError as error:
            raise DataError(f"{error}; mend it, or move it away to go on without it") from error
        if not isinstance(found, dict):
            raise DataError(f"{path}: expected an object, found {type(found).__name__}")
        return found

    def evaluations(self) -> Evaluations:
        """Return what `results.json` holds, by label, whatever version wrote it.

        Raises:
            DataError: it is damaged, or a later version wrote it.
        """
        return evaluations_in(self.read_json(RESULTS_FILE), self.path / RESULTS_FILE)

    def writing(self) -> _Writing:
        """Return a context in which a failed write becomes a TrainingError that says what to do."""
        return _Writing(self.path)

    def append(self, name: str, rows: Iterable[Mapping[str, Any]]) -> None:
        """Append rows to a record and push them to the disk: all of them, or none."""
        with self.writing():
            data = files.json_lines(rows)
            if data and name.endswith(records.COMPRESSED):
                data = records.compressed(data)
            if data:
                files.append(self.path / name, data)

    def rows(self, name: str) -> list[dict[str, Any]]:
        """Return the rows of a record; a torn last line, left by a kill, is not a row.

        Raises:
            DataError: a line before the last is no row.
        """
        return [row for row, _ in records.placed_rows(self.path / name)]

    def lengths(self) -> dict[str, int]:
        """Return how long the records are, in bytes."""
        paths = [self.path / name for name in RECORDS]
        return {path.name: path.stat().st_size for path in paths if path.exists()}

    def lengths_until(self, step: int) -> dict[str, int]:
        """Return how long each record is, in bytes, up to the rows of `step`."""
        return {name: records.length_until(self.path / name, step) for name in RECORDS}

    def rewind(self, lengths: Mapping[str, int]) -> None:
        """Cut the records to these lengths: a resumed run writes what followed again.

        A record that is shorter, since something else cut it, loses its torn end.
        """
        for name in RECORDS:
            path = self.path / name
            if not path.exists():
                continue
            length = lengths.get(name, 0)
            if path.stat().st_size < length:
                length = records.whole_length(path)
            with self.writing():
                files.truncate(path, length)

    def write_json(self, name: str, value: Any) -> None:
        """Write a JSON file whole, or leave the one before."""
        with self.writing():
            files.write_json(self.path / name, value)

    def write_text(self, name: str, text: str) -> None:
        """Write a file whole, or leave the one before."""
        with self.writing():
            files.write_text(self.path / name, text)


class _Writing:
    """Turns a failed write (a full disk, above all) into an error that says what is left."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> None: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: Any
    ) -> None:
        if isinstance(error, OSError):
            raise TrainingError(
                f"cannot write to {self.path}: {error.strerror or error}. All that was written "
                "before is intact; make room (or fix the permission) and continue with\n"
                f"  rewardkit train --resume {shlex.quote(str(self.path))}"
            ) from error


def _differences(key: str, now: Any, before: Any) -> Iterator[str]:
    """Yield the settings that are not as before, by their keys."""
    now, before = _keyed(_as_written(now)), _keyed(_as_written(before))
    if isinstance(now, dict) and isinstance(before, dict):
        for name in [*now, *(name for name in before if name not in now)]:
            yield from _differences(f"{key}.{name}", now.get(name), before.get(name))
    elif now != before:
        yield f"{key}: {_shown(now)}, the run has {_shown(before)}"


def _keyed(setting: Any) -> Any:
    """Return a list of tables by their numbers, as `tasks.0.weight` counts them."""
    if isinstance(setting, list) and all(isinstance(one, dict) for one in setting):
        return {str(number): one for number, one in enumerate(setting)}
    return setting


def _shown(setting: Any) -> str:
    if isinstance(setting, dict) and "name" in setting:  # a whole task, there or not
        return str(setting["name"])
    return "none" if setting in (None, {}) else str(setting)


def _as_written(setting: Any) -> Any:
    """Return a setting as it is read back from TOML, which has no tuples."""
    if isinstance(setting, tuple | list):
        return [_as_written(part) for part in setting]
    return plain(asdict(setting) if is_dataclass(setting) else setting)  # type: ignore[arg-type]
