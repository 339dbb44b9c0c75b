import copy
import dataclasses

import pytest
import torch
from transformers.models.llama.modeling_llama import LlamaAttention

from rewardkit.config import OptimConfig
from rewardkit.errors import TrainingError
from rewardkit.recipes import RECIPES
from rewardkit.training_step import plan_step
from rewardkit.types import Finish, Group, Outcome, Problem, Reward, Rollout, Verdict
from rewardkit_native.learning.batch import make_batch, minibatches
from rewardkit_native.learning.passes import Scorer
from rewardkit_native.learning.update import Updater

PROMPTS = [[5, 9, 3, 7], [8, 2], [6, 6, 6]]


def rollout(tokens, finish=Finish.STOP):
    return Rollout("", tuple(tokens), tuple(-1.0 for _ in tokens), finish)


def group(tokens, outcomes, rewards=None, finishes=None):
    rollouts = [rollout(t, f) for t, f in zip(tokens, finishes or [Finish.STOP] * 9, strict=False)]
    verdicts = [Verdict(Outcome(o)) for o in outcomes]
    values = rewards or [float(v.correct) for v in verdicts]
    shaped = [Reward(v, {"correct": v}) for v in values]
    return Group(Problem("p", "?", "1"), tuple(rollouts), tuple(verdicts), tuple(shaped))


GROUPS = [
    group([[4, 6, 8, 1], [11, 1], [9, 9, 9, 3, 1]], ["correct", "incorrect", "incorrect"]),
    group([[7, 1], [30, 31, 1]], ["incorrect", "correct"]),
    group([[12, 13, 14, 15, 16, 1], [17, 1], [3, 1]], ["correct", "correct", "incorrect"]),
]


def plain(name, **changes):
    """A recipe of one update a batch without a reference policy."""
    changes = {"kl": None, "kl_coef": 0.0, "minibatches": 1, "constant": 6, **changes}
    return dataclasses.replace(RECIPES[name], **changes)


def make_updater(model, recipe, dtype="float32", optimiser=None, **optim):
    optimiser = optimiser or torch.optim.SGD(model.parameters(), lr=1.0)
    return Updater(
        model=model,
        reference=None,
        optimiser=optimiser,
        recipe=recipe,
        grad_clip=1e9,
        scorer=Scorer(OptimConfig(**optim), dtype, 1.0),
    )


def learn(updater, groups=GROUPS):
    """Make all updates of a batch, and return their metrics."""
    batch, recipe = make_batch(groups, PROMPTS), updater.recipe
    rows = minibatches(batch, recipe.minibatches)
    return updater.run(batch, plan_step(recipe, batch, updater.score(batch), rows))


def moved(model, recipe, groups=GROUPS, **optim):
    """How one call of `run` moves the parameters (with SGD of rate 1: minus the gradient)."""
    trained = copy.deepcopy(model)
    metrics = learn(make_updater(trained, recipe, **optim), groups)
    before, after = (
        torch.cat([p.detach().flatten() for p in m.parameters()]) for m in (model, trained)
    )
    return after - before, metrics


@pytest.mark.parametrize(
    ("name", "further"),
    [("grpo", {}), ("dr_grpo", {}), ("dapo", {"entropy_coef": 0.1, "nll_coef": 0.1})],
)
def test_gradient_is_the_same_for_any_micro_batches_and_padding(random_llama, name, further):
    recipe = plain(name, **further)
    whole, _ = moved(random_llama, recipe, layout="padded", tokens_per_micro_batch=10_000)
    assert whole.norm() > 1e-3
    for settings in (
        {"layout": "padded", "tokens_per_micro_batch": 40},
        {"layout": "padded", "tokens_per_micro_batch": 20},
        {"layout": "padded", "tokens_per_micro_batch": 1},  # every sequence alone, no padding
        {"layout": "packed", "tokens_per_micro_batch": 10_000},
        {"layout": "packed", "tokens_per_micro_batch": 10},
    ):
        other, _ = moved(random_llama, recipe, **settings)
        assert (whole - other).norm() / whole.norm() < 1e-5, settings


@pytest.mark.parametrize("again", [False, True])
def test_micro_batches_that_share_their_casts_add_up_in_bfloat16(random_llama, again):
    found = []
    for tokens in (10_000, 10):
        trained = copy.deepcopy(random_llama)
        updater = make_updater(
            trained,
            plain("dapo"),
            "bfloat16",
            tokens_per_micro_batch=tokens,
            activation_checkpointing=again,
        )
        learn(updater)
        pairs = zip(trained.parameters(), random_llama.parameters(), strict=True)
        found.append(torch.cat([(a - b).detach().flatten() for a, b in pairs]))
    assert (found[0] - found[1]).norm() < 0.02 * found[0].norm()


@pytest.mark.parametrize("layout", ["packed", "padded"])
def test_gradient_is_the_same_with_activation_checkpointing(random_llama, layout):
    kept, _ = moved(random_llama, plain("dapo"), layout=layout)
    again, _ = moved(random_llama, plain("dapo"), layout=layout, activation_checkpointing=True)
    assert (kept - again).norm() / kept.norm() < 1e-6


def test_layers_are_checkpointed_only_while_scoring(random_llama, monkeypatch):
    passes = []
    forward = LlamaAttention.forward  # newer ones of transformers checkpoint in the layer's
    monkeypatch.setattr(
        LlamaAttention, "forward", lambda *a, **k: passes.append(1) or forward(*a, **k)
    )
    moved(random_llama, plain("dapo"))
    once = len(passes)
    moved(random_llama, plain("dapo"), activation_checkpointing=True)
    assert len(passes) == 3 * once  # once before, then forward and again in backward
    trained = copy.deepcopy(random_llama)
    learn(make_updater(trained, plain("dapo"), activation_checkpointing=True))
    ids = torch.tensor([PROMPTS[0]])
    greedy = [
        trained.generate(ids, max_new_tokens=4, do_sample=False, use_cache=use) for use in (0, 1)
    ]
    assert torch.equal(*greedy)  # the cache works
    assert not any(module.training for module in trained.modules())


def test_gradient_is_that_of_the_formula(random_llama):
    """DAPO's token mean written out by hand, with advantages worked out by hand."""
    half = [GROUPS[1]]  # one right, one wrong: (r - 1/2) / (std .7071 + 1e-6)
    a = 0.5 / (0.5**0.5 + 1e-6)
    found, _ = moved(random_llama, plain("dapo"), groups=half)
    model = copy.deepcopy(random_llama)
    total = 0.0
    for tokens, advantage in (([7, 1], -a), ([30, 31, 1], a)):
        ids = torch.tensor([PROMPTS[0] + tokens])
        logprobs = model(input_ids=ids).logits[0].log_softmax(-1)
        picked = [logprobs[len(PROMPTS[0]) + i - 1, t] for i, t in enumerate(tokens)]
        total = total - advantage * torch.stack(picked).sum() / 5
    total.backward()
    expected = -torch.cat([p.grad.flatten() for p in model.parameters()])
    assert (found - expected).norm() / expected.norm() < 1e-5


def test_entropy_and_the_likelihood_of_right_responses_pull_where_no_reward_differs(random_llama):
    """−c H as a token mean, and −μ log π over the tokens of the right ones, written out by hand."""
    alike = [group([[4, 6, 1], [11, 1]], ["correct", "correct"], rewards=[1.0, 1.0])]
    found, metrics = moved(random_llama, plain("dapo", entropy_coef=0.2, nll_coef=0.1), alike)
    model = copy.deepcopy(random_llama)
    total = 0.0
    for tokens in ([4, 6, 1], [11, 1]):
        logprobs = model(input_ids=torch.tensor([PROMPTS[0] + tokens])).logits[0].log_softmax(-1)
        rows = logprobs[len(PROMPTS[0]) - 1 : -1]
        total = total + 0.2 * (rows.exp() * rows).sum() / 5
        total = total - 0.1 * rows[range(len(tokens)), tokens].sum() / 5
    total.backward()
    expected = -torch.cat([p.grad.flatten() for p in model.parameters()])
    assert (found - expected).norm() / expected.norm() < 1e-5
    assert (metrics["updates"], metrics["groups_signal"]) == (1, 0)
    assert metrics["entropy_coef"] == 0.2


def test_ratio_is_one_at_the_first_inner_step(random_llama):
    _, metrics = moved(random_llama, plain("dapo"))
    assert metrics["max_abs_log_ratio"] == 0
    assert metrics["ratio"] == 1
    # With two updates the old log-probabilities come from a pass of their own: still 1 at first.
    trained = copy.deepcopy(random_llama)
    updater = make_updater(trained, plain("dapo", minibatches=3))
    updater.optimiser.param_groups[0]["lr"] = 0.0
    assert learn(updater)["max_abs_log_ratio"] < 1e-5


def test_later_updates_of_a_batch_see_a_ratio(random_llama):
    _, metrics = moved(random_llama, plain("dapo", epochs=3))
    assert metrics["updates"] == 3
    assert metrics["max_abs_log_ratio"] > 0.01
    assert metrics["clipped_high"] + metrics["clipped_low"] > 0


def test_momentum_does_not_move_the_weights_without_a_gradient(random_llama):
    trained = copy.deepcopy(random_llama)
    optimiser = torch.optim.AdamW(trained.parameters(), lr=0.1)
    updater = make_updater(trained, plain("dapo"), optimiser=optimiser)
    learn(updater)
    after_one = copy.deepcopy(trained.state_dict())
    equal = [group([[4, 1], [11, 1]], ["incorrect", "incorrect"])]
    assert learn(updater, equal)["updates"] == 0
    assert all(torch.equal(v, after_one[k]) for k, v in trained.state_dict().items())


def test_a_group_of_equal_rewards_still_counts_in_the_normaliser(random_llama):
    """Skipping its passes must not change what the others weigh."""
    equal = group([[4, 1], [11, 1]], ["correct", "correct"])
    alone, _ = moved(random_llama, plain("dapo"), groups=[GROUPS[0]])
    beside, _ = moved(random_llama, plain("dapo"), groups=[GROUPS[0], equal])
    tokens, extra = 11, 4
    torch.testing.assert_close(beside, alone * tokens / (tokens + extra), atol=1e-6, rtol=1e-4)


def test_truncated_importance_weights_scale_each_tokens_gradient(random_llama):
    """The sampler said -1 of every token; each pulls with min(π / π_sampler, cap) of its own."""
    half, cap = [GROUPS[1]], 0.06
    recipe = plain("dapo", correction="tis", correction_options={"cap": cap})
    found, metrics = moved(random_llama, recipe, groups=half)
    model = copy.deepcopy(random_llama)
    advantage = 0.5 / (0.5**0.5 + 1e-6)
    total, weights = 0.0, []
    for tokens, sign in (([7, 1], -1), ([30, 31, 1], 1)):
        logprobs = model(input_ids=torch.tensor([PROMPTS[0] + tokens])).logits[0].log_softmax(-1)
        for place, token in enumerate(tokens, start=len(PROMPTS[0]) - 1):
            weights.append(min((logprobs[place, token] + 1).exp().item(), cap))
            total = total - sign * advantage * weights[-1] * logprobs[place, token] / 5
    total.backward()
    expected = -torch.cat([p.grad.flatten() for p in model.parameters()])
    assert min(weights) < max(weights) == cap  # some are truncated, not all
    assert (found - expected).norm() / expected.norm() < 1e-5
    assert metrics["correction"] == pytest.approx(sum(weights) / 5, rel=1e-4)
    uncorrected, _ = moved(random_llama, plain("dapo"), groups=half)
    assert (found - uncorrected).norm() / found.norm() > 0.1


def test_mismatch_between_sampler_and_trainer_is_measured(random_llama):
    _, metrics = moved(random_llama, plain("dapo"))
    logprobs = []
    with torch.no_grad():
        for prompt, group in zip(PROMPTS, GROUPS, strict=True):
            for member in group.rollouts:
                ids = torch.tensor([[*prompt, *member.tokens]])
                scores = random_llama(input_ids=ids).logits[0].log_softmax(-1)
                logprobs += [scores[len(prompt) - 1 + i, t] for i, t in enumerate(member.tokens)]
    gaps = (torch.stack(logprobs) + 1).abs()
    assert metrics["sampler_mismatch"] == pytest.approx(gaps.mean().item(), rel=1e-4)
    assert metrics["max_sampler_mismatch"] == pytest.approx(gaps.max().item(), rel=1e-4)
    # It is of the policy that sampled, and so the same after any number of updates.
    _, later = moved(random_llama, plain("dapo", epochs=3))
    assert later["kl_old"] > 0
    for name in ("sampler_mismatch", "max_sampler_mismatch"):
        assert later[name] == pytest.approx(metrics[name], rel=1e-4)


CUT = [Finish.STOP, Finish.LENGTH]


def test_truncated_response_gives_no_gradient_when_masked(random_llama):
    cut = [group([[4, 6, 1], [11, 12, 13]], ["correct", "incorrect"], finishes=CUT)]
    both, _ = moved(random_llama, plain("dapo"), groups=cut)
    masked, metrics = moved(random_llama, plain("dapo", mask_truncated=True), groups=cut)
    assert metrics["updates"] == 1
    assert (both - masked).norm() > 1e-3
    # What is left is the right response alone, with the advantage that the whole group gave it.
    only = copy.deepcopy(random_llama)
    ids = torch.tensor([[*PROMPTS[0], 4, 6, 1]])
    logprobs = only(input_ids=ids).logits[0].log_softmax(-1)
    picked = torch.stack([logprobs[3 + i, t] for i, t in enumerate([4, 6, 1])])
    (-(0.5 / (0.5**0.5 + 1e-6)) * picked.sum() / 3).backward()
    expected = -torch.cat([p.grad.flatten() for p in only.parameters()])
    assert (masked - expected).norm() / expected.norm() < 1e-5


def test_undecided_rollouts_take_no_part(random_llama):
    without = [group([[4, 6, 1], [11, 1]], ["correct", "incorrect"])]
    with_timeout = [group([[4, 6, 1], [9, 1], [11, 1]], ["correct", "timeout", "incorrect"])]
    a, _ = moved(random_llama, plain("dapo"), groups=without)
    b, _ = moved(random_llama, plain("dapo"), groups=with_timeout)
    torch.testing.assert_close(a, b, atol=1e-6, rtol=1e-4)
    assert make_batch(with_timeout, PROMPTS).rows == [0, 2]


def test_kl_term_pulls_back_to_the_reference(random_llama):
    recipe = plain("grpo", kl="k3", kl_coef=0.5)
    reference = copy.deepcopy(random_llama)
    trained = copy.deepcopy(random_llama)
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        noise = torch.randn(trained.lm_head.weight.shape, generator=generator)
        trained.lm_head.weight.add_(0.05 * noise)
    updater = make_updater(trained, recipe)
    updater.reference = reference
    updater.optimiser.param_groups[0]["lr"] = 0.01
    equal = [group([[4, 6, 1], [11, 1]], ["correct", "correct"])]
    kls = [learn(updater, equal)["kl"] for _ in range(20)]
    # Of 40 other draws of the noise the worst ended at .028 of where it began.
    assert 0 < kls[-1] < 0.5 * kls[0]


def test_gradient_that_is_not_finite_stops_before_the_step(random_llama):
    trained = copy.deepcopy(random_llama)
    with torch.no_grad():
        trained.lm_head.weight[4, 0] = float("nan")
    before = trained.model.embed_tokens.weight.clone()
    updater = make_updater(trained, plain("dapo"))
    with pytest.raises(TrainingError, match="not finite"):
        learn(updater)
    assert torch.equal(trained.model.embed_tokens.weight, before)


def test_minibatches_hold_whole_groups():
    batch = make_batch(GROUPS, PROMPTS)
    parts = minibatches(batch, 2)
    assert [part.tolist() for part in parts] == [[0, 1, 2, 3, 4], [5, 6, 7]]


def test_with_bypass_ratios_are_to_what_sampled_and_nothing_is_scored(random_llama, monkeypatch):
    """A ratio without bounds, and a weight without bounds on log π, are one gradient."""
    monkeypatch.setattr(Scorer, "score_all", None)
    free = {"clip_low": 1.0, "clip_high": 1e6, "minibatches": 3}
    ratio, metrics = moved(random_llama, plain("cispo", bypass=True, **free))
    weight, of_weight = moved(
        random_llama,
        plain(
            "cispo", bypass=True, surrogate="policy_gradient", correction="tis",
            correction_options={"cap": 1e6}, minibatches=3,
        ),
    )  # fmt: skip
    assert ratio.norm() > 1e-3
    # what float32 rounds in three steps is 1e-6 of it on some processors
    assert (ratio - weight).norm() <= 1e-5 * ratio.norm()
    assert of_weight["correction"] == pytest.approx(metrics["ratio"], rel=1e-5)
    # the mismatch is that of the policy as it is, the sampler's probability being e^-1
    assert metrics["sampler_mismatch"] == pytest.approx(metrics["abs_log_ratio"], rel=1e-5)


def test_a_token_baseline_reads_the_policy_as_it_was(random_llama):
    recipe = plain("dr_grpo", advantage="optimal_token_baseline")
    batch = make_batch(GROUPS, PROMPTS)
    updater = make_updater(random_llama, recipe)
    said = updater.score(batch)
    with torch.no_grad():
        logits = random_llama(torch.tensor([[*PROMPTS[1], 30, 31, 1]])).logits[0, 1:-1]
    expected = logits.softmax(-1).square().sum(-1)
    torch.testing.assert_close(said.sum_pi_squared[4, :3], expected)
    packed, _ = moved(random_llama, recipe, layout="packed", tokens_per_micro_batch=10)
    padded, _ = moved(random_llama, recipe, layout="padded")
    assert packed.norm() > 1e-3
    assert (packed - padded).norm() <= 1e-5 * packed.norm()
