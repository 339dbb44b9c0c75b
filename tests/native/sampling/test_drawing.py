import pytest
import torch

from rewardkit.sampling import SamplingParams
from rewardkit_native.sampling.drawing import BLOCK, LIKELY, draw, exponentials


def test_splitmix64_as_published():
    # The first outputs of splitmix64 from state 0, of the reference implementation.
    expected = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
    from rewardkit_native.sampling.drawing import _GOLDEN, _mix

    bits = _mix(torch.arange(1, 4) * _GOLDEN)
    assert [value % (1 << 64) for value in bits.tolist()] == expected


def test_exponentials_are_exponential_and_independent():
    values = exponentials(torch.arange(2000), 3, 50)
    assert values.mean().item() == pytest.approx(1, abs=0.02)  # six standard errors
    assert values.var().item() == pytest.approx(1, abs=0.06)
    assert (values < 0.1).float().mean().item() == pytest.approx(1 - 2.718281828**-0.1, abs=0.006)
    assert values.min() > 0
    correlations = torch.corrcoef(values.T) - torch.eye(50)
    assert correlations.abs().max() < 0.11  # five standard errors: places of one seed
    correlations = torch.corrcoef(values[:50]) - torch.eye(50)
    assert correlations.abs().max() < 0.7  # neighbouring seeds


def test_each_seed_step_and_place_has_its_own_numbers():
    seeds = torch.tensor([0, 1, 2, 2**62 + 1, 2**63 - 1])
    values = torch.stack([exponentials(seeds, step, 40) for step in range(30)])
    assert len(values.flatten().unique()) > values.numel() - 3  # float32 may round two alike
    # A row's numbers do not depend on the rows around it, nor on how many are asked for.
    torch.testing.assert_close(exponentials(seeds[2:3], 7, 20)[0], values[7, 2, :20])


def test_same_seed_and_step_give_the_same_token():
    logits = torch.randn(6, 1000)
    seeds = torch.arange(6)
    both = [draw(logits, seeds, 4, SamplingParams(1))[0] for _ in range(2)]
    assert torch.equal(*both)
    alone = [draw(logits[i : i + 1], seeds[i : i + 1], 4, SamplingParams(1))[0] for i in range(6)]
    assert torch.equal(torch.cat(alone), both[0])


@pytest.mark.parametrize("size", [3, BLOCK, BLOCK + 1, 3 * BLOCK - 5])
@pytest.mark.parametrize("temperature", [1.0, 0.6])
def test_frequencies_follow_the_distribution(size, temperature):
    torch.manual_seed(size)
    logits = 2 * torch.randn(size)
    count = 20_000
    params = SamplingParams(1, temperature=temperature)
    tokens, logprobs = draw(logits.expand(count, -1), torch.arange(count), 0, params)
    expected = (logits.double() / temperature).softmax(-1)
    shares = torch.bincount(tokens, minlength=size) / count
    error = (shares - expected) / (expected * (1 - expected) / count).sqrt().clamp(min=1e-4)
    assert error.abs().max() < 5.5  # standard errors
    torch.testing.assert_close(
        logprobs.double(), expected[tokens].log(), atol=1e-5, rtol=0, check_dtype=False
    )


def test_a_token_without_weight_is_never_drawn():
    logits = torch.full((1, 700), -torch.inf)
    logits[0, 300] = 0.0
    tokens, logprobs = draw(logits.expand(500, -1), torch.arange(500), 0, SamplingParams(1))
    assert tokens.unique().tolist() == [300]
    assert logprobs.unique().tolist() == [0.0]


def test_rounding_hardly_ever_changes_what_is_drawn():
    torch.manual_seed(0)
    logits = 3 * torch.randn(64, 8192)
    other = logits + 1e-5 * torch.randn_like(logits)
    different = 0
    for step in range(60):
        a, b = (draw(x, torch.arange(64), step, SamplingParams(1))[0] for x in (logits, other))
        different += int((a != b).sum())
    assert different <= 2  # of 3840; by inverting one cumulative distribution it would be some 30


def test_a_flat_row_beside_it_changes_no_nucleus():
    params = SamplingParams(1, top_p=0.9)
    torch.manual_seed(0)
    seeds = torch.arange(16)
    for _ in range(20):  # in bfloat16 there are many ties
        row = (torch.randn(1, 2000) * 3).bfloat16()
        alone, _ = draw(row.expand(16, -1), seeds, 0, params)
        flat = torch.zeros(1, 2000, dtype=torch.bfloat16)
        together = torch.cat([row.expand(16, -1), flat])
        beside, _ = draw(together, torch.cat([seeds, torch.tensor([99])]), 0, params)
        assert alone.tolist() == beside[:16].tolist()


def test_zero_temperature_takes_the_likeliest():
    logits = torch.tensor([[0.0, 2.0, 1.0], [3.0, 2.0, 1.0]])
    tokens, logprobs = draw(logits, torch.arange(2), 0, SamplingParams(1, temperature=0))
    assert tokens.tolist() == [1, 0]
    torch.testing.assert_close(logprobs, logits.log_softmax(-1).amax(-1))


@pytest.mark.parametrize(
    ("params", "allowed"),
    [
        (SamplingParams(1, top_k=1), {1}),
        (SamplingParams(1, top_k=2), {1, 2}),
        (SamplingParams(1, top_p=0.45), {1}),  # .5 reaches it alone
        (SamplingParams(1, top_p=0.55), {1, 2}),
        (SamplingParams(1, top_p=0.85), {0, 1, 2}),
        (SamplingParams(1, top_p=0.6, top_k=2), {1}),  # of .8 that are left, .5 is .625
    ],
)
def test_top_k_and_top_p_cut_the_tail(params, allowed):
    logits = torch.tensor([[0.15, 0.5, 0.3, 0.05]]).log().repeat(300, 1)
    tokens, logprobs = draw(logits, torch.arange(300), 0, params)
    assert set(tokens.tolist()) == allowed
    # The log-probability stays that of the uncut distribution, which the trainer computes.
    torch.testing.assert_close(logprobs, logits[0, tokens])


@pytest.mark.parametrize("spread", [0.01, 1.0, 6.0])  # flat: nearly all tokens are needed
@pytest.mark.parametrize("top_p", [0.3, 0.9, 0.999])
def test_the_nucleus_is_the_least_set_that_reaches_top_p(spread, top_p):
    torch.manual_seed(0)
    size, count = 3 * LIKELY, 5000
    logits = spread * torch.randn(size)
    params = SamplingParams(1, top_p=top_p)
    tokens, _ = draw(logits.expand(count, -1), torch.arange(count), 0, params)
    ordered, order = logits.double().softmax(-1).sort(descending=True)
    needed = int((ordered.cumsum(-1) < top_p).sum()) + 1
    drawn = set(tokens.tolist())
    assert drawn <= set(order[: needed + 1].tolist())  # one more where rounding decides
    likely = ordered[: needed - 1] > 0.005
    assert drawn >= set(order[: needed - 1][likely].tolist())
