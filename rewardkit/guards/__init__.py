"""What a person watching a run would be told of, or would stop it for.

guards.py   each guard with its bound, and what it says of a step
trends.py   how a run goes against how it was: what no single step shows
"""

from rewardkit.guards.guards import (
    CALM,
    GUARDS,
    Alarm,
    Guard,
    GuardsConfig,
    Memory,
    Row,
    apply_guards,
    event_rows,
    judge,
    no_signal_message,
)

__all__ = [
    "CALM",
    "GUARDS",
    "Alarm",
    "Guard",
    "GuardsConfig",
    "Memory",
    "Row",
    "apply_guards",
    "event_rows",
    "judge",
    "no_signal_message",
]
