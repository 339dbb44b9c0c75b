"""Verification starts while rows are still being decoded, and changes no verdict."""

import itertools
import time

import pytest
import torch

from rewardkit.config import config_from
from rewardkit.sampling.choice import task_sampler
from rewardkit.types import Problem, Task
from rewardkit.verifiers import VerifierPool
from rewardkit_native.collect import Collector
from rewardkit_native.sampling.choice import FastSampler

VERIFIER = """
from pathlib import Path
from rewardkit.types import Outcome, Verdict

FOLDER = Path({folder!r})

def verify(response, answer):
    (FOLDER / "verifying").touch()
    late = (FOLDER / "sampled").exists()
    outcome = Outcome.CORRECT if len(response) % 2 else Outcome.INCORRECT
    return Verdict(outcome, response, answer, reason="late" if late else "meanwhile")
"""


class Recording:
    """Notes what happens; after the first rollout it waits until that is being verified."""

    def __init__(self, sampler, folder):
        self.sampler, self.folder, self.events = sampler, folder, []

    def sample(self, prompts, seeds, params, progress=None, on_finish=None):
        def finished(group, member, rollout):
            self.events.append("finish")
            on_finish(group, member, rollout)
            waited = time.monotonic() + 100
            while not (self.folder / "verifying").exists() and time.monotonic() < waited:
                time.sleep(0.01)

        def stepped(done, tokens):
            self.events.append("step")

        groups = self.sampler.sample(prompts, seeds, params, stepped, finished)
        (self.folder / "sampled").touch()
        return groups


@pytest.fixture
def collector(tmp_path, monkeypatch, random_llama, letters):
    (tmp_path / "slow_verifier.py").write_text(VERIFIER.format(folder=str(tmp_path)))
    monkeypatch.syspath_prepend(str(tmp_path))
    import slow_verifier

    letters.apply_chat_template = lambda chat, **_: {"input_ids": [2 + len(chat[0]["content"])]}
    problems = [Problem(str(i), "?" * i, "1") for i in range(1, 5)]
    task = Task(
        "letters",
        problems,
        [],
        messages=lambda problem: [{"role": "user", "content": problem.question}],
        verifier=slow_verifier.verify,
    )
    sampling = {"problems": 4, "group_size": 3, "max_tokens": 24}
    config = config_from({"folder": "nowhere", "steps": 1, "sampling": sampling})
    sampler = Recording(FastSampler(random_llama, letters, torch.float32), tmp_path)
    chooser = task_sampler(config.sampling.curriculum, task.train, config.seed)
    with VerifierPool(task.verifier, workers=1) as pool:
        yield Collector(config, task, random_llama, letters, sampler, pool, chooser)


def test_the_first_is_verified_before_the_last_is_sampled(collector):
    groups = collector.collect(1).groups
    events = collector.sampler.events
    assert "step" in events[events.index("finish") :]  # others went on
    reasons = [verdict.reason for group in groups for verdict in group.verdicts]
    assert "meanwhile" in reasons


def test_every_verdict_is_of_its_own_rollout(collector):
    groups = collector.collect(1).groups
    assert len(groups) == 4
    pairs = [(r.text, group.problem.answer) for group in groups for r in group.rollouts]
    again = list(collector.pool.verify(pairs))
    found = list(itertools.chain.from_iterable(group.verdicts for group in groups))
    assert [(v.outcome, v.extracted) for v in found] == [(v.outcome, v.extracted) for v in again]
    assert len({verdict.extracted for verdict in found}) > 6
