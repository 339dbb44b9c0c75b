"""Many evaluations as one table, and which models cannot be told apart."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rewardkit.cli.options.pairs import split_names
from rewardkit.cli.printing import print_json
from rewardkit.errors import MissingExtraError
from rewardkit.pages.console import Console


def show_matrix(runs: Sequence[Path], task: str | None, out: Path, *, json: bool) -> None:
    """Print models by sets, and write matrix.json and, with jinja2, matrix.html into `out`.

    Raises:
        DataError: what is named holds no evaluation.
    """
    from rewardkit.evaluation.comparing.matrix import folders_in, matrix
    from rewardkit.evaluation.pages.matrix_page import write_matrix
    from rewardkit.files import make_folder, write_json

    found = matrix(folders_in(runs), split_names(task) if task else None)
    make_folder(out)
    write_json(out / "matrix.json", found)
    console = Console(stderr=json)
    if json:
        print_json(found)
    else:
        _print(found, console)
    places = [str(out / "matrix.json")]
    try:
        places.append(str(write_matrix(found, out)))
    except MissingExtraError as error:
        console.print(f"no matrix.html: {error}", soft_wrap=True, markup=False)
    console.print(f"written to {' and '.join(places)}", soft_wrap=True, markup=False)


def _print(found: dict[str, Any], console: Console) -> None:
    from rich.markup import escape
    from rich.table import Table

    from rewardkit.evaluation.pages.display import (
        cost_a_right_one,
        percent,
        plain,
        rank_of,
        short_count,
        span,
    )

    table = Table(title="accuracy %, #rank on these problems, 95 % there", title_justify="left")
    table.add_column("", overflow="fold", min_width=12)
    for column in found["columns"]:
        table.add_column(escape(plain(column["name"])), justify="right")
    table.add_column("tokens a response,\ncost of a right one", justify="right")
    for row in found["rows"]:
        cells = []
        for column in found["columns"]:
            cell = row["cells"].get(column["name"])
            if cell is None or not cell["complete"]:
                cells.append("-" if cell is None else "partial")
                continue
            rank = rank_of(cell["ranks"]["these_problems"])
            score = percent(cell["accuracy"]) + (f" #{rank}" if rank else "")
            cells.append(f"{score}\n{span(cell['interval_these_problems'])}")
        tokens = row["tokens"]
        counts = f"{short_count(tokens['mean'])}\n{cost_a_right_one(tokens)}"
        table.add_row(escape(plain(row["label"])), *cells, counts)
    console.print(table)
    for note in found["notes"]:
        console.print(f"NOTE {plain(note)}", soft_wrap=True, highlight=False, markup=False)
