"""TensorBoard's event files, written without TensorFlow or torch."""

from __future__ import annotations

import html
import time
from collections.abc import Mapping, Sequence
from typing import Any

from rewardkit.config import RunConfig
from rewardkit.report.settings import flat
from rewardkit.runs import RunFolder


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
        from tensorboard.compat.proto.summary_pb2 import Summary

        self._add(step, [Summary.Value(tag=name, simple_value=v) for name, v in values.items()])

    def table(self, step: int, rows: Sequence[Mapping[str, Any]]) -> None:
        """Write a table as text, which shows as one."""
        self._text(step, "responses", markdown(rows))

    def alert(self, step: int, title: str, text: str, level: str) -> None:
        """Write an alert as text: nothing here could send it."""
        self._text(step, f"alerts/{title}", f"{level}: {_escaped(text)}")

    def _text(self, step: int, tag: str, text: str) -> None:
        from tensorboard.compat.proto.summary_pb2 import Summary
        from tensorboard.plugins.text.metadata import create_summary_metadata
        from tensorboard.util.tensor_util import make_tensor_proto

        tensor = make_tensor_proto(text.encode("utf-8", "replace"))
        about = create_summary_metadata(tag, "")
        self._add(step, [Summary.Value(tag=tag, metadata=about, tensor=tensor)])

    def _add(self, step: int, values: Sequence[Any]) -> None:
        from tensorboard.compat.proto.event_pb2 import Event
        from tensorboard.compat.proto.summary_pb2 import Summary

        if not self._begun:
            self._begin(self._first)
            self._begun = True
        event = Event(wall_time=time.time(), step=step, summary=Summary(value=values))
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


def markdown(rows: Sequence[Mapping[str, Any]]) -> str:
    r"""Return rows as a table in Markdown, in which a model's text lays out nothing.

    >>> markdown([{"response": "a|b\n<i>", "reward": 1.0}]).splitlines()[2]
    '| a&#124;b &lt;i&gt; | 1.0 |'
    """
    lines = [list(rows[0]), ["---"] * len(rows[0]), *(list(row.values()) for row in rows)]
    return "\n".join(f"| {' | '.join(map(_escaped, line))} |" for line in lines)


def _escaped(value: Any) -> str:
    return html.escape(" ".join(str(value).split()), quote=False).replace("|", "&#124;")
