"""A fault planted in verl's steps for every guard is named by it, within its patience.

The steps are real but for the policy, which is a table (`verl_steps.py`); the launcher's own part
is `test_recorder.py`, and a whole run with Ray `test_training.py`.
"""

import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from rewardkit.config import config_from, config_to_toml
from rewardkit.guards import GuardsConfig
from rewardkit_verl import names, settings

pytestmark = pytest.mark.verl

sys.path.append(str(Path(__file__).parent))
NATIVE = Path(__file__).parents[2] / "native"  # where the faulty verifiers are


@dataclass
class Fault:
    """What is planted, and the step by which the guard must have named it."""

    guard: str
    by: int
    verifier: str = "five"
    recipe: dict = field(default_factory=dict)
    steps: dict = field(default_factory=dict)
    size: int = 4
    problems: int = 2
    deadline_s: float = 10.0
    patience: int = 3
    later: tuple[int, float] | None = None
    """After so many steps, so many times the learning rate."""


LONGER = [{"name": "planted_faults:longer"}]
KL = {"kl": "k2", "kl_coef": 1e-9}
MOVED = {"epochs": 4, "minibatches": 2}
FAST = {"recipe": MOVED, "steps": {"lr": 1.0}, "size": 8}  # of a table .01 is a usual rate
FAULTS = {
    "all wrong": Fault("degenerate", 5, "wrong", {**KL, "kl_coef": 0.1}, {"reference": -1.0}),
    "all right": Fault("degenerate", 5, "right"),
    "all cut off": Fault("truncated", 3, steps={"end": -30.0}),
    "entropy collapsed": Fault("entropy", 11, "short", MOVED, {"lr": 3.0}, size=8),
    "another sampler than trainer": Fault("mismatch", 5, steps={"shift": -0.3}, size=8),
    "a verifier that never ends": Fault("undecided", 3, "slow", size=2, problems=1, deadline_s=0.2),
    "learning rate x 100, ratios": Fault("clipped", 1, patience=1, **FAST),
    "learning rate x 100, distance": Fault("kl_old", 1, patience=1, **FAST),
    "learning rate x 100, answers": Fault(
        "fallen", 20, "short", MOVED, {"lr": 0.05}, size=8, problems=4, later=(10, 100.0)
    ),
    "another reference": Fault("kl", 5, recipe=KL, steps={"reference": -9.0}, size=8),
    "a reward for length": Fault("hacked", 40, "wrong", {"shaping": LONGER}, {"lr": 0.1}),
    "no number": Fault("finite", 1, recipe=KL, steps={"reference": float("nan")}, size=8),
}


@pytest.fixture
def train(monkeypatch, quietly):
    """Return what makes the steps of a fault and yields (step, guard)."""
    monkeypatch.syspath_prepend(str(NATIVE))
    with quietly():
        import verl_steps

        from rewardkit_verl.inside import data_plane
    monkeypatch.setattr(data_plane, "tq", data_plane.tq)  # put back afterwards
    made = []

    def run(fault):
        task = {"name": "arithmetic", "verifier": f"planted_faults:{fault.verifier}"}
        config = config_from(
            {
                "folder": "x",
                "steps": fault.by,
                "recipe": {"name": "grpo", "kl": "none", "kl_coef": 0.0, **fault.recipe},
                "sampling": {
                    "problems": fault.problems,
                    "group_size": fault.size,
                    "max_tokens": verl_steps.LIMIT,
                },
                "task": task,
                "verify": {"workers": 1, "deadline_s": fault.deadline_s},
                "guards": {"patience": fault.patience},
            }
        )
        monkeypatch.setenv(names.CONFIG_VARIABLE, config_to_toml(config))
        settings.run_config.cache_clear()
        made.append(verl_steps.Steps(config, **fault.steps))
        for number in range(1, fault.by + 1):
            if fault.later is not None and number == fault.later[0] + 1:
                made[0].optimiser.param_groups[0]["lr"] *= fault.later[1]
            yield from ((number, guard) for guard in made[0].step()[1])

    yield run
    for one in made:
        one.close()
    settings.run_config.cache_clear()


LONG = ("learning rate x 100, answers", "a reward for length")


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.slow) if n in LONG else n for n in FAULTS]
)
def test_a_planted_fault_is_named(name, train):
    said = list(train(FAULTS[name]))
    assert FAULTS[name].guard in [guard for _, guard in said], said


@pytest.mark.slow
def test_a_healthy_run_of_verls_steps_hears_nothing(train):
    assert list(train(Fault("", 25, steps={"lr": 0.02}, size=8))) == []


def test_every_guard_has_its_fault():
    # Of judges and teachers, the same rows in both backends: tests/guards
    elsewhere = {"overturned", "talked_over", "parted", "teacher_entropy"}
    guards = set(vars(GuardsConfig())) - {"patience", "stop"} - elsewhere
    assert {fault.guard for fault in FAULTS.values()} == guards | {"finite"}
