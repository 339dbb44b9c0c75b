"""Passes and updates of verl's FSDP2 workers, for their memory alone.

The model's code, FSDP2 and the optimiser run on tensors without numbers, wrapped and called as
verl's engine does (`verl/workers/engine/fsdp/transformer_impl.py`). verl itself is not imported.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch._subclasses.fake_tensor import FakeTensorMode

from rewardkit.planning.fake_gpu import fake_device
from rewardkit.planning.ledger import LOGITS, PARAMETERS, Ledger, Peak
from rewardkit.planning.simulation import first_step, label_weights, swept, to_fake, world

CHUNK = 2048
"""Tokens whose entropies verl computes at a time (`entropy_from_logits_chunk_size`)."""
FLASH = "rewardkit_planned"
PASSES = 2
"""A third micro-batch of an update holds what the second did."""


class Worker(NamedTuple):
    """An actor or critic of verl's, as far as its memory depends on it."""

    model: Any
    """The model's configuration, as transformers reads it."""
    gpus: int
    dtype: str
    """Of passes; weights, gradients and moments are float32."""
    tokens: int
    """In a micro-batch, without padding."""
    recomputes: bool
    """Whether layers keep their inputs alone."""
    divides: bool = False
    """Whether logits are divided by a temperature."""
    entropies: bool = False
    """Whether its updates compute entropies; scores always do."""
    critic: bool = False
    """Whether it says a value of each token, in the place of logits."""


def simulate(worker: Worker) -> dict[str, Peak]:
    """Return the peaks of a worker alone on its GPU: "start", "score" (no moments), "update"."""
    ledger = Ledger()
    with (
        swept(),
        world(worker.gpus),
        torch.autograd.set_multithreading_enabled(False),
        fake_device("cuda", ledger) as fakes,
    ):
        with ledger.phase("start"):
            model = _sharded(worker, fakes, ledger)
        label_weights(model, ledger, PARAMETERS)
        # Before any pass, after which what wraps the layers holds its weights whole.
        optimiser = torch.optim.AdamW(model.parameters(), foreach=True)
        with ledger.phase("score"), torch.no_grad():
            _forward(worker, model, ledger, entropies=not worker.critic)
        first_step(optimiser)
        with ledger.phase("update"):
            if worker.recomputes:
                model.gradient_checkpointing_enable({"use_reentrant": False})
            model.train()
            for _ in range(PASSES):
                _forward(worker, model, ledger, entropies=worker.entropies).backward()
            optimiser.step()
    return ledger.peaks


def _sharded(worker: Worker, fakes: FakeTensorMode, ledger: Ledger) -> Any:
    """Return the model in float32 slices, each layer and the embedding wrapped on its own."""
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
    from transformers import AttentionInterface, AttentionMaskInterface, AutoModelForCausalLM
    from transformers.integrations.sdpa_attention import sdpa_attention_forward
    from transformers.masking_utils import flash_attention_mask

    # As flash-attention on a packed row: no mask, and no scores are written out.
    AttentionInterface.register(FLASH, sdpa_attention_forward)
    AttentionMaskInterface.register(FLASH, flash_attention_mask)
    with torch.device("meta"):
        model = AutoModelForCausalLM.from_config(
            worker.model, dtype=torch.float32, attn_implementation=FLASH
        )
        if worker.critic:
            model.lm_head = nn.Linear(worker.model.hidden_size, 1, bias=False)
    policy = MixedPrecisionPolicy(
        param_dtype=getattr(torch, worker.dtype),
        reduce_dtype=torch.float32,
        cast_forward_inputs=True,
    )
    mesh = init_device_mesh("cuda", (worker.gpus,))
    names = set(model._no_split_modules or ())
    wrapped = [part for part in model.modules() if type(part).__name__ in names]
    if not worker.model.tie_word_embeddings:
        wrapped.append(model.get_input_embeddings())
    for part in (*wrapped, model):
        to_fake(part, fakes, ledger)
        fully_shard(part, mesh=mesh, mp_policy=policy)
    return model


def _forward(worker: Worker, model: Any, ledger: Ledger, *, entropies: bool) -> Tensor:
    """Return a loss of one packed micro-batch."""
    ids = torch.zeros((1, worker.tokens), dtype=torch.long, device="cuda")
    low = getattr(torch, worker.dtype)
    passing: AbstractContextManager[Any] = nullcontext()
    if low is not torch.float32:
        passing = torch.autocast("cuda", dtype=low)
    with passing:
        logits: Tensor = model(input_ids=ids, use_cache=False).logits[0]
        ledger.label(logits, LOGITS)
        if worker.critic:
            return logits.float().sum()
        if worker.divides:
            logits = logits / 0.5
            ledger.label(logits, LOGITS)
        found = _logprobs(logits)
        if entropies:
            found = found + _entropies(logits)
        return found.sum()


class _CrossEntropy(torch.autograd.Function):
    """flash-attn's: one number a token, and the gradient takes the place of the logits."""

    @staticmethod
    def forward(ctx: Any, logits: Tensor) -> Tensor:
        ctx.save_for_backward(logits)
        return logits[:, 0].float()

    @staticmethod
    def backward(ctx: Any, *_: Tensor) -> Tensor:
        logits: Tensor
        (logits,) = ctx.saved_tensors
        return logits


_logprobs: Callable[[Tensor], Tensor] = _CrossEntropy.apply


def _entropies(logits: Tensor) -> Tensor:
    """Return the entropy of each row, as `entropy_from_logits_with_chunking` computes it."""
    found = []
    for part in logits.split(CHUNK):
        chunk = part.float()
        shares = torch.nn.functional.softmax(chunk, dim=-1)
        found.append(torch.logsumexp(chunk, -1) - (shares * chunk).sum(-1))
    return torch.cat(found)
