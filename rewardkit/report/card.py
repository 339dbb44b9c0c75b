"""A trained model as a repository of a hub: weights, and a card that says how they came about."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rewardkit.config import RunConfig
from rewardkit.errors import ConfigError
from rewardkit.evaluation.models import numbered_checkpoints
from rewardkit.report.settings import plain_config, settings
from rewardkit.runs import RunFolder
from rewardkit.runs.results import Evaluations
from rewardkit.runs.seal import SEAL
from rewardkit.tasks.settings import task_names

WEIGHTS = ("*.safetensors", "*.json", "*.jinja", "*.txt", "*.model", "adapter/*")
"""Of a checkpoint: what transformers and peft read. The trainer's own state stays here."""
OURS = frozenset({SEAL, "leftovers.json"})
RECORDS = ("config.toml", "metrics.jsonl", "results.json", "curves.svg")
"""Of the run folder: what was run, and what came of it, without a single response."""


def repository(folder: RunFolder) -> dict[str, Path | bytes]:
    """Return the files of a run's repository, by their paths there.

    Raises:
        ConfigError: the run has no checkpoint that can be loaded.
    """
    steps = numbered_checkpoints(folder.path)
    if not steps or not (steps[-1][1] / "config.json").is_file():
        raise ConfigError(f"{folder.path} has no checkpoint that can be loaded, so nothing to push")
    step, checkpoint = steps[-1]
    files: dict[str, Path | bytes] = {
        path.relative_to(checkpoint).as_posix(): path
        for pattern in WEIGHTS
        for path in sorted(checkpoint.glob(pattern))
        if path.is_file() and path.name not in OURS
    }
    records = {f"run/{name}": folder.path / name for name in RECORDS}
    files |= {name: path for name, path in records.items() if path.is_file()}
    curves = "run/curves.svg" in files
    files["README.md"] = card(folder.config(), folder.evaluations(), step, curves=curves).encode()
    return files


def card(config: RunConfig, evaluations: Evaluations, step: int, *, curves: bool) -> str:
    """Return the model card: what was trained on what by which recipe, and what it measures."""
    recipe, model = config.recipe, config.model.name
    known = [one for one in evaluations.items() if one[1]["step"] in (0, step)]
    after = [result["sets"] for _, result in known if result["step"] == step][-1:]
    head: dict[str, Any] = {
        "library_name": "transformers",
        "pipeline_tag": "text-generation",
        "tags": ["rewardkit", "reinforcement-learning", "rlvr", recipe.name],
    }
    if "/" in model and not Path(model).exists():
        head["base_model"] = model
    if after:
        head["model-index"] = [{"name": config.folder.rsplit("/")[-1], "results": index(after[0])}]
    # JSON is YAML as well.
    lines = ["---", *(f"{key}: {json.dumps(value)}" for key, value in head.items()), "---", ""]
    lines += [
        f"`{model}`, trained by reinforcement learning with verifiable rewards: {recipe.name} on "
        f"{task_names(config)}, {step} steps of {config.sampling.problems} problems with "
        f"{config.sampling.group_size} responses of at most {config.sampling.max_tokens} tokens, "
        f"seed {config.seed}.",
        "",
        "## Evaluation",
        "",
        "Held-out problems, sampled as in training. Both intervals are 95 %: for these problems, "
        "and for problems like these.",
        "",
        "| after step | set | samples on problems | accuracy | these | problems like these |",
        "|---|---|---|---|---|---|",
    ]
    for _, result in known:
        for name, one in result["sets"].items():
            spans = [one["interval_these_problems"], one["interval_new_problems"]]
            cells = [str(result["step"]), name, f"{one['graded']} on {one['problems']}"]
            cells += [
                _rate(one["accuracy"]),
                *(" to ".join(map(_rate, span or ())) for span in spans),
            ]
            lines.append(f"| {' | '.join(cells)} |")
    lines += ["", "## Recipe", "", f"{recipe.name} ({recipe.paper})" if recipe.paper else ""]
    changed = [one for one in settings(plain_config(config)) if one.differs]
    lines += ["", "What differs from the recipe and from rewardkit's defaults; all is in "]
    lines[-1] += "[run/config.toml](run/config.toml):"
    lines += ["", "```", *(f"{one.key} = {one.value}" for one in changed), "```"]
    if curves:
        lines += ["", "## Curves", "", "![curves](run/curves.svg)"]
    return "\n".join([*lines, ""])


def index(sets: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return evaluations as a card's `model-index` names them."""
    return [
        {
            "task": {"type": "text-generation"},
            "dataset": {"name": name, "type": name},
            "metrics": [{"type": "accuracy", "value": one["accuracy"]}],
        }
        for name, one in sets.items()
        if one["accuracy"] is not None
    ]


def _rate(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
