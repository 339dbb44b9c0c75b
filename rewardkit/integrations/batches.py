"""Tables: verdict columns for `datasets.map`, pandas, and Ray Data.

grade = batch_grader("math", response="completion", gold="answer")
dataset.map(grade, batched=True, num_proc=2)   # datasets
frame.join(grade(frame))                       # pandas
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rewardkit.data.messages import said
from rewardkit.errors import ConfigError, nearest_hint
from rewardkit.integrations.grading import AnswerIn, Grader, Target, plain, rows_of
from rewardkit.runs.graded_rows import VERDICT, verdict_columns


def batch_grader(
    target: Target,
    *,
    response: str = "response",
    gold: str = "answer",
    answer_in: AnswerIn = (),
    prefix: str = "",
    workers: int | None = None,
    deadline_s: float = 10.0,
) -> BatchGrader:
    """Return a picklable function from a batch to its verdict columns.

    Args:
        target: a verifier, a function, a `Task`, or the name of one.
        response: the column of responses: texts, or chats.
        gold: the column of gold answers.
        answer_in: where the answer stands, as in `verifier_of`.
        prefix: what the new columns' names begin with.
        workers: verifier processes in each process that calls it; by default one a core.
        deadline_s: wall-clock seconds that one verdict may take.

    >>> grade = batch_grader("integer")
    >>> grade({"response": ["so 12", "13"], "answer": [12, 12]})["outcome"]
    ['correct', 'incorrect']
    """
    grader = Grader(target, gold=gold, answer_in=answer_in, workers=workers, deadline_s=deadline_s)
    return BatchGrader(grader, response, prefix)


class BatchGrader:
    """What `batch_grader` returns."""

    def __init__(self, grader: Grader, response: str, prefix: str) -> None:
        self.grader, self.response, self.prefix = grader, response, prefix

    def __call__(self, batch: Any) -> Any:
        """Return the verdict columns of a batch, as a table of the batch's own kind.

        Args:
            batch: a mapping from names to lists or arrays (or of one row, to values), or a
                pandas DataFrame.

        Raises:
            ConfigError: it has no column of responses.
            DataError: it has no column of golds, or a gold or response is none.
        """
        columns = {str(name): plain(batch[name]) for name in batch}
        if self.response not in columns:
            raise ConfigError(
                f"there is no column {self.response!r} of responses"
                f'{nearest_hint(self.response, columns)}. Name it: response="..."'
            )
        responses = columns.pop(self.response)
        if isinstance(responses, str):
            found = self._found([responses], [columns])
            return {name: values[0] for name, values in found.items()}
        found = self._found(
            [said(plain(one)) for one in responses], rows_of(columns, len(responses))
        )
        if isinstance(batch, Mapping):
            return found
        return type(batch)(found, index=batch.index)

    def _found(
        self, texts: Sequence[str], rows: Sequence[Mapping[str, Any]]
    ) -> dict[str, list[Any]]:
        found = [verdict_columns(verdict) for verdict in self.grader.verdicts(texts, rows)]
        return {self.prefix + name: [row[name] for row in found] for name in VERDICT}
