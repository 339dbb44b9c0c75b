"""The three scripts of docs/coming-from.md, as they stand and with the import that they had before."""

import re
import warnings
from pathlib import Path
from types import SimpleNamespace

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "coming-from.md"
SCRIPTS = re.findall(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.M | re.S)
THEIRS = {
    "rewardkit.drop_in.trl": "trl.rewards",
    "rewardkit.drop_in.verl": "verl.utils.reward_score",
    "rewardkit.drop_in.lighteval": "lighteval.metrics.metrics",
}
"""What the page's table says that each stands for."""
RESPONSES = (r"It is \boxed{12}", r"It is \boxed{13}", "no idea", r"\boxed{\frac{24}{2}}")


def script(library, before):
    """Return a script of the page; `before`: with the library's own module in the place of ours."""
    found = next(one for one in SCRIPTS if library in one)
    [ours] = [name for name in THEIRS if f"from {name}" in found]
    return found.replace(f"from {ours}", f"from {THEIRS[ours]}") if before else found


@pytest.mark.conformance
@pytest.mark.parametrize("before", [True, False], ids=["before", "after"])
def test_trl_trains_with_either(before, tiny_model, tmp_path, monkeypatch):
    pytest.importorskip("trl")
    monkeypatch.chdir(tmp_path)
    text = script("GRPOTrainer", before).replace('"Qwen/Qwen3-0.6B"', repr(str(tiny_model)))
    names = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(text, str(PAGE), "exec"), names)
    state = names["trainer"].state
    assert state.global_step == 2
    assert "rewards/accuracy_reward/mean" in state.log_history[0]


@pytest.mark.conformance
def test_verl_gets_the_same_scores_from_either(tmp_path):
    pytest.importorskip("verl")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from verl.trainer.ppo.reward import get_custom_reward_fn
    scores = []
    for before in (True, False):
        file = tmp_path / f"reward_{before}.py"
        file.write_text(script("drop_in.verl", before=before))
        settings = {"path": str(file), "name": "reward", "reward_kwargs": {}}
        config = SimpleNamespace(reward={"custom_reward_function": settings})
        reward = get_custom_reward_fn(config)
        scores.append([reward("mine", text, "12") for text in RESPONSES])
    assert scores[0] == scores[1]
    assert [one["score"] for one in scores[1]] == [1, 0, 0, 1]


def test_lighteval_gets_the_same_scores_from_either():
    pytest.importorskip("lighteval.metrics.metrics", exc_type=ImportError)
    from lighteval.models.model_output import ModelResponse

    scores = []
    for before in (True, False):
        names = {}
        exec(compile(script("LightevalTaskConfig", before), str(PAGE), "exec"), names)
        doc = names["prompt"]({"question": "7 + 5?", "answer": "12"})
        metric = names["sums"].metrics[0]
        metric = getattr(metric, "value", metric)
        scores.append(
            [
                metric.compute_sample(doc=doc, model_response=ModelResponse(text=[text]))
                for text in RESPONSES
            ]
        )
    assert scores[0] == scores[1]
    assert [one["extractive_match"] for one in scores[1]] == [1, 0, 0, 1]
