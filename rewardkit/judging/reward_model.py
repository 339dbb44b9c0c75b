"""RewardModel: a score of a model that was trained to give one, in the place of right and wrong."""

from __future__ import annotations

import asyncio
import math
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from rewardkit.client.answers import Json
from rewardkit.client.client import NoReply, client_at
from rewardkit.client.settings import ServerOptions
from rewardkit.errors import ConfigError, MissingExtraError
from rewardkit.judging.asking import Asking
from rewardkit.registry import MODELS
from rewardkit.types import Outcome, Verdict

AT_A_TIME = 16
"""Rows of one forward pass."""
_classified = partial(Json, lambda said: [*map(float, said["data"][0]["probs"])], "data[0].probs")


@dataclass(frozen=True)
class RewardModel(Asking, ServerOptions):
    """Score a question with its response by a sequence classifier, many in one pass.

    The score is the probability of the last class, of a model with one output its sigmoid. The gold
    answer is not shown. What the model cannot score is undecided (ERROR). Without `base_url`, a
    server with vLLM's /classify without /v1, `model` is a name, folder or hub id that transformers
    loads in this process.

    Raises:
        ConfigError: no model is named.
    """

    max_tokens: int = 4096
    """Of a question with its response, of which the end is kept."""
    correct_from: float = 0.5
    """The score from which on a response counts as right."""

    def __post_init__(self) -> None:
        if not self.model:
            raise ConfigError("a reward model needs a name: verifier_options = {model = ...}")
        if self.base_url:
            client_at(self, os.getpid())

    async def decide(self, response: str, gold: str, question: str, **columns: Any) -> Verdict:
        """Score a question with its response."""
        chat = [{"role": "user", "content": question}, {"role": "assistant", "content": response}]
        if self.base_url:
            body = {"model": self.model, "messages": chat, "add_generation_prompt": False}
            found = await client_at(self, os.getpid()).post("/classify", body, _classified)
        else:
            here = _in_process(self.model, self.max_tokens, os.getpid())
            found = await asyncio.wrap_future(here(chat))
        score = probability(found, logits=not self.base_url)
        outcome = Outcome.CORRECT if score >= self.correct_from else Outcome.INCORRECT
        reason = f"scored {score:.4f}"
        return Verdict(outcome, method="reward_model", reason=reason, score=score)


def probability(row: Sequence[float], *, logits: bool) -> float:
    """Return the score in [0, 1] that a classifier's outputs stand for.

    Raises:
        NoReply: they are no numbers of such a model.

    >>> probability([0.0], logits=True), probability([0.2, 0.8], logits=False)
    (0.5, 0.8)
    """
    if not row or not all(map(math.isfinite, row)):
        raise NoReply(f"its outputs are {list(row)[:4]}")
    if not logits:
        found = row[-1]
    elif len(row) == 1:
        found = 0.5 * (1 + math.tanh(row[0] / 2))
    else:
        top = max(row)
        found = math.exp(row[-1] - top) / math.fsum(math.exp(one - top) for one in row)
    if not 0 <= found <= 1:
        raise NoReply(f"its score is {found}, and none in [0, 1]")
    return found


class Together:
    """Calls a function in a thread with all that waits for it, as a list."""

    def __init__(self, function: Callable[[Sequence[Any]], Sequence[Any]]) -> None:
        self._asked: SimpleQueue[tuple[Any, Future[Any]]] = SimpleQueue()
        threading.Thread(target=self._run, args=(function,), daemon=True).start()

    def __call__(self, asked: Any) -> Future[Any]:
        """Return the future result of one; NoReply where the function raises."""
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()  # what comes when nobody waits is nobody's
        self._asked.put((asked, future))
        return future

    def _run(self, function: Callable[[Sequence[Any]], Sequence[Any]]) -> None:
        while batch := [self._asked.get()]:
            while len(batch) < AT_A_TIME and not self._asked.empty():
                batch.append(self._asked.get())
            try:
                found = function([asked for asked, _ in batch])
            except Exception as error:  # noqa: BLE001 who asked is told
                for _, future in batch:
                    future.set_exception(NoReply(f"{type(error).__name__}: {error}"))
            else:
                for (_, future), one in zip(batch, found, strict=True):
                    future.set_result(one)


@lru_cache(maxsize=4)
def _in_process(name: str, longest: int, pid: int) -> Together:
    def outputs(chats: Sequence[list[dict[str, str]]]) -> list[list[float]]:
        import torch

        model, tokenizer = _loaded(name)
        texts = [
            tokenizer.apply_chat_template(chat, tokenize=False)
            if tokenizer.chat_template
            else "\n\n".join(turn["content"] for turn in chat)
            for chat in chats
        ]
        typed = hasattr(model.config, "type_vocab_size")
        rows = tokenizer(
            texts, return_tensors="pt", padding=True, truncation=True, max_length=longest,
            return_token_type_ids=typed,
        )  # fmt: skip
        with torch.inference_mode():
            found: list[list[float]] = model(**rows.to(model.device)).logits.float().tolist()
        return found

    return Together(outputs)


@lru_cache(maxsize=4)
def _loaded(name: str) -> tuple[Any, Any]:
    """Return a classifier and its tokenizer, on a GPU where there is one."""
    try:
        import torch
        from transformers import AutoModelForSequenceClassification, AutoTokenizer
    except ModuleNotFoundError as error:
        raise MissingExtraError(error.name or "transformers", "native") from error
    path = str(MODELS.get(name)()) if name in MODELS.names() and not Path(name).exists() else name
    tokenizer = AutoTokenizer.from_pretrained(path, truncation_side="left")
    tokenizer.pad_token = tokenizer.pad_token or tokenizer.eos_token
    model = AutoModelForSequenceClassification.from_pretrained(path).eval()
    model.config.pad_token_id = tokenizer.pad_token_id
    return model.to("cuda" if torch.cuda.is_available() else "cpu"), tokenizer
