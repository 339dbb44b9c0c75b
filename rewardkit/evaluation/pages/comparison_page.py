"""comparison.html: how sure the gain is, and what both models said where it is won or lost."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from rewardkit.errors import DataError
from rewardkit.evaluation.drawing.ledger import read_samples
from rewardkit.evaluation.engines.recorded import RecordedEngine
from rewardkit.evaluation.pages.display import cost_a_right_one, percent
from rewardkit.evaluation.pages.report import detail, render
from rewardkit.evaluation.samples import Sample
from rewardkit.evaluation.stored import load_results
from rewardkit.pages import shorten
from rewardkit.types import UNDECIDED, Outcome

MOST_READ = 50
"""Problems of a set whose responses are shown, those that changed most."""
LONGEST = 8_000
"""Characters of a text of theirs."""


def write_comparison(found: Mapping[str, Any], folder: Path, runs: tuple[Path, Path]) -> Path:
    """Write `folder`/comparison.html, with responses of both `runs`, and return its path.

    Raises:
        MissingExtraError: jinja2 is not installed.
    """
    held = [_Run(run) for run in runs]
    return render(
        folder,
        "comparison.html",
        found=found,
        intervals={name: _intervals(row) for name, row in found["sets"].items()},
        both={name: of_both(row) for name, row in found["sets"].items()},
        read={name: _read(name, row, held) for name, row in found["sets"].items()},
        most=MOST_READ,
        data={},
    )


def of_both(row: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Return what a comparison of a set says of each model alone: label, of A, of B."""
    keys: list[tuple[str, str, Callable[[Any], str]]] = [("accuracy %", "accuracy", percent)]
    if any(row[f"answered_share_{x}"] not in (None, 1) for x in "ab"):
        keys.append(("answered %", "answered_share", percent))
        keys.append(("right if answered %", "accuracy_given_answer", percent))
    keys.append(("a right response cost", "cost", cost_a_right_one))
    return [(label, told(row[f"{key}_a"]), told(row[f"{key}_b"])) for label, key, told in keys]


def _intervals(row: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return both findings with their places on an axis from -scale to scale that is 600 wide."""
    questions = [("these problems", row["these_problems"]), ("like these", row["new_problems"])]
    widest = max(abs(end) for _, f in questions for end in (f["low"], f["high"], f["gain"]))
    scale = max(widest, 0.01) * 1.1
    return [
        {
            "label": label,
            **finding,
            **{
                f"x_{at}": round(300 + 300 * finding[at] / scale, 1)
                for at in ("low", "high", "gain")
            },
        }
        for label, finding in questions
    ]


class _Run:
    """The texts of an evaluation; none where its samples are not at hand."""

    def __init__(self, folder: Path) -> None:
        self.problems: dict[str, dict[str, Mapping[str, Any]]] = {}
        self.samples: Mapping[str, Sample] = {}
        self.prompts: Mapping[str, str] = {}
        with suppress(OSError, DataError):
            self.samples, sets = read_samples(folder), load_results(folder)["sets"]
            for name, row in sets.items():
                self.problems[name] = {one["id"]: one for one in row["per_problem"]}
            self.prompts = RecordedEngine(folder).prompts

    def responses(self, problem: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return the first response that is right, and the first that is not."""
        held = [self.samples.get(one["key"]) for one in problem.get("samples") or ()]
        graded = [one for one in held if one is not None and one.outcome not in UNDECIDED]
        right = [one for one in graded if one.outcome is Outcome.CORRECT]
        others = [one for one in graded if one.outcome is not Outcome.CORRECT]
        return [detail(problem, one, LONGEST) for one in (*right[:1], *others[:1])]


def _read(name: str, row: Mapping[str, Any], runs: Sequence[_Run]) -> dict[str, dict[str, Any]]:
    """Return question, gold and responses of the problems that changed most, by their ids."""
    found = {}
    for change in [one for one in row["changes"] if one["gain"]][:MOST_READ]:
        problems = [run.problems.get(name, {}).get(change["id"], {}) for run in runs]
        both = list(zip(runs, problems, strict=True))
        said = [run.responses(problem) for run, problem in both]
        if any(said):
            asked = [run.prompts.get(str(problem.get("chat_hash"))) for run, problem in both]
            found[change["id"]] = {
                "question": shorten(asked[0] or asked[1] or "", LONGEST, "prompts.json has it"),
                "gold": (problems[0] or problems[1])["gold"],
                "said": said,
            }
    return found
