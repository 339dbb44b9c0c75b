"""What test_parallel.py runs on two ranks: `ranks_program.py JOBS.json`.

It forks the second rank when all is imported, with what torchrun would put into its environment:
torchrun itself, and two more imports of torch, take longer than all of the jobs.
Gradients: each case is computed by two ranks and, on the first, by one process; the relative
differences are written down. Runs: the configurations are trained one after the other.
"""

import copy
import dataclasses
import json
import os
import socket
import sys
from contextlib import contextmanager
from pathlib import Path

import torch
from transformers import LlamaConfig, LlamaForCausalLM

from rewardkit.config import LoraConfig, OptimConfig, config_from
from rewardkit.recipes import RECIPES
from rewardkit.training_step import plan_step
from rewardkit.types import Finish, Group, Outcome, Problem, Reward, Rollout, Verdict
from rewardkit_native import loop
from rewardkit_native.distributed.parallel import Ranks, joined
from rewardkit_native.distributed.sharding import full_tensor, shard
from rewardkit_native.learning.batch import make_batch, minibatches
from rewardkit_native.learning.passes import Scorer
from rewardkit_native.learning.update import Updater
from rewardkit_native.model import lora
from rewardkit_native.model.packing import enable_packing

GRPO = dataclasses.replace(RECIPES["grpo"], kl_coef=0.0)
DAPO = dataclasses.replace(RECIPES["dapo"], minibatches=1)
DR_GRPO = dataclasses.replace(RECIPES["dr_grpo"], constant=6)

MIXED = ["correct", "incorrect", "incorrect", "correct"]
RIGHT = ["correct"] * 4


def group(seed, size, outcomes):
    """Four responses of up to `size` tokens."""
    generator = torch.Generator().manual_seed(seed)
    rollouts = []
    for _ in outcomes:
        length = int(torch.randint(1, size + 1, (), generator=generator))
        tokens = torch.randint(2, 40, (length,), generator=generator).tolist()
        rollouts.append(Rollout("", tuple(tokens), (-1.0,) * length, Finish.STOP))
    verdicts = tuple(Verdict(Outcome(outcome)) for outcome in outcomes)
    rewards = tuple(Reward(float(v.correct), {"correct": float(v.correct)}) for v in verdicts)
    return Group(Problem("p", "?", "1"), tuple(rollouts), verdicts, rewards)


UNEVEN = [group(n, size, MIXED) for n, size in enumerate((24, 3, 5, 2, 9))]
ONE_PULLS = [group(0, 6, RIGHT), group(1, 6, MIXED), group(2, 6, RIGHT)]
NONE_PULLS = [group(0, 6, RIGHT), group(1, 6, RIGHT)]

CASES = {
    "grpo": (GRPO, UNEVEN, {}),
    "dapo": (DAPO, UNEVEN, {}),
    "dr_grpo": (DR_GRPO, UNEVEN, {}),
    "padded": (GRPO, UNEVEN, {"layout": "padded", "tokens_per_micro_batch": 40}),
    "uneven passes": (DAPO, UNEVEN, {"tokens_per_micro_batch": 10}),
    "a rank without gradient": (DAPO, ONE_PULLS, {}),
    "no gradient at all": (DAPO, NONE_PULLS, {}),
    "prompt mean": (dataclasses.replace(DAPO, aggregation="prompt-mean"), UNEVEN, {}),
    "kl to a reference": (dataclasses.replace(GRPO, kl_coef=0.5), UNEVEN, {}),
    "token advantages": (RECIPES["gtpo"], UNEVEN, {}),
    "several updates": (dataclasses.replace(DAPO, epochs=2, minibatches=2), UNEVEN, {}),
    "clipped norm": (DAPO, UNEVEN, {"grad_clip": 1e-2}),
    "activation checkpointing": (DAPO, UNEVEN, {"activation_checkpointing": True}),
    # Row by row, so that both make the same passes: bfloat16 knows no other kind of equal.
    "bfloat16": (DAPO, UNEVEN, {"tokens_per_micro_batch": 1}),
}


def random_llama():
    torch.manual_seed(0)
    model = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=41,  # odd, so that slices are uneven
            hidden_size=30,
            intermediate_size=51,
            num_hidden_layers=3,
            num_attention_heads=3,
            num_key_value_heads=1,
            max_position_embeddings=128,
            tie_word_embeddings=True,
        )
    )
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() == 2:
                parameter.mul_(6)
    return model.eval()


class Recording(torch.optim.SGD):
    """Keeps the whole gradient of each step."""

    def step(self):
        self.seen = [*getattr(self, "seen", []), whole_gradient(self.param_groups[0]["params"])]
        super().step()


def whole_gradient(parameters):
    return torch.cat([full_tensor(parameter.grad).flatten() for parameter in parameters])


def updated(ranks, case, rank=0, dtype="float32"):
    """The gradients of all updates of a batch in a row, and the metrics."""
    recipe, groups, optim = case
    model, reference = random_llama(), None
    enable_packing(model)
    if recipe.kl_coef:
        reference = copy.deepcopy(model)
        with torch.no_grad():
            reference.model.layers[0].mlp.up_proj.weight.mul_(0.9)
        shard(reference, ranks)
    if rank:
        torch.manual_seed(0)
        lora.inject(model, LoraConfig(rank=rank))
    shard(model, ranks)
    trained = [p for p in model.parameters() if p.requires_grad]
    optimiser = Recording(trained, lr=1e-3)
    settings = OptimConfig(**{"grad_clip": 1e9, "lr": 1.0, **optim})
    scorer = Scorer(settings, dtype, 1.0, ranks)
    updater = Updater(
        model=model, reference=reference, optimiser=optimiser, recipe=recipe,
        grad_clip=settings.grad_clip, scorer=scorer,
    )  # fmt: skip
    prompts = [[5, 9, 3, 7], [8, 2], [6, 6, 6], [4], [3, 3]][: len(groups)]
    batch = make_batch(groups, prompts)
    rows = minibatches(batch, recipe.minibatches)
    metrics = updater.run(batch, plan_step(recipe, batch, updater.score(batch), rows))
    seen = getattr(optimiser, "seen", [])
    return torch.cat(seen) if seen else torch.zeros(1), metrics


def gradients(ranks):
    found = {}
    cases = [(name, case, 0) for name, case in CASES.items()] + [("lora", CASES["dapo"], 4)]
    for name, case, rank in cases:
        dtype = "bfloat16" if name == "bfloat16" else "float32"
        many, metrics = updated(ranks, case, rank, dtype)
        if not ranks.first:
            continue
        one, expected = updated(Ranks(), case, rank, dtype)
        found[name] = {
            "norm": float(one.norm()),
            "difference": float((many - one).norm()),
            "metrics": metrics,
            "expected": expected,
        }
    return found


@contextmanager
def become_ranks():
    """Fork a second rank; as torchrun does, keep the store of both, and fail where either does."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        port = found.getsockname()[1]
    os.environ |= {
        "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "WORLD_SIZE": "2",
        "LOCAL_WORLD_SIZE": "2", "RANK": "0", "LOCAL_RANK": "0", "TORCHELASTIC_RUN_ID": "test",
        "TORCHELASTIC_USE_AGENT_STORE": "True",
    }  # fmt: skip
    second = os.fork()
    if not second:
        os.environ |= {"RANK": "1", "LOCAL_RANK": "1"}
        yield
        return
    _kept = torch.distributed.TCPStore("127.0.0.1", port, is_master=True, wait_for_workers=False)
    yield
    _, status = os.waitpid(second, 0)
    assert status == 0, f"the second rank ended with status {status}"


def main():
    jobs = json.loads(Path(sys.argv[1]).read_text())
    configs = [config_from(data) for data in jobs["runs"]]
    with joined(configs[0]) as ranks:
        found = gradients(ranks)
        if ranks.first:
            Path(jobs["gradients"]).write_text(json.dumps(found))
    # A thread of gloo's that gets no turn before the interpreter ends aborts the process: make
    # turns rare, so that a run which ends too soon is caught.
    sys.setswitchinterval(30)
    loop.draw_if_possible = lambda folder, remark: None  # pictures take longer than the runs
    for config in configs:
        loop.train(config, resume=Path(config.folder).exists())


if __name__ == "__main__":
    with become_ranks():
        main()
