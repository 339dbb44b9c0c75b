"""The real code of a run's start, sampling, scoring and update, for its memory alone.

The weights, and all that is computed from them, have no numbers (`rewardkit.planning.fake_gpu`);
ranks but the first are not there, and answer what it says itself. Two passes of an update are
enough: a third holds what the second did.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import torch
from torch import Tensor
from torch._subclasses.fake_tensor import FakeTensorMode

from rewardkit.config import ModelConfig, RunConfig
from rewardkit.planning.fake_gpu import fake_device
from rewardkit.planning.ledger import (
    ATTENTION,
    CACHE,
    COPIES,
    LOGITS,
    OPTIMISER,
    PARAMETERS,
    REFERENCE,
    Ledger,
    Maker,
    Peak,
)
from rewardkit.planning.simulation import (
    first_step,
    label_gradients,
    label_weights,
    on_host,
    settle,
    swept,
    to_fake,
    world,
)
from rewardkit.training_step import plan_step
from rewardkit_native.distributed.parallel import Ranks
from rewardkit_native.distributed.sharding import copy_full, load_optimiser_state
from rewardkit_native.learning.batch import Batch, minibatches
from rewardkit_native.learning.passes import Scorer
from rewardkit_native.learning.update import Updater
from rewardkit_native.model.loading import without_storage
from rewardkit_native.planning.sampling import decode, make_sampler, sampled_in
from rewardkit_native.setup import frozen, make_trainable, make_updater, ready

T = TypeVar("T")

PASSES = 2
"""So many micro-batches of an update are simulated: the last ones, which are the longest."""

MAKERS: tuple[Maker, ...] = (
    ("rewardkit_native/model/head.py", "", LOGITS),
    ("rewardkit_native/model/packing.py", "packed_attention", ATTENTION),
    ("rewardkit_native/sampling/drawing.py", "", LOGITS),
    ("rewardkit_native/sampling/fast_decoder.py", "logits", LOGITS),
    ("rewardkit_native/sampling/fast_decoder.py", "_layer", COPIES),
    ("rewardkit_native/sampling/fast_decoder.py", "refresh", COPIES),
    ("rewardkit_native/sampling/fast_decoder.py", "__init__", CACHE),
    ("rewardkit_native/sampling/fast_decoder.py", "step", CACHE),
    ("rewardkit_native/sampling/fast_decoder.py", "_read_prompts", CACHE),
    ("rewardkit_native/sampling/slots.py", "__init__", CACHE),
    ("rewardkit_native/learning/update.py", "at_hand", REFERENCE),
    ("rewardkit_native/distributed/sharding.py", "load_optimiser_state", OPTIMISER),
    ("rewardkit_native/model/weights.py", "reference_copy", COPIES),
)
"""Functions of this backend, and what the tensors are for that they make."""

MOMENTS = ("exp_avg", "exp_avg_sq")
"""What AdamW keeps of each weight, under the names that a checkpoint has."""


@dataclass(frozen=True)
class Case:
    """A step to simulate: a configuration, and what it does not say itself."""

    config: RunConfig
    model: Any
    """The model's configuration, as transformers reads it."""
    device: str = "cuda"
    gpus: int = 1
    prompt_tokens: int = 256
    response_tokens: int = 0
    """How long responses are; 0: as long as `sampling.max_tokens` lets them be."""
    slots: tuple[int, ...] = ()
    """Numbers of rows that are drawn together; by default no sampling is simulated."""
    teacher: Any = None
    """The configuration of the run's teacher, where it has one in memory."""


def simulate(case: Case) -> dict[str, Peak]:
    """Return the peak of each phase of a native run on one GPU of `case.gpus`, in bytes.

    It starts, resumes from a checkpoint and fills the sampler, draws rollouts (in so many slots as
    `case.slots` says, once for each), scores them, and makes an update. On a CPU, what the process
    holds besides (Python, libraries) is not counted; on a GPU, the context and what the allocator
    cannot use.
    """
    config, ledger, batch = _on(case), Ledger(MAKERS), _batch(case)
    # The first of several ranks has the whole model in main memory besides, on its GPU the same.
    ranks = Alone(min(case.gpus - 1, 1), case.gpus)
    with (
        swept(),
        world(case.gpus) if case.gpus > 1 else nullcontext(),
        torch.autograd.set_multithreading_enabled(False),
        fake_device(case.device, ledger, frozenset({"rewardkit_native"})) as fakes,
    ):
        with ledger.phase("start"):
            with without_storage():
                models = [_model(one) for one in (case.model, case.teacher) if one is not None]
            if case.gpus == 1:
                for one in models:
                    to_fake(one, fakes, ledger)
            model = models[0]
            sampling = case.slots and make_sampler(config, model, ranks)
            updater = _updater(config, model, ranks, ledger, *models[1:])
        settle()  # the model, and all that torch has imported to make it
        with ledger.phase("resume"):
            _resume(updater, fakes, ledger)
            if sampling:
                sampler, weights = sampling
                sampler.refresh(weights.for_sampling())
        if sampling:
            for slots in case.slots:
                with ledger.phase(sampled_in(slots)):
                    decode(sampler, config, slots, case.prompt_tokens)
            sampler.release()
        _step(updater, batch, ledger.phase)
    return ledger.peaks


def once(case: Case) -> None:
    """Make the step that `simulate` does, with real numbers on one device, to be measured."""
    config = _on(case)
    with torch.device(case.device):
        model = _model(case.model)
    updater = _updater(config, model, Alone(0, 1), Ledger())
    for one in updater.trained:
        first_step(one.optimiser)
    _step(updater, _batch(case), lambda _: nullcontext())


def _step(
    updater: Updater, batch: Batch, phase: Callable[[str], AbstractContextManager[None]]
) -> None:
    with phase("score"):
        scores = updater.score(batch)
    recipe = updater.recipe
    plan = plan_step(recipe, batch, scores, minibatches(batch, recipe.minibatches))
    with phase("update"):
        updater.run(batch, plan)


def _on(case: Case) -> RunConfig:
    config = case.config.on_gpus()
    return replace(config, model=replace(config.model, device=case.device))


def _model(config: Any) -> Any:
    from transformers import AutoModelForCausalLM

    return AutoModelForCausalLM.from_config(config, dtype=torch.float32)


def _updater(
    config: RunConfig, model: Any, ranks: Ranks, ledger: Ledger, teacher: Any | None = None
) -> Updater:
    if teacher is not None:
        teacher = frozen(ready(teacher, config, ranks), config, ranks)
    reference, values = make_trainable(model, config, ranks, teacher)
    for found in (model, values):
        if found is not None:
            label_weights(found, ledger, PARAMETERS)
            label_gradients(found, ledger)
    if reference is not None and reference is not model:
        label_weights(reference, ledger, REFERENCE)
    scorer = Few(config.optim, config.model.dtype, config.sampling.temperature, ranks)
    updater = make_updater(config, model, reference, values, scorer)
    if reference is None:  # a server is asked, if anyone
        updater.recipe = replace(config.recipe, kl_coef=0.0)
    return updater


def _resume(updater: Updater, fakes: FakeTensorMode, ledger: Ledger) -> None:
    """Put back weights and moments as `recovery.checkpoint.restore` does, from a mapped file."""
    for one in updater.trained:
        moments: dict[int, dict[str, Tensor]] = {}
        trained = [p for group in one.optimiser.param_groups for p in group["params"]]
        for index, parameter in enumerate(trained):
            copy_full(on_host(parameter.shape, fakes, ledger), parameter)
            saved = {name: on_host(parameter.shape, fakes, ledger) for name in MOMENTS}
            moments[index] = {"step": torch.ones(()), **saved}
        load_optimiser_state(one.optimiser, {**one.optimiser.state_dict(), "state": moments})


def _batch(case: Case) -> Batch:
    """Return a batch of as many and as long responses as the configuration allows."""
    sampling = case.config.sampling
    groups = torch.arange(sampling.problems).repeat_interleave(sampling.group_size)
    rows, length = len(groups), case.response_tokens or sampling.max_tokens
    places = torch.arange(rows)
    return Batch(
        groups=groups,
        rewards=(places % 2).double(),
        correct=places % 2 == 1,
        truncated=torch.zeros(rows, dtype=torch.bool),
        decided=torch.ones(rows, dtype=torch.bool),
        response=torch.ones(rows, length, dtype=torch.bool),
        trained=None,
        prompts=[[group % 100] * case.prompt_tokens for group in groups.tolist()],
        responses=[[0] * length for _ in range(rows)],
        rows=places.tolist(),
        sampler_logprobs=torch.zeros(rows, length),
    )


@dataclass(frozen=True)
class Few(Scorer):
    """The last passes of a rank alone."""

    def passes(self, model: Any, batch: Batch, rows: Tensor) -> list[list[int]]:
        """Return at most `PASSES` micro-batches."""
        return super().passes(model, batch, rows)[-PASSES:]


@dataclass(frozen=True)
class Alone(Ranks):
    """One of several ranks; the others would say what it says."""

    def on_own_device(self, model: ModelConfig) -> ModelConfig:
        """Return the device as it is."""
        return model

    def gather(self, value: T) -> list[T]:
        """Return what all would say."""
        return [value] * self.size

    def all_reduce(self, *tensors: Tensor) -> None:
        """Leave what this rank has: nobody reads the numbers."""

    def on_first(self, work: Callable[[], T]) -> T:
        """Do the work here."""
        return work()
