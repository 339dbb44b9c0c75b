"""Statistics by group, in float64 and with segment operations: no loop over groups or samples.

`COMPAT` has what other frameworks choose where the papers leave something open, so that theirs can
be reproduced: read from their sources (verl 0.9.1, TRL 1.16.0, NeMo-RL at 7ea279ab of 2026-08-22,
OpenRLHF and open-instruct of 2026). Where one of them divides a group of equal rewards by its float
noise, this does too; the noise is that of the order of summation, and is not repeated bit for bit.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from rewardkit.errors import UnknownNameError

Number = float | int
"""What Python lets stand for a float; a checker at run time is told so."""

TOLERANCE = 1e-8
"""A group whose rewards span no more than this carries no signal."""


@dataclass(frozen=True)
class Segments:
    """Group ids made compact: `index[i]` in 0..count-1 says where value i belongs."""

    index: Int[Tensor, " N"]
    """The group of each sample, from 0."""
    count: int
    """How many groups there are."""

    @classmethod
    def of(cls, groups: Int[Tensor, " N"]) -> Segments:
        """Make ids compact; any integers will do, in any order."""
        ids, index = torch.unique(groups, return_inverse=True)
        return cls(index, ids.numel())

    def sum(self, x: Float[Tensor, " N"]) -> Float[Tensor, " G"]:
        """Return each group's sum."""
        return x.new_zeros(self.count).index_add(0, self.index, x)

    def size(self) -> Float[Tensor, " G"]:
        """Return each group's number of values, float64."""
        return torch.bincount(self.index, minlength=self.count).double()

    def mean(self, x: Float[Tensor, " N"]) -> Float[Tensor, " G"]:
        """Return each group's mean, in the type of `x`."""
        return self.sum(x) / self.size().to(x).clamp(min=1)

    def extreme(self, x: Float[Tensor, " N"], which: str) -> Float[Tensor, " G"]:
        """Return each group's "amin" or "amax"."""
        return x.new_zeros(self.count).scatter_reduce(0, self.index, x, which, include_self=False)

    def span(self, x: Float[Tensor, " N"]) -> Float[Tensor, " G"]:
        """Return each group's max − min."""
        return self.extreme(x, "amax") - self.extreme(x, "amin")

    def std(self, x: Float[Tensor, " N"], ddof: int = 1) -> Float[Tensor, " G"]:
        """Return each group's standard deviation, about its own mean in a second pass.

        0 for a group of no more than `ddof` values.
        """
        centred = x - self.mean(x)[self.index]
        freedom = (self.size() - ddof).to(x).clamp(min=1)
        return (self.sum(centred.square()) / freedom).sqrt()


def centre(
    rewards: Float[Tensor, " N"], segments: Segments, tol: float = TOLERANCE
) -> tuple[Float[Tensor, " N"], Bool[Tensor, " N"]]:
    """Return rewards less their group's mean, exactly 0 in degenerate groups, and which those are.

    A group is degenerate iff max − min ≤ tol; a group of one always is. The range and not the
    deviation decides, because the deviation of equal floats is not exactly 0.
    """
    degenerate = (segments.span(rewards) <= tol)[segments.index]
    centred = rewards - segments.mean(rewards)[segments.index]
    return torch.where(degenerate, 0.0, centred), degenerate


def whiten(
    x: Float[Tensor, "*shape"],
    mask: Bool[Tensor, "*shape"],
    *,
    ddof: int = 1,
    eps: Number = 1e-8,
    tol: Number = TOLERANCE,
) -> Float[Tensor, "*shape"]:
    """Return (x − mean) / sqrt(var + ε) over everything unmasked, and 0 under the mask.

    Exactly 0 when what is unmasked spans no more than `tol`.

    >>> whiten(torch.tensor([1.0, 3.0, 99.0]), torch.tensor([True, True, False])).round(decimals=3)
    tensor([-0.7070,  0.7070,  0.0000], dtype=torch.float64)
    """
    values = x.double()[mask]
    if values.numel() < 2 or values.max() - values.min() <= tol:
        return torch.zeros_like(x, dtype=torch.float64)
    scaled = (x.double() - values.mean()) / (values.var(correction=ddof) + eps).sqrt()
    return torch.where(mask, scaled, 0.0)


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
