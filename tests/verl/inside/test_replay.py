"""The bounded replay buffer on a made-up TransferQueue: rounds, surplus, failures."""

import pytest

from rewardkit.errors import NoSignalError, TrainingError

pytestmark = pytest.mark.verl


class Queue:
    """What the buffer asks TransferQueue for: prompts and their two rollouts, by outcome."""

    def __init__(self):
        self.items = {}
        self.outcomes = {}
        self.now = 1

    def put(self, uid, outcomes, status="finished", step=None):
        self.items[uid] = {"is_prompt": True, "status": status, "global_steps": step or self.now}
        for session, outcome in enumerate(outcomes):
            key = f"{uid}_{session}_0"
            self.items[key] = {"seq_len": 1}
            self.outcomes[key] = outcome

    def kv_list(self, partition=None):
        return {"train": dict(self.items)}

    def kv_batch_get(self, keys, partition_id, select_fields):
        return {"extra_fields": [{"reward_extra_info": info(self.outcomes[key])} for key in keys]}

    def kv_clear(self, keys, partition_id):
        for key in keys:
            self.items.pop(key, None)


@pytest.fixture
def buffer(quietly, monkeypatch):
    """Return a function that makes a buffer whose refills are answered by the given outcomes."""
    with quietly():
        from verl.trainer.ppo.v1 import replay_buffer

        from rewardkit_verl.inside import data_plane, replay

    def make(answers, rounds=3, filters=True, workers=None, oldest=None):
        queue = Queue()
        asked = []
        coming = iter(answers)

        def refill(prompts):
            asked.append(prompts)
            for _ in range(prompts):
                queue.put(f"u{len(queue.outcomes)}", next(coming))

        for module in (replay_buffer, data_plane):
            monkeypatch.setattr(module, "tq", queue)
        made = (replay.AsyncReplayBuffer if oldest else replay.SyncReplayBuffer)(
            rounds=rounds,
            reward_workers=lambda: workers or {},
            trainer_mode="sync",
            trainer_config={},
            max_off_policy_threshold=oldest,
            max_off_policy_strategy="drop",
            sampler_kwargs={},
            poll_interval=0.0,
            refill_fn=refill,
            filter_groups_metric="verdict_score" if filters else None,
            train_batch_size=2,
            gen_batch_size=1,
        )
        return made, queue, asked, refill

    return make


MIXED, RIGHT, WRONG = [1.0, 0.0], [1.0, 1.0], [0.0, 0.0]


def info(score):
    """Say what the reward manager says of a score, or of an undecided outcome."""
    if isinstance(score, str):
        return {"outcome": score, "verdict_score": 0.0}
    return {"outcome": "correct" if score == 1 else "incorrect", "verdict_score": score}


def groups(batch):
    return {key.split("_")[0] for key in batch.keys}


def test_groups_without_signal_are_replaced(buffer):
    made, queue, asked, _ = buffer([MIXED, WRONG])
    queue.put("a", RIGHT)
    queue.put("b", MIXED)
    batch, metrics = made.sample(1, "train", 2)
    assert len(groups(batch)) == 2
    assert "a" not in groups(batch)
    assert asked == [2]  # verl draws two for each that it evicts
    assert metrics["training/filter_groups/evicted_samples"] == 2


@pytest.mark.parametrize(
    ("group", "kept"),
    [
        ([0.5, 0.25], True),  # scores differ, though both are wrong
        ([0.5, 0.5 + 1e-9], False),
        ([0.5, 0.5], False),
        ([1.0, "timeout"], False),  # says nothing of the answer
        ([1.0, 0.0, "error"], True),
    ],
)
def test_signal_is_a_difference_of_decided_scores(buffer, group, kept):
    made, queue, asked, _ = buffer([MIXED] * 9)
    queue.put("a", group)
    queue.put("b", MIXED)
    batch, _ = made.sample(1, "train", 2)
    assert ("a" in groups(batch)) is kept
    assert bool(asked) is not kept


def test_after_its_rounds_a_step_trains_on_what_it_has(buffer):
    made, queue, asked, _ = buffer([WRONG] * 99)
    queue.put("a", MIXED)
    queue.put("b", WRONG)
    batch, _ = made.sample(1, "train", 2)
    assert groups(batch) == {"a"}
    assert len(made.dropped) == 5
    assert made.dropped[0] == [info(0.0), info(0.0)]
    assert sum(asked) == 4  # 3 rounds of 2 problems, less the 2 of the first


def test_without_any_signal_the_run_stops(buffer):
    made, queue, asked, _ = buffer([WRONG] * 99)
    queue.put("a", WRONG)
    queue.put("b", RIGHT)
    with pytest.raises(NoSignalError, match="none of 6 groups"):
        made.sample(1, "train", 2)
    assert sum(asked) == 4


def test_the_next_step_has_rounds_of_its_own(buffer):
    made, queue, _, refill = buffer([WRONG, WRONG, WRONG, WRONG, MIXED, MIXED])
    queue.put("a", MIXED)
    queue.put("b", WRONG)
    made.sample(1, "train", 2)
    queue.items.clear()
    refill(2)
    batch, _ = made.sample(2, "train", 2)
    assert len(groups(batch)) == 2


def test_without_a_filter_every_group_is_taken(buffer):
    made, queue, asked, _ = buffer([], filters=False)
    queue.put("a", WRONG)
    queue.put("b", RIGHT)
    batch, _ = made.sample(1, "train", 2)
    assert groups(batch) == {"a", "b"}
    assert not asked


def test_what_is_too_old_is_dropped_and_replaced_beyond_the_rounds(buffer):
    made, queue, asked, _ = buffer([MIXED] * 9, rounds=1, filters=False, oldest=3)
    queue.now = 4
    queue.put("old", MIXED, step=1)
    queue.put("b", MIXED, step=2)
    batch, metrics = made.sample(4, "train", 2)
    assert groups(batch) == {"b", "u4"}  # the latter was drawn for "old"
    assert asked == [1]
    assert metrics["training/off_policy/evicted_samples"] == 1
    assert metrics["training/off_policy/evicted_samples_staleness/max"] == 4


def test_a_failed_rollout_stops_the_run_with_its_reason(buffer):
    made, queue, *_ = buffer([])
    queue.put("a", [1.0], status="failure")
    queue.put("b", MIXED)
    with pytest.raises(TrainingError, match="rollouts of 1 problems"):
        made.sample(1, "train", 2)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_killed_reward_worker_is_named(buffer):
    import os
    import signal

    import ray

    ray.init("local", num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:

        class Worker:
            def pid(self):
                return os.getpid()

        workers = {f"reward worker {i}": ray.remote(Worker).remote() for i in range(2)}
        pids = [ray.get(worker.pid.remote()) for worker in workers.values()]
        made, queue, *_ = buffer([], workers=workers)
        os.kill(pids[1], signal.SIGKILL)
        queue.put("a", [], status="failure")
        with pytest.raises(TrainingError, match="reward worker 1 died") as stopped:
            made.sample(1, "train", 2)
        assert "reward worker 0" not in str(stopped.value)
    finally:
        ray.shutdown()
