"""The experiments in a short form: the signs that they are published with, one or two seeds."""

from dataclasses import replace

import pytest

from experiments import (
    clip_higher,
    entropy_bonus,
    float_noise,
    length_bias,
    length_terms,
    lite_ppo,
    pictures,
    pool_baseline,
    zero_variance,
)
from experiments.common import apart, interval

MODULES = [
    length_bias, clip_higher, zero_variance, float_noise, entropy_bonus, pool_baseline, lite_ppo,
    length_terms,
]  # fmt: skip


def test_grpo_lengthens_wrong_answers_and_dr_grpo_does_not():
    def change(name):
        recipe, lr = length_bias.ARMS[name]
        history = length_bias.train(recipe, seed=3, steps=60, lr=lr)
        return history["wrong"][-1] - history["wrong"][0]

    # 40 seeds, mean ± SD: 8.02 ± .35; .02 ± .16; .07 ± .17. Each bound is over 11 SDs away.
    assert change("GRPO") > 3
    assert abs(change("Dr. GRPO, 6 × the step")) < 2
    assert abs(change("token-mean")) < 2


@pytest.mark.slow
def test_clip_higher_keeps_entropy_in_small_steps_by_clipping_less():
    def run(high):
        recipe = replace(clip_higher.BASE, clip_high=high)
        return clip_higher.train(recipe, seed=11, steps=60, lr=0.01)

    narrow, wide = run(0.2), run(0.5)
    # wide - narrow over 40 seeds, mean ± SD: .072 ± .019, and -.0142 ± .0004. Of the first the
    # sign is 3.8 SDs from turning, once in 10,000 seeds; the least of the 40 was .035.
    assert clip_higher.change([wide])[0] > clip_higher.change([narrow])[0]
    assert clip_higher.clipped([wide])[0] < clip_higher.clipped([narrow])[0]


def test_with_one_update_a_batch_the_clip_range_cannot_matter():
    runs = [
        clip_higher.train(replace(arm, epochs=1, minibatches=1), seed=0, steps=5, lr=0.01)
        for arm in clip_higher.ARMS.values()
    ]
    assert runs[0] == runs[1] == runs[2]


def test_dynamic_sampling_trains_on_mixed_groups_alone_and_pays_in_samples():
    uniform, dynamic = (zero_variance.train(on, seed=2, steps=10) for on in (False, True))
    # 40 seeds, mean ± SD: .416 ± .061, and 2.20 ± .11 times the samples. Over 5 SDs away.
    assert min(uniform["trained"]) > 0.1
    assert max(dynamic["trained"]) == 0
    assert dynamic["samples"][-1] > 1.5 * uniform["samples"][-1]


def test_equal_rewards_move_nothing_here_and_something_elsewhere():
    assert float_noise.drift(None, 0.9, seed=0, steps=5) == 0
    for compat in ("verl", "trl", "openrlhf"):
        assert float_noise.drift(compat, 0.9, seed=0, steps=5) > 0


def test_a_bonus_finds_rare_answers():
    plain, bonus = (
        entropy_bonus.train(entropy_bonus.ARMS[name], seed=1, steps=8, lr=0.3)
        for name in ("neither", "bonus .1")
    )
    # It pulls towards even odds, of 1/32 instead of 1/1000: these are drawn, and learned.
    assert bonus["accuracy"][-1] > 10 * plain["accuracy"][-1]


def test_no_more_than_eight_of_those_drawn_are_trained_on():
    logits = pool_baseline.torch.zeros(pool_baseline.PROMPTS, pool_baseline.ANSWERS)
    for name, drawn in (("PODS, 8 of 32", 32), ("Ada, statistics of the pool", 8)):
        draw = pool_baseline.torch.Generator().manual_seed(0)
        prompt, action, kept = pool_baseline.collect(pool_baseline.ARMS[name], logits, draw)
        assert len(prompt) == len(action) >= drawn * pool_baseline.BATCH
        assert int(kept.sum()) == pool_baseline.KEEP * pool_baseline.BATCH


def test_alp_shortens_easy_responses():
    recipe, limit = length_terms.ARMS["ALP .3"]
    plain, alp = (
        length_terms.train(arm, limit, seed=0, steps=60)
        for arm in (length_terms.ARMS["none"][0], recipe)
    )
    # Two seeds of 150 steps: 14.0 ± 1.9 and 4.8 ± .0 tokens.
    assert alp["length, easy"][0] < plain["length, easy"][0]


def test_intervals_are_students():
    assert interval([1.0, 2.0, 3.0]) == "+2.00 [-0.48, +4.48]"  # 4.303 · 1/√3
    assert apart([1.0, 2.0], [1.0, 2.0]) == "+0.00 [+0.00, +0.00]"
    assert interval([2.0]) == "+2.00 [+2.00, +2.00]"


def test_pictures_are_drawn_the_same_each_time(tmp_path):
    name, draw = next(iter(pictures.PICTURES.items()))
    for file in ("one", "two"):
        (tmp_path / file).mkdir()
        pictures.save(tmp_path / file / f"{name}.svg", draw)
    one, two = ((tmp_path / file / f"{name}.svg").read_bytes() for file in ("one", "two"))
    assert one == two


@pytest.mark.parametrize("module", MODULES)
def test_each_makes_its_table_and_its_plot(module, tmp_path):
    table = module.run(2, 3, tmp_path)
    assert table.verdict in table.markdown()
    assert all(len(row) == len(table.header) for row in table.rows)
    assert [path.suffix for path in tmp_path.iterdir()] == [".png"]
