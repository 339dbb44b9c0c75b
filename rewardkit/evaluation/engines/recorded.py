"""Regrade without the model: what a run asked is on file, so nothing is loaded or drawn."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import msgspec

from rewardkit.errors import ConfigError, DataError
from rewardkit.evaluation.engines.base import (
    DecodingSettings,
    Engine,
    Failure,
    Request,
    Response,
)
from rewardkit.evaluation.samples import text_hash
from rewardkit.files import read_json
from rewardkit.types import Message

PROMPTS_FILE = "prompts.json"


@dataclass
class _Record:
    """What `prompts.json` holds of itself."""

    fingerprint: str
    decoding: DecodingSettings
    settings: dict[str, Any]
    chat_template: str | None
    prompts: dict[str, str]


class RecordedEngine:
    """Stands in for the engine of an earlier call: same fingerprint and prompts, no responses.

    Raises:
        DataError: the run folder holds no record of its prompts.
    """

    def __init__(self, folder: Path) -> None:
        path = folder / PROMPTS_FILE
        try:
            record = msgspec.convert(read_json(path), _Record)
        except (FileNotFoundError, NotADirectoryError) as error:
            raise DataError(
                f"{folder}: holds no {PROMPTS_FILE}, so it is no run folder that can be regraded"
            ) from error
        except (msgspec.ValidationError, UnicodeError) as error:
            raise DataError(f"{path}: not written by rewardkit eval ({error})") from error
        self.fingerprint, self.decoding = record.fingerprint, record.decoding
        self.settings, self.chat_template = record.settings, record.chat_template
        self.prompts = record.prompts
        """Hash of a chat -> the prompt as the model saw it."""

    def render(self, messages: Sequence[Message], template: Mapping[str, Any] = {}) -> str:
        """Return the prompt that was recorded for this chat.

        Raises:
            DataError: the task now asks in words that this run never used.
        """
        try:
            return self.prompts[chat_hash(messages, template)]
        except KeyError as error:
            raise DataError(
                "the task asks something that this run never asked (its problems or its prompt "
                "have changed); evaluate again instead"
            ) from error

    def generate(self, requests: Sequence[Request]) -> Iterator[tuple[int, Response | Failure]]:
        """Refuse: there is no model here."""
        raise ConfigError("a recorded run cannot draw responses")

    def close(self) -> None:
        """Nothing is held open."""


def chat_hash(messages: Sequence[Message], template: Mapping[str, Any] = {}) -> str:
    """Return the hash under which the rendered form of a chat is filed."""
    turns = [dict(m) for m in messages]
    return text_hash(json.dumps([turns, dict(template)] if template else turns, sort_keys=True))


def prompt_record(
    engine: Engine, settings: Mapping[str, Any], prompts: Mapping[str, str]
) -> dict[str, Any]:
    """Return what `RecordedEngine` reads back."""
    return {
        "fingerprint": engine.fingerprint,
        "decoding": asdict(engine.decoding),
        "chat_template": engine.chat_template,
        "chat_template_hash": text_hash(engine.chat_template) if engine.chat_template else None,
        "settings": dict(settings),
        "served": getattr(engine, "served", None),
        "prompts": dict(prompts),
    }
