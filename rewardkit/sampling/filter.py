"""Dynamic sampling: keep the groups that carry a signal (DAPO, arXiv 2503.14476, Eq. 11).

The filter reads outcomes, never the shaped reward. A length penalty makes an all-wrong group's
rewards differ; a filter on them would let that group through, and training would then reward
the short wrong answers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from rewardkit.types import UNDECIDED, Finish, Group, Outcome, Verdict


def carries_signal(verdicts: Sequence[Verdict]) -> bool:
    """Return whether a group holds both right and wrong answers: 0 < #correct < G.

    Rollouts whose outcome is undecided (TIMEOUT, ERROR, BAD_GOLD) count as neither.

    >>> right, wrong = Verdict(Outcome.CORRECT), Verdict(Outcome.INCORRECT)
    >>> carries_signal([right, wrong]), carries_signal([wrong, wrong]), carries_signal([right])
    (True, False, False)
    """
    decided = [verdict for verdict in verdicts if verdict.outcome not in UNDECIDED]
    right = sum(verdict.correct for verdict in decided)
    return 0 < right < len(decided)


@dataclass
class GroupTally:
    """How many groups were drawn and why some were not kept: the cost of dynamic sampling."""

    drawn: int = 0
    kept: int = 0
    all_right: int = 0
    all_wrong: int = 0
    undecided: int = 0
    """No signal, and at least one rollout of the group has no decided outcome."""
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    """Of all rollouts drawn. Among the kept ones every group is mixed, however good the model."""

    too_long: int = 0
    """Problems passed over, since their prompts leave no room for a response."""
    tokens: int = 0
    truncated: int = 0
    """Rollouts cut off by the response limit."""
    surprise: float = 0.0
    """The sum of -log-probability over all tokens drawn."""

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

    def share(self, outcome: Outcome) -> float:
        """Return an outcome's share of all rollouts drawn."""
        return self.outcomes[outcome] / max(self.outcomes.total(), 1)

    def add(self, groups: Iterable[Group], *, filtering: bool) -> list[Group]:
        """Count `groups` and return those to train on: all of them unless `filtering`."""
        kept: list[Group] = []
        for group in groups:
            self.drawn += 1
            self.outcomes.update(verdict.outcome for verdict in group.verdicts)
            for rollout in group.rollouts:
                self.tokens += len(rollout.tokens)
                self.truncated += rollout.finish is Finish.LENGTH
                self.surprise -= sum(rollout.logprobs)
            right = sum(verdict.correct for verdict in group.verdicts)
            if carries_signal(group.verdicts):
                kept.append(group)
                continue
            if any(verdict.outcome in UNDECIDED for verdict in group.verdicts):
                self.undecided += 1
            elif right:
                self.all_right += 1
            else:
                self.all_wrong += 1
            if not filtering:
                kept.append(group)
        self.kept += len(kept)
        return kept
