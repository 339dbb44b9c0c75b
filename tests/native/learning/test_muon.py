"""Muon beside AdamW: each weight moves as torch's own optimiser of it would move it."""

import copy

import pytest
import torch
from torch import nn

from rewardkit.config import OptimConfig
from rewardkit_native.distributed.sharding import load_optimiser_state, optimiser_state
from rewardkit_native.learning.muon import inner_matrices
from rewardkit_native.learning.update import make_optimiser

OPTIM = OptimConfig(optimizer="muon", lr=1e-2, weight_decay=0.1)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.inner, self.norm, self.head = (
            nn.Embedding(7, 4), nn.Linear(4, 6, bias=False), nn.LayerNorm(6), nn.Linear(6, 7),
        )  # fmt: skip

    def get_input_embeddings(self):
        return self.embed

    def get_output_embeddings(self):
        return self.head


@pytest.fixture
def model():
    torch.manual_seed(0)
    return Model()


def steps(model, optimiser, numbers):
    for number in numbers:
        torch.manual_seed(number)
        for parameter in model.parameters():
            parameter.grad = torch.randn_like(parameter)
        optimiser.step()


def test_matrices_inside_follow_muon_and_all_else_adamw(model):
    ours, muons, adamws = model, copy.deepcopy(model), copy.deepcopy(model)
    assert [p.shape for p in inner_matrices(ours)] == [(6, 4)]
    steps(ours, make_optimiser(ours, OPTIM, OPTIM.lr), range(3))
    inner = [muons.inner.weight]
    muon = torch.optim.Muon(inner, lr=1e-2, weight_decay=0.1, adjust_lr_fn="match_rms_adamw")
    steps(muons, muon, range(3))
    adamw = torch.optim.AdamW(adamws.parameters(), lr=1e-2, betas=OPTIM.betas, weight_decay=0.1)
    steps(adamws, adamw, range(3))
    for name, found in ours.named_parameters():
        other = muons if name == "inner.weight" else adamws
        torch.testing.assert_close(found, other.get_parameter(name), rtol=0, atol=1e-7)


def test_it_goes_on_from_its_saved_state(model):
    whole, parted = model, copy.deepcopy(model)
    steps(whole, make_optimiser(whole, OPTIM, OPTIM.lr), range(4))
    first = make_optimiser(parted, OPTIM, OPTIM.lr)
    steps(parted, first, range(2))
    second = make_optimiser(parted, OPTIM, OPTIM.lr)
    load_optimiser_state(second, optimiser_state(first, keep=True))
    steps(parted, second, range(2, 4))
    for name, found in parted.named_parameters():
        torch.testing.assert_close(found, whole.get_parameter(name), rtol=0, atol=0)
