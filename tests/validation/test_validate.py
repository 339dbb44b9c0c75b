"""A task looked through: golds, ids, texts, overlap, chats; what is printed, and said at the start."""

import json
import sys
from dataclasses import replace
from types import ModuleType

import pytest
from validated_verifiers import Game, exactly, marked, program

from rewardkit.checks import chat_of
from rewardkit.cli import main
from rewardkit.config import TaskConfig
from rewardkit.errors import DataError
from rewardkit.tasks.mixture import mixed_task
from rewardkit.tasks.settings import task_of
from rewardkit.types import Problem, Task
from rewardkit.validation.repeats import Fault
from rewardkit.validation.validate import remarks_at_start, validate
from rewardkit.verifiers import MathVerifier, VerifierPool


def chat(problem):
    return [{"role": "user", "content": problem.question}]


def made(train, test=(), verifier=exactly, messages=chat, **fields):
    return Task("mine", train, test, messages, verifier, **fields)


def looked(task, **options):
    with VerifierPool(task.verifier, workers=1) as pool:
        return validate(task, pool, **options)


def faults(result):
    return [(found.fault, found.where, found.problem) for found in result.found]


SOUND = [Problem(str(n), f"What is {n} + {n}?", 2 * n) for n in range(1, 6)]  # the golds are ints


@pytest.mark.parametrize("verifier", [exactly, MathVerifier()])
def test_a_sound_task_has_nothing_to_say(verifier):
    result = looked(made(SOUND[:3], SOUND[3:], verifier))
    assert (result.found, result.golds, result.rows) == ([], 5, {"train": 3, "test": 2})
    with VerifierPool(verifier, workers=1) as pool:
        assert remarks_at_start(made(SOUND[:3], SOUND[3:], verifier), pool) == []


def test_an_int_gold_is_graded_as_what_it_prints():
    with VerifierPool(exactly, workers=1) as pool:
        assert pool.verify_one("2", SOUND[0]).correct
        assert pool.verify_one("2", 2).correct


@pytest.mark.parametrize(
    ("train", "test", "found"),
    [
        (
            [Problem("1", "a", "maybe"), Problem("2", "b", "yes")],
            [],
            [(Fault.GOLD, "row 1 of train", "1")],
        ),
        (
            [Problem("1", "a", "x"), Problem("1", "b", "x")],
            [],
            [(Fault.SAME_ID, "row 2 of train", "1")],
        ),
        (
            [Problem("1", "a  B", "x"), Problem("2", "A\nb ", "x")],
            [],
            [(Fault.SAME_TEXT, "row 2 of train", "2")],
        ),
        (
            [Problem("1", "a", "x"), Problem("2", "a", "y")],
            [],
            [(Fault.OTHER_ANSWER, "row 2 of train", "2")],
        ),
        (
            [Problem("1", "a", "x"), Problem("1", "a", "x")],  # one problem, drawn twice
            [],
            [(Fault.SAME_TEXT, "row 2 of train", "1")],
        ),
        (
            [Problem("1", "a", "x"), Problem("2", "b", "x")],
            [Problem("1", "c", "x"), Problem("2", "B", "x")],
            [(Fault.IN_TRAIN, "row 2 of test", "2")],
        ),
        ([Problem("1", "  ", "x")], [], [(Fault.EMPTY, "row 1 of train", "1")]),
    ],
)
def test_each_fault_is_found_with_its_place(train, test, found):
    task = made(train, test)
    assert faults(looked(task)) == found
    with VerifierPool(task.verifier, workers=1) as pool:
        [said] = remarks_at_start(task, pool)
    assert f"problem {found[0][2]!r}, {found[0][1]}" in said


def test_a_rejected_gold_is_said_with_the_verdict():
    task = made([Problem("1", "a", "maybe"), Problem("2", "b", "yes")])
    [found] = looked(task).found
    assert found.detail == "'maybe' is incorrect: "
    with VerifierPool(task.verifier, workers=1) as pool:
        [said] = remarks_at_start(task, pool)
    assert said.startswith(
        "the verifier rejects the gold of 1 of 2 problems that were tried, such as problem '1', "
        "row 1 of train: 'maybe' is incorrect"
    )
    bad = looked(made([Problem("1", "a", "\\frac{1}{")], verifier=MathVerifier()))
    assert "is bad_gold:" in bad.found[0].detail


def test_a_right_response_may_stand_in_a_column():
    problems = [
        Problem("1", "Print 1.", "", info={"tests": ["1"], "solution": "print(1)"}),
        Problem("2", "Print 2.", "", info={"tests": ["2"], "solution": "print(1)"}),
    ]
    silent = looked(made(problems, verifier=program))
    assert (silent.found, silent.golds, silent.without_gold) == ([], 0, 2)
    task = made(problems, verifier=program, reference="solution")
    assert faults(looked(task)) == [(Fault.GOLD, "row 2 of train", "2")]
    with pytest.raises(
        DataError, match=r"row 1 of train: .* no column 'solutions' .* mean solution"
    ):
        looked(made(problems, verifier=program, reference="solutions"))


def test_a_set_that_is_tested_on_what_was_trained_on_is_said():
    task = made(SOUND, SOUND)
    assert (looked(task).same_sets, looked(task).found) == (["test"], [])
    assert faults(looked(task, evaluated=True)) == [(Fault.SAME_SET, "test", "")]
    with VerifierPool(task.verifier, workers=1) as pool:
        assert remarks_at_start(task, pool) == [
            "test and train are the same problems: what is measured was trained on"
        ]
        assert remarks_at_start(task, pool, evaluated=False) == []  # nothing is measured


def at_start(task, **options):
    with VerifierPool(task.verifier, workers=1) as pool:
        return remarks_at_start(task, pool, **options)


@pytest.fixture
def leaking(tmp_path):
    """A task of two files: 3 of the 5 test rows are among the 20 training rows."""
    rows = [f"What is {n} + {n}?,{2 * n}" for n in range(1, 23)]
    for name, kept in (("train.csv", rows[:20]), ("test.csv", rows[17:])):
        (tmp_path / name).write_text("\n".join(["problem,answer", *kept]) + "\n")
    return TaskConfig(f"file:{tmp_path / 'train.csv'}", test=f"file:{tmp_path / 'test.csv'}")


IN_TRAIN = "3 problems have the fault `also in train`, such as problem '1', row 1 of "


def test_a_leak_between_files_is_said_at_the_start(leaking):
    assert at_start(task_of(leaking)) == [f"{IN_TRAIN}test as row 18 of train"]


def test_a_leak_between_files_of_a_mixture_is_said_at_the_start(leaking):
    sums = task_of(TaskConfig("arithmetic"))  # too many to compare
    parts = {"sums": sums, "own": task_of(leaking)}
    [said] = at_start(mixed_task(parts, {"sums": 1, "own": 1}))
    assert said.startswith(IN_TRAIN.replace("'1'", "'own/1'") + "own as row ")
    assert at_start(mixed_task(parts, {"sums": 1, "own": 0})) == []  # nothing of it is trained on


def test_sets_above_the_limit_are_not_read_through_at_the_start(leaking, monkeypatch):
    monkeypatch.setattr("rewardkit.validation.validate.TEXTS_AT_START", 24)
    assert at_start(task_of(leaking)) == []


def test_a_part_of_a_mixture_tested_on_what_it_trains_on_is_said_once():
    parts = {"own": made(SOUND, SOUND), "other": made(SOUND[:0], [Problem("9", "9?", "9")])}
    result = looked(mixed_task(parts, {"own": 1, "other": 0}))
    assert (result.same_sets, result.found) == (["own"], [])


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        ("Why?", "returned text for problem '1', expected a list of turns: .{3}role"),
        ({"role": "user", "content": "Why?"}, "returned one turn for"),
        ([], "returned no turn at all"),
        (None, "returned a NoneType"),
        (["Why?"], "returned a str as turn 1"),
        ([{"role": "user"}], r"turn 1 without 'content' \(it has 'role'\)"),
        ([{"content": "Why?"}], "turn 1 without 'role'"),
        ([{"role": "user", "content": 3}], "turn 1 with a int for 'content', which is text, for"),
        (
            [{"role": "system", "content": "x"}, {"role": "user", "content": [{"text": "y"}]}],
            "turn 2 with a list for 'content'",
        ),
    ],
)
def test_a_chat_of_a_wrong_form_is_said(returned, message):
    task = made(SOUND, messages=lambda problem: returned)
    with pytest.raises(DataError, match=f"task mine: `messages` .*{message}"):
        chat_of(task, SOUND[0])
    with pytest.raises(DataError, match="task mine: `messages`"):
        looked(task)


def test_generated_problems_may_come_again_and_those_of_data_may_not():
    twice = [SOUND[0], SOUND[1], SOUND[0]]
    drawn, kept = made(twice, generated=True), made(twice)
    result = looked(drawn)
    assert (result.found, result.come_again) == ([], 1)
    assert at_start(drawn) == []
    result = looked(mixed_task({"drawn": drawn, "kept": kept}, {"drawn": 1, "kept": 0}))
    assert (result.found, result.come_again) == ([], 1)
    mixed = mixed_task({"drawn": drawn, "kept": kept}, {"drawn": 1, "kept": 1})
    assert {found.problem.partition("/")[0] for found in looked(mixed).found} == {"kept"}
    assert faults(looked(made(twice, SOUND[:1], generated=True))) == [
        (Fault.IN_TRAIN, "row 1 of test", "1")
    ]


@pytest.fixture
def module(monkeypatch):
    held = ModuleType("held_tasks")
    held.sound = made(SOUND[:3], SOUND[3:])
    held.drawn = made([*SOUND[:3], SOUND[0]], SOUND[3:], generated=True)
    held.marked = made(SOUND[:3], SOUND[3:], verifier=marked)
    held.faulty = made([*SOUND, Problem("9", "What is 1 + 1?", "maybe")], SOUND[:2])
    held.game = Task("mine", SOUND[:3], SOUND[3:], chat, environment=Game())
    monkeypatch.setitem(sys.modules, "held_tasks", held)


def test_what_the_environment_grades_has_no_gold_to_try(module, capsys):
    main(["tasks", "check", "held_tasks:game", "--workers", "1"])
    out = capsys.readouterr().out
    assert "0 golds were given to the verifier\n5 problems are graded by the environment" in out
    assert "NOTE" not in out
    assert at_start(task_of(TaskConfig("held_tasks:game"))) == []
    games = [Problem(str(n), "Find my number.", str(n)) for n in range(3)]
    assert (
        looked(task := Task("mine", games[:2], games[2:], chat, exactly, environment=Game())).found
        == []
    )
    assert faults(looked(replace(task, test=games[:1]))) == [(Fault.IN_TRAIN, "row 1 of test", "0")]
    main(["tasks", "held_tasks:game"])
    assert "environment Game: a turn ends with the model's own end; it answers as user; " in (
        said := capsys.readouterr().out
    )
    assert "graded by the environment" in said


def test_the_command_lists_and_counts(module, capsys):
    main(["tasks", "check", "held_tasks:sound", "--workers", "1"])
    assert "looked at 3 of train, 2 of test; 5 golds were given to the verifier" in " ".join(
        capsys.readouterr().out.split()
    )
    main(["tasks", "check", "held_tasks:drawn", "--workers", "1"])  # no exit: no fault
    out = " ".join(capsys.readouterr().out.split())
    assert "NOTE 1 generated problems ask what one before them in their set does" in out
    assert "nothing found" in out
    with pytest.raises(SystemExit):
        main(["tasks", "check", "held_tasks:marked", "--workers", "1"])
    assert "NOTE the verifier takes no gold at all" in (said := capsys.readouterr().out)
    assert "--set task.reference=COLUMN" in " ".join(said.split())
    with pytest.raises(SystemExit) as ended:
        main(["tasks", "check", "held_tasks:faulty", "--workers", "1"])
    assert "no gold at all" not in (out := capsys.readouterr().out)
    assert ended.value.code == 1
    assert "gold rejected: 1" in out
    assert "same text, other gold: 1" in out
    assert "also in train: 2" in out
    with pytest.raises(SystemExit):
        main(["tasks", "check", "held_tasks:faulty", "--json", "--workers", "1"])
    found = json.loads(capsys.readouterr().out)
    assert found["counts"] == {"gold rejected": 1, "same text, other gold": 1, "also in train": 2}
    assert found["found"][0]["where"] == "row 6 of train"
    with pytest.raises(SystemExit):
        main(["tasks", "check", "held_tasks:faulty", "--limit", "0"])
    assert "--limit must be at least 1" in capsys.readouterr().err


def test_what_does_not_fit_is_said_and_a_judge_that_is_away_exits(tmp_path, capsys):
    check = ["tasks", "check", "arithmetic", "--limit", "2", "--workers", "1"]
    main([*check, "--set", "task.answer_in=tag"])  # no exit
    out = capsys.readouterr().out
    assert "NOTE arithmetic: the prompt asks for the answer as \\boxed{...}" in out
    assert "nothing found" not in out
    assert len(at_start(task_of(TaskConfig("arithmetic", answer_in="tag")))) == 1
    (tmp_path / "prose.csv").write_text("question,answer\n4 + 7?,So Bob has 11 apples.\n")
    main(["tasks", "check", f"file:{tmp_path / 'prose.csv'}", "--workers", "1"])
    assert "golds are sentences, such as" in capsys.readouterr().out
    prose = task_of(TaskConfig(f"file:{tmp_path / 'prose.csv'}"))
    assert "golds are sentences, such as" in at_start(prose)[0]
    pytest.importorskip("httpx")
    (tmp_path / "run.toml").write_text(
        'folder = "x"\nsteps = 1\n[task]\nname = "arithmetic"\nverifier = "math+judge"\n'
        '[judge]\nbase_url = "http://127.0.0.1:9/v1"\n'
    )
    check[2] = str(tmp_path / "run.toml")
    with pytest.raises(SystemExit) as ended:
        main([*check, "--json"])
    assert ended.value.code == 1
    [said] = json.loads(capsys.readouterr().out)["remarks"]
    assert "the Judge at http://127.0.0.1:9/v1 cannot be asked now" in said


def test_a_file_alone_is_sound_and_a_run_that_is_measured_on_it_is_not(tmp_path, capsys):
    rows = [{"question": p.question, "answer": p.answer} for p in SOUND]
    (tmp_path / "one.jsonl").write_text("\n".join(map(json.dumps, rows)))
    name = f"file:{tmp_path / 'one.jsonl'}"
    main(["tasks", "check", name, "--workers", "1"])  # no exit
    said = " ".join(capsys.readouterr().out.split())
    assert "NOTE test and train are the same problems, looked at once" in said
    assert "nothing found" in said
    (tmp_path / "run.toml").write_text(f'folder = "x"\nsteps = 1\n[task]\nname = "{name}"\n')
    run = ["tasks", "check", str(tmp_path / "run.toml"), "--workers", "1", "--json"]
    main([*run, "--set", "eval.samples=0"])
    assert json.loads(capsys.readouterr().out)["counts"] == {}
    with pytest.raises(SystemExit):
        main(run)
    assert json.loads(capsys.readouterr().out)["counts"] == {"same set as train": 1}


def test_the_command_takes_the_file_of_a_run(module, tmp_path, capsys):
    file = tmp_path / "run.toml"
    file.write_text(
        'folder = "x"\nsteps = 1\n[[tasks]]\nname = "held_tasks:sound"\nlabel = "a"\n'
        '[[tasks]]\nname = "arithmetic"\nlabel = "b"\nlimit = 4\n'
    )
    main(["tasks", "check", str(file), "--workers", "1", "--json", "--limit", "6"])
    found = json.loads(capsys.readouterr().out)
    assert found["rows"] == {"train": 6, "a": 2, "b": 6, "b/harder": 6}
    assert (found["golds"], found["found"]) == (20, [])
