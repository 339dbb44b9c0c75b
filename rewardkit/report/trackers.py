"""TensorBoard and Weights & Biases: what metrics.jsonl says, mirrored while a run goes on.

Each is one key of the configuration: `track.tensorboard = true`, `track.wandb = "offline"`. A
tracker is a copy for the eye and never the record: what is missing is said before anything is
trained, and one that fails later is dropped with a warning, and the run goes on.
"""

from __future__ import annotations

import math
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from importlib.util import find_spec
from typing import Any, TypeAlias

from rewardkit.config import RunConfig, TrackConfig, plain
from rewardkit.errors import ConfigError, MissingExtraError
from rewardkit.report.settings import leaves, show
from rewardkit.runs import RunFolder

WANDB_STATE = "wandb.json"
"""Holds the id under which a run is known to Weights & Biases: a resumed run goes on there."""
PATIENCE_S = 120.0
"""How long the end of a run waits for numbers to be sent."""


def refuse_missing(track: TrackConfig) -> None:
    """Raise an error if a tracker that is asked for could not run here.

    Raises:
        MissingExtraError: its package is not installed.
        ConfigError: nobody is logged in.
    """
    for wanted, package in ((track.tensorboard, "tensorboard"), (track.wandb, "wandb")):
        if wanted and find_spec(package) is None:
            raise MissingExtraError(package, "track")
    if track.wandb == "online":
        import wandb

        try:
            logged_in, why = wandb.login(verify=False), "no API key"
        except wandb.errors.Error as error:
            logged_in, why = False, str(error)
        if not logged_in:
            raise ConfigError(
                f'track.wandb = "online" needs a login: {why.rstrip(".")}. Type `wandb login` '
                'first, or keep the numbers here with track.wandb = "offline" and send them later '
                "with `wandb sync`"
            )


class Trackers:
    """The trackers of one run, by name. One that fails is dropped with a warning."""

    def __init__(self, warn: Callable[[str], None] = lambda text: None) -> None:
        self._warn = warn
        self._open: dict[str, Tracker] = {}

    def start(self, name: str, make: Callable[[], Tracker]) -> None:
        """Start a tracker; from now on it gets all that is sent."""
        with self._guarded(name):
            self._open[name] = make()

    def row(self, row: Mapping[str, Any]) -> None:
        """Send a row of metrics.jsonl."""
        self._each(lambda tracker: tracker.log(row["step"], scalars(row)))

    def held_out(self, step: int, name: str, result: Mapping[str, Any]) -> None:
        """Send what an evaluation found on one held-out set."""
        values = {f"heldout/{name}/{key}": value for key, value in scalars(result).items()}
        self._each(lambda tracker: tracker.held_out(step, values))

    def close(self) -> None:
        """Send what is left."""
        self._each(lambda tracker: tracker.close())
        self._open.clear()

    def _each(self, call: Callable[[Tracker], None]) -> None:
        for name, tracker in list(self._open.items()):
            with self._guarded(name):
                call(tracker)

    @contextmanager
    def _guarded(self, name: str) -> Iterator[None]:
        try:
            yield
        except Exception as error:  # noqa: BLE001 - whatever it is, the run is worth more
            self._open.pop(name, None)
            self._warn(
                f"{name} failed and gets no more of this run ({type(error).__name__}: {error}); "
                "metrics.jsonl has everything"
            )


def open_trackers(config: RunConfig, folder: RunFolder, warn: Callable[[str], None]) -> Trackers:
    """Return the trackers that a configuration asks for; `warn` tells a person what goes wrong."""
    found = Trackers(warn)
    if config.track.tensorboard:
        found.start("TensorBoard", lambda: TensorBoard(config, folder))
    if config.track.wandb:
        found.start("Weights & Biases", lambda: WeightsAndBiases(config, folder, warn))
    return found


class TensorBoard:
    """Event files in the run folder's tensorboard/, which `tensorboard --logdir` reads."""

    def __init__(self, config: RunConfig, folder: RunFolder) -> None:
        from tensorboard.summary.writer.event_file_writer import EventFileWriter

        self._writer = EventFileWriter(str(folder.path / "tensorboard"))
        self._run = (config, folder.path.name)
        self._begun = False
        recorded = folder.rows("metrics.jsonl")
        self._first = recorded[-1]["step"] + 1 if recorded else 0

    def log(self, step: int, values: Mapping[str, float]) -> None:
        """Write a step's numbers, and have them on the disk."""
        from tensorboard.compat.proto.event_pb2 import Event
        from tensorboard.compat.proto.summary_pb2 import Summary

        if not self._begun:
            self._begin(self._first)
            self._begun = True
        found = [Summary.Value(tag=name, simple_value=value) for name, value in values.items()]
        event = Event(wall_time=time.time(), step=step, summary=Summary(value=found))
        self._writer.add_event(event)
        self._writer.flush()

    def held_out(self, step: int, values: Mapping[str, float]) -> None:
        """Write what an evaluation found."""
        self.log(step, values)

    def _begin(self, step: int) -> None:
        from tensorboard.compat.proto.event_pb2 import Event, SessionLog
        from tensorboard.plugins.hparams.summary_v2 import hparams_pb

        # What a process that was killed wrote of later steps than the records hold is not to be
        # shown; an evaluation of the last one, which comes first on resuming, hides nothing.
        start = SessionLog(status=SessionLog.START)
        self._writer.add_event(Event(wall_time=time.time(), step=step, session_log=start))
        config, name = self._run
        parameters = hparams_pb(flat(config), trial_id=name)
        self._writer.add_event(Event(wall_time=time.time(), step=step, summary=parameters))

    def close(self) -> None:
        """Close the event file."""
        self._writer.close()


class WeightsAndBiases:
    """A run at Weights & Biases, or what `wandb sync` makes one of later."""

    def __init__(self, config: RunConfig, folder: RunFolder, tell: Callable[[str], None]) -> None:
        import wandb

        state = folder.read_json(WANDB_STATE)
        if "id" not in state:
            state = {"id": secrets.token_hex(4)}
            folder.write_json(WANDB_STATE, state)
        self._run = wandb.init(
            project=config.track.project,
            id=state["id"],
            resume="allow",
            name=folder.path.resolve().name,
            dir=str(folder.path),
            mode=config.track.wandb or None,
            config=plain_config(config),
            # Its own words would tear the live table; the machine's state is none of its business.
            settings=wandb.Settings(
                silent=True,
                console="off",
                x_disable_stats=True,
                disable_git=True,
                save_code=False,
                finish_timeout=PATIENCE_S,
                finish_timeout_raises=True,
            ),
        )
        self._run.define_metric("heldout/*", step_metric="heldout/step")
        online = config.track.wandb == "online"
        where = self._run.url if online else f"wandb sync {folder.path / 'wandb'}/offline-run-*"
        tell(f"Weights & Biases: {where}")

    def log(self, step: int, values: Mapping[str, float]) -> None:
        """Send a step's numbers; those of a step that is already there are dropped there."""
        self._run.log(dict(values), step=step)

    def held_out(self, step: int, values: Mapping[str, float]) -> None:
        """Send what an evaluation found, over an axis of its own: it may come late."""
        self._run.log({**values, "heldout/step": step}, commit=False)

    def close(self) -> None:
        """Send what is left."""
        self._run.finish()


Tracker: TypeAlias = TensorBoard | WeightsAndBiases
"""Somewhere that a run's numbers go, step by step."""


def scalars(row: Mapping[str, Any]) -> dict[str, float]:
    """Return the finite numbers of a row, without the step that they are of.

    >>> scalars({"step": 3, "reward": 1, "entropy": float("nan"), "outcomes": {}})
    {'reward': 1.0}
    """
    return {
        name: float(value)
        for name, value in row.items()
        if name != "step"
        and isinstance(value, int | float)
        and not isinstance(value, bool)
        and math.isfinite(value)
    }


def plain_config(config: RunConfig) -> dict[str, Any]:
    """Return the configuration as nested tables of plain values."""
    found: dict[str, Any] = plain(asdict(config))
    return found


def flat(config: RunConfig) -> dict[str, bool | float | str]:
    """Return the configuration as one table, `optim.lr` and so on, of what TensorBoard can show."""
    return {
        key: value if isinstance(value, bool | int | float) else show(value)
        for key, value in leaves(plain_config(config))
    }
