"""Models in this process, asked for many at a time: a small judge, a reward model."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Generic, TypeVar

from rewardkit.errors import MissingExtraError
from rewardkit.judging.client import NoReply, Reply
from rewardkit.judging.settings import ServerOptions
from rewardkit.registry import MODELS

A = TypeVar("A")
B = TypeVar("B")
AT_A_TIME = 16
"""Rows of one forward pass."""
TOGETHER_S = 0.01
"""What comes within this time is passed together."""


class Batched(Generic[A, B]):
    """Collects what is asked one by one for a function of lists, which runs in a thread."""

    def __init__(self, function: Callable[[Sequence[A]], Sequence[B]]) -> None:
        self.function = function
        self._open: list[tuple[A, asyncio.Future[B]]] = []
        self._work: asyncio.Task[None] | None = None

    async def __call__(self, asked: A) -> B:
        """Return what the function says of one.

        Raises:
            NoReply: it raised.
        """
        future: asyncio.Future[B] = asyncio.get_running_loop().create_future()
        self._open.append((asked, future))
        if self._work is None or self._work.done():
            self._work = asyncio.ensure_future(self._until_done())
        return await future

    async def _until_done(self) -> None:
        await asyncio.sleep(TOGETHER_S)
        while self._open:
            batch, self._open = self._open[:AT_A_TIME], self._open[AT_A_TIME:]
            try:
                found = await asyncio.to_thread(self.function, [asked for asked, _ in batch])
                for (_, future), one in zip(batch, found, strict=True):
                    future.set_result(one)
            except Exception as error:  # noqa: BLE001 who asked is told
                for _, future in batch:
                    future.set_exception(NoReply(f"{type(error).__name__}: {error}"))


class Local:
    """A causal language model of transformers in the place of a server."""

    def __init__(self, address: ServerOptions) -> None:
        self.address = address
        self._ask = Batched(self._replies)

    async def model(self) -> str:
        """Return the model's name."""
        return self.address.model

    async def ask(self, messages: Sequence[Any], *, chat: bool = True) -> Reply:
        """Return the model's most likely continuation of a chat, or of a plain prompt.

        Raises:
            NoReply: it failed.
        """
        return await self._ask((tuple(messages), chat))

    @cached_property
    def _parts(self) -> tuple[Any, Any]:
        return loaded(self.address.model, "AutoModelForCausalLM")

    def _replies(self, asked: Sequence[tuple[Any, bool]]) -> list[Reply]:
        import torch

        model, tokenizer = self._parts
        options = {"tokenize": False, "add_generation_prompt": True}
        texts = [
            tokenizer.apply_chat_template([dict(one) for one in messages], **options)
            if chat
            else messages[-1]["content"]
            for messages, chat in asked
        ]
        rows = tokenizer(texts, return_tensors="pt", padding=True, padding_side="left")
        rows.pop("token_type_ids", None)
        most = self.address.max_tokens
        with torch.inference_mode():
            ids = model.generate(
                **rows.to(model.device), do_sample=False, max_new_tokens=most,
                pad_token_id=tokenizer.pad_token_id,
            )  # fmt: skip
        found = []
        for mask, row in zip(
            rows["attention_mask"], ids[:, rows["input_ids"].shape[1] :], strict=True
        ):
            count = int((row != tokenizer.pad_token_id).sum())
            text = tokenizer.decode(row, skip_special_tokens=True)
            found.append(Reply(text, int(mask.sum()), count, cut=count >= most))
        return found


@lru_cache(maxsize=4)
def local_at(address: ServerOptions) -> Local:
    """Return the model of this process for an address."""
    return Local(address)


@lru_cache(maxsize=4)
def loaded(name: str, kind: str) -> tuple[Any, Any]:
    """Return a model of transformers and its tokenizer, on a GPU where there is one.

    Args:
        name: a fetched model's name, a folder, or a hub id.
        kind: the class of transformers that loads it.
    """
    try:
        import torch
        import transformers
    except ModuleNotFoundError as error:
        raise MissingExtraError(error.name or "transformers", "native") from error
    path = str(MODELS.get(name)()) if name in MODELS.names() and not Path(name).exists() else name
    tokenizer = transformers.AutoTokenizer.from_pretrained(path)
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    model = getattr(transformers, kind).from_pretrained(path).eval()
    if getattr(model.config, "pad_token_id", None) is None:
        model.config.pad_token_id = tokenizer.pad_token_id
    return model.to("cuda" if torch.cuda.is_available() else "cpu"), tokenizer
