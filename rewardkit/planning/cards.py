"""What a GPU can do, from its maker's data sheet, and which is meant by a number of gigabytes."""

from __future__ import annotations

import re
from typing import NamedTuple

from rewardkit.errors import ConfigError

GIGA = 10**9


class Card(NamedTuple):
    """Dense bfloat16 products a second, and bytes a second from its memory."""

    name: str
    memory: int
    flops: float
    bandwidth: float


CARDS = (
    Card("RTX 4090", 24 * GIGA, 165e12, 1.01e12),
    Card("A100 40 GB", 40 * GIGA, 312e12, 1.56e12),
    Card("L40S", 48 * GIGA, 362e12, 0.86e12),
    Card("H100 SXM", 80 * GIGA, 989e12, 3.35e12),
    Card("H200", 141 * GIGA, 989e12, 4.8e12),
    Card("B200", 180 * GIGA, 2250e12, 8.0e12),
)


def card_of(memory: str) -> Card:
    """Return the card of so much memory, `80GB`; its speed is that of the nearest one known.

    Raises:
        ConfigError: that is no size.

    >>> card_of("80GB").name, card_of("140 GB").memory
    ('H100 SXM', 140000000000)
    """
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(GB|GiB)\s*", memory, re.IGNORECASE)
    if not found:
        raise ConfigError(f"--memory takes a size such as 80GB, found {memory!r}")
    unit = 2**30 if found[2].lower() == "gib" else GIGA
    size = int(float(found[1]) * unit)
    nearest = min(CARDS, key=lambda card: abs(card.memory - size))
    return nearest._replace(memory=size)
