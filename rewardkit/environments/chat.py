"""What stands between two turns of the model, in tokens: what its chat template would put there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rewardkit.errors import ConfigError, described
from rewardkit.types import Message

ASKED: Message = {"role": "user", "content": "Q"}
SAID = ("A", "<think>\nT\n</think>\n\nA")
"""Turns of the model on which a template is tried: a bare one, and one with a thought."""


class Chat:
    """The tokens of messages behind a turn that was sampled, whose own tokens stay as they are.

    Args:
        tokenizer: of transformers, with a chat template.
        template: what the template is called with besides the chat.
        name: the model, for messages.

    Raises:
        ConfigError: at the first use of a role, the template rewrites what stands before it, or
            tokens would merge across the border: what is sampled and trained on would not be what
            the template makes of the same chat. Names model and role.
    """

    def __init__(self, tokenizer: Any, template: Mapping[str, Any] = {}, name: str = "") -> None:
        self.tokenizer, self.template, self.name = tokenizer, dict(template), name
        self._tried: set[str] = set()

    def tokens(self, said: str | Sequence[Message], last: int) -> list[int]:
        """Return what stands between the model's turn, whose last token is `last`, and its next.

        A text goes on in the same turn.
        """
        if isinstance(said, str):
            return self._encode(said)
        for role in {message["role"] for message in said} - self._tried:
            self.check(role)
        found = self._encode(self._between(SAID[0], said))
        return found[1:] if found[:1] == [last] else found

    def check(self, role: str) -> None:
        """Refuse a template with which tokens behind a turn are not those of the whole chat.

        Raises:
            ConfigError: it is one; names model and role.
        """
        message: Message = {"role": role, "content": "R"}
        thought = "</think>" in str(self.tokenizer.chat_template or "")
        for said in SAID[: 1 + (thought and "</think>" not in self._text([ASKED], True))]:
            chat = [ASKED, {"role": "assistant", "content": said}, message]
            try:
                whole, before = self._text(chat, True), self._text([ASKED], True)
                between = self._between(said, [message])
            except Exception as error:
                raise self._refused(role, described(error)) from error
            if whole != before + said + between:
                raise self._refused(role, "it rewrites the turns before a message")
            parts = self._encode(before) + self._encode(said) + self._encode(between)
            if parts != self._encode(whole):
                raise self._refused(role, "tokens merge across the border of a turn")
            if "R" not in between:
                raise self._refused(role, "it leaves the message out")
        self._tried.add(role)

    def _between(self, said: str, messages: Sequence[Message]) -> str:
        chat = [ASKED, {"role": "assistant", "content": said}]
        begun = self._text([ASKED], True) + said
        whole = self._text([*chat, *messages], True)
        if not whole.startswith(begun):
            raise ConfigError("it rewrites the turns before a message")
        return whole[len(begun) :]

    def _text(self, chat: Sequence[Message], header: bool) -> str:
        text: str = self.tokenizer.apply_chat_template(
            [dict(message) for message in chat],
            tokenize=False,
            add_generation_prompt=header,
            **self.template,
        )
        return text

    def _encode(self, text: str) -> list[int]:
        return list(self.tokenizer.encode(text, add_special_tokens=False))

    def _refused(self, role: str, why: str) -> ConfigError:
        return ConfigError(
            f"the chat template of {self.name or 'this model'} cannot go on behind a turn with a "
            f"message of the role {role!r}: {why}. Use task.tools.format=tags, which stays in the "
            "model's own turn, or another model"
        )
