"""A probe, and the forms in which responses give their answers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from rewardkit.types import Problem
from rewardkit.validation.golds import column_text

ANSWER = "ANSWER"
COLUMN = re.compile(r"(?<![\w\\}^$])\{(?!ANSWER\})([A-Za-z_]\w*)\}")
"""A column in a form; what stands in braces after a letter or a sign of LaTeX is LaTeX."""


@dataclass(frozen=True, slots=True)
class Probe:
    """One response to grade: `accept` is what a careful person says of it.

    `kind` is a group, or a group and what is special: "mutated: sign". Of what is not `certain`
    careful people differ; it is counted apart and breaks no bound.
    """

    problem: Problem
    response: str
    kind: str
    accept: bool
    certain: bool = True

    @property
    def group(self) -> str:
        """The kind without what is special."""
        return self.kind.partition(":")[0]


FORMS: Mapping[str, str] = MappingProxyType(
    {
        "box": "I work it out. So the final answer is \\boxed{ANSWER}.",
        "tag": "<think>I work it out.</think><answer>ANSWER</answer>",
        "sentence": "I work it out. The final answer is ANSWER",
        "hashes": "I work it out.\n#### ANSWER",
        "bare": "ANSWER",
    }
)
"""Where models put an answer. Which of them a verifier reads is found out, not assumed."""


def written(form: str, answer: str) -> str:
    r"""Return a response that gives an answer in a form, by its name or as text with ANSWER in it.

    >>> written("hashes", "12")
    'I work it out.\n#### 12'
    """
    return FORMS.get(form, form).replace(ANSWER, answer)


def filled(form: str, problem: Problem) -> str:
    r"""Return a form with what a problem's columns hold in the places of their names.

    Raises:
        DataError: a column that the problem lacks, or that holds no text.

    >>> filled("\\boxed{ANSWER} {currency}", Problem("1", "?", "4", info={"currency": "EUR"}))
    '\\boxed{ANSWER} EUR'
    """
    return COLUMN.sub(lambda found: column_text(problem, found[1], "--form", "text"), form)
