"""A batch of verl's trainer as the metrics that every backend records."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from rewardkit.environments import turn_metrics
from rewardkit.training_step import SampledBatch, step_metrics
from rewardkit.types import Reward
from rewardkit_verl.names import METRICS, SOURCE_KEY
from rewardkit_verl.rows import Info, played_rollout, tally


def batch_metrics(
    batch: SampledBatch,
    infos: Sequence[Info],
    rewards: Sequence[Reward],
    dropped: Sequence[Sequence[Info]],
    sources: Sequence[str] = (),
) -> dict[str, float]:
    """Return `rewardkit.training_step.step_metrics` under names that begin with "rewardkit/".

    Args:
        batch: the rows that are trained on, with padding rows at their end.
        infos: what the reward manager said of each.
        rewards: of each.
        dropped: the `infos` of the groups that were drawn and not kept.
        sources: the tasks of a mixture.
    """
    real = batch.response.any(1).nonzero()[:, 0].tolist()
    groups = defaultdict(list)
    for i in real:
        groups[int(batch.groups[i])].append(infos[i])
    row = step_metrics(
        tally(list(groups.values()), dropped, sources),
        [rewards[i] for i in real],
        batch.response.sum(1)[real].tolist(),
        int(batch.truncated[real].sum()),
        [str(infos[i].get(SOURCE_KEY, "")) for i in real],
    )
    played = [one for i in real if (one := played_rollout(infos[i], ())) is not None]
    if played:
        row |= turn_metrics(played)
    return {METRICS + name: value for name, value in row.items()}
