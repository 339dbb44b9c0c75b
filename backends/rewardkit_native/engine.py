"""The evaluation engine over this backend's own sampler: what trains is what is measured."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator, Sequence
from typing import Any

import torch

from rewardkit.errors import ModelError
from rewardkit.evaluation.engines import (
    Decoding,
    EngineOptions,
    Failure,
    Request,
    Response,
    first_set,
    plain_messages,
    read_template,
)
from rewardkit.evaluation.models import fingerprint, resolve_model, trained_dtype
from rewardkit.sampling import SamplingParams
from rewardkit.types import Message
from rewardkit_native.fast_decoder import why_not_fast
from rewardkit_native.sampler import FastSampler, Sampler, TransformersSampler

LONGEST_DEFAULT = 32_768


class TransformersEngine:
    """A causal language model of transformers on this machine, sampled batch by batch."""

    def __init__(self, model: str, decoding: Decoding, options: EngineOptions) -> None:
        from transformers import AutoModelForCausalLM, AutoTokenizer
        from transformers.utils import logging

        logging.disable_progress_bar()
        path = resolve_model(model)
        device = "cuda" if torch.cuda.is_available() else "cpu"
        name = options.dtype
        if name == "auto":
            name = trained_dtype(path) or ("bfloat16" if device == "cuda" else "float32")
        dtype: torch.dtype = getattr(torch, name)
        self.fingerprint = f"{fingerprint(path)} in {name}"
        try:
            self.tokenizer: Any = AutoTokenizer.from_pretrained(path)
            self.model: Any = AutoModelForCausalLM.from_pretrained(path, dtype=dtype).to(device)
        except (OSError, ValueError) as error:
            raise ModelError(
                f"could not load {model!r}: {error}\nWithout a network, give a local folder."
            ) from error
        template = read_template(options.chat_template)
        if template is not None:
            self.tokenizer.chat_template = template
        if not self.tokenizer.chat_template:
            raise ModelError(
                f"{model}: has no chat template; give one with --chat-template FILE (a Jinja file)"
            )
        self.chat_template: str | None = self.tokenizer.chat_template
        self.decoding = self._with_defaults(decoding)
        self._rows = options.batch_rows
        self._sampler = self._make_sampler(dtype)

    def render(self, messages: Sequence[Message]) -> str:
        """Return the prompt after the chat template."""
        text: str = self.tokenizer.apply_chat_template(
            plain_messages(messages), tokenize=False, add_generation_prompt=True
        )
        return text

    def generate(self, requests: Sequence[Request]) -> Iterator[tuple[int, Response | Failure]]:
        """Yield the responses, `batch_rows` at a time."""
        indices = range(len(requests))
        for start in indices[:: self._rows]:
            yield from self._batch(requests, indices[start : start + self._rows])

    def close(self) -> None:
        """Let go of the weights."""
        del self.model, self._sampler

    def _make_sampler(self, dtype: torch.dtype) -> Sampler:
        return TransformersSampler(self.model, self.tokenizer, dtype, self._rows)

    def _batch(
        self, requests: Sequence[Request], indices: range
    ) -> Iterator[tuple[int, Response | Failure]]:
        # Requests with the same chat are neighbours, so that a prompt is read once for its group.
        groups = [
            (self._encode(self.render(messages)), list(members))
            for messages, members in itertools.groupby(indices, lambda i: requests[i].messages)
        ]
        context = getattr(self.model.config, "max_position_embeddings", None) or LONGEST_DEFAULT
        room = context - max(len(prompt) for prompt, _ in groups)
        if room < 1:
            for _, members in groups:
                for index in members:
                    yield index, Failure(f"the prompt fills the model's {context} positions")
            return
        params = SamplingParams(
            max_tokens=min(self.decoding.max_tokens or LONGEST_DEFAULT, room),
            temperature=first_set(self.decoding.temperature, 1.0),
            top_p=first_set(self.decoding.top_p, 1.0),
            top_k=self.decoding.top_k or 0,
        )
        started = time.monotonic()
        sampled = self._sampler.sample(
            [prompt for prompt, _ in groups],
            [[requests[i].seed for i in members] for _, members in groups],
            params,
        )
        seconds = (time.monotonic() - started) / len(indices)
        for (prompt, members), rollouts in zip(groups, sampled, strict=True):
            for index, rollout in zip(members, rollouts, strict=True):
                length = len(rollout.tokens)
                yield (
                    index,
                    Response(rollout.text, rollout.finish, len(prompt), length, seconds),
                )

    def _encode(self, prompt: str) -> list[int]:
        # The template has put in all special tokens itself.
        return list(self.tokenizer.encode(prompt, add_special_tokens=False))

    def _with_defaults(self, asked: Decoding) -> Decoding:
        configured = self.model.generation_config
        context = getattr(self.model.config, "max_position_embeddings", None)
        return Decoding(
            max_tokens=first_set(
                asked.max_tokens,
                configured.max_new_tokens,
                min(LONGEST_DEFAULT, context or LONGEST_DEFAULT),
            ),
            temperature=first_set(asked.temperature, configured.temperature, 1.0),
            top_p=first_set(asked.top_p, configured.top_p, 1.0),
            top_k=first_set(asked.top_k, configured.top_k, 0),
        )


class FastEngine(TransformersEngine):
    """The same through `FastSampler`: the same samples in float32, at a higher rate."""

    def _make_sampler(self, dtype: torch.dtype) -> Sampler:
        reason = why_not_fast(self.model)
        if reason is not None:
            raise ModelError(
                f"the fast engine cannot decode this model: {reason}; use --engine transformers"
            )
        return FastSampler(self.model, self.tokenizer, dtype, self._rows)
