"""Packed attention as GPUs do it: the numbers of the other layouts, and memory without a mask."""

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.autograd.graph import saved_tensors_hooks
from transformers import LlamaConfig, LlamaForCausalLM

from rewardkit_native.model import packing, sequences
from rewardkit_native.model.logprobs import packed_scores, padded_scores
from rewardkit_native.model.sequences import Sequences, flash

PROMPTS = [[5, 9, 3, 7], [5, 9, 3, 7], [8], [6, 2], [6, 2], [6, 2]]
RESPONSES = [[4, 6, 8, 1], [11], [9, 9, 9, 3, 12, 1], [7, 1], [30, 31, 1], [2]]


@pytest.fixture
def as_on_a_gpu(monkeypatch):
    """Let rows be packed as they are on a GPU, on this CPU."""
    monkeypatch.setattr(packing, "attention_on", lambda _, *lengths: Sequences.of_lengths(*lengths))


def test_each_response_is_a_sequence_behind_its_prompt():
    made = Sequences.of_lengths([2, 1], [1, 2, 3], [0, 0, 1])
    assert made.queries == (2, 1, 1, 2, 3)
    assert made.keys == (2, 1, 3, 4, 4)
    assert made.query_ends.tolist() == [0, 2, 3, 4, 6, 9]
    assert made.key_ends.tolist() == [0, 2, 3, 6, 10, 14]
    of_responses = [0, 1, 3], [0, 1, 4, 5], [2, 6, 7, 8]
    assert made.picked.tolist() == [0, 1, 2, *(i for places in of_responses for i in places)]


def written_out(q, k, v, made, scaling):
    """The same by one softmax a sequence and head, seen from the last key backwards."""
    rows = []
    for i, (queries, keys) in enumerate(zip(made.queries, made.keys, strict=True)):
        start, stop = made.key_ends[i : i + 2].tolist()
        places = made.picked[start:stop]
        query = q[made.query_ends[i] : made.query_ends[i + 1]]
        seen = torch.ones(queries, keys, dtype=torch.bool).tril(keys - queries)
        for head in range(q.shape[1]):
            shared = head * k.shape[1] // q.shape[1]
            scores = query[:, head] @ k[places, shared].T * scaling
            weights = scores.masked_fill(~seen, -torch.inf).softmax(-1)
            rows.append(weights @ v[places, shared])
    parts = [torch.stack(rows[i : i + q.shape[1]], 1) for i in range(0, len(rows), q.shape[1])]
    return torch.cat(parts)


@pytest.mark.parametrize(("heads", "shared"), [(4, 4), (6, 2), (5, 1)])
def test_it_is_softmax_of_what_is_before_a_token(heads, shared):
    torch.manual_seed(0)
    made = Sequences.of_lengths([3, 2], [4, 1, 5], [0, 0, 1])
    q, k, v = torch.randn(15, heads, 8), torch.randn(15, shared, 8), torch.randn(15, shared, 6)
    expected = written_out(q, k, v, made, 0.3)
    torch.testing.assert_close(made(q, k, v, 0.3), expected, atol=1e-6, rtol=0)


def test_the_flash_kernel_is_asked_for_just_that(monkeypatch):
    """What it is called with means, by torch's own words, what is written out above."""
    torch.manual_seed(0)
    made = Sequences.of_lengths([3, 2], [4, 1, 5], [0, 0, 1])
    q, k, v = torch.randn(15, 6, 8), torch.randn(15, 2, 8), torch.randn(15, 2, 8)

    def kernel(q, k, v, q_ends, k_ends, most_q, most_k, *, scale, window_size, enable_gqa):
        assert (most_q, most_k, window_size, enable_gqa) == (5, 7, (-1, 0), True)
        assert q_ends.dtype == k_ends.dtype == torch.int32
        queries, keys = q_ends.diff().tolist(), k_ends.diff().tolist()
        plain = Sequences(made.picked, tuple(queries), tuple(keys), q_ends, k_ends)
        return plain._one_by_one(q, k, v, scale)

    monkeypatch.setattr(sequences, "fits_flash", lambda *_: True)
    monkeypatch.setattr(sequences, "flash", lambda: kernel)
    expected = written_out(q, k, v, made, 0.3)
    torch.testing.assert_close(made(q, k, v, 0.3), expected, atol=1e-6, rtol=0)


def test_a_kernel_without_grouped_heads_is_given_each_head_its_own(monkeypatch, set_torchs_kernel):
    """As torch 2.11 has it, which is what GPUs are told to install beside verl."""
    torch.manual_seed(0)
    made = Sequences.of_lengths([3, 2], [4, 1, 5], [0, 0, 1])
    q, k, v = torch.randn(15, 6, 8), torch.randn(15, 2, 8), torch.randn(15, 2, 8)

    def of_torch_2_11(q, k, v, q_ends, k_ends, most_q, most_k, *, scale=None, window_size=(-1, -1)):
        assert q.shape[1:] == k.shape[1:] == v.shape[1:]
        assert window_size == (-1, 0)
        return made._one_by_one(q, k, v, scale)

    set_torchs_kernel(of_torch_2_11)
    monkeypatch.setattr(sequences, "fits_flash", lambda *_: True)
    expected = written_out(q, k, v, made, 0.3)
    torch.testing.assert_close(made(q, k, v, 0.3), expected, atol=1e-6, rtol=0)
    assert flash("seqused_k") is None


def test_a_kernel_that_takes_no_scale_is_none(set_torchs_kernel):
    """As torch 2.10 has it."""
    set_torchs_kernel(lambda q, k, v, *ends, is_causal=False, return_aux=None: None)
    assert flash() is None


def gradient(model, scores):
    generator = torch.Generator().manual_seed(1)
    (scores.logprobs * torch.randn(scores.logprobs.shape, generator=generator)).sum().backward()
    found = torch.cat([p.grad.flatten() for p in model.parameters()])
    model.zero_grad()
    return found


def test_scores_and_gradients_are_those_of_both_other_layouts(random_llama, monkeypatch):
    found = []
    for score in (padded_scores, packed_scores):
        scores = score(random_llama, PROMPTS, RESPONSES, 0.8)
        found.append((scores.logprobs.detach(), gradient(random_llama, scores)))
    monkeypatch.setattr(packing, "attention_on", lambda _, *lengths: Sequences.of_lengths(*lengths))
    scores = packed_scores(random_llama, PROMPTS, RESPONSES, 0.8)
    ours = gradient(random_llama, scores)
    for logprobs, theirs in found:
        torch.testing.assert_close(scores.logprobs, logprobs, atol=1e-5, rtol=0)
        assert (ours - theirs).norm() / theirs.norm() <= 1e-6


def kept_bytes(model, lengths):
    """What a simulated pass over responses of these lengths, one prompt each, keeps."""
    prompts, responses = [[5] * 20] * len(lengths), [[7] * length for length in lengths]
    row = packing.pack(prompts, responses)
    kept = {}

    def keep(tensor):
        storage = tensor.untyped_storage()
        kept[storage._cdata] = storage
        return tensor

    with FakeTensorMode(allow_non_fake_inputs=True), saved_tensors_hooks(keep, lambda t: t):
        packing.packed_hidden(model, row).sum().backward()
    return sum(storage.nbytes() for storage in kept.values())


@pytest.mark.usefixtures("as_on_a_gpu")
def test_memory_grows_with_the_tokens_and_not_with_their_square(monkeypatch):
    assert flash() is not None
    monkeypatch.setattr(sequences, "fits_flash", lambda *_: True)
    config = LlamaConfig(
        vocab_size=100,
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=8,
        num_key_value_heads=2,
    )
    with FakeTensorMode(allow_non_fake_inputs=True):
        model = LlamaForCausalLM._from_config(config, dtype=torch.bfloat16)
    one, uneven, ten = (kept_bytes(model, n) for n in ([600], [300] + [60] * 5, [60] * 10))
    assert one == pytest.approx(ten, rel=0.35)  # ten prompts have ten times the prompt's tokens
    assert uneven == pytest.approx(one, rel=0.2)
