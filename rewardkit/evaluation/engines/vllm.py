"""Responses from vLLM on this machine: one engine a GPU, or several GPUs an engine."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rewardkit.errors import ModelError
from rewardkit.evaluation.engines.base import (
    DecodingSettings,
    EngineOptions,
    Failure,
    Request,
    Response,
    plain_messages,
)
from rewardkit.evaluation.engines.local import (
    LONGEST_DEFAULT,
    dtype_of,
    give_template,
    with_defaults,
)
from rewardkit.evaluation.engines.vllm_engine import (
    llm_arguments,
    parse_engine_arguments,
    refuse_without_vllm,
)
from rewardkit.evaluation.engines.vllm_fleet import Fleet, environments
from rewardkit.evaluation.engines.vllm_process import Answer
from rewardkit.evaluation.models import fingerprint, resolve_model
from rewardkit.types import Finish, Message

ROOM_STEP = 1024
"""Engines are made for a multiple of so many tokens, that the next set need not make new ones."""
HARMLESS = frozenset({
    "block_size", "cpu_offload_gb", "disable_custom_all_reduce", "disable_log_stats",
    "distributed_executor_backend", "enable_chunked_prefill", "enable_prefix_caching",
    "enforce_eager", "gpu_memory_utilization", "kv_cache_memory_bytes", "max_num_batched_tokens",
    "max_num_seqs", "seed", "swap_space",
})  # fmt: skip
"""Arguments that change how fast responses come, and not which: the fingerprint has the others."""


class VllmEngine:
    """Offline batched inference through `vllm.LLM`, each sample from its own seed.

    The engines are made when the first response is wanted, so that what is on file already, and
    a mistake in what is asked, costs no loading.
    """

    def __init__(self, model: str, decoding: DecodingSettings, options: EngineOptions) -> None:
        refuse_without_vllm()
        self._own = parse_engine_arguments(options.engine_args)
        import torch
        from transformers import AutoConfig, AutoTokenizer, GenerationConfig

        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        self._engines, self._gpus_each = options.data_parallel, options.tensor_parallel
        self._silence = options.timeout_s
        self._environments()  # too few GPUs are said before anything is read
        self._path = resolve_model(model)
        self._dtype = dtype_of(options.dtype, self._path, self._device)
        self.fingerprint = f"{fingerprint(self._path)} in {self._dtype}{changing(self._own)}"
        trusted = {"trust_remote_code": bool(self._own.get("trust_remote_code", False))}
        try:
            self._tokenizer: Any = AutoTokenizer.from_pretrained(self._path, **trusted)
            config = AutoConfig.from_pretrained(self._path, **trusted).get_text_config()
        except (OSError, ValueError) as error:
            raise ModelError(
                f"could not load {model!r}: {error}\nWithout a network, give a local folder."
            ) from error
        self.chat_template: str | None = give_template(self._tokenizer, options, model)
        try:
            configured = GenerationConfig.from_pretrained(self._path)
        except OSError:  # it has none
            configured = GenerationConfig()
        context = getattr(config, "max_position_embeddings", None) or LONGEST_DEFAULT
        self._context: int = self._own.get("max_model_len") or context
        self.decoding = with_defaults(decoding, configured, self._context)
        self._fleet: Fleet | None = None
        self._room = 0

    def render(self, messages: Sequence[Message], template: Mapping[str, Any] = {}) -> str:
        """Return the prompt after the chat template."""
        text: str = self._tokenizer.apply_chat_template(
            plain_messages(messages), tokenize=False, add_generation_prompt=True, **template
        )
        return text

    def generate(self, requests: Sequence[Request]) -> Iterator[tuple[int, Response | Failure]]:
        """Yield the responses, each as it ends."""
        jobs: list[tuple[list[int], dict[str, Any]]] = []
        indices: list[int] = []
        for index, request in enumerate(requests):
            text = self.render(request.messages, request.template)
            # The template has put in all special tokens itself.
            prompt = list(self._tokenizer.encode(text, add_special_tokens=False))
            limit = self._limit(len(prompt))
            if limit < 1:  # vLLM would refuse it
                yield index, Failure(f"the prompt fills the model's {self._context} positions")
                continue
            indices.append(index)
            jobs.append((prompt, self._sampling(limit, request.seed)))
        if not jobs:
            return
        fleet = self._with_room(max(len(prompt) + each["max_tokens"] for prompt, each in jobs))
        for place, answer, seconds in fleet.answers(jobs):
            yield indices[place], _outcome(answer, len(jobs[place][0]), seconds)

    def close(self) -> None:
        """End the engines; the GPUs are free then."""
        if self._fleet is not None:
            self._fleet.close()
            self._fleet = None

    def _sampling(self, limit: int, seed: int) -> dict[str, Any]:
        return {
            "max_tokens": limit,
            "temperature": self.decoding.temperature,
            "top_p": self.decoding.top_p,
            "top_k": self.decoding.top_k or -1,
            "seed": seed,
            "stop": list(self.decoding.stop) or None,
            "include_stop_str_in_output": True,  # as the sampler that training uses
        }

    def _limit(self, prompt_tokens: int) -> int:
        """Return the longest response to a prompt; below 1 where it fills the context."""
        return min(self.decoding.max_tokens or LONGEST_DEFAULT, self._context - prompt_tokens)

    def _with_room(self, tokens: int) -> Fleet:
        """Return engines that hold a prompt and response of so many tokens."""
        if self._fleet is None or tokens > self._room:
            self.close()
            self._room = min(-(-tokens // ROOM_STEP) * ROOM_STEP, self._context)
            arguments = llm_arguments(
                self._path,
                self._dtype,
                device=self._device,
                room=self._room,
                tensor_parallel=self._gpus_each,
                own=self._own,
            )
            self._fleet = Fleet(arguments, self._environments(), self._silence)
        return self._fleet

    def _environments(self) -> list[dict[str, str]]:
        import torch

        named = os.environ.get("CUDA_VISIBLE_DEVICES")
        count = torch.cuda.device_count()
        visible = named.split(",")[:count] if named else [str(i) for i in range(count)]
        cores = len(os.sched_getaffinity(0))
        return environments(self._engines, self._gpus_each, self._device, visible, cores)


def changing(own: Mapping[str, Any]) -> str:
    """Return what a fingerprint says of engine arguments that may change a response.

    >>> changing({"quantization": "fp8", "max_num_seqs": 64}), changing({})
    (" with quantization='fp8'", '')
    """
    found = [f"{key}={own[key]!r}" for key in sorted(own) if key not in HARMLESS]
    return f" with {', '.join(found)}" if found else ""


def _outcome(answer: Answer, prompt_tokens: int, seconds: float) -> Response | Failure:
    if answer.failure:
        return Failure(answer.failure)
    finish = Finish.LENGTH if answer.cut else Finish.STOP
    return Response(answer.text, finish, prompt_tokens, answer.tokens, seconds)
