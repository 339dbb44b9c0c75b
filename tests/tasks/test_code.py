import json
import os
import pickle
import pwd
import re
import sys
from pathlib import Path

import pytest

from rewardkit.cli import main
from rewardkit.errors import ConfigError, DataError
from rewardkit.tasks import load_task
from rewardkit.types import Outcome, Problem
from rewardkit.verifiers import VerifierPool, load_verifier
from rewardkit_tasks.code import CodeVerifier, Limits, programs
from rewardkit_tasks.code.unit_tests import Asserts, Dialogue, read_tests

sys.path.append(str(Path(__file__).parent))
from running_programs import outlived, own_folder, running, works

QUICK = Limits(cpu_s=1, wall_s=30, memory_mb=256)
"""Loops end by their CPU time, however busy the machine is."""
IMPATIENT = Limits(cpu_s=5, wall_s=1, memory_mb=256)


MODES = [
    pytest.param(alone, id="alone" if alone else "filtered")
    for alone in (True, False)
    if works(alone)
]
ALONE = pytest.mark.skipif(not works(True), reason="the system gives no namespaces")
pytestmark = pytest.mark.skipif(not MODES, reason="no program can be run here")


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):  # pytest's folders are made elsewhere, before
    """A folder of the test's own for its programs, of which nothing is left."""
    with own_folder(monkeypatch) as made:
        yield made
        assert not outlived(made)


def fenced(source):
    return f"<think>```python\nprint(0)\n```</think>\n```python\n{source}\n```\nDone."


SPINNING = "import os, time\nfor _ in range(8):\n    if os.fork() == 0:\n        os.setsid()\n        time.sleep(600)\nprint('fine')"


@pytest.mark.parametrize("alone", MODES)
@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("while True: pass", "more than 1 s of CPU time"),
        ("import os\nos.fork()", "Operation not permitted"),
        ("import subprocess\nsubprocess.run(['true'])", "Operation not permitted"),
        ("import threading, time\nwhile True: threading.Thread(target=time.sleep, args=(0.5,)).start()", "can't start new thread"),
        ("x = bytearray(10**10)", "more than 256 MiB of memory"),
        ("x = []\nwhile True: x.append(bytearray(10**6))", "more than 256 MiB of memory"),
        ("with open('x', 'wb') as f:\n    while True: f.write(bytes(10**6))", "No space left|File too large"),
        ("while True: print('x' * 1000)", "more than 1 MiB of output"),
        ("import sys; sys.exit(3)", "ended with status 3"),
        ("import os; os._exit(7)", "ended with status 7"),
        ("import ctypes; ctypes.string_at(0)", "ended by SIGSEGV"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("print(", "SyntaxError"),
        ("import numpy", "ModuleNotFoundError"),
        ("import rewardkit", "ModuleNotFoundError"),
        ("f = [open('main.py') for _ in range(100)]", "Too many open files"),
    ],
)  # fmt: skip
def test_what_uses_too_much_is_stopped_and_says_why(source, says, alone):
    ran = programs._run(source, "", QUICK, alone)
    assert ran.undecided is None, ran
    assert re.search(says, ran.trouble), ran.trouble


@pytest.mark.parametrize("alone", MODES)
@pytest.mark.parametrize(
    "source", ["import time; time.sleep(600)", "import signal; signal.pause()"]
)
def test_what_waits_is_stopped_by_the_clock(source, alone):
    ran = programs._run(source, "", IMPATIENT, alone)
    assert (ran.undecided, ran.trouble) == (Outcome.TIMEOUT, "it was stopped after 1 s")


@pytest.mark.parametrize("alone", MODES)
def test_processes_that_outlive_the_program_are_ended(alone, folder):
    """Without the filter, which lets a program start none."""
    assert programs._run(SPINNING, "", QUICK, alone, filtered=False).output == "fine\n"
    assert not running(folder)


@pytest.mark.parametrize("alone", MODES)
def test_a_program_may_have_threads_and_become_another(alone):
    source = "import os, threading\nt = threading.Thread(target=print, args=('one',), kwargs={'flush': True})\nt.start(); t.join()\nos.execv('/bin/echo', ['echo', 'two'])"
    ran = programs._run(source, "", QUICK, alone)
    assert (ran.output, ran.trouble) == ("one\ntwo\n", "")


@pytest.mark.parametrize("alone", MODES)
def test_the_program_sees_its_input_and_nothing_of_ours(alone, monkeypatch):
    monkeypatch.setenv("REWARDKIT_SECRET", "s3cret")
    source = (
        "import os, sys\nprint(sys.stdin.read().upper(), 's3cret' in repr(os.environ), __name__,"
        "[n for n in range(3, 60) if os.path.exists(f'/dev/fd/{n}')], os.getuid() == 0)"
    )
    assert (
        programs._run(source, "Größe\n", QUICK, alone).output
        == "GRÖSSE\n False __main__ [] False\n"
    )


@ALONE
@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("import socket; socket.create_connection(('1.1.1.1', 80), 5)", "Operation not permitted"),
        (
            "import socket; socket.create_connection(('127.0.0.1', 22), 5)",
            "Operation not permitted",
        ),
        ("import urllib.request as u; u.urlopen('http://example.org', timeout=5)", "URLError"),
        ("open('/var/tmp/made', 'w')", "Read-only file system"),
        ("open('/dev/shm/made', 'w')", "Read-only file system"),
        ("import os; os.kill(os.getppid() or 2, 9)", "No such process"),
        ("import os; os.setuid(0)", "not permitted|Invalid argument"),
        ("for i in range(50): open(f'x{i}', 'wb').write(bytes(10**6))", "No space left"),
        ("import os\nfor i in range(5000): os.mkdir(f'x{i}')", "No space left"),
    ],
)
def test_alone_there_is_no_network_no_other_process_and_no_file_to_write(source, says):
    ran = programs._run(source, "", QUICK, True)
    assert ran.output == ""
    assert re.search(says, ran.trouble), ran.trouble


@ALONE
def test_alone_neither_the_home_nor_other_processes_nor_what_was_written_can_be_seen():
    home = Path(os.path.realpath(pwd.getpwuid(os.getuid()).pw_dir))
    prefix = Path(os.path.realpath(sys.base_prefix))
    of_python = {prefix.relative_to(home).parts[0]} if prefix.is_relative_to(home) else set()
    source = (
        "import json, os\nopen('made-by-a-program', 'w').write('x')\n"
        f"print(json.dumps([os.listdir('/proc'), os.listdir({str(home)!r}), sorted(os.listdir('.'))]))"
    )
    processes, seen, own = json.loads(programs._run(source, "", QUICK, True).output)
    assert processes == []
    assert set(seen) <= of_python | {programs.tempfile.gettempdir().split("/")[-1]}
    assert set(own) >= {"made-by-a-program", "main.py"}
    assert not Path(programs.tempfile.gettempdir(), "made-by-a-program").exists()


ADD = "def add(a, b):\n    return a + b"
ECHO = "for _ in range(int(input())):\n    print(int(input()) ** 2, end=' \\n')"


@pytest.mark.parametrize(
    ("source", "tests", "score", "reason"),
    [
        (ADD, ["assert add(1, 2) == 3", "assert add('a', 'b') == 'ab'"], 1, "passes all of 2"),
        (ADD, ["assert add(1, 2) == 4", "assert add(1, 2) == 3"], 0.5, "test 1 of 2: AssertionError"),
        (ADD, "def check(f):\n    assert f(2, 2) == 4\ncheck(add)", 1, "passes all of 1"),
        (ECHO, [{"input": "2\n3\n4\n", "output": "9\n16"}], 1, "passes all"),
        (ECHO, [{"input": "1\n3\n", "output": "10"}, {"input": "0\n", "output": ""}], 0.5, "it prints '9', expected '10'"),
        (ECHO, '{"inputs": ["1\\n2\\n"], "outputs": ["4\\n"]}', 1, "passes all"),
        ("print(9, 16)", [{"input": "", "output": "9 16\n\n"}], 1, "passes all"),
        ("print('9  16')", [{"input": "", "output": "9 16"}], 0, "it prints"),
        (f"{ADD}\nif __name__ == '__main__':\n    print(add(*map(int, input().split())))", ["assert add(2, 3) == 5"], 1, "passes"),
        ("from __future__ import annotations\n" + ADD, ["assert add(2, 3) == 5"], 1, "passes"),
        ("import sys\n" + ADD + "\nsys.exit(0)", ["assert add(1, 2) == 4"], 0, "leaves before the tests end"),
        ("import os\n" + ADD + "\nos._exit(0)", ["assert add(1, 2) == 4"], 0, "leaves before the tests end"),
        ("def add(a, b): raise SystemExit", ["assert add(1, 2) == 4"], 0, "leaves before the tests end"),
        ("print('done')\n" * 3, ["assert add(1, 2) == 3"], 0, "NameError"),
        ("while True: pass", ["assert 1"] * 50, 0, "test 1 of 50: it took more than 1 s"),
        ("print('Ünïcode', chr(0x10ffff))", [{"input": "", "output": "Ünïcode \U0010ffff"}], 1, "passes"),
    ],
)  # fmt: skip
def test_programs_are_graded_by_their_tests(source, tests, score, reason):
    verifier = CodeVerifier(run_programs=True, limits=QUICK)
    verdict = verifier(fenced(source), "", tests=tests)
    assert (verdict.score, verdict.correct) == (score, score == 1)
    assert verdict.outcome in (Outcome.CORRECT, Outcome.INCORRECT)
    assert reason in verdict.reason


@pytest.mark.parametrize(
    "response", ["", "print(1)", "```js\nprint(1)\n```", "<think>\n```python\nprint(1)\n```"]
)
def test_without_a_fenced_program_there_is_no_answer(response):
    verdict = CodeVerifier(run_programs=True)(response, "", tests=["assert 1"])
    assert verdict.outcome is Outcome.NO_ANSWER


@pytest.mark.parametrize(
    "tests",
    [None, [], 5, {}, [5], [{"input": "1"}], {"inputs": ["1"], "outputs": []}, "[", '{"a": 1}'],
)
def test_what_is_no_test_is_bad_gold(tests):
    verdict = CodeVerifier(run_programs=True)(fenced("print(1)"), "", tests=tests)
    assert verdict.outcome is Outcome.BAD_GOLD
    assert verdict.score == 0


def test_forms_of_tests():
    assert read_tests('["assert f() == 1"]') == [Asserts("assert f() == 1")]
    assert read_tests([{"input": "1", "output": "2"}, "assert 1"]) == [
        Dialogue("1", "2"),
        Asserts("assert 1"),
    ]


def test_it_is_off_unless_it_is_asked_for():
    with pytest.raises(ConfigError, match="run_programs=true"):
        load_verifier("code")
    with pytest.raises(ConfigError, match="run_programs=true"):
        CodeVerifier(run_programs="yes")
    with pytest.raises(ConfigError, match="run_programs=true"):
        load_task("mbpp")
    with pytest.raises(ConfigError, match="run_programs=true"):
        load_task("code", path="rows.jsonl")
    lines = (
        r"--set task\.args\.run_programs=true, .* --set task\.verifier_options\.run_programs=true"
    )
    with pytest.raises(ConfigError, match=lines):
        load_task("code", path="rows.jsonl")
    verifier = load_verifier("code", run_programs=True)
    assert verifier(fenced("print(1)"), "", tests=[{"input": "", "output": "1"}]).correct


def write(path, rows):
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return str(path)


def test_rows_of_ones_own(tmp_path):
    rows = [
        {"question": "Add.", "tests": ["assert add(1, 2) == 3"], "solution": ADD, "id": "a"},
        {"problem": "Say 1.", "tests": [{"input": "", "output": "1"}]},
    ]
    path = write(tmp_path / "rows.jsonl", rows)
    task = load_task(f"code={path}", train=path, run_programs=True, cpu_s=1)
    assert [(p.id, p.question, p.answer) for p in task.test] == [
        ("code-test-a", "Add.", f"```python\n{ADD}\n```"),
        ("code-test-2", "Say 1.", ""),
    ]
    assert [p.id for p in task.train] == ["code-a", "code-2"]
    assert "```python" in task.messages(task.test[0])[0]["content"]
    assert task.verifier(fenced(ADD), "", tests=task.test[0].info["tests"]).correct
    assert any(word in task.remarks[0] for word in ("without network", "NO NAMESPACES"))


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ({"question": "Add."}, "tests: expected a list of"),
        ({"tests": ["assert 1"]}, "no field 'question'"),
    ],
)
def test_a_bad_row_is_said(tmp_path, row, says):
    with pytest.raises(DataError, match=rf"rows\.jsonl:1: {says}"):
        load_task(f"code={write(tmp_path / 'rows.jsonl', [row])}", run_programs=True)


def test_mbpp(tmp_path):
    row = {
        "task_id": 11,
        "text": "Write add.",
        "code": ADD,
        "test_list": ["assert add(X, 2) == 3"],
        "test_setup_code": "X = 1",
        "challenge_test_list": [],
    }
    for split in ("train", "test"):
        write(tmp_path / "mbpp" / f"{split}.jsonl", [row])
    task = load_task(f"mbpp={tmp_path / 'mbpp'}", run_programs=True)
    assert (task.train[0].id, task.test[0].id) == ("mbpp-11", "mbpp-test-11")
    assert task.test[0].question == "Write add.\nYour code must pass:\nassert add(X, 2) == 3"
    assert task.verifier(task.test[0].answer, "", tests=task.test[0].info["tests"]).correct
    with pytest.raises(DataError, match="could not be had from the Hugging Face hub"):
        load_task("mbpp", run_programs=True)


def test_a_jail_that_fails_says_nothing_of_the_program(monkeypatch, tmp_path):
    verifier = CodeVerifier(run_programs=True)
    (tmp_path / "jail.py").write_text("raise OSError('no more processes')")
    monkeypatch.setattr(programs, "JAIL", tmp_path / "jail.py")
    verdict = verifier(fenced("print(1)"), "", tests=[{"input": "", "output": "1"}])
    assert verdict.outcome is Outcome.ERROR
    assert "no more processes" in verdict.reason


def test_in_a_pool_a_deadline_ends_the_program_too():
    verifier = CodeVerifier(run_programs=True)
    assert pickle.loads(pickle.dumps(verifier)) == verifier
    problem = Problem("1", "?", "", info={"tests": [{"input": "", "output": "1"}]})
    with VerifierPool(verifier, workers=2, deadline_s=3) as pool:
        pairs = [(fenced("import time; time.sleep(600)"), problem), (fenced("print(1)"), problem)]
        slow, right = pool.verify(pairs)
        assert (slow.outcome, right.outcome) == (Outcome.TIMEOUT, Outcome.CORRECT)
        assert "3" in slow.reason


def test_what_the_refusal_says_to_type_is_taken_and_the_solution_is_the_gold(tmp_path, capsys):
    row = {"question": "Print 1.", "tests": [{"input": "", "output": "1"}], "solution": "print(1)"}
    path = write(tmp_path / "rows.jsonl", [row])
    allowed = ["--set", "task.args.run_programs=true"]
    main(["validate", f"code={path}", *allowed, "--workers", "1", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert (found["golds"], found["found"]) == (1, [])
    named = [f"file:{path}", "--set", "task.verifier=code"]
    with pytest.raises(SystemExit):
        main(["validate", *named, "--workers", "1"])
    assert "--set task.verifier_options.run_programs=true" in capsys.readouterr().err
