"""A run folder: plain files that a person can read, and that a killed run leaves intact.

config.toml      as resolved        results.json    before and after, with intervals
manifest.json    versions, seeds, hardware           curves.svg      the run as a picture
metrics.jsonl    a line a step      rollouts.jsonl  a line a response, with its verdict
events.jsonl     a line a warning, and why a run was stopped
checkpoints/     step-00010/, each a Hugging Face folder plus the trainer's state
"""

from __future__ import annotations

import errno
import json
import math
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, is_dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from rewardkit.config import RunConfig, config_to_toml, load_config, plain
from rewardkit.errors import ConfigError, DataError, TrainingError
from rewardkit.types import Group

RECORDS = ("metrics.jsonl", "rollouts.jsonl", "events.jsonl")
"""What a run appends to, step by step; each row has its `step`."""


@dataclass(frozen=True)
class RunFolder:
    """The files of one run."""

    path: Path

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
        if not folder._is_hardly_begun():
            # Only what is plainly a run is ever removed: a mistyped folder must not cost a home.
            if not folder._is_run():
                raise ConfigError(
                    f"{folder.path} already exists and is no run of rewardkit (it holds no "
                    "config.toml of one), so nothing there is removed; choose another folder with "
                    "--set folder=..."
                )
            if not overwrite:
                raise ConfigError(
                    f"{folder.path} already exists. Continue it with --resume {folder.path} "
                    "(resume=True in Python), start again with --overwrite (overwrite=True; "
                    "removes that run), or choose another folder with --set folder=..."
                )
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
        for name in ("seed", "task", "eval"):
            if _as_written(getattr(before, name)) != _as_written(getattr(config, name)):
                raise ConfigError(
                    f"a run cannot be resumed with another {name}: what was measured and drawn "
                    f"before would not be comparable. Found {getattr(config, name)}, the run has "
                    f"{getattr(before, name)}"
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
            found: dict[str, Any] = json.loads(path.read_text("utf-8"))
        except ValueError as error:
            raise DataError(
                f"{path} is not valid JSON ({error}); mend it, or move it away to go on without it"
            ) from error
        return found

    def writing(self) -> _Writing:
        """Return a context in which a failed write becomes a TrainingError that says what to do."""
        return _Writing(self.path)

    def append(self, name: str, rows: Iterable[Mapping[str, Any]]) -> None:
        """Append rows to a .jsonl file and push them to the disk: all of them, or none."""
        rows = list(rows)
        if not rows:
            return
        text = "".join(json.dumps(_finite(row), ensure_ascii=False) + "\n" for row in rows)
        # A lone surrogate has no UTF-8; as a backslash escape it is JSON's own.
        left = memoryview(text.encode("utf-8", "backslashreplace"))
        path = self.path / name
        with self.writing():
            new = not path.exists()
            with path.open("ab", buffering=0) as file:
                before = file.tell()
                try:
                    while left:
                        left = left[file.write(left) :]
                    os.fsync(file.fileno())
                except OSError:
                    with suppress(OSError):  # no half of a line stays on a full disk
                        file.truncate(before)
                    raise
            if new:
                flush(self.path)

    def rows(self, name: str) -> list[dict[str, Any]]:
        """Return the rows of a .jsonl file; a torn last line, left by a kill, is not a row.

        Raises:
            DataError: a line before the last is not JSON.
        """
        path = self.path / name
        if not path.exists():
            return []
        # A line torn inside a character is cut there, and then is no JSON.
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
        parsed: list[dict[str, Any]] = []
        for number, line in enumerate(lines, start=1):
            if not line:
                continue
            try:
                parsed.append(json.loads(line))
            except json.JSONDecodeError as error:
                if number == len(lines):
                    break
                raise DataError(f"{path}, line {number}: not valid JSON ({error})") from error
        return parsed

    def lengths(self) -> dict[str, int]:
        """Return how long the records are, in bytes."""
        paths = [self.path / name for name in RECORDS]
        return {path.name: path.stat().st_size for path in paths if path.exists()}

    def rewind(self, lengths: Mapping[str, int]) -> None:
        """Cut the records to these lengths: a resumed run writes what followed again.

        A record that is shorter, since something else cut it, loses its torn last line.
        """
        for name in RECORDS:
            path = self.path / name
            if not path.exists():
                continue
            length = lengths.get(name, 0)
            with self.writing(), path.open("r+b") as file:
                if path.stat().st_size < length:
                    length = file.read().rfind(b"\n") + 1
                file.truncate(length)
                os.fsync(file.fileno())

    def write_json(self, name: str, value: Any) -> None:
        """Write a JSON file whole, or leave the one before."""
        self.write_text(name, json.dumps(value, indent=2, ensure_ascii=False) + "\n")

    def write_text(self, name: str, text: str) -> None:
        """Write a file whole, or leave the one before."""
        part = self.path / f".{name}.part"
        with self.writing():
            with part.open("w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            part.replace(self.path / name)
            flush(self.path)


def _finite(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row in which NaN and infinities, which JSON has no words for, are null."""
    return {
        key: None if isinstance(value, float) and not math.isfinite(value) else value
        for key, value in row.items()
    }


def flush(path: Path) -> None:
    """Push a file, or a folder's list of names, to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno != errno.EINVAL:  # some network file systems cannot do it for folders
            raise
    finally:
        os.close(handle)


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
                f"  rewardkit train --resume {self.path}"
            ) from error


def rollout_rows(
    step: int, groups: Iterable[Group], advantages: Iterable[float]
) -> list[dict[str, Any]]:
    """Return a row a rollout: what was asked and said, the verdict and why, reward, advantage."""
    remaining = iter(advantages)
    return [
        {
            "step": step,
            "group": number,
            "problem": group.problem.id,
            "question": group.problem.question,
            "gold": group.problem.answer,
            "response": rollout.text,
            "tokens": len(rollout.tokens),
            "finish": rollout.finish,
            "outcome": verdict.outcome,
            "extracted": verdict.extracted,
            "method": verdict.method,
            "reason": verdict.reason,
            "reward": reward.total,
            "components": dict(reward.components),
            "advantage": next(remaining),
        }
        for number, group in enumerate(groups)
        for rollout, verdict, reward in zip(
            group.rollouts, group.verdicts, group.rewards, strict=True
        )
    ]


def manifest(config: RunConfig) -> dict[str, Any]:
    """Return what a reader needs to repeat the run: versions, code, seed, hardware."""
    packages = ("rewardkit", "torch", "transformers", "sympy", "verl", "vllm")
    versions = {"python": platform.python_version()}
    for package in packages:
        with suppress(PackageNotFoundError):
            versions[package] = version(package)
    return {
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": sys.argv,
        "seed": config.seed,
        "versions": versions,
        "git": _git_state(),
        "hardware": {
            "machine": platform.machine(),
            "cores": os.cpu_count(),
            "system": platform.platform(),
        },
    }


def _git_state() -> dict[str, Any] | None:
    def git(*arguments: str) -> str:
        done = subprocess.run(["git", *arguments], capture_output=True, text=True, check=True)
        return done.stdout.strip()

    try:
        return {"commit": git("rev-parse", "HEAD"), "changed": bool(git("status", "--porcelain"))}
    except (OSError, subprocess.CalledProcessError):
        return None


def _as_written(setting: Any) -> Any:
    """Return a setting as it is read back from TOML, which has no tuples."""
    return plain(asdict(setting) if is_dataclass(setting) else setting)  # type: ignore[arg-type]
