"""What is checked before anything is made: names, lengths, a task that can be trained on."""

from pathlib import Path

import pytest

from rewardkit.api import register_task
from rewardkit.errors import ConfigError, ModelError
from rewardkit.runs import RunFolder
from rewardkit.tasks.settings import run_task
from rewardkit.types import Problem, Task
from rewardkit.validation.refusals import refuse_empty_sets
from rewardkit_native.loop import train


def test_response_limit_that_the_model_cannot_hold(configure):
    with pytest.raises(
        ModelError, match=r"512 positions; set sampling.max_tokens to at most 4\d\d"
    ):
        train(configure("sampling.max_tokens=600"))


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("task.name=arithmetics", "did you mean arithmetic"),
        ("model.name=smollm", "no model 'smollm'.*smollm2-135m"),
        ("recipe.surrogate=ppo_clp", "ppo_clp"),
        ("recipe.advantage=grp", "grp"),
        ("task.args.digit=2", "digit"),
        ("task.args.digits=[0, 1]", "digits takes two numbers"),
    ],
)
def test_unknown_things_are_named(configure, override, message):
    with pytest.raises((ConfigError, ModelError), match=f"(?s){message}"):
        train(configure(override))


def broken(response, answer):
    raise ValueError("this verifier never works")


@register_task("broken verifier")
def broken_task():
    problems = [Problem(str(n), f"{n}?", "0") for n in range(8)]
    return Task(
        "broken", problems, problems[:2], lambda p: [{"role": "user", "content": "?"}], broken
    )


@register_task("nothing to train on")
def empty_task():
    problems = [Problem("1", "1?", "1")]
    return Task("empty", [], problems, lambda p: [{"role": "user", "content": "?"}], broken)


def test_verifier_that_never_works_is_refused_before_anything_is_made(configure):
    config = configure(task={"name": "broken verifier"})
    with pytest.raises(ConfigError, match="does not work in a worker process"):
        train(config)
    assert not RunFolder(Path(config.folder)).path.exists()


def test_task_without_training_problems_is_refused(configure):
    with pytest.raises(ConfigError, match=r"no training problems.*task\.args\.train"):
        train(configure(task={"name": "nothing to train on"}))


def test_a_file_alone_is_not_trained_on_and_tested_on(configure, tmp_path):
    (tmp_path / "rows.jsonl").write_text('{"problem": "1+1?", "answer": "2"}\n')
    task = {"name": f"file:{tmp_path / 'rows.jsonl'}"}
    with pytest.raises(ConfigError, match=r"trains on; give it others with --set task\.test=file:"):
        train(configure("eval.samples=1", task=task))
    mixture = configure("eval.samples=1", task={}, tasks=[{"name": "arithmetic"}, task])
    with pytest.raises(ConfigError, match=r"others with --set tasks\.1\.test=file:"):
        train(mixture)


def test_what_the_refusal_of_a_file_alone_says_to_type_is_taken(configure, tmp_path, refusal):
    for name, problem in (("rows", "1+1?"), ("others", "1 + 1?")):
        (tmp_path / f"{name}.jsonl").write_text(f'{{"problem": "{problem}", "answer": "2"}}\n')
    task = {"name": f"file:{tmp_path / 'rows.jsonl'}"}
    config = configure(f"task.test=file:{tmp_path / 'others.jsonl'}", "eval.samples=1", task=task)
    found = run_task(config)
    assert refusal(refuse_empty_sets, found, config) is None
    assert [problem.question for problem in found.train] == ["1+1?"]
    assert [problem.question for problem in found.test] == ["1 + 1?"]
