import dataclasses

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from rewardkit.recipes import RECIPES, Term
from rewardkit.sampling import DropReason
from rewardkit.shaping import shape_group
from rewardkit.shaping.response_steps import with_turns
from rewardkit.training_step import Scores, plan_step
from rewardkit.types import Finish, Group, Outcome, Reward, Rollout, Segment, StepScore, Verdict
from rewardkit_native.learning.batch import make_batch
from rewardkit_native.learning.batch import with_steps as with_steps_natively
from rewardkit_tasks.sums import SumsVerifier, problem_of
from rewardkit_verl.batch import (
    actor_fields,
    arrange,
    at_tokens,
    sampled_batch,
    update_rows,
)
from rewardkit_verl.rows import steps_text, tally, whole_rewards


def info(outcome="correct", truncated=0.0, **components):
    parts = {f"reward/{name}": value for name, value in components.items()}
    return {"outcome": outcome, "truncated": truncated, **parts}


def sampled():
    """Two prompts: right and wrong; timed out and wrong; and a row that only pads."""
    infos = [info(), info("incorrect", 1.0), info("timeout"), info("no_answer"), info()]
    rewards = [Reward(value, {}) for value in (1.0, 0.0, 9.0, -0.5, 0.0)]
    response = torch.arange(4) < torch.tensor([3, 4, 2, 1, 0])[:, None]
    groups = torch.tensor([0, 0, 1, 1, 2])
    return sampled_batch(groups, response, infos, rewards, [False] * 4 + [True])


def test_verdicts_and_padding_say_what_takes_part():
    batch = sampled()
    assert batch.decided.tolist() == [True, True, False, True, False]
    assert batch.correct.tolist() == [True, False, False, False, True]
    assert batch.truncated.tolist() == [False, True, False, False, False]
    assert batch.rewards.tolist() == [1.0, 0.0, 9.0, -0.5, 0.0]
    assert batch.rewards.dtype == torch.float64


def test_a_plan_travels_as_fields_of_each_token():
    updates = [torch.tensor([0, 1]), torch.tensor([2, 3, 4])]
    plan = plan_step(RECIPES["dapo"], sampled(), Scores(), updates)
    fields = actor_fields(plan)
    assert fields.advantages.dtype == torch.float32
    assert fields.returns is fields.advantages  # no critic
    a = 0.5 / (0.5**0.5 + 1e-6)
    assert fields.advantages[0].tolist() == pytest.approx([a, a, a, 0.0])
    assert fields.advantages[1].tolist() == pytest.approx([-a] * 4)
    assert not fields.advantages[2:].any()


def test_advantages_of_sequences_and_of_tokens_become_the_same_shape():
    mask = torch.tensor([[True, False], [True, True]])
    assert at_tokens(torch.tensor([1.0, 2.0]), mask).tolist() == [[1.0, 0.0], [2.0, 2.0]]
    by_token = torch.tensor([[1.0, 9.0], [2.0, 3.0]])
    assert at_tokens(by_token, mask).tolist() == [[1.0, 0.0], [2.0, 3.0]]


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 3), st.integers(1, 3), st.integers(1, 4), st.randoms(use_true_random=False))
def test_updates_are_of_neighbouring_rows_and_ranks_share_them_equally(
    ranks, updates, each, random
):
    size = ranks * updates * each
    workloads = [random.randint(1, 50) for _ in range(size)]
    order = arrange(workloads, ranks, updates)
    assert sorted(order) == list(range(size))
    for number, rows in enumerate(update_rows(size, ranks, updates)):
        first = number * ranks * each
        came = sorted(order[row] for row in rows.tolist())
        assert came == list(range(first, first + ranks * each))


def test_terms_of_a_group_are_added_by_weight_and_kept_plain():
    terms = [Term("soft_overlong"), Term("kimi_length", 0.5)]
    infos = [info(correct=1.0), info("incorrect", correct=0.0), info("bad_gold", correct=0.0)]
    infos.append(info("incorrect", correct=0.75))
    infos = [{**one, "reward/soft_overlong": 0.0} for one in infos]
    found = whole_rewards(terms, [4, 4, 4, 2], infos, [2, 6, 4, 3], limit=8)
    # lambda = 1/2 - (length - 2) / 4: 0.5 and -0.5; a broken item earns nothing; alone, nothing
    assert [reward.total for reward in found] == [1.25, -0.25, 0.0, 0.75]
    assert found[0].components == {"correct": 1.0, "soft_overlong": 0.0, "kimi_length": 0.5}
    assert [reward.components["kimi_length"] for reward in found] == [0.5, -0.5, 0.0, 0.0]


def test_without_terms_of_a_group_rewards_are_the_managers():
    infos = [info(correct=1.0, soft_overlong=-0.5)]
    found = whole_rewards([Term("soft_overlong")], [0], infos, [7], limit=8)
    assert found == [Reward(0.5, {"correct": 1.0, "soft_overlong": -0.5})]


def test_the_tally_is_of_all_that_was_drawn():
    def group(*outcomes):
        return [info(outcome, float(outcome == "no_answer")) for outcome in outcomes]

    found = tally(
        [group("correct", "incorrect")],
        [group("correct", "correct"), group("incorrect", "no_answer"), group("timeout", "correct")],
    )
    assert (found.drawn, found.kept, found.group_size) == (4, 1, 2)
    assert found.without_signal == dict.fromkeys(DropReason, 1)
    assert found.share(Outcome.CORRECT) == 0.5
    assert (found.share(Outcome.TIMEOUT), found.truncated_share) == (0.125, 0.125)


def characters(tokens):
    """Decode tokens that are characters; 0 ends a response."""
    return "".join(chr(token) for token in tokens if token)


def planned_alike(recipe, problem, rollouts, verdicts, rewards):
    """Return the plan of a group; that of each backend's way to it has the same advantages."""
    group = Group(problem, tuple(rollouts), tuple(verdicts), tuple(rewards))
    native = with_steps_natively(make_batch([group], [[1]]), [group], recipe, characters)
    infos = [
        {**info(str(v.outcome)), "steps": steps_text(v, rollout, characters)}
        for v, rollout in zip(verdicts, rollouts, strict=True)
    ]
    cut, rows = [False] * len(rollouts), torch.arange(len(rollouts))
    verls = sampled_batch(native.groups, native.response, infos, rewards, cut, recipe)
    plans = [plan_step(recipe, batch, Scores(), [rows]) for batch in (native, verls)]
    assert torch.equal(plans[0].advantages, plans[1].advantages)
    return plans[0]


def test_process_rewards_are_the_same_numbers_in_both_backends():
    """A task's own verdicts, on the way that each backend has from them to advantages."""
    recipe = dataclasses.replace(
        RECIPES["grpo_process"], kl_coef=0.0, shaping=(Term("soft_overlong"),)
    )
    texts = ["1 + 2 = 3\n3 + 3 = 6\n\\boxed{6}", "1 + 2 = 4\n4 + 3 = 7\n\\boxed{7}", "7", ""]
    problem = problem_of([1, 2, 3])
    verdicts = [SumsVerifier()(text, "6", numbers=[1, 2, 3]) for text in texts]
    tokens = [(*map(ord, text), 0) for text in texts]
    rollouts = [
        Rollout(text, t, (0.0,) * len(t), Finish.STOP)
        for text, t in zip(texts, tokens, strict=True)
    ]
    rewards = shape_group(verdicts, rollouts, recipe.shaping, limit=32)
    plan = planned_alike(recipe, problem, rollouts, verdicts, rewards)
    # 1 1 1 of the first, 0 1 0 of the second, both 4.4 / 6.4 into the cache; 0; and no step at all
    late = 1 - (30 - 25.6) / 6.4
    scores = torch.tensor([1, 1, late, 0, 1, late - 1, 0, 0]).double()
    scaled = (scores - scores.mean()) / (scores.std() + 1e-6)
    first = plan.advantages[0]
    assert first[[0, 9]].tolist() == pytest.approx([float(scaled[:3].sum())] * 2)  # and its break
    assert first[10].item() == pytest.approx(float(scaled[1:3].sum()))
    assert first[[20, 29]].tolist() == pytest.approx([float(scaled[2])] * 2)  # and the end token
    assert plan.signal == 1


def test_scores_of_turns_are_the_same_numbers_in_both_backends():
    recipe = dataclasses.replace(RECIPES["grpo_process"], kl_coef=0.0)
    parts = Segment(True, "ab", 3), Segment(False, "??", 2), Segment(True, "c", 2)
    tokens = (97, 98, 0, 63, 63, 99, 0)  # both turns end with a token that has no text
    rollouts = [
        Rollout("ab\n\nc", tokens, (0.0,) * 7, Finish.STOP, parts, steps=(StepScore(4, score),))
        for score in (0.5, 0.0)
    ]
    outcomes = Outcome.CORRECT, Outcome.INCORRECT
    verdicts = [with_turns(Verdict(o), r) for o, r in zip(outcomes, rollouts, strict=True)]
    rewards = shape_group(verdicts, rollouts, recipe.shaping, limit=32)
    plan = planned_alike(recipe, problem_of([1]), rollouts, verdicts, rewards)
    # Steps ½, 1 | 0, 0: mean ⅜, σ = .4787; a turn also has what follows it.
    spread = torch.tensor([0.5, 1, 0, 0]).double().std()
    by_hand = torch.tensor([[0.75] * 3 + [0, 0] + [0.625] * 2, [-0.75] * 3 + [0, 0] + [-0.375] * 2])
    torch.testing.assert_close(plan.advantages, by_hand.double() / (spread + 1e-6))
