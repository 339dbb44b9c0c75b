"""What is said of a step, by the names of `metrics.jsonl`: of its batch, and of its passes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from torch import Tensor

from rewardkit.losses import LossInputs
from rewardkit.recipes import Recipe
from rewardkit.sampling import DropReason, GroupTally
from rewardkit.types import UNDECIDED, Outcome, Reward

COUNTS = frozenset(
    {"tokens", "updates", "group_size", "groups_drawn", "groups_kept", "groups_signal"}
    | {f"groups_{reason}" for reason in DropReason}
)
"""The metrics that are whole numbers."""


def step_metrics(
    tally: GroupTally,
    rewards: Sequence[Reward],
    lengths: Sequence[int],
    truncated: int,
    sources: Sequence[str] = (),
) -> dict[str, float]:
    """Return the metrics of a batch that do not depend on how it was learned from.

    Of what is trained on: `reward` and its components `reward/<name>` (unweighted), `length` in
    tokens, `truncated` as a share, `tokens`. Of all that was drawn: the `groups_*`,
    `truncated_drawn`, each `outcome/<name>` as a share, the mean `score` where scores say more than
    outcomes, `steps` a response and the mean `step_score` of them all, where steps have scores, and
    `entropy_sampled` in nats a token, where the sampler's log-probabilities were counted. Of a
    mixture each task's own, as `source/<task>/<name>`: see `source_metrics`.

    Args:
        tally: of all groups that were drawn for the step.
        rewards: of the responses that are trained on.
        lengths: their tokens.
        truncated: how many of them the response limit cut off.
        sources: of each of them in a mixture, the task that its problem is of.
    """
    count, tokens = len(rewards), sum(lengths)
    row: dict[str, float] = {
        "reward": sum(reward.total for reward in rewards) / count,
        "length": tokens / count,
        "truncated": truncated / count,
        "groups_drawn": tally.drawn,
        "groups_kept": tally.kept,
        **{f"groups_{reason}": tally.without_signal[reason] for reason in DropReason},
        "group_size": tally.group_size,
        "truncated_drawn": tally.truncated_share,
        "tokens": tokens,
        **{f"outcome/{outcome}": tally.share(outcome) for outcome in Outcome},
    }
    if tally.graded:
        row["score"] = tally.mean_score
    if tally.steps:
        row["steps"] = tally.steps / tally.outcomes.total()
        row["step_score"] = tally.step_scores / tally.steps
    if tally.judged:
        row |= judge_metrics(tally)
    if tally.tokens:
        row["entropy_sampled"] = tally.entropy
    for name in {name: None for reward in rewards for name in reward.components}:
        row[f"reward/{name}"] = sum(r.components.get(name, 0.0) for r in rewards) / count
    return row | source_metrics(tally, rewards, lengths, sources)


def judge_metrics(tally: GroupTally) -> dict[str, float]:
    """Return what a model said behind rules, of all that was drawn.

    `judge/asked` and `judge/rules_right` (what rules alone accept) as shares of all rollouts; of
    those that it was asked of, `judge/overturned` (accepted against rules), `judge/agreement`
    (with rules on right or not, where both decided) and `judge/undecided` as shares, and
    `judge/seconds`, the mean time of their verdicts; of those that were tried with a wrong gold,
    `judge/talked_over`, the share that was right by that, too.
    """
    asked, drawn = tally.judged.total(), tally.outcomes.total()
    right, undecided = Outcome.CORRECT, {outcome.value for outcome in UNDECIDED}

    def count(holds: Callable[[str, str, str], bool]) -> int:
        parts = ((*pair.split(">"), "")[:3] for pair in tally.judged.elements())
        return sum(holds(rules, said, tried) for rules, said, tried in parts)

    both = count(lambda rules, said, _: undecided.isdisjoint((rules, said)))
    alike = count(lambda a, b, _: undecided.isdisjoint((a, b)) and (a == right) == (b == right))
    gained = count(lambda rules, said, _: rules != right == said)
    lost = count(lambda rules, said, _: rules == right != said)
    row = {
        "judge/asked": asked / drawn,
        "judge/rules_right": (tally.outcomes[right] - gained + lost) / drawn,
        "judge/overturned": gained / asked,
        "judge/undecided": count(lambda rules, said, _: said in undecided) / asked,
        "judge/seconds": tally.judge_seconds / asked,
    }
    if both:
        row["judge/agreement"] = alike / both
    if tried := count(lambda rules, said, tried: bool(tried)):
        row["judge/talked_over"] = count(lambda *parts: parts[2] == "talked over") / tried
    return row


def source_metrics(
    tally: GroupTally, rewards: Sequence[Reward], lengths: Sequence[int], sources: Sequence[str]
) -> dict[str, float]:
    """Return what a step's batch is by task of a mixture; a task that it lacks has none.

    Of all that was drawn: `groups_drawn`, `groups_kept`, `groups_signal`, `correct` and
    `truncated` as shares, and the mean `score`. Of what is trained on: `reward` and `length`.
    """
    row: dict[str, float] = {}
    for source, own in sorted(tally.by_source.items()):
        mine = [i for i, of in enumerate(sources) if of == source]
        found: dict[str, float] = {
            "correct": own.share(Outcome.CORRECT),
            "score": own.mean_score,
            "truncated": own.truncated_share,
            "groups_drawn": own.drawn,
            "groups_kept": own.kept,
            "groups_signal": own.drawn - own.without_signal.total(),
        }
        if mine:
            found["reward"] = sum(rewards[i].total for i in mine) / len(mine)
            found["length"] = sum(lengths[i] for i in mine) / len(mine)
        row |= {f"source/{source}/{name}": value for name, value in found.items()}
    return row


def is_maximum(name: str) -> bool:
    """Return whether a metric of that name is the largest over tokens, and not a sum."""
    return name.startswith("max_")


@dataclass
class MetricSums:
    """Sums over tokens and maxima of the metrics of passes, such as `policy_loss` returns.

    >>> import torch
    >>> sums = MetricSums()
    >>> sums.add({"tokens": torch.tensor(3), "ratio": torch.tensor(3.3), "max_x": torch.tensor(2)})
    >>> sums.add({"tokens": torch.tensor(1), "ratio": torch.tensor(0.7), "max_x": torch.tensor(1)})
    >>> {name: round(value, 6) for name, value in sums.means().items()}
    {'ratio': 1.0, 'max_x': 2.0}
    """

    totals: dict[str, float] = field(default_factory=dict)
    """Sums so far, by name."""
    maxima: dict[str, float] = field(default_factory=dict)
    """Greatest values so far, by name."""

    def add(self, metrics: Mapping[str, Tensor]) -> None:
        """Add the metrics of one pass."""
        for name, tensor in metrics.items():
            value = float(tensor)
            if is_maximum(name):
                self.maxima[name] = max(self.maxima.get(name, value), value)
            else:
                self.totals[name] = self.totals.get(name, 0.0) + value

    def means(self) -> dict[str, float]:
        """Return the sums over the number of tokens, and the maxima as they are."""
        tokens = max(self.totals.get("tokens", 0.0), 1.0)
        means = {name: total / tokens for name, total in self.totals.items() if name != "tokens"}
        return {**means, **self.maxima}


def sampler_mismatch(recipe: Recipe, inputs: LossInputs) -> dict[str, Tensor]:
    """Return the sum and the largest |log π_old − log π_sampler| over the tokens that count.

    Of the policy that sampled, whatever updates of the batch came since; where the recipe takes
    the sampler's word for it (`bypass`), of the policy as it is. Nothing where no sampler said
    anything.

    >>> import torch
    >>> from rewardkit.recipes import DAPO
    >>> old, sampler = torch.tensor([[-1.0, -2.0]]), torch.tensor([[-1.5, -9.0]])
    >>> mask, one = torch.tensor([[True, False]]), torch.ones(1)
    >>> inputs = LossInputs(old, old, one, mask, one, sampler_logp=sampler)
    >>> {name: float(value) for name, value in sampler_mismatch(DAPO, inputs).items()}
    {'sampler_mismatch': 0.5, 'max_sampler_mismatch': 0.5}
    """
    if inputs.sampler_logp is None:
        return {}
    ours = inputs.logp.detach() if recipe.bypass else inputs.old_logp
    apart = (ours - inputs.sampler_logp).abs()[inputs.mask]
    total = apart.sum()
    return {
        "sampler_mismatch": total,
        "max_sampler_mismatch": apart.max() if apart.numel() else total,
    }
