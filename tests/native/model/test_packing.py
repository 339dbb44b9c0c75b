"""A packed row of several groups: who sees whom, and that nothing leaks through the padding."""

import copy

import pytest
import torch

from rewardkit.errors import ConfigError
from rewardkit_native.model import tables
from rewardkit_native.model.fused import share
from rewardkit_native.model.logprobs import packed_scores, padded_scores
from rewardkit_native.model.packing import enable_packing, pack, packed_attention
from rewardkit_native.model.tables import Rows, attend, bias_of

PROMPTS = [[5, 9, 3, 7], [5, 9, 3, 7], [8], [6, 2], [6, 2], [6, 2]]
RESPONSES = [[4, 6, 8, 1], [11], [9, 9, 9, 3, 12, 1], [7, 1], [30, 31, 1], [2]]


def test_every_prompt_stands_once_in_the_row():
    packed = pack(PROMPTS, RESPONSES)
    assert packed.ids.tolist() == [[5, 9, 3, 7, 8, 6, 2, *[t for r in RESPONSES for t in r]]]
    assert packed.attend.owner.tolist() == [0, 0, 1, 2, 2, 2]
    assert packed.positions[0, :12].tolist() == [0, 1, 2, 3, 0, 0, 1, 4, 5, 6, 7, 4]
    predictors = [packed.ids[0, i].item() for i in packed.before.tolist()]
    expected = [t for p, r in zip(PROMPTS, RESPONSES, strict=True) for t in [p[-1], *r[:-1]]]
    assert predictors == expected


def test_a_prompt_that_comes_back_later_is_read_again():
    packed = pack([[5, 9], [8], [5, 9]], [[1], [1], [1]])
    assert packed.attend.owner.tolist() == [0, 1, 2]


@torch.no_grad()
def test_several_groups_score_as_padded_rows_do(random_llama):
    packed = packed_scores(random_llama, PROMPTS, RESPONSES, 0.8)
    padded = padded_scores(random_llama, PROMPTS, RESPONSES, 0.8)
    torch.testing.assert_close(packed.logprobs, padded.logprobs, atol=1e-5, rtol=0)
    torch.testing.assert_close(packed.entropies, padded.entropies, atol=1e-4, rtol=0)


def gradient(model, scores):
    model.zero_grad()
    generator = torch.Generator().manual_seed(1)
    (scores.logprobs * torch.randn(scores.logprobs.shape, generator=generator)).sum().backward()
    found = torch.cat([p.grad.flatten() for p in model.parameters()])
    model.zero_grad()
    return found


def test_several_groups_have_the_gradient_of_padded_rows(random_llama):
    ours = gradient(random_llama, packed_scores(random_llama, PROMPTS, RESPONSES))
    theirs = gradient(random_llama, padded_scores(random_llama, PROMPTS, RESPONSES))
    assert (ours - theirs).norm() / theirs.norm() < 1e-5


def test_no_response_sees_another(random_llama):
    """Exchanging every other response for another of its length changes no bit of a score."""
    with torch.no_grad():
        one = packed_scores(random_llama, PROMPTS, RESPONSES).logprobs[2]
        others = [[3] * len(r) if i != 2 else r for i, r in enumerate(RESPONSES)]
        two = packed_scores(random_llama, PROMPTS, others).logprobs[2]
    assert torch.equal(one, two)


def test_rows_pad_and_cut_are_inverse_also_in_the_gradient():
    rows = Rows.of_lengths(torch.tensor([2, 1, 3]))
    flat = torch.arange(6.0).requires_grad_()
    table = rows.pad(flat)
    assert table.tolist() == [[0, 1, 0], [2, 0, 0], [3, 4, 5]]
    (rows.cut(table**2) * torch.arange(6)).sum().backward()
    assert flat.grad.tolist() == [2 * i * i for i in range(6)]


def test_what_several_rows_share_gets_the_sum_of_their_gradients():
    table = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]).requires_grad_()
    picked = share(table, torch.tensor([0, 2, 2, 0, 2]))
    assert picked.tolist() == [[1, 2], [5, 6], [5, 6], [1, 2], [5, 6]]
    (picked * torch.tensor([[1.0], [10.0], [100.0], [1000.0], [10000.0]])).sum().backward()
    assert table.grad.tolist() == [[1001, 1001], [0, 0], [10110, 10110]]


@pytest.fixture
def threads(request):
    before = torch.get_num_threads()
    torch.set_num_threads(request.param)
    yield
    torch.set_num_threads(before)


@pytest.mark.parametrize("sizes", [[40], [8] * 5], ids=["one group", "five groups"])
@pytest.mark.parametrize("threads", [2, 4], indirect=True)
def test_a_gradient_has_the_same_bits_however_threads_are_timed(random_llama, busy, threads, sizes):
    """Wide enough for threads to share each sum: below 32,768 numbers torch leaves it to one."""
    generator = torch.Generator().manual_seed(0)

    def tokens(count):
        return torch.randint(2, 40, (count,), generator=generator).tolist()

    prompts = [prompt for size in sizes for prompt in [tokens(60)] * size]
    responses = [tokens(30 + row % 7) for row in range(40)]
    first = gradient(random_llama, packed_scores(random_llama, prompts, responses))
    for _ in range(8):
        again = gradient(random_llama, packed_scores(random_llama, prompts, responses))
        assert torch.equal(first, again)


@pytest.mark.parametrize("short", [0, 10_000], ids=["fused", "written out"])
@pytest.mark.parametrize(("heads", "shared"), [(4, 4), (6, 2), (5, 1)])
def test_attention_is_softmax_of_what_is_seen(monkeypatch, heads, shared, short):
    monkeypatch.setattr(tables, "SHORT", short)
    torch.manual_seed(0)
    q = torch.randn(3, 5, heads, 8)
    k, v = torch.randn(2, 3, 7, shared, 8)
    sees = torch.rand(3, 5, 7) < 0.5
    sees[..., 0] = True
    for dtype, tolerance in ((torch.float32, 1e-6), (torch.bfloat16, 2e-2)):
        bias = bias_of(sees, dtype, heads // shared)
        found = attend(q.to(dtype), k.to(dtype), v.to(dtype), bias, 0.3)
        for head in range(heads):
            kh, vh = (x[:, :, head * shared // heads] for x in (k, v))
            scores = (q[:, :, head] @ kh.transpose(1, 2) * 0.3).masked_fill(~sees, -torch.inf)
            expected = scores.softmax(-1) @ vh
            assert (found[:, :, head].float() - expected).abs().max() < tolerance


def test_without_packing_the_model_is_what_it_was(random_llama):
    model = copy.deepcopy(random_llama)
    ids, mask = torch.randint(2, 40, (3, 9)), torch.ones(3, 9)
    mask[0, :4] = 0
    before = model(input_ids=ids, attention_mask=mask).logits
    enable_packing(model)
    assert torch.equal(model(input_ids=ids, attention_mask=mask).logits, before)
    greedy = model.generate(ids[1:], max_new_tokens=4, do_sample=False)
    assert torch.equal(greedy, random_llama.generate(ids[1:], max_new_tokens=4, do_sample=False))


@pytest.mark.parametrize("name", ["sliding_window", "softcap", "s_aux"])
def test_attention_that_a_packed_row_does_not_know_is_refused(name):
    x = torch.zeros(1, 2, 3, 4)
    with pytest.raises(ConfigError, match=rf"{name}; use --set optim\.layout=padded"):
        packed_attention(None, x, x, x, None, packing=pack([[1]], [[2]]), **{name: 4})
