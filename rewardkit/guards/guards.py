"""Guards: what a person watching every step would be told of, or would stop a run for.

Pure functions of a step's row of metrics and of a small memory, which a backend keeps with its
checkpoints. A guard speaks after `patience` steps in a row beyond its bound, once an episode: it
is silent until its metric has been within the bound for ten steps in a row.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from rewardkit.errors import GuardError, NoSignalError
from rewardkit.guards.no_signal import why_no_gradient
from rewardkit.guards.settings import GuardsConfig
from rewardkit.guards.trends import compared, remember
from rewardkit.types import UNDECIDED

Row = Mapping[str, Any]
"""A step's row of metrics.jsonl."""
Memory = Mapping[str, Mapping[str, Any]]
"""By guard: steps beyond the bound in a row, steps within it, and whether it has spoken; under
"trend" what `trends.py` keeps of the run."""

CALM = 10
"""So many steps within the bound end an episode."""
MUST_BE_FINITE = ("surrogate", "kl", "grad_norm", "entropy", "reward")
"""Metrics that always stop a run when they are not finite."""


@dataclass(frozen=True)
class Alarm:
    """What a guard has to say of a step."""

    guard: str
    """Who speaks."""
    stops: bool
    """Whether the run ends."""
    message: str
    """Value, bound and what to do next."""


@dataclass(frozen=True)
class Guard:
    """A metric, the side of its bound that is good, and what to do on the other one."""

    value: Callable[[Row], float | None]
    """Reads the metric from a row; None where the row has none."""
    good: Literal["above", "below"]
    """The side of the bound on which nothing is said."""
    what: str
    """What the metric is, in words."""
    advice: str
    """What to do next."""
    setting: str = ""
    """The bound's name among the settings, where two guards share it."""


def _sum(*names: str) -> Callable[[Row], float | None]:
    """Return the sum of those metrics that a row has, None if it has none of them."""

    def value(row: Row) -> float | None:
        found = [float(row[name]) for name in names if row.get(name) is not None]
        return sum(found) if found else None

    return value


GUARDS: Mapping[str, Guard] = {
    "entropy": Guard(
        _sum("entropy_sampled"),
        "above",
        "the entropy of what is sampled, in nats a token,",
        "The policy hardly tries anything new. Raise recipe.clip_high, lower optim.lr, or take "
        "harder problems",
    ),
    "truncated": Guard(
        _sum("truncated_drawn"),
        "below",
        "the share of responses cut off at the limit",
        "Raise sampling.max_tokens, or punish length in recipe.shaping (soft_overlong)",
    ),
    "out_of_turns": Guard(
        _sum("out_of_turns"),
        "below",
        "the share of rollouts that were out of turns",
        "Raise sampling.turns, or let the environment end a lost game itself, with Reply()",
        setting="truncated",
    ),
    "clipped": Guard(
        _sum("clipped_low", "clipped_high"),
        "below",
        "the share of clipped tokens",
        "The policy moves too far within a batch. Lower optim.lr, recipe.epochs or "
        "recipe.minibatches",
    ),
    "kl": Guard(
        _sum("kl"),
        "below",
        "the KL divergence from the reference model, in nats a token,",
        "Raise recipe.kl_coef, or lower optim.lr",
    ),
    "kl_old": Guard(
        _sum("kl_old"),
        "below",
        "the KL divergence within a batch's updates, in nats a token,",
        "Lower optim.lr, recipe.epochs or recipe.minibatches",
    ),
    "mismatch": Guard(
        _sum("sampler_mismatch"),
        "below",
        "the mean difference of log-probabilities between sampler and trainer",
        "What is trained on is not what was sampled. Use model.dtype = 'float32', or correct for "
        "it with recipe.correction = 'tis'",
    ),
    "undecided": Guard(
        _sum("outcome/timeout", "outcome/error"),
        "below",
        "the share of verdicts that timed out or failed",
        "Read their reasons in rollouts.jsonl; raise verify.deadline_s or verify.memory_mb, mend "
        "the verifier, or see to its judge",
    ),
    "fallen": Guard(
        _sum("fallen"),
        "above",
        "the share of right answers, as a part of the best that it was,",
        "The policy has lost what it could do. Go on from a checkpoint before, with a lower "
        "optim.lr",
    ),
    "hacked": Guard(
        _sum("hacked"),
        "below",
        "the rise of the reward that comes with another length and not with more right answers",
        "What is learned is a length. Read the longest and the shortest responses in the report, "
        "and lower the weight of what rewards them in recipe.shaping",
    ),
    "parted": Guard(
        _sum("parted"),
        "below",
        "the rise of the KL to the teacher, in nats a token,",
        "The policy goes where the teacher does not follow. Lower optim.lr, or take a teacher "
        "nearer to it",
    ),
    "teacher_entropy": Guard(
        _sum("teacher_sure"),
        "above",
        "the teacher's entropy, as a part of what it was at the start,",
        "The policy writes what a teacher is sure of whatever it says, such as repetitions. Read "
        "the longest responses in the report, and lower sampling.max_tokens or optim.lr",
    ),
    "overturned": Guard(
        _sum("overturned"),
        "below",
        "the rise of what the judge accepts against the rules, while these accept no more,",
        "What is learned is to please the judge. Read what was judged, and narrow judge.when",
    ),
    "talked_over": Guard(
        _sum("judge/talked_over"),
        "below",
        "the share of tried responses that the judge also calls equal to a wrong gold",
        "The judge does as the responses say. Take another model or profile for [judge]",
    ),
}
"""Every guard by its name, but those on numbers that are not finite."""


def judge(
    config: GuardsConfig, row: Row, memory: Memory, responses: Iterable[Row] = ()
) -> tuple[list[Alarm], Memory]:
    """Return what the guards say of a step, and their memory after it.

    A guard whose metric the row does not have, or whose bound is None, says nothing. One that
    stops the run starts afresh when the run is resumed. Of more than half undecided verdicts
    `undecided` warns at once, with the reason of one of the step's `responses` (rows of
    rollouts.jsonl).

    >>> [alarm], _ = judge(GuardsConfig(patience=1), {"truncated_drawn": 0.75}, {})
    >>> alarm.message[:73]
    'the share of responses cut off at the limit is 0.75 (guards.truncated = 0'
    """
    alarms = [*_not_finite(row)]
    trend = remember(row, memory.get("trend", {}))
    after: dict[str, Mapping[str, Any]] = {"trend": trend}
    row = {**row, **compared(trend)}
    for name, guard in GUARDS.items():
        bound, value = getattr(config, guard.setting or name), guard.value(row)
        if bound is None or value is None:
            after[name] = memory.get(name, {})
            continue
        # Written so that NaN, which is on neither side, is beyond.
        good = value >= bound if guard.good == "above" else value <= bound
        at_once = name == "undecided" and value > 0.5 and name not in config.stop
        patience = 1 if at_once else config.patience
        speaks, after[name] = _remember(memory.get(name, {}), good, patience)
        if speaks:
            alarm = _beyond(name, guard, value, bound, after[name]["beyond"], config)
            reason = _undecided_reason(responses) if name == "undecided" else ""
            alarms.append(replace(alarm, message=alarm.message + reason))
    # A KL in the loss makes updates where no reward differs, so updates do not tell; rows of
    # older runs hold nothing better.
    taught = row.get("groups_signal", row.get("updates"))
    if config.degenerate is not None and taught is not None:
        speaks, after["degenerate"] = _remember(
            memory.get("degenerate", {}), bool(taught), config.degenerate
        )
        if speaks:
            message = (
                f"{config.degenerate} steps in a row without a gradient of any reward "
                f"(guards.degenerate = {config.degenerate}); in the last one, "
                f"{why_no_gradient(row)}"
            )
            alarms.append(Alarm("degenerate", "degenerate" in config.stop, message))
    if "prompts_too_long" in row:
        count = int(row["prompts_too_long"])
        speaks, after["too_long"] = _remember(memory.get("too_long", {}), count == 0, 1)
        if speaks:
            message = (
                f"{count} problems were passed over, since their prompts and a response of "
                "sampling.max_tokens do not fit the model's context. Lower sampling.max_tokens, "
                "or leave long problems out"
            )
            alarms.append(Alarm("too_long", False, message))
    for alarm in alarms:
        if alarm.stops:
            after.pop(alarm.guard, None)
    return alarms, {name: kept for name, kept in after.items() if kept}


def event_rows(step: int, alarms: Iterable[Alarm]) -> list[dict[str, Any]]:
    """Return a line of `events.jsonl` for each alarm of a step."""
    return [
        {
            "step": step,
            "kind": "stop" if alarm.stops else "warning",
            "guard": alarm.guard,
            "message": alarm.message,
        }
        for alarm in alarms
    ]


def _undecided_reason(responses: Iterable[Row]) -> str:
    reasons = (row.get("reason") for row in responses if row.get("outcome") in UNDECIDED)
    return f". One says: {reason}" if (reason := next(filter(None, reasons), "")) else ""


def _not_finite(row: Row) -> list[Alarm]:
    bad = [
        f"{name} is {row[name]}"
        for name in MUST_BE_FINITE
        if isinstance(row.get(name), float) and not math.isfinite(row[name])
    ]
    if not bad:
        return []
    message = (
        f"{', '.join(bad)}, where a finite number is needed. Go on from the checkpoint before "
        "with a lower optim.lr, or with model.dtype = 'float32'"
    )
    return [Alarm("finite", True, message)]


def _remember(
    memory: Mapping[str, int], good: bool, patience: int
) -> tuple[bool, Mapping[str, int]]:
    """Return whether to speak now, and the memory after a step within or beyond the bound."""
    spoken = memory.get("spoken", 0)
    if good:
        calm = memory.get("calm", 0) + 1
        if not spoken or calm >= CALM:
            return False, {}
        return False, {"beyond": 0, "calm": calm, "spoken": spoken}
    beyond = memory.get("beyond", 0) + 1
    speaks = not spoken and beyond >= patience
    return speaks, {"beyond": beyond, "calm": 0, "spoken": int(spoken or speaks)}


def _beyond(
    name: str, guard: Guard, value: float, bound: float, steps: int, config: GuardsConfig
) -> Alarm:
    bounds, setting = "at least" if guard.good == "above" else "at most", guard.setting or name
    again = f", step {steps} in a row" if steps > 1 else ""
    message = (
        f"{guard.what} is {value:.3g} (guards.{setting} = {bound:g}, {bounds}){again}. "
        f"{guard.advice}"
    )
    stops = setting in config.stop
    if stops:
        message += f"; --set guards.{setting}=none goes on all the same"
    return Alarm(name, stops, message)


def apply_guards(alarms: Sequence[Alarm], remark: Callable[[str], None]) -> None:
    """Remark what the guards warn of; raise for what stops the run.

    Raises:
        NoSignalError, GuardError: a guard stops it.
    """
    for alarm in alarms:
        if not alarm.stops:
            remark(alarm.message)
    for alarm in alarms:
        if alarm.stops:
            kind = NoSignalError if alarm.guard == "degenerate" else GuardError
            raise kind(alarm.message)
