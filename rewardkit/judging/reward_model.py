"""RewardModel: a score of a model that was trained to give one, in the place of right and wrong."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rewardkit.errors import ConfigError
from rewardkit.judging.client import Asking, NoReply, client_at
from rewardkit.judging.local import Batched, loaded
from rewardkit.judging.settings import ServerOptions
from rewardkit.types import Outcome, Verdict


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
        score = await self._score(question, response)
        outcome = Outcome.CORRECT if score >= self.correct_from else Outcome.INCORRECT
        reason = f"scored {score:.4f}"
        return Verdict(outcome, method="reward_model", reason=reason, score=score)

    async def _score(self, question: str, response: str) -> float:
        chat = [{"role": "user", "content": question}, {"role": "assistant", "content": response}]
        if not self.base_url:
            return await _in_process(self.model, self.max_tokens)(chat)
        client = client_at(self, os.getpid())
        body = {"model": self.model, "messages": chat, "add_generation_prompt": False}
        found = await client.post("/classify", body)
        try:
            return probability([float(one) for one in found["data"][0]["probs"]], logits=False)
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise NoReply("no data[0].probs in the server's answer") from error


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


@lru_cache(maxsize=4)
def _in_process(name: str, longest: int) -> Batched[list[dict[str, str]], float]:
    def scores(chats: Sequence[list[dict[str, str]]]) -> list[float]:
        import torch

        model, tokenizer = loaded(name, "AutoModelForSequenceClassification")
        template: Any = getattr(tokenizer, "chat_template", None)
        texts = [
            tokenizer.apply_chat_template(chat, tokenize=False)
            if template
            else "\n\n".join(turn["content"] for turn in chat)
            for chat in chats
        ]
        tokenizer.truncation_side = "left"
        limits = {"truncation": True, "max_length": longest}
        rows = tokenizer(texts, return_tensors="pt", padding=True, **limits).to(model.device)
        if not hasattr(model.config, "type_vocab_size"):
            rows.pop("token_type_ids", None)
        with torch.inference_mode():
            found = model(**rows).logits.float().tolist()
        return [probability(row, logits=True) for row in found]

    return Batched(scores)
