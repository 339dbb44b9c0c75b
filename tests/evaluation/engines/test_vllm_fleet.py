"""Engines in processes of their own, with a stand-in for vLLM inside: who answers what, and dies."""

import contextlib
import itertools
import json
import math
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace

import pytest

from rewardkit.errors import ConfigError, ModelError
from rewardkit.evaluation.engines import vllm_process
from rewardkit.evaluation.engines.vllm_fleet import Fleet, environments

FAKE = {"PYTHONPATH": str(Path(__file__).with_name("fake_vllm"))}
JOBS = [([i, i + 1], {"seed": 100 + i}) for i in range(40)]
EXPECTED = {i: [2 * i + 1, 100 + i] for i in range(40)}


@pytest.fixture(autouse=True)
def logs(tmp_path, monkeypatch):
    """Where engines write: a failed one's log stays."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@contextlib.contextmanager
def fleet(*environments, silence=math.inf, **arguments):
    made = Fleet(arguments, [FAKE | one for one in environments], silence)
    try:
        yield made
    finally:
        made.close()


def drawn(made, jobs=JOBS):
    """Index -> what came; an index that came twice fails."""
    found = {}
    for index, answer, seconds in made.answers(jobs):
        assert index not in found
        assert seconds >= 0
        found[index] = json.loads(answer.text)[:2] if answer.text else answer.failure
    return found


def test_engines_share_one_queue_and_each_is_asked(tmp_path):
    a, b = str(tmp_path / "a"), str(tmp_path / "b")
    first = {"FAKE_NAME": "a", "FAKE_TELLS": a, "FAKE_AWAITS": b}
    with fleet(first, {"FAKE_NAME": "b", "FAKE_TELLS": b, "FAKE_AWAITS": a}) as made:
        found = {index: json.loads(answer.text) for index, answer, _ in made.answers(JOBS)}
    assert {index: answer[:2] for index, answer in found.items()} == EXPECTED
    assert {answer[2] for answer in found.values()} == {"a", "b"}


def test_no_engine_has_a_place_free_while_requests_wait():
    with fleet({}, max_num_seqs=4) as made:
        waiting = len(JOBS)
        for _ in made.answers(JOBS):
            waiting -= 1
            assert len(made.engines[0].open) >= min(4, waiting)


def test_what_a_dead_engine_had_not_answered_is_answered_by_the_others_once(tmp_path, caplog):
    dead = str(tmp_path / "dead")
    dying = {"FAKE_DIES": "1", "FAKE_TELLS": dead}
    with fleet({"FAKE_AWAITS": dead}, dying, dies_after=3) as made:
        assert drawn(made) == EXPECTED
        assert re.search(r"died \(CUDA out of memory .*go to the others, 1 of 2", caplog.text)
        assert drawn(made) == EXPECTED  # and the next set goes on with who is left


def test_what_a_hanging_engine_had_not_answered_is_answered_by_the_others_once(tmp_path, caplog):
    hung = str(tmp_path / "hung")
    hanging = {"FAKE_DIES": "1", "FAKE_HANGS": "1", "FAKE_TELLS": hung}
    with fleet({"FAKE_AWAITS": hung}, hanging, dies_after=3, silence=3.0) as made:
        assert drawn(made) == EXPECTED
        assert made.engines[1].process.returncode == -signal.SIGKILL
    said = r"has made no step for 3 s \(NCCL WARN.*its \d responses go to the others, 1 of 2"
    assert re.search(said, caplog.text)


def test_an_engine_that_decodes_for_long_says_so():
    class Slow:
        """Two steps without an answer, then one."""

        steps = 0

        def has_unfinished_requests(self):
            return True

        def step(self):
            self.steps += 1
            output = SimpleNamespace(text="x", token_ids=[1], finish_reason="stop")
            return [SimpleNamespace(request_id="7", outputs=[output], finished=self.steps == 3)]

    beats = []
    found = vllm_process.answers(Slow(), SimpleQueue(), lambda: beats.append(1))
    assert [answer.number for answer in found] == [7]
    assert len(beats) == 3


def test_when_all_are_dead_what_came_has_come_and_the_error_says_what_is_missing():
    with fleet({"FAKE_DIES": "1"}, dies_after=3) as made:
        answers = made.answers(JOBS)
        assert len({index for index, _, _ in itertools.islice(answers, 3)}) == 3
        with pytest.raises(ModelError, match=r"37 responses have not come.*out of memory") as died:
            next(answers)
    log = Path(re.search(r"\((/.*\.log)\)", str(died.value))[1])
    assert "out of memory" in log.read_text()  # the message leads to what is there


def test_an_engine_that_cannot_be_made_says_why():
    with fleet({}, model="broken") as made, pytest.raises(ModelError, match="no such architecture"):
        drawn(made)
    with fleet({}, gpu_memory=1) as made, pytest.raises(ModelError, match="unexpected keyword"):
        drawn(made)


def test_a_request_that_vllm_refuses_costs_the_others_nothing(logs):
    with fleet({}, poison=7) as made:
        found = drawn(made)
    assert not list(logs.glob("*.log"))  # nothing failed
    refused = {6, 7}
    assert {i for i, what in found.items() if what == "vLLM refuses it: too long"} == refused
    assert all(found[i] == EXPECTED[i] for i in EXPECTED.keys() - refused)


def test_what_was_left_early_does_not_come_later():
    with fleet({}) as made:
        next(made.answers(JOBS))
        other = [([1000], {"seed": 5})]
        assert drawn(made, other) == {0: [1000, 5]}


def test_engines_end_with_the_evaluation_however_it_ends():
    program = (
        "import os, sys; from rewardkit.evaluation.engines.vllm_fleet import Fleet\n"
        f"made = Fleet({{}}, [{FAKE!r}])\n"
        "next(made.answers([([1], {'seed': 1})]))\n"
        "print(made.engines[0].process.pid, made.engines[0].log, flush=True)\n"
        "os.kill(os.getpid(), 9)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    pid, log = done.stdout.split()
    for _ in range(600):
        with contextlib.suppress(OSError):
            if Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z":
                time.sleep(0.05)
                continue
        break
    else:
        os.kill(int(pid), 9)
        pytest.fail("the engine lives on")
    Path(log).unlink()


def test_each_engine_has_gpus_of_its_own():
    found = environments(2, 2, "cuda", ["0", "3", "5", "6"], 64)
    assert [one["CUDA_VISIBLE_DEVICES"] for one in found] == ["0,3", "5,6"]
    with pytest.raises(ConfigError, match="takes 8 GPUs, and 4 are visible"):
        environments(4, 2, "cuda", ["0", "1", "2", "3"], 64)
