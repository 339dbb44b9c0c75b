"""Teachers: several that take turns in memory, and one that a vLLM server holds."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import torch
from torch import Tensor

from rewardkit.client.answers import TOKEN_BYTES, Json
from rewardkit.client.client import Client, NoReply, started
from rewardkit.client.settings import ServerOptions
from rewardkit.errors import ConfigError, ModelError, TrainingError
from rewardkit.validation.refusals import SAME_TOKENS
from rewardkit_native.learning.batch import Batch

WAIT_S = 600.0
"""In a run a server that fails is waited for so long, and for one response that it scores."""
TRIAL_S = 60.0
"""At the start it answers within this."""
PROBES = 256
"""Tokens that both tokenizers are tried with."""


@dataclass
class Teachers:
    """Who teaches which task, one of them in memory at a time."""

    names: Mapping[str, str]
    """By label: a teacher's name."""
    load: Callable[[str], Any]
    """Returns a model, frozen, by its name; a collective of all ranks."""
    present: str = ""
    """The name of the one in memory."""


class ServedTeacher:
    """A teacher on a vLLM server: it is sent tokens, and tells the log-probability of each.

    Raises:
        ModelError: no server answers, or it has no such model. ConfigError: no model is named.
    """

    def __init__(self, address: str) -> None:
        base, _, model = address.partition("#")
        if not model:
            raise ConfigError(f"the teacher {address} names no model; type {base}#MODEL")
        self.address, self.model = address, model
        options = ServerOptions(model, base.rstrip("/"), timeout_s=WAIT_S, wait_s=WAIT_S)
        self._client = Client(options)
        self._at_once = replace(options, retries=0, timeout_s=TRIAL_S, wait_s=0.0)
        if reason := Client(self._at_once).silence():
            raise self._away(reason)

    def _away(self, reason: object) -> ModelError:
        return ModelError(
            f"the teacher {self.address} does not answer ({reason}). Is vLLM's server up, and is "
            "that its address?"
        )

    def refuse_other_tokens(self, policy: str, tokenizer: Any) -> None:
        """Have the server read tokens from all over the vocabulary, the last one among them.

        Raises:
            ConfigError: it reads others. ModelError: it does not answer as vLLM does.
        """
        ids = sorted(tokenizer.get_vocab().values())
        text = tokenizer.decode(ids[:: -max(len(ids) // PROBES, 1)])
        own = tokenizer.encode(text, add_special_tokens=False)
        body = {"model": self.model, "prompt": text, "add_special_tokens": False}
        reader = partial(Json, lambda said: [*said["tokens"]], "tokens")
        now = self._at_once
        root = Client(replace(now, base_url=now.base_url.removesuffix("/v1")))
        try:
            told = started(root.post("/tokenize", body, reader)).result()
            if told != own:
                differing = (a for a, b in zip(own, told, strict=False) if a != b)
                first = next(differing, own[-1])  # where one is a part of the other: its end
                raise ConfigError(
                    f"the teacher {self.address} reads other tokens than {policy}, first at "
                    f"{tokenizer.decode([first])!r}: {SAME_TOKENS}"
                )
            started(self._row(own[:1], own[1:3], Client(now))).result()
        except NoReply as error:
            raise self._away(error) from error

    async def _row(
        self, prompt: Sequence[int], response: Sequence[int], client: Client | None = None
    ) -> list[float]:
        """Return what the server says of the tokens of one response."""
        ids = [*prompt, *response]

        def take(said: Any) -> list[float]:
            told = said["choices"][0]["prompt_logprobs"][len(prompt) :]
            found = zip(response, told, strict=True)
            return [float(one[str(token)]["logprob"]) for token, one in found]

        body = {"model": self.model, "prompt": ids, "max_tokens": 1, "prompt_logprobs": 0}
        most = 2**20 + TOKEN_BYTES * len(ids)
        reader = partial(Json, take, "prompt_logprobs of the tokens that were sent", most)
        found: list[float] = await (client or self._client).post("/completions", body, reader)
        return found

    def score(self, batch: Batch, rows: Tensor) -> Tensor:
        """Return the log-probabilities of the responses of some rows, [B, T]; 0 in all others.

        Raises:
            TrainingError: the server has not answered for `WAIT_S`, or refuses a response.
        """

        async def ask() -> list[list[float]]:
            asked = [(batch.prompts[row], batch.responses[row]) for row in rows.tolist()]
            return await asyncio.gather(*(self._row(*one) for one in asked))

        found = torch.zeros(batch.response.shape)
        try:
            for row, told in zip(rows.tolist(), started(ask()).result(), strict=True):
                found[row, : len(told)] = torch.tensor(told)
        except NoReply as error:
            raise TrainingError(f"the teacher {self.address} says nothing: {error}") from error
        return found
