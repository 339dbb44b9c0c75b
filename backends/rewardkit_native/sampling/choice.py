"""The three samplers of ours, and which of them a configuration names.

Two share the loop of `lockstep` and differ in their decoder, which turns tokens into logits:
`TransformersSampler`, the reference, works for a causal language model of transformers;
`FastSampler` is several times as fast for the families it knows. `VLLMSampler` has its own file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from rewardkit.config import RunConfig
from rewardkit.evaluation.models import resolve_model
from rewardkit.sampling import SamplingParams
from rewardkit_native.model.weights import blank_copy
from rewardkit_native.sampling.continuous import decode_continuously
from rewardkit_native.sampling.fast_decoder import FastDecoder, why_not_fast
from rewardkit_native.sampling.lockstep import (
    DecodingSampler,
    Finished,
    Stepped,
    Tokens,
    ids_beyond,
)
from rewardkit_native.sampling.own import OwnSampler
from rewardkit_native.sampling.reference_decoder import TransformersDecoder
from rewardkit_native.sampling.sampler import Sampler


class TransformersSampler(DecodingSampler):
    """The reference: decodes through a causal language model of transformers."""

    def __init__(self, model: Any, tokenizer: Any, dtype: torch.dtype, rows: int = 256) -> None:
        decoder = TransformersDecoder(model, dtype)
        super().__init__(decoder, tokenizer, end_tokens(model, tokenizer), rows)


class FastSampler(DecodingSampler):
    """Decodes Llama, Qwen2 and Qwen3 models with fused weights and a cache of its own.

    On a CPU in lockstep, `rows` (256) at a time; elsewhere in slots, as many as fit the memory, and
    at most `rows`.
    """

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        dtype: torch.dtype,
        rows: int | None = None,
        filled_later_on: torch.device | None = None,
    ) -> None:
        self.decoder: FastDecoder
        decoder = FastDecoder(model, dtype, filled_later_on)
        super().__init__(decoder, tokenizer, end_tokens(model, tokenizer), rows or 256)
        self.most = rows
        if decoder.device.type != "cpu":
            self.run = FastSampler.in_slots

    def in_slots(
        self,
        prompts: Tokens,
        seeds: Tokens,
        params: SamplingParams,
        finished: Finished,
        stepped: Stepped,
    ) -> None:
        """Decode in slots, each of which a row that has ended gives to the next."""
        decode_continuously(
            *(self.decoder, self.most, prompts, seeds, params, self.known),
            ended=lambda partial: self.at_end(partial, params.stop),
            finished=finished,
            stepped=stepped,
        )


def make_sampler(
    config: RunConfig,
    model: Any,
    tokenizer: Any,
    remark: Callable[[str], None],
    filled_later_on: torch.device | None = None,
    ranks: int = 1,
) -> Sampler:
    """Return the sampler that `sampling.engine` names, with the weights of `model`.

    With `filled_later_on` it takes the structure of `model` alone, and gets weights on that device
    by the first `refresh`. `remark` is told where another sampler has to serve. All `ranks` of a
    run make theirs at the same time.
    """
    dtype: torch.dtype = getattr(torch, config.model.dtype)
    if beyond := ids_beyond(model, tokenizer):
        remark(
            f"the model's head has {beyond.stop} rows and its tokenizer {beyond.start} tokens: the "
            f"{len(beyond)} ids beyond are never sampled"
        )
    if config.sampling.engine == "vllm":
        from rewardkit_native.sampling.vllm_sampler import VLLMSampler, gpu_settings

        path, ends = resolve_model(config.model.name), end_tokens(model, tokenizer)
        settings = gpu_settings(config, model, filled_later_on or model.device, ranks)
        return VLLMSampler(
            path,
            model,
            tokenizer,
            dtype,
            ends,
            config.sampling.params,
            settings,
            config.seed,
            filled_later_on=filled_later_on,
            ranks=ranks,
        )
    if config.sampling.engine == "fast":
        reason = why_not_fast(model)
        if reason is None:
            return FastSampler(model, tokenizer, dtype, filled_later_on=filled_later_on)
        remark(
            f"sampling.engine = 'fast' cannot decode this model: {reason}. "
            "The slower 'transformers' samples instead"
        )
    if filled_later_on is not None:
        model = blank_copy(model, dtype, filled_later_on)
    if ":" in config.sampling.engine:
        return OwnSampler(config.sampling.engine, model, tokenizer, dtype)
    return TransformersSampler(model, tokenizer, dtype)


def end_tokens(model: Any, tokenizer: Any) -> list[int]:
    """Return the tokens that end a response."""
    configured = model.generation_config.eos_token_id
    if configured is None:
        configured = tokenizer.eos_token_id
    return list(configured) if isinstance(configured, list) else [configured]
