import csv
import json
import pickle
import re

import pytest

from rewardkit.errors import ConfigError, DataError
from rewardkit.tasks import load_task, make_task
from rewardkit.types import Outcome
from rewardkit_tasks.sets.hub_set import SetProblems
from rewardkit_tasks.sets.training import SETS

TEST = {"problem": "How many?", "answer": "25"}


def write(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return str(path)


def chat(text):
    return [{"role": "user", "content": text}]


HUB_ROWS = {
    "math": (
        {"problem": "1+1?", "level": "Level 1", "type": "Algebra", "solution": r"So \boxed{3}, no: $\boxed{\frac{4}{2}}$."},
        ("math-1", "1+1?", r"\frac{4}{2}", {"level": "Level 1", "subject": "Algebra"}),
    ),
    "deepscaler": (
        {"problem": "1+1?", "answer": "2", "solution": "x"},
        ("deepscaler-1", "1+1?", "2", {}),
    ),
    "big_math": (
        {"problem": "1+1?", "answer": "2", "source": "cn_k12", "domain": ["Algebra"], "llama8b_solve_rate": 0.75},
        ("big_math-1", "1+1?", "2", {"solve_rate": 0.75, "subset": "cn_k12", "domain": ["Algebra"]}),
    ),
    "orz_math": (
        {"0": {"from": "human", "value": "1+1?"}, "1": {"from": "assistant", "ground_truth": {"value": "2"}}},
        ("orz_math-1", "1+1?", "2", {}),
    ),
    "skywork_math": (
        {"data_source": "train-math-still3", "prompt": chat("1+1?"), "reward_model": {"ground_truth": '["2"]', "style": "rule"}, "extra_info": {"index": 7, "model_difficulty": {"R1-7B": 3}}},
        ("skywork_math-1", "1+1?", "2", {"subset": "train-math-still3", "model_difficulty": {"R1-7B": 3}}),
    ),
    "polaris": (
        {"problem": "1+1?", "answer": "2", "difficulty": "5/8"},
        ("polaris-1", "1+1?", "2", {"difficulty": "5/8", "solve_rate": 0.625}),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SETS)
def test_rows_of_the_hub_become_problems(tmp_path, name):
    row, (identity, question, answer, info) = HUB_ROWS[name]
    path, test = write(tmp_path / "rows.jsonl", [row]), write(tmp_path / "test.jsonl", [TEST])
    task = load_task(f"{name}={path}", test=f"file:{test}")
    [problem] = task.train
    assert (problem.id, problem.question, problem.answer, problem.source) == (
        identity,
        question,
        answer,
        name,
    )
    assert problem.info == info
    assert [p.answer for p in task.test] == ["25"]
    assert "\\boxed{}" in task.messages(problem)[0]["content"]
    assert task.verifier(f"\\boxed{{{answer}}}", answer).correct
    assert not task.verifier("\\boxed{17}", answer).correct
    assert pickle.loads(pickle.dumps(task.train))[0] == problem


@pytest.mark.parametrize("name", SETS)
def test_plain_rows_are_a_local_form_of_every_set(tmp_path, name):
    path = write(tmp_path / "rows.jsonl", [{"problem": "1+1?", "answer": 2}])
    [problem] = load_task(f"{name}={path}", test=f"file:{path}").train
    assert (problem.question, problem.answer) == ("1+1?", "2")


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("row", [{"problem": "1+1?"}, {"answer": "2"}, {"problem": " ", "answer": "2"}, {"problem": "1+1?", "answer": True}])  # fmt: skip
def test_a_bad_row_names_file_row_and_field(tmp_path, name, row):
    good = {"problem": "1+1?", "answer": "2"}
    path = write(tmp_path / "rows.jsonl", [good, good, row])
    with pytest.raises(DataError, match=r"rows\.jsonl:3: (no field|field)"):
        load_task(f"{name}={path}", test=f"file:{write(tmp_path / 'test.jsonl', [TEST])}")


def test_a_solution_without_a_box_is_said(tmp_path):
    path = write(tmp_path / "rows.jsonl", [{"problem": "1+1?", "solution": "2"}])
    with pytest.raises(DataError, match=r"rows\.jsonl:1: field 'solution' has no"):
        load_task(f"math={path}", test=f"file:{write(tmp_path / 'test.jsonl', [TEST])}")


def test_math_has_a_test_split_of_its_own(tmp_path):
    for split, count in (("train", 3), ("test", 2)):
        rows = [{"problem": f"{split} {i}", "solution": rf"\boxed{{{i}}}"} for i in range(count)]
        write(tmp_path / "math" / f"{split}.jsonl", rows)
    task = load_task(f"math={tmp_path / 'math'}", test="all")
    assert [p.id for p in task.train] == ["math-1", "math-2", "math-3"]
    assert [(p.id, p.source) for p in task.test] == [
        ("math-test-1", "math"),
        ("math-test-2", "math"),
    ]


def test_a_solve_rate_can_be_asked_for(tmp_path):
    rows = [{"problem": f"{i}?", "answer": i, "llama8b_solve_rate": i / 10} for i in range(10)]
    path = write(tmp_path / "rows.jsonl", rows)
    train = load_task(f"big_math={path}", test=f"file:{path}").train
    assert [p.answer for p in train.chosen(where="0.2 < solve_rate < 0.5")] == ["3", "4"]


def test_what_is_asked_of_the_hub(monkeypatch):
    datasets = pytest.importorskip("datasets")
    asked = []

    def load_dataset(name, config=None, *, revision, split):
        asked.append((name, config, revision, split))
        own = next((found.name for found in SETS.values() if found.hub == name), "deepscaler")
        return datasets.Dataset.from_list([HUB_ROWS[own][0]] * 2)

    monkeypatch.setattr(datasets, "load_dataset", load_dataset)
    monkeypatch.setattr(
        datasets, "get_dataset_split_names", lambda *_, **__: ["train", "math", "test"]
    )
    for name, found in SETS.items():
        train = SetProblems(found)
        assert (len(train), train[1].id, train[1].question) == (2, f"{name}-2", "1+1?")
        assert asked[-1] == (found.hub, None, found.revision, found.split)


@pytest.mark.parametrize("name", [*SETS, "gpqa", "mmlu_pro"])
def test_pins_are_commits_and_a_hub_out_of_reach_names_the_local_form(name, tmp_path):
    arguments = {"test": f"file:{write(tmp_path / 'test.jsonl', [TEST])}"} if name in SETS else {}
    with pytest.raises(DataError, match="could not be had from the Hugging Face hub") as caught:
        load_task(name, **arguments)
    assert caught.value.__notes__ == [f"With a local copy: --task {name}=PATH"]
    assert re.match(r"hf:[\w/-]+(:\w+)?@[0-9a-f]{40}\b", make_task(name, **arguments).source)


GPQA = {
    "Record ID": "rec1", "Question": "Which?", "Correct Answer": "red\n", "Incorrect Answer 1": "green",
    "Incorrect Answer 2": "blue", "Incorrect Answer 3": "grey", "Subdomain": "Optics", "High-level domain": "Physics",
}  # fmt: skip
MMLU = {
    "question_id": 70, "question": "Which?", "options": ["red", "green", "N/A", "blue", "grey", "N/A"],
    "answer": "B", "answer_index": 1, "category": "physics", "src": "x",
}  # fmt: skip
CHOICES = [("gpqa", GPQA, "red", 4), ("mmlu_pro", MMLU, "green", 4)]


@pytest.mark.parametrize(("name", "row", "right", "count"), CHOICES)
def test_options_are_shuffled_by_the_seed_and_graded_by_letter_or_text(
    tmp_path, name, row, right, count
):
    other = {**row, "Record ID": "rec2", "question_id": 71}
    path = write(tmp_path / "rows.jsonl", [row, other])
    letters, orders = set(), set()
    for seed in range(20):
        task = load_task(f"{name}={path}", seed=seed)
        problem = task.test[0]
        options = problem.info["options"]
        assert sorted(options) == sorted(["red", "green", "blue", "grey"][:count])
        assert options["ABCD".index(problem.answer)] == right
        assert f"{problem.answer}) {right}" in problem.question
        assert task.test[0] == load_task(f"{name}={path}", seed=seed).test[0]
        letters.add(problem.answer)
        orders.add(tuple(options))
        for said, outcome in (
            (problem.answer, Outcome.CORRECT),
            (f"({problem.answer})", Outcome.CORRECT),
            (rf"\text{{{right}}}", Outcome.CORRECT),
            (next(x for x in "ABCD" if x != problem.answer), Outcome.INCORRECT),
            ("E", Outcome.INCORRECT),
        ):
            verdict = task.verifier(f"\\boxed{{{said}}}", problem.answer, options=options)
            assert verdict.outcome is outcome, said
    assert letters == set("ABCD")
    assert len(orders) > 8
    assert load_task(f"{name}={path}").test[0].id == f"{name}-{'rec1' if name == 'gpqa' else 70}"


@pytest.mark.parametrize(
    ("name", "row", "says"),
    [
        ("gpqa", {**GPQA, "Incorrect Answer 2": ""}, "no field 'Incorrect Answer 2'"),
        ("mmlu_pro", {**MMLU, "options": "red"}, "field 'options' must be a list"),
        ("mmlu_pro", {**MMLU, "answer_index": 9}, "field 'answer_index' must be a place in 6"),
    ],
)
def test_a_bad_choice_is_said(tmp_path, name, row, says):
    with pytest.raises(DataError, match=rf"rows\.jsonl:1: .*{says}"):
        load_task(f"{name}={write(tmp_path / 'rows.jsonl', [row])}")


def test_subsets_of_gpqa():
    with pytest.raises(ConfigError, match="diamond, main, extended"):
        load_task("gpqa", subset="diamonds")


def test_the_verifier_of_options_goes_by_name():
    from rewardkit.verifiers import load_verifier

    assert load_verifier("options")(r"\boxed{B}", "B", options=["x", "y"]).correct


def test_options_of_a_csv_are_text_whatever_they_look_like(tmp_path):
    pytest.importorskip("datasets")
    path = tmp_path / "gpqa_diamond.csv"
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, GPQA)
        writer.writeheader()
        wrong = {
            "Incorrect Answer 1": "N/A",
            "Incorrect Answer 2": "1e5",
            "Incorrect Answer 3": "2.0",
        }
        writer.writerow({**GPQA, **wrong, "Correct Answer": "007"})
    [problem] = load_task(f"gpqa={path}").test
    assert sorted(problem.info["options"]) == ["007", "1e5", "2.0", "N/A"]
