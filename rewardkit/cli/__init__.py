"""The `rewardkit` command: one file a subcommand, imported only when it is called.

Each command is a plain function; tyro derives its flags from the signature and the docstring.
What goes wrong on purpose (`RewardkitError`) is printed in one line and exits with its
`status`: 2, or 4 where a run ended itself.
"""

from __future__ import annotations

import difflib
import errno
import functools
import importlib
import inspect
import os
import shlex
import sys
import tomllib
import types
from collections.abc import Callable, Sequence
from pathlib import Path

from rewardkit.cli.spellings import WORDS, renew
from rewardkit.errors import RewardkitError

Command = Callable[..., None]
COMMANDS: dict[str, tuple[str, str]] = {
    "train": ("rewardkit.cli.train:train", "train a model with a recipe, or say what that takes"),
    "report": ("rewardkit.cli.report:report", "write a run's curves and rollouts as one page"),
    "eval": ("rewardkit.cli.eval.evaluate:evaluate", "measure a model on held-out problems"),
    "eval regrade": ("rewardkit.cli.eval.regrade:regrade", "verify its stored responses anew"),
    "eval responses": ("rewardkit.cli.eval.responses:responses", "grade a file of responses"),
    "eval sweep": ("rewardkit.cli.eval.sweep:sweep", "evaluate each checkpoint of a run"),
    "compare": ("rewardkit.cli.compare.compare:compare", "say which of two, or many, is better"),
    "verify": ("rewardkit.cli.verify.verify:verify", "grade one response, and say why"),
    "verify cases": ("rewardkit.cli.verify.cases:cases", "measure a verifier on labelled cases"),
    "audit": ("rewardkit.cli.audit:audit", "find what a verifier wrongly accepts and rejects"),
    "grade": ("rewardkit.cli.grade:grade", "give a table of responses verdict columns"),
    "serve": ("rewardkit.cli.serve:serve", "answer trainers that ask a verifier over HTTP"),
    "curate": ("rewardkit.cli.curate.curate:curate", "keep a band of rated problems"),
    "curate rate": ("rewardkit.cli.curate.rate:rate", "find how often models solve each problem"),
    "curate merge": ("rewardkit.cli.curate.rate:merge", "make one table of shards, or of models"),
    "tasks": ("rewardkit.cli.tasks.tasks:tasks", "list the tasks, or show problems of one"),
    "tasks check": ("rewardkit.cli.tasks.check:check", "look through a task before training"),
    "recipes": ("rewardkit.cli.recipes:recipes", "list the recipes, or what differs between two"),
    "config": ("rewardkit.cli.config:config", "list the settings of a run, or explain one"),
    "push": ("rewardkit.cli.push:push", "send a run's model with its card to a hub"),
    "fetch": ("rewardkit.cli.fetch:fetch", "fetch a model that needs no hub"),
}
"""Command -> (what runs it, one line for the usage). A second word is looked for first."""
ASKING = "eval"
"""The command whose --help lists the options of the group that says how a model is asked."""
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
    if arguments[0] not in {*COMMANDS, *(words[0] for words in WORDS)}:
        close = difflib.get_close_matches(arguments[0], COMMANDS, n=1)
        hint = f"; did you mean {close[0]}?" if close else ""
        _fail(f"unknown command {arguments[0]!r}{hint}\n\n{_usage()}")
    if arguments[0] == "config" and len(arguments) > 2 and arguments[1] in ("-h", "--help"):
        del arguments[1]  # `config --help KEY` asks for the key, as `git help KEY` does
    try:
        renewed = renew(arguments)
    except RewardkitError as error:
        _fail(f"error: {error}", error.status)
    if renewed != arguments:
        print(f"note: this is now {shlex.join(['rewardkit', *renewed])}", file=sys.stderr)  # noqa: T201
    words = 2 if " ".join(renewed[:2]) in COMMANDS else 1
    _run(" ".join(renewed[:words]), renewed[words:])


def _run(name: str, arguments: list[str]) -> None:
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
    command = _with_group(command, name, arguments)
    tyro.cli(command, args=arguments, prog=f"rewardkit {name}", config=looks)


def _with_group(command: Command, name: str, arguments: list[str]) -> Command:
    """Return the command with what `--ask FILE` says as defaults, its help without the group.

    The options that say how a model is asked are the same everywhere, and told once.
    """
    usual = inspect.signature(command).parameters.get("ask")
    if usual is None:
        return command
    from rewardkit.cli.options.ask_file import asked_in

    if name != ASKING and {"-h", "--help"} & {*arguments}:
        return _without_group(command)
    return functools.partial(command, ask=asked_in(arguments, usual.default))


def _without_group(command: Command) -> Command:
    import tyro

    from rewardkit.cli.options.asking import Ask

    copy = types.FunctionType(
        command.__code__, command.__globals__, command.__name__, command.__defaults__
    )
    copy.__kwdefaults__ = command.__kwdefaults__
    copy.__annotations__ = {**command.__annotations__, "ask": tyro.conf.Suppress[Ask]}
    copy.__doc__ = (command.__doc__ or "").replace(
        "\n    Args:\n",
        "\n    How a model is asked and sampled is said as to `rewardkit eval`, whose --help\n"
        "    lists the options, or in a file of them, --ask FILE.toml.\n\n    Args:\n",
    )
    return copy


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("rewardkit")
    except PackageNotFoundError:  # a bare checkout
        text = (Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8")
        return f"{tomllib.loads(text)['project']['version']} (not installed)"


def _usage() -> str:
    first = [name for name in COMMANDS if " " not in name]
    width = max(map(len, first))
    lines = []
    for name in first:
        second = [one.split()[1] for one in COMMANDS if one.startswith(f"{name} ")]
        also = f" (also: {', '.join(second)})" if second else ""
        lines.append(f"  {name:<{width}}  {COMMANDS[name][1]}{also}")
    head, tail = "usage: rewardkit COMMAND [OPTIONS]", "rewardkit COMMAND --help says more."
    return "\n".join([head, "", *lines, "", tail])


def _fail(message: str, status: int = 2) -> None:
    print(message, file=sys.stderr)  # noqa: T201
    raise SystemExit(status)
