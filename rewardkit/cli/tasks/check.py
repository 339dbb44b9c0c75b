"""`rewardkit tasks check`: a task looked through before it is trained on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tyro
from rich.table import Table
from rich.text import Text

from rewardkit.cli.printing import print_json
from rewardkit.config import load_config
from rewardkit.config.flags import Unset
from rewardkit.errors import ConfigError
from rewardkit.pages.console import Console
from rewardkit.tasks.settings import run_task, settings_from, task_of


def check(
    task: tyro.conf.Positional[str],
    *,
    set: tyro.conf.UseAppendAction[tuple[str, ...]] = (),
    limit: Unset[int] = None,
    show: int = 5,
    workers: Unset[int] = None,
    json: bool = False,
) -> None:
    """Give each problem's gold to its verifier, and look for problems that are met twice.

    Said are golds that the verifier rejects, ids and texts that come twice, held-out problems that
    are in the training set, and empty prompts. Exits with 1 where anything is found; that generated
    problems come again is only said, as is that a file has no held-out problems of its own, which
    is a fault of a run that measures itself on them. A prompt that asks for the answer where none
    is read is said too; a judge that cannot be asked now is, and exits with 1.

    Args:
        task: a task's name, file:PATH or hf:NAME; or the .toml file of a run, for its task or
            mixture.
        set: task.KEY=VALUE of the section [task]; with a .toml file, any of its settings.
        limit: look at the first problems of each set only.
        show: how many of each kind to list.
        workers: how many verifier processes at most; by default one a core.
        json: print one JSON object instead of tables.
    """
    from rewardkit.validation import validate
    from rewardkit.validation.refusals import refuse_silent_servers
    from rewardkit.verifiers import VerifierPool

    if limit is not None and limit < 1:
        raise ConfigError(f"--limit must be at least 1, found {limit}")
    if show < 0:
        raise ConfigError(f"--show must be 0 or more, found {show}")
    is_config = task.endswith(".toml")
    config = load_config(task, set) if is_config else None
    loaded = run_task(config) if config else task_of(settings_from(task, {}, set))
    evaluated = config is not None and config.eval.samples > 0
    silent = refuse_silent_servers(loaded, asked_from_here=False)
    with VerifierPool(loaded.verifier, workers=workers) as pool:
        found = validate.validate(loaded, pool, limit=limit, evaluated=evaluated)
    found.remarks += silent
    if json:
        print_json(as_dict(found))
    else:
        _print(found, show, loaded.remarks)
    if found.found or silent:
        raise SystemExit(1)


def as_dict(found: Any) -> dict[str, Any]:
    """Return what was found as plain values."""
    return {
        "rows": found.rows,
        "golds": found.golds,
        "without_gold": found.without_gold,
        "by_environment": found.by_environment,
        "same_sets": found.same_sets,
        "come_again": found.come_again,
        "remarks": found.remarks,
        "counts": {fault.value: count for fault, count in found.counts.items()},
        "found": [{**one._asdict(), "fault": one.fault.value} for one in found.found],
    }


def _print(found: Any, show: int, known: Sequence[str]) -> None:
    from rewardkit.validation.repeats import Fault

    console = Console()
    rows = ", ".join(f"{count} of {name}" for name, count in found.rows.items())
    console.print(f"looked at {rows}; {found.golds} golds were given to the verifier")
    for said in (*known, *found.remarks):
        console.print(f"NOTE {said}", markup=False, soft_wrap=True)
    if found.by_environment:
        console.print(f"{found.by_environment} problems are graded by the environment")
    if without := found.without_gold - found.by_environment:
        console.print(
            f"NOTE {without} problems have no gold to try; name a column that holds a "
            "right response with --set task.reference=COLUMN",
            soft_wrap=True,
        )
    if found.come_again:
        console.print(
            f"NOTE {found.come_again} generated problems ask what one before them in their set "
            "does, which is chance and no fault",
            soft_wrap=True,
        )
    if found.golds and found.counts[Fault.GOLD] == found.golds:
        console.print(
            "NOTE the verifier takes no gold at all: where an answer alone is no right response, "
            "since it stands behind a marker of yours, name the column of one, "
            "--set task.reference=COLUMN",
            soft_wrap=True,
            markup=False,
        )
    for name in found.same_sets:
        console.print(
            f"NOTE {name} and train are the same problems, looked at once: a run that trains on "
            "them needs others to be measured on, such as --set task.test=file:OTHER, or "
            "eval.samples=0",
            markup=False,
            soft_wrap=True,
        )
    for fault, count in found.counts.items():
        table = Table("problem", "where", "", title=f"{fault}: {count}", title_justify="left")
        for one in [one for one in found.found if one.fault is fault][:show]:
            table.add_row(*map(Text, (one.problem, one.where, one.detail)))
        console.print(table)
    if not found.found and not found.remarks:
        console.print("nothing found")
