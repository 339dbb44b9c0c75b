"""Which checkpoints stay: the last few, and the best."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rewardkit.errors import DataError
from rewardkit.files import point
from rewardkit.runs.folder import RunFolder
from rewardkit.runs.results import TEST, Evaluation
from rewardkit.runs.seal import discard

BEST = "best"
WINDOW = 10
"""Steps over which the training rewards of a run that is never evaluated are averaged."""


_STEP = re.compile(r"step-\d+")
"""A folder copied by hand, `step-00010.bak`, is nobody's checkpoint."""


class Best(NamedTuple):
    """The best step among some, and by what it is the best."""

    step: int
    by: str
    value: float


def checkpoints(folder: RunFolder) -> list[Path]:
    """Return the run's checkpoints, oldest first."""
    found = folder.checkpoints.glob("step-*")
    return sorted((path for path in found if _STEP.fullmatch(path.name)), key=_step)


def retain(folder: RunFolder, keep: int) -> Best | None:
    """Remove all but the last `keep` checkpoints and the best; let `checkpoints/best` name it.

    With `keep` 0 none is removed.
    """
    paths = checkpoints(folder)
    link = folder.checkpoints / BEST
    try:
        results, rows = folder.evaluations(), folder.rows("metrics.jsonl")
    except DataError:  # a damaged record is no reason to end a run, nor to forget the best
        found, stays = None, Path(os.readlink(link)).name if link.is_symlink() else None
    else:
        found = best([_step(path) for path in paths], results, rows)
        stays = next((p.name for p in paths if found and _step(p) == found.step), None)
    for path in paths[:-keep] if keep else ():
        if path.name != stays:
            discard(path)
    if stays is not None:
        point(link, stays)
    return found


def best(
    steps: Collection[int],
    results: Mapping[str, Evaluation],
    rows: Sequence[Mapping[str, Any]],
) -> Best | None:
    """Return the best of `steps`; of equals, the last.

    By held-out accuracy, if the run was evaluated on its way; else by the share of right answers
    among all that were drawn in the ten steps up to it. Evaluations before and after alone do not
    count: they would compare the last step with nothing.

    >>> test = {"test": {"accuracy": 0.5}}
    >>> best([1, 2], {"step-00001": {"step": 1, "sets": test}}, [])
    Best(step=1, by='held-out accuracy', value=0.5)
    >>> best([1, 2], {}, [{"step": 1, "outcome/correct": 0.2}, {"step": 2, "outcome/correct": 0.4}])
    Best(step=2, by='right answers in training, last 10 steps', value=0.30000000000000004)
    """
    if any(label.startswith("step-") for label in results):
        by = "held-out accuracy"
        values = {
            found["step"]: accuracy
            for found in results.values()
            if found["step"] is not None and (accuracy := _accuracy(found)) is not None
        }
    else:
        by = f"right answers in training, last {WINDOW} steps"
        shares = [(row["step"], row["outcome/correct"]) for row in rows]
        values = {
            step: sum(recent) / len(recent)
            for step in steps
            if (recent := [share for at, share in shares if step - WINDOW < at <= step])
        }
    known = [(values[step], step) for step in steps if step in values]
    if not known:
        return None
    value, step = max(known)
    return Best(step, by, value)


def _accuracy(found: Evaluation) -> float | None:
    return found["sets"][TEST]["accuracy"] if TEST in found["sets"] else None


def _step(path: Path) -> int:
    return int(path.name.removeprefix("step-"))
