"""What a step will hold and take on each GPU, as any backend foresees it, and its page of text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from rewardkit.planning.cards import Card
from rewardkit.planning.ledger import Peak
from rewardkit.planning.memory import CONTEXT, FRAGMENTS, GB, with_allowance
from rewardkit.planning.seconds import Seconds

C = TypeVar("C")


@dataclass(frozen=True)
class Forecast:
    """Peaks by phase, on each GPU."""

    peaks: dict[str, Peak]
    card: Card
    notes: dict[str, str] = field(default_factory=dict)
    """What there is to say of a phase: how much of it at once, and what was not simulated."""
    together: int = 0
    """How many rows are drawn at once; 0: all that a GPU draws."""

    @property
    def needed(self) -> int:
        """Bytes of a card at the worst moment."""
        return with_allowance(max(peak.total for peak in self.peaks.values()))

    @property
    def fits(self) -> bool:
        """Whether that is less than it has."""
        return self.needed <= self.card.memory


def written(
    head: str,
    found: Forecast,
    remedies: Iterable[tuple[str, C]],
    forecast: Callable[[C], Forecast],
    taken: Seconds,
    *,
    otherwise: str,
    processes: int = 1,
) -> str:
    """Return the page of a forecast.

    Args:
        head: of what it is.
        found: what is foreseen.
        remedies: changes that make a step smaller, cheap ones first, as the line to type.
        forecast: foresees one of them.
        taken: how long the phases are.
        otherwise: what to do where no remedy is enough.
        processes: so many on a card have a context of CUDA's.
    """
    card, blocks = found.card, "the trainer's blocks" if processes > 1 else "blocks"
    several = " in two processes" if processes > 1 else ""
    lines = [
        f"{head}; GB a GPU at the peak of each phase:",
        *(row(name, peak, found.notes.get(name)) for name, peak in found.peaks.items()),
        f"  with {processes * CONTEXT / GB:.1f} GB for CUDA{several} and {FRAGMENTS:.0%} between "
        f"{blocks}: {found.needed / GB:.1f} of {card.memory / GB:.0f} GB; {verdict(found)}",
    ]
    if not found.fits:
        lines += advice(remedies, forecast, otherwise)
    lines.append(
        f"  a step at {card.name}'s usual speed, without waiting for verdicts and environments: "
        f"{about(taken.sample)} to sample, {about(taken.score)} to score, "
        f"{about(taken.update)} to update"
    )
    return "\n".join(lines)


def about(seconds: float) -> str:
    """Return seconds in words; an estimate has no tenths.

    >>> about(0.2), about(41.7)
    ('under 1 s', 'about 42 s')
    """
    return "under 1 s" if seconds < 1 else f"about {seconds:.0f} s"


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
