"""A model of about a million parameters, made from nothing in seconds: for tests and trials.

It reads and writes a small byte-level vocabulary, and is taught by a short supervised warm-up to
answer one-digit sums in a box. The warm-up ends when one answer in three would be right, on
whatever machine it is made: after so many steps alone, rounding would decide between one in ten
and one in two. That is the state that reinforcement learning starts from: the form is there, the
skill is not.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rewardkit.errors import MissingExtraError
from rewardkit.types import Task
from rewardkit_native.model.fetch import make_once

TEMPLATE = (
    "{% for m in messages %}<|{{ m['role'] }}|>{{ m['content'] }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
RIGHT_SHARE = 1 / 3
"""The warm-up ends when the mean probability of the right answer is so high."""
LR = 3e-3
DRAWS = 1000
"""So many draws from the task's stream bring each of its few dozen problems."""


def tiny() -> Path:
    """Return the folder of the tiny model, making it (about 10 s on two cores) if need be."""
    return make_once("tiny", make_tiny)


def make_tiny(folder: Path, steps: int = 200, seed: int = 0) -> None:
    """Build tokenizer and model, warm the model up (at most `steps`), and save both in `folder`."""
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
        _warm_up(model, tokenizer, task, steps)
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


def _warm_up(model: Any, tokenizer: Any, task: Task, steps: int) -> None:
    """Imitate the right answers to all problems at once until RIGHT_SHARE of them are learned."""
    import torch

    from rewardkit_native.model.logprobs import packed_scores

    prefix, rows, is_answer = _lessons(tokenizer, task)
    optimiser = torch.optim.AdamW(model.parameters(), lr=LR, betas=(0.9, 0.95), weight_decay=0.0)
    for step in range(steps):
        logprobs = packed_scores(model, [prefix] * len(rows), rows).logprobs * is_answer
        if float(logprobs.detach().sum(1).exp().mean()) >= RIGHT_SHARE:
            break
        for group in optimiser.param_groups:
            group["lr"] = LR * min((step + 1) / 20, 1 - step / steps)
        (-logprobs.sum() / is_answer.sum()).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad()


def _lessons(tokenizer: Any, task: Task) -> tuple[list[int], list[list[int]], Any]:
    """Return what all chats begin with, how each goes on with its answer, and where that stands."""
    import torch

    from rewardkit.checks import encode

    problems = {problem.id: problem for problem in task.train[:DRAWS]}.values()
    prompts = [encode(tokenizer, task.messages(problem)) for problem in problems]
    columns = enumerate(zip(*prompts, strict=False))
    shared = next(place for place, tokens in columns if len(set(tokens)) > 1)
    rows, marks = [], []
    for problem, prompt in zip(problems, prompts, strict=True):
        question = list(prompt[shared:])
        text = f"\\boxed{{{problem.answer}}}"
        answer = [*tokenizer(text)["input_ids"], tokenizer.eos_token_id]
        rows.append(question + answer)
        marks.append(torch.tensor([0.0] * len(question) + [1.0] * len(answer)))
    return list(prompts[0][:shared]), rows, torch.nn.utils.rnn.pad_sequence(marks, batch_first=True)
