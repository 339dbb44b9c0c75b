"""Where the steps of a response end: a rule to split by, and from characters to tokens."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import NamedTuple

from rewardkit.types import BETWEEN_TURNS, UNDECIDED, Rollout, Segment, StepScore, Verdict

Decode = Callable[[Sequence[int]], str]
"""Tokens -> their text, without special tokens."""


class Line(NamedTuple):
    """A line of a response and where it ends, as `StepScore.end` counts."""

    end: int
    """The place behind its last character."""
    text: str
    """Without white space at both ends."""


class TokenStep(NamedTuple):
    """What one step is worth, and the place of its last token in the response."""

    token: int
    """Its index among the response's tokens."""
    score: float
    """The sum of the steps that end in this token."""


def lines(response: str) -> list[Line]:
    r"""Return the lines of a response that are not empty: the usual rule to split by.

    A line ends with its line break, whose token is often that of the last word too.

    >>> lines("1 + 2 = 3\n\n3 + 3 = 6")
    [Line(end=10, text='1 + 2 = 3'), Line(end=20, text='3 + 3 = 6')]
    """
    found = re.finditer(r"[^\n]+\n?", response)
    return [Line(m.end(), m[0].strip()) for m in found if m[0].strip()]


def with_turns(verdict: Verdict, rollout: Rollout) -> Verdict:
    """Return a verdict whose steps are the turns of a rollout, where an environment scored them.

    The last turn's score is the verdict's own.

    >>> from rewardkit.types import Finish, Outcome
    >>> rollout = Rollout("5\\n\\n7", (), (), Finish.STOP, steps=(StepScore(3, 0.5),))
    >>> [tuple(step) for step in with_turns(Verdict(Outcome.CORRECT), rollout).steps]
    [(3, 0.5), (5, 1.0)]
    """
    if not rollout.steps or verdict.steps or verdict.outcome in UNDECIDED:
        return verdict
    last = StepScore(len(rollout.text) + 1, verdict.score)
    return replace(verdict, steps=(*rollout.steps, last))


def token_steps(
    steps: Sequence[StepScore],
    tokens: Sequence[int],
    decode: Decode,
    segments: Sequence[Segment] = (),
) -> list[TokenStep]:
    """Return the steps of a response by their tokens, each ending with the one that completes it.

    The last step goes on to the last token: what ends the response belongs to it, and would
    otherwise be taught nothing. Steps that end in one token are one, with the sum of the scores.

    Args:
        steps: as the verdict has them.
        tokens: of the whole response.
        decode: the tokenizer's.
        segments: of a rollout of several turns; a step that ends with a turn has its end token.

    >>> token_steps([StepScore(2, 1.0), StepScore(4, 0.0)], [7, 7, 7, 0], lambda t: "ab" * len(t))
    [TokenStep(token=0, score=1.0), TokenStep(token=3, score=0.0)]
    """
    if not steps or not tokens:
        return []
    scores: dict[int, float] = {}
    ends = [step.end for step in steps]
    if segments:
        places = _turn_places(ends, tokens, decode, segments)
    else:
        places = token_places(ends, tokens, decode)
    for step, place in zip(steps, [*places[:-1], len(tokens) - 1], strict=True):
        scores[place] = scores.get(place, 0.0) + step.score
    return [TokenStep(place, score) for place, score in scores.items()]


def _turn_places(
    ends: Sequence[int], tokens: Sequence[int], decode: Decode, segments: Sequence[Segment]
) -> list[int]:
    """Return the same of a text that is the model's turns with `BETWEEN_TURNS`."""
    found: list[int] = []
    first, begin, apart = 0, 0, len(BETWEEN_TURNS)
    for part in segments:
        if part.written:
            over = begin + len(part.text)
            inside = [end - begin for end in ends if begin < end < over]
            own = tokens[first : first + part.tokens]
            found += [first + place for place in token_places(inside, own, decode)]
            last = first + part.tokens - 1
            found += [last for end in ends if max(over, begin + 1) <= end <= over + apart]
            begin = over + apart
        first += part.tokens
    return found + [len(tokens) - 1] * (len(ends) - len(found))  # beyond the text


def token_places(ends: Sequence[int], tokens: Sequence[int], decode: Decode) -> list[int]:
    """Return the token by which so many characters of the text are there, for each of `ends`.

    Where tokens decode to the parts of the text one by one, their lengths say it. Otherwise (a
    character of several tokens, a space that depends on what precedes) prefixes are decoded.
    """
    if not ends:
        return []
    last = len(tokens) - 1
    parts = [decode([token]) for token in tokens]
    if "".join(parts) == decode(tokens):
        reached = list(accumulate(map(len, parts)))
        return [min(bisect_left(reached, end), last) for end in ends]
    prefixes = range(1, len(tokens) + 1)
    return [
        min(bisect_left(prefixes, end, key=lambda count: len(decode(tokens[:count]))), last)
        for end in ends
    ]
