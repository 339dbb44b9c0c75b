"""A fault planted in a run for every guard is named by it, within its patience; a healthy run not.

The steps after which each must have spoken are those of the guard and of the fault: a policy takes
some to collapse.
"""

import dataclasses
from pathlib import Path

import pytest

from rewardkit.errors import NoSignalError
from rewardkit.guards import GuardsConfig
from rewardkit.runs import RunFolder
from rewardkit_native.loop import train
from rewardkit_native.sampling.choice import FastSampler

GOES_ON = {"degenerate": None}


@pytest.fixture
def planted(configure, monkeypatch):
    """Return a function that trains with a fault and returns (step, guard, kind) of each event."""
    monkeypatch.syspath_prepend(str(Path(__file__).parent))

    def run(*overrides, verifier="", **sections):
        task = {"name": "arithmetic", "args": {"operations": ["+"], "train_size": 12}}
        if verifier:
            task["verifier"] = f"planted_faults:{verifier}"
        config = configure(*overrides, task=task, **sections)
        try:
            train(config)
        except NoSignalError as error:
            last = str(error)
        else:
            last = ""
        events = RunFolder.open(config.folder).rows("events.jsonl")
        return [(row["step"], row["guard"], row["kind"]) for row in events], last

    return run


@pytest.mark.parametrize(
    ("verifier", "recipe", "said"),
    [("wrong", "grpo", "1 all wrong"), ("right", "ppo", "too easy")],
)
def test_all_alike(planted, verifier, recipe, said):
    """With a KL that moves the weights all the same, and with a critic whose values differ."""
    events, last = planted(
        "steps=7", "sampling.problems=1", "sampling.group_size=2", "sampling.max_tokens=3",
        verifier=verifier, recipe={"name": recipe, "kl_coef": 0.1, "minibatches": 1},
    )  # fmt: skip
    assert (5, "degenerate", "stop") in events
    assert said in last


def test_all_cut_off(planted):
    events, last = planted(
        "steps=7", "sampling.problems=1", "sampling.group_size=2", "sampling.max_tokens=2"
    )
    assert (3, "truncated", "warning") in events
    assert "max_tokens" in last


def test_a_verifier_that_never_ends(planted):
    """One step draws nothing that can be learned from, and the run ends with the reason."""
    events, last = planted(
        "steps=7", "sampling.problems=1", "sampling.group_size=2", "verify.deadline_s=0.05", "task.args.train_size=2",
        verifier="slow",
    )  # fmt: skip
    assert events == []
    assert "1 with undecided verdicts" in last
    assert "verifier are at fault" in last


def test_a_sampler_that_says_other_probabilities_than_the_trainer(planted, monkeypatch):
    original = FastSampler.sample

    def shifted(self, *arguments, **options):
        return [
            [
                dataclasses.replace(one, logprobs=tuple(p - 0.3 for p in one.logprobs))
                for one in group
            ]
            for group in original(self, *arguments, **options)
        ]

    monkeypatch.setattr(FastSampler, "sample", shifted)
    # An entropy bonus needs a pass over every response, whatever the rewards are.
    events, _ = planted(
        "steps=3", "sampling.problems=1", "sampling.group_size=2", "recipe.entropy_coef=0.01",
        guards=GOES_ON,
    )  # fmt: skip
    assert [event for event in events if event[1] == "mismatch"] == [(3, "mismatch", "warning")]


def test_a_policy_that_can_no_longer_do_what_it_could(planted, monkeypatch):
    """All that is not blank is right, and from the fourth step on every response is blank.

    The mean of three steps is 0 from step 6 on, and the guard waits for three such steps.
    """
    original, steps = FastSampler.sample, []

    def forgetful(self, prompts, seeds, params, progress, on_finish):
        def blank(group, member, rollout):
            on_finish(group, member, dataclasses.replace(rollout, text=""))

        steps.append(len(prompts))
        graded = blank if len(steps) > 3 else on_finish
        return original(self, prompts, seeds, params, progress, graded)

    monkeypatch.setattr(FastSampler, "sample", forgetful)
    events, _ = planted(
        "steps=8", "sampling.problems=1", "sampling.group_size=2", "sampling.max_tokens=3",
        verifier="not_blank", guards=GOES_ON,
    )  # fmt: skip
    assert (8, "fallen", "warning") in events


def test_entropy_that_collapses(planted):
    """At a temperature at which nothing but the likeliest token is ever drawn."""
    events, _ = planted(
        "steps=3", "sampling.problems=1", "sampling.group_size=2", "sampling.temperature=1e-3",
        guards=GOES_ON,
    )  # fmt: skip
    assert (3, "entropy", "warning") in events


@pytest.mark.slow
def test_a_reward_that_is_one_of_length(planted):
    """With each of 40 seeds it was named, after 6 to 23 of the 40 steps, with half of them by the 9th."""
    events, _ = planted(
        "steps=40", "sampling.max_tokens=24", "task.args.operations=['*']", guards=GOES_ON,
        recipe={"name": "grpo", "kl_coef": 0.0, "shaping": [
            {"name": "planted_faults:longer", "weight": 1.0},
        ]},
    )  # fmt: skip
    assert "hacked" in [guard for _, guard, _ in events]


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("recipe", ["grpo", "dapo", "ppo", "rloo"])
def test_no_guard_speaks_in_a_healthy_run(planted, recipe):
    """Of five seeds with each recipe, thirty steps each, none spoke in any of the twenty runs."""
    events, _ = planted(
        "steps=30", "optim.lr=1e-4", "sampling.problems=8",
        recipe={"name": recipe, "minibatches": 2},
    )  # fmt: skip
    assert events == []


def test_every_guard_has_its_fault():
    """Those that are not here cannot be planted in a small run; tests/guards has their rows.

    A judge's are planted in test_judged.py.
    """
    import inspect

    text = inspect.getsource(inspect.getmodule(test_every_guard_has_its_fault))
    with_rows_alone = {"kl", "kl_old", "clipped", "undecided", "overturned", "talked_over"}
    with_rows_alone |= {"parted", "teacher_entropy"}
    guards = set(vars(GuardsConfig())) - {"patience", "stop"} - with_rows_alone
    assert [name for name in guards if f'"{name}"' not in text] == []
