"""Decoding in slots, as GPUs do: memory, the kernel's arguments, and how often the host asks."""

import pytest
import torch
from torch.nn import functional
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_iter

from rewardkit.sampling import SamplingParams
from rewardkit_native.sampling import continuous, slots
from rewardkit_native.sampling.choice import FastSampler
from rewardkit_native.sampling.fast_decoder import FastDecoder
from rewardkit_native.sampling.slots import (
    STEPS,
    Newcomer,
    SlotDecoding,
    free_memory,
    slots_that_fit,
)

aten = torch.ops.aten
PROMPTS, SEEDS = [[5, 9, 3], [7, 2, 8, 8, 4, 4]], [[1, 2, 3, 4], [5, 6]]


@pytest.fixture
def decoder(random_llama):
    return FastDecoder(random_llama, torch.bfloat16)


def test_as_many_slots_as_the_free_memory_holds(decoder):
    # 3 layers, keys and values of 2 heads of 8 numbers in bfloat16; a vocabulary of 40
    row = 3 * 2 * 2 * 8 * 2 * 100 + 20 * 40
    free = int(50 * row / slots.USABLE) + 1
    assert slots_that_fit(free, 100, decoder) == 50
    assert slots_that_fit(2 * free, 100, decoder) == 100
    assert slots_that_fit(0, 100, decoder) == 1


def test_on_a_gpu_no_more_is_decoded_at_once_than_its_memory_holds(decoder, monkeypatch):
    class Opened(Exception):
        pass

    def opened(decoder, slots, room, params, known):
        raise Opened(slots, room)

    row = 3 * 2 * 2 * 8 * 2 * 106 + 20 * 40  # as above; six tokens of a prompt and a hundred
    monkeypatch.setattr(continuous, "free_memory", lambda _: int(50 * row / slots.USABLE) + 1)
    monkeypatch.setattr(continuous, "SlotDecoding", opened)
    decoder.device = torch.device("cuda")
    found = []
    for most in (None, 30):
        with pytest.raises(Opened) as asked:
            continuous.decode_continuously(
                decoder, most, PROMPTS, [range(400), range(400)], SamplingParams(100),
                ended=any, finished=any, stepped=any,
            )  # fmt: skip
        found.append(asked.value.args)
    assert found == [(50, 106), (30, 106)]


def test_the_cards_free_memory_is_what_nobody_holds(monkeypatch):
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda _: (10, 100))
    monkeypatch.setattr(torch.cuda, "memory_reserved", lambda _: 30)
    monkeypatch.setattr(torch.cuda, "memory_allocated", lambda _: 25)
    assert free_memory(torch.device("cuda")) == 15


def test_the_flash_kernel_reads_the_cache_as_it_is_and_no_further_than_a_row(decoder, monkeypatch):
    """What it is called with means, by torch's own words, what the masked form computes."""
    params = SamplingParams(8, temperature=0.0)
    plain = SlotDecoding(decoder, 3, 20, params)
    flashed = SlotDecoding(decoder, 3, 20, params)
    new = [Newcomer(0, PROMPTS[0], 1), Newcomer(2, PROMPTS[1], 2)]
    for decoding in (plain, flashed):
        decoding.admit(new)
    used = []

    def kernel(q, k, v, q_ends, k_ends, most_q, most_k, *, enable_gqa, seqused_k):
        assert q.dtype == k.dtype == torch.bfloat16  # no copy of the cache in float32
        assert k.untyped_storage().data_ptr() == v.untyped_storage().data_ptr()
        assert (q_ends.tolist(), k_ends.tolist()) == ([0, 1, 2, 3], [0, 20, 40, 60])
        assert (most_q, most_k, enable_gqa, seqused_k.dtype) == (1, 20, True, torch.int32)
        used.append(seqused_k.tolist())
        rows = []
        for row, start, count in zip(q, k_ends.tolist(), seqused_k.tolist(), strict=False):
            keys, values = (x[start : start + count].transpose(0, 1) for x in (k, v))
            query = row.view(2, 2, 8)
            rows.append(functional.scaled_dot_product_attention(query, keys, values).flatten())
        return torch.stack(rows).view(q.shape)

    masked = plain.run(4)
    monkeypatch.setattr(slots, "fits_flash", lambda *_: True)
    monkeypatch.setattr(slots, "flash", lambda *_: kernel)
    found = flashed.run(4)
    for row in (0, 2):
        assert [step[row] for step in found[0]] == [step[row] for step in masked[0]]
    assert used[0] == used[2] == [4, 1, 7]  # a slot without a row costs one token
    assert used[-1] == [7, 4, 10]


def test_an_older_torch_whose_kernel_reads_whole_slots_alone_is_not_asked(
    decoder, monkeypatch, set_torchs_kernel
):
    def of_torch_2_11(*_, return_aux=None, scale=None, window_size=(-1, -1)):
        raise AssertionError("it would read what a slot does not hold yet")

    set_torchs_kernel(of_torch_2_11)
    monkeypatch.setattr(slots, "fits_flash", lambda *_: True)
    plain = SlotDecoding(decoder, 1, 20, SamplingParams(8, temperature=0.0))
    plain.admit([Newcomer(0, PROMPTS[0], 1)])
    assert len(plain.run(4)[0]) == 5


def test_the_host_reads_every_few_steps(random_llama, letters, monkeypatch):
    reads = []
    run = SlotDecoding.run
    monkeypatch.setattr(SlotDecoding, "run", lambda *a: reads.append(1) or run(*a))
    monkeypatch.setattr(random_llama.generation_config, "eos_token_id", 39)
    sampler = FastSampler(random_llama, letters, torch.float32)
    sampler.run = FastSampler.in_slots
    found = sampler.sample(PROMPTS, SEEDS, SamplingParams(60))
    longest = max(len(rollout.tokens) for group in found for rollout in group)
    assert longest > 2 * STEPS
    assert len(reads) == -(-longest // STEPS)


class AsInAGraph(TorchDispatchMode):
    """Refuses what would make the host wait for a device; notes the shapes, which must not change."""

    def __init__(self):
        super().__init__()
        self.shapes = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        assert func not in {aten._local_scalar_dense.default, aten.nonzero.default}
        found = func(*args, **(kwargs or {}))
        tensors = [leaf for leaf in tree_iter((args, found)) if isinstance(leaf, torch.Tensor)]
        self.shapes.append((func, [tensor.shape for tensor in tensors]))
        return found


@pytest.mark.parametrize("params", [SamplingParams(8), SamplingParams(8, 0.7, top_k=5)])
@torch.inference_mode()
def test_a_step_asks_the_device_nothing_and_is_like_the_one_before(decoder, params):
    decoding = SlotDecoding(decoder, 2, 20, params)
    decoding.admit([Newcomer(0, PROMPTS[0], 1)])
    storages = [tensor.data_ptr() for tensor in (decoding.tokens, *decoding.cache)]
    steps = [AsInAGraph(), AsInAGraph()]
    for step in steps:
        with step:
            decoding.step()
    assert steps[0].shapes == steps[1].shapes
    assert storages == [tensor.data_ptr() for tensor in (decoding.tokens, *decoding.cache)]


def test_a_row_that_ended_gives_its_slot_to_the_next(random_llama, letters, monkeypatch):
    slots_taken = []
    admit = SlotDecoding.admit

    def watch(decoding, newcomers):
        slots_taken.append([one.slot for one in newcomers])
        admit(decoding, newcomers)

    monkeypatch.setattr(continuous.SlotDecoding, "admit", watch)
    sampler = FastSampler(random_llama, letters, torch.float32, rows=2)
    sampler.run = FastSampler.in_slots
    params = SamplingParams(40)
    found = sampler.sample(PROMPTS, SEEDS, params)
    assert slots_taken[0] == [0, 1]
    assert sum(map(len, slots_taken)) == 6
    assert any(len(taken) == 1 for taken in slots_taken)  # one goes on beside a newcomer
    alone = [
        sampler.sample([p], [[s]], params)[0][0]
        for p, of in zip(PROMPTS, SEEDS, strict=True)
        for s in of
    ]
    together = [rollout for group in found for rollout in group]
    assert [r.tokens for r in together] == [r.tokens for r in alone]


def test_long_prompts_are_read_in_parts(monkeypatch):
    monkeypatch.setattr(slots, "READ_AT_ONCE", 10)
    new = [Newcomer(i, [prompt] * 6, i) for i, prompt in enumerate([1, 1, 2, 3, 3, 3])]
    assert [[one.slot for one in part] for part in slots._parts(new)] == [[0, 1], [2], [3, 4, 5]]
