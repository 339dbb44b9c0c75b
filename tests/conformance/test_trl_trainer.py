"""The native loop beside TRL's GRPOTrainer as a whole: the same responses move the weights alike."""

import warnings

import pytest
import torch

from rewardkit.config import config_from

pytestmark = pytest.mark.conformance

STEPS, PROBLEMS, GROUP, LIMIT = 3, 4, 8, 12
CASES = [
    ("dapo", 0.0, ["kl=none", "aggregation=token-mean"]),
    ("grpo", 0.05, ["kl=k3", "kl_coef=0.05", "aggregation=seq-mean-token-mean"]),
]


@pytest.fixture
def config(tiny_model, tmp_path):
    def make(*recipe):
        data = {
            "folder": str(tmp_path / "run"),
            "steps": STEPS,
            "model": {"name": str(tiny_model), "dtype": "float32"},
            "task": {"name": "arithmetic", "args": {"operations": ["+"]}},
            # TRL adds 1e-4 to a group's deviation.
            "recipe": {"name": "grpo", "kl_coef": 0.0, "advantage_options": {"compat": "trl"}},
            "sampling": {"problems": PROBLEMS, "group_size": GROUP, "max_tokens": LIMIT},
            # Several micro-batches, so that the normaliser is under test as well.
            "optim": {"lr": 1e-3, "tokens_per_micro_batch": 200},
            "eval": {"samples": 0},
            "verify": {"workers": 1},
        }
        return config_from(data, [f"recipe.{each}" for each in recipe])

    return make


def gradients(model):
    return {name: weight.grad.clone() for name, weight in model.named_parameters()}


def copied(model):
    return {name: weight.detach().clone() for name, weight in model.named_parameters()}


def native(config, monkeypatch):
    """Train; return what was drawn, the clipped gradients of each step, and the last weights."""
    from rewardkit_native import loop, setup
    from rewardkit_native.learning import update

    drawn, pulls, after = [], [], {}

    class Recording(update.Updater):
        def run(self, batch, plan, **how):
            drawn.append((batch.prompts, batch.responses, batch.rewards.tolist()))
            model = self.model
            hook = self.optimiser.register_step_pre_hook(lambda *_: pulls.append(gradients(model)))
            found = super().run(batch, plan, **how)
            hook.remove()
            after.update(copied(model))
            return found

    monkeypatch.setattr(setup, "Updater", Recording)
    loop.train(config)
    return drawn, pulls, after


def trl_settings(config, loss_type, beta, folder):
    """What makes GRPOTrainer do the work of the native run."""
    from trl import GRPOConfig

    return GRPOConfig(
        output_dir=str(folder),
        use_cpu=True,
        bf16=False,
        gradient_checkpointing=False,
        per_device_train_batch_size=GROUP,
        gradient_accumulation_steps=PROBLEMS,
        num_generations=GROUP,
        max_completion_length=LIMIT,
        max_steps=STEPS,
        learning_rate=config.optim.lr,
        lr_scheduler_type="constant",
        adam_beta2=0.95,
        weight_decay=0.0,
        max_grad_norm=config.optim.grad_clip,
        beta=beta,
        use_bias_correction_kl=False,
        epsilon_high=0.28,
        loss_type=loss_type,
        report_to="none",
        save_strategy="no",
        disable_tqdm=True,
    )


def theirs(trl, config, drawn, loss_type, beta, folder):
    """Let GRPOTrainer train on the same responses and rewards."""
    from datasets import Dataset
    from transformers import TrainerCallback

    from rewardkit_native.model.loading import load

    pulls, steps = [], iter(drawn)
    rewards = {}

    class Watch(TrainerCallback):
        def on_pre_optimizer_step(self, args, state, control, model=None, **_):
            pulls.append(gradients(model))

    def rollout(prompts, trainer):
        asked, answers, rewards["now"] = next(steps)
        assert len(prompts) == len(asked)
        return {
            "prompt_ids": [list(ids) for ids in asked],
            "completion_ids": [list(ids) for ids in answers],
            "logprobs": None,
        }

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the rollout function is called experimental
        model, tokenizer = load(config.model)
        trainer = trl(
            model=model,
            reward_funcs=lambda completions, **_: rewards["now"],
            args=trl_settings(config, loss_type, beta, folder),
            train_dataset=Dataset.from_list([{"prompt": "unused"}] * (STEPS * PROBLEMS)),
            processing_class=tokenizer,
            callbacks=[Watch()],
            rollout_func=rollout,
        )
        trainer.train()
    return pulls, copied(trainer.model)


def apart(one, other):
    """Return |one - other| / |one| over all tensors together."""
    difference = sum(float((one[name] - other[name]).double().pow(2).sum()) for name in one)
    return (difference / sum(float(value.double().pow(2).sum()) for value in one.values())) ** 0.5


@pytest.mark.parametrize(("loss_type", "beta", "recipe"), CASES)
def test_the_same_responses_move_the_weights_alike(
    trl, config, monkeypatch, tmp_path, loss_type, beta, recipe
):
    from rewardkit_native.model.loading import load

    config = config(*recipe)
    start = copied(load(config.model)[0])
    drawn, ours, weights = native(config, monkeypatch)
    pulls, moved = theirs(trl, config, drawn, loss_type, beta, tmp_path / "trl")
    assert len(ours) == len(pulls) == STEPS
    assert apart(ours[0], pulls[0]) < 1e-4
    # AdamW moves a weight by the learning rate however small its gradient, so that where rounding
    # is all there is to a gradient the two go apart: by 1.6e-4 in the third step on some processors.
    assert all(apart(one, other) < 1e-3 for one, other in zip(ours, pulls, strict=True))
    change = {name: weights[name] - start[name] for name in start}
    assert apart(change, {name: moved[name] - start[name] for name in start}) < 1e-2
    assert not torch.equal(weights["model.norm.weight"], start["model.norm.weight"])
