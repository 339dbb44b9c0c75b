"""What only a GPU can show: `pytest -m gpu`. The same functions run on the CPU in the other tests."""

import copy

import pytest
import torch

from rewardkit.sampling import SamplingParams
from rewardkit_native.learning.passes import autocast
from rewardkit_native.model.fused import fuse_gates, fuse_norms
from rewardkit_native.model.logprobs import packed_scores, padded_scores
from rewardkit_native.sampling.choice import FastSampler

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU"),
]

PROMPTS = [[5, 9, 3, 7]] * 3 + [[6, 2]] * 2
RESPONSES = [[4, 6, 8, 1], [11], [9, 9, 9, 3, 12, 1], [7, 1], [30, 31, 1]]


@pytest.fixture(scope="module")
def models(random_llama):
    """The same weights on the CPU and on the GPU, with fused layers."""
    made = [copy.deepcopy(random_llama).to(device) for device in ("cpu", "cuda")]
    for model in made:
        fuse_norms(model)
        fuse_gates(model)
    return made


def scored(model, score, dtype):
    """Log-probabilities and the gradient of their sum, on the CPU."""
    model.zero_grad()
    with autocast(model, dtype):
        found = score(model, PROMPTS, RESPONSES)
    found.logprobs.sum().backward()
    gradient = torch.cat([p.grad.flatten().cpu() for p in model.parameters()])
    return found.logprobs.detach().cpu(), gradient


@pytest.mark.parametrize("score", [packed_scores, padded_scores])
@pytest.mark.parametrize(("dtype", "tolerance"), [("float32", 1e-4), ("bfloat16", 0.05)])
def test_scores_and_gradients_are_those_of_the_cpu(models, score, dtype, tolerance):
    (ours, slope), (theirs, expected) = (scored(m, score, dtype) for m in reversed(models))
    torch.testing.assert_close(ours, theirs, atol=2 * tolerance, rtol=0)
    assert (slope - expected).norm() / expected.norm() < tolerance


@pytest.mark.parametrize("params", [SamplingParams(40), SamplingParams(40, 0.8, top_p=0.9)])
def test_a_captured_step_draws_the_tokens_of_the_cpu(models, letters, params):
    prompts, seeds = [PROMPTS[0], PROMPTS[-1]], [[1, 2, 3, 4], [5, 6]]
    here, there = (FastSampler(model, letters, torch.float32, rows=3) for model in models)
    assert there.run == FastSampler.in_slots
    expected = here.sample(prompts, seeds, params)
    found = there.sample(prompts, seeds, params)
    tokens = [[[r.tokens for r in group] for group in groups] for groups in (found, expected)]
    assert tokens[0] == tokens[1]


def test_flash_decoding_is_near_the_trainers_passes(models, letters):
    model = models[1]
    sampler = FastSampler(model, letters, torch.bfloat16)
    [group] = sampler.sample([PROMPTS[0]], [list(range(64))], SamplingParams(30))
    responses = [list(rollout.tokens) for rollout in group]
    with torch.no_grad(), autocast(model, "bfloat16"):
        scores = packed_scores(model, [PROMPTS[0]] * len(group), responses).logprobs.cpu()
    gaps = [
        abs(a - b)
        for rollout, row in zip(group, scores.tolist(), strict=True)
        for a, b in zip(rollout.logprobs, row, strict=False)
    ]
    assert sum(gaps) / len(gaps) < 0.1
