import re

import pytest

from rewardkit.errors import ConfigError
from rewardkit_tasks.sums import SumsVerifier, line_scores, sums, worked

NUMBERS = [4, 9, 2]


@pytest.mark.parametrize(
    ("response", "outcome", "scores"),
    [
        ("4 + 9 = 13\n13 + 2 = 15\n\\boxed{15}", "correct", [1, 1, 1]),
        ("4 + 9 = 13\n13 + 2 = 16\n\\boxed{16}", "incorrect", [1, 0, 0]),
        ("4 + 9 = 12\n12 + 2 = 14\n\\boxed{14}", "incorrect", [0, 1, 0]),  # one error, once
        ("4 + 9 = 13\n13 + 9 = 22\n\\boxed{22}", "incorrect", [1, 0, 0]),  # another number
        ("4 + 2 = 6\n6 + 9 = 15\n\\boxed{15}", "correct", [0, 0, 1]),  # another order
        ("\\boxed{15}", "correct", [0]),  # no line where one was due
        ("4 + 9 = 13\nwell\n\\boxed{15}", "correct", [1, 0, 1]),
        ("4 + 9 = 13\n13 + 2 = 15\n15", "no_answer", [1, 1, 0]),
        ("4 + 9 = 13\n13 + 2 = 15\n\\boxed{15}\n1 + 1 = 2", "correct", [1, 1, 1, 0]),
        ("", "no_answer", []),
    ],
)
def test_every_line_is_checked(response, outcome, scores):
    verdict = SumsVerifier()(response, "15", numbers=NUMBERS)
    assert (verdict.outcome, [step.score for step in verdict.steps]) == (outcome, scores)
    quick = SumsVerifier().quick(response, "15", numbers=NUMBERS)
    assert quick is None or quick.steps == verdict.steps


def test_further_lines_are_not_paid_for():
    assert line_scores(["1 + 1 = 2"] * 9, [1, 1], right=False) == [1.0] + [0.0] * 8


@pytest.mark.parametrize(("terms", "digits"), [(2, 1), (4, 2)])
def test_answers_are_right_and_no_set_of_numbers_is_in_both(terms, digits):
    task = sums(terms=terms, digits=digits)

    def numbers(problem):
        return tuple(sorted(map(int, re.findall(r"\d+", problem.question))))

    trained, tested = task.train[:300], task.test
    for problem in [*trained, *tested]:
        assert sum(numbers(problem)) == int(problem.answer)
        right = task.verifier(
            problem.info["worked"], problem.answer, numbers=problem.info["numbers"]
        )
        assert right.correct
        assert [step.score for step in right.steps] == [1.0] * terms
    assert not {numbers(p) for p in trained} & {numbers(p) for p in tested}
    assert sums(terms=terms, digits=digits, seed=1).test == tested


def test_the_example_is_worked_and_asked_of_nobody():
    task = sums(terms=3)
    chat = task.messages(task.test[0])
    assert chat[2]["content"] == worked([1, 2, 3])
    assert all(sorted(p.info["numbers"]) != [1, 2, 3] for p in task.test)


@pytest.mark.parametrize("bad", [{"terms": 1}, {"digits": 7}])
def test_arguments_out_of_range(bad):
    with pytest.raises(ConfigError, match=next(iter(bad))):
        sums(**bad)
