"""What is said of a judge: `[judge]` of a run."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, Self

from rewardkit.client.settings import ServerOptions
from rewardkit.errors import ConfigError, nearest_hint
from rewardkit.types import Outcome


@dataclass(frozen=True)
class JudgeConfig(ServerOptions):
    """The model that is asked behind rules, as in `verifier = "math+judge"`."""

    profile: str = ""
    """How it is asked: general, compass, xverify, general-reasoner, math_with_judge, or a TOML
    file; by default JUDGE_PROFILE, else general."""
    when: tuple[str, ...] = ()
    """Which verdicts of rules are left to it beside undecided ones, each OUTCOME, METHOD, or
    OUTCOME:METHOD:WORDS OF THE REASON, as in when = ["incorrect", "no_answer:open"]. By default
    words where the gold is a value, words that differ from the gold's, and what rules cannot
    tell; none of these is a verdict of a rule of one's own."""
    decoys: float = 0.05
    """The share of accepted responses that is asked again with a wrong gold."""
    share: float = 1.0
    """The share of what rules leave open that it is asked; for the rest what they said stands."""
    requests: int = 0
    """The most requests in all; 0 is no limit."""

    def __post_init__(self) -> None:
        given: Any = self.when  # a flag has it as one text, TOML as a list
        object.__setattr__(self, "when", (given,) if isinstance(given, str) else tuple(given))
        for term in self.when:
            outcome, colon, _ = term.partition(":")
            if colon and outcome and outcome not in [*Outcome]:
                hint = nearest_hint(outcome, [*Outcome])
                raise ConfigError(f"judge.when = {term!r}: {outcome!r} is no outcome{hint}")
        for name in ("decoys", "share"):
            if not 0 <= (value := getattr(self, name)) <= 1:
                raise ConfigError(f"judge.{name} is a share in [0, 1], found {value}")
        for name in ("max_tokens", "concurrency", "timeout_s"):
            if not (value := getattr(self, name)) > 0:
                raise ConfigError(f"judge.{name} must be above 0, found {value}")

    @property
    def options(self) -> dict[str, Any]:
        """What is set, as the verifier takes it."""
        found = {one.name: getattr(self, one.name) for one in fields(self)}
        return {name: value for name, value in found.items() if value != getattr(type(self), name)}

    def shared(self, processes: int) -> Self:
        """Return the part of one of several processes that ask the same server."""
        return replace(
            self,
            concurrency=max(1, self.concurrency // processes),
            requests=-(-self.requests // processes),
            requests_per_minute=self.requests_per_minute / processes,
            tokens_per_minute=self.tokens_per_minute / processes,
        )
