"""Judge: a language model on a server, asked whether an answer is the gold."""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from platformdirs import user_cache_dir

from rewardkit.client.answers import Response
from rewardkit.client.client import NoReply, client_at
from rewardkit.client.settings import is_address
from rewardkit.errors import ConfigError
from rewardkit.judging.asking import Asking
from rewardkit.judging.memory import key_of, memory_at
from rewardkit.judging.profiles import NOTHING, RIGHT, profile_of
from rewardkit.judging.settings import JudgeConfig
from rewardkit.judging.words import DECOY, addresses_a_judge, decoy
from rewardkit.types import Finish, Message, Outcome, Verdict
from rewardkit.verifiers.format.found import Found
from rewardkit.verifiers.format.thoughts import without_thoughts
from rewardkit.verifiers.kinds import kind_of
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
        set_ = partial(object.__setattr__, self)
        set_("model", self.model or os.environ.get("JUDGE_MODEL", ""))
        set_("base_url", self.base_url or os.environ.get("JUDGE_BASE_URL", ""))
        set_("profile", self.profile or os.environ.get("JUDGE_PROFILE", "general"))
        if not is_address(self.base_url):
            found = f", found {self.base_url!r}" if self.base_url else ""
            raise ConfigError(
                "the judge needs the address of a chat-completions server, such as "
                f"JUDGE_BASE_URL=http://localhost:8000/v1{found}"
            )
        profile_of(self.profile)
        client_at(self, os.getpid())

    @property
    def cost(self) -> Cost:
        """What this judge took in this process."""
        return Cost(**{name: _counts[self][name] for name in Cost.__slots__})

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

        async def label(gold: str, shown: str, filed: str = "") -> tuple[Outcome, str]:
            """Return what the judge says; the cache knows the gold as `filed`, if given."""
            asked = profile.asked(question, gold, shown)
            filed_as = profile.asked(question, filed, shown) if filed else asked
            return await self.reply_to(asked, profile.read, chat=profile.chat, filed_as=filed_as)

        try:
            outcome, said = await label(gold, shown)
            reason = f"the judge says {said}"
            if outcome is RIGHT and profile.swapped:
                other, said = await label(shown, gold)
                if other is not RIGHT:
                    outcome, reason = Outcome.ERROR, f"asked the other way round it says {said}"
            if outcome is RIGHT and tried:
                other, _ = await label(decoy(gold), shown, DECOY)
                fooled = other is RIGHT
                outcome, reason = (Outcome.ERROR, TALKED_OVER) if fooled else (RIGHT, HELD_FIRM)
        except Spent as error:
            return Verdict(Outcome.ERROR, method=NOT_ASKED, reason=str(error))
        except NoReply:
            _counts[self]["failed"] += 1
            raise
        return Verdict(outcome, method="judge", reason=reason)

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
        server = client_at(self, os.getpid())
        key = key_of(await server.model(), self.max_tokens, filed_as or messages)
        under_way = _under_way.get((self, key))
        if under_way is None:
            ask = partial(server.ask, messages, chat=chat)
            under_way = asyncio.ensure_future(self._reply(ask, read, key))
            _under_way[self, key] = under_way
            under_way.add_done_callback(lambda done: _under_way.pop((self, key), None))
        else:
            _counts[self]["cached"] += 1
        return await asyncio.shield(under_way)

    async def _reply(
        self, ask: Callable[[], Awaitable[Response]], read: Callable[[str], T | None], key: str
    ) -> T:
        where = Path(user_cache_dir("rewardkit")) / "judge" / "replies.sqlite"
        path = where if self.cache == DEFAULT_CACHE else Path(self.cache)
        counts, memory = _counts[self], memory_at(path, os.getpid()) if self.cache else None
        known = memory.find(key) if memory is not None else None
        if known is not None and (found := read(known)) is not None:
            counts["cached"] += 1
            return found
        if 0 < self.requests <= counts["begun"]:
            raise Spent(f"all {self.requests} requests are spent")
        counts["begun"] += 1
        reply = await ask()
        counts.update(requests=1, prompt_tokens=reply.prompt_tokens, completion_tokens=reply.tokens)
        if reply.finish is Finish.LENGTH:
            raise NoReply("it was cut off by the token limit; give it more max_tokens")
        if (found := read(reply.text)) is None:
            counts["unreadable"] += 1
            raise NoReply(f"it ends with {reply.text[-60:]!r}, and not with a label of its profile")
        if memory is not None:
            memory.keep(key, reply)
        return found


class Spent(NoReply):
    """There may be no further request."""


_counts: defaultdict[Judge, Counter[str]] = defaultdict(Counter)
_under_way: dict[tuple[Judge, str], asyncio.Future[Any]] = {}


def _lot(gold: str, shown: str) -> float:
    """Return a number in [0, 1) that depends on what is asked alone: a resumed run draws it again.

    >>> 0 <= _lot("12", "so 12") == _lot("12", "so 12") < 1
    True
    """
    text = f"{gold}\n{shown}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.sha256(text).digest()[:6], "big") / 2**48
