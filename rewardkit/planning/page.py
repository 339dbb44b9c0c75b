"""The lines of `rewardkit train --plan` that are alike on every backend."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar

from rewardkit.planning.cards import Card
from rewardkit.planning.ledger import Peak
from rewardkit.planning.memory import GB
from rewardkit.planning.seconds import Seconds

C = TypeVar("C")


class Forecast(Protocol):
    """What a backend foresees of a step."""

    @property
    def needed(self) -> int:
        """Bytes of a card at the worst moment."""
        ...

    @property
    def fits(self) -> bool:
        """Whether the card has them."""
        ...


def row(name: str, peak: Peak, note: str | None = None) -> str:
    """Return a phase's line: GB at its peak, and the largest parts of them."""
    largest = sorted(peak.kinds.items(), key=lambda item: -item[1])
    parts = ", ".join(f"{kind} {size / GB:.1f}" for kind, size in largest if size > GB / 20)
    said = f" ({note})" if note else ""
    return f"  {name:<9}{peak.total / GB:7.1f}  {parts}{said}"


def verdict(found: Forecast) -> str:
    """Return whether a step fits, in words."""
    return "it fits" if found.fits else "it does not fit"


def advice(
    remedies: Iterable[tuple[str, C]], forecast: Callable[[C], Forecast], otherwise: str
) -> Iterator[str]:
    """Yield a line for each change, up to the first that is enough; where none is, `otherwise`."""
    for line, changed in remedies:
        found = forecast(changed)
        yield f"    {line}: {found.needed / GB:.1f} GB, {verdict(found)}"
        if found.fits:
            return
    yield f"    none of these is enough: take a smaller model, or {otherwise}"


def duration(card: Card, taken: Seconds) -> str:
    """Return the line on how long a step is."""
    return (
        f"  a step at {card.name}'s usual speed: about {taken.sample:.0f} s to sample, "
        f"{taken.score:.0f} s to score, {taken.update:.0f} s to update"
    )
