"""The whole loss: what must not change it, whatever recipe is run."""

from dataclasses import replace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from rewardkit.errors import ConfigError, DataError, UnknownNameError
from rewardkit.losses import (
    LossInputs,
    entropy_threshold,
    policy_loss,
    sequence_weights,
)
from rewardkit.recipes import GRPO, RECIPES, REINFORCE_PP

BOUNDED = settings(deadline=None, max_examples=10)

# Whole recipes, and the parts that no recipe has by default.
VARIANTS = {
    **RECIPES,
    "dr_grpo": replace(RECIPES["dr_grpo"], constant=11),
    "prompt-mean": replace(GRPO, aggregation="prompt-mean", kl="k1+"),
    "tis": replace(GRPO, correction="tis", aggregation="token-mean"),
    "sequence_mask": replace(GRPO, correction="sequence_mask", kl_weighted=True),
    "high_entropy": replace(GRPO, high_entropy=0.3),
    "bonus": replace(GRPO, entropy_coef=0.1, nll_coef=0.2),
    "sapo": replace(GRPO, surrogate="sapo"),
    "gmpo": replace(GRPO, surrogate="gmpo"),
    "dppo_tv": replace(GRPO, surrogate="dppo_tv", kl="abs"),
    "dppo_kl": replace(GRPO, surrogate="dppo_kl", kl="k2"),
    "icepop": replace(RECIPES["vespo"], correction="icepop"),
    "geometric_mask": replace(RECIPES["gspo"], correction="geometric_mask"),
    "mis": replace(RECIPES["cispo"], correction="mis"),
    "dro": replace(GRPO, surrogate="dro", surrogate_options={"beta": 0.3}, correction="k3_mask"),
    "bypass": replace(RECIPES["rloo"], bypass=True, correction="sequence_tis"),
    "dual_clip": replace(GRPO, surrogate_options={"dual_clip": 3.0}, kl="k1"),
}


def run(recipe, batch, order=None, pieces=1, pad=0, junk=None):
    """Loss, gradient in the original order, and metrics, from a batch cut and padded as asked."""
    size = len(batch["groups"])
    order = torch.arange(size) if order is None else order
    lengths = batch["mask"].sum(-1)
    weights = sequence_weights(
        recipe.aggregation, lengths[order], batch["groups"][order], constant=recipe.constant
    )
    threshold = entropy_threshold(batch["entropies"], batch["mask"], recipe.high_entropy or 1.0)
    leaf = batch["logp"].clone().requires_grad_()

    def wide(name, rows):
        x = (leaf if name == "logp" else batch[name])[rows]
        fill = False if name == "mask" else 0.0
        x = torch.nn.functional.pad(x, (0, pad), value=fill)
        if junk is not None and name != "mask":
            x = torch.where(wide("mask", rows), x, junk)
        return x

    total = torch.zeros((), dtype=torch.float64)
    metrics = {}
    for part in torch.arange(size).tensor_split(pieces):
        rows = order[part]
        inputs = LossInputs(
            wide("logp", rows),
            wide("old_logp", rows),
            batch["advantages"][rows],
            wide("mask", rows),
            weights[part],
            ref_logp=wide("ref_logp", rows),
            divergence=wide("entropies", rows),
            sampler_logp=wide("sampler_logp", rows),
            entropies=wide("entropies", rows),
            entropy_threshold=threshold,
            nll_weights=weights[part] / 2,
        )
        found = policy_loss(recipe, inputs)
        found.loss.backward()
        total = total + found.loss.detach()
        for name, value in found.metrics.items():
            join = torch.maximum if name.startswith("max_") else torch.add
            metrics[name] = join(metrics[name], value) if name in metrics else value
    return total, leaf.grad, metrics


def differing(left, right):
    """Which of loss, gradient and metrics differ by more than rounding, with both values."""
    named = [{"loss": run[0], "gradient": run[1], **run[2]} for run in (left, right)]
    assert named[0].keys() == named[1].keys()
    pairs = {name: tuple(one[name] for one in named) for name in named[0]}
    close = {name: 1e-12 if name in ("loss", "gradient") else 1e-10 for name in pairs}
    return {n: p for n, p in pairs.items() if not torch.allclose(*p, rtol=1e-10, atol=close[n])}


@pytest.mark.parametrize("name", sorted(VARIANTS))
@given(seed=st.integers(0, 999), pieces=st.integers(1, 6), pad=st.integers(0, 5))
@BOUNDED
def test_no_split_no_padding_and_no_order_changes_anything(name, seed, pieces, pad, make_batch):
    batch = make_batch(seed, least=0)
    order = torch.randperm(6, generator=torch.Generator().manual_seed(seed))
    whole = run(VARIANTS[name], batch)
    assert not differing(run(VARIANTS[name], batch, order, pieces, pad), whole)


@pytest.mark.parametrize("name", sorted(VARIANTS))
@pytest.mark.parametrize("junk", [float("nan"), float("inf"), float("-inf"), 1e30])
def test_what_lies_under_the_mask_never_leaks(name, junk, make_batch):
    batch = make_batch(3, least=0)
    clean = run(VARIANTS[name], batch, pad=2)
    assert not differing(run(VARIANTS[name], batch, pad=2, junk=junk), clean)


@pytest.mark.parametrize("name", sorted(VARIANTS))
def test_nan_in_token_advantages_under_the_mask_never_leaks(name, make_batch):
    batch = make_batch(4, least=0)
    spread = batch["advantages"][:, None] + batch["ref_logp"]
    clean = run(VARIANTS[name], {**batch, "advantages": torch.where(batch["mask"], spread, 0)})
    holes = torch.where(batch["mask"], spread, torch.nan)
    assert not differing(run(VARIANTS[name], {**batch, "advantages": holes}), clean)


@pytest.mark.parametrize("name", sorted(VARIANTS))
@pytest.mark.parametrize("junk", [None, float("nan")])
def test_an_all_masked_batch_gives_zero_and_stays_on_the_graph(name, junk, make_batch):
    batch = make_batch(5)
    batch["mask"] = torch.zeros_like(batch["mask"])
    loss, gradient, metrics = run(VARIANTS[name], batch, junk=junk)
    assert loss == 0
    assert (gradient == 0).all()
    assert metrics["tokens"] == 0


@pytest.mark.parametrize("name", sorted(VARIANTS))
def test_float32_and_bfloat16_stay_close_to_float64(name, make_batch):
    batch = make_batch(6, spread=0.2)
    exact = run(VARIANTS[name], batch)
    for dtype, rtol in ((torch.float32, 1e-4), (torch.bfloat16, 0.1)):
        narrow = {
            k: v.to(dtype) if v.is_floating_point() and k != "advantages" else v
            for k, v in batch.items()
        }
        loss, gradient, _ = run(VARIANTS[name], narrow)
        if dtype is torch.float32:
            assert loss.item() == pytest.approx(exact[0].item(), rel=rtol, abs=1e-4)
        assert gradient.isfinite().all()


def test_metrics_are_sums_over_tokens(make_batch):
    batch = make_batch(7)
    _, _, metrics = run(replace(RECIPES["grpo"], clip_high=0.28), batch)
    mask = batch["mask"]
    d = torch.where(mask, batch["logp"] - batch["old_logp"], 0)
    a = batch["advantages"][:, None]
    assert metrics["tokens"] == mask.sum()
    assert metrics["clipped_high"] == ((d.exp() > 1.28) & (a >= 0) & mask).sum()
    assert metrics["clipped_low"] == ((d.exp() < 0.8) & (a < 0) & mask).sum()
    assert metrics["ratio"] == pytest.approx(d.exp()[mask].sum().item())
    assert metrics["abs_log_ratio"] == pytest.approx(d.abs().sum().item())
    assert metrics["max_abs_log_ratio"] == pytest.approx(d.abs().max().item())
    assert metrics["kl_old"] == pytest.approx((d.exp() - 1 - d).sum().item())
    assert not any(value.requires_grad for value in metrics.values())


def test_kl_goes_into_the_loss_only_where_the_recipe_says(make_batch):
    batch = make_batch(8)
    plain = run(replace(GRPO, kl_coef=0.0), batch)
    assert run(GRPO, batch)[0] != plain[0]
    in_reward = run(REINFORCE_PP, batch)
    assert "kl" not in in_reward[2]
    assert not differing(in_reward, run(replace(REINFORCE_PP, kl=None, kl_coef=0.0), batch))


def test_what_is_missing_is_named(make_batch):
    batch = make_batch(9)
    given = (batch["logp"], batch["old_logp"], batch["advantages"], batch["mask"])
    inputs = LossInputs(*given, sequence_weights("token-sum", batch["mask"].sum(-1)))
    for recipe, message in [
        (GRPO, "ref_logp"),
        (replace(GRPO, kl=None, correction="tis"), "sampler_logp"),
        (replace(GRPO, kl=None, high_entropy=0.2), "entropy_threshold"),
        (replace(GRPO, kl=None, entropy_coef=0.2), "entropies"),
        (replace(GRPO, kl=None, nll_coef=0.2), "nll_weights"),
        (replace(GRPO, surrogate_options={"dual_clipp": 3.0}), "dual_clip"),
    ]:
        with pytest.raises(ConfigError, match=message):
            policy_loss(recipe, inputs)
    for recipe in (
        replace(GRPO, surrogate="ppo"),
        replace(GRPO, kl="k4"),
        replace(GRPO, correction="tiss"),
    ):
        full = replace(inputs, ref_logp=batch["ref_logp"], sampler_logp=batch["sampler_logp"])
        with pytest.raises(UnknownNameError):
            policy_loss(recipe, full)


@pytest.mark.parametrize("name", sorted(VARIANTS))
def test_no_tensor_is_made_on_another_device(name, make_batch):
    """On the meta device an operation with a tensor of the CPU fails, as it would on a GPU."""
    batch = {k: v.to("meta") for k, v in make_batch(0).items() if k != "groups"}
    logp = batch.pop("logp").requires_grad_()
    b = len(logp)
    inputs = LossInputs(
        logp=logp,
        weights=torch.ones(b, device="meta"),
        entropy_threshold=torch.ones((), device="meta"),
        nll_weights=torch.ones(b, device="meta"),
        divergence=batch["entropies"],
        **batch,
    )
    policy_loss(VARIANTS[name], inputs).loss.backward()
    assert logp.grad.shape == logp.shape


@pytest.mark.parametrize("by_token", [False, True])
def test_an_advantage_that_is_no_number_is_refused_where_it_counts(by_token):
    mask = torch.tensor([[True, False], [True, True], [False, False]])
    logp = torch.full((3, 2), -1.0, requires_grad=True)
    advantages = torch.tensor([[1.0, torch.nan], [0.5, 0.5], [torch.nan, torch.inf]])
    advantages = advantages if by_token else advantages[:, 0]
    inputs = LossInputs(logp, logp.detach(), advantages, mask, torch.ones(3))
    assert policy_loss(RECIPES["dapo"], inputs).loss.isfinite()
    advantages[1] = torch.nan
    with pytest.raises(DataError, match="advantages: row 1 has nan"):
        policy_loss(RECIPES["dapo"], inputs)
