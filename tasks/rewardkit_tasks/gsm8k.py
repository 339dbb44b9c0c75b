"""GSM8K: grade-school word problems with whole-number answers (arXiv 2110.14168).

Source: `openai/gsm8k` on the Hugging Face hub, or local JSON-lines files. Licence: MIT.
Version: 1. A row holds a question and either the bare answer or a solution that ends with
`#### answer`, as the original files do.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rewardkit.data.hub import read_hub
from rewardkit.errors import DataError
from rewardkit.tasks import PromptTemplate, read_rows
from rewardkit.types import Problem, Task
from rewardkit.verifiers import MathVerifier

HUB_ID, HUB_CONFIG = "openai/gsm8k", "main"
HUB_REVISION = "e53f048856ff4f594e959d75785d2c2d37b678ee"
SOURCE = "GSM8K"
PROMPT = "{question}\n\nThink step by step and put your final answer within \\boxed{{}}."


def gsm8k(train: str | None = None, test: str | None = None) -> Task:
    """Return GSM8K from the hub, or from the local files `train` and `test` (.jsonl).

    Raises:
        DataError: a local row cannot be used (names file, line and field), or no hub is reached.
        MissingExtraError: the hub is asked for and `datasets` is not installed.
    """
    local = train is not None or test is not None
    return Task(
        name="gsm8k",
        train=_read_file(train) if train else ([] if local else _read_hub("train")),
        test=_read_file(test) if test else ([] if local else _read_hub("test")),
        messages=PromptTemplate(PROMPT),
        verifier=MathVerifier(answer_in="box"),
        source=f"{HUB_ID}@{HUB_REVISION}" if not local else f"{train}, {test}",
        licence="MIT",
    )


def _read_file(path: str) -> list[Problem]:
    return problems(read_rows(Path(path)))


def _read_hub(split: str) -> list[Problem]:
    try:
        rows = read_hub(HUB_ID, HUB_CONFIG, HUB_REVISION, split)
    except DataError as error:
        error.add_note(
            "Without a network, give local files: --set task.args.train=train.jsonl "
            "--set task.args.test=test.jsonl"
        )
        raise
    return problems((f"{HUB_ID} {split}: row {i}", row) for i, row in enumerate(rows.each(), 1))


def problems(rows: Iterable[tuple[str, Any]]) -> list[Problem]:
    """Return the problems of GSM8K rows, each given with the place where it stands.

    Raises:
        DataError: a row lacks its question or answer; names the place and the field.
    """
    found = []
    for number, (where, row) in enumerate(rows, start=1):
        if not isinstance(row, dict):
            raise DataError(f"{where}: expected an object, found {type(row).__name__}")
        question = row.get("question") or row.get("problem")
        if not isinstance(question, str):
            raise DataError(f"{where}: no text in field 'question' or 'problem'")
        answer = row.get("answer")
        text = "" if answer is None else str(answer)
        gold = text.rpartition("####")[2].strip().replace(",", "")
        if not gold:
            raise DataError(f"{where}: no answer in field 'answer'")
        found.append(Problem(str(row.get("id", f"gsm8k-{number}")), question, gold, SOURCE))
    return found
