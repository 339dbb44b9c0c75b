"""What the CPU's tests show, on a GPU: `pytest -m gpu`. The command that measures, in small."""

import runpy
import sys
from pathlib import Path

import pytest
import torch

from rewardkit_native.model.logprobs import packed_scores, padded_scores
from rewardkit_native.planning import simulation

ROOT = Path(__file__).parents[2]
PROMPTS = [[5, 6, 7], [5, 6, 7], [8, 9]]
RESPONSES = [[10, 11, 12, 13], [14], [15, 16, 17]]


@pytest.fixture(scope="module")
def bench():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "benchmarks")
        yield runpy.run_path(str(ROOT / "benchmarks" / "gpu.py"))


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")
def test_packed_and_padded_rows_score_alike(bench):
    model = bench["made"](bench["shape"]("0.5B"), "cuda")
    with torch.no_grad():
        padded = padded_scores(model, PROMPTS, RESPONSES).logprobs
        packed = packed_scores(model, PROMPTS, RESPONSES).logprobs
        with torch.autocast("cuda", torch.bfloat16):
            low = packed_scores(model, PROMPTS, RESPONSES).logprobs
    assert torch.allclose(packed, padded, atol=2e-2)  # TF32 may be on
    assert torch.allclose(low, padded, atol=0.3)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")
def test_an_update_holds_what_is_planned(bench):
    from rewardkit.config import config_from

    config = config_from(
        {
            "folder": "x",
            "steps": 1,
            "recipe": {"name": "grpo", "kl_coef": 0.0, "minibatches": 1},
            "model": {"device": "cuda"},
            "sampling": {"problems": 2, "group_size": 8, "max_tokens": 512},
        }
    )
    case = simulation.Case(config, bench["shape"]("0.5B"), "cuda", 1, 64)
    said = simulation.simulate(case)["update"].total
    torch.cuda.reset_peak_memory_stats()
    simulation.once(case)
    assert said == pytest.approx(torch.cuda.max_memory_allocated(), rel=0.15)


def test_the_limits_are_those_of_the_arithmetic(bench):
    """Weights of 2 bytes once a step; 2 layers x 2 heads x 16 numbers, as key and value, a token."""
    tiny = bench["shape"]("tiny")
    weights = 512 * 64 + 64 + 2 * (64 * 64 + 64 + 2 * (64 * 32 + 32) + 64 * 64 + 3 * 64 * 128 + 128)
    assert bench["parameters"](tiny) == weights
    step = 2 * weights + 64 * (64 + 16 / 2) * 256
    assert bench["most_tokens"](tiny, 64, 16, 1e9) == pytest.approx(64e9 / step)
    assert bench["operations"](tiny, 2, 10) == 20 * (6 * weights + 12 * 2 * 64 * (64 + 10 / 2))


def test_without_trl_the_command_says_so(bench, monkeypatch, tmp_path):
    asked = []
    monkeypatch.setattr("gpu_runs.find_spec", lambda _: None)
    monkeypatch.setattr("gpu_runs.one_side", lambda side, *_: asked.append(side) or "no memory")
    monkeypatch.setitem(bench["steps"].__globals__, "save_random", lambda *_: "somewhere")
    said = [*bench["steps"]("tiny", "cpu", bench["SMALL"], bench["Limits"](1.0, 1.0), tmp_path)]
    assert asked == ["native"]
    assert said[0] == "tiny step of native: failed, no memory"
    assert "TRL is not installed here" in said[1]


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")
def test_a_killed_run_goes_on_where_it_was(bench, tmp_path):
    """On a GPU sums round in another order now and then."""
    assert bench["killed_and_resumed"](tmp_path, "cuda") < 1e-3


@pytest.mark.slow
def test_the_command_runs_in_small_on_a_cpu(bench, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["gpu.py", "--small"])
    bench["main"]()
    said = capsys.readouterr().out.splitlines()
    for number, part in enumerate(
        ["TFLOP/s", "bandwidth's limit", "planned", "step of 64 x 12, native", ""]
    ):
        assert part in said[number]
    assert any("trl" in line.lower() and "failed" not in line for line in said)
    assert any(line.startswith("tiny model, 3 steps: right answers") for line in said)
    assert "killed and resumed: the same bits" in said
