"""Our agent loop as verl's worker calls it, without Ray: it plays what the native backend plays."""

import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from rewardkit.checks import chat_of, encode_problem
from rewardkit.config import config_from, config_to_toml
from rewardkit.environments import turn_metrics
from rewardkit.environments.table import played_tasks
from rewardkit.sampling import SamplingParams
from rewardkit.tasks.settings import run_task, turn_limits
from rewardkit.types import Outcome
from rewardkit_native.learning.batch import written_by_model
from rewardkit_native.sampling.choice import FastSampler
from rewardkit_native.sampling.turns import TurnSampler
from rewardkit_verl import names, settings
from rewardkit_verl.rows import played_rollout, problem_fields, verdict_of

pytestmark = pytest.mark.verl

sys.path.append(str(Path(__file__).parents[2] / "native"))  # for `playing_task`, of workers too
MOST = 40


class Replayed:
    """verl's client of servers: says what was sampled before, a turn a request."""

    def __init__(self, rollout, prompt):
        self.rollout, self.prompt, self.requests = rollout, prompt, set()

    async def generate(self, request_id, prompt_ids, sampling_params):
        written = prompt_ids[self.prompt :]
        place = len(written)
        assert written == list(self.rollout.tokens[:place])
        assert sampling_params["max_tokens"] == MOST - place
        self.requests.add(request_id)
        ends = [0]
        for part in self.rollout.segments:
            ends.append(ends[-1] + part.tokens)
        turn = slice(place, next(end for end in ends if end > place))
        return SimpleNamespace(
            token_ids=list(self.rollout.tokens[turn]),
            log_probs=list(self.rollout.logprobs[turn]),
            extra_fields={"min_global_steps": 3},
        )


@pytest.fixture(params=["playing_task:task", "guess_number"])
def run(request, monkeypatch, tiny_model):
    """The settings of a run, as each of verl's processes finds them."""
    data = {
        "folder": "x",
        "steps": 1,
        "model": {"name": str(tiny_model)},
        "task": {"name": request.param},
        "sampling": {"max_tokens": MOST, "turns": 3},
        "verify": {"workers": 1},
    }
    config = config_from(data)
    monkeypatch.setenv(names.CONFIG_VARIABLE, config_to_toml(config))
    settings.run_config.cache_clear()
    yield config
    settings.run_config.cache_clear()


@pytest.fixture
def verl_config(tiny_model):
    from omegaconf import OmegaConf

    return OmegaConf.create(
        {
            "actor_rollout_ref": {
                "model": {"path": str(tiny_model)},
                "rollout": {"prompt_length": 512, "agent": {"num_workers": 1}},
            },
            "data": {"apply_chat_template_kwargs": {}},
            "reward": {"num_workers": 1},
        }
    )


@pytest.fixture
def native(run, tiny_model):
    """(task, tokenizer, [(problem, prompt, rollout)]) as the native backend plays them."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    task, tokenizer = run_task(run), AutoTokenizer.from_pretrained(tiny_model)
    model = AutoModelForCausalLM.from_pretrained(tiny_model, dtype=torch.float32)
    problems = [replace(task.train[0], answer="10"), *task.train[1:6]]
    prompts = [encode_problem(tokenizer, task, problem) for problem in problems]
    params = SamplingParams(max_tokens=MOST, temperature=1.0)
    sampler = FastSampler(model, tokenizer, torch.float32)
    with TurnSampler(sampler, played_tasks(task), turn_limits(run)) as playing:
        groups = playing.sample(problems, prompts, [[1, 2], [3, 4]] * 3, params)
    asked = zip(problems, prompts, groups, strict=True)
    return task, tokenizer, [(*pair, one) for *pair, group in asked for one in group]


def as_graded(found, row):
    """What verl's worker sends to a reward worker of an agent loop's output."""
    import numpy as np
    from tensordict import TensorDict
    from verl import DataProto

    whole = torch.ones(1, len(found.prompt_ids) + len(found.response_ids), dtype=torch.int64)
    tensors = {"responses": torch.tensor([found.response_ids]), "attention_mask": whole}
    row = {**row, "tool_extra_fields": found.extra_fields}
    return DataProto(
        batch=TensorDict(tensors, batch_size=1),
        non_tensor_batch={name: np.array([value]) for name, value in row.items()},
    )


def test_masks_tokens_and_verdicts_are_the_native_ones(run, quietly, native, verl_config):
    with quietly():
        from verl.experimental.agent_loop.agent_loop import DictConfigWrap

        from rewardkit_verl.inside import agent_loop, reward_manager

    task, tokenizer, rollouts = native
    manager = reward_manager.RewardkitRewardManager(verl_config, tokenizer, None)
    given = DictConfigWrap(verl_config), tokenizer, DictConfigWrap(verl_config.data)
    seen = set()

    async def play(problem, prompt, rollout):
        server = Replayed(rollout, len(prompt))
        loop = agent_loop.RewardkitAgentLoop(given[0], server, given[1], None, None, given[2])
        row = problem_fields(problem, split="train", index=0)
        found = await loop.run({}, raw_prompt=chat_of(task, problem), **row)
        assert found.prompt_ids == prompt
        assert found.response_ids == list(rollout.tokens)
        assert found.response_mask == written_by_model([rollout])[0].int().tolist()
        assert found.response_logprobs == list(rollout.logprobs)
        assert len(server.requests) == 1
        recorded = played_rollout(found.extra_fields, found.response_ids)
        for name in ("text", "finish", "segments", "tool_errors"):
            assert getattr(recorded, name) == getattr(rollout, name)
        said = (await manager.run_single(as_graded(found, row)))["reward_extra_info"]
        verdict = verdict_of(said)
        assert rollout.verdict is None or verdict.outcome is rollout.verdict.outcome
        assert turn_metrics([played_rollout(said, ())]) == turn_metrics([rollout])
        seen.update((verdict.outcome, *[part.written for part in rollout.segments]))

    async def all_of_them():
        for one in rollouts:
            await play(*one)

    try:
        manager.loop.run_until_complete(all_of_them())
    finally:
        manager.pool.close()
        agent_loop.environments(tokenizer, 1).close()
        agent_loop.environments.cache_clear()
    assert {True, False} <= seen
    assert run.task.name == "guess_number" or Outcome.ERROR in seen
