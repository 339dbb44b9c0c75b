"""The gradient of one frozen batch, by the native backend and by verl's FSDP engine.

Run as `gradients.py MODEL` (WORLD_SIZE, verl's DIST_INIT_METHOD, VERL_PLATFORM=cpu). It forks
the other ranks when all is imported; rank 0 prints one JSON line: {recipe: {"micro-batches":
relative difference}}.

The engine is verl's own `FSDPEngine` under FSDP2 on gloo: its jagged tensors, its split into
micro-batches, its `ppo_loss`, its averaging over ranks. Native is the backend's own `Updater`.
"""

import copy
import dataclasses
import json
import os
import sys
import tempfile
from functools import partial
from pathlib import Path
from unittest.mock import patch

import peft
import torch
from tensordict import TensorDict
from torch.distributed.tensor import DTensor, distribute_tensor
from transformers import AutoModelForCausalLM
from verl.trainer.config import CheckpointConfig
from verl.utils import tensordict_utils as tu
from verl.utils.checkpoint.fsdp_checkpoint_manager import FSDPCheckpointManager
from verl.utils.distributed import initialize_global_process_group_ray
from verl.workers.config import (
    FSDPActorConfig,
    FSDPCriticConfig,
    FSDPEngineConfig,
    FSDPOptimizerConfig,
    HFModelConfig,
    PolicyLossConfig,
)
from verl.workers.engine import EngineRegistry
from verl.workers.utils.losses import value_loss

import rewardkit_verl.plugin  # noqa: F401  # the platform, before any other module of verl
from rewardkit.config import LoraConfig, OptimConfig, config_from
from rewardkit.recipes import RECIPES
from rewardkit.training_step import MetricSums, loss_table, plan_step
from rewardkit_native.learning.batch import make_batch, with_steps, written_by_model
from rewardkit_native.learning.critic import make_critic, value_model
from rewardkit_native.learning.passes import Scorer
from rewardkit_native.learning.update import Updater
from rewardkit_native.model import lora, packing
from rewardkit_native.model.sequences import Sequences
from rewardkit_native.model.weights import Weights
from rewardkit_verl.adapters import PREFIX
from rewardkit_verl.batch import actor_fields, update_rows
from rewardkit_verl.inside.critic import critic_loss
from rewardkit_verl.inside.losses import TABLE, actor_loss
from rewardkit_verl.inside.scores import scores
from rewardkit_verl.launcher.export import export
from rewardkit_verl.names import POLICY_LOSS

from frozen_batch import SIZE, TEMPERATURE, Frozen, decode, recipes  # isort: skip

TURNS = "grpo", "dapo", "gspo", "masked_kl"
"""Recipes whose gradient is compared on rollouts that an environment wrote parts of as well."""
MICRO_BATCHES = 1, 2, 4
"""On each of two ranks: its four rows padded to one width, two pairs, and each row alone."""


def native_gradient(model, recipe, frozen, layout="padded"):
    """The gradient by the native `Updater`, of all groups in one update."""
    optim = OptimConfig(layout=layout, tokens_per_micro_batch=40)
    updater = Updater(
        model=model, reference=None, optimiser=torch.optim.SGD(model.parameters()),
        recipe=recipe, grad_clip=1.0, scorer=Scorer(optim, "float32", TEMPERATURE),
    )  # fmt: skip
    if not frozen.scores.any():
        frozen.score(updater)
    batch = make_batch(frozen.groups, frozen.prompts)
    if recipe.reads_steps:
        batch = with_steps(batch, frozen.groups, recipe, decode)
    plan = plan_step(recipe, batch, frozen.others(batch.rows), [torch.arange(len(batch))])
    model.zero_grad()
    updater.accumulate(batch, plan, plan.updates[0], MetricSums())
    return torch.cat([p.grad.flatten() for p in model.parameters() if p.requires_grad])


def packed_gradients(model, recipe, frozen):
    """The same in packed rows: as a CPU reads them, and as a GPU does."""
    yield "packed", native_gradient(model, recipe, frozen, "packed")
    sequences = lambda _, *lengths: Sequences.of_lengths(*lengths)  # noqa: E731
    with patch.object(packing, "attention_on", sequences):
        yield "packed on a GPU", native_gradient(model, recipe, frozen, "packed")


def nested(rows):
    return torch.nested.as_nested_tensor(rows, layout=torch.jagged)


def engine_data(recipe, frozen, rank, ranks):
    """The rows of one rank, as the trainer sends them to its worker."""
    scores, updates = frozen.others(), update_rows(len(frozen.rollouts), ranks, 1)
    plan = plan_step(recipe, frozen.sampled(recipe), scores, updates)
    fields, table = actor_fields(plan), torch.stack(loss_table(plan), 1)
    share = len(frozen.rollouts) // ranks
    rows = range(rank * share, (rank + 1) * share)
    prompts = [torch.tensor(frozen.prompts[i // SIZE]) for i in rows]
    responses = [torch.tensor(frozen.rollouts[i].tokens) for i in rows]

    def cut(values):
        return nested([values[i, : len(r)] for i, r in zip(rows, responses, strict=True)])

    inputs = [torch.cat(pair) for pair in zip(prompts, responses, strict=True)]
    written = written_by_model(frozen.rollouts)
    mask = nested([written[i, : len(r)].long() for i, r in zip(rows, responses, strict=True)])
    data = TensorDict(
        {
            "prompts": nested(prompts),
            "responses": nested(responses),
            "input_ids": nested(inputs),
            "position_ids": nested([torch.arange(len(i)) for i in inputs]),
            "response_mask": mask,
            "loss_mask": mask,
            "old_log_probs": cut(scores.old),
            "ref_log_prob": cut(scores.reference),
            "advantages": cut(fields.advantages),
            "returns": cut(fields.returns),
            "values": cut(scores.values),
            "rollout_log_probs": nested([torch.tensor(frozen.rollouts[i].logprobs) for i in rows]),
            TABLE: nested([table[i] for i in rows]),
        },
        batch_size=share,
    )
    tu.assign_non_tensor(
        data, temperature=TEMPERATURE, use_dynamic_bsz=False, use_remove_padding=False,
        global_batch_size=len(frozen.rollouts), calculate_entropy=recipe.high_entropy is not None or recipe.entropy_bonus,
    )  # fmt: skip
    return data


def our_loss(recipe):
    actor = FSDPActorConfig(
        strategy="fsdp2",
        rollout_n=SIZE,
        ppo_micro_batch_size_per_gpu=1,
        policy_loss=PolicyLossConfig(loss_mode=POLICY_LOSS),
    )
    return partial(actor_loss, actor, recipe)


def engine_gradient(engine, recipe, frozen, micro_batches, loss):
    """The gradient by verl's engine; all ranks call it, all get it."""
    rank, ranks = torch.distributed.get_rank(), torch.distributed.get_world_size()
    data = engine_data(recipe, frozen, rank, ranks)
    tu.assign_non_tensor(data, micro_batch_size_per_gpu=len(data) // micro_batches)
    engine.optimizer_zero_grad()
    with engine.train_mode():
        engine.forward_backward_batch(data, loss)
        trained = (p for p in engine.module.parameters() if p.requires_grad)
        return torch.cat([_whole(p.grad).flatten() for p in trained])


def _whole(tensor):
    return tensor.full_tensor() if isinstance(tensor, DTensor) else tensor


def make_engine(folder, kind="language_model", **further):
    precision = {"param_dtype": "fp32", "reduce_dtype": "fp32", "buffer_dtype": "fp32"}
    model_config = HFModelConfig(
        path=folder, load_tokenizer=False, use_remove_padding=False,
        override_config={"attn_implementation": "sdpa"}, enable_gradient_checkpointing=False,
        model_type=kind, **further,
    )  # fmt: skip
    engine = EngineRegistry.new(
        model_type=kind,
        backend="fsdp2",
        model_config=model_config,
        engine_config=FSDPEngineConfig(
            strategy="fsdp2", mixed_precision=precision, use_torch_compile=False
        ),
        optimizer_config=FSDPOptimizerConfig(lr=0.1),
        checkpoint_config=CheckpointConfig(),
    )
    engine._build_model_optimizer()
    return engine


PPO = dataclasses.replace(RECIPES["ppo"], value_clip=0.3)
VERLS = FSDPCriticConfig(
    strategy="fsdp2", cliprange_value=0.3, ppo_micro_batch_size_per_gpu=1, rollout_n=SIZE
)


def native_values(model, engine):
    """The native value function with the weights of verl's critic."""
    made = value_model(model)
    theirs = {name: _whole(value) for name, value in engine.module.state_dict().items()}
    with torch.no_grad():
        for name, parameter in made.named_parameters():
            parameter.copy_(theirs[name.replace("lm_head.", "score.")])
    return made


def native_critic_gradient(values, frozen):
    optim = OptimConfig(layout="padded", tokens_per_micro_batch=40)
    critic = make_critic(values, PPO, optim, Scorer(optim, "float32", TEMPERATURE))
    batch = make_batch(frozen.groups, frozen.prompts)
    plan = plan_step(PPO, batch, frozen.others(batch.rows), [torch.arange(len(batch))])
    values.zero_grad()
    critic.accumulate(batch, plan, plan.updates[0], MetricSums())
    return torch.cat([p.grad.flatten() for p in values.parameters()])


def squares_apart(engine, frozen):
    """The largest difference between Σ π² by verl's engine, as our trainer reads it, and ours."""
    rank, ranks = torch.distributed.get_rank(), torch.distributed.get_world_size()
    data = engine_data(RECIPES["grpo"], frozen, rank, ranks)
    tu.assign_non_tensor(data, micro_batch_size_per_gpu=1, calculate_sum_pi_squared=True)
    with engine.eval_mode():
        said = engine.infer_batch(data)["model_output"]["sum_pi_squared"]
    found = scores({"sum_pi_squared": said, "response_mask": data["response_mask"]}).sum_pi_squared
    start = rank * len(frozen.rollouts) // ranks
    ours = frozen.squares[start : start + len(found), : found.shape[1]]
    decided = ours.any(1)  # an undecided one is not scored natively
    return float((found - ours)[decided].abs().max())


def critics(model, engine):
    """Relative differences of the critic's gradient: by our loss, and by verl's own."""
    values, found = native_values(model, engine), {}
    cases = {
        "critic": ("timeout", partial(critic_loss, PPO)),
        "critic, verl's own loss": ("incorrect", partial(value_loss, VERLS)),
        "critic, verl's own loss, one undecided": ("timeout", partial(value_loss, VERLS)),
    }
    for name, (last, loss) in cases.items():
        frozen = Frozen(model, torch.Generator().manual_seed(0), last)
        expected = native_critic_gradient(values, frozen)
        found[name] = {"norm": float(expected.norm())}
        for micro in MICRO_BATCHES:
            gradient = engine_gradient(engine, PPO, frozen, micro, loss)
            found[name][str(micro)] = float((gradient - expected).norm() / expected.norm())
    return found


def differences(model, recipe, frozen, engine, first):
    """How far each gradient of a recipe is from the exact one; None but on the first rank.

    That is the native one in float64. Two in float32 may be further from each other than from it.
    """
    theirs = {
        str(micro): engine_gradient(engine, recipe, frozen, micro, our_loss(recipe))
        for micro in MICRO_BATCHES
    }
    if not first:
        return None
    expected = native_gradient(copy.deepcopy(model).double(), recipe, frozen)
    norm = expected.norm()
    found = {"norm": float(norm)}
    theirs["native"] = native_gradient(model, recipe, frozen)
    for name, gradient in (*theirs.items(), *packed_gradients(model, recipe, frozen)):
        found[name] = float((gradient - expected).norm() / norm)
    return found


ADAPTERS = LoraConfig(rank=2, alpha=6)


def adapted(folder, model, first):
    """Adapters: their gradients, and how far what samples and what is exported are from native."""
    torch.manual_seed(0)
    native = copy.deepcopy(model)
    lora.inject(native, ADAPTERS)
    engine = make_engine(
        folder, lora_rank=ADAPTERS.rank, lora_alpha=ADAPTERS.alpha, lora={"merge": True}
    )
    theirs = dict(engine.module.named_parameters())
    with torch.no_grad():
        for name, parameter in native.named_parameters():
            if ".lora_" in name:
                parameter.normal_(std=0.1)
                other = theirs[f"{PREFIX}{name}"]
                other.copy_(distribute_tensor(parameter, other.device_mesh, other.placements))
    frozen = Frozen(native, torch.Generator().manual_seed(0))
    native_gradient(native, RECIPES["grpo"], frozen)
    found = {
        f"lora, {name}": differences(native, RECIPES[name], frozen, engine, first)
        for name in ("grpo", "dapo")
    }
    sampled, expected = dict(engine.get_per_tensor_param()[0]), Weights(native)
    assert sampled.keys() == expected.keys()
    found["lora, sampled"] = max(
        float((sampled[name] - value).abs().max()) for name, value in expected.items()
    )
    with tempfile.TemporaryDirectory() as temporary:
        shards = f"{os.environ['SHARED']}/actor"
        FSDPCheckpointManager(
            model=engine.module, optimizer=engine.optimizer, lr_scheduler=engine.lr_scheduler,
            processing_class=None, checkpoint_config=CheckpointConfig(),
        ).save_checkpoint(local_path=shards)  # fmt: skip
        if first:
            run = {"folder": "x", "steps": 1, "model": {"name": folder, "dtype": "float32"}}
            run["lora"] = dataclasses.asdict(ADAPTERS)
            export(Path(shards), Path(temporary), config_from(run))
            found |= exported(temporary, folder, native)
    return found


def exported(written, base, native):
    """How far the logits of the folder that is written are from the native model's."""
    ids = torch.tensor([[5, 9, 3, 7, 4]])
    merged, plain = (
        AutoModelForCausalLM.from_pretrained(one, dtype=torch.float32) for one in (written, base)
    )
    with torch.no_grad():
        expected = native(ids).logits
        beside = peft.PeftModel.from_pretrained(copy.deepcopy(plain), f"{written}/adapter")
        return {
            "lora, exported": float((merged(ids).logits - expected).abs().max()),
            "lora, adapter": float((beside(ids).logits - expected).abs().max()),
            "lora, moved": float((plain(ids).logits - expected).abs().max()),
        }


def main(folder):
    torch.set_num_threads(1)
    initialize_global_process_group_ray()
    first = int(os.environ["RANK"]) == 0
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    frozen = Frozen(model, torch.Generator().manual_seed(0))
    native_gradient(model, RECIPES["grpo"], frozen)  # takes the scores that all of the rest reads
    engine = make_engine(folder)
    found = {name: differences(model, recipe, frozen, engine, first) for name, recipe in recipes()}
    played = Frozen(model, torch.Generator().manual_seed(0), turns=True)
    native_gradient(model, RECIPES["grpo"], played)
    found |= {
        f"turns, {name}": differences(model, recipe, played, engine, first)
        for name, recipe in recipes()
        if name in TURNS
    }
    found["squares"] = squares_apart(engine, frozen)
    found |= critics(model, make_engine(folder, "value_model"))
    found |= adapted(folder, model, first)
    if first:
        sys.stdout.write(f"FOUND {json.dumps(found)}\n")
    torch.distributed.destroy_process_group()


def become_ranks():
    """Fork all ranks but the first, so that verl is imported once."""
    os.environ["RANK"] = "0"
    for rank in range(1, int(os.environ["WORLD_SIZE"])):
        if os.fork() == 0:
            os.environ["RANK"] = str(rank)
            return


if __name__ == "__main__":
    become_ranks()
    main(sys.argv[1])
