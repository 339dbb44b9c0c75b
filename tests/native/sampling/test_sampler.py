import pytest
import torch

from rewardkit.sampling import SamplingParams
from rewardkit.types import Finish
from rewardkit_native.model.logprobs import padded_scores
from rewardkit_native.sampling.choice import FastSampler, TransformersSampler
from rewardkit_native.sampling.reference_decoder import left_pad

PROMPTS = [[5, 9, 3], [7, 2, 8, 8, 4, 4], [6]]
SEEDS = [[1, 2, 3, 4], [5, 6], [7, 8, 9]]


@pytest.fixture(params=[TransformersSampler, FastSampler])
def kind(request):
    return request.param


@pytest.fixture
def sampler(kind, random_llama, letters):
    return kind(random_llama, letters, torch.float32)


def test_log_probabilities_are_those_the_trainer_computes(sampler, random_llama):
    groups = sampler.sample(PROMPTS, SEEDS, SamplingParams(max_tokens=12, temperature=0.8))
    for prompt, group in zip(PROMPTS, groups, strict=True):
        for rollout in group:
            with torch.no_grad():
                scores = padded_scores(random_llama, [prompt], [rollout.tokens], 0.8)
            found = torch.tensor([rollout.logprobs])
            torch.testing.assert_close(found, scores.logprobs, atol=5e-5, rtol=0)


def test_a_rollout_depends_on_its_own_seed_and_prompt_alone(sampler):
    params = SamplingParams(max_tokens=12)
    together = sampler.sample(PROMPTS, SEEDS, params)
    for prompt, seeds, group in zip(PROMPTS, SEEDS, together, strict=True):
        for seed, rollout in zip(seeds, group, strict=True):
            [[alone]] = sampler.sample([prompt], [[seed]], params)
            assert alone.tokens == rollout.tokens
    texts = {rollout.text for group in together for rollout in group}
    assert len(texts) > 5  # the seeds do make a difference


def test_few_rows_at_a_time_changes_nothing(kind, random_llama, letters):
    params = SamplingParams(max_tokens=8)
    all_at_once = kind(random_llama, letters, torch.float32)
    two_rows = kind(random_llama, letters, torch.float32, rows=2)
    a, b = (s.sample(PROMPTS, SEEDS, params) for s in (all_at_once, two_rows))
    assert [[r.tokens for r in g] for g in a] == [[r.tokens for r in g] for g in b]


def test_ends_at_the_end_token_or_at_the_limit(sampler):
    groups = sampler.sample(PROMPTS, [range(i, i + 40) for i in (0, 100, 200)], SamplingParams(6))
    rollouts = [rollout for group in groups for rollout in group]
    finishes = {rollout.finish for rollout in rollouts}
    assert finishes == {Finish.STOP, Finish.LENGTH}
    for rollout in rollouts:
        assert (rollout.tokens[-1] == 1) == (rollout.finish is Finish.STOP)
        assert 1 not in rollout.tokens[:-1]
        assert len(rollout.tokens) == len(rollout.logprobs) <= 6


def test_zero_temperature_takes_the_likeliest_token_each_time(sampler, random_llama):
    [[rollout]] = sampler.sample([PROMPTS[0]], [[0]], SamplingParams(5, temperature=0))
    ids = list(PROMPTS[0])
    for token in rollout.tokens:
        best = random_llama(input_ids=torch.tensor([ids])).logits[0, -1].argmax().item()
        assert token == best
        ids.append(best)


def test_stop_string_ends_a_response(sampler, letters):
    free = sampler.sample([PROMPTS[1]], [range(30)], SamplingParams(10))[0]
    letter = next(r.text[1] for r in free if len(r.text) > 3)
    stopped = sampler.sample([PROMPTS[1]], [range(30)], SamplingParams(10, stop=(letter,)))[0]
    assert any(letter in rollout.text for rollout in stopped)
    for rollout in stopped:
        assert letter not in rollout.text[:-1]


def test_left_pad_ends_all_rows_alike():
    ids, mask = left_pad([[3], [4, 5]], 0, torch.device("cpu"))
    assert ids.tolist() == [[0, 3], [4, 5]]
    assert mask.tolist() == [[0, 1], [1, 1]]


def test_refresh_follows_the_trained_weights(random_llama, letters):
    import copy

    trained = copy.deepcopy(random_llama)
    sampler = TransformersSampler(trained, letters, torch.bfloat16)
    with torch.no_grad():
        trained.lm_head.weight.add_(1.0)
    before = sampler.decoder.model.lm_head.weight.clone()
    sampler.refresh(trained)
    assert not torch.equal(before, sampler.decoder.model.lm_head.weight)
    torch.testing.assert_close(
        sampler.decoder.model.lm_head.weight, trained.lm_head.weight.to(torch.bfloat16)
    )
