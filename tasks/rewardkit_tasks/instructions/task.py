"""The task: IFEval's prompts to test on, rows of one's own in its form to train on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from rewardkit.data.rows import Row
from rewardkit.errors import DataError
from rewardkit.tasks import PromptTemplate
from rewardkit.types import Task
from rewardkit_tasks.instructions.checks import CHECKS
from rewardkit_tasks.instructions.language import detector
from rewardkit_tasks.instructions.verifier import InstructionVerifier
from rewardkit_tasks.sets.hub_set import HubSet, Read, SetProblems, Where, text


def ifeval(
    path: str | None = None,
    train: str | None = None,
    mode: Literal["strict", "loose"] = "strict",
) -> Task:
    """Return IFEval: 541 prompts whose instructions a program can check.

    Args:
        path: a local copy: rows with prompt, instruction_id_list and kwargs.
        train: rows of the same form to train on.
        mode: how strictly a response is read, see `InstructionVerifier`.

    Raises:
        MissingExtraError: `langdetect` is not installed, which some instructions need.
        DataError: at the first look, for a row that cannot be used, or a hub out of reach.
    """
    detector()
    return Task(
        name="ifeval",
        train=SetProblems(IFEVAL, train, split="train") if train else (),
        test=SetProblems(IFEVAL, path),
        messages=PromptTemplate("{question}"),
        verifier=InstructionVerifier(mode),
        source=IFEVAL.reference if path is None else path,
        licence=IFEVAL.licence,
        remarks=[f"ifeval: {remark}" for remark in IFEVAL.remarks],
    )


def read(row: Row, where: Where) -> Read:
    """A prompt, the names of its instructions, and the arguments of each."""
    names, arguments = row.get("instruction_id_list"), row.get("kwargs")
    if not isinstance(names, list) or not isinstance(arguments, list):
        raise DataError(f"{where()}: fields 'instruction_id_list' and 'kwargs' must be lists")
    if not names or len(names) != len(arguments):
        raise DataError(
            f"{where()}: {len(names)} in 'instruction_id_list' and {len(arguments)} in 'kwargs'; "
            "expected one of each, at least"
        )
    if unknown := [name for name in names if name not in CHECKS]:
        raise DataError(
            f"{where()}: no instruction is called {unknown[0]!r}; there are {', '.join(CHECKS)}"
        )
    given = [_given(argument, where) for argument in arguments]
    columns = {"instruction_id_list": names, "kwargs": given}
    return Read(text(row, ("prompt", "question"), where), "", columns, str(row.get("key", "")))


def _given(arguments: object, where: Where) -> dict[str, object]:
    """Return the arguments that are given; the hub's rows have all of them, most as null."""
    if not isinstance(arguments, Mapping):
        raise DataError(f"{where()}: each of 'kwargs' must be a table, found {arguments!r:.60}")
    return {name: value for name, value in arguments.items() if value is not None}


IFEVAL = HubSet(
    "ifeval",
    hub="google/IFEval",
    revision="966cd89545d6b6acfd7638bc708b98261ca58e84",
    licence="Apache-2.0",
    read=read,
    remarks=("sentences are told apart by rules here, by a trained model in IFEval's own code",),
)
