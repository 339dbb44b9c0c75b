"""DAPO-Math-17k for training, and a contest for validation (arXiv 2503.14476).

Source: `BytedTsinghua-SIA/DAPO-Math-17k` on the Hugging Face hub, which holds each problem a
hundred times, or a local copy: its own parquet file, or rows with problem and answer. Licence:
Apache-2.0. Version: 1. Answers are whole numbers.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from rewardkit.data.cache import keep_numbers, numbers_of
from rewardkit.data.opening import open_rows
from rewardkit.errors import DataError, MissingExtraError
from rewardkit.tasks import PromptTemplate, load_task, read_rows
from rewardkit.types import Problem, Task
from rewardkit.verifiers import MathVerifier

HEAD = (
    "Solve the following math problem step by step. The last line of your response should be of "
    "the form Answer: $Answer (without quotes) where $Answer is the answer to the problem.\n\n"
)
FOOT = '\n\nRemember to put your answer on its own line after "Answer:".'
PROMPT = HEAD + "{question}" + FOOT
"""What the paper asks with, and what the published rows hold around each problem."""

HUB_ID = "BytedTsinghua-SIA/DAPO-Math-17k"
HUB_REVISION = "65877096c24ffa7abc4e4fa5edb95cf3413a5674"
DOWNLOAD = (
    "To have it as data/dapo/data/dapo-math-17k.parquet, type:\n  hf download "
    "BytedTsinghua-SIA/DAPO-Math-17k --repo-type dataset --local-dir data/dapo"
)
QUESTIONS, ANSWERS = ("problem", "question", "prompt"), ("answer", "solution")


def dapo_math(train: str | None = None, test: str = "aime24", prompt: str = PROMPT) -> Task:
    """Return DAPO-Math-17k from the hub or a local file, with another task's problems to test on.

    Args:
        train: a .parquet, .jsonl or .json file; by default the hub, of which all 1.8 million rows
            are read once, and then 17 thousand each time.
        test: the task whose test problems are asked, in the same words: a name such as `aime24`,
            `aime24=PATH` for a local copy, or `file:PATH`.
        prompt: a template with {question}.

    Raises:
        DataError: a row cannot be used (names file, row and field), or no hub is reached.
    """
    return Task(
        name="dapo_math",
        train=problems(_rows(Path(train)) if train else _hub_rows()),
        test=load_task(test).test,
        messages=PromptTemplate(prompt),
        verifier=MathVerifier(answer_in="marker"),
        source=f"{HUB_ID} ({train}); {test}" if train else f"{HUB_ID}@{HUB_REVISION}; {test}",
        licence="Apache-2.0",
    )


def problems(rows: Iterable[tuple[str, Any]]) -> list[Problem]:
    """Return each problem once, in the order of first appearance.

    Raises:
        DataError: a row lacks its problem or answer; names the place and the field.
    """
    found: dict[str, Problem] = {}
    for where, row in rows:
        question, answer = _question(row, where), _answer(row, where)
        if question not in found:
            found[question] = Problem(_identity(row, len(found)), question, answer, "DAPO-Math-17k")
    return list(found.values())


def _question(row: Any, where: str) -> str:
    value = _first(row, QUESTIONS, where)
    if isinstance(value, list):  # a chat, as in verl's own format
        value = value[-1].get("content") if value and isinstance(value[-1], dict) else None
    if not isinstance(value, str):
        raise DataError(f"{where}: the problem is no text, found {type(value).__name__}")
    text = value.removeprefix(HEAD).removesuffix(FOOT).strip()
    if not text:
        raise DataError(f"{where}: the problem is empty")
    return text


def _answer(row: Any, where: str) -> str:
    graded = row.get("reward_model")
    value = graded.get("ground_truth") if isinstance(graded, dict) else _first(row, ANSWERS, where)
    text = "" if value is None else str(value).strip()
    if not text:
        raise DataError(f"{where}: the answer is empty")
    return text


def _first(row: Any, names: tuple[str, ...], where: str) -> Any:
    if not isinstance(row, dict):
        raise DataError(f"{where}: expected an object, found {type(row).__name__}")
    for name in names:
        if row.get(name) not in (None, "", []):
            return row[name]
    raise DataError(f"{where}: no field {' or '.join(map(repr, names))}; found {', '.join(row)}")


def _identity(row: Any, number: int) -> str:
    further = row.get("extra_info")
    index = further.get("index") if isinstance(further, dict) else None
    return str(row.get("id") or index or f"dapo-math-{number + 1}")


def _hub_rows() -> Iterator[tuple[str, Any]]:
    """Yield the first row of each problem; which these are is kept for the next time."""
    try:
        rows = open_rows(f"hf:{HUB_ID}@{HUB_REVISION}", "train")
    except DataError as error:
        error.add_note(f"With a local copy: --set task.args.train=PATH. {DOWNLOAD}")
        raise
    key = f"dapo_math {rows.key}"
    if (places := numbers_of(key)) is None:
        seen: dict[str, int] = {}
        for place, row in enumerate(rows.each()):
            seen.setdefault(_question(row, HUB_ID), place)
        places = array("q", seen.values())
        keep_numbers(key, places)
    for place in places:
        yield rows.where(place), rows.at(place)


def _rows(path: Path) -> Iterator[tuple[str, Any]]:
    if path.suffix != ".parquet":
        yield from read_rows(path)
        return
    try:
        import pyarrow.parquet as pq
    except ModuleNotFoundError as error:
        raise MissingExtraError("pyarrow", "native") from error
    if not path.exists():
        raise DataError(f"{path}: no such file. {DOWNLOAD}")
    with pq.ParquetFile(path) as file:
        number = 0
        for batch in file.iter_batches(8192):
            for row in batch.to_pylist():
                number += 1
                yield f"{path}: row {number}", row
