"""Losses against verl 0.9.1, values and gradients, float64, to 1e-9."""

from dataclasses import replace

import pytest
import torch

from rewardkit.losses import (
    clip_cov,
    entropy_threshold,
    geometric_mask,
    icepop,
    k3_mask,
    k3_mask_tis,
    kl,
    kl_cov,
    seq_mask_tis,
    sequence_tis,
    sequence_weights,
    tis,
    value_loss,
)

pytestmark = pytest.mark.conformance

AGGREGATIONS = {
    "token-mean": "token-mean",
    "seq-mean-token-sum": "seq-mean-token-sum",
    "seq-mean-token-mean": "seq-mean-token-mean",
    "token-sum": "token-sum",
}

# (our surrogate, verl's, verl's clip range, our fields)
SURROGATES = [
    ("ppo_clip", "vanilla", (0.2, 0.2), {"surrogate_options": {"dual_clip": 3.0}}),
    ("ppo_clip", "vanilla", (0.2, 0.28), {"surrogate_options": {"dual_clip": 3.0}}),
    ("policy_gradient", "gpg", (0.2, 0.2), {}),
    ("cispo", "cispo", (0.2, 0.28), {}),
    ("gspo", "gspo", (3e-4, 4e-4), {}),
    ("gspo", "gspo", (0.2, 0.2), {}),
    ("dppo_tv", "dppo_tv", (0.1, 0.2), {"surrogate_options": {"cap": 3.0}}),
    ("dppo_kl", "dppo_kl", (0.01, 0.05), {"surrogate_options": {"cap": 3.0}}),
]


def exact(aggregation):
    """verl adds 1e-8 to the length that seq-mean-token-mean divides by: about 1e-8 of the loss."""
    return 3e-8 if aggregation == "seq-mean-token-mean" else 1e-9


@pytest.mark.parametrize("aggregation", AGGREGATIONS)
@pytest.mark.parametrize(("ours", "theirs", "clip", "fields"), SURROGATES)
def test_surrogates_in_every_aggregation(
    verl, tools, batch, ours, theirs, clip, fields, aggregation
):
    found = tools.ours(
        batch,
        surrogate=ours,
        clip_low=clip[0],
        clip_high=clip[1],
        aggregation=aggregation,
        **fields,
    )
    expected = tools.verl_loss(verl, batch, theirs, aggregation, *clip)
    tools.assert_same(found, expected, atol=exact(aggregation) * (1 + expected[0].abs().item()))


def test_sapo(verl, tools, batch):
    found = tools.ours(batch, surrogate="sapo", aggregation="seq-mean-token-mean")
    expected = tools.verl_loss(verl, batch, "sapo", "seq-mean-token-mean")
    tools.assert_same(found, expected, atol=exact("seq-mean-token-mean"))


def test_seq_mean_token_mean_to_1e_9_once_verls_1e_8_is_repeated(verl, tools, batch):
    lengths = batch.mask.sum(-1).double()
    found = tools.ours(batch, aggregation="seq-mean-token-sum")
    by_row = replace_weights(tools, batch, 1 / (8 * (lengths + 1e-8)))
    expected = tools.verl_loss(verl, batch, "vanilla", "seq-mean-token-mean", clip_ratio_c=1e9)
    tools.assert_same(by_row, expected)
    assert found[0] != by_row[0]


def replace_weights(tools, batch, weights):
    from rewardkit.losses import ppo_clip

    def loss(logp):
        found = ppo_clip(logp, batch.old, batch.advantages, batch.mask)
        return found.losses.sum(-1) @ weights

    return tools.value_and_gradient(loss, batch)


def test_dr_grpo_with_its_constant_set(verl, tools, batch):
    found = tools.ours(batch, aggregation="constant", constant=20)
    expected = tools.verl_loss(
        verl, batch, "vanilla", "seq-mean-token-sum-norm", loss_scale_factor=20, clip_ratio_c=1e9
    )
    tools.assert_same(found, expected)


@pytest.mark.parametrize("kind", ["k1", "abs", "k2", "k3", "k1+", "abs+", "k3+"])
def test_kl(verl, tools, batch, kind):
    def mine(logp):
        return kl(kind, logp, batch.ref, batch.mask).sum()

    def theirs(logp):
        return (verl.core.kl_penalty(logp, batch.ref, kind) * batch.mask).sum()

    tools.assert_same(
        tools.value_and_gradient(mine, batch), tools.value_and_gradient(theirs, batch)
    )


def test_k3_is_cut_at_10_by_verl_and_not_here(verl):
    far = torch.tensor([[-5.0]], dtype=torch.float64)
    theirs = verl.core.kl_penalty(far, torch.zeros(1, 1).double(), "k3")
    mask = torch.ones(1, 1, dtype=torch.bool)
    ours = kl("k3", far, torch.zeros(1, 1).double(), mask)
    assert theirs.item() == 10
    assert ours.item() == pytest.approx(142.413, abs=1e-3)
    assert kl("k3", far, torch.zeros(1, 1).double(), mask, cap=10.0).item() == 10


def test_value_loss(verl, tools, batch):
    weights = sequence_weights("token-mean", batch.mask.sum(-1))

    def mine(values):
        return value_loss(values, batch.old, batch.ref, batch.mask, weights, clip=0.2)

    def theirs(values):
        args = (values, batch.ref, batch.old, batch.mask.double(), 0.2)
        return verl.core.compute_value_loss(*args)[0]

    tools.assert_same(
        tools.value_and_gradient(mine, batch), tools.value_and_gradient(theirs, batch)
    )


def test_clip_cov_draws_the_same_tokens_from_the_same_seed(verl, tools, batch):
    weights = sequence_weights("token-mean", batch.mask.sum(-1))
    policy = {"clip_cov_ratio": 0.2, "clip_cov_lb": 0.1, "clip_cov_ub": 5.0}
    dropped = []

    def mine(logp):
        torch.manual_seed(5)
        advantages = batch.advantages[:, None] * batch.mask
        found = clip_cov(logp, batch.old, advantages, batch.mask, share=0.2, lower=0.1)
        dropped.append(int((found.losses[batch.mask] == 0).sum()))
        return found.losses.sum(-1) @ weights

    def theirs(logp):
        torch.manual_seed(5)
        return _with_policy(verl, "clip_cov", batch, policy, logp)

    tools.assert_same(
        tools.value_and_gradient(mine, batch), tools.value_and_gradient(theirs, batch)
    )
    assert dropped[0] > 0


def test_kl_cov(verl, tools, batch):
    weights = sequence_weights("token-mean", batch.mask.sum(-1))

    def mine(logp):
        found = kl_cov(logp, batch.old, batch.advantages, batch.mask, share=0.2, coef=0.7)
        return found.losses.sum(-1) @ weights

    def theirs(logp):
        policy = {"kl_cov_ratio": 0.2, "ppo_kl_coef": 0.7}
        return _with_policy(verl, "kl_cov", batch, policy, logp)

    tools.assert_same(
        tools.value_and_gradient(mine, batch), tools.value_and_gradient(theirs, batch)
    )


def test_dro(verl, tools, batch):
    found = tools.ours(
        batch, surrogate="dro", surrogate_options={"beta": 0.3}, aggregation="token-mean"
    )
    expected = tools.value_and_gradient(
        lambda logp: _with_policy(verl, "dro", batch, {"dro_beta": 0.3}, logp), batch
    )
    tools.assert_same(found, expected)


def _with_policy(verl, name, batch, policy, logp):
    from verl.workers.config.actor import PolicyLossConfig

    actor = verl.ActorConfig(
        strategy="fsdp",
        rollout_n=4,
        ppo_micro_batch_size_per_gpu=1,
        policy_loss=PolicyLossConfig(**policy),
    )
    advantages = batch.advantages[:, None] * batch.mask
    function = verl.core.get_policy_loss_fn(name)
    return function(batch.old, logp, advantages, batch.mask.double(), "token-mean", actor)[0]


@pytest.mark.parametrize(
    ("ours", "level", "threshold"),
    [(tis, "token", 1.3), (sequence_tis, "sequence", 1.3), (icepop, "token", "0.8_1.3")],
)
def test_weights_between_sampler_and_trainer(verl, batch, ours, level, threshold):
    from verl.trainer.ppo.rollout_corr_helper import compute_rollout_correction_weights

    expected, _ = compute_rollout_correction_weights(
        batch.old - batch.sampler, batch.mask.double(), level, threshold
    )
    options = {"low": 0.8, "high": 1.3} if ours is icepop else {"cap": 1.3}
    found = ours(batch.old, batch.sampler, batch.mask, **options)
    torch.testing.assert_close(found, expected * batch.mask, rtol=0, atol=1e-9)


@pytest.mark.parametrize(
    ("ours", "theirs", "bounds", "options"),
    [
        (geometric_mask, "seq_mean_k1", "0.9_1.05", {"low": 0.9, "high": 1.05}),
        (geometric_mask, "seq_mean_k1", "0.999_1.001", {}),
        (k3_mask, "seq_mean_k3", 0.04, {"threshold": 0.04}),
        (k3_mask, "seq_mean_k3", 0.01, {}),
    ],
)
def test_sequences_rejected_between_sampler_and_trainer(verl, batch, ours, theirs, bounds, options):
    from verl.trainer.ppo.rollout_corr_helper import compute_rollout_rejection_mask

    expected, _ = compute_rollout_rejection_mask(
        batch.old - batch.sampler, batch.mask.double(), theirs, bounds
    )
    found = ours(batch.old, batch.sampler, batch.mask, **options)
    torch.testing.assert_close(found, expected.double(), rtol=0, atol=0)


@pytest.mark.parametrize(
    ("ours", "rejected", "bounds", "options"),
    [
        (seq_mask_tis, "seq_mean_k1", "0.9_1.05", {"low": 0.9, "high": 1.05}),
        (k3_mask_tis, "seq_mean_k3", 0.04, {"threshold": 0.04}),
    ],
)
def test_pairs_of_corrections(verl, batch, ours, rejected, bounds, options):
    from verl.trainer.ppo.rollout_corr_helper import compute_rollout_correction_and_rejection_mask

    weights, kept, _ = compute_rollout_correction_and_rejection_mask(
        old_log_prob=batch.old,
        rollout_log_prob=batch.sampler,
        response_mask=batch.mask.double(),
        rollout_is="token",
        rollout_is_threshold=1.3,
        rollout_rs=rejected,
        rollout_rs_threshold=bounds,
    )
    expected = weights.batch["rollout_is_weights"] * kept
    found = ours(batch.old, batch.sampler, batch.mask, cap=1.3, **options)
    assert 0 < kept.any(1).sum() < len(kept)
    torch.testing.assert_close(found, expected * batch.mask, rtol=0, atol=1e-9)


# ---- deliberate differences: both numbers, and why ----


def test_dual_clip_is_always_on_in_verl_and_asked_for_here(verl, tools):
    """At ratio 10 with A = −1, PPO's loss is 10 and verl's is 3, whatever the configuration says."""
    batch = _one_token(tools, ratio=10.0, advantage=-1.0)
    theirs, gradient = tools.verl_loss(verl, batch, "vanilla", "token-mean")
    ours, our_gradient = tools.ours(batch, aggregation="token-mean")
    assert (theirs.item(), gradient.item()) == (3.0, 0.0)
    assert ours.item() == pytest.approx(10)
    assert our_gradient.item() == pytest.approx(10)
    asked = tools.ours(batch, aggregation="token-mean", surrogate_options={"dual_clip": 3.0})
    tools.assert_same(asked, (theirs, gradient))


def test_dppos_cap_is_20_in_the_paper_and_3_in_verl(verl, tools):
    batch = _one_token(tools, ratio=10.0, advantage=1.0, old=-7.0)
    theirs, _ = tools.verl_loss(verl, batch, "dppo_tv", "token-mean")
    ours, _ = tools.ours(batch, surrogate="dppo_tv", aggregation="token-mean")
    logp = batch.logp.item()
    assert theirs.item() == pytest.approx(-3 * logp)
    assert ours.item() == pytest.approx(-10 * logp)


def test_gmpo_is_a_mean_of_sequences_here_and_of_micro_batches_in_verl(verl, tools, batch):
    """verl ignores the batch: accumulated over two micro-batches its gradient is twice as long."""
    fields = {"surrogate": "gmpo", "clip_low": 0.4, "clip_high": 0.4}
    whole = tools.ours(batch, **fields)
    expected = tools.verl_loss(verl, batch, "geo_mean", "token-mean", 0.4, 0.4)
    tools.assert_same(whole, expected, atol=3e-8)
    tools.assert_same(whole, tools.ours(batch, micro=4, **fields))
    halves = [
        tools.verl_loss(
            verl, tools.rows(batch, start, start + 4), "geo_mean", "token-mean", 0.4, 0.4
        )
        for start in (0, 4)
    ]
    accumulated = sum(gradient.abs().sum() for _, gradient in halves)
    assert accumulated.item() == pytest.approx(2 * whole[1].abs().sum().item(), rel=1e-6)


def test_dr_grpo_divides_by_the_padded_width_in_verl_unless_told(verl, tools, batch):
    """Micro-batches of one are then GRPO's mean over tokens; the constant here never changes."""
    singles = sum(
        tools.verl_loss(
            verl,
            tools.rows(batch, i, i + 1),
            "vanilla",
            "seq-mean-token-sum-norm",
            clip_ratio_c=1e9,
        )[0]
        for i in range(8)
    )
    grpo = tools.ours(batch, aggregation="seq-mean-token-mean")[0]
    assert singles.item() / 8 == pytest.approx(grpo.item(), rel=1e-6)
    for micro in (1, 2, 8):
        found = tools.ours(batch, micro=micro, aggregation="constant", constant=20)
        tools.assert_same(found, tools.ours(batch, aggregation="constant", constant=20))


def test_an_all_masked_batch_is_nan_in_verl_and_zero_here(verl, tools, batch):
    empty = replace(batch, mask=torch.zeros_like(batch.mask))
    for aggregation in AGGREGATIONS:
        loss, gradient = tools.ours(empty, aggregation=aggregation)
        assert loss == 0
        assert (gradient == 0).all()
    assert tools.verl_loss(verl, empty, "vanilla", "token-mean")[0].isnan()


def test_nan_under_the_mask_poisons_verls_sequence_modes_and_not_ours(verl, tools, batch):
    holes = replace(batch, old=torch.where(batch.mask, batch.old, torch.nan))
    assert tools.verl_loss(verl, holes, "vanilla", "seq-mean-token-mean")[0].isnan()
    clean = tools.ours(batch, aggregation="seq-mean-token-mean")
    tools.assert_same(tools.ours(holes, aggregation="seq-mean-token-mean"), clean)


def _one_token(tools, ratio, advantage, old=-5.0):
    batch = tools.Batch.of(0)
    one = torch.ones(1, 1, dtype=torch.float64)
    return replace(
        batch,
        logp=one * (old + torch.tensor(ratio).double().log()),
        old=one * old,
        ref=one * old,
        sampler=one * old,
        advantages=one[0] * advantage,
        mask=one.bool(),
        groups=torch.zeros(1, dtype=torch.int64),
        rewards=one[0],
    )


def test_entropy_threshold_is_torchs_quantile(batch):
    expected = torch.quantile(batch.old[batch.mask], 0.8)
    assert entropy_threshold(batch.old, batch.mask, 0.2).item() == pytest.approx(expected.item())
