"""What TRL computes in the middle of its long methods: its own lines are run here, cut out."""

import inspect
import re
import sys
import textwrap
import warnings
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from rewardkit.advantages import AdvantageInputs, estimate, gdpo, grpo
from rewardkit.losses import icepop, kl_reward, mis, sequence_mask, sequence_tis, tis

pytestmark = pytest.mark.conformance


def run_lines(trainer, first, last, **names):
    """Run the lines of `_generate_and_score_completions` from `first` to before `last`."""
    lines = inspect.getsource(trainer._generate_and_score_completions).splitlines()
    start = next(i for i, line in enumerate(lines) if line.strip().startswith(first))
    stop = next(i for i, line in enumerate(lines) if i > start and line.strip().startswith(last))
    space = {**vars(sys.modules[trainer.__module__]), **names}
    exec(textwrap.dedent("\n".join(lines[start:stop])), space)
    return space


def trl_advantages(trl, rewards, **settings):
    stub = SimpleNamespace(
        multi_objective_aggregation="sum_then_normalize",
        scale_rewards="group",
        reward_weights=torch.ones(rewards.shape[1]).double(),
        reward_funcs=[None] * rewards.shape[1],
    )
    vars(stub).update(settings)
    found = run_lines(
        trl,
        "if self.multi_objective_aggregation",
        "# Slice to keep only the local part",
        self=stub,
        rewards_per_func=rewards,
        device="cpu",
        num_generations=4,
        unscorable_mask=torch.zeros(len(rewards), dtype=torch.bool),
    )
    return found["advantages"]


@pytest.mark.parametrize(("scale", "atol"), [("group", 1e-7), ("batch", 1e-7), ("none", 1e-9)])
def test_advantages(trl, batch, scale, atol):
    """TRL's deviation corrects by n/(n − 1) in float32."""
    expected = trl_advantages(trl, batch.rewards[:, None], scale_rewards=scale)
    found = grpo(batch.rewards, batch.groups, scale=scale, compat="trl")
    torch.testing.assert_close(found, expected, rtol=0, atol=atol)


def test_several_rewards_normalised_then_summed(trl, batch):
    """Its ε of 1e-4 stands in the last deviation as well, where ours is 1e-8 under a root."""
    components = torch.stack([batch.rewards, batch.rewards.flip(0).square()], 1)
    expected = trl_advantages(
        trl,
        components,
        multi_objective_aggregation="normalize_then_sum",
        reward_weights=torch.tensor([1.0, 0.5]).double(),
    )
    found = gdpo(components, batch.groups, weights=(1.0, 0.5), eps=1e-4)
    last = expected.std() / found.std()
    torch.testing.assert_close(found * last, expected, rtol=0, atol=1e-6)
    assert float(last) == pytest.approx(1, abs=3e-4)


MODES = {
    "token_truncate": (tis, {"cap": 1.3}, None),
    "token_mask": (mis, {"cap": 1.3}, None),
    "token_mask, both bounds": (icepop, {"low": 0.8, "high": 1.3}, 0.8),
    "sequence_truncate": (sequence_tis, {"cap": 1.3}, None),
    "sequence_mask": (sequence_mask, {"cap": 1.3}, None),
}


@pytest.mark.parametrize("name", MODES)
def test_weights_between_sampler_and_trainer(trl, batch, name):
    ours, options, least = MODES[name]
    stub = SimpleNamespace(
        vllm_importance_sampling_mode=name.split(",")[0],
        vllm_importance_sampling_clip_min=least,
        vllm_importance_sampling_clip_max=1.3,
    )
    found = run_lines(
        trl,
        "mask = completion_mask if tool_mask",
        "# Compute the per-token log probabilities for the reference",
        self=stub,
        completion_mask=batch.mask.double(),
        tool_mask=None,
        old_per_token_logps=batch.old,
        sampling_per_token_logps=batch.sampler,
    )
    theirs = found["vllm_importance_sampling_ratio"] * batch.mask
    torch.testing.assert_close(
        ours(batch.old, batch.sampler, batch.mask, **options), theirs, rtol=0, atol=1e-9
    )


@pytest.fixture(scope="module")
def rloo_trainer():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip("trl").RLOOTrainer


@pytest.mark.parametrize("beta", [0.0, 0.05])
def test_rloo(rloo_trainer, batch, beta):
    found = run_lines(
        rloo_trainer,
        "# Include the KL penalty in the reward",
        "# Normalize advantages over the scorable",
        self=SimpleNamespace(beta=beta),
        rewards=batch.rewards,
        old_per_token_logps=batch.old,
        ref_per_token_logps=batch.ref,
        completion_mask=batch.mask.double(),
        gather=lambda x: x,
        num_generations=4,
    )
    inputs = AdvantageInputs(
        rewards=batch.rewards,
        groups=batch.groups,
        mask=batch.mask,
        token_rewards=kl_reward("k1", batch.old, batch.ref, batch.mask, beta),
    )
    torch.testing.assert_close(estimate("rloo", inputs), found["advantages"], rtol=0, atol=1e-9)


def test_rloos_gradient_while_the_policy_is_the_one_that_sampled(rloo_trainer, trl, tools, batch):
    """TRL's loss clips the ratio of the whole response, which is 1 then; ours is −A log π."""
    from dataclasses import replace

    batch = replace(batch, old=batch.logp)
    stub = tools.trl_stub(trl, "", 1, {})
    leaf = batch.logp.clone().requires_grad_()
    stub._get_per_token_logps_and_entropies = lambda *a, **k: (leaf, -leaf.detach(), None)
    token = torch.zeros(batch.mask.shape, dtype=torch.int64)
    loss = rloo_trainer._compute_loss(
        stub,
        None,
        {
            "prompt_ids": token[:, :1], "prompt_mask": token[:, :1], "completion_ids": token,
            "completion_mask": batch.mask.double(), "advantages": batch.advantages,
            "old_logps": (batch.old * batch.mask).sum(1),
        },
    )  # fmt: skip
    loss.backward()
    fields = {"surrogate": "policy_gradient", "aggregation": "seq-mean-token-sum"}
    ours = tools.ours(batch, **fields)[1]
    torch.testing.assert_close(ours, leaf.grad, rtol=0, atol=1e-9)


@pytest.mark.parametrize("micro", [2, 8])
@pytest.mark.parametrize("beta", [0.0, 0.04])
def test_gmpo(tools, batch, micro, beta):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it calls itself experimental
        gmpo = pytest.importorskip("trl.experimental.gmpo").GMPOTrainer
    bounds = {"epsilon_low": 0.4, "epsilon_high": 0.4, "beta": beta}
    expected = tools.trl_loss(gmpo, batch, "", micro=micro, **bounds)
    fields = {"kl": "k3", "kl_coef": beta} if beta else {}
    found = tools.ours(
        batch, micro=micro, surrogate="gmpo", clip_low=0.4, clip_high=0.4,
        aggregation="seq-mean-token-mean", **fields,
    )  # fmt: skip
    tools.assert_same(found, expected)


def test_every_loss_and_every_correction_of_trl_is_compared_with(trl):
    losses = inspect.getsource(trl._compute_loss)
    known = set(re.findall(r'"(\w+)"', " ".join(re.findall(r"loss_type (?:==|in) .*", losses))))
    whole = inspect.getsource(trl._generate_and_score_completions)
    modes = re.findall(r"vllm_importance_sampling_mode in \[(.*)\]", whole)
    known |= set(re.findall(r'"(\w+)"', " ".join(modes)))
    assert len(known) == 12
    folder = Path(__file__).parent
    tested = "".join(path.read_text("utf-8") for path in folder.glob("test_trl*.py"))
    assert {name for name in known if f'"{name}"' not in tested} == set()
