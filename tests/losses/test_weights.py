"""Aggregations: by hand, and against the formula written out."""

import pytest
import torch

from rewardkit.errors import ConfigError, UnknownNameError
from rewardkit.losses import AGGREGATIONS, BatchTotals, sequence_weights

LENGTHS = torch.tensor([2, 6, 4, 4])
GROUPS = torch.tensor([5, 5, -3, -3])


@pytest.mark.parametrize(
    ("name", "options", "expected"),
    [
        ("seq-mean-token-mean", {}, [1 / 8, 1 / 24, 1 / 16, 1 / 16]),
        ("token-mean", {}, [1 / 16] * 4),
        ("prompt-mean", {}, [1 / 16] * 4),
        ("constant", {"constant": 10}, [1 / 40] * 4),
        ("seq-mean-token-sum", {}, [1 / 4] * 4),
        ("token-sum", {}, [1.0] * 4),
        ("bnpo", {"micro_batches": torch.tensor([0, 1, 1, 1])}, [1 / 4, 1 / 28, 1 / 28, 1 / 28]),
    ],
)
def test_by_hand(name, options, expected):
    found = sequence_weights(name, LENGTHS, GROUPS, **options)
    assert found.dtype == torch.float64
    assert found.tolist() == pytest.approx(expected, abs=1e-15)


def test_prompt_mean_differs_from_token_mean_when_groups_differ_in_length():
    lengths = torch.tensor([1, 1, 4, 4])
    found = sequence_weights("prompt-mean", lengths, GROUPS)
    assert found.tolist() == [1 / 4, 1 / 4, 1 / 16, 1 / 16]


def test_bnpo_is_the_token_mean_of_one_micro_batch_and_grpo_of_single_ones():
    whole = sequence_weights("bnpo", LENGTHS, micro_batches=torch.zeros(4, dtype=torch.int64))
    single = sequence_weights("bnpo", LENGTHS, micro_batches=torch.arange(4))
    assert torch.equal(whole, sequence_weights("token-mean", LENGTHS))
    assert torch.equal(single, sequence_weights("seq-mean-token-mean", LENGTHS))


@pytest.mark.parametrize("name", sorted(set(AGGREGATIONS) - {"token-sum", "bnpo"}))
def test_two_ranks_with_totals_are_one_batch(name):
    whole = sequence_weights(name, LENGTHS, GROUPS, constant=7)
    totals = BatchTotals(sequences=4, tokens=16, groups=2)
    ranks = [
        sequence_weights(name, LENGTHS[part], GROUPS[part], constant=7, totals=totals)
        for part in (slice(0, 2), slice(2, 4))
    ]
    assert torch.equal(torch.cat(ranks), whole)


@pytest.mark.parametrize("name", sorted(AGGREGATIONS))
def test_a_sequence_without_tokens_has_no_weight(name):
    found = sequence_weights(
        name,
        torch.tensor([0, 3, 2, 1]),
        GROUPS,
        constant=7,
        micro_batches=torch.tensor([0, 0, 1, 1]),
    )
    assert found[0] == 0
    assert (found[1:] > 0).all()


@pytest.mark.parametrize("name", sorted(AGGREGATIONS))
def test_empty_sequences_and_empty_batches_make_no_nan(name):
    for lengths in (torch.tensor([0, 3, 0, 0]), torch.zeros(4, dtype=torch.int64)):
        found = sequence_weights(
            name, lengths, GROUPS, constant=7, micro_batches=torch.tensor([0, 0, 1, 1])
        )
        assert found.isfinite().all()


def test_a_masked_sequence_still_counts_as_one_of_the_batch():
    found = sequence_weights("seq-mean-token-mean", torch.tensor([4, 0]))
    assert found.tolist() == [1 / 8, 0]


def test_what_is_missing_is_named():
    with pytest.raises(ConfigError, match="`constant`"):
        sequence_weights("constant", LENGTHS, GROUPS)
    with pytest.raises(ConfigError, match="`groups`"):
        sequence_weights("prompt-mean", LENGTHS)
    with pytest.raises(ConfigError, match="`micro_batches`"):
        sequence_weights("bnpo", LENGTHS)
    with pytest.raises(UnknownNameError, match="did you mean token-mean"):
        sequence_weights("token_mean", LENGTHS)
