"""Nothing whole on a device before it is cut, and what the slices are brought together as."""

import copy

import pytest
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.tensor import DTensor
from torch.testing._internal.distributed.fake_pg import FakeStore

from rewardkit.config import ModelConfig
from rewardkit.sampling import SamplingParams
from rewardkit_native.distributed import sharding
from rewardkit_native.distributed.parallel import Ranks
from rewardkit_native.distributed.sharding import shard, slice_like
from rewardkit_native.learning.passes import autocast
from rewardkit_native.model.fused import fuse_gates, fuse_norms
from rewardkit_native.model.loading import load
from rewardkit_native.model.logprobs import packed_scores
from rewardkit_native.model.weights import blank_copy, reference_copy
from rewardkit_native.sampling.choice import FastSampler

RANKS = 8


@pytest.fixture
def eight_ranks():
    """This process as the first of eight that are not there: collectives change nothing."""
    dist.init_process_group("fake", store=FakeStore(), rank=0, world_size=RANKS)
    yield Ranks(0, RANKS)
    dist.destroy_process_group()


def sizes(model):
    return sum(p.numel() for p in model.parameters())


def test_a_rank_loads_a_model_without_storage(tiny_model):
    config = ModelConfig(str(tiny_model), device="cpu")
    whole, empty = load(config).model, load(config, "nowhere").model
    assert all(p.is_meta for p in empty.parameters())
    names = [{n: p.shape for n, p in model.named_parameters()} for model in (whole, empty)]
    assert names[0] == names[1]  # a tied head is tied
    buffers = zip(whole.named_buffers(), empty.named_buffers(), strict=True)
    assert all(a == b and torch.equal(x, y) for (a, x), (b, y) in buffers)
    assert not empty.training


def test_norms_and_gates_are_known_without_storage(tiny_model):
    empty = load(ModelConfig(str(tiny_model)), "nowhere").model
    layers = empty.config.num_hidden_layers
    assert fuse_norms(empty) == 2 * layers + 1
    assert fuse_gates(empty) == layers


def test_no_more_than_a_layer_is_whole_at_a_time(random_llama, eight_ranks, monkeypatch):
    model = blank_copy(random_llama, torch.float32, torch.device("meta")).requires_grad_()
    held = []

    def bring(module, device, ranks):
        whole(module, device, ranks)
        held.append(sum(p.numel() for p in model.parameters() if not p.is_meta and not is_cut(p)))

    def is_cut(parameter):
        return isinstance(parameter, DTensor)

    whole = sharding.bring
    monkeypatch.setattr(sharding, "bring", bring)
    shard(model, Ranks(1, RANKS), "cpu")
    layer, head = sizes(random_llama.model.layers[0]), random_llama.lm_head.weight.numel()
    assert max(held) <= max(layer, head) + random_llama.config.hidden_size < sizes(random_llama) / 2
    assert all(is_cut(p) and p.requires_grad for p in model.parameters())
    local = sum(p.to_local().numel() for p in model.parameters())
    assert local < 1.1 * sizes(random_llama) / RANKS


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_linear_layers_are_brought_together_in_the_type_of_the_passes(
    random_llama, eight_ranks, dtype
):
    model = copy.deepcopy(random_llama)
    shard(model, eight_ranks, dtype=dtype)
    for module in (m for layer in model.model.layers for m in layer.modules()):
        if not hasattr(module, "_get_fsdp_state"):
            continue
        policy = module._get_fsdp_state()._mp_policy
        if isinstance(module, nn.Linear):
            assert (policy.param_dtype, policy.reduce_dtype) == (dtype, torch.float32)
        else:
            assert policy.param_dtype is None  # norms, which autocast leaves in float32
    gathering = [hasattr(layer.mlp.up_proj, "_get_fsdp_state") for layer in model.model.layers]
    assert all(gathering) == (dtype is torch.bfloat16)


def test_a_slice_is_cut_where_the_value_lies(random_llama, eight_ranks, monkeypatch):
    model = copy.deepcopy(random_llama)
    shard(model, eight_ranks)
    like = model.model.layers[0].mlp.up_proj.weight
    value = torch.randn(like.shape)
    moved = []
    to = torch.Tensor.to

    def watch(tensor, *where, **how):
        moved.append(tensor.numel())
        return to(tensor, *where, **how)

    monkeypatch.setattr(torch.Tensor, "to", watch)
    part = slice_like(value, like).to_local()
    assert torch.equal(part, value[: len(part)])
    assert moved == [part.numel()]  # and not the whole


def test_a_value_that_is_kept_is_no_part_of_a_mapped_file():
    value = torch.zeros(3)
    assert slice_like(value, torch.ones(3)).data_ptr() != value.data_ptr()


@torch.no_grad()
def test_the_references_matrices_are_rounded_as_autocast_would(random_llama):
    fuse_norms(model := copy.deepcopy(random_llama))
    rounded = reference_copy(model, torch.bfloat16)
    found = []
    for scored in (rounded, model):
        with autocast(scored, "bfloat16"):
            found.append(packed_scores(scored, [[5, 9, 3]] * 2, [[4, 6, 8, 1], [11, 7]]).logprobs)
    assert torch.equal(*found)
    dtypes = {n: p.dtype for n, p in rounded.named_parameters()}
    assert dtypes["model.embed_tokens.weight"] == dtypes["lm_head.weight"] == torch.float32
    assert dtypes["model.layers.0.mlp.up_proj.weight"] == torch.bfloat16


def test_the_sampler_of_a_model_in_slices_takes_no_copy_of_it(tiny_model, letters):
    config = ModelConfig(str(tiny_model), device="cpu")
    whole, empty = load(config).model, load(config, "nowhere").model
    sampler = FastSampler(empty, letters, torch.float32, filled_later_on=torch.device("cpu"))
    assert not hasattr(sampler.decoder, "layers")
    sampler.refresh(whole.state_dict())
    params = SamplingParams(6)
    plain = FastSampler(whole, letters, torch.float32).sample([[5, 6]], [[1, 2]], params)
    assert sampler.sample([[5, 6]], [[1, 2]], params) == plain
