"""The gradient of a divergence from a teacher, through a model, is that of all logits at once."""

import copy
import dataclasses

import pytest
import torch

from rewardkit.config import OptimConfig
from rewardkit.losses import DIVERGENCES
from rewardkit.recipes import GKD
from rewardkit.training_step import MetricSums, plan_step
from rewardkit.types import Finish, Group, Outcome, Problem, Reward, Rollout, Verdict
from rewardkit_native.learning.batch import make_batch
from rewardkit_native.learning.passes import Scorer
from rewardkit_native.learning.teachers import Teachers
from rewardkit_native.learning.update import Updater

PROMPTS = [[5, 9, 3, 7], [8, 2]]
RESPONSES = [[[4, 6, 8, 1], [11, 1], [9, 9, 9, 3, 1]], [[7, 1], [30, 31, 1]]]
GROUPS = [
    Group(
        Problem("p", "?", "1", source),
        tuple(Rollout("", tuple(tokens), (-1.0,) * len(tokens), Finish.STOP) for tokens in each),
        (Verdict(Outcome.CORRECT),) * len(each),
        (Reward(1.0, {}),) * len(each),
    )
    for source, each in zip(("sums", "products"), RESPONSES, strict=True)
]


@pytest.fixture(scope="module")
def teacher(random_llama):
    found = copy.deepcopy(random_llama)
    for parameter in found.parameters():
        parameter.data.mul_(0.7)
    return found


def gradient(model):
    return torch.cat([p.grad.flatten() for p in model.parameters()])


def logits_of(model, batch):
    """The logits that predict each response's tokens, one after the other."""
    for prompt, response in zip(batch.prompts, batch.responses, strict=True):
        ids = torch.tensor([[*prompt, *response]])
        yield model(input_ids=ids).logits[0, len(prompt) - 1 : -1]


def by_autograd(kind, model, teachers, batch):
    """The mean over tokens of a divergence, as its definition says it."""
    total = 0.0
    said = {name: list(logits_of(teacher, batch)) for name, teacher in teachers.items()}
    for row, own in enumerate(logits_of(model, batch)):
        other = said[batch.sources[row]][row]
        log_p, log_q = own.log_softmax(-1), other.detach().log_softmax(-1)
        p, q = log_p.exp(), log_q.exp()
        log_m = ((p + q) / 2).log()
        each = {
            "reverse_kl": p * (log_p - log_q),
            "forward_kl": q * (log_q - log_p),
            "jsd": (p * (log_p - log_m) + q * (log_q - log_m)) / 2,
        }[kind]
        total = total + each.sum()
    return total / batch.response.sum()


@pytest.mark.parametrize("layout", ["padded", "packed"])
@pytest.mark.parametrize("kind", DIVERGENCES)
@pytest.mark.parametrize("several", [False, True])
def test_gradient(random_llama, teacher, kind, layout, several):
    by_task = {"sums": teacher, "products": random_llama if several else teacher}
    model = copy.deepcopy(random_llama)
    optim = OptimConfig(layout=layout, tokens_per_micro_batch=16, tokens_per_head_block=5)
    updater = Updater(
        model=model, reference=None if several else teacher,
        teachers=Teachers({one: one for one in by_task}, by_task.get) if several else None,
        optimiser=torch.optim.SGD(model.parameters()),
        recipe=dataclasses.replace(GKD, kl=kind, kl_options={}), grad_clip=1e9,
        scorer=Scorer(optim, "float32", 1.0),
    )  # fmt: skip
    batch = make_batch(GROUPS, PROMPTS)
    plan = plan_step(updater.recipe, batch, updater.score(batch), [torch.arange(len(batch))])
    assert plan.signal == len(GROUPS)
    sums = MetricSums()
    updater.accumulate(batch, plan, plan.updates[0], sums)
    found = gradient(model)
    model.zero_grad()
    loss = by_autograd(kind, model, by_task, batch)
    loss.backward()
    assert sums.means()["kl"] == pytest.approx(loss.item(), rel=1e-5)
    assert (found - gradient(model)).norm() <= 1e-6 * found.norm()
