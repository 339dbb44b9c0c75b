"""TRL's side of `native_vs_trl.py`: the same steps through GRPOTrainer, under stopwatches."""

from __future__ import annotations

import tempfile
import time
from typing import Any

import torch
from datasets import Dataset
from transformers import TrainerCallback
from transformers.utils import logging
from trl import GRPOConfig, GRPOTrainer

from rewardkit.sampling.order import order_of
from rewardkit.tasks import load_task
from rewardkit.verifiers import VerifierPool
from rewardkit_native.model.loading import load

Step = tuple[dict[str, float], float, int]
"""Seconds by phase, mean reward, tokens sampled."""


class Clock(TrainerCallback):  # type: ignore[misc]
    """What the steps took, and what came of them."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.reward, self.tokens = 0.0, 0
        self.seconds = {"sample": 0.0, "forward": 0.0}
        self.began = 0.0

    def on_train_begin(self, *_: Any, **__: Any) -> None:
        """Start."""
        self.began = time.perf_counter()

    def on_step_end(self, *_: Any, **__: Any) -> None:
        """Take down a step, what is left of its time as the backward pass and the update."""
        now = time.perf_counter()
        rest = now - self.began - sum(self.seconds.values())
        self.steps.append(({**self.seconds, "backward and step": rest}, self.reward, self.tokens))
        self.began, self.seconds = now, dict.fromkeys(self.seconds, 0.0)


class Timed(GRPOTrainer):  # type: ignore[misc]
    """GRPOTrainer with a stopwatch around sampling and the loss."""

    clock: Clock

    def _generate_and_score_completions(self, *arguments: Any, **named: Any) -> Any:
        start = time.perf_counter()
        found = super()._generate_and_score_completions(*arguments, **named)
        self.clock.seconds["sample"] += time.perf_counter() - start
        return found

    def compute_loss(self, *arguments: Any, **named: Any) -> Any:
        """Return the loss, timed."""
        start = time.perf_counter()
        found = super().compute_loss(*arguments, **named)
        self.clock.seconds["forward"] += time.perf_counter() - start
        return found


def train(setting: Any) -> list[Step]:
    """Train on the problems of a native run, in its order."""
    logging.set_verbosity_error()
    task = load_task(setting.task, **setting.task_args)
    pool = VerifierPool(task.verifier, workers=2)
    order = order_of(task.train, setting.seed)
    asked = [task.train[order.at(i)] for i in range(setting.steps * setting.problems)]
    clock = Clock()

    def reward(completions: Any, answer: list[str], completion_ids: Any, **_: Any) -> list[float]:
        texts = [c[0]["content"] for c in completions]
        verdicts = pool.verify(zip(texts, answer, strict=True))
        found = [float(verdict.correct) for verdict in verdicts]
        clock.reward = sum(found) / len(found)
        clock.tokens = sum(map(len, completion_ids))
        return found

    model, tokenizer = load(setting.config("unused").model)
    with tempfile.TemporaryDirectory() as scratch, pool:
        trainer = Timed(
            model=model,
            reward_funcs=reward,
            args=GRPOConfig(output_dir=scratch, **trl_settings(setting)),
            train_dataset=Dataset.from_list(
                [{"prompt": list(task.messages(p)), "answer": p.answer} for p in asked]
            ),
            processing_class=tokenizer,
            callbacks=[clock],
        )
        trainer.clock = clock
        trainer.train()
    return clock.steps


def trl_settings(setting: Any) -> dict[str, Any]:
    """Return the arguments of GRPOConfig that make it do the same work."""
    rows = setting.problems * setting.group
    return {
        "use_cpu": not torch.cuda.is_available() or setting.device == "cpu",
        "bf16": setting.dtype == "bfloat16",
        "gradient_checkpointing": False,
        "per_device_train_batch_size": setting.micro_batch,
        "gradient_accumulation_steps": rows // setting.micro_batch,
        "num_generations": setting.group,
        "max_completion_length": setting.tokens,
        "temperature": 1.0,
        "top_p": 1.0,
        "top_k": 0,
        "max_steps": setting.steps,
        "shuffle_dataset": False,
        "learning_rate": setting.lr,
        "lr_scheduler_type": "constant",
        "adam_beta1": 0.9,
        "adam_beta2": 0.95,
        "weight_decay": 0.0,
        "max_grad_norm": 1.0,
        "optim": "adamw_torch_fused",
        "beta": 0.0,
        "epsilon": 0.2,
        "epsilon_high": 0.28,
        "loss_type": "dapo",
        "scale_rewards": "group",
        "report_to": "none",
        "save_strategy": "no",
        "logging_strategy": "no",
        "disable_tqdm": True,
        "seed": setting.seed,
        "dataloader_pin_memory": False,
    }
