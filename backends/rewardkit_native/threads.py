"""How torch's CPU threads wait for work.

Between two operations OpenMP's threads either spin or sleep. Spinning for ever decodes twice as
fast on a quiet machine, and is many times as slow beside other load, since a spinning thread holds
the core that the next one needs. Threads that spin for some microseconds and sleep then are nearly
as fast on the one, and never far behind on the other; libgomp reads how long when torch loads.
"""

from __future__ import annotations

import os
import sys

WAITING = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT")
"""What a user may have set; the second is in turns of a loop, each some 20 ns."""
TURNS = 1000


def wait_briefly() -> str:
    """Let torch's threads sleep soon; must come before torch is imported.

    Returns a line for the user where it is too late, and leaves what the user has set.
    """
    if any(name in os.environ for name in WAITING):
        return ""
    if "torch" in sys.modules:
        return (
            "torch was loaded before, so that its threads wait as they do, which is slow beside "
            f"other work; to change that, set {WAITING[1]}={TURNS} before Python starts"
        )
    os.environ[WAITING[1]] = str(TURNS)
    return ""
