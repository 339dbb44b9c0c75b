"""A verl rollout on a transformers model: `actor_rollout_ref.rollout.name` of `CPU_ROLLOUT`.

Each replica is one Ray actor that holds a copy of the model. Requests that arrive together are
decoded together, by the native backend's sampler (`sampling.engine`): a prompt is read once for
its whole group, and the log-probability of each token is that of the sampling distribution at its
temperature.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import ray
import torch
from verl.utils.config import omega_conf_to_dataclass
from verl.workers.config import HFModelConfig
from verl.workers.rollout import base
from verl.workers.rollout.base import BaseRollout
from verl.workers.rollout.replica import RolloutReplica, RolloutReplicaRegistry, TokenOutput

from rewardkit.errors import ModelError
from rewardkit.sampling import SamplingParams
from rewardkit.types import Finish, Rollout
from rewardkit_verl.names import CPU_ROLLOUT
from rewardkit_verl.settings import run_config

GATHER_S = 0.05
"""How long the first request waits for others to be decoded with it."""
PIECE = 16
"""Tokens between two looks at whether verl wants to stop, in its asynchronous modes."""


def register() -> None:
    """Make the rollout known to verl: the replica publicly, the trainer's side in its table."""
    RolloutReplicaRegistry.register(CPU_ROLLOUT, lambda: TransformersReplica)
    base._ROLLOUT_REGISTRY[(CPU_ROLLOUT, "async")] = f"{__name__}.{TransformersRollout.__name__}"


class _Request(NamedTuple):
    prompt: tuple[int, ...]
    params: SamplingParams
    seed: int
    answer: asyncio.Future[Rollout | None]
    """None: decoding was stopped before this request's turn."""


class TransformersServer:
    """Tokens in, tokens and log-probabilities out; runs as a Ray actor."""

    def __init__(self, config: Any, model_config: Any, seed: int) -> None:
        from transformers import AutoModelForCausalLM

        from rewardkit_native.sampling.choice import make_sampler

        self.config = omega_conf_to_dataclass(config)
        source = omega_conf_to_dataclass(model_config, dataclass_type=HFModelConfig)
        dtype = getattr(torch, self.config.dtype)
        self.model = AutoModelForCausalLM.from_pretrained(source.local_path, dtype=dtype)
        run = run_config()
        if run.sampling.engine == "vllm":  # verl's own vLLM is another rollout
            run = replace(run, sampling=replace(run.sampling, engine="fast"))
        remark = logging.getLogger(__name__).warning
        self.sampler = make_sampler(run, self.model, source.tokenizer, remark)
        self.seed = seed
        self.requests = 0
        self.version: int | None = None
        self.waiting: list[_Request] = []
        self.worker: asyncio.Task[None] | None = None
        self.piece = self.config.response_length if run.verl.mode == "sync" else PIECE
        self.open = asyncio.Event()  # while verl lets requests be answered
        self.open.set()
        self.decoding = asyncio.Lock()

    async def generate(
        self, prompt_ids: Any, sampling_params: dict[str, Any], request_id: str, **_: Any
    ) -> TokenOutput:
        """Return one response, or its beginning; verl's agent loop calls this for each."""
        await self.open.wait()
        params = sampling_settings(sampling_params, self.config)
        tokens: list[int] = []
        logprobs: list[float] = []
        version, reason = None, "aborted"
        while reason == "aborted" and self.open.is_set():
            most = min(self.piece, params.max_tokens - len(tokens))
            piece = await self._answer((*prompt_ids, *tokens), replace(params, max_tokens=most))
            if piece is None:
                break
            version = self.version
            tokens += piece.tokens
            logprobs += piece.logprobs
            if piece.finish is Finish.STOP:
                reason = "completed"
            elif len(tokens) >= params.max_tokens:
                reason = "length"
        return TokenOutput(
            token_ids=tokens,
            log_probs=logprobs,
            stop_reason=reason,
            num_preempted=0,
            extra_fields={"global_steps": version},
        )

    def _answer(
        self, prompt: tuple[int, ...], params: SamplingParams
    ) -> asyncio.Future[Rollout | None]:
        from rewardkit_native.collect import rollout_seed

        answer = asyncio.get_running_loop().create_future()
        seed = rollout_seed(self.seed, self.requests)
        self.requests += 1
        self.waiting.append(_Request(prompt, params, seed, answer))
        if self.worker is None or self.worker.done():
            self.worker = asyncio.create_task(self._serve())
        return answer

    async def _serve(self) -> None:
        await asyncio.sleep(GATHER_S)
        while self.waiting:
            batch, self.waiting = self.waiting, []
            by_params = defaultdict(list)
            for request in batch:
                by_params[request.params].append(request)
            for params, requests in by_params.items():
                try:
                    async with self.decoding:
                        rollouts: Sequence[Rollout | None] = [None] * len(requests)
                        if self.open.is_set():
                            rollouts = await asyncio.to_thread(self._sample, requests, params)
                except Exception as error:  # noqa: BLE001  # each request's own caller gets it
                    for request in requests:
                        request.answer.set_exception(error)
                    continue
                for request, rollout in zip(requests, rollouts, strict=True):
                    request.answer.set_result(rollout)

    def _sample(self, requests: list[_Request], params: SamplingParams) -> list[Rollout]:
        by_prompt = defaultdict(list)
        for place, request in enumerate(requests):
            by_prompt[request.prompt].append(place)
        prompts = list(by_prompt)
        seeds = [[requests[i].seed for i in by_prompt[prompt]] for prompt in prompts]
        drawn: dict[int, Rollout] = {}
        for prompt, group in zip(prompts, self.sampler.sample(prompts, seeds, params), strict=True):
            drawn.update(zip(by_prompt[prompt], group, strict=True))
        return [drawn[i] for i in range(len(requests))]

    async def load(self, weights: dict[str, torch.Tensor], version: int | None) -> None:
        """Take new weights, all of them; `version` is the step that they come from."""
        missing, unexpected = self.model.load_state_dict(weights, strict=False)
        tied = set(getattr(self.model, "_tied_weights_keys", None) or ())
        if unexpected or set(missing) - tied:
            raise ModelError(
                f"the trainer's weights do not fit the sampler's model: missing {missing}, "
                f"unexpected {unexpected}"
            )
        self.model.tie_weights()
        self.sampler.refresh(self.model)
        self.version = version

    async def abort_all_requests(self, reject_request: bool = False) -> None:
        """Answer each request with what it has, and take up no other until `resume_generation`."""
        self.open.clear()
        async with self.decoding:
            """No piece is being decoded any more, so weights may change."""

    async def resume_generation(self) -> None:
        """Answer requests again."""
        self.open.set()

    async def _nothing(self, *_: Any, **__: Any) -> None:
        """A replica with memory of its own need not sleep, wake, or free a cache."""

    ready = sleep = wake_up = _nothing
    clear_kv_cache = release_kv_cache = resume_kv_cache = _nothing
    start_profile = stop_profile = _nothing


def sampling_settings(asked: dict[str, Any], config: Any) -> SamplingParams:
    """Return what verl's agent loop asks for in our terms: its top_k of -1 is our 0.

    >>> from types import SimpleNamespace
    >>> config = SimpleNamespace(response_length=32)
    >>> sampling_settings({"temperature": 0.5, "top_p": 1.0, "top_k": -1}, config)
    SamplingParams(max_tokens=32, temperature=0.5, top_p=1.0, top_k=0, stop=())
    """
    most = asked.get("max_tokens") or asked.get("max_new_tokens") or config.response_length
    return SamplingParams(
        max_tokens=int(most),
        temperature=float(asked.get("temperature", 1.0)),
        top_p=float(asked.get("top_p", 1.0)),
        top_k=max(int(asked.get("top_k", 0)), 0),
        stop=tuple(asked.get("stop") or ()),
    )


def _server_name(rank: int) -> str:
    return f"{CPU_ROLLOUT}_{rank}"


class TransformersReplica(RolloutReplica):
    """verl's handle of one server."""

    async def launch_servers(self) -> None:
        """Start the actor and wait until its model is loaded."""
        actor = ray.remote(TransformersServer).options(
            name=_server_name(self.replica_rank), max_concurrency=self.max_concurrency
        )
        handle = actor.remote(
            config=self.config,
            model_config=self.model_config,
            seed=self.config.seed + self.replica_rank,
        )
        await handle.ready.remote()
        self.servers, self._server_handle = [handle], handle
        self._server_address = _server_name(self.replica_rank)


class TransformersRollout(BaseRollout):
    """The trainer's end: runs in the actor's worker and sends the weights to the server."""

    def __init__(
        self, config: Any, model_config: Any, device_mesh: Any, replica_rank: int = -1
    ) -> None:
        super().__init__(config, model_config, device_mesh)
        self.rank = int(os.environ["RANK"]) if replica_rank == -1 else replica_rank

    async def resume(self, tags: list[str]) -> None:
        """Do nothing: the server never gave its memory back."""

    async def release(self) -> None:
        """Do nothing: the server keeps its memory."""

    async def update_weights(
        self,
        weights: Iterator[tuple[str, torch.Tensor]],
        wire_format: str = "named_tensors",
        global_steps: int | None = None,
        **_: Any,
    ) -> None:
        """Send all weights to the server."""
        if wire_format != "named_tensors":
            raise ModelError(f"the transformers rollout takes whole tensors, not {wire_format!r}")
        # Collected on every rank, since gathering a sharded tensor takes all of them.
        state = {name: tensor.detach().cpu().clone() for name, tensor in weights}
        await ray.get_actor(_server_name(self.rank)).load.remote(state, global_steps)
