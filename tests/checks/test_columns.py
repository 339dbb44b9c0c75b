"""What is said when a task is loaded whose problems lack what its verifier asks for."""

import sys
from types import ModuleType

import pytest

from rewardkit.errors import ConfigError, DataError
from rewardkit.tasks import load_task
from rewardkit.types import Problem, Task


def product(response, answer, numbers, target=None):
    return False


def swapped(response, numbers):
    return False


def named(response, gold, numbers):
    return False


def problem(identity, **info):
    return Problem(identity, "?", "24", info=info)


class Made:
    """Problems that are made as they are asked for; one in three hundred lacks its numbers."""

    def __len__(self):
        return 300_000

    def __getitem__(self, place):
        return problem(str(place), **({} if place % 300_000 == 299_999 // 2 else {"numbers": [1]}))


@pytest.fixture
def load(monkeypatch):
    """Return a function that loads a task by the name of a module that holds it."""

    def make(verifier, train=(), test=(), **suites):
        module = ModuleType("loaded_task")
        module.task = Task("mine", train, test, lambda p: [], verifier, suites=suites)
        monkeypatch.setitem(sys.modules, "loaded_task", module)
        return load_task("loaded_task:task")

    return make


GOOD = [problem("1", numbers=[3, 8]), problem("2", numbers=[4, 6], hint="x")]


def test_a_task_with_all_its_columns_is_loaded(load):
    for verifier in (product, named, lambda response, answer: True):
        task = load(verifier, GOOD, GOOD)
        assert task.verifier.asked.needed == (
            () if verifier not in (product, named) else ("numbers",)
        )


@pytest.mark.parametrize(
    ("sets", "message"),
    [
        (
            {"train": [*GOOD, problem("3", number=[1])]},
            "task mine, row 3 of train: problem '3' has no column 'numbers', which the verifier "
            "asks for; did you mean number? Known: number. Give the problem one, "
            'info={"numbers": ...}, or the verifier\'s parameter a default, numbers=None',
        ),
        ({"test": [problem("3")]}, "row 1 of test: problem '3' has no column 'numbers'"),
        ({"hard": [*GOOD, problem("9")]}, "row 3 of hard: problem '9' has no column"),
        ({"train": [Problem("4", "?", "24")]}, "; Known: (none). Give the problem one"),
    ],
)
def test_a_missing_column_is_said_with_set_and_row(load, sets, message):
    with pytest.raises(DataError) as caught:
        load(product, **sets)
    assert message in str(caught.value)


def test_a_column_in_the_place_of_the_answer_is_said(load):
    with pytest.raises(ConfigError, match=r"row 1 of test: there is a column 'numbers', and the"):
        load(swapped, (), GOOD)
    same = [Problem("1", "?", "1, 2", info={"numbers": [1, 2]})]
    assert load(swapped, (), same).test == same  # the answer stands in a column as well


def test_of_problems_that_are_made_a_part_is_looked_at(load):
    assert len(load(product, Made()).train) == 300_000  # quickly, and the one is not among them
    with pytest.raises(DataError, match="row 1 of train"):
        load(lambda response, answer, cases: True, Made())
