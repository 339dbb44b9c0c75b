"""The evaluation engine over this backend's own sampler: what trains is what is measured."""

from __future__ import annotations

import itertools
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch

from rewardkit.errors import ModelError
from rewardkit.evaluation.engines.base import (
    DecodingSettings,
    EngineOptions,
    Failure,
    Request,
    Response,
    first_set,
    marks_of,
    plain_messages,
)
from rewardkit.evaluation.engines.local import (
    LONGEST_DEFAULT,
    dtype_of,
    give_template,
    with_defaults,
)
from rewardkit.evaluation.models import fingerprint, resolve_model
from rewardkit.sampling import SamplingParams
from rewardkit.types import Message, Task
from rewardkit_native.model.loading import UNREADABLE, quiet_transformers, unreadable
from rewardkit_native.sampling.choice import FastSampler, TransformersSampler
from rewardkit_native.sampling.fast_decoder import why_not_fast
from rewardkit_native.sampling.sampler import Sampler
from rewardkit_native.sampling.turns import TurnSampler

ROOM_STEP = 256
"""A limit that the context sets is a multiple of this where there is room for one, so that unequal
prompts share a batch: drawn a prompt at a time, they take several times as long."""


class TransformersEngine:
    """A causal language model of transformers on this machine, sampled batch by batch."""

    plays = True

    def __init__(self, model: str, decoding: DecodingSettings, options: EngineOptions) -> None:
        from transformers import AutoModelForCausalLM, AutoTokenizer

        quiet_transformers()
        path = resolve_model(model)
        device = "cuda" if torch.cuda.is_available() else "cpu"
        name = dtype_of(options.dtype, path, device)
        dtype: torch.dtype = getattr(torch, name)
        self.fingerprint = f"{fingerprint(path)} in {name}"
        try:
            self.tokenizer: Any = AutoTokenizer.from_pretrained(path)
            loaded: Any = AutoModelForCausalLM.from_pretrained(path, dtype=dtype)
        except UNREADABLE as error:
            raise unreadable(model, path, error) from error
        self.model = loaded.to(device)
        self.chat_template: str | None = give_template(self.tokenizer, options, model)
        self._context: int = (
            getattr(self.model.config, "max_position_embeddings", None) or LONGEST_DEFAULT
        )
        self.decoding = with_defaults(decoding, self.model.generation_config, self._context)
        self._rows = options.batch_rows
        self._sampler = self._make_sampler(dtype)
        self._players: dict[str, TurnSampler] = {}

    def render(self, messages: Sequence[Message], template: Mapping[str, Any] = {}) -> str:
        """Return the prompt after the chat template."""
        text: str = self.tokenizer.apply_chat_template(
            plain_messages(messages), tokenize=False, add_generation_prompt=True, **template
        )
        return text

    def generate(self, requests: Sequence[Request]) -> Iterator[tuple[int, Response | Failure]]:
        """Yield the responses, `batch_rows` of one limit at a time.

        A limit depends on a prompt alone: what else is asked must not change a response.
        """
        prompts: list[list[int]] = []
        asked = itertools.groupby(requests, lambda request: (request.messages, request.template))
        for (messages, template), alike in asked:
            prompts += [self._encode(self.render(messages, template))] * len(list(alike))
        by_limit: dict[int, list[int]] = defaultdict(list)
        for index, prompt in enumerate(prompts):
            by_limit[self._limit(len(prompt))].append(index)
        for limit, indices in by_limit.items():
            if limit < 1:
                reason = f"the prompt fills the model's {self._context} positions"
                yield from ((index, Failure(reason)) for index in indices)
                continue
            for start in range(0, len(indices), self._rows):
                chosen = indices[start : start + self._rows]
                responses = self._batch(
                    [prompts[i] for i in chosen], [requests[i] for i in chosen], limit
                )
                yield from zip(chosen, responses, strict=True)

    def close(self) -> None:
        """Let go of the weights, and of environments."""
        for player in self._players.values():
            player.__exit__()
        del self.model, self._sampler

    def _make_sampler(self, dtype: torch.dtype) -> Sampler:
        return TransformersSampler(self.model, self.tokenizer, dtype, self._rows)

    def _limit(self, prompt_tokens: int) -> int:
        """Return the longest response to a prompt; below 1 where it fills the context."""
        room = self._context - prompt_tokens
        asked = self.decoding.max_tokens or LONGEST_DEFAULT
        return asked if asked <= room else room // ROOM_STEP * ROOM_STEP or room

    def _batch(
        self, prompts: Sequence[list[int]], requests: Sequence[Request], limit: int
    ) -> list[Response]:
        # Equal prompts are neighbours, so that a prompt is read once for its group; problems with
        # the same prompt may have other answers, which environments know.
        alike = itertools.groupby(
            zip(prompts, requests, strict=True), lambda pair: (pair[0], pair[1].problem)
        )
        groups = [(*key, [request.seed for _, request in members]) for key, members in alike]
        params = SamplingParams(
            max_tokens=limit,
            temperature=first_set(self.decoding.temperature, 1.0),
            top_p=first_set(self.decoding.top_p, 1.0),
            top_k=self.decoding.top_k or 0,
            stop=self.decoding.stop,
        )
        started = time.monotonic()
        asked = [list(column) for column in zip(*groups, strict=True)]
        if requests[0].task is None:
            sampled = self._sampler.sample(asked[0], asked[2], params)
        else:
            sampled = self._player(requests[0].task).sample(asked[1], asked[0], asked[2], params)
        seconds = (time.monotonic() - started) / len(requests)
        rollouts = itertools.chain.from_iterable(sampled)
        return [
            Response(
                rollout.text,
                rollout.finish,
                len(prompt),
                len(rollout.own_tokens),
                seconds,
                marks=marks_of(rollout.own_tokens, self._decode, self.decoding.marks),
                segments=rollout.segments,
                verdict=rollout.verdict,
                tool_errors=rollout.tool_errors,
            )
            for prompt, rollout in zip(prompts, rollouts, strict=True)
        ]

    def _player(self, task: Task) -> TurnSampler:
        if task.name not in self._players:
            player = TurnSampler(self._sampler, {"": task}, self.decoding.limits)
            self._players[task.name] = player
        return self._players[task.name]

    def _decode(self, tokens: Sequence[int]) -> str:
        return str(self.tokenizer.decode(tokens, skip_special_tokens=True))

    def _encode(self, prompt: str) -> list[int]:
        # The template has put in all special tokens itself.
        return list(self.tokenizer.encode(prompt, add_special_tokens=False))


class FastEngine(TransformersEngine):
    """The same through `FastSampler`: the same samples in float32, at a higher rate."""

    def _make_sampler(self, dtype: torch.dtype) -> Sampler:
        reason = why_not_fast(self.model)
        if reason is not None:
            raise ModelError(
                f"the fast engine cannot decode this model: {reason}; use --engine transformers"
            )
        return FastSampler(self.model, self.tokenizer, dtype, self._rows)
