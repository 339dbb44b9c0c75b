"""Steps of verl's trainer without Ray: a policy that is a table, and everything else as it is.

Responses are graded by the reward manager's own `run_single`, batched by `_compute_advantage` of
our trainer, learned from by `actor_loss` through verl's `ppo_loss`, and recorded by the launcher's
`step_row`, which is what the guards read. In the place of verl's data plane is a dictionary.
"""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import torch
from tensordict import TensorDict
from verl import DataProto
from verl.utils import tensordict_utils as tu
from verl.utils.metric import Metric
from verl.workers.config import FSDPActorConfig, PolicyLossConfig

from rewardkit.guards import judge
from rewardkit_verl.inside import data_plane
from rewardkit_verl.inside.losses import actor_loss
from rewardkit_verl.inside.reward_manager import RewardkitRewardManager
from rewardkit_verl.inside.trainer import RewardkitTrainer
from rewardkit_verl.launcher.recorder import step_row
from rewardkit_verl.names import POLICY_LOSS

WORDS = {0: "", 1: "\\boxed{5}", 2: " so", 3: "\\boxed{6}"}
LIMIT = 8
HERE = str(Path(__file__).parent)
"""A folder without generation settings."""


class Words:
    """The least of a tokenizer: each token is a word."""

    eos_token_id = 0

    def decode(self, tokens, skip_special_tokens=True):
        return "".join(WORDS[int(token)] for token in tokens)


def nested(rows):
    return torch.nested.as_nested_tensor(rows, layout=torch.jagged)


class Batch(SimpleNamespace):
    """What verl hands its trainer: the keys of the rows, and how many they are."""

    def __len__(self):
        return len(self.keys)


class Steps:
    """One run, a step a call; `guards` is what they remember of it."""

    def __init__(self, run, *, end=0.0, lr=0.01, shift=0.0, reference=None):
        self.run, self.recipe = run, run.recipe
        logits = torch.tensor([end, 0.0, 0.0, 0.0])
        self.logits = logits.requires_grad_()
        self.optimiser = torch.optim.Adam([self.logits], lr=lr)
        self.draw = torch.Generator().manual_seed(0)
        self.shift, self.reference = shift, reference
        config = SimpleNamespace(
            actor_rollout_ref=SimpleNamespace(model=SimpleNamespace(path=HERE)),
            reward=SimpleNamespace(num_workers=1),
        )
        self.manager = RewardkitRewardManager(config, Words(), None)
        self.trainer = self._trainer()
        self.guards, self.number = {}, 0
        actor = {"strategy": "fsdp2", "rollout_n": 1, "ppo_micro_batch_size_per_gpu": 1}
        self.actor = FSDPActorConfig(**actor, policy_loss=PolicyLossConfig(loss_mode=POLICY_LOSS))

    def _trainer(self):
        made = object.__new__(RewardkitTrainer)  # without verl's own start, which needs Ray
        problems, size = self.run.sampling.problems, self.run.sampling.group_size
        made.run, made.recipe, made.learns, made.prompts = self.run, self.recipe, True, None
        made.entropy_coef, made.graded, made.counts, made.global_steps = None, {}, {}, 1
        made.replay_buffer = SimpleNamespace(dropped=[], dropped_by_prompt={})
        made.actor_rollout_wg = SimpleNamespace(_dispatch_info={"actor": [0]})
        parts = self.recipe.minibatches
        actor = SimpleNamespace(ppo_mini_batch_size=problems // parts)
        rollout = SimpleNamespace(n=size)
        made.config = SimpleNamespace(
            actor_rollout_ref=SimpleNamespace(actor=actor, rollout=rollout)
        )
        return made

    def close(self):
        self.manager.pool.close()

    def step(self):
        """Make a step; return its row and the names of the guards that speak."""
        responses = [self.sample() for _ in range(self.run.sampling.problems * self.size)]
        found = self.learn(responses, [self.grade(tokens) for tokens in responses])
        self.number += 1
        row = step_row(self.number, {"training/global_step": self.number, **found})
        alarms, self.guards = judge(self.run.guards, row, self.guards)
        return row, [alarm.guard for alarm in alarms]

    @property
    def size(self):
        return self.run.sampling.group_size

    def sample(self):
        tokens = []
        while len(tokens) < LIMIT and 0 not in tokens:
            probabilities = self.logits.detach().softmax(-1)
            tokens.append(int(torch.multinomial(probabilities, 1, generator=self.draw)))
        return tokens

    def grade(self, tokens):
        attention = torch.ones(1, 1 + len(tokens), dtype=torch.int64)
        batch = {"responses": torch.tensor([tokens]), "attention_mask": attention}
        row = {"reward_model": {"ground_truth": "5"}, "extra_info": {"id": "p", "split": "train"}}
        columns = {name: np.array([value], dtype=object) for name, value in row.items()}
        data = DataProto(batch=TensorDict(batch, batch_size=1), non_tensor_batch=columns)
        return self.manager.loop.run_until_complete(self.manager.run_single(data))

    def logprobs(self, responses):
        logp = self.logits.log_softmax(-1)
        return [logp[torch.tensor(tokens)] for tokens in responses]

    def learn(self, responses, graded):
        """The trainer's part and the workers', with verl's metrics of both."""
        old = [row.detach() for row in self.logprobs(responses)]
        logp = self.logits.detach().log_softmax(-1)
        keys = [f"{i // self.size}_{i % self.size}_0" for i in range(len(responses))]
        ones = [torch.ones(len(tokens), dtype=torch.int64) for tokens in responses]
        scores = [torch.zeros(len(tokens)) for tokens in responses]
        for row, one in zip(scores, graded, strict=True):
            row[-1] = one["reward_score"]
        data = {
            "uid": [key.split("_")[0] for key in keys],
            "response_mask": nested(ones),
            "rm_scores": nested(scores),
            "old_log_probs": nested(old),
            "extra_fields": [{"reward_extra_info": one["reward_extra_info"]} for one in graded],
        }
        if self.reference is not None:
            data["ref_log_prob"] = nested([torch.full_like(row, self.reference) for row in old])
        batch = Batch(keys=keys, partition_id="train", tags=[{}] * len(keys))
        sent, metrics = {}, {}
        data_plane.tq = SimpleNamespace(
            kv_batch_get=lambda **_: data,
            kv_batch_put=lambda fields, **_: sent.update(fields.items()),
        )
        self.trainer._compute_advantage(batch, metrics)
        metrics["actor/entropy"] = float(-(logp.exp() * logp).sum())
        metrics["actor/grad_norm"] = 0.0
        if self.trainer.learns:
            sent |= {name: data[name] for name in ("response_mask", "old_log_probs")}
            sent |= {name: data[name] for name in ("ref_log_prob",) if name in data}
            sent["rollout_log_probs"] = nested([row + self.shift for row in old])
            metrics |= self.updates(responses, {k: v.unbind() for k, v in sent.items()})
        return metrics

    def updates(self, responses, sent):
        found, norms = {}, []
        rows = torch.arange(len(responses)).tensor_split(self.recipe.minibatches)
        for part in [part.tolist() for _ in range(self.recipe.epochs) for part in rows]:
            mine = [responses[i] for i in part]
            data = TensorDict(
                {name: nested([values[i] for i in part]) for name, values in sent.items()}
                | {
                    "prompts": nested([torch.zeros(1, dtype=torch.int64) for _ in mine]),
                    "responses": nested([torch.tensor(tokens) for tokens in mine]),
                },
                batch_size=len(part),
            )
            tokens = sum(map(len, mine))
            tu.assign_non_tensor(
                data, dp_size=1, batch_num_tokens=tokens, global_batch_size=len(part)
            )
            # a model's output is of the prompt too, each place saying the token after it
            output = [torch.cat([row, torch.zeros(1)]) for row in self.logprobs(mine)]
            loss, metrics = actor_loss(self.actor, self.recipe, {"log_probs": nested(output)}, data)
            self.optimiser.zero_grad()
            loss.backward()
            norms.append(float(self.logits.grad.norm()))
            self.optimiser.step()
            for name, value in metrics.items():
                number = value.aggregate() if isinstance(value, Metric) else value
                found.setdefault(f"actor/{name}", []).append(number)
        means = {name: float(np.mean(values)) for name, values in found.items()}
        return {**means, "actor/grad_norm": float(np.mean(norms))}
