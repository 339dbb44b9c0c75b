"""Log-probabilities block by block are those of all logits at once, and so is their gradient."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from rewardkit.losses import DIVERGENCES, divergence
from rewardkit_native.model.head import Head, sum_pi_squared, token_divergences, token_scores


class Model:
    """No more of a model than its head."""

    def __init__(self, vocabulary, size, bias, dtype=torch.float32):
        self.head = torch.nn.Linear(size, vocabulary, bias=bias, dtype=dtype)

    def get_output_embeddings(self):
        return self.head


def plainly(model, hidden, targets, temperature):
    logprobs = (model.head(hidden) / temperature).log_softmax(-1)
    entropies = -(logprobs.exp() * logprobs).sum(-1)
    return logprobs.gather(-1, targets[:, None])[:, 0], entropies


def with_gradients(score, model, hidden, weights, of_entropies=None):
    """Values, and the gradients of Σ w log π (+ Σ u H) in the states and the head."""
    hidden = hidden.clone().requires_grad_()
    model.head.zero_grad()
    logprobs, entropies = score(hidden)
    total = (logprobs * weights).sum()
    if of_entropies is not None:
        total = total + (entropies * of_entropies).sum()
    total.backward()
    return [logprobs, entropies, hidden.grad, *(p.grad.clone() for p in model.head.parameters())]


@pytest.mark.parametrize("bias", [False, True])
@settings(deadline=None, max_examples=15)
@given(
    tokens=st.integers(1, 40),
    block=st.integers(1, 50),
    temperature=st.sampled_from([1.0, 0.6, 1.7]),
    seed=st.integers(0, 999),
    bonus=st.booleans(),
)
def test_blocks_change_neither_values_nor_gradients(bias, tokens, block, temperature, seed, bonus):
    torch.manual_seed(seed)
    model = Model(97, 12, bias)
    hidden, targets = 3 * torch.randn(tokens, 12), torch.randint(97, (tokens,))
    weights = torch.randn(tokens), torch.randn(tokens) if bonus else None
    found = with_gradients(
        lambda h: token_scores(model, h, targets, temperature, block), model, hidden, *weights
    )
    expected = with_gradients(
        lambda h: plainly(model, h, targets, temperature), model, hidden, *weights
    )
    for ours, theirs in zip(found, expected, strict=True):
        assert (ours - theirs).norm() <= 1e-6 * theirs.norm() + 1e-7


@pytest.mark.parametrize("probability", [0.5, 0.98, 0.999])
def test_a_nearly_certain_token_keeps_its_gradient_in_bfloat16(probability):
    torch.manual_seed(0)
    model = Model(50, 8, bias=False)
    hidden, targets = torch.randn(64, 8), torch.randint(50, (64,))
    with torch.no_grad():
        model.head.weight.copy_(torch.nn.functional.normalize(model.head.weight))
        toward = model.head.weight[targets]
        for _ in range(400):  # until the targets are about as likely as asked
            p = model.head(hidden).softmax(-1).gather(-1, targets[:, None])
            hidden += (p < probability) * 0.1 * toward
    hidden = hidden.bfloat16().float()
    with torch.autocast("cpu", torch.bfloat16):
        found = with_gradients(
            lambda h: token_scores(model, h, targets, 1.0, 64), model, hidden, torch.ones(64)
        )
    logits = (hidden.bfloat16() @ model.head.weight.bfloat16().T).float()
    off = torch.nn.functional.one_hot(targets, 50) - logits.softmax(-1)
    expected = off @ model.head.weight.bfloat16().float()
    assert (found[2] - expected).norm() < 0.02 * expected.norm()


def test_gradient_is_that_of_finite_differences():
    torch.manual_seed(0)
    model = Model(7, 3, bias=True, dtype=torch.float64)
    targets = torch.tensor([6, 0, 3, 3])
    hidden = torch.randn(4, 3, dtype=torch.float64, requires_grad=True)
    for block in (3, 4):  # computed again, and kept
        for which in (slice(0, 1), slice(1, 2), slice(0, 2)):
            assert torch.autograd.gradcheck(
                lambda h, block=block, which=which: token_scores(model, h, targets, 0.7, block)[
                    which
                ],
                hidden,
            )


def test_backward_may_run_again():
    """What the first pass kept it has overwritten; the second computes it anew."""
    model = Model(9, 4, bias=False)
    hidden = torch.randn(5, 4, requires_grad=True)
    logprobs, _ = token_scores(model, hidden, torch.arange(5), 1.0, 8)
    first, second = (
        torch.autograd.grad(logprobs.sum(), hidden, retain_graph=True)[0] for _ in range(2)
    )
    torch.testing.assert_close(first, second)


def test_frozen_head_gets_no_gradient():
    model = Model(9, 4, bias=False)
    model.head.requires_grad_(False)
    hidden = torch.randn(5, 4, requires_grad=True)
    token_scores(model, hidden, torch.arange(5), 1.0, 2)[0].sum().backward()
    assert model.head.weight.grad is None
    assert hidden.grad.any()


def test_under_autocast_the_gradient_is_near_and_in_the_master_types():
    torch.manual_seed(0)
    model = Model(97, 32, bias=False)
    hidden, targets, weights = torch.randn(20, 32), torch.randint(97, (20,)), torch.randn(20)

    def score(h):
        with torch.autocast("cpu", torch.bfloat16):
            return token_scores(model, h, targets, 1.0, 8)

    for bonus in (None, torch.randn(20)):
        found = with_gradients(score, model, hidden, weights, bonus)
        expected = with_gradients(
            lambda h: plainly(model, h, targets, 1.0), model, hidden, weights, bonus
        )
        for ours, theirs in zip(found, expected, strict=True):
            assert ours.dtype is torch.float32
            assert (ours - theirs).norm() < 0.01 * theirs.norm()


@pytest.mark.parametrize("block", [2, 64])
def test_sum_of_squares_is_that_of_the_softmax(block):
    torch.manual_seed(0)
    model, hidden = Model(97, 12, bias=True), 3 * torch.randn(5, 12)
    expected = (model.head(hidden) / 0.7).softmax(-1).square().sum(-1)
    torch.testing.assert_close(sum_pi_squared(model, hidden, 0.7, block), expected)


@pytest.mark.parametrize("kind", DIVERGENCES)
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("block", [3, 100])
def test_a_divergence_in_blocks_is_that_of_all_logits(kind, bias, block):
    torch.manual_seed(0)
    model, teacher = Model(97, 12, bias, torch.float64), Model(97, 5, bias, torch.float64)
    hidden = torch.randn(20, 12, dtype=torch.float64, requires_grad=True)
    states, weights = (torch.randn(*shape, dtype=torch.float64) for shape in ((20, 5), (20,)))
    said = Head(states, teacher.head.weight.detach(), teacher.head.bias)
    found = token_divergences(model, hidden, said, 0.7, block, kind, {"top": 9})
    (found * weights).sum().backward()
    logits = model.head(hidden) / 0.7
    expected = divergence(kind, logits, teacher.head(states) / 0.7, top=9)
    assert torch.allclose(found, expected.value)
    leaves = hidden, *model.head.parameters()
    gradients = [leaf.grad.clone() for leaf in leaves]
    for ours, theirs in zip(
        gradients,
        torch.autograd.grad(logits, leaves, expected.gradient * weights[:, None]),
        strict=True,
    ):
        assert torch.allclose(ours, theirs)


def test_a_divergence_is_nearly_as_exact_in_bfloat16():
    torch.manual_seed(0)
    model, teacher = Model(300, 16, False), Model(300, 16, False)
    hidden, states = torch.randn(2, 40, 16)
    said = Head(states, teacher.head.weight.detach(), None)
    exact = token_divergences(model, hidden, said, 1.0, 64, "jsd", {})
    with torch.autocast("cpu", torch.bfloat16):
        rounded = token_divergences(model, hidden, said, 1.0, 64, "jsd", {})
    assert rounded.dtype == torch.float32
    assert (rounded - exact).norm() <= 0.01 * exact.norm()
