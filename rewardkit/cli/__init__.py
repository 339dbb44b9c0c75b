"""The `rewardkit` command: one file a subcommand, imported only when it is called.

Each command is a plain function; tyro derives its flags from the signature and the docstring.
What goes wrong on purpose (`RewardkitError`) is printed in one line and exits with 2.
"""

from __future__ import annotations

import difflib
import importlib
import os
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

COMMANDS: dict[str, tuple[str, str]] = {
    "train": ("rewardkit.cli.train:train", "train a model on a task with a recipe"),
    "report": ("rewardkit.cli.report:report", "write a run's curves and rollouts as one page"),
    "eval": ("rewardkit.cli.eval:evaluate", "measure a checkpoint on held-out problems"),
    "compare": ("rewardkit.cli.compare:compare", "say whether B is better than A, and how sure"),
    "verify": ("rewardkit.cli.verify:verify", "grade one response, or a file of labelled cases"),
    "tasks": ("rewardkit.cli.tasks:tasks", "list the tasks, or show problems of one"),
    "recipes": ("rewardkit.cli.recipes:recipes", "list the recipes, or what differs between two"),
    "model": ("rewardkit.cli.model:model", "fetch a model that needs no hub"),
}


def main(argv: Sequence[str] | None = None) -> None:
    """Run one subcommand; exits with 2 on a usage or configuration error."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not arguments or arguments[0] in ("-h", "--help"):
        print(_usage())  # noqa: T201
        return
    if arguments[0] == "--version":
        print(_version())  # noqa: T201
        return
    name = arguments.pop(0)
    if name not in COMMANDS:
        close = difflib.get_close_matches(name, COMMANDS, n=1)
        hint = f"; did you mean {close[0]}?" if close else ""
        _fail(f"unknown command {name!r}{hint}\n\n{_usage()}")

    import tyro

    from rewardkit.errors import RewardkitError

    module, _, attribute = COMMANDS[name][0].partition(":")
    command = getattr(importlib.import_module(module), attribute)
    # The installed command does not look for module:attribute names where it is called; python -m
    # does. The two should not differ.
    sys.path.insert(0, os.getcwd())
    try:
        tyro.cli(command, args=arguments, prog=f"rewardkit {name}")
    except RewardkitError as error:
        _fail("\n".join([f"error: {error}", *getattr(error, "__notes__", [])]))
    except KeyboardInterrupt:
        _fail("stopped", status=130)


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("rewardkit")
    except PackageNotFoundError:  # a bare checkout
        text = (Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8")
        return f"{tomllib.loads(text)['project']['version']} (not installed)"


def _usage() -> str:
    lines = [f"  {name:<9} {summary}" for name, (_, summary) in COMMANDS.items()]
    head, tail = "usage: rewardkit COMMAND [OPTIONS]", "rewardkit COMMAND --help says more."
    return "\n".join([head, "", *lines, "", tail])


def _fail(message: str, status: int = 2) -> None:
    print(message, file=sys.stderr)  # noqa: T201
    raise SystemExit(status)
