"""How a response is drawn from the model."""

from __future__ import annotations

from dataclasses import dataclass

from rewardkit.errors import ConfigError


@dataclass(frozen=True, slots=True)
class SamplingParams:
    """Limits and temperature of sampling; `temperature=0` takes the likeliest token each time.

    Raises:
        ConfigError: a value outside its range.
    """

    max_tokens: int
    """The longest response."""
    temperature: float = 1.0
    """0 takes the likeliest token."""
    top_p: float = 1.0
    """Draw from the likeliest tokens of this share of the probability."""
    top_k: int = 0
    """Keep the `top_k` likeliest tokens; 0 keeps all."""
    stop: tuple[str, ...] = ()
    """End the response after any of these strings."""

    def __post_init__(self) -> None:
        if self.max_tokens < 1:
            raise ConfigError(f"max_tokens must be at least 1, found {self.max_tokens}")
        if "" in self.stop:
            raise ConfigError("stop holds an empty string, which would end every response at once")
        if self.temperature < 0:
            raise ConfigError(f"temperature must be 0 or more, found {self.temperature}")
        if not 0 < self.top_p <= 1:
            raise ConfigError(f"top_p must be in (0, 1], found {self.top_p}")
        if self.top_k < 0:
            raise ConfigError(f"top_k must be 0 or more, found {self.top_k}")

    @property
    def cuts(self) -> bool:
        """Whether unlikely tokens are left out."""
        return self.top_k > 0 or self.top_p < 1
