"""Every shipped task reads its answer where its prompt asks for it, and nowhere else."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace

import pytest

from rewardkit.config import TaskConfig, config_from
from rewardkit.errors import ConfigError
from rewardkit.evaluation.asking.asking import Asking
from rewardkit.tasks import load_task
from rewardkit.tasks.mixture import mixed_task
from rewardkit.tasks.remarks import remarks_on
from rewardkit.tasks.settings import task_of
from rewardkit.types import Outcome
from rewardkit.verifiers import load_verifier
from rewardkit.verifiers.declaration import answer_in_of


@pytest.fixture
def copies(tmp_path):
    """Local copies of the sets that a hub has, by the name of the task."""
    plain = [{"problem": "6 * 7?", "answer": "42"}]
    choice = [
        {
            "Question": "Which is blue?",
            "Correct Answer": "sky",
            "Record ID": "r",
            **{f"Incorrect Answer {n}": f"thing {n}" for n in (1, 2, 3)},
        }
    ]
    (tmp_path / "plain.jsonl").write_text(json.dumps(plain[0]))
    (tmp_path / "choice.jsonl").write_text(json.dumps(choice[0]))
    return {"plain": str(tmp_path / "plain.jsonl"), "choice": str(tmp_path / "choice.jsonl")}


BOXED = ("arithmetic", "sums", "generated", "countdown", "game24")
FILES = {
    **dict.fromkeys(("aime24", "aime25", "math500", "olympiadbench"), ({"path": "plain"}, "box")),
    "gsm8k": ({"train": "plain", "test": "plain"}, "box"),
    "dapo_math": ({"train": "plain", "test": "file:plain"}, "marker"),
    "math": ({"path": "plain", "test": "file:plain"}, "box"),
    "deepscaler": ({"path": "plain", "test": "file:plain"}, "box"),
    "gpqa": ({"path": "choice"}, "box"),
}


def asks_for(task, place):
    asked = task.messages((task.test or task.train)[0])
    words = " ".join(message["content"] for message in asked)
    return {"box": "\\boxed{}", "marker": "Answer:"}[place] in words


@pytest.mark.parametrize("name", BOXED)
def test_generated_tasks_ask_for_a_box_and_read_one(name):
    task = load_task(name)
    assert answer_in_of(task.verifier) == ("box",)
    assert asks_for(task, "box")
    assert remarks_on(task) == []


@pytest.mark.parametrize("name", FILES)
def test_sets_read_where_their_prompts_ask(name, copies):
    arguments, place = FILES[name]
    filled = {
        key: value.replace("plain", copies["plain"]).replace("choice", copies["choice"])
        for key, value in arguments.items()
    }
    task = load_task(name, **filled)
    assert answer_in_of(task.verifier) == (place,)
    assert asks_for(task, place)
    assert remarks_on(task) == []


def outcome(task, response="So the answer is 4."):
    return task.verifier(response, "4").outcome


def test_a_run_may_say_otherwise():
    assert outcome(task_of(TaskConfig("arithmetic"))) is Outcome.NO_ANSWER
    assert outcome(task_of(TaskConfig("arithmetic", lenient=True))) is Outcome.CORRECT
    marked = task_of(TaskConfig("arithmetic", answer_in=("marker",)))
    assert outcome(marked) is Outcome.CORRECT
    assert outcome(marked, r"\boxed{4}") is Outcome.NO_ANSWER


def test_a_verifier_in_the_place_of_the_tasks_own_reads_where_the_task_declares():
    named = task_of(TaskConfig("arithmetic", verifier="integer"))
    assert named.verifier == load_verifier("integer", answer_in="box")
    options = {"answer_in": "tag"}
    said = task_of(TaskConfig("arithmetic", verifier="integer", verifier_options=options))
    assert answer_in_of(said.verifier) == ("tag",)
    free = task_of(TaskConfig("arithmetic", verifier="integer", lenient=True))
    assert answer_in_of(free.verifier) == ()


def test_a_data_set_is_read_leniently_unless_it_is_said(copies):
    name = f"file:{copies['plain']}"
    assert answer_in_of(load_task(name).verifier) == ()
    assert answer_in_of(load_task(name, answer_in="box").verifier) == ("box",)
    assert answer_in_of(task_of(TaskConfig(name, answer_in="box")).verifier) == ("box",)


BOX = "within \\boxed{}."
TAG = "within <answer> </answer> tags."


@pytest.mark.parametrize(
    ("keys", "asked"),
    [
        ({}, BOX),
        ({"answer_in": "box"}, BOX),
        ({"answer_in": "box", "lenient": True, "args": {"answer_in": "tag"}}, BOX),
        ({"answer_in": "tag"}, TAG),
        ({"answer_in": "tag:final"}, "within <final> </final> tags."),
        ({"answer_in": "marker"}, 'behind "Answer:" on the last line.'),
        ({"answer_in": "last_line"}, "alone on the last line."),
        ({"answer_in": ["tag", "box"]}, f"{TAG[:-1]} or {BOX}"),
        ({"verifier": "integer", "verifier_options": {"answer_in": "tag"}}, TAG),
        ({"args": {"answer_in": "tag"}}, TAG),
    ],
)
def test_a_data_set_without_a_prompt_is_asked_for_what_is_read(copies, keys, asked):
    given = TaskConfig(f"file:{copies['plain']}", **{**keys, "lenient": False})
    if keys.get("lenient"):
        given = replace(given, answer_in=(), lenient=True)
    task = task_of(given)
    [turn] = pickle.loads(pickle.dumps(task.messages))(task.train[0])
    assert turn["content"] == f"6 * 7?\n\nPut your final answer {asked}"
    assert remarks_on(task) == []


@pytest.mark.parametrize(
    ("prompt", "place", "said"),
    [
        ("{question} Put it in \\boxed{{}}.", "tag", "as \\boxed{...}, and it is read as <answer>"),
        ("{question} Put it in <answer></answer>.", "box", "--set task.answer_in=tag"),
        ("{question} Put it in <answer></answer>.", "tag:final", "as <final>...</final> alone"),
        ("{question} End with #### and the answer.", ["tag", "box"], "--set task.answer_in=marker"),
        ("{question} The last line is the answer alone.", "box", "--set task.answer_in=last_line"),
        ("{question} The last line is Answer: N.", "marker", ""),
        ("{question} Put it in <final></final>, not \\boxed{{}}.", "tag:final", ""),
        ("{question} Answer in tags.", "tag", ""),
        ("{question} Put it in \\boxed{{}}.", (), ""),
    ],
)
def test_a_prompt_that_asks_for_another_place_is_remarked(copies, prompt, place, said):
    task = task_of(TaskConfig(f"file:{copies['plain']}", prompt=prompt, answer_in=place))
    found = remarks_on(task)
    assert len(found) == (said != "")
    assert not said or said in found[0]


def test_a_shipped_task_and_a_part_of_a_mixture_are_remarked_by_name():
    other = task_of(TaskConfig("sums", answer_in="tag"))
    [said] = remarks_on(mixed_task({"a": load_task("arithmetic"), "b": other}, {"a": 1, "b": 1}))
    assert said.startswith("sums: the prompt asks for the answer as \\boxed{...}")


def test_flags_of_an_evaluation_say_the_same():
    own = TaskConfig("arithmetic")
    task = task_of(Asking(lenient=True).laid_over(own))
    assert answer_in_of(Asking(lenient=True).graded(task, own).verifier) == ()
    marker = Asking(verifier="integer", answer_in=("marker",))
    found = marker.graded(task_of(marker.laid_over(own)), own)
    assert found.verifier == load_verifier("integer", answer_in=("marker",))
    assert marker.record() == {"verifier": "integer", "answer_in": ("marker",)}
    with pytest.raises(ConfigError, match=r"--answer-in and --set task\.answer_in"):
        Asking(answer_in=("box",)).laid_over(TaskConfig("arithmetic", answer_in="tag"))


@pytest.mark.parametrize(
    ("task", "said"),
    [
        ({"answer_in": "boxed"}, "found 'boxed'"),
        ({"answer_in": ["box"], "lenient": True}, "give one of them"),
        ({"lenient": "yes"}, "true or false"),
    ],
)
def test_what_cannot_be_is_refused_with_the_configuration(task, said):
    with pytest.raises(ConfigError, match=said):
        config_from({"folder": "x", "steps": 1, "task": {"name": "arithmetic", **task}})


def test_a_verifier_that_decides_by_itself_is_not_told_where_to_read():
    with pytest.raises(ConfigError, match=r"task\.lenient says where"):
        task_of(TaskConfig("arithmetic", verifier="format", lenient=True))


@pytest.mark.parametrize("option", ["boxes", "correction", "echo"])
def test_options_that_are_gone_say_what_holds_instead(option):
    with pytest.raises(ConfigError, match=rf"no option '{option}': .*the last"):
        load_verifier("math", **{option: "last"})


def test_an_option_that_never_was_names_the_nearest():
    with pytest.raises(ConfigError, match="did you mean answer_in"):
        load_verifier("math", anser_in="box")
