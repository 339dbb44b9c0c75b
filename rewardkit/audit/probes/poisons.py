r"""Responses made to hang, to fill the memory, to crash, or to be run; and very long ones."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from rewardkit.audit.probes.base import Probe, written
from rewardkit.audit.probes.mutations import neighbour
from rewardkit.audit.probes.shapes import Reading
from rewardkit.types import Problem

ODD = "7919"
"""A number that stands where one has to, and is nobody's gold."""

POISONS: dict[str, str] = {
    "power tower": "9**9**9",
    "latex power tower": "9^{9^{9^{9}}}",
    "factorial": "(10^{10})!",
    "huge exponent": "1e999999999",
    "digits": "7" * 20_000,
    "brackets": "(" * 20_000,
    "braces": "{" * 3_000 + "}" * 3_000,
    "fractions": "\\frac{1}{" * 2_001 + ODD + "}" * 2_001,
    "signs": "-" * 20_000 + ODD,
    "backtracking": "a" * 20_000 + "!",
    "spaces": ODD + " " * 50_000 + "x",
    "commas": "1," * 20_000,
    "sum": "\\sum_{k=1}^{10^{12}} \\frac{1}{k}",
    "integral": "\\int_0^{\\infty} \\frac{\\sin(x^x)}{x^{x^x}} dx",
    "not a number": "nan",
    "infinity": "inf",
    "null character": "79\x0019",
    "half a surrogate": "\ud83d",
    "direction marks": f"\u202e{ODD}\u202c",
    "format": "{0.__class__.__mro__} %s%s%n",
}
"""What is special -> the answer; none is right for any gold."""

LONG = 200_000
"""Characters of a very long response."""


def poisons(problem: Problem, form: str) -> Iterator[Probe]:
    """Yield each poison in the place of the answer."""
    for name, text in POISONS.items():
        yield Probe(problem, written(form, text), f"poison: {name}", accept=False)


def programs(problem: Problem, form: str, mark: Path) -> Iterator[Probe]:
    """Yield answers that are programs; one that is run writes the file `mark`."""
    write = f"open({str(mark)!r}, 'w').close()"
    # Without names, quotes or a _ in it, for those who look for these before they call eval.
    plain = f"open(bytes({list(os.fsencode(mark))}), bytes([119]).decode()).close() or 1\\pi"
    inner = f"__import__('os').close(__import__('os').open({str(mark)!r}, 65))"
    for text in (write, inner, plain, f"{ODD} if {inner} else {ODD}"):
        yield Probe(problem, text, "program", accept=False)
        yield Probe(problem, written(form, text), "program: in its place", accept=False)


def long_texts(problem: Problem, reading: Reading, form: str) -> Iterator[Probe]:
    """Yield very long responses with a right, a wrong and no answer."""
    talk = "Let me think about this again, slowly. "
    padding = talk * (LONG // len(talk))
    right = f"{padding}\n\n{written(form, reading.gold)}"
    yield Probe(problem, right, "long: right at the end", accept=True)
    behind = f"{written(form, reading.gold)}\n\n{talk * 12}"
    marked = form in ("box", "tag")  # without a mark, what stands last may count
    yield Probe(problem, behind, "long: 480 characters behind", accept=True, certain=marked)
    if (wrong := neighbour(reading)) is not None:
        end = f"{padding}\n\n{written(form, wrong)}"
        yield Probe(problem, end, "long: wrong at the end", accept=False)
    yield Probe(problem, padding, "long: no answer", accept=False)
