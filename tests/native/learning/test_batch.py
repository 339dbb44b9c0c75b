"""How a batch is cut into micro-batches: tokens, order, and the memory that attention takes."""

import copy

import pytest
import torch

from rewardkit.config import OptimConfig
from rewardkit.types import Finish, Group, Outcome, Problem, Reward, Rollout, Verdict
from rewardkit_native.learning.batch import make_batch
from rewardkit_native.learning.passes import PassMemory, micro_batches, pass_memory
from rewardkit_native.model.fused import fuse_gates, fuse_norms
from rewardkit_native.model.packing import pack, packed_hidden

MEMORY = PassMemory(per_token=100)


def batch_of(*groups):
    """A batch whose groups have responses of these lengths, and prompts of 10 tokens."""
    made = []
    for lengths in groups:
        rollouts = [Rollout("", (1,) * n, (-1.0,) * n, Finish.STOP) for n in lengths]
        verdicts = [Verdict(Outcome.CORRECT)] * len(lengths)
        rewards = [Reward(1.0, {"correct": 1.0})] * len(lengths)
        made.append(Group(Problem("p", "?", "1"), tuple(rollouts), tuple(verdicts), tuple(rewards)))
    return make_batch(made, [[2 + i] * 10 for i in range(len(groups))])


def cut(batch, most, memory=None, layout="packed"):
    """The lengths of the responses in each part."""
    optim = OptimConfig(layout=layout, tokens_per_micro_batch=most)
    parts = micro_batches(batch, torch.arange(len(batch)), optim, memory=memory)
    return [[len(batch.responses[i]) for i in part] for part in parts]


def test_groups_of_like_length_share_a_packed_micro_batch():
    batch = batch_of([900, 10], [20, 15], [950, 30], [12, 25])
    assert cut(batch, 1020) == [[15, 20, 12, 25, 10, 900], [30, 950]]
    assert cut(batch, 120) == [[15, 20, 12, 25, 10], [900], [30], [950]]


def test_padded_rows_of_like_length_share_one_whatever_their_group():
    batch = batch_of([90, 10], [20, 15])
    assert cut(batch, 100, layout="padded") == [[10, 15, 20], [90]]


def test_every_row_is_in_one_part():
    batch = batch_of(*[[(7 * g + 3 * m) % 50 + 1 for m in range(4)] for g in range(9)])
    for memory in (None, MEMORY, PassMemory(100, per_pair=10)):
        parts = cut(batch, 130, memory)
        every = sorted(n for part in parts for n in part)
        assert every == sorted(len(r) for r in batch.responses)


@pytest.mark.parametrize(
    ("memory", "parts"),
    [
        (MEMORY, [[10, 10, 10, 10, 100]]),
        # 150 tokens may keep 15,000 · 1.25: five rows of 100 · 110 pairs are too many ...
        (PassMemory(100, per_pair=1), [[10, 10, 10, 10], [100]]),
        # ... and so are the copies of a prompt of 10 tokens behind each of five responses.
        (PassMemory(100, per_key=40), [[10, 10, 10, 10], [100]]),
    ],
)
def test_memory_bounds_a_micro_batch_and_not_its_tokens_alone(memory, parts):
    assert cut(batch_of([10, 10, 10, 10, 100]), 150, memory) == parts


class Llama7B:
    hidden_size, intermediate_size, num_hidden_layers = 3584, 18944, 28
    num_attention_heads, num_key_value_heads = 28, 4


def test_the_tables_of_a_long_response_are_known_to_be_large():
    """7 query heads a key head, in bfloat16: 14 bytes a cell, and 81 million cells."""
    on_cpu = pass_memory(Llama7B, "bfloat16", "cpu")
    without = on_cpu.per_token * 9000 + on_cpu.per_key * 10_000
    assert on_cpu.packed(9000, [1000], [8000]) - without == 14 * 8000 * 9000


def test_on_a_gpu_memory_grows_with_the_tokens():
    on_gpu = pass_memory(Llama7B, "bfloat16", "cuda")
    one, ten = on_gpu.packed(8200, [200], [8000]), on_gpu.packed(8200, [200] * 10, [800] * 10)
    assert 1 < ten / one < 1.05
    layer = (
        2 * 3584 * 6 + 2 * 3584 * 2 + 2 * 18944 * 2 + 2 * 512 * 2
    )  # norms, attention, gate, keys
    assert one == 28 * (8200 * layer + 200 * 2 * 512 * 2)


def test_what_is_predicted_is_what_a_pass_keeps(random_llama):
    model = copy.deepcopy(random_llama)
    fuse_norms(model)
    fuse_gates(model)
    prompts, responses = [[5] * 12] * 3 + [[6] * 8] * 2, [[7] * n for n in (20, 18, 19, 18, 17)]
    weights = {p.untyped_storage().data_ptr() for p in model.parameters()}
    kept = {}

    def keep(tensor):
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in weights:
            kept[storage.data_ptr()] = storage
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        packed_hidden(model, pack(prompts, responses)).sum().backward()
    measured = sum(storage.nbytes() for storage in kept.values())
    tokens, lengths = 20 + 92, ([len(p) for p in prompts], [len(r) for r in responses])
    predicted = pass_memory(model.config, "float32", "cpu").packed(tokens, *lengths)
    assert predicted == pytest.approx(measured, rel=0.15)
