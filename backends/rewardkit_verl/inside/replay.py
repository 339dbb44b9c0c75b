"""verl's replay buffer, with an end: bounded refilling, and no group lost in silence.

verl's own goes on drawing until it has enough groups, and takes a group whose rollouts failed for
one that is complete. Here a step draws at most `sampling.rounds` times its problems, like the
native backend, and a failed rollout ends the run with its reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Set
from typing import Any

import ray
from verl.trainer.ppo.v1.replay_buffer import ReplayBuffer, ReplayBufferAsync

from rewardkit.errors import NoSignalError, TrainingError
from rewardkit.sampling.filter import keeps
from rewardkit_verl.inside.data_plane import plain, read
from rewardkit_verl.rows import verdict_of


class _Exhausted(Exception):
    """Everything that may be drawn has been drawn, and `found` groups can be learned from."""

    def __init__(self, found: int) -> None:
        self.found = found


class Bounded(ReplayBuffer):
    """What is added to any replay buffer of verl's: at most `rounds` rounds a step.

    Args:
        rounds: how often a step's number of problems may be drawn for it.
        reward_workers: returns verl's reward workers, to be looked at when a rollout failed.
        filtering: `Recipe.filter_groups`.
        **settings: those of verl's buffer.
    """

    def __init__(
        self,
        rounds: int,
        reward_workers: Callable[[], Mapping[str, Any]],
        filtering: bool | str = True,
        **settings: Any,
    ) -> None:
        refill = settings["refill_fn"]
        super().__init__(**{**settings, "refill_fn": self._refill})
        self._filtering = filtering
        self._submit: Callable[[int], Any] = refill
        self._reward_workers = reward_workers
        self._rounds = rounds
        self._most = self._drawn = 0
        # Of the step at hand: what the reward manager said of each response of a dropped group.
        self.dropped_by_prompt: dict[str, list[dict[str, Any]]] = {}

    def sample(self, global_steps: int, partition_id: str, batch_size: int) -> Any:
        """Return a batch of groups, fewer than asked for if the rounds are used up, and metrics.

        Raises:
            NoSignalError: the rounds are used up and not one group carries signal.
            TrainingError: a rollout failed.
        """
        self._step, self._drawn, self._most = global_steps, batch_size, self._rounds * batch_size
        self.dropped_by_prompt = {}
        try:
            return super().sample(global_steps, partition_id, batch_size)
        except _Exhausted as exhausted:
            if not exhausted.found:
                raise NoSignalError(
                    f"none of {self._drawn} groups has scores that differ: the task is "
                    "too hard or too easy for this model. Look at the evicted groups in "
                    "metrics.jsonl; take easier (or harder) problems, or raise "
                    "sampling.group_size or sampling.rounds"
                ) from None
            return super().sample(global_steps, partition_id, exhausted.found)

    def _dapo_filtered_keys(self, partition_id: str) -> tuple[set[str], Counter[float]]:
        """Return the finished groups without signal by the rule of every backend.

        verl's own takes undecided verdicts for wrong ones, and the last bit of a score for signal.
        """
        if partition_id == "val" or self.filter_groups_metric is None:
            return set(), Counter()
        known = self._dapo_classification_cache[partition_id]
        finished = self.finished_keys[partition_id]
        for uid in known.keys() - finished:
            del known[uid]
        for uid, infos in self._infos(partition_id, finished - known.keys()).items():
            verdicts = [verdict_of(info) for info in infos]
            known[uid] = None if keeps(self._filtering, verdicts) else verdicts[0].score
        found = {uid: score for uid, score in known.items() if score is not None}
        return set(found), Counter(found.values())

    def _infos(self, partition_id: str, uids: Set[str]) -> dict[str, list[dict[str, Any]]]:
        """Return what the reward manager said of each response of some groups."""
        keys = [key for key in self.partitions[partition_id] if key.split("_")[0] in uids]
        if not keys:
            return {}
        data = read(partition_id, keys, "extra_fields")
        found: dict[str, list[dict[str, Any]]] = {}
        for key, extra in zip(keys, data["extra_fields"], strict=True):
            found.setdefault(key.split("_")[0], []).append(plain(extra)["reward_extra_info"])
        return found

    @property
    def dropped(self) -> list[list[dict[str, Any]]]:
        """What was said of each response of the groups that were drawn and not kept."""
        return list(self.dropped_by_prompt.values())

    def _clear_groups(self, partition_id: str, uids: set[str]) -> None:
        self.dropped_by_prompt |= self._infos(partition_id, uids)
        super()._clear_groups(partition_id, uids)

    def _refill(self, prompts: int) -> None:
        allowed = min(prompts, self._most - self._drawn)
        if allowed > 0:
            self._drawn += allowed
            self._submit(allowed)

    def _sync_metadata_from_transfer_queue(self) -> None:
        super()._sync_metadata_from_transfer_queue()
        for partition, failed in self.failure_keys.items():
            if failed:
                raise TrainingError(self._why(partition, len(failed)))

    def _wait_for_next_poll(self, partition_id: str, last_debug_time: float) -> Any:
        busy = self.pending_keys[partition_id] or self.running_keys[partition_id]
        if not busy and self._drawn >= self._most:
            reasons = self._terminal_eviction_reasons(self._step, partition_id)
            raise _Exhausted(len(self._sampleable_terminal_keys(partition_id, reasons)))
        return super()._wait_for_next_poll(partition_id, last_debug_time)

    def _why(self, partition: str, failed: int) -> str:
        lost = f"the rollouts of {failed} problems ({partition}) failed"
        dead = [name for name, worker in self._reward_workers().items() if not _alive(worker)]
        if dead:
            return (
                f"{lost}: {', '.join(dead)} died (killed, or out of memory). Its verdicts are "
                "lost, so the step was not trained on; continue from the last checkpoint with "
                "`rewardkit train --backend verl --resume`"
            )
        return f"{lost}; the reason is in the log above, at `Error in _run_prompt`"


class SyncReplayBuffer(Bounded):
    """The replay buffer of verl's synchronous trainer."""


class AsyncReplayBuffer(Bounded, ReplayBufferAsync):
    """The replay buffer of verl's asynchronous trainers: drops what is too old as well."""

    def _evict_terminal_groups(
        self, global_steps: int, partition_id: str, eviction_reasons: Any
    ) -> Any:
        # What is too old is no draw of this step's: it is replaced in any case.
        self._drawn -= len(eviction_reasons[0])
        return super()._evict_terminal_groups(global_steps, partition_id, eviction_reasons)


def _alive(worker: Any) -> bool:
    try:
        ray.get(worker.__ray_ready__.remote(), timeout=30)
    except ray.exceptions.RayError:
        return False
    return True
