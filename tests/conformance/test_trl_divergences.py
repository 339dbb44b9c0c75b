"""Divergences of whole distributions against TRL 1.16.0 and verl 0.9.1, float64, to 1e-9."""

import importlib
import warnings
from types import SimpleNamespace

import pytest
import torch

from rewardkit.losses import divergence

pytestmark = pytest.mark.conformance

BETAS = {"forward_kl": 0.0, "reverse_kl": 1.0, "jsd": 0.5}


@pytest.fixture(scope="module")
def logits():
    draw = torch.Generator().manual_seed(0)
    return 3 * torch.randn(2, 5, 40, dtype=torch.float64, generator=draw)


def imported(module):
    """Import a module of theirs; warnings of its dependencies are none of ours to mend."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return importlib.import_module(module)


def same(found, value, of):
    """Whether value and gradient are those of `value`, a function of `of`."""
    (gradient,) = torch.autograd.grad(value.sum(), of)
    return [
        (ours - theirs).abs().max() <= 1e-9
        for ours, theirs in ((found.value, value.detach()), (found.gradient, gradient))
    ]


@pytest.mark.parametrize("kind", BETAS)
def test_trls_generalized_jsd(kind, logits):
    policy, teacher = logits[0].clone().requires_grad_(), logits[1]
    theirs = (
        imported("trl.experimental.gkd")
        .GKDTrainer.generalized_jsd_loss(
            policy, teacher, beta=BETAS[kind], temperature=0.7, reduction="none"
        )
        .sum(-1)
    )
    found = divergence(kind, logits[0] / 0.7, teacher / 0.7)
    found = found._replace(gradient=found.gradient / 0.7)
    assert all(same(found, theirs, policy))


@pytest.mark.parametrize("kind", BETAS)
def test_trls_distillation_trainer(kind, logits):
    policy, head = logits[0].clone().requires_grad_(), torch.eye(40, dtype=torch.float64)
    one = torch.ones(1, 5)
    theirs, *_ = imported("trl.trainer.distillation_trainer")._chunked_divergence_loss(
        policy[None], logits[1][None], head, head, one, beta=BETAS[kind], num_items_in_batch=1
    )
    found = divergence(kind, logits[0], logits[1])
    (gradient,) = torch.autograd.grad(theirs, policy)
    assert abs(found.value.sum() - theirs) <= 1e-5  # it sums in float32
    assert (found.gradient - gradient).abs().max() <= 1e-6


@pytest.mark.parametrize("kind", ["reverse_kl", "jsd"])
def test_trls_likeliest_tokens_with_a_tail(kind, logits):
    policy = logits[0].clone().requires_grad_()
    theirs = imported("trl.experimental.sdpo.loss_utils").compute_topk_self_distillation_loss(
        policy, logits[1], distillation_topk=6, distillation_alpha=BETAS[kind],
        distillation_add_tail=True,
    )  # fmt: skip
    assert all(same(divergence(kind, logits[0], logits[1], top=6), theirs, policy))


def test_verls_likeliest_tokens_of_the_teacher(logits, verl):
    policy, log_q = logits[0].clone().requires_grad_(), logits[1].log_softmax(-1)
    likeliest = log_q.topk(6, -1)
    jagged = (
        torch.nested.as_nested_tensor([x], layout=torch.jagged)
        for x in (likeliest.values, likeliest.indices)
    )
    settings = SimpleNamespace(log_prob_min_clamp=None)
    theirs = imported("verl.trainer.distillation.fsdp.losses").compute_forward_kl_topk(
        policy[None], *jagged, SimpleNamespace(distillation_loss=settings), "thd"
    )["distillation_losses"][0]
    found = divergence("forward_kl", logits[0], logits[1], top=6, tail=False)
    (gradient,) = torch.autograd.grad(theirs.sum(), policy)
    assert (found.value - theirs).abs().max() <= 1e-6  # it takes both to float32
    assert (found.gradient - gradient).abs().max() <= 1e-6
