from __future__ import annotations

from rewardkit.evaluation.pages.display import print_problems
from rewardkit.pages.console import Console


def test_an_id_or_gold_of_thousands_of_characters_is_shortened():
    problem = {"id": "i" * 5000, "gold": "g" * 5000, "correct": 1, "graded": 2, "truncated": 0}
    row = {"problems": 1, "per_problem": [{**problem, "answers": {"a" * 5000: 1}}]}
    console = Console(width=400, record=True)
    print_problems({"sets": {"test": row}}, console, None)
    said = console.export_text()
    assert all(sign * 77 + "... " in said for sign in "ig")
    assert "a" * 77 + "..." in said
    assert all(sign * 78 not in said for sign in "iga")
