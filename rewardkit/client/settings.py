"""What is said of a server that scores, judges or teaches, and how it is asked."""

from __future__ import annotations

from dataclasses import dataclass


def is_address(name: str) -> bool:
    """Return whether a model is named by its server, as in http://localhost:8000/v1#MODEL."""
    return name.startswith(("http://", "https://"))


@dataclass(frozen=True)
class ServerOptions:
    """A model on a server, and how it is asked."""

    model: str = ""
    """By default the environment's JUDGE_MODEL, else the one model that the server has."""
    base_url: str = ""
    """Such as http://localhost:8000/v1; by default JUDGE_BASE_URL."""
    api_key_env: str = "OPENAI_API_KEY"
    """The environment variable that holds the key, if one is needed."""
    max_tokens: int = 2048
    """Of a reply; a judge that thinks first needs room for it."""
    timeout_s: float = 60.0
    """Seconds for one request."""
    retries: int = 3
    """Further tries after a failure, with growing pauses."""
    wait_s: float = 0.0
    """Seconds to go on trying where the server fails or has enough (429), whatever the number of
    retries; then the verdict is undecided, never wrong."""
    concurrency: int = 64
    """Requests under way at a time; on verl the reward workers share them."""
    requests_per_minute: float = 0.0
    """The most; 0 is no limit."""
    tokens_per_minute: float = 0.0
    """The most, of prompts and replies together; 0 is no limit."""
