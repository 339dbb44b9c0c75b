"""Judge: a language model on a server, asked whether an answer is the gold."""

from __future__ import annotations

import asyncio
import hashlib
import os
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from platformdirs import user_cache_dir

from rewardkit.errors import ConfigError
from rewardkit.judging.client import Asking, Client, NoReply, client_at
from rewardkit.judging.local import Local, local_at
from rewardkit.judging.memory import Memory, key_of
from rewardkit.judging.profiles import NOTHING, RIGHT, Profile, profile_of
from rewardkit.judging.settings import JudgeConfig
from rewardkit.judging.words import DECOY, addresses_a_judge, decoy
from rewardkit.types import Gold, Message, Outcome, Problem, Verdict
from rewardkit.verifiers.format.found import Found
from rewardkit.verifiers.format.thoughts import without_thoughts
from rewardkit.verifiers.kinds import kind_of
from rewardkit.verifiers.pool.pool import VerifierPool
from rewardkit.verifiers.pool.waiting import HELD_FIRM, NOT_ASKED, TALKED_OVER
from rewardkit.verifiers.reading import read

T = TypeVar("T")
DEFAULT_CACHE = "replies.sqlite in the user's cache"


@dataclass(frozen=True, slots=True)
class Cost:
    """What judging took in this process."""

    requests: int = 0
    """Replies that came from the server."""
    cached: int = 0
    """Replies that were paid for before."""
    failed: int = 0
    unreadable: int = 0
    """Of these, replies that came and were none of the profile's labels."""
    prompt_tokens: int = 0
    completion_tokens: int = 0


@dataclass(frozen=True)
class Judge(Asking, JudgeConfig):
    """Ask a model on a server whether the final answer of a response is the gold answer.

    Behind rules, `math+judge`, or a second opinion in an audit. Text that a model wrote may try to
    instruct the judge. A share of what it calls the same, and all that speaks to a judge, is asked
    once more with a gold that is nobody's: a response that is "the same" as that, too, has talked
    the judge over, and the verdict is undecided (ERROR), as it is when the server says nothing that
    can be used. Requests wait on an event loop, not in worker processes.

    Raises:
        ConfigError: no server is named, no such profile, or a number is out of range.
        MissingExtraError: httpx is not installed.
    """

    longest: int = 4000
    """Characters of the end of a response that are shown."""
    cache: str = DEFAULT_CACHE
    """The file of replies by content, or "" for none."""

    def __post_init__(self) -> None:
        super().__post_init__()
        model = self.model or os.environ.get("JUDGE_MODEL", "")
        url = self.base_url or os.environ.get("JUDGE_BASE_URL", "")
        if self.engine == "transformers" and not model:
            raise ConfigError("a judge in this process needs the name of a model, or its folder")
        if self.engine == "server" and not url.startswith(("http://", "https://")):
            found = f", found {url!r}" if url else ""
            raise ConfigError(
                "the judge needs the address of a chat-completions server, such as "
                f"JUDGE_BASE_URL=http://localhost:8000/v1{found}"
            )
        object.__setattr__(self, "base_url", url)
        object.__setattr__(self, "model", model)
        named = self.profile or os.environ.get("JUDGE_PROFILE", "general")
        object.__setattr__(self, "profile", named)
        profile_of(named)
        _ = self._server

    def many(self, pairs: Iterable[tuple[str, Gold | Problem]]) -> Iterator[Verdict]:
        """Yield the verdict of each pair in order, `concurrency` of them under way at a time."""
        with VerifierPool(self) as pool:
            yield from pool.verify(pairs)

    @property
    def cost(self) -> Cost:
        """What this judge took in this process."""
        return _costs.get(self, Cost())

    def paid(self) -> Cost:
        """Return what all replies in the cache took together, in whatever process.

        Raises:
            ConfigError: there is no cache.
        """
        memory = self._memory()
        if memory is None:
            raise ConfigError("without a cache nobody knows what other processes paid")
        replies, prompt_tokens, completion_tokens = memory.totals()
        return Cost(replies, prompt_tokens=prompt_tokens, completion_tokens=completion_tokens)

    async def decide(self, response: str, gold: str, question: str, **columns: Any) -> Verdict:
        """Ask for the label of a response, and of a part of them again with a wrong gold."""
        if not gold:
            return Verdict(Outcome.BAD_GOLD, method="judge", reason="the gold answer is empty")
        profile = profile_of(self.profile)
        shown = without_thoughts(response)[-self.longest :].strip()
        if shown and profile.shows == "answer":
            found = read(shown, (), kind_of(gold))
            shown = found.text if isinstance(found, Found) else shown[-400:]
        if not shown:
            return Verdict(NOTHING, method="judge", reason="nothing to judge in the response")
        lot = _lot(gold, shown)
        if lot >= self.share:
            return Verdict(Outcome.ERROR, method=NOT_ASKED, reason="not of the share that is asked")
        tried = lot * 1e6 % 1 < self.decoys or addresses_a_judge(response)
        try:
            outcome, reason = await self._decided(profile, question, gold, shown, tried)
        except Spent as error:
            return Verdict(Outcome.ERROR, method=NOT_ASKED, reason=str(error))
        except NoReply:
            _add(self, Cost(failed=1))
            raise
        return Verdict(outcome, method="judge", reason=reason)

    async def _decided(
        self, profile: Profile, question: str, gold: str, shown: str, tried: bool
    ) -> tuple[Outcome, str]:
        outcome, label = await self._label(profile, question, gold, shown)
        if outcome is RIGHT and profile.swapped:
            again = await self._label(profile, question, shown, gold)
            if again[0] is not RIGHT:
                return Outcome.ERROR, f"asked the other way round it says {again[1]}"
        if outcome is RIGHT and tried:
            by_decoy = await self._label(profile, question, decoy(gold), shown, DECOY)
            return (Outcome.ERROR, TALKED_OVER) if by_decoy[0] is RIGHT else (RIGHT, HELD_FIRM)
        return outcome, f"the judge says {label}"

    async def _label(
        self, profile: Profile, question: str, gold: str, shown: str, filed: str = ""
    ) -> tuple[Outcome, str]:
        """Return what the judge says; the cache knows the gold as `filed`, where that is given."""
        messages = profile.asked(question, gold, shown)
        filed_as = profile.asked(question, filed, shown) if filed else messages
        return await self.reply_to(messages, profile.read, chat=profile.chat, filed_as=filed_as)

    async def reply_to(
        self,
        messages: Sequence[Message],
        read: Callable[[str], T | None],
        *,
        chat: bool = True,
        filed_as: Sequence[Message] = (),
    ) -> T:
        """Return what `read` makes of a reply; who asks the same meanwhile waits for the same one.

        Raises:
            NoReply: nothing that can be read, after all tries.
        """
        key = key_of(await self._server.model(), self.max_tokens, filed_as or messages)
        under_way = _under_way.get((self, key))
        if under_way is None:
            under_way = asyncio.ensure_future(self._reply(messages, read, chat, key))
            _under_way[self, key] = under_way
            under_way.add_done_callback(lambda done: _under_way.pop((self, key), None))
        else:
            _add(self, Cost(cached=1))
        return await asyncio.shield(under_way)

    async def _reply(
        self, messages: Sequence[Message], read: Callable[[str], T | None], chat: bool, key: str
    ) -> T:
        memory = self._memory()
        known = memory.find(key) if memory is not None else None
        if known is not None and (found := read(known.text)) is not None:
            _add(self, Cost(cached=1))
            return found
        if 0 < self.requests <= _begun[self]:
            raise Spent(f"all {self.requests} requests are spent")
        _begun[self] += 1
        reply = await self._server.ask(messages, chat=chat)
        tokens = reply.prompt_tokens, reply.completion_tokens
        _add(self, Cost(1, prompt_tokens=tokens[0], completion_tokens=tokens[1]))
        if reply.cut:
            raise NoReply("it was cut off by the token limit; give it more max_tokens")
        if (found := read(reply.text)) is None:
            _add(self, Cost(unreadable=1))
            raise NoReply(f"it ends with {reply.text[-60:]!r}, and not with a label of its profile")
        if memory is not None:
            memory.keep(key, reply)
        return found

    @property
    def _server(self) -> Client | Local:
        if self.engine == "transformers":
            return local_at(self)
        return client_at(self, os.getpid())

    def _memory(self) -> Memory | None:
        if self.cache == DEFAULT_CACHE:
            return _memory_at(Path(user_cache_dir("rewardkit")) / "judge" / "replies.sqlite")
        return _memory_at(Path(self.cache)) if self.cache else None


class Spent(NoReply):
    """There may be no further request."""


_costs: dict[Judge, Cost] = {}
_begun: Counter[Judge] = Counter()
_under_way: dict[tuple[Judge, str], asyncio.Future[Any]] = {}
_lock = threading.Lock()


@lru_cache(maxsize=8)
def _memory_at(path: Path) -> Memory:
    return Memory(path)


def _lot(gold: str, shown: str) -> float:
    """Return a number in [0, 1) that depends on what is asked alone: a resumed run draws it again.

    >>> 0 <= _lot("12", "so 12") == _lot("12", "so 12") < 1
    True
    """
    text = f"{gold}\n{shown}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.sha256(text).digest()[:6], "big") / 2**48


def _add(judge: Judge, more: Cost) -> None:
    with _lock:
        old = _costs.get(judge, Cost())
        _costs[judge] = replace(
            old, **{name: getattr(old, name) + getattr(more, name) for name in Cost.__slots__}
        )
