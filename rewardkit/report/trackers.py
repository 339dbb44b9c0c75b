"""TensorBoard, Weights & Biases and trackio: what a run records, mirrored while it goes on.

Each is one key of the configuration: `track.tensorboard = true`, `track.wandb = "offline"`. A
tracker is a copy for the eye and never the record: what is missing is said before anything is
trained, and one that fails later is dropped with a warning, and the run goes on.
"""

from __future__ import annotations

import json
import math
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from functools import partial
from importlib.util import find_spec
from io import StringIO
from typing import Any, TypeAlias

from rewardkit.config import RunConfig, TrackConfig
from rewardkit.errors import ConfigError, MissingExtraError
from rewardkit.guards import Alarm
from rewardkit.report.settings import flat, plain_config
from rewardkit.report.tensorboard import TensorBoard
from rewardkit.runs import RunFolder

WANDB_STATE = "wandb.json"
"""Holds the id under which a run is known to Weights & Biases: a resumed run goes on there."""
SHOWN = (
    *("step", "problem", "question", "gold", "response", "tokens", "finish"),
    *("outcome", "score", "extracted", "reason", "reward", "components", "advantage"),
)
"""Columns of a table of responses."""
MOST_SHOWN = 64
"""Its rows; the run folder and its report have all."""
LONGEST_CELL = 4000
"""Characters of a cell."""
PATIENCE_S = 120.0
"""How long the end of a run waits for numbers to be sent."""


def refuse_missing(track: TrackConfig) -> None:
    """Raise an error if a tracker that is asked for could not run here.

    Raises:
        MissingExtraError: its package is not installed.
        ConfigError: nobody is logged in.
    """
    for package in ("tensorboard", "wandb", "trackio"):
        if getattr(track, package) and find_spec(package) is None:
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

    def __init__(self, warn: Callable[[str], None] = lambda text: None, every: int = 0) -> None:
        self._warn = warn
        self._every = every
        self._open: dict[str, Tracker] = {}

    def start(self, name: str, make: Callable[[], Tracker]) -> None:
        """Start a tracker; from now on it gets all that is sent."""
        with self._guarded(name):
            self._open[name] = make()

    def row(self, row: Mapping[str, Any]) -> None:
        """Send a row of metrics.jsonl."""
        self._each(lambda tracker: tracker.log(row["step"], scalars(row)))

    def responses(self, step: int, rows: Sequence[Mapping[str, Any]]) -> None:
        """Send lengths by outcome of a step's recorded responses, and each so many steps a table.

        The table has what was asked and said, the verdict with its reason, and the reward with its
        components.
        """
        by_outcome: dict[str, list[int]] = {}
        for row in rows:
            by_outcome.setdefault(f"length/{row['outcome']}", []).append(row["tokens"])
        means = {name: sum(found) / len(found) for name, found in by_outcome.items()}
        if means:
            self._each(lambda tracker: tracker.log(step, means))
        if rows and self._every and step % self._every == 0:
            table = [{name: _cell(row[name]) for name in SHOWN} for row in rows[:MOST_SHOWN]]
            self._each(lambda tracker: tracker.table(step, table))

    def alarms(self, step: int, alarms: Sequence[Alarm]) -> None:
        """Send what guards say of a step, as alerts."""
        for alarm in alarms:
            self._each(partial(_alert, step=step, alarm=alarm))

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


def open_trackers(
    config: RunConfig, folder: RunFolder, warn: Callable[[str], None]
) -> Trackers | None:
    """Return the trackers that a configuration asks for, or None; `warn` says what goes wrong."""
    if not (config.track.tensorboard or config.track.wandb or config.track.trackio):
        return None
    found = Trackers(warn, config.track.responses)
    if config.track.tensorboard:
        found.start("TensorBoard", lambda: TensorBoard(config, folder))
    if config.track.wandb:
        found.start("Weights & Biases", lambda: WeightsAndBiases(config, folder, warn))
    if config.track.trackio:
        found.start("trackio", lambda: Trackio(config, folder))
    return found


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

    def table(self, step: int, rows: Sequence[Mapping[str, Any]]) -> None:
        """Send a table."""
        import wandb

        data = [list(row.values()) for row in rows]
        self._run.log({"responses": wandb.Table(columns=list(rows[0]), data=data)}, step=step)

    def alert(self, step: int, title: str, text: str, level: str) -> None:
        """Send an alert, by mail or to Slack as the project there says."""
        self._run.alert(title, f"step {step}: {text}", level)

    def held_out(self, step: int, values: Mapping[str, float]) -> None:
        """Send what an evaluation found, over an axis of its own: it may come late."""
        self._run.log({**values, "heldout/step": step}, commit=False)

    def close(self) -> None:
        """Send what is left."""
        self._run.finish()


class Trackio:
    """A run at trackio, which keeps it in a database of this machine: `trackio show`."""

    def __init__(self, config: RunConfig, folder: RunFolder) -> None:
        import trackio

        name = folder.path.resolve().name
        self._run = trackio.init(
            project=config.track.project,
            name=name,
            config=flat(config),
            resume="allow",
            embed=False,
            auto_log_gpu=False,
            auto_log_cpu=False,
        )

    def log(self, step: int, values: Mapping[str, float]) -> None:
        """Send a step's numbers."""
        self._run.log(dict(values), step=step)

    def table(self, step: int, rows: Sequence[Mapping[str, Any]]) -> None:
        """Send a table."""
        import trackio

        data = [list(row.values()) for row in rows]
        self._run.log({"responses": trackio.Table(list(rows[0]), data)}, step=step)

    def alert(self, step: int, title: str, text: str, level: str) -> None:
        """Send an alert, to a webhook as well where `TRACKIO_WEBHOOK_URL` names one."""
        import trackio

        with redirect_stdout(StringIO()):  # it is on the terminal already
            self._run.alert(title, text, trackio.AlertLevel[level], step)

    held_out = log

    def close(self) -> None:
        """Send what is left."""
        self._run.finish()


Tracker: TypeAlias = TensorBoard | WeightsAndBiases | Trackio
"""Somewhere that a run's numbers go, step by step."""


def _alert(tracker: Tracker, step: int, alarm: Alarm) -> None:
    level = "ERROR" if alarm.stops else "WARN"
    tracker.alert(step, f"guard {alarm.guard}", alarm.message, level)


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


def _cell(value: Any) -> float | str | None:
    """Return what every tracker takes for a cell."""
    if value is None or isinstance(value, int | float):
        return value
    text = str(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text[:LONGEST_CELL].encode("utf-8", "replace").decode("utf-8")
