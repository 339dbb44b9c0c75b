"""Old spellings of commands: what was a flag that changed all others is a command of its own."""

from __future__ import annotations

SWITCHES = {("eval", "--regrade"): "regrade", ("compare", "--sequential"): "sequential"}
"""(command, flag without a value) -> the second word of the command that it became."""
VALUES = {
    ("eval", "--from-responses"): "responses",
    ("eval", "--sweep"): "sweep",
    ("verify", "--cases"): "cases",
}
"""(command, flag) -> the second word; the flag's value is the command's first argument."""


def renew(arguments: list[str]) -> list[str]:
    """Return a command line in today's spelling.

    >>> renew(["eval", "--sweep", "runs/a", "--task", "generated"])
    ['eval', 'sweep', 'runs/a', '--task', 'generated']
    >>> renew(["eval", "--regrade", "--model", "m"])
    ['eval', 'regrade', 'eval-runs/m']
    >>> renew(["tasks", "aime24"])
    ['tasks', 'aime24']
    """
    command, *rest = arguments
    for (of, flag), word in VALUES.items():
        if of == command and (value := _take(rest, flag)) is not None:
            return [command, word, value, *rest]
    for (of, flag), word in SWITCHES.items():
        if of != command:
            continue
        if f"--no-{flag[2:]}" in rest:
            rest.remove(f"--no-{flag[2:]}")
        elif flag in rest:
            rest.remove(flag)
            return [command, word, *(_regraded(rest) if word == "regrade" else ()), *rest]
    return [command, *rest]


def _regraded(rest: list[str]) -> list[str]:
    """Take the folder out of what `eval --regrade` was called with."""
    folder = _take(rest, "--run-dir")
    if folder is None and (model := _take(rest, "--model")) is not None:
        from rewardkit.cli.options.drawing import default_folder

        folder = str(default_folder(model))
    return [] if folder is None else [folder]


def _take(rest: list[str], flag: str) -> str | None:
    """Remove `flag VALUE` or `flag=VALUE`, and return the value; None where it is not there."""
    for place, found in enumerate(rest):
        name, equals, value = found.partition("=")
        if name.replace("_", "-") == flag:
            if equals:
                del rest[place]
                return value
            if place + 1 < len(rest):
                del rest[place]
                return rest.pop(place)
    return None
