"""What `--dry-run` and `--explain` print: all that would reach verl, and nothing is started."""

from __future__ import annotations

import dataclasses
import logging
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from textwrap import shorten
from typing import Any

from rewardkit.config import RunConfig
from rewardkit.config.reference import written
from rewardkit.environments.table import chats_of, played_tasks
from rewardkit.evaluation.models import resolve_model
from rewardkit.registry import MODELS
from rewardkit.tasks.settings import run_task
from rewardkit.training_step.rehearsal import rehearse
from rewardkit.validation.refusals import refuse_empty_sets
from rewardkit_verl import versions
from rewardkit_verl.backend import (
    Ready,
    command_for,
    gpus_of,
    load_tokenizer,
    settled,
    trusts,
)
from rewardkit_verl.keys import compose
from rewardkit_verl.keys.decided import KEPT_SECTIONS, KEPT_SETTINGS, READ_BY_PLUGIN
from rewardkit_verl.keys.refusals import refuse, refuse_unplayable
from rewardkit_verl.launcher.data import DataFiles, longest_prompt, write_data
from rewardkit_verl.launcher.prepare import Command, shown

UNMEASURED = 1024
"""The prompt limit that is shown where no tokenizer is at hand to measure one."""

WIDEST = 40
"""Characters of a column of `--explain`; a setting's own value is whole however long it is."""


def plan(config: RunConfig, *, explain: bool = False) -> str:
    """Return what a run would pass to verl, checked by verl's own validation.

    Nothing is started, fetched or written, but for the data files in a temporary folder.
    """
    version = versions.check_version()
    # On a machine without a GPU verl's platforms warn of it; here nothing is to run.
    logging.getLogger("verl.plugin.platform.platform_manager").addFilter(_not_of_a_missing_gpu)
    config, _ = settled(config)
    with tempfile.TemporaryDirectory() as temporary:
        start, files = _decide(config, Path(temporary))
        first = _first_question(files.train)
    composed = compose.compose([*(o.text for o in start.overrides), *start.further])
    compose.check(composed)
    said = f"verl {version}'s own validation accepts this configuration."
    if explain:
        return "\n".join([*_table(config, start), "", said])
    folder = Path(config.folder).resolve() / "verl"
    return "\n".join(
        [
            f"Dry run: nothing is started. {said}",
            "",
            "Data files",
            f"  {folder / 'data' / files.train.name}: {files.train_rows} rows, the first asks",
            f"    {first}",
            f"  {folder / 'data' / files.test.name}: {files.test_rows} rows",
            "",
            f"Command, with {len(start.overrides)} overrides (--explain says where each is from);",
            f"a run writes it, with its lines whole, to {folder / 'command.sh'}",
            *(f"  {line}" for line in shown(start.outline.splitlines())),
        ]
    )


def _not_of_a_missing_gpu(record: logging.LogRecord) -> bool:
    return "No supported accelerator" not in str(record.msg)


def _decide(config: RunConfig, temporary: Path) -> tuple[Command, DataFiles]:
    """Return the command of a run, and the data files as they were written in `temporary`."""
    gpus = gpus_of(config)
    refuse(config, cpu=versions.on_cpu(), gpus=gpus)
    rehearse(config.recipe, limit=config.sampling.max_tokens, group_size=config.sampling.group_size)
    task = run_task(config)
    refuse_unplayable(config, task)
    refuse_empty_sets(task, config)
    files = write_data(config, task, temporary)
    model, here = _model(config.model.name)
    tokens = config.verl.max_prompt_tokens or UNMEASURED
    if here:
        tokenizer = load_tokenizer(model, trusted=trusts(config))
        tokens = longest_prompt(config, task, tokenizer)
        chats_of(played_tasks(task), tokenizer, config.model.name)
    data = Path(config.folder).resolve() / "verl" / "data"
    final = replace(files, train=data / files.train.name, test=data / files.test.name)
    return command_for(config, Ready(task, model, tokens, gpus), final), files


def _model(name: str) -> tuple[str, bool]:
    """Return what verl would load, and whether it is on this machine; fetches nothing."""
    if name in MODELS.names():
        return name, False
    found = resolve_model(name)
    return found, Path(found).is_dir()


def _first_question(train: Path) -> str:
    import pyarrow.parquet as pq

    row = next(pq.ParquetFile(train).iter_batches(1)).to_pylist()[0]
    return shorten(row["prompt"][-1]["content"], 90, placeholder=" ...")


def _table(config: RunConfig, start: Command) -> list[str]:
    """Return a line for each setting and each key: setting, verl's key, value, verl's default."""
    head = ("setting", "its value", "becomes verl's", "value", "verl's default", "")
    lines = [head, *rows(config, start)]
    widths = [min(max(len(line[i]) for line in lines), WIDEST) for i in range(len(head) - 1)]
    return [
        "  ".join([*(c.ljust(w) for c, w in zip(line, widths, strict=False)), line[-1]]).rstrip()
        for line in lines
    ]


def rows(config: RunConfig, start: Command) -> Iterator[tuple[str, ...]]:
    """Yield the lines of `--explain`: every setting once or more, then what no setting decides."""
    plain = compose.compose()
    settings = dict(leaves(config))
    for field, value in settings.items():
        found = [o for o in start.overrides if o.field == field]
        for o in found:
            yield (field, written(value), o.key, _short(o.value), _default(plain, o.key), o.note)
        if field in READ_BY_PLUGIN:
            reader, nearest = READ_BY_PLUGIN[field]
            default = f"{nearest.split('.')[-1]}: {_default(plain, nearest)}" if nearest else "-"
            yield (field, written(value), f"({reader})", "read as it is", default, "")
        elif not found:
            yield (field, written(value), "-", "-", "-", _why_not(field))
    for o in start.overrides:
        if o.field not in settings:
            yield (f"({o.field})", "", o.key, _short(o.value), _default(plain, o.key), o.note)


def _why_not(field: str) -> str:
    whole = (why for section, why in KEPT_SECTIONS.items() if field.startswith(section))
    return KEPT_SETTINGS.get(field) or next(whole, "")


def leaves(config: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every setting of a configuration by its dotted name."""
    for f in dataclasses.fields(config):
        value = getattr(config, f.name)
        if dataclasses.is_dataclass(value):
            yield from leaves(value, f"{prefix}{f.name}.")
        else:
            yield f"{prefix}{f.name}", value


def _default(plain: Any, key: str) -> str:
    if not compose.has(plain, key):
        return "(not set)"
    found = compose.default(plain, key)
    return "(must be given)" if found is compose.MISSING else _short(found)


def _short(value: Any, most: int = WIDEST) -> str:
    text = str(value).replace("\n", " ")
    return text if len(text) <= most else text[: most - 3] + "..."
