"""The parquet files: verl's format, and the order in which the native backend draws problems."""

from collections import Counter
from itertools import islice

import pyarrow.parquet as pq
import pytest

from rewardkit.config import config_from
from rewardkit.errors import DataError
from rewardkit.sampling.choice import task_sampler
from rewardkit.sampling.order import order_of
from rewardkit.tasks import load_task
from rewardkit.tasks.settings import grading_task, run_task
from rewardkit.types import Problem, Task
from rewardkit.verifiers import VerifierPool
from rewardkit_verl.keys.refusals import refusals
from rewardkit_verl.launcher.data import longest_prompt, training_rows, write_data
from rewardkit_verl.rows import problem_of

pytestmark = pytest.mark.verl


def configured(**data):
    recipe = {"name": "grpo", "minibatches": 1, **data.pop("recipe", {})}
    settings = {"steps": 3, "sampling": {"problems": 4, "rounds": 3}, **data}
    return config_from({"folder": "x", "recipe": recipe, **settings})


def written(config, tmp_path):
    task = load_task("arithmetic", operations=["+"])
    files = write_data(config, task, tmp_path / "data")
    return (
        task,
        files,
        pq.read_table(files.train).to_pylist(),
        pq.read_table(files.test).to_pylist(),
    )


def test_rows_are_in_verl_s_format(tmp_path):
    task, files, train, test = written(configured(), tmp_path)
    assert (len(train), len(test)) == (files.train_rows, files.test_rows) == (12, files.test_rows)
    first = train[0]
    assert first["prompt"] == [
        dict(m) for m in task.messages(task.train[order_of(task.train, 0).at(0)])
    ]
    assert first["reward_model"] == {
        "style": "rule",
        "ground_truth": task.train[order_of(task.train, 0).at(0)].answer,
    }
    assert first["data_source"] == "arithmetic/train"
    assert first["extra_info"]["id"] == task.train[order_of(task.train, 0).at(0)].id
    assert {row["extra_info"]["split"] for row in test} == {"test", *task.suites}


def test_a_problem_comes_back_from_the_file_as_it_was(tmp_path):
    problems = [
        Problem("1", "?", "2", "mine", {"numbers": [3, 8], "cases": {"in": ["a\n"], "n": None}}),
        Problem("2", "??", "é"),
    ]
    task = Task("t", problems, problems[1:], lambda p: [{"role": "user", "content": "x"}], print)
    files = write_data(configured(steps=1, sampling={"problems": 2}), task, tmp_path / "data")
    rows = pq.read_table(files.train).to_pylist()
    assert sorted(map(problem_of, rows), key=lambda problem: problem.id) == problems
    assert [problem_of(row) for row in pq.read_table(files.test).to_pylist()] == problems[1:]


@pytest.mark.parametrize("seed", [0, 3])
def test_training_meets_problems_in_the_native_order_over_epochs(seed):
    task = load_task("arithmetic", operations=["+"], train_size=40)
    count = 2 * len(task.train) + 5
    rows = list(islice(training_rows(configured(seed=seed), task), count))
    order = order_of(task.train, seed)
    assert [row["extra_info"]["id"] for row in rows] == [
        task.train[order.at(i)].id for i in range(count)
    ]
    assert [row["extra_info"]["index"] for row in rows] == list(range(count))
    epoch = [row["extra_info"]["id"] for row in rows[: len(task.train)]]
    assert sorted(epoch) == sorted(p.id for p in task.train)
    assert epoch != [row["extra_info"]["id"] for row in rows[len(task.train) : 2 * len(task.train)]]


def test_a_longer_run_begins_with_the_shorter_one_s_rows(tmp_path):
    # What resuming with more steps rests on: verl skips as many rows as it has read.
    *_, short, _ = written(configured(steps=2), tmp_path / "a")
    *_, long, _ = written(configured(steps=4), tmp_path / "b")
    assert long[: len(short)] == short


def test_filtering_gets_as_many_rows_as_its_rounds_may_draw(tmp_path):
    _, files, *_ = written(configured(recipe={"name": "dapo", "minibatches": 1}), tmp_path)
    assert files.train_rows == 3 * 4 * 3


def test_without_evaluation_there_is_one_row_to_open(tmp_path):
    _, files, _, test = written(configured(eval={"samples": 0}), tmp_path)
    assert files.test_rows == len(test) == 1


def test_held_out_problems_are_cut_as_in_native_runs(tmp_path):
    *_, test = written(configured(eval={"problems": 3, "samples": 1}), tmp_path)
    splits = [row["extra_info"]["split"] for row in test]
    assert splits.count("test") == 3


class Words:
    """A tokenizer that counts words."""

    chat_template = "x"

    def apply_chat_template(self, messages, **_):
        text = " ".join(m["content"] for m in messages)
        return {"input_ids": text.split()}


def test_the_prompt_limit_is_measured_or_checked():
    task = load_task("arithmetic", operations=["+"])
    longest = longest_prompt(configured(), task, Words())
    words = [len(Words().apply_chat_template(task.messages(p))["input_ids"]) for p in task.train]
    assert longest >= max(words)
    limited = configured(verl={"max_prompt_tokens": longest})
    assert longest_prompt(limited, task, Words()) == longest
    with pytest.raises(
        DataError, match=r"problem '.*' has \d+ tokens.*verl\.max_prompt_tokens is 3"
    ):
        longest_prompt(configured(verl={"max_prompt_tokens": 3}), task, Words())


MIXTURE = {
    "tasks": [
        {"name": "arithmetic", "args": {"operations": ["+"], "train_size": 40}, "weight": 2},
        {"name": "countdown", "args": {"train_size": 10, "test_size": 3}, "system": "Be brief."},
        {"name": "reasoning_gym:chain_sum", "args": {"train_size": 30, "test_size": 3}},
    ]
}


def test_a_mixture_is_met_in_the_native_order_and_carries_what_its_verifiers_ask_for(tmp_path):
    pytest.importorskip("reasoning_gym")
    config = configured(steps=30, eval={"samples": 1, "problems": 2}, **MIXTURE)
    task = run_task(config)
    files = write_data(config, task, tmp_path / "data")
    rows = pq.read_table(files.train).to_pylist()

    # As the native collector draws.
    chooser = task_sampler(config.sampling.curriculum, task.train, config.seed)
    numbers = [draw.problem for _ in range(30) for draw in chooser.next(4)]
    drawn = [task.train[number] for number in numbers]
    assert [row["extra_info"]["id"] for row in rows] == [problem.id for problem in drawn]
    counts = Counter(row["extra_info"]["source"] for row in rows)
    assert abs(counts["arithmetic"] - 60) <= 3
    assert abs(counts["countdown"] - 30) <= 3

    grading = grading_task(config)
    with VerifierPool(grading.verifier, workers=1) as pool:
        for row, problem in list(zip(rows, drawn, strict=True))[:20]:
            assert row["prompt"] == [dict(turn) for turn in task.messages(problem)]
            # Their own reference answers, through what verl carries.
            assert problem_of(row) == problem
            text = f"\\boxed{{{problem.answer}}} <answer>{problem.answer}</answer>"
            assert pool.verify_one(text, problem_of(row)).correct, problem

    test = pq.read_table(files.test).to_pylist()
    splits = Counter(row["extra_info"]["split"] for row in test)
    assert splits == {"arithmetic": 2, "arithmetic/harder": 2, "countdown": 2, "chain_sum": 2}


def test_templates_that_differ_between_tasks_are_refused():
    tasks = [{"name": "arithmetic"}, {"name": "countdown", "chat_template_kwargs": {"a": 1}}]
    (found,) = refusals(configured(tasks=tasks))
    assert found.field == "tasks.N.chat_template_kwargs"
    assert refusals(configured(**MIXTURE)) == []
