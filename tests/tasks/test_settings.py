"""The section [task]: which problems, how they are asked and what grades, for any task."""

import json
import tomllib

import pytest

from rewardkit.cli import main
from rewardkit.config import TaskConfig, config_from, config_to_toml
from rewardkit.errors import ConfigError, RewardkitError
from rewardkit.tasks import load_task
from rewardkit.tasks.settings import grading_task, run_task, settings_from, task_of
from rewardkit.types import Outcome

ROWS = [{"prompt": f"{i}+1?", "gold": {"value": i + 1}, "level": i % 5, "hint": f"h{i}"} for i in range(20)]  # fmt: skip


@pytest.fixture
def rows(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in ROWS))
    return path


def configured(task, **data):
    return config_from({"folder": "x", "steps": 1, "task": task, **data})


def test_a_data_set_as_a_configuration_says(rows, tmp_path):
    test = tmp_path / "test.jsonl"
    test.write_text(json.dumps(ROWS[0]))
    config = configured(
        {
            "name": f"file:{rows}",
            "test": f"file:{test}",
            "columns": {"question": "prompt", "answer": "gold.value"},
            "where": "level >= 3",
            "limit": 3,
            "shuffle": 0,
            "system": "Be brief.",
            "prompt": "{question} ({hint})",
            "chat_template_kwargs": {"enable_thinking": False},
            "verifier": "numeric",
            "verifier_options": {"relative": 0.1},
            "reference": "hint",
        }
    )
    task = run_task(config)
    assert len(task.train) == 3
    assert all(problem.info["level"] >= 3 for problem in task.train)
    assert len(task.test) == 1  # which is measured is for eval.problems to say
    assert task.messages(task.test[0]) == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "0+1? (h0)"},
    ]
    assert task.chat_template_kwargs == {"enable_thinking": False}
    assert task.reference == "hint"
    assert task.verifier("\\boxed{10.5}", "10").outcome is Outcome.CORRECT
    assert config_from(tomllib.loads(config_to_toml(config))) == config


def test_a_condition_knows_columns_by_their_mapped_names(rows):
    columns = {"question": "prompt", "answer": "gold.value", "worth": "gold.value"}
    settings = {"columns": columns, "where": "worth >= 2 and level >= 0"}
    task = run_task(configured({"name": f"file:{rows}", **settings}))
    assert 0 < len(task.train) < len(ROWS)
    assert all(problem.info["worth"] >= 2 for problem in task.train)


def test_a_known_task_is_asked_chosen_and_graded_otherwise_too():
    own, one = load_task("arithmetic"), TaskConfig("arithmetic")
    changed = task_of(
        TaskConfig(
            "arithmetic",
            where="len(question) < 15",
            limit=7,
            system="Be brief.",
            prompt="Compute: {question}",
            verifier="math",
            lenient=True,
        )
    )
    assert len(changed.train) == 7
    assert list(changed.test) == list(own.test)
    chat, before = (task.messages(own.test[0]) for task in (changed, own))
    assert chat[0] == {"role": "system", "content": "Be brief."}
    assert chat[1:-1] == before[1:-1]
    assert chat[-1]["content"] == f"Compute: {before[-1]['content']}"
    assert own.verifier("It is 4.", "4").outcome is Outcome.NO_ANSWER
    assert changed.verifier("It is 4.", "4").outcome is Outcome.CORRECT
    plain = task_of(one)
    assert plain.messages(plain.test[0]) == own.messages(own.test[0])
    assert plain.train[5] == own.train[5]


def test_in_evaluation_the_held_out_problems_are_chosen(rows):
    asked = {"columns": {"question": "prompt", "answer": "gold.value"}, "limit": 4}
    settings = TaskConfig(f"file:{rows}", **asked)
    assert len(task_of(settings, "evaluate").test) == 4
    assert len(task_of(settings, "train").test) == 20
    assert task_of(settings, "train").train is not task_of(settings, "train").test
    suite = task_of(TaskConfig("arithmetic", limit=2), "evaluate")
    assert (len(suite.test), len(suite.suites["harder"])) == (2, 2)


def test_a_process_that_only_grades_opens_nothing(tmp_path):
    config = configured(
        {"name": f"file:{tmp_path / 'gone.jsonl'}", "where": "level > 1", "limit": 2}
    )
    task = grading_task(config)
    assert task.verifier("\\boxed{2}", "2").outcome is Outcome.CORRECT
    with pytest.raises(RewardkitError, match="no such file"):
        run_task(config)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"name": "gsm8k", "columns": {"question": "q"}}, r"task.columns is for data sets, file: and hf:, and task 'gsm8k' knows its own"),
        ({"name": "arithmetic", "split": "train"}, "task.split is for data sets"),
        ({"name": "arithmetic", "verifier_options": {"a": 1}}, "task.verifier_options are those of a verifier .*such as task.verifier=math"),
        ({"name": "arithmetic", "verifier": "maths"}, "unknown verifier 'maths'; did you mean math"),
        ({"name": "arithmetic", "verifier": "math", "verifier_options": {"boxs": 1}}, "verifier 'math'.*boxs"),
        ({"name": "arithmetic", "where": "level >"}, "is no condition"),
        ({"name": "arithmetic", "where": "level > 1"}, "asks for a column 'level' that no row has"),
        ({"name": "arithmetic", "limit": -1}, "limit must be 0"),
        ({"name": "arithmetic", "prompt": "no column"}, "prompt template 'no column' never shows the {question}"),
        ({"name": "arithmetic", "prompt": "{question} \\boxed{}"}, "a literal brace is doubled"),
    ],
)  # fmt: skip
def test_settings_that_cannot_be_used_say_what_to_type(settings, message):
    with pytest.raises(RewardkitError, match=message):
        run_task(configured(settings))


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("task.promt=x", "unknown key 'promt' in .task.; did you mean prompt"),
        (
            "limit=3",
            "--set takes settings of the task here, such as task.where=..., found 'limit=3'",
        ),
        ("task.name=x", "--set takes settings of the task"),
        ("task.limit=many", "task.limit must be a whole number, found 'many'"),
    ],
)
def test_a_command_line_s_settings_are_checked(override, message):
    with pytest.raises(ConfigError, match=message):
        settings_from("arithmetic", {}, [override])


def test_tasks_shows_what_the_settings_choose(rows, capsys):
    settings = ("columns.question=prompt", "columns.answer=gold.value", "where=level == 4")
    main(["tasks", f"file:{rows}", *(w for s in settings for w in ("--set", f"task.{s}"))])
    out = capsys.readouterr().out
    assert "4 problems" in out
    assert "4+1?" in out
    assert "3+1?" not in out
