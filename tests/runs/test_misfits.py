import math
from typing import Any, TypedDict

import pytest

from rewardkit.runs.misfits import misfit
from rewardkit.runs.results import Evaluation
from rewardkit.types import Finish


class Row(TypedDict, total=False):
    name: str
    counts: dict[str, int]
    pairs: tuple[tuple[int, float], ...]
    finish: Finish
    rest: Any
    maybe: int | str | None


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"name": None, "counts": {"a": 1}, "pairs": [[1, 2.5], [3, 4]], "finish": "stop"},
        {"rest": object(), "maybe": "x", "another": object()},
        {"maybe": 3, "pairs": [], "counts": {}},
    ],
)
def test_what_fits(value):
    assert misfit(value, Row) == ""


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([], "is [], expected Row"),
        ({"name": 3}, ".name is 3, expected str"),
        ({"counts": {"a": True}}, ".counts.a is True, expected int"),
        ({"counts": {"a": 10**400}}, ".counts.a is 1000"),
        ({"counts": [1]}, ".counts is [1], expected"),
        ({"pairs": [[1, 2], [1]]}, ".pairs.1 is [1], expected"),
        ({"pairs": [[1, "2"]]}, ".pairs.0.1 is '2', expected float"),
        ({"finish": "never"}, ".finish is 'never', expected Finish"),
        ({"maybe": []}, ".maybe is [], expected int"),
    ],
)
def test_what_does_not_fit_is_named_by_its_place(value, said):
    assert misfit(value, Row).startswith(said)


def test_an_evaluations_problems_are_looked_at():
    one = {"sets": {"s": {"per_problem": [{"id": 3}]}}}
    assert misfit(one, Evaluation).startswith(".sets.s.per_problem.0.id is 3")
    assert misfit({"sets": {"s": {"accuracy": math.nan, "problems": 3}}}, Evaluation) == ""
