"""The fused gate is the gated layer of transformers, in values and gradients, or is not used."""

import copy

import pytest
import torch
from transformers import LlamaConfig
from transformers.models.llama.modeling_llama import LlamaMLP

from rewardkit_native.model import fused
from rewardkit_native.model.fused import fuse_gates
from rewardkit_native.model.logprobs import packed_scores


def config(**settings):
    return LlamaConfig(hidden_size=12, intermediate_size=20, num_attention_heads=2, **settings)


def layer(**settings):
    torch.manual_seed(0)
    return LlamaMLP(config(**settings))


def with_gradients(module, x):
    x = x.clone().requires_grad_()
    module.zero_grad()
    y = module(x)
    (y.float() * torch.linspace(-1, 1, y.numel()).view(y.shape)).sum().backward()
    return [y, x.grad, *(weight.grad.clone() for weight in module.parameters())]


@pytest.mark.parametrize("keeping", [{"cpu"}, set()], ids=["on a CPU", "on a GPU"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("bias", [False, True])
def test_values_and_gradients_are_those_of_transformers(dtype, bias, keeping, monkeypatch):
    monkeypatch.setattr(fused, "KEEPING", keeping)
    theirs = layer(mlp_bias=bias)
    ours = copy.deepcopy(theirs)
    assert fuse_gates(ours) == 1
    x = 3 * torch.randn(2, 7, 12)
    with torch.autocast("cpu", torch.bfloat16, enabled=dtype is torch.bfloat16):
        found, expected = with_gradients(ours, x), with_gradients(theirs, x)
    assert all(torch.equal(one, other) for one, other in zip(found, expected, strict=True))


def test_less_is_kept_for_the_backward_pass(monkeypatch):
    kept = []
    for keeping in (None, {"cpu"}, set()):
        module = layer()
        if keeping is not None:
            monkeypatch.setattr(fused, "KEEPING", keeping)
            fuse_gates(module)
        sizes = {}
        with torch.autograd.graph.saved_tensors_hooks(
            lambda tensor, sizes=sizes: (sizes.update({tensor.data_ptr(): tensor.numel()}), tensor)[
                1
            ],
            lambda tensor: tensor,
        ):
            module(torch.randn(64, 12, requires_grad=True))
        kept.append(sum(sizes.values()))
    assert kept[0] - kept[1] == 64 * 20  # silu(gate); the product is what the next layer keeps
    # On a GPU that product too. What the hook sees of it is not kept; inputs and weights are.
    assert kept[2] <= 64 * (12 + 2 * 20) + 3 * 12 * 20


@pytest.mark.parametrize("kind", ["gelu", "relu"])
def test_another_activation_stays(kind):
    assert fuse_gates(layer(hidden_act=kind)) == 0


class Scaled(LlamaMLP):
    """What some families do to the gate."""

    def forward(self, x):
        return super().forward(0.5 * x)


def test_a_layer_that_computes_something_else_stays():
    module = Scaled(config())
    assert fuse_gates(module) == 0


def test_a_whole_model_scores_and_learns_the_same(random_llama):
    fused = copy.deepcopy(random_llama)
    assert fuse_gates(fused) == 3
    found = []
    for model in (random_llama, fused, copy.deepcopy(fused)):  # copied, as the reference policy is
        model.zero_grad()
        scores = packed_scores(model, [[5, 9]] * 2, [[4, 6, 8, 1], [11, 1]])
        (scores.logprobs * torch.tensor([[1.0], [-1.0]])).sum().backward()
        found.append(torch.cat([p.grad.flatten() for p in model.parameters()]))
        model.zero_grad()
    assert torch.equal(found[0], found[1])
    assert torch.equal(found[0], found[2])
