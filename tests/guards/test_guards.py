"""Guards say what is wrong with a step: once an episode, with value, bound and what to do."""

import json
import math
from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewardkit.errors import ConfigError, GuardError, NoSignalError
from rewardkit.guards import CALM, GUARDS, Alarm, GuardsConfig, apply_guards, event_rows, judge

AT_ONCE = GuardsConfig(patience=1)
FINE = {
    "entropy_sampled": 0.5,
    "truncated_drawn": 0.1,
    "clipped_low": 0.01,
    "clipped_high": 0.02,
    "kl": 0.1,
    "kl_old": 0.01,
    "sampler_mismatch": 0.01,
    "outcome/timeout": 0.0,
    "outcome/error": 0.0,
    "surrogate": -0.1,
    "grad_norm": 1.0,
    "updates": 1,
    "groups_drawn": 4,
    "groups_all_right": 1,
    "groups_all_wrong": 1,
    "groups_undecided": 0,
    "group_size": 8,
}


def run(rows, config=AT_ONCE, memory=None):
    """Return (step, guard) of each alarm, and the memory at the end."""
    memory, said = memory or {}, []
    for step, row in enumerate(rows, start=1):
        alarms, memory = judge(config, row, memory)
        memory = json.loads(json.dumps(memory))  # it survives in a checkpoint
        said += [(step, alarm.guard) for alarm in alarms]
    return said, memory


def test_a_good_step_leaves_nothing_to_say_or_to_remember():
    assert run([FINE] * 3) == ([], {})


@pytest.mark.parametrize(
    ("guard", "change", "shown"),
    [
        ("entropy", {"entropy_sampled": 0.002}, r"0\.002 \(guards\.entropy = 0\.01, at least\)"),
        ("truncated", {"truncated_drawn": 0.75}, r"0\.75 .*= 0\.5, at most\).*max_tokens"),
        (
            "out_of_turns",
            {"out_of_turns": 0.79},
            r"0\.79 \(guards\.truncated.*sampling\.turns.*Reply",
        ),
        ("clipped", {"clipped_low": 0.2, "clipped_high": 0.2}, r"0\.4 .*= 0\.3.*optim\.lr"),
        ("kl", {"kl": 12.5}, r"12\.5 .*= 10.*kl_coef"),
        ("kl_old", {"kl_old": 0.4}, r"0\.4 .*= 0\.2.*epochs"),
        ("mismatch", {"sampler_mismatch": 0.3}, r"0\.3 .*= 0\.1.*tis"),
        ("undecided", {"outcome/timeout": 0.1, "outcome/error": 0.2}, r"0\.3 .*verify\.deadline_s"),
    ],
)
def test_beyond_its_bound_a_guard_says_value_bound_and_what_to_do(guard, change, shown):
    import re

    setting = GUARDS[guard].setting or guard
    [alarm], _ = judge(AT_ONCE, FINE | change, {})
    assert (alarm.guard, alarm.stops) == (guard, False)
    assert re.search(shown, alarm.message), alarm.message
    [alarm], _ = judge(replace(AT_ONCE, stop=(setting,)), FINE | change, {})
    assert alarm.stops
    assert f"--set guards.{setting}=none goes on" in alarm.message
    assert judge(replace(AT_ONCE, **{setting: None}), FINE | change, {}) == ([], {})


@pytest.mark.parametrize("guard", GUARDS)
def test_at_the_bound_is_within_it(guard):
    metric = {
        "entropy": "entropy_sampled",
        "truncated": "truncated_drawn",
        "mismatch": "sampler_mismatch",
        "clipped": "clipped_low",
        "undecided": "outcome/error",
    }.get(guard, guard)
    row = {metric: getattr(AT_ONCE, GUARDS[guard].setting or guard)}
    assert judge(AT_ONCE, row, {}) == ([], {})


def test_a_metric_that_a_backend_does_not_have_is_no_finding():
    assert judge(AT_ONCE, {"step": 1}, {}) == ([], {})


def test_it_speaks_after_patience_steps_in_a_row_and_once_an_episode():
    low = FINE | {"entropy_sampled": 0.0}
    config = GuardsConfig(patience=3)
    assert run([low, low, FINE, low, low], config)[0] == []
    assert run([low] * 9, config)[0] == [(3, "entropy")]
    # A few good steps in between do not make a new episode; many do.
    assert run([low] * 3 + [FINE] * (CALM - 1) + [low] * 3, config)[0] == [(3, "entropy")]
    said, _ = run([low] * 3 + [FINE] * CALM + [low] * 3, config)
    assert said == [(3, "entropy"), (6 + CALM, "entropy")]


@given(st.lists(st.sampled_from([0.0, 0.5]), max_size=40), st.integers(0, 40), st.integers(1, 4))
def test_memory_from_a_checkpoint_changes_nothing(values, cut, patience):
    rows = [FINE | {"entropy_sampled": value} for value in values]
    config = GuardsConfig(patience=patience)
    whole, memory = run(rows, config)
    first, kept = run(rows[:cut], config)
    second, end = run(rows[cut:], config, kept)
    shifted = [(step + len(rows[:cut]), guard) for step, guard in second]
    assert (first + shifted, end) == (whole, memory)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("name", ["surrogate", "kl", "grad_norm", "entropy", "reward"])
def test_a_loss_or_gradient_that_is_not_finite_stops_at_once(name, value):
    config = GuardsConfig(stop=(), kl=None)
    [alarm], _ = judge(config, FINE | {name: value}, {})
    assert alarm.stops
    assert f"{name} is {value}" in alarm.message


def test_nan_is_beyond_every_bound():
    row = FINE | {"entropy_sampled": math.nan, "truncated_drawn": math.nan}
    assert run([row])[0] == [(1, "entropy"), (1, "truncated")]


@pytest.mark.parametrize(
    ("counts", "why"),
    [
        ((4, 3, 1, 0), "too easy"),
        ((4, 1, 3, 0), "too hard"),
        ((4, 0, 1, 3), "an environment or the verifier are at fault"),
        ((4, 1, 1, 0), "mask_truncated"),  # two groups are mixed
    ],
)
def test_steps_without_a_gradient_stop_with_their_reason(counts, why):
    names = ("groups_drawn", "groups_all_right", "groups_all_wrong", "groups_undecided")
    still = FINE | {"updates": 0} | dict(zip(names, counts, strict=True))
    memory = {}
    for _ in range(4):
        alarms, memory = judge(GuardsConfig(), still, memory)
        assert alarms == []
    [alarm], after = judge(GuardsConfig(), still, memory)
    assert alarm.stops
    assert "5 steps in a row without a gradient" in alarm.message
    assert why in alarm.message
    assert "degenerate" not in after  # resumed, the run has its five steps again
    [alarm], _ = judge(GuardsConfig(stop=()), still, memory)
    assert not alarm.stops


def test_updates_of_a_kl_alone_are_no_gradient_of_a_reward():
    """With a KL in the loss every step has updates, and one of all-wrong groups learns nothing."""
    counts = {"groups_drawn": 4, "groups_all_right": 0, "groups_all_wrong": 4}
    still = FINE | counts | {"groups_undecided": 0, "updates": 1, "groups_signal": 0}
    assert run([still] * 5, GuardsConfig())[0] == [(5, "degenerate")]
    assert run([still | {"groups_signal": 1}] * 9, GuardsConfig())[0] == []


def test_a_step_that_is_mostly_undecided_is_told_of_at_once_with_a_reason():
    row = FINE | {"outcome/timeout": 0.04, "outcome/error": 0.9}
    responses = [
        {"outcome": "correct", "reason": "equal"},
        {"outcome": "error", "reason": "judge is undecided: HTTP 500"},
    ]
    config = GuardsConfig()
    [alarm], memory = judge(config, row, {}, responses)
    assert (alarm.guard, alarm.stops) == ("undecided", False)
    assert alarm.message.startswith("the share of verdicts that timed out or failed is 0.94 ")
    assert alarm.message.endswith(". One says: judge is undecided: HTTP 500")
    assert judge(config, row, memory, responses)[0] == []  # once an episode
    assert judge(config, FINE | {"outcome/error": 0.5}, {})[0] == []
    stops = replace(config, stop=("undecided",))  # an outage of one step ends no run
    assert run([row] * 3, stops)[0] == [(3, "undecided")]


def test_a_policy_that_parts_from_its_teacher_is_told_of():
    near, far = ([FINE | {"kl": kl, "taught": 1.0}] for kl in (0.5, 0.8))
    assert run(near * 20)[0] == []
    assert run(far * 5 + near * 20)[0] == []
    # means of up to ten: .550, .586, .613, of which the last is more than .1 above .5
    assert run(near * 5 + far * 9)[0] == [(8, "parted")]
    assert run([FINE] * 5 + [FINE | {"kl": 0.8}] * 9)[0] == []  # towards its own start a KL rises


def test_a_teacher_that_grows_sure_of_what_it_reads_is_told_of():
    kept, lost = ([FINE | {"taught": 1.0, "teacher_entropy": e}] for e in (0.4, 0.01))
    assert run(kept * 5 + lost * 9)[0] == []  # (.4 + 9 x .01) / 10 is .1225 of .4
    assert run(kept * 5 + lost * 12)[0] == [(15, "teacher_entropy")]


def test_a_step_with_a_gradient_starts_the_count_again():
    still = FINE | {"updates": 0}
    assert run([still] * 4 + [FINE] + [still] * 4, GuardsConfig())[0] == []
    assert run([still] * 40, GuardsConfig(degenerate=None))[0] == []


def test_prompts_that_do_not_fit_are_said_once():
    row = FINE | {"prompts_too_long": 2}
    said, _ = run([row, row, row | {"prompts_too_long": 0}, row], GuardsConfig())
    assert said == [(1, "too_long")]
    [alarm], _ = judge(GuardsConfig(), row, {})
    assert alarm.message.startswith("2 problems were passed over")


def test_events_are_plain_rows():
    [alarm], _ = judge(AT_ONCE, FINE | {"kl": 99.0}, {})
    [row] = event_rows(7, [alarm])
    assert row == {"step": 7, "kind": "warning", "guard": "kl", "message": alarm.message}


def test_every_bound_is_a_guard_and_every_guard_has_a_bound():
    others = {"patience", "stop", "degenerate"}
    assert {field.name for field in fields(GuardsConfig)} - others == {
        guard.setting or name for name, guard in GUARDS.items()
    }


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"stop": ("entropi",)}, "guards.stop names no guard 'entropi'; did you mean entropy"),
        ({"patience": 0}, "guards.patience must be at least 1"),
        ({"degenerate": 0}, "guards.degenerate must be at least 1"),
        ({"kl": -1.0}, "guards.kl must be at least 0"),
    ],
)
def test_settings_that_make_no_sense(settings, message):
    with pytest.raises(ConfigError, match=message):
        GuardsConfig(**settings)


@pytest.mark.parametrize(("guard", "error"), [("kl", GuardError), ("degenerate", NoSignalError)])
def test_a_guard_that_stops_says_so_by_its_error(guard, error):
    with pytest.raises(error, match="kl is 11"):
        apply_guards([Alarm(guard, stops=True, message="kl is 11")], print)
