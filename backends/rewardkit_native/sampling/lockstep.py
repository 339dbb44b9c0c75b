"""Rows that are decoded together: a token each, and those that ended leave."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import torch
from torch import Tensor

from rewardkit.sampling import SamplingParams
from rewardkit.types import Finish, Rollout
from rewardkit_native.sampling.drawing import draw
from rewardkit_native.sampling.sampler import OnFinish, OnStep


@dataclass
class PartialRollout:
    """What a row has so far; `group` and `member` say whose it is."""

    group: int
    member: int
    tokens: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)


Finished = Callable[[PartialRollout, Finish], None]
"""Called with a row that has ended, and how."""
Stepped = Callable[[int], None]
"""Called with how many tokens were drawn since it was called last."""
Tokens = Sequence[Sequence[int]]
Run = Callable[..., None]
"""(sampler, prompts, seeds of their rows, params, finished, stepped): a way to decode them all."""


class Decoding(Protocol):
    """Rows that are being decoded together; lives as long as one batch."""

    logits: Tensor
    """[rows, V] for the next token of each row."""

    def keep(self, rows: Sequence[int]) -> None:
        """Go on with these rows alone, in this order."""
        ...

    def step(self, tokens: Tensor, live: Tensor | None = None) -> None:
        """Append one token a row, [rows], and compute the next logits.

        A row that is not `live` stands still: its token is never seen, and its logits mean nothing.
        """
        ...


class Decoder(Protocol):
    """Turns tokens into logits, with a cache of what was read."""

    device: torch.device

    def start(self, prompts: Tokens, copies: Sequence[int]) -> Decoding:
        """Read each prompt once; the result has `copies[i]` neighbouring rows for prompt i."""
        ...

    def refresh(self, model: Any | Mapping[str, Tensor]) -> None:
        """Decode with the current weights of `model` from now on."""
        ...

    def release(self) -> None:
        """Give up the memory that only decoding needs, until the next `refresh`."""
        ...


class DecodingSampler:
    """Decodes batches of rows in lockstep; a row that ended leaves the batch at once.

    At most `rows` rows are decoded together.
    """

    def __init__(
        self, decoder: Decoder, tokenizer: Any, end_tokens: Sequence[int], rows: int
    ) -> None:
        self.decoder = decoder
        self.tokenizer = tokenizer
        self.known = known_tokens(tokenizer)
        self.end_tokens = frozenset(end_tokens)
        self.rows = rows
        # Of the class: a method of its own would keep it, and its weights, for the collector.
        self.run: Run = DecodingSampler.in_lockstep

    def refresh(self, model: Any) -> None:
        """Sample from the current weights of `model` from now on."""
        self.decoder.refresh(model)

    def release(self) -> None:
        """Give up the memory that only sampling needs, until the next `refresh`."""
        self.decoder.release()

    def sample(
        self,
        prompts: Tokens,
        seeds: Tokens,
        params: SamplingParams,
        progress: OnStep | None = None,
        on_finish: OnFinish | None = None,
    ) -> list[list[Rollout]]:
        """Return `len(seeds[i])` rollouts of `prompts[i]`, at most `self.rows` rows at a time."""
        done: dict[tuple[int, int], Rollout] = {}
        tokens = 0

        def finished(partial: PartialRollout, finish: Finish) -> None:
            text = self.tokenizer.decode(partial.tokens, skip_special_tokens=True)
            rollout = Rollout(text, tuple(partial.tokens), tuple(partial.logprobs), finish)
            done[partial.group, partial.member] = rollout
            if on_finish is not None:
                on_finish(partial.group, partial.member, rollout)

        def stepped(drawn: int) -> None:
            nonlocal tokens
            tokens += drawn
            if progress is not None:
                progress(len(done), tokens)

        with torch.inference_mode():
            self.run(self, prompts, seeds, params, finished, stepped)
        return [[done[g, i] for i in range(len(group))] for g, group in enumerate(seeds)]

    def in_lockstep(
        self,
        prompts: Tokens,
        seeds: Tokens,
        params: SamplingParams,
        finished: Finished,
        stepped: Stepped,
    ) -> None:
        """Decode at most `rows` rows together, and when all of them have ended the next ones."""
        for groups in chunks([len(s) for s in seeds], self.rows):
            partials = [
                PartialRollout(group, i) for group in groups for i in range(len(seeds[group]))
            ]
            if not partials:
                continue
            keys = torch.tensor([seed for g in groups for seed in seeds[g]])
            copies = [len(seeds[group]) for group in groups]
            decoding = self.decoder.start([prompts[group] for group in groups], copies)
            self._decode(decoding, partials, keys, params, finished, stepped)

    def _decode(
        self,
        decoding: Decoding,
        partials: list[PartialRollout],
        keys: Tensor,
        params: SamplingParams,
        finished: Finished,
        stepped: Stepped,
    ) -> None:
        keys = keys.to(self.decoder.device)
        for step in range(params.max_tokens):
            chosen, logprobs = draw(decoding.logits, keys, step, params, self.known)
            ended = []
            for partial, token, logprob in zip(
                partials, chosen.tolist(), logprobs.tolist(), strict=True
            ):
                partial.tokens.append(token)
                partial.logprobs.append(logprob)
                ended.append(self.at_end(partial, params.stop))
            last = step == params.max_tokens - 1
            for partial, end in zip(partials, ended, strict=True):
                if end or last:
                    finished(partial, Finish.STOP if end else Finish.LENGTH)
            stepped(len(partials))
            if last or all(ended):
                return
            if any(ended):
                rows = close_gaps(ended)
                decoding.keep(rows)
                partials, keys, chosen = [partials[i] for i in rows], keys[rows], chosen[rows]
            decoding.step(chosen)

    def at_end(self, partial: PartialRollout, stop: tuple[str, ...]) -> bool:
        """Return whether a row's last token ends it, or completes a string of `stop`."""
        return partial.tokens[-1] in self.end_tokens or self._at_stop_string(partial, stop)

    def _at_stop_string(self, partial: PartialRollout, stop: tuple[str, ...]) -> bool:
        if not stop:
            return False
        # A token is at least one byte, so a string that has just become complete lies in these;
        # some more, since a character may be torn at the cut.
        tail = partial.tokens[-max(len(s.encode()) for s in stop) - 8 :]
        text = self.tokenizer.decode(tail, skip_special_tokens=False)
        return any(s in text for s in stop)


def known_tokens(tokenizer: Any) -> int:
    """Return how many ids a tokenizer knows, up to its last."""
    return int(max(tokenizer.get_vocab().values())) + 1


def ids_beyond(model: Any, tokenizer: Any) -> range:
    """Return the ids of the rows that pad a model's head beyond its tokenizer."""
    return range(known_tokens(tokenizer), getattr(model.config, "vocab_size", 0))


def close_gaps(ended: Sequence[bool]) -> list[int]:
    """Return the rows that go on, the last ones moved to the places of those that ended.

    So only as many rows move as ended, which is what dropping them costs a cache.

    >>> close_gaps([False, True, False, True, False])
    [0, 4, 2]
    """
    rows = [row for row, end in enumerate(ended) if not end]
    count = len(rows)
    kept = [row for row in rows if row < count]
    moved = rows[len(kept) :]
    return [moved.pop() if ended[place] else place for place in range(count)]


def chunks(sizes: Sequence[int], most: int) -> list[list[int]]:
    """Split indices 0..n-1 into runs whose sizes add up to at most `most` (or a single one)."""
    chunks: list[list[int]] = []
    held = 0
    for index, size in enumerate(sizes):
        if not chunks or held + size > most:
            chunks.append([])
            held = 0
        chunks[-1].append(index)
        held += size
    return chunks
