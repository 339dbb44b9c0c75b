"""Which problems verl's trainer asks, and what came of them; knows nothing of verl.

verl's own hook for an order of prompts is not called by its trainer, so ours takes the rows that a
problem sampler names, counts what the reward manager said of them, and keeps the table of counts
beside each checkpoint.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rewardkit.config import RunConfig
from rewardkit.errors import DataError
from rewardkit.sampling.counts import CountTable, Visit, counted
from rewardkit.sampling.problems import Cursor, Draw, TaskSampler
from rewardkit.sampling.settings import CurriculumConfig
from rewardkit_verl.rows import verdict_of

COUNTS, CURSOR = "counts.bin", "cursor.json"


def chooses_problems(config: RunConfig) -> bool:
    """Return whether a run's problems come in another order than the plain stream's."""
    return config.sampling.curriculum != CurriculumConfig()


class Prompts:
    """The prompts of a step: `draw` any number of times, then `observe` once."""

    def __init__(self, chooser: TaskSampler) -> None:
        self.chooser = chooser
        self._asked: dict[str, Draw] = {}

    def draw(self, count: int) -> list[tuple[str, Draw]]:
        """Return a fresh id and a draw for each prompt to ask."""
        drawn = [(str(uuid.uuid4()), draw) for draw in self.chooser.next(count)]
        self._asked.update(drawn)
        return drawn

    def observe(self, answers: Mapping[str, Sequence[Mapping[str, Any]]]) -> dict[str, float]:
        """Learn what the reward manager said of each prompt's responses; return the metrics.

        In the order in which the prompts were drawn, whenever they were answered. `unanswered` are
        those that verl gave up.
        """
        found = [
            visit_of(draw.problem, answers[uid])
            for uid, draw in sorted(self._asked.items(), key=lambda item: item[1].position)
            if uid in answers
        ]
        unanswered = len(self._asked) - len(found)
        self._asked.clear()
        self.chooser.observe(found)
        metrics = {k: v for k, v in self.chooser.metrics().items() if v == v}
        return {**metrics, "unanswered": unanswered}

    def save(self, folder: Path) -> None:
        """Write the table of counts and the cursor."""
        folder.mkdir(parents=True, exist_ok=True)
        self.chooser.table.save(folder / COUNTS)
        (folder / CURSOR).write_text(json.dumps(self.chooser.cursor._asdict()), "utf-8")

    def load(self, folder: Path) -> None:
        """Go on from what `save` wrote.

        Raises:
            DataError: it is missing, damaged, or of other problems.
        """
        try:
            cursor = Cursor(**json.loads((folder / CURSOR).read_text("utf-8")))
        except (OSError, ValueError, TypeError) as error:
            raise DataError(f"{folder / CURSOR} cannot be read ({error})") from error
        table = CountTable.load(folder / COUNTS, self.chooser.table.problems)
        self.chooser.restore(table, cursor)


def visit_of(problem: int, infos: Sequence[Mapping[str, Any]]) -> Visit:
    """Return the counts of a prompt's responses."""
    truncated = sum(bool(info["truncated"]) for info in infos)
    return counted(problem, [verdict_of(info) for info in infos], truncated)
