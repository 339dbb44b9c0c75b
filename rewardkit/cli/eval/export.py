"""`rewardkit eval export`: the samples of an evaluation as a table elsewhere."""

from __future__ import annotations

from pathlib import Path

import tyro

from rewardkit.errors import UnknownNameError
from rewardkit.pages.console import Console


def export(run: tyro.conf.Positional[Path], *, to: str = "parquet") -> None:
    """Write the samples of an evaluation as a table.

    Args:
        run: the folder that `rewardkit eval` wrote.
        to: comma-separated: parquet (samples.parquet in the folder), lighteval (its details, in
            the folder's lighteval/), wandb (a table; kept here with WANDB_MODE=offline),
            tensorboard (text and numbers, in the folder's tensorboard/).
    """
    from rewardkit.cli.options.drawing import split_tasks
    from rewardkit.evaluation.pages.export import TARGETS
    from rewardkit.evaluation.pages.export import export as send

    targets = split_tasks(to) or ("",)
    for target in targets:
        if target not in TARGETS:
            raise UnknownNameError("target", target, TARGETS)
    for target in targets:
        where = send(run, target)
        Console().print(f"{target}: {where}", soft_wrap=True, highlight=False, markup=False)
