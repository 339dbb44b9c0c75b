"""A teacher for each task of a mixture, of which one is in memory at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor


@dataclass
class Teachers:
    """Who teaches which task."""

    names: Mapping[str, str]
    """By label: a teacher's name."""
    load: Callable[[str], Any]
    """Returns a model, frozen, by its name; a collective of all ranks."""
    present: str = ""
    """The name of the one in memory."""

    def of(self, sources: Sequence[str], rows: Tensor) -> Iterator[tuple[str, Tensor]]:
        """Yield each teacher's name with its own of some rows.

        In the order of names, whichever is in memory: in another one a resumed run would add up
        gradients to other bits.
        """
        asked = [self.names[sources[row]] for row in rows.tolist()]
        for name in sorted(set(asked)):
            yield name, rows[torch.tensor([name == one for one in asked])]
