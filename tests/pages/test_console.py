"""What a command prints is what was written: names and texts hold colons, too."""

import io

from rich.table import Table

from rewardkit.pages.console import Console


def test_a_name_between_colons_is_no_picture():
    out = io.StringIO()
    console = Console(file=out, width=80)
    console.print("mine:boom: 5 probes", markup=False)
    table = Table("answer")
    table.add_row("2 :smile:")
    console.print(table)
    assert "mine:boom: 5 probes" in out.getvalue()
    assert "2 :smile:" in out.getvalue()
