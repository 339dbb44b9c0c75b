"""Conditions on columns: what they choose, and what is said of those that cannot be asked."""

import pickle

import pytest

from rewardkit.data.lazy import lazy
from rewardkit.data.problems import DataProblems
from rewardkit.data.where import Condition
from rewardkit.errors import ConfigError, DataError
from rewardkit.types import Problem

ROW = {"level": 4, "source": "amc", "rate": 0.5, "hint": None, "tags": ["a", "b"], "meta": {"n": 3}, "solved": False, "text": "x' y"}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("level >= 4", True),
        ("level > 4", False),
        ("1 < level <= 4", True),
        ("level == 4.0", True),
        ("level != 4", False),
        ("source == 'amc'", True),
        ("source in ['amc', 'aime']", True),
        ("source not in ('amc', 'aime')", False),
        ("'a' in tags and 'c' not in tags", True),
        ("'m' in source", True),
        ("not solved", True),
        ("solved or level == 4 and not rate > 0.5", True),
        ("(solved or level == 4) and rate > 0.5", False),
        ("meta.n == 3", True),
        ("len(tags) == 2 and len(text) < 10", True),
        ("hint is None", True),
        ("hint is not None", False),
        ("hint > 3", False),
        ("hint < 3", False),
        ("not hint > 3", True),
        ("len(hint) > 0", False),
        ("rate >= -1", True),
        ('text == "x\' y"', True),
    ],
)
def test_what_holds_of_a_row(text, holds):
    condition = pickle.loads(pickle.dumps(Condition(text)))
    assert condition(ROW) is holds


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is no condition"),
        ("level >=", "is no condition .*write it as in where = "),
        ("level = 3", "is no condition"),
        ("__import__('os').system('x')", "is nothing that a condition may hold"),
        ("level + 1 > 3", "'level \\+ 1' is nothing"),
        ("max(tags) == 'b'", "is nothing that a condition may hold"),
        ("tags[0] == 'a'", "is nothing that a condition may hold"),
        ("[x for x in tags]", "is nothing that a condition may hold"),
        ("level is 4", "`is` asks for None alone; compare values with =="),
        ("len(tags, 2) > 0", "is nothing that a condition may hold"),
        ("(lambda: 1)() == 1", "is nothing that a condition may hold"),
        ("f'{level}' == '4'", "is nothing that a condition may hold"),
    ],
)
def test_what_is_no_condition_is_refused(text, message):
    with pytest.raises(ConfigError, match=message):
        Condition(text)


def test_text_and_numbers_have_no_order(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"problem": "x", "answer": "1", "level": "Level 5"}\n')
    with pytest.raises(DataError, match=r"a.jsonl:1: where 'level >= 3' .*level = 'Level 5'"):
        len(DataProblems(str(path)).chosen(where="level >= 3"))


PROBLEMS = [Problem(str(i), f"q{i}", str(i), info={"level": i % 3}) for i in range(30)]


def chosen(problems, *choice, **more):
    return lazy(problems).chosen(*choice, **more)


def ids(problems):
    return [int(problem.id) for problem in problems]


def test_where_limit_and_shuffle_of_any_problems():
    assert ids(chosen(PROBLEMS, "level == 1", 3)) == [1, 4, 7]
    assert ids(chosen(PROBLEMS, "level == 1 and question != 'q4'", 2)) == [1, 7]
    assert ids(chosen(PROBLEMS, limit=2)) == [0, 1]
    shuffled = ids(chosen(PROBLEMS, "level == 1", shuffle=7))
    assert sorted(shuffled) == list(range(1, 30, 3)) != shuffled
    assert ids(chosen(PROBLEMS, "level == 1", 4, shuffle=7)) == shuffled[:4]
    assert ids(chosen(PROBLEMS, "level == 1", shuffle=8)) != shuffled
    copy = pickle.loads(pickle.dumps(chosen(PROBLEMS, "level == 1", 4, shuffle=7)))
    assert ids(copy[1:3]) == shuffled[1:3]


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("levle == 1", r"asks for a column 'levle' that no row has; did you mean level"),
        ("level == 9", r"leaves none of 30 problems; the first has level = 0"),
    ],
)
def test_a_condition_that_leaves_nothing_says_why(where, message):
    with pytest.raises(DataError, match=message):
        len(chosen(PROBLEMS, where))


def test_a_limit_below_zero_is_refused():
    with pytest.raises(ConfigError, match="limit must be 0"):
        chosen(PROBLEMS, limit=-1)


def test_what_a_large_set_leaves_is_found_once(tmp_path, monkeypatch):
    for module in ("problems", "lazy"):
        monkeypatch.setattr(f"rewardkit.data.{module}.SMALL", 3)
    monkeypatch.setenv("REWARDKIT_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "a.jsonl"
    rows = [f'{{"problem": "q{i}", "answer": "1", "prompt": {i}}}' for i in range(9)]
    path.write_text("\n".join(rows))

    def found(where):
        return [p.question for p in DataProblems(str(path)).chosen(where)]

    assert found("prompt > 6") == ["q7", "q8"]
    monkeypatch.setattr(Condition, "__call__", lambda *_: pytest.fail("asked a second time"))
    assert found("prompt > 6") == ["q7", "q8"]
    path.write_text("\n".join(rows[:8] + rows[:1]))
    with pytest.raises(pytest.fail.Exception):
        found("prompt > 6")


def test_what_is_chosen_opens_no_file_again(tmp_path, monkeypatch):
    path = tmp_path / "a.jsonl"
    path.write_text('{"problem": "x", "answer": "1"}\n' * 3)
    problems = DataProblems(str(path))
    assert len(problems.chosen(limit=2)) == 2
    monkeypatch.setattr(DataProblems, "_open", lambda _: pytest.fail("opened again"))
    assert (len(problems), len(problems.chosen(limit=1).labelled("a"))) == (3, 1)
