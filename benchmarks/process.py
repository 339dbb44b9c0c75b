"""Process rewards beside outcome rewards on sums whose lines are checked, at equal samples.

    python benchmarks/process.py FOLDER --seeds 1

FOLDER gets the tiny model, taught the form of the task by imitation until a fifth of the right
responses would be its own, and is used again where it is there. Both recipes get
the same problems and the same number of responses; a row a recipe is printed, mean ± SD over seeds.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from itertools import product
from pathlib import Path
from typing import Any

import torch

from rewardkit.checks import encode
from rewardkit.config import ModelConfig, config_from
from rewardkit.runs import RunFolder
from rewardkit.tasks import load_task
from rewardkit_native.loop import train
from rewardkit_native.model import tiny
from rewardkit_native.model.loading import load
from rewardkit_native.model.logprobs import packed_scores
from rewardkit_native.model.packing import enable_packing

RECIPES = ("grpo", "grpo_process")
TERMS, LESSONS, MOST, LR = 3, 32, 400, 2e-3
RIGHT_SHARE = 0.2


def taught(folder: Path) -> Path:
    """Return the folder of the model, taught if it is not there yet; exit if it does not learn."""
    if (folder / "config.json").exists():
        return folder
    task = load_task("sums", terms=TERMS)
    model, tokenizer = load(ModelConfig(str(tiny.tiny()), dtype="float32"))
    enable_packing(model)
    optimiser = torch.optim.AdamW(model.parameters(), lr=LR, betas=(0.9, 0.95))
    prefix = shared_prefix(tokenizer, task)
    for step in range(MOST):
        problems = task.train[LESSONS * step : LESSONS * (step + 1)]
        rows, of_answer = [], []
        for problem in problems:
            question = list(encode(tokenizer, task.messages(problem)))[len(prefix) :]
            answer = tokenizer(problem.info["worked"])["input_ids"] + [tokenizer.eos_token_id]
            rows.append(question + answer)
            of_answer.append(torch.tensor([0.0] * len(question) + [1.0] * len(answer)))
        mask = torch.nn.utils.rnn.pad_sequence(of_answer, batch_first=True)
        logprobs = packed_scores(model, [prefix] * len(rows), rows).logprobs * mask
        right = float(logprobs.detach().sum(1).exp().mean())
        if step % 20 == 0 or right >= RIGHT_SHARE:
            each = float(logprobs.detach().sum() / mask.sum())
            print(f"lesson {step}: right {right:.3f}, log-probability {each:.3f}", flush=True)
        if right >= RIGHT_SHARE:
            break
        if step == MOST - 1:  # recipes told apart on a model without the form would say nothing
            raise SystemExit(
                f"after {MOST} lessons {right:.3f} of the right responses would be the model's own,"
                f" not {RIGHT_SHARE}, and nothing was saved in {folder}: raise MOST, or change LR ="
                f" {LR} of this file"
            )
        (-logprobs.sum() / mask.sum()).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad()
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def shared_prefix(tokenizer: Any, task: Any) -> list[int]:
    """Return the tokens that all prompts begin with."""
    prompts = [encode(tokenizer, task.messages(problem)) for problem in task.train[:20]]
    columns = enumerate(zip(*prompts, strict=False))
    return list(prompts[0][: next(i for i, tokens in columns if len(set(tokens)) > 1)])


def run(folder: Path, model: Path, recipe: str, seed: int, steps: int, lr: float) -> RunFolder:
    """Train once, in a folder that is not there yet."""
    config = config_from(
        {
            "folder": str(folder),
            "steps": steps,
            "seed": seed,
            "model": {"name": str(model), "dtype": "float32", "threads": 1},
            "task": {"name": "sums", "args": {"terms": TERMS}},
            "recipe": {"name": recipe, "kl_coef": 0.0},
            "sampling": {"problems": 8, "group_size": 8, "max_tokens": 40},
            "optim": {"lr": lr},
            "eval": {"samples": 0},
            "verify": {"workers": 1},
            "checkpoint": {"every": 0, "keep": 1},
            "guards": {"degenerate": "none"},
        }
    )
    return RunFolder.open(train(config))


def measured(folder: RunFolder) -> dict[str, float]:
    """Return shares of right answers and of right lines, at both ends of a run."""
    rows = folder.rows("metrics.jsonl")
    part = max(1, len(rows) // 4)
    return {
        f"{what}, {when} quarter": statistics.mean(row[name] for row in some)
        for what, name in (("right answers", "outcome/correct"), ("right lines", "step_score"))
        for when, some in (("first", rows[:part]), ("last", rows[-part:]))
    } | {"groups with signal": statistics.mean(row["groups_signal"] for row in rows)}


def spread(values: list[float]) -> str:
    """Return mean ± SD."""
    mean = f"{statistics.mean(values):.3f}"
    return f"{mean} ± {statistics.stdev(values):.3f}" if len(values) > 1 else mean


def main() -> None:
    """Train with both recipes and every seed, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--lr", type=float, default=3e-4)
    given = parser.parse_args()
    torch.set_num_threads(1)
    begun = time.process_time()
    model = taught(given.folder)
    found: dict[str, list[dict[str, float]]] = {name: [] for name in RECIPES}
    for seed, name in product(range(given.seeds), RECIPES):
        with tempfile.TemporaryDirectory() as scratch:
            made = run(Path(scratch) / "run", model, name, seed, given.steps, given.lr)
            found[name].append(measured(made))
            print(seed, name, {k: round(v, 3) for k, v in found[name][-1].items()}, flush=True)
    columns = list(found["grpo"][0])
    print("| recipe | " + " | ".join(columns) + " |\n|" + "---|" * (len(columns) + 1))
    for name, seeds in found.items():
        cells = [spread([one[column] for one in seeds]) for column in columns]
        print(f"| {name} | " + " | ".join(cells) + " |")
    print(f"{time.process_time() - begun:.0f} CPU-seconds")


if __name__ == "__main__":
    main()
