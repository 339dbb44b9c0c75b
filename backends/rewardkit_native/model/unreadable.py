"""What is said of a model that cannot be read: whether it is not there, or there and broken."""

from __future__ import annotations

from pathlib import Path

from safetensors import SafetensorError

from rewardkit.errors import ModelError
from rewardkit.runs.seal import SEAL, check

UNREADABLE = (OSError, ValueError, RuntimeError, SafetensorError)
"""What transformers raises for a folder or name that it cannot make a model of."""


def unreadable(name: str, source: str, error: Exception) -> ModelError:
    """Return the error for a model that cannot be read from `source`, a folder or a hub's id.

    >>> print(unreadable("owner/name", "owner/name", OSError("no such repository")))
    could not load 'owner/name': no such repository
    Without a network, give a local folder, or a model that `rewardkit fetch` lists.
    """
    folder = Path(source)
    if not folder.is_dir():
        return ModelError(
            f"could not load {name!r}: {error}\nWithout a network, give a local folder, or a model "
            "that `rewardkit fetch` lists."
        )
    if (folder / SEAL).exists():
        try:
            check(folder)
        except ModelError as damage:
            return ModelError(f"{damage}. Give another checkpoint of the run, or train it anew")
    return ModelError(
        f"could not load {name!r}: {error}\nThe folder is incomplete or damaged, or of no model "
        "that transformers knows; copy it again, or give another."
    )
