"""What is drawn of a run: panels of lines over its metrics, by the names that runs record them.

A line whose metric was never recorded is left out, and so is a panel without lines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from rewardkit.report.reading import number, section

Row = Mapping[str, Any]
Hue = Literal["", "right", "wrong", "none", "cut", "odd"]


@dataclass(frozen=True)
class Line:
    """One metric, under the name that a person reads; `hue` where a colour has a meaning."""

    key: str
    label: str
    hue: Hue = ""
    rare: bool = False
    """In most runs 0 throughout."""
    of_responses: bool = False
    """Known of the steps whose responses were recorded."""


@dataclass(frozen=True)
class Panel:
    """Lines that share a picture."""

    title: str
    lines: tuple[Line, ...]
    note: str = ""
    """What the numbers are and what to look for, in a sentence."""
    stacked: bool = False
    """The lines are parts of a whole."""
    share: bool = False
    """The whole is 1."""
    log: bool = False
    """Lines of different size in one picture: a logarithmic axis, if all are above 0."""


REWARD = Panel(
    "Reward",
    (Line("reward", "shaped reward"), Line("score", "score of all that was drawn")),
    "Mean over the rollouts that were trained on.",
)
STEPS = Panel(
    "Scores of steps",
    (Line("step_score", "mean score of a step"),),
    "Of the steps of all that was drawn, as the task scores them.",
)
JUDGE = Panel(
    "Rules and judge",
    (
        Line("judge/rules_right", "right by rules alone", "right"),
        Line("judge/asked", "asked of the judge"),
        Line("judge/overturned", "of these, accepted against rules", "odd"),
        Line("judge/agreement", "of these, agreeing with rules"),
        Line("judge/undecided", "of these, undecided", "none"),
        Line("judge/talked_over", "of those tried, right by a wrong gold, too", "wrong"),
    ),
    "Shares of what was drawn, and of what rules left open. More accepted against rules, while "
    "rules accept no more, is a model that learns to please the judge.",
)
OUTCOMES = Panel(
    "Outcomes",
    (
        Line("outcome/correct", "correct", "right"),
        Line("outcome/incorrect", "incorrect", "wrong"),
        Line("outcome/no_answer", "no answer", "none"),
        Line("outcome/timeout", "timeout", "cut", rare=True),
        Line("outcome/error", "error", "odd", rare=True),
        Line("outcome/bad_gold", "bad gold", rare=True),
    ),
    "Shares of all rollouts drawn, those of dropped groups included.",
    stacked=True,
    share=True,
)
LENGTH = Panel(
    "Response length",
    (
        Line("length", "all"),
        Line("length/right", "right", "right", of_responses=True),
        Line("length/wrong", "wrong", "wrong", of_responses=True),
    ),
    "Tokens, of the rollouts that were trained on. Only wrong ones growing: a length bias.",
)
ENTROPY = Panel(
    "Entropy",
    (
        Line("entropy", "of the update"),
        Line("entropy_sampled", "as sampled"),
        Line("teacher_entropy", "the teacher's"),
    ),
    "Nats a token. Near 0 nothing new is tried any more.",
)
CLIPPED = Panel(
    "Clipped tokens",
    (Line("clipped_high", "above", rare=True), Line("clipped_low", "below", rare=True)),
    "Shares of tokens whose ratio left the clip range.",
)
SIGNAL = Panel(
    "Groups all right or all wrong",
    (
        Line("groups_share_right", "all right", "right"),
        Line("groups_share_wrong", "none right", "wrong"),
    ),
    "Shares of groups drawn whose scores are all the same: only shaping can teach from them.",
)
CALIBRATION = Panel(
    "Calibration of the problem sampler",
    (Line("curriculum/brier", "belief"), Line("curriculum/brier_constant", "a constant")),
    "Mean squared error of the predicted solve rate. Of middling problems nothing predicts "
    "better than .25.",
)
PANELS = (
    REWARD,
    OUTCOMES,
    STEPS,
    JUDGE,
    Panel("Steps", (Line("steps", "a response"),), "Parts of a response that were scored."),
    LENGTH,
    Panel(
        "Cut off",
        (
            Line("truncated", "trained on", "cut"),
            Line("truncated_drawn", "drawn", "none"),
            Line("out_of_turns", "out of turns", "odd", rare=True),
        ),
        "Shares of responses that ended at a limit: of tokens, or of turns.",
    ),
    ENTROPY,
    CLIPPED,
    Panel(
        "KL",
        (
            Line("kl", "to the reference or teacher"),
            Line("kl_old", "to the sampling policy", rare=True),
        ),
        "Nats a token: how far the policy has moved.",
    ),
    Panel(
        "Taught",
        (Line("taught", "of the responses"),),
        "Share of which the teacher said something; of one that knows more, where it did.",
        share=True,
    ),
    SIGNAL,
    Panel(
        "Effective groups",
        (Line("groups_signal", "with signal"), Line("groups_drawn", "drawn")),
        "In how many groups of the batch a reward, shaping included, has a gradient.",
    ),
    Panel(
        "Effective share",
        (Line("effective_share", "of the groups drawn"),),
        "Those that a filter keeps: with scores that differ, inside the band of solve rates.",
        share=True,
    ),
    Panel(
        "Rollouts an effective group",
        (Line("rollouts_per_effective_group", "rollouts"),),
        "All that was drawn, over the groups that could be trained on: what a lesson costs.",
    ),
    Panel(
        "Spare groups",
        (
            Line("leftovers", "left over", rare=True),
            Line("leftovers_used", "trained on a step later", rare=True),
            Line("leftovers_expired", "grown too old", rare=True),
        ),
        "Groups with signal that their batch had no place for.",
    ),
    CALIBRATION,
    Panel(
        "Problems",
        (
            Line("curriculum/explored", "new in the step"),
            Line("curriculum/retired", "retired", rare=True),
        ),
    ),
    Panel(
        "Sampler mismatch",
        (Line("sampler_mismatch", "mean"), Line("max_sampler_mismatch", "largest")),
        "|Δ log-probability| of the sampled tokens, sampler against trainer.",
        log=True,
    ),
    Panel(
        "Sampler mismatch in probability",
        (Line("rollout_probs_diff_mean", "mean"), Line("rollout_probs_diff_max", "largest")),
        "|Δ probability| of the sampled tokens, as verl measures it.",
        log=True,
    ),
    Panel(
        "Age",
        (Line("age_mean", "mean"), Line("age_max", "oldest")),
        "Updates of the sampler's weights between a response's first token and its training.",
    ),
    Panel("Gradient norm", (Line("grad_norm", "norm"),), "Before clipping."),
    Panel("Learning rate", (Line("lr", "rate"),)),
    Panel("Speed", (Line("tokens_per_s", "tokens/s"),), "Response tokens over the whole step."),
    Panel(
        "Time of a step",
        (
            Line("sample_s", "sample"),
            Line("verify_s", "verify"),
            Line("old_logprobs_s", "old log-probs"),
            Line("reference_s", "reference"),
            Line("values_s", "values"),
            Line("update_critic_s", "update critic"),
            Line("update_s", "update"),
            Line("weights_s", "hand over weights"),
            Line("save_s", "save"),
            Line("evaluate_s", "evaluate"),
        ),
        "Seconds.",
        stacked=True,
    ),
)

IMPLIED = frozenset(
    {"step", "tokens", "step_s", "groups_kept", "groups_all_right", "groups_all_wrong"}
    | {"groups_undecided", "reward/correct", "rollouts_drawn", "tokens_drawn"}
    | {"tokens_per_effective_group", "groups_too_hard", "groups_too_easy"}
)
"""Metrics that other lines already show."""


def derived(row: Row) -> dict[str, Any]:
    """Return a row with what follows from it: the shares of groups, and of older runs the signal.

    >>> row = derived({"groups_drawn": 8, "groups_all_right": 1, "groups_all_wrong": 3})
    >>> row["groups_signal"], row["groups_share_wrong"]
    (4, 0.375)
    """
    drawn = number(row.get("groups_drawn"))
    right, wrong = number(row.get("groups_all_right")), number(row.get("groups_all_wrong"))
    if not drawn or right is None or wrong is None:
        return dict(row)
    undecided = number(row.get("groups_undecided")) or 0
    return {
        "groups_signal": drawn - right - wrong - undecided,
        **row,
        "groups_share_right": right / drawn,
        "groups_share_wrong": wrong / drawn,
    }


def panels_for(runs: Sequence[Sequence[Row]], configs: Sequence[Row] = ()) -> list[Panel]:
    """Return the panels of several runs' rows: the known ones, then what else was recorded.

    With the runs' configurations, what a belief about problems is worth is left out where none
    chose by it.
    """
    recorded = {
        key: None
        for rows in runs
        for row in rows
        for key, value in row.items()
        if number(value) is not None
    }
    without = {CALIBRATION} if configs and not any(map(believes, configs)) else set()
    found = []
    for panel in PANELS:
        seen = {line for rows in runs for line in drawn(panel, rows)}
        if seen and panel not in without:
            found.append(replace(panel, lines=tuple(line for line in panel.lines if line in seen)))
    parts = [key for key in recorded if key.startswith("reward/")]
    if len(parts) > 1:
        lines = tuple(Line(key, key.removeprefix("reward/")) for key in sorted(parts))
        note = "Means before their weights; the reward is their weighted sum."
        found.insert(min(1, len(found)), Panel("Reward components", lines, note))
    return found


def believes(config: Row) -> bool:
    """Whether a run chooses problems, or the sizes of groups, by what it believes of each."""
    problems, sizes = (
        section(section(config, "sampling"), name).get("rule") for name in ("curriculum", "sizes")
    )
    return problems not in (None, "uniform") or sizes == "knapsack"


def other_panels(runs: Sequence[Sequence[Row]], shown: Sequence[Panel]) -> list[Panel]:
    """Return a panel for each recorded number that `shown` leaves out."""
    known = {line.key for panel in (*PANELS, *shown) for line in panel.lines} | IMPLIED
    rest = {
        key
        for rows in runs
        for row in rows
        for key, value in row.items()
        if key not in known and number(value) is not None
    }
    return [Panel(key, (Line(key, key),)) for key in sorted(rest)]


def drawn(panel: Panel, rows: Sequence[Row]) -> dict[Line, list[float | None]]:
    """Return the lines of a panel that a run recorded, with their values.

    What never happened (a timeout, clipping) is no line: it would fill a legend, or a chart.
    """
    found = {line: column(rows, line.key) for line in panel.lines}
    return {
        line: values
        for line, values in found.items()
        if any(values) or (any(value is not None for value in values) and not line.rare)
    }


def column(rows: Sequence[Row], key: str) -> list[float | None]:
    """Return a metric over the rows; None where it was not recorded."""
    return [number(row.get(key)) for row in rows]
