"""What a person watching a run would be told of, or would stop it for.

guards.py     each guard, and what it says of a step
no_signal.py  why nothing was learned, and what may help
settings.py   their bounds, and which stop a run
trends.py     how a run goes against how it was: what no single step shows
"""

from rewardkit.guards.guards import (
    CALM,
    GUARDS,
    Alarm,
    Guard,
    Memory,
    Row,
    apply_guards,
    event_rows,
    judge,
)
from rewardkit.guards.no_signal import no_signal_message, nothing_learned
from rewardkit.guards.settings import GuardsConfig

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
    "nothing_learned",
]
