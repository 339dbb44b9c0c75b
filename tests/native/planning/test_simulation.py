from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.distributed._tools.mem_tracker import MemTracker
from torch.nn import functional

from rewardkit.config import RunConfig, config_from
from rewardkit.planning.fake_gpu import fake_device
from rewardkit.planning.ledger import (
    CACHE,
    COPIES,
    GRADIENTS,
    OPTIMISER,
    PARAMETERS,
    REFERENCE,
    Ledger,
    Peak,
)
from rewardkit.planning.model import teacher_config
from rewardkit.recipes import GKD, OPD
from rewardkit_native.planning.simulation import Case, simulate

HIDDEN, LAYERS, VOCABULARY = 64, 3, 512
MATRICES = LAYERS * (HIDDEN * (64 + 32 + 32 + 64) + 3 * HIDDEN * 128)
"""Weights of the layers' products."""


def small() -> Any:
    from transformers import LlamaConfig

    return LlamaConfig(
        hidden_size=HIDDEN,
        intermediate_size=128,
        num_hidden_layers=LAYERS,
        num_attention_heads=4,
        num_key_value_heads=2,
        vocab_size=VOCABULARY,
        tie_word_embeddings=False,
    )


def run(kl: float = 0.0, **optim: object) -> RunConfig:
    return config_from(
        {
            "folder": "x",
            "steps": 1,
            "recipe": {"name": "grpo", "kl_coef": kl, "minibatches": 1},
            "sampling": {"problems": 8, "group_size": 4, "max_tokens": 100},
            "optim": {"tokens_per_micro_batch": 512, **optim},
        }
    )


def weights() -> int:
    """Bytes of the float32 weights, counted by hand."""
    attention = HIDDEN * (64 + 32 + 32 + 64)
    return 4 * (2 * VOCABULARY * HIDDEN + LAYERS * (attention + 3 * HIDDEN * 128 + 2 * HIDDEN) + 64)


@pytest.fixture(scope="module")
def one() -> dict[str, Peak]:
    return simulate(Case(run(), small(), "cuda", 1, prompt_tokens=20, slots=(4, 8)))


@pytest.fixture(scope="module")
def eight() -> dict[str, Peak]:
    return simulate(Case(run(kl=0.1), small(), "cuda", 8, prompt_tokens=20, slots=(4,)))


def test_an_update_holds_weights_gradients_and_two_moments(one: dict[str, Peak]) -> None:
    held = one["update"].kinds
    assert held[PARAMETERS] == pytest.approx(weights(), rel=0.02)
    assert held[OPTIMISER] == pytest.approx(2 * weights(), rel=0.02)
    assert held[GRADIENTS] == pytest.approx(weights(), rel=0.02)
    assert one["update"].total == sum(held.values())


def test_of_eight_ranks_each_holds_an_eighth(eight: dict[str, Peak]) -> None:
    held = eight["update"].kinds
    assert held[PARAMETERS] == pytest.approx(weights() / 8, rel=0.05)
    assert held[OPTIMISER] == pytest.approx(weights() / 4, rel=0.05)


def test_the_reference_is_there_for_the_scores_alone(eight: dict[str, Peak]) -> None:
    held = eight["score"].kinds[REFERENCE]
    assert held == pytest.approx((weights() - 2 * MATRICES) / 8, rel=0.1)  # in bfloat16
    for phase in ("resume", "sample in 4", "update"):
        assert REFERENCE not in eight[phase].kinds, phase


def test_resuming_holds_a_slice_of_the_trainer_and_the_samplers_copy(
    eight: dict[str, Peak],
) -> None:
    held = eight["resume"].kinds
    assert held[OPTIMISER] == pytest.approx(weights() / 4, rel=0.05)
    embedding = 4 * VOCABULARY * HIDDEN
    copy = embedding + embedding / 2 + 2 * MATRICES  # the embedding alone stays in float32
    assert eight["sample in 4"].kinds[COPIES] == pytest.approx(copy, rel=0.02)
    # While a weight is gathered it is there twice, in float32.
    assert held[COPIES] <= copy + 2 * embedding


def test_the_samplers_cache_has_room_for_the_longest_response_of_each_row(
    one: dict[str, Peak],
) -> None:
    row = (20 + 100) * LAYERS * 2 * 2 * 16 * 2  # tokens, layers, keys and values of 2 heads of 16
    for slots in (4, 8):
        assert one[f"sample in {slots}"].kinds[CACHE] == pytest.approx(slots * row, rel=0.05)


def test_recomputing_the_layers_saves_what_they_keep(one: dict[str, Peak]) -> None:
    case = Case(run(activation_checkpointing=True), small(), "cuda", 1, prompt_tokens=20)
    assert simulate(case)["update"].total < one["update"].total


def test_nothing_is_left_behind_in_torch(one: dict[str, Peak]) -> None:
    assert torch.zeros(2).device.type == "cpu"
    assert not torch.is_autocast_enabled("cuda")
    assert not torch.distributed.is_initialized()


def test_the_ledger_counts_as_torchs_own_tracker_does() -> None:
    def work(x: Tensor) -> None:
        y = functional.linear(x, x).relu()
        (y @ y.T).softmax(-1).sum()

    ledger, tracker = Ledger(), MemTracker()
    with fake_device("cpu", ledger) as fakes:
        with fakes:
            x = torch.empty(256, 128)
        ledger.enter(x)
        with ledger.phase("work"):
            work(x)
    with fakes, tracker:
        work(torch.empty(256, 128))
    theirs = tracker.get_tracker_snapshot("peak")[torch.device("cpu")]["Total"]
    assert ledger.peaks["work"].total == theirs


def test_attention_never_writes_its_scores_out() -> None:
    ledger = Ledger()
    with fake_device("cuda", ledger) as fakes:
        with fakes:
            q = torch.empty(1, 4, 4096, 64)
        with ledger.phase("attention"):
            functional.scaled_dot_product_attention(q, q, q, is_causal=True)
    assert ledger.peaks["attention"].total < 4 * 4096 * 64 * 4 * 2


def test_a_teacher_counts_as_large_as_it_is() -> None:
    config = replace(run(), recipe=GKD, model=replace(run().model, teacher="larger"))
    teachers = small(), small()
    teachers[1].hidden_size, teachers[1].num_hidden_layers = 2 * HIDDEN, 2 * LAYERS
    alike, larger = (
        simulate(Case(config, small(), "cuda", 1, prompt_tokens=20, teacher=teacher))
        for teacher in teachers
    )
    assert larger["update"].kinds[REFERENCE] > 2 * alike["update"].kinds[REFERENCE]


def test_a_teacher_behind_a_server_takes_no_memory() -> None:
    model = replace(run().model, teacher="http://localhost:8000/v1#m")
    config = replace(run(), recipe=OPD, model=model)
    assert teacher_config(config) is None
    peaks = simulate(Case(config, small(), "cuda", 1, prompt_tokens=20))
    assert not any(peak.kinds.get(REFERENCE) for peak in peaks.values())
