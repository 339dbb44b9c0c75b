"""Losses and advantages against TRL 1.16.0's GRPOTrainer, float64, to 1e-9."""

from dataclasses import replace

import pytest
import torch

from rewardkit.losses import (
    LossInputs,
    entropy_threshold,
    high_entropy,
    off_policy_mask,
    policy_loss,
    sequence_weights,
)
from rewardkit.recipes import RECIPES
from rewardkit.training_step import Scores, entropy_weight

pytestmark = pytest.mark.conformance

LOSSES = [
    ("grpo", {"aggregation": "seq-mean-token-mean"}),
    ("bnpo", {"aggregation": "bnpo"}),
    ("dapo", {"aggregation": "token-mean"}),
    ("dr_grpo", {"aggregation": "constant", "constant": 20}),
    (
        "sapo",
        {
            "aggregation": "seq-mean-token-mean",
            "surrogate": "sapo",
            # TRL selects its temperatures with torch.where on two Python numbers: in float32
            "surrogate_options": {"tau_negative": float(torch.tensor(1.05))},
        },
    ),
    ("luspo", {"aggregation": "seq-mean-token-sum"}),
]


@pytest.mark.parametrize("micro", [1, 2, 8])
@pytest.mark.parametrize(("theirs", "fields"), LOSSES)
def test_losses_in_any_split(trl, tools, batch, micro, theirs, fields):
    found = tools.ours(batch, micro=micro, **fields)
    tools.assert_same(found, tools.trl_loss(trl, batch, theirs, micro=micro))


BONUS = {"_entropy_bonus_enabled": True, "entropy_coef": 0.05, "use_adaptive_entropy": False}
"""What `_compute_loss` reads of a trainer with an entropy bonus."""


def test_entropy_bonus(trl, tools, batch):
    expected = tools.trl_loss(trl, batch, "dapo", **BONUS)
    tools.assert_same(tools.ours(batch, aggregation="token-mean", entropy_coef=0.05), expected)


def test_entropy_bonus_has_trls_size_at_a_token_mean_alone(trl, tools, batch):
    """TRL's is a mean over tokens whatever the loss; here and in verl it is summed as the loss."""
    bonus = {}
    for coef in (0.0, 0.05):
        options = {**BONUS, "entropy_coef": coef}
        bonus[coef] = (
            tools.trl_loss(trl, batch, "grpo", **options)[0],
            tools.ours(batch, aggregation="seq-mean-token-mean", entropy_coef=coef)[0],
        )
    theirs, ours = (after - before for before, after in zip(bonus[0.0], bonus[0.05], strict=True))
    entropies, lengths = torch.where(batch.mask, -batch.logp, 0).sum(1), batch.mask.sum(1)
    assert theirs.item() == pytest.approx(-0.05 * float(entropies.sum() / lengths.sum()))
    assert ours.item() == pytest.approx(-0.05 * float((entropies / lengths).mean()))


def test_entropy_weight_moves_as_trls_does(trl, tools, batch):
    """TRL applies it by the entropy of the step before; the paper, and we, by the batch's own."""
    stub = tools.trl_stub(trl, "dapo", 1, {**BONUS, "entropy_coef": 0.01})
    stub.use_adaptive_entropy, stub._last_world_entropy = True, float("inf")
    stub._entropy_window_stats = None
    vars(stub.args).update(
        entropy_target=0.9, entropy_coef_delta=0.005, entropy_coef_min=0.0, entropy_coef_max=1.0
    )
    recipe, carried = replace(RECIPES["dapo"], entropy_target=0.9, entropy_coef=0.01), None
    applied = []
    for scale in (0.4, 0.4, 2.0, 2.0, 2.0, 2.0, 2.0, 0.4):
        part = replace(batch, logp=scale * batch.logp)
        found = entropy_weight(recipe, carried, Scores(entropies=-part.logp), part.mask)
        tools.trl_loss(trl, part, "dapo", stub=stub)
        applied.append(found.applied)
        carried = found.following
        assert carried == pytest.approx(stub.entropy_coef, abs=1e-12)
    assert applied == pytest.approx([0.01, 0.015, 0, 0, 0, 0, 0, 0])
    assert carried == pytest.approx(0.005)


@pytest.mark.parametrize("weighted", [False, True])
def test_clip_higher_with_kl(trl, tools, batch, weighted):
    found = tools.ours(
        batch, aggregation="token-mean", clip_high=0.28, kl="k3", kl_coef=0.04, kl_weighted=weighted
    )
    options = {"epsilon_high": 0.28, "beta": 0.04, "use_bias_correction_kl": weighted}
    tools.assert_same(found, tools.trl_loss(trl, batch, "dapo", **options))


@pytest.mark.parametrize(
    ("aggregation", "theirs"), [("seq-mean-token-mean", "grpo"), ("token-mean", "dapo")]
)
def test_gspo_is_trls_sequence_level(trl, tools, batch, aggregation, theirs):
    found = tools.ours(batch, surrogate="gspo", aggregation=aggregation)
    tools.assert_same(
        found, tools.trl_loss(trl, batch, theirs, importance_sampling_level="sequence")
    )


def test_luspo_is_grpo_ss_ratio_with_sums_over_sequences(trl, tools, batch):
    found = tools.ours(
        batch,
        surrogate="mean_ratio",
        surrogate_options={"mean": "geo"},
        aggregation="seq-mean-token-sum",
    )
    expected = tools.trl_loss(trl, batch, "luspo", importance_sampling_level="sequence")
    tools.assert_same(found, expected)


@pytest.mark.parametrize("micro", [1, 2, 8])
def test_vespo(trl, tools, batch, micro):
    found = tools.ours(batch, surrogate="vespo", aggregation="token-mean", micro=micro)
    tools.assert_same(found, tools.trl_loss(trl, batch, "vespo", micro=micro))


@pytest.mark.parametrize("delta", [0.5, 0.9, 1.1, 1.2, 1.5, 3.0])
def test_two_sided_clipping(trl, tools, batch, delta):
    found = tools.ours(batch, surrogate_options={"delta": delta})
    tools.assert_same(found, tools.trl_loss(trl, batch, "grpo", delta=delta))


def test_dual_clip_is_delta_when_delta_is_above_the_clip_range(trl, tools, batch):
    found = tools.ours(batch, surrogate_options={"dual_clip": 3.0})
    tools.assert_same(found, tools.trl_loss(trl, batch, "grpo", delta=3.0))
    below = tools.ours(batch, surrogate_options={"dual_clip": 1.1})
    assert below[0] != tools.trl_loss(trl, batch, "grpo", delta=1.1)[0]


def test_cispo_after_its_epsilon_is_translated(trl, tools, batch):
    """TRL's epsilon_high is the cap itself: 0.28 there scales every token down to 0.28 at most."""
    fields = {"surrogate": "cispo", "clip_low": 1.0, "clip_high": 0.28, "aggregation": "token-mean"}
    found = tools.ours(batch, **fields)
    tools.assert_same(found, tools.trl_loss(trl, batch, "cispo", epsilon_high=1.28))
    literal = tools.trl_loss(trl, batch, "cispo", epsilon_high=0.28)
    assert literal[1].abs().sum() < 0.5 * found[1].abs().sum()


def test_high_entropy_tokens(trl, tools, batch):
    entropies = -batch.logp
    threshold = entropy_threshold(entropies, batch.mask, 0.2)
    recipe = replace(RECIPES["dapo"], high_entropy=0.2, clip_high=0.2)
    weights = sequence_weights("token-mean", batch.mask.sum(-1))

    def loss(logp):
        given = LossInputs(
            logp,
            batch.old,
            batch.advantages,
            batch.mask,
            weights,
            entropies=entropies,
            entropy_threshold=threshold,
        )
        return policy_loss(recipe, given).loss

    expected = tools.trl_loss(trl, batch, "dapo", top_entropy_quantile=0.2)
    # TRL compares in float32
    assert high_entropy(entropies, batch.mask, threshold.float()).sum() >= 1
    tools.assert_same(tools.value_and_gradient(loss, batch), expected)


def test_off_policy_sequence_mask(trl, tools, batch):
    scale = off_policy_mask(batch.logp, batch.sampler, batch.advantages, batch.mask, threshold=0.05)
    weights = sequence_weights("seq-mean-token-mean", batch.mask.sum(-1))
    recipe = replace(RECIPES["grpo"], kl=None, kl_coef=0.0)

    def loss(logp):
        given = LossInputs(
            logp, batch.old, batch.advantages, batch.mask, weights, token_scale=scale
        )
        return policy_loss(recipe, given).loss

    expected = tools.trl_loss(trl, batch, "grpo", off_policy_mask_threshold=0.05)
    tools.assert_same(tools.value_and_gradient(loss, batch), expected)
