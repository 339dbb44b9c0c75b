"""Every labelled row in tests/cases gets its label, but for those that say why they do not."""

import json
import re
from pathlib import Path

import pytest

from rewardkit.audit.cases import read_cases
from rewardkit.verifiers import MathVerifier

FOLDER = Path(__file__).parent.parent / "cases"
FILES = sorted(FOLDER.glob("*.jsonl"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_verdicts_agree_with_the_labels(path):
    cases = read_cases(path)
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    wrong = []
    for case, row in zip(cases, rows, strict=True):
        options = dict(case.options) | row.get("options", {})
        verdict = MathVerifier(**options)(case.response, case.gold)
        if (verdict.correct != case.expected) != ("disagreement" in row):
            wrong.append((case.gold, case.response, case.expected, verdict.reason))
    assert not wrong


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_row_says_where_it_is_from_and_under_which_licence(path):
    for line in path.read_text().splitlines():
        row = json.loads(line)
        assert row["source"]
        assert row["licence"] in ("CC0", "MIT", "Apache-2.0")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_gold_equals_itself(path):
    verifier = MathVerifier()
    golds = {case.gold for case in read_cases(path) if not re.search(r"^\s*$|\$|boxed", case.gold)}
    for gold in golds - {"185\\"}:  # its backslash would escape the brace of the box
        assert verifier(f"\\boxed{{{gold}}}", gold).correct, gold
