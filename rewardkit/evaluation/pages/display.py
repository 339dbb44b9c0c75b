"""Results for the terminal: tables, and sentences that say what they mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import partial
from typing import Any

from rich.markup import escape
from rich.table import Table

from rewardkit.environments.table import TurnLimits
from rewardkit.evaluation.drawing.runner import Activity
from rewardkit.evaluation.measures.near import undeclared_note
from rewardkit.evaluation.measures.scoring import cost_of
from rewardkit.pages.console import Console
from rewardkit.types import Outcome

LONGEST_CELL = 80
"""Characters of an id, a gold or answers in a table: one of a page would push all else out."""


def percent(value: float | None) -> str:
    """Return a share as a percentage with one decimal.

    >>> percent(0.4567), percent(None)
    ('45.7', '-')
    """
    return "-" if value is None else f"{100 * value:.1f}"


def span(interval: list[float] | None) -> str:
    """Return an interval as percentages.

    >>> span([0.1, 0.25])
    '10.0 to 25.0'
    """
    return "-" if interval is None else f"{percent(interval[0])} to {percent(interval[1])}"


def rank_of(ends: list[int] | None) -> str:
    """Return a rank, or the ranks that a model may have.

    >>> rank_of([1, 3]), rank_of([2, 2]), rank_of(None)
    ('1-3', '2', '')
    """
    if ends is None:
        return ""
    low, high = ends
    return str(low) if low == high else f"{low}-{high}"


def short_count(tokens: float | None) -> str:
    """Return a number of tokens, short.

    >>> short_count(950), short_count(12_345), short_count(3_400_000), short_count(None)
    ('950', '12 k', '3.4 M', '-')
    """
    if not tokens:
        return "-"
    if tokens >= 1e6:
        return f"{tokens / 1e6:.1f} M"
    return f"{tokens / 1e3:.0f} k" if tokens >= 1e4 else f"{tokens:.0f}"


def cost_a_right_one(cost: Mapping[str, float | None]) -> str:
    """Return what each right response cost, of what was counted.

    >>> cost_a_right_one({"per_correct": 12_345.0, "money_per_correct": 0.01234})
    '12 k tokens, 0.0123 at the price given'
    >>> cost_a_right_one({"per_correct": None})  # none was right
    '-'
    """
    if cost.get("per_correct") is None:
        return "-"
    told = [f"{short_count(cost.get('per_correct'))} tokens"]
    if money := cost.get("money_per_correct"):
        told.append(f"{money:.3g} at the price given")
    if seconds := cost.get("seconds_per_correct"):
        told.append(f"{seconds:.3g} s")
    return ", ".join(told)


def plain(text: str) -> str:
    """Return text that a terminal shows and does not obey: model text may hold escape codes.

    >>> plain("7\x1b[2J")
    '7\ufffd[2J'
    """
    return "".join(c if c.isprintable() else "\ufffd" for c in text)


def brief(text: str, longest: int = LONGEST_CELL) -> str:
    """Return the beginning of a long text for a table's cell, where its whole stands elsewhere.

    >>> brief("0123456789", 8), brief("01234567", 8)
    ('01234...', '01234567')
    """
    return text if len(text) <= longest else f"{text[: longest - 3]}..."


def print_results(results: Mapping[str, Any], activity: Activity, console: Console) -> None:
    """Print a column a set; a partial result never stands where a headline would."""
    rows, overall = results["sets"], results["overall"]
    table = Table(title=escape(plain(results["model"])), title_justify="left")
    table.add_column("")
    for name in (*rows, *(["all"] if overall else [])):
        table.add_column(escape(name), justify="right")

    def line(label: str, value: Callable[[Mapping[str, Any]], str], total: str = "") -> None:
        table.add_row(label, *map(value, rows.values()), *([total] if overall else []))

    for label, value in MEASURES:
        line(label, value, value(overall) if overall else "")
    for label, name in COSTS:
        costs = [cost_of([row])[f"{name}_per_correct"] for row in rows.values()]
        if any(costs):
            told = ("-" if cost is None else f"{cost:.3g}" for cost in costs)
            table.add_row(label, *told, *([""] if overall else []))
    if any(row["answered_share"] not in (None, 1) for row in rows.values()):
        for label, value in ANSWERED:
            line(label, value)
    for part, lines in PARTS.items():
        if any(part in row for row in rows.values()):
            for label, value in lines:
                line(label, partial(_of, part, value))
    for name in ("pass", "maj"):
        key = f"{name}_at_k"
        for k in sorted({int(k) for row in rows.values() for k in row[key]}):
            line(f"{name}@{k} %", partial(_at, key, k))
    for outcome in Outcome:
        if any(row["outcomes"][outcome.value] for row in rows.values()):
            line(outcome.value, partial(_times, outcome))
    console.print(table)
    if drawn := _drawn(results):
        console.print(escape(plain(f"drawn with {drawn}")), soft_wrap=True, highlight=False)
    if graders := dict.fromkeys(row["verifier"] for row in rows.values() if "verifier" in row):
        said = " and ".join(map(grader_told, graders))
        console.print(f"graded by {escape(plain(said))}", soft_wrap=True, highlight=False)
    for name, row in rows.items():
        for said in warnings(name, row):
            console.print(escape(said), soft_wrap=True, highlight=False)
    if results["sampling"]["temperature"] == 0 and results["sampling"]["samples_per_problem"] > 1:
        console.print("NOTE temperature 0: more samples of a problem are copies, not new evidence")
    print_failures(activity, console)


def grader_told(name: str) -> str:
    """Return the recorded name of a verifier with those of its options that are not the defaults.

    >>> from rewardkit.evaluation.drawing.sets import verifier_name
    >>> from rewardkit.verifiers import MathVerifier
    >>> grader_told(verifier_name(MathVerifier(answer_in="tag", relative_tolerance=0.01)))
    'MathVerifier(answer_in=tag, relative_tolerance=0.01)'
    """
    from rewardkit import verifiers

    kind, _, options = name.partition("(")
    known = getattr(verifiers, kind, None) if kind in verifiers.__all__ else None
    if not is_dataclass(known) or "(" in re.sub(r"=\(", "=", options):
        return name if len(name) <= 60 else f"{kind}(...)"
    usual = {f"{one.name}={one.default!r}" for one in fields(known)}
    told = [one for one in re.split(r", (?=\w+=)", options.removesuffix(")")) if one not in usual]
    return re.sub(r"\('([^']*)',\)", r"\1", f"{kind}({', '.join(told)})").removesuffix("()")


def _drawn(results: Mapping[str, Any]) -> str:
    """Return the limit of turns, where environments were played, and what ended a response."""
    asking, sets = results["asking"], results["sets"].values()
    turns = asking.get("turns") or TurnLimits().turns
    told = [f"at most {turns} turns"] if any("turns" in row for row in sets) else []
    told += [f"stop {text!r}" for text in asking.get("stop", ())]
    return ", ".join(told)


def print_failures(activity: Activity, console: Console) -> None:
    """Print how many responses never came, and the most frequent reasons."""
    if activity.failures:
        console.print(f"{activity.failures.total()} responses never came:", highlight=False)
        for reason, count in activity.failures.most_common(3):
            console.print(f"  {count} x {escape(plain(reason))}", soft_wrap=True, highlight=False)


def _headline(row: Mapping[str, Any]) -> str:
    return percent(row["accuracy"]) if row.get("complete", True) else "partial"


def _of(part: str, value: Callable[[Mapping[str, Any]], str], row: Mapping[str, Any]) -> str:
    return value(row[part]) if part in row else ""


def _at(key: str, k: int, row: Mapping[str, Any]) -> str:
    return percent(row[key][str(k)]["value"]) if str(k) in row[key] else "-"


def _times(outcome: Outcome, row: Mapping[str, Any]) -> str:
    return str(row["outcomes"][outcome.value])


def _tokens(row: Mapping[str, Any]) -> str:
    tokens = row.get("tokens")
    if not tokens:
        return ""
    # A server that counts none leaves 0 everywhere, and even an empty response has its end.
    return f"{tokens['mean']:.0f} / {tokens['longest']}" if tokens["longest"] else "-"


MEASURES: tuple[tuple[str, Callable[[Mapping[str, Any]], str]], ...] = (
    ("problems x samples", lambda r: f"{r['problems']} x {r.get('samples_per_problem', 'k')}"),
    ("avg@k %", _headline),
    ("95 % these problems", lambda r: span(r["interval_these_problems"])),
    ("95 % problems like these", lambda r: span(r["interval_new_problems"])),
    ("truncated %", lambda r: percent(r["truncation"]["rate"]) if "truncation" in r else ""),
    ("all right %", lambda r: percent(r["all_right"]) if "all_right" in r else ""),
    ("all wrong %", lambda r: percent(r["all_wrong"]) if "all_wrong" in r else ""),
    ("tokens mean / longest", _tokens),
    ("tokens a right response", lambda r: short_count(cost_of([r])["per_correct"])),
)
COSTS = (("price of a right response", "money"), ("seconds a right response", "seconds"))
"""Printed where they are known."""

ANSWERED: tuple[tuple[str, Callable[[Mapping[str, Any]], str]], ...] = (
    ("answered %", lambda r: percent(r["answered_share"])),
    ("right if answered %", lambda r: percent(r["accuracy_given_answer"])),
)
"""Printed where not every response has an answer."""
SCORES: tuple[tuple[str, Callable[[Mapping[str, Any]], str]], ...] = (
    ("avg@k of the scores %", lambda score: percent(score["mean"])),
    ("95 % these problems", lambda score: span(score["interval_these_problems"])),
    ("95 % problems like these", lambda score: span(score["interval_new_problems"])),
)
"""Printed where scores say more than outcomes."""
BY_RULES: tuple[tuple[str, Callable[[Mapping[str, Any]], str]], ...] = (
    ("avg@k by rules alone %", lambda rules: percent(rules["accuracy"])),
    ("95 % these problems", lambda rules: span(rules["interval_these_problems"])),
    ("responses that a judge was asked about", lambda rules: str(rules["asked"])),
    ("of these, it says what rules do %", lambda rules: percent(rules["agreement"])),
)
"""Printed where a model was asked behind rules."""
TURNS: tuple[tuple[str, Callable[[Mapping[str, Any]], str]], ...] = (
    ("turns of the model", lambda turns: f"{turns['mean']:.2f}"),
    ("tokens of the environment", lambda turns: f"{turns['environment_tokens']:.1f}"),
    ("wrong calls", lambda turns: f"{turns['tool_errors']:.2f}"),
    ("environment failed %", lambda turns: percent(turns["environment_failed"])),
)
"""Means a rollout, printed where an environment answered turns."""
PARTS = {"score": SCORES, "by_rules": BY_RULES, "turns": TURNS}
"""Parts that not every set has, and what is printed of each."""


def print_problems(results: Mapping[str, Any], console: Console, most: int | None) -> None:
    """Print one line a problem: how many samples were right, and the most frequent answers.

    Sets of more than `most` problems are left out.
    """
    for name, row in results["sets"].items():
        if most is not None and row["problems"] > most:
            continue
        table = Table(title=escape(name), title_justify="left")
        for heading in ("problem", "right", "truncated", "gold", "answers"):
            table.add_column(heading)
        for problem in row["per_problem"]:
            answers = ", ".join(f"{a} ({n})" for a, n in problem["answers"].items())
            table.add_row(
                escape(plain(brief(problem["id"]))),
                f"{problem['correct']}/{problem['graded']}",
                str(problem["truncated"]),
                escape(plain(brief(problem["gold"]))),
                escape(plain(brief(answers))),
            )
        console.print(table)


ENDS = {
    "content_filter": "a filter of the server",
    "tool_calls": "the call of a tool",
    "turns": "the limit of turns",
}
"""What ends a response otherwise than its model or the limit; named by `Finish`."""
PLAY_AGAIN = (
    "Where the environment failed, the same `rewardkit eval` plays again; of other responses "
)


def warnings(name: str, row: Mapping[str, Any]) -> list[str]:
    """Return the sentences that must stand beside the numbers."""
    lines = [f"NOTE {name}: {remark}" for remark in row.get("remarks", ())]
    if not row["complete"]:
        partial = row["partial"]
        so_far = (
            f"so far {percent(partial['accuracy'])} % of those drawn (not a result)"
            if partial["accuracy"] is not None
            else "nothing graded"
        )
        lines.append(
            f"PARTIAL {name}: {row['samples']} of {row['expected']} samples "
            f"({percent(row['coverage'])} %), {so_far}; the same command asks for the rest"
        )
    near = row.get("near_misses", {}).get("count", 0)
    if near:
        lines.append(
            f"LOOK {name}: {near} responses hold the right value, and not where the task declares "
            "the answer; report.html lists them first"
        )
    if note := undeclared_note(name, row):
        lines.append(f"WARNING {note}")
    cut = row["truncation"]
    if cut["warning"]:
        lines.append(
            f"WARNING {name}: {percent(cut['rate'])} % of the responses were cut off by the token "
            f"limit; accuracy would be {percent(cut['accuracy_if_all_wrong'])} % if all of those "
            f"counted wrong and {percent(cut['accuracy_if_all_right'])} % if right. "
            "Raise --max-tokens."
        )
    if ends := row.get("other_ends"):
        told = " and ".join(f"{count} by {ENDS[end]} ({end})" for end, count in ends.items())
        lines.append(
            f"WARNING {name}: responses were ended {told}; they are graded by what came, "
            "and where that is nothing count as no answer"
        )
    if silent := row.get("silent"):
        kinds = {"empty": "are empty", "reasoning_only": "hold text in their reasoning alone"}
        told = " and ".join(f"{count} {kinds[kind]}" for kind, count in silent.items())
        grade = "; --grade-reasoning grades that too" if "reasoning_only" in silent else ""
        lines.append(f"WARNING {name}: of {row['samples']} responses {told}{grade}")
    lost = row["ungraded"]
    if lost["timeout_or_error"]:
        often = [f"; {count} x {reason}" for reason, count in lost.get("reasons", {}).items()]
        lines.append(
            f"WARNING {name}: {lost['timeout_or_error']} responses could not be graded (verifier "
            f"timeout or error{plain(often[0]) if often else ''}); they are left out of the score. "
            + (PLAY_AGAIN if (row.get("turns") or {}).get("environment_failed") else "")
            + "`rewardkit eval regrade` tries again."
        )
    if lost["bad_gold"]:
        lines.append(
            f"WARNING {name}: {lost['bad_gold']} responses belong to problems whose gold answer "
            "cannot be understood; they are left out of the score"
        )
    if row["samples_per_problem"] == 1:
        lines.append(
            f"{name}: with one sample a problem, the interval for these problems is an upper bound"
        )
    return lines
