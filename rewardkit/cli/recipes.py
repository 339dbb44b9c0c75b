"""`rewardkit recipes`: the table of recipes, and what differs between two."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import tyro
from rich.markup import escape
from rich.table import Table

from rewardkit.errors import ConfigError, UnknownNameError
from rewardkit.pages.console import Console
from rewardkit.recipes import (
    LIBRARIES,
    RECIPES,
    TEACHING,
    Recipe,
    Term,
    differences,
    inert_parts,
    recipe,
)


def recipes(
    action: Annotated[
        tyro.conf.Positional[str], tyro.conf.arg(metavar="[{list,show,diff}]")
    ] = "list",
    names: Annotated[
        tyro.conf.Positional[tuple[str, ...]],
        tyro.conf.arg(metavar="[NAME ...]", help_behavior_hint=""),
    ] = (),
) -> None:
    """List the recipes, show one in full, or say what differs between two.

    Args:
        action: list (the default), show NAME (or NAME alone), or diff NAME NAME.
        names: the recipes to show or compare; diff also takes verl and trl, their own defaults
            (of their distillation, beside a recipe that learns from a teacher).
    """
    if action in RECIPES and not names:
        action, names = "show", (action,)
    examples = {"list": "", "show": "dapo", "diff": "dapo grpo"}
    if action not in examples:
        raise UnknownNameError("recipe", action, [*examples, *RECIPES])
    example = examples[action].split()
    if len(names) != len(example):
        raise ConfigError(
            f"`rewardkit recipes {action}` takes {len(example) or 'no'} recipe "
            f"name{'' if len(example) == 1 else 's'}, found {len(names)}; type: "
            + " ".join(["rewardkit recipes", action, *example])
        )
    console = Console()
    if action == "list":
        console.print(_overview(), markup=False, highlight=False, soft_wrap=True)
    elif action == "show":
        _show(console, recipe(names[0]))
    else:
        learns = any(RECIPES[name].distils for name in names if name in RECIPES)
        known = TEACHING if learns else LIBRARIES
        console.print(_difference(*(known.get(name) or recipe(name) for name in names)))


def _overview() -> str:
    """Return a line a recipe: advantage, surrogate, aggregation, KL, and the paper."""
    lines = []
    for name, found in RECIPES.items():
        pieces = [
            found.advantage,
            f"{found.surrogate} {found.clip_low:g}/{found.clip_high:g}",
            found.aggregation,
            *([f"{found.kl} × {found.kl_coef:g} in the {found.kl_in}"] if found.kl else []),
        ]
        paper = found.paper.partition(";")[0]
        lines.append(f"{name:<{max(map(len, RECIPES))}}  {', '.join(pieces)}: {paper}")
    return "\n".join([*lines, "one in full, with its equation: rewardkit recipes show NAME"])


def _show(console: Console, found: Recipe) -> None:
    table = Table(title=found.name)
    table.add_column("field")
    table.add_column("value", overflow="fold")
    for field, value in vars(found).items():
        table.add_row(field, escape(_text(value)))
    console.print(table)
    for sentence in inert_parts(found):
        console.print(f"note: {sentence}", markup=False)


def _difference(left: Recipe, right: Recipe) -> Table | str:
    found = differences(left, right)
    if not found:
        return f"{left.name} and {right.name} do not differ"
    table = Table(title=f"{left.name} against {right.name}")
    for column in ("field", left.name, right.name):
        table.add_column(column, overflow="fold")
    for field, (ours, theirs) in found.items():
        table.add_row(field, escape(_text(ours)), escape(_text(theirs)))
    return table


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(_text(item) for item in value) or "-"
    if isinstance(value, Term):
        options = ", ".join(f"{key}={_text(item)}" for key, item in value.options.items())
        return f"{value.weight:g} × {value.name}({options})"
    if isinstance(value, Mapping):
        return ", ".join(f"{key}={_text(item)}" for key, item in value.items()) or "-"
    return "-" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
