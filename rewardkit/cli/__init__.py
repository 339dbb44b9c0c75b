"""The `rewardkit` command: one file a subcommand, imported only when it is called.

Each command is a plain function; tyro derives its flags from the signature and the docstring.
What goes wrong on purpose (`RewardkitError`) is printed in one line and exits with its
`status`: 2, or 4 where a run ended itself.
"""

from __future__ import annotations

import difflib
import errno
import importlib
import os
import shlex
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

from rewardkit.cli.spellings import renew

COMMANDS: dict[str, tuple[str, str]] = {
    "train": ("rewardkit.cli.train:train", "train a model on a task with a recipe"),
    "plan": ("rewardkit.cli.plan:plan", "say what a step will hold and take, and if it fits"),
    "report": ("rewardkit.cli.report:report", "write a run's curves and rollouts as one page"),
    "eval": ("rewardkit.cli.eval.evaluate:evaluate", "measure a checkpoint on held-out problems"),
    "eval regrade": ("rewardkit.cli.eval.regrade:regrade", "verify its stored responses anew"),
    "eval lengths": (
        "rewardkit.cli.eval.lengths:lengths",
        "say what smaller token limits would have cost",
    ),
    "eval export": ("rewardkit.cli.eval.export:export", "write its samples as a table elsewhere"),
    "eval responses": ("rewardkit.cli.eval.responses:responses", "grade a file of responses"),
    "eval sweep": ("rewardkit.cli.eval.sweep:sweep", "evaluate each checkpoint of a run"),
    "compare": ("rewardkit.cli.compare:compare", "say whether B is better than A, and how sure"),
    "compare sequential": (
        "rewardkit.cli.compare_sequential:sequential",
        "evaluate two models until that is shown",
    ),
    "matrix": ("rewardkit.cli.matrix:matrix", "show many evaluations as one table, with ranks"),
    "verify": ("rewardkit.cli.verify:verify", "grade one response, and say why"),
    "verify cases": ("rewardkit.cli.verify_cases:cases", "measure a verifier on labelled cases"),
    "rate": ("rewardkit.cli.rate:rate", "find how often models solve each problem of a task"),
    "rate merge": ("rewardkit.cli.rate:merge", "make one table of shards, or of models"),
    "curate": ("rewardkit.cli.curate:curate", "keep a band of rated problems, without the faulty"),
    "grade": ("rewardkit.cli.grade:grade", "give a table of responses verdict columns"),
    "serve": ("rewardkit.cli.serve:serve", "answer trainers that ask a verifier over HTTP"),
    "audit": ("rewardkit.cli.audit:audit", "find what a verifier wrongly accepts and rejects"),
    "validate": ("rewardkit.cli.validate:validate", "look through a task before training on it"),
    "config": ("rewardkit.cli.config:config", "list the settings of a run, or explain one"),
    "tasks": ("rewardkit.cli.tasks:tasks", "list the tasks, or show problems of one"),
    "recipes": ("rewardkit.cli.recipes:recipes", "list the recipes, or what differs between two"),
    "model": ("rewardkit.cli.model:model", "fetch a model that needs no hub"),
}
"""Command -> (what runs it, one line for the usage). A second word is looked for first."""
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""What a write fails with where there is no room left."""

FORBIDDEN = (
    errno.EACCES,
    errno.EPERM,
    errno.EROFS,
    errno.EISDIR,
    errno.ENOTDIR,
    errno.ENAMETOOLONG,
)
"""What a path is refused with that is the user's to mend."""


def main(argv: Sequence[str] | None = None) -> None:
    """Run one subcommand; exits with 2 on a usage or configuration error."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not arguments or arguments[0] in ("-h", "--help"):
        print(_usage())  # noqa: T201
        return
    if arguments[0] == "--version":
        print(_version())  # noqa: T201
        return
    if arguments[0] not in COMMANDS:
        close = difflib.get_close_matches(arguments[0], COMMANDS, n=1)
        hint = f"; did you mean {close[0]}?" if close else ""
        _fail(f"unknown command {arguments[0]!r}{hint}\n\n{_usage()}")
    if arguments[0] == "config" and len(arguments) > 2 and arguments[1] in ("-h", "--help"):
        del arguments[1]  # `config --help KEY` asks for the key, as `git help KEY` does
    renewed = renew(arguments)
    if renewed != arguments:
        print(f"note: this is now {shlex.join(['rewardkit', *renewed])}", file=sys.stderr)  # noqa: T201
    words = 2 if " ".join(renewed[:2]) in COMMANDS else 1
    _run(" ".join(renewed[:words]), renewed[words:])


def _run(name: str, arguments: list[str]) -> None:
    from rewardkit.errors import RewardkitError

    try:
        _call(name, arguments)
    except RewardkitError as error:
        told = "\n".join([f"error: {error}", *getattr(error, "__notes__", [])])
        _fail(told, error.status)
    except BrokenPipeError:  # `| head` has read enough; what is still buffered has no reader
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        if error.errno in FORBIDDEN and error.filename is not None:
            _fail(
                f"error: {error.filename}: cannot be read or written ({error.strerror}). Name "
                "another place, or mend its kind and rights"
            )
        if error.errno not in FULL:
            raise
        _fail(
            f"error: nothing more can be written ({error.strerror}). All that was written before "
            "is intact; make room, and type the same command again"
        )
    except KeyboardInterrupt as error:
        if error.args:  # whoever stopped in order has said so, and how to go on
            raise SystemExit(130) from None
        _fail("stopped", status=130)


def _call(name: str, arguments: list[str]) -> None:
    import tyro

    module, _, attribute = COMMANDS[name][0].partition(":")
    command = getattr(importlib.import_module(module), attribute)
    # The installed command does not look for module:attribute names where it is called. Last, so
    # that a folder that one reads from within cannot stand in for an installed package.
    sys.path.append(os.getcwd())
    looks = (
        tyro.conf.OmitArgPrefixes,
        tyro.conf.DisallowNone,
        tyro.conf.PositionalMetavarFromFieldName,
    )
    tyro.cli(command, args=arguments, prog=f"rewardkit {name}", config=looks)


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("rewardkit")
    except PackageNotFoundError:  # a bare checkout
        text = (Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8")
        return f"{tomllib.loads(text)['project']['version']} (not installed)"


def _usage() -> str:
    width = max(map(len, COMMANDS))
    lines = [f"  {name:<{width}}  {summary}" for name, (_, summary) in COMMANDS.items()]
    head, tail = "usage: rewardkit COMMAND [OPTIONS]", "rewardkit COMMAND --help says more."
    return "\n".join([head, "", *lines, "", tail])


def _fail(message: str, status: int = 2) -> None:
    print(message, file=sys.stderr)  # noqa: T201
    raise SystemExit(status)
