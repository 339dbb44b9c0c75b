"""The reward manager as verl's reward worker calls it, without Ray."""

import asyncio
import os
import signal
import threading
import time
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from rewardkit.config import config_from, config_to_toml
from rewardkit.errors import ConfigError, ModelError
from rewardkit_verl import names, settings
from rewardkit_verl.rows import token_steps_of, verdict_of

pytestmark = pytest.mark.verl

LIMIT = 12
WORDS = {
    0: "",
    1: "\\boxed{5}",
    2: " so",
    3: "\\boxed{6}",
    4: "HANG",
    5: "CRASH",
    6: "So the answer is 5.",
}


DYING = """
import os, time
from pathlib import Path
from rewardkit.types import Outcome, Problem, Task, Verdict

class Slow:
    # Waits to be killed the first time, and answers the second.
    def __init__(self, marker):
        self.marker = Path(marker)
    def __call__(self, response, answer):
        if self.marker.exists():
            return Verdict(Outcome.CORRECT, reason="second try")
        self.marker.with_suffix(".part").write_text(str(os.getpid()))
        self.marker.with_suffix(".part").rename(self.marker)
        time.sleep(60)

def make(marker):
    problem = Problem("1", "?", "5")
    return Task("dying", [problem], [problem], lambda p: [], Slow(marker))
"""


class Words:
    """The least of a tokenizer: each token is a word."""

    eos_token_id = 0

    def decode(self, tokens, skip_special_tokens=True):
        return "".join(WORDS[int(token)] for token in tokens)


@pytest.fixture
def manager(monkeypatch, quietly, tmp_path):
    """Return a function that makes a manager for a recipe's shaping and a task."""
    with quietly():
        from rewardkit_verl.inside.reward_manager import RewardkitRewardManager
    made = []

    def make(shaping=(), task=None, model=None, **verify):
        config = {
            "folder": "x",
            "steps": 1,
            "recipe": {"name": "grpo", "shaping": list(shaping)},
            "sampling": {"max_tokens": LIMIT},
            "task": task or {"name": "arithmetic"},
            "verify": {"workers": 1, **verify},
        }
        monkeypatch.setenv(names.CONFIG_VARIABLE, config_to_toml(config_from(config)))
        settings.run_config.cache_clear()
        verl_config = SimpleNamespace(
            actor_rollout_ref=SimpleNamespace(model=SimpleNamespace(path=model or str(tmp_path))),
            reward=SimpleNamespace(num_workers=1),
        )
        made.append(RewardkitRewardManager(verl_config, Words(), None))
        return made[-1]

    yield make
    for each in made:
        each.pool.close()
    settings.run_config.cache_clear()


def sample(tokens, gold="5", padding=2, **extra):
    """What verl's agent loop sends for one response."""
    from tensordict import TensorDict
    from verl import DataProto

    prompt = 3
    attention = torch.ones(1, prompt + len(tokens) + padding, dtype=torch.int64)
    attention[0, prompt + len(tokens) :] = 0
    responses = torch.tensor([[*tokens, *[0] * padding]])
    return DataProto(
        batch=TensorDict({"responses": responses, "attention_mask": attention}, batch_size=1),
        non_tensor_batch={
            "reward_model": np.array([{"ground_truth": gold}], dtype=object),
            "extra_info": np.array([{"id": "p1", "split": "train", **extra}], dtype=object),
        },
    )


def graded(manager, *arguments, **options):
    found = manager.loop.run_until_complete(manager.run_single(sample(*arguments, **options)))
    return found["reward_score"], found["reward_extra_info"]


def test_the_form_is_paid_for_and_held_out_answers_are_read_leniently(manager):
    made = manager([{"name": "declared", "options": {"wrong": 0.2, "not_declared": -0.1}}])
    found = {text: graded(made, [token, 0]) for token, text in WORDS.items() if token in (1, 2, 3)}
    assert [reward for reward, _ in found.values()] == [1.0, -0.1, 0.2]
    assert [info["method"] for _, info in found.values()][1] == "not declared"
    assert verdict_of(found[" so"][1]).method == "not declared"
    assert {info["near"] for _, info in found.values()} == {""}  # of what is trained on
    _, info = graded(made, [6, 0], split="test")
    assert (info["outcome"], info["near"]) == ("no_answer", "right")


SCORED = """
from rewardkit.types import Problem, Task

async def near(response, answer, target, problem):
    assert problem.question == "Make 8."
    return 1 - abs(int(response.strip("\\\\boxed{} ")) - target) / target

def make():
    problem = Problem("1", "Make 8.", "", info={"target": 8})
    return Task("near", [problem], [problem], lambda p: [], near)
"""


def test_columns_reach_the_verifier_and_its_score_is_the_reward(manager, monkeypatch, tmp_path):
    (tmp_path / "scored_task.py").write_text(SCORED)
    monkeypatch.syspath_prepend(tmp_path)
    made = manager(task={"name": "scored_task:make"})
    row = {"question": "Make 8.", "info": '{"target": 8}'}
    reward, info = graded(made, [1, 0], gold="", **row)
    assert (reward, info["verdict_score"], info["acc"]) == (0.625, 0.625, 0.0)
    assert (info["outcome"], info["reward/correct"]) == ("incorrect", 0.625)
    reward, info = graded(made, [1, 0], gold="", question="Make 8.")  # of a row without columns
    assert (reward, info["outcome"]) == (0.0, "error")
    assert "has no column 'target'" in info["reason"]


STEPPED = """
from rewardkit.types import Outcome, Problem, Task, Verdict

def words(response, answer):
    ends = [response.index("}") + 1, len(response)]
    return Verdict(Outcome.INCORRECT, steps=[(ends[0], 1.0), (ends[1], 0.5)])

def make():
    problem = Problem("1", "?", "5")
    return Task("stepped", [problem], [problem], lambda p: [], words)
"""


def test_scores_of_steps_reach_the_trainer_by_their_tokens(manager, monkeypatch, tmp_path):
    (tmp_path / "stepped_task.py").write_text(STEPPED)
    monkeypatch.syspath_prepend(tmp_path)
    _, info = graded(manager(task={"name": "stepped_task:make"}), [2, 1, 2, 3, 0])
    # " so\\boxed{5}" ends with the second token; what comes after the last step belongs to it
    assert token_steps_of(info) == [(1, 1.0), (4, 0.5)]
    assert verdict_of(info).steps == ((12, 1.0), (24, 0.5))


def test_right_and_wrong(manager):
    reward, info = graded(manager(), [2, 1, 0])
    assert (reward, info[names.OUTCOME_KEY], info["outcome"]) == (1.0, 1.0, "correct")
    assert info["extracted"] == "5"
    assert info["reward/correct"] == 1.0
    reward, info = graded(manager(), [3, 0])
    assert (reward, info[names.OUTCOME_KEY], info["outcome"]) == (0.0, 0.0, "incorrect")
    reward, info = graded(manager(), [2, 0])
    assert (info["outcome"], info["extracted"]) == ("no_answer", "")


def test_outcome_and_shaped_reward_stay_apart(manager):
    shaped = manager([{"name": "soft_overlong", "options": {"cache": 4}}])
    reward, info = graded(shaped, [2] * 9 + [1, 0])  # 11 of 12 tokens, 4 of them in the cache
    assert reward == pytest.approx(1 - 3 / 4)
    assert info[names.OUTCOME_KEY] == 1.0
    assert info["reward/soft_overlong"] == pytest.approx(-3 / 4)


def test_terms_of_a_whole_group_are_left_to_the_trainer(manager):
    reward, info = graded(manager([{"name": "kimi_length"}]), [1, 0])
    assert reward == 1.0
    assert "reward/kimi_length" not in info


@pytest.mark.parametrize(
    ("tokens", "cut"), [([2] * LIMIT, 1.0), ([2] * (LIMIT - 1) + [0], 0.0), ([2, 0], 0.0)]
)
def test_truncated(manager, tokens, cut):
    assert graded(manager(), tokens)[1]["truncated"] == cut


def test_validation_of_verl_takes_every_value(manager):
    """Numbers are averaged, text is passed over; the outcome is the main metric."""
    from verl.trainer.ppo.metric_utils import process_validation_metrics

    make = manager()
    infos = [graded(make, tokens)[1] for tokens in ([1, 0], [3, 0], [2, 0], [1, 0])]
    columns = {name: [info[name] for info in infos] for name in infos[0]}
    found = process_validation_metrics(["t"] * 4, ["a", "a", "b", "b"], columns)["t"]
    assert found["acc"]["mean@2"] == 0.5
    assert "outcome" not in found
    assert "reason" not in found


def test_a_model_that_this_node_does_not_have_is_an_error_and_no_hub_is_asked(manager, monkeypatch):
    asked = []

    def from_pretrained(model):
        asked.append(model)
        raise OSError("has no generation settings")

    monkeypatch.setattr("transformers.GenerationConfig.from_pretrained", from_pretrained)
    for model in ("/elsewhere/model", "nowhere", "./run/model"):
        with pytest.raises(ModelError, match=r"no such folder, and not a hub id.*every node has"):
            manager(model=model)
    assert asked == []
    assert manager(model="owner/name").ends == {Words.eos_token_id}
    assert asked == ["owner/name"]


def test_missing_configuration_says_how_to_start(monkeypatch):
    monkeypatch.delenv(names.CONFIG_VARIABLE, raising=False)
    settings.run_config.cache_clear()
    with pytest.raises(ConfigError, match="rewardkit train"):
        settings.run_config()


def test_verifier_process_killed_in_the_middle_is_replaced(manager, tmp_path, monkeypatch):
    """The verdict comes from the replacement: the item was not at fault."""
    (tmp_path / "dying_task.py").write_text(DYING)
    monkeypatch.syspath_prepend(tmp_path)
    marker = tmp_path / "pid"
    slow = manager(task={"name": "dying_task:make", "args": {"marker": str(marker)}})

    def kill_when_it_works():
        while not marker.exists() or not marker.read_text():
            time.sleep(0.01)
        os.kill(int(marker.read_text()), signal.SIGKILL)

    killer = threading.Thread(target=kill_when_it_works)
    killer.start()
    _, info = graded(slow, [2, 1, 0])
    killer.join()
    assert info["outcome"] == "correct"
    assert info["reason"] == "second try"


def test_many_at_once(manager):
    make = manager()

    async def all_of_them():
        return await asyncio.gather(*(make.run_single(sample([1, 0])) for _ in range(32)))

    found = make.loop.run_until_complete(all_of_them())
    assert [each["reward_score"] for each in found] == [1.0] * 32


def test_relative_paths_of_a_task_start_where_the_launcher_stood(manager, tmp_path, monkeypatch):
    (tmp_path / "launched").mkdir()
    (tmp_path / "launched" / "mine.jsonl").write_text('{"problem": "2+3?", "answer": "5"}\n')
    (tmp_path / "ray").mkdir()
    monkeypatch.chdir(tmp_path / "ray")  # a worker's, on a cluster
    monkeypatch.setenv(names.FOLDER_VARIABLE, str(tmp_path / "launched"))
    _, info = graded(manager(task={"name": "file:mine.jsonl"}), [2, 1, 0])
    assert info["outcome"] == "correct"


def test_a_node_without_the_launcher_s_folder_can_work_too(manager, tmp_path, monkeypatch):
    monkeypatch.setenv(names.FOLDER_VARIABLE, str(tmp_path / "elsewhere"))
    assert graded(manager(), [2, 1, 0])[1]["outcome"] == "correct"
