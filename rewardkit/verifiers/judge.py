"""Judge: a language model on a server, as a second opinion on whether an answer is the gold."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from platformdirs import user_cache_dir

from rewardkit.errors import ConfigError
from rewardkit.golds import as_text
from rewardkit.types import Gold, Outcome, Problem, Verdict
from rewardkit.verifiers.format.thoughts import without_thoughts
from rewardkit.verifiers.judging.memory import Memory, key_of
from rewardkit.verifiers.judging.server import Address, NoReply, server_at
from rewardkit.verifiers.judging.words import DECOY, DIFFERENT, NONE, SAME, asked, decoy, word_of

DEFAULT_CACHE = "replies.sqlite in the user's cache"


@dataclass(frozen=True, slots=True)
class Cost:
    """What judging took in this process."""

    requests: int = 0
    """Replies that came from the server."""
    cached: int = 0
    """Replies that were paid for before."""
    failed: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Judge:
    r"""Ask a chat-completions server whether the final answer of a response is the gold answer.

    A second opinion, for the second column of an audit or behind rules:
    `First((MathVerifier(), Judge()), unsure=("no_answer", "text"))`. Text that a model wrote may
    try to instruct the judge. What it calls the same is asked once more with a gold that is
    nobody's: a response that is "the same" as that, too, has talked the judge over, and the verdict
    is undecided (ERROR), as it is when the server says nothing that can be used.

    Args:
        model: by default the environment's JUDGE_MODEL, else the one model that the server has.
        base_url: such as http://localhost:8000/v1; by default JUDGE_BASE_URL.
        api_key_env: the environment variable that holds the key, if one is needed.
        max_tokens: of a reply; a judge that thinks first needs room for it.
        timeout_s: of one request.
        retries: further tries after a failure, with growing pauses.
        concurrency: how many requests `many` has under way.
        longest: characters of the end of a response that are shown.
        cache: the file of replies by content, or "" for none.

    Raises:
        ConfigError: no server is named.
        MissingExtraError: httpx is not installed.
    """

    model: str = ""
    base_url: str = ""
    api_key_env: str = "OPENAI_API_KEY"
    max_tokens: int = 2048
    timeout_s: float = 60.0
    retries: int = 3
    concurrency: int = 16
    longest: int = 4000
    cache: str = DEFAULT_CACHE

    def __post_init__(self) -> None:
        url = self.base_url or os.environ.get("JUDGE_BASE_URL", "")
        if not url.startswith(("http://", "https://")):
            found = f", found {url!r}" if url else ""
            raise ConfigError(
                "the judge needs the address of a chat-completions server, such as "
                f"JUDGE_BASE_URL=http://localhost:8000/v1{found}"
            )
        object.__setattr__(self, "base_url", url)
        object.__setattr__(self, "model", self.model or os.environ.get("JUDGE_MODEL", ""))
        server_at(self._address, os.getpid())

    def __call__(self, response: str, answer: Gold, question: str = "") -> Verdict:
        """Return the judge's verdict; ERROR where it or its server is undecided."""
        started = time.perf_counter()
        outcome, reason = self._decide(response, as_text(answer).strip(), question)
        seconds = time.perf_counter() - started
        return Verdict(
            outcome, gold=as_text(answer), method="judge", reason=reason, seconds=seconds
        )

    def many(self, pairs: Iterable[tuple[str, Gold | Problem]]) -> Iterator[Verdict]:
        """Yield the verdict of each pair in order, `concurrency` of them under way at a time."""

        def one(pair: tuple[str, Gold | Problem]) -> Verdict:
            response, answer = pair
            if isinstance(answer, Problem):
                return self(response, answer.answer, answer.question)
            return self(response, answer)

        with ThreadPoolExecutor(self.concurrency) as threads:
            yield from threads.map(one, pairs)

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

    @property
    def _address(self) -> Address:
        return Address(
            self.base_url,
            self.api_key_env,
            self.model,
            self.max_tokens,
            self.timeout_s,
            self.retries,
        )

    def _decide(self, response: str, gold: str, question: str) -> tuple[Outcome, str]:
        if not gold:
            return Outcome.BAD_GOLD, "the gold answer is empty"
        shown = without_thoughts(response)[-self.longest :].strip()
        if not shown:
            return Outcome.NO_ANSWER, "nothing to judge in the response"
        try:
            word = self._word(question, gold, shown)
            if word == SAME and self._word(question, decoy(gold), shown, DECOY) == SAME:
                return Outcome.ERROR, "the judge calls a wrong gold the same as this response, too"
        except NoReply as error:
            _add(self, Cost(failed=1))
            return Outcome.ERROR, f"the judge is undecided: {error}"[:300]
        outcome = {
            SAME: Outcome.CORRECT,
            DIFFERENT: Outcome.INCORRECT,
            NONE: Outcome.NO_ANSWER,
        }[word]
        return outcome, f"the judge says {word}"

    def _word(self, question: str, gold: str, shown: str, filed: str = "") -> str:
        """Return the judge's word, from the cache if the same was asked before.

        The cache knows the gold as `filed`, where that is given.
        """
        server, memory = server_at(self._address, os.getpid()), self._memory()
        messages = asked(question, gold, shown)
        filed_as = asked(question, filed, shown) if filed else messages
        key = key_of(server.model(), self.max_tokens, filed_as)
        known = memory.find(key) if memory is not None else None
        if known is not None and (word := word_of(known.text)) is not None:
            _add(self, Cost(cached=1))
            return word
        reply = server.ask(messages)
        _add(self, Cost(1, 0, 0, reply.prompt_tokens, reply.completion_tokens))
        if reply.cut:
            raise NoReply("it was cut off by the token limit; give it more max_tokens")
        if (word := word_of(reply.text)) is None:
            raise NoReply(f"it ends with {reply.text[-60:]!r}, and not with one of the three words")
        if memory is not None:
            memory.keep(key, reply)
        return word

    def _memory(self) -> Memory | None:
        if self.cache == DEFAULT_CACHE:
            return Memory(Path(user_cache_dir("rewardkit")) / "judge" / "replies.sqlite")
        return Memory(Path(self.cache)) if self.cache else None


_costs: dict[Judge, Cost] = {}
_lock = threading.Lock()


def _add(judge: Judge, more: Cost) -> None:
    with _lock:
        old = _costs.get(judge, Cost())
        _costs[judge] = replace(
            old, **{name: getattr(old, name) + getattr(more, name) for name in Cost.__slots__}
        )
