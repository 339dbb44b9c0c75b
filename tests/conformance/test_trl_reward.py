"""A real GRPOTrainer trains on our reward function: rewards, columns, undecided, shaping."""

import sys
import warnings
from pathlib import Path

import pytest

from rewardkit.integrations.trl import reward_func

sys.path.append(str(Path(__file__).parents[1] / "integrations"))
from asking_verifiers import marked

pytestmark = [pytest.mark.conformance, pytest.mark.timeout(180)]

GROUP, LIMIT = 4, 8
PROMPTS = [[{"role": "user", "content": f"What is 1 + {i}?"}] for i in range(2)]


def trained(trl, model, tmp_path, rows, **keywords):
    """Take one step of GRPOTrainer; return the rewards that it saw and what it logged."""
    from datasets import Dataset
    from trl import GRPOConfig

    from rewardkit.config.sections import ModelConfig
    from rewardkit_native.model.loading import load

    seen = []
    grade = reward_func(**keywords)

    class Watching(trl):
        def _calculate_rewards(self, *arguments):
            found = super()._calculate_rewards(*arguments)
            seen.append((arguments, found))
            return found

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        policy, tokenizer = load(ModelConfig(name=str(model), dtype="float32"))
        trainer = Watching(
            model=policy,
            reward_funcs=grade,
            args=GRPOConfig(
                output_dir=str(tmp_path / "trl"),
                use_cpu=True,
                bf16=False,
                gradient_checkpointing=False,
                per_device_train_batch_size=2 * GROUP,
                num_generations=GROUP,
                max_completion_length=LIMIT,
                max_steps=1,
                logging_steps=1,
                log_completions=False,
                report_to="none",
                save_strategy="no",
                disable_tqdm=True,
            ),
            train_dataset=Dataset.from_list(rows),
            processing_class=tokenizer,
        )
        trainer.train()
    [(inputs, rewards)] = seen
    return inputs, rewards[:, 0].tolist(), trainer.state.log_history[0]


def test_a_step_with_the_math_verifier_shaped_by_a_recipe(trl, tiny_model, tmp_path):
    rows = [{"prompt": p, "solution": str(i + 1)} for i, p in enumerate(PROMPTS)]
    inputs, rewards, log = trained(
        trl, tiny_model, tmp_path, rows, target="math", gold="solution", recipe="dapo", limit=LIMIT
    )
    assert len(rewards) == 2 * GROUP
    again = reward_func("math", gold="solution", recipe="dapo", limit=LIMIT)
    given, prompts, completions, ids = inputs
    golds = [row["solution"] for row in given]
    assert rewards == pytest.approx(again(prompts, completions, ids, solution=golds))
    assert all(completion[0]["role"] == "assistant" for completion in completions)
    assert log["rewards/MathVerifier/mean"] == pytest.approx(sum(rewards) / len(rewards))
    assert log["verifier/undecided"] == 0
    parts = log["verifier/score"] + log["shaping/soft_overlong"]
    assert parts == pytest.approx(log["rewards/MathVerifier/mean"])


def test_columns_and_undecided(trl, tiny_model, tmp_path):
    rows = [
        {"prompt": f"1 + {i} =", "answer": "", "target": target} for i, target in enumerate((1, -1))
    ]
    inputs, rewards, log = trained(trl, tiny_model, tmp_path, rows, target=marked, workers=1)
    for row, completion, reward in zip(inputs[0], inputs[2], rewards, strict=True):
        expected = float("nan") if row["target"] < 0 else float(len(completion) % 2 == 0)
        assert reward == pytest.approx(expected, nan_ok=True)
    assert log["verifier/undecided"] == 0.5
