"""The bounds beyond which guards speak, and which of them stop a run."""

from __future__ import annotations

from dataclasses import dataclass, fields

from rewardkit.errors import ConfigError, nearest_hint


@dataclass(frozen=True)
class GuardsConfig:
    """Bounds on a step's metrics; beyond one, the run warns, or stops if `stop` names it.

    Each may be "none", which turns it off. A loss or gradient that is not finite always stops.
    """

    entropy: float | None = 0.01
    """At least, of what is sampled, in nats a token."""
    truncated: float | None = 0.5
    """At most, as a share of the responses drawn: those cut off at the limit of tokens; and, of a
    task with an environment, as a share of the rollouts: those that were out of turns."""
    clipped: float | None = 0.3
    """At most, as a share of the tokens with a gradient."""
    kl: float | None = 10.0
    """At most, to the reference model, in nats a token, where the loss has such a term."""
    kl_old: float | None = 0.2
    """At most, between the first and the last update of a batch, in nats a token."""
    mismatch: float | None = 0.1
    """At most, the mean |log-probability of the sampler - that of the trainer|."""
    undecided: float | None = 0.1
    """At most, as a share of the verdicts: those that timed out or failed."""
    fallen: float | None = 0.25
    """At least, the share of right answers over the best that it was, by means of three steps."""
    hacked: float | None = 0.1
    """At most, the rise of the reward in ten steps against the first three that comes with another
    length (by half) and not with more right answers."""
    parted: float | None = 0.1
    """At most, the rise of the KL to a teacher in ten steps against the first three, in nats a
    token."""
    teacher_entropy: float | None = 0.1
    """At least, the teacher's entropy over that of the first three steps, by means of ten."""
    overturned: float | None = 0.1
    """At most, the rise of what a judge accepts against rules that accept no more than they did,
    as a share of the responses."""
    talked_over: float | None = 0.2
    """At most, the share of tried responses that a judge also calls equal to a wrong gold."""
    degenerate: int | None = 5
    """So many steps in a row without a gradient of any reward; one of a KL does not count."""
    patience: int = 3
    """Steps in a row beyond a bound before it is said; `degenerate` has its own number."""
    stop: tuple[str, ...] = ("degenerate", "overturned", "talked_over")
    """The guards that stop the run; the others warn."""

    def __post_init__(self) -> None:
        known = [f.name for f in fields(self) if f.name not in ("patience", "stop")]
        for name in self.stop:
            if name not in known:
                raise ConfigError(f"guards.stop names no guard {name!r}{nearest_hint(name, known)}")
        for name in (*known, "patience"):
            value, least = getattr(self, name), int(name in ("patience", "degenerate"))
            if value is not None and value < least:
                raise ConfigError(f"guards.{name} must be at least {least}, found {value}")
