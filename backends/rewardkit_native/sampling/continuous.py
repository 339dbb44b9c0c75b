"""Continuous batching: a row that ends gives its slot to the next, so that slots are seldom idle.

Random numbers belong to a rollout, so what it is does not depend on its slot, on when it begins,
or on which rows are beside it (up to float arithmetic).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

from rewardkit.sampling import SamplingParams
from rewardkit.types import Finish
from rewardkit_native.sampling.fast_decoder import FastDecoder
from rewardkit_native.sampling.lockstep import PartialRollout
from rewardkit_native.sampling.slots import (
    STEPS,
    Newcomer,
    SlotDecoding,
    free_memory,
    slots_that_fit,
)


def decode_continuously(
    decoder: FastDecoder,
    most: int | None,
    prompts: Sequence[Sequence[int]],
    seeds: Sequence[Sequence[int]],
    params: SamplingParams,
    known: int | None = None,
    *,
    ended: Callable[[PartialRollout], bool],
    finished: Callable[[PartialRollout, Finish], None],
    stepped: Callable[[int], None],
) -> None:
    """Decode `len(seeds[i])` rows behind each prompt, at most `most` at a time, and as fit memory.

    Ids from `known` on are never drawn. `ended` says whether a row's last token, or its text, is
    an end; `finished` gets every row, `stepped` how many tokens were drawn since it was called.
    """
    waiting = deque(
        PartialRollout(group, member) for group, of in enumerate(seeds) for member in range(len(of))
    )
    if not waiting:
        return
    room = max(map(len, prompts)) + params.max_tokens
    slots = min(most or len(waiting), len(waiting))
    if decoder.device.type == "cuda":
        slots = min(slots, slots_that_fit(free_memory(decoder.device), room, decoder))
    decoding = SlotDecoding(decoder, slots, room, params, known)
    rows: list[PartialRollout | None] = [None] * slots
    while waiting or any(rows):
        new: list[Newcomer] = []
        for slot, row in enumerate(rows):
            if row is None and waiting:
                rows[slot] = row = waiting.popleft()
                seed = seeds[row.group][row.member]
                new.append(Newcomer(slot, prompts[row.group], seed))
        if new:
            decoding.admit(new)
        left = max(params.max_tokens - len(row.tokens) for row in rows if row is not None)
        tokens, logprobs = decoding.run(min(STEPS, left) - 1)
        drawn = 0
        for slot, row in enumerate(rows):
            if row is None:
                continue
            before = len(row.tokens)
            finish = _follow(row, slot, tokens, logprobs, params.max_tokens, ended)
            drawn += len(row.tokens) - before
            if finish is not None:
                finished(row, finish)
                rows[slot] = None
        stepped(drawn)
        decoding.leave([slot for slot, row in enumerate(rows) if row is None])
        if any(rows):
            decoding.step()  # the next round begins with what this draws


def _follow(
    row: PartialRollout,
    slot: int,
    tokens: Sequence[Sequence[int]],
    logprobs: Sequence[Sequence[float]],
    most: int,
    ended: Callable[[PartialRollout], bool],
) -> Finish | None:
    """Append to a row what was drawn for it up to its end; say how it ended, if it did."""
    for some_tokens, some_logprobs in zip(tokens, logprobs, strict=True):
        row.tokens.append(some_tokens[slot])
        row.logprobs.append(some_logprobs[slot])
        if ended(row):
            return Finish.STOP
        if len(row.tokens) == most:
            return Finish.LENGTH
    return None
