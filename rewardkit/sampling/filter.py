"""Dynamic sampling: keep the groups that carry a signal (DAPO, arXiv 2503.14476, Eq. 11).

The filter reads scores, which for most verifiers are the outcome as 1 or 0, and never the shaped
reward. A length penalty makes an all-wrong group's rewards differ; a filter on them would let that
group through, and training would then reward the short wrong answers.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from rewardkit.errors import ConfigError
from rewardkit.registry import piece
from rewardkit.sampling.band import Band, BandReason
from rewardkit.types import UNDECIDED, Finish, Group, Outcome, Verdict

OWN: Mapping[str, Callable[[Sequence[Verdict]], bool]] = {}
"""Filters of groups that have a name: none but the one that `true` means."""
SCORE_TOLERANCE = 1e-6
"""Scores of a group that differ by no more are one score: a sum may be rounded in another order."""


class DropReason(StrEnum):
    """Why a group carries no signal; dynamic sampling drops it for that."""

    ALL_RIGHT = "all_right"
    """Every decided response is correct."""
    ALL_WRONG = "all_wrong"
    """None is."""
    UNDECIDED = "undecided"
    """The decided ones have one score, and at least one has no decided outcome."""


def drop_reason(verdicts: Sequence[Verdict]) -> DropReason | None:
    """Return why a group is not worth training on; None where its scores differ.

    Without scores of its own that is 0 < #correct < G. Undecided outcomes (TIMEOUT, ERROR,
    BAD_GOLD) count as neither right nor wrong.

    >>> right, wrong = Verdict(Outcome.CORRECT), Verdict(Outcome.INCORRECT)
    >>> [drop_reason(verdicts) for verdicts in ([right, wrong], [right, right], [wrong])]
    [None, <DropReason.ALL_RIGHT: 'all_right'>, <DropReason.ALL_WRONG: 'all_wrong'>]
    >>> half = Verdict(Outcome.INCORRECT, score=0.5)
    >>> drop_reason([wrong, half]), drop_reason([half, half])
    (None, <DropReason.ALL_WRONG: 'all_wrong'>)
    """
    decided = [verdict for verdict in verdicts if verdict.outcome not in UNDECIDED]
    scores = [verdict.score for verdict in decided]
    if scores and max(scores) - min(scores) > SCORE_TOLERANCE:
        return None
    if len(decided) < len(verdicts):
        return DropReason.UNDECIDED
    right = any(verdict.correct for verdict in decided)
    return DropReason.ALL_RIGHT if right else DropReason.ALL_WRONG


def carries_signal(verdicts: Sequence[Verdict]) -> bool:
    """Return whether the scores of a group differ, decided ones alone.

    >>> right, wrong = Verdict(Outcome.CORRECT), Verdict(Outcome.INCORRECT)
    >>> carries_signal([right, wrong]), carries_signal([wrong, wrong]), carries_signal([right])
    (True, False, False)
    """
    return drop_reason(verdicts) is None


def keeps(filtering: bool | str, verdicts: Sequence[Verdict]) -> bool:
    """Return whether a group is trained on, by `Recipe.filter_groups`.

    Raises:
        ConfigError: a filter of a user's own cannot be imported, or says neither True nor False.

    >>> keeps(True, [Verdict(Outcome.CORRECT)] * 2), keeps(False, [Verdict(Outcome.CORRECT)] * 2)
    (False, True)
    """
    if not isinstance(filtering, str):
        return not filtering or carries_signal(verdicts)
    found = piece("group filter", filtering, OWN)(verdicts)
    if not isinstance(found, bool):
        raise ConfigError(f"group filter {filtering!r} returned {found!r:.80}, not True or False")
    return found


@dataclass
class GroupTally:
    """How many groups were drawn and why some were not kept: the cost of dynamic sampling."""

    drawn: int = 0
    """Groups drawn."""
    kept: int = 0
    """Groups that train."""
    group_size: int = 0
    """Responses of the largest group."""
    without_signal: Counter[DropReason] = field(default_factory=Counter)
    """Groups that carry no signal, kept or not."""
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    """Of all rollouts drawn. Among the kept ones every group is mixed, however good the model."""
    scores: float = 0.0
    """The sum of the scores of all rollouts drawn."""
    graded: bool = False
    """Whether any score says more than its outcome."""
    steps: int = 0
    """Steps that were scored, of all rollouts drawn."""
    step_scores: float = 0.0
    """The sum of their scores."""

    judged: Counter[str] = field(default_factory=Counter)
    """Rollouts of which a model was asked behind rules, by `Verdict.judged`."""
    judge_seconds: float = 0.0
    """The sum of what their verdicts took."""
    outside: Counter[BandReason] = field(default_factory=Counter)
    """Groups that carry a signal and have a solve rate outside the band that is trained on."""
    too_long: int = 0
    """Problems passed over, since their prompts leave no room for a response."""
    tokens: int = 0
    """Tokens drawn, in all responses."""
    truncated: int = 0
    """Rollouts cut off by the response limit."""
    surprise: float = 0.0
    """The sum of -log-probability over all tokens drawn."""
    sources: Sequence[str] = ()
    """The tasks of a mixture, whose groups are counted apart as well."""
    by_source: dict[str, GroupTally] = field(default_factory=dict)
    """Of those that were drawn: groups and verdicts, no tokens."""

    @property
    def entropy(self) -> float:
        """The entropy of the policy in nats a token, estimated over all that was drawn.

        -log π of a token drawn from π has the entropy as its mean. With top-k or top-p, tokens
        come from a narrower distribution than π, and this is too low.
        """
        return self.surprise / max(self.tokens, 1)

    @property
    def truncated_share(self) -> float:
        """The share of all rollouts drawn that the response limit cut off."""
        return self.truncated / max(self.outcomes.total(), 1)

    @property
    def effective(self) -> int:
        """Groups drawn that could be trained on: with a signal, and inside the band."""
        return self.drawn - self.without_signal.total() - self.outside.total()

    def share(self, outcome: Outcome) -> float:
        """Return an outcome's share of all rollouts drawn."""
        return self.outcomes[outcome] / max(self.outcomes.total(), 1)

    @property
    def mean_score(self) -> float:
        """The mean score of all rollouts drawn whose verdict says something."""
        undecided = sum(self.outcomes[outcome] for outcome in UNDECIDED)
        return self.scores / max(self.outcomes.total() - undecided, 1)

    def count(
        self, verdicts: Sequence[Verdict], truncated: int, *, kept: bool, source: str = ""
    ) -> None:
        """Count one group by its verdicts and how many of its rollouts were cut off."""
        if source in self.sources:
            own = self.by_source.setdefault(source, GroupTally())
            own.count(verdicts, truncated, kept=kept)
        self.drawn += 1
        self.kept += kept
        self.group_size = max(self.group_size, len(verdicts))
        self.outcomes.update(verdict.outcome for verdict in verdicts)
        self.scores += math.fsum(verdict.score for verdict in verdicts)
        self.graded |= any(verdict.score != verdict.correct for verdict in verdicts)
        self.truncated += truncated
        for verdict in verdicts:
            if verdict.judged:
                self.judged[verdict.judged] += 1
                self.judge_seconds += verdict.seconds
            self.steps += len(verdict.steps)
            self.step_scores += math.fsum(step.score for step in verdict.steps)
        if reason := drop_reason(verdicts):
            self.without_signal[reason] += 1

    def add(
        self, groups: Iterable[Group], *, filtering: bool | str, band: Band | None = None
    ) -> list[Group]:
        """Count `groups` and return those to train on: all of them, or those that `keeps` says."""
        kept: list[Group] = []
        for group in groups:
            signal = carries_signal(group.verdicts)
            outside = band.outside(group.verdicts) if band else None
            if keep := keeps(filtering, group.verdicts) and not (filtering and outside):
                kept.append(group)
            if signal and outside is not None:
                self.outside[outside] += 1
            cut = sum(rollout.finish is Finish.LENGTH for rollout in group.rollouts)
            self.count(group.verdicts, cut, kept=keep, source=group.problem.source)
            for rollout in group.rollouts:
                self.tokens += len(rollout.own_tokens)
                self.surprise -= sum(rollout.logprobs)
        return kept
