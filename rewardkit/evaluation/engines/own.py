"""An engine of a user's own, by `module:attribute`: what goes wrong inside says file and line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from rewardkit.errors import ConfigError, ModelError, RewardkitError, described
from rewardkit.evaluation.engines.base import (
    DecodingSettings,
    Engine,
    EngineOptions,
    Failure,
    Request,
    Response,
    rendered,
)
from rewardkit.registry import import_object
from rewardkit.types import Message

T = TypeVar("T")
FORM = (
    "an engine is called as Engine(model, decoding, options), and has fingerprint, decoding, "
    "chat_template, render, generate and close, as rewardkit.evaluation.engines.base.Engine says"
)


class OwnEngine:
    """Stands before an engine that rewardkit does not know, and names it in every error.

    Raises:
        ConfigError: it cannot be imported, or is no engine.
        ModelError: it raised something while it was made.
    """

    def __init__(
        self, name: str, model: str, decoding: DecodingSettings, options: EngineOptions
    ) -> None:
        self._name = name
        made = self._of_user(lambda: import_object(name, "engine"))
        self._engine: Engine = self._of_user(lambda: made(model, decoding, options))
        lacks = [part for part in PARTS if not hasattr(self._engine, part)]
        if lacks:
            raise ConfigError(f"engine {name!r} has no {lacks[0]}: {FORM}")
        self.fingerprint = self._engine.fingerprint
        self.decoding = self._engine.decoding
        self.chat_template = self._engine.chat_template

    def render(self, messages: Sequence[Message], template: Mapping[str, Any] = {}) -> str:
        """Return the prompt as the model sees it."""
        return self._of_user(lambda: rendered(self._engine, messages, template))

    def generate(self, requests: Sequence[Request]) -> Iterator[tuple[int, Response | Failure]]:
        """Yield what came of each request, held to the engine's promise of one answer each."""
        left = set(range(len(requests)))
        answers = iter(self._of_user(lambda: self._engine.generate(requests)))
        while (answer := self._of_user(lambda: next(answers, None))) is not None:
            match answer:
                case (int(index), Response() | Failure() as found) if index in left:
                    left.remove(index)
                    yield index, found
                case _:
                    raise ModelError(
                        f"engine {self._name!r} yielded {answer!r:.120}, expected (index of a "
                        "request, Response or Failure), each index once"
                    )
        for index in left:
            yield index, Failure(f"engine {self._name!r} ended without an answer")

    def close(self) -> None:
        """Let go of what it holds."""
        self._of_user(self._engine.close)

    def _of_user(self, call: Callable[[], T]) -> T:
        try:
            return call()
        except RewardkitError:
            raise
        except Exception as error:
            raise ModelError(f"engine {self._name!r} raised {described(error)}") from error


PARTS = ("fingerprint", "decoding", "chat_template", "render", "generate", "close")
