"""Token limits as a person writes them, and those that are told unless some are named."""

from __future__ import annotations

from rewardkit.errors import ConfigError

HALVINGS = 5
SHORTEST = 16


def parse_lengths(text: str) -> tuple[int, ...]:
    """Return the limits in a comma-separated list, ascending.

    Raises:
        ConfigError: one is no whole number above 0.

    >>> parse_lengths("8192, 2048,4k")
    (2048, 4096, 8192)
    """
    found = set()
    for part in text.split(","):
        plain = part.strip().lower()
        number = plain.removesuffix("k")
        if not number.isascii() or not number.isdigit() or not int(number):
            raise ConfigError(
                f"a token limit is a whole number above 0, such as 4096 or 4k, found {part!r} in "
                f"{text!r}"
            )
        found.add(int(number) * (1024 if plain.endswith("k") else 1))
    return tuple(sorted(found))


def usual_lengths(longest: int) -> tuple[int, ...]:
    """Return the halvings of a limit, ascending, and the limit itself.

    >>> usual_lengths(4096), usual_lengths(40)
    ((128, 256, 512, 1024, 2048, 4096), (20, 40))
    """
    halved = {longest >> times for times in range(HALVINGS + 1)}
    return tuple(sorted(n for n in halved if n >= min(SHORTEST, longest)))
