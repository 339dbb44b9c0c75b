"""Grade stored responses: a file of rows with `gold` and `response`, see `runs.graded_rows`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rewardkit.evaluation.measures.results import MOST_REASONS
from rewardkit.evaluation.measures.scoring import mean_score, score_of
from rewardkit.files import make_folder, write_json
from rewardkit.runs.graded_rows import GradedRow, read_rows, verdicts_on, write_rows
from rewardkit.types import UNDECIDED, Outcome, Verdict, VerifierLike
from rewardkit.verifiers import VerifierPool

GRADED_FILE = "graded.jsonl"
FIGURES_FILE = "figures.json"


def grade_file(
    path: Path,
    verifier: VerifierLike,
    workers: int | None = None,
    folder: Path | None = None,
    gold: str = "gold",
    response: str = "response",
    deadline_s: float = 10.0,
) -> dict[str, Any]:
    """Grade all rows and return `n`, `accuracy`, `label_agreement`, `outcomes` and more.

    `accuracy` is over the rows whose verdict says something; `label_agreement` is the share of
    labelled rows among those on which the label says the same (None without labels); `score` is
    the mean score with both intervals (None where scores say what outcomes say). With a
    `folder` the rows with their verdicts are written there, and what is returned. `gold` and
    `response` are the columns of gold answers and responses, `deadline_s` the seconds of one
    verdict. `reasons` counts the most frequent ones why rows could not be graded.

    Raises:
        DataError: a row that cannot be used; names file, line and field.
        ConfigError: the folder cannot be written.
    """
    rows = list(read_rows(path, gold, response))
    with VerifierPool(verifier, workers, deadline_s) as pool:
        verdicts = verdicts_on(rows, pool.verify)
    figures = _figures(rows, verdicts)
    if folder is not None:
        make_folder(folder)
        write_rows(folder / GRADED_FILE, map(GradedRow.graded, rows, verdicts))
        write_json(folder / FIGURES_FILE, figures)
    return figures


def _figures(rows: Sequence[GradedRow], verdicts: Sequence[Verdict]) -> dict[str, Any]:
    graded = [(r, v) for r, v in zip(rows, verdicts, strict=True) if v.outcome not in UNDECIDED]
    labelled = [(row, verdict) for row, verdict in graded if row.label is not None]
    disagreeing = [(row, v) for row, v in labelled if row.label != v.correct]
    by_problem: dict[str, list[Verdict]] = defaultdict(list)
    for row, verdict in graded:
        by_problem[row.problem or row.where].append(verdict)
    groups = by_problem.values()
    undecided = [v.reason for v in verdicts if v.outcome in UNDECIDED]
    score = score_of([(sum(v.correct for v in found), len(found)) for found in groups])
    return {
        "n": len(rows),
        "accuracy": sum(v.correct for _, v in graded) / len(graded) if graded else None,
        "label_agreement": 1 - len(disagreeing) / len(labelled) if labelled else None,
        "outcomes": {o.value: sum(v.outcome is o for v in verdicts) for o in Outcome},
        "graded": len(graded),
        "reasons": dict(Counter(undecided).most_common(MOST_REASONS)),
        "labelled": len(labelled),
        "problems": len(by_problem),
        "accuracy_by_problem": score["accuracy"],
        "interval_these_problems": score["interval_these_problems"],
        "interval_new_problems": score["interval_new_problems"],
        "score": mean_score(
            [[v.outcome for v in found] for found in groups],
            [[v.score for v in found] for found in groups],
        ),
        "disagreements": [
            {
                "where": row.where,
                "problem": row.problem,
                "gold": row.gold,
                "extracted": verdict.extracted,
                "outcome": verdict.outcome.value,
                "label": row.label,
            }
            for row, verdict in disagreeing[:50]
        ],
    }
