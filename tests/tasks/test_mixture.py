"""Several tasks as one: whose problem it is decides how it is asked, graded and counted."""

import json
import pickle

import pytest

from rewardkit.config import config_from, config_to_toml
from rewardkit.data.problems import DataProblems
from rewardkit.errors import ConfigError, DataError
from rewardkit.registry import BACKENDS
from rewardkit.sampling.counts import fingerprint
from rewardkit.sampling.order import order_of
from rewardkit.tasks.mixture import MixedVerifier, held_out_sets, mixed_task
from rewardkit.tasks.settings import grading_task, run_task
from rewardkit.types import Outcome, Problem, Task
from rewardkit.verifiers import MathVerifier, TextVerifier, VerifierPool
from rewardkit_tasks.countdown.verifier import CountdownVerifier

C, I = Outcome.CORRECT, Outcome.INCORRECT  # noqa: E741
WORDS = TextVerifier()
NUMBERS = {"numbers": [2, 4, 8], "target": 24}


def problems(label, count, **info):
    return [Problem(str(i), f"{label} {i}?", "yes", f"from {label}", info) for i in range(count)]


def part(label, train, test, verifier=WORDS, **settings):
    return Task(
        label,
        problems(label, train, **settings.pop("info", {})),
        problems(f"{label} test", test, **settings.pop("test_info", {})),
        lambda problem: [{"role": "user", "content": f"{label}: {problem.id} {problem.question}"}],
        verifier,
        **settings,
    )


@pytest.fixture
def mixed():
    return mixed_task(
        {
            "words": part("words", 30, 3, suites={"hard": problems("hard", 2)}),
            "sets": part("sets", 10, 2, CountdownVerifier(), info={**NUMBERS, "source": "x"}),
            "held": part("held", 0, 4, licence="MIT"),
        },
        {"words": 3, "sets": 1, "held": 0},
    )


def test_a_problem_says_whose_it_is(mixed):
    assert len(mixed.train) == 40
    assert [mixed.train[i].id for i in (0, 29, 30, -1)] == [
        "words/0",
        "words/29",
        "sets/0",
        "sets/9",
    ]
    assert [p.source for p in mixed.train[28:32]] == ["words", "words", "sets", "sets"]
    assert mixed.train[30].info == NUMBERS
    with pytest.raises(IndexError):
        mixed.train[40]
    ids = [problem.id for problem in (*mixed.train, *mixed.test)]
    assert (
        len({*ids}) == 40 + 5 + 4 - 5
    )  # of train and test alike numbered: those of words and sets


def test_it_is_asked_as_its_own_task_does(mixed):
    assert mixed.messages(mixed.train[31])[0]["content"] == "sets: 1 sets 1?"
    assert mixed.messages(mixed.test[-1])[0]["content"] == "held: 3 held test 3?"
    assert mixed.part_of(mixed.train[31]).name == "sets"


def test_it_is_graded_by_its_own_task_s_verifier_in_and_out_of_workers(mixed):
    word, numbers = mixed.train[0], mixed.train[30]
    asked = [("Yes", word), ("no", word), ("(8 - 2) * 4", numbers), ("8 * 3", numbers)]
    with VerifierPool(mixed.verifier, workers=1) as pool:
        found = [pool.verify_one(f"\\boxed{{{response}}}", of) for response, of in asked]
    assert [verdict.outcome for verdict in found] == [C, I, C, I]


def slow(response, answer):
    return response == answer


def test_what_is_quick_stays_quick():
    verifier = MixedVerifier({"maths": MathVerifier(), "words": slow})
    assert verifier.quick("\\boxed{2}", "2", source="maths").outcome is C
    assert verifier.quick("YES", "yes", source="words") is None
    copy = pickle.loads(pickle.dumps(verifier))
    assert copy("\\boxed{2}", "2", source="maths").outcome is C


def test_a_problem_of_no_part_or_without_its_column_is_said(mixed):
    with pytest.raises(DataError, match="a problem of 'other' is of no task of words, sets, held"):
        mixed.verifier("a", "b", source="other")
    with pytest.raises(DataError, match="a problem of sets has no column 'numbers'"):
        mixed.verifier("1", "b", source="sets")


def test_held_out_sets_are_told_apart(mixed):
    found = held_out_sets(mixed)
    assert {name: len(one) for name, one in found.items()} == {
        "words": 3,
        "words/hard": 2,
        "sets": 2,
        "held": 4,
    }
    assert found["words/hard"][0].id == "words/0"
    assert {p.source for one in found.values() for p in one} == {"words", "sets", "held"}
    plain = part("words", 1, 2, suites={"hard": problems("hard", 2), "none": []})
    assert list(held_out_sets(plain)) == ["test", "hard"]


def test_the_stream_has_each_source_by_its_weight(mixed):
    order = order_of(mixed.train, seed=5)
    drawn = [mixed.train[order.at(i)].source for i in range(1000)]
    assert (drawn.count("words"), drawn.count("sets"), drawn.count("held")) == (750, 250, 0)
    own = order_of(mixed.parts["words"].train, 5)
    words = [mixed.train[order.at(i)].id for i in range(1000) if drawn[i] == "words"]
    assert words == [f"words/{own.at(i)}" for i in range(750)]


def test_other_problems_have_another_fingerprint(mixed):
    other = mixed_task(
        {**mixed.parts, "sets": part("sets", 10, 2)}, {"words": 3, "sets": 1, "held": 0}
    )
    more = mixed_task(
        {**mixed.parts, "held": part("held", 3, 4)}, {"words": 3, "sets": 1, "held": 0}
    )
    assert len({fingerprint(task.train) for task in (mixed, other, more)}) == 3
    again = mixed_task(mixed.parts, {"words": 1, "sets": 1, "held": 0})
    assert fingerprint(again.train) == fingerprint(mixed.train)


@pytest.mark.parametrize(
    ("labels", "weights", "message"),
    [
        (["a", "b/c"], [1, 1], r"'b/c' cannot be the label .*say label = \"NAME\""),
        (["a", "test"], [1, 1], r"'test' cannot be the label"),
        (["a", ""], [1, 1], r"'' cannot be the label"),
        (["a", "b"], [1, -1], r"weights are 0 or more, and one is above 0; found \[1, -1\]"),
        (["a", "b"], [0, 0], r"one is above 0"),
    ],
)
def test_labels_and_weights_that_cannot_be_used(labels, weights, message):
    parts = {label: part("x", 2, 2) for label in labels}
    with pytest.raises(ConfigError, match=message):
        mixed_task(parts, dict(zip(labels, weights, strict=True)))


def test_a_part_with_a_weight_needs_training_problems():
    mixed = mixed_task({"a": part("a", 2, 2), "b": part("b", 0, 2)}, {"a": 1, "b": 1})
    with pytest.raises(
        ConfigError, match="task b of the mixture has no training problems; with weight = 0"
    ):
        order_of(mixed.train, 0)


ROWS = "\n".join(json.dumps({"question": f"q{i}", "answer": i, "level": i % 3}) for i in range(9))


@pytest.fixture
def configuration(tmp_path):
    (tmp_path / "rows.jsonl").write_text(ROWS)
    (tmp_path / "more.jsonl").write_text(ROWS)
    tasks = [
        {"name": "arithmetic", "args": {"operations": ["+"], "train_size": 20}, "weight": 2},
        {"name": f"file:{tmp_path / 'rows.jsonl'}", "test": str(tmp_path / "more.jsonl"), "where": "level > 0", "prompt": "Say {question}", "verifier": "text"},
        {"name": f"file:{tmp_path / 'more.jsonl'}", "label": "held", "weight": 0, "chat_template_kwargs": {"a": 1}},
    ]  # fmt: skip
    return {"folder": "x", "steps": 1, "tasks": tasks}


def test_a_configuration_with_several_tasks(configuration):
    import tomllib

    config = config_from(configuration)
    assert config_from(tomllib.loads(config_to_toml(config))) == config
    task = run_task(config)
    assert {label: len(one.train) for label, one in task.parts.items()} == {
        "arithmetic": 20,
        "rows": 6,
        "held": 9,
    }
    problem = task.train[20]
    assert (problem.id, problem.source, problem.info["level"]) == ("rows/2", "rows", 1)
    assert task.messages(problem) == [{"role": "user", "content": "Say q1"}]
    assert task.part_of(task.test[-1]).chat_template_kwargs == {"a": 1}
    drawn = [task.train[order_of(task.train, 0).at(i)].source for i in range(1000)]
    assert drawn.count("rows") == 333
    heavier = run_task(config_from(configuration, ["tasks.1.weight=6"]))
    drawn = [heavier.train[order_of(heavier.train, 0).at(i)].source for i in range(1000)]
    assert drawn.count("rows") == 750


def test_a_program_mixes_tasks_as_a_configuration_does(monkeypatch):
    import rewardkit as rk

    seen = []
    monkeypatch.setattr(BACKENDS, "get", lambda name: lambda config, **_: seen.append(config))
    two = ["arithmetic", {"name": "countdown", "weight": 2}]
    rk.train(folder="x", steps=1, task=two)
    rk.train(folder="x", steps=1, task="countdown")
    assert [(one.name, one.weight) for one in seen[0].tasks] == [
        ("arithmetic", 1),
        ("countdown", 2),
    ]
    assert (seen[1].task.name, seen[1].tasks) == ("countdown", ())


def test_a_process_that_grades_a_mixture_opens_none_of_its_data(configuration, monkeypatch):
    monkeypatch.setattr(DataProblems, "_check", lambda *_: pytest.fail("opened"))
    task = grading_task(config_from(configuration))
    problem = Problem("rows/1", "q", "4", "rows")
    with VerifierPool(task.verifier, workers=1) as pool:
        assert pool.verify_one("The answer is \\boxed{4}", problem).outcome is C


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"task": {"name": "gsm8k"}, "tasks": [{"name": "arithmetic"}]}, r"\[task\] and \[\[tasks\]\] are both given"),
        ({"tasks": [{"name": "arithmetic"}, {"name": "arithmetic"}]}, "two tasks of the mixture are called 'arithmetic'; .*label = \"arithmetic2\""),
        ({"tasks": [{"name": "arithmetic", "wieght": 1}]}, r"unknown key 'wieght' in \[tasks\[0\]\]; did you mean weight"),
        ({"tasks": [{"name": "arithmetic", "split": "x"}]}, r"tasks.N.split is for data sets"),
        ({"tasks": [{"weight": 1, "name": "arithmetics"}]}, "did you mean arithmetic"),
    ],
)  # fmt: skip
def test_a_mixture_that_cannot_be_says_why(change, message):
    with pytest.raises(ConfigError, match=message):
        run_task(config_from({"folder": "x", "steps": 1, **change}))
