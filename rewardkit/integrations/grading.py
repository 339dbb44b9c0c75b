"""What the adapters share: a verifier by whatever it is called, and rows of columns as problems."""

from __future__ import annotations

import contextlib
import difflib
import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from rewardkit.columns import Columns
from rewardkit.errors import (
    CLOSE,
    ConfigError,
    DataError,
    TrainingError,
    UnknownNameError,
    nearest_hint,
)
from rewardkit.golds import as_text
from rewardkit.registry import TASKS, VERIFIERS
from rewardkit.types import UNDECIDED, Outcome, Problem, Task, Verdict, Verifier, VerifierLike
from rewardkit.verifiers.declaration import with_answer_in
from rewardkit.verifiers.functions import as_verifier
from rewardkit.verifiers.loading import load_verifier
from rewardkit.verifiers.options import checked
from rewardkit.verifiers.pool.pool import VerifierPool
from rewardkit.verifiers.signature import OWN, WHOLE, Asked

Target = VerifierLike | Task | str
"""A verifier, a function, a task (its verifier is taken), or the name of one of these."""

AnswerIn = str | tuple[str, ...] | list[str]
"""Where the answer stands: one place or several."""


def verifier_of(target: Target, answer_in: AnswerIn = ()) -> Verifier:
    """Return the verifier behind whatever an adapter was given.

    Args:
        target: the verifier.
        answer_in: where the prompts say that the answer stands, as in `MathVerifier`; by default
            where a task declares it, and anywhere for a verifier that says nothing.

    Raises:
        UnknownNameError: neither a verifier nor a task has that name.
        ConfigError: it can be no verifier, or decides by itself where it reads.

    >>> verifier_of("integer", "box")
    IntegerVerifier(low=None, high=None, answer_in=('box',))
    """
    found = _verifier_of(target)
    return as_verifier(with_answer_in(found, checked(answer_in))) if answer_in else found


def _verifier_of(target: Target) -> Verifier:
    if isinstance(target, Task):
        return as_verifier(target.verifier)
    if not isinstance(target, str):
        return as_verifier(target)
    if target in TASKS.names() and target not in VERIFIERS.names():
        from rewardkit.tasks import load_task

        return as_verifier(load_task(target).verifier)
    try:
        return load_verifier(target)
    except UnknownNameError as error:
        near = difflib.get_close_matches(target, TASKS.names(), cutoff=CLOSE)
        unknown = UnknownNameError("verifier or task", target, {*VERIFIERS.names(), *near})
        for note in (
            *error.__notes__,
            "`rewardkit tasks` lists the tasks; a task's name stands for its verifier.",
        ):
            unknown.add_note(note)
        raise unknown from error


class Grader:
    """Grades rows of columns with one verifier, in its `pool`; picklable, each copy with its own.

    Args:
        target: the verifier.
        gold: the column that holds the gold answer.
        answer_in: where the answer stands, see `verifier_of`.
        workers: as in `VerifierPool`.
        deadline_s: wall-clock seconds that one verdict may take.
    """

    def __init__(
        self,
        target: Target,
        *,
        gold: str = "answer",
        answer_in: AnswerIn = (),
        workers: int | None = None,
        deadline_s: float = 10.0,
    ) -> None:
        self.gold = gold
        self.pool = VerifierPool(
            verifier_of(target, answer_in), workers=workers, deadline_s=deadline_s
        )

    @property
    def name(self) -> str:
        """What the verifier is called in a trainer's metrics."""
        found: str | None = getattr(self.pool.verifier, "__name__", None)
        return found or type(self.pool.verifier).__name__

    def problem(self, row: Mapping[str, Any]) -> Problem:
        """Return a row as a problem with the columns that the verifier asks for.

        Raises:
            DataError: the row lacks the gold, or it is none; names the columns that there are.
        """
        return row_problem(row, self.gold, self.pool.asked)

    def verdicts(
        self, responses: Sequence[str], rows: Iterable[Mapping[str, Any]]
    ) -> list[Verdict]:
        """Return the verdict of each response to the problem of its row."""
        problems = [self.problem(row) for row in rows]
        return list(self.pool.verify(list(zip(responses, problems, strict=True))))

    def training_verdict(self, response: str, row: Mapping[str, Any]) -> Verdict:
        """Return the verdict of one response; a row that cannot be used is a BAD_GOLD."""
        problem = self.training_problem(row)
        return problem if isinstance(problem, Verdict) else self.pool.verify_one(response, problem)

    async def atraining_verdict(self, response: str, row: Mapping[str, Any]) -> Verdict:
        """Return what `training_verdict` does, without keeping the event loop waiting."""
        problem = self.training_problem(row)
        if isinstance(problem, Verdict):
            return problem
        return await self.pool.averify(response, problem)

    def training_verdicts(
        self, responses: Sequence[str], rows: Iterable[Mapping[str, Any]]
    ) -> list[Verdict]:
        """Return what `verdicts` does; a row that cannot be used is a BAD_GOLD and a warning.

        One bad row of a million must not end a training; that a column is missing is said.
        """
        asked = [self.training_problem(row) for row in rows]
        usable = [
            (response, one)
            for response, one in zip(responses, asked, strict=True)
            if isinstance(one, Problem)
        ]
        found = self.pool.verify(usable)
        return [next(found) if isinstance(one, Problem) else one for one in asked]

    def training_problem(self, row: Mapping[str, Any]) -> Problem | Verdict:
        """Return a row as a problem, or the verdict that it cannot be used; see above."""
        try:
            return self.problem(row)
        except (DataError, TypeError, ValueError, AttributeError, RecursionError) as error:
            if self.gold not in row:
                raise
            reason = f"the row cannot be used: {error}"
            warnings.warn(reason, RuntimeWarning, stacklevel=3)
            return Verdict(Outcome.BAD_GOLD, gold="", method="row", reason=reason)


def decided(verdict: Verdict) -> Verdict:
    """Return a verdict, where a response may fail that nobody can grade.

    Raises:
        TrainingError: it is undecided.
    """
    if verdict.outcome in UNDECIDED:
        raise TrainingError(f"the verdict is {verdict.outcome.value}: {verdict.reason}")
    return verdict


def row_problem(row: Mapping[str, Any], gold: str, asked: Asked) -> Problem:
    """Return a row of a data set as a problem.

    Raises:
        DataError: there is no such column for the gold, or what it holds is no gold.

    >>> row_problem({"answer": 24, "target": 3, "image": b""}, "answer", Asked(("target",)))
    Problem(id='', question='', answer='24', source='', info=Columns({'target': 3}))
    """
    refuse_missing_gold(gold, row)
    wanted: Iterable[str] = (*asked.needed, *asked.optional)
    if WHOLE in wanted:
        wanted = (name for name in row if name != gold)
    columns: dict[str, Any] = {}
    for name in wanted:
        if name in row and row[name] is not None:
            # What JSON does not hold, an image, is no column of a problem: whether it is missed
            # is for the pool to say, which knows what is needed.
            with contextlib.suppress(DataError):
                columns[name] = Columns({name: row[name]})[name]
    own = {name: _text(row.get(name)) for name in OWN}
    try:
        answer = as_text(plain(row[gold]))
    except TypeError as error:
        raise DataError(f"column {gold!r}: {error}") from error
    return Problem(**own, answer=answer, info=Columns(columns))


def refuse_missing_gold(gold: str, columns: Collection[str]) -> None:
    """Refuse columns without the one of the gold.

    Raises:
        DataError: names the columns that there are.

    >>> refuse_missing_gold("answer", ["solution"])
    Traceback (most recent call last):
    rewardkit.errors.DataError: there is no column 'answer' for the gold answer; Known: solution...
    """
    if gold not in columns:
        hint = nearest_hint(gold, map(str, columns))
        raise DataError(
            f"there is no column {gold!r} for the gold answer{hint}. "
            f'Name the one that holds it: gold="..."'
        )


def plain(value: Any) -> Any:
    """Return an array or number of numpy or torch as plain Python; anything else as it is."""
    return value.tolist() if hasattr(value, "tolist") else value


def rows_of(columns: Mapping[str, Any], count: int) -> list[dict[str, Any]]:
    """Return columns, equally long, as rows; a value that is no column stands in every row.

    Raises:
        ConfigError: a column has another length.

    >>> rows_of({"answer": ["1", "2"], "epoch": 3}, 2)
    [{'answer': '1', 'epoch': 3}, {'answer': '2', 'epoch': 3}]
    """
    rows: list[dict[str, Any]] = [{} for _ in range(count)]
    for name, values in columns.items():
        many = isinstance(values, Sequence) and not isinstance(values, (str, bytes))
        if many and len(values) != count:
            raise ConfigError(f"column {name!r} has {len(values)} values for {count} responses")
        for i, row in enumerate(rows):
            row[name] = values[i] if many else values
    return rows


def _text(value: Any) -> str:
    return "" if value is None or isinstance(value, (list, dict)) else str(value)
