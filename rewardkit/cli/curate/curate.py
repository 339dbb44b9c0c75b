"""`rewardkit curate`: the problems of a rated table that are worth training on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import tyro
from rich.markup import escape
from rich.table import Table

from rewardkit.cli.options.pairs import split_names
from rewardkit.cli.printing import print_json
from rewardkit.config.flags import Unset
from rewardkit.errors import ConfigError
from rewardkit.pages.console import Console

if TYPE_CHECKING:
    from rewardkit.curation.choosing import Choice

ALL = "all"


def curate(
    tables: tyro.conf.Positional[tuple[Path, ...]],
    *,
    out: Path,
    keep: str = "0:1",
    probability: float = 0.5,
    model: Unset[str] = None,
    against: str = "",
    drop: str = ALL,
    json: bool = False,
) -> None:
    """Keep the problems whose solve rate probably lies in a band, and drop the flagged ones.

    Flags: unreadable_gold, suspect_gold (no sample agrees with the gold and most with each other),
    duplicate, near_duplicate (MinHash, same numbers), overlap (8 words in a row of a test problem,
    or a contest problem by its hash). What is dropped is written beside, with why.

    Args:
        tables: what `rewardkit curate rate` wrote; several are merged.
        out: the .jsonl or .parquet file to write; file:OUT is a task.
        keep: LOW:HIGH, the band of solve rates, such as .2:.8.
        probability: how probable it has to be that a problem's solve rate lies in it.
        model: whose solve rate; by default all models' samples together.
        against: comma-separated tasks whose test problems must not be trained on.
        drop: comma-separated flags that drop a problem, `all` or `none`.
        json: print one JSON object instead of a table.
    """
    if not tables:
        raise ConfigError(
            "name a table: rewardkit curate TABLE.jsonl --keep .2:.8 --out BAND.jsonl"
        )
    from rewardkit.curation.choosing import FLAGS, Band, choose, test_texts
    from rewardkit.curation.files import check_out, read_ratings, write_rows

    beside = out.with_name(f"{out.stem}.dropped{out.suffix}")
    for written in (out, beside):
        check_out(written, *tables)
    band = Band.parse(keep, probability)
    dropping = {ALL: tuple(FLAGS), "none": ()}.get(drop, split_names(drop))
    tests = test_texts(split_names(against))
    found = choose(read_ratings(tables), band, model=model, tests=tests, drop=dropping)
    write_rows(out, found.kept)
    write_rows(beside, found.dropped)
    if json:
        print_json(_counts(found))
    else:
        _print(found, Console(), (out, beside))


def _counts(found: Choice) -> dict[str, int]:
    return {
        "problems": len(found.kept) + len(found.dropped),
        "kept": len(found.kept),
        "below": found.below,
        "above": found.above,
        "unsure": found.unsure,
        "unrated": found.unrated,
        **found.flags,
    }


def _print(found: Choice, console: Console, files: tuple[Path, Path]) -> None:
    from rewardkit.curation.choosing import FLAGS

    said = {
        "problems": "in the table",
        "kept": f"written to {files[0]}",
        "below": "solve rate probably below the band",
        "above": "probably above",
        "unsure": "neither in nor out with enough probability",
        "unrated": "no decided sample",
        **FLAGS,
    }
    table = Table("", "count", "what")
    for name, count in _counts(found).items():
        table.add_row(name, str(count), escape(said[name]))
    console.print(table)
    line = f"dropped ones, with why: {files[1]}"
    console.print(line, highlight=False, soft_wrap=True, markup=False)
