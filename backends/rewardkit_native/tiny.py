"""A model of about a million parameters, made from nothing in seconds: for tests and trials.

It reads and writes a small byte-level vocabulary, and is taught by a short supervised warm-up to
answer one-digit sums in a box, rightly about one time in three. That is the state that
reinforcement learning starts from: the form is there, the skill is not.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rewardkit.errors import MissingExtraError
from rewardkit.types import Problem, Task
from rewardkit_native.fetch import make_once

TEMPLATE = (
    "{% for m in messages %}<|{{ m['role'] }}|>{{ m['content'] }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
WRONG_SHARE = 0.2
"""So often does the warm-up show a wrong answer."""


def tiny() -> Path:
    """Return the folder of the tiny model, making it (about 20 s on two cores) if need be.

    Raises:
        MissingExtraError: it must be made, and torch or transformers is not installed.
    """
    return make_once("tiny", make_tiny)


def make_tiny(folder: Path, steps: int = 300, seed: int = 0) -> None:
    """Build tokenizer and model, warm the model up for `steps`, and save both in `folder`."""
    for package in ("torch", "transformers"):
        if find_spec(package) is None:
            raise MissingExtraError(package, "native")
    import torch

    from rewardkit.tasks import load_task

    task = load_task("arithmetic", operations=["+"])
    tokenizer = _tokenizer(task)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = _model(tokenizer)
        _warm_up(model, tokenizer, task, steps, random.Random(seed))
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def _tokenizer(task: Task) -> Any:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    special = ["<|end|>", "<|system|>", "<|user|>", "<|assistant|>"]
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Digits(individual_digits=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=400,
        special_tokens=special,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    corpus = [m["content"] for problem in task.train[:64] for m in task.messages(problem)]
    tokenizer.train_from_iterator([*corpus, "\\boxed{"] * 4, trainer)
    wrapped = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token="<|end|>", pad_token="<|end|>"
    )
    wrapped.chat_template = TEMPLATE
    return wrapped


def _model(tokenizer: Any) -> Any:
    from transformers import LlamaConfig, LlamaForCausalLM

    end = tokenizer.eos_token_id
    return LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(tokenizer),
            hidden_size=128,
            intermediate_size=384,
            num_hidden_layers=4,
            num_attention_heads=4,
            num_key_value_heads=2,
            max_position_embeddings=512,
            bos_token_id=None,
            eos_token_id=end,
            pad_token_id=end,
            tie_word_embeddings=True,
        )
    )


def _warm_up(model: Any, tokenizer: Any, task: Task, steps: int, rng: random.Random) -> None:
    import torch

    optimiser = torch.optim.AdamW(model.parameters(), lr=3e-3, betas=(0.9, 0.95), weight_decay=0.0)
    for step in range(steps):
        problems = [task.train[rng.randrange(len(task.train))] for _ in range(16)]
        loss = _imitation_loss(model, tokenizer, task, problems, rng)
        for group in optimiser.param_groups:
            # Down to nothing at the end, so that the last batch does not decide what is learned.
            group["lr"] = 3e-3 * min((step + 1) / 20, 1 - step / steps)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad()


def _imitation_loss(
    model: Any, tokenizer: Any, task: Task, problems: Sequence[Problem], rng: random.Random
) -> Any:
    from rewardkit_native.logprobs import padded_scores
    from rewardkit_native.model import encode

    prompts, responses = [], []
    for problem in problems:
        answer = int(problem.answer)
        if rng.random() < WRONG_SHARE:
            answer = rng.randint(1, 18)
        text = f"\\boxed{{{answer}}}"
        prompts.append(encode(tokenizer, task.messages(problem)))
        responses.append([*tokenizer(text)["input_ids"], tokenizer.eos_token_id])
    scores = padded_scores(model, prompts, responses)
    return -scores.logprobs.sum() / sum(map(len, responses))
