"""The fused norm is the norm of transformers, in values and gradients, or is not used."""

import copy

import pytest
import torch
from transformers import LlamaForCausalLM
from transformers.models.llama.modeling_llama import LlamaRMSNorm

from rewardkit_native.model.fused import fuse_norms
from rewardkit_native.model.logprobs import packed_scores


def norm(size=24):
    torch.manual_seed(0)
    module = LlamaRMSNorm(size)
    torch.nn.init.normal_(module.weight)
    return module


def with_gradients(module, x):
    x = x.clone().requires_grad_()
    module.zero_grad()
    y = module(x)
    (y.float() * torch.linspace(-1, 1, y.numel()).view(y.shape)).sum().backward()
    return y, x.grad, module.weight.grad.clone()


@pytest.mark.parametrize("shape", [(7, 24), (1, 5, 24), (2, 3, 4, 24)])
def test_values_and_gradients_are_those_of_transformers(shape):
    theirs, ours = norm(), norm()
    assert fuse_norms(ours) == 1
    x = 5 * torch.randn(shape)
    for found, expected in zip(with_gradients(ours, x), with_gradients(theirs, x), strict=True):
        assert (found - expected).norm() < 1e-6 * expected.norm()


def test_under_autocast_the_result_is_cast_once_and_not_computed_in_less():
    theirs, ours = norm(), norm()
    fuse_norms(ours)
    x = 5 * torch.randn(6, 24)
    with torch.autocast("cpu", torch.bfloat16):
        found, expected = with_gradients(ours, x), with_gradients(theirs, x)
    assert found[0].dtype is torch.bfloat16
    assert torch.equal(found[0], expected[0].bfloat16())
    assert found[1].dtype is found[2].dtype is torch.float32


def test_narrow_input_goes_the_way_of_transformers():
    """A norm of heads, whose result is rotated in float32, is not rounded before that."""
    ours = norm()
    fuse_norms(ours)
    x = torch.randn(3, 24).bfloat16()
    assert torch.equal(ours(x), norm()(x))


class OffByOne(LlamaRMSNorm):
    """What Gemma does."""

    def forward(self, x):
        return super().forward(x) + x.float() * torch.rsqrt(x.pow(2).mean(-1, keepdim=True))


def test_a_norm_that_computes_something_else_stays():
    module = OffByOne(24)
    assert fuse_norms(module) == 0


class Unready(LlamaRMSNorm):
    """A norm that needs what only its model gives it."""

    def forward(self, x):
        return super().forward(x) * self.gate


def test_a_norm_that_cannot_be_tried_stays():
    assert fuse_norms(Unready(24)) == 0


def test_a_whole_model_scores_and_learns_the_same(random_llama):
    fused = copy.deepcopy(random_llama)
    assert fuse_norms(fused) == 2 * 3 + 1
    copied = copy.deepcopy(fused)  # as the sampler and the reference policy are
    assert copied.model.norm.forward.__self__ is copied.model.norm
    gradients = []
    for model in (random_llama, fused):
        model.zero_grad()
        scores = packed_scores(model, [[5, 9]] * 2, [[4, 6, 8, 1], [11, 1]])
        (scores.logprobs * torch.tensor([[1.0], [-1.0]])).sum().backward()
        gradients.append(torch.cat([p.grad.flatten() for p in model.parameters()]))
        model.zero_grad()
    assert (gradients[0] - gradients[1]).norm() < 1e-6 * gradients[0].norm()
    assert isinstance(fused, LlamaForCausalLM)
