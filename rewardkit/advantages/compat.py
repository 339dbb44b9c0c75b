"""How other frameworks choose what the papers leave open, so that theirs can be reproduced.

Read from their sources (verl 0.9.1, TRL 1.16.0, NeMo-RL at 7ea279ab of 2026-08-22, OpenRLHF and
open-instruct of 2026).
Where one of them divides a group of equal rewards by its float noise, this does too; the noise is
that of the order of summation, and is not repeated bit for bit.
"""

from __future__ import annotations

from dataclasses import dataclass

from rewardkit.errors import UnknownNameError


@dataclass(frozen=True)
class Conventions:
    """What the papers leave open."""

    ddof: int = 1
    """Degrees of freedom taken off in a deviation."""
    eps: float = 1e-6
    """What is added to a deviation before dividing by it."""
    degenerate_to_zero: bool = True
    """Whether groups without a range get exactly 0; otherwise their float noise is divided by ε."""
    singleton_raw: bool = False
    """Whether a group of one keeps its raw reward as its advantage; otherwise 0."""
    leave_one_out: bool = False
    """Whether mean and deviation leave out the sample itself (NeMo-RL's default)."""
    whiten_ddof: int = 1
    """Degrees of freedom in whitening the advantages of REINFORCE++ over a batch."""
    gae_ddof: int = 1
    """And in whitening those of GAE."""
    own_kl_alone: bool = False
    """Whether REINFORCE++ takes a token's own KL off the reward, and not that of all after it."""
    float64: bool = True
    """Whether statistics are float64; otherwise in the rewards' own type."""


OURS = Conventions()

COMPAT: dict[str, Conventions] = {
    "verl": Conventions(degenerate_to_zero=False, singleton_raw=True, float64=False),
    "trl": Conventions(eps=1e-4, degenerate_to_zero=False, float64=False),
    "openrlhf": Conventions(
        eps=1e-9, degenerate_to_zero=False, whiten_ddof=0, gae_ddof=0, float64=False
    ),
    "nemo": Conventions(
        degenerate_to_zero=False,
        leave_one_out=True,
        whiten_ddof=0,
        own_kl_alone=True,
        float64=False,
    ),
    "open-instruct": Conventions(ddof=0, eps=1e-8, degenerate_to_zero=False),
}
"""Framework -> its conventions. open-instruct computes in NumPy's float64."""


def conventions(compat: str | None) -> Conventions:
    """Return the conventions of a framework, or ours for None.

    >>> conventions("trl").eps
    0.0001
    """
    if compat is None:
        return OURS
    if compat not in COMPAT:
        raise UnknownNameError("compat", compat, COMPAT)
    return COMPAT[compat]
