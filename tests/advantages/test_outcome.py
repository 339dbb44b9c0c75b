"""Outcome estimators: numbers worked by hand, invariances, and groups without signal."""

import inspect
import math
from dataclasses import replace
from itertools import combinations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from rewardkit.advantages import (
    ESTIMATORS,
    AdvantageInputs,
    dr_grpo,
    estimate,
    gdpo,
    gpg,
    grpo,
    maxrl,
    opo,
    pass_at_k,
    pass_at_k_training,
    rloo,
)
from rewardkit.errors import ConfigError, DataError, UnknownNameError

BOUNDED = settings(deadline=None, max_examples=40)


def rewards(*values):
    return torch.tensor(values, dtype=torch.float64)


def one_group(x):
    return torch.zeros(len(x), dtype=torch.int64)


@pytest.mark.parametrize(
    ("estimator", "options", "given", "expected"),
    [
        (grpo, {}, (3.8, 5.2, 6.1), (-1.06, 0.14, 0.92)),
        (grpo, {"ddof": 0}, (3.8, 5.2, 6.1), (-1.30, 0.18, 1.13)),
        (grpo, {"scale": "none"}, (1, 0, 0, 0), (0.75, -0.25, -0.25, -0.25)),
        (grpo, {}, (1, 0, 0, 0, 0, 0, 0, 0), (2.475, *[-0.354] * 7)),
        (grpo, {"compat": "nemo"}, (1, 0, 0, 0, 0, 0, 0, 0), (1.0, *[-0.378] * 7)),
        (grpo, {"compat": "open-instruct"}, (1, 0), (1.0, -1.0)),
        (grpo, {}, (1, 0), (0.71, -0.71)),
        (dr_grpo, {}, (1, 0, 0, 0), (0.75, -0.25, -0.25, -0.25)),
        (rloo, {}, (1, 0, 0, 0), (1.0, -1 / 3, -1 / 3, -1 / 3)),
        (maxrl, {}, (1, 0, 0, 0), (3.0, -1.0, -1.0, -1.0)),
        (maxrl, {}, (-1, -2), (0.0, 0.0)),
        (gpg, {"f_norm": 0.5}, (1, 0), (1.0, -1.0)),
        (pass_at_k, {}, (3, 1, 2), (1.0, 0, 0)),
        (pass_at_k, {}, (3, 3, 2), (0, 0, 0)),
        (pass_at_k, {"scale": "none"}, (0.5, 3, 2.5), (0, 0.5, 0)),
    ],
)
def test_by_hand(estimator, options, given, expected):
    r = rewards(*given)
    assert estimator(r, one_group(r), **options).tolist() == pytest.approx(expected, abs=6e-3)


def test_batch_scale_divides_every_group_by_one_deviation():
    r, g = rewards(1, 0, 3, 1), torch.tensor([0, 0, 1, 1])
    sigma = r.std().item() + 1e-6
    assert grpo(r, g, scale="batch").tolist() == pytest.approx(
        [0.5 / sigma, -0.5 / sigma, 1 / sigma, -1 / sigma]
    )


def test_opo_weighs_its_baseline_by_length():
    mask = torch.arange(4) < torch.tensor([[1], [3]])
    found = opo(rewards(1, 0), torch.tensor([0, 0]), mask)
    assert found.tolist() == pytest.approx([0.75, -0.25])


def test_gdpo_keeps_two_rewards_apart():
    """Summed first, (1, 0) and (0, 1) would be equal; normalised first, the rarer weighs more."""
    components = torch.tensor([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0], [0.0, 1.0]])
    g = torch.zeros(4, dtype=torch.int64)
    assert (grpo(components.sum(1), g) == 0).all()
    assert gdpo(components, g).abs().max() < 1e-6  # the two cancel exactly: 1.5 − 1.5
    found = gdpo(components, g, weights=(2.0, 1.0))
    assert found.tolist() == pytest.approx([1.5, -0.5, -0.5, -0.5], abs=1e-5)
    with pytest.raises(ConfigError, match="2 weights, found 1"):
        gdpo(components, g, weights=(1.0,))


@pytest.mark.parametrize(
    ("n", "right", "k"), [(4, 1, 2), (8, 3, 4), (8, 4, 4), (6, 2, 1), (5, 4, 1)]
)
def test_pass_at_k_training_is_the_mean_over_all_subsets(n, right, k):
    """Against brute force: normalise the best-of-subset over all subsets, average per sample."""
    correct = torch.arange(n) < right
    subsets = list(combinations(range(n), k))
    best = torch.tensor([float(correct[list(s)].any()) for s in subsets], dtype=torch.float64)
    mean, sigma = best.mean(), best.std(correction=0)
    expected = [
        torch.stack(
            [(b - mean) / sigma for s, b in zip(subsets, best, strict=True) if i in s]
        ).mean()
        for i in range(n)
    ]
    found = pass_at_k_training(correct, torch.zeros(n, dtype=torch.int64), k=k)
    assert found.tolist() == pytest.approx([e.item() for e in expected])


def test_pass_at_k_training_is_zero_when_every_subset_succeeds_or_fails():
    g = torch.tensor([0, 0, 0, 1, 1, 1])
    correct = torch.tensor([True, True, False, False, False, False])
    assert (pass_at_k_training(correct, g, k=2) == 0).all()
    for k in (0, 4):
        with pytest.raises(ConfigError, match=r"k must be in 1\.\.3"):
            pass_at_k_training(correct, g, k=k)


OUTCOME = {
    "grpo": {},
    "dr_grpo": {},
    "rloo": {},
    "opo": {},
    "gpg": {},
    "maxrl": {},
    "pass_at_k": {},
    "pass_at_k_training": {"k": 1},
    "gdpo": {},
    "gtpo": {},
    "grpo_s": {},
    "reinforce_pp_baseline": {},
}


def with_teacher(name, batch):
    """Rewards of tokens are summed into those of sequences, but where an estimator asks for them."""
    return replace(batch, token_rewards=-batch.entropies) if name == "distillation" else batch


def inputs(r, g, seed=0):
    draw = torch.Generator().manual_seed(seed)
    b = len(r)
    lengths = torch.randint(1, 6, (b,), generator=draw)
    return AdvantageInputs(
        rewards=r,
        groups=g,
        mask=torch.arange(5) < lengths[:, None],
        correct=r > 0.5,
        entropies=torch.rand(b, 5, generator=draw, dtype=torch.float64),
        values=torch.rand(b, 5, generator=draw, dtype=torch.float64),
        greedy_rewards=torch.rand(b, generator=draw, dtype=torch.float64),
        components=r[:, None],
        old_logp=-torch.rand(b, 5, generator=draw, dtype=torch.float64),
        sum_pi_squared=torch.rand(b, 5, generator=draw, dtype=torch.float64),
        step_rewards=r[:, None].expand(b, 5),
        step_ends=torch.arange(5) == lengths[:, None] - 1,
    )


@pytest.mark.parametrize("name", sorted(OUTCOME))
@pytest.mark.parametrize("value", [0.0, 0.1, 0.7, 0.9, 1.1, -3.3])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("size", [1, 2, 6, 8, 16])
def test_a_group_of_equal_rewards_gets_exactly_zero(name, value, dtype, size):
    r = torch.full((size,), value, dtype=dtype)
    found = estimate(name, inputs(r, one_group(r)), **OUTCOME[name])
    assert (found == 0).all()


def test_rewards_that_differ_by_float_noise_carry_no_signal():
    r = rewards(0.1 + 0.2, 0.3, 0.3, 0.1 + 0.2)
    assert r[0] != r[1]
    assert (grpo(r, one_group(r)) == 0).all()


def test_equal_float32_rewards_elsewhere():
    """What others make of eight rewards of 0.9: the noise of float32, divided by their ε."""
    r = torch.full((8,), 0.9)
    largest = {
        name: grpo(r, one_group(r), compat=name).abs().max().item()
        for name in ("verl", "trl", "openrlhf")
    }
    assert largest["verl"] < 0.1
    assert largest["trl"] < 1e-3
    assert 0 <= largest["openrlhf"] < 1.5


values = st.lists(st.sampled_from([0.0, 0.25, 1.0, 2.0]), min_size=2, max_size=12)


@given(values, st.integers(0, 99))
@BOUNDED
def test_permuting_samples_permutes_advantages(given_rewards, seed):
    r = torch.tensor(given_rewards, dtype=torch.float64)
    g = torch.arange(len(r)) % 3
    order = torch.randperm(len(r), generator=torch.Generator().manual_seed(seed))
    batch = inputs(r, g)
    shuffled = AdvantageInputs(**{k: v if v is None else v[order] for k, v in vars(batch).items()})
    for name in ESTIMATORS:
        options = {"k": 1} if name == "pass_at_k_training" else {}
        found, moved = (
            estimate(name, with_teacher(name, each), **options) for each in (batch, shuffled)
        )
        torch.testing.assert_close(moved, found[order], rtol=1e-9, atol=1e-9)


@given(values, st.floats(-5, 5), st.floats(0.5, 20))
@BOUNDED
def test_shift_changes_nothing_and_scale_only_what_has_a_scale(given_rewards, shift, scale):
    r = torch.tensor(given_rewards, dtype=torch.float64)
    g = torch.arange(len(r)) % 2
    for estimator in (grpo, dr_grpo, rloo, gpg):
        torch.testing.assert_close(estimator(r + shift, g), estimator(r, g), rtol=1e-7, atol=1e-7)
    torch.testing.assert_close(grpo(scale * r, g), grpo(r, g), rtol=1e-4, atol=1e-4)  # ε
    torch.testing.assert_close(maxrl(scale * r, g), maxrl(r, g))
    for estimator in (dr_grpo, rloo, gpg):
        torch.testing.assert_close(estimator(scale * r, g), scale * estimator(r, g))


@given(values)
@BOUNDED
def test_group_ids_are_only_names(given_rewards):
    r = torch.tensor(given_rewards, dtype=torch.float64)
    g = torch.arange(len(r)) % 3
    renamed = torch.tensor([2**40, -7, 13])[g]
    assert torch.equal(grpo(r, g), grpo(r, renamed))


@given(values)
@BOUNDED
def test_advantages_of_a_group_sum_to_zero(given_rewards):
    r = torch.tensor(given_rewards, dtype=torch.float64)
    for estimator in (grpo, dr_grpo, rloo, gpg, maxrl):
        assert abs(estimator(r, one_group(r)).sum().item()) < 1e-6


def test_each_framework_by_its_formula():
    r, g = rewards(1.0, 0.0, 0.25, 2.0), torch.zeros(4, dtype=torch.int64)
    centred = r - r.mean()
    for compat, ddof, eps in [
        ("verl", 1, 1e-6),
        ("trl", 1, 1e-4),
        ("openrlhf", 1, 1e-9),
        ("open-instruct", 0, 1e-8),
    ]:
        expected = centred / (r.std(correction=ddof) + eps)
        torch.testing.assert_close(grpo(r, g, compat=compat), expected, rtol=0, atol=1e-12)
    others = [torch.cat([r[:i], r[i + 1 :]]) for i in range(4)]
    nemo = [(x - o.mean()) / (o.std() + 1e-6) for x, o in zip(r, others, strict=True)]
    torch.testing.assert_close(grpo(r, g, compat="nemo"), torch.stack(nemo), rtol=0, atol=1e-9)
    with pytest.raises(UnknownNameError, match="open-instruct"):
        grpo(r, g, compat="openinstruct")


def test_truncated_samples_can_be_kept_out_of_the_statistics():
    r, g = rewards(1.0, 0.0, 0.0, 0.0), torch.zeros(4, dtype=torch.int64)
    batch = inputs(r, g)
    counted = torch.tensor([True, True, False, True])
    found = estimate("dr_grpo", AdvantageInputs(**{**vars(batch), "counted": counted}))
    assert found.tolist() == pytest.approx([2 / 3, -1 / 3, 0.0, -1 / 3])
    assert estimate("dr_grpo", batch).tolist() == [0.75, -0.25, -0.25, -0.25]


def test_token_rewards_are_summed_for_estimators_of_one_reward_a_sequence():
    r, g = rewards(1.0, 0.0), torch.zeros(2, dtype=torch.int64)
    batch = inputs(r, g)
    penalty = torch.full((2, 5), -0.1, dtype=torch.float64)
    penalty[:, 4] = math.nan
    mask = torch.tensor([[True] * 4 + [False], [True, False, False, False, False]])
    found = estimate(
        "dr_grpo", AdvantageInputs(**{**vars(batch), "token_rewards": penalty, "mask": mask})
    )
    assert found.tolist() == pytest.approx([0.35, -0.35])


def test_what_is_missing_or_unknown_is_named():
    r, g = rewards(1.0, 0.0), torch.zeros(2, dtype=torch.int64)
    bare = AdvantageInputs(rewards=r, groups=g, mask=torch.ones(2, 3, dtype=torch.bool))
    for name, field in [("gtpo", "correct"), ("gae", "values"), ("remax", "greedy_rewards")]:
        with pytest.raises(ConfigError, match=f"`{field}`"):
            estimate(name, bare)
    with pytest.raises(ConfigError, match="did you mean scale"):
        estimate("grpo", bare, scales="none")
    with pytest.raises(UnknownNameError, match="did you mean"):
        estimate("grppo", bare)
    with pytest.raises(ConfigError, match="group"):
        grpo(r, g, scale="token")
    with pytest.raises(ConfigError, match="none"):
        pass_at_k(r, g, scale="batch")


def test_an_empty_batch_is_an_empty_answer():
    r = torch.zeros(0)
    for name in ("grpo", "dr_grpo", "rloo", "gpg", "maxrl", "pass_at_k"):
        assert ESTIMATORS[name](r, torch.zeros(0, dtype=torch.int64)).shape == (0,)


@pytest.mark.parametrize("name", sorted(ESTIMATORS))
def test_nothing_counted_and_nothing_written_is_zero(name):
    options = {"k": 1} if name == "pass_at_k_training" else {}
    batch = with_teacher(name, inputs(rewards(1.0, 0.0), torch.zeros(2, dtype=torch.int64)))
    nobody = AdvantageInputs(**{**vars(batch), "counted": torch.zeros(2, dtype=torch.bool)})
    assert (estimate(name, nobody, **options) == 0).all()
    silent = AdvantageInputs(**{**vars(batch), "mask": torch.zeros(2, 5, dtype=torch.bool)})
    found = estimate(name, silent, **options)
    assert found.isfinite().all()
    if found.ndim == 2:
        assert (found == 0).all()


@pytest.mark.parametrize("name", sorted(ESTIMATORS))
@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_no_estimator_takes_what_is_no_number(name, bad):
    r, g = rewards(1.0, 0.0, 1.0, 0.0), torch.tensor([0, 0, 1, 1])
    r[2] = bad
    mask = torch.ones(4, 2, dtype=torch.bool)
    steps = torch.stack([torch.zeros(4).double(), r], 1)
    held = {
        "rewards": r, "groups": g, "mask": mask, "correct": g.bool(),
        "entropies": torch.ones(4, 2), "values": torch.zeros(4, 2), "step_rewards": steps,
        "step_ends": mask, "greedy_rewards": torch.zeros(4), "old_logp": -torch.ones(4, 2),
        "sum_pi_squared": torch.full((4, 2), 0.5), "components": steps,
        "token_rewards": steps,
    }  # fmt: skip
    wanted = [p for p in inspect.signature(ESTIMATORS[name]).parameters if p in held]
    options = {"k": 1} if name == "pass_at_k_training" else {}
    if not {"rewards", "components", "step_rewards"} & set(wanted):
        assert ESTIMATORS[name](*(held[p] for p in wanted), **options).isfinite().all()
        return
    with pytest.raises(DataError, match=f"row 2 has {bad}, expected a finite number"):
        ESTIMATORS[name](*(held[p] for p in wanted), **options)


def test_the_row_that_is_named_is_that_of_the_batch_and_one_that_does_not_count_may_be_nan():
    r, g = rewards(math.nan, 0.0, math.nan, 1.0), torch.zeros(4, dtype=torch.int64)
    batch = vars(inputs(r, g))
    counted = torch.tensor([False, True, True, True])
    with pytest.raises(DataError, match="rewards: row 2 has nan"):
        estimate("grpo", AdvantageInputs(**{**batch, "counted": counted}))
    counted[2] = False
    assert estimate("dr_grpo", AdvantageInputs(**{**batch, "counted": counted})).tolist() == [
        0.0, -0.5, 0.0, 0.5,
    ]  # fmt: skip
