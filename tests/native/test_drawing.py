import pytest
import torch

from rewardkit.sampling import SamplingParams
from rewardkit_native.drawing import BLOCK, LIKELY, draw, uniforms


def test_draw_inverts_the_cumulative_distribution():
    logits = torch.tensor([[0.2, 0.5, 0.3]]).log().repeat(5, 1)
    uniform = torch.tensor([0.0, 0.19, 0.21, 0.69, 0.71])
    tokens, logprobs = draw(logits, uniform, SamplingParams(1))
    assert tokens.tolist() == [0, 0, 1, 1, 2]
    torch.testing.assert_close(logprobs.exp(), torch.tensor([0.2, 0.2, 0.5, 0.5, 0.3]))


def test_draw_never_lands_on_a_token_without_weight():
    logits = torch.tensor([[0.0, 0.0, -torch.inf, -torch.inf]])
    tokens, _ = draw(logits, torch.tensor([1 - 2**-25]), SamplingParams(1))
    assert tokens.item() == 1


@pytest.mark.parametrize(
    ("params", "allowed"),
    [
        (SamplingParams(1, top_k=1), {1}),
        (SamplingParams(1, top_k=2), {1, 2}),
        (SamplingParams(1, top_p=0.45), {1}),  # .5 reaches it alone
        (SamplingParams(1, top_p=0.55), {1, 2}),
        (SamplingParams(1, top_p=0.85), {0, 1, 2}),
    ],
)
def test_top_k_and_top_p_cut_the_tail(params, allowed):
    logits = torch.tensor([[0.15, 0.5, 0.3, 0.05]]).log().repeat(200, 1)
    tokens, logprobs = draw(logits, torch.linspace(0, 0.999, 200), params)
    assert set(tokens.tolist()) == allowed
    # The log-probability stays that of the uncut distribution, which the trainer computes.
    torch.testing.assert_close(logprobs, logits[0, tokens])


def test_frequencies_follow_the_distribution():
    probabilities = torch.tensor([0.1, 0.6, 0.3])
    uniform = uniforms(range(4000), 1)[:, 0]
    tokens, _ = draw(probabilities.log().repeat(4000, 1), uniform, SamplingParams(1))
    shares = torch.bincount(tokens, minlength=3) / 4000
    assert (shares - probabilities).abs().max() < 0.03  # four standard errors


@pytest.mark.parametrize("size", [7, BLOCK, BLOCK + 1, 5 * BLOCK - 3])
def test_blocks_find_the_token_that_one_long_cumulative_sum_finds(size):
    torch.manual_seed(0)
    logits = 3 * torch.randn(500, size)
    uniform = torch.rand(500)
    tokens, logprobs = draw(logits, uniform, SamplingParams(1, temperature=0.7))
    expected = (logits.double() / 0.7).log_softmax(-1)
    cumulative = expected.exp().cumsum(-1)
    at = torch.searchsorted(cumulative, uniform.double()[:, None], right=True)[:, 0]
    # A uniform within rounding of a border may fall on either side of it.
    border = (cumulative - uniform.double()[:, None]).abs().amin(-1) < 1e-6
    assert torch.equal(tokens[~border], at[~border])
    assert border.sum() < 5
    torch.testing.assert_close(
        logprobs.double(), expected.gather(-1, tokens[:, None])[:, 0], atol=1e-5, rtol=0
    )


@pytest.mark.parametrize("spread", [0.01, 1.0, 6.0])  # flat: nearly all tokens are needed
@pytest.mark.parametrize("top_p", [0.3, 0.9, 0.999])
def test_the_nucleus_is_the_least_set_that_reaches_top_p(spread, top_p):
    torch.manual_seed(0)
    size = 3 * LIKELY
    logits = spread * torch.randn(size)
    uniform = torch.linspace(0, 0.9999, 20_000)
    params = SamplingParams(1, top_p=top_p)
    tokens, _ = draw(logits.expand(len(uniform), -1), uniform, params)
    ordered, order = logits.double().softmax(-1).sort(descending=True)
    needed = int((ordered.cumsum(-1) < top_p).sum()) + 1
    drawn = set(tokens.tolist())
    assert drawn <= set(order[: needed + 1].tolist())  # one more where rounding decides
    if spread == 6.0:
        likely = ordered[: needed - 1] > 1e-3
        assert drawn >= set(order[: needed - 1][likely].tolist())
