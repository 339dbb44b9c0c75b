"""PPO's critic: what it says of which state, what it learns, and that nothing of it is lost."""

import copy
import dataclasses

import pytest
import torch
from safetensors.torch import load_file

from rewardkit.config import OptimConfig
from rewardkit.recipes import RECIPES
from rewardkit.runs import RunFolder
from rewardkit.training_step import MetricSums, Scores, plan_step
from rewardkit.types import Finish, Group, Outcome, Problem, Reward, Rollout, Verdict
from rewardkit_native.learning.batch import make_batch, minibatches
from rewardkit_native.learning.critic import FILE, make_critic, value_model
from rewardkit_native.learning.passes import Scorer
from rewardkit_native.loop import train
from rewardkit_native.model.packing import enable_packing

PROMPTS = [[5, 9, 3, 7], [8, 2]]
PPO = dataclasses.replace(RECIPES["ppo"], kl=None, kl_coef=0.0, minibatches=1, value_clip=0.05)
RESPONSES = [[[4, 6, 8, 1], [11, 1], [9, 9, 9, 3, 1]], [[7, 1], [30, 31, 1]]]


def groups():
    made = []
    for responses in RESPONSES:
        right = [Verdict(Outcome.CORRECT if i % 2 else Outcome.INCORRECT) for i in range(9)]
        verdicts = tuple(right[: len(responses)])
        rollouts = tuple(Rollout("", tuple(r), (-1.0,) * len(r), Finish.STOP) for r in responses)
        rewards = tuple(Reward(float(v.correct), {}) for v in verdicts)
        made.append(Group(Problem("p", "?", "1"), rollouts, verdicts, rewards))
    return made


@pytest.fixture
def value_llama(random_llama):
    """A value function whose head says something."""
    made = value_model(random_llama)
    enable_packing(made)
    with torch.no_grad():
        torch.manual_seed(1)
        made.get_output_embeddings().weight.normal_(std=0.1)
        made.get_output_embeddings().bias.fill_(0.3)
    return made


def make(model, recipe=PPO, **optim):
    optim = OptimConfig(**optim)
    return make_critic(copy.deepcopy(model), recipe, optim, Scorer(optim, "float32", 1.0))


def learned(critic, old=None):
    """The critic's gradient of one update, and the plan that it followed."""
    batch = make_batch(groups(), PROMPTS)
    values = critic.score(batch) if old is None else old
    plan = plan_step(critic.recipe, batch, Scores(values=values), minibatches(batch, 1))
    update = plan.updates[0]
    sums = MetricSums()
    critic.accumulate(batch, plan, update, sums)
    gradients = [p.grad.flatten() for p in critic.model.parameters() if p.grad is not None]
    return torch.cat(gradients), plan, sums.means()["value_loss"]


@pytest.mark.parametrize("layout", ["packed", "padded"])
def test_a_value_is_that_of_the_state_before_the_token(value_llama, layout):
    batch = make_batch(groups(), PROMPTS)
    found = make(value_llama, layout=layout).score(batch)
    head = value_llama.get_output_embeddings()
    for i, (prompt, response) in enumerate(zip(batch.prompts, batch.responses, strict=True)):
        ids = torch.tensor([[*prompt, *response]])
        with torch.no_grad():
            states = value_llama.get_decoder()(input_ids=ids).last_hidden_state[0]
            expected = head(states)[len(prompt) - 1 : -1, 0]
        torch.testing.assert_close(found[i, : len(response)], expected, atol=1e-5, rtol=1e-4)
        assert not found[i, len(response) :].any()


def test_a_new_critic_says_nothing_and_shares_no_weight_with_the_policy(random_llama):
    critic = value_model(random_llama)
    enable_packing(critic)
    assert not make(critic).score(make_batch(groups(), PROMPTS)).any()
    theirs = {p.data_ptr() for p in random_llama.parameters()}
    assert not theirs & {p.data_ptr() for p in critic.parameters()}
    names = dict(critic.named_parameters())
    assert names["lm_head.weight"].shape == (1, 32)
    assert names["model.embed_tokens.weight"].shape == (40, 32)


def test_gradient_is_the_same_for_any_micro_batches_and_layout(value_llama):
    whole, _, loss = learned(make(value_llama, layout="padded", tokens_per_micro_batch=10_000))
    assert whole.norm() > 1e-3
    for settings in (
        {"layout": "padded", "tokens_per_micro_batch": 1},
        {"layout": "packed", "tokens_per_micro_batch": 10_000},
        {"layout": "packed", "tokens_per_micro_batch": 8, "activation_checkpointing": True},
    ):
        other, _, same = learned(make(value_llama, **settings))
        assert (whole - other).norm() / whole.norm() < 1e-5, settings
        assert same == pytest.approx(loss, rel=1e-5)


def test_gradient_is_that_of_the_formula(value_llama):
    """½ mean over tokens of max((V − R)², (clip(V, V_old ± ε) − R)²), written out."""
    batch = make_batch(groups(), PROMPTS)
    moved = make(value_llama).score(batch) + 0.2 * torch.randn(
        batch.response.shape, generator=torch.Generator().manual_seed(3)
    )
    found, plan, loss = learned(make(value_llama), old=moved)
    model = copy.deepcopy(value_llama)
    total = 0.0
    for i, (prompt, response) in enumerate(zip(batch.prompts, batch.responses, strict=True)):
        ids = torch.tensor([[*prompt, *response]])
        states = model.get_decoder()(input_ids=ids).last_hidden_state[0]
        v = model.get_output_embeddings()(states)[len(prompt) - 1 : -1, 0]
        old, target = moved[i, : len(response)], plan.returns[i, : len(response)].float()
        clipped = old + (v - old).clamp(-0.05, 0.05)
        total = total + torch.maximum((v - target) ** 2, (clipped - target) ** 2).sum()
    (0.5 * total / 16).backward()  # 4 + 2 + 5 + 2 + 3 tokens
    expected = torch.cat([p.grad.flatten() for p in model.parameters()])
    assert (found - expected).norm() / expected.norm() < 1e-5
    assert loss == pytest.approx(0.5 * total.item() / 16, rel=1e-5)


def test_it_learns_its_returns(value_llama):
    """With λ = 1 they are the outcomes; the first state of a prompt leads to both kinds."""
    recipe = dataclasses.replace(
        PPO, epochs=15, value_clip=None, advantage_options={"gamma": 1.0, "lam": 1.0}
    )
    critic = make(value_llama, recipe, critic_lr=3e-3)
    batch = make_batch(groups(), PROMPTS)
    measured = []
    for _ in range(2):
        scores = Scores(values=critic.score(batch))
        plan = plan_step(recipe, batch, scores, minibatches(batch, 1))
        measured.append(critic.run(batch, plan))
    assert measured[0]["critic_grad_norm"] > 0
    assert measured[1]["explained_variance"] > max(0.5, measured[0]["explained_variance"])
    assert measured[1]["value_loss"] < 0.5 * measured[0]["value_loss"]


def run_files(folder, step):
    checkpoint = folder / "checkpoints" / f"step-{step:05d}"
    return {name: (checkpoint / name).read_bytes() for name in ("model.safetensors", FILE)}


def test_stopped_and_resumed_it_is_the_same_to_the_bit(configure, tmp_path):
    def ppo(name, steps):
        return configure(
            f"folder={tmp_path / name}", f"steps={steps}", "optim.critic_lr=1e-3",
            "sampling.problems=2", "sampling.group_size=4",
            recipe={"name": "ppo", "minibatches": 2},
            checkpoint={"every": 1, "keep": 9},
        )  # fmt: skip

    whole = train(ppo("whole", 3))
    train(ppo("stopped", 2))
    stopped = train(ppo("stopped", 3), resume=True)
    assert run_files(whole, 3) == run_files(stopped, 3)
    assert run_files(whole, 3) != run_files(whole, 2)
    states = [
        torch.load(folder / "checkpoints/step-00003/trainer_state.pt", weights_only=True)
        for folder in (whole, stopped)
    ]
    for key in ("optimiser", "critic_optimiser"):
        for index, entry in states[0][key]["state"].items():
            other = states[1][key]["state"][index]
            assert all(torch.equal(value, other[name]) for name, value in entry.items())
    rows = RunFolder.open(whole).rows("metrics.jsonl")
    # Nothing was known before the first update; the KL to the reference is in the reward.
    assert rows[0]["explained_variance"] == pytest.approx(0, abs=1e-12)
    assert rows[0]["updates"] == 2
    assert all(row["value_loss"] > 0 and row["critic_grad_norm"] > 0 for row in rows)


def test_at_first_the_critic_may_learn_alone(configure, tmp_path):
    config = configure(
        "steps=2", "optim.critic_lr=1e-3", f"folder={tmp_path / 'run'}",
        recipe={"name": "ppo", "minibatches": 1, "critic_warmup": 1},
        checkpoint={"every": 1, "keep": 9},
    )  # fmt: skip
    folder = train(config)
    rows = RunFolder.open(folder).rows("metrics.jsonl")
    assert [row["updates"] for row in rows] == [0, 1]
    first, second = run_files(folder, 1), run_files(folder, 2)
    start = load_file(f"{config.model.name}/model.safetensors")
    after = load_file(folder / "checkpoints/step-00001/model.safetensors")
    assert all(torch.equal(start[name], value) for name, value in after.items())
    assert first["model.safetensors"] != second["model.safetensors"]
    assert load_file(folder / "checkpoints/step-00001" / FILE)["lm_head.weight"].any()
