"""What becomes of each setting in verl, for any run: the documentation's column.

`rewardkit train --explain` says the same of one run, with its values.
"""

from __future__ import annotations

from pathlib import Path

from rewardkit.config import config_from
from rewardkit_verl.keys.decided import KEPT_SECTIONS, KEPT_SETTINGS, READ_BY_PLUGIN
from rewardkit_verl.keys.overrides import Launch, overrides

EVERYTHING = ("ppo", "dapo")
"""Recipes that between them have each part which only some runs pass on: critic, KL, filter."""


def becomes() -> dict[str, str]:
    """Return what each setting, or each section `a.`, becomes: keys of verl's, or who reads it.

    >>> becomes()["sampling.group_size"]
    '`actor_rollout_ref.rollout.n`'
    """
    keys: dict[str, dict[str, None]] = {}
    here = Path("run")
    launch = Launch(
        "model", here, here, here, prompt_tokens=1024, cpu=False, gpus=8, environment={}
    )
    for recipe in EVERYTHING:
        config = config_from(
            {
                "folder": "run",
                "steps": 1,
                "recipe": {"name": recipe},
                "sampling": {"problems": 16},
                "lora": {"rank": 8},
            }
        )
        for one in overrides(config, launch):
            keys.setdefault(one.field, {})[f"`{one.key}`"] = None
    passed_on = {field: ", ".join(found) for field, found in keys.items()}
    by_us = {field: f"read by our {reader}" for field, (reader, _) in READ_BY_PLUGIN.items()}
    return {**KEPT_SECTIONS, **KEPT_SETTINGS, **by_us, **passed_on}
